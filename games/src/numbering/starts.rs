//! **Starts** of a segment by attack logic: wins in one, and how many moves do not lose at once.
//!
//! Pieces only step, so no move opens a line, and the moves that keep the other side from winning
//! in one have a closed form: out of check all of them, in check by one piece its captures, always
//! the royal's moves to squares that are not attacked. Only where the other royal stands one step
//! before its try must every move be looked at.
//!
//! The codes of a segment are walked group by group. As soon as a group attacks the other royal,
//! all codes behind it are wins in one, whatever the later groups are.

use super::layout::{BOARD_STATES, OTHER, OWN_HAND, PROMOTED};
use super::ranked::{MAX_NUMBERED, RankedUniverse, STUCK};
use super::subsets::{for_each_subset, subsets};
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::game::role;
use crate::universe::Start;
use crate::value::Value;

/// One group of pieces on the board.
#[derive(Clone, Copy, Default)]
struct Stage {
    /// The kind in the game.
    kind: usize,
    promoted: bool,
    own: bool,
    count: u8,
    /// Codes behind one placing of this group.
    behind: u32,
}

/// The pieces placed so far.
#[derive(Clone, Copy)]
struct Placed {
    free: Squares,
    own: Squares,
    other: Squares,
    /// Squares the other side attacks.
    attacked: Squares,
    /// The other side's men that attack the mover's royal.
    checkers: Squares,
    /// The mover's men.
    men: [Man; MAX_SQUARES],
    men_count: usize,
}

#[derive(Clone, Copy, Default)]
struct Man {
    square: Square,
    kind: u8,
    promoted: bool,
}

/// A segment's walk.
struct Walk<'a> {
    universe: &'a RankedUniverse,
    stages: [Stage; MAX_NUMBERED * BOARD_STATES],
    stage_count: usize,
    own_royal: usize,
    other_royal: usize,
    /// Kinds in the mover's hand.
    hand: [bool; MAX_NUMBERED],
    /// Squares on which the other royal would try by its next move.
    other_tries: Squares,
}

impl RankedUniverse {
    /// Calls back with runs of equal starts, in the order of the codes of a segment.
    #[inline(always)]
    pub(crate) fn for_each_start(&self, segment: u32, mut emit: impl FnMut(u32, Start)) {
        let (class, pair) = self.class_and_pair(segment);
        let class = &self.classes[class];
        if class.size == 0 {
            return;
        }
        let royals = self.pairs[pair];
        let [own_royal, other_royal] = royals.map(usize::from);
        let free = self.game().board().all() & !one(royals[0]) & !one(royals[1]);
        let mut walk = Walk {
            universe: self,
            stages: [Stage::default(); MAX_NUMBERED * BOARD_STATES],
            stage_count: 0,
            own_royal,
            other_royal,
            hand: [false; MAX_NUMBERED],
            other_tries: self.steps.other_attacks[0][other_royal] & self.steps.other_try_rank,
        };
        let mut squares = free.count_ones();
        let mut behind = class.size;
        for (k, kind) in self.kinds.iter().enumerate() {
            let layout = kind.layouts.get(class.layouts[k]);
            walk.hand[k] = layout.counts[OWN_HAND] > 0;
            for group in layout.groups() {
                behind /= subsets(squares, group.count);
                squares -= u32::from(group.count);
                let state = usize::from(group.state);
                walk.stages[walk.stage_count] = Stage {
                    kind: kind.kind,
                    promoted: state % OTHER == PROMOTED,
                    own: state < OTHER,
                    count: group.count,
                    behind,
                };
                walk.stage_count += 1;
            }
        }
        let placed = Placed {
            free,
            own: 0,
            other: 0,
            attacked: self.steps.other_attacks[0][other_royal],
            checkers: 0,
            men: [Man::default(); MAX_SQUARES],
            men_count: 0,
        };
        walk.place(0, &placed, &mut emit);
    }
}

