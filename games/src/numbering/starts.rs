//! **Starts** of a segment by attack logic: wins in one, and how many moves do not lose at once.
//!
//! Pieces only step, so no move opens a line, and the moves that keep the other side from winning
//! in one have a closed form: out of check all of them, in check by one piece its captures, always
//! the royal's moves to squares that are not attacked. Only where the other royal stands one step
//! before its try must every move be looked at.
//!
//! The codes of a segment are walked group by group. As soon as a group attacks the other royal,
//! all codes behind it are wins in one, whatever the later groups are. The last one or two pieces
//! are not walked: their codes are worked on side by side, in lanes.

use super::batch::Way;
use super::lanes::{Divisor, LANES, Lanes, nth_place, pair_places};
use super::layout::{BOARD_STATES, OTHER, OWN_HAND, PROMOTED};
use super::ranked::{MAX_NUMBERED, RankedUniverse, STUCK};
use super::subsets::{subsets, unrank_subset};
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
    /// Placings of this group.
    codes: u32,
    /// Codes behind one placing of this group.
    behind: u32,
}

const MAX_STAGES: usize = MAX_NUMBERED * BOARD_STATES;

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
    stages: [Stage; MAX_STAGES],
    stage_count: usize,
    /// The stages that are walked; those behind are worked on in lanes.
    walked: usize,
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
            stages: [Stage::default(); MAX_STAGES],
            stage_count: 0,
            walked: 0,
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
                let codes = subsets(squares, group.count);
                behind /= codes;
                squares -= u32::from(group.count);
                let state = usize::from(group.state);
                walk.stages[walk.stage_count] = Stage {
                    kind: kind.kind,
                    promoted: state % OTHER == PROMOTED,
                    own: state < OTHER,
                    count: group.count,
                    codes,
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
        walk.walked = walk.stage_count - walk.stages_in_lanes();
        walk.run(&placed, &mut emit);
    }
}

