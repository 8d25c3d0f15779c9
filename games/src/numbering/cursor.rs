//! A **cursor**: the squares of the pieces at one code after another of a class and royal pair.
//!
//! The pieces are turned to the other side: what the mover has is "other" here. While codes share
//! their front, the kinds in front are not decoded again.

use super::layout::{BOARD_STATES, Masks};
use super::ranked::{Class, MAX_NUMBERED, RankedUniverse};
use super::subsets::{subsets, unrank_subset};
use crate::board::{Square, Squares};

pub(crate) struct Cursor<'a> {
    universe: &'a RankedUniverse,
    class: &'a Class,
    /// Whether the pieces are mirrored after they are turned.
    flip: bool,
    /// The code at which each kind's current digit starts.
    starts: [u32; MAX_NUMBERED],
    /// Codes behind each kind's digit.
    spans: [u32; MAX_NUMBERED],
    /// Free squares before each kind.
    free: [Squares; MAX_NUMBERED + 1],
    /// The masks, turned.
    masks: [Masks; MAX_NUMBERED],
    fresh: bool,
}

impl<'a> Cursor<'a> {
    /// A cursor over the codes of a class, with the royals on these squares before they are turned.
    pub(crate) fn new(
        universe: &'a RankedUniverse,
        class: &'a Class,
        royals: [Square; 2],
        flip: bool,
    ) -> Cursor<'a> {
        let kinds = universe.kinds.len();
        let mut spans = [1; MAX_NUMBERED];
        for k in (0..kinds.saturating_sub(1)).rev() {
            spans[k] = spans[k + 1] * class.radix[k + 1];
        }
        let mut free = [0; MAX_NUMBERED + 1];
        free[0] = universe.free_of_royals(royals);
        Cursor {
            universe,
            class,
            flip,
            starts: [0; MAX_NUMBERED],
            spans,
            free,
            masks: [[0; BOARD_STATES]; MAX_NUMBERED],
            fresh: true,
        }
    }

    /// The squares of the pieces at a code, decoding only the kinds whose squares change.
    #[inline(always)]
    pub(crate) fn seek(&mut self, code: u32) -> &[Masks; MAX_NUMBERED] {
        let universe = self.universe;
        let kinds = universe.kinds.len();
        let mut first = 0;
        if !self.fresh {
            while first < kinds && code.wrapping_sub(self.starts[first]) < self.spans[first] {
                first += 1;
            }
        }
        self.fresh = false;
        let mut rest = match first {
            0 => code,
            _ => code.wrapping_sub(self.starts[first - 1]),
        };
        for k in first..kinds {
            let kind = &universe.kinds[k];
            let digit = rest / self.spans[k];
            rest -= digit * self.spans[k];
            self.starts[k] = code - rest;
            let layout = kind.layouts.get(self.class.layouts[k]);
            let mut free = self.free[k];
            let mut masks = [0; BOARD_STATES];
            match layout.groups() {
                [] => {}
                [group] => {
                    let mask = unrank_subset(free, digit, group.count);
                    masks[usize::from(group.state) % BOARD_STATES] = mask;
                    free &= !mask;
                }
                groups => {
                    // The first group's digit is the most significant: peel it off by the number
                    // of codes behind it.
                    let mut digit = digit;
                    for (g, group) in groups.iter().enumerate() {
                        let mut squares = free.count_ones() - u32::from(group.count);
                        let mut behind = 1;
                        for later in &groups[g + 1..] {
                            behind *= subsets(squares, later.count);
                            squares -= u32::from(later.count);
                        }
                        let mask = unrank_subset(free, digit / behind, group.count);
                        digit %= behind;
                        masks[usize::from(group.state) % BOARD_STATES] = mask;
                        free &= !mask;
                    }
                }
            }
            self.free[k + 1] = free;
            let turn = |squares| {
                let squares = universe.rotated(squares);
                if self.flip {
                    universe.mirrored(squares)
                } else {
                    squares
                }
            };
            // The states change owners with the turn.
            self.masks[k] = [
                turn(masks[2]),
                turn(masks[3]),
                turn(masks[0]),
                turn(masks[1]),
            ];
        }
        &self.masks
    }
}
