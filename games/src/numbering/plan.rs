//! A **plan**: how the predecessors of one class are numbered, worked out once for the class.
//!
//! In all positions of a class the same pieces are on the board, in the same states; only their
//! squares differ. So which piece may have moved, what it may have taken, the class before the
//! move and the order in which its squares are numbered are the same for all of them, and many
//! positions can be worked on side by side (see `batch`).
//!
//! Pieces are named by *slots*: those on the board in the order in which their squares are coded,
//! then the piece that moved, back where it came from, and the piece that it took.

use super::lanes::{Divisor, NarrowDivisor};
use super::layout::{BOARD_STATES, OTHER, OUT, OWN, OWN_HAND, PROMOTED, swapped};
use super::ranked::{Class, MAX_NUMBERED, RankedUniverse};
use super::subsets::subsets;
use crate::game::role;

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
    /// The same in narrow lanes.
    pub(crate) narrow: Division,
    pub(crate) slot: usize,
    /// Whether the group has a second piece, in the next slot.
    pub(crate) pair: bool,
    /// Free squares before this group.
    pub(crate) free: u32,
}

/// How a code is divided in narrow lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Division {
    /// Not at all: it is too great for them.
    Wide,
    Narrow(NarrowDivisor),
    /// All of it is the digit.
    Last,
}

/// One digit of a predecessor's code: the squares of one or two pieces.
// Small, since plans of all classes are read again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    pub(crate) slot: u8,
    /// The slot of the second piece; that of the first if there is none.
    pub(crate) other_slot: u8,
    /// How many values the digit has.
    pub(crate) radix: u16,
    /// Digits are put together in narrow lanes as far as these hold them. Behind the last of
    /// such a run, the number of values of the run; else 0.
    pub(crate) run: u32,
}

/// How to number one sort of predecessor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbering {
    /// The class of the predecessor.
    pub(crate) class: u32,
    /// The kinds before this one are as in a plain move.
    pub(crate) first: u8,
    digit_count: u8,
    first_digit: u16,
}

impl Numbering {
    /// The digits of the kinds from `first` on, among those of its plan.
    #[inline(always)]
    pub(crate) fn digits<'a>(&self, digits: &'a [Digit]) -> &'a [Digit] {
        let first = usize::from(self.first_digit);
        &digits[first..first + usize::from(self.digit_count)]
    }
}

/// One sort of last move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sort {
    pub(crate) last_move: LastMove,
    first_numbering: u16,
    numbering_count: u16,
}

/// How the last move was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastMove {
    /// The piece in a slot stepped and is in the role that it was in.
    Step { slot: u8, role: u8 },
    /// The piece in a slot, of this kind, stepped and promoted.
    Promotion { slot: u8, kind: u8 },
    /// The piece in a slot, of this kind, was dropped.
    Drop { slot: u8, kind: u8 },
    /// The royal stepped. The rest of the position is numbered as it is (0) or in the mirror (1).
    Royal { image: u8 },
}

/// A piece of the side that just moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Man {
    pub(crate) slot: u8,
    pub(crate) role: u8,
}

/// How the predecessors of one class are numbered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) coded: Vec<Coded>,
    pub(crate) men: Vec<Man>,
    pub(crate) sorts: Vec<Sort>,
    numberings: Vec<Numbering>,
    /// The digits of a plain predecessor by kind, all from `first` on in one kind only.
    pub(crate) kinds: Vec<Numbering>,
    pub(crate) digits: Vec<Digit>,
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
        // A code and the pair before it are one number.
        let codes = u64::from(class.size) * universe.pairs.len() as u64;
        if !fits || codes == 0 || codes > u64::from(Divisor::MAX_BOUND) {
            return None;
        }
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
                    narrow: match NarrowDivisor::new(span, bound) {
                        _ if span == 1 => Division::Last,
                        Some(divisor) => Division::Narrow(divisor),
                        None => Division::Wide,
                    },
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

        let mut planner = Planner {
            universe,
            layouts: std::array::from_fn(|k| match universe.kinds.get(k) {
                Some(kind) => kind.layouts.swapped(class.layouts[k]),
                None => 0,
            }),
            plan: Plan {
                coded,
                ..Plan::default()
            },
        };
        for &piece in pieces.iter().filter(|piece| piece.state < OTHER) {
            planner.moves_of(piece, &pieces)?;
        }
        for image in 0..2 {
            planner.sort(LastMove::Royal { image }, &pieces, 0, &[])?;
        }
        for k in 0..universe.kinds.len() {
            let of_kind: Vec<Placed> = pieces
                .iter()
                .copied()
                .filter(|piece| piece.k <= k)
                .collect();
            let numbering = planner.numbering(&of_kind, k, &[])?;
            planner.plan.kinds.push(numbering);
        }
        Some(planner.plan)
    }

    /// How predecessors by a sort of move are numbered: one for each sort of piece that it may have
    /// taken, the first if it took nothing.
    #[inline(always)]
    pub(crate) fn numberings(&self, sort: &Sort) -> &[Numbering] {
        let first = usize::from(sort.first_numbering);
        &self.numberings[first..first + usize::from(sort.numbering_count)]
    }
}

