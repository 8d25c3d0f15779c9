//! **Starts** of a segment by attack logic: wins in one, and how many moves do not lose at once.
//!
//! Pieces only step, so no move opens a line, and the moves that keep the other side from winning
//! in one have a closed form: out of check all of them, in check by one piece its captures, always
//! the royal's moves to squares that are not attacked. Only where the other royal stands one step
//! before its try must every move be looked at.
//!
//! The codes of a segment are walked group by group. As soon as a group attacks the other royal,
//! all codes behind it are wins in one, whatever the later groups are. The last pieces, up to three,
//! are not walked: all their placings are worked on side by side (see `tail`).

use super::layout::{BOARD_STATES, OTHER, OWN_HAND, PROMOTED};
use super::ranked::{MAX_NUMBERED, RankedUniverse};
use super::subsets::{subsets, unrank_subset};
use super::tail::Tail;
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::game::role;
use crate::instructions::Instructions;
use crate::universe::Starts;

/// One group of pieces on the board.
#[derive(Clone, Copy, Default)]
pub(super) struct Stage {
    /// The kind in the game.
    pub(super) kind: usize,
    pub(super) promoted: bool,
    pub(super) own: bool,
    pub(super) count: u8,
    /// Placings of this group.
    pub(super) codes: u32,
    /// Codes behind one placing of this group.
    pub(super) behind: u32,
    /// The first of the places of its men among the mover's.
    first_man: usize,
}

const MAX_STAGES: usize = MAX_NUMBERED * BOARD_STATES;

/// What the pieces placed so far come to.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) free: Squares,
    pub(super) own: Squares,
    pub(super) other: Squares,
    /// Squares the other side attacks.
    pub(super) attacked: Squares,
    /// The other side's men that attack the mover's royal.
    pub(super) checkers: Squares,
}

/// One of the mover's men.
#[derive(Clone, Copy, Default)]
pub(super) struct Man {
    pub(super) square: Square,
    pub(super) kind: u8,
    pub(super) promoted: bool,
}

impl Man {
    /// The squares it attacks.
    #[inline(always)]
    pub(super) fn attacks(&self, universe: &RankedUniverse) -> Squares {
        let role = role(usize::from(self.kind), self.promoted);
        universe.steps.attacks[role][usize::from(self.square)]
    }

    /// The squares it may move to, as it is and by promoting.
    #[inline(always)]
    pub(super) fn moves(&self, universe: &RankedUniverse) -> [Squares; 2] {
        let (kind, square) = (usize::from(self.kind), usize::from(self.square));
        let quiet = universe.steps.quiet_to[role(kind, self.promoted)][square];
        let promoting = universe.steps.promoting_to[kind][square];
        [quiet, if self.promoted { 0 } else { promoting }]
    }
}

/// What all positions of a segment share.
pub(super) struct Common<'a> {
    pub(super) universe: &'a RankedUniverse,
    pub(super) own_royal: usize,
    pub(super) other_royal: usize,
    /// The kinds in the mover's hand, and the squares on which they may be dropped.
    pub(super) drops: Vec<(usize, Squares)>,
    /// Squares on which the other royal would try by its next move.
    pub(super) other_tries: Squares,
}

/// A segment's walk.
struct Walk<'a> {
    common: Common<'a>,
    stages: [Stage; MAX_STAGES],
    /// The stages that are walked; those behind are worked on side by side.
    walked: usize,
    men_count: usize,
}

impl RankedUniverse {
    /// The starts of a segment, one byte a code as in [`Starts::Each`].
    #[inline(always)]
    pub(crate) fn starts_of(
        &self,
        instructions: impl Instructions,
        segment: u32,
        starts: &mut Vec<u8>,
    ) {
        self.starts_with::<true>(instructions, segment, starts);
    }

