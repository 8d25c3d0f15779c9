//! **Piece counts**: how many pieces of each kind a color has, on the board and in hand.

use crate::board::MAX_SQUARES;
use crate::color::Color;
use crate::position::{MAX_KINDS, Piece, Position};

/// How many pieces of each kind each color has on the board, promoted there, and in hand.
///
/// ```
/// use koma_games::{Color, Game, PieceCounts};
/// let game: Game = "dobutsu".parse().unwrap();
/// let position = game.parse_position("gl1/1H1/1L1/1e1 b CGe 1").unwrap();
/// let counts = PieceCounts::of(&position);
/// let chick = 3;
/// assert_eq!(counts.in_hand(Color::Sente, chick), 1);
/// assert_eq!(counts.owned(Color::Sente, chick), 2);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PieceCounts {
    /// By color and kind: unpromoted and promoted.
    board: [[[u8; 2]; MAX_KINDS]; 2],
    /// By color and kind.
    hands: [[u8; MAX_KINDS]; 2],
}

impl PieceCounts {
    /// The pieces of a position.
    pub fn of(position: &Position) -> PieceCounts {
        let mut counts = PieceCounts::default();
        for square in 0..MAX_SQUARES as u8 {
            if let Some(piece) = position.piece(square) {
                counts.add_on_board(piece, 1);
            }
        }
        for color in Color::BOTH {
            for kind in 0..MAX_KINDS as u8 {
                counts.add_in_hand(color, kind, position.hand(color, kind));
            }
        }
        counts
    }

    /// Adds some pieces like this one on the board.
    pub fn add_on_board(&mut self, piece: Piece, count: u8) {
        self.board[piece.color.index()][usize::from(piece.kind)][usize::from(piece.promoted)] +=
            count;
    }

    /// Adds some pieces in hand.
    pub fn add_in_hand(&mut self, color: Color, kind: u8, count: u8) {
        self.hands[color.index()][usize::from(kind)] += count;
    }

    /// How many pieces of a kind a color has in hand.
    pub fn in_hand(&self, color: Color, kind: u8) -> u8 {
        self.hands[color.index()][usize::from(kind)]
    }

    /// How many pieces stand on the board.
    pub fn on_board(&self) -> u32 {
        let counts = self.board.iter().flatten().flatten();
        counts.map(|&count| u32::from(count)).sum()
    }

    /// How many pieces both colors have in hand.
    pub fn in_hands(&self) -> u8 {
        self.hands.iter().flatten().sum()
    }

    /// How many pieces of a kind a color has: on the board, promoted or not, and in hand.
    pub fn owned(&self, color: Color, kind: u8) -> u8 {
        let on_board = self.board[color.index()][usize::from(kind)];
        on_board.iter().sum::<u8>() + self.in_hand(color, kind)
    }

    /// Whether there are at least as many pieces of every sort as in `other`.
    pub fn contains(&self, other: &PieceCounts) -> bool {
        self.all().zip(other.all()).all(|(own, other)| own >= other)
    }

    fn all(&self) -> impl Iterator<Item = &u8> {
        let on_board = self.board.iter().flatten().flatten();
        on_board.chain(self.hands.iter().flatten())
    }
}
