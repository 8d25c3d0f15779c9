//! `koma find`, against a look at every position of a small game.

use std::collections::{BTreeSet, HashMap};

use koma_games::{Color, EndReason, Game, Position, RankedUniverse, Terminal, Universe};
use serde_json::Value;

use crate::support::Folder;

const GAME: &str = "dobutsu@3x3:gec";

/// Every distinct position with its value as `koma query` gives it, by SFEN.
fn positions(folder: &Folder, name: &str) -> Vec<(Position, Value)> {
    let universe: RankedUniverse = name.parse().unwrap();
    let game = universe.game();
    let mut seen = BTreeSet::new();
    let mut positions = Vec::new();
    let mut input = String::new();
    for rank in 0..universe.len() {
        if universe.terminal(rank) == Some(Terminal::Hole) {
            continue;
        }
        let position = universe.unrank(rank);
        if seen.contains(&game.sfen(&game.mirrored(&position))) {
            continue;
        }
        seen.insert(game.sfen(&position));
        input.push_str(&game.sfen(&position));
        input.push('\n');
        positions.push(position);
    }
    let answers = folder.koma_reading(&["query", name, "--stdin"], input.as_bytes());
    let answers = answers.expect(0).out;
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    positions.into_iter().zip(answers).collect()
}

/// The positions, of sente to move, that gote would lose if it were to move instead.
fn lost_after_passing(
    folder: &Folder,
    name: &str,
    positions: &[(Position, Value)],
) -> BTreeSet<String> {
    let universe: RankedUniverse = name.parse().unwrap();
    let game = universe.game();
    let passed = |position: &Position| game.sfen(&position.with_side(Color::Gote));
    let input: Vec<String> = positions
        .iter()
        .map(|(position, _)| passed(position))
        .collect();
    let answers = folder.koma_reading(&["query", name, "--stdin"], input.join("\n").as_bytes());
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
fn found(folder: &Folder, name: &str, options: &[&str]) -> BTreeSet<String> {
    let find = |more: &[&str]| {
        let arguments = [&["find", name], options, more].concat();
        let run = folder.koma(arguments);
        assert!(matches!(run.code, Some(0 | 1)), "{options:?}: {run:?}");
        run.out
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

/// How many pieces of each kind a color owns, the letters sorted: `CEG`, a hen as `C`.
fn owned(game: &Game, position: &Position, color: Color) -> String {
    let mut letters = Vec::new();
    for (kind, data) in (1u8..).zip(&game.kinds()[1..]) {
        let on_board = (0..game.board().len()).filter_map(|square| position.piece(square));
        let count = on_board
            .filter(|piece| piece.color == color && piece.kind == kind)
            .count();
        let count = count + usize::from(position.hand(color, kind));
        letters.extend(std::iter::repeat_n(data.letter, count));
    }
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// How many pieces look like that on the board.
fn on_board(game: &Game, position: &Position, letter: char) -> usize {
    let sfen = game.sfen(position);
    sfen.split(' ').next().unwrap().matches(letter).count()
}

/// Whether the side to move can take the lion or try safely.
fn wins_at_once(game: &Game, position: &Position) -> bool {
    let mut wins = game.can_take_royal(position);
    game.for_each_move(position, |mv| {
        let end = game.end(&game.play(position, mv));
        wins |=
            end.is_some_and(|end| end.winner == position.side() && end.reason == EndReason::Try);
    });
    wins
}

/// The lengths of wins by threats alone, by the definition: look again and again which positions have
/// a threatening move after which every reply leads to a shorter one. Wins at once have 1.
fn tsume(game: &Game, positions: &[(Position, Value)]) -> HashMap<Position, u32> {
    let sente = |position: &Position| match position.side() {
        Color::Sente => *position,
        Color::Gote => game.rotated(position),
    };
    let mut lengths = HashMap::new();
    for length in (1..).step_by(2) {
        let mut found = Vec::new();
        for (position, _) in positions {
            if lengths.contains_key(position) {
                continue;
            }
            let mut wins = length == 1 && wins_at_once(game, position);
            game.for_each_move(position, |mv| {
                let after = game.play(position, mv);
                let passed = after.with_side(position.side());
                if length == 1 || !wins_at_once(game, &passed) || game.end(&after).is_some() {
                    return;
                }
                let mut answered = wins_at_once(game, &after);
                game.for_each_move(&after, |reply| {
                    let next = sente(&game.play(&after, reply));
                    answered |= !lengths.contains_key(&next) && !wins_at_once(game, &next);
                });
                wins |= !answered;
            });
            if wins {
                found.push(*position);
            }
        }
        if found.is_empty() {
            break;
        }
        for position in found {
            lengths.insert(position, length);
            lengths.insert(game.mirrored(&position), length);
        }
    }
    lengths
}

#[test]
fn every_property_finds_what_a_look_at_all_positions_finds() {
    let names = [
        GAME,
        "dobutsu@3x3:no-drops:egc",
        "dobutsu@4x3:no-try:gc",
        "dobutsu:cc",
    ];
    let folder = Folder::with(&names);
    // What some of the games have not.
    let mut missed = BTreeSet::new();
    for name in names {
        let universe: RankedUniverse = name.parse().unwrap();
        let game = universe.game();
        let all = positions(&folder, name);
        let lost_after_passing = lost_after_passing(&folder, name, &all);
        let lengths = tsume(game, &all);
        let length = |position: &Position| lengths.get(position).copied().unwrap_or(0);
        type Test<'a> = &'a dyn Fn(&Position, &Value) -> bool;
        let cases: &[(&[&str], Test)] = &[
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
            (&["--hands", "0", "--check"], &|position, _| {
                let empty = |color| (1..4).all(|kind| position.hand(color, kind) == 0);
                Color::BOTH.into_iter().all(empty)
                    && game.can_take_royal(&position.with_side(Color::Gote))
            }),
            (&["--hand", "gc"], &|position, _| {
                hand(game, position, Color::Sente, "GC")
            }),
            (
                &["--other-hand", "C", "--value", "win"],
                &|position, answer| {
                    hand(game, position, Color::Gote, "C") && answer["category"] == "win"
                },
            ),
            (&["--board", "Hg"], &|position, _| {
                on_board(game, position, 'H') > 0 && on_board(game, position, 'g') > 0
            }),
            (&["--board", "+cL", "--hand", "C"], &|position, _| {
                on_board(game, position, 'h') > 0 && hand(game, position, Color::Sente, "C")
            }),
            (&["--board", "CC"], &|position, _| {
                on_board(game, position, 'C') == 2
            }),
            (&["--material", "C"], &|position, _| {
                owned(game, position, Color::Sente) == "C"
            }),
            (
                &["--material", "", "--value", "draw"],
                &|position, answer| {
                    owned(game, position, Color::Sente).is_empty() && answer["category"] == "draw"
                },
            ),
            (&["--material", "gcVe"], &|position, _| {
                owned(game, position, Color::Sente) == "CG"
                    && owned(game, position, Color::Gote) == "E"
            }),
            (&["--material", "CvC"], &|position, _| {
                Color::BOTH.map(|color| owned(game, position, color)) == ["C", "C"]
            }),
            (&["--material", "gcv", "--board", "G"], &|position, _| {
                owned(game, position, Color::Sente) == "CG"
                    && owned(game, position, Color::Gote).is_empty()
                    && on_board(game, position, 'G') == 1
            }),
            (&["--check", "--value", "draw"], &|position, answer| {
                answer["category"] == "draw"
                    && game.can_take_royal(&position.with_side(Color::Gote))
            }),
            (&["--only-move"], &|_, answer| keeping(answer) == 1),
            (&["--only-move", "--plies", "9"], &|_, answer| {
                answer["dtm"] == 9 && keeping(answer) == 1
            }),
            (&["--zugzwang"], &|position, answer| {
                answer["category"] == "loss" && lost_after_passing.contains(&game.sfen(position))
            }),
            (&["--tsume", "3"], &|position, _| length(position) == 3),
            (&["--tsume", "..7"], &|position, _| {
                (3..=7).contains(&length(position))
            }),
            (
                &["--tsume", "5..", "--plies", "5", "--only-move"],
                &|position, answer| {
                    length(position) >= 5 && answer["dtm"] == 5 && keeping(answer) == 1
                },
            ),
        ];
        for &(options, test) in cases {
            // Of a position and its image either may be shown.
            let key =
                |position: &Position| game.sfen(position).min(game.sfen(&game.mirrored(position)));
            let expected: BTreeSet<String> = all
                .iter()
                .filter(|(position, answer)| test(position, answer))
                .map(|(position, _)| key(position))
                .collect();
            let first = folder.koma([&["find", name], options, &["--limit", "1"]].concat());
            if first.code == Some(2) {
                // More pieces than the game has, or fewer where none leaves it.
                assert!(expected.is_empty(), "{name} {options:?}");
                missed.insert((options, name));
                continue;
            }
            let found: BTreeSet<String> = found(&folder, name, options)
                .iter()
                .map(|sfen| key(&game.parse_position(sfen).unwrap()))
                .collect();
            assert_eq!(found, expected, "{name} {options:?}");
            if expected.is_empty() {
                missed.insert((options, name));
            }
        }
    }
    let always_missed = |options: &[&str]| {
        let games = missed.iter().filter(|(missed, _)| *missed == options);
        games.count() == names.len()
    };
    assert!(
        !missed.iter().any(|(options, _)| always_missed(options)),
        "{missed:?}"
    );
}

/// Where check must be met, placements that are no positions are not found, and a mate is 0 plies away.
#[test]
fn sets_of_minishogi_are_searched() {
    let name = "minishogi:repetition=draw:g";
    let folder = Folder::with(&[name]);
    let universe: RankedUniverse = name.parse().unwrap();
    let game = universe.game();
    let all = positions(&folder, name);
    type Test<'a> = &'a dyn Fn(&Position, &Value) -> bool;
    let cases: &[(&[&str], Test)] = &[
        (&["--value", "win"], &|_, answer| {
            answer["category"] == "win"
        }),
        (&["--plies", "0"], &|_, answer| answer["dtm"] == 0),
        (&["--hand", "G"], &|position, _| {
            hand(game, position, Color::Sente, "G")
        }),
        (&["--check", "--material", ""], &|position, _| {
            game.in_check(position) && owned(game, position, Color::Gote) == "G"
        }),
        (&["--only-move"], &|_, answer| keeping(answer) == 1),
    ];
    // Of a position and its image either may be shown.
    let key = |position: &Position| game.sfen(position).min(game.sfen(&game.mirrored(position)));
    for &(options, test) in cases {
        let fitting = all
            .iter()
            .filter(|(position, answer)| test(position, answer));
        let expected: BTreeSet<String> = fitting.map(|(position, _)| key(position)).collect();
        let found: BTreeSet<String> = found(&folder, name, options)
            .iter()
            .map(|sfen| key(&game.parse_position(sfen).unwrap()))
            .collect();
        assert!(!found.is_empty(), "{options:?}");
        assert_eq!(found, expected, "{options:?}");
    }
    folder
        .koma(["find", name, "--tsume", "3"])
        .expect(2)
        .complains("the tsume of minishogi are not searched");
}

#[test]
fn there_are_as_many_tsume_of_each_length_as_stats_counts() {
    let names = [GAME, "dobutsu@3x3:no-drops:ecc", "dobutsu@3x3:no-try:gc"];
    let folder = Folder::with(&names);
    for name in names {
        let stats = folder.json(&["stats", name, "--json"]);
        let stats: Vec<(u64, u64)> = serde_json::from_value(stats["all"]["tsume"].clone()).unwrap();
        assert!(!stats.is_empty());
        let count = |lengths: &str| {
            let arguments = ["find", name, "--tsume", lengths, "--count"];
            let run = folder.koma(arguments);
            run.out.trim().parse::<u64>().unwrap()
        };
        let longest = stats.iter().map(|&(plies, _)| plies).max().unwrap();
        for plies in (3..=longest + 2).step_by(2) {
            let expected = stats
                .iter()
                .find(|row| row.0 == plies)
                .map_or(0, |row| row.1);
            assert_eq!(count(&plies.to_string()), expected, "{name}: {plies}");
        }
        assert_eq!(
            count(".."),
            stats.iter().map(|row| row.1).sum::<u64>(),
            "{name}"
        );
    }
}

#[test]
fn samples_and_limits_are_parts_of_the_whole() {
    let folder = Folder::with(&[GAME]);
    let whole = found(&folder, GAME, &["--value", "loss"]);
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
fn json_says_how_long_a_tsume_is() {
    let folder = Folder::with(&[GAME]);
    let find = ["find", GAME, "--json", "--limit", "50"];
    let out = folder
        .koma([&find[..], &["--tsume", "5..7"]].concat())
        .expect(0)
        .out;
    for line in out.lines() {
        let found: Value = serde_json::from_str(line).unwrap();
        let [dtm, tsume] = ["dtm", "tsume"].map(|key| found[key].as_i64().unwrap());
        assert!(matches!(tsume, 5 | 7) && dtm <= tsume, "{line}");
    }
    let line = folder.koma(find).expect(0).out;
    assert!(!line.contains("tsume"), "{line}");
}

#[test]
fn bad_properties_are_refused_by_name() {
    let folder = Folder::with(&[GAME]);
    let chicks = "C".repeat(300);
    for (options, name) in [
        (["--hand", "X"], "--hand X"),
        (["--hand", "H"], "--hand H"),
        (["--hand", "L"], "none of the letters EGC"),
        (["--hand", &chicks], "no more than 1 pieces `C`"),
        (["--board", "G+"], "--board G+"),
        (["--board", "+G"], "--board +G"),
        (["--board", "ち"], "`ち`"),
        (["--board", "Cc"], "no more than 1"),
        (["--material", "GH"], "--material GH"),
        (["--material", "GvEvC"], "`v`"),
        (["--material", "GvE"], "some are missing"),
        (["--material", "GCvEC"], "no more than 1"),
        (["--plies", "9..3"], "empty"),
        (["--plies", "x"], "no number"),
        (["--hands", "256"], "256"),
        (["--tsume", "x"], "no number"),
        (["--tsume", "1"], "3 at least"),
        (["--tsume", "4"], "odd"),
        (["--tsume", "..2"], "odd"),
    ] {
        folder
            .koma([&["find", GAME], &options[..]].concat())
            .expect(2)
            .complains(name);
    }
    folder
        .koma(["find", "dobutsu:gc/reachable"])
        .expect(2)
        .complains("name the whole, `dobutsu:gc`");
    folder.koma(["find", GAME, "--plies", "99"]).expect(1);
    folder.koma(["find", GAME, "--hands", "9"]).expect(1);
    folder.koma(["find", GAME, "--tsume", "99"]).expect(1);
    let all_in_hand = ["--hand", "C", "--other-hand", "C"];
    folder
        .koma([&["find", GAME], &all_in_hand[..]].concat())
        .expect(2)
        .complains("dobutsu@3x3:egc has no more");
}

#[test]
fn distances_and_tsume_need_a_table_with_distances() {
    let folder = Folder::new();
    folder.koma(["solve", GAME, "--kind", "wdl"]).expect(0);
    for option in ["--plies", "--tsume"] {
        folder
            .koma(["find", GAME, option, "5"])
            .expect(2)
            .complains("knows no distances");
    }
    // What needs none is found all the same.
    let whole = Folder::with(&[GAME]);
    for options in [
        &["--only-move", "--value", "win"][..],
        &["--zugzwang"],
        &["--check", "--hand", "G"],
    ] {
        assert_eq!(
            found(&folder, GAME, options),
            found(&whole, GAME, options),
            "{options:?}"
        );
    }
}

#[test]
fn tsume_take_no_more_memory_than_they_may() {
    let folder = Folder::with(&[GAME]);
    let find = ["find", GAME, "--tsume", "5", "--count"];
    folder
        .koma([&find[..], &["--memory", "1K"]].concat())
        .expect(3)
        .complains("--memory");
    folder
        .koma([&find[..], &["--memory", "1G", "--threads", "1"]].concat())
        .expect(0)
        .complains("of memory needed");
}
