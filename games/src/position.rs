//! A **position**: board, hands, side to move. No history.

use crate::board::{MAX_SQUARES, Square};
use crate::color::Color;

/// The most kinds of pieces a game may have, the royal included.
pub const MAX_KINDS: usize = 8;

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its owner.
    pub color: Color,
    /// The index of its kind in its game's list of kinds; 0 is the royal.
    pub kind: u8,
    /// Whether it is promoted.
    pub promoted: bool,
}

impl Piece {
    /// The royal of a color.
    pub const fn royal(color: Color) -> Piece {
        Piece {
            color,
            kind: 0,
            promoted: false,
        }
    }
}

/// Board, hands and side to move.
///
/// A position knows no rules: which squares and kinds exist, and whether it is legal, is known to
/// its [`Game`](crate::Game).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    squares: [Option<Piece>; MAX_SQUARES],
    hands: [[u8; MAX_KINDS]; 2],
    side: Color,
}

impl Position {
    /// No piece on the board or in a hand.
    pub const fn empty(side: Color) -> Position {
        Position {
            squares: [None; MAX_SQUARES],
            hands: [[0; MAX_KINDS]; 2],
            side,
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.squares[usize::from(square)]
    }

    /// Puts a piece on a square or takes what stands there away.
    #[inline]
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[usize::from(square)] = piece;
    }

    /// How many pieces of a kind a color has in hand.
    #[inline]
    pub fn hand(&self, color: Color, kind: u8) -> u8 {
        self.hands[color.index()][usize::from(kind)]
    }

    /// Sets how many pieces of a kind a color has in hand.
    #[inline]
    pub fn set_hand(&mut self, color: Color, kind: u8, count: u8) {
        self.hands[color.index()][usize::from(kind)] = count;
    }

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The same board and hands with this side to move.
    pub fn with_side(mut self, side: Color) -> Position {
        self.side = side;
        self
    }

    /// Where a color's royal stands, if it is on the board.
    pub fn royal(&self, color: Color) -> Option<Square> {
        let royal = Some(Piece::royal(color));
        self.squares
            .iter()
            .position(|&piece| piece == royal)
            .map(|square| square as Square)
    }
}
