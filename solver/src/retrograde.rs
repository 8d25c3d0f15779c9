//! **Retrograde analysis**: from the ends of games backwards, ply by ply.
//!
//! Every undecided rank counts the moves that do not lead to a win of the other side. The ranks
//! decided in `n` plies are expanded together: a predecessor of a lost one is won in `n + 1`; a
//! predecessor of a won one has a move less to count, and without any it is lost in `n + 1`. What
//! is left when nothing is decided any more is the residue, settled by the law.
//!
//! A ply changes only ranks decided in the next one, so the order within a ply, and with it the
//! number of threads, can't matter.

use std::hint::select_unpredictable;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use koma_games::{Start, Starts, Universe, Value};
use rayon::prelude::*;
use thiserror::Error;

use crate::bulk::{RankList, list_before, list_before_and_ask, starts};
use crate::census::finish;
use crate::dispatch::{Work, dispatch};
use crate::frontier::{Flagged, Flags, Found, Frontier, FrontierKind, LINE, Listed};
use crate::huge_pages::prefer_huge_pages;
use crate::level::Level;
use crate::prefetch::prefetch;
use crate::progress::{Phase, Progress};
use crate::shares::{Shares, Unit, Window};
use crate::solution::Solution;
use crate::word::Word;

/// How to solve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Threads to use; `None` for all processors.
    pub threads: Option<usize>,
    /// The most memory to take, in bytes; `None` for as much as there is.
    pub memory: Option<u64>,
    /// How the ranks of a ply are kept. It makes no difference to what is found.
    pub frontier: FrontierKind,
}

impl Settings {
    /// Refuses work on so many ranks for which there is not enough memory.
    pub(crate) fn check_memory(&self, ranks: u64, needed: u64) -> Result<(), SolveError> {
        let refuse = |why: String| Err(SolveError::Memory { ranks, needed, why });
        if let Some(memory) = self.memory
            && needed > memory
        {
            return refuse(format!("only {} are allowed", size(memory)));
        }
        // Asked for once without use: the allocation that gives zeroed pages can't report failure.
        let had = usize::try_from(needed).map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes));
        match had {
            Ok(Ok(())) => Ok(()),
            _ => refuse("the system has not that much".to_owned()),
        }
    }

    /// What is left to take while this many bytes stay in memory.
    pub(crate) fn besides(&self, bytes: u64) -> Settings {
        Settings {
            memory: self.memory.map(|memory| memory.saturating_sub(bytes)),
            ..*self
        }
    }
}

/// Why there is no solution.
#[derive(Debug, Error)]
pub enum SolveError {
    /// More memory is needed than allowed or available.
    #[error(
        "{ranks} positions need {} of memory, and {why}; free some memory, raise --memory, or take a \
         smaller board or material set",
        size(*.needed)
    )]
    Memory {
        /// Ranks to be held.
        ranks: u64,
        /// Bytes needed.
        needed: u64,
        /// Why they can't be had.
        why: String,
    },
    /// No threads could be started.
    #[error("can't start {threads} threads ({source}); take fewer with --threads")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        source: rayon::ThreadPoolBuildError,
    },
    /// A distance is longer than the analysis can hold.
    #[error(
        "some distances are over {max} plies, more than the analysis can hold; please report it"
    )]
    TooDeep {
        /// The longest distance it holds, in plies.
        max: u32,
    },
    /// The work was interrupted; nothing was written.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

/// Bytes in GiB, few ones in KiB.
fn size(bytes: u64) -> String {
    let gibibytes = bytes as f64 / f64::from(1u32 << 30);
    if gibibytes < 0.01 {
        format!("{:.2} KiB", bytes as f64 / 1024.0)
    } else {
        format!("{gibibytes:.2} GiB")
    }
}

/// The bytes of memory that solving so many ranks takes, with distances that fit one byte: a byte a
/// rank, and for every 64 of them two flags.
pub fn memory_needed(ranks: u64) -> u64 {
    memory_at(ranks, 1)
}

fn memory_at(ranks: u64, word: u64) -> u64 {
    ranks
        .saturating_mul(word)
        .saturating_add(ranks.div_ceil(LINE).saturating_mul(2))
}

