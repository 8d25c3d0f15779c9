//! **Settling** the residue: what a law makes of endless play, for every rank that retrograde analysis
//! leaves undecided.
//!
//! A law may name a color, so a residue rank has two outcomes: with sente and with gote to move. They
//! are those of endless play within the residue. A move that leaves the residue leads to a win of the
//! other side, or the rank would be won: no one needs it, and every residue rank has a move that stays.
//!
//! A law asks which of the players are *checkers*: with every move from some ply on, or with moves again
//! and again. So let a player's *events* be the moves that give no check, in the first case, and those
//! that give check in the second; a player is a checker if they end, or if they don't. Whether the
//! mover is in check is a property of the position, so events are where they lead to. Two questions,
//! can sente force at least a draw, and can sente force a win, are then each a [parity
//! game](crate::parity): what is won and lost depends on whose events don't end, and the priorities that
//! say so are found from [`Law::settle`]. What sente can't force, gote can prevent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use koma_games::{Category, Checker, Checks, Color, Law, Universe};
use rayon::prelude::*;
use thiserror::Error;

use crate::backward::{for_each_before, movers_in_check};
use crate::parity::{self, ParityGame, Priorities};
use crate::prefetch::prefetch;
use crate::progress::{Phase, Progress};
use crate::residue::Residue;
use crate::retrograde::{Settings, SolveError, thread_pool};
use crate::solution::Solution;

