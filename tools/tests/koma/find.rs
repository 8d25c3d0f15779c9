//! `koma find`, against a look at every position of a small game.

use std::collections::BTreeSet;

use koma_games::{Color, Game, Position, RankedUniverse, Universe};
use serde_json::Value;

use crate::support::Folder;

const GAME: &str = "dobutsu@3x3:gec";

/// Every distinct position with its value as `koma query` gives it, by SFEN.
fn positions(folder: &Folder) -> Vec<(Position, Value)> {
    let universe: RankedUniverse = GAME.parse().unwrap();
    let game = universe.game();
    let mut seen = BTreeSet::new();
    let mut positions = Vec::new();
    let mut input = String::new();
    for rank in 0..universe.len() {
        let position = universe.unrank(rank);
        if seen.contains(&game.sfen(&game.mirrored(&position))) {
            continue;
        }
        seen.insert(game.sfen(&position));
        input.push_str(&game.sfen(&position));
        input.push('\n');
        positions.push(position);
    }
    let answers = folder.koma_reading(&["query", GAME, "--stdin"], input.as_bytes());
    let answers = answers.expect(0).out;
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    positions.into_iter().zip(answers).collect()
}

/// The positions, of sente to move, that gote would lose if it were to move instead.
fn lost_after_passing(folder: &Folder, positions: &[(Position, Value)]) -> BTreeSet<String> {
    let game: Game = "dobutsu@3x3".parse().unwrap();
    let passed = |position: &Position| game.sfen(&position.with_side(Color::Gote));
    let input: Vec<String> = positions
        .iter()
        .map(|(position, _)| passed(position))
        .collect();
    let answers = folder.koma_reading(&["query", GAME, "--stdin"], input.join("\n").as_bytes());
    let answers = answers.expect(0).out;
    let lost = |line: &str| {
        let answer: Value = serde_json::from_str(line).unwrap();
        answer["category"] == "loss"
    };
    positions
        .iter()
        .zip(answers.lines())
        .filter(|(_, line)| lost(line))
        .map(|((position, _), _)| game.sfen(position))
        .collect()
}

/// What `koma find` with these options shows, and says it counts.
fn found(folder: &Folder, options: &[&str]) -> BTreeSet<String> {
    let find = |more: &[&str]| {
        let arguments = [&["find", GAME], options, more].concat();
        folder.koma(arguments).expect(0).out
    };
    let lines: Vec<String> = find(&[]).lines().map(str::to_owned).collect();
    let set: BTreeSet<String> = lines.iter().cloned().collect();
    assert_eq!(set.len(), lines.len(), "{options:?} shows a position twice");
    assert_eq!(
        find(&["--count"]),
        format!("{}\n", set.len()),
        "{options:?}"
    );
    set
}

fn hand(game: &Game, position: &Position, color: Color, letters: &str) -> bool {
    (1u8..).zip(&game.kinds()[1..]).all(|(kind, data)| {
        let wanted = letters
            .chars()
            .filter(|&letter| letter == data.letter)
            .count();
        usize::from(position.hand(color, kind)) >= wanted
    })
}

/// How many of an answer's moves keep its value.
fn keeping(answer: &Value) -> usize {
    let kept = match answer["category"].as_str().unwrap() {
        "win" => "loss",
        "loss" => "win",
        other => other,
    };
    let moves = answer["moves"].as_array().unwrap();
    moves
        .iter()
        .filter(|after| after["category"] == kept)
        .count()
}

