//! **Exploration**: the positions that play leads to from given roots.
//!
//! A bit for every rank says whether it is reached, a second one whether its moves have been made.
//! The ranks are swept in their order, again and again, and the moves of whatever is reached since
//! are made, until a sweep finds nothing. Every position is played on once, so the counts do not
//! depend on threads.

use koma_games::{Explorable, Portable, Reached, Segment, Universe, Value};
use koma_tables::{Cell, Counts};
use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::enumerated::EnumeratedUniverse;
use crate::level::Level;
use crate::progress::{Phase, Progress};
use crate::rank_set::RankSet;
use crate::retrograde::{Settings, SolveError, memory_needed, solve, thread_pool};
use crate::solution::Solution;

/// The positions that play leads to.
#[derive(Debug)]
pub struct Explored {
    ranks: RankSet,
    counts: Reached,
}

/// The bytes of memory that exploring takes, two bits a rank, and solving then, while one bit is kept.
pub fn exploring_memory_needed<E: Explorable>(space: &E) -> u64 {
    let set = RankSet::bytes(space.len());
    set + set.max(memory_needed(space.solved_len()))
}

/// Finds every position that play leads to from the roots, given as ranks.
///
/// # Errors
/// [`SolveError`] before any work if threads can't be had, or the memory for this and for solving
/// what is found, or when `progress` interrupts.
///
/// # Panics
/// If a root is no rank.
///
/// ```
/// use koma_games::{CompleteUniverse, Convention};
/// use koma_solver::{NoProgress, Settings, explore};
/// let universe = CompleteUniverse::new("dobutsu@3x3:c".parse().unwrap(), Convention::Tanaka);
/// let root = universe.ranked().game().parse_position("l2/3/1CL b - 1").unwrap();
/// let root = universe.rank(&root).unwrap();
/// let explored = explore(&universe, &[root], &Settings::default(), &NoProgress).unwrap();
/// let settings = Settings::default();
/// let solution = explored.solve(universe.ranked(), &settings, &NoProgress).unwrap();
/// let counts = explored.counts_by_value(&solution.census().positions);
/// assert_eq!(counts.total(), explored.counts().positions());
/// ```
pub fn explore<E: Explorable>(
    space: &E,
    roots: &[u64],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Explored, SolveError> {
    settings.check_memory(space.len(), exploring_memory_needed(space))?;
    thread_pool(settings.threads)?.install(|| {
        let search = Search {
            space,
            reached: RankSet::new(space.len()),
            played: RankSet::new(space.len()),
            progress,
        };
        for &root in roots {
            assert!(root < space.len(), "root {root} of {} ranks", space.len());
            search.reached.insert(root);
            search.reached.insert(space.mirrored(root));
        }
        let counts = search.run()?;
        Ok(Explored {
            ranks: search.reached,
            counts,
        })
    })
}

impl Explored {
    /// The ranks that are reached.
    pub fn ranks(&self) -> &RankSet {
        &self.ranks
    }

    /// How many distinct positions are reached, by sort, and how many moves they have.
    pub fn counts(&self) -> Reached {
        self.counts
    }

    /// The universe of the positions that are reached, among the ranks of another: that whose ranks
    /// are the first of those explored.
    pub fn universe<'a, U: Universe>(&'a self, universe: &'a U) -> EnumeratedUniverse<'a, U> {
        EnumeratedUniverse::new(universe, &self.ranks)
    }

    /// Finds the value of every position that is reached and has a rank in a universe, whose ranks
    /// are the first of those explored.
    ///
    /// # Errors
    /// As [`solve`].
    pub fn solve<U: Universe>(
        &self,
        universe: &U,
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<Solution, SolveError> {
        let settings = settings.besides(self.ranks.byte_count());
        solve(&self.universe(universe), &settings, progress)
    }

    /// How many of all reached positions are won, lost and drawn, given the counts of those that
    /// have a rank in the solved universe: the others are won in 1 ply or lost in 0.
    pub fn counts_by_value(&self, solved: &Counts) -> Counts {
        let Counts { draw, by_plies, .. } = solved;
        let deeper: Vec<_> = by_plies.iter().filter(|&&(plies, _)| plies > 1).collect();
        let behind = draw + deeper.iter().map(|&&(_, count)| count).sum::<u64>();
        let lost = self.counts.tried;
        let won = self.counts.positions() - lost - behind;
        let value = |plies| match plies % 2 {
            1 => Value::Win(plies),
            _ => Value::Loss(plies),
        };
        deeper
            .into_iter()
            .map(|&(plies, count)| (value(plies), count))
            .chain([
                (Value::Loss(0), lost),
                (Value::Win(1), won),
                (Value::Draw, *draw),
            ])
            .map(|(value, count)| (Cell::Exact(value), count))
            .collect()
    }
}

struct Search<'a, E> {
    space: &'a E,
    /// What play leads to.
    reached: RankSet,
    /// What the search has gone on from.
    played: RankSet,
    progress: &'a dyn Progress,
}

impl<E: Explorable> Search<'_, E> {
    /// Sweeps until nothing is found; returns the counts.
    fn run(&self) -> Result<Reached, SolveError> {
        let mut tally = Tally::default();
        loop {
            let done = tally.ranks;
            self.progress.begin(Phase::Explore, done, self.space.len());
            tally = tally.add(self.sweep());
            if self.progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
            if tally.ranks == done {
                break;
            }
        }
        // Of a position and its mirror image both have been counted, but for self-images.
        let all = tally.doubled + self.self_images();
        Ok(tally.single + all.zip(Reached::default(), |twice, _| twice / 2))
    }

    /// Plays on from everything that is reached and not played on from.
    fn sweep(&self) -> Tally {
        let segments = self.space.segments();
        (0..segments.div_ceil(BUNDLE))
            .into_par_iter()
            .map(|bundle| {
                if self.progress.interrupted() {
                    return Tally::default();
                }
                let first = bundle * BUNDLE;
                let tally = dispatch(Sweep {
                    search: self,
                    segments: first..segments.min(first + BUNDLE),
                });
                self.progress.advance(tally.ranks);
                tally
            })
            .reduce(Tally::default, Tally::add)
    }

    /// Counts the reached positions of doubled segments that are their own mirror images.
    fn self_images(&self) -> Reached {
        let mut reached = Reached::default();
        let mut scratch = Vec::new();
        self.space.for_each_self_image(|segment, offset| {
            let rank = self.space.segment(segment).first + u64::from(offset);
            if self.reached.contains(rank) {
                reached += self
                    .space
                    .advance(Portable, segment, &[offset], &mut scratch);
                scratch.clear();
            }
        });
        reached
    }
}

