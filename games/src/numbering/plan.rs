//! A **plan**: how the predecessors of one class are numbered, worked out once for the class.
//!
//! In all positions of a class the same pieces are on the board, in the same states; only their
//! squares differ. So which piece may have moved, what it may have taken, the class before the
//! move and the order in which its squares are numbered are the same for all of them, and many
//! positions can be worked on side by side (see `batch`).
//!
//! Pieces are named by *slots*: those on the board in the order in which their squares are coded,
//! then the piece that moved, back where it came from, and the piece that it took.

use super::lanes::Divisor;
use super::layout::{BOARD_STATES, OTHER, OUT, OWN, OWN_HAND, PROMOTED, swapped};
use super::ranked::{Class, MAX_NUMBERED, RankedUniverse};
use super::subsets::subsets;

/// The most pieces of a kind for which there is a plan.
const MAX_LIKE_PIECES: u8 = 2;

/// Slots of the pieces on the board.
pub(crate) const MAX_PIECES: usize = 2 * MAX_NUMBERED;
/// The slot of the piece that moved, before its move.
pub(crate) const MOVED: usize = MAX_PIECES;
/// The slot of the piece that it took.
pub(crate) const TAKEN: usize = MAX_PIECES + 1;
pub(crate) const SLOTS: usize = MAX_PIECES + 2;

/// A group of pieces to be decoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coded {
    /// Divides the code into this group's digit and the rest.
    pub(crate) divisor: Divisor,
    pub(crate) slot: usize,
    /// Whether the group has a second piece, in the next slot.
    pub(crate) pair: bool,
    /// Free squares before this group.
    pub(crate) free: u32,
}

/// One digit of a predecessor's code: the squares of one or two pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    pub(crate) slot: usize,
    pub(crate) other_slot: Option<usize>,
    /// How many values the digit has.
    pub(crate) radix: u32,
}

/// How to number one sort of predecessor.
#[derive(Clone, Debug)]
pub(crate) struct Numbering {
    /// The class of the predecessor.
    pub(crate) class: usize,
    /// The kinds before this one are as in a plain move.
    pub(crate) first: usize,
    /// The digits of the kinds from `first` on.
    pub(crate) digits: Vec<Digit>,
}

/// One sort of last move: what it may have taken gives several numberings.
#[derive(Clone, Debug)]
pub(crate) struct Sort {
    /// The first is of a move that took nothing.
    pub(crate) numberings: Vec<Numbering>,
}

/// A piece that may have made the last move.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub(crate) slot: usize,
    /// Its kind in the game.
    pub(crate) kind: usize,
    pub(crate) promoted: bool,
    /// It stepped and is what it was.
    pub(crate) step: Sort,
    /// It stepped and promoted.
    pub(crate) promotion: Option<Sort>,
    /// It was dropped.
    pub(crate) drop: Option<Numbering>,
}

/// How the predecessors of one class are numbered.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) coded: Vec<Coded>,
    pub(crate) movers: Vec<Mover>,
    pub(crate) royal: Sort,
    /// The digits of a plain predecessor by kind.
    pub(crate) kinds: Vec<Vec<Digit>>,
}

/// A piece on the board: its kind in the numbering, its state (seen by the other side than in the
/// class of the plan) and its slot.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub(super) k: usize,
    pub(super) state: usize,
    pub(super) slot: usize,
}

