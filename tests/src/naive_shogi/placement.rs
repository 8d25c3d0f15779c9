//! A **placement**: who stands where, and whose turn it is.

use super::NaiveShogi;

/// The squares of the larger board.
const MOST_SQUARES: usize = 30;
/// The letters of the game that has more of them.
const MOST_LETTERS: usize = 5;

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    pub(super) sente: bool,
    pub(super) letter: u8,
    pub(super) promoted: bool,
}

impl Man {
    pub(super) fn plain(sente: bool, letter: u8) -> Man {
        Man {
            sente,
            letter,
            promoted: false,
        }
    }
}

/// Board from the top left corner rank by rank, hands by the letters, sente's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placement {
    pub(super) board: [Option<Man>; MOST_SQUARES],
    pub(super) hands: [[u8; MOST_LETTERS]; 2],
    pub(super) sente_to_move: bool,
}

impl Placement {
    pub(super) fn empty(sente_to_move: bool) -> Placement {
        Placement {
            board: [None; MOST_SQUARES],
            hands: [[0; MOST_LETTERS]; 2],
            sente_to_move,
        }
    }
}

impl NaiveShogi {
    /// The files from the left and ranks from the top.
    pub(super) fn squares(&self) -> impl Iterator<Item = (i32, i32)> + Clone + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    pub(super) fn index(&self, (x, y): (i32, i32)) -> usize {
        (y * self.width + x) as usize
    }

    pub(super) fn at(&self, placement: &Placement, at: (i32, i32)) -> Option<Man> {
        placement.board[self.index(at)]
    }

    /// Every man with its square.
    pub(super) fn men<'a>(
        &self,
        placement: &'a Placement,
    ) -> impl Iterator<Item = (Man, (i32, i32))> + 'a {
        let width = self.width;
        let squares = (0..).zip(&placement.board);
        squares.filter_map(move |(index, man)| Some(((*man)?, (index % width, index / width))))
    }

    pub(super) fn king(&self, placement: &Placement, sente: bool) -> Option<(i32, i32)> {
        let king = Man::plain(sente, b'K');
        let mut men = self.men(placement);
        men.find_map(|(man, at)| (man == king).then_some(at))
    }

    /// The place of a letter in hands.
    pub(super) fn held(&self, letter: u8) -> Option<usize> {
        self.letters.bytes().position(|other| other == letter)
    }

    pub(super) fn last_rank(&self, sente: bool) -> i32 {
        if sente { 0 } else { self.height - 1 }
    }
}
