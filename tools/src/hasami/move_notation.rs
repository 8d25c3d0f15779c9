//! A **move notation** of hasami: how moves are written.

use clap::ValueEnum;
use koma_games::hasami::{Game, Move, Position};

/// A notation of moves. Reading needs no choice: every notation is read.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum MoveNotation {
    /// `a9a5`.
    Squares,
    /// `9i9e`.
    Usi,
    /// `▲９五歩`, with the square it comes from where it must be said.
    Japanese,
}

impl MoveNotation {
    /// Writes a move of this position.
    pub(crate) fn write(self, game: &Game, position: &Position, mv: Move) -> String {
        match self {
            MoveNotation::Squares => game.squares(mv),
            MoveNotation::Usi => game.usi(mv),
            MoveNotation::Japanese => game.japanese(position, mv),
        }
    }
}
