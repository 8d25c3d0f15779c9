//! Names of folders.

use std::fs;
use std::path::Path;

use crate::support::{Folder, Run};

/// Cases 66, 67: blanks, accents, other scripts, and what is no text at all.
#[test]
fn cases_66_67_any_folder_name_will_do() {
    let folder = Folder::new();
    #[allow(unused_mut)]
    let mut names = vec![
        folder.file("a b  c"),
        folder.file("将棋 é"),
        folder.file("-x=%20\"'"),
    ];
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt;
        names.push(folder.path().join(std::ffi::OsStr::from_bytes(b"\xff\xfe")));
    }
    for name in names {
        let koma = |arguments: &[&str]| {
            let mut command = folder.command(arguments);
            // `=` keeps a name that begins with `-` from being an option.
            let mut dir = std::ffi::OsString::from("--dir=");
            dir.push(&name);
            Run::of(command.arg(dir).output().unwrap())
        };
        koma(&["solve", "dobutsu:gc"]).expect(0);
        koma(&["query", "dobutsu:gc", "l2/3/1G1/1CL b - 1", "--no-solve"]).expect(0);
        koma(&["verify", "dobutsu:gc", "--deep"]).expect(0);
        let file = name.join("dobutsu_gc.dtm.koma");
        assert!(file.exists());
        folder.koma(["info".as_ref(), file.as_os_str()]).expect(0);
    }
}

#[test]
fn the_option_is_stronger_than_the_environment() {
    let folder = Folder::new();
    let other = folder.file("other");
    folder
        .koma(["solve", "dobutsu:gc", "--dir", other.to_str().unwrap()])
        .expect(0);
    assert_eq!(folder.names(), ["other"]);
}

#[test]
fn without_either_the_tables_are_in_the_users_data_folder() {
    let home = Folder::new();
    let output = home
        .command(["solve", "dobutsu:gc"])
        .env_remove("KOMA_DIR")
        .env("XDG_DATA_HOME", home.path())
        .env("HOME", home.path())
        .output()
        .unwrap();
    Run::of(output).expect(0);
    if cfg!(target_os = "linux") {
        assert!(home.file("komabase/dobutsu_gc.dtm.koma").exists());
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new();
    let file = folder.file("file");
    fs::write(&file, "").unwrap();
    let below: &Path = &file.join("tables");
    let arguments = ["solve", "dobutsu:gc", "--dir", below.to_str().unwrap()];
    folder
        .koma(arguments)
        .expect(3)
        .complains(below.to_str().unwrap());
}
