//! The **material** of a universe: how many pieces of each kind both sides have together.

use std::fmt;

use crate::color::Color;
use crate::game::Game;
use crate::piece_counts::PieceCounts;
use crate::position::{MAX_KINDS, Position};

/// How many pieces of each kind are in play, whoever owns them; the two royals included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    counts: [u8; MAX_KINDS],
}

impl Material {
    /// All the pieces of a game.
    pub fn full(game: &Game) -> Material {
        let mut counts = [0; MAX_KINDS];
        counts[..game.kinds().len()].copy_from_slice(game.family().material);
        Material { counts }
    }

    /// The two royals and the pieces with these letters, in any order and case.
    ///
    /// # Errors
    /// [`MaterialError`] if a letter is no kind of the game, or the game has fewer such pieces.
    pub fn from_letters(game: &Game, letters: &str) -> Result<Material, MaterialError> {
        let full = Material::full(game);
        let mut counts = [0; MAX_KINDS];
        counts[0] = full.counts[0];
        for letter in letters.chars() {
            let kind = game.kinds()[1..]
                .iter()
                .position(|kind| kind.letter == letter.to_ascii_uppercase())
                .map(|index| index + 1)
                .ok_or_else(|| MaterialError::Letter {
                    letter,
                    letters: game.kinds()[1..].iter().map(|kind| kind.letter).collect(),
                })?;
            counts[kind] += 1;
            if counts[kind] > full.counts[kind] {
                return Err(MaterialError::TooMany {
                    letter,
                    most: full.counts[kind],
                });
            }
        }
        Ok(Material { counts })
    }

    /// The pieces of a position.
    pub fn of(position: &Position) -> Material {
        let pieces = PieceCounts::of(position);
        let mut counts = [0; MAX_KINDS];
        for (kind, count) in (0..).zip(&mut counts) {
            *count = Color::BOTH
                .map(|color| pieces.owned(color, kind))
                .iter()
                .sum();
        }
        Material { counts }
    }

    /// How many pieces of a kind there are.
    pub fn count(&self, kind: usize) -> u8 {
        self.counts[kind]
    }

    /// Whether there is at least as much of every kind as in `other`.
    pub fn contains(&self, other: &Material) -> bool {
        self.counts
            .iter()
            .zip(other.counts)
            .all(|(&own, other)| own >= other)
    }

    /// The letters of the pieces besides the royals, in the order of the game's kinds.
    pub fn letters(&self, game: &Game) -> String {
        game.kinds()
            .iter()
            .zip(self.counts)
            .skip(1)
            .flat_map(|(kind, count)| {
                std::iter::repeat_n(kind.letter.to_ascii_lowercase(), usize::from(count))
            })
            .collect()
    }
}

/// Why letters are no material of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MaterialError {
    /// A letter is no kind of piece besides the royal.
    Letter {
        /// The letter.
        letter: char,
        /// The letters there are.
        letters: String,
    },
    /// More pieces of a kind than the game has.
    TooMany {
        /// The letter of the kind.
        letter: char,
        /// How many the game has.
        most: u8,
    },
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaterialError::Letter { letter, letters } => write!(
                f,
                "`{letter}` is no option of the game and no piece of a material set; a set is \
                 written with the letters {letters}, the royals are always there"
            ),
            MaterialError::TooMany { letter, most } => {
                write!(f, "the game has only {most} pieces `{letter}`")
            }
        }
    }
}

impl std::error::Error for MaterialError {}
