//! An **identity**: which question the ranks of a table answer. Two tables of equal identity agree
//! on the position behind every rank and on the rules by which it was judged.

use koma_games::Law;

use crate::error::OpenFault;

/// Which positions a table numbers, and under which rules it judges them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The game with all options resolved, such as `dobutsu` or `dobutsu@3x5:no-try`.
    pub game: String,
    /// The name of the universe, such as `minishogi:gp`. File names are made from it, so it is
    /// unique among all games and options kept in one folder.
    pub universe: String,
    /// The version of the formula that gives a position its rank.
    pub numbering: u32,
    /// What endless play is worth.
    pub law: Law,
}

impl Identity {
    /// Refuses a table of identity `self` for one who asked for `wanted`, naming the first field
    /// that differs.
    pub(crate) fn check(&self, wanted: &Identity) -> Result<(), OpenFault> {
        let fields = [
            ("game", self.game.clone(), wanted.game.clone()),
            ("universe", self.universe.clone(), wanted.universe.clone()),
            (
                "numbering",
                self.numbering.to_string(),
                wanted.numbering.to_string(),
            ),
            (
                "law",
                self.law.name().to_owned(),
                wanted.law.name().to_owned(),
            ),
        ];
        match fields
            .into_iter()
            .find(|(_, found, wanted)| found != wanted)
        {
            None => Ok(()),
            Some((field, found, wanted)) => Err(OpenFault::Mismatch {
                field,
                found,
                wanted,
            }),
        }
    }
}
