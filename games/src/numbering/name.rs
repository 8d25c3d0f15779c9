//! The **name** of a ranked universe: the game with its options and, unless all its pieces are in play,
//! the letters of those that are. And why a name has no universe.

use std::fmt;
use std::str::FromStr;

use super::material::{Material, MaterialError};
use super::ranked::RankedUniverse;
use crate::game::{Game, GameError};

/// The game's name, and `:letters` unless all its pieces are in play.
impl fmt::Display for RankedUniverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.game())?;
        if *self.material() != Material::full(self.game()) {
            write!(f, ":{}", self.material().letters(self.game()))?;
        }
        Ok(())
    }
}

impl FromStr for RankedUniverse {
    type Err = UniverseError;

    fn from_str(text: &str) -> Result<RankedUniverse, UniverseError> {
        if let Some((whole, _)) = text.split_once("/reachable") {
            return Err(UniverseError::Reachable(whole.to_owned()));
        }
        // The last part is a material set if it is no option of the game.
        let game_error = match text.parse::<Game>() {
            Ok(game) => {
                let material = Material::full(&game);
                return RankedUniverse::new(game, material);
            }
            Err(error) => error,
        };
        let (GameError::Option(..), Some((head, letters))) = (&game_error, text.rsplit_once(':'))
        else {
            return Err(game_error.into());
        };
        let Ok(game) = head.parse::<Game>() else {
            return Err(game_error.into());
        };
        match Material::from_letters(&game, letters) {
            Ok(material) => RankedUniverse::new(game, material),
            Err(MaterialError::Letter { .. }) if letters.starts_with('*') => {
                Err(UniverseError::Sets(text.to_owned()))
            }
            // `-` and `,` are in options only: then the option is what is wrong.
            Err(MaterialError::Letter { .. }) if letters.contains(['-', ',', '=']) => {
                Err(game_error.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Why there is no such universe.
#[derive(Clone, Debug)]
pub enum UniverseError {
    /// The game is unknown.
    Game(GameError),
    /// The material is none of the game's.
    Material(MaterialError),
    /// The name is that of the positions that play leads to, in this universe.
    Reachable(String),
    /// The name is that of several sets, and one is asked for.
    Sets(String),
    /// The options go together in no game that is numbered.
    Unnumbered,
    /// More ranks than can be numbered.
    TooLarge,
}

impl fmt::Display for UniverseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UniverseError::Game(error) => error.fmt(f),
            UniverseError::Material(error) => error.fmt(f),
            UniverseError::Reachable(whole) => write!(
                f,
                "the positions that play leads to are not enough here; name the whole, `{whole}`"
            ),
            UniverseError::Sets(sets) => write!(
                f,
                "`{sets}` is several sets, and here one is asked for; write the letters of its pieces \
                 in place of `*`"
            ),
            UniverseError::Unnumbered => {
                f.write_str("games with these options together are not numbered")
            }
            UniverseError::TooLarge => f.write_str(
                "the universe has more than 2^48 ranks, too many to number; take a smaller board \
                 or a material set",
            ),
        }
    }
}

impl std::error::Error for UniverseError {}

impl From<GameError> for UniverseError {
    fn from(error: GameError) -> UniverseError {
        UniverseError::Game(error)
    }
}

impl From<MaterialError> for UniverseError {
    fn from(error: MaterialError) -> UniverseError {
        UniverseError::Material(error)
    }
}
