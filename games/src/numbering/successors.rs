//! **Successors** of a rank by forward moves, and what the rules decide of it.
//!
//! This is the plain path: the checker uses nothing else, and the faster starts and unmoves are
//! compared with it.

use super::layout::{
    BOARD_STATES, Masks, OTHER, OTHER_HAND, OUT, OWN, OWN_HAND, PROMOTED, STATES, swapped,
};
use super::pairs::NO_PAIR;
use super::ranked::{MAX_NUMBERED, Placement, RankedUniverse};
use crate::board::{Square, Squares, each, one};
use crate::game::role;

/// A placement after the players have changed roles, in an orientation of the numbering.
struct Turned {
    /// The mover's royal and the other one.
    royals: [Square; 2],
    pair: u16,
    flip: bool,
    masks: [Masks; MAX_NUMBERED],
}

impl RankedUniverse {
    /// All pieces but the royals: the mover's and the other side's.
    #[inline(always)]
    pub(crate) fn men(&self, masks: &[Masks; MAX_NUMBERED]) -> [Squares; 2] {
        let mut men = [0; 2];
        for masks in &masks[..self.kinds.len()] {
            men[0] |= masks[OWN] | masks[OWN + PROMOTED];
            men[1] |= masks[OTHER] | masks[OTHER + PROMOTED];
        }
        men
    }

    /// Squares that the other side attacks, those it guards included.
    #[inline(always)]
    fn attacked_by_other(&self, placement: &Placement) -> Squares {
        let mut attacked = self.steps.other_attacks[0][usize::from(placement.royals[1])];
        for (k, kind) in self.kinds.iter().enumerate() {
            for promoted in [false, true] {
                let state = OTHER + usize::from(promoted) * PROMOTED;
                for square in each(placement.masks[k][state]) {
                    attacked |=
                        self.steps.other_attacks[role(kind.kind, promoted)][usize::from(square)];
                }
            }
        }
        attacked
    }

    /// Whether the mover can take the other royal, or try safely.
    #[inline(always)]
    pub(crate) fn wins_at_once(&self, placement: &Placement) -> bool {
        let other_royal = usize::from(placement.royals[1]);
        for (k, kind) in self.kinds.iter().enumerate() {
            for promoted in [false, true] {
                let state = OWN + usize::from(promoted) * PROMOTED;
                let attackers = self.steps.attackers[role(kind.kind, promoted)][other_royal];
                if placement.masks[k][state] & attackers != 0 {
                    return true;
                }
            }
        }
        self.safe_tries(placement) != 0
    }

    /// The squares on which the mover can try and not be taken.
    #[inline(always)]
    pub(super) fn safe_tries(&self, placement: &Placement) -> Squares {
        let [own, _] = self.men(&placement.masks);
        let tries =
            self.steps.attacks[0][usize::from(placement.royals[0])] & self.steps.try_rank & !own;
        tries & !self.attacked_by_other(placement)
    }

    /// The placement seen by the other side, with the mover's royal on `royal`.
    #[inline(always)]
    fn turned(&self, placement: &Placement, royal: Square) -> Option<Turned> {
        let board = self.game().board();
        let royals = [placement.royals[1], royal].map(|square| board.rotated(square));
        let orientation = self.orientation(royals);
        if orientation.pair == NO_PAIR {
            return None;
        }
        let turn = |squares| {
            let squares = self.rotated(squares);
            if orientation.flip {
                self.mirrored(squares)
            } else {
                squares
            }
        };
        let mut masks = [[0; BOARD_STATES]; MAX_NUMBERED];
        for (k, masks) in masks[..self.kinds.len()].iter_mut().enumerate() {
            for (state, &squares) in placement.masks[k].iter().enumerate() {
                masks[swapped(state)] = turn(squares);
            }
        }
        Some(Turned {
            royals: self.pairs[usize::from(orientation.pair)],
            pair: orientation.pair,
            flip: orientation.flip,
            masks,
        })
    }

    /// The layouts of a placement seen by the other side.
    #[inline(always)]
    fn turned_layouts(&self, placement: &Placement) -> [u16; MAX_NUMBERED] {
        let mut layouts = [0; MAX_NUMBERED];
        for (k, kind) in self.kinds.iter().enumerate() {
            layouts[k] = kind.layouts.swapped(placement.layouts[k]);
        }
        layouts
    }

