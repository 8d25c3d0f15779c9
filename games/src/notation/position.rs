//! A **position string**: which of the notations a text is in, and what it says.

use crate::game::Game;
use crate::position::Position;

use super::position_error::PositionError;
use super::reader::Reader;
use super::{clausecker, fen, sfen, tanaka};

/// A notation of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionForm {
    /// `gle/1c1/1C1/ELG b - 1`, in any alphabet of the game.
    Sfen,
    /// `gle/1c1/1C1/ELG[] w 0 1`, as Fairy-Stockfish writes it.
    Fen,
    /// `S/gle/-c-/-C-/ELG/-`, as clausecker/dobutsu writes it.
    Clausecker,
    /// `-KI-LI-ZO` .., as Tanaka's programs write it.
    Tanaka,
}

/// What a position string says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadPosition {
    /// The position.
    pub position: Position,
    /// The notation it was written in.
    pub form: PositionForm,
    /// The move number, if it was there. An SFEN without one is read, but other programs may
    /// refuse it.
    pub number: Option<u32>,
}

impl Game {
    /// Reads a position in any of the notations; see [`PositionForm`].
    ///
    /// `_` may stand for a blank. Letters are the game's own or those of another program's
    /// alphabet, never mixed. Pieces may be missing, except the royals.
    ///
    /// # Errors
    /// [`PositionError`] names the field and the column of what is wrong.
    ///
    /// ```
    /// use koma_games::Game;
    /// let game: Game = "dobutsu".parse().unwrap();
    /// let start = game.start().unwrap();
    /// assert_eq!(game.parse_position("gle/1c1/1C1/ELG b -"), Ok(start));
    /// assert_eq!(game.parse_position("rkb/1p1/1P1/BKR_b_-_1"), Ok(start));
    /// assert_eq!(game.parse_position("S/gle/-c-/-C-/ELG/-"), Ok(start));
    /// let error = game.parse_position("gle/1c1/1C1/ELG b 2x 1").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "hands, column 20: found `x`, expected a piece of this game: LEGCH"
    /// );
    /// ```
    pub fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.read_position(text).map(|read| read.position)
    }

    /// Reads a position as [`parse_position`](Game::parse_position) does, and tells the notation
    /// and the move number too.
    ///
    /// # Errors
    /// [`PositionError`] names the field and the column of what is wrong.
    pub fn read_position(&self, text: &str) -> Result<ReadPosition, PositionError> {
        let mut reader = Reader::new(self, text);
        reader.skip_blanks();
        let body = reader.scanner.rest();
        if clausecker::is_clausecker(self, body) {
            clausecker::read(reader)
        } else if tanaka::is_tanaka(self, body) {
            tanaka::read(reader)
        } else if body.contains('[') {
            fen::read(reader)
        } else {
            sfen::read(reader)
        }
    }
}
