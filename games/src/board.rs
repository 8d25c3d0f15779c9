//! A **board**: its width and height, its squares, and sets of squares.
//!
//! Squares are numbered from the top left corner, along each rank and then downwards: on the 3x4
//! board A1 = 0, B1 = 1, C1 = 2, A2 = 3, .. C4 = 11. A set of squares is a `u32` with one bit a
//! square, so a board has at most 32 squares.

/// The number of a square on its board.
pub type Square = u8;

/// A set of squares, bit `s` for square `s`.
pub type Squares = u32;

/// The most squares a board may have.
pub const MAX_SQUARES: usize = 32;

/// The width and height of a board of at most 32 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: u8,
    height: u8,
}

impl Board {
    /// A board of this size; `None` unless there are 1 to 9 files and ranks and at most 32 squares.
    pub const fn new(width: u8, height: u8) -> Option<Board> {
        if width == 0 || height == 0 || width > 9 || height > 9 {
            return None;
        }
        if width as usize * height as usize > MAX_SQUARES {
            return None;
        }
        Some(Board { width, height })
    }

    /// Number of files.
    #[inline]
    pub fn width(self) -> u8 {
        self.width
    }

    /// Number of ranks.
    #[inline]
    pub fn height(self) -> u8 {
        self.height
    }

    /// Number of squares.
    #[inline]
    pub fn len(self) -> u8 {
        self.width * self.height
    }

    /// Whether there are no squares: never, a board has at least one.
    pub fn is_empty(self) -> bool {
        false
    }

    /// All squares.
    #[inline]
    pub fn all(self) -> Squares {
        u32::MAX >> (32 - u32::from(self.len()))
    }

    /// The square on this file from the left and rank from the top, both from 0.
    #[inline]
    pub fn square(self, file: u8, rank: u8) -> Square {
        debug_assert!(file < self.width && rank < self.height);
        rank * self.width + file
    }

    /// The square a step away, if it is on the board.
    pub fn step(self, square: Square, (files, ranks): (i8, i8)) -> Option<Square> {
        let file = self.file(square).checked_add_signed(files)?;
        let rank = self.rank(square).checked_add_signed(ranks)?;
        (file < self.width && rank < self.height).then(|| self.square(file, rank))
    }

    /// The file from the left, from 0.
    #[inline]
    pub fn file(self, square: Square) -> u8 {
        square % self.width
    }

    /// The rank from the top, from 0.
    #[inline]
    pub fn rank(self, square: Square) -> u8 {
        square / self.width
    }

    /// The squares of one rank.
    pub fn rank_squares(self, rank: u8) -> Squares {
        ((1 << self.width) - 1) << (rank * self.width)
    }

    /// The squares of one file.
    pub fn file_squares(self, file: u8) -> Squares {
        (0..self.height).fold(0, |set, rank| set | one(self.square(file, rank)))
    }

    /// The square seen from the other side of the board (turned by 180 degrees).
    #[inline]
    pub fn rotated(self, square: Square) -> Square {
        self.len() - 1 - square
    }

    /// The square in the left-right mirror.
    #[inline]
    pub fn mirrored(self, square: Square) -> Square {
        let file = self.file(square);
        square - file + (self.width - 1 - file)
    }
}

/// The squares of a set, from the lowest.
#[inline(always)]
pub fn each(mut squares: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if squares == 0 {
            return None;
        }
        let square = squares.trailing_zeros() as Square;
        squares &= squares - 1;
        Some(square)
    })
}

/// The set that holds one square.
#[inline(always)]
pub const fn one(square: Square) -> Squares {
    1u32.wrapping_shl(square as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_of_3x4_turn_and_mirror() {
        let board = Board::new(3, 4).unwrap();
        assert_eq!(board.all(), 0xfff);
        assert_eq!(board.rotated(0), 11);
        assert_eq!(board.mirrored(0), 2);
        assert_eq!(board.mirrored(10), 10);
        assert_eq!(board.step(0, (-1, 0)), None);
        assert_eq!(board.step(0, (1, 1)), Some(4));
        assert_eq!(each(0b1010).collect::<Vec<_>>(), [1, 3]);
    }

    #[test]
    fn boards_are_bounded() {
        assert!(Board::new(4, 8).is_some());
        assert_eq!(Board::new(4, 8).unwrap().all(), u32::MAX);
        assert!(Board::new(5, 7).is_none());
        assert!(Board::new(0, 4).is_none());
    }
}