/// Finds the value of every rank of a universe, the residue settled by [`Law::Draw`](koma_games::Law).
///
/// # Errors
/// [`SolveError`] before any work if memory or threads can't be had, or when `progress` interrupts.
///
/// ```
/// use koma_games::{RankedUniverse, Value};
/// use koma_solver::{NoProgress, Settings, solve};
/// let universe: RankedUniverse = "dobutsu@3x3:c".parse().unwrap();
/// let solution = solve(&universe, &Settings::default(), &NoProgress).unwrap();
/// let position = universe.game().parse_position("l2/3/1CL b - 1").unwrap();
/// let rank = universe.rank(&position).unwrap();
/// assert_eq!(solution.value(rank), Some(Value::Win(3)));
/// ```
pub fn solve<U: Universe>(
    universe: &U,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    thread_pool(settings.threads)?.install(|| start::<U, u8>(universe, settings, progress))
}

/// As many threads as asked for, or one for each processor.
pub(crate) fn thread_pool(threads: Option<usize>) -> Result<rayon::ThreadPool, SolveError> {
    let threads = threads.unwrap_or(0);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|source| SolveError::Threads { threads, source })
}

/// Starts with words of this width, or wider ones if the universe has too many moves for them.
fn start<U: Universe, W: Word>(
    universe: &U,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    let mut analysis = Analysis::<U, W>::new(universe, settings, progress)?;
    if analysis.start()? {
        analysis.run(0)
    } else {
        start::<U, W::Wider>(universe, settings, progress)
    }
}

/// Claims memory for words before any work is done.
fn claim<W: Word>(ranks: u64, settings: &Settings) -> Result<Vec<W>, SolveError> {
    settings.check_memory(ranks, memory_at(ranks, size_of::<W>() as u64))?;
    let ranks = usize::try_from(ranks).expect("fewer ranks than bytes in memory");
    let mut words = vec![W::default(); ranks];
    prefer_huge_pages(&mut words);
    Ok(words)
}

/// The state of the analysis.
struct Analysis<'a, U, W> {
    universe: &'a U,
    settings: &'a Settings,
    progress: &'a dyn Progress,
    /// Units of work, the largest first.
    units: Vec<Unit>,
    /// The same in smaller units and several rounds; none if the units keep all threads busy.
    rounds: Vec<Vec<Unit>>,
    words: Vec<W>,
    /// Where ranks decided in an even and in an odd number of plies are.
    frontiers: [Frontier; 2],
    /// The same as a sorted list, where it was made.
    lists: [Option<Vec<u64>>; 2],
    /// One for each thread.
    scratch: Vec<Mutex<Scratch>>,
    /// How many ranks are decided in each number of plies.
    decided: Vec<u64>,
    /// The longest distance that the rules alone give.
    deepest_start: u32,
    /// The longest distance that a word can tell from a count.
    limit: u32,
}

impl<'a, U: Universe, W: Word> Analysis<'a, U, W> {
    fn new(
        universe: &'a U,
        settings: &'a Settings,
        progress: &'a dyn Progress,
    ) -> Result<Self, SolveError> {
        let ranks = universe.len();
        let words = claim::<W>(ranks, settings)?;
        let units = Unit::all(universe, universe.units());
        let mut rounds = Vec::new();
        if !keeps_busy(&units, rayon::current_num_threads()) {
            let stretches = universe.rounds().into_iter();
            rounds.extend(stretches.map(|units| Unit::all(universe, units)));
        }
        Ok(Analysis {
            universe,
            settings,
            progress,
            units,
            rounds,
            words,
            frontiers: [Frontier::new(ranks), Frontier::new(ranks)],
            lists: [None, None],
            scratch: (0..rayon::current_num_threads())
                .map(|_| Mutex::default())
                .collect(),
            decided: Vec::new(),
            deepest_start: 0,
            limit: 0,
        })
    }

