//! Folders of tables.

use std::fs;

use koma_games::Law;
use koma_tables::{Directory, Identity, Kind, OpenFault, Table, Writer};

use crate::scratch::{Scratch, census, codes, identity};

fn write(directory: &Directory, identity: &Identity, kind: Kind) {
    let codes = codes(1_000);
    let path = directory.path_of(&identity.universe, kind);
    let writer = Writer::create(path).unwrap();
    writer
        .write(identity, kind, &census(&codes[..]), &codes[..])
        .unwrap();
}

#[test]
fn cases_66_and_67_folders_with_blanks_and_accents() {
    let scratch = Scratch::new("将棋 é");
    for name in ["b/c", " a  b ", "将棋 é", "e\u{301}", "%2a", "日本 語/ü"] {
        let directory = Directory::new(scratch.path().join(name));
        write(&directory, &identity("minishogi:gp"), Kind::Dtm);
        let table = directory.open(&identity("minishogi:gp")).unwrap();
        table.verify().unwrap();
        assert_eq!(directory.list().unwrap().len(), 1, "{name}");
    }
}

#[test]
fn case_71_a_table_of_another_question_is_refused_by_name() {
    let scratch = Scratch::new("question");
    let directory = Directory::new(scratch.path());
    let asked = identity("minishogi:gp");
    let others = [
        (
            "game",
            Identity {
                game: "gorogoro@5x6".into(),
                ..asked.clone()
            },
        ),
        (
            "game",
            Identity {
                game: "example@3x4:option=other".into(),
                ..asked.clone()
            },
        ),
        (
            "universe",
            Identity {
                universe: "minishogi:rp".into(),
                ..asked.clone()
            },
        ),
        (
            "numbering",
            Identity {
                numbering: 2,
                ..asked.clone()
            },
        ),
    ];
    for (wrong, other) in others {
        write(&directory, &other, Kind::Dtm);
        let there = directory.path_of(&other.universe, Kind::Dtm);
        fs::rename(there, directory.path_of(&asked.universe, Kind::Dtm)).unwrap();
        let error = directory.open(&asked).unwrap_err();
        let OpenFault::Mismatch { field, .. } = error.fault else {
            panic!("{error}");
        };
        assert_eq!(field, wrong);
    }
    write(&directory, &asked, Kind::Dtm);
    directory.open(&asked).unwrap();
}

#[test]
fn case_71_a_table_of_another_law_is_refused_by_name() {
    let scratch = Scratch::new("law");
    let directory = Directory::new(scratch.path());
    for law in Law::ALL {
        write(
            &directory,
            &Identity {
                law,
                ..identity("example")
            },
            Kind::Dtm,
        );
        for asked in Law::ALL {
            let opened = directory.open(&Identity {
                law: asked,
                ..identity("example")
            });
            match opened {
                Ok(_) => assert_eq!(law, asked),
                Err(error) => {
                    assert!(matches!(
                        error.fault,
                        OpenFault::Mismatch { field: "law", .. }
                    ));
                }
            }
        }
    }
}

#[test]
fn the_table_that_says_most_is_found() {
    let scratch = Scratch::new("kinds");
    let directory = Directory::new(scratch.path().join("not yet"));
    let identity = identity("hasami@4x4:win=all:3v2");
    assert_eq!(directory.find(&identity.universe), None);
    assert!(directory.list().unwrap().is_empty());
    let missing = directory.open(&identity).unwrap_err();
    assert!(
        matches!(missing.fault, OpenFault::Missing { .. }),
        "{missing}"
    );

    for kind in [Kind::Wdl, Kind::Dtm] {
        write(&directory, &identity, kind);
        assert_eq!(directory.open(&identity).unwrap().header().kind(), kind);
    }

    // A damaged table is an error, not a reason to answer less.
    fs::write(directory.path_of(&identity.universe, Kind::Dtm), "no table").unwrap();
    assert!(matches!(
        directory.open(&identity).unwrap_err().fault,
        OpenFault::Magic
    ));
}

#[test]
fn a_list_is_sorted_and_tells_what_cannot_be_opened() {
    let scratch = Scratch::new("list");
    let directory = Directory::new(scratch.path());
    for universe in ["c", "a", "b"] {
        write(&directory, &identity(universe), Kind::Wdl);
    }
    fs::write(scratch.path().join("b.dtm.koma"), "").unwrap();
    fs::write(scratch.path().join("README"), "not a table").unwrap();
    fs::write(scratch.path().join("d.dtm.koma.partial"), "not a table yet").unwrap();
    fs::create_dir(scratch.path().join("e.dtm.koma")).unwrap();
    let list = directory.list().unwrap();
    let names: Vec<_> = list
        .iter()
        .map(|listing| {
            (
                listing.path.file_name().unwrap().to_str().unwrap(),
                listing.header.is_ok(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("a.wdl.koma", true),
            ("b.dtm.koma", false),
            ("b.wdl.koma", true),
            ("c.wdl.koma", true),
            ("e.dtm.koma", false),
        ]
    );
}

#[test]
fn what_is_no_file_is_refused_with_its_name() {
    let scratch = Scratch::new("no file");
    let folder = Table::open_file(scratch.path()).unwrap_err();
    assert!(matches!(folder.fault, OpenFault::NotAFile), "{folder}");
    let absent = scratch.path().join("absent.koma");
    let error = Table::open_file(&absent).unwrap_err();
    assert!(matches!(error.fault, OpenFault::Io(_)), "{error}");
    assert!(error.to_string().contains("absent.koma"));
    fs::write(&absent, "").unwrap();
    let empty = Table::open_file(&absent).unwrap_err();
    assert!(matches!(empty.fault, OpenFault::Empty), "{empty}");
}
