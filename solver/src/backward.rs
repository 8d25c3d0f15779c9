//! A step **backward** in the residue: the moves within it that lead to some of its ranks.
//!
//! As in the analysis itself, predecessors are found segment by segment and in batches, and the memory
//! of those of one batch is asked for while the next is worked out.

use koma_games::{Segment, Universe};

use crate::bulk::Flow;
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
    // Not copied for every visitor.
    step_back(universe, residue, ranks, &mut visit);
}

fn step_back<U: Universe>(
    universe: &U,
    residue: &Residue,
    ranks: &[u64],
    visit: &mut dyn FnMut(&[Source]),
) {
    let mut flow = Flow::default();
    let mut found = Vec::new();
    let mut hand_over = |ranks: &mut [u64]| {
        found.clear();
        found.extend(ranks.iter().filter_map(|&rank| {
            let number = residue.number(rank)?;
            Some(Source { rank, number })
        }));
        visit(&found);
    };
    let mut batches = Batches::new(ranks);
    while let Some(segment) = batches.next(universe) {
        let stretch = segment..segment + 1;
        for &rank in flow.find_before(universe, &stretch, &batches.offsets) {
            residue.ask(rank);
        }
        flow.pass_on(&mut hand_over);
    }
    flow.pass_on(&mut hand_over);
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
    let universe = universe.whole();
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
