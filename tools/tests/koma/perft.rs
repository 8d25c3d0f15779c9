//! `koma perft`.

use serde_json::{Value, json};

use crate::support::{Folder, keys};

#[test]
fn the_json_has_exactly_these_keys() {
    let folder = Folder::new();
    let line = folder
        .koma(["perft", "dobutsu", "--depth", "3", "--json"])
        .expect(0)
        .out;
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(keys(&line, &answer), ["game", "position", "depth", "nodes"]);
    assert_eq!(
        answer,
        json!({"game": "dobutsu", "position": "gle/1c1/1C1/ELG b - 1", "depth": 3, "nodes": 123})
    );
}

#[test]
fn conventions_differ_where_the_lion_can_be_taken() {
    let folder = Folder::new();
    let nodes = |depth: usize, convention: &str| {
        let depth = depth.to_string();
        let answer = folder.json(&[
            "perft",
            "dobutsu",
            "--depth",
            &depth,
            "--convention",
            convention,
            "--json",
        ]);
        answer["nodes"].as_u64().unwrap()
    };
    for (depth, expected) in [1, 4, 17, 96, 577, 3199].into_iter().enumerate() {
        assert_eq!(nodes(depth, "tanaka"), expected);
    }
    for (depth, expected) in [1, 4, 17, 123].into_iter().enumerate() {
        assert_eq!(nodes(depth, "rules"), expected);
    }
}

/// A game whose positions are not numbered has rules all the same.
#[test]
fn games_without_a_table_are_counted() {
    let folder = Folder::new();
    for (game, nodes) in [
        ("minishogi", [14, 181, 2512]),
        ("gorogoro:repetition=draw", [16, 250, 4166]),
    ] {
        for (depth, nodes) in (1..).zip(nodes) {
            let depth = depth.to_string();
            let answer = folder.json(&["perft", game, "--depth", &depth, "--json"]);
            assert_eq!(answer["nodes"], nodes, "{game} {depth}");
            assert_eq!(answer["game"], game);
        }
    }
    folder
        .koma(["perft", "minishogi", "4k/5/5/4R/4K b - 1", "--depth", "1"])
        .expect(2)
        .complains("side to move, column 14: gote is in check and not to move");
}
