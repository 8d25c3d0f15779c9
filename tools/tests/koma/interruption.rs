//! Runs that end before they are done.

use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::Folder;

const GAME: &str = "dobutsu:eggc";
const FILE: &str = "dobutsu_eggc.dtm.koma";

/// Case 81: killed at any moment, a run leaves no table or a whole one, and the next run gives the
/// bytes of an undisturbed one.
#[test]
fn case_81_a_killed_run_leaves_nothing_half_made() {
    let folder = Folder::new();
    let begin = Instant::now();
    folder.koma(["solve", GAME]).expect(0);
    let mut whole = begin.elapsed();
    let bytes = fs::read(folder.file(FILE)).unwrap();
    let mut killed = 0;
    for part in 0..24 {
        let folder = Folder::new();
        let mut child = folder
            .command(["solve", GAME])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(whole * part / 20);
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            killed += 1;
        } else {
            // The first run was slowed down by others.
            whole = whole * 3 / 4;
        }
        if folder.file(FILE).exists() {
            assert!(
                fs::read(folder.file(FILE)).unwrap() == bytes,
                "a half table"
            );
        } else {
            folder.koma(["info", GAME]).expect(3).complains("no table");
        }
        folder.koma(["solve", GAME]).expect(0);
        assert_eq!(folder.names(), [FILE]);
        assert!(fs::read(folder.file(FILE)).unwrap() == bytes);
    }
    assert!(
        killed > 10,
        "only {killed} runs were killed before their end"
    );
}

/// The same where a table stands that is being replaced: it stays until the new one is whole.
#[test]
fn a_killed_run_leaves_the_table_that_stands() {
    let folder = Folder::with(&[GAME]);
    let bytes = fs::read(folder.file(FILE)).unwrap();
    for part in 1..6 {
        let mut child = folder
            .command(["solve", GAME, "--force"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(60 * part));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(fs::read(folder.file(FILE)).unwrap() == bytes);
        folder.koma(["verify", GAME]).expect(0);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_cleanly_with_130() {
    let folder = Folder::new();
    for signal in ["-INT", "-TERM"] {
        let child = folder
            .command(["solve", "dobutsu"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The file is opened after the signals are listened to.
        while folder.names().is_empty() {
            sleep(Duration::from_millis(5));
        }
        let status = std::process::Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
        crate::support::Run::of(child.wait_with_output().unwrap())
            .expect(130)
            .complains("nothing was written");
        assert_eq!(folder.names(), [""; 0]);
    }
}
