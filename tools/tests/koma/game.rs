//! `koma game`.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, Run, keys};

/// A win in 7 plies, for moves to throw away.
const WON: &str = "l2/3/1G1/1CL b - 1";

/// A draw that only one move keeps.
const DRAWN: &str = "g2/l2/2L/1c1 b - 1";

fn judge(folder: &Folder, record: &str) -> Value {
    let run = folder
        .koma_reading(&["game", "dobutsu:gc", "-", "--json"], record.as_bytes())
        .expect(0);
    serde_json::from_str(&run.out).unwrap()
}

fn refuse(folder: &Folder, record: &[u8]) -> Run {
    folder
        .koma_reading(&["game", "dobutsu:gc", "-"], record)
        .expect(2)
}

#[test]
fn every_move_is_judged() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let record = format!("{WON}\n1 B3B2 2 A1B2\n");
    let run = folder
        .koma_reading(&["game", "dobutsu:gc", "-"], record.as_bytes())
        .expect(0);
    let expected = "\
dobutsu:gc, l2/3/1G1/1CL b - 1

 ply  move      before          the move         better
   1  B3B2  ??  Win in 7 plies  Loss in 6 plies  C4C3  Win in 7 plies
   2  A1B2      Win in 5 plies  Win in 5 plies

unfinished, sente to move
";
    assert_eq!(run.out, expected);
}

#[test]
fn the_json_of_a_game_has_exactly_these_keys() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let record = format!("{WON}\nB3A3\n\nA1B1");
    let text = folder
        .koma_reading(&["game", "dobutsu:gc", "-", "--json"], record.as_bytes())
        .expect(0)
        .out;
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(keys(&text, &answer), ["game", "start", "moves", "end"]);
    assert_eq!(answer["start"], WON);
    assert_eq!(
        answer["moves"][0],
        json!({
            "ply": 1,
            "line": 2,
            "side": "sente",
            "move": "B3A3",
            "move_usi": "2c3c",
            "move_ja": "▲A3きりん",
            "move_tanaka": "+B3A3KI",
            "before": {"category": "win", "dtm": 7},
            "after": {"category": "loss", "dtm": -12},
            "best": {"move": "C4C3", "category": "loss", "dtm": -6},
            "mark": "",
            "plies_lost": 6,
            "occurrence": 1,
            "position": "l2/3/G2/1CL w - 1",
        })
    );
    assert_eq!(answer["moves"][1]["line"], 4);
    assert_eq!(
        answer["end"],
        json!({
            "reason": "unfinished",
            "winner": null,
            "ply": 2,
            "occurrences": [2],
            "text": "unfinished, sente to move",
        })
    );
}

/// What a move throws away, and its mark.
#[test]
fn marks_tell_what_is_thrown_away() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for (record, marks) in [
        (format!("{WON}\nC4C3 A1B1 B3B2"), vec!["", "", ""]),
        (format!("{WON}\nB3B2 A1A2 B2A2"), vec!["??", "??", ""]),
        (format!("{DRAWN}\nC3B4 A1B1"), vec!["", ""]),
        (format!("{DRAWN}\nC3C2"), vec!["?"]),
    ] {
        let answer = judge(&folder, &record);
        let moves = answer["moves"].as_array().unwrap();
        let found: Vec<&str> = moves
            .iter()
            .map(|mv| mv["mark"].as_str().unwrap())
            .collect();
        assert_eq!(found, marks, "{record}");
    }
}

/// Case 14: the end by repetition says rule, result and plies. The third time is a draw, so the
/// move that brings it about throws a win away.
#[test]
fn case_14_a_repetition_is_explained() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let shuttle = "C4C3 A1B1 C3C4 B1A1 C4C3 A1B1 C3C4 B1A1";
    let answer = judge(&folder, &format!("{WON}\n{shuttle}"));
    assert_eq!(
        answer["end"],
        json!({
            "reason": "repetition",
            "winner": null,
            "ply": 8,
            "occurrences": [0, 4, 8],
            "text": "repetition, a draw: the position stands for the third time, \
                     at the start and after plies 4 and 8",
        })
    );
    let moves = answer["moves"].as_array().unwrap();
    let occurrences: Vec<u64> = moves
        .iter()
        .map(|mv| mv["occurrence"].as_u64().unwrap())
        .collect();
    assert_eq!(occurrences, [1, 1, 1, 2, 2, 2, 2, 3]);
    // Gote was lost and is saved by the rule; no other move would do.
    assert_eq!(moves[7]["before"]["category"], "loss");
    assert_eq!(moves[7]["after"], json!({"category": "draw", "dtm": null}));
    assert_eq!(moves[7]["best"]["move"], "B1A1");
    refuse(&folder, format!("{WON}\n{shuttle}\n9 C4C3").as_bytes())
        .complains("line 3, column 3, ply 9, `C4C3`: the game is over before this")
        .complains("third time, at the start and after plies 4 and 8");
}