impl Walk<'_> {
    /// How many of the last stages are worked on in lanes: those of the last two pieces. None
    /// where every move must be looked at.
    fn stages_in_lanes(&self) -> usize {
        let stages = &self.stages[..self.stage_count];
        match stages {
            _ if self.other_tries != 0 => 0,
            [.., Stage { count: 2, .. }] => 1,
            [.., Stage { count: 1, .. }, Stage { count: 1, .. }] => 2,
            [.., Stage { count: 1, .. }] => 1,
            _ => 0,
        }
    }

    /// Places the groups one by one, in the order of the codes. A loop and no recursion, so that
    /// all of it is compiled for the same processor.
    #[inline(always)]
    fn run(&self, start: &Placed, emit: &mut impl FnMut(u32, Start)) {
        let steps = &self.universe.steps;
        let mut placed = [*start; MAX_STAGES + 1];
        let mut next = [0; MAX_STAGES + 1];
        let mut stage = 0;
        loop {
            let here = placed[stage];
            if stage == self.walked {
                if stage == self.stage_count {
                    emit(1, self.start(&here));
                } else {
                    self.start_in_lanes(&here, emit);
                }
            } else if next[stage] < self.stages[stage].codes {
                let Stage {
                    kind,
                    promoted,
                    own,
                    count,
                    behind,
                    ..
                } = self.stages[stage];
                let role = role(kind, promoted);
                let squares = unrank_subset(here.free, next[stage], count);
                next[stage] += 1;
                let after = &mut placed[stage + 1];
                *after = here;
                after.free &= !squares;
                if own {
                    if squares & steps.attackers[role][self.other_royal] != 0 {
                        emit(behind, Start::Decided(Value::Win(1)));
                        continue;
                    }
                    after.own |= squares;
                    let mut rest = squares;
                    while rest != 0 {
                        after.men[after.men_count % MAX_SQUARES] = Man {
                            square: rest.trailing_zeros() as Square,
                            kind: kind as u8,
                            promoted,
                        };
                        after.men_count += 1;
                        rest &= rest - 1;
                    }
                } else {
                    after.other |= squares;
                    after.checkers |= squares & steps.other_attackers[role][self.own_royal];
                    let mut rest = squares;
                    while rest != 0 {
                        let square = rest.trailing_zeros() as usize % MAX_SQUARES;
                        after.attacked |= steps.other_attacks[role][square];
                        rest &= rest - 1;
                    }
                }
                stage += 1;
                continue;
            }
            next[stage] = 0;
            match stage.checked_sub(1) {
                Some(before) => stage = before,
                None => return,
            }
        }
    }

    /// The starts of all placings of the last one or two pieces.
    #[inline(always)]
    fn start_in_lanes(&self, placed: &Placed, emit: &mut impl FnMut(u32, Start)) {
        let steps = &self.universe.steps;
        let squares = self.universe.game().board().len();
        let stages = &self.stages[self.walked..self.stage_count];
        let total: u32 = stages.iter().map(|stage| stage.codes).product();
        let base = self.moves_of_men(placed);
        let mut first = 0;
        while first < total {
            // Lanes behind the last code repeat it.
            let mut rest = Lanes::ZERO;
            for (lane, code) in rest.0.iter_mut().enumerate() {
                *code = first.wrapping_add(lane as u32).min(total - 1);
            }
            let mut free = Lanes::splat(placed.free);
            let mut own = Lanes::splat(placed.own);
            let mut other = Lanes::splat(placed.other);
            let mut attacked = Lanes::splat(placed.attacked);
            let mut checkers = Lanes::splat(placed.checkers);
            let mut wins = Lanes::ZERO;
            let mut groups = [Lanes::ZERO; 2];
            for (index, stage) in stages.iter().enumerate() {
                let role = role(stage.kind, stage.promoted);
                let digit = if stage.behind == 1 {
                    rest
                } else {
                    let (digit, behind) = Divisor::new(stage.behind, total).divide(&rest);
                    rest = behind;
                    digit
                };
                let group = if stage.count == 2 {
                    let (low, high) = pair_places(&digit, free.0[0].count_ones());
                    let low = nth_place(&free, &low, squares);
                    let high = nth_place(&free, &high, squares);
                    low.zip(&high, |low, high| {
                        1u32.wrapping_shl(low) | 1u32.wrapping_shl(high)
                    })
                } else {
                    nth_place(&free, &digit, squares).map(|place| 1u32.wrapping_shl(place))
                };
                free = free.zip(&group, |free, group| free & !group);
                if stage.own {
                    let attackers = steps.attackers[role][self.other_royal];
                    own = own.zip(&group, |own, group| own | group);
                    wins = wins.zip(&group, |wins, group| wins | group & attackers);
                } else {
                    let attackers = steps.other_attackers[role][self.own_royal];
                    other = other.zip(&group, |other, group| other | group);
                    checkers = checkers.zip(&group, |set, group| set | group & attackers);
                    for way in &self.universe.ways.other[role] {
                        let reached = way.reached(&group);
                        attacked = attacked.zip(&reached, |set, reached| set | reached);
                    }
                }
                groups[index] = group;
            }

            let royal_steps = steps.attacks[0][self.own_royal];
            let try_rank = steps.try_rank;
            let mut moves = Lanes::ZERO;
            // What men may move to: nothing in a double check.
            let mut targets = Lanes::ZERO;
            let own_royal = one(self.own_royal as Square);
            for lane in 0..LANES {
                let royal_moves = royal_steps & !own.0[lane] & !attacked.0[lane];
                moves.0[lane] = royal_moves.count_ones();
                wins.0[lane] |= royal_moves & try_rank;
                let checker = checkers.0[lane];
                let single = if checker & checker.wrapping_sub(1) == 0 {
                    checker
                } else {
                    0
                };
                targets.0[lane] = if checker == 0 {
                    !own.0[lane] & !own_royal
                } else {
                    single
                };
            }
            for (kind, &in_hand) in self.universe.kinds.iter().zip(&self.hand) {
                if in_hand {
                    let drops = steps.drops[kind.kind];
                    for lane in 0..LANES {
                        let dropped = (drops & free.0[lane]).count_ones();
                        let quiet = checkers.0[lane] == 0;
                        moves.0[lane] = moves.0[lane].wrapping_add(if quiet { dropped } else { 0 });
                    }
                }
            }
            for &reached in &base.reached[..base.count] {
                for lane in 0..LANES {
                    let count = (reached & targets.0[lane]).count_ones();
                    moves.0[lane] = moves.0[lane].wrapping_add(count);
                }
            }
            for (stage, group) in stages.iter().zip(&groups) {
                if !stage.own {
                    continue;
                }
                let quiet = &self.universe.ways.quiet[role(stage.kind, stage.promoted)];
                let promoting: &[Way] = if stage.promoted {
                    &[]
                } else {
                    &self.universe.ways.promoting[stage.kind]
                };
                for way in quiet.iter().chain(promoting) {
                    let reached = way.reached(group);
                    for lane in 0..LANES {
                        let count = (reached.0[lane] & targets.0[lane]).count_ones();
                        moves.0[lane] = moves.0[lane].wrapping_add(count);
                    }
                }
            }
            let lanes = (total - first).min(LANES as u32) as usize;
            for (&win, &moves) in wins.0.iter().zip(&moves.0).take(lanes) {
                emit(
                    1,
                    match (win, moves) {
                        (0, 0) => Start::Decided(STUCK),
                        (0, moves) => Start::Open(moves),
                        _ => Start::Decided(Value::Win(1)),
                    },
                );
            }
            first += LANES as u32;
        }
    }

    /// The squares that the men placed so far reach, one set for each man and each choice of
    /// promotion.
    #[inline(always)]
    fn moves_of_men(&self, placed: &Placed) -> Reached {
        let steps = &self.universe.steps;
        let mut result = Reached {
            reached: [0; 2 * MAX_SQUARES],
            count: 0,
        };
        for man in &placed.men[..placed.men_count] {
            let kind = usize::from(man.kind);
            let square = usize::from(man.square);
            result.reached[result.count] = steps.quiet_to[role(kind, man.promoted)][square];
            result.count += 1;
            let promoting = steps.promoting_to[kind][square];
            if !man.promoted && promoting != 0 {
                result.reached[result.count] = promoting;
                result.count += 1;
            }
        }
        result
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

/// Sets of squares that men reach.
struct Reached {
    reached: [Squares; 2 * MAX_SQUARES],
    count: usize,
}
