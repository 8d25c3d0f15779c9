//! A **scan**: the positions of a table that have a property, in the order of their ranks.
//!
//! First it is asked of a segment whether its positions may have the property at all; then their
//! cells are looked up, at the speed of memory; the rest is asked only where both fit.

use std::ops::ControlFlow;

use koma_games::{Segment, Universe};
use koma_tables::{Cell, Coding, Table};
use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::progress::{Phase, Progress};
use crate::retrograde::{SolveError, thread_pool};

/// A property of positions: all three parts of it must hold. It is the same for a position and its
/// mirror image.
pub trait Property: Sync {
    /// Whether the positions of a segment may have the property.
    fn holds_in_segment(&self, _segment: u32) -> bool {
        true
    }

    /// Whether positions with this cell, which is no hole, may have the property.
    fn holds_by_cell(&self, _cell: Cell) -> bool {
        true
    }

    /// Whether the third part says anything.
    fn asks_for_ranks(&self) -> bool {
        false
    }

    /// Whether the position of a rank, given by its segment and its place there, has the property
    /// if segment and cell fit. Implementations mark it `#[inline(always)]` where it counts bits: it
    /// is compiled for the processor it runs on.
    fn holds_at(&self, _segment: u32, _offset: u32) -> bool {
        true
    }
}

/// Looks for the positions of a table with a property.
#[derive(Debug)]
pub struct Scan<'a, U, D, P> {
    universe: &'a U,
    table: &'a Table<D>,
    property: &'a P,
    /// Whether a cell of this code may have the property, for codes of at most a byte.
    by_code: Vec<bool>,
}

/// Ranks that are looked at before the next ones are asked for.
const WINDOW: u64 = 1 << 24;

impl<'a, U: Universe, D: AsRef<[u8]> + Sync, P: Property> Scan<'a, U, D, P> {
    /// Looks for positions with a property. The checksums of the table should have been verified
    /// before.
    ///
    /// # Panics
    /// If the table has another number of ranks than the universe.
    pub fn new(universe: &'a U, table: &'a Table<D>, property: &'a P) -> Scan<'a, U, D, P> {
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
            property,
            by_code: (0..codes)
                .map(|code| fits(coding.decode(code), property))
                .collect(),
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
                    let found = self.count_segment(segment);
                    progress.advance(u64::from(self.universe.segment(segment).len));
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
        let segment = self.universe.segment_of(rank);
        let offset = (rank - self.universe.segment(segment).first) as u32;
        self.property.holds_in_segment(segment)
            && fits(self.table.cell_unverified(rank), self.property)
            && self.property.holds_at(segment, offset)
    }

    fn count_segment(&self, segment: u32) -> u64 {
        let Segment { first, len } = self.universe.segment(segment);
        if !self.property.holds_in_segment(segment) {
            return 0;
        }
        if self.table.coding().bits() == 8 && !self.property.asks_for_ranks() {
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
        dispatch(ScanSegment {
            scan: self,
            segment,
            emit: |_| found += 1,
        });
        found
    }

    fn list_segment(&self, segment: u32) -> Vec<u64> {
        let mut found = Vec::new();
        if self.property.holds_in_segment(segment) {
            let doubled = self.universe.is_doubled(segment);
            dispatch(ScanSegment {
                scan: self,
                segment,
                emit: |rank| {
                    // Of a position and its image the one with the lower rank is shown.
                    if !doubled || rank <= self.universe.image(rank) {
                        found.push(rank);
                    }
                },
            });
        }
        found
    }
}

/// Calls back with the ranks of a segment that have the property, if the segment does.
struct ScanSegment<'a, U, D, P, E> {
    scan: &'a Scan<'a, U, D, P>,
    segment: u32,
    emit: E,
}

impl<U, D, P, E> Work for ScanSegment<'_, U, D, P, E>
where
    U: Universe,
    D: AsRef<[u8]> + Sync,
    P: Property,
    E: FnMut(u64),
{
    type Output = ();

    #[inline(always)]
    fn run(mut self, _: impl Level) {
        let Scan {
            universe,
            table,
            property,
            by_code,
        } = self.scan;
        let Segment { first, len } = universe.segment(self.segment);
        let (coding, cells) = (table.coding(), table.cells());
        let bytes = match coding {
            Coding::Parity(width) if width.bits() == 8 => Some(&cells[first as usize..]),
            _ => None,
        };
        for offset in 0..len {
            let rank = first + u64::from(offset);
            let fits = match bytes {
                Some(codes) => by_code[usize::from(codes[offset as usize])],
                None => fits(coding.cell(cells, rank), *property),
            };
            if fits && property.holds_at(self.segment, offset) {
                (self.emit)(rank);
            }
        }
    }
}

/// Whether a cell holds a position that may have a property.
fn fits(cell: Cell, property: &impl Property) -> bool {
    cell != Cell::Hole && property.holds_by_cell(cell)
}
