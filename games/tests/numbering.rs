//! The numbering and its kernel against the plain calls, over whole small universes.

use std::collections::HashMap;
use std::ops::Range;

use koma_games::rules::Options;
use koma_games::{
    Game, Material, Plain, Portable, RankedUniverse, Start, Terminal, Universe, UniverseError,
    Value,
};

/// Boards, options and sets small enough for every rank to be looked at.
const SMALL: [&str; 20] = [
    "dobutsu@3x3:gc",
    "dobutsu@3x3:ec",
    "dobutsu@3x3:cc",
    "dobutsu@3x3:gec",
    "dobutsu@3x3:no-try:gc",
    "dobutsu@3x3:no-try:cc",
    "dobutsu@3x3:no-drops:gec",
    "dobutsu@3x3:no-drops:ccg",
    "dobutsu@3x3:no-try,no-drops:ecc",
    "dobutsu@3x3:no-last-rank-chick-drop:cc",
    "dobutsu@3x3:no-try,no-last-rank-chick-drop:gc",
    "dobutsu:g",
    "dobutsu:c",
    "dobutsu:ec",
    "dobutsu:cc",
    "dobutsu:no-try:gc",
    "dobutsu:no-drops:gec",
    "dobutsu@4x3:ec",
    "dobutsu@4x4:c",
    "dobutsu@5x3:gc",
];

/// The same where check must be met.
const SMALL_LEGAL: [&str; 9] = [
    "minishogi:",
    "minishogi:g",
    "minishogi:s",
    "minishogi:p",
    "minishogi:b",
    "minishogi:r",
    "gorogoro:",
    "gorogoro:s",
    "gorogoro:p",
];

/// Larger ones, of which some ranks are looked at.
const LARGER_LEGAL: [&str; 9] = [
    "minishogi:gp",
    "minishogi:pp",
    "minishogi:rb",
    "minishogi:bp",
    "minishogi:ss",
    "minishogi:rspp",
    "gorogoro:pp",
    "gorogoro:gsp",
    "gorogoro:gspp",
];

#[test]
fn every_rank_has_its_position() {
    for name in SMALL.into_iter().chain(SMALL_LEGAL) {
        let universe: RankedUniverse = name.parse().unwrap();
        for rank in 0..universe.len() {
            let position = universe.unrank(rank);
            assert_eq!(universe.rank(&position), Some(rank), "{name} {rank}");
            let turned = universe.game().rotated(&position);
            assert_eq!(universe.rank(&turned), Some(rank), "{name} {rank}");
        }
    }
}

#[test]
fn successors_and_predecessors_are_converse() {
    for name in SMALL.into_iter().chain(SMALL_LEGAL) {
        let universe: RankedUniverse = name.parse().unwrap();
        let mut edges: HashMap<(u64, u64), i32> = HashMap::new();
        for rank in 0..universe.len() {
            if universe.terminal(rank) == Some(Terminal::Hole) {
                continue;
            }
            universe.successors(rank, |after| *edges.entry((rank, after)).or_default() += 1);
        }
        assert!(!edges.is_empty(), "{name}");
        for rank in 0..universe.len() {
            universe.predecessors(rank, |before| {
                *edges.entry((before, rank)).or_default() -= 1;
            });
        }
        let wrong = edges.iter().find(|&(_, &count)| count != 0);
        assert_eq!(wrong, None, "{name}");
    }
}

/// Every edge at some ranks is found from its other end, as often.
#[test]
fn successors_and_predecessors_of_some_ranks_are_converse() {
    let count = |ranks: &[u64], wanted| ranks.iter().filter(|&&rank| rank == wanted).count();
    for name in LARGER_LEGAL {
        let universe: RankedUniverse = name.parse().unwrap();
        let after = |rank| {
            let mut found = Vec::new();
            universe.successors(rank, |after| found.push(after));
            found
        };
        let before = |rank| {
            let mut found = Vec::new();
            universe.predecessors(rank, |before| found.push(before));
            found
        };
        let mut edges = [0; 2];
        // An odd step meets all files of the royals.
        let step = (universe.len() as usize / 1_000) | 1;
        for rank in (0..universe.len()).step_by(step) {
            if universe.terminal(rank) == Some(Terminal::Hole) {
                assert_eq!(before(rank), []);
                continue;
            }
            let (forward, backward) = (after(rank), before(rank));
            for &other in &forward {
                assert_eq!(
                    count(&forward, other),
                    count(&before(other), rank),
                    "{name}"
                );
                assert_ne!(universe.terminal(other), Some(Terminal::Hole), "{name}");
            }
            for &other in &backward {
                assert_eq!(
                    count(&backward, other),
                    count(&after(other), rank),
                    "{name}"
                );
                assert_ne!(universe.terminal(other), Some(Terminal::Hole), "{name}");
            }
            edges[0] += forward.len();
            edges[1] += backward.len();
        }
        assert!(
            edges.iter().all(|&edges| edges > 1_000),
            "{name}: {edges:?}"
        );
    }
}