/// Cases 17 and 19: only a try that can't be answered by taking the lion ends the game.
/// Case 15: endless checks are a draw like all endless play, for the side that checks and for the
/// other.
#[test]
fn case_15_endless_checks_are_a_draw() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let record = "1H1/l2/g2/1L1 b - 1\nB1A1 A2B2 A1B1 B2A2\nB1A1 A2B2 A1B1 B2A2";
    let run = folder.koma_reading(&["game", "dobutsu:gc", "-", "--json"], record.as_bytes());
    let game: Value = serde_json::from_str(&run.expect(0).out).unwrap();
    let moves = game["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    for played in moves {
        assert_eq!(played["before"]["category"], "draw", "{played}");
        assert_eq!(played["after"]["category"], "draw", "{played}");
        assert_eq!(played["mark"], "", "{played}");
    }
    assert_eq!(game["end"]["reason"], "repetition");
    assert_eq!(game["end"]["winner"], Value::Null);
    assert_eq!(game["end"]["occurrences"], serde_json::json!([0, 4, 8]));
}

#[test]
fn case_17_ends_are_named() {
    let folder = Folder::with(&["dobutsu:gg"]);
    let (start, apart) = ("g2/1L1/1G1/1l1 b - 1", "g2/1L1/2l/G2 b - 1");
    for (start, moves, reason, winner) in [
        (start, "B2A1", "try", json!("sente")),
        (start, "B2C1", "try", json!("sente")),
        (start, "B2B1", "unfinished", Value::Null),
        (start, "B2B1 A1B1", "royal_taken", json!("gote")),
        // The lion was not taken, but sente can take gote's.
        (start, "B2B1 A1A2", "unfinished", Value::Null),
        (apart, "B2B1 A1A2", "try", json!("sente")),
        (start, "B2B1 投了", "resignation", json!("sente")),
    ] {
        let record = format!("{start}\n{moves}");
        let run = folder
            .koma_reading(&["game", "dobutsu:gg", "-", "--json"], record.as_bytes())
            .expect(0);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(answer["end"]["reason"], reason, "{run:?}");
        assert_eq!(answer["end"]["winner"], winner, "{run:?}");
    }
}

#[test]
fn the_first_wrong_move_stops_the_reading() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let name = folder.file("record.txt");
    for (moves, complaint) in [
        (
            "C4C3\nA1B1\nC3C5",
            "line 4, column 1, ply 3, `C3C5`: to-square, column 4: found `5`",
        ),
        (
            "C4C3 B1A1",
            "line 2, column 6, ply 2, `B1A1`: no piece of the side to move",
        ),
        (
            "C4C3 A1C1",
            "line 2, column 6, ply 2, `A1C1`: the piece on the from-square can't",
        ),
        (
            "C4C3 △B1ひよこ",
            "line 2, column 6, ply 2, `△B1ひよこ`: no ひよこ",
        ),
        (
            "C4C3 C*A2",
            "line 2, column 6, ply 2, `C*A2`: the side to move has no such piece",
        ),
        (
            "1 C4C3 3 A1B1",
            "line 2, column 8, ply 2, `3`: the number does not go on",
        ),
        ("C4C3 A1B1 ...", "line 2, column 11, ply 3, `...`"),
    ] {
        fs::write(&name, format!("{WON}\n{moves}\n")).unwrap();
        let arguments = ["game", "dobutsu:gc", name.to_str().unwrap()];
        let run = folder.koma(arguments).expect(2).complains(complaint);
        assert!(run.err.contains("record.txt"), "{run:?}");
        assert_eq!(
            (run.out.as_str(), run.err.lines().count()),
            ("", 1),
            "{run:?}"
        );
    }
    let run = folder.koma_reading(
        &["game", "dobutsu:gc", "-", "--json"],
        format!("{WON}\nC4C3\n  C3C5").as_bytes(),
    );
    let run = run.expect(2);
    let failure: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(keys(&run.out, &failure), ["error", "line", "column", "ply"]);
    assert_eq!(
        (&failure["line"], &failure["column"], &failure["ply"]),
        (&json!(3), &json!(3), &json!(2))
    );
    assert_eq!(run.err, "");
}

