//! A **universe**: a numbered set of positions, as the solver sees it.
//!
//! The solver knows ranks only. What it needs of a game is here: what the rules decide at once,
//! and which ranks a move leads to and from. A universe may also offer a *kernel*: segments of
//! ranks, their starts and their expansion by faster means than one call a rank. The defaults
//! build the kernel from the plain calls, and [`Plain`] forces them, as the check of the faster.

use std::iter;
use std::ops::Range;

use crate::instructions::Instructions;
use crate::numbering::{CHUNK, LANES};
use crate::value::Value;

/// What the rules say of a rank before any analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terminal {
    /// The rank holds no legal position.
    Hole,
    /// The rules alone give the value.
    Decided(Value),
}

/// What retrograde analysis starts from at a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// The rank holds no legal position.
    Hole,
    /// Decided before any analysis.
    Decided(Value),
    /// Undecided, with this many moves (at least one) to count down.
    Open(u32),
}

impl Start {
    /// How many moves there are to count down, none where the start decides; `None` of a hole.
    pub fn moves(self) -> Option<u32> {
        match self {
            Start::Hole => None,
            Start::Decided(_) => Some(0),
            Start::Open(moves) => Some(moves),
        }
    }
}

/// Takes ranks as they are found.
pub trait Targets {
    /// Takes one.
    fn push(&mut self, rank: u64);

    /// Takes the first `count` of these, given as offsets from `base`.
    fn push_chunk(&mut self, base: u64, offsets: &[u32; CHUNK], count: usize);

    /// Called when the targets of some sources are all there, a few hundred at a time.
    #[inline(always)]
    fn pause(&mut self) {}
}

impl Targets for Vec<u64> {
    #[inline(always)]
    fn push(&mut self, rank: u64) {
        self.push(rank);
    }

    #[inline(always)]
    fn push_chunk(&mut self, base: u64, offsets: &[u32; CHUNK], count: usize) {
        let offsets = offsets.iter().take(count);
        self.extend(offsets.map(|&offset| base + u64::from(offset)));
    }
}

/// The starts of some ranks in their order.
#[derive(Clone, Copy, Debug)]
pub enum Starts<'a> {
    /// So many equal ones.
    Run(u32, Start),
    /// One byte each: the moves to count down, 0 for none and so the value of
    /// [`WITHOUT_SUCCESSORS`](Universe::WITHOUT_SUCCESSORS), or [`WON`](Starts::WON).
    Each(&'a [u8]),
    /// One byte each: the moves to count down, 0 for none and so this value, or
    /// [`HOLE`](Starts::HOLE).
    Legal(&'a [u8], Value),
}

impl Starts<'_> {
    /// Decided as a win in one ply.
    pub const WON: u8 = u8::MAX;

    /// No legal position.
    pub const HOLE: u8 = u8::MAX;

    /// Calls back with runs of equal starts, as their number and what they are.
    #[inline(always)]
    pub fn for_each_run<U: Universe>(self, mut emit: impl FnMut(u32, Start)) {
        match self {
            Starts::Run(count, start) => emit(count, start),
            Starts::Each(starts) => {
                for &start in starts {
                    let start = match start {
                        0 => Start::Decided(U::WITHOUT_SUCCESSORS),
                        Starts::WON => Start::Decided(Value::Win(1)),
                        moves => Start::Open(u32::from(moves)),
                    };
                    emit(1, start);
                }
            }
            Starts::Legal(starts, stuck) => {
                for &start in starts {
                    let start = match start {
                        0 => Start::Decided(stuck),
                        Starts::HOLE => Start::Hole,
                        moves => Start::Open(u32::from(moves)),
                    };
                    emit(1, start);
                }
            }
        }
    }
}

/// A range of ranks that a kernel treats together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The first rank.
    pub first: u64,
    /// The number of ranks.
    pub len: u32,
}

/// A numbered, closed set of positions: no move leaves it, except into positions that the rules
/// decide and that no mover chooses for longer play.
pub trait Universe: Sync {
    /// The universe that [`expand`](Universe::expand) is asked of: itself, or the one whose part it is.
    type Whole: Universe;

    /// Whether units (see [`units`](Universe::units)) have disjoint targets.
    const EXCLUSIVE_UNITS: bool = false;

    /// What a rank is worth that is not terminal and has no successor: every move, if there is
    /// one, leaves the universe for a position in which the other side wins at once.
    const WITHOUT_SUCCESSORS: Value;

    /// Whether wins in one ply take part in the count of moves and are expanded. A kernel that
    /// leaves moves into them out of its counts says `false`; then they are not expanded.
    fn expands_wins_in_one(&self) -> bool {
        true
    }

    /// The universe whose ranks and segments these are: itself, or one of which some ranks are holes
    /// here, or have other ends. It knows all predecessors of a rank, and holes of this one besides.
    fn whole(&self) -> &Self::Whole;

    /// The number of ranks.
    fn len(&self) -> u64;

    /// Whether there are no ranks.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the rules decide of a rank before any move is looked at.
    fn terminal(&self, rank: u64) -> Option<Terminal>;

    /// Calls back with the rank after each move; a rank that several moves lead to comes several
    /// times. Moves that end the game, or lead out of the universe, are left out. Not to be called
    /// for holes.
    fn successors(&self, rank: u64, emit: impl FnMut(u64));

    /// The converse: calls back with `p` as often as [`successors`](Universe::successors) of `p`
    /// gives `rank`.
    fn predecessors(&self, rank: u64, emit: impl FnMut(u64));

    /// Whether the mover is in check, so whether the move into this rank gave check. Not to be
    /// asked of holes.
    fn mover_in_check(&self, rank: u64) -> bool;

