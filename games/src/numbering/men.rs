//! The **men** of a class: the pieces on the board but the royals, in the order in which their squares
//! are coded, which is that of their slots (see `plan`).

use super::layout::{OTHER, PROMOTED, swapped};
use super::plan::MAX_PIECES;
use super::ranked::{Class, RankedUniverse};
use crate::color::Color;
use crate::game::role;

/// A man, seen by the side that does not move: the mover's are gote's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) slot: usize,
    /// Its kind in the numbering.
    pub(super) k: usize,
    /// Its kind in the game.
    pub(super) kind: usize,
    pub(super) color: Color,
    pub(super) promoted: bool,
}

impl Man {
    pub(super) fn role(&self) -> usize {
        role(self.kind, self.promoted)
    }
}

/// At most as many as there are slots.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    men: [Man; MAX_PIECES],
    count: usize,
}

impl Men {
    /// The men of a class that has a plan.
    pub(super) fn of(universe: &RankedUniverse, class: &Class) -> Men {
        let none = Man {
            slot: 0,
            k: 0,
            kind: 0,
            color: Color::Sente,
            promoted: false,
        };
        let mut men = Men {
            men: [none; MAX_PIECES],
            count: 0,
        };
        for (k, kind) in universe.kinds.iter().enumerate() {
            for group in kind.layouts.get(class.layouts[k]).groups() {
                let state = swapped(usize::from(group.state));
                for _ in 0..group.count {
                    men.men[men.count] = Man {
                        slot: men.count,
                        k,
                        kind: kind.kind,
                        color: Color::BOTH[state / OTHER],
                        promoted: state % OTHER == PROMOTED,
                    };
                    men.count += 1;
                }
            }
        }
        men
    }

    #[inline(always)]
    pub(super) fn all(&self) -> &[Man] {
        &self.men[..self.count]
    }

    /// The men of a color.
    #[inline(always)]
    pub(super) fn of_color(&self, color: Color) -> impl Iterator<Item = &Man> {
        self.all().iter().filter(move |man| man.color == color)
    }
}
