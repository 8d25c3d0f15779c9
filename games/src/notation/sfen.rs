//! **SFEN**: the notation of positions that is written, `gle/1c1/1C1/ELG b - 1`.
//!
//! Board, side to move (`b` for sente, `w` for gote), hands, move number.

use crate::board::Board;
use crate::color::Color;
use crate::game::Game;
use crate::position::{Piece, Position};

use super::position::{PositionForm, ReadPosition};
use super::position_error::{PositionError, PositionField};
use super::reader::{Gaps, Reader};

/// Reads board, side to move, hands and, if it is there, the move number.
pub(super) fn read(mut reader: Reader<'_>) -> Result<ReadPosition, PositionError> {
    reader.board(Gaps::Counts)?;
    reader.next_field(PositionField::Side)?;
    let side = reader.side(['b', 'w'], "`b` (sente) or `w` (gote)")?;
    reader.next_field(PositionField::Hands)?;
    reader.hands()?;
    let number = if reader.next_field(PositionField::Number)? {
        Some(reader.number()?)
    } else {
        None
    };
    Ok(ReadPosition {
        position: reader.finish(side)?,
        form: PositionForm::Sfen,
        number,
    })
}

impl Game {
    /// A position as SFEN, its move number 1.
    ///
    /// Hands have sente's pieces first, in the order of the game's kinds, with counts from 2 on. A
    /// promoted piece has its own letter if there is one.
    ///
    /// ```
    /// use koma_games::Game;
    /// let game: Game = "dobutsu".parse().unwrap();
    /// assert_eq!(game.sfen(&game.start().unwrap()), "gle/1c1/1C1/ELG b - 1");
    /// ```
    pub fn sfen(&self, position: &Position) -> String {
        let mut text = String::with_capacity(48);
        self.push_sfen(position, &mut text);
        text
    }

    /// Appends a position as [`sfen`](Game::sfen) to a text.
    pub fn push_sfen(&self, position: &Position, text: &mut String) {
        push_board(self.board(), position, text, |piece, text| {
            self.push_piece(piece, text);
        });
        text.push_str(match position.side() {
            Color::Sente => " b ",
            Color::Gote => " w ",
        });
        let empty = text.len();
        for color in Color::BOTH {
            for kind in 1..self.kinds().len() as u8 {
                let count = position.hand(color, kind);
                if count == 0 {
                    continue;
                }
                if count > 1 {
                    push_number(count, text);
                }
                self.push_piece(
                    Piece {
                        color,
                        kind,
                        promoted: false,
                    },
                    text,
                );
            }
        }
        if text.len() == empty {
            text.push('-');
        }
        text.push_str(" 1");
    }

    /// Appends the letter of a piece, or `+` and a letter.
    fn push_piece(&self, piece: Piece, text: &mut String) {
        let kind = &self.kinds()[usize::from(piece.kind)];
        let letter = match kind.promoted_letter {
            Some(letter) if piece.promoted => letter,
            _ => {
                if piece.promoted {
                    text.push('+');
                }
                kind.letter
            }
        };
        text.push(cased(letter, piece.color));
    }
}

/// A letter in the case of a color.
pub(super) fn cased(letter: char, color: Color) -> char {
    match color {
        Color::Sente => letter,
        Color::Gote => letter.to_ascii_lowercase(),
    }
}

/// Appends the ranks from the top, `/` between them, empty squares counted.
pub(super) fn push_board(
    board: Board,
    position: &Position,
    text: &mut String,
    push_piece: impl Fn(Piece, &mut String),
) {
    let mut square = 0;
    for rank in 0..board.height() {
        if rank > 0 {
            text.push('/');
        }
        let mut gap = 0;
        for _ in 0..board.width() {
            match position.piece(square) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        push_number(gap, text);
                        gap = 0;
                    }
                    push_piece(piece, text);
                }
            }
            square += 1;
        }
        if gap > 0 {
            push_number(gap, text);
        }
    }
}

/// Appends a number below 100.
fn push_number(number: u8, text: &mut String) {
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
}
