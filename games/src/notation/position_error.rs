//! A **position error**: why a text is no position of a game, and where in the text.

use std::fmt;

use crate::color::Color;

/// A part of a position string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionField {
    /// The ranks of the board.
    Board,
    /// The side to move.
    Side,
    /// The pieces in hand.
    Hands,
    /// The move number, or the counters of a FEN.
    Number,
    /// What follows the last field.
    End,
}

/// Why a text is no position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// The part of the text that is wrong.
    pub field: PositionField,
    /// The line of the character that is wrong, from 1.
    pub line: usize,
    /// Its column in the line, in characters from 1; one past the last if something is missing.
    pub column: usize,
    /// What is wrong with it.
    pub problem: PositionProblem,
}

/// What is wrong with a position string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionProblem {
    /// Another character, or the end, stands where one of these should.
    Unexpected {
        /// What stands there; `None` at the end of the text.
        found: Option<char>,
        /// What would be right.
        expected: &'static str,
    },
    /// The game has no such piece.
    UnknownPiece {
        /// What stands there; `None` at the end of the text.
        found: Option<char>,
        /// The letters or names that would be right.
        expected: String,
    },
    /// The letter belongs to another alphabet than the rest of the text.
    MixedAlphabets {
        /// The letter.
        found: char,
        /// The letters of the text's alphabet.
        expected: String,
    },
    /// `+` before a piece that does not promote or is promoted already.
    NotPromotable(char),
    /// A rank has too many squares.
    RankTooLong {
        /// How many it should have.
        width: u8,
    },
    /// A rank has too few squares.
    RankTooShort {
        /// How many it has.
        found: u8,
        /// How many it should have.
        width: u8,
    },
    /// There are too many ranks.
    TooManyRanks {
        /// How many there should be.
        height: u8,
    },
    /// There are too few ranks.
    TooFewRanks {
        /// How many there are.
        found: u8,
        /// How many there should be.
        height: u8,
    },
    /// A color has no royal on the board.
    NoRoyal {
        /// The color.
        color: Color,
        /// The royal's letter.
        letter: char,
    },
    /// A color has more than one royal.
    SecondRoyal {
        /// The color.
        color: Color,
        /// The royal's letter.
        letter: char,
    },
    /// There are more pieces of a kind than the game has.
    TooMany {
        /// The letter of the kind.
        letter: char,
        /// How many the game has.
        most: u8,
    },
    /// The royals attack each other where no move may allow that.
    AdjacentRoyals {
        /// The royal's letter.
        letter: char,
    },
    /// An unpromoted piece stands where it can never move and can't have come.
    DeadPawn {
        /// Its color.
        color: Color,
        /// Its letter.
        letter: char,
    },
    /// A second unpromoted piece of a color stands on a file that may have only one.
    DoubledPawn {
        /// Its color.
        color: Color,
        /// Its letter.
        letter: char,
    },
    /// The side that is not to move is in check where no move may allow that.
    OutOfTurn {
        /// The side that is not to move.
        color: Color,
    },
    /// A royal is in hand.
    RoyalInHand,
    /// A promoted piece is in hand.
    PromotedInHand {
        /// The letter that it has in hand.
        letter: char,
    },
    /// A piece is in hand although captured pieces leave the game.
    NoHands,
    /// A count without a piece after it.
    CountWithoutPiece,
    /// A count of no pieces.
    CountOfNone,
}

impl fmt::Display for PositionField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PositionField::Board => "board",
            PositionField::Side => "side to move",
            PositionField::Hands => "hands",
            PositionField::Number => "move number",
            PositionField::End => "end",
        })
    }
}

/// The field, the line unless it is the first, the column, what is wrong and what would be right.
impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", self.field)?;
        if self.line > 1 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: {}", self.column, self.problem)
    }
}

impl std::error::Error for PositionError {}

impl fmt::Display for PositionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionProblem::Unexpected { found, expected } => {
                write!(f, "{}, expected {expected}", Found(*found))
            }
            PositionProblem::UnknownPiece { found, expected } => write!(
                f,
                "{}, expected a piece of this game: {expected}",
                Found(*found)
            ),
            PositionProblem::MixedAlphabets { found, expected } => write!(
                f,
                "`{}` is of another alphabet than the rest of the text; its letters are {expected}",
                found.escape_debug()
            ),
            PositionProblem::NotPromotable(letter) => write!(
                f,
                "`+{letter}`: this piece does not promote; `+` stands before an unpromoted piece \
                 that does"
            ),
            PositionProblem::RankTooLong { width } => {
                write!(f, "the rank is too long; it must have {width} squares")
            }
            PositionProblem::RankTooShort { found, width } => {
                write!(f, "the rank ends after {found} of {width} squares")
            }
            PositionProblem::TooManyRanks { height } => {
                write!(f, "there are too many ranks; there must be {height}")
            }
            PositionProblem::TooFewRanks { found, height } => {
                write!(f, "the board ends after {found} of {height} ranks")
            }
            PositionProblem::NoRoyal { color, letter } => write!(
                f,
                "{} has no `{letter}` on the board; each side must have exactly one",
                color_name(*color)
            ),
            PositionProblem::SecondRoyal { color, letter } => write!(
                f,
                "this is a second `{letter}` of {}; each side must have exactly one",
                color_name(*color)
            ),
            PositionProblem::TooMany { letter, most } => write!(
                f,
                "too many `{letter}`; board and hands may have {most} together"
            ),
            PositionProblem::AdjacentRoyals { letter } => write!(
                f,
                "this `{letter}` stands next to the other; neither side can have moved there"
            ),
            PositionProblem::DeadPawn { color, letter } => write!(
                f,
                "this `{letter}` of {} could never move; it must promote or stand elsewhere",
                color_name(*color)
            ),
            PositionProblem::DoubledPawn { color, letter } => write!(
                f,
                "this is a second unpromoted `{letter}` of {} on the file",
                color_name(*color)
            ),
            PositionProblem::OutOfTurn { color } => write!(
                f,
                "{} is in check and not to move; no move can have left it so",
                color_name(*color)
            ),
            PositionProblem::RoyalInHand => {
                f.write_str("a royal can't be in hand; each side must have one on the board")
            }
            PositionProblem::PromotedInHand { letter } => write!(
                f,
                "a promoted piece can't be in hand; a captured one is `{letter}` again"
            ),
            PositionProblem::NoHands => f.write_str(
                "captured pieces leave this game, so no piece can be in hand; write `-`",
            ),
            PositionProblem::CountWithoutPiece => f.write_str(
                "a count without a piece; it stands before the letter of what it counts",
            ),
            PositionProblem::CountOfNone => f.write_str("a count of pieces must be 1 or more"),
        }
    }
}

/// What was found: a character or the end of the text.
pub(super) struct Found(pub(super) Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(found) => write!(f, "found `{}`", found.escape_debug()),
            None => f.write_str("the text ends here"),
        }
    }
}

/// A color, as an error names it.
pub(super) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Sente => "sente",
        Color::Gote => "gote",
    }
}
