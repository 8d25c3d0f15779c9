//! A **complete universe**: the ranks of a ranked universe, and behind them the positions that it
//! has no rank for because the rules decide them at once.
//!
//! Forward search meets both. The positions behind are numbered by the same formula, over the
//! *decided pairs*: royals that attack each other, and the other royal on its far rank where that
//! is a try. The mover's own royal on its far rank is in neither part: it tried, and either the
//! game is over or the other side, which could take it, is still to move.

use std::sync::OnceLock;

use super::advance::LANES;
use super::advance::OtherMoves;
use super::forward_plan::ForwardPlan;
use super::pairs::Pairs;
use super::ranked::{Placement, RankedUniverse};
use crate::board::one;
use crate::explorable::{Convention, Explorable, Reached};
use crate::game::{End, EndReason};
use crate::instructions::Instructions;
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
    convention: Convention,
    pub(super) decided: Pairs,
    /// The first rank of each class with decided pairs.
    decided_bases: Vec<u64>,
    pub(super) other_moves: OtherMoves,
    /// One for each class with a plan, made when it is first needed.
    forward_plans: Vec<OnceLock<ForwardPlan>>,
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
            other_moves: OtherMoves::new(&ranked),
            forward_plans: vec![OnceLock::new(); ranked.classes.len()],
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
            Some(self.first(true, class, pair) + u64::from(code))
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

    /// The first rank of a class and pair, a decided or a ranked one.
    #[inline(always)]
    pub(super) fn first(&self, decided: bool, class: usize, pair: usize) -> u64 {
        let base = if decided {
            self.decided_bases[class]
        } else {
            self.ranked.classes[class].base
        };
        base + pair as u64 * u64::from(self.ranked.classes[class].size)
    }

    /// What a segment is of: whether of a decided pair, the class, and the pair.
    fn part(&self, segment: u32) -> (bool, usize, usize) {
        match segment.checked_sub(self.ranked.segments()) {
            None => {
                let (class, pair) = self.ranked.class_and_pair(segment);
                (false, class, pair)
            }
            Some(segment) => {
                let (segment, pairs) = (segment as usize, self.decided.len());
                (true, segment / pairs, segment % pairs)
            }
        }
    }

    /// An [`advance`](Explorable::advance) of a class without plan, position by position. The check
    /// of the faster.
    fn advance_plainly(&self, segment: u32, offsets: &[u32], out: &mut Vec<u64>) -> Reached {
        let game = self.ranked.game();
        let doubled = self.is_doubled(segment);
        let mut reached = Reached::default();
        for &offset in offsets {
            let position = self.unrank(self.segment(segment).first + u64::from(offset));
            let other = position.side().opponent();
            let tried = |by| move |end: End| end.reason == EndReason::Try && end.winner == by;
            let mut moves = Vec::new();
            game.for_each_move(&position, |mv| moves.push(game.play(&position, mv)));
            let can_try = || {
                let mut ends = moves.iter().filter_map(|after| game.end(after));
                ends.any(tried(position.side()))
            };
            if game.can_take_royal(&position) {
                reached.catches += 1;
            } else if game.end(&position).is_some_and(tried(other)) {
                reached.tried += 1;
            } else if self.convention == Convention::Rules && can_try() {
                reached.tries += 1;
            } else {
                reached.open += 1;
                reached.moves += moves.len() as u64;
                for after in moves {
                    let rank = self.rank(&after).expect("play stays among the ranks");
                    out.push(rank);
                    // Where only the successor has a second rank, its mirror image is reached too.
                    let mirrored = self.mirrored(rank);
                    if !doubled && mirrored != rank {
                        out.push(mirrored);
                    }
                }
            }
        }
        reached
    }
}

impl Explorable for CompleteUniverse {
    fn len(&self) -> u64 {
        self.len
    }

    fn solved_len(&self) -> u64 {
        self.ranked.len()
    }

    fn segments(&self) -> u32 {
        self.ranked.segments() + (self.ranked.classes.len() * self.decided.len()) as u32
    }

    fn segment(&self, index: u32) -> Segment {
        let (decided, class, pair) = self.part(index);
        Segment {
            first: self.first(decided, class, pair),
            len: self.ranked.classes[class].size,
        }
    }

    #[inline(always)]
    fn advance(
        &self,
        instructions: impl Instructions,
        segment: u32,
        offsets: &[u32],
        out: &mut Vec<u64>,
    ) -> Reached {
        let (decided, class, pair) = self.part(segment);
        let Some(plan) = self.ranked.plan(class) else {
            return self.advance_plainly(segment, offsets, out);
        };
        let forward = self.forward_plans[class]
            .get_or_init(|| ForwardPlan::new(&self.ranked, &self.ranked.classes[class]));
        let mut reached = Reached::default();
        for codes in offsets.chunks(LANES) {
            reached += if decided {
                self.count_batch(instructions, plan, forward, pair, codes)
            } else {
                self.advance_batch(instructions, plan, forward, pair, codes, out)
            };
        }
        reached
    }

    fn is_doubled(&self, segment: u32) -> bool {
        let (decided, _, pair) = self.part(segment);
        if decided {
            self.decided.is_centred(pair)
        } else {
            self.ranked.pairs.is_centred(pair)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::Portable;

    /// Every position of some small universes, alone and with the rest of its segment.
    #[test]
    fn an_advance_is_every_move() {
        for name in [
            "dobutsu@3x3:ecc",
            "dobutsu@3x3:egc",
            "dobutsu@3x4:gc",
            "dobutsu@4x3:cc",
            "dobutsu@5x3:e",
            "dobutsu@3x3:no-try:gcc",
            "dobutsu@3x3:no-drops:gcc",
            "dobutsu@3x3:no-last-rank-chick-drop:cc",
        ] {
            for convention in [Convention::Rules, Convention::Tanaka] {
                let universe = CompleteUniverse::new(name.parse().unwrap(), convention);
                for segment in 0..universe.segments() {
                    let all: Vec<u32> = (0..universe.segment(segment).len).collect();
                    let few = all.get(..1).unwrap_or_default();
                    for offsets in [&all[..], few] {
                        let mut found = Vec::new();
                        let mut expected = Vec::new();
                        let counts = universe.advance(Portable, segment, offsets, &mut found);
                        let plain = universe.advance_plainly(segment, offsets, &mut expected);
                        assert_eq!(counts, plain, "{name}: segment {segment}");
                        for ranks in [&mut found, &mut expected] {
                            ranks.sort_unstable();
                            ranks.dedup();
                        }
                        assert_eq!(found, expected, "{name}: segment {segment}");
                    }
                }
            }
        }
    }
}
