//! A **frontier**: where the ranks decided in one ply are.
//!
//! While the ply before is expanded, the *line* of 64 cells in which a rank is decided is flagged,
//! and the *region* of 64 lines around it. Then the flagged lines are searched for the cells of the
//! ply: sources come in the order of their ranks, and the flags cost 1/64 byte a rank. Where a ply
//! has few ranks, these are listed and sorted instead: to search a line for each of them would take
//! longer.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use crate::huge_pages::prefer_huge_pages;
use crate::level::{Level, equal_each};
use crate::prefetch::prefetch;
use crate::word::Word;

/// Ranks under one flag.
pub(crate) const LINE: u64 = 64;

/// Lines in a region.
const REGION: usize = 64;

/// How the ranks of a ply are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontierKind {
    /// Flagged where they are many, listed where they are few.
    #[default]
    Either,
    /// Always flagged.
    Flags,
    /// Always listed.
    List,
}

impl FrontierKind {
    /// With fewer sources in a ply, the ranks that they decide are listed.
    const FEW: u64 = 1 << 17;
    /// The longest list of a thread; what is decided behind it is flagged. A ply of few sources has
    /// hardly ever as many targets.
    const LONGEST: usize = 1 << 20;

    /// How long the list of a thread may become for what so many sources decide.
    pub(crate) fn longest_list(self, sources: u64) -> usize {
        match self {
            FrontierKind::List => usize::MAX,
            FrontierKind::Either if sources < FrontierKind::FEW => FrontierKind::LONGEST,
            FrontierKind::Either | FrontierKind::Flags => 0,
        }
    }
}

/// Ranks in ascending order.
#[derive(Clone, Copy)]
pub(crate) struct Listed<'a>(pub(crate) &'a [u64]);

impl Listed<'_> {
    /// Takes the ranks below this one away. Fast where they are few.
    #[inline(always)]
    pub(crate) fn skip_to(&mut self, rank: u64) {
        let mut step = 1;
        while self.0.get(step - 1).is_some_and(|&other| other < rank) {
            step *= 2;
        }
        let some = &self.0[..self.0.len().min(step - 1)];
        self.0 = &self.0[some.partition_point(|&other| other < rank)..];
    }
}

/// Flags over lines of ranks, 1 where there is something.
#[derive(Debug)]
pub(crate) struct Frontier {
    lines: Vec<u8>,
    regions: Vec<u8>,
}

/// A frontier whose flags are set by several threads.
#[derive(Clone, Copy)]
pub(crate) struct Flags<'a> {
    lines: &'a [AtomicU8],
    regions: &'a [AtomicU8],
}

impl Flags<'_> {
    /// Flags a rank's line.
    #[inline(always)]
    pub(crate) fn set(&self, rank: u64) {
        let line = (rank / LINE) as usize;
        self.lines[line].store(1, Relaxed);
        self.regions[line / REGION].store(1, Relaxed);
    }

    /// Lists the flagged lines that hold some ranks, and asks for the words of the first.
    #[inline(always)]
    pub(crate) fn list<S>(
        &self,
        level: impl Level,
        words: &[S],
        ranks: &Range<u64>,
        flagged: &mut Flagged,
    ) {
        let line = (ranks.start / LINE) as usize;
        let behind = ranks.end.div_ceil(LINE) as usize;
        flagged.first = line as u64;
        flagged.count = 0;
        if flagged.lines.len() < behind - line + 2 * REGION {
            flagged.lines.resize(behind - line + 2 * REGION, 0);
        }
        for region in line / REGION..behind.div_ceil(REGION) {
            if self.regions[region].load(Relaxed) == 0 {
                continue;
            }
            let start = region * REGION;
            let mut set = match self.lines[start..].first_chunk() {
                Some(flags) => level.equal(flags, 1),
                None => equal_each(&self.lines[start..], 1),
            };
            if start < line {
                set &= u64::MAX << (line - start);
            }
            if start + REGION > behind {
                set &= u64::MAX >> (start + REGION - behind);
            }
            let base = (start as u32).wrapping_sub(line as u32);
            let free = flagged.lines[flagged.count..].first_chunk_mut();
            flagged.count += level.list(set, base, free.expect("room for a region"));
        }
        for place in 0..flagged.count.min(AHEAD) {
            prefetch(words, flagged.rank(place) as usize);
        }
    }

    /// Asks for the flags of some ranks.
    #[inline(always)]
    pub(crate) fn ask(&self, ranks: &Range<u64>) {
        let region = (ranks.start / LINE) as usize / REGION;
        let behind = (ranks.end.div_ceil(LINE) as usize).div_ceil(REGION);
        for region in region..behind {
            prefetch(self.lines, region * REGION);
        }
    }
}

