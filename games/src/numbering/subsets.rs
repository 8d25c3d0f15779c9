//! Ranks of **subsets**: the squares of like pieces among the squares that are free.
//!
//! A subset of the free squares is numbered by the positions of its squares among them, lowest
//! first: `C(p0, 1) + C(p1, 2) + ..` (the combinatorial number system). For one piece that is the
//! position itself, for two `hi (hi - 1) / 2 + lo`.

use crate::board::{MAX_SQUARES, Squares, one};

/// The most like pieces in one state.
pub(crate) const MAX_GROUP: usize = 8;

/// `C(n, k)` for n up to 32 squares and k up to 8 pieces.
const BINOMIALS: [[u32; MAX_GROUP + 1]; MAX_SQUARES + 1] = {
    let mut table = [[0; MAX_GROUP + 1]; MAX_SQUARES + 1];
    let mut n = 0;
    while n <= MAX_SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MAX_GROUP && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of ways to put `count` like pieces on `free` squares.
#[inline(always)]
pub(crate) fn subsets(free: u32, count: u8) -> u32 {
    match count {
        0 => 1,
        1 => free,
        2 => free * (free.wrapping_sub(1)) / 2,
        _ => BINOMIALS[free as usize][usize::from(count)],
    }
}

/// The number of a subset of the free squares, which has `count` squares.
#[inline(always)]
pub(crate) fn rank_subset(free: Squares, subset: Squares, count: u8) -> u32 {
    let position = |lowest: Squares| (free & lowest.wrapping_sub(1)).count_ones();
    match count {
        0 => 0,
        1 => position(subset),
        2 => {
            let low = position(subset & subset.wrapping_neg());
            let high = position(subset & subset.wrapping_sub(1));
            (high * high.wrapping_sub(1)) / 2 + low
        }
        _ => {
            let mut rank = 0;
            let mut rest = subset;
            let mut k = 1;
            while rest != 0 {
                rank += BINOMIALS[position(rest & rest.wrapping_neg()) as usize][k];
                rest &= rest - 1;
                k += 1;
            }
            rank
        }
    }
}

/// The subset with this number.
#[inline(always)]
pub(crate) fn unrank_subset(free: Squares, rank: u32, count: u8) -> Squares {
    match count {
        0 => 0,
        1 => nth(free, rank),
        2 => {
            let [low, high] = PAIRS[rank as usize];
            nth(free, u32::from(low)) | nth(free, u32::from(high))
        }
        _ => {
            let mut subset = 0;
            let mut rest = rank;
            let mut position = free.count_ones();
            for k in (1..=usize::from(count)).rev() {
                position -= 1;
                while BINOMIALS[position as usize][k] > rest {
                    position -= 1;
                }
                rest -= BINOMIALS[position as usize][k];
                subset |= nth(free, position);
            }
            subset
        }
    }
}

/// The two positions of a pair, by its number.
pub(crate) fn pair_of(rank: u32) -> [u32; 2] {
    PAIRS[rank as usize].map(u32::from)
}

/// The two positions of each pair, by its number.
const PAIRS: [[u8; 2]; MAX_SQUARES * (MAX_SQUARES - 1) / 2] = {
    let mut table = [[0; 2]; MAX_SQUARES * (MAX_SQUARES - 1) / 2];
    let mut high = 1;
    while high < MAX_SQUARES {
        let mut low = 0;
        while low < high {
            table[high * (high - 1) / 2 + low] = [low as u8, high as u8];
            low += 1;
        }
        high += 1;
    }
    table
};

/// The position of the n-th set bit of each byte.
const NTH_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        let mut n = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The n-th square of a set, from 0; the set has more than n squares.
#[inline(always)]
pub(crate) fn nth(set: Squares, n: u32) -> Squares {
    let mut n = n;
    let mut shift = 0u32;
    loop {
        let byte = (set >> shift) & 0xff;
        let here = byte.count_ones();
        if n < here {
            let bit = NTH_IN_BYTE[byte as usize][(n & 7) as usize];
            return one((shift + u32::from(bit)) as u8);
        }
        n -= here;
        shift += 8;
    }
}

/// Calls back with every subset of `count` free squares in the order of their numbers.
pub(crate) fn for_each_subset(free: Squares, count: u8, mut emit: impl FnMut(Squares)) {
    let n = free.count_ones();
    if u32::from(count) > n {
        return;
    }
    for rank in 0..subsets(n, count) {
        emit(unrank_subset(free, rank, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_has_its_number() {
        for free in [0xfffu32, 0b1011_0101_1101, 0x7fff_ffff, 0x8421_1248] {
            for count in 0..5 {
                let mut expected = 0;
                let mut previous = None;
                for_each_subset(free, count, |subset| {
                    assert_eq!(subset & !free, 0);
                    assert_eq!(subset.count_ones(), u32::from(count));
                    assert_eq!(rank_subset(free, subset, count), expected);
                    // In the order of the numbers subsets grow as binary numbers.
                    assert!(previous < Some(subset) || previous.is_none());
                    previous = Some(subset);
                    expected += 1;
                });
                assert_eq!(expected, subsets(free.count_ones(), count));
            }
        }
    }
}
