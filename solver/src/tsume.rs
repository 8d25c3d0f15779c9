//! **Tsume**: wins by threats alone.
//!
//! The attacker threatens with every move to win at once with the next, by taking the royal or by a
//! try, until the defender has no answer. The rules say when such a win is complete, so the last
//! move, which wins, need not threaten anything.
//!
//! A tsume is a win in a universe that offers one choice more: a mover who is under no threat may
//! stay there. Then only threats lose, and the retrograde analysis of that universe finds every
//! forced win by threats with its length, against the longest defence.

use std::ops::Range;

use koma_games::{Instructions, Segment, Start, Starts, Terminal, Universe, Value};

use crate::bulk::starts;
use crate::rank_set::RankSet;
use crate::retrograde::memory_needed;

/// The bytes of memory that solving the tsume of so many ranks takes: two bits a rank for what a pass
/// would bring, and solving then.
pub fn tsume_memory_needed(ranks: u64) -> u64 {
    2 * RankSet::bytes(ranks) + memory_needed(ranks)
}

/// A universe in which a mover who is under no threat can't lose.
///
/// Its wins are tsume; its losses are the positions between two moves of the attacker.
#[derive(Debug)]
pub struct TsumeUniverse<'a, U> {
    whole: &'a U,
    threatened: &'a RankSet,
}

impl<'a, U: Universe> TsumeUniverse<'a, U> {
    /// The tsume of a universe. `threatened` holds those of its lost ranks whose mover would lose at
    /// once after a pass; of other ranks it does not matter, since they are not lost anyhow.
    pub fn new(whole: &'a U, threatened: &'a RankSet) -> TsumeUniverse<'a, U> {
        TsumeUniverse { whole, threatened }
    }

    /// The start of an unthreatened rank: one more move, to stay, that no one counts down.
    fn unthreatened(&self, rank: u64, start: Start) -> Start {
        match start {
            Start::Open(moves) => Start::Open(moves + 1),
            // Not by a rule, but for want of a successor.
            Start::Decided(Value::Loss(_)) if self.whole.terminal(rank).is_none() => Start::Open(1),
            other => other,
        }
    }
}

impl<U: Universe> Universe for TsumeUniverse<'_, U> {
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
        self.whole.terminal(rank)
    }

    fn successors(&self, rank: u64, mut emit: impl FnMut(u64)) {
        if !self.threatened.contains(rank) {
            emit(rank);
        }
        self.whole.successors(rank, emit);
    }

    fn predecessors(&self, rank: u64, mut emit: impl FnMut(u64)) {
        if !self.threatened.contains(rank) {
            emit(rank);
        }
        self.whole.predecessors(rank, emit);
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
                let (run, threatened) = self.threatened.run(rank, count);
                if threatened {
                    emit(Starts::Run(run, start));
                } else {
                    emit(Starts::Run(run, self.unthreatened(rank, start)));
                }
                rank += u64::from(run);
                count -= run;
            }
        };
        starts(self.whole, segment, &mut |starts| {
            starts.for_each_run::<U>(&mut part);
        });
    }

    #[inline(always)]
    fn forward(&self, segment: u32, offset: u32, mut emit: impl FnMut(u64)) -> Option<Terminal> {
        let decided = self.whole.forward(segment, offset, &mut emit);
        let rank = self.whole.segment(segment).first + u64::from(offset);
        if decided.is_none() && !self.threatened.contains(rank) {
            emit(rank);
        }
        decided
    }

    fn is_doubled(&self, segment: u32) -> bool {
        self.whole.is_doubled(segment)
    }

    fn image(&self, rank: u64) -> u64 {
        self.whole.image(rank)
    }

    fn for_each_self_image(&self, emit: impl FnMut(u64)) {
        self.whole.for_each_self_image(emit);
    }
}