    /// Sets every word to what the rules say. Returns whether the words are wide enough.
    fn start(&mut self) -> Result<bool, SolveError> {
        let total = self.universe.len();
        self.progress.begin(Phase::Start, 0, total);
        let frontiers = self.frontiers.each_mut().map(Frontier::share);
        let (universe, frontiers, progress) = (self.universe, &frontiers, self.progress);
        let tally = parts(universe, &mut self.words)
            .into_par_iter()
            .fold(Tally::default, |tally, (segment, words)| {
                if progress.interrupted() {
                    return tally;
                }
                let mut part = StartSegment::<W> {
                    first: universe.segment(segment).first,
                    words,
                    place: 0,
                    notes: Notes {
                        tally,
                        frontiers,
                        expands_wins_in_one: universe.expands_wins_in_one(),
                    },
                };
                starts(universe, segment, &mut |starts| match starts {
                    Starts::Run(run, start) => part.run_of_equal(run as usize, start),
                    Starts::Each(starts) => {
                        let won = Start::Decided(Value::Win(1));
                        part.each(starts, U::WITHOUT_SUCCESSORS, won);
                    }
                    Starts::Legal(starts, stuck) => part.each(starts, stuck, Start::Hole),
                });
                let count = part.words.len();
                assert_eq!(part.place, count, "starts of segment {segment}");
                progress.advance(count as u64);
                part.notes.tally
            })
            .reduce(Tally::default, Tally::add);
        self.check_interrupt()?;
        self.deepest_start = (tally.decided.len() as u32).saturating_sub(1);
        // Room for the deepest start and one ply more.
        let fits =
            u64::from(tally.most_moves) + u64::from(self.deepest_start) + 2 < u64::from(W::DRAWN);
        self.limit = W::DRAWN.saturating_sub(tally.most_moves.saturating_add(1));
        self.decided = tally.decided;
        Ok(fits)
    }

    /// Goes on from the ranks decided in `ply` plies.
    fn run(mut self, ply: u32) -> Result<Solution, SolveError> {
        match self.plies(ply)? {
            None => self.finish(),
            Some(ply) => self.widened()?.run(ply),
        }
    }

    /// Expands ply by ply. Returns the ply to go on from where the words must be wider for it.
    fn plies(&mut self, from: u32) -> Result<Option<u32>, SolveError> {
        let mut ply = from;
        while (ply as usize) < self.decided.len() {
            let here = self.decided[ply as usize];
            let silent = ply == 1 && !self.universe.expands_wins_in_one();
            if here > 0 && !silent {
                if ply >= self.limit {
                    return Ok(Some(ply));
                }
                let so_far = self.decided[..=ply as usize].iter().sum();
                self.progress
                    .begin(Phase::Ply(ply), so_far, self.universe.len());
                let after = self.expand(ply);
                self.check_interrupt()?;
                if after > 0 {
                    let next = ply as usize + 1;
                    self.decided.resize(self.decided.len().max(next + 1), 0);
                    self.decided[next] += after;
                }
            }
            // Ranks that the rules decide in more plies wait under the same flags.
            if ply + 2 > self.deepest_start {
                self.frontiers[ply as usize % 2].clear();
            }
            ply += 1;
        }
        Ok(None)
    }

    /// Expands the ranks decided in `ply` plies; returns how many are decided in one more.
    fn expand(&mut self, ply: u32) -> u64 {
        let after = AtomicU64::new(0);
        let list = self.lists[ply as usize % 2].take();
        let [even, odd] = &mut self.frontiers;
        let (here, next) = if ply.is_multiple_of(2) {
            (even.share(), odd.share())
        } else {
            (odd.share(), even.share())
        };
        let sources = match &list {
            Some(list) => Sources::Listed(Listed(list)),
            None => Sources::Flagged(here),
        };
        // What the rules decide in more plies is flagged already, and then all of a ply is.
        let longest_list = if ply < self.deepest_start {
            0
        } else {
            let kind = self.settings.frontier;
            kind.longest_list(self.decided[ply as usize])
        };
        let words = W::share(&mut self.words);
        let expand = |units: &[Unit]| {
            let shares = Shares::new(units);
            rayon::broadcast(|context| {
                let scratch = &self.scratch[context.index()];
                let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
                shares.work(|windows| {
                    if self.progress.interrupted() {
                        return;
                    }
                    let part = ExpandPart::<U, W> {
                        universe: self.universe,
                        windows,
                        words,
                        sources,
                        next,
                        longest_list,
                        ply,
                        limit: self.limit,
                        scratch: &mut scratch,
                    };
                    let decided = dispatch(part);
                    self.progress.advance(decided);
                    after.fetch_add(decided, Relaxed);
                });
            });
        };
        if self.rounds.is_empty() || self.decided[ply as usize] < WORTH_ROUNDS {
            expand(&self.units);
        } else {
            for units in &self.rounds {
                expand(units);
            }
        }
        if longest_list > 0 {
            self.lists[(ply as usize + 1) % 2] = listed(&mut self.scratch, next);
        }
        after.into_inner()
    }

