//! A **grid**: a board of up to 9x9 squares, and sets of its squares.
//!
//! Squares are counted along the ranks from the top left, as `a1`, `b1`, .. name them: files by
//! letter from the left, ranks by number from the top.

use std::fmt;

/// A square: rank times width plus file.
pub type Square = u8;

/// A set of squares: bit `s` is square `s`.
pub type Squares = u128;

/// Files and ranks of the smallest board.
pub const MIN_SIDE: u8 = 3;

/// Files and ranks of the largest board.
pub const MAX_SIDE: u8 = 9;

/// Squares of the largest board.
pub const MAX_SQUARES: usize = MAX_SIDE as usize * MAX_SIDE as usize;

/// The set of one square.
#[inline(always)]
pub(crate) fn one(square: Square) -> Squares {
    1 << square
}

/// The squares of a set, ascending.
#[inline(always)]
pub(crate) fn each(mut set: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as Square;
            set &= set.wrapping_sub(1);
            square
        })
    })
}

/// A step to a neighboring square, in files and ranks.
pub(crate) const STEPS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// The size of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    width: u8,
    height: u8,
}

impl Grid {
    /// A board of this many files and ranks; `None` unless both are 3 to 9.
    pub fn new(width: u8, height: u8) -> Option<Grid> {
        let sides = MIN_SIDE..=MAX_SIDE;
        (sides.contains(&width) && sides.contains(&height)).then_some(Grid { width, height })
    }

    /// The number of files.
    pub fn width(self) -> u8 {
        self.width
    }

    /// The number of ranks.
    pub fn height(self) -> u8 {
        self.height
    }

    /// The number of squares.
    #[inline(always)]
    pub fn squares(self) -> u8 {
        self.width * self.height
    }

    /// Every square.
    pub fn all(self) -> Squares {
        (1 << self.squares()) - 1
    }

    /// The square on a file, from 0 at the left, and a rank, from 0 at the top.
    #[inline(always)]
    pub fn square(self, file: u8, rank: u8) -> Square {
        rank * self.width + file
    }

    /// The file of a square, from 0 at the left.
    #[inline(always)]
    pub fn file(self, square: Square) -> u8 {
        square % self.width
    }

    /// The rank of a square, from 0 at the top.
    #[inline(always)]
    pub fn rank(self, square: Square) -> u8 {
        square / self.width
    }

    /// The square one step away, if it is on the board.
    pub(crate) fn step(self, square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
        let file = self.file(square).checked_add_signed(files)?;
        let rank = self.rank(square).checked_add_signed(ranks)?;
        (file < self.width && rank < self.height).then(|| self.square(file, rank))
    }

    /// The orthogonal neighbors of a square.
    pub(crate) fn neighbors(self, square: Square) -> Squares {
        let steps = STEPS.iter().filter_map(|&step| self.step(square, step));
        steps.fold(0, |set, square| set | one(square))
    }

    /// The four corners.
    pub(crate) fn corners(self) -> [Square; 4] {
        let (right, bottom) = (self.width - 1, self.height - 1);
        [(0, 0), (right, 0), (0, bottom), (right, bottom)]
            .map(|(file, rank)| self.square(file, rank))
    }

    /// The board's symmetries as maps of squares: eight of a square board, four of others. The first
    /// is the identity.
    pub(crate) fn symmetries(self) -> Vec<[Square; MAX_SQUARES]> {
        let quarter_turns = if self.width == self.height { 2 } else { 1 };
        let mut maps = Vec::new();
        for transposed in 0..quarter_turns {
            for flips in 0..4 {
                let mut map = [0; MAX_SQUARES];
                for square in 0..self.squares() {
                    let (mut file, mut rank) = (self.file(square), self.rank(square));
                    if transposed == 1 {
                        (file, rank) = (rank, file);
                    }
                    if flips & 1 != 0 {
                        file = self.width - 1 - file;
                    }
                    if flips & 2 != 0 {
                        rank = self.height - 1 - rank;
                    }
                    map[usize::from(square)] = self.square(file, rank);
                }
                maps.push(map);
            }
        }
        maps
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_distinct_and_keep_neighbors() {
        for (width, height, count) in [(3, 3, 8), (3, 4, 4), (9, 9, 8), (9, 3, 4)] {
            let grid = Grid::new(width, height).unwrap();
            let maps = grid.symmetries();
            assert_eq!(maps.len(), count);
            for (index, map) in maps.iter().enumerate() {
                assert!(!maps[..index].contains(map));
                for square in 0..grid.squares() {
                    let moved = each(grid.neighbors(square))
                        .fold(0, |set, square| set | one(map[usize::from(square)]));
                    assert_eq!(moved, grid.neighbors(map[usize::from(square)]));
                }
            }
        }
    }

    #[test]
    fn boards_are_3_to_9_wide_and_high() {
        assert!(Grid::new(2, 5).is_none() && Grid::new(5, 10).is_none());
        let grid = Grid::new(9, 9).unwrap();
        assert_eq!(each(grid.all()).count(), MAX_SQUARES);
        assert_eq!(grid.neighbors(0), one(1) | one(9));
    }
}