    /// The same of some ranks of a segment, given as offsets from its first in ascending order: calls back
    /// with one answer for each.
    fn movers_in_check(
        &self,
        _instructions: impl Instructions,
        segment: u32,
        offsets: &[u32],
        mut emit: impl FnMut(bool),
    ) {
        let first = self.segment(segment).first;
        for &offset in offsets {
            emit(self.mover_in_check(first + u64::from(offset)));
        }
    }

    /// The number of segments. Together, in order, they hold every rank once.
    fn segments(&self) -> u32 {
        u32::try_from(self.len().div_ceil(PLAIN_SEGMENT)).expect("a universe of at most 2^48 ranks")
    }

    /// One segment.
    fn segment(&self, index: u32) -> Segment {
        let first = u64::from(index) * PLAIN_SEGMENT;
        Segment {
            first,
            len: (self.len() - first).min(PLAIN_SEGMENT) as u32,
        }
    }

    /// The segment that a rank is in.
    fn segment_of(&self, rank: u64) -> u32 {
        let (mut low, mut high) = (0, self.segments());
        // The last segment that does not begin behind the rank: empty ones before it begin with it.
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if self.segment(middle).first <= rank {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Stretches grouped into units, each to be worked on by one thread at a time. A stretch is some
    /// segments that follow each other and are expanded together, of less than 2^32 ranks. If
    /// [`EXCLUSIVE_UNITS`](Universe::EXCLUSIVE_UNITS) holds, the ranks that
    /// [`expand`](Universe::expand) emits for stretches of different units differ.
    fn units(&self) -> Vec<Vec<Range<u32>>> {
        (0..self.segments())
            .map(|segment| iter::once(segment..segment + 1).collect())
            .collect()
    }

    /// More units than [`units`](Universe::units), in rounds: if
    /// [`EXCLUSIVE_UNITS`](Universe::EXCLUSIVE_UNITS) holds, only units of one round have disjoint
    /// targets.
    fn rounds(&self) -> Vec<Vec<Vec<Range<u32>>>> {
        vec![self.units()]
    }

    /// The ranks of a stretch.
    fn ranks(&self, stretch: &Range<u32>) -> Range<u64> {
        let first = self.segment(stretch.start).first;
        let last = self.segment(stretch.end - 1);
        first..last.first + u64::from(last.len)
    }

    /// Calls back with the starts of a segment, in the order of its ranks.
    fn starts(
        &self,
        _instructions: impl Instructions,
        segment: u32,
        mut emit: impl FnMut(Starts<'_>),
    ) {
        let Segment { first, len } = self.segment(segment);
        for rank in first..first + u64::from(len) {
            let start = match self.terminal(rank) {
                Some(Terminal::Hole) => Start::Hole,
                Some(Terminal::Decided(value)) => Start::Decided(value),
                None => {
                    let mut moves = 0;
                    self.successors(rank, |_| moves += 1);
                    match moves {
                        0 => Start::Decided(Self::WITHOUT_SUCCESSORS),
                        _ => Start::Open(moves),
                    }
                }
            };
            emit(Starts::Run(1, start));
        }
    }

    /// Appends the predecessors of some ranks of a stretch, given as offsets from its first in
    /// ascending order. Not to be called for holes.
    /// Predecessors that are wins in one may be left out. `out` is told when those of some more ranks
    /// are all there (see [`Targets::pause`]).
    fn expand(
        &self,
        _instructions: impl Instructions,
        stretch: &Range<u32>,
        offsets: &[u32],
        out: &mut impl Targets,
    ) {
        let first = self.segment(stretch.start).first;
        for offsets in offsets.chunks(LANES) {
            for &offset in offsets {
                self.predecessors(first + u64::from(offset), |rank| out.push(rank));
            }
            out.pause();
        }
    }

    /// What the rules decide of a rank of a segment; if nothing, calls back with its successors. The
    /// same as [`terminal`](Universe::terminal) and [`successors`](Universe::successors), which a
    /// universe may know faster together.
    fn forward(&self, segment: u32, offset: u32, emit: impl FnMut(u64)) -> Option<Terminal> {
        let rank = self.segment(segment).first + u64::from(offset);
        let decided = self.terminal(rank);
        if decided.is_none() {
            self.successors(rank, emit);
        }
        decided
    }

    /// Whether each position of this segment that is not its own mirror image has a second rank
    /// in the segment. Counts of distinct positions need it.
    fn is_doubled(&self, _segment: u32) -> bool {
        false
    }

    /// The rank of the position's mirror image; the rank itself outside doubled segments.
    fn image(&self, rank: u64) -> u64 {
        rank
    }

    /// Calls back with the ranks in doubled segments whose position is its own mirror image.
    fn for_each_self_image(&self, _emit: impl FnMut(u64)) {}
}

/// Ranks in a segment of a universe that has no kernel of its own.
const PLAIN_SEGMENT: u64 = 1 << 16;

/// A universe without its kernel: every rank by the plain calls, to check the kernel against.
#[derive(Debug)]
pub struct Plain<'a, U>(pub &'a U);

impl<U: Universe> Universe for Plain<'_, U> {
    type Whole = Self;

    const WITHOUT_SUCCESSORS: Value = U::WITHOUT_SUCCESSORS;

    fn whole(&self) -> &Self {
        self
    }

    fn len(&self) -> u64 {
        self.0.len()
    }

    fn terminal(&self, rank: u64) -> Option<Terminal> {
        self.0.terminal(rank)
    }

    fn successors(&self, rank: u64, emit: impl FnMut(u64)) {
        self.0.successors(rank, emit);
    }

    fn predecessors(&self, rank: u64, emit: impl FnMut(u64)) {
        self.0.predecessors(rank, emit);
    }

    fn mover_in_check(&self, rank: u64) -> bool {
        self.0.mover_in_check(rank)
    }
}
