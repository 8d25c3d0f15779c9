//! **Statistics** of a solved universe: what its positions, and those that play leads to, are like.

mod figures;
mod legal;
mod passes;
mod placements;
mod survey;
mod tally;

pub use figures::{Branching, DeadDrops, Figures, Zugzwang};
pub use legal::{LegalFigures, LegalStatistics};
pub use passes::Passes;
pub use placements::placements;

use koma_games::{CompleteUniverse, Convention, Explorable, RankedUniverse, Universe};
use koma_tables::{Kind, Table};
use thiserror::Error;

use self::survey::Survey;
use self::tally::Histogram;
use crate::explore::Explored;
use crate::progress::Progress;
use crate::retrograde::{Settings, SolveError, solve, thread_pool};
use crate::solution::Solution;
use crate::tsume::TsumeUniverse;

/// Figures of all positions of a universe and of those that play leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// All positions that have a rank: those that the rules do not decide at once, and those in
    /// which the mover wins in 1.
    pub all: Figures,
    /// The positions that play leads to, by the convention of the exploration: those without a rank
    /// too.
    pub reached: Option<Figures>,
}

/// Why there are no statistics.
#[derive(Debug, Error)]
pub enum StatisticsError {
    /// The table holds no distances.
    #[error("statistics need a table with distances, and this one is of kind `{}`", .0.name())]
    Kind(Kind),
    /// The table has another number of ranks than the universe.
    #[error("the table has {table} ranks, the universe {universe}")]
    Length {
        /// Ranks of the table.
        table: u64,
        /// Ranks of the universe.
        universe: u64,
    },
    /// What is to be found out first could not be.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl Statistics {
    /// Solves what else is to be solved (the tsume, and the game without dead drops), and looks at
    /// every position. The table's checksums should have been verified before.
    ///
    /// `explored` is what play leads to, if that is wanted: what was found in this universe, completed.
    /// Without it, games end as in Tanaka's convention.
    ///
    /// # Errors
    /// [`StatisticsError`] if the table is not a distance table of the universe, if memory or
    /// threads can't be had, or when `progress` interrupts.
    pub fn of<D: AsRef<[u8]> + Sync>(
        universe: &RankedUniverse,
        table: &Table<D>,
        explored: Option<(&CompleteUniverse, &Explored)>,
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<Statistics, StatisticsError> {
        check_table(universe, table)?;
        let passes = Passes::find(universe, table, settings, progress)?;
        let tsume = tsume(universe, &passes, settings, progress)?;
        let restricted = match universe.without_dead_drops() {
            None => None,
            Some(restricted) => {
                let solution = solve(&restricted, settings, progress)?;
                Some((restricted, solution))
            }
        };
        let start = restricted.as_ref().and_then(|(restricted, solution)| {
            let start = restricted.game().start()?;
            solution.value(restricted.rank(&start)?)
        });
        let survey = Survey {
            universe,
            table,
            convention: explored.map_or(Convention::Tanaka, |(space, _)| space.convention()),
            passes: &passes,
            tsume: &tsume,
            restricted: restricted
                .as_ref()
                .map(|(restricted, solution)| (restricted, solution)),
            reached: explored.map(|(_, explored)| explored.ranks()),
        };
        let tallies = thread_pool(settings.threads)?.install(|| survey.tallies(progress))?;
        let figures = |tally| Figures::of(tally, restricted.is_some(), start);
        Ok(Statistics {
            all: figures(&tallies.all),
            reached: explored.map(|(space, explored)| {
                let decided = decided_off_board(space, explored);
                figures(&tallies.reached).with_decided(explored.counts(), &decided)
            }),
        })
    }
}

/// Refuses a table that is not one of the distances of a universe.
fn check_table<D: AsRef<[u8]>>(
    universe: &RankedUniverse,
    table: &Table<D>,
) -> Result<(), StatisticsError> {
    if table.coding().kind() != Kind::Dtm {
        return Err(StatisticsError::Kind(table.coding().kind()));
    }
    if table.len() != universe.len() {
        return Err(StatisticsError::Length {
            table: table.len(),
            universe: universe.len(),
        });
    }
    Ok(())
}

/// The tsume of a universe: wins by threats alone are its wins.
///
/// # Errors
/// As [`solve`].
pub fn tsume(
    universe: &RankedUniverse,
    passes: &Passes,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Solution, SolveError> {
    let tsume = TsumeUniverse::new(universe, passes.threatened());
    solve(&tsume, &settings.besides(passes.byte_count()), progress)
}

/// The reached positions that have no rank in the ranked universe, by pieces off the board.
fn decided_off_board(space: &CompleteUniverse, explored: &Explored) -> Histogram {
    let ranked = space.ranked();
    let mut halves = Histogram::default();
    for index in ranked.segments()..Explorable::segments(space) {
        let segment = space.segment(index);
        let weight = if space.is_doubled(index) { 1 } else { 2 };
        let ranks = segment.first..segment.first + u64::from(segment.len);
        let reached = ranks
            .filter(|&rank| explored.ranks().contains(rank))
            .count() as u64;
        if reached > 0 {
            *halves.get_mut(space.off_board(segment.first) as usize) += weight * reached;
        }
    }
    space.for_each_self_image(|segment, offset| {
        let rank = space.segment(segment).first + u64::from(offset);
        if segment >= ranked.segments() && explored.ranks().contains(rank) {
            *halves.get_mut(space.off_board(rank) as usize) += 1;
        }
    });
    halves.halved()
}
