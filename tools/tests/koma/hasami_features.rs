//! What can be asked of hasami besides values: samples, only moves, zugzwang, notations, drawings.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Folder, Run};

const NAME: &str = "hasami@3x4";
const FILE: &str = "hasami@3x4.dtm.koma";

fn lines(run: &str) -> Vec<Value> {
    run.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A sample is part of what is found, of its size, and depends on the seed alone.
#[test]
fn find_takes_samples() {
    let folder = Folder::with(&[NAME]);
    let find = |more: &[&str], code: i32| {
        let asked = ["find", NAME, "--value", "draw"];
        let run = folder.koma(asked.iter().chain(more)).expect(code);
        run.out.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = find(&[], 0);
    let sample = find(&["--sample", "5"], 0);
    assert_eq!(sample.len(), 5);
    let mut rest = all.iter();
    assert!(sample.iter().all(|found| rest.any(|other| other == found)));
    assert_eq!(sample, find(&["--sample", "5", "--threads", "1"], 0));
    assert_ne!(sample, find(&["--sample", "5", "--seed", "1"], 0));
    let two = find(&["--sample", "5", "--limit", "2"], 0);
    assert_eq!(two, sample[..2]);
    assert_eq!(find(&["--sample", "1000000"], 0), all);
    assert_eq!(find(&["--limit", "3"], 0), all[..3]);
    assert_eq!(find(&["--sample", "0"], 1), [""; 0]);
    assert_eq!(find(&["--seed", "1"], 2), [""; 0]);
    assert_eq!(find(&["--sample", "1", "--count"], 2), [""; 0]);
}

/// Each position that is found has the property by what `koma query` says.
#[test]
fn find_knows_only_moves_and_zugzwang() {
    let folder = Folder::with(&[NAME]);
    let find = |arguments: &[&str]| {
        let asked = ["find", NAME, "--json"];
        lines(&folder.koma(asked.iter().chain(arguments)).expect(0).out)
    };
    let query = |position: &str| folder.json(&["query", NAME, position, "--json"]);
    let found = find(&[
        "--only-move",
        "--value",
        "win",
        "--plies",
        "15..",
        "--sample",
        "9",
    ]);
    assert_eq!(found.len(), 9);
    for position in found {
        let answer = query(position["position"].as_str().unwrap());
        let moves = answer["moves"].as_array().unwrap();
        let kept = moves.iter().filter(|after| after["category"] == "loss");
        assert_eq!(kept.count(), 1, "{position}");
    }
    let found = find(&["--zugzwang"]);
    let count = folder.json(&["find", NAME, "--zugzwang", "--count", "--json"]);
    assert_eq!(count["count"], found.len());
    for position in &found[..found.len().min(9)] {
        assert_eq!(position["category"], "loss");
        let passed = position["position"].as_str().unwrap().replace(" b ", " w ");
        assert_eq!(query(&passed)["category"], "loss", "{position}");
    }
}

#[test]
fn moves_are_written_in_every_notation() {
    let folder = Folder::with(&[NAME]);
    let names = |subcommand: &str, notation: &str| {
        let asked = [subcommand, NAME, "--notation", notation];
        match subcommand {
            "game" => {
                let asked = ["game", NAME, "-", "--notation", notation];
                folder.koma_reading(&asked, b"a4a3 a1a2")
            }
            "play" => folder.koma_reading(&asked, b"a4a3 \nmoves\n"),
            _ => folder.koma(asked),
        }
        .expect(0)
        .out
    };
    let line = folder.json(&["line", NAME, "--json"]);
    let best = |key: &str| line["moves"][0][key].as_str().unwrap().to_owned();
    for (notation, key, name) in [
        ("squares", "move", "a4a3"),
        ("usi", "move_usi", "3d3c"),
        ("japanese", "move_ja", "▲３三歩"),
    ] {
        for (subcommand, first) in [
            ("line", best(key)),
            ("game", name.to_owned()),
            ("play", name.to_owned()),
        ] {
            let out = names(subcommand, notation);
            assert!(out.contains(&first), "{subcommand} {notation}: {out}");
        }
    }
    folder
        .koma(["line", NAME, "--notation", "tanaka"])
        .expect(2)
        .complains("possible values: squares, usi, japanese");
}

/// The query shows the line that `koma line` plays.
#[test]
fn query_shows_the_line() {
    let folder = Folder::with(&[NAME]);
    let line = folder.json(&["line", NAME, "--json"]);
    let run = folder.koma(["query", NAME, "--line"]).expect(0);
    let (_, shown) = run.out.split_once("\nBest line:\n").unwrap();
    let moves = line["moves"].as_array().unwrap();
    for (row, mv) in shown.lines().zip(moves) {
        let expected = ["ply", "move", "move_ja"].map(|key| match &mv[key] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        assert_eq!(row.split_whitespace().collect::<Vec<_>>(), expected);
    }
    let end = line["end"]["text"].as_str().unwrap();
    assert!(shown.ends_with(&format!("\n\n{end}\n")), "{shown}");
    folder.koma(["query", NAME, "--line", "--json"]).expect(2);
    folder.koma(["solve", NAME, "--kind", "wdl"]).expect(0);
    fs::remove_file(folder.file(FILE)).unwrap();
    let run = folder.koma(["query", NAME, "--line"]).expect(0);
    assert!(run.out.contains("no line to an end"), "{run:?}");
}

/// Whoever reads may stop.
#[test]
fn nobody_has_to_read_all_that_is_found() {
    let folder = Folder::with(&[NAME]);
    for more in [&[][..], &["--json"], &["--sample", "5000", "--json"]] {
        let mut child = folder
            .command(["find", NAME].iter().chain(more))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let run = Run::of(child.wait_with_output().unwrap()).expect(0);
        assert_eq!(run.err, "");
    }
}

#[test]
fn stats_draw_the_distances() {
    let folder = Folder::with(&[NAME]);
    let svg = folder.file("distances.svg");
    let path = svg.to_str().unwrap();
    folder.koma(["stats", NAME, "--svg", path]).expect(0);
    let drawn = fs::read_to_string(&svg).unwrap();
    let stats = folder.json(&["info", NAME, "--json"]);
    for (key, color) in [("wins_by_plies", "#2E7D32"), ("losses_by_plies", "#C62828")] {
        let bars = stats[key].as_array().unwrap().len();
        let drawn = drawn.matches(&format!("fill=\"{color}\"")).count();
        // With that of the legend.
        assert_eq!(drawn, bars + 1, "{key}");
    }
    let nowhere = folder.file("no/where.svg");
    let nowhere = ["stats", NAME, "--svg", nowhere.to_str().unwrap()];
    folder.koma(nowhere).expect(3).complains("where.svg");
    folder
        .koma(["explore", NAME])
        .expect(2)
        .complains("koma solve");
}
