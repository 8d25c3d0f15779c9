//! `koma stats`.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, Run, keys};

const FIGURES: [&str; 15] = [
    "positions",
    "win",
    "loss",
    "draw",
    "max_plies",
    "by_plies",
    "in_hand",
    "open",
    "lion_can_be_taken",
    "can_try",
    "lost_by_a_try",
    "moves",
    "zugzwang",
    "last_rank_drops",
    "tsume",
];

fn sum(pairs: &Value) -> u64 {
    let pairs: Vec<(u64, u64)> = serde_json::from_value(pairs.clone()).unwrap();
    pairs.into_iter().map(|(_, count)| count).sum()
}

#[test]
fn the_json_has_exactly_these_keys() {
    let folder = Folder::with(&["dobutsu@3x3:gec"]);
    let line = folder
        .koma(["stats", "dobutsu@3x3:gec", "--json"])
        .expect(0)
        .out;
    let stats: Value = serde_json::from_str(&line).unwrap();
    let outer = ["game", "convention", "placements", "all", "reached"];
    assert_eq!(keys(&line, &stats), outer);
    assert_eq!(stats["game"], "dobutsu@3x3:egc");
    assert_eq!(stats["reached"], Value::Null);
    let all = &stats["all"];
    let inner = line.split_once("\"all\":").unwrap().1;
    assert_eq!(keys(inner, all), FIGURES);
    assert_eq!(
        keys(inner, &all["moves"]["win"]),
        ["positions", "moves", "average", "least", "most", "by_moves"]
    );
    assert_eq!(
        keys(inner, &all["zugzwang"]),
        ["positions", "own_images", "with_image"].map(str::to_owned)
    );

    let info = folder.json(&["info", "dobutsu@3x3:gec", "--json"]);
    for key in ["positions", "win", "loss", "draw", "max_plies", "by_plies"] {
        assert_eq!(all[key], info[key], "{key}");
    }
    assert_eq!(all["positions"], sum(&all["in_hand"]));
    assert_eq!(all["open"], sum(&all["moves"]["all"]["by_moves"]));
    assert_eq!(sum(&stats["placements"]), 379_584);
}

#[test]
fn what_is_reached_is_what_explore_finds() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for convention in ["rules", "tanaka"] {
        let root = "1l1/3/1C1/GL1 b - 1";
        let arguments = ["explore", "dobutsu:gc", "--root", root, "--json"];
        let explored = folder.json(&[&arguments[..], &["--convention", convention]].concat());
        let name = explored["game"].as_str().unwrap();
        let stats = folder.json(&["stats", name, "--json"]);
        assert_eq!(stats["game"], name);
        assert_eq!(stats["convention"], convention);
        let reached = &stats["reached"];
        for key in ["positions", "win", "loss", "draw", "max_plies", "by_plies"] {
            assert_eq!(reached[key], explored[key], "{convention}: {key}");
        }
        let (open, moves) = (&explored["open"], &reached["moves"]);
        assert_eq!(reached["open"], open["positions"]);
        for key in ["win", "loss", "draw"] {
            assert_eq!(moves[key]["positions"], open[key], "{convention}: {key}");
        }
        assert_eq!(moves["all"]["moves"], open["moves"]);
        for key in ["lion_can_be_taken", "can_try", "lost_by_a_try"] {
            assert_eq!(reached[key], explored["ended"][key], "{convention}: {key}");
        }
        let sort = |key: &str| reached[key].as_u64().unwrap() > 0;
        assert_eq!(sort("lost_by_a_try"), convention == "tanaka");
        assert_eq!(sort("can_try"), convention == "rules");
    }
}

#[test]
fn the_text_says_what_it_leaves_out() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = folder.koma(["stats", "dobutsu:gc"]).expect(0);
    for part in [
        "no start position",
        "mutual zugzwang",
        "tsume",
        "placements",
        "  win ",
    ] {
        assert!(run.out.contains(part), "no `{part}` in {run:?}");
    }
    assert!(!run.out.contains("reached"), "{run:?}");
    let run = folder.koma(["stats", "dobutsu:gc/reachable"]).expect(2);
    run.complains("name a root");
    let run = folder
        .koma(["stats", "dobutsu:gc/reachable:from=33"])
        .expect(0);
    assert!(
        run.out.contains("from the given roots, convention rules"),
        "{run:?}"
    );
}

