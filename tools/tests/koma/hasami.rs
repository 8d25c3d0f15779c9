//! The subcommands for hasami, on boards that are solved in a moment.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, keys};

const NAME: &str = "hasami@3x4";
const FILE: &str = "hasami@3x4.dtm.koma";

fn lines(run: &str) -> Vec<Value> {
    run.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The counts are those of an independent solver, which counts every placement.
#[test]
fn info_counts_with_and_without_folding() {
    let folder = Folder::with(&[NAME]);
    let line = folder.koma(["info", NAME, "--json"]).expect(0).out;
    let info: Value = serde_json::from_str(&line).unwrap();
    let unfolded = &info["unfolded"];
    let counts = ["positions", "win", "draw", "loss"].map(|key| unfolded[key].as_u64().unwrap());
    assert_eq!(counts, [37_290, 19_146, 10_505, 7_639]);
    assert_eq!(unfolded["by_plies"][0], serde_json::json!([0, 16]));
    assert_eq!(unfolded["by_plies"][1], serde_json::json!([1, 4_676]));
    assert_eq!(info["max_plies"], 26);
    assert_eq!(
        (&info["game"], &info["kind"]),
        (&NAME.into(), &"dtm".into())
    );
    let sum: u64 = ["win", "draw", "loss"]
        .iter()
        .map(|key| info[key].as_u64().unwrap())
        .sum();
    assert_eq!(info["positions"], sum);
    assert!(keys(&line, &info).contains(&"content_hash".to_owned()));
    let bytes = fs::metadata(folder.file(FILE)).unwrap().len();
    assert_eq!(info["bytes"], bytes);
    let by_file = folder.json(&["info", folder.file(FILE).to_str().unwrap(), "--json"]);
    assert_eq!(by_file, info);
    let stats = folder.json(&["stats", NAME, "--json"]);
    let layers = stats["men"].as_array().unwrap();
    let positions: u64 = layers
        .iter()
        .map(|layer| layer["positions"].as_u64().unwrap())
        .sum();
    assert_eq!((layers.len(), positions), (4, sum));
    assert!(
        folder
            .koma(["info", NAME])
            .expect(0)
            .out
            .contains("unfolded")
    );
    assert!(folder.koma(["stats", NAME]).expect(0).out.contains("3v2"));
}

/// With a lead rule wins and losses take any number of plies.
#[test]
fn wins_may_take_an_even_number_of_plies() {
    let name = "hasami@3x4:win=3,lead=2";
    let folder = Folder::with(&[name]);
    let info = folder.json(&["info", name, "--json"]);
    let unfolded = &info["unfolded"];
    assert_eq!(unfolded["wins_by_plies"][0], serde_json::json!([0, 1_980]));
    assert_eq!(unfolded["losses_by_plies"][0], serde_json::json!([0, 62]));
    assert_eq!(unfolded["by_plies"][0], serde_json::json!([0, 2_042]));
    let start = folder.json(&["query", name, "--json"]);
    assert_eq!(
        (&start["category"], &start["dtm"]),
        (&"win".into(), &14.into())
    );
    folder.koma(["verify", name, "--deep"]).expect(0);
    // Two men against one, then three: a lead of two at the own turn.
    let won = folder.json(&["query", name, "P1p/3/P2/3_b", "--json"]);
    assert_eq!((&won["dtm"], &won["terminal"]), (&3.into(), &false.into()));
    let won = folder.json(&["query", name, "P1p/2P/P2/3_b", "--json"]);
    assert_eq!((&won["dtm"], &won["terminal"]), (&0.into(), &true.into()));
    assert!(
        folder
            .koma(["query", name, "P1p/2P/P2/3_b"])
            .expect(0)
            .out
            .contains("the lead")
    );
}

#[test]
fn query_and_line_agree() {
    let folder = Folder::with(&[NAME]);
    let start = folder.json(&["query", NAME, "--json"]);
    assert_eq!(
        (&start["category"], &start["dtm"]),
        (&"win".into(), &13.into())
    );
    assert_eq!(start["position"], "ppp/3/3/PPP b 0-0");
    let best = &start["moves"][0];
    assert_eq!(
        (&best["category"], &best["dtm"]),
        (&"loss".into(), &(-12).into())
    );
    let line = folder.json(&["line", NAME, "--json"]);
    assert_eq!(line["moves"].as_array().unwrap().len(), 13);
    assert_eq!(line["moves"][0]["move"], best["move"]);
    assert_eq!(line["end"]["winner"], "sente");
    let end = line["moves"][12]["position"].as_str().unwrap();
    let over = folder.json(&["query", NAME, end, "--json"]);
    assert_eq!((&over["terminal"], &over["dtm"]), (&true.into(), &0.into()));
    let text = folder.koma(["query", NAME]).expect(0).out;
    assert!(
        text.contains("Win in 13 plies") && text.contains('▲'),
        "{text}"
    );
    let text = folder
        .koma(["line", NAME, "--boards", "--all-best"])
        .expect(0)
        .out;
    assert!(text.contains("taken by sente: 3"), "{text}");
    // A drawn start ends by the fourth occurrence.
    let drawn = folder.json(&["line", "hasami@3x3:men=2", "--json"]);
    assert_eq!(drawn["end"]["reason"], "repetition");
    assert_eq!(drawn["end"]["occurrences"].as_array().unwrap().len(), 4);
    let input = b"ppp/3/3/PPP b\n\nppp/3/PPP b\nPp1/3/3/2p b 1-2\n";
    let run = folder
        .koma_reading(&["query", NAME, "--stdin"], input)
        .expect(2);
    let answers = lines(&run.out);
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0], start);
    assert_eq!(
        (&answers[1]["line"], &answers[2]["line"]),
        (&2.into(), &3.into())
    );
    assert_eq!(answers[3]["dtm"], 0);
}

