//! Endless play under a law: sets of minishogi and gorogoro. About five seconds of processor time.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, keys};

/// Two kings and a silver, without a forced end.
const OPEN: &str = "5/4s/5/5/k2K1";

#[test]
fn a_set_is_found_by_its_pieces_and_answered_by_color() {
    let folder = Folder::new();
    let sente = format!("{OPEN} b - 1");
    let line = folder
        .koma(["query", "minishogi", &sente, "--json"])
        .expect(0);
    assert!(line.err.contains("no table of minishogi:s"), "{line:?}");
    let answer: Value = serde_json::from_str(&line.out).unwrap();
    assert_eq!(
        keys(&line.out, &answer),
        [
            "game", "position", "category", "dtm", "reason", "terminal", "moves"
        ]
    );
    assert_eq!(answer["game"], "minishogi:s");
    assert_eq!(answer["position"], sente);
    assert_eq!(
        [&answer["category"], &answer["dtm"], &answer["reason"]],
        [&json!("loss"), &Value::Null, &json!("repetition")]
    );
    let first = &answer["moves"][0];
    assert_eq!(
        [&first["category"], &first["reason"]],
        [&json!("win"), &json!("repetition")]
    );
    let run = folder.koma(["query", "minishogi", &sente]).expect(0);
    assert!(
        run.out
            .contains("Loss, endless: sente loses by repetition\n"),
        "{run:?}"
    );
    // The same with the colors exchanged: gote to move wins.
    let gote = "1k2K/5/5/S4/5 w - 1";
    let answer = folder.json(&["query", "minishogi", gote, "--json"]);
    assert_eq!(
        [&answer["category"], &answer["dtm"], &answer["reason"]],
        [&json!("win"), &Value::Null, &json!("repetition")]
    );
    // Forced ends are the same for both.
    let mated = folder.json(&["query", "minishogi", "2S2/5/5/1k1K1/5 b - 1", "--json"]);
    assert_eq!(
        (&mated["reason"], &mated["dtm"]),
        (&json!("mate"), &json!(11))
    );
    assert_eq!(folder.names(), ["minishogi_s.dtm.koma"]);
}

#[test]
fn the_line_of_endless_play_ends_as_the_law_says() {
    let folder = Folder::new();
    for (position, category, winner) in [
        (format!("{OPEN} b - 1"), "loss", "gote"),
        ("1k2K/5/5/S4/5 w - 1".to_owned(), "win", "gote"),
    ] {
        let line = folder.json(&["line", "minishogi", &position, "--json"]);
        assert_eq!(line["game"], "minishogi:s");
        assert_eq!(line["category"], category);
        assert_eq!(line["dtm"], Value::Null);
        assert_eq!(line["end"]["reason"], "repetition");
        assert_eq!(line["end"]["winner"], winner);
        assert_eq!(line["end"]["occurrences"].as_array().unwrap().len(), 4);
    }
    let run = folder
        .koma(["query", "minishogi", &format!("{OPEN} b - 1"), "--line"])
        .expect(0);
    assert!(run.out.contains("endless play loses for sente"), "{run:?}");
}

/// The table as a player: sente can do nothing against it, and loses by the fourth occurrence.
#[test]
fn games_and_their_judgement_know_the_law() {
    let folder = Folder::new();
    let position = format!("{OPEN} b - 1");
    let run = folder
        .koma([
            "play",
            "minishogi",
            &position,
            "--sente",
            "table",
            "--gote",
            "table",
            "--seed",
            "1",
        ])
        .expect(0);
    assert!(run.out.contains("gote wins"), "{run:?}");
    let record = format!("{position}\n2e1e\n");
    let run = folder.koma_reading(&["game", "minishogi", "-", "--json"], record.as_bytes());
    let answer: Value = serde_json::from_str(&run.expect(0).out).unwrap();
    assert_eq!(
        answer["moves"][0]["before"],
        json!({"category": "loss", "dtm": null})
    );
}