    /// The same state in wider words.
    fn widened(self) -> Result<Analysis<'a, U, W::Wider>, SolveError> {
        let mut words = claim::<W::Wider>(self.universe.len(), self.settings)?;
        let limit = self.limit;
        words
            .par_iter_mut()
            .zip(&self.words)
            .for_each(|(wide, word)| {
                let code = word.code();
                *wide = W::Wider::from_code(if code <= limit {
                    code
                } else {
                    W::Wider::MAX - (W::MAX - code)
                });
            });
        Ok(Analysis {
            universe: self.universe,
            settings: self.settings,
            progress: self.progress,
            units: self.units,
            rounds: self.rounds,
            words,
            frontiers: self.frontiers,
            lists: self.lists,
            scratch: self.scratch,
            decided: self.decided,
            deepest_start: self.deepest_start,
            limit: W::Wider::MAX - (W::MAX - limit),
        })
    }

    fn finish(mut self) -> Result<Solution, SolveError> {
        let ranks = self.universe.len();
        self.progress.begin(Phase::Count, 0, ranks);
        let deepest = (self.decided.len() as u32).saturating_sub(1);
        let census = finish(self.universe, &mut self.words, &self.decided, deepest);
        self.check_interrupt()?;
        Ok(Solution {
            cells: W::into_cells(self.words),
            census,
        })
    }

    fn check_interrupt(&self) -> Result<(), SolveError> {
        if self.progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        Ok(())
    }
}

/// All that the threads listed, in order; none if some of the ply is flagged: then all is.
fn listed(scratch: &mut [Mutex<Scratch>], next: Flags<'_>) -> Option<Vec<u64>> {
    let mut all = Vec::new();
    let mut some_are_flagged = false;
    for scratch in scratch {
        let decided = &mut scratch
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .decided;
        all.append(&mut decided.ranks);
        some_are_flagged |= std::mem::take(&mut decided.some_are_flagged);
    }
    if some_are_flagged {
        for rank in all {
            next.set(rank);
        }
        return None;
    }
    all.par_sort_unstable();
    Some(all)
}

/// With fewer sources in a ply, threads would wait for each other at the end of each round longer than
/// at the end of few, unequal units.
const WORTH_ROUNDS: u64 = 1 << 20;

/// Whether units keep this many threads busy for most of the time.
fn keeps_busy(units: &[Unit], threads: usize) -> bool {
    let total: u64 = units.iter().map(Unit::ranks).sum();
    let largest = units.first().map_or(0, Unit::ranks);
    u128::from(largest) * threads as u128 <= u128::from(total)
}

/// What the starts of some segments come to.
#[derive(Default)]
struct Tally {
    /// Ranks decided in each number of plies.
    decided: Vec<u64>,
    most_moves: u32,
}

impl Tally {
    fn add(mut self, other: Tally) -> Tally {
        let len = self.decided.len().max(other.decided.len());
        self.decided.resize(len, 0);
        for (sum, count) in self.decided.iter_mut().zip(other.decided) {
            *sum += count;
        }
        self.most_moves = self.most_moves.max(other.most_moves);
        self
    }
}

