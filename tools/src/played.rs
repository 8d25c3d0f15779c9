//! What is **played**: a game, with the universe of its positions if they are not too many.

use std::fmt;
use std::str::FromStr;

use koma_games::{Game, Position, RankedUniverse, UniverseError};

use crate::query;

/// A game that is asked for its rules, and for a table only if there can be one.
#[derive(Clone)]
pub(crate) enum Played {
    /// Its positions are numbered.
    Universe(Box<RankedUniverse>),
    /// They are too many.
    Game(Box<Game>),
}

impl Played {
    /// The game.
    pub(crate) fn game(&self) -> &Game {
        match self {
            Played::Universe(universe) => universe.game(),
            Played::Game(game) => game,
        }
    }

    /// The start position, if these pieces have one.
    pub(crate) fn start(&self) -> Option<Position> {
        match self {
            Played::Universe(universe) => query::start(universe),
            Played::Game(game) => game.start(),
        }
    }
}

impl FromStr for Played {
    type Err = UniverseError;

    fn from_str(text: &str) -> Result<Played, UniverseError> {
        match text.parse() {
            Ok(universe) => Ok(Played::Universe(Box::new(universe))),
            Err(error @ UniverseError::TooLarge) => {
                text.parse().map(Box::new).map(Played::Game).or(Err(error))
            }
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Played::Universe(universe) => universe.fmt(f),
            Played::Game(game) => game.fmt(f),
        }
    }
}