/// Options that no name spells must not be numbered by rules of another game.
#[test]
fn games_without_a_kernel_of_their_own_are_refused() {
    for (name, change) in [
        (
            "minishogi",
            (|options| options.exposure = true) as fn(&mut Options),
        ),
        ("gorogoro", |options| options.exposure = true),
        ("gorogoro", |options| options.try_wins = true),
        ("dobutsu", |options| options.exposure = false),
    ] {
        let game: Game = name.parse().unwrap();
        let mut options = game.options();
        change(&mut options);
        let game = Game::new(game.family(), game.board(), options).unwrap();
        let material = Material::from_letters(&game, "").unwrap();
        let error = RankedUniverse::new(game, material).unwrap_err();
        assert!(
            matches!(error, UniverseError::Unnumbered),
            "{name}: {error}"
        );
    }
}

/// The starts of a segment, one by one.
fn starts<U: Universe>(universe: &U, segment: u32) -> Vec<Start> {
    let mut found = Vec::new();
    universe.starts(Portable, segment, |starts| {
        starts.for_each_run::<U>(|run, start| found.extend((0..run).map(|_| start)));
    });
    found
}

/// Where check must be met the starts count every move.
#[test]
fn starts_where_check_must_be_met() {
    for name in SMALL_LEGAL {
        let universe: RankedUniverse = name.parse().unwrap();
        let plain = Plain(&universe);
        let (mut found, mut expected) = (Vec::new(), Vec::new());
        for segment in 0..plain.segments() {
            expected.append(&mut starts(&plain, segment));
        }
        for segment in 0..universe.segments() {
            found.append(&mut starts(&universe, segment));
            for offset in 0..universe.segment(segment).len {
                let rank = universe.segment(segment).first + u64::from(offset);
                let (mut plain, mut fast) = (Vec::new(), Vec::new());
                let terminal = universe.terminal(rank);
                assert_eq!(
                    universe.forward(segment, offset, |rank| fast.push(rank)),
                    terminal
                );
                if terminal.is_none() {
                    universe.successors(rank, |rank| plain.push(rank));
                }
                assert_eq!(fast, plain, "{name} {rank}");
            }
        }
        assert_eq!(found, expected, "{name}");
    }
}

/// The same of some segments of larger universes.
#[test]
fn starts_of_some_segments_where_check_must_be_met() {
    for name in LARGER_LEGAL {
        let universe: RankedUniverse = name.parse().unwrap();
        // An odd step meets all pairs of royals and all classes.
        let step = (universe.segments() as usize / 60) | 1;
        for segment in (0..universe.segments()).step_by(step) {
            let first = universe.segment(segment).first;
            let found = starts(&universe, segment);
            assert_eq!(found.len(), universe.segment(segment).len as usize);
            let step = (found.len() / 2_000) | 1;
            for (rank, &start) in (first..).zip(&found).step_by(step) {
                let expected = match universe.terminal(rank) {
                    Some(Terminal::Hole) => Start::Hole,
                    Some(Terminal::Decided(value)) => Start::Decided(value),
                    None => {
                        let mut moves = 0;
                        universe.successors(rank, |_| moves += 1);
                        Start::Open(moves)
                    }
                };
                assert_eq!(start, expected, "{name} {rank}");
            }
        }
    }
}

#[test]
fn starts_are_what_the_plain_calls_say() {
    for name in SMALL {
        let universe: RankedUniverse = name.parse().unwrap();
        let win_in_one = Some(Terminal::Decided(Value::Win(1)));
        for segment in 0..universe.segments() {
            let mut rank = universe.segment(segment).first;
            let end = rank + u64::from(universe.segment(segment).len);
            let mut check = |run, start| {
                for rank in rank..rank + u64::from(run) {
                    let expected = match universe.terminal(rank) {
                        Some(Terminal::Hole) => Start::Hole,
                        Some(Terminal::Decided(value)) => Start::Decided(value),
                        None => {
                            let mut safe = 0;
                            universe.successors(rank, |after| {
                                safe += u32::from(universe.terminal(after) != win_in_one);
                            });
                            match safe {
                                0 => Start::Decided(Value::Loss(2)),
                                _ => Start::Open(safe),
                            }
                        }
                    };
                    assert_eq!(start, expected, "{name} {rank}");
                }
                rank += u64::from(run);
            };
            universe.starts(Portable, segment, |starts| {
                starts.for_each_run::<RankedUniverse>(&mut check);
            });
            assert_eq!(rank, end, "{name}");
        }
    }
}

