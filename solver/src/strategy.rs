//! A **strategy** for endless play: how a player keeps what the law gives it.
//!
//! A move that keeps the outcome may keep it for ever and yet lose: who must stop giving check some time
//! has to make progress. The labels of a certificate say what progress is: the move to the least label
//! that keeps the claim never lets them rise for ever.

use koma_games::{Category, Color, Universe};
use koma_tables::{ReadError, Table};

use crate::certificate::{self, Claims, Labels};
use crate::check::mover_in_check;
use crate::progress::{Phase, Progress};
use crate::residue::Residue;
use crate::retrograde::{Settings, SolveError, thread_pool};

/// How players keep what the law of a table gives them of endless play.
pub struct Strategy {
    residue: Residue,
    /// Whether sente gets a draw, and whether sente wins.
    labels: [Labels; 2],
}

/// Why there is no strategy.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// Memory or threads can't be had, or the work was interrupted.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The table does not say what the law makes of endless play.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl std::fmt::Debug for Strategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Strategy for {} ranks", self.residue.len())
    }
}

impl Strategy {
    /// The bytes of memory that a strategy takes while it is found.
    pub fn memory_needed(ranks: u64, residue: u64) -> u64 {
        Residue::bytes(ranks)
            .saturating_add(certificate::bytes(residue))
            .saturating_add(residue.saturating_mul(17))
    }

    /// Finds the strategies for endless play under the law of a table, whose checksums should have been
    /// verified before.
    ///
    /// # Errors
    /// [`StrategyError`] if the table holds no outcomes, if memory or threads can't be had, or when
    /// `progress` interrupts.
    pub fn find<U: Universe, D: AsRef<[u8]> + Sync>(
        universe: &U,
        table: &Table<D>,
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<Strategy, StrategyError> {
        let law = table.header().identity().law;
        let undecided = table.header().census().ranks.draw;
        let outcome = table.outcomes_unverified(law)?;
        settings.check_memory(table.len(), Strategy::memory_needed(table.len(), undecided))?;
        thread_pool(settings.threads)?.install(|| {
            progress.begin(Phase::Settle, 0, undecided);
            let residue = Residue::of_table(table);
            let checked = mover_in_check(universe, &residue);
            let labels = |least| {
                let claims = Claims {
                    universe,
                    residue: &residue,
                    checked: &checked,
                    law,
                    least,
                    outcome: &outcome,
                };
                Labels::find(&claims, progress)
            };
            let labels = [labels(Category::Draw)?, labels(Category::Win)?];
            Ok(Strategy { residue, labels })
        })
    }

    /// How far a player who moved to this rank is from what keeps its outcome: among the moves that keep
    /// it, one to the least is progress. `kept` is what the player keeps, a win or a draw. `None` outside
    /// the residue.
    ///
    /// # Panics
    /// If the rank is not below the length of the universe.
    pub fn progress(&self, rank: u64, player: Color, kept: Category) -> Option<(u32, u32)> {
        let question = match (player, kept) {
            (Color::Sente, Category::Win) => 1,
            (Color::Sente, _) => 0,
            (Color::Gote, Category::Win) => 0,
            (Color::Gote, _) => 1,
        };
        let number = self.residue.number(rank)?;
        self.labels[question].label(number, player.opponent())
    }
}
