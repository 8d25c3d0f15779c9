//! **Retractions**: moves to be taken back in a batch, packed, and the squares before them.
//!
//! Only some lanes have a move of each sort. Numbered side by side with the idle ones, most of the work
//! would be for nothing.

use super::lanes::{CHUNK, Number};
use super::lines::{LEGAL_LANES, Lanes};
use super::placements::{self, Placements};
use super::plan::{MOVED, TAKEN};
use super::ranked::RankedUniverse;
use crate::instructions::{Instructions, WIDE};

/// The most chunks: a man that slides and steps to all sides, in every lane.
const MAX_CHUNKS: usize = 14 * LEGAL_LANES / CHUNK + 1;
const ROOM: usize = MAX_CHUNKS * CHUNK;

/// Moves to be taken back, packed: the lane of each and the square it came from.
pub(super) struct Retractions {
    lanes: [u32; ROOM],
    from: [u32; ROOM],
    count: usize,
}

/// A few of them.
pub(super) struct Chunk<'a> {
    pub(super) lanes: &'a [u32; CHUNK],
    pub(super) from: &'a [u32; CHUNK],
    pub(super) count: usize,
}

impl Retractions {
    pub(super) const NONE: Retractions = Retractions {
        lanes: [0; ROOM],
        from: [0; ROOM],
        count: 0,
    };

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds one for each of some lanes.
    #[inline(always)]
    pub(super) fn add(&mut self, instructions: impl Instructions, lanes: u32, from: &Lanes) {
        for (part, from) in from.0.as_chunks().0.iter().enumerate() {
            let set = (lanes >> (part * WIDE)) as u16;
            // There is room for every move; with this, it need not be checked twice.
            let at = self.count.min(ROOM - WIDE);
            self.lanes[at..at + WIDE].copy_from_slice(&instructions.pack32(set, &NUMBERS[part]));
            self.from[at..at + WIDE].copy_from_slice(&instructions.pack32(set, from));
            self.count = at + set.count_ones() as usize;
        }
    }

    /// How many chunks.
    #[inline(always)]
    pub(super) fn chunks(&self) -> usize {
        self.count.div_ceil(CHUNK).min(MAX_CHUNKS)
    }

    #[inline(always)]
    pub(super) fn chunk(&self, index: usize) -> Chunk<'_> {
        let (lanes, from) = (self.lanes.as_chunks().0, self.from.as_chunks().0);
        Chunk {
            lanes: &lanes[index],
            from: &from[index],
            count: self.count.wrapping_sub(index * CHUNK).min(CHUNK),
        }
    }
}

/// The number of each lane.
const NUMBERS: [[u32; WIDE]; LEGAL_LANES / WIDE] = {
    let mut numbers = [[0; WIDE]; LEGAL_LANES / WIDE];
    let mut lane = 0;
    while lane < LEGAL_LANES {
        numbers[lane / WIDE][lane % WIDE] = lane as u32;
        lane += 1;
    }
    numbers
};

/// The squares of the pieces of a chunk of predecessors.
pub(super) struct Before<'a, I> {
    pub(super) universe: &'a RankedUniverse,
    pub(super) instructions: I,
    pub(super) placements: &'a Placements<u32, LEGAL_LANES>,
    /// Whether the others are mirrored: not what moved or was taken.
    pub(super) flip: bool,
    /// The lanes of the positions they are predecessors of.
    pub(super) lanes: &'a [u32; CHUNK],
    /// Where the man that moved came from.
    pub(super) moved: &'a [u32; CHUNK],
    /// Where it took a piece, if it took one.
    pub(super) taken: &'a [u32; CHUNK],
}

impl<I: Instructions> placements::Squares<u32, CHUNK> for Before<'_, I> {
    #[inline(always)]
    fn of(&self, slot: usize) -> [u32; CHUNK] {
        match slot {
            MOVED => *self.moved,
            TAKEN => *self.taken,
            _ => {
                let squares = &self.placements.0[slot].0;
                let picked = u32::look(self.instructions, squares, self.lanes);
                match self.flip {
                    true => placements::mirrored(self.universe, &picked),
                    false => picked,
                }
            }
        }
    }
}
