//! `koma solve`.

use std::fs;
use std::fs::File;

use crate::support::{Folder, memory_of};

const FILE: &str = "dobutsu_gc.dtm.koma";

#[test]
fn a_game_is_planned_solved_and_summed_up() {
    let folder = Folder::new();
    let run = folder.koma(["solve", "dobutsu:gc"]).expect(0);
    for part in ["17,724 ranks", "KiB of memory", FILE] {
        assert!(run.err.contains(part), "{run:?}");
    }
    for part in [
        "positions ",
        "won ",
        "lost ",
        "drawn ",
        "plies",
        FILE,
        "time",
    ] {
        assert!(run.out.contains(part), "{run:?}");
    }
    assert_eq!(folder.names(), [FILE]);
}

#[test]
fn a_finished_table_is_made_again_only_by_force() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let bytes = fs::read(folder.file(FILE)).unwrap();
    let time = || fs::metadata(folder.file(FILE)).unwrap().modified().unwrap();
    let before = time();
    let run = folder.koma(["solve", "dobutsu:cg"]).expect(0);
    assert!(run.out.contains("solved already"), "{run:?}");
    assert_eq!(time(), before);
    let run = folder.koma(["solve", "dobutsu:gc", "--force"]).expect(0);
    assert!(!run.out.contains("solved already"), "{run:?}");
    assert_ne!(time(), before);
    assert_eq!(fs::read(folder.file(FILE)).unwrap(), bytes);
}

#[test]
fn what_is_damaged_is_replaced_only_by_force() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let bytes = fs::read(folder.file(FILE)).unwrap();
    fs::write(folder.file(FILE), &bytes[..5000]).unwrap();
    folder
        .koma(["solve", "dobutsu:gc"])
        .expect(3)
        .complains(FILE)
        .complains("--force");
    folder.koma(["solve", "dobutsu:gc", "--force"]).expect(0);
    assert_eq!(fs::read(folder.file(FILE)).unwrap(), bytes);
}

#[test]
fn both_kinds_stand_beside_each_other() {
    let folder = Folder::with(&["dobutsu:gc"]);
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    assert_eq!(folder.names(), [FILE, "dobutsu_gc.wdl.koma"]);
    for file in folder.names() {
        folder
            .koma(["verify".as_ref(), folder.file(&file).as_os_str()])
            .expect(0);
    }
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let bytes = |threads: &str| {
        let folder = Folder::new();
        folder
            .koma(["solve", "dobutsu:egc", "--threads", threads])
            .expect(0);
        fs::read(folder.file("dobutsu_egc.dtm.koma")).unwrap()
    };
    let one = bytes("1");
    assert!(one == bytes("2"));
    assert!(one == bytes("7"));
}

#[test]
fn a_table_that_another_run_makes_is_left_to_it() {
    let folder = Folder::new();
    let partial = File::create(folder.file(&format!("{FILE}.partial"))).unwrap();
    partial.lock().unwrap();
    folder
        .koma(["solve", "dobutsu:gc"])
        .expect(3)
        .complains("another run");
    drop(partial);
    folder.koma(["solve", "dobutsu:gc"]).expect(0);
    assert_eq!(folder.names(), [FILE]);
}

#[test]
fn memory_is_refused_before_any_work() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu", "--memory", "100M"])
        .expect(3)
        .complains(&format!("need {}", memory_of(249_442_767)))
        .complains("only 0.10 GiB are allowed");
    folder
        .koma(["solve", "dobutsu@4x8"])
        .expect(3)
        .complains("GiB of memory");
    assert_eq!(folder.names(), [""; 0]);
}

/// A set of minishogi: solved, checked by forward moves, and asked. Mate is 0 plies away.
#[test]
fn sets_of_minishogi_are_solved() {
    let universe = "minishogi:repetition=draw:g";
    let folder = Folder::with(&[universe]);
    folder.koma(["verify", universe, "--deep"]).expect(0);
    let answer = folder.json(&["info", universe, "--json"]);
    assert_eq!(answer["positions"], 9_990);
    assert_eq!(
        [&answer["win"], &answer["loss"], &answer["draw"]],
        [5_768, 4_222, 0]
    );
    assert_eq!(answer["max_plies"], 36);
    for (sfen, category, dtm) in [
        ("5/5/5/2K1k/3G1 w - 1", "loss", -8),
        ("G4/5/1K3/5/2k2 b - 1", "win", 17),
        ("k4/1G3/1K3/5/5 w - 1", "loss", 0),
    ] {
        let answer = folder.json(&["query", universe, sfen, "--json"]);
        assert_eq!(answer["category"], category, "{sfen}");
        assert_eq!(answer["dtm"], dtm, "{sfen}");
        assert_eq!(answer["terminal"], dtm == 0, "{sfen}");
    }
    folder
        .koma(["query", universe, "5/5/5/2K1k/3G1 b - 1"])
        .expect(2)
        .complains("gote is in check and not to move");
}

/// What can't be asked says so.
#[test]
fn what_play_of_minishogi_reaches_is_not_searched() {
    Folder::new()
        .koma(["explore", "minishogi:repetition=draw:gp"])
        .expect(2)
        .complains("not searched");
}