impl Plan {
    /// The plan of a class; none for an empty class, or if there are more than two like pieces or
    /// too many codes for it.
    pub(crate) fn new(universe: &RankedUniverse, class: &Class) -> Option<Plan> {
        let fits = (0..universe.kinds.len())
            .all(|k| universe.material().count(universe.kinds[k].kind) <= MAX_LIKE_PIECES);
        if !fits || class.size == 0 || class.size > Divisor::MAX_BOUND {
            return None;
        }
        let planner = Planner {
            universe,
            layouts: std::array::from_fn(|k| match universe.kinds.get(k) {
                Some(kind) => kind.layouts.swapped(class.layouts[k]),
                None => 0,
            }),
        };

        let mut coded = Vec::new();
        let mut pieces = Vec::new();
        let mut free = u32::from(universe.game().board().len()) - 2;
        let mut span = class.size;
        for (k, kind) in universe.kinds.iter().enumerate() {
            for group in kind.layouts.get(class.layouts[k]).groups() {
                let bound = span;
                span /= subsets(free, group.count);
                let slot = pieces.len();
                coded.push(Coded {
                    divisor: Divisor::new(span, bound),
                    slot,
                    pair: group.count == 2,
                    free,
                });
                free -= u32::from(group.count);
                pieces.extend((0..usize::from(group.count)).map(|piece| Placed {
                    k,
                    state: swapped(usize::from(group.state)),
                    slot: slot + piece,
                }));
            }
        }

        let mut movers = Vec::new();
        for &piece in &pieces {
            if piece.state >= OTHER {
                continue;
            }
            let rest: Vec<Placed> = pieces
                .iter()
                .copied()
                .filter(|other| other.slot != piece.slot)
                .collect();
            let moved = |state| {
                let mut pieces = rest.clone();
                pieces.push(Placed {
                    state,
                    slot: MOVED,
                    ..piece
                });
                pieces
            };
            let promoted = piece.state == OWN + PROMOTED;
            movers.push(Mover {
                slot: piece.slot,
                kind: universe.kinds[piece.k].kind,
                promoted,
                step: planner.sort(&moved(piece.state), piece.k, &[])?,
                promotion: promoted
                    .then(|| planner.sort(&moved(OWN), piece.k, &[(piece.k, piece.state, OWN)]))
                    .flatten(),
                drop: (!promoted)
                    .then(|| planner.numbering(&rest, piece.k, &[(piece.k, OWN, OWN_HAND)]))
                    .flatten(),
            });
        }
        let royal = planner.sort(&pieces, 0, &[])?;
        let kinds = (0..universe.kinds.len())
            .map(|k| royal.numberings[0].digits_of(&planner, k))
            .collect();
        Some(Plan {
            coded,
            movers,
            royal,
            kinds,
        })
    }
}

impl Numbering {
    /// The numbering of these pieces after changes of states in these layouts, each as (kind, from,
    /// to); none if no piece is in such a state. The kinds before `first` are as in a plain move.
    pub(super) fn new(
        universe: &RankedUniverse,
        layouts: [u16; MAX_NUMBERED],
        pieces: &[Placed],
        first: usize,
        changes: &[(usize, usize, usize)],
    ) -> Option<Numbering> {
        let class = universe.class_after(layouts, changes)?;
        let mut digits = Vec::new();
        let mut free = u32::from(universe.game().board().len()) - 2;
        for k in 0..universe.kinds.len() {
            for state in 0..BOARD_STATES {
                let slots: Vec<usize> = pieces
                    .iter()
                    .filter(|piece| piece.k == k && piece.state == state)
                    .map(|piece| piece.slot)
                    .collect();
                let Some(&slot) = slots.first() else {
                    continue;
                };
                if k >= first {
                    digits.push(Digit {
                        slot,
                        other_slot: slots.get(1).copied(),
                        radix: subsets(free, slots.len() as u8),
                    });
                }
                free -= slots.len() as u32;
            }
        }
        Some(Numbering {
            class,
            first,
            digits,
        })
    }

    /// The digits of one kind, of a numbering that starts with the first kind.
    fn digits_of(&self, planner: &Planner, k: usize) -> Vec<Digit> {
        let groups = |k: usize| {
            let class = &planner.universe.classes[self.class];
            let kind = &planner.universe.kinds[k];
            kind.layouts.get(class.layouts[k]).groups().len()
        };
        let before = (0..k).map(groups).sum();
        self.digits
            .iter()
            .copied()
            .skip(before)
            .take(groups(k))
            .collect()
    }
}

struct Planner<'a> {
    universe: &'a RankedUniverse,
    /// The layouts of the class, seen by the side that just moved.
    layouts: [u16; MAX_NUMBERED],
}

impl Planner<'_> {
    fn numbering(
        &self,
        pieces: &[Placed],
        first: usize,
        changes: &[(usize, usize, usize)],
    ) -> Option<Numbering> {
        Numbering::new(self.universe, self.layouts, pieces, first, changes)
    }

    /// The numberings of a sort of move by kind `k` that left these pieces behind, and changed
    /// states as listed (kind, state now, state before).
    fn sort(&self, pieces: &[Placed], k: usize, changes: &[(usize, usize, usize)]) -> Option<Sort> {
        let universe = self.universe;
        let hand = if universe.game().options().drops {
            OWN_HAND
        } else {
            OUT
        };
        let mut numberings = vec![self.numbering(pieces, k, changes)?];
        for taken in 0..universe.kinds.len() {
            for state in [OTHER, OTHER + PROMOTED] {
                let mut pieces = pieces.to_vec();
                pieces.push(Placed {
                    k: taken,
                    state,
                    slot: TAKEN,
                });
                let mut changes = changes.to_vec();
                changes.push((taken, hand, state));
                numberings.extend(self.numbering(&pieces, k.min(taken), &changes));
            }
        }
        Some(Sort { numberings })
    }
}
