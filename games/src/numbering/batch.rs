//! A **batch**: predecessors of up to 32 positions of a segment, worked out side by side.
//!
//! The vector twin of `unmoves` with the attack filter: the same predecessors in another order.

use super::lanes::{LANES, Lanes};
use super::pairs::NO_PAIR;
use super::placements::Placements;
use super::plan::{MOVED, Numbering, Plan, Sort, TAKEN};
use super::ranked::{MAX_NUMBERED, RankedUniverse};
use crate::board::{Board, Square, Squares, each, one};
use crate::game::role;

/// A batch below this size is not worth its lanes.
pub(crate) const WORTH_LANES: usize = 6;

/// Up to 32 positions, seen by the side that just moved and in the orientation of its
/// predecessors.
struct Batch<'a> {
    universe: &'a RankedUniverse,
    pair: u64,
    /// The lanes in use.
    active: u32,
    placements: Placements,
    /// The code of the kinds before each kind.
    codes: [Lanes; MAX_NUMBERED + 1],
    /// Free squares before each kind.
    free: [Lanes; MAX_NUMBERED + 1],
}

impl RankedUniverse {
    /// Appends the predecessors of at most 32 codes of a segment.
    #[inline(always)]
    pub(crate) fn expand_batch(&self, plan: &Plan, pair: usize, codes: &[u32], out: &mut Vec<u64>) {
        let board = self.game().board();
        let royals = self.pairs[pair];
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let orientation = self.orientation(turned);
        let [own_royal, other_royal] = if orientation.flip {
            turned.map(|square| board.mirrored(square))
        } else {
            turned
        };
        let mut batch = Batch {
            universe: self,
            pair: u64::from(orientation.pair),
            active: u32::MAX >> (LANES - codes.len()),
            placements: Placements::decode(self, &plan.coded, royals, codes, orientation.flip),
            codes: [Lanes::ZERO; MAX_NUMBERED + 1],
            free: [Lanes::ZERO; MAX_NUMBERED + 1],
        };

        // Which pieces may have moved: see `unmoves` for the attack filter.
        let steps = &self.steps;
        let other_index = usize::from(other_royal);
        let mut attackers = Lanes::ZERO;
        for mover in &plan.movers {
            let attacking = steps.attackers[role(mover.kind, mover.promoted)][other_index];
            attackers = attackers.zip(&batch.placements.0[mover.slot], |set, bit| {
                set | bit & attacking
            });
        }
        let movable = attackers.map(|set| match (set, set & set.wrapping_sub(1)) {
            (0, _) => u32::MAX,
            (one, 0) => one,
            _ => 0,
        });

        batch.free[0] = Lanes::splat(self.free_of_royals([own_royal, other_royal]));
        for (k, digits) in plan.kinds.iter().enumerate() {
            let (code, free) = batch
                .placements
                .number(digits, &batch.codes[k], &batch.free[k]);
            batch.codes[k + 1] = code;
            batch.free[k + 1] = free;
        }
        let empty = batch.free[plan.kinds.len()];

        for mover in &plan.movers {
            let to = batch.placements.0[mover.slot].zip(&movable, |bit, movable| bit & movable);
            if to.nonzero() & batch.active == 0 {
                continue;
            }
            let ways = &self.ways.quiet[role(mover.kind, mover.promoted)];
            let attacking = steps.attackers[role(mover.kind, mover.promoted)][other_index];
            batch.unstep(&mover.step, ways, &to, &empty, attacking, out);
            if let Some(promotion) = &mover.promotion {
                let ways = &self.ways.promoting[mover.kind];
                let attacking = steps.attackers[role(mover.kind, false)][other_index];
                batch.unstep(promotion, ways, &to, &empty, attacking, out);
            }
            if let Some(drop) = &mover.drop {
                let drops = steps.drops[mover.kind];
                let lanes = to.map(|to| to & drops).nonzero() & batch.active;
                batch.emit(drop, lanes, out);
            }
        }
        let quiet = attackers.map(|set| u32::from(set == 0)).nonzero() & batch.active;
        if quiet != 0 {
            batch.unmove_royal(
                &plan.royal,
                [own_royal, other_royal],
                orientation.centred,
                &empty,
                quiet,
                out,
            );
        }
    }
}

