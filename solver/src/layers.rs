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

use std::sync::atomic::{AtomicBool, AtomicU64};

use koma_games::{Layer, Layered, Value};
use koma_tables::prefer_huge_pages;
use rayon::prelude::*;

use crate::dispatch::dispatch;
use crate::due::{self, Due};
use crate::layered_block::{Expand, Mark, Marks, Start};
use crate::layered_cell as cell;
use crate::layered_solution::LayeredSolution;
use crate::progress::{Phase, Progress};
use crate::retrograde::{Settings, SolveError, thread_pool};

/// The bytes of memory that solving a layered universe takes: its cells, and for the layers that are
/// solved together the marks, two bits a rank, and what is due in their blocks. The program itself
/// takes some ten million bytes more.
pub fn layered_memory_needed<U: Layered>(universe: &U) -> u64 {
    let layers = universe.layers();
    let block = |layer: &Layer| {
        let marks = words(layer) * 2 * size_of::<u64>() + size_of::<AtomicBool>();
        Due::bytes().saturating_add(marks as u64)
    };
    let group = |group: Vec<usize>| {
        let layers = group.into_iter().map(|layer| &layers[layer]);
        layers
            .map(|layer| u64::from(layer.blocks).saturating_mul(block(layer)))
            .fold(0, u64::saturating_add)
    };
    let most = groups(layers).into_iter().map(group).max().unwrap_or(0);
    let cells = universe.len().saturating_mul(size_of::<u16>() as u64);
    [most, universe.table_bytes()]
        .into_iter()
        .fold(cells, u64::saturating_add)
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
                blocks: (0..layer.blocks).map(|_| Due::new()).collect(),
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
            let done = |layer: &Analysis| layer.is_done(plies as u16);
            if found == 0 && self.layers.iter().all(done) {
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
                    due.next = due::NOTHING;
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
    /// Whether nothing is due beyond this distance.
    fn is_done(&self, plies: u16) -> bool {
        self.blocks.iter().all(|due| due.is_done(plies))
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
                    due.next = value.plies().map_or(due::NOTHING, |plies| plies as u16);
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
                let is_due = due.has(plies);
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
