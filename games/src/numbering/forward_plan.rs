//! A **forward plan**: how the successors of one class are numbered, worked out once for the class.
//!
//! The forward twin of `plan`, with the same slots. The pieces are turned to the side that moves
//! next, so those that move are "other" here.

use std::cell::RefCell;

use super::layout::{OTHER, OTHER_HAND, OUT, PROMOTED, swapped};
use super::plan::{Digit, MOVED, Numbering, Placed};
use super::ranked::{Class, MAX_NUMBERED, RankedUniverse};

/// One sort of move: what it takes gives several numberings.
#[derive(Clone, Debug)]
pub(super) struct ForwardSort {
    pub(super) plain: Numbering,
    /// By the slot of the piece taken.
    pub(super) captures: Vec<(usize, Numbering)>,
}

/// A man on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) slot: usize,
    /// Its kind in the game.
    pub(super) kind: usize,
    pub(super) promoted: bool,
}

/// A man that may move.
#[derive(Clone, Debug)]
pub(super) struct ForwardMover {
    pub(super) man: Man,
    /// It steps and stays what it is.
    pub(super) step: ForwardSort,
    /// It steps and promotes.
    pub(super) promotion: Option<ForwardSort>,
}

/// How the successors of one class are numbered.
#[derive(Clone, Debug)]
pub(super) struct ForwardPlan {
    pub(super) movers: Vec<ForwardMover>,
    /// The men of the side that moves next.
    pub(super) targets: Vec<Man>,
    /// By kind in the game.
    pub(super) drops: Vec<(usize, Numbering)>,
    pub(super) royal: ForwardSort,
    pub(super) digits: Vec<Digit>,
}

impl ForwardPlan {
    /// The plan of a class that has a [`Plan`](super::plan::Plan).
    pub(super) fn new(universe: &RankedUniverse, class: &Class) -> ForwardPlan {
        let mut planner = Planner {
            universe,
            layouts: [0; MAX_NUMBERED],
            pieces: Vec::new(),
            digits: RefCell::default(),
        };
        for (k, kind) in universe.kinds.iter().enumerate() {
            planner.layouts[k] = kind.layouts.swapped(class.layouts[k]);
            for group in kind.layouts.get(class.layouts[k]).groups() {
                for _ in 0..group.count {
                    planner.pieces.push(Placed {
                        k,
                        state: swapped(usize::from(group.state)),
                        slot: planner.pieces.len(),
                    });
                }
            }
        }
        let man = |piece: Placed| Man {
            slot: piece.slot,
            kind: universe.kinds[piece.k].kind,
            promoted: piece.state % OTHER == PROMOTED,
        };
        let (movers, targets): (Vec<Placed>, Vec<Placed>) = planner
            .pieces
            .iter()
            .partition(|piece| piece.state >= OTHER);
        ForwardPlan {
            movers: movers
                .into_iter()
                .map(|piece| ForwardMover {
                    man: man(piece),
                    step: planner
                        .sort(Some((piece, piece.state)))
                        .expect("a piece may stay what it is"),
                    promotion: match piece.state {
                        OTHER => planner.sort(Some((piece, OTHER + PROMOTED))),
                        _ => None,
                    },
                })
                .collect(),
            targets: targets.into_iter().map(man).collect(),
            drops: (0..universe.kinds.len())
                .filter_map(|k| {
                    let mut pieces = planner.pieces.clone();
                    pieces.push(Placed {
                        k,
                        state: OTHER,
                        slot: MOVED,
                    });
                    let drop = planner.numbering(&pieces, k, &[(k, OTHER_HAND, OTHER)])?;
                    Some((universe.kinds[k].kind, drop))
                })
                .collect(),
            royal: planner.sort(None).expect("the royal may always move"),
            digits: planner.digits.into_inner(),
        }
    }
}

struct Planner<'a> {
    universe: &'a RankedUniverse,
    /// The layouts of the class, seen by the side that moves next.
    layouts: [u16; MAX_NUMBERED],
    /// The men on the board in the order of their slots.
    pieces: Vec<Placed>,
    digits: RefCell<Vec<Digit>>,
}

impl Planner<'_> {
    fn numbering(
        &self,
        pieces: &[Placed],
        first: usize,
        changes: &[(usize, usize, usize)],
    ) -> Option<Numbering> {
        let digits = &mut self.digits.borrow_mut();
        Numbering::new(self.universe, self.layouts, pieces, first, changes, digits)
    }

    /// The numberings of a step by a man, with its state after it, or by the royal. None if the
    /// man's kind knows no such state.
    fn sort(&self, mover: Option<(Placed, usize)>) -> Option<ForwardSort> {
        let universe = self.universe;
        let hand = if universe.game().options().drops {
            OTHER_HAND
        } else {
            OUT
        };
        let mut pieces = self.pieces.clone();
        let mut changes = Vec::new();
        // The royal's square changes the codes of all kinds.
        let mut first = 0;
        if let Some((piece, state)) = mover {
            pieces.retain(|other| other.slot != piece.slot);
            pieces.push(Placed {
                state,
                slot: MOVED,
                ..piece
            });
            if state != piece.state {
                changes.push((piece.k, piece.state, state));
            }
            first = piece.k;
        }
        let targets = self.pieces.iter().filter(|target| target.state < OTHER);
        Some(ForwardSort {
            plain: self.numbering(&pieces, first, &changes)?,
            captures: targets
                .filter_map(|target| {
                    let mut pieces = pieces.clone();
                    pieces.retain(|other| other.slot != target.slot);
                    let mut changes = changes.clone();
                    changes.push((target.k, target.state, hand));
                    let capture = self.numbering(&pieces, first.min(target.k), &changes)?;
                    Some((target.slot, capture))
                })
                .collect(),
        })
    }
}
