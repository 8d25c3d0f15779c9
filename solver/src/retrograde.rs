//! **Retrograde analysis**: from the ends of games backwards, ply by ply.
//!
//! Every undecided rank counts the moves that do not lead to a win of the other side. The ranks
//! decided in `n` plies are expanded together: a predecessor of a lost one is won in `n + 1`; a
//! predecessor of a won one has a move less to count, and without any it is lost in `n + 1`. What
//! is left when nothing is decided any more is the residue, settled by the law.
//!
//! A ply changes only ranks decided in the next one, so the order within a ply, and with it the
//! number of threads, can't matter.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use koma_games::{LANES, Start, Starts, Universe, Value};
use koma_tables::{CellWidth, prefer_huge_pages};
use rayon::prelude::*;
use thiserror::Error;

use crate::bulk::{Flow, change_before, starts};
use crate::census::finish;
use crate::change::{ByteChanges, Change};
use crate::dispatch::{Work, dispatch};
use crate::frontier::{Decided, Found, FrontierKind, LINE, List, Listed};
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

/// The bytes of memory that the cells of so many ranks and the lists of those of a ply take, with
/// distances that fit one byte: a byte a rank, and a twelfth of that.
pub fn memory_needed(ranks: u64) -> u64 {
    memory_at(ranks, 1)
}

fn memory_at(ranks: u64, word: u64) -> u64 {
    ranks
        .saturating_mul(word)
        .saturating_add(FrontierKind::memory(ranks))
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
    /// The ranks decided in the ply to come.
    list: List,
    /// Whether they are listed.
    is_listed: bool,
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
            list: List::default(),
            is_listed: false,
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
        let (universe, progress) = (self.universe, self.progress);
        let tally = parts(universe, &mut self.words)
            .into_par_iter()
            .fold(Tally::default, |tally, (segment, words)| {
                if progress.interrupted() {
                    return tally;
                }
                let mut part = StartSegment::<W> {
                    words,
                    place: 0,
                    tally,
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
                part.tally
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
            ply += 1;
        }
        Ok(None)
    }

    /// Expands the ranks decided in `ply` plies; returns how many are decided in one more.
    fn expand(&mut self, ply: u32) -> u64 {
        let after = AtomicU64::new(0);
        let sources = if self.is_listed {
            Sources::Listed(Listed::all(&self.list))
        } else {
            Sources::Searched
        };
        // About as many are expected in the next ply. Those that the rules decide are not listed.
        let longest_list = if ply < self.deepest_start {
            0
        } else {
            self.settings.frontier.longest_list(
                self.decided[ply as usize],
                self.universe.len(),
                self.scratch.len(),
            )
        };
        let change = Change::new::<W>(ply, self.limit);
        let changes = ByteChanges::new(change);
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
                        longest_list,
                        ply,
                        limit: self.limit,
                        change,
                        changes: &changes,
                        scratch: &mut scratch,
                    };
                    let decided = part.run();
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
        let threads = self.scratch.iter_mut().map(|scratch| {
            let scratch = scratch.get_mut().unwrap_or_else(PoisonError::into_inner);
            &mut scratch.decided
        });
        let mut decided: Vec<&mut Decided> = threads.collect();
        self.is_listed = longest_list > 0 && self.list.take(&mut decided);
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
            list: self.list,
            is_listed: self.is_listed,
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
    /// Adds ranks that are decided in `plies`, so many.
    fn decide(&mut self, count: u64, plies: u32) {
        let index = plies as usize;
        if self.decided.len() <= index {
            self.decided.resize(index + 1, 0);
        }
        self.decided[index] += count;
    }

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
    words: &'a mut [W],
    /// How many of them are set.
    place: usize,
    tally: Tally,
}

impl<W: Word> StartSegment<'_, W> {
    /// Sets the next words, so many.
    fn run_of_equal(&mut self, run: usize, start: Start) {
        let code = match start {
            Start::Hole => W::HOLE,
            Start::Decided(Value::Draw) => W::DRAWN,
            Start::Open(moves) => {
                self.tally.most_moves = self.tally.most_moves.max(moves);
                // Where this is cut off, the words are found too narrow and start anew.
                W::DRAWN - moves.min(W::DRAWN)
            }
            Start::Decided(value) => {
                let plies = plies_of(value);
                self.tally.decide(run as u64, plies);
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
            words: &mut self.words[self.place..self.place + starts.len()],
            tally: &mut self.tally,
        });
        self.place += starts.len();
    }
}

/// Sets a word for each start.
struct StartEach<'a, W> {
    starts: &'a [u8],
    /// The plies of a rank without moves.
    stuck: u32,
    /// What the greatest byte stands for; no distance is a hole.
    special: Option<u32>,
    words: &'a mut [W],
    tally: &'a mut Tally,
}

impl<W: Word> Work for StartEach<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Level) {
        let StartEach {
            starts,
            stuck,
            special,
            words,
            tally,
        } = self;
        let [marked, lost] = [special.unwrap_or(W::HOLE), stuck].map(W::from_code);
        let mut most_moves = 0;
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
            for (count, plies) in [(specials, special), (losses, Some(stuck))] {
                if let Some(plies) = plies
                    && count > 0
                {
                    tally.decide(u64::from(count), plies);
                }
            }
        }
        tally.most_moves = tally.most_moves.max(most_moves);
    }
}

