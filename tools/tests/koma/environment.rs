//! Too little disk, too little memory.

use std::fs;
use std::process::Command;

use crate::support::{Folder, Run, memory_of};

const GAME: &str = "dobutsu:eggc";
const FILE: &str = "dobutsu_eggc.dtm.koma";

/// Runs the command under a shell that has set a limit.
fn limited(folder: &Folder, limit: &str, arguments: &[&str]) -> Run {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_koma"))
        .args(arguments)
        .env("KOMA_DIR", folder.path());
    Run::of(command.output().unwrap())
}

/// Case 80, by a limit on the length of files: the write fails in the middle.
#[test]
fn case_80_a_write_that_fails_leaves_nothing() {
    let folder = Folder::new();
    let limit = "trap '' XFSZ; ulimit -f 1024";
    limited(&folder, limit, &["solve", GAME])
        .expect(3)
        .complains(FILE)
        .complains("bytes of free disk");
    assert_eq!(folder.names(), [""; 0]);
    folder.koma(["solve", GAME]).expect(0);
    let other = Folder::with(&[GAME]);
    assert!(fs::read(folder.file(FILE)).unwrap() == fs::read(other.file(FILE)).unwrap());
}

/// Case 80, on a disk of 1 MiB. Mounting takes rights that not everybody has; the case above shows
/// the same without them.
#[test]
fn case_80_a_full_disk_leaves_nothing() {
    let folder = Folder::new();
    let mount = "mount -t tmpfs -o size=1m none \"$KOMA_DIR\"";
    let script = format!(
        "{mount} || exit 77
        \"$0\" solve {GAME}
        echo \"code $?\" \"$(ls -A \"$KOMA_DIR\")\"
        mount -o remount,size=16m \"$KOMA_DIR\" && \"$0\" solve {GAME} >&2 && cat \"$KOMA_DIR\"/* | cksum"
    );
    let mut command = Command::new("unshare");
    command
        .args(["--mount", "--map-root-user", "sh", "-c", &script])
        .arg(env!("CARGO_BIN_EXE_koma"))
        .env("KOMA_DIR", folder.path());
    let run = Run::of(command.output().expect("unshare, of util-linux"));
    assert_ne!(run.code, Some(77), "no tmpfs can be mounted: {}", run.err);
    let run = run.expect(0).complains("bytes of free disk");
    let (first, second) = run.out.split_once('\n').unwrap();
    assert_eq!(first, "code 3 ");
    let other = Folder::with(&[GAME]);
    let table = fs::File::open(other.file(FILE)).unwrap();
    let sum = Command::new("cksum").stdin(table).output().unwrap();
    assert_eq!(second.as_bytes(), sum.stdout);
}

/// Cases 77, 78: the need is named before any work is done.
#[test]
fn case_77_too_little_memory_is_said_at_once() {
    let folder = Folder::new();
    for kibibytes in [150_000, 200_000, 250_000] {
        limited(
            &folder,
            &format!("ulimit -v {kibibytes}"),
            &["solve", "dobutsu"],
        )
        .expect(3)
        .complains(&memory_of(249_442_767));
        assert_eq!(folder.names(), [""; 0]);
    }
}

#[test]
fn output_that_finds_no_room_is_an_error() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for arguments in [
        &["info", "dobutsu:gc"][..],
        &["perft", "dobutsu", "--depth", "1"],
    ] {
        let full = fs::File::create("/dev/full").unwrap();
        let output = folder.command(arguments).stdout(full).output().unwrap();
        Run::of(output).expect(3).complains("stdout");
    }
}
