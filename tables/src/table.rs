//! A **table**: the cells of every rank of a universe, opened for reading.

use std::{
    fs::{self, File},
    ops::Range,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use koma_games::{Category, Color, Law};
use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    cell::Cell,
    coding::Coding,
    counts::Counts,
    error::{OpenError, OpenFault, ReadError, VerifyError},
    header::{Header, first_nonzero},
    identity::Identity,
    kind::Kind,
    layout::Layout,
    outcomes::{self, OutcomeCounts},
};

/// An open table over bytes: a memory map, a vector, a static slice.
///
/// Any number of threads may read one table at the same time.
#[derive(Debug)]
pub struct Table<D> {
    /// For messages only.
    file: PathBuf,
    bytes: D,
    header: Header,
    layout: Layout,
    /// One bit a block: its checksum was compared and found right.
    sound: Box<[AtomicU64]>,
}

impl Table<Mmap> {
    /// Opens a table file as a memory map.
    ///
    /// A file that is cut short by another program while it is mapped ends the process on some
    /// systems; a [`Writer`](crate::Writer) never changes a file that has its final name.
    ///
    /// # Errors
    /// As [`open`](Table::open), and [`OpenFault::Io`], [`OpenFault::NotAFile`],
    /// [`OpenFault::AddressSpace`].
    pub fn open_file(path: impl AsRef<Path>) -> Result<Table<Mmap>, OpenError> {
        let path = path.as_ref();
        let refuse = |fault| OpenError {
            file: path.to_owned(),
            fault,
        };
        let bytes = map(path).map_err(refuse)?;
        Table::open_named(path.to_owned(), bytes)
    }

    /// Opens a table file and refuses it unless it answers the question that is asked.
    ///
    /// # Errors
    /// As [`open_file`](Table::open_file), and [`OpenFault::Mismatch`].
    pub fn open_expecting(
        path: impl AsRef<Path>,
        wanted: &Identity,
    ) -> Result<Table<Mmap>, OpenError> {
        let table = Table::open_file(path)?;
        table.check_identity(wanted)?;
        Ok(table)
    }
}

impl<D: AsRef<[u8]>> Table<D> {
    /// Opens a table that is already in memory. Checks the header and the length of the file, and
    /// reads no cell.
    ///
    /// # Errors
    /// [`OpenError`] when the bytes are not a finished table of a format that this version knows.
    pub fn open(bytes: D) -> Result<Table<D>, OpenError> {
        Table::open_named(PathBuf::from("table in memory"), bytes)
    }

    fn open_named(file: PathBuf, bytes: D) -> Result<Table<D>, OpenError> {
        match Header::read(bytes.as_ref()) {
            Err(fault) => Err(OpenError { file, fault }),
            Ok((header, layout)) => {
                let words = layout.block_count().div_ceil(64);
                let sound = (0..words).map(|_| AtomicU64::new(0)).collect();
                Ok(Table {
                    file,
                    bytes,
                    header,
                    layout,
                    sound,
                })
            }
        }
    }

    /// Refuses the table unless it answers the question that is asked.
    ///
    /// # Errors
    /// [`OpenFault::Mismatch`] naming the first field that differs.
    pub fn check_identity(&self, wanted: &Identity) -> Result<(), OpenError> {
        self.header
            .identity()
            .check(wanted)
            .map_err(|fault| OpenError {
                file: self.file.clone(),
                fault,
            })
    }

    /// The file as messages name it.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What the table says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The number of ranks, holes among them.
    pub fn len(&self) -> u64 {
        self.header.rank_count()
    }

    /// Whether the table has no ranks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How the cells are written.
    pub fn coding(&self) -> Coding {
        self.header.coding()
    }

    /// What the table says about a rank. The first touch of a block compares its checksum.
    ///
    /// # Errors
    /// [`ReadError::Rank`] for a rank the table does not have, [`ReadError::Block`] where the file
    /// is damaged.
    pub fn cell(&self, rank: u64) -> Result<Cell, ReadError> {
        let len = self.len();
        if rank >= len {
            return Err(ReadError::Rank {
                file: self.file.clone(),
                rank,
                len,
            });
        }
        let byte = rank * u64::from(self.coding().bits()) / 8;
        self.check_block(self.layout.block_of(byte))?;
        Ok(self.cell_unverified(rank))
    }

    /// What the table says about a rank, without a look at checksums: for bulk readers that have
    /// called [`verify`](Table::verify).
    ///
    /// # Panics
    /// If the table has no such rank.
    pub fn cell_unverified(&self, rank: u64) -> Cell {
        assert!(
            rank < self.len(),
            "rank {rank} in a table of {} ranks",
            self.len()
        );
        self.coding().cell(self.cells(), rank)
    }

