//! A **scan**: the positions of a table that have a property, in the order of their ranks.
//!
//! A property is the same for a position and its mirror image. First what the cell says is looked
//! up, at the speed of memory; the rest of the property is asked only where that fits.

use std::ops::ControlFlow;

use koma_games::{Segment, Universe};
use koma_tables::{Cell, Coding, Table};
use rayon::prelude::*;

use crate::progress::{Phase, Progress};
use crate::retrograde::{SolveError, thread_pool};

/// Looks for the positions of a table with a property.
pub struct Scan<'a, U, D> {
    universe: &'a U,
    table: &'a Table<D>,
    /// Whether a cell of this code may have the property, for codes of at most a byte.
    by_code: Vec<bool>,
    by_cell: &'a (dyn Fn(Cell) -> bool + Sync),
    by_rank: &'a (dyn Fn(u64) -> bool + Sync),
    every_rank: bool,
}

/// Ranks that are looked at before the next ones are asked for.
const WINDOW: u64 = 1 << 24;

impl<'a, U: Universe, D: AsRef<[u8]> + Sync> Scan<'a, U, D> {
    /// Looks for positions whose cell has a property, and whose rank has one too (`None`: any). The
    /// checksums of the table should have been verified before, and it has as many ranks as the
    /// universe.
    pub fn new(
        universe: &'a U,
        table: &'a Table<D>,
        by_cell: &'a (dyn Fn(Cell) -> bool + Sync),
        by_rank: Option<&'a (dyn Fn(u64) -> bool + Sync)>,
    ) -> Scan<'a, U, D> {
        assert_eq!(universe.len(), table.len(), "ranks of universe and table");
        let coding = table.coding();
        let codes = if coding.bits() <= 8 {
            1 << coding.bits()
        } else {
            0
        };
        Scan {
            universe,
            table,
            by_code: (0..codes)
                .map(|code| fits(coding.decode(code), by_cell))
                .collect(),
            by_cell,
            by_rank: by_rank.unwrap_or(&|_| true),
            every_rank: by_rank.is_none(),
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
        progress.begin(Phase::Scan, 0, self.universe.len());
        // Of a doubled segment every other rank counts, and self-images in full.
        let halves: u64 = thread_pool(threads)?.install(|| {
            (0..self.universe.segments())
                .into_par_iter()
                .map(|segment| {
                    if progress.interrupted() {
                        return 0;
                    }
                    let Segment { first, len } = self.universe.segment(segment);
                    let found = self.count_segment(first, u64::from(len));
                    progress.advance(u64::from(len));
                    found
                        * if self.universe.is_doubled(segment) {
                            1
                        } else {
                            2
                        }
                })
                .sum()
        });
        let mut own_images = 0;
        self.universe
            .for_each_self_image(|rank| own_images += u64::from(self.has(rank)));
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        Ok((halves + own_images) / 2)
    }

    /// Calls back with the rank of each distinct position that has the property, until told to stop.
    ///
    /// # Errors
    /// As [`count`](Scan::count).
    pub fn for_each(
        &self,
        threads: Option<usize>,
        progress: &dyn Progress,
        mut emit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), SolveError> {
        progress.begin(Phase::Scan, 0, self.universe.len());
        let pool = thread_pool(threads)?;
        let segments = self.universe.segments();
        let mut next = 0;
        while next < segments {
            let start = next;
            let mut ranks = 0;
            while next < segments && ranks < WINDOW {
                ranks += u64::from(self.universe.segment(next).len);
                next += 1;
            }
            let found: Vec<Vec<u64>> = pool.install(|| {
                (start..next)
                    .into_par_iter()
                    .map(|segment| self.list_segment(segment))
                    .collect()
            });
            progress.advance(ranks);
            if progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
            for rank in found.into_iter().flatten() {
                if emit(rank).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether the position of a rank has the property.
    fn has(&self, rank: u64) -> bool {
        let cell = self.table.coding().cell(self.table.cells(), rank);
        fits(cell, self.by_cell) && (self.by_rank)(rank)
    }

    fn count_segment(&self, first: u64, len: u64) -> u64 {
        if self.table.coding().bits() == 8 && self.every_rank {
            // Sums of a byte's width let the compiler work on many cells at once.
            let cells = &self.table.cells()[first as usize..][..len as usize];
            return cells
                .chunks(255)
                .map(|cells| {
                    let found: u8 = cells
                        .iter()
                        .map(|&code| u8::from(self.by_code[usize::from(code)]))
                        .fold(0, u8::wrapping_add);
                    u64::from(found)
                })
                .sum();
        }
        let mut found = 0;
        self.for_each_fitting(first, len, |rank| found += u64::from((self.by_rank)(rank)));
        found
    }

    fn list_segment(&self, segment: u32) -> Vec<u64> {
        let Segment { first, len } = self.universe.segment(segment);
        let doubled = self.universe.is_doubled(segment);
        let mut found = Vec::new();
        self.for_each_fitting(first, u64::from(len), |rank| {
            // Of a position and its image the one with the lower rank is shown.
            if (!doubled || rank <= self.universe.image(rank)) && (self.by_rank)(rank) {
                found.push(rank);
            }
        });
        found
    }

    /// Calls back with the ranks whose cell has the property.
    fn for_each_fitting(&self, first: u64, len: u64, mut emit: impl FnMut(u64)) {
        let (coding, cells) = (self.table.coding(), self.table.cells());
        match coding {
            Coding::Parity(width) if width.bits() == 8 => {
                let cells = &cells[first as usize..][..len as usize];
                for (rank, &code) in (first..).zip(cells) {
                    if self.by_code[usize::from(code)] {
                        emit(rank);
                    }
                }
            }
            _ => {
                for rank in first..first + len {
                    if fits(coding.cell(cells, rank), self.by_cell) {
                        emit(rank);
                    }
                }
            }
        }
    }
}

/// Whether a cell holds a position that has a property.
fn fits(cell: Cell, property: impl Fn(Cell) -> bool) -> bool {
    cell != Cell::Hole && property(cell)
}
