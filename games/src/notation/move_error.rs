//! A **move error**: why a text is no move in a position.

use std::fmt;

use crate::color::Color;
use crate::moves::{IllegalMove, Move};

use super::position_error::{Found, color_name};

/// A part of a move's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveField {
    /// The side that moves.
    Side,
    /// The piece.
    Piece,
    /// The square it comes from.
    From,
    /// The square it goes to.
    To,
    /// What follows the last field.
    End,
}

/// Why a text is no move in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// The text is no move in any notation.
    Unreadable {
        /// The part of the text that is wrong.
        field: MoveField,
        /// The column of the character that is wrong, in characters from 1.
        column: usize,
        /// What stands there; `None` at the end of the text.
        found: Option<char>,
        /// What would be right.
        expected: String,
    },
    /// The text names the side that is not to move.
    OtherSide {
        /// The column of the sign, in characters from 1.
        column: usize,
        /// The side to move.
        side: Color,
    },
    /// The text names another piece than the one that moves.
    OtherPiece {
        /// The column of the name, in characters from 1.
        column: usize,
        /// The name of the piece that moves.
        piece: &'static str,
    },
    /// No piece of the side to move that is named so can go there.
    NoReading {
        /// The name of the piece.
        piece: &'static str,
        /// The name of the square.
        to: String,
    },
    /// Several moves are named so.
    Ambiguous {
        /// The moves and their unambiguous names.
        readings: Vec<(Move, String)>,
    },
    /// The move is readable but can't be played.
    Illegal(IllegalMove),
}

impl fmt::Display for MoveField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveField::Side => "side",
            MoveField::Piece => "piece",
            MoveField::From => "from-square",
            MoveField::To => "to-square",
            MoveField::End => "end",
        })
    }
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable {
                field,
                column,
                found,
                expected,
            } => write!(
                f,
                "{field}, column {column}: {}, expected {expected}",
                Found(*found)
            ),
            MoveError::OtherSide { column, side } => write!(
                f,
                "{}, column {column}: it is {}'s move",
                MoveField::Side,
                color_name(*side)
            ),
            MoveError::OtherPiece { column, piece } => write!(
                f,
                "{}, column {column}: the piece that moves is `{piece}`",
                MoveField::Piece
            ),
            MoveError::NoReading { piece, to } => {
                write!(f, "no {piece} of the side to move can go to {to}")
            }
            MoveError::Ambiguous { readings } => {
                f.write_str("the move can be read as")?;
                for (index, (_, name)) in readings.iter().enumerate() {
                    f.write_str(if index > 0 { " or " } else { " " })?;
                    f.write_str(name)?;
                }
                Ok(())
            }
            MoveError::Illegal(illegal) => illegal.fmt(f),
        }
    }
}

impl std::error::Error for MoveError {}

impl From<IllegalMove> for MoveError {
    fn from(illegal: IllegalMove) -> MoveError {
        MoveError::Illegal(illegal)
    }
}
