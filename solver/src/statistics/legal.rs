//! **Legal statistics** of a solved universe: what its positions are like where check must be met.

use koma_games::{Category, RankedUniverse, Universe};
use koma_tables::{Counts, Table};
use rayon::prelude::*;

use super::figures::{self, Branching, Zugzwang};
use super::tally::{Of, Tally};
use super::{StatisticsError, check_table};
use crate::backward::movers_in_check;
use crate::bulk::starts;
use crate::progress::{Phase, Progress};
use crate::retrograde::{Settings, SolveError, thread_pool};

/// Figures of all positions of a universe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalStatistics {
    /// A position and its mirror image counted once.
    pub folded: LegalFigures,
    /// A position and its mirror image counted apart, unless they are the same.
    pub unfolded: LegalFigures,
}

/// Figures of a set of legal positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalFigures {
    /// Positions by value and distance; what neither side can force counts as drawn, whatever the law.
    pub counts: Counts,
    /// Positions in which the mover is in check.
    pub checks: u64,
    /// Positions in which the mover is in check and has no move.
    pub checkmates: u64,
    /// Positions in which the mover has no move and is not in check.
    pub stalemates: u64,
    /// Pawn drops that are no moves only because they mate.
    pub pawn_drop_mates: u64,
    /// Positions by the number of pieces in hand.
    pub in_hand: Vec<u64>,
    /// The moves of the positions that have any, lost, undecided and won: in the order of
    /// [`Category`].
    pub branching: [Branching; 3],
    /// Mutual zugzwang, by force: whatever the law.
    pub zugzwang: Zugzwang,
}

impl LegalStatistics {
    /// Looks at every position. The table's checksums should have been verified before.
    ///
    /// # Errors
    /// [`StatisticsError`] if the table is not a distance table of the universe, if threads can't be had,
    /// or when `progress` interrupts.
    pub fn of<D: AsRef<[u8]> + Sync>(
        universe: &RankedUniverse,
        table: &Table<D>,
        settings: &Settings,
        progress: &dyn Progress,
    ) -> Result<LegalStatistics, StatisticsError> {
        check_table(universe, table)?;
        let survey = LegalSurvey { universe, table };
        let unfolded = thread_pool(settings.threads)?.install(|| survey.tally(progress))?;
        // Ranks that stand for a position and its mirror image were counted twice, so all that is
        // missing to two halves of each position are those that are their own mirror images.
        let mut halves = unfolded.clone();
        let mut own_images = Vec::new();
        universe.for_each_self_image(|rank| own_images.push(rank));
        own_images.sort_unstable();
        let mut rest = &own_images[..];
        while let Some(&rank) = rest.first() {
            let segment = universe.segment_of(rank);
            let (first, len) = survey.ranks(segment);
            let here;
            (here, rest) = rest.split_at(rest.partition_point(|&rank| rank < first + len));
            survey.add(segment, Some(here), 1, &mut halves);
        }
        Ok(LegalStatistics {
            folded: LegalFigures::of(&halves.halved()),
            unfolded: LegalFigures::of(&unfolded),
        })
    }
}

impl LegalFigures {
    /// The moves of all positions that have any.
    pub fn all_branching(&self) -> Branching {
        Branching::all(&self.branching)
    }

    fn of(tally: &Tally) -> LegalFigures {
        let number = |what| tally.of(what).get(0);
        LegalFigures {
            counts: figures::counts(tally),
            checks: number(Of::Checks),
            checkmates: number(Of::Checkmates),
            stalemates: number(Of::Stalemates),
            pawn_drop_mates: number(Of::PawnDropMates),
            in_hand: figures::off_board(tally),
            branching: figures::branching(tally),
            zugzwang: figures::zugzwang(tally),
        }
    }
}

/// A universe and its table, to be looked through.
struct LegalSurvey<'a, D> {
    universe: &'a RankedUniverse,
    table: &'a Table<D>,
}

impl<D: AsRef<[u8]> + Sync> LegalSurvey<'_, D> {
    /// Looks at every position, on the threads of the pool that this is called in. Each is counted as
    /// often as it and its mirror image are two.
    fn tally(&self, progress: &dyn Progress) -> Result<Tally, SolveError> {
        let universe = self.universe;
        progress.begin(Phase::Count, 0, universe.len());
        let tally = (0..universe.segments())
            .into_par_iter()
            .fold(Tally::default, |mut tally, segment| {
                if !progress.interrupted() {
                    let weight = if universe.is_doubled(segment) { 1 } else { 2 };
                    self.add(segment, None, weight, &mut tally);
                    progress.advance(u64::from(universe.segment(segment).len));
                }
                tally
            })
            .reduce(Tally::default, |one, other| one.merged(&other));
        match progress.interrupted() {
            true => Err(SolveError::Interrupted),
            false => Ok(tally),
        }
    }

    /// The first rank of a segment, and how many there are.
    fn ranks(&self, segment: u32) -> (u64, u64) {
        let segment = self.universe.segment(segment);
        (segment.first, u64::from(segment.len))
    }

    /// Counts the positions of a segment, or only those of some ranks of it, which ascend.
    fn add(&self, segment: u32, only: Option<&[u64]>, weight: u64, tally: &mut Tally) {
        let universe = self.universe;
        let (first, len) = self.ranks(segment);
        let mut moves = Vec::with_capacity(len as usize);
        starts(universe, segment, &mut |starts| {
            starts.for_each_run::<RankedUniverse>(|count, start| {
                moves.extend(std::iter::repeat_n(start.moves(), count as usize));
            });
        });
        let legal = |&rank: &u64| moves[(rank - first) as usize].is_some();
        let ranks: Vec<u64> = match only {
            None => (first..first + len).filter(legal).collect(),
            Some(only) => only.iter().copied().filter(legal).collect(),
        };
        let may_mate = universe.holds_harmless_pawn(segment);
        let in_hand = universe.off_board(segment);
        tally.count(Of::OffBoard, in_hand, weight * ranks.len() as u64);
        for (&rank, in_check) in ranks.iter().zip(movers_in_check(universe, &ranks)) {
            let offset = (rank - first) as u32;
            // A sound table knows a value of every legal position.
            let Some(value) = self.table.cell_unverified(rank).value() else {
                continue;
            };
            tally.count_value(value, weight);
            if in_check {
                tally.count(Of::Checks, 0, weight);
            }
            match moves[offset as usize].unwrap_or(0) {
                0 if in_check => tally.count(Of::Checkmates, 0, weight),
                0 => tally.count(Of::Stalemates, 0, weight),
                moves => tally.count(Of::moves(value.category()), moves, weight),
            }
            if may_mate {
                let mates = u64::from(universe.pawn_drop_mates(segment, offset));
                tally.count(Of::PawnDropMates, 0, weight * mates);
            }
            if !in_check && value.category() == Category::Loss {
                self.add_zugzwang(rank, universe.passed(segment, offset), weight, tally);
            }
        }
    }

    /// Counts a lost rank if the one after a pass is lost too.
    fn add_zugzwang(&self, rank: u64, passed: u64, weight: u64, tally: &mut Tally) {
        if self.table.cell_unverified(passed).category() != Some(Category::Loss) {
            return;
        }
        let own_image = passed == rank || passed == self.universe.image(rank);
        // That after the pass is among all positions.
        for (place, counts) in (0..).zip([true, own_image, true]) {
            tally.count(Of::Zugzwang, place, weight * u64::from(counts));
        }
    }
}