/// The words of each segment that has any.
pub(crate) fn parts<'a, U: Universe, W>(
    universe: &U,
    words: &'a mut [W],
) -> Vec<(u32, &'a mut [W])> {
    // Segments in order hold every rank once.
    let mut parts = Vec::with_capacity(universe.segments() as usize);
    let mut rest = words;
    for segment in 0..universe.segments() {
        let (part, behind) = rest.split_at_mut(universe.segment(segment).len as usize);
        rest = behind;
        if !part.is_empty() {
            parts.push((segment, part));
        }
    }
    parts
}

/// Sets the words of one segment to what the rules say.
struct StartSegment<'a, W> {
    /// The first rank.
    first: u64,
    words: &'a mut [W],
    /// How many of them are set.
    place: usize,
    notes: Notes<'a>,
}

impl<W: Word> StartSegment<'_, W> {
    /// Sets the next words, so many.
    fn run_of_equal(&mut self, run: usize, start: Start) {
        let code = match start {
            Start::Hole => W::HOLE,
            Start::Decided(Value::Draw) => W::DRAWN,
            Start::Open(moves) => {
                self.notes.tally.most_moves = self.notes.tally.most_moves.max(moves);
                // Where this is cut off, the words are found too narrow and start anew.
                W::DRAWN - moves.min(W::DRAWN)
            }
            Start::Decided(value) => {
                let plies = plies_of(value);
                let first = self.first + self.place as u64;
                self.notes.decided(first, run as u64, run as u64, plies);
                plies.min(W::MAX)
            }
        };
        self.words[self.place..self.place + run].fill(W::from_code(code));
        self.place += run;
    }

    /// Sets the next words, one for each start. Without moves a rank has the value `stuck`, and the
    /// greatest byte stands for `special`.
    fn each(&mut self, starts: &[u8], stuck: Value, special: Start) {
        let special = match special {
            Start::Decided(value) => Some(plies_of(value)),
            Start::Hole | Start::Open(_) => None,
        };
        dispatch(StartEach {
            starts,
            stuck: plies_of(stuck),
            special,
            first: self.first + self.place as u64,
            words: &mut self.words[self.place..self.place + starts.len()],
            notes: &mut self.notes,
        });
        self.place += starts.len();
    }
}

/// Sets a word for each start.
struct StartEach<'a, 'b, W> {
    starts: &'a [u8],
    /// The plies of a rank without moves.
    stuck: u32,
    /// What the greatest byte stands for; no distance is a hole.
    special: Option<u32>,
    /// The first rank.
    first: u64,
    words: &'a mut [W],
    notes: &'a mut Notes<'b>,
}

impl<W: Word> Work for StartEach<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Level) {
        let StartEach {
            starts,
            stuck,
            special,
            first,
            words,
            notes,
        } = self;
        let [marked, lost] = [special.unwrap_or(W::HOLE), stuck].map(W::from_code);
        let mut most_moves = 0;
        let mut from = first;
        // Parts so small that a byte counts them, and that a line or two hold them.
        let parts = starts
            .chunks(LINE as usize)
            .zip(words.chunks_mut(LINE as usize));
        for (starts, words) in parts {
            for (word, &start) in words.iter_mut().zip(starts) {
                // Wraps for the special one only, which is none of the open ones.
                let open = W::from_code(W::DRAWN.wrapping_sub(u32::from(start)));
                let decided = if start == 0 { lost } else { marked };
                *word = match start {
                    0 | SPECIAL => decided,
                    _ => open,
                };
            }
            let [mut specials, mut losses, mut most] = [0u8; 3];
            for &start in starts {
                specials = specials.wrapping_add(u8::from(start == SPECIAL));
                losses = losses.wrapping_add(u8::from(start == 0));
                most = most.max(if start == SPECIAL { 0 } else { start });
            }
            most_moves = most_moves.max(u32::from(most));
            let run = starts.len() as u64;
            for (count, plies) in [(specials, special), (losses, Some(stuck))] {
                if let Some(plies) = plies
                    && count > 0
                {
                    notes.decided(from, run, u64::from(count), plies);
                }
            }
            from += starts.len() as u64;
        }
        notes.tally.most_moves = notes.tally.most_moves.max(most_moves);
    }
}