/// Case 46: the name of a file does not tell its encoding.
#[test]
fn case_46_both_encodings_are_read_under_both_names() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let record = format!("# キリン\n{WON}\n1 ▲C3らいおん 2 △B1ライオン 3 ▲Ｂ２きりん 4 投了\n");
    let (shift_jis, _, lossy) = encoding_rs::SHIFT_JIS.encode(&record);
    assert!(!lossy);
    let with_mark = format!("\u{feff}{record}");
    let mut answers = Vec::new();
    for (name, bytes) in [
        ("a.kif", &shift_jis[..]),
        ("b.kifu", &shift_jis[..]),
        ("c.kif", record.as_bytes()),
        ("d.kifu", record.as_bytes()),
        ("e.kifu", with_mark.as_bytes()),
    ] {
        let file = folder.file(name);
        fs::write(&file, bytes).unwrap();
        answers.push(folder.json(&["game", "dobutsu:gc", file.to_str().unwrap(), "--json"]));
    }
    assert_eq!(answers[0]["end"]["reason"], "resignation");
    assert_eq!(answers[0]["moves"].as_array().unwrap().len(), 3);
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = Folder::with(&["dobutsu:gc"]);
    refuse(&folder, b"\xff\xfe\x00C4C3").complains("neither UTF-8 nor Shift_JIS");
    refuse(&folder, b"C4C3\x00").complains("start position");
    folder
        .koma(["game", "dobutsu:gc", "no-such-file"])
        .expect(3)
        .complains("no-such-file");
}

/// Case 56, and the universe that has no start position.
#[test]
fn usi_records_are_read() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for (moves, count) in [("", 0), (" moves", 0), (" moves 1d1c 3a2a", 2)] {
        let answer = judge(&folder, &format!("position sfen {WON}{moves}\n"));
        assert_eq!(answer["moves"].as_array().unwrap().len(), count);
    }
    for record in ["position startpos moves 1d1c", "1d1c", ""] {
        refuse(&folder, record.as_bytes()).complains("the record must begin with a position");
    }
    refuse(&folder, b"position sfen l2/3/1G1/2L b - 1").complains("`dobutsu:g`");
}

/// A distance that is not known is null.
#[test]
fn without_distances_points_are_judged() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    let answer = judge(&folder, &format!("{WON}\nB3A3 A1A2 A3B3 A2B1"));
    let first = &answer["moves"][0];
    assert_eq!(first["before"], json!({"category": "win", "dtm": null}));
    assert_eq!(first["mark"], "");
    let answer = judge(&folder, &format!("{WON}\nB3B2"));
    let first = &answer["moves"][0];
    assert_eq!(
        (&first["mark"], &first["plies_lost"]),
        (&json!("??"), &Value::Null)
    );
}

/// The rules are those of the game that is named.
#[test]
fn options_hold_for_records() {
    let folder = Folder::with(&["dobutsu:no-try:gg"]);
    let record = b"g2/1L1/1G1/1l1 b - 1\nB2C1";
    let run = folder
        .koma_reading(&["game", "dobutsu:no-try:gg", "-", "--json"], record)
        .expect(0);
    assert!(run.out.contains("\"reason\":\"unfinished\""), "{run:?}");
}

/// Case 4: the fourth time loses for sente. There is no table of minishogi, so no move is judged.
#[test]
fn a_game_without_a_table_is_checked() {
    let folder = Folder::new();
    let shuttle = ["4e4d 2a2b 4d4e 2b2a"; 3].join("\n");
    let run = folder
        .koma_reading(
            &["game", "minishogi", "-", "--notation", "usi"],
            shuttle.as_bytes(),
        )
        .expect(0)
        .complains("there can be no table of minishogi");
    let expected = "\
minishogi, rbsgk/4p/5/P4/KGSBR b - 1

 ply  move
   1  4e4d
   2  2a2b
   3  4d4e
   4  2b2a  second time
";
    assert!(run.out.starts_with(expected), "{}", run.out);
    let end = "  12  2b2a  fourth time\n\nrepetition, gote wins: the position stands for the fourth time, \
               at the start and after plies 4, 8 and 12; endless play loses for sente\n";
    assert!(run.out.ends_with(end), "{}", run.out);

    let checks = "4k/2R2/5/5/K4 b - 1\n".to_owned() + &["3b3a 1a1b 3a3b 1b1a"; 3].join(" ");
    let run = folder
        .koma_reading(&["game", "minishogi", "-", "--json"], checks.as_bytes())
        .expect(0);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    // Its few pieces are a set that is solved in a moment.
    assert_eq!(answer["moves"][0]["before"]["category"], "win");
    assert_eq!(
        answer["end"],
        json!({
            "reason": "repetition",
            "winner": "gote",
            "ply": 12,
            "occurrences": [0, 4, 8, 12],
            "text": "repetition, gote wins: the position stands for the fourth time, at the start \
                     and after plies 4, 8 and 12; sente gave check with every move",
        })
    );
    folder
        .koma_reading(&["game", "minishogi", "-"], b"4e4d 2a2b 2b2a")
        .expect(2)
        .complains("ply 3, `2b2a`: no piece of the side to move");
    folder
        .koma(["query", "minishogi"])
        .expect(2)
        .complains("too many to number");
}
