//! A **layout**: where each part of a file lies. It follows from the length of the header, the
//! coding and the number of ranks, and is never stored.

use std::ops::Range;

use crate::{coding::Coding, outcomes};

/// The first bytes of every table.
pub(crate) const MAGIC: [u8; 8] = *b"KOMATBL\n";

/// The bytes before the header: magic, format version, header length, header checksum.
pub(crate) const PREFIX_BYTES: u64 = 24;

/// Cells start at a multiple of this, a page of memory.
const CELLS_ALIGNMENT: u64 = 4096;

/// The size of a block in tables that this version writes. Small enough that the first touch of a
/// block costs microseconds, large enough that the checksums take a two-thousandth of the file.
pub(crate) const BLOCK_BYTES: u32 = 16 << 10;

/// Where each part of a file lies, in bytes from its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Zeros between header and cells.
    pub(crate) header_padding: Range<u64>,
    /// The cells, divided into blocks.
    pub(crate) cells: Range<u64>,
    /// Zeros behind the cells.
    pub(crate) cells_padding: Range<u64>,
    /// Where there are outcomes: for each block of cells the residue ranks in the blocks before it, then
    /// the outcomes of the residue under one law after the other. Divided into blocks like the cells.
    pub(crate) outcomes: Range<u64>,
    /// The bytes of the directory, with which the outcomes begin.
    pub(crate) directory_bytes: u64,
    /// The bytes of the outcomes under one law.
    pub(crate) law_bytes: u64,
    /// Zeros between outcomes and block checksums.
    pub(crate) outcomes_padding: Range<u64>,
    /// One checksum of eight bytes a block. The file ends where they end.
    pub(crate) checksums: Range<u64>,
    /// Bytes a block; the last one may be shorter.
    block_bytes: u64,
}

impl Layout {
    /// The layout of a table with a header of `header_bytes` and the outcomes of `residue` ranks under so
    /// many laws, or `None` if the file would be longer than `u64` bytes.
    pub(crate) fn new(
        header_bytes: u64,
        coding: Coding,
        len: u64,
        block_bytes: u32,
        laws: u64,
        residue: u64,
    ) -> Option<Layout> {
        let header_end = header_bytes.checked_add(PREFIX_BYTES)?;
        let cells_start = header_end.checked_next_multiple_of(CELLS_ALIGNMENT)?;
        let cells_end = cells_start.checked_add(coding.bytes(len)?)?;
        let outcomes_start = cells_end.checked_next_multiple_of(8)?;
        let block_bytes = u64::from(block_bytes);
        let cell_blocks = (cells_end - cells_start).div_ceil(block_bytes);
        let directory_bytes = match laws {
            0 => 0,
            _ => cell_blocks.checked_mul(8)?,
        };
        let law_bytes = outcomes::bytes(residue);
        let outcomes_bytes = directory_bytes.checked_add(law_bytes.checked_mul(laws)?)?;
        let outcomes_end = outcomes_start.checked_add(outcomes_bytes)?;
        let checksums_start = outcomes_end.checked_next_multiple_of(8)?;
        let blocks = cell_blocks.checked_add(outcomes_bytes.div_ceil(block_bytes))?;
        let end = checksums_start.checked_add(blocks.checked_mul(8)?)?;
        Some(Layout {
            header_padding: header_end..cells_start,
            cells: cells_start..cells_end,
            cells_padding: cells_end..outcomes_start,
            outcomes: outcomes_start..outcomes_end,
            directory_bytes,
            law_bytes,
            outcomes_padding: outcomes_end..checksums_start,
            checksums: checksums_start..end,
            block_bytes,
        })
    }

    /// The length of the whole file.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.checksums.end
    }

    /// The number of blocks.
    pub(crate) fn block_count(&self) -> u64 {
        (self.checksums.end - self.checksums.start) / 8
    }

    /// The number of blocks of cells, which come first.
    pub(crate) fn cell_blocks(&self) -> u64 {
        (self.cells.end - self.cells.start).div_ceil(self.block_bytes)
    }

    /// The block of a byte counted from the first cell.
    pub(crate) fn block_of(&self, cell_byte: u64) -> u64 {
        cell_byte / self.block_bytes
    }

    /// The block of a byte counted from the first of the outcomes.
    pub(crate) fn block_of_outcomes(&self, byte: u64) -> u64 {
        self.cell_blocks() + byte / self.block_bytes
    }

    /// Where a block lies in the file.
    pub(crate) fn block(&self, block: u64) -> Range<u64> {
        let (part, block) = match block.checked_sub(self.cell_blocks()) {
            None => (&self.cells, block),
            Some(block) => (&self.outcomes, block),
        };
        let start = part.start + block * self.block_bytes;
        start..(start + self.block_bytes).min(part.end)
    }

    /// Where the checksum of a block lies in the file.
    pub(crate) fn checksum(&self, block: u64) -> Range<u64> {
        let start = self.checksums.start + block * 8;
        start..start + 8
    }
}
