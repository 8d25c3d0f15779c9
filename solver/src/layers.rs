//! A **layered analysis**: exact distances where men leave play.
//!
//! Layers are solved in their order, each together with its opposite. Captures lead to layers that
//! are solved already, so what they are worth is read once, at the start: a capture into a lost
//! position is a win that is *due* at its distance, unless a quiet move wins sooner; captures into
//! won ones are, together, one more move to be counted down when the longest of them is due; one into
//! a draw makes a loss impossible. Quiet moves lead into the opposite layer and are counted as in any
//! retrograde analysis.
//!
//! The positions decided at a distance are marked in the opposite layer, where the same boards stand
//! with the other side to move. There the moves into a board are taken back within one block: so a
//! thread owns the cells of a block, and they stay in its caches.
//!
//! Wins and losses may take any number of plies: a side that has won when its turn comes wins in 0.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use koma_games::{Block, Layer, Layered, Successor, Value};
use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::huge_pages::prefer_huge_pages;
use crate::layered_solution::LayeredSolution;
use crate::level::Level;
use crate::prefetch::prefetch;
use crate::progress::{Phase, Progress};
use crate::retrograde::{Settings, SolveError, thread_pool};

/// A cell while its layer is solved and afterwards.
///
/// | bit 15 | bit 14 | others |
/// |---|---|---|
/// | 1 | 1 | won in so many plies |
/// | 1 | 0 | lost in so many plies |
/// | 0 | 1 | a capture wins in so many plies: decided then, or sooner by a quiet move |
/// | 0 | 0 | moves left to be counted down; with bit 13 a loss is impossible |
pub(crate) mod cell {
    use koma_games::Value;

    pub(crate) const DECIDED: u16 = 1 << 15;
    pub(crate) const WON: u16 = 1 << 14;
    pub(crate) const NEVER_LOST: u16 = 1 << 13;
    pub(crate) const WIN: u16 = DECIDED | WON;
    pub(crate) const LOSS: u16 = DECIDED;
    pub(crate) const DUE: u16 = WON;

    /// The longest distance a cell holds.
    pub(crate) const MAX_PLIES: u32 = (1 << 14) - 1;

    /// What a cell says when nothing is left to be done.
    #[inline(always)]
    pub(crate) fn value(cell: u16) -> Value {
        let plies = u32::from(cell) & MAX_PLIES;
        match cell & WIN {
            WIN => Value::Win(plies),
            LOSS => Value::Loss(plies),
            _ => Value::Draw,
        }
    }

    /// The cell of a value that the rules give.
    pub(crate) fn decided(value: Value) -> u16 {
        match value {
            Value::Win(plies) => WIN | plies as u16,
            Value::Loss(plies) => LOSS | plies as u16,
            Value::Draw | Value::Endless(_) => NEVER_LOST,
        }
    }
}

/// No distance at which something is due.
const NOTHING_DUE: u16 = u16::MAX;

/// The bytes of memory that solving a layered universe takes, without the captures that lose, which
/// are known only when they are found.
pub fn layered_memory_needed<U: Layered>(universe: &U) -> u64 {
    let layers = universe.layers();
    let marks = |layer: &Layer| u64::from(layer.blocks) * words(layer) as u64 * 16;
    let marks = groups(layers).into_iter().map(|group| {
        group
            .iter()
            .map(|&layer| marks(&layers[layer]))
            .sum::<u64>()
    });
    universe.len() * size_of::<u16>() as u64 + marks.max().unwrap_or(0) + universe.table_bytes()
}

/// Words of 64 marks that a block takes.
fn words(layer: &Layer) -> usize {
    layer.block_len.div_ceil(64) as usize
}

/// The layers that are solved together, in order.
fn groups(layers: &[Layer]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, layer) in layers.iter().enumerate() {
        if groups
            .last()
            .is_some_and(|last| last.contains(&layer.opposite))
            && layer.opposite != index
        {
            groups.last_mut().expect("there is one").push(index);
        } else {
            groups.push(vec![index]);
        }
    }
    groups
}

/// A layer whose values are known before a solve: its place, and the value of each of its ranks,
/// counted from the first; `None` where it is not known after all.
pub struct KnownLayer<'a> {
    /// The place of the layer in the universe.
    pub layer: usize,
    /// The value of a rank counted from the first of the layer.
    pub value: Box<dyn Fn(u64) -> Option<Value> + Sync + 'a>,
}

