//! The numbering and its kernel against the plain calls, over whole small universes.

use std::collections::HashMap;

use koma_games::{Plain, Portable, RankedUniverse, Start, Terminal, Universe, Value};

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

#[test]
fn every_rank_has_its_position() {
    for name in SMALL {
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
    for name in SMALL {
        let universe: RankedUniverse = name.parse().unwrap();
        let mut edges: HashMap<(u64, u64), i32> = HashMap::new();
        for rank in 0..universe.len() {
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
    for name in SMALL {
        let universe: RankedUniverse = name.parse().unwrap();
        let win_in_one = Some(Terminal::Decided(Value::Win(1)));
        let mut owner: HashMap<u64, usize> = HashMap::new();
        for (unit, segments) in universe.units().into_iter().enumerate() {
            for segment in segments {
                let koma_games::Segment { first, len } = universe.segment(segment);
                // Every rank that is no win in one; those are never expanded.
                let offsets: Vec<u32> = (0..len)
                    .filter(|&offset| universe.terminal(first + u64::from(offset)) != win_in_one)
                    .collect();
                let (mut fast, mut plain) = (Vec::new(), Vec::new());
                universe.expand(Portable, segment, &offsets, &mut fast);
                for &offset in &offsets {
                    Plain(&universe)
                        .predecessors(first + u64::from(offset), |before| plain.push(before));
                }
                for &target in &fast {
                    assert_eq!(*owner.entry(target).or_insert(unit), unit, "{name}");
                }
                for list in [&mut fast, &mut plain] {
                    list.retain(|&rank| universe.terminal(rank) != win_in_one);
                    list.sort_unstable();
                }
                assert_eq!(fast, plain, "{name} segment {segment}");
            }
        }
    }
}

#[test]
fn units_of_a_round_lead_to_different_ranks() {
    for name in SMALL {
        let universe: RankedUniverse = name.parse().unwrap();
        let mut seen = vec![0; universe.segments() as usize];
        for units in universe.rounds() {
            let mut owner: HashMap<u64, usize> = HashMap::new();
            for (unit, segments) in units.into_iter().enumerate() {
                for segment in segments {
                    seen[segment as usize] += 1;
                    let offsets: Vec<u32> = (0..universe.segment(segment).len).collect();
                    let mut targets = Vec::new();
                    universe.expand(Portable, segment, &offsets, &mut targets);
                    for target in targets {
                        assert_eq!(*owner.entry(target).or_insert(unit), unit, "{name}");
                    }
                }
            }
        }
        assert!(seen.iter().all(|&times| times == 1), "{name}");
    }
}