/// The byte that stands for no number of moves.
const SPECIAL: u8 = Starts::WON;
const _: () = assert!(SPECIAL == Starts::HOLE);

/// What the starts of some segments come to, and where what they decide is noted.
struct Notes<'a> {
    tally: Tally,
    frontiers: &'a [Flags<'a>; 2],
    /// Whether wins in one are sources.
    expands_wins_in_one: bool,
}

impl Notes<'_> {
    /// Notes that of a run of ranks so many are decided in `plies`.
    #[inline(always)]
    fn decided(&mut self, first: u64, run: u64, count: u64, plies: u32) {
        let index = plies as usize;
        if self.tally.decided.len() <= index {
            self.tally.decided.resize(index + 1, 0);
        }
        self.tally.decided[index] += count;
        if plies != 1 || self.expands_wins_in_one {
            for rank in (first..first + run).step_by(LINE as usize) {
                self.frontiers[index % 2].set(rank);
            }
            self.frontiers[index % 2].set(first + run - 1);
        }
    }
}

/// The plies of a value.
///
/// # Panics
/// If their parity does not tell a win from a loss.
fn plies_of(value: Value) -> u32 {
    match value {
        Value::Win(plies) if plies % 2 == 1 => plies,
        Value::Loss(plies) if plies.is_multiple_of(2) => plies,
        _ => panic!("the rules give {value:?}: a win has odd plies, a loss even ones"),
    }
}

/// Expands the ranks of a part of a unit that are decided in `ply` plies.
struct ExpandPart<'a, U, W: Word> {
    universe: &'a U,
    windows: &'a [Window],
    words: &'a [W::Shared],
    sources: Sources<'a>,
    next: Flags<'a>,
    /// How many decided ranks to list before flags are set.
    longest_list: usize,
    ply: u32,
    limit: u32,
    scratch: &'a mut Scratch,
}

/// The ranks to expand: those of a code in flagged lines, or all of a list.
#[derive(Clone, Copy)]
enum Sources<'a> {
    Flagged(Flags<'a>),
    Listed(Listed<'a>),
}

/// Memory for the lists of one thread.
#[derive(Default)]
struct Scratch {
    flagged: [Flagged; 2],
    found: Found,
    targets: [RankList; 2],
    decided: Decided,
}

/// Ranks decided by one thread.
#[derive(Default)]
struct Decided {
    ranks: Vec<u64>,
    /// Whether more of them are flagged.
    some_are_flagged: bool,
}

/// Sources expanded together. Enough to share the work that is the same for a stretch, few enough
/// for their targets to stay in the first caches.
const BATCH: usize = 128;

impl<U: Universe, W: Word> Work for ExpandPart<'_, U, W> {
    /// How many ranks are decided by it.
    type Output = u64;

    #[inline(always)]
    fn run(self, level: impl Level) -> u64 {
        let mut decided = 0;
        let mut scratch = std::mem::take(self.scratch);
        let Scratch {
            flagged: [flagged, flagged_next],
            found,
            targets: [fresh, waiting],
            decided: listed,
        } = &mut scratch;
        waiting.clear();
        let mut sources = self.sources;
        // Memory is slow: flags are asked for two windows ahead, the first words one ahead.
        if let (Sources::Flagged(flags), Some(first)) = (&sources, self.windows.first()) {
            flags.list(level, self.words, &first.ranks, flagged);
        }
        for (index, window) in self.windows.iter().enumerate() {
            let ranks = &window.ranks;
            match &mut sources {
                Sources::Flagged(flags) => {
                    if let Some(after) = self.windows.get(index + 2) {
                        flags.ask(&after.ranks);
                    }
                    flagged_next.clear();
                    if let Some(next) = self.windows.get(index + 1) {
                        flags.list(level, self.words, &next.ranks, flagged_next);
                    }
                    found.search::<W>(level, self.words, self.ply, window.start, ranks, flagged);
                    std::mem::swap(flagged, flagged_next);
                }
                Sources::Listed(list) => {
                    list.skip_to(ranks.start);
                    found.take_listed(window.start, ranks.end, list);
                }
            }
            // What fills no batch waits for the next window.
            let count = found.offsets().len();
            let whole = if window.last {
                count
            } else {
                count - count % BATCH
            };
            for batch in found.offsets()[..whole].chunks(BATCH) {
                // The targets of a batch are asked for when it is expanded and changed after the
                // next one, when they have arrived from memory.
                self.list_before(&window.stretch, batch, fresh);
                decided += self.apply(waiting.ranks_mut(), listed);
                std::mem::swap(fresh, waiting);
            }
            found.take(whole);
        }
        decided += self.apply(waiting.ranks_mut(), listed);
        *self.scratch = scratch;
        decided
    }
}