/// Marks the runs of some digits, from the last digit backwards.
fn mark_runs(digits: &mut [Digit]) {
    const MOST: u32 = 1 << 16;
    let mut last = digits.len();
    while let Some(end) = last.checked_sub(1) {
        let mut run = 1;
        while last > 0 && run * u32::from(digits[last - 1].radix) <= MOST {
            last -= 1;
            run *= u32::from(digits[last].radix);
            digits[last].run = 0;
        }
        digits[end].run = run;
    }
}

impl Numbering {
    /// The numbering of these pieces after changes of states in these layouts, each as (kind, from,
    /// to); none if no piece is in such a state. The kinds before `first` are as in a plain move. Its
    /// digits are appended to those of the plan.
    pub(super) fn new(
        universe: &RankedUniverse,
        layouts: [u16; MAX_NUMBERED],
        pieces: &[Placed],
        first: usize,
        changes: &[(usize, usize, usize)],
        plan_digits: &mut Vec<Digit>,
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
                        slot: slot as u8,
                        other_slot: slots.last().map_or(0, |&slot| slot as u8),
                        // Of at most two pieces on 30 squares.
                        radix: subsets(free, slots.len() as u8) as u16,
                        run: 0,
                    });
                }
                free -= slots.len() as u32;
            }
        }
        mark_runs(&mut digits);
        let numbering = Numbering {
            class: class as u32,
            first: first as u8,
            digit_count: digits.len() as u8,
            // At most 10 digits in each of some hundred numberings.
            first_digit: plan_digits.len() as u16,
        };
        plan_digits.extend(digits);
        Some(numbering)
    }
}

struct Planner<'a> {
    universe: &'a RankedUniverse,
    /// The layouts of the class, seen by the side that just moved.
    layouts: [u16; MAX_NUMBERED],
    plan: Plan,
}

impl Planner<'_> {
    /// Plans the moves that a piece of the side that just moved may have made.
    fn moves_of(&mut self, piece: Placed, pieces: &[Placed]) -> Option<()> {
        let slot = piece.slot as u8;
        let kind = self.universe.kinds[piece.k].kind;
        let promoted = piece.state == OWN + PROMOTED;
        let role = role(kind, promoted) as u8;
        self.plan.men.push(Man { slot, role });
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
        let kind = kind as u8;
        let step = LastMove::Step { slot, role };
        self.sort(step, &moved(piece.state), piece.k, &[])?;
        if promoted {
            let promotion = LastMove::Promotion { slot, kind };
            let changes = [(piece.k, piece.state, OWN)];
            self.sort(promotion, &moved(OWN), piece.k, &changes);
        } else {
            let first = self.plan.numberings.len();
            let changes = [(piece.k, OWN, OWN_HAND)];
            let drop = self.numbering(&rest, piece.k, &changes);
            self.plan.numberings.extend(drop);
            self.end_sort(LastMove::Drop { slot, kind }, first);
        }
        Some(())
    }

    fn numbering(
        &mut self,
        pieces: &[Placed],
        first: usize,
        changes: &[(usize, usize, usize)],
    ) -> Option<Numbering> {
        let digits = &mut self.plan.digits;
        Numbering::new(self.universe, self.layouts, pieces, first, changes, digits)
    }

    /// Plans a sort of move by kind `k` that left these pieces behind, and changed states as listed
    /// (kind, state now, state before). None if there is no such move.
    fn sort(
        &mut self,
        last_move: LastMove,
        pieces: &[Placed],
        k: usize,
        changes: &[(usize, usize, usize)],
    ) -> Option<()> {
        let hand = if self.universe.game().options().drops {
            OWN_HAND
        } else {
            OUT
        };
        let first = self.plan.numberings.len();
        let plain = self.numbering(pieces, k, changes)?;
        self.plan.numberings.push(plain);
        for taken in 0..self.universe.kinds.len() {
            for state in [OTHER, OTHER + PROMOTED] {
                let mut pieces = pieces.to_vec();
                pieces.push(Placed {
                    k: taken,
                    state,
                    slot: TAKEN,
                });
                let mut changes = changes.to_vec();
                changes.push((taken, hand, state));
                let capture = self.numbering(&pieces, k.min(taken), &changes);
                self.plan.numberings.extend(capture);
            }
        }
        self.end_sort(last_move, first);
        Some(())
    }

    /// Makes a sort of the numberings from `first` on, if there are any.
    fn end_sort(&mut self, last_move: LastMove, first: usize) {
        let count = self.plan.numberings.len() - first;
        if count > 0 {
            self.plan.sorts.push(Sort {
                last_move,
                first_numbering: first as u16,
                numbering_count: count as u16,
            });
        }
    }
}