/// Why the residue is not settled.
#[derive(Debug, Error)]
pub enum SettleError {
    /// Memory or threads can't be had, or the work was interrupted.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The solution has another number of ranks than the universe.
    #[error("the solution has {solution} ranks, the universe {universe}")]
    Length {
        /// Ranks of the solution.
        solution: u64,
        /// Ranks of the universe.
        universe: u64,
    },
    /// A rank is no residue: the rules decide it, or no move of it stays in the residue. So the
    /// solution is not one of this universe, or the rules call some positions drawn.
    #[error("rank {rank} is called undecided, but {why}")]
    NoResidue {
        /// The lowest such rank.
        rank: u64,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// The outcomes of the residue of a universe under a law.
///
/// They have no distance: endless play has no end.
#[derive(Debug)]
pub struct Settled {
    law: Law,
    residue: Arc<Residue>,
    /// By the number of a residue rank, two bits for each color to move: 0 lost, 1 drawn, 2 won for the
    /// mover.
    outcomes: Vec<u8>,
}

impl Settled {
    /// The law.
    pub fn law(&self) -> Law {
        self.law
    }

    /// The number of ranks in the residue.
    pub fn len(&self) -> u64 {
        self.residue.len()
    }

    /// Whether every rank is won or lost by force.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The outcome of a rank for its mover, who is of this color; `None` if it is not in the residue.
    ///
    /// # Panics
    /// If the rank is not below the length of the universe, rounded up to a multiple of 64.
    pub fn outcome(&self, rank: u64, mover: Color) -> Option<Category> {
        let number = self.residue.number(rank)?;
        Some(self.outcome_of(number, mover))
    }

    fn outcome_of(&self, number: usize, mover: Color) -> Category {
        match self.outcomes[number] >> (2 * mover.index()) & 3 {
            0 => Category::Loss,
            1 => Category::Draw,
            _ => Category::Win,
        }
    }

    /// Every rank of the residue in ascending order, with its outcomes for sente and for gote.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, [Category; 2])> {
        let numbers = 0..self.outcomes.len();
        self.residue.ranks().zip(numbers).map(|(rank, number)| {
            let outcomes = Color::BOTH.map(|mover| self.outcome_of(number, mover));
            (rank, outcomes)
        })
    }
}

/// The bytes of memory that settling takes, besides the solution, for so many ranks of which some are in
/// the residue; and a few more where play is forced from great parts of the residue at once.
pub fn settling_memory_needed(ranks: u64, residue: u64) -> u64 {
    // Of each rank a byte for check and one for whether a move stays or the outcomes, two for what sente
    // can force.
    Residue::bytes(ranks)
        .saturating_add(parity::bytes(residue))
        .saturating_add(residue.saturating_mul(4))
}

/// Settles the residue of a solved universe under a law, which need not be the one of its game.
///
/// # Errors
/// [`SettleError`] before any work if memory or threads can't be had or the residue is none, or when
/// `progress` interrupts.
///
/// ```
/// use koma_games::{Category, Color, Law, RankedUniverse};
/// use koma_solver::{NoProgress, Settings, settle, solve};
/// let universe: RankedUniverse = "minishogi:repetition=draw:s".parse().unwrap();
/// let settings = Settings::default();
/// let solution = solve(&universe, &settings, &NoProgress).unwrap();
/// let settled = settle(&universe, &solution, Law::Uec, &settings, &NoProgress).unwrap();
/// // Neither side can force mate, so sente loses.
/// let position = universe.game().parse_position("5/4s/5/5/k2K1 b - 1").unwrap();
/// let rank = universe.rank(&position).unwrap();
/// assert_eq!(settled.outcome(rank, Color::Sente), Some(Category::Loss));
/// ```
pub fn settle<U: Universe>(
    universe: &U,
    solution: &Solution,
    law: Law,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Settled, SettleError> {
    let mut settled = settle_all(universe, solution, &[law], settings, progress)?;
    Ok(settled.pop().expect("settled under one law"))
}

/// The same under several laws.
pub(crate) fn settle_all<U: Universe>(
    universe: &U,
    solution: &Solution,
    laws: &[Law],
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Settled>, SettleError> {
    if solution.len() != universe.len() {
        return Err(SettleError::Length {
            solution: solution.len(),
            universe: universe.len(),
        });
    }
    let (ranks, undecided) = (universe.len(), solution.census().ranks.draw);
    settings.check_memory(ranks, settling_memory_needed(ranks, undecided))?;
    thread_pool(settings.threads)?.install(|| {
        progress.begin(Phase::Settle, 0, undecided);
        let residue = Arc::new(Residue::of(solution));
        let checked = examined(universe, &residue, progress)?;
        let settled = laws.iter().map(|&law| {
            Ok(Settled {
                law,
                residue: Arc::clone(&residue),
                outcomes: outcomes(universe, &residue, &checked, law, progress)?,
            })
        });
        settled.collect()
    })
}

/// Whether the mover is in check, by the number of the rank, of a residue that is one.
fn examined<U: Universe>(
    universe: &U,
    residue: &Residue,
    progress: &dyn Progress,
) -> Result<Vec<bool>, SettleError> {
    let stays: Vec<AtomicBool> = std::iter::repeat_with(AtomicBool::default)
        .take(residue.len() as usize)
        .collect();
    let parts = residue.parts().map(|part| {
        if progress.interrupted() {
            return Vec::new();
        }
        let ranks: Vec<u64> = part.map(|(rank, _)| rank).collect();
        for_each_before(universe, residue, &ranks, |sources| {
            for source in sources {
                prefetch(&stays, source.number);
            }
            for source in sources {
                stays[source.number].store(true, Relaxed);
            }
        });
        movers_in_check(universe, &ranks)
    });
    let checked: Vec<bool> = parts.flatten_iter().collect();
    if progress.interrupted() {
        return Err(SolveError::Interrupted.into());
    }
    let leaves = residue
        .parts()
        .filter_map(|mut part| part.find(|&(_, number)| !stays[number].load(Relaxed)));
    match leaves.min() {
        None => Ok(checked),
        Some((rank, _)) => Err(SettleError::NoResidue {
            rank,
            why: match universe.terminal(rank) {
                Some(_) => "the rules decide it",
                None => "no move of it leads to another undecided one",
            },
        }),
    }
}

fn outcomes<U: Universe>(
    universe: &U,
    residue: &Residue,
    checked: &[bool],
    law: Law,
    progress: &dyn Progress,
) -> Result<Vec<u8>, SettleError> {
    let mut game = ParityGame::new(universe, residue, checked, progress);
    if law.terms().loser.is_none() {
        // What sente can do with one color to move gote can do with the other.
        return Ok(match objective(law, Category::Win) {
            Objective::Always | Objective::Never => vec![DRAWN; checked.len()],
            Objective::Parity(priorities) => {
                game.solve(priorities, |_, _| false)?;
                let for_movers = |number| {
                    let [own, other] =
                        Color::BOTH.map(|to_move| u8::from(game.sente_wins(number, to_move)));
                    let outcome = 1 + own - other;
                    outcome | outcome << 2
                };
                (0..checked.len()).into_par_iter().map(for_movers).collect()
            }
        });
    }
    // By number and color to move, what sente can force: 0 nothing, 1 a draw, 2 a win.
    let mut forced = vec![[0u8; 2]; checked.len()];
    for least in [Category::Draw, Category::Win] {
        let before = least as u8 - 1;
        match objective(law, least) {
            Objective::Always => {
                for forced in forced.as_flattened_mut() {
                    *forced += u8::from(*forced == before);
                }
            }
            Objective::Never => {}
            Objective::Parity(priorities) => {
                // Who can't force a draw can't force a win: gote keeps play where sente can't.
                game.solve(priorities, |number, color| {
                    forced[number][color.index()] != before
                })?;
                forced
                    .par_iter_mut()
                    .enumerate()
                    .for_each(|(number, forced)| {
                        for color in Color::BOTH {
                            let wins = game.sente_wins(number, color);
                            forced[color.index()] += u8::from(wins);
                        }
                    });
            }
        }
    }
    let for_movers = |[sente, gote]: [u8; 2]| sente | (2 - gote) << 2;
    Ok(forced.into_par_iter().map(for_movers).collect())
}

/// The outcomes of a rank that is drawn whoever is to move.
const DRAWN: u8 = 1 | 1 << 2;

/// When sente gets at least this much of endless play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objective {
    Always,
    Never,
    Parity(Priorities),
}

fn objective(law: Law, least: Category) -> Objective {
    let checks = match law.terms().checker {
        None | Some(Checker::EveryMove) => false,
        Some(Checker::AnyMove) => true,
    };
    // Whether sente gets it if sente's events don't end, and if gote's don't.
    let gets = |endless: [bool; 2]| {
        let checkers = endless.map(|endless| {
            let checker = endless == checks;
            Checks {
                every: checker,
                any: checker,
            }
        });
        let outcome = match law.settle(checkers).winner {
            Some(Color::Sente) => Category::Win,
            None => Category::Draw,
            Some(Color::Gote) => Category::Loss,
        };
        outcome >= least
    };
    let all = [[false, false], [true, false], [false, true], [true, true]].map(gets);
    match all {
        [true, true, true, true] => Objective::Always,
        [false, false, false, false] => Objective::Never,
        _ => Objective::Parity(
            priorities(gets, checks)
                .expect("under every law one player's events outweigh the other's"),
        ),
    }
}

/// The priorities by which sente wins in just these cases: even ones are good for sente. `None` if neither
/// player's events decide whatever the other's do.
fn priorities(gets: impl Fn([bool; 2]) -> bool, checks: bool) -> Option<Priorities> {
    // The lowest priority that is as good and, unless it may be equal, greater.
    let raised = |priority: u8, good: bool| priority + u8::from(good != priority.is_multiple_of(2));
    let base = u8::from(!gets([false, false]));
    Color::BOTH.into_iter().find_map(|greater| {
        let mut only = [[false; 2]; 2];
        only[0][greater.index()] = true;
        only[1][greater.opponent().index()] = true;
        let decides = gets([true, true]);
        (gets(only[0]) == decides).then(|| {
            let lesser = raised(base, gets(only[1]));
            let mut events = [lesser; 2];
            events[greater.index()] = raised(lesser, decides);
            Priorities {
                base,
                events,
                checks,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every law, by its priorities, gives what it says of all cases of events that end or don't.
    #[test]
    fn priorities_say_what_laws_say() {
        for law in Law::ALL {
            for least in [Category::Draw, Category::Win] {
                let objective = objective(law, least);
                for endless in [[false, false], [true, false], [false, true], [true, true]] {
                    let any_move = law.terms().checker == Some(Checker::AnyMove);
                    let checks = endless.map(|endless| Checks {
                        every: !any_move && !endless,
                        any: !any_move || endless,
                    });
                    let winner = law.settle(checks).winner;
                    let expected = match least {
                        Category::Win => winner == Some(Color::Sente),
                        _ => winner != Some(Color::Gote),
                    };
                    let found = match objective {
                        Objective::Always => true,
                        Objective::Never => false,
                        Objective::Parity(priorities) => {
                            assert_eq!(priorities.checks, any_move);
                            let met = endless.iter().zip(priorities.events);
                            let met = met.filter(|(endless, _)| **endless);
                            let greatest = met.map(|(_, event)| event).max();
                            let greatest = greatest
                                .map_or(priorities.base, |greatest| greatest.max(priorities.base));
                            assert!(greatest <= 3);
                            greatest.is_multiple_of(2)
                        }
                    };
                    assert_eq!(found, expected, "{law:?} {least:?} {endless:?}");
                }
            }
        }
    }
}
