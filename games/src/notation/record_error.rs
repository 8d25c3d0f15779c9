//! A **record error**: where a text stops being the record of a game, and why.

use std::fmt;

use crate::record::Outcome;

use super::move_error::MoveError;
use super::position_error::PositionError;

/// The most characters of a word that a message shows.
const SHOWN: usize = 40;

/// Where a text stops being the record of a game, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column where the word begins, in characters from 1.
    pub column: usize,
    /// The ply that should come here; 1 is the first move.
    pub ply: usize,
    /// The word.
    pub word: String,
    /// What is wrong with it.
    pub problem: RecordProblem,
}

/// What is wrong with a word of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordProblem {
    /// The start position is unreadable. Its column is that in the line of the record.
    Position(PositionError),
    /// The record names no start position, and there is none to take instead.
    NoStart,
    /// A position stands where moves have been read already.
    SecondPosition,
    /// The move is unreadable or illegal. Its column, if any, is that in the line of the record.
    Move(MoveError),
    /// The number does not go on from those before it.
    Number,
    /// The game is over; this is how it ended.
    GameOver(Outcome),
    /// The record claims a repetition where there is none.
    NoRepetition {
        /// How often the position has occurred.
        found: usize,
        /// How often it would have to.
        needed: usize,
    },
}

/// Line, column, ply and word, and what is wrong with it.
impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, ", self.line)?;
        if let RecordProblem::Position(error) = &self.problem {
            return write!(f, "start position: {error}");
        }
        write!(f, "column {}, ply {}", self.column, self.ply)?;
        if !self.word.is_empty() {
            let shown: String = self.word.chars().take(SHOWN).collect();
            let more = if shown.len() < self.word.len() {
                ".."
            } else {
                ""
            };
            write!(f, ", `{}{more}`", shown.escape_debug())?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for RecordError {}

impl fmt::Display for RecordProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordProblem::Position(error) => error.fmt(f),
            RecordProblem::NoStart => f.write_str(
                "these pieces have no start position; the record must begin with a position",
            ),
            RecordProblem::SecondPosition => {
                f.write_str("a position may stand before the first move only")
            }
            RecordProblem::Move(error) => error.fmt(f),
            RecordProblem::Number => f.write_str(
                "the number does not go on from those before it; a move is missing or too many",
            ),
            RecordProblem::GameOver(_) => f.write_str("the game is over before this"),
            RecordProblem::NoRepetition { found, needed } => write!(
                f,
                "this is no repetition; the position has occurred {found} of {needed} times"
            ),
        }
    }
}
