//! Positions as users write them, right and wrong.

use crate::support::Folder;

const START: &str = "gle/1c1/1C1/ELG b - 1";

/// Everything that is read as the start position. Perft needs no table and prints what was read.
#[test]
fn case_41_every_notation_is_read() {
    let folder = Folder::new();
    for position in [
        START,
        "gle/1c1/1C1/ELG b -",
        "gle/1c1/1C1/ELG_b_-_1",
        "  gle/1c1/1C1/ELG  b  -  17 ",
        "rkb/1p1/1P1/BKR b - 1",
        "S/gle/-c-/-C-/ELG/-",
        "gle/1c1/1C1/ELG[] w 0 1",
        "gle/1c1/1C1/ELG[-] w - - 0 1",
    ] {
        let answer = folder.json(&["perft", "dobutsu", position, "--depth", "1", "--json"]);
        assert_eq!(answer["position"], START, "{position}");
    }
    let tanaka = "-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n+\n";
    let answer = folder.json(&["perft", "dobutsu", "--depth", "1", "--json", "--", tanaka]);
    assert_eq!(answer["position"], START);
    let words = ["perft", "dobutsu", "gle/1c1/1C1/ELG", "b", "-", "1"];
    let run = folder
        .koma(words.into_iter().chain(["--depth", "1", "--json"]))
        .expect(0);
    assert!(run.out.contains(START), "{run:?}");
}

/// Cases 28, 31, 32: the hen's letters, and hands in any order and with repeated letters.
#[test]
fn cases_28_31_32_other_spellings_are_written_our_way() {
    let folder = Folder::new();
    for (given, written) in [
        ("l2/1h1/2H/L2 w - 1", "l2/1h1/2H/L2 w - 1"),
        ("l2/1+c1/2+C/L2 w - 1", "l2/1h1/2H/L2 w - 1"),
        ("l2/1r1/2R/L2 w - 1", "l2/1h1/2H/L2 w - 1"),
        ("l2/3/3/L2 b CGeCEg 1", "l2/3/3/L2 b EG2Ceg 1"),
        ("l2/3/3/L2 b CC 1", "l2/3/3/L2 b 2C 1"),
        ("l2/3/3/L2 b 1C1C 9", "l2/3/3/L2 b 2C 1"),
    ] {
        let answer = folder.json(&["perft", "dobutsu", given, "--depth", "0", "--json"]);
        assert_eq!(answer["position"], written, "{given}");
    }
}

/// Case 28: a captured hen is a chick in hand.
#[test]
fn case_28_a_captured_hen_becomes_a_chick() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let answer = folder.json(&["query", "dobutsu:gc", "l2/1h1/1G1/2L b - 1", "--json"]);
    let moves = answer["moves"].as_array().unwrap();
    let capture = moves.iter().find(|after| after["move"] == "B3B2").unwrap();
    assert_eq!(capture["position"], "l2/1G1/3/2L w C 1");
}

/// Case 35: the move number may be missing, which is said.
#[test]
fn case_35_a_missing_move_number_is_taken_as_1() {
    let folder = Folder::new();
    let run = folder
        .koma(["perft", "dobutsu", "gle/1c1/1C1/ELG b -", "--depth", "1"])
        .expect(0);
    assert_eq!(run.out, "4 nodes\n");
    assert!(run.err.contains("move number"), "{run:?}");
    let run = folder
        .koma(["perft", "dobutsu", START, "--depth", "1"])
        .expect(0);
    assert_eq!(run.err, "");
}

/// Cases 21, 28, 30, 34, 37, 39, 41, 45: what is no position is refused with its field and column.
#[test]
fn bad_positions_name_the_field_and_the_column() {
    let folder = Folder::new();
    for (position, complaint) in [
        ("g1e/1c1/1C1/ELG b - 1", "gote has no `L`"),
        ("gle/1c1/1C1/E1G b - 1", "sente has no `L`"),
        ("lle/1c1/1C1/ELG b - 1", "column 2"),
        ("l2/3/3/L2 b H 1", "hands, column 13"),
        (
            "l2/3/3/L2 b L 1",
            "hands, column 13: a royal can't be in hand",
        ),
        ("l2/3/3/L2 b C2 1", "hands, column 14"),
        ("l2/3/3/L2 b 0C 1", "hands, column 13"),
        ("l2/3/3/L2 b 3C 1", "too many `C`"),
        ("l2/C+2/3/L2 b - 1", "board, column 6"),
        ("l2/+L2/3/L2 b - 1", "board, column 5"),
        ("gle/1c1/1C1/ELG x - 1", "side to move, column 17"),
        ("rle/1c1/1C1/ELG b - 1", "too many `C`"),
        ("rkb/1c1/1P1/BKR b - 1", "alphabet"),
        ("gle/1p1/1C1/ELG b - 1", "board, column 6"),
        ("gle/1c1/1C1/ELGG b - 1", "the rank is too long"),
        ("gle/1c1/1C1 b - 1", "board ends after 3 of 4 ranks"),
        ("gle/1c1/1C1/ELG/3 b - 1", "too many ranks"),
        ("gle/1c1/1C1/ELG b - 1 moves", "end, column"),
        ("rbsgk/4p/5/P4/KGSBR b - 1", "board"),
        ("将棋", "board, column 1"),
        ("", "board, column 1"),
    ] {
        folder
            .koma(["query", "dobutsu", "--", position])
            .expect(2)
            .complains(complaint);
    }
    assert_eq!(folder.names(), [""; 0], "nothing was solved for nothing");
}
