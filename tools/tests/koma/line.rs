//! `koma line`.

use serde_json::{Value, json};

use crate::support::{Folder, keys};

/// Sente has a lion, a giraffe and a chick, gote a lion in the corner: a win in 7 plies.
const WON: &str = "l2/3/1G1/1CL b - 1";

/// A draw that only one move keeps.
const DRAWN: &str = "g2/l2/2L/1c1 b - 1";

#[test]
fn a_line_leads_to_the_end() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = folder
        .koma(["line", "dobutsu:gc", WON, "--all-best"])
        .expect(0);
    let expected = "\
dobutsu:gc, l2/3/1G1/1CL b - 1

Win in 7 plies

   1  C4C3  the only best move
   2  A1B1  the only best move
   3  B3B2  the only best move
   4  B1A1  1 of 2, also B1C1
   5  C3C2  1 of 3, also C3B3 B4B3
   6  A1B1  1 of 3, also A1A2 A1B2
   7  B2B1  1 of 2, also C2B1

lion taken: sente wins
";
    assert_eq!(run.out, expected);
}

#[test]
fn the_json_of_a_line_has_exactly_these_keys() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let text = folder
        .koma(["line", "dobutsu:gc", WON, "--json"])
        .expect(0)
        .out;
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        keys(&text, &answer),
        ["game", "position", "category", "dtm", "moves", "end"]
    );
    assert_eq!(
        answer["moves"][3],
        json!({
            "ply": 4,
            "move": "B1A1",
            "move_usi": "2a3a",
            "move_ja": "△A1らいおん",
            "move_tanaka": "-B1A1LI",
            "best_moves": ["B1A1", "B1C1"],
            "category": "win",
            "dtm": 3,
            "position": "l2/1G1/2L/1C1 b - 1",
        })
    );
    assert_eq!(answer["moves"][6]["position"], Value::Null);
    assert_eq!(
        answer["end"],
        json!({
            "reason": "royal_taken",
            "winner": "sente",
            "ply": 7,
            "occurrences": [7],
            "text": "lion taken: sente wins",
        })
    );
}

/// Every ply of a line is one nearer to the end.
#[test]
fn distances_count_down() {
    let folder = Folder::with(&["dobutsu@3x3:gec"]);
    for position in ["l2/3/2L b GEC 1", "l1g/3/L2 w Ce 1", "1l1/c2/1L1 b Ge 1"] {
        let answer = folder.json(&["line", "dobutsu@3x3:gec", position, "--json"]);
        let Some(dtm) = answer["dtm"].as_i64() else {
            continue;
        };
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves.len() as i64, dtm.abs(), "{position}");
        for (left, after) in (0..dtm.abs()).rev().zip(moves) {
            assert_eq!(after["dtm"].as_i64().unwrap().abs(), left, "{position}");
        }
        assert_ne!(answer["end"]["reason"], "repetition");
    }
}

/// Case 15: endless play is worth a draw to both, and a drawn line ends with the third occurrence.
#[test]
fn case_15_a_drawn_line_ends_by_repetition() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let answer = folder.json(&["line", "dobutsu:gc", DRAWN, "--json"]);
    assert_eq!(answer["dtm"], Value::Null);
    let moves = answer["moves"].as_array().unwrap();
    for after in moves {
        assert_eq!(
            (&after["category"], &after["dtm"]),
            (&json!("draw"), &Value::Null)
        );
    }
    let end = &answer["end"];
    assert_eq!(
        (&end["reason"], &end["winner"]),
        (&json!("repetition"), &Value::Null)
    );
    let last = &moves[moves.len() - 1]["position"];
    let plies: Vec<u64> = (1..)
        .zip(moves)
        .filter(|(_, after)| after["position"] == *last)
        .map(|(ply, _)| ply)
        .collect();
    assert_eq!(end["occurrences"], json!(plies));
    assert_eq!(plies.len(), 3);
    let run = folder.koma(["line", "dobutsu:gc", DRAWN]).expect(0);
    let said =
        "repetition, a draw: the position stands for the third time, after plies 3, 7 and 11\n";
    assert!(run.out.ends_with(said), "{run:?}");
}

#[test]
fn a_line_is_written_in_every_notation_and_with_boards() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for (notation, first) in [
        ("squares", "C4C3"),
        ("usi", "1d1c"),
        ("japanese", "▲C3らいおん"),
        ("tanaka", "+C4C3LI"),
    ] {
        let run = folder
            .koma(["line", "dobutsu:gc", WON, "--notation", notation])
            .expect(0);
        assert!(run.out.contains(&format!("   1  {first}\n")), "{run:?}");
    }
    let run = folder
        .koma(["line", "dobutsu:gc", WON, "--boards"])
        .expect(0);
    // The last move takes the lion, and still there is a board.
    assert_eq!(run.out.matches("     A  B  C\n").count(), 8, "{}", run.out);
}

#[test]
fn a_finished_game_has_no_moves() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let answer = folder.json(&["line", "dobutsu:gc", "1L1/3/3/l2 w Gc 1", "--json"]);
    assert_eq!(answer["moves"], json!([]));
    assert_eq!(answer["end"]["reason"], "try");
    assert_eq!(answer["end"]["winner"], "sente");
}

#[test]
fn without_distances_there_is_no_line() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    folder
        .koma(["line", "dobutsu:gc", WON])
        .expect(3)
        .complains("no distances")
        .complains("`koma solve dobutsu:gc`");
    folder.koma(["line", "dobutsu:gc", DRAWN]).expect(0);
}

#[test]
fn bad_positions_are_refused_before_anything_is_solved() {
    let folder = Folder::new();
    for (position, complaint) in [
        ("l2/3/1G1/2L b - 1", "`dobutsu:g`"),
        ("l2/3/1G1/1C1 b - 1", "sente has no `L`"),
    ] {
        folder
            .koma(["line", "dobutsu:gc", position])
            .expect(2)
            .complains(complaint);
    }
    assert_eq!(folder.names(), [""; 0]);
}
