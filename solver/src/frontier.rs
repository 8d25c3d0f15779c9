//! A **frontier**: where the ranks decided in one ply are.
//!
//! While the ply before is expanded, the *line* of 64 cells in which a rank is decided is flagged,
//! and the *region* of 64 lines around it. Then the flagged lines are searched for the cells of the
//! ply. No rank is ever listed as a whole: sources come in the order of their ranks, and the flags
//! cost 1/64 byte a rank.

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

    /// Lists the ranks with this code in flagged lines, of `len` ranks from `first`, as offsets from
    /// it. No other thread gives or takes that code meanwhile.
    #[inline(always)]
    pub(crate) fn find<W: Word>(
        &self,
        level: impl Level,
        words: &[W::Shared],
        code: u32,
        [first, len]: [u64; 2],
        found: &mut Found,
    ) {
        found.count = 0;
        if len == 0 {
            return;
        }
        self.list_flagged(level, [first, first + len], found);
        if found.offsets.len() < len as usize + LINE as usize {
            found.offsets.resize(len as usize + LINE as usize, 0);
        }
        let end = first + len;
        let first_of = |line: u32| (first / LINE + u64::from(line)) * LINE;
        let lines = &found.lines[..found.line_count];
        for &line in lines.iter().take(AHEAD) {
            prefetch(words, first_of(line) as usize);
        }
        for (place, &line) in lines.iter().enumerate() {
            if let Some(&line) = lines.get(place + AHEAD) {
                prefetch(words, first_of(line) as usize);
            }
            let line_first = first_of(line);
            let words = &words[line_first as usize..];
            let words = &words[..words.len().min(LINE as usize)];
            let mut set = W::equal(level, words, code);
            if line_first < first {
                set &= u64::MAX << (first - line_first);
            }
            if line_first + LINE > end {
                set &= u64::MAX >> (line_first + LINE - end);
            }
            // Below zero for a line that begins before `first`; its first cells are not in the set.
            let base = (line_first as u32).wrapping_sub(first as u32);
            let free = found.offsets[found.count..].first_chunk_mut();
            found.count += level.list(set, base, free.expect("room for a line"));
        }
    }

    /// Lists the flagged lines that hold ranks from `first` to before `end`.
    #[inline(always)]
    fn list_flagged(&self, level: impl Level, [first, end]: [u64; 2], found: &mut Found) {
        found.line_count = 0;
        let line = (first / LINE) as usize;
        let behind = end.div_ceil(LINE) as usize;
        if found.lines.len() < behind - line + 2 * REGION {
            found.lines.resize(behind - line + 2 * REGION, 0);
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
            let free = found.lines[found.line_count..].first_chunk_mut();
            found.line_count += level.list(set, base, free.expect("room for a region"));
        }
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
const AHEAD: usize = 16;

/// What is found in a segment, and the memory for it.
#[derive(Default)]
pub(crate) struct Found {
    /// Flagged lines, counted from that of the segment's first rank, and room for more.
    lines: Vec<u32>,
    line_count: usize,
    /// Room for every rank of a segment and a line more.
    offsets: Vec<u32>,
    count: usize,
}

impl Found {
    /// Offsets of ranks from the first of the segment.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets[..self.count]
    }
}