    /// The same; not `SIDE_BY_SIDE` as the check of the faster.
    #[inline(always)]
    fn starts_with<const SIDE_BY_SIDE: bool>(
        &self,
        instructions: impl Instructions,
        segment: u32,
        starts: &mut Vec<u8>,
    ) {
        let (class, pair) = self.class_and_pair(segment);
        let class = &self.classes[class];
        starts.clear();
        if class.size == 0 {
            return;
        }
        let royals = self.pairs[pair];
        let [own_royal, other_royal] = royals.map(usize::from);
        let free = self.free_of_royals(royals);
        let mut common = Common {
            universe: self,
            own_royal,
            other_royal,
            drops: Vec::new(),
            other_tries: self.steps.other_attacks[0][other_royal] & self.steps.other_try_rank,
        };
        let mut stages = [Stage::default(); MAX_STAGES];
        let mut stage_count = 0;
        let mut men_count = 0;
        let mut squares = free.count_ones();
        let mut behind = class.size;
        for (k, kind) in self.kinds.iter().enumerate() {
            let layout = kind.layouts.get(class.layouts[k]);
            if layout.counts[OWN_HAND] > 0 {
                let drops = self.steps.drops[kind.kind];
                common.drops.push((kind.kind, drops));
            }
            for group in layout.groups() {
                let codes = subsets(squares, group.count);
                behind /= codes;
                squares -= u32::from(group.count);
                let state = usize::from(group.state);
                let own = state < OTHER;
                stages[stage_count] = Stage {
                    kind: kind.kind,
                    promoted: state % OTHER == PROMOTED,
                    own,
                    count: group.count,
                    codes,
                    behind,
                    first_man: men_count,
                };
                stage_count += 1;
                men_count += usize::from(group.count) * usize::from(own);
            }
        }
        let stages_here = &stages[..stage_count];
        let walked = if SIDE_BY_SIDE {
            Tail::walked(stages_here)
        } else {
            stage_count
        };
        let (before, behind) = stages_here.split_at(walked);
        let before: u32 = before.iter().map(|stage| u32::from(stage.count)).sum();
        let tail = Tail::new(self, free.count_ones() - before, behind);
        let walk = Walk {
            common,
            stages,
            walked,
            men_count,
        };
        let placed = Placed {
            free,
            own: 0,
            other: 0,
            attacked: self.steps.other_attacks[0][other_royal],
            checkers: 0,
        };
        // A batch of starts is written at once, more than there are of them at the end.
        starts.resize(class.size as usize + Tail::SLACK, 0);
        let written = walk.run(instructions, &placed, tail.as_ref(), starts);
        debug_assert_eq!(written, class.size as usize);
        starts.truncate(class.size as usize);
    }
}

impl Walk<'_> {
    /// Places the groups one by one, in the order of the codes. A loop and no recursion, so that
    /// all of it is compiled for the same processor.
    #[inline(always)]
    fn run(
        &self,
        instructions: impl Instructions,
        start: &Placed,
        tail: Option<&Tail<'_>>,
        starts: &mut [u8],
    ) -> usize {
        let common = &self.common;
        let steps = &common.universe.steps;
        // The last is kept apart: to read what was just written piece by piece would take long.
        let mut placed = [*start; MAX_STAGES + 1];
        let mut here = *start;
        let mut next = [0; MAX_STAGES + 1];
        let mut men = [Man::default(); MAX_SQUARES];
        let mut at = 0;
        let mut stage = 0;
        loop {
            if stage == self.walked {
                match tail {
                    Some(tail) => {
                        let men = &men[..self.stages[stage].first_man];
                        let room = &mut starts[at..];
                        at += if common.universe.is_narrow() {
                            tail.starts::<u16>(instructions, common, &here, men, room)
                        } else {
                            tail.starts::<u32>(instructions, common, &here, men, room)
                        };
                    }
                    None => {
                        starts[at] = common.start(&here, &men[..self.men_count]);
                        at += 1;
                    }
                }
            } else if next[stage] < self.stages[stage].codes {
                let Stage {
                    kind,
                    promoted,
                    own,
                    count,
                    behind,
                    first_man,
                    ..
                } = self.stages[stage];
                let role = role(kind, promoted);
                let squares = unrank_subset(here.free, next[stage], count);
                next[stage] += 1;
                let mut after = here;
                after.free &= !squares;
                if own {
                    if squares & steps.attackers[role][common.other_royal] != 0 {
                        starts[at..at + behind as usize].fill(Starts::WON);
                        at += behind as usize;
                        continue;
                    }
                    after.own |= squares;
                    let mut rest = squares;
                    let mut man = first_man;
                    while rest != 0 {
                        men[man % MAX_SQUARES] = Man {
                            square: rest.trailing_zeros() as Square,
                            kind: kind as u8,
                            promoted,
                        };
                        man += 1;
                        rest &= rest - 1;
                    }
                } else {
                    after.other |= squares;
                    after.checkers |= squares & steps.other_attackers[role][common.own_royal];
                    let mut rest = squares;
                    while rest != 0 {
                        let square = rest.trailing_zeros() as usize % MAX_SQUARES;
                        after.attacked |= steps.other_attacks[role][square];
                        rest &= rest - 1;
                    }
                }
                stage += 1;
                placed[stage] = after;
                here = after;
                continue;
            }
            next[stage] = 0;
            match stage.checked_sub(1) {
                Some(before) => stage = before,
                None => return at,
            }
            here = placed[stage];
        }
    }
}

