//! **Passes**: what would become of lost positions if the mover could pass.

use koma_games::{Category, RankedUniverse, Segment, Universe};
use koma_tables::Table;
use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::progress::{Phase, Progress};
use crate::rank_set::RankSet;
use crate::retrograde::{Settings, SolveError, thread_pool};
use crate::solved::{Passed, Solved};
use crate::tsume::tsume_memory_needed;

/// The lost ranks of a universe by what a pass would bring: the same board and hands with the other
/// side to move.
#[derive(Debug)]
pub struct Passes {
    threatened: RankSet,
    zugzwang: RankSet,
}

impl Passes {
    /// Looks at every lost rank of a distance table.
    ///
    /// # Errors
    /// [`SolveError`] before any work if threads can't be had, or the memory for this and for the
    /// [`tsume`](crate::tsume) then, or when `progress` interrupts.
    pub fn find<D: AsRef<[u8]> + Sync>(
        universe: &RankedUniverse,
        table: &Table<D>,
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<Passes, SolveError> {
        settings.check_memory(universe.len(), tsume_memory_needed(universe.len()))?;
        let passes = Passes {
            threatened: RankSet::new(universe.len()),
            zugzwang: RankSet::new(universe.len()),
        };
        progress.begin(Phase::Count, 0, universe.len());
        thread_pool(settings.threads)?.install(|| {
            (0..universe.segments())
                .into_par_iter()
                .for_each(|segment| {
                    if progress.interrupted() {
                        return;
                    }
                    dispatch(PassSegment {
                        universe,
                        table,
                        segment,
                        passes: &passes,
                    });
                    progress.advance(u64::from(universe.segment(segment).len));
                });
        });
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        Ok(passes)
    }

    /// The bytes of both sets.
    pub(crate) fn byte_count(&self) -> u64 {
        self.threatened.byte_count() + self.zugzwang.byte_count()
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

/// Looks at the lost ranks of one segment.
struct PassSegment<'a, D> {
    universe: &'a RankedUniverse,
    table: &'a Table<D>,
    segment: u32,
    passes: &'a Passes,
}

impl<D: AsRef<[u8]>> Work for PassSegment<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Level) {
        let solved = Solved::new(self.universe, self.table);
        let Segment { first, len } = self.universe.segment(self.segment);
        for offset in 0..len {
            let rank = first + u64::from(offset);
            if self.table.cell_unverified(rank).category() != Some(Category::Loss) {
                continue;
            }
            match solved.lost_passed(self.segment, offset) {
                Passed::WonAtOnce => self.passes.threatened.insert(rank),
                Passed::Lost => self.passes.zugzwang.insert(rank),
                Passed::Neither => continue,
            };
        }
    }
}