#[test]
fn games_are_judged() {
    let folder = Folder::with(&[NAME]);
    let record = "# a game\n1 a4a3 2 a1a2 3 ▲３四歩(33) 投了\n";
    let run = folder
        .koma_reading(&["game", NAME, "-", "--json"], record.as_bytes())
        .expect(0);
    let game: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(game["moves"].as_array().unwrap().len(), 3);
    assert_eq!(game["moves"][2]["move"], "a3a4");
    assert_eq!(game["moves"][0]["before"]["dtm"], 13);
    assert_eq!(
        (&game["end"]["reason"], &game["end"]["winner"]),
        (&"resignation".into(), &"sente".into())
    );
    let run = folder
        .koma_reading(&["game", NAME, "-"], record.as_bytes())
        .expect(0);
    assert!(run.out.contains("Win in 13 plies"), "{run:?}");
    let run = folder
        .koma_reading(&["game", NAME, "-", "--json"], b"a4a3 a4a2")
        .expect(2);
    let wrong: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&wrong["line"], &wrong["column"], &wrong["ply"]),
        (&1.into(), &6.into(), &2.into())
    );
    folder
        .koma_reading(&["game", NAME, "-"], b"a4b3")
        .expect(2)
        .complains("not straight");
    // The limit is the game's, not the table's.
    let limited = format!("{NAME}:limit=2,limit-rule=captures");
    let run = folder
        .koma_reading(&["game", &limited, "-", "--json"], b"a4a3 a1a2")
        .expect(0);
    let game: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&game["end"]["reason"], &game["end"]["winner"]),
        (&"limit".into(), &Value::Null)
    );
    assert_eq!(folder.names(), [FILE]);
    // Of the whole game on 9x9 there can be no table.
    let run = folder
        .koma_reading(&["game", "hasami", "-", "--json"], b"a9a5 9a9d")
        .expect(0);
    let game: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&game["game"], &game["moves"][1]["before"]),
        (&"hasami@9x9".into(), &Value::Null)
    );
    assert_eq!(game["moves"][1]["move"], "a1a4");
    let run = folder
        .koma_reading(&["game", "hasami", "-"], b"a9a5 9a9d")
        .expect(0);
    assert!(run.out.contains("unfinished, sente to move"), "{run:?}");
}

