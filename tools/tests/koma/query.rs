//! `koma query`.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Folder, keys};

/// Sente has a lion and a giraffe, gote a lion in the corner.
const POSITION: &str = "l2/3/1G1/1CL b - 1";

#[test]
fn the_json_of_a_position_has_exactly_these_keys() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let line = folder
        .koma(["query", "dobutsu:gc", POSITION, "--json"])
        .expect(0)
        .out;
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        keys(&line, &answer),
        ["game", "position", "category", "dtm", "terminal", "moves"]
    );
    assert_eq!(answer["game"], "dobutsu:gc");
    assert_eq!(answer["position"], POSITION);
    assert_eq!(answer["category"], "win");
    assert_eq!(answer["dtm"], 7);
    assert_eq!(answer["terminal"], false);
    let first = &answer["moves"][0];
    let start = line.find("\"moves\":").unwrap();
    assert_eq!(
        keys(&line[start + 8..], first),
        ["move", "move_ja", "category", "dtm", "position"]
    );
    assert_eq!(
        first,
        &json!({
            "move": "C4C3",
            "move_ja": "▲C3らいおん",
            "category": "loss",
            "dtm": -6,
            "position": "l2/3/1GL/1C1 w - 1",
        })
    );
}

#[test]
fn moves_come_best_first() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let answer = folder.json(&["query", "dobutsu:gc", POSITION, "--json"]);
    let moves = answer["moves"].as_array().unwrap();
    let values: Vec<i64> = moves
        .iter()
        .map(|after| after["dtm"].as_i64().unwrap())
        .collect();
    assert_eq!(values, [-6, -12, -16, 5]);
}

#[test]
fn the_board_is_drawn_for_people() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = folder
        .koma(["query", "dobutsu:gc", "l2/3/3/2L w Gc 1", "--line"])
        .expect(0);
    let expected = "\
dobutsu:gc, l2/3/3/2L w Gc 1

gote's hand: c

     A  B  C
  1  l  .  .
  2  .  .  .
  3  .  .  .
  4  .  .  L

sente's hand: G
to move: gote (lowercase, moving down)

";
    assert!(run.out.starts_with(expected), "{}", run.out);
    assert!(run.out.contains("△A2らいおん"), "{}", run.out);
}

/// The best line is as long as the distance says, and its last move takes the lion or tries.
#[test]
fn the_best_line_leads_to_the_end() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = folder
        .koma(["query", "dobutsu:gc", POSITION, "--line"])
        .expect(0);
    let (_, line) = run.out.split_once("Best line:\n").unwrap();
    assert_eq!(line.lines().count(), 7);
    let run = folder
        .koma(["query", "dobutsu:gc", "2l/g2/2C/L2 b - 1", "--line"])
        .expect(0);
    assert!(
        run.out.contains("Loss") || run.out.contains("Win"),
        "{run:?}"
    );
}

/// Case 17, case 19: only a try that can't be answered by taking the lion ends the game.
#[test]
fn case_17_an_attacked_try_does_not_end_the_game() {
    let folder = Folder::with(&["dobutsu:gg"]);
    let answer = folder.json(&["query", "dobutsu:gg", "g2/1L1/1G1/1l1 b - 1", "--json"]);
    let after = |name: &str| {
        let moves = answer["moves"].as_array().unwrap();
        moves
            .iter()
            .find(|after| after["move"] == name)
            .unwrap()
            .clone()
    };
    for (name, category, dtm) in [("B2A1", "loss", 0), ("B2C1", "loss", 0), ("B2B1", "win", 1)] {
        assert_eq!(after(name)["category"], category, "{name}");
        assert_eq!(after(name)["dtm"], dtm, "{name}");
    }
    let attacked = after("B2B1")["position"].as_str().unwrap().to_owned();
    let answer = folder.json(&["query", "dobutsu:gg", &attacked, "--json"]);
    assert_eq!(answer["terminal"], false);
    assert_eq!(answer["moves"][0]["move"], "A1B1");
    assert_eq!(answer["moves"][0]["position"], Value::Null);
    let tried = after("B2C1")["position"].as_str().unwrap().to_owned();
    let answer = folder.json(&["query", "dobutsu:gg", &tried, "--json"]);
    assert_eq!(
        answer,
        json!({
            "game": "dobutsu:gg",
            "position": tried,
            "category": "loss",
            "dtm": 0,
            "terminal": true,
            "moves": [],
        })
    );
}

/// Case 20: a dropped chick may mate in this game.
#[test]
fn case_20_a_chick_may_be_dropped_to_mate() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let answer = folder.json(&["query", "dobutsu:gc", "lg1/3/1L1/3 b C 1", "--json"]);
    let moves = answer["moves"].as_array().unwrap();
    let first = moves.iter().find(|after| after["move"] == "C*A2").unwrap();
    assert_eq!(
        (&first["category"], &first["dtm"]),
        (&json!("loss"), &json!(-2))
    );
}

#[test]
fn lions_that_attack_each_other_are_answered_by_rule() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let answer = folder.json(&["query", "dobutsu:gc", "3/1l1/1L1/3 w Gc 1", "--json"]);
    assert_eq!(
        (&answer["category"], &answer["dtm"]),
        (&json!("win"), &json!(1))
    );
    assert_eq!(answer["moves"][0]["move"], "B2B3");
    assert_eq!(answer["moves"][0]["dtm"], 0);
}

