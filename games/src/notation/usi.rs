//! **USI**: the notation of moves between programs. `2c2b`, `3d2c+` for a promotion, `C*2b` for a
//! drop; file 1 is the right edge, rank a the top.

use crate::board::Square;
use crate::game::Game;
use crate::moves::Move;

use super::move_error::{MoveError, MoveField};
use super::move_reader::MoveReader;

/// Reads a move.
pub(super) fn read(reader: &mut MoveReader<'_>) -> Result<Move, MoveError> {
    let is_step = reader
        .scanner
        .peek()
        .is_some_and(|next| next.is_ascii_digit());
    let mv = if is_step {
        let from = read_square(reader, MoveField::From)?;
        let to = read_square(reader, MoveField::To)?;
        let promote = reader.scanner.eat('+');
        Move::Step { from, to, promote }
    } else {
        let kind = reader.drop_kind()?;
        let to = read_square(reader, MoveField::To)?;
        Move::Drop { kind, to }
    };
    reader.end()?;
    Ok(mv)
}

/// Reads a square as a digit and a letter.
fn read_square(reader: &mut MoveReader<'_>, field: MoveField) -> Result<Square, MoveError> {
    let board = reader.game.board();
    let Some(file) = reader.coordinate('1', board.width()) else {
        return Err(reader.expected(field, format!("a file from 1 to {}", board.width())));
    };
    let Some(rank) = reader.coordinate('a', board.height()) else {
        let last = char::from(b'a' + board.height() - 1);
        return Err(reader.expected(field, format!("a rank from a to {last}")));
    };
    Ok(board.square(board.width() - 1 - file, rank))
}

impl Game {
    /// A move in USI: `2c2b`, `3d2c+`, drop `C*2b`.
    pub fn usi(&self, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        match mv {
            Move::Step { from, to, promote } => {
                self.push_usi_square(from, &mut text);
                self.push_usi_square(to, &mut text);
                if promote {
                    text.push('+');
                }
            }
            Move::Drop { kind, to } => {
                text.push(self.kinds()[usize::from(kind)].letter);
                text.push('*');
                self.push_usi_square(to, &mut text);
            }
        }
        text
    }

    fn push_usi_square(&self, square: Square, text: &mut String) {
        let board = self.board();
        text.push(char::from(b'0' + board.width() - board.file(square)));
        text.push(char::from(b'a' + board.rank(square)));
    }
}
