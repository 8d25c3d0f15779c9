//! `koma explore`, and the tables it makes.

use std::fs;

use serde_json::json;

use crate::support::{Folder, keys};

const ROOT: &str = "1l1/3/3/1L1 b EC 1";
const GAME: &str = "dobutsu:ec/reachable:from=17238";
const FILE: &str = "dobutsu_ec%2freachable_from=17238.dtm.koma";

fn explored() -> Folder {
    let folder = Folder::new();
    folder
        .koma(["explore", "dobutsu:ec", "--root", ROOT])
        .expect(0);
    folder
}

#[test]
fn an_exploration_is_planned_made_and_summed_up() {
    let folder = Folder::new();
    let run = folder.koma(["explore", "dobutsu:ec", "--root", ROOT]);
    let run = run.expect(0);
    for part in ["45,576 ranks", "of memory", FILE] {
        assert!(run.err.contains(part), "{run:?}");
    }
    for part in [GAME, ROOT, "22,316", "play goes on", "safe try", "plies"] {
        assert!(run.out.contains(part), "{run:?}");
    }
    assert_eq!(folder.names(), [FILE]);
}

#[test]
fn json_has_every_count() {
    let folder = Folder::new();
    let arguments = ["explore", "dobutsu:ec", "--root", ROOT, "--json"];
    let run = folder.koma(arguments).expect(0);
    let found: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        keys(&run.out, &found),
        [
            "game",
            "convention",
            "roots",
            "positions",
            "win",
            "loss",
            "draw",
            "max_plies",
            "by_plies",
            "open",
            "ended",
            "content_hash",
            "bytes"
        ]
    );
    assert_eq!(found["game"], GAME);
    assert_eq!(found["convention"], "rules");
    assert_eq!(found["roots"], json!([ROOT]));
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let (open, ended) = (&found["open"], &found["ended"]);
    let by_value = |counts: &serde_json::Value| {
        number(&counts["win"]) + number(&counts["loss"]) + number(&counts["draw"])
    };
    assert_eq!(number(&found["positions"]), 22_316);
    assert_eq!(by_value(&found), 22_316);
    assert_eq!(by_value(open), number(&open["positions"]));
    let over = ["lion_can_be_taken", "can_try", "lost_by_a_try"].map(|key| number(&ended[key]));
    assert_eq!(
        number(&open["positions"]) + over.iter().sum::<u64>(),
        22_316
    );
    assert_eq!(over[2], 0);
    let plies = found["by_plies"].as_array().unwrap();
    let decided: u64 = plies.iter().map(|row| number(&row[1])).sum();
    assert_eq!(decided, 22_316 - number(&found["draw"]));

    // The same from the table that stands, and by force.
    let again = |more: &[&str]| folder.json(&[&arguments[..], more].concat());
    assert_eq!(again(&[]), found);
    assert_eq!(again(&["--force"]), found);
}

#[test]
fn conventions_and_roots_have_tables_of_their_own() {
    let folder = explored();
    let explore = |arguments: &[&str]| {
        let arguments = [&["explore", "dobutsu:ec", "--root", ROOT], arguments].concat();
        folder.koma(arguments).expect(0);
    };
    explore(&["--convention", "tanaka"]);
    explore(&["--root", "l2/3/2L/3 b EC 1"]);
    // The same roots in another order, as mirror images and turned around.
    explore(&["--root", "2l/3/L2/3 b EC 1"]);
    explore(&["--root", "3/l2/3/2L w ec 1"]);
    let names = folder.names();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.contains(&FILE.to_owned()));
    assert!(names.contains(&FILE.replace("from", "tanaka,from")));
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let bytes = |threads: &str| {
        let folder = Folder::new();
        let arguments = [
            "explore",
            "dobutsu:ec",
            "--root",
            ROOT,
            "--threads",
            threads,
        ];
        folder.koma(arguments).expect(0);
        fs::read(folder.file(FILE)).unwrap()
    };
    let one = bytes("1");
    assert!(one == bytes("2"));
    assert!(one == bytes("7"));
}

#[test]
fn tables_are_asked_by_their_names() {
    let folder = explored();
    let answer = folder.json(&["query", GAME, ROOT, "--json"]);
    assert_eq!(answer["game"], GAME);
    let whole = Folder::with(&["dobutsu:ec"]);
    let expected = whole.json(&["query", "dobutsu:ec", ROOT, "--json"]);
    for key in ["position", "category", "dtm", "terminal", "moves"] {
        assert_eq!(answer[key], expected[key], "{key}");
    }
    folder
        .koma(["query", GAME, "1l1/3/eh1/1L1 b - 1"])
        .expect(2)
        .complains("play does not lead there");
    let info = folder.json(&["info", GAME, "--json"]);
    assert_eq!(info["game"], GAME);
    for arguments in [&["verify", GAME][..], &["verify", GAME, "--deep"]] {
        folder.koma(arguments).expect(0);
    }
    let file = folder.file(FILE);
    folder
        .koma(["verify".as_ref(), file.as_os_str(), "--deep".as_ref()])
        .expect(0);
}

#[test]
fn what_is_missing_says_how_it_is_made() {
    let folder = Folder::new();
    for (game, command) in [
        ("dobutsu/reachable", "koma explore dobutsu`"),
        (
            "dobutsu/reachable:tanaka",
            "koma explore dobutsu --convention tanaka`",
        ),
    ] {
        folder.koma(["query", game]).expect(3).complains(command);
    }
    folder
        .koma(["query", GAME, ROOT])
        .expect(3)
        .complains("koma explore dobutsu:ec --root '1l1/3/3/1L1 b EC 1'`");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn bad_roots_and_names_are_refused() {
    let folder = Folder::new();
    for (arguments, complaint) in [
        (&["explore", "dobutsu:ec"][..], "name a root"),
        (&["explore", "dobutsu:ec", "--root", "1l1"], "column"),
        (
            &["explore", "dobutsu:ec", "--root", "1l1/3/3/1L1 b E 1"],
            "ask `dobutsu:e`",
        ),
        (
            &["explore", "dobutsu:ec", "--root", "1L1/3/3/1l1 b EC 1"],
            "the game is over",
        ),
        (
            &["explore", "dobutsu:ec", "--root", "1Ll/3/3/3 b EC 1"],
            "has tried and was not taken",
        ),
        (
            &["explore", "dobutsu", "--convention", "mine"],
            "rules, tanaka",
        ),
        (&["query", "dobutsu:ec/reachable", ROOT], "name a root"),
        (&["query", "dobutsu/reachable:mine"], "tanaka"),
        (&["query", "dobutsu/reachable:from=99999999999"], "from="),
        (&["query", "dobutsu/reachables"], "GAME/reachable"),
        (&["query", "chess/reachable"], "the games are: dobutsu"),
    ] {
        folder.koma(arguments).expect(2).complains(complaint);
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn memory_is_refused_before_any_work() {
    let folder = Folder::new();
    // Enough for exploring, not for solving then.
    folder
        .koma(["explore", "dobutsu", "--memory", "300M"])
        .expect(3)
        .complains("only 0.29 GiB are allowed");
    assert_eq!(folder.names(), [""; 0]);
}