impl<U: Universe, W: Word> ExpandPart<'_, U, W> {
    /// Lists the predecessors of a batch and asks for their words.
    #[inline(always)]
    fn list_before(&self, stretch: &Range<u32>, batch: &[u32], list: &mut RankList) {
        if let Some(words) = W::bytes(self.words) {
            return list_before_and_ask(self.universe, stretch, batch, list, words);
        }
        // Wide words are rare: not worth another compilation.
        list_before(self.universe, stretch, batch, list);
        for &rank in list.ranks() {
            prefetch(self.words, rank as usize);
        }
    }

    /// Changes the predecessors of decided ranks; returns how many are decided by it.
    fn apply(&self, targets: &mut [u64], listed: &mut Decided) -> u64 {
        let loses = !self.ply.is_multiple_of(2);
        match (U::EXCLUSIVE_UNITS, loses) {
            (true, false) => self.apply_alone::<false>(targets, listed),
            (true, true) => self.apply_alone::<true>(targets, listed),
            (false, false) => self.apply_shared::<false>(targets, listed),
            (false, true) => self.apply_shared::<true>(targets, listed),
        }
    }

    /// Notes decided ranks for the next ply.
    #[inline(always)]
    fn note(&self, ranks: &[u64], listed: &mut Decided) {
        if listed.ranks.len() < self.longest_list {
            listed.ranks.extend_from_slice(ranks);
        } else {
            listed.some_are_flagged |= !ranks.is_empty();
            for &rank in ranks {
                self.next.set(rank);
            }
        }
    }

    /// Where no other thread changes these words in this ply: without branches, since nothing
    /// foretells which way they would go. `COUNTS`: the sources are won, so their predecessors have
    /// a move less.
    // Not inlined: there it would find no registers left.
    #[inline(never)]
    fn apply_alone<const COUNTS: bool>(&self, targets: &mut [u64], listed: &mut Decided) -> u64 {
        let (words, next_ply) = (self.words, self.ply + 1);
        // One comparison tells whether a code lies between two others.
        let first_open = self.limit + 1;
        let open_codes = W::DRAWN - first_open;
        // Decided ranks are written over those that are done with.
        let mut decided = 0;
        for place in 0..targets.len() {
            let rank = targets[place];
            let word = &words[rank as usize];
            let code = W::load(word);
            let open = code.wrapping_sub(first_open) < open_codes;
            let (last, otherwise) = if COUNTS {
                (code == W::DRAWN - 1, code.wrapping_add(u32::from(open)))
            } else {
                (open, code)
            };
            W::store(word, select_unpredictable(last, next_ply, otherwise));
            targets[decided] = rank;
            // At most one a target.
            decided = decided.wrapping_add(usize::from(last));
        }
        self.note(&targets[..decided], listed);
        decided as u64
    }

    /// The same where other threads change the same words.
    #[inline(never)]
    fn apply_shared<const COUNTS: bool>(&self, targets: &[u64], listed: &mut Decided) -> u64 {
        let mut decided = 0;
        for &rank in targets {
            let word = &self.words[rank as usize];
            let code = W::load(word);
            if code <= self.limit || code >= W::DRAWN {
                continue;
            }
            let found = if COUNTS {
                W::fetch_increment(word) == W::DRAWN - 1
            } else {
                // Another thread may have found the same.
                W::swap(word, self.ply + 1) != self.ply + 1
            };
            if found {
                W::store(word, self.ply + 1);
                self.note(&[rank], listed);
                decided += 1;
            }
        }
        decided
    }
}