    /// Calls back with the rank after every move that stays in the universe.
    #[inline(always)]
    pub(crate) fn for_each_successor(&self, placement: &Placement, mut emit: impl FnMut(u64)) {
        let board = self.game().board();
        let [own, other] = self.men(&placement.masks);
        let [own_royal, other_royal] = placement.royals;
        let empty = board.all() & !own & !other & !one(own_royal) & !one(other_royal);
        let turned_layouts = self.turned_layouts(placement);
        let Some(turned) = self.turned(placement, own_royal) else {
            unreachable!("turning a pair of the universe gives a pair of the universe");
        };

        for (k, kind) in self.kinds.iter().enumerate() {
            for promoted in [false, true] {
                let state = usize::from(promoted) * PROMOTED;
                for from in each(placement.masks[k][OWN + state]) {
                    let from_index = usize::from(from);
                    let quiet = self.steps.quiet_to[role(kind.kind, promoted)][from_index];
                    let promoting = if promoted {
                        0
                    } else {
                        self.steps.promoting_to[kind.kind][from_index]
                    };
                    for (targets, after) in [(quiet, state), (promoting, PROMOTED)] {
                        for to in each(targets & (empty | other)) {
                            let step = Piece {
                                k,
                                from: Some((from, OTHER + state)),
                                to: OTHER + after,
                            };
                            let takes = other & one(to) != 0;
                            emit(self.child(
                                placement,
                                &turned,
                                turned_layouts,
                                Some(step),
                                to,
                                takes,
                            ));
                        }
                    }
                }
            }
            if kind.layouts.get(placement.layouts[k]).counts[OWN_HAND] > 0 {
                for to in each(empty & self.steps.drops[kind.kind]) {
                    let drop = Piece {
                        k,
                        from: None,
                        to: OTHER,
                    };
                    emit(self.child(placement, &turned, turned_layouts, Some(drop), to, false));
                }
            }
        }
        for to in each(self.steps.attacks[0][usize::from(own_royal)] & (empty | other)) {
            if let Some(turned) = self.turned(placement, to) {
                let takes = other & one(to) != 0;
                emit(self.child(placement, &turned, turned_layouts, None, to, takes));
            }
        }
    }

    /// The rank after a piece (or the royal, already turned) arrives at a square, where it may take
    /// something.
    #[inline(always)]
    fn child(
        &self,
        placement: &Placement,
        turned: &Turned,
        layouts: [u16; MAX_NUMBERED],
        piece: Option<Piece>,
        to: Square,
        takes: bool,
    ) -> u64 {
        let turn = |square: Square| self.turned_square(square, turned.flip);
        let mut masks = turned.masks;
        let mut layouts = layouts;
        let mut change = |k: usize, from: usize, to: usize| {
            layouts[k] = self.kinds[k]
                .layouts
                .moved(layouts[k], from, to)
                .expect("a piece that moves is in its layout");
        };
        let captor_hand = if self.game().options().drops {
            OTHER_HAND
        } else {
            OUT
        };
        if takes {
            for (k, (masks, before)) in masks.iter_mut().zip(&placement.masks).enumerate() {
                for state in [OTHER, OTHER + PROMOTED] {
                    if before[state] & one(to) != 0 {
                        masks[swapped(state)] ^= turn(to);
                        change(k, swapped(state), captor_hand);
                    }
                }
            }
        }
        if let Some(Piece { k, from, to: state }) = piece {
            match from {
                Some((from, from_state)) => {
                    masks[k][from_state] ^= turn(from);
                    if from_state != state {
                        change(k, from_state, state);
                    }
                }
                None => change(k, OTHER_HAND, state),
            }
            masks[k][state] |= turn(to);
        }
        self.rank_of(&Turned { masks, ..*turned }, layouts)
    }

    /// The rank of a placement that is turned, with these layouts.
    #[inline(always)]
    fn rank_of(&self, turned: &Turned, layouts: [u16; MAX_NUMBERED]) -> u64 {
        let class: u32 = self
            .kinds
            .iter()
            .zip(layouts)
            .map(|(kind, layout)| u32::from(layout) * kind.stride)
            .sum();
        let class = &self.classes[class as usize];
        let free = self.free_of_royals(turned.royals);
        let code = self.encode_from(class, 0, 0, free, &turned.masks);
        class.base + u64::from(turned.pair) * u64::from(class.size) + u64::from(code)
    }

    /// The rank of the same placement with the other side to move.
    #[inline(always)]
    pub(super) fn rank_passed(&self, placement: &Placement) -> u64 {
        let Some(turned) = self.turned(placement, placement.royals[0]) else {
            unreachable!("turning a pair of the universe gives a pair of the universe");
        };
        self.rank_of(&turned, self.turned_layouts(placement))
    }
}

/// A piece that moves, in states of the side that moves next.
struct Piece {
    /// Its kind in the numbering.
    k: usize,
    /// Its square before turning and its state; none for a drop.
    from: Option<(Square, usize)>,
    /// Its state after the move.
    to: usize,
}

const _: () = assert!(STATES > OUT);
