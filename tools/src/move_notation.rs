//! A **move notation**: how moves are written, in text and in JSON.

use clap::ValueEnum;
use koma_games::{Game, Move, Position};
use serde::Serialize;

/// A notation of moves. Reading needs no choice: every notation is read.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum MoveNotation {
    /// `B3B2`, drop `C*B2`.
    Squares,
    /// `2c2b`, drop `C*2b`.
    Usi,
    /// `▲B2ひよこ`, drop `▲B2ひよこ打` where it must be said.
    Japanese,
    /// `+B3B2HI`, drop `+00B2HI`.
    Tanaka,
}

impl MoveNotation {
    /// Writes a move of this position.
    pub(crate) fn write(self, game: &Game, position: &Position, mv: Move) -> String {
        match self {
            MoveNotation::Squares => game.squares(mv),
            MoveNotation::Usi => game.usi(mv),
            MoveNotation::Japanese => game.japanese(position, mv),
            MoveNotation::Tanaka => game.tanaka(position, mv),
        }
    }
}

/// A move in every notation, as JSON has it.
#[derive(Serialize)]
pub(crate) struct MoveNames {
    #[serde(rename = "move")]
    squares: String,
    #[serde(rename = "move_usi")]
    usi: String,
    #[serde(rename = "move_ja")]
    japanese: String,
    #[serde(rename = "move_tanaka")]
    tanaka: String,
}

impl MoveNames {
    /// The names of a move of this position.
    pub(crate) fn new(game: &Game, position: &Position, mv: Move) -> MoveNames {
        MoveNames {
            squares: game.squares(mv),
            usi: game.usi(mv),
            japanese: game.japanese(position, mv),
            tanaka: game.tanaka(position, mv),
        }
    }
}
