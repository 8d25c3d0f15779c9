//! A **position**: where the men of both sides stand, and who is to move.
//!
//! How many men each side has taken follows from the men that are left, since both sides begin with
//! the same number.

use crate::color::Color;

use super::grid::{Square, Squares, one};

/// Where the men of both sides stand, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    men: [Squares; 2],
    side: Color,
}

impl Position {
    /// A position with these men, of which none stand on the same square.
    pub(crate) fn new(sente: Squares, gote: Squares, side: Color) -> Position {
        debug_assert_eq!(sente & gote, 0);
        Position {
            men: [sente, gote],
            side,
        }
    }

    /// A position of sente to move.
    pub(crate) fn of_mover(own: Squares, other: Squares) -> Position {
        Position::new(own, other, Color::Sente)
    }

    /// The side to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// The men of a side.
    pub fn men(&self, color: Color) -> Squares {
        self.men[color.index()]
    }

    /// How many men a side has.
    pub fn count(&self, color: Color) -> u8 {
        self.men(color).count_ones() as u8
    }

    /// The men of the side to move.
    pub fn own(&self) -> Squares {
        self.men(self.side)
    }

    /// The men of the other side.
    pub fn other(&self) -> Squares {
        self.men(self.side.opponent())
    }

    /// Whose man stands on a square.
    pub fn man(&self, square: Square) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|&color| self.men(color) & one(square) != 0)
    }
}

/// A move: a man of the side to move goes from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// Where the man stood.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}
