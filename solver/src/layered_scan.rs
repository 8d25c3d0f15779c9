//! A **layered scan**: the positions of a table of a layered universe that have a property, in the
//! order of their ranks, each once.
//!
//! Cells are looked up first; a block is made, and successors are asked, only where they fit.

use std::ops::ControlFlow;

use koma_games::{Block, Category, Layered, Successor};
use koma_tables::{Cell, Table};
use rayon::prelude::*;

use crate::progress::{Phase, Progress};
use crate::retrograde::{SolveError, thread_pool};

/// What is asked of a position besides its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayeredProperty {
    /// One move keeps the value, and all others are worse, not counting distances; of a lost position,
    /// that it has one move. The game is not over.
    pub only_move: bool,
    /// Mutual zugzwang: the side to move loses, by any of its moves, and if it could pass the other
    /// would lose.
    pub zugzwang: bool,
}

/// Looks for the positions of a table with a property.
#[derive(Debug)]
pub struct LayeredScan<'a, U, D, F> {
    universe: &'a U,
    table: &'a Table<D>,
    /// The layers that are looked at.
    layers: Vec<usize>,
    /// Whether a cell may have the property.
    by_cell: F,
    property: LayeredProperty,
}

/// Ranks that are looked at before the next ones are asked for.
const WINDOW: u64 = 1 << 24;

impl<'a, U, D, F> LayeredScan<'a, U, D, F>
where
    U: Layered,
    D: AsRef<[u8]> + Sync,
    F: Fn(Cell) -> bool + Sync,
{
    /// Looks for positions of these layers, in ascending order, whose cells `by_cell` takes and which
    /// have a property. The checksums of the table should have been verified before.
    ///
    /// # Panics
    /// If the table has another number of ranks than the universe.
    pub fn new(
        universe: &'a U,
        table: &'a Table<D>,
        layers: Vec<usize>,
        by_cell: F,
        property: LayeredProperty,
    ) -> LayeredScan<'a, U, D, F> {
        assert_eq!(universe.len(), table.len(), "ranks of universe and table");
        LayeredScan {
            universe,
            table,
            layers,
            by_cell,
            property,
        }
    }

    /// How many distinct positions have the property.
    ///
    /// # Errors
    /// [`SolveError`] if no threads can be started, or `progress` interrupts.
    pub fn count(
        &self,
        threads: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<u64, SolveError> {
        let all = &self.layers;
        let ranks = all.iter().map(|&layer| self.universe.layers()[layer].len());
        progress.begin(Phase::Scan, 0, ranks.sum());
        let count = thread_pool(threads)?.install(|| {
            all.iter()
                .map(|&layer| {
                    let blocks = 0..self.universe.layers()[layer].blocks;
                    let found = blocks.into_par_iter().map(|block| {
                        let mut found = 0u64;
                        if !progress.interrupted() {
                            self.look(layer, block, |_| found += 1);
                        }
                        progress.advance(self.universe.layers()[layer].block_len.into());
                        found
                    });
                    found.sum::<u64>()
                })
                .sum()
        });
        match progress.interrupted() {
            true => Err(SolveError::Interrupted),
            false => Ok(count),
        }
    }

    /// Calls back with the lowest rank of each distinct position that has the property, until told to
    /// stop.
    ///
    /// # Errors
    /// As [`count`](LayeredScan::count).
    pub fn for_each(
        &self,
        threads: Option<usize>,
        progress: &dyn Progress,
        mut emit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), SolveError> {
        let all = &self.layers;
        let ranks = all.iter().map(|&layer| self.universe.layers()[layer].len());
        progress.begin(Phase::Scan, 0, ranks.sum());
        let pool = thread_pool(threads)?;
        for &layer in all {
            let data = &self.universe.layers()[layer];
            let window = (WINDOW / u64::from(data.block_len)).clamp(1, u64::from(u32::MAX)) as u32;
            let mut next = 0;
            while next < data.blocks {
                let end = next.saturating_add(window).min(data.blocks);
                let found: Vec<Vec<u64>> = pool.install(|| {
                    let blocks = (next..end).into_par_iter();
                    let list = |block| {
                        let mut found = Vec::new();
                        self.look(layer, block, |rank| found.push(rank));
                        found
                    };
                    blocks.map(list).collect()
                });
                progress.advance(u64::from(end - next) * u64::from(data.block_len));
                if progress.interrupted() {
                    return Err(SolveError::Interrupted);
                }
                for rank in found.into_iter().flatten() {
                    if emit(rank).is_break() {
                        return Ok(());
                    }
                }
                next = end;
            }
        }
        Ok(())
    }

    /// Calls back with the positions of a block that have the property.
    fn look(&self, layer: usize, number: u32, mut emit: impl FnMut(u64)) {
        let data = &self.universe.layers()[layer];
        let first = data.first + u64::from(number) * u64::from(data.block_len);
        let mut made = None;
        for offset in 0..data.block_len {
            let rank = first + u64::from(offset);
            if !(self.by_cell)(self.table.cell_unverified(rank)) {
                continue;
            }
            let block = made.get_or_insert_with(|| self.universe.block(layer, number));
            let symmetric = block.is_symmetric();
            if (!symmetric || block.is_first(offset)) && self.holds_at(layer, rank, block, offset) {
                emit(rank);
            }
        }
    }

    fn holds_at(&self, layer: usize, rank: u64, block: &U::Block<'_>, offset: u32) -> bool {
        let LayeredProperty {
            only_move,
            zugzwang,
        } = self.property;
        if !only_move && !zugzwang {
            return true;
        }
        let (Some(category), None) = (self.category(rank), self.universe.layers()[layer].decided)
        else {
            return false;
        };
        let passed = || self.opposite(layer, block, offset);
        let can_move = || {
            let mut any = false;
            block.successors(offset, |_| any = true);
            any
        };
        let lost = category == Category::Loss;
        (!zugzwang || lost && passed() == Some(Category::Loss) && can_move())
            && (!only_move || self.has_only_move(layer, category, block, offset))
    }

    fn has_only_move(
        &self,
        layer: usize,
        category: Category,
        block: &U::Block<'_>,
        offset: u32,
    ) -> bool {
        let after = match category {
            Category::Win => Category::Loss,
            Category::Draw => Category::Draw,
            Category::Loss => Category::Win,
        };
        let mut kept = 0u32;
        block.successors(offset, |successor| {
            let found = match successor {
                _ if kept > 1 => return,
                Successor::Won => Some(Category::Loss),
                Successor::Captured(rank) => self.category(rank),
                Successor::Quiet(offset) => self.opposite(layer, block, offset),
            };
            kept += u32::from(found == Some(after));
        });
        kept == 1
    }

    /// The category of the board of an offset, with the other side to move.
    fn opposite(&self, layer: usize, block: &U::Block<'_>, offset: u32) -> Option<Category> {
        let opposite = &self.universe.layers()[self.universe.layers()[layer].opposite];
        let mut rank = None;
        block.opposites(offset, |block, offset| {
            let place = u64::from(block) * u64::from(opposite.block_len) + u64::from(offset);
            rank = Some(opposite.first + place);
        });
        self.category(rank?)
    }

    fn category(&self, rank: u64) -> Option<Category> {
        self.table.cell_unverified(rank).category()
    }
}
