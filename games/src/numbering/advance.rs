//! An **advance**: the moves of up to 32 positions of a segment, worked out side by side, as ranks
//! of a complete universe.
//!
//! The forward twin of `batch`. Positions are turned as their successors are, so the men that move
//! are "other" here, and those of the side that moves next are their targets.

use super::batch::{Way, Ways};
use super::complete::CompleteUniverse;
use super::forward_plan::{ForwardPlan, ForwardSort, Man};
use super::lanes;
use super::pairs::{NO_PAIR, Orientation};
use super::placements::Placements;
use super::plan::{Digit, MOVED, Numbering, Plan};
use super::ranked::{MAX_NUMBERED, RankedUniverse};
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::explorable::{Convention, Reached};
use crate::game::role;
use crate::instructions::Instructions;
use crate::position::MAX_KINDS;

/// Positions worked on together. A set of lanes is a `u32`, one bit a lane.
pub(super) const LANES: usize = 32;

type Lanes = lanes::Lanes<u32, LANES>;

/// How the other side's men move.
#[derive(Clone, Debug)]
pub(super) struct OtherMoves {
    /// Steps without promoting, by role.
    quiet: Vec<Vec<Way>>,
    /// Steps and promotions, by kind.
    promoting: Vec<Vec<Way>>,
    /// Squares on which a kind may be dropped.
    drops: [Squares; MAX_KINDS],
}

impl OtherMoves {
    pub(super) fn new(universe: &RankedUniverse) -> OtherMoves {
        let board = universe.game().board();
        let steps = &universe.steps;
        let turned = |reached: &[Squares; MAX_SQUARES]| {
            let mut turned = [0; MAX_SQUARES];
            for square in each(board.all()) {
                turned[usize::from(board.rotated(square))] =
                    universe.rotated(reached[usize::from(square)]);
            }
            Ways::of(board, &turned)
        };
        OtherMoves {
            quiet: steps.quiet_to.iter().map(turned).collect(),
            promoting: steps.promoting_to.iter().map(turned).collect(),
            drops: steps.drops.map(|squares| universe.rotated(squares)),
        }
    }
}

/// Up to 32 positions of one class and pair.
struct Advance<'a, I> {
    universe: &'a CompleteUniverse,
    instructions: I,
    forward: &'a ForwardPlan,
    /// The royal of the side that moves next, and of the side that moves.
    royals: [Square; 2],
    /// Of the pair that all moves but the royal's lead to.
    orientation: Orientation,
    placements: Placements<u32, LANES>,
    /// The lanes in use.
    active: u32,
    /// The code of the kinds before each kind.
    codes: [Lanes; MAX_NUMBERED + 1],
    /// Free squares before each kind.
    free: [Lanes; MAX_NUMBERED + 1],
    /// The squares of the men that may be taken.
    targets: Lanes,
    reached: Reached,
}

impl CompleteUniverse {
    /// Appends the ranks after every move of those of at most 32 positions of the ranked universe
    /// that are open, and counts all of them by sort.
    #[inline(always)]
    pub(super) fn advance_batch(
        &self,
        instructions: impl Instructions,
        plan: &Plan,
        forward: &ForwardPlan,
        pair: usize,
        codes: &[u32],
        out: &mut Vec<u64>,
    ) -> Reached {
        let royals = self.ranked().pairs[pair];
        let board = self.ranked().game().board();
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let orientation = self.ranked().orientation(turned);
        let mut advance = Advance::new(
            self,
            instructions,
            plan,
            forward,
            royals,
            orientation,
            codes,
        );
        advance.leave_tries(forward);
        advance.reached.open = u64::from(advance.active.count_ones());
        if advance.active != 0 {
            advance.play(plan, forward, out);
        }
        advance.reached
    }

    /// Counts at most 32 positions of a decided pair by sort.
    #[inline(always)]
    pub(super) fn count_batch(
        &self,
        instructions: impl Instructions,
        plan: &Plan,
        forward: &ForwardPlan,
        pair: usize,
        codes: &[u32],
    ) -> Reached {
        let royals = self.decided[pair];
        let as_they_are = Orientation {
            pair: NO_PAIR,
            flip: false,
            centred: false,
        };
        let mut advance = Advance::new(
            self,
            instructions,
            plan,
            forward,
            royals,
            as_they_are,
            codes,
        );
        let steps = &self.ranked().steps;
        if steps.attacks[0][usize::from(royals[0])] & one(royals[1]) != 0 {
            advance.reached.catches += advance.leave(u32::MAX);
        }
        advance.reached.tried = advance.leave(u32::MAX);
        advance.reached
    }
}

