//! `KOMA_KERNEL`: the same bytes whatever the processor.

use std::fs;

use crate::support::{Folder, Run};

/// Solves by a kernel and some threads; `None` where this processor can't run it.
fn solved(game: &str, kernel: &str, threads: &str) -> Option<Vec<u8>> {
    let folder = Folder::new();
    let mut command = folder.command(["solve", game, "--threads", threads]);
    let run = Run::of(command.env("KOMA_KERNEL", kernel).output().unwrap());
    if run.code == Some(3) && run.err.contains("can't run the kernel") {
        assert_ne!(kernel, "portable", "{run:?}");
        return None;
    }
    run.expect(0);
    let names = folder.names();
    Some(fs::read(folder.file(&names[0])).unwrap())
}

/// Universes with every sort of class: empty, of one piece, of pairs, on boards of an even and an odd
/// number of files, with every option.
#[test]
fn small_games_have_the_same_bytes_by_every_kernel_and_number_of_threads() {
    for game in [
        "dobutsu@3x3:c",
        "dobutsu@3x4:ggcc",
        "dobutsu@4x3:ecc",
        "dobutsu@3x5:egc",
        "dobutsu@3x4:no-try:ggc",
        "dobutsu@3x4:no-drops:eegcc",
        "dobutsu@3x4:no-last-rank-chick-drop:gcc",
    ] {
        let expected = solved(game, "portable", "1");
        for kernel in ["portable", "avx2", "avx512"] {
            for threads in ["1", "2", "3", "8"] {
                let Some(bytes) = solved(game, kernel, threads) else {
                    continue;
                };
                assert!(
                    Some(bytes) == expected,
                    "{game}, {kernel}, {threads} threads"
                );
            }
        }
    }
}

#[test]
fn dobutsu_has_the_same_bytes_by_every_kernel() {
    let expected = solved("dobutsu", "portable", "2");
    for (kernel, threads) in [("avx2", "8"), ("avx512", "3")] {
        if let Some(bytes) = solved("dobutsu", kernel, threads) {
            assert!(Some(bytes) == expected, "{kernel}");
        }
    }
}

#[test]
fn an_unknown_kernel_is_refused() {
    let folder = Folder::new();
    let mut command = folder.command(["solve", "dobutsu:c"]);
    let run = Run::of(command.env("KOMA_KERNEL", "sse9").output().unwrap());
    run.expect(2)
        .complains("`sse9`")
        .complains("portable, avx2");
    assert_eq!(folder.names(), [""; 0]);
}
