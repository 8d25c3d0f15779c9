//! **FEN** of Fairy-Stockfish: `gle/1c1/1C1/ELG[] w 0 1`.
//!
//! The hands stand in brackets behind the board, and the letters of the sides are those of chess:
//! `w` moves first, here sente, and `b` second. The counters that follow say nothing about a
//! position; of the longer form's two dashes (castling, en passant) likewise.

use crate::color::Color;
use crate::game::Game;
use crate::position::{Piece, Position};

use super::position::{PositionForm, ReadPosition};
use super::position_error::{PositionError, PositionField};
use super::reader::{Gaps, Reader};
use super::sfen::{cased, push_board};

/// Reads board, hands, side to move, and the counters if they are there.
pub(super) fn read(mut reader: Reader<'_>) -> Result<ReadPosition, PositionError> {
    reader.board(Gaps::Counts)?;
    reader.field = PositionField::Hands;
    if !reader.scanner.eat('[') {
        return Err(reader.expected("`[` and the pieces in hand"));
    }
    if !reader.scanner.eat(']') {
        reader.hands()?;
        if !reader.scanner.eat(']') {
            return Err(reader.expected("`]` after the pieces in hand"));
        }
    }
    reader.next_field(PositionField::Side)?;
    let side = reader.side(['w', 'b'], "`w` (sente) or `b` (gote)")?;
    let mut more = reader.next_field(PositionField::Number)?;
    if more && reader.scanner.eat('-') {
        reader.next_field(PositionField::Number)?;
        if !reader.scanner.eat('-') {
            return Err(reader.expected("the second `-` of `- -`"));
        }
        more = reader.next_field(PositionField::Number)?;
    }
    let mut number = None;
    for _ in 0..2 {
        if more {
            number = Some(reader.number()?);
            more = reader.next_field(PositionField::Number)?;
        }
    }
    Ok(ReadPosition {
        position: reader.finish(side)?,
        form: PositionForm::Fen,
        number,
    })
}

impl Game {
    /// A position as Fairy-Stockfish writes it, its counters 0 and 1.
    ///
    /// Promoted pieces are always `+` and a letter: to Fairy-Stockfish the hen's own letter is
    /// another piece, which stays a hen when captured.
    ///
    /// ```
    /// use koma_games::Game;
    /// let game: Game = "dobutsu".parse().unwrap();
    /// assert_eq!(game.fen(&game.start().unwrap()), "gle/1c1/1C1/ELG[] w 0 1");
    /// ```
    pub fn fen(&self, position: &Position) -> String {
        let mut text = String::with_capacity(48);
        self.push_fen(position, &mut text);
        text
    }

    /// Appends a position as [`fen`](Game::fen) to a text.
    pub fn push_fen(&self, position: &Position, text: &mut String) {
        let letter =
            |piece: Piece| cased(self.kinds()[usize::from(piece.kind)].letter, piece.color);
        push_board(self.board(), position, text, |piece, text| {
            if piece.promoted {
                text.push('+');
            }
            text.push(letter(piece));
        });
        text.push('[');
        for color in Color::BOTH {
            for kind in 1..self.kinds().len() as u8 {
                for _ in 0..position.hand(color, kind) {
                    text.push(letter(Piece {
                        color,
                        kind,
                        promoted: false,
                    }));
                }
            }
        }
        text.push_str(match position.side() {
            Color::Sente => "] w 0 1",
            Color::Gote => "] b 0 1",
        });
    }
}