impl Batch<'_> {
    /// Appends the predecessors of some lanes.
    #[inline(always)]
    fn emit(&self, numbering: &Numbering, lanes: u32, out: &mut Vec<u64>) {
        if lanes != 0 {
            let first = numbering.first;
            let codes =
                self.placements
                    .number(&numbering.digits, &self.codes[first], &self.free[first]);
            self.push(numbering, self.pair, &codes.0, lanes, out);
        }
    }

    #[inline(always)]
    fn push(
        &self,
        numbering: &Numbering,
        pair: u64,
        codes: &Lanes,
        lanes: u32,
        out: &mut Vec<u64>,
    ) {
        let class = &self.universe.classes[numbering.class];
        let base = class.base + pair * u64::from(class.size);
        out.extend(
            each(lanes)
                .map(|lane| base.wrapping_add(u64::from(codes.0[usize::from(lane) % LANES]))),
        );
    }

    /// Appends the predecessors from which a piece stepped to `to` (an empty set where it did not
    /// move), not from an `attacking` square.
    #[inline(always)]
    fn unstep(
        &mut self,
        sort: &Sort,
        ways: &[Way],
        to: &Lanes,
        empty: &Lanes,
        attacking: Squares,
        out: &mut Vec<u64>,
    ) {
        self.placements.0[TAKEN] = *to;
        for way in ways {
            let allowed = way.from & !attacking;
            let from = to
                .shifted(-way.distance)
                .zip(empty, |from, empty| from & empty & allowed);
            let lanes = from.nonzero() & self.active;
            if lanes == 0 {
                continue;
            }
            self.placements.0[MOVED] = from;
            self.emit(&sort.plain, lanes, out);
            for capture in &sort.captures {
                self.emit(capture, lanes, out);
            }
        }
    }

    /// Appends the predecessors from which the royal moved.
    #[inline(always)]
    fn unmove_royal(
        &mut self,
        sort: &Sort,
        [to, other_royal]: [Square; 2],
        centred: bool,
        empty: &Lanes,
        lanes: u32,
        out: &mut Vec<u64>,
    ) {
        let universe = self.universe;
        let straight = self.placements;
        let mut mirrored = None;
        for from in each(universe.steps.attackers[0][usize::from(to)]) {
            let orientation = universe.orientation([from, other_royal]);
            if orientation.pair == NO_PAIR {
                continue;
            }
            let lanes = empty.map(|empty| empty & one(from)).nonzero() & lanes;
            if lanes == 0 {
                continue;
            }
            let images = match (orientation.centred, centred) {
                (true, false) => [true, true],
                (false, true) if orientation.flip => continue,
                _ => [!orientation.flip, orientation.flip],
            };
            let pair = orientation.pair;
            let royals = universe.pairs[usize::from(pair)];
            let free = Lanes::splat(universe.free_of_royals(royals));
            for (flip, wanted) in [false, true].into_iter().zip(images) {
                if !wanted {
                    continue;
                }
                let taken = if flip {
                    let placements = match mirrored {
                        Some(placements) => placements,
                        None => straight.mirrored(universe),
                    };
                    mirrored = Some(placements);
                    self.placements = placements;
                    universe.game().board().mirrored(to)
                } else {
                    self.placements = straight;
                    to
                };
                self.placements.0[TAKEN] = Lanes::splat(one(taken));
                for numbering in [&sort.plain].into_iter().chain(&sort.captures) {
                    let (codes, _) = self
                        .placements
                        .number(&numbering.digits, &Lanes::ZERO, &free);
                    self.push(numbering, u64::from(pair), &codes, lanes, out);
                }
            }
        }
    }
}

/// One direction in which a piece steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// How much greater the number of the square stepped to is.
    pub(crate) distance: i32,
    /// The squares from which the step may be made.
    pub(crate) from: Squares,
}

impl Way {
    /// The squares that the pieces on these squares reach.
    #[inline(always)]
    pub(crate) fn reached(&self, pieces: &Lanes) -> Lanes {
        let from = self.from;
        pieces.map(|pieces| pieces & from).shifted(self.distance)
    }
}

/// All ways to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// Without promoting, by role.
    pub(crate) quiet: Vec<Vec<Way>>,
    /// By promoting, by kind.
    pub(crate) promoting: Vec<Vec<Way>>,
    /// Of the other side's pieces, by role.
    pub(crate) other: Vec<Vec<Way>>,
}

impl Ways {
    /// The ways behind a table of squares reached from each square.
    pub(crate) fn of(board: Board, reached: &[Squares]) -> Vec<Way> {
        let mut ways: Vec<Way> = Vec::new();
        for from in each(board.all()) {
            for to in each(reached[usize::from(from)]) {
                let distance = i32::from(to) - i32::from(from);
                // On a board of two files two steps could have the same distance; none is so narrow.
                match ways.iter_mut().find(|way| way.distance == distance) {
                    Some(way) => way.from |= one(from),
                    None => ways.push(Way {
                        distance,
                        from: one(from),
                    }),
                }
            }
        }
        ways
    }
}