/// Finds the value of every rank of a layered universe; what neither side can force is a draw.
///
/// # Errors
/// [`SolveError`] before any work if memory or threads can't be had, or when `progress` interrupts.
///
/// ```
/// use koma_games::{Value, hasami::Universe};
/// use koma_solver::{NoProgress, Settings, solve_layered};
/// let universe: Universe = "hasami@3x3".parse().unwrap();
/// let solution = solve_layered(&universe, &Settings::default(), &NoProgress).unwrap();
/// let start = universe.rank(&universe.game().start()).unwrap();
/// assert_eq!(solution.value(start), Value::Win(7));
/// ```
pub fn solve_layered<U: Layered>(
    universe: &U,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<LayeredSolution, SolveError> {
    solve_layered_from(universe, &[], settings, progress)
}

/// The same where some layers are known, such as those of a smaller universe's table: a layer that
/// is known together with its opposite is read and not solved.
///
/// # Errors
/// As [`solve_layered`].
pub fn solve_layered_from<U: Layered>(
    universe: &U,
    known: &[KnownLayer<'_>],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<LayeredSolution, SolveError> {
    let ranks = universe.len();
    settings.check_memory(ranks, layered_memory_needed(universe))?;
    thread_pool(settings.threads)?.install(|| {
        let mut cells = vec![0u16; usize::try_from(ranks).expect("ranks that fit memory")];
        prefer_huge_pages(&mut cells);
        let mut done = 0;
        for group in groups(universe.layers()) {
            let first = universe.layers()[group[0]].first as usize;
            let (finished, rest) = cells.split_at_mut(first);
            progress.begin(Phase::Start, done, ranks);
            if let Some(read) = read(universe, &group, known, rest) {
                done += read;
                continue;
            }
            let group = Group::new(universe, finished, &group);
            done += group.solve(rest, done, progress)?;
        }
        progress.begin(Phase::Count, ranks, ranks);
        Ok(LayeredSolution::new(universe, cells))
    })
}

/// Reads layers that are solved together, if all of them are known, into the cells that begin with
/// theirs; gives the number of ranks.
fn read<U: Layered>(
    universe: &U,
    group: &[usize],
    known: &[KnownLayer<'_>],
    cells: &mut [u16],
) -> Option<u64> {
    let known: Option<Vec<&KnownLayer<'_>>> = group
        .iter()
        .map(|&layer| known.iter().find(|known| known.layer == layer))
        .collect();
    let mut ranks = 0;
    for known in known? {
        let len = universe.layers()[known.layer].len();
        let cells = &mut cells[ranks as usize..(ranks + len) as usize];
        let all = cells
            .par_iter_mut()
            .enumerate()
            .try_for_each(|(rank, cell)| {
                let value = (known.value)(rank as u64)?;
                let fits = value.plies().is_none_or(|plies| plies <= cell::MAX_PLIES);
                *cell = cell::decided(value);
                fits.then_some(())
            });
        all?;
        ranks += len;
    }
    Some(ranks)
}

/// Layers that are solved together.
struct Group<'a, U> {
    universe: &'a U,
    /// The cells of the layers before.
    finished: &'a [u16],
    layers: Vec<Analysis>,
}

/// What is known of a layer besides its cells.
struct Analysis {
    layer: usize,
    /// The place of the opposite layer in the group.
    opposite: usize,
    /// Boards of this layer that are decided with the other side to move: lost ones and won ones.
    lost: Vec<AtomicU64>,
    won: Vec<AtomicU64>,
    /// Blocks with marks.
    marked: Vec<AtomicBool>,
    blocks: Vec<Due>,
}

/// What is due in a block.
#[derive(Default)]
struct Due {
    /// The least distance, from the one at hand, of a cell that is decided or due.
    next: u16,
    /// Positions whose captures all lose, by the distance at which the last of them is decided, the
    /// greatest first.
    captures: Vec<(u16, u32)>,
}

impl<'a, U: Layered> Group<'a, U> {
    fn new(universe: &'a U, finished: &'a [u16], layers: &[usize]) -> Group<'a, U> {
        let all = universe.layers();
        let analysis = |&index: &usize| {
            let layer = &all[index];
            let opposite = layers.iter().position(|&other| other == layer.opposite);
            let marks = || {
                let marks = layer.blocks as usize * words(layer);
                (0..marks).map(|_| AtomicU64::new(0)).collect()
            };
            Analysis {
                layer: index,
                opposite: opposite.expect("opposite layers are neighbors"),
                lost: marks(),
                won: marks(),
                marked: (0..layer.blocks).map(|_| AtomicBool::new(false)).collect(),
                blocks: (0..layer.blocks).map(|_| Due::default()).collect(),
            }
        };
        Group {
            universe,
            finished,
            layers: layers.iter().map(analysis).collect(),
        }
    }

    /// Solves the layers, whose cells come first in `rest`; gives the number of ranks.
    fn solve(
        mut self,
        rest: &mut [u16],
        done: u64,
        progress: &dyn Progress,
    ) -> Result<u64, SolveError> {
        let all = self.universe.layers();
        let mut cells = Vec::new();
        let mut rest = rest;
        let mut ranks = 0;
        for analysis in &self.layers {
            let len = all[analysis.layer].len();
            let (own, others) = rest.split_at_mut(len as usize);
            cells.push(own);
            rest = others;
            ranks += len;
        }
        let total = self.universe.len();
        progress.begin(Phase::Start, done, total);
        for (analysis, cells) in self.layers.iter_mut().zip(&mut cells) {
            analysis.start(self.universe, self.finished, cells, progress)?;
        }
        let mut decided = done;
        for plies in 0.. {
            if progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
            progress.begin(Phase::Ply(plies), decided, total);
            let mut found = 0;
            for place in 0..self.layers.len() {
                found += self.mark(place, cells[place], plies as u16);
            }
            decided += found;
            if found == 0 && self.layers.iter().all(Analysis::is_done) {
                return Ok(ranks);
            }
            if plies == cell::MAX_PLIES {
                return Err(SolveError::TooDeep {
                    max: cell::MAX_PLIES,
                });
            }
            for (analysis, cells) in self.layers.iter_mut().zip(&mut cells) {
                analysis.expand(self.universe, cells, plies as u16 + 1);
            }
        }
        unreachable!("distances end before numbers do")
    }

    /// Marks the boards of a layer's positions that are decided at this distance in the opposite
    /// layer; gives their number.
    fn mark(&mut self, place: usize, cells: &mut [u16], plies: u16) -> u64 {
        let mut blocks = std::mem::take(&mut self.layers[place].blocks);
        let analysis = &self.layers[place];
        let opposite = &self.layers[analysis.opposite];
        let layer = &self.universe.layers()[analysis.layer];
        let opposite_words = words(&self.universe.layers()[opposite.layer]);
        let decided = layer.decided.is_some();
        let found = cells
            .par_chunks_mut(layer.block_len as usize)
            .zip(&mut blocks)
            .enumerate()
            .map(|(block, (cells, due))| {
                if due.next != plies {
                    return 0;
                }
                if decided {
                    // Whoever could move into such a layer has counted that already.
                    due.next = NOTHING_DUE;
                    return cells.len() as u64;
                }
                dispatch(Mark {
                    universe: self.universe,
                    layer: analysis.layer,
                    block: block as u32,
                    cells,
                    due,
                    plies,
                    marks: Marks {
                        words: opposite_words,
                        lost: &opposite.lost,
                        won: &opposite.won,
                        marked: &opposite.marked,
                    },
                })
            })
            .sum();
        self.layers[place].blocks = blocks;
        found
    }
}

impl Analysis {
    /// Whether nothing is due any more.
    fn is_done(&self) -> bool {
        self.blocks
            .iter()
            .all(|due| due.next == NOTHING_DUE && due.captures.is_empty())
    }

    /// What the rules, and captures into finished layers, say of each position.
    fn start<U: Layered>(
        &mut self,
        universe: &U,
        finished: &[u16],
        cells: &mut [u16],
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        let layer = &universe.layers()[self.layer];
        let opposite = universe.layers()[layer.opposite].decided;
        cells
            .par_chunks_mut(layer.block_len as usize)
            .zip(&mut self.blocks)
            .enumerate()
            .try_for_each(|(block, (cells, due))| {
                if progress.interrupted() {
                    return Err(SolveError::Interrupted);
                }
                let ranks = cells.len() as u64;
                if let Some(value) = layer.decided {
                    cells.fill(cell::decided(value));
                    due.next = value.plies().map_or(NOTHING_DUE, |plies| plies as u16);
                } else {
                    dispatch(Start {
                        universe,
                        layer: self.layer,
                        block: block as u32,
                        finished,
                        opposite,
                        cells,
                        due,
                    })?;
                }
                progress.advance(ranks);
                Ok(())
            })
    }

    /// Takes back the moves into marked boards.
    fn expand<U: Layered>(&mut self, universe: &U, cells: &mut [u16], plies: u16) {
        let layer = &universe.layers()[self.layer];
        let words = words(layer);
        let index = self.layer;
        cells
            .par_chunks_mut(layer.block_len as usize)
            .zip(self.lost.par_chunks_mut(words))
            .zip(self.won.par_chunks_mut(words))
            .zip(&mut self.marked)
            .zip(&mut self.blocks)
            .enumerate()
            .for_each(|(block, ((((cells, lost), won), marked), due))| {
                let is_due = due.captures.last().is_some_and(|&(due, _)| due == plies);
                let marked = std::mem::take(marked.get_mut());
                if marked || is_due {
                    dispatch(Expand {
                        universe,
                        layer: index,
                        block: block as u32,
                        cells,
                        lost,
                        won,
                        marked,
                        due,
                        plies,
                    });
                }
            });
    }
}

/// Finds the cells that a block starts with.
struct Start<'a, U> {
    universe: &'a U,
    layer: usize,
    block: u32,
    finished: &'a [u16],
    /// What all quiet moves lead to, if the rules decide the opposite layer.
    opposite: Option<Value>,
    cells: &'a mut [u16],
    due: &'a mut Due,
}

