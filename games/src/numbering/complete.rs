//! A **complete universe**: the ranks of a ranked universe, and behind them the positions that it
//! has no rank for because the rules decide them at once.
//!
//! Forward search meets both. The positions behind are numbered by the same formula, over the
//! *decided pairs*: royals that attack each other, and the other royal on its far rank where that
//! is a try. The mover's own royal on its far rank is in neither part: it tried, and either the
//! game is over or the other side, which could take it, is still to move.

use super::advance::Turned;
use super::pairs::Pairs;
use super::ranked::{Placement, RankedUniverse};
use crate::board::one;
use crate::explorable::{Convention, Explorable, Reached};
use crate::position::Position;
use crate::universe::{Segment, Universe};

/// Every position of a ranked universe's pieces that play can lead to.
///
/// ```
/// use koma_games::{CompleteUniverse, Convention, Explorable};
/// let universe = CompleteUniverse::new("dobutsu".parse().unwrap(), Convention::Tanaka);
/// assert_eq!(universe.len(), 641_424_258);
/// // A try: the lion on B1 can't be taken.
/// let position = universe.ranked().game().parse_position("1L1/3/l2/GE1 w GECC").unwrap();
/// let rank = universe.rank(&position).unwrap();
/// assert!(rank >= 249_442_767);
/// ```
#[derive(Clone, Debug)]
pub struct CompleteUniverse {
    ranked: RankedUniverse,
    pub(super) convention: Convention,
    pub(super) decided: Pairs,
    /// The first rank of each class with decided pairs.
    pub(super) decided_bases: Vec<u64>,
    pub(super) turned: Turned,
    len: u64,
}

impl CompleteUniverse {
    /// Completes a universe, to be searched in a convention.
    pub fn new(ranked: RankedUniverse, convention: Convention) -> CompleteUniverse {
        let steps = &ranked.steps;
        let decided = Pairs::new(ranked.game().board(), |[mover, other]| {
            one(mover) & steps.try_rank == 0
                && one(other) & (steps.other_try_rank | steps.attacks[0][usize::from(mover)]) != 0
        });
        let mut len = ranked.len();
        let decided_bases = ranked
            .classes
            .iter()
            .map(|class| {
                let base = len;
                len += decided.len() as u64 * u64::from(class.size);
                base
            })
            .collect();
        CompleteUniverse {
            turned: Turned::new(&ranked),
            ranked,
            convention,
            decided,
            decided_bases,
            len,
        }
    }

    /// The ranked universe, whose ranks come first.
    pub fn ranked(&self) -> &RankedUniverse {
        &self.ranked
    }

    /// The ranked universe alone.
    pub fn into_ranked(self) -> RankedUniverse {
        self.ranked
    }

    /// When the search goes no further.
    pub fn convention(&self) -> Convention {
        self.convention
    }

    /// The rank of a position; `None` if it has other material, or the mover's royal has tried.
    pub fn rank(&self, position: &Position) -> Option<u64> {
        self.ranked.rank(position).or_else(|| {
            let (class, pair, code) = self.ranked.locate(&self.decided, position)?;
            Some(self.decided_first(class, pair) + u64::from(code))
        })
    }

    /// The position of a rank, with sente to move.
    ///
    /// # Panics
    /// If the rank is not below the universe's length.
    pub fn unrank(&self, rank: u64) -> Position {
        self.ranked.position(&self.placement(rank))
    }

    fn placement(&self, rank: u64) -> Placement {
        if rank < self.ranked.len() {
            return self.ranked.placement(rank);
        }
        assert!(rank < self.len, "rank {rank} of {}", self.len);
        let class = self.decided_bases.partition_point(|&base| base <= rank) - 1;
        let size = u64::from(self.ranked.classes[class].size);
        let in_class = rank - self.decided_bases[class];
        let royals = self.decided[(in_class / size) as usize];
        self.ranked
            .placement_at(class, royals, (in_class % size) as u32)
    }

    /// The first rank of a class and decided pair.
    fn decided_first(&self, class: usize, pair: usize) -> u64 {
        let size = u64::from(self.ranked.classes[class].size);
        self.decided_bases[class] + pair as u64 * size
    }

    /// The class and decided pair of a segment; `None` if it is one of the ranked universe.
    pub(super) fn decided_class_and_pair(&self, segment: u32) -> Option<(usize, usize)> {
        let behind = segment.checked_sub(self.ranked.segments())? as usize;
        Some((behind / self.decided.len(), behind % self.decided.len()))
    }
}

impl Explorable for CompleteUniverse {
    fn len(&self) -> u64 {
        self.len
    }

    fn segments(&self) -> u32 {
        self.ranked.segments() + (self.ranked.classes.len() * self.decided.len()) as u32
    }

    fn segment(&self, index: u32) -> Segment {
        match self.decided_class_and_pair(index) {
            None => self.ranked.segment(index),
            Some((class, pair)) => Segment {
                first: self.decided_first(class, pair),
                len: self.ranked.classes[class].size,
            },
        }
    }

    #[inline(always)]
    fn advance(&self, segment: u32, offsets: &[u32], out: &mut Vec<u64>) -> Reached {
        match self.decided_class_and_pair(segment) {
            None => self.play_on(segment, offsets, |rank| out.push(rank)),
            Some((class, pair)) => self.count_decided(class, pair, offsets),
        }
    }

    fn is_doubled(&self, segment: u32) -> bool {
        match self.decided_class_and_pair(segment) {
            None => self.ranked.is_doubled(segment),
            Some((_, pair)) => self.decided.is_centred(pair),
        }
    }

    fn for_each_self_image(&self, mut emit: impl FnMut(u32, u32)) {
        for (first, pairs) in [
            (0, &self.ranked.pairs),
            (self.ranked.segments(), &self.decided),
        ] {
            self.ranked.self_images(pairs, |class, pair, code| {
                emit(first + (class * pairs.len() + pair) as u32, code);
            });
        }
    }

    fn mirrored(&self, rank: u64) -> u64 {
        let mirrored = self.ranked.game().mirrored(&self.unrank(rank));
        self.rank(&mirrored)
            .expect("the mirror image of a position has a rank too")
    }
}
