//! An **explorable** set of positions, as forward search sees it: ranks, and where moves lead.

use std::ops::{Add, AddAssign};

use crate::instructions::Instructions;
use crate::universe::Segment;

/// When forward search goes no further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Convention {
    /// A game that is over is no position: whoever can take the royal or try safely has won, and
    /// nothing is played from there.
    #[default]
    Rules,
    /// As in Tanaka's analysis of dobutsu shogi (2009). Whoever can take the royal has won, and
    /// nothing is played from there. A try is a move like any other; after a safe one the other
    /// side has lost.
    Tanaka,
}

impl Convention {
    /// The name in options and in names of universes.
    pub fn name(self) -> &'static str {
        match self {
            Convention::Rules => "rules",
            Convention::Tanaka => "tanaka",
        }
    }

    /// The convention of this name.
    pub fn from_name(name: &str) -> Option<Convention> {
        [Convention::Rules, Convention::Tanaka]
            .into_iter()
            .find(|convention| convention.name() == name)
    }
}

/// How many positions of each sort a search has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reached {
    /// Positions from which the search goes on.
    pub open: u64,
    /// The moves of the open positions. Like pieces in hand give one drop a square; two moves that
    /// lead to the same position are two.
    pub moves: u64,
    /// Positions in which the mover can take the royal: won in 1 ply.
    pub catches: u64,
    /// Positions in which the mover can try safely (and take no royal), where the convention ends
    /// the game there: won in 1 ply.
    pub tries: u64,
    /// Positions in which the other side has tried, safely: lost in 0 plies.
    pub tried: u64,
}

impl Reached {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.open + self.catches + self.tries + self.tried
    }

    /// A count made of the same counts of this and another.
    pub fn zip(self, other: Reached, f: impl Fn(u64, u64) -> u64) -> Reached {
        Reached {
            open: f(self.open, other.open),
            moves: f(self.moves, other.moves),
            catches: f(self.catches, other.catches),
            tries: f(self.tries, other.tries),
            tried: f(self.tried, other.tried),
        }
    }
}

impl Add for Reached {
    type Output = Reached;

    fn add(self, other: Reached) -> Reached {
        self.zip(other, |a, b| a + b)
    }
}

impl AddAssign for Reached {
    fn add_assign(&mut self, other: Reached) {
        *self = *self + other;
    }
}

/// A numbered set of positions that no move leaves, searched forwards.
///
/// A position that is not its own mirror image may have a second rank, that of its mirror image.
/// The search finds both or none.
pub trait Explorable: Sync {
    /// The number of ranks.
    fn len(&self) -> u64;

    /// Whether there are no ranks.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of the ranks, the first ones, are those of a universe that is solved when its part
    /// is known. The rules decide the others.
    fn solved_len(&self) -> u64;

    /// The number of segments. Together, in order, they hold every rank once.
    fn segments(&self) -> u32;

    /// One segment.
    fn segment(&self, index: u32) -> Segment;

    /// Appends the ranks that the moves of some ranks of a segment lead to (given as offsets from
    /// its first, in ascending order), some of them several times, and counts the ranks by sort. Where the mirror image
    /// of what is reached has a rank of its own, the images reach it or it is appended.
    fn advance(
        &self,
        instructions: impl Instructions,
        segment: u32,
        offsets: &[u32],
        out: &mut Vec<u64>,
    ) -> Reached;

    /// Whether each position of this segment that is not its own mirror image has a second rank in
    /// the segment.
    fn is_doubled(&self, segment: u32) -> bool;

    /// Calls back with segment and offset of the ranks in doubled segments whose position is its
    /// own mirror image.
    fn for_each_self_image(&self, emit: impl FnMut(u32, u32));

    /// The rank of the mirror image of a rank's position.
    fn mirrored(&self, rank: u64) -> u64;
}