/// Flagged lines, and the memory for them.
#[derive(Default)]
pub(crate) struct Flagged {
    first: u64,
    /// Counted from the first line, and room for more.
    lines: Vec<u32>,
    count: usize,
}

impl Flagged {
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    /// The first rank of a line.
    #[inline(always)]
    fn rank(&self, place: usize) -> u64 {
        (self.first + u64::from(self.lines[place])) * LINE
    }
}

impl Frontier {
    /// No flag set, for this many ranks.
    pub(crate) fn new(ranks: u64) -> Frontier {
        let lines = usize::try_from(ranks.div_ceil(LINE)).expect("cells that fit in memory");
        let regions = lines.div_ceil(REGION);
        let mut lines = vec![0; lines];
        prefer_huge_pages(&mut lines);
        Frontier {
            lines,
            regions: vec![0; regions],
        }
    }

    /// Lends the flags to several threads.
    pub(crate) fn share(&mut self) -> Flags<'_> {
        Flags {
            lines: u8::share(&mut self.lines),
            regions: u8::share(&mut self.regions),
        }
    }

    /// Takes all flags down.
    pub(crate) fn clear(&mut self) {
        let regions = self.regions.par_iter_mut().with_min_len(256);
        regions
            .zip(self.lines.par_chunks_mut(REGION))
            .for_each(|(region, lines)| {
                if std::mem::take(region) != 0 {
                    lines.fill(0);
                }
            });
    }
}

/// How many lines ahead of the search memory is asked for.
const AHEAD: usize = 32;

/// What is found in a stretch, and the memory for it.
#[derive(Default)]
pub(crate) struct Found {
    /// Room for every rank searched and a line more.
    offsets: Vec<u32>,
    count: usize,
}

impl Found {
    /// Lists, behind those found before, the ranks with this code among some in flagged lines, as
    /// offsets from `start`. No other thread gives or takes that code meanwhile.
    #[inline(always)]
    pub(crate) fn search<W: Word>(
        &mut self,
        level: impl Level,
        words: &[W::Shared],
        code: u32,
        start: u64,
        ranks: &Range<u64>,
        flagged: &Flagged,
    ) {
        let room = self.count + (flagged.count + 1) * LINE as usize;
        if self.offsets.len() < room {
            self.offsets.resize(room, 0);
        }
        for place in 0..flagged.count {
            if place + AHEAD < flagged.count {
                prefetch(words, flagged.rank(place + AHEAD) as usize);
            }
            let first = flagged.rank(place);
            let words = &words[first as usize..];
            let words = &words[..words.len().min(LINE as usize)];
            let mut set = W::equal(level, words, code);
            if first < ranks.start {
                set &= u64::MAX << (ranks.start - first);
            }
            if first + LINE > ranks.end {
                set &= u64::MAX >> (first + LINE - ranks.end);
            }
            // Below zero for a line that begins before `start`; its first cells are not in the set.
            let base = (first as u32).wrapping_sub(start as u32);
            let free = self.offsets[self.count..].first_chunk_mut();
            self.count += level.list(set, base, free.expect("room for a line"));
        }
    }

    /// Takes the first ranks from a list as far as they lie before `end`, as offsets from `start`,
    /// behind those found before.
    #[inline(always)]
    pub(crate) fn take_listed(&mut self, start: u64, end: u64, list: &mut Listed<'_>) {
        let count = list.0.iter().take_while(|&&rank| rank < end).count();
        let room = self.count + count;
        if self.offsets.len() < room {
            self.offsets.resize(room, 0);
        }
        for (offset, rank) in self.offsets[self.count..].iter_mut().zip(&list.0[..count]) {
            *offset = rank.wrapping_sub(start) as u32;
        }
        self.count = room;
        list.0 = &list.0[count..];
    }

    /// Offsets of ranks, in ascending order.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets[..self.count]
    }

    /// Takes the first offsets away.
    pub(crate) fn take(&mut self, count: usize) {
        self.offsets.copy_within(count..self.count, 0);
        self.count -= count;
    }
}