impl<U: Layered> Work for Start<'_, U> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn run(self, _: impl Level) -> Self::Output {
        let Start {
            finished,
            opposite,
            cells,
            due,
            ..
        } = self;
        let mut next = NOTHING_DUE;
        let mut too_deep = false;
        let block = self.universe.block(self.layer, self.block);
        block.for_each_start(|offset, quiet, captures| {
            let mut outcomes = Outcomes::default();
            for &capture in captures {
                outcomes.add(match capture {
                    Successor::Won => Value::Loss(0),
                    Successor::Captured(rank) => cell::value(finished[rank as usize]),
                    Successor::Quiet(_) => unreachable!("captures are not quiet"),
                });
            }
            let mut open = quiet as u16;
            if let (Some(value), 1..) = (opposite, quiet) {
                outcomes.add(value);
                open = 0;
            }
            let code = if let Some(plies) = outcomes.win {
                next = next.min(plies as u16);
                too_deep |= plies > cell::MAX_PLIES;
                cell::DUE | plies as u16
            } else if outcomes.draw {
                cell::NEVER_LOST | open
            } else if let Some(plies) = outcomes.loss {
                too_deep |= plies > cell::MAX_PLIES;
                due.captures.push((plies as u16, offset));
                open + 1
            } else if open == 0 {
                next = 0;
                cell::LOSS
            } else {
                open
            };
            cells[offset as usize] = code;
        });
        due.next = next;
        due.captures.sort_unstable_by(|a, b| b.cmp(a));
        due.captures.shrink_to_fit();
        if too_deep {
            return Err(SolveError::TooDeep {
                max: cell::MAX_PLIES,
            });
        }
        Ok(())
    }
}

