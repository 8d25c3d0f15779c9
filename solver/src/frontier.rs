//! A **frontier**: where the ranks decided in one ply are.
//!
//! While the ply before is expanded, the *line* of 64 cells in which a rank is decided is flagged,
//! and the *region* of 64 lines around it. Then the flagged lines are scanned for the cells of the
//! ply, and what is found is kept as one bit a cell. No rank is ever listed: sources come in the
//! order of their ranks, and the flags cost 1/64 byte a rank.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::word::Word;

/// Ranks under one flag.
pub(crate) const LINE: u64 = 64;

/// Lines in a region.
const REGION: usize = 64;

/// Flags over lines of ranks.
#[derive(Debug)]
pub(crate) struct Frontier {
    lines: Vec<AtomicBool>,
    regions: Vec<AtomicBool>,
}

/// The cells of one ply, one bit each, in the lines that a frontier flags.
#[derive(Debug)]
pub(crate) struct Sources {
    lines: Vec<u64>,
}

fn unflagged(count: usize) -> Vec<AtomicBool> {
    std::iter::repeat_with(|| AtomicBool::new(false))
        .take(count)
        .collect()
}

fn line_count(ranks: u64) -> usize {
    usize::try_from(ranks.div_ceil(LINE)).expect("cells that fit in memory")
}

impl Frontier {
    /// No flag set, for this many ranks.
    pub(crate) fn new(ranks: u64) -> Frontier {
        let lines = line_count(ranks);
        Frontier {
            lines: unflagged(lines),
            regions: unflagged(lines.div_ceil(REGION)),
        }
    }

    /// Flags a rank's line.
    #[inline(always)]
    pub(crate) fn set(&self, rank: u64) {
        let line = (rank / LINE) as usize;
        self.lines[line].store(true, Relaxed);
        self.regions[line / REGION].store(true, Relaxed);
    }

    /// Takes all flags down.
    pub(crate) fn clear(&mut self) {
        let regions = self.regions.par_iter_mut().with_min_len(256);
        regions
            .zip(self.lines.par_chunks_mut(REGION))
            .for_each(|(region, lines)| {
                if std::mem::take(region.get_mut()) {
                    for line in lines {
                        *line.get_mut() = false;
                    }
                }
            });
    }
}

impl Sources {
    pub(crate) fn new(ranks: u64) -> Sources {
        Sources {
            lines: vec![0; line_count(ranks)],
        }
    }

    /// Finds the cells with this code in flagged lines.
    pub(crate) fn find<W: Word>(&mut self, frontier: &Frontier, words: &[W], code: u32) {
        let words = words.par_chunks(REGION * LINE as usize);
        let flags = frontier.lines.par_chunks(REGION);
        self.lines
            .par_chunks_mut(REGION)
            .zip(flags)
            .zip(words)
            .zip(&frontier.regions)
            .with_min_len(16)
            .filter(|(_, region)| region.load(Relaxed))
            .for_each(|(((masks, flags), words), _)| {
                dispatch(FindInRegion {
                    masks,
                    flags,
                    words,
                    code,
                });
            });
    }

    /// Lists the ranks found among `len` ranks from `first`, as offsets from it.
    #[inline(always)]
    pub(crate) fn collect(
        &self,
        frontier: &Frontier,
        first: u64,
        len: u64,
        offsets: &mut Vec<u32>,
    ) {
        offsets.clear();
        if len == 0 {
            return;
        }
        let end = first + len;
        let last_line = ((end - 1) / LINE) as usize;
        let mut line = (first / LINE) as usize;
        while line <= last_line {
            if !frontier.regions[line / REGION].load(Relaxed) {
                line = (line / REGION + 1) * REGION;
                continue;
            }
            if frontier.lines[line].load(Relaxed) {
                let line_first = line as u64 * LINE;
                let mut mask = self.lines[line];
                if line_first < first {
                    mask &= u64::MAX << (first - line_first);
                }
                if line_first + LINE > end {
                    mask &= u64::MAX >> (line_first + LINE - end);
                }
                while mask != 0 {
                    let rank = line_first + u64::from(mask.trailing_zeros());
                    offsets.push((rank - first) as u32);
                    mask &= mask - 1;
                }
            }
            line += 1;
        }
    }
}

struct FindInRegion<'a, W> {
    masks: &'a mut [u64],
    flags: &'a [AtomicBool],
    words: &'a [W],
    code: u32,
}

impl<W: Word> Work for FindInRegion<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let lines = self.words.chunks(LINE as usize);
        for ((mask, flag), words) in self.masks.iter_mut().zip(self.flags).zip(lines) {
            if flag.load(Relaxed) {
                *mask = W::equal(words, self.code);
            }
        }
    }
}
