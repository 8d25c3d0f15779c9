//! The **longest** win or loss of a table, and the mates and stalemates in it.

use std::ops::ControlFlow;

use koma_games::{RankedUniverse, Value};
use koma_tables::{Cell, Table};

use crate::progress::Progress;
use crate::retrograde::SolveError;
use crate::scan::{Property, Scan};

/// What stands at the two ends of the distances of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The longest distance in plies, and the lowest rank of it.
    pub longest: Option<(u32, u64)>,
    /// Distinct positions in which the mover is mated.
    pub mates: u64,
    /// Distinct positions in which the mover has no move and is not in check.
    pub stalemates: u64,
}

impl Ends {
    /// Looks through a table, whose checksums should have been verified before.
    ///
    /// # Errors
    /// [`SolveError`] if threads can't be had, or when `progress` interrupts.
    ///
    /// # Panics
    /// If the table has another number of ranks than the universe.
    pub fn of<D: AsRef<[u8]> + Sync>(
        universe: &RankedUniverse,
        table: &Table<D>,
        threads: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<Ends, SolveError> {
        let mut longest = None;
        if let Some(plies) = table.header().census().ranks.deepest() {
            let property = At { plies };
            Scan::new(universe, table, &property).for_each(threads, progress, |rank| {
                longest = Some((plies, rank));
                ControlFlow::Break(())
            })?;
        }
        let over = At { plies: 0 };
        let over = Scan::new(universe, table, &over).count(threads, progress)?;
        let mated = Mated(universe);
        let mates = Scan::new(universe, table, &mated).count(threads, progress)?;
        Ok(Ends {
            longest,
            mates,
            stalemates: over - mates,
        })
    }
}

/// Positions at a distance.
struct At {
    plies: u32,
}

impl Property for At {
    fn holds_by_cell(&self, cell: Cell) -> bool {
        cell.plies() == Some(self.plies)
    }
}

/// Positions in which the mover is mated.
struct Mated<'a>(&'a RankedUniverse);

impl Property for Mated<'_> {
    fn holds_by_cell(&self, cell: Cell) -> bool {
        cell.value() == Some(Value::Loss(0))
    }

    fn asks_for_ranks(&self) -> bool {
        true
    }

    fn holds_at(&self, segment: u32, offset: u32) -> bool {
        self.0.in_check(segment, offset)
    }
}