#[test]
fn expansion_leaves_out_only_wins_in_one() {
    for name in SMALL.into_iter().chain(SMALL_LEGAL) {
        let universe: RankedUniverse = name.parse().unwrap();
        let win_in_one = Some(Terminal::Decided(Value::Win(1)));
        let mut owner: HashMap<u64, usize> = HashMap::new();
        for (unit, stretches) in universe.units().into_iter().enumerate() {
            for stretch in stretches {
                let Range { start: first, end } = universe.ranks(&stretch);
                // Ranks but holes and wins in one, which are never expanded: all, and so few that
                // positions of several pairs of royals are worked on together.
                let never = [Some(Terminal::Hole), win_in_one];
                for step in [1, 13, 131] {
                    let offsets: Vec<u32> = (0..(end - first) as u32)
                        .filter(|&offset| {
                            !never.contains(&universe.terminal(first + u64::from(offset)))
                        })
                        .step_by(step)
                        .collect();
                    let (mut fast, mut plain) = (Vec::new(), Vec::new());
                    universe.expand(Portable, &stretch, &offsets, &mut fast);
                    for &offset in &offsets {
                        let rank = first + u64::from(offset);
                        Plain(&universe).predecessors(rank, |before| plain.push(before));
                    }
                    for &target in &fast {
                        assert_eq!(*owner.entry(target).or_insert(unit), unit, "{name}");
                    }
                    for list in [&mut fast, &mut plain] {
                        list.retain(|&rank| universe.terminal(rank) != win_in_one);
                        list.sort_unstable();
                    }
                    assert_eq!(fast, plain, "{name} segments {stretch:?} by {step}");
                }
            }
        }
    }
}

/// Where check must be met nothing is left out: some segments of larger universes, in batches of
/// several sizes.
#[test]
fn expansion_of_some_segments_where_check_must_be_met() {
    for name in LARGER_LEGAL {
        let universe: RankedUniverse = name.parse().unwrap();
        let mut edges = 0;
        // Odd steps meet all pairs of royals and all classes.
        let step = (universe.segments() as usize / 60) | 1;
        for segment in (0..universe.segments()).step_by(step) {
            let koma_games::Segment { first, len } = universe.segment(segment);
            let step = (len as usize / 1_500) | 1;
            let offsets: Vec<u32> = (0..len)
                .step_by(step)
                .filter(|&offset| {
                    universe.terminal(first + u64::from(offset)) != Some(Terminal::Hole)
                })
                .collect();
            for size in [1_000, 7] {
                for offsets in offsets.chunks(size) {
                    let (mut fast, mut plain) = (Vec::new(), Vec::new());
                    universe.expand(Portable, &(segment..segment + 1), offsets, &mut fast);
                    for &offset in offsets {
                        universe
                            .predecessors(first + u64::from(offset), |before| plain.push(before));
                    }
                    fast.sort_unstable();
                    plain.sort_unstable();
                    edges += fast.len();
                    assert_eq!(fast, plain, "{name} segment {segment}");
                }
            }
        }
        assert!(edges > 10_000, "{name}: {edges}");
    }
}

#[test]
fn units_of_a_round_lead_to_different_ranks() {
    for name in SMALL.into_iter().chain(SMALL_LEGAL) {
        let universe: RankedUniverse = name.parse().unwrap();
        let mut seen = vec![0; universe.segments() as usize];
        for units in universe.rounds() {
            let mut owner: HashMap<u64, usize> = HashMap::new();
            for (unit, stretches) in units.into_iter().enumerate() {
                for stretch in stretches {
                    for segment in stretch.clone() {
                        seen[segment as usize] += 1;
                    }
                    let ranks = universe.ranks(&stretch);
                    let offsets: Vec<u32> = (0..(ranks.end - ranks.start) as u32)
                        .filter(|&offset| {
                            let rank = ranks.start + u64::from(offset);
                            universe.terminal(rank) != Some(Terminal::Hole)
                        })
                        .collect();
                    let mut targets = Vec::new();
                    universe.expand(Portable, &stretch, &offsets, &mut targets);
                    for target in targets {
                        assert_eq!(*owner.entry(target).or_insert(unit), unit, "{name}");
                    }
                }
            }
        }
        assert!(seen.iter().all(|&times| times == 1), "{name}");
    }
}
