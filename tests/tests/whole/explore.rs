//! The positions that play leads to: small ones against plain search move by move, those of the
//! whole game against the published counts.

use std::collections::{BTreeMap, HashSet};

use koma_games::{
    Color, CompleteUniverse, Convention, EndReason, Explorable, Game, Position, RankedUniverse,
    Reached, Universe, Value, one,
};
use koma_solver::{Explored, NoProgress, Settings, Solution, explore, solve};
use koma_tests::random::Random;
use koma_tests::small_sets::small_sets;
use koma_tests::{oracle, parallel};

const CONVENTIONS: [Convention; 2] = [Convention::Rules, Convention::Tanaka];

fn one_thread() -> Settings {
    Settings {
        threads: Some(1),
        ..Settings::default()
    }
}

/// What plain search finds: positions with sente to move, and the mirror image of each.
struct Found {
    positions: HashSet<Position>,
    counts: Reached,
}

/// Whether the side to move can try safely.
fn can_try(game: &Game, position: &Position) -> bool {
    let mut tries = false;
    game.for_each_move(position, |mv| {
        let end = game.end(&game.play(position, mv));
        tries |= end.is_some_and(|end| {
            end.reason == EndReason::Try && end.winner == position.side()
        });
    });
    tries
}

fn search(game: &Game, convention: Convention, roots: &[Position]) -> Found {
    let images = |position: &Position| {
        let position = match position.side() {
            Color::Sente => *position,
            Color::Gote => game.rotated(position),
        };
        [position, game.mirrored(&position)]
    };
    let mut positions = HashSet::new();
    let mut waiting = Vec::new();
    for position in roots.iter().flat_map(images) {
        if positions.insert(position) {
            waiting.push(position);
        }
    }
    // Twice the counts: of a position and its mirror image both are counted, a self-image twice.
    let mut twice = Reached::default();
    while let Some(position) = waiting.pop() {
        let [_, mirrored] = images(&position);
        let weight = if mirrored == position { 2 } else { 1 };
        let other_royal = position.royal(Color::Gote).expect("both royals");
        let tried = game.options().try_wins && game.far_rank(Color::Gote, 0) & one(other_royal) != 0;
        if game.can_take_royal(&position) {
            twice.catches += weight;
        } else if tried {
            twice.tried += weight;
        } else if convention == Convention::Rules && can_try(game, &position) {
            twice.tries += weight;
        } else {
            twice.open += weight;
            game.for_each_move(&position, |mv| {
                twice.moves += weight;
                for child in images(&game.play(&position, mv)) {
                    if positions.insert(child) {
                        waiting.push(child);
                    }
                }
            });
        }
    }
    let counts = twice.zip(Reached::default(), |twice, _| twice / 2);
    Found { positions, counts }
}

/// Values of reached ranks are those of the whole universe; all other ranks are holes.
fn values_agree(universe: &RankedUniverse, whole: &Solution, explored: &Explored) -> Solution {
    let reached = explored.universe(universe);
    let solution = solve(&reached, &one_thread(), &NoProgress).expect("a solution");
    for rank in 0..universe.len() {
        let expected = if explored.ranks().contains(rank) {
            whole.value(rank)
        } else {
            None
        };
        assert_eq!(solution.value(rank), expected, "{universe}: rank {rank}");
    }
    solution
}

#[test]
fn small_explorations_agree_with_plain_search() {
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let whole = solve(&universe, &one_thread(), &NoProgress).expect("a solution");
        let mut random = Random::new(universe.len());
        for convention in CONVENTIONS {
            let space = CompleteUniverse::new(universe.clone(), convention);
            // One root, then two.
            for count in [1, 2] {
                let roots: Vec<Position> = (0..count)
                    .map(|_| universe.unrank(random.below(universe.len())))
                    .collect();
                let found = search(universe.game(), convention, &roots);
                let ranks: Vec<u64> = roots.iter().filter_map(|root| space.rank(root)).collect();
                let explored =
                    explore(&space, &ranks, &one_thread(), &NoProgress).expect("enough memory");
                assert_eq!(explored.counts(), found.counts, "{set}: {convention:?}");
                let expected: HashSet<u64> = found
                    .positions
                    .iter()
                    .map(|position| space.rank(position).expect("play leads to no other"))
                    .collect();
                for rank in 0..Explorable::len(&space) {
                    let reached = explored.ranks().contains(rank);
                    assert_eq!(reached, expected.contains(&rank), "{set}: rank {rank}");
                }
                let solution = values_agree(&universe, &whole, &explored);
                let counts = explored.counts_by_plies(&solution.census().positions);
                assert_eq!(counts.total(), found.counts.positions());
            }
        }
    });
}

/// Ranks and positions of complete universes.
#[test]
fn complete_ranks_have_positions() {
    parallel::for_each(small_sets(), |set| {
        let space = CompleteUniverse::new(set.universe(), Convention::Rules);
        let game = space.ranked().game();
        for rank in 0..Explorable::len(&space) {
            let position = space.unrank(rank);
            assert_eq!(space.rank(&position), Some(rank), "{set}");
            assert_eq!(space.rank(&game.rotated(&position)), Some(rank), "{set}");
            let mirrored = space.mirrored(rank);
            assert_eq!(space.rank(&game.mirrored(&position)), Some(mirrored), "{set}");
            if rank >= space.ranked().len() {
                assert!(
                    game.can_take_royal(&position)
                        || game.end(&position).is_some_and(|end| end.winner == Color::Gote),
                    "{set}: {} is not decided",
                    game.sfen(&position)
                );
            }
        }
    });
}