#[test]
fn play_goes_to_its_end() {
    let folder = Folder::with(&[NAME]);
    let both = [
        "play", NAME, "--sente", "table", "--gote", "table", "--seed", "1",
    ];
    let run = folder.koma(both).expect(0);
    assert!(run.out.contains("The game is over: sente wins"), "{run:?}");
    let commands = b"help\nmoves\nhint\nvalues\nx9\na4a3\nundo\nrecord\nboard\nresign\nnew\nquit\n";
    let run = folder
        .koma_reading(&["play", NAME, "--seed", "1"], commands)
        .expect(0);
    for part in ["a4a3 a4a2", "Win in 13", "x9: ", "gote wins by resignation"] {
        assert!(run.out.contains(part), "no `{part}` in {run:?}");
    }
}

#[test]
fn find_gives_each_position_once() {
    let folder = Folder::with(&[NAME]);
    let info = folder.json(&["info", NAME, "--json"]);
    for (value, key) in [("win", "win"), ("draw", "draw"), ("loss", "loss")] {
        let found = folder.json(&["find", NAME, "--value", value, "--count", "--json"]);
        assert_eq!(found["count"], info[key]);
    }
    let run = folder
        .koma(["find", NAME, "--plies", "26", "--json"])
        .expect(0);
    let found = lines(&run.out);
    assert!(!found.is_empty());
    for position in found {
        let again = folder.json(&[
            "query",
            NAME,
            position["position"].as_str().unwrap(),
            "--json",
        ]);
        assert_eq!(again["dtm"], -26);
    }
    let run = folder
        .koma(["find", NAME, "--men", "2v3", "--limit", "3"])
        .expect(0);
    assert_eq!(run.out.lines().count(), 3);
    folder.koma(["find", NAME, "--plies", "27.."]).expect(1);
}

#[test]
fn damage_is_found_and_wrong_cells_too() {
    let folder = Folder::with(&[NAME]);
    folder.koma(["verify", NAME, "--deep"]).expect(0);
    let file = folder.file(FILE);
    folder
        .koma(["verify", file.to_str().unwrap(), "--deep"])
        .expect(0);
    let sound = fs::read(&file).unwrap();
    for place in [5, 30, 4096 + 100, sound.len() - 1] {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x40;
        fs::write(&file, bytes).unwrap();
        let run = folder.koma(["verify", NAME]);
        assert!(
            matches!(run.code, Some(1 | 3)) && !run.err.contains("panicked"),
            "{run:?}"
        );
    }
    fs::write(&file, sound).unwrap();
    // Another program's answer under the same name: a table of other rules.
    folder.koma(["solve", "hasami@3x4:corner=off"]).expect(0);
    fs::copy(folder.file("hasami@3x4_corner=off.dtm.koma"), &file).unwrap();
    folder
        .koma(["query", NAME])
        .expect(3)
        .complains("corner=off");
    let wdl = ["solve", NAME, "--kind", "wdl", "--force"];
    folder.koma(wdl).expect(0);
    fs::remove_file(&file).unwrap();
    let run = folder.koma(["verify", NAME, "--deep"]).expect(0);
    assert!(run.out.contains("necessary, not sufficient"), "{run:?}");
    folder
        .koma(["line", NAME])
        .expect(3)
        .complains("knows no distances");
    folder.koma(["find", NAME, "--plies", "3"]).expect(2);
    let info = folder.json(&["info", NAME, "--json"]);
    assert_eq!(info["unfolded"]["win"], 19_146);
}

/// The layers of a smaller table are read; the bytes do not depend on it.
#[test]
fn smaller_tables_are_read_and_change_nothing() {
    let whole = Folder::with(&["hasami@4x4"]);
    let folder = Folder::with(&["hasami@4x4:3v2", "hasami@4x4:lead=2"]);
    let run = folder.koma(["solve", "hasami@4x4"]).expect(0);
    assert_eq!(run.err.matches("are read").count(), 1, "{run:?}");
    let file = "hasami@4x4.dtm.koma";
    let bytes = |folder: &Folder| fs::read(folder.file(file)).unwrap();
    assert_eq!(bytes(&folder), bytes(&whole));
    // A damaged one is passed over.
    let smaller = folder.file("hasami@4x4_3v2.dtm.koma");
    let mut damaged = fs::read(&smaller).unwrap();
    damaged[5000] ^= 1;
    fs::write(&smaller, damaged).unwrap();
    let run = folder.koma(["solve", "hasami@4x4", "--force"]).expect(0);
    assert_eq!(run.err.matches("are read").count(), 0, "{run:?}");
    assert_eq!(bytes(&folder), bytes(&whole));
}