/// Case 94: an unknown distance is null, and 0 is that of a finished game only.
#[test]
fn case_94_without_distances_dtm_is_null() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    let answer = folder.json(&["query", "dobutsu:gc", POSITION, "--json"]);
    assert_eq!(
        (&answer["category"], &answer["dtm"]),
        (&json!("win"), &Value::Null)
    );
    let moves = answer["moves"].as_array().unwrap();
    let categories: Vec<&str> = moves
        .iter()
        .map(|after| after["category"].as_str().unwrap())
        .collect();
    assert_eq!(categories, ["loss", "loss", "loss", "win"]);
    assert!(moves.iter().all(|after| after["dtm"].is_null()));
    let run = folder
        .koma(["query", "dobutsu:gc", POSITION, "--line"])
        .expect(0);
    assert!(run.out.contains("no line"), "{run:?}");
    assert_eq!(folder.names(), ["dobutsu_gc.wdl.koma"]);
}

/// Case 15: perpetual check is a draw.
#[test]
fn a_draw_has_no_distance_and_no_line() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let position = "g2/l2/2L/1c1 b - 1";
    let answer = folder.json(&["query", "dobutsu:gc", position, "--json"]);
    assert_eq!(
        (&answer["category"], &answer["dtm"]),
        (&json!("draw"), &Value::Null)
    );
    let run = folder
        .koma(["query", "dobutsu:gc", position, "--line"])
        .expect(0);
    assert!(run.out.contains("Draw\n"), "{run:?}");
    assert!(run.out.contains("no line"), "{run:?}");
}

/// Where captured pieces leave the game, a position may have lost some.
#[test]
fn pieces_may_be_gone_where_captured_ones_leave_the_game() {
    let folder = Folder::with(&["dobutsu:no-drops:gc"]);
    for position in ["l2/3/1G1/1CL b - 1", "l2/3/1G1/2L b - 1", "l2/3/3/2L b - 1"] {
        folder.json(&["query", "dobutsu:no-drops:gc", position, "--json"]);
    }
    folder
        .koma(["query", "dobutsu:no-drops:gc", "l2/3/1E1/2L b - 1"])
        .expect(2)
        .complains("`dobutsu:no-drops:e`");
}

#[test]
fn a_position_of_other_pieces_names_its_universe() {
    let folder = Folder::new();
    for (game, position, needed) in [
        ("dobutsu:gc", "l2/3/1G1/2L b - 1", "`dobutsu:g`"),
        ("dobutsu:gc", "l2/3/1G1/1CL b E 1", "`dobutsu:egc`"),
        ("dobutsu:gc", "gle/1c1/1C1/ELG b - 1", "ask `dobutsu`"),
        ("dobutsu", "l2/3/1L1/3 b - 1", "ask `dobutsu:`"),
    ] {
        folder
            .koma(["query", game, position])
            .expect(2)
            .complains(needed);
    }
    folder
        .koma(["query", "dobutsu:gc"])
        .expect(2)
        .complains("give a position");
    assert_eq!(folder.names(), [""; 0], "nothing was solved for nothing");
}

#[test]
fn a_small_game_is_solved_first_unless_forbidden() {
    let folder = Folder::new();
    folder
        .koma(["query", "dobutsu:gc", POSITION, "--no-solve"])
        .expect(3)
        .complains("koma solve dobutsu:gc");
    assert_eq!(folder.names(), [""; 0]);
    let run = folder
        .koma(["query", "dobutsu:gc", POSITION, "--json"])
        .expect(0);
    assert!(run.err.contains("solving it first"), "{run:?}");
    assert_eq!(run.out.lines().count(), 1, "{run:?}");
    let run = folder
        .koma(["query", "dobutsu:gc", POSITION, "--json"])
        .expect(0);
    assert_eq!(run.err, "");
}

#[test]
fn a_large_game_is_never_solved_by_a_query() {
    let folder = Folder::new();
    folder
        .koma(["query", "dobutsu@3x5"])
        .expect(3)
        .complains("koma solve dobutsu@3x5");
    assert_eq!(folder.names(), [""; 0]);
}

/// Case 71: the table of another game under this game's name.
#[test]
fn case_71_a_table_of_another_game_is_refused() {
    let folder = Folder::with(&["dobutsu:gc", "dobutsu:no-try:gc", "dobutsu:g"]);
    let file = "dobutsu_gc.dtm.koma";
    for other in ["dobutsu_no-try_gc.dtm.koma", "dobutsu_g.dtm.koma"] {
        fs::copy(folder.file(other), folder.file(file)).unwrap();
        folder
            .koma(["query", "dobutsu:gc", POSITION])
            .expect(3)
            .complains(file)
            .complains("was asked for");
        folder.koma(["verify", "dobutsu:gc"]).expect(1);
        folder.koma(["info", "dobutsu:gc"]).expect(3);
        folder.koma(["solve", "dobutsu:gc"]).expect(3);
    }
}

#[test]
fn a_damaged_table_gives_an_error_or_the_right_answer() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let file = folder.file("dobutsu_gc.dtm.koma");
    let sound = fs::read(&file).unwrap();
    let ask = ["query", "dobutsu:gc", POSITION, "--json"];
    let right = folder.koma(ask).expect(0).out;
    let mut refused = 0;
    for place in (0..sound.len()).step_by(1024) {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x10;
        fs::write(&file, bytes).unwrap();
        let run = folder.koma(ask);
        if run.code == Some(0) {
            assert_eq!(run.out, right);
        } else {
            run.expect(3).complains("dobutsu_gc.dtm.koma");
            refused += 1;
        }
    }
    assert!(refused > 0);
}
