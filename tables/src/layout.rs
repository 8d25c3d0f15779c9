//! A **layout**: where each part of a file lies. It follows from the length of the header, the
//! coding and the number of ranks, and is never stored.

use std::ops::Range;

use crate::coding::Coding;

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
    /// Zeros between cells and block checksums.
    pub(crate) cells_padding: Range<u64>,
    /// One checksum of eight bytes a block. The file ends where they end.
    pub(crate) checksums: Range<u64>,
    /// Bytes a block; the last one may be shorter.
    block_bytes: u64,
}

impl Layout {
    /// The layout of a table with a header of `header_bytes`, or `None` if the file would be longer
    /// than `u64` bytes.
    pub(crate) fn new(
        header_bytes: u64,
        coding: Coding,
        len: u64,
        block_bytes: u32,
    ) -> Option<Layout> {
        let header_end = header_bytes.checked_add(PREFIX_BYTES)?;
        let cells_start = header_end.checked_next_multiple_of(CELLS_ALIGNMENT)?;
        let cells_end = cells_start.checked_add(coding.bytes(len)?)?;
        let checksums_start = cells_end.checked_next_multiple_of(8)?;
        let block_bytes = u64::from(block_bytes);
        let blocks = (cells_end - cells_start).div_ceil(block_bytes);
        let end = checksums_start.checked_add(blocks.checked_mul(8)?)?;
        Some(Layout {
            header_padding: header_end..cells_start,
            cells: cells_start..cells_end,
            cells_padding: cells_end..checksums_start,
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

    /// The block of a byte counted from the first cell.
    pub(crate) fn block_of(&self, cell_byte: u64) -> u64 {
        cell_byte / self.block_bytes
    }

    /// Where a block lies in the file.
    pub(crate) fn block(&self, block: u64) -> Range<u64> {
        let start = self.cells.start + block * self.block_bytes;
        start..(start + self.block_bytes).min(self.cells.end)
    }

    /// Where the checksum of a block lies in the file.
    pub(crate) fn checksum(&self, block: u64) -> Range<u64> {
        let start = self.checksums.start + block * 8;
        start..start + 8
    }
}
