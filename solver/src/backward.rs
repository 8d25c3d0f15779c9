//! A step **backward** in the residue: the moves within it that lead to some of its ranks.
//!
//! As in the analysis itself, predecessors are found segment by segment and in batches, and the memory
//! of those of one batch is asked for while the next is worked out.

use koma_games::{CHUNK, Segment, Targets, Universe};

use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::residue::Residue;

/// A rank of the residue from which a move leads to one of those asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub(crate) rank: u64,
    pub(crate) number: usize,
}

/// Ranks expanded together.
const BATCH: usize = 128;

/// Calls back with lists of the ranks of the residue from which moves lead to these, which ascend; each
/// as often as moves do.
pub(crate) fn for_each_before<U: Universe>(
    universe: &U,
    residue: &Residue,
    ranks: &[u64],
    mut visit: impl FnMut(&[Source]),
) {
    dispatch(Backward {
        universe,
        residue,
        ranks,
        visit: &mut visit,
    });
}

struct Backward<'a, U> {
    universe: &'a U,
    residue: &'a Residue,
    ranks: &'a [u64],
    /// Called once a batch, so that there need not be a compilation for each visitor.
    visit: &'a mut dyn FnMut(&[Source]),
}

impl<U: Universe> Work for Backward<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run(mut self, level: impl Level) {
        let [mut fresh, mut waiting] = [const { Vec::new() }; 2];
        let mut found = Vec::new();
        let (universe, residue) = (self.universe, self.residue);
        // A loop: a function called back would not be compiled for the processor.
        let mut batches = Batches::new(self.ranks);
        while let Some(segment) = batches.next(universe) {
            let mut asked = Asked {
                ranks: &mut fresh,
                residue,
            };
            universe.expand(level, &(segment..segment + 1), &batches.offsets, &mut asked);
            self.hand_over(&mut waiting, &mut found);
            std::mem::swap(&mut fresh, &mut waiting);
        }
        self.hand_over(&mut waiting, &mut found);
    }
}

/// Some ranks, which ascend, by segment.
struct Batches<'a> {
    rest: &'a [u64],
    /// Those of a batch, as offsets from the first rank of its segment.
    offsets: Vec<u32>,
}

impl<'a> Batches<'a> {
    fn new(ranks: &'a [u64]) -> Batches<'a> {
        Batches {
            rest: ranks,
            offsets: Vec::with_capacity(BATCH),
        }
    }

    /// The segment of the next batch.
    fn next<U: Universe>(&mut self, universe: &U) -> Option<u32> {
        let &rank = self.rest.first()?;
        let segment = universe.segment_of(rank);
        let Segment { first, len } = universe.segment(segment);
        let most = &self.rest[..self.rest.len().min(BATCH)];
        let here = most.partition_point(|&rank| rank < first + u64::from(len));
        let (ranks, behind) = self.rest.split_at(here);
        self.rest = behind;
        self.offsets.clear();
        self.offsets
            .extend(ranks.iter().map(|&rank| (rank - first) as u32));
        Some(segment)
    }
}

/// Whether the movers of some ranks, which ascend, are in check.
pub(crate) fn movers_in_check<U: Universe>(universe: &U, ranks: &[u64]) -> Vec<bool> {
    dispatch(InCheck { universe, ranks })
}

struct InCheck<'a, U> {
    universe: &'a U,
    ranks: &'a [u64],
}

impl<U: Universe> Work for InCheck<'_, U> {
    type Output = Vec<bool>;

    #[inline(always)]
    fn run(self, level: impl Level) -> Vec<bool> {
        let mut checked = Vec::with_capacity(self.ranks.len());
        let mut batches = Batches::new(self.ranks);
        while let Some(segment) = batches.next(self.universe) {
            let answers = &mut checked;
            self.universe
                .movers_in_check(level, segment, &batches.offsets, |answer| {
                    answers.push(answer);
                });
        }
        checked
    }
}

impl<U> Backward<'_, U> {
    fn hand_over(&mut self, ranks: &mut Vec<u64>, found: &mut Vec<Source>) {
        found.clear();
        found.extend(ranks.drain(..).filter_map(|rank| {
            let number = self.residue.number(rank)?;
            Some(Source { rank, number })
        }));
        (self.visit)(found);
    }
}

/// Lists ranks and asks for what the residue knows of them.
struct Asked<'a> {
    ranks: &'a mut Vec<u64>,
    residue: &'a Residue,
}

impl Targets for Asked<'_> {
    #[inline(always)]
    fn push(&mut self, rank: u64) {
        self.ranks.push(rank);
        self.residue.ask(rank);
    }

    #[inline(always)]
    fn push_chunk(&mut self, base: u64, offsets: &[u32; CHUNK], count: usize) {
        let before = self.ranks.len();
        self.ranks.push_chunk(base, offsets, count);
        for &rank in &self.ranks[before..] {
            self.residue.ask(rank);
        }
    }
}