/// What a sweep comes to.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    ranks: u64,
    /// In segments in which each position has one rank.
    single: Reached,
    /// In the others.
    doubled: Reached,
}

impl Tally {
    fn add(self, other: Tally) -> Tally {
        Tally {
            ranks: self.ranks + other.ranks,
            single: self.single + other.single,
            doubled: self.doubled + other.doubled,
        }
    }
}

/// Segments taken by a thread at a time.
const BUNDLE: u32 = 64;

/// Sources expanded together, as in the retrograde analysis.
const BATCH: usize = 512;

/// Plays on from some segments.
struct Sweep<'a, 'b, E> {
    search: &'a Search<'b, E>,
    segments: std::ops::Range<u32>,
}

impl<E: Explorable> Work for Sweep<'_, '_, E> {
    type Output = Tally;

    #[inline(always)]
    fn run(self, level: impl Level) -> Tally {
        let Search {
            space,
            reached,
            played,
            ..
        } = self.search;
        let mut tally = Tally::default();
        let mut offsets = Vec::new();
        let mut fresh = Vec::new();
        let mut waiting: Vec<u64> = Vec::new();
        for index in self.segments {
            let Segment { first, len } = space.segment(index);
            reached.take_new(played, first, len, &mut offsets);
            if offsets.is_empty() {
                continue;
            }
            tally.ranks += offsets.len() as u64;
            let counts = if space.is_doubled(index) {
                &mut tally.doubled
            } else {
                &mut tally.single
            };
            for batch in offsets.chunks(BATCH) {
                // As in the retrograde analysis: asked for now, changed a batch later.
                *counts += space.advance(level, index, batch, &mut fresh);
                for &rank in &fresh {
                    reached.prefetch(rank);
                }
                for &rank in &waiting {
                    reached.insert(rank);
                }
                waiting.clear();
                std::mem::swap(&mut fresh, &mut waiting);
            }
        }
        for &rank in &waiting {
            reached.insert(rank);
        }
        tally
    }
}