impl Common<'_> {
    /// The start with all pieces placed, none of which attacks the other royal.
    fn start(&self, placed: &Placed, men: &[Man]) -> u8 {
        let steps = &self.universe.steps;
        let royal_moves = steps.attacks[0][self.own_royal] & !placed.own & !placed.attacked;
        if royal_moves & steps.try_rank != 0 {
            return Starts::WON;
        }
        let moves = if self.other_tries != 0 {
            self.moves_that_stop_the_try(placed, men, royal_moves)
        } else {
            self.moves(placed, men, royal_moves)
        };
        // Two men of a kind at most, and at most eight steps each: far from the code of a win.
        debug_assert!(moves < u32::from(Starts::WON));
        moves as u8
    }

    /// The moves after which the mover's royal is not attacked.
    fn moves(&self, placed: &Placed, men: &[Man], royal_moves: Squares) -> u32 {
        let mut moves = royal_moves.count_ones();
        let checkers = placed.checkers;
        if checkers & checkers.wrapping_sub(1) != 0 {
            return moves;
        }
        let targets = if checkers == 0 {
            for &(_, drops) in &self.drops {
                moves += (drops & placed.free).count_ones();
            }
            !placed.own
        } else {
            checkers
        };
        // The royals are no targets: the mover's own, and the other one is not attacked.
        let targets = targets & !one(self.own_royal as Square);
        for man in men {
            for to in man.moves(self.universe) {
                moves += (to & targets).count_ones();
            }
        }
        moves
    }

    /// The same where the other royal stands one step before its try: the moves after which, too,
    /// every square it could try on is attacked.
    fn moves_that_stop_the_try(&self, placed: &Placed, men: &[Man], royal_moves: Squares) -> u32 {
        let steps = &self.universe.steps;
        let royal_attacks = |square: usize| steps.attacks[0][square];
        // The other royal may go where no man of its own stands; a man taken there opens the square.
        let stopped = |taken: Squares, attacked: Squares| {
            self.other_tries & !(placed.other & !taken) & !attacked == 0
        };
        let by_men = men
            .iter()
            .fold(0, |set, man| set | man.attacks(self.universe));
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
            for &(kind, drops) in &self.drops {
                for to in each(drops & placed.free) {
                    let by_drop = steps.attacks[role(kind, false)][usize::from(to)];
                    moves += u32::from(stopped(0, by_men | by_royal | by_drop));
                }
            }
        } else {
            targets = checkers;
        }
        for (index, man) in men.iter().enumerate() {
            let rest = men
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != index)
                .fold(by_royal, |set, (_, man)| set | man.attacks(self.universe));
            for (to_squares, promoted) in man
                .moves(self.universe)
                .into_iter()
                .zip([man.promoted, true])
            {
                for to in each(to_squares & targets) {
                    let role = role(usize::from(man.kind), promoted);
                    let arrived = steps.attacks[role][usize::from(to)];
                    moves += u32::from(stopped(one(to), rest | arrived));
                }
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::Portable;
    use crate::universe::Universe;

    /// Every position of some small universes: tails of one, two and three pieces, with pairs of like
    /// ones and without, next to tries and without them.
    #[test]
    fn starts_side_by_side_are_those_one_by_one() {
        for name in [
            "dobutsu@3x3:",
            "dobutsu@3x3:ecc",
            "dobutsu@3x3:egc",
            "dobutsu@3x4:gc",
            "dobutsu@3x4:egc",
            "dobutsu@3x3:egcc",
            "dobutsu@3x4:ecc",
            "dobutsu@4x3:cc",
            "dobutsu@3x5:eg",
            "dobutsu@5x3:e",
            "dobutsu@3x3:no-try:gcc",
            "dobutsu@3x3:no-drops:gcc",
            "dobutsu@3x3:no-last-rank-chick-drop:gcc",
        ] {
            let universe: RankedUniverse = name.parse().unwrap();
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            for segment in 0..universe.segments() {
                universe.starts_with::<true>(Portable, segment, &mut fast);
                universe.starts_with::<false>(Portable, segment, &mut slow);
                assert_eq!(fast, slow, "{name}: segment {segment}");
            }
        }
    }
}