#[test]
fn bad_input_is_named_before_any_work() {
    let folder = Folder::new();
    for (arguments, complaint) in [
        (&["solve", "hasami@2x4"][..], "3 to 9 files"),
        (&["solve", "hasami@3x10"], "3 to 9 files"),
        (&["solve", "hasami@3x3:men=4"], "does not fit"),
        (&["solve", "hasami@4x4:win=5"], "contradict"),
        (&["solve", "hasami@4x4:lead=4"], "contradict"),
        (&["solve", "hasami@4x4:lead-reply=on"], "contradict"),
        (&["solve", "hasami@4x4:win=2,win=3"], "given twice"),
        (&["solve", "hasami@4x4:captures=3"], "its options are"),
        (&["solve", "hasami@9x9:3v3"], "win=all"),
        (&["solve", "hasami@9x9:win=all:10v3"], "10 men of 9"),
        (&["solve", "hasami@9x9:win=all:3"], "as in 3v2"),
        (&["solve", "hasami@9x9:win=all:0v3"], "as in 3v2"),
        (&["solve", "hasami@9x9"], "GiB"),
        (&["query", "hasami@9x9:win=all:2v2"], "no start position"),
        (&["query", NAME, "ppp/3/3 b"], "board, column"),
        (
            &["query", NAME, "ppp/3/3/PPP b 1-0"],
            "men taken, column 15",
        ),
        (&["find", NAME, "--men", "3"], "3v2"),
        (
            &["perft", "hasami@3x3:x", "--depth", "1"],
            "its options are",
        ),
        (&["report", "hasami@3x3"], "`hasami` as a whole"),
        (&["report", "hasami", "--boards", "9x9"], "none of those"),
    ] {
        folder.koma(arguments).expect(2).complains(complaint);
    }
    let run = folder
        .koma(["solve", "hasami@9x9:win=all:3v2", "--memory", "100M"])
        .expect(3);
    run.complains("69297982 positions need 0.15 GiB");
    folder
        .koma(["query", NAME, "--no-solve"])
        .expect(3)
        .complains("koma solve hasami@3x4");
    assert_eq!(folder.names(), [""; 0]);
    let other = ["query", "hasami@3x4", "pp1/3/3/P1P b"];
    folder.koma(other).expect(0);
    let ending = ["query", "hasami@4x4:2v2", "ppp1/4/4/PPP1 b"];
    folder.koma(ending).expect(2).complains("hasami@4x4:3v3");
}

#[test]
fn perft_and_report_count() {
    let folder = Folder::new();
    let nodes = folder.json(&["perft", "hasami", "--depth", "2", "--json"]);
    assert_eq!(
        (&nodes["nodes"], &nodes["game"]),
        (&3_717.into(), &"hasami@9x9".into())
    );
    let run = folder
        .koma(["report", "hasami", "--boards", "3x4"])
        .expect(0);
    let row = "| 2 | - | on | off | W13 | W13 |";
    assert_eq!(run.out.matches(row).count(), 1, "{run:?}");
    assert!(run.out.contains("37,290"), "{run:?}");
    assert_eq!(
        run.out
            .lines()
            .filter(|line| line.starts_with("| "))
            .count(),
        25
    );
}

#[test]
fn every_subcommand_for_hasami_has_a_help() {
    let folder = Folder::new();
    for subcommand in [
        "solve", "query", "line", "game", "play", "find", "stats", "verify", "info", "report",
        "perft",
    ] {
        let run = folder.koma([subcommand, "hasami", "--help"]).expect(0);
        for part in ["Usage: koma", "Examples:", "Exit codes:", "130"] {
            assert!(run.out.contains(part), "{subcommand}: no {part}");
        }
    }
}
