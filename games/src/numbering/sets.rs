//! **Sets**: all universes of a game with few pieces, by one name: `minishogi:*3` has up to three besides
//! the royals, at most two of a kind.

use std::fmt;
use std::str::FromStr;

use super::material::Material;
use super::name::UniverseError;
use super::ranked::RankedUniverse;
use crate::game::Game;

/// The most like pieces in a set.
const MOST_ALIKE: u8 = 2;

/// The most pieces besides the royals: sets of more can't be numbered.
const MOST_PIECES: u8 = 9;

/// All sets of a game with up to so many pieces besides the royals, at most two of a kind.
///
/// ```
/// use koma_games::Sets;
/// let sets: Sets = "minishogi:*2".parse().unwrap();
/// assert_eq!(sets.universes().unwrap().len(), 20);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sets {
    game: Game,
    most: u8,
}

impl Sets {
    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The sets, the smaller ones first, then in the order of the game's kinds.
    ///
    /// # Errors
    /// [`UniverseError`] for a set that can't be numbered.
    pub fn universes(&self) -> Result<Vec<RankedUniverse>, UniverseError> {
        let mut sets = Vec::new();
        for pieces in 1..=self.most {
            let mut letters = Vec::new();
            self.choose(1, pieces, &mut String::new(), &mut letters);
            for letters in letters {
                let material = Material::from_letters(&self.game, &letters)?;
                sets.push(RankedUniverse::new(self.game.clone(), material)?);
            }
        }
        Ok(sets)
    }

    /// Lists the letters of so many pieces of the kinds from this one on, behind those chosen already.
    fn choose(&self, kind: usize, pieces: u8, chosen: &mut String, found: &mut Vec<String>) {
        if pieces == 0 {
            found.push(chosen.clone());
            return;
        }
        let Some(data) = self.game.kinds().get(kind) else {
            return;
        };
        let most = self.game.family().material[kind]
            .min(MOST_ALIKE)
            .min(pieces);
        for count in (0..=most).rev() {
            let len = chosen.len();
            chosen.extend(std::iter::repeat_n(data.letter, usize::from(count)));
            self.choose(kind + 1, pieces - count, chosen, found);
            chosen.truncate(len);
        }
    }
}

/// The game's name and `:*` with the number of pieces.
impl fmt::Display for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:*{}", self.game, self.most)
    }
}

impl FromStr for Sets {
    type Err = SetsError;

    fn from_str(text: &str) -> Result<Sets, SetsError> {
        let (game, most) = text.rsplit_once(":*").ok_or(SetsError::Name)?;
        let game: Game = game
            .parse()
            .map_err(|error| SetsError::Game(UniverseError::Game(error)))?;
        match most.parse() {
            Ok(most @ 1..=MOST_PIECES) => Ok(Sets { game, most }),
            _ => Err(SetsError::Pieces(most.to_owned())),
        }
    }
}

/// Why a text names no sets.
#[derive(Clone, Debug)]
pub enum SetsError {
    /// It does not end in `:*` and a number.
    Name,
    /// The game is unknown.
    Game(UniverseError),
    /// What follows `:*` is no number of pieces.
    Pieces(String),
}

impl fmt::Display for SetsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetsError::Name => f.write_str("sets are written GAME:*N, as in minishogi:*2"),
            SetsError::Game(error) => error.fmt(f),
            SetsError::Pieces(text) => write!(
                f,
                "`*{text}`: behind `*` stands how many pieces the sets have at most besides the \
                 royals, 1 to {MOST_PIECES}"
            ),
        }
    }
}

impl std::error::Error for SetsError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_counted_and_named() {
        for (name, sets, first, last) in [
            ("minishogi:*1", 5, "minishogi:r", "minishogi:p"),
            ("minishogi:*2", 20, "minishogi:r", "minishogi:pp"),
            ("minishogi:*3", 50, "minishogi:r", "minishogi:spp"),
            ("gorogoro:*2", 9, "gorogoro:g", "gorogoro:pp"),
            (
                "minishogi:repetition=pcl:*1",
                5,
                "minishogi:repetition=pcl:r",
                "minishogi:repetition=pcl:p",
            ),
        ] {
            let parsed: Sets = name.parse().unwrap();
            assert_eq!(parsed.to_string(), name);
            let universes = parsed.universes().unwrap();
            assert_eq!(universes.len(), sets, "{name}");
            assert_eq!(universes[0].to_string(), first);
            assert_eq!(universes[sets - 1].to_string(), last);
        }
        for wrong in [
            "minishogi",
            "minishogi:*",
            "minishogi:*0",
            "minishogi:*x",
            "go:*2",
        ] {
            assert!(wrong.parse::<Sets>().is_err(), "{wrong}");
        }
    }
}