/// The counts of the oracle small_sets.tsv.
#[test]
fn counts_are_given_by_law_folded_and_not() {
    let folder = Folder::with(&["minishogi:s"]);
    let line = folder.koma(["info", "minishogi:s", "--json"]).expect(0).out;
    let info: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        keys(&line, &info),
        [
            "game",
            "kind",
            "exact",
            "positions",
            "win",
            "loss",
            "draw",
            "max_plies",
            "by_plies",
            "residue",
            "law",
            "unfolded",
            "format",
            "content_hash",
            "bytes"
        ]
    );
    assert_eq!(info["format"], 2);
    assert_eq!(info["draw"], Value::Null);
    assert_eq!(
        [
            &info["positions"],
            &info["win"],
            &info["loss"],
            &info["residue"]
        ],
        [19_773, 11_566, 8_159, 48]
    );
    assert_eq!(
        info["law"],
        json!({
            "uec": {"sente": [0, 0, 48], "gote": [48, 0, 0]},
            "pcl": {"sente": [0, 48, 0], "gote": [0, 48, 0]},
            "inventor": {"sente": [0, 0, 48], "gote": [48, 0, 0]},
        })
    );
    let all = &info["unfolded"];
    let (_, unfolded) = line.split_once("\"unfolded\":").unwrap();
    assert_eq!(
        keys(unfolded, all),
        ["legal", "win", "loss", "residue", "by_plies", "law"]
    );
    assert_eq!(
        [&all["legal"], &all["win"], &all["loss"], &all["residue"]],
        [39_405, 23_055, 16_255, 95]
    );
    assert_eq!(all["law"]["uec"]["gote"], json!([95, 0, 0]));
    assert_eq!(all["by_plies"][0], json!([0, 119]));
    let run = folder.koma(["info", "minishogi:s"]).expect(0);
    assert!(run.out.contains("open, by law"), "{run:?}");
    // A table under the law `draw` says what a table always said.
    folder
        .koma(["solve", "minishogi:repetition=draw:s"])
        .expect(0);
    let drawn = folder.json(&["info", "minishogi:repetition=draw:s", "--json"]);
    assert_eq!((&drawn["draw"], &drawn["format"]), (&json!(48), &json!(1)));
    assert_eq!(drawn["law"], Value::Null);
}

#[test]
fn deep_verification_checks_the_law() {
    let folder = Folder::with(&["minishogi:s", "gorogoro:s"]);
    let run = folder.koma(["verify", "minishogi:s", "--deep"]).expect(0);
    for law in ["uec", "pcl", "inventor"] {
        assert!(run.out.contains(&format!("under `{law}`")), "{run:?}");
    }
    folder.koma(["verify", "gorogoro:s", "--deep"]).expect(0);
}

#[test]
fn positions_are_found_by_what_the_law_makes_of_them() {
    let folder = Folder::with(&["minishogi:s"]);
    let count = |options: &[&str]| {
        let arguments = [&["find", "minishogi:s", "--count"], options].concat();
        let run = folder.koma(arguments);
        run.out.trim().parse::<u64>().unwrap()
    };
    // With sente to move all 48 open positions are lost.
    assert_eq!(count(&["--value", "draw"]), 0);
    assert_eq!(count(&["--value", "loss"]), 8_159 + 48);
    assert_eq!(count(&["--value", "win"]), 11_566);
}

/// One after another; those that stand are left out; what stands is listed, and reported.
#[test]
fn all_sets_of_one_piece_are_solved_listed_and_reported() {
    let folder = Folder::with(&["minishogi:g"]);
    let before = fs::read(folder.file("minishogi_g.dtm.koma")).unwrap();
    folder
        .koma(["solve", "minishogi:*1", "--disk", "20K"])
        .expect(3)
        .complains("--disk allows 20.00 KiB");
    folder
        .koma(["solve", "minishogi:*1", "--memory", "1K"])
        .expect(3)
        .complains("--memory allows, for minishogi:");
    let run = folder.koma(["solve", "minishogi:*1"]).expect(0);
    assert!(run.err.contains("4 of 5 sets to solve"), "{run:?}");
    let names = ["b", "g", "p", "r", "s"].map(|set| format!("minishogi_{set}.dtm.koma"));
    assert_eq!(folder.names(), names);
    assert_eq!(
        fs::read(folder.file("minishogi_g.dtm.koma")).unwrap(),
        before
    );
    let run = folder.koma(["solve", "minishogi:*1"]).expect(0);
    assert!(run.out.contains("all 5 sets are solved already"), "{run:?}");
    for wrong in [
        "minishogi:*",
        "minishogi:*0",
        "minishogi:*7",
        "minishogi:*10",
        "chess:*2",
    ] {
        folder.koma(["solve", wrong]).expect(2);
    }
    for command in ["info", "stats", "verify", "query", "find"] {
        folder
            .koma([command, "minishogi:*1"])
            .expect(2)
            .complains("`minishogi:*1` is several sets");
    }

    let run = folder.koma(["info", "minishogi"]).expect(0);
    assert!(run.out.contains("5 tables of minishogi"), "{run:?}");
    folder.koma(["info", "gorogoro"]).expect(1);
    let list = folder.koma(["info", "minishogi", "--json"]).expect(0).out;
    let first: Value = serde_json::from_str(list.lines().next().unwrap()).unwrap();
    assert_eq!(
        keys(list.lines().next().unwrap(), &first),
        [
            "game",
            "kind",
            "positions",
            "win",
            "loss",
            "residue",
            "max_plies",
            "bytes"
        ]
    );
    assert_eq!(list.lines().count(), 5);

    let page = folder.koma(["report", "minishogi:*1"]).expect(0).out;
    assert_eq!(folder.koma(["report", "minishogi:*1"]).out, page);
    assert!(
        page.contains("| S | 19,773 | 11,566 | 8,159 | 48 |"),
        "{page}"
    );
    assert!(
        page.contains("| S | 48 | 0 | 0 | 48 | 48 | 0 | 0 |"),
        "{page}"
    );
    folder
        .koma(["report", "minishogi:*2"])
        .expect(3)
        .complains("koma solve 'minishogi:*2'");
}