impl Walk<'_> {
    /// Places the groups from `stage` on.
    fn place(&self, stage: usize, placed: &Placed, emit: &mut impl FnMut(u32, Start)) {
        if stage == self.stage_count {
            emit(1, self.start(placed));
            return;
        }
        let steps = &self.universe.steps;
        let Stage {
            kind,
            promoted,
            own,
            count,
            behind,
        } = self.stages[stage];
        let role = role(kind, promoted);
        if own {
            let attackers = steps.attackers[role][self.other_royal];
            let mut after = *placed;
            for_each_subset(placed.free, count, |squares| {
                if squares & attackers != 0 {
                    emit(behind, Start::Decided(Value::Win(1)));
                    return;
                }
                after.free = placed.free & !squares;
                after.own = placed.own | squares;
                after.men_count = placed.men_count;
                for square in each(squares) {
                    after.men[after.men_count] = Man {
                        square,
                        kind: kind as u8,
                        promoted,
                    };
                    after.men_count += 1;
                }
                self.place(stage + 1, &after, emit);
            });
        } else {
            let checkers = steps.other_attackers[role][self.own_royal];
            let mut after = *placed;
            for_each_subset(placed.free, count, |squares| {
                after.free = placed.free & !squares;
                after.other = placed.other | squares;
                after.checkers = placed.checkers | squares & checkers;
                after.attacked = placed.attacked;
                for square in each(squares) {
                    after.attacked |= steps.other_attacks[role][usize::from(square)];
                }
                self.place(stage + 1, &after, emit);
            });
        }
    }

    /// The start with all pieces placed, none of which attacks the other royal.
    #[inline(always)]
    fn start(&self, placed: &Placed) -> Start {
        let steps = &self.universe.steps;
        let royal_moves = steps.attacks[0][self.own_royal] & !placed.own & !placed.attacked;
        if royal_moves & steps.try_rank != 0 {
            return Start::Decided(Value::Win(1));
        }
        let moves = if self.other_tries != 0 {
            self.moves_that_stop_the_try(placed, royal_moves)
        } else {
            self.moves(placed, royal_moves)
        };
        match moves {
            0 => Start::Decided(STUCK),
            moves => Start::Open(moves),
        }
    }

    /// The moves after which the mover's royal is not attacked.
    #[inline(always)]
    fn moves(&self, placed: &Placed, royal_moves: Squares) -> u32 {
        let steps = &self.universe.steps;
        let mut moves = royal_moves.count_ones();
        let men = &placed.men[..placed.men_count];
        let checkers = placed.checkers;
        if checkers & checkers.wrapping_sub(1) != 0 {
            return moves;
        }
        let targets = if checkers == 0 {
            for (kind, &in_hand) in self.universe.kinds.iter().zip(&self.hand) {
                if in_hand {
                    moves += (steps.drops[kind.kind] & placed.free).count_ones();
                }
            }
            !placed.own
        } else {
            checkers
        };
        // The royals are no targets: the mover's own, and the other one is not attacked.
        let targets = targets & !one(self.own_royal as Square);
        for man in men {
            let kind = usize::from(man.kind);
            let square = usize::from(man.square);
            moves += (steps.quiet_to[role(kind, man.promoted)][square] & targets).count_ones();
            if !man.promoted {
                moves += (steps.promoting_to[kind][square] & targets).count_ones();
            }
        }
        moves
    }

    /// The same where the other royal stands one step before its try: the moves after which, too,
    /// every square it could try on is attacked.
    fn moves_that_stop_the_try(&self, placed: &Placed, royal_moves: Squares) -> u32 {
        let steps = &self.universe.steps;
        let men = &placed.men[..placed.men_count];
        let attacks = |man: &Man| {
            steps.attacks[role(usize::from(man.kind), man.promoted)][usize::from(man.square)]
        };
        let royal_attacks = |square: usize| steps.attacks[0][square];
        // The other royal may go where no man of its own stands; a man taken there opens the square.
        let stopped = |taken: Squares, attacked: Squares| {
            self.other_tries & !(placed.other & !taken) & !attacked == 0
        };
        let by_men = men.iter().fold(0, |set, man| set | attacks(man));
        let mut moves = 0;
        for to in each(royal_moves) {
            moves += u32::from(stopped(one(to), by_men | royal_attacks(usize::from(to))));
        }
        let checkers = placed.checkers;
        if checkers & checkers.wrapping_sub(1) != 0 {
            return moves;
        }
        let by_royal = royal_attacks(self.own_royal);
        let mut targets = !placed.own & !one(self.own_royal as Square);
        if checkers == 0 {
            for (kind, &in_hand) in self.universe.kinds.iter().zip(&self.hand) {
                if in_hand {
                    for to in each(steps.drops[kind.kind] & placed.free) {
                        let by_drop = steps.attacks[role(kind.kind, false)][usize::from(to)];
                        moves += u32::from(stopped(0, by_men | by_royal | by_drop));
                    }
                }
            }
        } else {
            targets = checkers;
        }
        for (index, man) in men.iter().enumerate() {
            let kind = usize::from(man.kind);
            let square = usize::from(man.square);
            let by_rest = men
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != index)
                .fold(by_royal, |set, (_, man)| set | attacks(man));
            let mut count = |to_squares: Squares, promoted: bool| {
                for to in each(to_squares & targets) {
                    let arrived = steps.attacks[role(kind, promoted)][usize::from(to)];
                    moves += u32::from(stopped(one(to), by_rest | arrived));
                }
            };
            count(
                steps.quiet_to[role(kind, man.promoted)][square],
                man.promoted,
            );
            if !man.promoted {
                count(steps.promoting_to[kind][square], true);
            }
        }
        moves
    }
}