/// What the moves that were looked at come to for the side that makes them.
#[derive(Default)]
struct Outcomes {
    /// The shortest win.
    win: Option<u32>,
    draw: bool,
    /// The longest loss.
    loss: Option<u32>,
}

impl Outcomes {
    /// Adds a move, by what it leads to.
    #[inline(always)]
    fn add(&mut self, after: Value) {
        match after {
            Value::Loss(plies) => {
                let plies = plies + 1;
                self.win = Some(self.win.map_or(plies, |win| win.min(plies)));
            }
            Value::Draw | Value::Endless(_) => self.draw = true,
            Value::Win(plies) => self.loss = self.loss.max(Some(plies + 1)),
        }
    }
}

/// Where boards of the opposite layer are marked.
struct Marks<'a> {
    /// Words a block.
    words: usize,
    lost: &'a [AtomicU64],
    won: &'a [AtomicU64],
    marked: &'a [AtomicBool],
}

/// Marks of other blocks wait until they have come from memory.
const WAITING: usize = 32;

/// Marks the positions of a block that are decided at a distance.
struct Mark<'a, U> {
    universe: &'a U,
    layer: usize,
    block: u32,
    cells: &'a mut [u16],
    due: &'a mut Due,
    plies: u16,
    marks: Marks<'a>,
}