    /// What a law makes of endless play from a rank, for its mover, who is of this color; `None` if the
    /// rank is not in the residue. The first touch of a block compares its checksum.
    ///
    /// # Errors
    /// As [`cell`](Table::cell); [`ReadError::NoOutcomes`] for a law that the table does not hold,
    /// [`ReadError::Outcome`] where the file contradicts itself.
    pub fn outcome(
        &self,
        law: Law,
        rank: u64,
        mover: Color,
    ) -> Result<Option<Category>, ReadError> {
        if self.cell(rank)?.category() != Some(Category::Draw) {
            return Ok(None);
        }
        let place = self.place_of(law)?;
        let byte = rank * u64::from(self.coding().bits()) / 8;
        let block = self.layout.block_of(byte);
        self.check_block(self.layout.block_of_outcomes(block * 8))?;
        let fault = || ReadError::Outcome {
            file: self.file.clone(),
            rank,
        };
        // Sound bytes may still lie about how many ranks there are before.
        let number = self.number_in(block, rank);
        let number = number.filter(|&number| number < self.header.census().ranks.draw);
        let number = number.ok_or_else(fault)?;
        let start = self.layout.directory_bytes + place as u64 * self.layout.law_bytes;
        self.check_block(self.layout.block_of_outcomes(start + number / 2))?;
        let outcome = outcomes::outcome(self.outcome_bytes(place), number, mover);
        outcome.map(Some).ok_or_else(fault)
    }

    /// The same without a look at checksums: for bulk readers that have called
    /// [`verify`](Table::verify). `None` also for a law that the table does not hold.
    ///
    /// # Panics
    /// If the table has no such rank.
    pub fn outcome_unverified(&self, law: Law, rank: u64, mover: Color) -> Option<Category> {
        if self.cell_unverified(rank).category() != Some(Category::Draw) {
            return None;
        }
        let place = self.place_of(law).ok()?;
        let byte = rank * u64::from(self.coding().bits()) / 8;
        let number = self.number_in(self.layout.block_of(byte), rank)?;
        (number < self.header.census().ranks.draw)
            .then(|| outcomes::outcome(self.outcome_bytes(place), number, mover))
            .flatten()
    }

    /// What a law makes of the residue, by the number of the residue rank, counted from 0 in the order of
    /// ranks: for bulk readers that have called [`verify`](Table::verify).
    ///
    /// # Errors
    /// [`ReadError::NoOutcomes`] for a law that the table does not hold.
    pub fn outcomes_unverified(
        &self,
        law: Law,
    ) -> Result<impl Fn(u64, Color) -> Option<Category> + Sync, ReadError>
    where
        D: Sync,
    {
        let bytes = self.outcome_bytes(self.place_of(law)?);
        Ok(move |number, mover| outcomes::outcome(bytes, number, mover))
    }

    /// Where a law stands among those whose outcomes the table holds.
    fn place_of(&self, law: Law) -> Result<usize, ReadError> {
        let mut laws = self.header.outcomes().iter();
        laws.position(|counts| counts.law == law)
            .ok_or_else(|| ReadError::NoOutcomes {
                file: self.file.clone(),
                law: law.name(),
            })
    }

    /// The number of a rank in the residue: what the directory says of its block of cells, and the
    /// residue ranks before it there. `None` if that leaves 64 bits.
    fn number_in(&self, block: u64, rank: u64) -> Option<u64> {
        let first = self.first_in(block);
        let before = self.coding().draws(self.cells(), first..rank);
        self.directory_entry(block).checked_add(before)
    }

    /// The first rank in a block of cells.
    fn first_in(&self, block: u64) -> u64 {
        block * u64::from(self.header.block_bytes()) * 8 / u64::from(self.coding().bits())
    }

    /// How many residue ranks a file says there are in the blocks of cells before this one.
    fn directory_entry(&self, block: u64) -> u64 {
        let start = self.layout.outcomes.start + block * 8;
        let entry = self.slice(start..start + 8).as_chunks().0[0];
        u64::from_le_bytes(entry)
    }

    /// The outcomes under the law that stands there.
    fn outcome_bytes(&self, place: usize) -> &[u8] {
        let Layout {
            outcomes,
            directory_bytes,
            law_bytes,
            ..
        } = &self.layout;
        let start = outcomes.start + directory_bytes + place as u64 * law_bytes;
        self.slice(start..start + law_bytes)
    }

    /// The coded cells of all ranks, without a look at checksums: for bulk readers that have called
    /// [`verify`](Table::verify).
    pub fn cells(&self) -> &[u8] {
        self.slice(self.layout.cells.clone())
    }

