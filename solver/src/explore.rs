//! **Exploration**: the positions that play leads to from given roots.
//!
//! A bit for every rank says whether it is reached, a second one whether its moves have been made.
//! The ranks are swept in their order, again and again, and the moves of whatever is reached since
//! are made, until a sweep finds nothing. Every position is played on once, so the counts do not
//! depend on threads.

use koma_games::{Explorable, Reached, Segment, Universe};
use koma_tables::Counts;
use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::enumerated::EnumeratedUniverse;
use crate::progress::{Phase, Progress};
use crate::rank_set::RankSet;
use crate::retrograde::{Settings, SolveError, thread_pool};

/// The positions that play leads to.
#[derive(Debug)]
pub struct Explored {
    ranks: RankSet,
    counts: Reached,
}

/// The bytes of memory that exploring so many ranks takes: two bits a rank.
pub fn exploring_memory_needed(ranks: u64) -> u64 {
    2 * RankSet::bytes(ranks)
}

/// Finds every position that play leads to from the roots, given as ranks.
///
/// # Errors
/// [`SolveError`] before any work if memory or threads can't be had, or when `progress` interrupts.
///
/// # Panics
/// If a root is no rank.
///
/// ```
/// use koma_games::{CompleteUniverse, Convention};
/// use koma_solver::{NoProgress, Settings, explore, solve};
/// let universe = CompleteUniverse::new("dobutsu@3x3:c".parse().unwrap(), Convention::Tanaka);
/// let root = universe.ranked().game().parse_position("l2/3/1CL b - 1").unwrap();
/// let root = universe.rank(&root).unwrap();
/// let explored = explore(&universe, &[root], &Settings::default(), &NoProgress).unwrap();
/// let reached = explored.universe(universe.ranked());
/// let solution = solve(&reached, &Settings::default(), &NoProgress).unwrap();
/// let counts = explored.counts_by_plies(solution.census());
/// assert_eq!(counts.total(), explored.counts().positions());
/// ```
pub fn explore<E: Explorable>(
    space: &E,
    roots: &[u64],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Explored, SolveError> {
    check_memory(space.len(), settings)?;
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

/// Refuses to start where there is not enough memory.
fn check_memory(ranks: u64, settings: &Settings) -> Result<(), SolveError> {
    let needed = exploring_memory_needed(ranks);
    let refuse = |why: String| Err(SolveError::Memory { ranks, needed, why });
    if let Some(memory) = settings.memory
        && needed > memory
    {
        let allowed = memory as f64 / f64::from(1u32 << 30);
        return refuse(format!("only {allowed:.2} GiB are allowed"));
    }
    // Asked for once without use: filling a vector can't report failure.
    let had = usize::try_from(needed).map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes));
    match had {
        Ok(Ok(())) => Ok(()),
        _ => refuse("the system has not that much".to_owned()),
    }
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

    /// The counts by value of every position that is reached, from those of the solved universe:
    /// the positions without rank there are won in 1 ply or have lost.
    pub fn counts_by_plies(&self, solved: &Counts) -> Counts {
        let mut counts = solved.clone();
        let deeper = |plies: u32| plies > 1;
        counts.by_plies.retain(|&(plies, _)| deeper(plies));
        let deeper: u64 = counts.by_plies.iter().map(|&(_, count)| count).sum();
        let lost = self.counts.tried;
        let won = self.counts.positions() - lost - deeper - counts.draw;
        let first = [(0, lost), (1, won)].into_iter().filter(|&(_, n)| n > 0);
        counts.by_plies.splice(0..0, first);
        let by_parity = |odd| {
            let plies = counts.by_plies.iter();
            plies
                .filter(|&&(plies, _)| plies % 2 == odd)
                .map(|&(_, count)| count)
                .sum()
        };
        Counts {
            win: by_parity(1),
            loss: by_parity(0),
            ..counts
        }
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
                reached += self.space.advance(segment, &[offset], &mut scratch);
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
    fn run(self) -> Tally {
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
                *counts += space.advance(index, batch, &mut fresh);
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
