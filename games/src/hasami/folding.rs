//! A **folding** of sets of men: sets that the board's symmetries carry into each other are one, and
//! the one of the lowest rank stands for them.

use super::combinations::{Binomials, Combinations, MAX_MEN, binomial};
use super::grid::{Grid, MAX_SQUARES, Square, Squares, one};

/// The board's symmetries and their products.
#[derive(Clone, Debug)]
pub(crate) struct Symmetries {
    pub(crate) maps: Vec<[Square; MAX_SQUARES]>,
    /// `products[a][b]`: first `b`, then `a`.
    pub(crate) products: [[u8; 8]; 8],
}

impl Symmetries {
    pub(crate) fn new(grid: Grid) -> Symmetries {
        let maps = grid.symmetries();
        let mut products = [[0; 8]; 8];
        for (a, map) in maps.iter().enumerate() {
            for (b, first) in maps.iter().enumerate() {
                let mut product = [0; MAX_SQUARES];
                for square in 0..usize::from(grid.squares()) {
                    product[square] = map[usize::from(first[square])];
                }
                let found = maps.iter().position(|map| *map == product);
                products[a][b] = found.expect("symmetries are a group") as u8;
            }
        }
        Symmetries { maps, products }
    }

    /// The image of squares, in ascending order.
    #[inline(always)]
    pub(crate) fn image(&self, symmetry: u8, squares: &[Square]) -> [Square; MAX_MEN] {
        let map = &self.maps[usize::from(symmetry)];
        let mut image = [0; MAX_MEN];
        for (count, &square) in squares.iter().enumerate() {
            let moved = map[usize::from(square)];
            let mut place = count;
            while place > 0 && image[place - 1] > moved {
                image[place] = image[place - 1];
                place -= 1;
            }
            image[place] = moved;
        }
        image
    }
}

/// The number of sets of `men` squares that the symmetries do not carry into each other, by counting
/// the sets that each symmetry leaves as they are.
pub(crate) fn orbits(grid: Grid, men: u8) -> u128 {
    let squares = usize::from(grid.squares());
    let maps = grid.symmetries();
    let fixed = |map: &[Square; MAX_SQUARES]| {
        // A set is left as it is if it has all or none of each cycle of squares.
        let mut sets = vec![0u128; usize::from(men) + 1];
        sets[0] = 1;
        let mut seen = [false; MAX_SQUARES];
        for start in 0..squares {
            let mut length = 0;
            let mut at = start;
            while !seen[at] {
                seen[at] = true;
                length += 1;
                at = usize::from(map[at]);
            }
            for count in (length..sets.len()).rev().filter(|_| length > 0) {
                sets[count] += sets[count - length];
            }
        }
        sets[usize::from(men)]
    };
    maps.iter().map(fixed).sum::<u128>() / maps.len() as u128
}

/// A set that stands for its images.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folded {
    pub(crate) squares: Squares,
    /// The symmetries that leave it as it is, a bit each.
    pub(crate) stabilizer: u8,
}

/// The sets of so many men, folded.
#[derive(Clone, Debug)]
pub(crate) struct Folding {
    /// By the rank of a set: the number of its folded set times 8, plus a symmetry that carries the
    /// set into it.
    of: Vec<u32>,
    folded: Vec<Folded>,
}

const UNKNOWN: u32 = u32::MAX;

impl Folding {
    pub(crate) fn new(
        grid: Grid,
        men: u8,
        symmetries: &Symmetries,
        binomials: &Binomials,
    ) -> Folding {
        let sets = Combinations::new(grid.squares(), men);
        let count = binomial(grid.squares().into(), men.into()) as usize;
        let mut of = vec![UNKNOWN; count];
        let mut folded = Vec::with_capacity(orbits(grid, men) as usize);
        for (rank, squares) in sets.iter().enumerate() {
            if of[rank] != UNKNOWN {
                continue;
            }
            let number = folded.len() as u32;
            let mut stabilizer = 0;
            for symmetry in 0..symmetries.maps.len() as u8 {
                let image = symmetries.image(symmetry, squares);
                let image = binomials.rank(&image[..squares.len()]) as usize;
                stabilizer |= u8::from(image == rank) << symmetry;
                let back = symmetries
                    .products
                    .iter()
                    .position(|products| products[usize::from(symmetry)] == 0);
                let back = back.expect("every symmetry can be undone") as u32;
                if of[image] == UNKNOWN {
                    of[image] = number << 3 | back;
                }
            }
            folded.push(Folded {
                squares: squares.iter().fold(0, |set, &square| set | one(square)),
                stabilizer,
            });
        }
        Folding { of, folded }
    }

    /// The memory it takes.
    pub(crate) fn bytes(grid: Grid, men: u8) -> u64 {
        let sets = binomial(grid.squares().into(), men.into());
        let bytes =
            sets * size_of::<u32>() as u128 + orbits(grid, men) * size_of::<Folded>() as u128;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    /// The number of the folded set of a set, by its rank, and a symmetry that carries it there.
    #[inline(always)]
    pub(crate) fn fold(&self, rank: u32) -> (u32, u8) {
        let entry = self.of[rank as usize];
        (entry >> 3, (entry & 7) as u8)
    }

    /// A folded set.
    #[inline(always)]
    pub(crate) fn folded(&self, number: u32) -> Folded {
        self.folded[number as usize]
    }

    /// How many folded sets there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.folded.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_fold_onto_their_representatives() {
        let binomials = Binomials::new();
        for (width, height, men) in [(3, 3, 3), (3, 4, 2), (5, 5, 4), (9, 9, 2), (4, 4, 8)] {
            let grid = Grid::new(width, height).unwrap();
            let symmetries = Symmetries::new(grid);
            let folding = Folding::new(grid, men, &symmetries, &binomials);
            assert_eq!(folding.len() as u128, orbits(grid, men));
            let mut boards = 0;
            for number in 0..folding.len() as u32 {
                let order = folding.folded(number).stabilizer.count_ones() as usize;
                boards += symmetries.maps.len() / order;
            }
            assert_eq!(boards as u128, binomial(grid.squares().into(), men.into()));
            for (rank, squares) in Combinations::new(grid.squares(), men).iter().enumerate() {
                let (number, symmetry) = folding.fold(rank as u32);
                let image = symmetries.image(symmetry, squares);
                let image = image[..squares.len()].iter();
                let image = image.fold(0, |set, &square| set | one(square));
                assert_eq!(image, folding.folded(number).squares);
            }
        }
    }
}
