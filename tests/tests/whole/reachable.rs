//! The positions that play from the start can lead to, by value and distance.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

use koma_games::{RankedUniverse, Universe, Value};
use koma_solver::{NoProgress, Settings, Solution, solve};
use koma_tests::{oracle, parallel};

/// A set of ranks.
struct Ranks(Vec<AtomicU64>);

impl Ranks {
    fn new(len: u64) -> Ranks {
        Ranks((0..len.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Puts a rank in; whether it was not there.
    fn insert(&self, rank: u64) -> bool {
        let (word, bit) = (&self.0[(rank / 64) as usize], 1 << (rank % 64));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// The ranks from `first` on.
    fn within(&self, first: u64, len: u64) -> impl Iterator<Item = u64> {
        (first / 64..(first + len).div_ceil(64)).flat_map(move |index| {
            let mut word = self.0[index as usize].load(Relaxed);
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| u64::from(word.trailing_zeros()))?;
                word &= word - 1;
                Some(index * 64 + bit)
            })
            .filter(move |&rank| first <= rank && rank < first + len)
        })
    }
}

fn solved(name: &str) -> (RankedUniverse, Solution) {
    let universe: RankedUniverse = name.parse().expect("a universe");
    let solution = solve(&universe, &Settings::default(), &NoProgress).expect("a solution");
    (universe, solution)
}

/// Segments in bundles, so that threads rarely ask for more.
fn bundles(universe: &RankedUniverse) -> Vec<Vec<u32>> {
    let segments: Vec<u32> = (0..universe.segments()).collect();
    segments.chunks(256).map(<[u32]>::to_vec).collect()
}

/// The ranks reachable by Tanaka's convention, except those whose mover can take the lion. Where a
/// position and its mirror image both have ranks, both are in the set.
fn reachable(universe: &RankedUniverse, solution: &Solution) -> Ranks {
    let game = universe.game();
    let seen = Ranks::new(universe.len());
    let found = Ranks::new(universe.len());
    let start = game.start().expect("a start position");
    let start = universe.rank(&start).expect("the start has a rank");
    seen.insert(start);
    let mut open = Ranks::new(universe.len());
    open.insert(start);
    loop {
        let next = Ranks::new(universe.len());
        let more = AtomicU64::new(0);
        parallel::for_each(bundles(universe), |bundle| {
            let mut inserted = 0;
            for segment in bundle {
                let doubled = universe.is_doubled(segment);
                let segment = universe.segment(segment);
                for rank in open.within(segment.first, u64::from(segment.len)) {
                    let position = || universe.unrank(rank);
                    // Nothing but a win in one can take the lion.
                    if solution.value(rank) == Some(Value::Win(1))
                        && game.can_take_royal(&position())
                    {
                        continue;
                    }
                    found.insert(rank);
                    if doubled {
                        // What the mirror image leads to is found as mirror images of what this
                        // one leads to.
                        let mirrored = universe.rank(&game.mirrored(&position()));
                        let mirrored = mirrored.expect("a mirror image in the same segment");
                        seen.insert(mirrored);
                        found.insert(mirrored);
                    }
                    universe.successors(rank, |after| {
                        if seen.insert(after) {
                            next.insert(after);
                            inserted += 1;
                        }
                    });
                }
            }
            more.fetch_add(inserted, Relaxed);
        });
        if more.into_inner() == 0 {
            return found;
        }
        open = next;
    }
}

/// How often each key comes among the positions of a set of ranks, mirror images once.
fn counts<K: Ord + Copy + Send>(
    universe: &RankedUniverse,
    ranks: &Ranks,
    key: impl Fn(u64) -> K + Sync,
) -> BTreeMap<K, u64> {
    let halves = Mutex::new(BTreeMap::<K, u64>::new());
    parallel::for_each(bundles(universe), |bundle| {
        let mut own = BTreeMap::new();
        for segment in bundle {
            let weight = if universe.is_doubled(segment) { 1 } else { 2 };
            let segment = universe.segment(segment);
            for rank in ranks.within(segment.first, u64::from(segment.len)) {
                *own.entry(key(rank)).or_insert(0) += weight;
            }
        }
        let mut halves = halves.lock().expect("no counter panics");
        for (key, weight) in own {
            *halves.entry(key).or_insert(0) += weight;
        }
    });
    let mut halves = halves.into_inner().expect("no counter panics");
    universe.for_each_self_image(|rank| {
        if ranks.within(rank, 1).next().is_some() {
            *halves.entry(key(rank)).or_insert(0) += 1;
        }
    });
    halves.values_mut().for_each(|count| *count /= 2);
    halves
}

/// The whole game, solved, and the ranks that play leads to.
struct Reached {
    universe: RankedUniverse,
    solution: Solution,
    ranks: Ranks,
}

fn reached() -> &'static Reached {
    static REACHED: OnceLock<Reached> = OnceLock::new();
    REACHED.get_or_init(|| {
        let (universe, solution) = solved("dobutsu");
        let ranks = reachable(&universe, &solution);
        Reached {
            universe,
            solution,
            ranks,
        }
    })
}

/// All distances, and the draws. The oracle's positions in which the lion can be taken are in
/// none of its rows; those after a safe try have no rank and are in none either.
#[test]
fn distances() {
    let Reached {
        universe,
        solution,
        ranks,
    } = reached();
    let found = counts(universe, ranks, |rank| match solution.value(rank) {
        Some(Value::Win(plies)) => ("win", plies),
        Some(Value::Loss(plies)) => ("lose", plies),
        Some(Value::Draw | Value::Endless(_)) => ("draw", 0),
        None => panic!("rank {rank} is a hole"),
    });
    let mut expected = BTreeMap::new();
    for row in oracle::rows(oracle::RTA_DISTRIBUTION) {
        let plies: u32 = row[0].parse().expect("plies");
        let count: u64 = row[2].parse().expect("a count");
        if count > 0 {
            expected.insert((row[1], plies), count);
        }
    }
    expected.insert(("draw", 0), oracle::rta_total("draw_total"));
    assert_eq!(found, expected);
    assert_eq!(
        found.values().sum::<u64>(),
        oracle::rta_total("nonterminal_total")
    );
}

/// Without chick drops on the last rank 4,301 of these positions are no longer won, drawn or lost
/// as they were; the start stays lost in 78.
#[test]
fn last_rank_chick_drops() {
    let Reached {
        universe,
        solution,
        ranks,
    } = reached();
    let (without_universe, without) = solved("dobutsu:no-last-rank-chick-drop");
    let category = |solution: &Solution, rank| solution.value(rank).map(Value::category);
    let changed = counts(universe, ranks, |rank| {
        category(solution, rank) != category(&without, rank)
    });
    assert_eq!(changed[&true], 4_301);
    let start = universe.game().start().expect("a start position");
    let start = without_universe.rank(&start).expect("the start has a rank");
    assert_eq!(without.value(start), Some(Value::Loss(78)));
}