    /// Reads the whole file and checks all of it: checksums, content hash, padding, and that the
    /// counts in the header are those of the cells.
    ///
    /// # Errors
    /// [`VerifyError`] with the place of the damage.
    pub fn verify(&self) -> Result<(), VerifyError> {
        let file = || self.file.clone();
        let checksums = self.layout.checksums.clone();
        if xxh3_64(self.slice(checksums.clone())) != self.header.content_hash() {
            return Err(VerifyError::Checksums {
                file: file(),
                bytes: checksums,
            });
        }
        let mut damaged = (0..self.layout.block_count()).filter(|&block| !self.compare(block));
        if let Some(first) = damaged.next() {
            return Err(VerifyError::Blocks {
                file: file(),
                damaged: 1 + damaged.count() as u64,
                blocks: self.layout.block_count(),
                first,
                bytes: self.layout.block(first),
            });
        }
        let padding = [&self.layout.cells_padding, &self.layout.outcomes_padding];
        let mut padding = padding.into_iter();
        if let Some(offset) = self
            .unused_bits()
            .or_else(|| padding.find_map(|part| first_nonzero(self.bytes.as_ref(), part.clone())))
        {
            return Err(VerifyError::Padding {
                file: file(),
                offset,
            });
        }
        let stated = &self.header.census().ranks;
        let mut counted = Counts::of_cells(self.coding(), self.cells(), self.len());
        if self.header.kind() == Kind::Wdl {
            // Only the writer knew the distances.
            counted.by_plies.clone_from(&stated.by_plies);
        }
        if counted != *stated {
            return Err(VerifyError::Counts { file: file() });
        }
        self.verify_outcomes()
    }

    /// Checks the directory of the outcomes against the cells, and each law's outcomes against their
    /// counts.
    fn verify_outcomes(&self) -> Result<(), VerifyError> {
        let refuse = |law: Law| VerifyError::Outcomes {
            file: self.file.clone(),
            law: law.name(),
        };
        let Some(first) = self.header.outcomes().first() else {
            return Ok(());
        };
        let mut residue = 0;
        for block in 0..self.layout.cell_blocks() {
            if self.directory_entry(block) != residue {
                return Err(refuse(first.law));
            }
            let ranks = self.first_in(block)..self.first_in(block + 1).min(self.len());
            residue += self.coding().draws(self.cells(), ranks);
        }
        for (place, counts) in self.header.outcomes().iter().enumerate() {
            let bytes = self.outcome_bytes(place);
            let mut counted = OutcomeCounts::default();
            for number in 0..residue {
                for mover in Color::BOTH {
                    let outcome = outcomes::outcome(bytes, number, mover);
                    let outcome = outcome.ok_or_else(|| refuse(counts.law))?;
                    counted.add(mover, outcome, 1);
                }
            }
            let unused = match residue % 2 {
                1 => bytes.last().is_some_and(|last| last >> 4 != 0),
                _ => false,
            };
            if unused || counted != counts.ranks {
                return Err(refuse(counts.law));
            }
        }
        Ok(())
    }

    /// The place of the last byte of cells if bits behind the last cell are set in it.
    fn unused_bits(&self) -> Option<u64> {
        let used = self.len() * u64::from(self.coding().bits()) % 8;
        let last = self.cells().last()?;
        (used > 0 && last >> used != 0).then_some(self.layout.cells.end - 1)
    }

    fn check_block(&self, block: u64) -> Result<(), ReadError> {
        // Relaxed is enough: the bit publishes no data, it only saves a comparison of bytes that
        // never change.
        let word = &self.sound[(block / 64) as usize];
        let bit = 1 << (block % 64);
        if word.load(Ordering::Relaxed) & bit != 0 {
            return Ok(());
        }
        if !self.compare(block) {
            let bytes = self.layout.block(block);
            return Err(ReadError::Block {
                file: self.file.clone(),
                block,
                bytes,
            });
        }
        word.fetch_or(bit, Ordering::Relaxed);
        Ok(())
    }

    /// Whether a block matches its checksum.
    fn compare(&self, block: u64) -> bool {
        let stored = self.slice(self.layout.checksum(block));
        xxh3_64(self.slice(self.layout.block(block))).to_le_bytes() == *stored
    }

    /// Bytes of the file. The layout was compared with its length at open.
    fn slice(&self, range: Range<u64>) -> &[u8] {
        &self.bytes.as_ref()[range.start as usize..range.end as usize]
    }
}

fn map(path: &Path) -> Result<Mmap, OpenFault> {
    // Looked at before opening, because opening a pipe waits for its other end.
    let metadata = fs::metadata(path).map_err(OpenFault::Io)?;
    if !metadata.is_file() {
        return Err(OpenFault::NotAFile);
    }
    if metadata.len() == 0 {
        return Err(OpenFault::Empty);
    }
    if !addressable(metadata.len(), usize::BITS) {
        return Err(OpenFault::AddressSpace {
            bytes: metadata.len(),
        });
    }
    let file = File::open(path).map_err(OpenFault::Io)?;
    // SAFETY: the map is read only, and no writer of this crate changes a file that has its final
    // name: new tables come by rename. Another program that changes the file can make reads
    // return other bytes, which checksums find and every decoder accepts, or, by cutting the file
    // short, end the process.
    unsafe { Mmap::map(&file) }.map_err(OpenFault::Io)
}

/// Whether a program of this pointer width can map so many bytes.
fn addressable(bytes: u64, pointer_bits: u32) -> bool {
    pointer_bits > 32 || bytes <= 2 << 30
}

#[cfg(test)]
mod tests {
    use super::addressable;

    #[test]
    fn case_72_a_32_bit_program_maps_no_more_than_2_gib() {
        assert!(addressable(2 << 30, 32));
        assert!(!addressable((2 << 30) + 1, 32));
        assert!(addressable(1 << 40, 64));
    }
}
