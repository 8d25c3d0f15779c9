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

/// Lists the predecessors of some ranks of a stretch, given as offsets from its first in ascending
/// order, and others that are holes in this universe.
pub(crate) fn list_before<U: Universe>(
    universe: &U,
    stretch: &Range<u32>,
    offsets: &[u32],
    list: &mut RankList,
) {
    list.len = 0;
    dispatch(Before {
        universe: universe.whole(),
        stretch,
        offsets,
        out: list,
    });
}

/// The same; meanwhile asks for the word of each from memory.
pub(crate) fn list_before_and_ask<U: Universe>(
    universe: &U,
    stretch: &Range<u32>,
    offsets: &[u32],
    list: &mut RankList,
    words: &[AtomicU8],
) {
    list.len = 0;
    dispatch(Before {
        universe: universe.whole(),
        stretch,
        offsets,
        out: &mut Asked {
            list,
            words,
            asked: 0,
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

/// What is left to do when all predecessors are listed.
trait Finish: Targets {
    fn finish(&mut self);
}

impl<U: Universe, T: Finish> Work for Before<'_, U, T> {
    type Output = ();

    #[inline(always)]
    fn run(self, level: impl Level) {
        self.universe
            .expand(level, self.stretch, self.offsets, self.out);
        self.out.finish();
    }
}

/// A list of ranks, with room behind them.
#[derive(Default)]
pub(crate) struct RankList {
    ranks: Vec<u64>,
    len: usize,
}

impl RankList {
    #[inline(always)]
    pub(crate) fn ranks(&self) -> &[u64] {
        &self.ranks[..self.len]
    }

    #[inline(always)]
    pub(crate) fn ranks_mut(&mut self) -> &mut [u64] {
        &mut self.ranks[..self.len]
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
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

impl Finish for RankList {
    #[inline(always)]
    fn finish(&mut self) {}
}

/// Words asked for together, while there is other work to do.
const TOGETHER: usize = 16;

/// Asks for the words of the ranks that it lists.
struct Asked<'a> {
    list: &'a mut RankList,
    words: &'a [AtomicU8],
    /// How many of the list.
    asked: usize,
}

impl Asked<'_> {
    #[inline(always)]
    fn ask(&mut self) {
        while let Some(ranks) = self.list.ranks()[self.asked..].first_chunk::<TOGETHER>() {
            for &rank in ranks {
                prefetch(self.words, rank as usize);
            }
            self.asked += TOGETHER;
        }
    }
}

impl Targets for Asked<'_> {
    #[inline(always)]
    fn push(&mut self, rank: u64) {
        self.list.push(rank);
        self.ask();
    }

    #[inline(always)]
    fn push_chunk(&mut self, base: u64, offsets: &[u32; CHUNK], count: usize) {
        self.list.push_chunk(base, offsets, count);
        self.ask();
    }
}

impl Finish for Asked<'_> {
    #[inline(always)]
    fn finish(&mut self) {
        for &rank in &self.list.ranks()[self.asked..] {
            prefetch(self.words, rank as usize);
        }
    }
}