impl<'a, I: Instructions> Advance<'a, I> {
    /// Places and counts the positions in which the mover's men can take the royal, and takes them
    /// out of use. `royals` are those before they are turned.
    #[inline(always)]
    fn new(
        universe: &'a CompleteUniverse,
        instructions: I,
        plan: &Plan,
        forward: &'a ForwardPlan,
        royals: [Square; 2],
        orientation: Orientation,
        codes: &[u32],
    ) -> Advance<'a, I> {
        let ranked = universe.ranked();
        let board = ranked.game().board();
        let flip = orientation.flip;
        let mut placements = Placements::NONE;
        let placed = Lanes::filled(codes);
        placements.decode(instructions, ranked, &plan.coded, royals, &placed, flip);
        let royals = [royals[1], royals[0]].map(|square| {
            let turned = board.rotated(square);
            if flip { board.mirrored(turned) } else { turned }
        });
        let mut attackers = Lanes::ZERO;
        for mover in &forward.movers {
            let Man {
                slot,
                kind,
                promoted,
            } = mover.man;
            let from = ranked.steps.other_attackers[role(kind, promoted)][usize::from(royals[0])];
            attackers = attackers.zip(&placements.0[slot], |set, man| set | man & from);
        }
        let mut targets = Lanes::ZERO;
        for man in &forward.targets {
            targets = targets.zip(&placements.0[man.slot], |set, man| set | man);
        }
        let mut advance = Advance {
            universe,
            instructions,
            forward,
            royals,
            orientation,
            placements,
            active: u32::MAX >> (LANES - codes.len()),
            codes: [Lanes::ZERO; MAX_NUMBERED + 1],
            free: [Lanes::ZERO; MAX_NUMBERED + 1],
            targets,
            reached: Reached::default(),
        };
        advance.reached.catches = advance.leave(attackers.nonzero(instructions) as u32);
        advance
    }

    /// The lanes in which two sets have a square in common.
    #[inline(always)]
    fn meet(&self, a: &Lanes, b: &Lanes) -> u32 {
        a.zip(b, |a, b| a & b).nonzero(self.instructions) as u32
    }

    /// Takes lanes out of use; returns how many.
    #[inline(always)]
    fn leave(&mut self, lanes: u32) -> u64 {
        let left = self.active & lanes;
        self.active &= !lanes;
        u64::from(left.count_ones())
    }

    /// Where the convention ends the game there: counts the positions in which the mover can try
    /// safely, and takes them out of use.
    #[inline(always)]
    fn leave_tries(&mut self, forward: &ForwardPlan) {
        let ranked = self.universe.ranked();
        let [own_royal, other_royal] = self.royals.map(usize::from);
        let tries = ranked.steps.other_attacks[0][other_royal] & ranked.steps.other_try_rank;
        if self.universe.convention() != Convention::Rules || tries == 0 {
            return;
        }
        // Squares of the mover's own men, and squares that are attacked.
        let mut closed = Lanes::splat(ranked.steps.attacks[0][own_royal]);
        for mover in &forward.movers {
            closed = closed.zip(&self.placements.0[mover.man.slot], |set, man| set | man);
        }
        for man in &forward.targets {
            let quiet = &ranked.ways.quiet[role(man.kind, man.promoted)];
            let promoting: &[Way] = if man.promoted {
                &[]
            } else {
                &ranked.ways.promoting[man.kind]
            };
            for way in quiet.iter().chain(promoting) {
                let attacked = way.reached(&self.placements.0[man.slot]);
                closed = closed.zip(&attacked, |set, attacked| set | attacked);
            }
        }
        let safe = closed.map(|closed| tries & !closed);
        self.reached.tries = self.leave(safe.nonzero(self.instructions) as u32);
    }

    /// Appends the successors of the lanes in use.
    #[inline(always)]
    fn play(&mut self, plan: &Plan, forward: &ForwardPlan, out: &mut Vec<u64>) {
        let universe = self.universe;
        self.free[0] = Lanes::splat(universe.ranked().free_of_royals(self.royals));
        for (k, numbering) in plan.kinds.iter().enumerate() {
            let digits = numbering.digits(&plan.digits);
            let placements = &self.placements;
            (self.codes[k + 1], self.free[k + 1]) =
                placements.number(digits, &self.codes[k], &self.free[k]);
        }
        let empty = self.free[plan.kinds.len()];
        for mover in &forward.movers {
            let Man {
                slot,
                kind,
                promoted,
            } = mover.man;
            let ways = &universe.other_moves.quiet[role(kind, promoted)];
            self.step(&mover.step, slot, ways, &empty, out);
            if let Some(promotion) = &mover.promotion {
                let ways = &universe.other_moves.promoting[kind];
                self.step(promotion, slot, ways, &empty, out);
            }
        }
        for (kind, drop) in &forward.drops {
            let drops = universe.other_moves.drops[*kind];
            let mut rest = empty.map(|empty| empty & drops);
            loop {
                let lanes = rest.nonzero(self.instructions) as u32 & self.active;
                if lanes == 0 {
                    break;
                }
                self.placements.0[MOVED] = rest.map(|rest| rest & rest.wrapping_neg());
                self.emit(drop, lanes, out);
                rest = rest.map(|rest| rest & rest.wrapping_sub(1));
            }
        }
        self.play_royal(&forward.royal, &empty, out);
    }

    /// Appends the successors after steps of the man in a slot.
    #[inline(always)]
    fn step(
        &mut self,
        sort: &ForwardSort,
        slot: usize,
        ways: &[Way],
        empty: &Lanes,
        out: &mut Vec<u64>,
    ) {
        for way in ways {
            let to = way.reached(&self.placements.0[slot]);
            self.placements.0[MOVED] = to;
            self.emit(&sort.plain, self.meet(&to, empty), out);
            if self.meet(&to, &self.targets) & self.active != 0 {
                for (target, capture) in &sort.captures {
                    self.emit(capture, self.meet(&to, &self.placements.0[*target]), out);
                }
            }
        }
    }

    /// Appends the successors of those of some lanes that are in use, after a move that is not the
    /// royal's.
    #[inline(always)]
    fn emit(&mut self, numbering: &Numbering, lanes: u32, out: &mut Vec<u64>) {
        let lanes = lanes & self.active;
        if lanes == 0 {
            return;
        }
        let first = usize::from(numbering.first);
        let digits = numbering.digits(&self.forward.digits);
        let (codes, _) = self
            .placements
            .number(digits, &self.codes[first], &self.free[first]);
        let class = &self.universe.ranked().classes[numbering.class as usize];
        let base = class.base + u64::from(self.orientation.pair) * u64::from(class.size);
        self.reached.moves += u64::from(lanes.count_ones());
        push(base, &codes, lanes, out);
    }

    /// Appends the successors after the royal's moves.
    #[inline(always)]
    fn play_royal(&mut self, sort: &ForwardSort, empty: &Lanes, out: &mut Vec<u64>) {
        let ranked = self.universe.ranked();
        let [own_royal, other_royal] = self.royals;
        let mut mirrored = None;
        for to in each(ranked.steps.other_attacks[0][usize::from(other_royal)]) {
            let to_lanes = Lanes::splat(one(to));
            let quiet = self.meet(&to_lanes, empty) & self.active;
            let taking = self.meet(&to_lanes, &self.targets) & self.active;
            if quiet | taking == 0 {
                continue;
            }
            self.reached.moves += u64::from((quiet | taking).count_ones());

            let royals = [own_royal, to];
            let decided = ranked.orientation(royals).pair == NO_PAIR;
            let pairs = if decided {
                &self.universe.decided
            } else {
                &ranked.pairs
            };
            let orientation = pairs.orientation(royals);
            let pair = usize::from(orientation.pair);
            let free = Lanes::splat(ranked.free_of_royals(pairs[pair]));
            // Where only the successor has a second rank, its mirror image is reached too.
            let both = orientation.centred && !self.orientation.centred;
            for flip in [false, true] {
                if flip != orientation.flip && !both {
                    continue;
                }
                if flip && mirrored.is_none() {
                    mirrored = Some(self.placements.mirrored(ranked));
                }
                let placements = match &mirrored {
                    Some(mirrored) if flip => mirrored,
                    _ => &self.placements,
                };
                let arrivals = Arrivals {
                    universe: self.universe,
                    digits: &self.forward.digits,
                    placements,
                    decided,
                    pair,
                    free,
                };
                arrivals.emit(&sort.plain, quiet, out);
                if taking == 0 {
                    continue;
                }
                for (target, capture) in &sort.captures {
                    let lanes = self.meet(&to_lanes, &self.placements.0[*target]) & taking;
                    arrivals.emit(capture, lanes, out);
                }
            }
        }
    }
}

/// Positions after the royal's move, in their own orientation.
struct Arrivals<'a> {
    universe: &'a CompleteUniverse,
    digits: &'a [Digit],
    placements: &'a Placements<u32, LANES>,
    /// Whether their pair is one of the decided ones.
    decided: bool,
    pair: usize,
    free: Lanes,
}

impl Arrivals<'_> {
    /// Appends the successors of some lanes.
    #[inline(always)]
    fn emit(&self, numbering: &Numbering, lanes: u32, out: &mut Vec<u64>) {
        if lanes != 0 {
            let placements = self.placements;
            let digits = numbering.digits(self.digits);
            let (codes, _) = placements.number(digits, &Lanes::ZERO, &self.free);
            let first = self
                .universe
                .first(self.decided, numbering.class as usize, self.pair);
            push(first, &codes, lanes, out);
        }
    }
}

/// Appends the ranks of some lanes, their codes behind the first rank of a class and pair.
#[inline(always)]
fn push(first: u64, codes: &Lanes, lanes: u32, out: &mut Vec<u64>) {
    let rank = |lane: Square| first.wrapping_add(codes.0[usize::from(lane) % LANES].into());
    out.extend(each(lanes).map(rank));
}
