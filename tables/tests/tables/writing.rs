//! A table appears under its name complete or not at all.

use std::{env, fs, ops::Range, path::Path, process::Command};

use koma_tables::{
    Cell, CellSource, CellWidth, Census, Coding, EncodeError, HeaderFault, Kind, Table, WriteError,
    Writer,
};

use crate::scratch::{Scratch, census, codes, identity};

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let scratch = Scratch::new("dropped");
    let path = scratch.path().join("deep/er/table.koma");
    let writer = Writer::create(&path).unwrap();
    assert_eq!(names(path.parent().unwrap()), ["table.koma.partial"]);
    drop(writer);
    assert_eq!(names(path.parent().unwrap()), [""; 0]);
}

#[test]
fn a_table_in_the_making_is_locked() {
    let scratch = Scratch::new("locked");
    let path = scratch.path().join("table.koma");
    let first = Writer::create(&path).unwrap();
    let busy = Writer::create(&path).unwrap_err();
    assert!(matches!(busy, WriteError::Busy { .. }), "{busy}");
    drop(first);
    let codes = codes(1_000);
    let second = Writer::create(&path).unwrap();
    second
        .write(
            &identity("example"),
            Kind::Dtm,
            &census(&codes[..]),
            &codes[..],
        )
        .unwrap();
    assert_eq!(names(scratch.path()), ["table.koma"]);
    // Finished tables are not locked, and a new one takes the place of an old one.
    let third = Writer::create(&path).unwrap();
    Table::open_file(&path).unwrap().verify().unwrap();
    third
        .write(
            &identity("example"),
            Kind::Wdl,
            &census(&codes[..]),
            &codes[..],
        )
        .unwrap();
    assert_eq!(Table::open_file(&path).unwrap().header().kind(), Kind::Wdl);
}

#[test]
fn many_writers_of_one_table_never_spoil_it() {
    let scratch = Scratch::new("many");
    let path = scratch.path().join("table.koma");
    let codes = codes(40_000);
    let census = census(&codes[..]);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    match Writer::create(&path) {
                        Ok(writer) => {
                            writer
                                .write(&identity("example"), Kind::Dtm, &census, &codes[..])
                                .unwrap();
                            Table::open_file(&path).unwrap().verify().unwrap();
                        }
                        Err(error) => assert!(matches!(error, WriteError::Busy { .. }), "{error}"),
                    }
                }
            });
        }
    });
    assert_eq!(names(scratch.path()), ["table.koma"]);
}

#[test]
fn paths_that_cannot_be_written_are_known_before_the_work() {
    let scratch = Scratch::new("paths");
    fs::write(scratch.path().join("file"), "").unwrap();
    let below_a_file = Writer::create(scratch.path().join("file/table.koma")).unwrap_err();
    assert!(
        matches!(below_a_file, WriteError::Folder { .. }),
        "{below_a_file}"
    );
    let folder = Writer::create(scratch.path()).unwrap_err();
    assert!(matches!(folder, WriteError::Path { .. }), "{folder}");
    fs::create_dir(scratch.path().join("table.koma.partial")).unwrap();
    let taken = Writer::create(scratch.path().join("table.koma")).unwrap_err();
    assert!(matches!(taken, WriteError::Create { .. }), "{taken}");
}

#[test]
fn cells_and_counts_that_do_not_fit_are_refused() {
    let scratch = Scratch::new("refused");
    let path = scratch.path().join("table.koma");
    let write = |kind, census: &Census, cells: &[u16]| {
        let writer = Writer::create(&path).unwrap();
        let error = writer
            .write(&identity("example"), kind, census, cells)
            .unwrap_err();
        assert_eq!(names(scratch.path()), [""; 0]);
        error
    };

    // The counts promise cells of a byte, the cells are deeper.
    let shallow = census(&[1u16, 2, 3, 4][..]);
    let error = write(Kind::Dtm, &shallow, &[1, 2, 3, 254]);
    let WriteError::Cell {
        rank: 3,
        error: EncodeError::TooDeep {
            plies: 254,
            max: 253,
        },
        ..
    } = error
    else {
        panic!("{error}");
    };

    // More positions than ranks, and distances that do not add up.
    let error = write(Kind::Dtm, &shallow, &[1, 2]);
    let inconsistent = |error: WriteError, wrong: &str| match error {
        WriteError::Header {
            error: HeaderFault::Inconsistent { field, .. },
            ..
        } => {
            assert_eq!(field, wrong);
        }
        error => panic!("{error}"),
    };
    inconsistent(error, "ranks");
    let mut wrong = shallow.clone();
    wrong.ranks.win += 1;
    inconsistent(write(Kind::Dtm, &wrong, &[1, 2, 3, 4, 5]), "ranks");
    let mut wrong = shallow.clone();
    wrong.ranks.by_plies[0].1 = u64::MAX;
    inconsistent(write(Kind::Wdl, &wrong, &[1, 2, 3, 4]), "ranks");
    let mut wrong = shallow.clone();
    wrong.positions = census(&[1u16, 3, 5, 7][..]).positions;
    inconsistent(write(Kind::Dtm, &wrong, &[1, 2, 3, 4]), "positions");
}

/// Cells whose writing ends the process half way.
struct Deadly(Vec<u8>);

impl CellSource for Deadly {
    fn rank_count(&self) -> u64 {
        self.0[..].rank_count()
    }

    fn cell(&self, rank: u64) -> Cell {
        self.0[..].cell(rank)
    }

    fn append(
        &self,
        coding: Coding,
        ranks: Range<u64>,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, EncodeError)> {
        // Late enough for the first chunks to be in the file: at most two wait to be written.
        if ranks.start >= 4 << 20 {
            std::process::abort();
        }
        self.0[..].append(coding, ranks, out)
    }
}

/// Not a test by itself: the process that `a_killed_writer_leaves_no_table` starts.
#[test]
fn writer_that_is_killed() {
    if let Some(path) = env::var_os("KOMA_TEST_KILLED_WRITER") {
        let cells = Deadly(codes(9 << 20));
        let writer = Writer::create(path).unwrap();
        let _ = writer.write(&identity("example"), Kind::Dtm, &census(&cells), &cells);
        unreachable!("the source ends the process");
    }
}

#[test]
fn a_killed_writer_leaves_no_table_and_the_next_run_gives_the_same_bytes() {
    let scratch = Scratch::new("killed");
    let path = scratch.path().join("table.koma");
    let status = Command::new(env::current_exe().unwrap())
        .args(["--exact", "writing::writer_that_is_killed"])
        .env("KOMA_TEST_KILLED_WRITER", &path)
        .output()
        .unwrap()
        .status;
    assert!(!status.success());
    assert_eq!(names(scratch.path()), ["table.koma.partial"]);
    let partial = scratch.path().join("table.koma.partial");
    assert!(fs::metadata(&partial).unwrap().len() > 1 << 20);
    Table::open_file(&partial).unwrap_err();

    let codes = codes(9 << 20);
    let coding = Coding::Parity(CellWidth::Bits8);
    let write = |path: &Path| {
        let writer = Writer::create(path).unwrap();
        let header = writer
            .write(
                &identity("example"),
                Kind::Dtm,
                &census(&codes[..]),
                &codes[..],
            )
            .unwrap();
        assert_eq!(header.coding(), coding);
    };
    write(&path);
    let undisturbed = scratch.path().join("undisturbed.koma");
    write(&undisturbed);
    assert_eq!(names(scratch.path()), ["table.koma", "undisturbed.koma"]);
    assert_eq!(fs::read(path).unwrap(), fs::read(undisturbed).unwrap());
}
