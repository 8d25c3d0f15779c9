//! The **residue**: the ranks of a solved universe whose end neither side can force.
//!
//! A bit a rank, and before each word of bits how many came before: so every residue rank has a
//! number of its own, and what is kept for it takes no room for other ranks.

use koma_games::Value;
use rayon::prelude::*;

use crate::solution::Solution;

/// Ranks in a word.
const WORD: u64 = u64::BITS as u64;

/// Words that one thread looks through in one go.
const PART: usize = 64;

/// The residue of a solution.
#[derive(Debug)]
pub(crate) struct Residue {
    words: Vec<u64>,
    /// For each word, the residue ranks in the words before it.
    before: Vec<u64>,
    len: u64,
}

impl Residue {
    /// The bytes that the residue of a universe of so many ranks takes.
    pub(crate) fn bytes(ranks: u64) -> u64 {
        ranks.div_ceil(WORD).saturating_mul(2 * WORD / 8)
    }

    pub(crate) fn of(solution: &Solution) -> Residue {
        let ranks = solution.len();
        let words: Vec<u64> = (0..ranks.div_ceil(WORD))
            .into_par_iter()
            .map(|word| {
                let first = word * WORD;
                (first..ranks.min(first + WORD))
                    .filter(|&rank| solution.value(rank) == Some(Value::Draw))
                    .fold(0, |bits, rank| bits | 1 << (rank % WORD))
            })
            .collect();
        let mut len = 0;
        let before = words
            .iter()
            .map(|word| {
                let before = len;
                len += u64::from(word.count_ones());
                before
            })
            .collect();
        Residue { words, before, len }
    }

    /// How many ranks are in the residue.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The number of a rank, counted from 0 in the order of ranks; `None` if it is not in the residue.
    #[inline(always)]
    pub(crate) fn number(&self, rank: u64) -> Option<usize> {
        let (word, bit) = ((rank / WORD) as usize, 1u64 << (rank % WORD));
        let bits = self.words[word];
        (bits & bit != 0)
            .then(|| (self.before[word] + u64::from((bits & (bit - 1)).count_ones())) as usize)
    }

    /// The residue in parts, to be worked on by several threads: for each the ranks with their numbers,
    /// in ascending order.
    pub(crate) fn parts(
        &self,
    ) -> impl IndexedParallelIterator<Item = impl Iterator<Item = (u64, usize)>> {
        let words = self.words.par_chunks(PART).enumerate();
        words.map(|(part, words)| {
            let first = part * PART;
            let mut number = self.before[first] as usize;
            (first as u64..).zip(words).flat_map(move |(word, &bits)| {
                let from = number;
                number += bits.count_ones() as usize;
                Ones(bits)
                    .zip(from..)
                    .map(move |(bit, number)| (word * WORD + bit, number))
            })
        })
    }
}

/// The places of the ones in a word.
struct Ones(u64);

impl Iterator for Ones {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        (self.0 != 0).then(|| {
            let place = u64::from(self.0.trailing_zeros());
            self.0 &= self.0 - 1;
            place
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
        let mut len = 0;
        let before = words.iter().map(|word: &u64| {
            len += u64::from(word.count_ones());
            len - u64::from(word.count_ones())
        });
        let before = before.collect();
        let residue = Residue { words, before, len };
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
