//! **Passes**: what would become of lost positions if the mover could pass.

use koma_games::{Category, RankedUniverse, Segment, Universe, Value};
use koma_tables::Table;
use rayon::prelude::*;

use crate::progress::{Phase, Progress};
use crate::rank_set::RankSet;
use crate::retrograde::{SolveError, thread_pool};

/// The lost ranks of a universe by what a pass would bring: the same board and hands with the other
/// side to move.
#[derive(Debug)]
pub struct Passes {
    threatened: RankSet,
    zugzwang: RankSet,
}

impl Passes {
    /// Looks at every lost rank of a table.
    ///
    /// # Errors
    /// [`SolveError`] if threads can't be had, or when `progress` interrupts.
    pub fn find<D: AsRef<[u8]> + Sync>(
        universe: &RankedUniverse,
        table: &Table<D>,
        threads: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<Passes, SolveError> {
        let passes = Passes {
            threatened: RankSet::new(universe.len()),
            zugzwang: RankSet::new(universe.len()),
        };
        progress.begin(Phase::Count, 0, universe.len());
        thread_pool(threads)?.install(|| {
            (0..universe.segments())
                .into_par_iter()
                .for_each(|segment| {
                    if progress.interrupted() {
                        return;
                    }
                    let Segment { first, len } = universe.segment(segment);
                    for rank in first..first + u64::from(len) {
                        passes.look_at(universe, table, rank);
                    }
                    progress.advance(u64::from(len));
                });
        });
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        Ok(passes)
    }

    fn look_at<D: AsRef<[u8]>>(&self, universe: &RankedUniverse, table: &Table<D>, rank: u64) {
        let category = |rank| table.cell_unverified(rank).category();
        if category(rank) != Some(Category::Loss) {
            return;
        }
        let passed = universe.passed(rank);
        if table.cell_unverified(passed).value() == Some(Value::Win(1)) {
            self.threatened.insert(rank);
        } else if category(passed) == Some(Category::Loss) {
            self.zugzwang.insert(rank);
        }
    }

    /// Lost ranks whose mover would lose at once after a pass: the other side threatens to take the
    /// royal or to try.
    pub fn threatened(&self) -> &RankSet {
        &self.threatened
    }

    /// Lost ranks that would be lost for the other side if it were to move: mutual zugzwang.
    pub fn zugzwang(&self) -> &RankSet {
        &self.zugzwang
    }
}
