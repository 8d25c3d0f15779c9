//! What a universe says of **many ranks at once**, by the chosen kernel.
//!
//! The largest functions of the program: compiled for every processor in this one place, whatever the
//! answers are for.

use std::ops::Range;
use std::sync::atomic::AtomicU8;

use koma_games::{CHUNK, Starts, Targets, Universe};

use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::prefetch::prefetch;

/// Calls back with the starts of a segment, in the order of its ranks.
pub(crate) fn starts<U: Universe>(universe: &U, segment: u32, emit: &mut dyn FnMut(Starts<'_>)) {
    dispatch(SegmentStarts {
        universe,
        segment,
        emit,
    });
}

/// Finds the predecessors of some ranks of a stretch, given as offsets from its first in ascending
/// order, and others that are holes in this universe; asks for their words, and calls back with them
/// when the next are found and their words have arrived. The last are left waiting.
pub(crate) fn change_before<U: Universe>(
    universe: &U,
    stretch: &Range<u32>,
    offsets: &[u32],
    flow: &mut Flow,
    words: &[AtomicU8],
    change: &mut dyn FnMut(&mut [u64]),
) {
    dispatch(Before {
        universe: universe.whole(),
        stretch,
        offsets,
        out: &mut Flowing {
            flow,
            words,
            asked: 0,
            change,
        },
    });
}

struct SegmentStarts<'a, U> {
    universe: &'a U,
    segment: u32,
    emit: &'a mut dyn FnMut(Starts<'_>),
}

impl<U: Universe> Work for SegmentStarts<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: impl Level) {
        self.universe.starts(level, self.segment, self.emit);
    }
}

struct Before<'a, U, T> {
    universe: &'a U,
    stretch: &'a Range<u32>,
    offsets: &'a [u32],
    out: &'a mut T,
}

impl<U: Universe, T: Targets> Work for Before<'_, U, T> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: impl Level) {
        self.universe
            .expand(level, self.stretch, self.offsets, self.out);
    }
}

/// A list of ranks, with room behind them.
#[derive(Default)]
struct RankList {
    ranks: Vec<u64>,
    len: usize,
}

impl RankList {
    #[inline(always)]
    fn ranks(&self) -> &[u64] {
        &self.ranks[..self.len]
    }

    /// The first places behind the list.
    #[inline(always)]
    fn room(&mut self) -> &mut [u64; CHUNK] {
        if self.ranks.len() < self.len + CHUNK {
            self.grow();
        }
        let room = self.ranks[self.len..].first_chunk_mut();
        room.expect("the list has grown")
    }

    #[cold]
    fn grow(&mut self) {
        self.ranks.resize(2 * self.len + CHUNK, 0);
    }
}

impl Targets for RankList {
    #[inline(always)]
    fn push(&mut self, rank: u64) {
        self.room()[0] = rank;
        self.len += 1;
    }

    // All of them are written; those behind will be written over.
    #[inline(always)]
    fn push_chunk(&mut self, base: u64, offsets: &[u32; CHUNK], count: usize) {
        for (rank, &offset) in self.room().iter_mut().zip(offsets) {
            *rank = base.wrapping_add(u64::from(offset));
        }
        self.len += count;
    }
}

/// Ranks on the way from being found to being changed.
#[derive(Default)]
pub(crate) struct Flow {
    found: RankList,
    waiting: RankList,
}

impl Flow {
    /// Finds the predecessors of some ranks as above. It is left to the caller to ask for their words.
    pub(crate) fn find_before<U: Universe>(
        &mut self,
        universe: &U,
        stretch: &Range<u32>,
        offsets: &[u32],
    ) -> &[u64] {
        self.found.len = 0;
        dispatch(Before {
            universe: universe.whole(),
            stretch,
            offsets,
            out: &mut self.found,
        });
        self.found.ranks()
    }

    /// Hands over those that wait, and lets those found wait from here on.
    #[inline(always)]
    pub(crate) fn pass_on(&mut self, change: &mut dyn FnMut(&mut [u64])) {
        let RankList { ranks, len } = &mut self.waiting;
        change(&mut ranks[..*len]);
        *len = 0;
        std::mem::swap(&mut self.found, &mut self.waiting);
    }
}

/// Words asked for together, while there is other work to do.
const TOGETHER: usize = 16;

/// Asks for the words of the ranks found, and has them changed.
struct Flowing<'a> {
    flow: &'a mut Flow,
    words: &'a [AtomicU8],
    /// How many of those found.
    asked: usize,
    change: &'a mut dyn FnMut(&mut [u64]),
}

impl Flowing<'_> {
    #[inline(always)]
    fn ask(&mut self) {
        while let Some(ranks) = self.flow.found.ranks()[self.asked..].first_chunk::<TOGETHER>() {
            for &rank in ranks {
                prefetch(self.words, rank as usize);
            }
            self.asked += TOGETHER;
        }
    }
}

impl Targets for Flowing<'_> {
    #[inline(always)]
    fn push(&mut self, rank: u64) {
        self.flow.found.push(rank);
        self.ask();
    }

    #[inline(always)]
    fn push_chunk(&mut self, base: u64, offsets: &[u32; CHUNK], count: usize) {
        self.flow.found.push_chunk(base, offsets, count);
        self.ask();
    }

    #[inline(always)]
    fn pause(&mut self) {
        for &rank in &self.flow.found.ranks()[self.asked..] {
            prefetch(self.words, rank as usize);
        }
        self.asked = 0;
        self.flow.pass_on(self.change);
    }
}
