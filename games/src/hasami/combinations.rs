//! **Combinations**: squares of like men as a number, by the combinatorial number system: the lowest
//! square first, `C(s0, 1) + C(s1, 2) + ..`.

use super::grid::MAX_SQUARES;

/// The most men of a side that are numbered.
pub(crate) const MAX_MEN: usize = 15;

/// `C(n, k)`, where it is below 2^32.
#[derive(Clone, Debug)]
pub(crate) struct Binomials(Vec<[u32; MAX_SQUARES + 1]>);

impl Binomials {
    pub(crate) fn new() -> Binomials {
        let mut table = vec![[0; MAX_SQUARES + 1]; MAX_MEN + 2];
        for n in 0..=MAX_SQUARES {
            for k in 0..=MAX_MEN + 1 {
                // A number that does not fit is of a set that is refused for its size.
                table[k][n] = u32::try_from(binomial(n as u64, k as u64)).unwrap_or(u32::MAX);
            }
        }
        Binomials(table)
    }

    /// `C(square, place + 1)`: what the square at a place in ascending order adds to the rank.
    #[inline(always)]
    pub(crate) fn term(&self, place: usize, square: u8) -> u32 {
        self.0[place + 1][usize::from(square)]
    }

    /// The rank of squares in ascending order.
    #[inline(always)]
    pub(crate) fn rank(&self, squares: &[u8]) -> u32 {
        let mut rank = 0u32;
        for (place, &square) in squares.iter().enumerate() {
            rank = rank.wrapping_add(self.term(place, square));
        }
        rank
    }
}

/// `C(n, k)`.
pub(crate) fn binomial(n: u64, k: u64) -> u128 {
    if k > n {
        return 0;
    }
    (0..k.min(n - k)).fold(1u128, |product, i| {
        product * u128::from(n - i) / u128::from(i + 1)
    })
}

/// Every combination of so many squares out of the first ones, in the order of their ranks.
#[derive(Clone, Debug)]
pub(crate) struct Combinations {
    men: usize,
    squares: Vec<u8>,
}

impl Combinations {
    pub(crate) fn new(of: u8, men: u8) -> Combinations {
        let men = usize::from(men);
        let mut squares = Vec::with_capacity(Combinations::bytes(of, men as u8) as usize);
        let mut current: Vec<u8> = (0..men as u8).collect();
        loop {
            squares.extend_from_slice(&current);
            // The lowest square that can move up does, and those below it return to their places.
            let movable = (0..men).find(|&place| {
                let next = current.get(place + 1).copied().unwrap_or(of);
                current[place] + 1 < next
            });
            let Some(place) = movable else {
                return Combinations { men, squares };
            };
            current[place] += 1;
            for (below, square) in current[..place].iter_mut().enumerate() {
                *square = below as u8;
            }
        }
    }

    /// The memory they take.
    pub(crate) fn bytes(of: u8, men: u8) -> u64 {
        let count = binomial(of.into(), men.into()) * u128::from(men);
        u64::try_from(count).unwrap_or(u64::MAX)
    }

    /// The squares of a rank, in ascending order.
    #[inline(always)]
    pub(crate) fn get(&self, rank: u32) -> &[u8] {
        let start = (rank as usize).wrapping_mul(self.men);
        &self.squares[start..start.wrapping_add(self.men)]
    }

    /// Every combination.
    #[inline(always)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.squares.chunks_exact(self.men)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_combinations() {
        let binomials = Binomials::new();
        for (of, men) in [(9, 1), (9, 4), (25, 5), (12, 12), (81, 2)] {
            let all = Combinations::new(of, men);
            let mut count = 0;
            for squares in all.iter() {
                assert_eq!(binomials.rank(squares), count);
                assert_eq!(all.get(count), squares);
                count += 1;
            }
            assert_eq!(u128::from(count), binomial(of.into(), men.into()));
        }
    }
}
