//! A **rank set**: one bit a rank, filled by several threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::prefetch::prefetch;

/// Ranks in a word.
const WORD: u64 = u64::BITS as u64;

/// Ranks below a bound.
#[derive(Debug)]
pub struct RankSet {
    words: Vec<AtomicU64>,
}

impl RankSet {
    /// The bytes of a set of ranks below `len`.
    pub(crate) fn bytes(len: u64) -> u64 {
        len.div_ceil(WORD) * (WORD / 8)
    }

    /// The bytes of this set.
    pub(crate) fn byte_count(&self) -> u64 {
        self.words.len() as u64 * (WORD / 8)
    }

    /// No rank below `len`.
    pub(crate) fn new(len: u64) -> RankSet {
        let words = usize::try_from(len.div_ceil(WORD)).expect("a set that fits in memory");
        RankSet {
            words: std::iter::repeat_with(AtomicU64::default)
                .take(words)
                .collect(),
        }
    }

    /// Puts a rank in; whether it was not there.
    #[inline(always)]
    pub(crate) fn insert(&self, rank: u64) -> bool {
        let (word, bit) = (&self.words[(rank / WORD) as usize], 1 << (rank % WORD));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Asks for the memory of a rank.
    #[inline(always)]
    pub(crate) fn prefetch(&self, rank: u64) {
        prefetch(&self.words, (rank / WORD) as usize);
    }

    /// Whether a rank is in the set.
    ///
    /// # Panics
    /// If the rank is not below the bound, rounded up to a multiple of 64.
    pub fn contains(&self, rank: u64) -> bool {
        self.words[(rank / WORD) as usize].load(Relaxed) >> (rank % WORD) & 1 != 0
    }

    /// How many ranks from `first` on, at most `most`, are all in the set or all not in it, and
    /// which.
    #[inline(always)]
    pub(crate) fn run(&self, first: u64, most: u32) -> (u32, bool) {
        let word = |rank: u64| self.words[(rank / WORD) as usize].load(Relaxed);
        let contained = word(first) >> (first % WORD) & 1 != 0;
        let mut run = 0;
        while run < most {
            let rank = first + u64::from(run);
            let bits = word(rank) >> (rank % WORD);
            let same = (if contained { !bits } else { bits }).trailing_zeros();
            let left = (WORD - rank % WORD) as u32;
            run += same.min(left);
            if same < left {
                break;
            }
        }
        (run.min(most), contained)
    }

    /// Lists the ranks among `len` from `first` that are in this set and not yet in `other`, as
    /// offsets from `first`, and puts them into `other`.
    #[inline(always)]
    pub(crate) fn take_new(&self, other: &RankSet, first: u64, len: u32, offsets: &mut Vec<u32>) {
        offsets.clear();
        let end = first + u64::from(len);
        for index in first / WORD..end.div_ceil(WORD) {
            let here = index * WORD;
            let (word, other) = (&self.words[index as usize], &other.words[index as usize]);
            let mut new = word.load(Relaxed) & !other.load(Relaxed);
            if here < first {
                new &= u64::MAX << (first - here);
            }
            if here + WORD > end {
                new &= u64::MAX >> (here + WORD - end);
            }
            if new == 0 {
                continue;
            }
            other.fetch_or(new, Relaxed);
            while new != 0 {
                let rank = here + u64::from(new.trailing_zeros());
                offsets.push((rank - first) as u32);
                new &= new - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_membership_changes() {
        let set = RankSet::new(1000);
        let members = [0u64, 1, 2, 63, 64, 65, 127, 200, 511, 512, 999];
        let mut inserted = members.map(|rank| set.insert(rank)).into_iter();
        assert!(inserted.all(|new| new));
        assert!(!set.insert(63));
        for most in [1, 7, 64, 300, 1000] {
            let mut rank = 0;
            while rank < 1000 {
                let (run, contained) = set.run(rank, most.min((1000 - rank) as u32));
                assert!(run > 0);
                for rank in rank..rank + u64::from(run) {
                    assert_eq!(members.contains(&rank), contained, "rank {rank}");
                    assert_eq!(set.contains(rank), contained);
                }
                rank += u64::from(run);
            }
        }
    }

    #[test]
    fn what_is_new_is_listed_once() {
        let (set, other) = (RankSet::new(300), RankSet::new(300));
        for rank in [3, 70, 71, 130, 299] {
            set.insert(rank);
        }
        other.insert(71);
        let mut offsets = Vec::new();
        set.take_new(&other, 64, 236, &mut offsets);
        assert_eq!(offsets, [6, 66, 235]);
        set.take_new(&other, 0, 300, &mut offsets);
        assert_eq!(offsets, [3]);
        set.take_new(&other, 5, 0, &mut offsets);
        assert_eq!(offsets, []);
    }
}
