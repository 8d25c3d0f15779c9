//! An **alphabet**: the letters that stand for the kinds of pieces in a text.

use crate::game::Game;

/// The letters that a text uses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Alphabet {
    /// The game's own, the only one that is written.
    Own,
    /// Another program's, the letters of the kinds in order.
    Other(&'static str),
}

impl Alphabet {
    /// The alphabet of a position string. The royal's letter tells: it differs between alphabets
    /// and stands in every legal position.
    pub(super) fn of(game: &Game, text: &str) -> Alphabet {
        let has = |letter: char| text.contains([letter, letter.to_ascii_lowercase()]);
        if has(game.kinds()[0].letter) {
            return Alphabet::Own;
        }
        let other = game
            .family()
            .other_alphabets
            .iter()
            .find(|letters| letters.chars().next().is_some_and(has));
        other.map_or(Alphabet::Own, |letters| Alphabet::Other(letters))
    }

    /// The kind that a letter, upper- or lowercase, stands for, and whether it is promoted.
    pub(super) fn kind(self, game: &Game, letter: char) -> Option<(u8, bool)> {
        let letter = letter.to_ascii_uppercase();
        match self {
            Alphabet::Own => {
                for (index, kind) in game.kinds().iter().enumerate() {
                    if kind.letter == letter {
                        return Some((index as u8, false));
                    }
                    if kind.promoted_letter == Some(letter) {
                        return Some((index as u8, true));
                    }
                }
                let read = game.family().read_letters.iter();
                read.filter(|&&(read, _)| read == letter)
                    .map(|&(_, kind)| (kind, true))
                    .next()
            }
            Alphabet::Other(letters) => letters
                .chars()
                .position(|other| other == letter)
                .map(|kind| (kind as u8, false)),
        }
    }

    /// Whether a letter belongs to another alphabet of the game than this one.
    pub(super) fn is_foreign(self, game: &Game, letter: char) -> bool {
        let others = game.family().other_alphabets.iter();
        self.kind(game, letter).is_none()
            && others
                .map(|letters| Alphabet::Other(letters))
                .chain([Alphabet::Own])
                .any(|other| other.kind(game, letter).is_some())
    }

    /// The letters of the kinds, as an error lists them.
    pub(super) fn letters(self, game: &Game) -> String {
        match self {
            Alphabet::Own => game
                .kinds()
                .iter()
                .flat_map(|kind| [Some(kind.letter), kind.promoted_letter])
                .flatten()
                .collect(),
            Alphabet::Other(letters) => letters.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::FAMILIES;

    /// What [`super::Alphabet::of`] relies on.
    #[test]
    fn royals_have_letters_of_their_own() {
        for family in FAMILIES {
            let mut royals = vec![family.kinds[0].letter];
            for letters in family.other_alphabets {
                assert_eq!(letters.chars().count(), family.kinds.len());
                royals.push(letters.chars().next().unwrap());
            }
            let distinct = royals.len();
            royals.sort();
            royals.dedup();
            assert_eq!(royals.len(), distinct, "{}", family.name);
        }
    }
}
