//! **Placements**: the squares of the pieces of up to 32 positions, side by side.
//!
//! The positions are of one class and pair and are turned to the other side, in the orientation of
//! their neighbours in the game. Each piece has a slot (see `plan`).

use super::lanes::{LANES, Lanes, nth_place, pair_places};
use super::plan::{Coded, Digit, SLOTS};
use super::ranked::RankedUniverse;
use crate::board::Square;

/// The square of the piece in each slot.
#[derive(Clone, Copy)]
pub(super) struct Placements(pub(super) [Lanes; SLOTS]);

impl Placements {
    /// The squares at some codes of a class, with the royals on these squares before they are
    /// turned.
    #[inline(always)]
    pub(super) fn decode(
        universe: &RankedUniverse,
        coded: &[Coded],
        royals: [Square; 2],
        codes: &[u32],
        flip: bool,
    ) -> Placements {
        let mut placements = Placements([Lanes::ZERO; SLOTS]);
        let mut rest = Lanes::ZERO;
        rest.0[..codes.len()].copy_from_slice(codes);
        let mut free = Lanes::splat(universe.free_of_royals(royals));
        for coded in coded {
            let (digit, behind) = coded.divisor.divide(&rest);
            rest = behind;
            let before = free;
            if coded.pair {
                let (low, high) = pair_places(&digit, coded.free);
                placements.place(universe, coded.slot, &before, &low, flip, &mut free);
                placements.place(universe, coded.slot + 1, &before, &high, flip, &mut free);
            } else {
                placements.place(universe, coded.slot, &before, &digit, flip, &mut free);
            }
        }
        placements
    }

    /// Puts the piece of a slot on the n-th of the squares that were free before its group.
    #[inline(always)]
    fn place(
        &mut self,
        universe: &RankedUniverse,
        slot: usize,
        before: &Lanes,
        n: &Lanes,
        flip: bool,
        free: &mut Lanes,
    ) {
        let squares = universe.game().board().len();
        let places = nth_place(before, n, squares);
        *free = free.zip(&places, |free, place| free & !1u32.wrapping_shl(place));
        // Turned around, a square is as far from the last as it was from the first.
        let last = u32::from(squares) - 1;
        let turned = places.map(|place| 1u32.wrapping_shl(last.wrapping_sub(place)));
        self.0[slot] = if flip {
            mirrored(universe, &turned)
        } else {
            turned
        };
    }

    /// All pieces in the left-right mirror.
    #[inline(always)]
    pub(super) fn mirrored(&self, universe: &RankedUniverse) -> Placements {
        let mut placements = *self;
        for bits in &mut placements.0 {
            *bits = mirrored(universe, bits);
        }
        placements
    }

    /// Appends digits to codes; returns codes and free squares.
    // Codes are below the size of their class: nothing overflows, and checks would keep the loops
    // from becoming vector instructions.
    #[inline(always)]
    pub(super) fn number(&self, digits: &[Digit], codes: &Lanes, free: &Lanes) -> (Lanes, Lanes) {
        let mut codes = *codes;
        let mut free = *free;
        for digit in digits {
            let bits = &self.0[digit.slot];
            let radix = digit.radix;
            match digit.other_slot {
                None => {
                    for lane in 0..LANES {
                        let bit = bits.0[lane];
                        let place = (free.0[lane] & bit.wrapping_sub(1)).count_ones();
                        codes.0[lane] = codes.0[lane].wrapping_mul(radix).wrapping_add(place);
                        free.0[lane] &= !bit;
                    }
                }
                Some(other_slot) => {
                    let others = &self.0[other_slot];
                    for lane in 0..LANES {
                        let [a, b] = [bits.0[lane], others.0[lane]];
                        let low = (free.0[lane] & a.min(b).wrapping_sub(1)).count_ones();
                        let high = (free.0[lane] & a.max(b).wrapping_sub(1)).count_ones();
                        let place =
                            (high.wrapping_mul(high.wrapping_sub(1)) >> 1).wrapping_add(low);
                        codes.0[lane] = codes.0[lane].wrapping_mul(radix).wrapping_add(place);
                        free.0[lane] &= !(a | b);
                    }
                }
            }
        }
        (codes, free)
    }
}

/// Sets of squares in the left-right mirror.
#[inline(always)]
fn mirrored(universe: &RankedUniverse, squares: &Lanes) -> Lanes {
    let (swaps, centre_file) = universe.mirror();
    let mut mirrored = squares.map(|squares| squares & centre_file);
    for &(left, distance) in swaps {
        for lane in 0..LANES {
            let squares = squares.0[lane];
            mirrored.0[lane] |=
                (squares & left).wrapping_shl(distance) | squares.wrapping_shr(distance) & left;
        }
    }
    mirrored
}