/// The most disk is kept to the byte, with what laws make of endless play.
#[test]
fn no_set_takes_more_disk_than_is_allowed() {
    let folder = Folder::with(&["minishogi:b", "minishogi:g", "minishogi:p", "minishogi:r"]);
    let length = |name: &str| fs::metadata(folder.file(name)).unwrap().len();
    let stands: u64 = folder.names().iter().map(|name| length(name)).sum();
    let solve = |disk: u64, options: &[&str]| {
        let disk = disk.to_string();
        folder.koma([&["solve", "minishogi:*1", "--disk", &disk], options].concat())
    };
    let universe: koma_games::RankedUniverse = "minishogi:s".parse().unwrap();
    let cells = koma_games::Universe::len(&universe);
    // Its cells don't fit; its cells would, but not all of the table; all of it does.
    for (too_little, what) in [
        (stands + cells - 1, "cells alone take"),
        (stands + cells + 1, "table takes"),
    ] {
        let run = solve(too_little, &[]).expect(3);
        run.complains(&format!("minishogi:s: its {what}"));
        assert_eq!(folder.names().len(), 4);
    }
    let spare = Folder::with(&["minishogi:s"]);
    let table = fs::metadata(spare.file("minishogi_s.dtm.koma"))
        .unwrap()
        .len();
    assert!(table > cells);
    solve(stands + table - 1, &[]).expect(3);
    assert_eq!(folder.names().len(), 4);
    solve(stands + table, &[]).expect(0);
    assert_eq!(length("minishogi_s.dtm.koma"), table);
    // A table that is made again stands until the new one does.
    let all = stands + table;
    solve(all, &["--force"]).expect(3);
    solve(2 * all, &["--force"]).expect(0);
}

/// Case 11: sente may be meant as who began; a record is then judged with the colors exchanged.
#[test]
fn who_sente_is_can_be_said() {
    let folder = Folder::with(&["minishogi:s"]);
    let judged = |position: &str, options: &[&str]| {
        let record = format!("{position}\n");
        let arguments = [&["game", "minishogi", "-", "--json"], options].concat();
        let run = folder.koma_reading(&arguments, record.as_bytes()).expect(0);
        serde_json::from_str::<Value>(&run.out).unwrap()
    };
    // Gote begins with a silver that can't force anything.
    let position = "1k2K/5/5/S4/5 w - 1\n4a3b";
    let usual = judged(position, &[]);
    assert_eq!(usual["moves"][0]["before"]["category"], "win");
    assert_eq!(usual["moves"][0]["after"]["category"], "loss");
    let first = judged(position, &["--law-sente", "first"]);
    let mv = &first["moves"][0];
    assert_eq!(
        (&mv["before"]["category"], &mv["side"]),
        (&json!("loss"), &json!("gote"))
    );
    assert_eq!(mv["after"]["category"], "win");
    for key in ["move", "position", "move_ja"] {
        assert_eq!(mv[key], usual["moves"][0][key]);
    }
    assert_eq!(mv["best"]["move"], mv["move"]);
    // Sente begins: both readings are one.
    let position = format!("{OPEN} b - 1\n2e1e");
    assert_eq!(
        judged(&position, &[]),
        judged(&position, &["--law-sente", "first"])
    );
    let arguments = ["game", "minishogi", "-", "--law-sente", "first"];
    let run = folder.koma_reading(&arguments, b"1k2K/5/5/S4/5 w - 1\n4a3b\n");
    let run = run.expect(0);
    assert!(
        run.out.contains("endless: gote loses by repetition"),
        "{run:?}"
    );
}

/// Material that no universe holds names what does, or the rule.
#[test]
fn pieces_that_no_set_holds_are_refused_by_name() {
    let folder = Folder::new();
    for (game, position, said) in [
        (
            "minishogi",
            "rbsgk/4p/5/P4/KGSBR b - 1",
            "too many to number",
        ),
        (
            "minishogi:s",
            "5/4g/5/5/k2K1 b - 1",
            "`koma solve minishogi:g` makes",
        ),
        (
            "minishogi:s",
            "rbsgk/4p/5/P4/KGSBR b - 1",
            "no universe of minishogi holds so many",
        ),
        ("minishogi", "5/4s/5/5/k4 b - 1", "exactly one"),
        ("minishogi", "sssgk/5/5/5/K4 b - 1", "too many `S`"),
    ] {
        let run = folder.koma(["query", game, position]).expect(2);
        assert!(run.err.contains(said), "{said}: {run:?}");
    }
    folder
        .koma(["query", "minishogi", "--stdin"])
        .expect(2)
        .complains("name a set of its pieces");
    folder
        .koma(["query", "minishogi:gsp", "5/4s/5/4g/k2K1 b P 1"])
        .expect(3)
        .complains("`koma solve minishogi:gsp` makes it");
    folder
        .koma(["solve", "minishogi:ggg"])
        .expect(2)
        .complains("only 2 pieces `g`");
    assert!(folder.names().is_empty());
}
