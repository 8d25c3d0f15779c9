//! A **cell source**: where a writer takes the cells of a new table from.

use std::ops::Range;

use crate::{
    cell::Cell,
    coding::{CellWidth, Coding},
    error::EncodeError,
};

/// Where a writer takes the cells of a new table from.
///
/// Slices of [`Cell`] are sources. So are slices of `u8`, `u16` and `u32`: their elements are codes
/// of the parity coding of that width, and a slice written at its own width is copied without a
/// look at its cells.
pub trait CellSource {
    /// The number of ranks.
    fn rank_count(&self) -> u64;

    /// Whether odd distances are wins and even ones losses, so that cells need not say which. The
    /// table is in the parity coding then, else in the paired coding.
    fn by_parity(&self) -> bool {
        true
    }

    /// The cell of a rank below [`rank_count`](CellSource::rank_count).
    fn cell(&self, rank: u64) -> Cell;

    /// Appends the cells of `ranks` in `coding`. `ranks` starts at a multiple of four.
    ///
    /// # Errors
    /// The first rank whose cell the coding cannot hold, and why.
    fn append(
        &self,
        coding: Coding,
        ranks: Range<u64>,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, EncodeError)> {
        append_each(self, coding, ranks, out)
    }
}

fn append_each(
    source: &(impl CellSource + ?Sized),
    coding: Coding,
    ranks: Range<u64>,
    out: &mut Vec<u8>,
) -> Result<(), (u64, EncodeError)> {
    let first = ranks.start;
    coding
        .append(ranks.map(|rank| source.cell(rank)), out)
        .map_err(|(place, error)| (first + place, error))
}

impl CellSource for [Cell] {
    fn rank_count(&self) -> u64 {
        self.len() as u64
    }

    fn cell(&self, rank: u64) -> Cell {
        self[rank as usize]
    }
}

macro_rules! slice_source {
    ($code:ty, $width:expr) => {
        impl CellSource for [$code] {
            fn rank_count(&self) -> u64 {
                self.len() as u64
            }

            fn cell(&self, rank: u64) -> Cell {
                Coding::Parity($width).decode(self[rank as usize].into())
            }

            fn append(
                &self,
                coding: Coding,
                ranks: Range<u64>,
                out: &mut Vec<u8>,
            ) -> Result<(), (u64, EncodeError)> {
                if coding != Coding::Parity($width) {
                    return append_each(self, coding, ranks, out);
                }
                let codes = &self[ranks.start as usize..ranks.end as usize];
                let start = out.len();
                out.resize(start + size_of_val(codes), 0);
                // Becomes a copy of memory on little-endian machines.
                for (bytes, code) in out[start..].as_chunks_mut().0.iter_mut().zip(codes) {
                    *bytes = code.to_le_bytes();
                }
                Ok(())
            }
        }
    };
}

slice_source!(u8, CellWidth::Bits8);
slice_source!(u16, CellWidth::Bits16);
slice_source!(u32, CellWidth::Bits32);
