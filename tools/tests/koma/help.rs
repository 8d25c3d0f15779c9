//! Help and usage.

use crate::support::Folder;

const SUBCOMMANDS: [&str; 11] = [
    "solve", "query", "line", "game", "play", "explore", "find", "stats", "verify", "info", "perft",
];

#[test]
fn every_subcommand_has_a_help_with_examples_and_exit_codes() {
    let folder = Folder::new();
    let top = folder.koma(["--help"]).expect(0);
    assert!(top.out.contains("KOMA_DIR"));
    for subcommand in SUBCOMMANDS {
        assert!(top.out.contains(&format!("  {subcommand}  ")));
        for help in [[subcommand, "--help"], ["help", subcommand]] {
            let run = folder.koma(help).expect(0);
            for part in ["Usage: koma", "Examples:", "Exit codes:", "130"] {
                assert!(run.out.contains(part), "{subcommand}: no {part}");
            }
        }
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let run = Folder::new().koma(["--version"]).expect(0);
    assert_eq!(run.out, format!("koma {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn bad_usage_is_2_and_makes_nothing() {
    let folder = Folder::new();
    for (arguments, complaint) in [
        (&["solve"][..], "<GAME>"),
        (&["solv", "dobutsu"], "solve"),
        (&["solve", "chess"], "the games are: dobutsu"),
        (&["solve", "dobutsu:no-lions"], "no-try"),
        (&["solve", "dobutsu:gx"], "`x` is no"),
        (&["solve", "dobutsu:ggg"], "only 2 pieces `g`"),
        (&["solve", "dobutsu@2x9"], "3 to 9 files"),
        (&["solve", "dobutsu@3"], "WxH"),
        (
            &["solve", "dobutsu:no-drops,no-last-rank-chick-drop"],
            "contradict",
        ),
        (&["solve", "dobutsu:gc", "--kind", "dtz"], "`dtm` or `wdl`"),
        (&["solve", "dobutsu:gc", "--threads", "0"], "1..=1024"),
        (&["solve", "dobutsu:gc", "--threads", "many"], "--threads"),
        (&["solve", "dobutsu:gc", "--memory", "much"], "K, M, G or T"),
        (&["query", "dobutsu:gc", "--lines"], "--line"),
        (&["query", "dobutsu:gc", "--line", "--json"], "--json"),
        (&["query", "dobutsu:gc", "3/3/3/3", "--stdin"], "--stdin"),
        (&["line", "dobutsu:gc", "--boards", "--json"], "--json"),
        (&["line", "dobutsu:gc", "--notation", "kif"], "tanaka"),
        (&["game", "dobutsu:gc"], "<FILE>"),
        (&["play", "dobutsu:gc", "--sente", "me"], "human"),
        (&["perft", "dobutsu"], "--depth"),
        (&["perft", "dobutsu", "--depth", "-1"], "-1"),
        (&["info", "dobutsu:x"], "`x` is no"),
    ] {
        folder.koma(arguments).expect(2).complains(complaint);
    }
    assert_eq!(folder.names(), [""; 0]);
}
