//! An **enumerated universe**: the positions of a universe that play leads to from given roots.
//!
//! It keeps the ranks of the whole universe, and those of positions that are not reached are holes.
//! No move of a reached position that matters leaves the reached ones, so everything but the holes
//! is as in the whole.

use std::ops::Range;

use koma_games::{Instructions, Segment, Start, Starts, Terminal, Universe, Value};

use crate::bulk::starts;
use crate::rank_set::RankSet;

/// The positions of a universe that play leads to.
#[derive(Debug)]
pub struct EnumeratedUniverse<'a, U> {
    whole: &'a U,
    reached: &'a RankSet,
}

impl<'a, U: Universe> EnumeratedUniverse<'a, U> {
    pub(crate) fn new(whole: &'a U, reached: &'a RankSet) -> EnumeratedUniverse<'a, U> {
        EnumeratedUniverse { whole, reached }
    }
}

impl<U: Universe> Universe for EnumeratedUniverse<'_, U> {
    type Whole = U::Whole;

    const EXCLUSIVE_UNITS: bool = U::EXCLUSIVE_UNITS;
    const WITHOUT_SUCCESSORS: Value = U::WITHOUT_SUCCESSORS;

    fn expands_wins_in_one(&self) -> bool {
        self.whole.expands_wins_in_one()
    }

    fn whole(&self) -> &U::Whole {
        self.whole.whole()
    }

    fn len(&self) -> u64 {
        self.whole.len()
    }

    fn terminal(&self, rank: u64) -> Option<Terminal> {
        if self.reached.contains(rank) {
            self.whole.terminal(rank)
        } else {
            Some(Terminal::Hole)
        }
    }

    fn successors(&self, rank: u64, emit: impl FnMut(u64)) {
        self.whole.successors(rank, emit);
    }

    fn predecessors(&self, rank: u64, mut emit: impl FnMut(u64)) {
        self.whole.predecessors(rank, |before| {
            if self.reached.contains(before) {
                emit(before);
            }
        });
    }

    fn mover_in_check(&self, rank: u64) -> bool {
        self.whole.mover_in_check(rank)
    }

    fn segments(&self) -> u32 {
        self.whole.segments()
    }

    fn segment(&self, index: u32) -> Segment {
        self.whole.segment(index)
    }

    fn units(&self) -> Vec<Vec<Range<u32>>> {
        self.whole.units()
    }

    fn rounds(&self) -> Vec<Vec<Vec<Range<u32>>>> {
        self.whole.rounds()
    }

    fn starts(&self, _: impl Instructions, segment: u32, mut emit: impl FnMut(Starts<'_>)) {
        let mut rank = self.whole.segment(segment).first;
        let mut part = |mut count, start| {
            while count > 0 {
                let (run, reached) = self.reached.run(rank, count);
                let start = if reached { start } else { Start::Hole };
                emit(Starts::Run(run, start));
                rank += u64::from(run);
                count -= run;
            }
        };
        starts(self.whole, segment, &mut |starts| {
            starts.for_each_run::<U>(&mut part);
        });
    }

    #[inline(always)]
    fn forward(&self, segment: u32, offset: u32, emit: impl FnMut(u64)) -> Option<Terminal> {
        let rank = self.whole.segment(segment).first + u64::from(offset);
        if self.reached.contains(rank) {
            self.whole.forward(segment, offset, emit)
        } else {
            Some(Terminal::Hole)
        }
    }

    fn is_doubled(&self, segment: u32) -> bool {
        self.whole.is_doubled(segment)
    }

    fn image(&self, rank: u64) -> u64 {
        self.whole.image(rank)
    }

    fn for_each_self_image(&self, mut emit: impl FnMut(u64)) {
        self.whole.for_each_self_image(|rank| {
            if self.reached.contains(rank) {
                emit(rank);
            }
        });
    }
}