/// The byte that stands for no number of moves.
const SPECIAL: u8 = Starts::WON;
const _: () = assert!(SPECIAL == Starts::HOLE);

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
    /// How many decided ranks to list.
    longest_list: usize,
    ply: u32,
    limit: u32,
    change: Change,
    /// The same, for words of a byte.
    changes: &'a ByteChanges,
    scratch: &'a mut Scratch,
}

/// The ranks to expand: those of a code, or all of a list.
#[derive(Clone, Copy)]
enum Sources<'a> {
    Searched,
    Listed(Listed<'a>),
}

/// Memory for the lists of one thread.
#[derive(Default)]
struct Scratch {
    found: Found,
    flow: Flow,
    decided: Decided,
}

impl<U: Universe, W: Word> ExpandPart<'_, U, W> {
    /// Returns how many ranks are decided by it.
    fn run(self) -> u64 {
        let mut decided = 0;
        let mut scratch = std::mem::take(self.scratch);
        let Scratch {
            found,
            flow,
            decided: listed,
        } = &mut scratch;
        let mut change = |ranks: &mut [u64]| decided += self.apply(ranks, listed);
        let mut sources = self.sources;
        for window in self.windows {
            let ranks = &window.ranks;
            match &mut sources {
                Sources::Searched => {
                    found.search::<W>(self.words, self.ply, window.start, ranks);
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
                count - count % LANES
            };
            if whole > 0 {
                let offsets = &found.offsets()[..whole];
                self.change_before(&window.stretch, offsets, flow, &mut change);
                found.take(whole);
            }
        }
        flow.pass_on(&mut change);
        *self.scratch = scratch;
        decided
    }

    /// Has the predecessors of ranks of a stretch changed, the last of them with the next ones.
    #[inline(always)]
    fn change_before(
        &self,
        stretch: &Range<u32>,
        offsets: &[u32],
        flow: &mut Flow,
        change: &mut dyn FnMut(&mut [u64]),
    ) {
        if let Some(words) = W::bytes(self.words) {
            return change_before(self.universe, stretch, offsets, flow, words, change);
        }
        // Wide words are rare: not worth another compilation.
        for offsets in offsets.chunks(LANES) {
            for &rank in flow.find_before(self.universe, stretch, offsets) {
                prefetch(self.words, rank as usize);
            }
            flow.pass_on(change);
        }
    }

    /// Changes the predecessors of decided ranks; returns how many are decided by it.
    fn apply(&self, targets: &mut [u64], listed: &mut Decided) -> u64 {
        if !U::EXCLUSIVE_UNITS {
            return self.apply_shared(targets, listed);
        }
        let (change, changes) = (self.change, self.changes);
        let won = |code| change.of::<false>(code);
        let counted = |code| change.of::<true>(code);
        match (self.longest_list > 0, change.counts()) {
            (false, _) if W::WIDTH == CellWidth::Bits8 => {
                self.apply_alone::<false>(targets, listed, |code| changes.of(code as u8))
            }
            (false, false) => self.apply_alone::<false>(targets, listed, won),
            (false, true) => self.apply_alone::<false>(targets, listed, counted),
            (true, false) => self.apply_alone::<true>(targets, listed, won),
            (true, true) => self.apply_alone::<true>(targets, listed, counted),
        }
    }

    /// Where no other thread changes these words in this ply. `LISTS`: decided ranks are listed.
    // Not inlined: there it would find no registers left.
    #[inline(never)]
    fn apply_alone<const LISTS: bool>(
        &self,
        targets: &mut [u64],
        listed: &mut Decided,
        change: impl Fn(u32) -> (u32, bool),
    ) -> u64 {
        let words = self.words;
        // Decided ranks are written over those that are done with.
        let mut decided = 0;
        for place in 0..targets.len() {
            let rank = targets[place];
            let word = &words[rank as usize];
            let (after, last) = change(W::load(word));
            W::store(word, after);
            if LISTS {
                targets[decided] = rank;
            }
            // At most one a target.
            decided = decided.wrapping_add(usize::from(last));
        }
        if LISTS {
            listed.add(&targets[..decided], self.longest_list);
        }
        decided as u64
    }

    /// The same where other threads change the same words.
    #[inline(never)]
    fn apply_shared(&self, targets: &[u64], listed: &mut Decided) -> u64 {
        let mut decided = 0;
        for &rank in targets {
            let word = &self.words[rank as usize];
            let code = W::load(word);
            if code <= self.limit || code >= W::DRAWN {
                continue;
            }
            let found = if self.ply.is_multiple_of(2) {
                // Another thread may have found the same.
                W::swap(word, self.ply + 1) != self.ply + 1
            } else {
                W::fetch_increment(word) == W::DRAWN - 1
            };
            if found {
                W::store(word, self.ply + 1);
                if self.longest_list > 0 {
                    listed.add(&[rank], self.longest_list);
                }
                decided += 1;
            }
        }
        decided
    }
}
