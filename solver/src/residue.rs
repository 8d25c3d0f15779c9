//! The **residue**: the ranks of a solved universe whose end neither side can force.
//!
//! A bit a rank, and before each word of bits how many came before: so every residue rank has a
//! number of its own, and what is kept for it takes no room for other ranks.

use koma_games::Category;
use koma_tables::{CellWidth, Table};
use rayon::prelude::*;

use crate::ones::Ones;
use crate::prefetch::prefetch;
use crate::solution::{Cells, Solution};

/// Ranks in a word.
const WORD: u64 = u64::BITS as u64;

/// Words that one thread looks through in one go.
const PART: usize = 1024;

/// 64 ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Which of them are in the residue.
    bits: u64,
    /// The residue ranks before them.
    before: u64,
}

/// The residue of a solution.
#[derive(Debug)]
pub(crate) struct Residue {
    words: Vec<Word>,
    len: u64,
}

impl Residue {
    /// The bytes that the residue of a universe of so many ranks takes.
    pub(crate) fn bytes(ranks: u64) -> u64 {
        let word = size_of::<Word>() as u64;
        ranks.div_ceil(WORD).saturating_mul(word)
    }

    pub(crate) fn of(solution: &Solution) -> Residue {
        let draw = CellWidth::draw;
        match &solution.cells {
            Cells::Bits8(cells) => Residue::of_equal(cells, draw(CellWidth::Bits8) as u8),
            Cells::Bits16(cells) => Residue::of_equal(cells, draw(CellWidth::Bits16) as u16),
            Cells::Bits32(cells) => Residue::of_equal(cells, draw(CellWidth::Bits32)),
        }
    }

    /// The ranks whose cells have this code.
    fn of_equal<C: Copy + Eq + Sync>(cells: &[C], code: C) -> Residue {
        let words = cells.par_chunks(WORD as usize).map(|cells| {
            let bits = (0..).zip(cells);
            bits.fold(0, |bits, (place, &cell)| {
                bits | u64::from(cell == code) << place
            })
        });
        Residue::of_bits(words.collect())
    }

    /// The ranks that a table calls drawn.
    pub(crate) fn of_table<D: AsRef<[u8]> + Sync>(table: &Table<D>) -> Residue {
        let ranks = table.len();
        let words = (0..ranks.div_ceil(WORD)).into_par_iter().map(|word| {
            let first = word * WORD;
            (first..ranks.min(first + WORD))
                .filter(|&rank| table.cell_unverified(rank).category() == Some(Category::Draw))
                .fold(0, |bits, rank| bits | 1 << (rank % WORD))
        });
        Residue::of_bits(words.collect())
    }

    fn of_bits(words: Vec<u64>) -> Residue {
        let mut len = 0;
        let words = words.into_iter().map(|bits| {
            let before = len;
            len += u64::from(bits.count_ones());
            Word { bits, before }
        });
        let words = words.collect();
        Residue { words, len }
    }

    /// How many ranks are in the residue.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The number of a rank, counted from 0 in the order of ranks; `None` if it is not in the residue.
    #[inline(always)]
    pub(crate) fn number(&self, rank: u64) -> Option<usize> {
        let Word { bits, before } = self.words[(rank / WORD) as usize];
        let bit = 1u64 << (rank % WORD);
        let lower = u64::from((bits & bit.wrapping_sub(1)).count_ones());
        (bits & bit != 0).then(|| before.wrapping_add(lower) as usize)
    }

    /// Asks for the memory that [`number`](Residue::number) reads.
    #[inline(always)]
    pub(crate) fn ask(&self, rank: u64) {
        prefetch(&self.words, (rank / WORD) as usize);
    }

    /// Every rank of the residue, in ascending order.
    pub(crate) fn ranks(&self) -> impl Iterator<Item = u64> {
        (0..).zip(&self.words).flat_map(|(index, word)| {
            let first = index * WORD;
            Ones(word.bits).map(move |bit| first + bit)
        })
    }

    /// The residue in parts, to be worked on by several threads: for each the ranks with their numbers,
    /// in ascending order.
    pub(crate) fn parts(
        &self,
    ) -> impl IndexedParallelIterator<Item = impl Iterator<Item = (u64, usize)>> {
        let words = self.words.par_chunks(PART).enumerate();
        words.map(|(part, words)| {
            let first = (part * PART) as u64;
            (first..).zip(words).flat_map(|(index, word)| {
                let numbers = word.before as usize..;
                Ones(word.bits)
                    .zip(numbers)
                    .map(move |(bit, number)| (index * WORD + bit, number))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_ranks() {
        let members: Vec<u64> = (0..20_000)
            .filter(|rank| rank % 3 == 1 || rank % 64 == 63)
            .collect();
        let mut words = vec![0; 20_000usize.div_ceil(64)];
        for rank in &members {
            words[(rank / WORD) as usize] |= 1 << (rank % WORD);
        }
        let residue = Residue::of_bits(words);
        assert_eq!(residue.len(), members.len() as u64);
        let found: Vec<(u64, usize)> = residue
            .parts()
            .flat_map_iter(|part| part.collect::<Vec<_>>())
            .collect();
        assert!(found.iter().map(|&(rank, _)| rank).eq(members));
        for (place, (rank, number)) in found.into_iter().enumerate() {
            assert_eq!(number, place);
            assert_eq!(residue.number(rank), Some(number));
        }
        assert_eq!(residue.number(0), None);
    }
}
