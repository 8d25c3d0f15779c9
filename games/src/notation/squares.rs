//! **Squares**: a move as the squares it joins, `B3B2`, drop `C*B2`; files are letters from the
//! left, ranks digits from the top. `+` marks a promotion where it is a choice. A dash between the
//! squares, `B3-B2`, is read and never written.
//!
//! Only uppercase files are read: in lowercase, UCI programs count ranks from the other edge.

use crate::board::{Square, one};
use crate::color::Color;
use crate::game::Game;
use crate::moves::Move;
use crate::position::Piece;

use super::move_error::{MoveError, MoveField};
use super::move_reader::MoveReader;

/// Reads a move. A forced promotion may be marked or not.
pub(super) fn read(reader: &mut MoveReader<'_>) -> Result<Move, MoveError> {
    let is_drop = reader.scanner.rest().chars().nth(1) == Some('*');
    let mv = if is_drop {
        let kind = reader.drop_kind()?;
        let to = reader.square(MoveField::To)?;
        Move::Drop { kind, to }
    } else {
        let from = reader.square(MoveField::From)?;
        reader.scanner.eat('-');
        let to = reader.square(MoveField::To)?;
        let promote = reader.scanner.eat('+');
        let forced = Move::Step {
            from,
            to,
            promote: true,
        };
        let unmarked = Move::Step { from, to, promote };
        let (game, position) = (reader.game, reader.position);
        if !promote
            && game.check_move(position, unmarked).is_err()
            && game.check_move(position, forced).is_ok()
        {
            forced
        } else {
            unmarked
        }
    };
    reader.end()?;
    Ok(mv)
}

impl Game {
    /// A move as squares: `B3B2`, drop `C*B2`. A promotion is marked with `+`, unless every piece
    /// that could promote by this step would have to.
    pub fn squares(&self, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        match mv {
            Move::Step { from, to, promote } => {
                self.push_square(from, &mut text);
                self.push_square(to, &mut text);
                if promote && self.may_decline(from, to) {
                    text.push('+');
                }
            }
            Move::Drop { kind, to } => {
                text.push(self.kinds()[usize::from(kind)].letter);
                text.push('*');
                self.push_square(to, &mut text);
            }
        }
        text
    }

    /// Whether some piece could make this step and promote, or not, as it likes.
    fn may_decline(&self, from: Square, to: Square) -> bool {
        Color::BOTH.into_iter().any(|color| {
            self.zone(color) & (one(from) | one(to)) != 0
                && (0..self.kinds().len() as u8).any(|kind| {
                    let piece = Piece {
                        color,
                        kind,
                        promoted: false,
                    };
                    self.kinds()[usize::from(kind)].promotes()
                        && self.attacks(piece, from) & one(to) != 0
                        && !self.is_dead(color, kind, to)
                })
        })
    }

    /// Appends the name of a square, `B2`.
    pub(super) fn push_square(&self, square: Square, text: &mut String) {
        let board = self.board();
        text.push(char::from(b'A' + board.file(square)));
        text.push(char::from(b'1' + board.rank(square)));
    }
}
