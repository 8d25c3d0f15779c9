//! The **graph** of a ranked universe: its ranks, and the moves between them, for the analysis.
//!
//! Where the vector kernel can work on a class, many ranks of it are worked on side by side (see
//! `batch`, `legal_batch` and `tail`), else one by one.

use std::ops::Range;

use super::batch::Batch;
use super::lanes::LANES;
use super::legal_batch::{LEGAL_LANES, LegalBatch};
use super::ranked::RankedUniverse;
use super::retractions::Retractions;
use crate::color::Color;
use crate::instructions::Instructions;
use crate::universe::{Segment, Starts, Targets, Terminal, Universe};
use crate::value::Value;

impl Universe for RankedUniverse {
    type Whole = Self;

    // A move never moves the other side's royal, and that is the mover's royal of the source.
    const EXCLUSIVE_UNITS: bool = true;
    // Every move lets the other side win in one. A mover without any move has lost by the rules and
    // is counted alike, as the published tables of dobutsu do.
    const WITHOUT_SUCCESSORS: Value = Value::Loss(2);

    // The starts count only moves that do not let the other side win in one. Where check must
    // be met, wins in one are found from the mates behind them.
    fn expands_wins_in_one(&self) -> bool {
        self.meets_check()
    }

    fn whole(&self) -> &Self {
        self
    }

    fn len(&self) -> u64 {
        self.ranks
    }

    fn terminal(&self, rank: u64) -> Option<Terminal> {
        if self.meets_check() {
            let placement = self.placement(rank);
            return match () {
                () if self.is_hole(&placement) => Some(Terminal::Hole),
                () if self.has_legal_move(&placement, Color::Sente) => None,
                () => Some(Terminal::Decided(self.game().no_move_value())),
            };
        }
        self.wins_at_once(&self.placement(rank))
            .then_some(Terminal::Decided(Value::Win(1)))
    }

    fn successors(&self, rank: u64, emit: impl FnMut(u64)) {
        if self.meets_check() {
            return self.for_each_legal_successor(&self.placement(rank), emit);
        }
        self.for_each_successor(&self.placement(rank), emit);
    }

    fn predecessors(&self, rank: u64, emit: impl FnMut(u64)) {
        if self.meets_check() {
            return self.for_each_legal_unmove(rank, emit);
        }
        let (class, pair, code) = self.split(rank);
        let segment = (class * self.pairs.len() + pair) as u32;
        self.for_each_unmove::<false>(segment, std::iter::once(code), emit);
    }

    fn mover_in_check(&self, rank: u64) -> bool {
        let (class, pair, code) = self.split(rank);
        self.in_check((class * self.pairs.len() + pair) as u32, code)
    }

    #[inline(always)]
    fn movers_in_check(
        &self,
        instructions: impl Instructions,
        segment: u32,
        offsets: &[u32],
        emit: impl FnMut(bool),
    ) {
        let (class, _) = self.class_and_pair(segment);
        match (&self.lines, self.plan(class)) {
            (Some(lines), Some(plan)) => {
                self.legal_checks(instructions, lines, plan, segment, offsets, emit);
            }
            _ => offsets
                .iter()
                .map(|&offset| self.in_check(segment, offset))
                .for_each(emit),
        }
    }

    fn segments(&self) -> u32 {
        (self.classes.len() * self.pairs.len()) as u32
    }

    fn segment(&self, index: u32) -> Segment {
        let (class, pair) = self.class_and_pair(index);
        let class = &self.classes[class];
        Segment {
            first: class.base + pair as u64 * u64::from(class.size),
            len: class.size,
        }
    }

    fn units(&self) -> Vec<Vec<Range<u32>>> {
        let classes = 0..self.classes.len();
        let units = self.bundles.iter().map(|bundle| {
            let stretches = classes.clone().map(|class| self.stretch_of(class, bundle));
            stretches.collect()
        });
        units.collect()
    }

    fn rounds(&self) -> Vec<Vec<Vec<Range<u32>>>> {
        self.rounds_of_classes()
    }

