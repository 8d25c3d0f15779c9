//! A **law**: what endless play is worth. It touches only the residue, the positions in which
//! neither side can force the end of the game.

use crate::color::Color;

/// What endless play is worth. Each law is the [`Terms`] it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Law {
    /// Endless play is a draw (dobutsu: the third occurrence of a position).
    Draw,
    /// It loses for sente, except that a one-sided perpetual checker loses (minishogi, the rules of
    /// the UEC cup).
    Uec,
    /// It is a draw, except that a one-sided perpetual checker loses.
    Pcl,
    /// It loses for sente, except that a side that gives check in it while the other does not
    /// loses (minishogi, the inventor's rules).
    Inventor,
}

/// Which checks make a side a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Checker {
    /// Every move of the side within the repetition gave check.
    EveryMove,
    /// Some move of the side within the repetition gave check.
    AnyMove,
}

/// The terms of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Who loses endless play in which neither side is a checker; `None` for a draw. Sente is the
    /// color, also in a game that starts with gote to move.
    pub loser: Option<Color>,
    /// Which checks make a checker, who loses if the other side is none. Two checkers draw. `None`
    /// where checks don't matter.
    pub checker: Option<Checker>,
}

/// Which moves of a side within a repetition gave check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checks {
    /// Every one of them.
    pub every: bool,
    /// At least one.
    pub any: bool,
}

/// How a law settles endless play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// Who wins; `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: SettlementReason,
}

/// Why endless play is settled as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettlementReason {
    /// Nothing but the repetition matters.
    Repetition,
    /// One side gave check with every move.
    EveryMoveChecked,
    /// One side gave check, the other did not.
    OneSideChecked,
    /// Both sides gave check so that each would lose by it.
    BothChecked,
}

impl Law {
    /// Every law, in the order in which they are listed to users.
    pub const ALL: [Law; 4] = [Law::Draw, Law::Uec, Law::Pcl, Law::Inventor];

    /// The name in file headers and options.
    pub fn name(self) -> &'static str {
        match self {
            Law::Draw => "draw",
            Law::Uec => "uec",
            Law::Pcl => "pcl",
            Law::Inventor => "inventor",
        }
    }

    /// The law of this name.
    pub fn from_name(name: &str) -> Option<Law> {
        Law::ALL.into_iter().find(|law| law.name() == name)
    }

    /// What the law says.
    pub const fn terms(self) -> Terms {
        let (loser, checker) = match self {
            Law::Draw => (None, None),
            Law::Uec => (Some(Color::Sente), Some(Checker::EveryMove)),
            Law::Pcl => (None, Some(Checker::EveryMove)),
            Law::Inventor => (Some(Color::Sente), Some(Checker::AnyMove)),
        };
        Terms { loser, checker }
    }

    /// Settles endless play, given sente's checks and gote's.
    ///
    /// ```
    /// use koma_games::{Checks, Color, Law};
    /// let [none, every] = [false, true].map(|all| Checks { every: all, any: all });
    /// assert_eq!(Law::Uec.settle([none, none]).winner, Some(Color::Gote));
    /// assert_eq!(Law::Uec.settle([none, every]).winner, Some(Color::Sente));
    /// assert_eq!(Law::Pcl.settle([every, every]).winner, None);
    /// ```
    pub fn settle(self, checks: [Checks; 2]) -> Settlement {
        let Terms { loser, checker } = self.terms();
        let quiet = Settlement {
            winner: loser.map(Color::opponent),
            reason: SettlementReason::Repetition,
        };
        let Some(checker) = checker else {
            return quiet;
        };
        let (checkers, reason) = match checker {
            Checker::EveryMove => (
                checks.map(|checks| checks.every),
                SettlementReason::EveryMoveChecked,
            ),
            Checker::AnyMove => (
                checks.map(|checks| checks.any),
                SettlementReason::OneSideChecked,
            ),
        };
        let winner = match checkers {
            [false, false] => return quiet,
            [true, false] => Some(Color::Gote),
            [false, true] => Some(Color::Sente),
            [true, true] => {
                return Settlement {
                    winner: None,
                    reason: SettlementReason::BothChecked,
                };
            }
        };
        Settlement { winner, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Checks = Checks {
        every: false,
        any: false,
    };
    const SOME: Checks = Checks {
        every: false,
        any: true,
    };
    const EVERY: Checks = Checks {
        every: true,
        any: true,
    };

    /// Law by law: neither checks, sente's checks against none of gote's, and the other way round;
    /// then both.
    #[test]
    fn every_law_settles_every_repetition() {
        let (sente, gote, draw) = (Some(Color::Sente), Some(Color::Gote), None);
        for (law, neither, some, every, some_by_gote, every_by_gote, both_some, both_every) in [
            (Law::Draw, draw, draw, draw, draw, draw, draw, draw),
            (Law::Uec, gote, gote, gote, gote, sente, gote, draw),
            (Law::Pcl, draw, draw, gote, draw, sente, draw, draw),
            (Law::Inventor, gote, gote, gote, sente, sente, draw, draw),
        ] {
            for (checks, winner) in [
                ([NONE, NONE], neither),
                ([SOME, NONE], some),
                ([EVERY, NONE], every),
                ([NONE, SOME], some_by_gote),
                ([NONE, EVERY], every_by_gote),
                ([SOME, SOME], both_some),
                ([EVERY, EVERY], both_every),
            ] {
                assert_eq!(law.settle(checks).winner, winner, "{law:?} {checks:?}");
            }
        }
    }

    #[test]
    fn laws_have_names_of_their_own() {
        for law in Law::ALL {
            assert_eq!(Law::from_name(law.name()), Some(law));
        }
    }
}