impl<U: Layered> Work for Mark<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run(self, _: impl Level) -> u64 {
        let Mark {
            cells,
            due,
            plies,
            marks,
            ..
        } = self;
        let block = self.universe.block(self.layer, self.block);
        let [win, loss, is_due] = [cell::WIN, cell::LOSS, cell::DUE].map(|code| code | plies);
        let mut next = NOTHING_DUE;
        let mut found = 0;
        let mut waiting = [(0usize, 0u64, false); WAITING];
        let mut pushed = 0usize;
        let set = |(word, bit, lost): (usize, u64, bool)| {
            let marks = if lost { marks.lost } else { marks.won };
            marks[word].fetch_or(bit, Relaxed);
        };
        for (chunk, cells) in cells.chunks_mut(64).enumerate() {
            // Most chunks have nothing of the distance, which vectors find out.
            let mut any = false;
            let mut due = NOTHING_DUE;
            for &cell in cells.iter() {
                any |= (cell == win) | (cell == loss) | (cell == is_due);
                let later = cell & cell::WIN == cell::DUE && cell > is_due;
                due = due.min(if later { cell } else { NOTHING_DUE });
            }
            if due != NOTHING_DUE {
                next = next.min(due & !cell::DUE);
            }
            if !any {
                continue;
            }
            for (place, cell) in cells.iter_mut().enumerate() {
                if *cell == is_due {
                    *cell = win;
                }
                if *cell != win && *cell != loss {
                    continue;
                }
                found += 1;
                let lost = *cell == loss;
                let offset = (chunk * 64 + place) as u32;
                block.opposites(offset, |block, offset| {
                    let word = (block as usize)
                        .wrapping_mul(marks.words)
                        .wrapping_add(offset as usize / 64);
                    prefetch(if lost { marks.lost } else { marks.won }, word);
                    let mark = &marks.marked[block as usize];
                    if !mark.load(Relaxed) {
                        mark.store(true, Relaxed);
                    }
                    let slot = &mut waiting[pushed % WAITING];
                    if pushed >= WAITING {
                        set(*slot);
                    }
                    *slot = (word, 1 << (offset % 64), lost);
                    pushed = pushed.wrapping_add(1);
                });
            }
        }
        for &mark in &waiting[..pushed.min(WAITING)] {
            set(mark);
        }
        due.next = next;
        found
    }
}

/// Takes back the moves into the marked boards of a block.
struct Expand<'a, U> {
    universe: &'a U,
    layer: usize,
    block: u32,
    cells: &'a mut [u16],
    lost: &'a mut [AtomicU64],
    won: &'a mut [AtomicU64],
    marked: bool,
    due: &'a mut Due,
    plies: u16,
}

impl<U: Layered> Work for Expand<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Level) {
        let Expand {
            cells, due, plies, ..
        } = self;
        let mut changed = false;
        let mut count_down = |cells: &mut [u16], offset: u32| {
            let cell = &mut cells[offset as usize];
            if *cell & cell::WIN == 0 {
                *cell = cell.wrapping_sub(1);
                if *cell == 0 {
                    *cell = cell::LOSS | plies;
                    changed = true;
                }
            }
        };
        while let Some(&(_, offset)) = due.captures.last().filter(|&&(due, _)| due == plies) {
            due.captures.pop();
            count_down(cells, offset);
        }
        if self.marked {
            let block = self.universe.block(self.layer, self.block);
            let mut won = false;
            for (word, marks) in self.lost.iter_mut().enumerate() {
                let mut marks = std::mem::take(marks.get_mut());
                while marks != 0 {
                    let offset = word as u32 * 64 + marks.trailing_zeros();
                    marks &= marks.wrapping_sub(1);
                    block.quiet_predecessors(offset, |offset| {
                        let cell = &mut cells[offset as usize];
                        if *cell & cell::DECIDED == 0 {
                            *cell = cell::WIN | plies;
                            won = true;
                        }
                    });
                }
            }
            for (word, marks) in self.won.iter_mut().enumerate() {
                let mut marks = std::mem::take(marks.get_mut());
                while marks != 0 {
                    let offset = word as u32 * 64 + marks.trailing_zeros();
                    marks &= marks.wrapping_sub(1);
                    block.quiet_predecessors(offset, |offset| count_down(cells, offset));
                }
            }
            changed |= won;
        }
        if changed {
            due.next = due.next.min(plies);
        }
    }
}
