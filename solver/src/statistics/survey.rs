//! A **survey**: one look at every position, and what is counted of each.

use koma_games::{Category, Convention, RankedUniverse, Universe, Value};
use koma_tables::Table;
use rayon::prelude::*;

use super::passes::Passes;
use super::tally::{Facts, Tally, ZugzwangFacts};
use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::progress::{Phase, Progress};
use crate::rank_set::RankSet;
use crate::retrograde::SolveError;
use crate::solution::Solution;

/// What is known of a universe when it is surveyed.
pub(super) struct Survey<'a, D> {
    pub(super) universe: &'a RankedUniverse,
    pub(super) table: &'a Table<D>,
    pub(super) convention: Convention,
    pub(super) passes: &'a Passes,
    pub(super) tsume: &'a Solution,
    /// The same universe without dead drops, if there are any, and its values.
    pub(super) restricted: Option<(&'a RankedUniverse, &'a Solution)>,
    /// The ranks that play leads to.
    pub(super) reached: Option<&'a RankSet>,
}

/// The tallies of all positions and of those that are reached.
#[derive(Clone, Default)]
pub(super) struct Tallies {
    pub(super) all: Tally,
    pub(super) reached: Tally,
}

impl Tallies {
    fn merged(self, other: &Tallies) -> Tallies {
        Tallies {
            all: self.all.merged(&other.all),
            reached: self.reached.merged(&other.reached),
        }
    }
}

impl<D: AsRef<[u8]> + Sync> Survey<'_, D> {
    /// Looks at every position, on the threads of the pool that this is called in.
    pub(super) fn tallies(&self, progress: &dyn Progress) -> Result<Tallies, SolveError> {
        progress.begin(Phase::Count, 0, self.universe.len());
        let mut tallies = (0..self.universe.segments())
            .into_par_iter()
            .fold(Tallies::default, |mut tallies, segment| {
                if !progress.interrupted() {
                    dispatch(SurveySegment {
                        survey: self,
                        segment,
                        tallies: &mut tallies,
                    });
                    progress.advance(u64::from(self.universe.segment(segment).len));
                }
                tallies
            })
            .reduce(Tallies::default, |one, other| one.merged(&other));
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        self.universe.for_each_self_image(|rank| {
            let segment = self.universe.segment_of(rank);
            let offset = (rank - self.universe.segment(segment).first) as u32;
            self.part(segment).add(offset, 1, &mut tallies);
        });
        Ok(Tallies {
            all: tallies.all.halved(),
            reached: tallies.reached.halved(),
        })
    }

    fn part(&self, segment: u32) -> Part<'_, D> {
        let first = self.universe.segment(segment).first;
        Part {
            survey: self,
            segment,
            first,
            off_board: self.universe.off_board(segment),
            may_try: self.universe.may_try(segment),
            drops: self
                .restricted
                .filter(|_| self.universe.holds_dead_drop(segment))
                .map(|(universe, _)| universe),
        }
    }

    fn value(&self, rank: u64) -> Value {
        let value = self.table.cell_unverified(rank).value();
        value.expect("a distance for every rank")
    }
}

/// Looks at the positions of one segment.
struct SurveySegment<'a, D> {
    survey: &'a Survey<'a, D>,
    segment: u32,
    tallies: &'a mut Tallies,
}

impl<D: AsRef<[u8]> + Sync> Work for SurveySegment<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Level) {
        let universe = self.survey.universe;
        let len = universe.segment(self.segment).len;
        if len == 0 {
            return;
        }
        let part = self.survey.part(self.segment);
        let halves = if universe.is_doubled(self.segment) {
            1
        } else {
            2
        };
        for offset in 0..len {
            part.add(offset, halves, self.tallies);
        }
    }
}

/// A segment, and what its positions have in common.
struct Part<'a, D> {
    survey: &'a Survey<'a, D>,
    segment: u32,
    first: u64,
    off_board: u32,
    /// Whether the mover's royal is a step from its far rank.
    may_try: bool,
    /// The universe without dead drops, if the mover has any.
    drops: Option<&'a RankedUniverse>,
}

impl<D: AsRef<[u8]> + Sync> Part<'_, D> {
    /// Counts one position for so many halves.
    #[inline(always)]
    fn add(&self, offset: u32, halves: u64, tallies: &mut Tallies) {
        let rank = self.first + u64::from(offset);
        let facts = self.facts(rank, offset);
        tallies.all.add(&facts, halves, |_| true);
        if let Some(reached) = self.survey.reached
            && reached.contains(rank)
        {
            let has = |rank| reached.contains(rank);
            tallies.reached.add(&facts, halves, has);
        }
    }

    #[inline(always)]
    fn facts(&self, rank: u64, offset: u32) -> Facts {
        let Survey {
            universe,
            convention,
            ..
        } = *self.survey;
        let value = self.survey.value(rank);
        let wins_at_once = value == Value::Win(1);
        let catches =
            wins_at_once && (!self.may_try || universe.can_take_royal(self.segment, offset));
        let ends = catches || wins_at_once && convention == Convention::Rules;
        let tsume = self.survey.tsume.value(rank);
        let restricted = self.survey.restricted;
        Facts {
            value,
            off_board: self.off_board,
            catches,
            moves: (!ends).then(|| universe.move_count(self.segment, offset)),
            tsume: match tsume {
                Some(Value::Win(plies)) if !wins_at_once => Some(plies),
                _ => None,
            },
            zugzwang: self
                .survey
                .passes
                .zugzwang()
                .contains(rank)
                .then(|| self.zugzwang(rank, offset)),
            needs_dead_drop: !wins_at_once
                && self
                    .drops
                    .is_some_and(|restricted| self.needs_dead_drop(restricted, offset, value)),
            changed: restricted.is_some_and(|(_, solution)| {
                solution.value(rank).map(Value::category) != Some(value.category())
            }),
        }
    }

    fn zugzwang(&self, rank: u64, offset: u32) -> ZugzwangFacts {
        let universe = self.survey.universe;
        let image = universe.passed(self.segment, offset);
        ZugzwangFacts {
            image,
            own_image: image == rank || image == universe.image(rank),
        }
    }

    /// Whether no other move keeps the value: none that is left where dead drops are forbidden
    /// leads to where the other side is worth as little.
    #[inline(always)]
    fn needs_dead_drop(&self, restricted: &RankedUniverse, offset: u32, value: Value) -> bool {
        let goal = match value.category() {
            Category::Win => Category::Loss,
            Category::Draw => Category::Draw,
            // Nothing is to be kept.
            Category::Loss => return false,
        };
        let mut kept = false;
        restricted.forward(self.segment, offset, |after| {
            kept |= self.survey.value(after).category() == goal;
        });
        !kept
    }
}
