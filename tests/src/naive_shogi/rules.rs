//! The **rules**: how pieces go, which moves are legal, and which placements.

use super::NaiveShogi;
use super::placement::{Man, Placement};

/// A move, by where the piece comes from, or by the letter of a piece in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Step {
        from: (i32, i32),
        to: (i32, i32),
        promotes: bool,
    },
    Drop {
        letter: u8,
        to: (i32, i32),
    },
}

pub(super) fn is_pawn_drop(mv: &Move) -> bool {
    matches!(mv, Move::Drop { letter: b'P', .. })
}

/// Why a position can't stand on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The kings stand next to each other.
    AdjacentKings,
    /// A pawn stands on its last rank.
    DeadPawn,
    /// Two pawns of a side stand on a file.
    DoubledPawns,
    /// The side that is not to move is in check.
    OutOfTurn,
}

impl NaiveShogi {
    /// Every legal move, and the placement after it.
    pub(super) fn moves_of(&self, placement: &Placement) -> Vec<(Move, Placement)> {
        let side = placement.sente_to_move;
        let mut moves = Vec::new();
        for (man, from) in self.men(placement).filter(|(man, _)| man.sente == side) {
            for to in self.squares() {
                if self.reaches(placement, man, from, to) {
                    for promotes in [false, true] {
                        moves.extend(self.step(placement, man, (from, to), promotes));
                    }
                }
            }
        }
        let drops = self.drops_of(placement).into_iter();
        moves.extend(drops.filter(|(mv, child)| !is_pawn_drop(mv) || !self.is_mate(child)));
        moves.retain(|(_, child)| !self.can_be_taken(child, side));
        moves
    }

    /// A step of a man to a square that it reaches, if it may make it; its king may be left in check.
    fn step(
        &self,
        placement: &Placement,
        man: Man,
        (from, to): ((i32, i32), (i32, i32)),
        promotes: bool,
    ) -> Option<(Move, Placement)> {
        let side = man.sente;
        let taken = self.at(placement, to);
        if taken.is_some_and(|taken| taken.sente == side) {
            return None;
        }
        let in_zone = |(_, y): (i32, i32)| (y - self.last_rank(side)).abs() < self.zone;
        if promotes {
            let may = !man.promoted && !b"KG".contains(&man.letter);
            if !may || !(in_zone(from) || in_zone(to)) {
                return None;
            }
        } else if man == Man::plain(side, b'P') && to.1 == self.last_rank(side) {
            return None;
        }
        let mut child = *placement;
        child.sente_to_move = !side;
        child.board[self.index(from)] = None;
        child.board[self.index(to)] = Some(Man {
            promoted: man.promoted || promotes,
            ..man
        });
        if let Some(held) = taken.and_then(|taken| self.held(taken.letter)) {
            child.hands[usize::from(!side)][held] += 1;
        }
        Some((Move::Step { from, to, promotes }, child))
    }

    /// The drops; pawns may mate by them, and the king may be left in check.
    pub(super) fn drops_of(&self, placement: &Placement) -> Vec<(Move, Placement)> {
        let side = placement.sente_to_move;
        let mut drops = Vec::new();
        for (held, letter) in self.letters.bytes().enumerate() {
            if placement.hands[usize::from(!side)][held] == 0 {
                continue;
            }
            let man = Man::plain(side, letter);
            for to in self.squares() {
                let forbidden = letter == b'P'
                    && (to.1 == self.last_rank(side) || self.pawns_on(placement, side, to.0) > 0);
                if self.at(placement, to).is_some() || forbidden {
                    continue;
                }
                let mut child = *placement;
                child.sente_to_move = !side;
                child.hands[usize::from(!side)][held] -= 1;
                child.board[self.index(to)] = Some(man);
                drops.push((Move::Drop { letter, to }, child));
            }
        }
        drops
    }

    /// A side's unpromoted pawns on a file.
    fn pawns_on(&self, placement: &Placement, sente: bool, x: i32) -> usize {
        let pawn = Man::plain(sente, b'P');
        let men = self.men(placement);
        men.filter(|&(man, at)| man == pawn && at.0 == x).count()
    }

    pub(super) fn is_check(&self, placement: &Placement) -> bool {
        self.can_be_taken(placement, placement.sente_to_move)
    }

    pub(super) fn is_mate(&self, placement: &Placement) -> bool {
        self.is_check(placement) && self.moves_of(placement).is_empty()
    }

    /// Whether a side's king stands where a piece of the other side goes.
    pub(super) fn can_be_taken(&self, placement: &Placement, sente: bool) -> bool {
        self.king(placement, sente).is_some_and(|king| {
            let mut others = self.men(placement).filter(|(man, _)| man.sente != sente);
            others.any(|(man, from)| self.reaches(placement, man, from, king))
        })
    }

    /// What is wrong with a placement.
    pub(super) fn faults_of(&self, placement: &Placement) -> Vec<Fault> {
        let mut faults = Vec::new();
        let [sente, gote] = [true, false].map(|sente| self.king(placement, sente));
        if let (Some((x, y)), Some((other_x, other_y))) = (sente, gote)
            && (x - other_x).abs() <= 1
            && (y - other_y).abs() <= 1
        {
            faults.push(Fault::AdjacentKings);
        }
        for sente in [true, false] {
            let pawn = Man::plain(sente, b'P');
            let pawns = || self.men(placement).filter(|(man, _)| *man == pawn);
            if pawns().any(|(_, (_, y))| y == self.last_rank(sente)) {
                faults.push(Fault::DeadPawn);
            }
            if pawns().any(|(_, (x, _))| self.pawns_on(placement, sente, x) > 1) {
                faults.push(Fault::DoubledPawns);
            }
        }
        if self.can_be_taken(placement, !placement.sente_to_move) {
            faults.push(Fault::OutOfTurn);
        }
        faults
    }

    /// Whether a man on a square goes to another one, whatever stands there.
    fn reaches(&self, placement: &Placement, man: Man, from: (i32, i32), to: (i32, i32)) -> bool {
        let right = to.0 - from.0;
        let forward = if man.sente {
            from.1 - to.1
        } else {
            to.1 - from.1
        };
        let distance = right.abs().max(forward.abs());
        let one_away = distance == 1;
        let straight = (right == 0) != (forward == 0);
        let diagonal = right.abs() == forward.abs() && right != 0;
        let clear = || {
            (1..distance).all(|n| {
                let (x, y) = (to.0 - from.0, to.1 - from.1);
                let between = (from.0 + x.signum() * n, from.1 + y.signum() * n);
                self.at(placement, between).is_none()
            })
        };
        let gold = one_away && (straight || forward == 1);
        match (man.letter, man.promoted) {
            (b'K', _) => one_away,
            (b'G', _) | (b'S' | b'P', true) => gold,
            (b'S', false) => one_away && (diagonal || (right, forward) == (0, 1)),
            (b'P', false) => (right, forward) == (0, 1),
            (b'R', promoted) => straight && clear() || promoted && one_away,
            (b'B', promoted) => diagonal && clear() || promoted && one_away,
            (letter, _) => panic!("{} is no piece", char::from(letter)),
        }
    }
}