#[test]
fn a_game_that_is_not_solved_is_solved_first() {
    let folder = Folder::new();
    let run = folder.koma(["stats", "dobutsu@3x3:c"]).expect(0);
    assert!(run.err.contains("solving it first"), "{run:?}");
    folder
        .koma(["stats", "dobutsu@3x3:e", "--no-solve"])
        .expect(3)
        .complains("koma solve dobutsu@3x3:e");
}

#[test]
fn a_table_without_distances_is_refused() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    folder
        .koma(["stats", "dobutsu:gc"])
        .expect(2)
        .complains("distances");
}

#[test]
fn distances_are_drawn() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let file = folder.file("distances.svg");
    let path = file.to_str().unwrap();
    folder
        .koma(["stats", "dobutsu:gc", "--svg", path])
        .expect(0);
    let svg = fs::read_to_string(&file).unwrap();
    assert!(svg.starts_with("<svg "));
    for part in ["dobutsu:gc", "plies to the end of the game", "won", "lost"] {
        assert!(svg.contains(part), "no `{part}`");
    }
    // A refused run leaves no file.
    let never = folder.file("never.svg");
    let refused = ["stats", "dobutsu:gc", "--memory", "1K", "--svg"];
    let mut command = folder.command(refused);
    Run::of(command.arg(&never).output().unwrap())
        .expect(3)
        .complains("KiB of memory, and only 1.00 KiB are allowed");
    assert!(!never.exists());
    let nowhere = folder.file("nowhere/distances.svg");
    folder
        .koma(["stats", "dobutsu:gc", "--svg", nowhere.to_str().unwrap()])
        .expect(3)
        .complains("nowhere");
}

/// Where check must be met: the oracle's figures of two sets, and what does not apply is left out.
#[test]
fn sets_where_check_must_be_met_have_statistics() {
    let folder = Folder::with(&["minishogi:s", "gorogoro:s"]);
    for (set, mated, moves) in [
        ("minishogi:s", [38, 81], 249_396),
        ("gorogoro:s", [38, 85], 509_989),
    ] {
        let line = folder.koma(["stats", set, "--json"]).expect(0).out;
        let stats: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(
            keys(&line, &stats),
            ["game", "placements", "all", "unfolded"]
        );
        let inner = line.split_once("\"all\":").unwrap().1;
        assert_eq!(
            keys(inner, &stats["all"]),
            [
                "positions",
                "win",
                "loss",
                "residue",
                "max_plies",
                "by_plies",
                "in_hand",
                "open",
                "checks",
                "checkmates",
                "stalemates",
                "moves",
                "pawn_drop_mates",
                "zugzwang"
            ]
        );
        let all_moves = &stats["all"]["moves"];
        let inner = inner.split_once("\"moves\":").unwrap().1;
        assert_eq!(
            keys(inner, all_moves),
            ["all", "win", "residue", "loss"].map(str::to_owned)
        );
        let unfolded = &stats["unfolded"];
        assert_eq!(unfolded["checkmates"], mated[0], "{set}");
        assert_eq!(unfolded["stalemates"], mated[1], "{set}");
        assert_eq!(unfolded["moves"]["all"]["moves"], moves, "{set}");
        let info = folder.json(&["info", set, "--json"]);
        for key in [
            "positions",
            "win",
            "loss",
            "residue",
            "max_plies",
            "by_plies",
        ] {
            assert_eq!(stats["all"][key], info[key], "{set}: {key}");
        }
        for key in ["win", "loss", "residue", "by_plies"] {
            assert_eq!(unfolded[key], info["unfolded"][key], "{set}: {key}");
        }
        let run = folder.koma(["stats", set]).expect(0);
        for said in ["checkmated", "stalemated", "unfolded", "pawn drops", "bars"] {
            assert!(run.out.contains(said), "{said}: {run:?}");
        }
    }
    let drawn = folder.file("distances.svg");
    let svg = drawn.to_str().unwrap();
    folder
        .koma(["stats", "minishogi:s", "--svg", svg])
        .expect(0);
    assert!(fs::read_to_string(&drawn).unwrap().contains("minishogi:s"));
    folder
        .koma(["solve", "minishogi:g", "--kind", "wdl"])
        .expect(0);
    folder
        .koma(["stats", "minishogi:g"])
        .expect(2)
        .complains("`koma solve minishogi:g` makes one");
}
