//! A **question** about a position: the set that is asked, or a game, whose set the position's pieces name.

use std::str::FromStr;

use koma_games::{ExplorationError, Game, Material, Position, RankedUniverse, UniverseError};
use koma_tables::check_material;

use crate::asked::Asked;
use crate::exit::Usage;
use crate::played::Played;
use crate::query::read_position_of;

/// What is asked about a position.
#[derive(Clone)]
pub(crate) enum Question {
    /// A set, or the positions of one that play leads to.
    Set(Asked),
    /// A game too large to number: whatever set of it holds the position.
    Game(Box<Game>),
}

impl Question {
    /// Reads the position on the command line, or takes the start position, and finds the set that holds
    /// it.
    ///
    /// # Errors
    /// For a position that the set does not hold, the name of the one that does; [`Usage`] where none
    /// does.
    pub(crate) fn about(self, words: &[String]) -> anyhow::Result<(Asked, Position)> {
        match self {
            Question::Set(asked) => {
                let universe = asked.universe();
                let played = Played::Universe(Box::new(universe.clone()));
                let position = read_position_of(&played, words)?;
                check_material(universe, &position)?;
                Ok((asked, position))
            }
            Question::Game(game) => {
                let position = read_position_of(&Played::Game(game.clone()), words)?;
                let universe = set_of(&game, &position)?;
                Ok((Asked::from(universe), position))
            }
        }
    }

    /// The set that is asked.
    ///
    /// # Errors
    /// [`Usage`] for a game without a set.
    pub(crate) fn set(self) -> anyhow::Result<Asked> {
        match self {
            Question::Set(asked) => Ok(asked),
            Question::Game(game) => Err(Usage(format!(
                "{game} has too many positions to number; name a set of its pieces, such as \
                 `{}`",
                example(&game)
            ))
            .into()),
        }
    }
}

/// The set that holds a position of a game.
///
/// # Errors
/// [`Usage`] if the position has too many pieces for any.
pub(crate) fn set_of(game: &Game, position: &Position) -> anyhow::Result<RankedUniverse> {
    let material = Material::of(position);
    RankedUniverse::new(game.clone(), material).map_err(|error| {
        let letters = material.letters(game);
        Usage(format!(
            "`{letters}`, the pieces of the position besides the royals: {error}, such as `{}`",
            example(game)
        ))
        .into()
    })
}

/// A small set of a game.
fn example(game: &Game) -> String {
    let letters: String = game
        .kinds()
        .iter()
        .rev()
        .take(2)
        .map(|kind| kind.letter)
        .collect();
    let material = Material::from_letters(game, &letters).expect("letters of the game");
    RankedUniverse::new(game.clone(), material).map_or(letters, |universe| universe.to_string())
}

impl FromStr for Question {
    type Err = ExplorationError;

    fn from_str(text: &str) -> Result<Question, ExplorationError> {
        match text.parse() {
            Ok(asked) => Ok(Question::Set(asked)),
            Err(error @ ExplorationError::Universe(UniverseError::TooLarge)) => {
                let game = text.parse().map(Box::new);
                game.map(Question::Game).or(Err(error))
            }
            Err(error) => Err(error),
        }
    }
}
