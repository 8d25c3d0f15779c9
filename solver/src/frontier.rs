//! A **frontier**: where the ranks decided in one ply are, as one flag for every line of 64 cells.
//!
//! No rank is ever listed: a flagged line is scanned for the cells of the ply. That keeps the
//! sources in the order of their ranks and costs 1/64 byte a rank.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Ranks under one flag.
pub(crate) const LINE: u64 = 64;

/// Flags over lines of ranks.
#[derive(Debug)]
pub(crate) struct Frontier {
    lines: Vec<AtomicBool>,
}

impl Frontier {
    /// No flag set, for this many ranks.
    pub(crate) fn new(ranks: u64) -> Frontier {
        let lines = usize::try_from(ranks.div_ceil(LINE)).expect("cells that fit in memory");
        Frontier {
            lines: std::iter::repeat_with(|| AtomicBool::new(false))
                .take(lines)
                .collect(),
        }
    }

    /// Flags a rank's line.
    #[inline(always)]
    pub(crate) fn set(&self, rank: u64) {
        self.lines[(rank / LINE) as usize].store(true, Relaxed);
    }

    /// Flags of the lines that hold these ranks, with the number of the first line.
    #[inline(always)]
    pub(crate) fn lines(&self, first: u64, len: u64) -> (u64, &[AtomicBool]) {
        let from = first / LINE;
        let to = (first + len).div_ceil(LINE);
        (from, &self.lines[from as usize..to as usize])
    }

    /// Takes all flags down.
    pub(crate) fn clear(&mut self) {
        for line in &mut self.lines {
            *line.get_mut() = false;
        }
    }
}