#[test]
fn every_property_finds_what_a_look_at_all_positions_finds() {
    let folder = Folder::with(&[GAME]);
    let game: Game = "dobutsu@3x3".parse().unwrap();
    let all = positions(&folder);
    let lost_after_passing = lost_after_passing(&folder, &all);
    type Test<'a> = &'a dyn Fn(&Position, &Value) -> bool;
    let cases: [(&[&str], Test); 10] = [
        (&["--value", "draw"], &|_, answer| {
            answer["category"] == "draw"
        }),
        (&["--plies", "7"], &|_, answer| answer["dtm"] == 7),
        (&["--plies", "10..", "--value", "loss"], &|_, answer| {
            answer["dtm"].as_i64().is_some_and(|dtm| dtm <= -10)
        }),
        (&["--hands", "2"], &|position, _| {
            let in_hands = |color| (1..4).map(|kind| position.hand(color, kind)).sum::<u8>();
            in_hands(Color::Sente) + in_hands(Color::Gote) == 2
        }),
        (&["--hand", "ge"], &|position, _| {
            hand(&game, position, Color::Sente, "GE")
        }),
        (
            &["--other-hand", "C", "--value", "win"],
            &|position, answer| {
                hand(&game, position, Color::Gote, "C") && answer["category"] == "win"
            },
        ),
        (&["--board", "Hg"], &|position, _| {
            let board = game.sfen(position);
            let board = board.split(' ').next().unwrap();
            board.contains('H') && board.contains('g')
        }),
        (&["--check", "--value", "draw"], &|position, answer| {
            answer["category"] == "draw" && game.can_take_royal(&position.with_side(Color::Gote))
        }),
        (&["--only-move", "--plies", "9"], &|_, answer| {
            answer["dtm"] == 9 && keeping(answer) == 1
        }),
        (&["--zugzwang"], &|position, answer| {
            answer["category"] == "loss" && lost_after_passing.contains(&game.sfen(position))
        }),
    ];
    for (options, test) in cases {
        // Of a position and its image either may be shown.
        let key =
            |position: &Position| game.sfen(position).min(game.sfen(&game.mirrored(position)));
        let expected: BTreeSet<String> = all
            .iter()
            .filter(|(position, answer)| test(position, answer))
            .map(|(position, _)| key(position))
            .collect();
        let found: BTreeSet<String> = found(&folder, options)
            .iter()
            .map(|sfen| key(&game.parse_position(sfen).unwrap()))
            .collect();
        assert!(!expected.is_empty(), "{options:?}");
        assert_eq!(found, expected, "{options:?}");
    }
}

#[test]
fn samples_and_limits_are_parts_of_the_whole() {
    let folder = Folder::with(&[GAME]);
    let whole = found(&folder, &["--value", "loss"]);
    let find = |options: &[&str]| {
        let arguments = [&["find", GAME, "--value", "loss"], options].concat();
        let lines = folder.koma(arguments).expect(0).out;
        lines.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let sample = find(&["--sample", "20", "--seed", "3"]);
    assert_eq!(sample.len(), 20);
    assert!(sample.iter().all(|sfen| whole.contains(sfen)));
    assert_eq!(
        sample,
        find(&["--sample", "20", "--seed", "3", "--threads", "1"])
    );
    assert_ne!(sample, find(&["--sample", "20", "--seed", "4"]));
    assert_eq!(find(&["--limit", "7"]).len(), 7);
    assert_eq!(find(&["--sample", "99999999"]).len(), whole.len());
}

#[test]
fn json_lines_carry_the_value() {
    let folder = Folder::with(&[GAME]);
    let out = folder
        .koma(["find", GAME, "--plies", "25", "--json"])
        .expect(0)
        .out;
    for line in out.lines() {
        let found: Value = serde_json::from_str(line).unwrap();
        let position = found["position"].as_str().unwrap();
        let answer = folder.json(&["query", GAME, position, "--json"]);
        assert_eq!(found["category"], answer["category"]);
        assert_eq!(found["dtm"], answer["dtm"]);
        assert_eq!(found["dtm"], 25);
        assert_eq!(found["game"], "dobutsu@3x3:egc");
    }
    let counted = folder.json(&["find", GAME, "--plies", "25", "--json", "--count"]);
    assert_eq!(counted["count"], out.lines().count() as u64);
}

#[test]
fn bad_properties_are_refused_by_name() {
    let folder = Folder::with(&[GAME]);
    for (options, name) in [
        (["--hand", "X"], "--hand X"),
        (["--board", "G+"], "--board G+"),
        (["--board", "+G"], "--board +G"),
        (["--plies", "9..3"], "empty"),
        (["--plies", "x"], "no number"),
    ] {
        folder
            .koma([&["find", GAME], &options[..]].concat())
            .expect(2)
            .complains(name);
    }
    folder.koma(["find", GAME, "--plies", "99"]).expect(1);
}