    #[inline(always)]
    fn starts(
        &self,
        instructions: impl Instructions,
        segment: u32,
        mut emit: impl FnMut(Starts<'_>),
    ) {
        let mut starts = Vec::new();
        if self.meets_check() {
            let (class, _) = self.class_and_pair(segment);
            let (Some(lines), Some(plan)) = (&self.lines, self.plan(class)) else {
                return self.for_each_legal_start(segment, |start| emit(Starts::Run(1, start)));
            };
            self.legal_starts(instructions, lines, plan, segment, &mut starts);
            return emit(Starts::Legal(&starts, self.game().no_move_value()));
        }
        self.starts_of(instructions, segment, &mut starts);
        emit(Starts::Each(&starts));
    }

    #[inline(always)]
    fn expand(
        &self,
        instructions: impl Instructions,
        stretch: &Range<u32>,
        offsets: &[u32],
        out: &mut impl Targets,
    ) {
        let (class, first_pair) = self.class_and_pair(stretch.start);
        let plan = self.plan(class);
        let size = self.classes[class].size;
        if !self.meets_check()
            && let Some(plan) = plan
        {
            let bundle = self.bundle_of(first_pair);
            let class = &self.classes[class];
            if self.is_narrow() {
                let mut batch = Batch::<_, u16>::new(self, instructions, class, plan, bundle);
                for offsets in offsets.chunks(LANES) {
                    batch.expand(offsets, out);
                    out.pause();
                }
            } else {
                let mut batch = Batch::<_, u32>::new(self, instructions, class, plan, bundle);
                for offsets in offsets.chunks(LANES) {
                    batch.expand(offsets, out);
                    out.pause();
                }
            }
            return;
        }
        // Pair by pair. In loops: a function called back would not be compiled for the processor.
        let mut retractions = [Retractions::NONE; 2];
        let mut rest = offsets;
        while let Some(first) = rest.first() {
            let place = first / size;
            let before = place * size;
            let here;
            (here, rest) = rest.split_at(rest.partition_point(|offset| offset - before < size));
            let pair = first_pair + place as usize;
            if let (Some(lines), Some(plan)) = (&self.lines, plan) {
                let lines = &lines[0];
                let mut batch = LegalBatch::new(self, instructions, lines, plan, class, pair);
                let mut codes = [0; LEGAL_LANES];
                for offsets in here.chunks(LEGAL_LANES) {
                    let codes = &mut codes[..offsets.len()];
                    for (code, offset) in codes.iter_mut().zip(offsets) {
                        *code = offset - before;
                    }
                    batch.expand(codes, &mut retractions, out);
                    out.pause();
                }
            } else if self.meets_check() {
                let first = self.segment(stretch.start).first;
                for offsets in here.chunks(LANES) {
                    for &offset in offsets {
                        let rank = first + u64::from(offset);
                        self.for_each_legal_unmove(rank, |rank| out.push(rank));
                    }
                    out.pause();
                }
            } else {
                let segment = (class * self.pairs.len() + pair) as u32;
                for offsets in here.chunks(LANES) {
                    let codes = offsets.iter().map(|offset| offset - before);
                    self.for_each_unmove::<true>(segment, codes, |rank| out.push(rank));
                    out.pause();
                }
            }
        }
    }

    #[inline(always)]
    fn forward(&self, segment: u32, offset: u32, emit: impl FnMut(u64)) -> Option<Terminal> {
        let (class, pair) = self.class_and_pair(segment);
        let placement = self.placement_at(class, self.pairs[pair], offset);
        if self.meets_check() {
            return self.legal_forward(&placement, emit);
        }
        if self.wins_at_once(&placement) {
            return Some(Terminal::Decided(Value::Win(1)));
        }
        self.for_each_successor(&placement, emit);
        None
    }

    fn is_doubled(&self, segment: u32) -> bool {
        let (_, pair) = self.class_and_pair(segment);
        self.pairs.is_centred(pair)
    }

    fn image(&self, rank: u64) -> u64 {
        let (class, pair, code) = self.split(rank);
        if !self.pairs.is_centred(pair) {
            return rank;
        }
        let royals = self.pairs[pair];
        let mut masks = self.placement_at(class, royals, code).masks;
        for masks in &mut masks {
            *masks = masks.map(|squares| self.mirrored(squares));
        }
        let class = &self.classes[class];
        let code = self.encode_from(class, 0, 0, self.free_of_royals(royals), &masks);
        class.base + pair as u64 * u64::from(class.size) + u64::from(code)
    }

    fn for_each_self_image(&self, mut emit: impl FnMut(u64)) {
        self.self_images(&self.pairs, |class, pair, code| {
            let class = &self.classes[class];
            emit(class.base + pair as u64 * u64::from(class.size) + u64::from(code));
        });
    }
}
