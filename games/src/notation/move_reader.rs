//! A **move reader**: the text of one move and the position it is to be played in.

use crate::board::Square;
use crate::color::Color;
use crate::game::Game;
use crate::moves::{IllegalMove, Move};
use crate::position::{Piece, Position};
use crate::rules::Kind;

use super::move_error::{MoveError, MoveField};
use super::scanner::{Scanner, half_width};
use super::{japanese, squares, tanaka, usi};

/// The text of a move that is being read.
pub(super) struct MoveReader<'a> {
    pub(super) game: &'a Game,
    pub(super) position: &'a Position,
    pub(super) scanner: Scanner<'a>,
}

impl MoveReader<'_> {
    /// The error that something else should come next.
    pub(super) fn expected(&self, field: MoveField, expected: impl Into<String>) -> MoveError {
        MoveError::Unreadable {
            field,
            column: self.scanner.column(),
            found: self.scanner.peek(),
            expected: expected.into(),
        }
    }

    /// The error that another piece moves than the one named.
    fn other_piece(&self, at: Scanner<'_>, piece: &'static str) -> MoveError {
        let column = at.column();
        MoveError::OtherPiece { column, piece }
    }

    /// Whether the side named at a place is to move.
    pub(super) fn check_side(&self, at: Scanner<'_>, named: Color) -> Result<(), MoveError> {
        let side = self.position.side();
        if named != side {
            let column = at.column();
            return Err(MoveError::OtherSide { column, side });
        }
        Ok(())
    }

    /// The step of the piece on a from-square, which must be the one named at a place: a kind, and
    /// whether it is promoted after the step. `name` names the pieces in the text's notation.
    pub(super) fn step(
        &self,
        (from, to): (Square, Square),
        at: Scanner<'_>,
        (kind, promoted): (u8, bool),
        name: impl Fn(&'static Kind, bool) -> &'static str,
    ) -> Result<Move, MoveError> {
        let piece = self
            .position
            .piece(from)
            .filter(|piece| piece.color == self.position.side())
            .ok_or(IllegalMove::NoPiece)?;
        if piece.kind != kind || (piece.promoted && !promoted) {
            let kind = &self.game.kinds()[usize::from(piece.kind)];
            return Err(self.other_piece(at, name(kind, piece.promoted)));
        }
        let promote = promoted && !piece.promoted;
        Ok(Move::Step { from, to, promote })
    }

    /// The drop of the piece named at a place: a kind, and whether it is promoted, which no piece
    /// in hand is.
    pub(super) fn drop(
        &self,
        to: Square,
        at: Scanner<'_>,
        (kind, promoted): (u8, bool),
        name: impl Fn(&'static Kind, bool) -> &'static str,
    ) -> Result<Move, MoveError> {
        if promoted {
            let kind = &self.game.kinds()[usize::from(kind)];
            return Err(self.other_piece(at, name(kind, false)));
        }
        Ok(Move::Drop { kind, to })
    }

    /// Reads the letter of a drop and its `*`.
    pub(super) fn drop_kind(&mut self) -> Result<u8, MoveError> {
        let letter = self.scanner.peek();
        let kinds = self.game.kinds();
        let Some(kind) = kinds.iter().position(|kind| Some(kind.letter) == letter) else {
            let letters: String = kinds.iter().skip(1).map(|kind| kind.letter).collect();
            return Err(self.expected(MoveField::Piece, format!("a piece in hand: {letters}")));
        };
        self.scanner.bump();
        self.scanner.eat('*');
        Ok(kind as u8)
    }

    /// Reads a square as a letter and a digit, `B2`; full-width ones will do.
    pub(super) fn square(&mut self, field: MoveField) -> Result<Square, MoveError> {
        let board = self.game.board();
        let file = self.coordinate('A', board.width());
        let Some(file) = file else {
            let last = char::from(b'A' + board.width() - 1);
            return Err(self.expected(field, format!("a file from A to {last}")));
        };
        let Some(rank) = self.coordinate('1', board.height()) else {
            return Err(self.expected(field, format!("a rank from 1 to {}", board.height())));
        };
        Ok(board.square(file, rank))
    }

    /// Reads a character that counts from `first`, in ASCII or full width, below `end`.
    pub(super) fn coordinate(&mut self, first: char, end: u8) -> Option<u8> {
        let next = half_width(self.scanner.peek()?);
        let index = u32::from(next).checked_sub(u32::from(first))?;
        let index = u8::try_from(index).ok().filter(|&index| index < end)?;
        self.scanner.bump();
        Some(index)
    }

    /// Whether nothing is left.
    pub(super) fn end(&self) -> Result<(), MoveError> {
        match self.scanner.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected(MoveField::End, "the end of the move")),
        }
    }
}

impl Game {
    /// Reads a move of the side to move, in USI, as squares, in Japanese or in Tanaka's notation.
    ///
    /// # Errors
    /// [`MoveError`] says what is unreadable and where, lists the readings of an ambiguous move, or
    /// tells why the move is illegal.
    ///
    /// ```
    /// use koma_games::Game;
    /// let game: Game = "dobutsu".parse().unwrap();
    /// let start = game.start().unwrap();
    /// let mv = game.parse_move(&start, "2c2b").unwrap();
    /// for text in ["B3B2", "B3-B2", "▲B2ひよこ", "B2ヒヨコ", "+B3B2HI"] {
    ///     assert_eq!(game.parse_move(&start, text), Ok(mv));
    /// }
    /// let error = game.parse_move(&start, "B3D2").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "to-square, column 3: found `D`, expected a file from A to C"
    /// );
    /// ```
    pub fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let mut reader = MoveReader {
            game: self,
            position,
            scanner: Scanner::new(text.trim_end()),
        };
        reader.scanner.skip(char::is_whitespace);
        let mut next = reader.scanner.rest().chars();
        let mv = match (next.next(), next.next(), next.next()) {
            (Some('+' | '-'), ..) => tanaka::read_move(&mut reader)?,
            (Some('0'..='9'), ..) | (_, Some('*'), Some('0'..='9')) => usi::read(&mut reader)?,
            (_, Some('*'), _) | (Some('A'..='Z'), _, Some('A'..='Z' | '-')) => {
                squares::read(&mut reader)?
            }
            (Some(next), ..) if japanese::is_japanese(next) => japanese::read(&mut reader)?,
            _ => return Err(reader.expected(MoveField::From, "a move, as in `3d2c` or `A4B3`")),
        };
        self.check_move(position, mv)?;
        Ok(mv)
    }

    /// The piece as it stands after a move; `None` if there is none on the from-square.
    pub(super) fn moved_piece(&self, position: &Position, mv: Move) -> Option<Piece> {
        match mv {
            Move::Step { from, promote, .. } => position.piece(from).map(|piece| Piece {
                promoted: piece.promoted || promote,
                ..piece
            }),
            Move::Drop { kind, .. } => Some(Piece {
                color: position.side(),
                kind,
                promoted: false,
            }),
        }
    }
}
