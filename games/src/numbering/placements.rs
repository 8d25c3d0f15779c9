//! **Placements**: the squares of the pieces of up to 32 positions, side by side.
//!
//! The positions are of one class and pair and are turned to the other side, in the orientation of
//! their neighbours in the game. Each piece has a slot (see `plan`).

use super::lanes::{LANES, Lanes, pair_places};
use super::plan::{Coded, Digit, MAX_PIECES, SLOTS};
use super::ranked::RankedUniverse;
use super::subsets::{nth, pair_of};
use crate::board::{Square, each};
use crate::instructions::Instructions;

/// The square of the piece in each slot.
#[derive(Clone, Copy)]
pub(super) struct Placements(pub(super) [Lanes; SLOTS]);

impl Placements {
    pub(super) const NONE: Placements = Placements([Lanes::ZERO; SLOTS]);

    /// Takes the squares at some codes of a class, in ascending order, with the royals on these
    /// squares before they are turned.
    #[inline(always)]
    pub(super) fn decode(
        &mut self,
        instructions: impl Instructions,
        universe: &RankedUniverse,
        coded: &[Coded],
        royals: [Square; 2],
        codes: &[u32],
        flip: bool,
    ) {
        let (Some(&lowest), Some(&highest)) = (codes.first(), codes.last()) else {
            return;
        };
        // Codes near each other differ in their last groups only: the others are placed once for
        // all of them.
        let mut free = universe.free_of_royals(royals);
        let (mut low, mut high) = (lowest, highest);
        let mut coded = coded.iter();
        let varied = loop {
            let left = coded.as_slice();
            let Some(group) = coded.next() else {
                break left;
            };
            let (digit, rest) = group.divisor.divide_one(low);
            let (last_digit, last_rest) = group.divisor.divide_one(high);
            if digit != last_digit {
                break left;
            }
            (low, high) = (rest, last_rest);
            let before = free;
            let [first, second] = if group.pair {
                pair_of(digit)
            } else {
                [digit, 0]
            };
            let mut place = |slot: usize, place| {
                let square = nth(before, place);
                free &= !square;
                let turned = universe.turned_square(square.trailing_zeros() as Square, flip);
                self.0[slot] = Lanes::splat(turned);
            };
            place(group.slot, first);
            if group.pair {
                place(group.slot + 1, second);
            }
        };
        let mut rest = Lanes::ZERO;
        for (rest, code) in rest.0.iter_mut().zip(codes) {
            *rest = code - lowest + low;
        }
        // Squares are looked up by their place among those that are free here.
        let mut turned = [0; LANES];
        for (place, square) in each(free).enumerate() {
            turned[place % LANES] = universe.turned_square(square, flip);
        }
        let mut occupied = Occupied::default();
        for group in varied {
            let (digit, behind) = group.divisor.divide(&rest);
            rest = behind;
            if group.pair {
                let (low, high) = pair_places(&digit, group.free);
                let [low, high] = [occupied.place(low), occupied.place(high)];
                occupied.insert(&low);
                occupied.insert(&high);
                self.0[group.slot] = low.picked(instructions, &turned);
                self.0[group.slot + 1] = high.picked(instructions, &turned);
            } else {
                let place = occupied.place(digit);
                occupied.insert(&place);
                self.0[group.slot] = place.picked(instructions, &turned);
            }
        }
    }

    /// All pieces in the left-right mirror.
    #[inline(always)]
    pub(super) fn mirrored(&self, universe: &RankedUniverse) -> Placements {
        let mut placements = *self;
        for bits in &mut placements.0 {
            bits.0 = mirrored(universe, &bits.0);
        }
        placements
    }

    /// Appends digits to codes; returns codes and free squares.
    #[inline(always)]
    pub(super) fn number(&self, digits: &[Digit], codes: &Lanes, free: &Lanes) -> (Lanes, Lanes) {
        let (mut codes, mut free) = (*codes, *free);
        append_digits(self, digits, &mut codes.0, &mut free.0);
        (codes, free)
    }
}

impl Squares<LANES> for Placements {
    #[inline(always)]
    fn of(&self, slot: usize) -> [u32; LANES] {
        self.0[slot].0
    }
}

/// The squares of the pieces of `N` positions.
pub(super) trait Squares<const N: usize> {
    /// The square of the piece in a slot, as a set.
    fn of(&self, slot: usize) -> [u32; N];
}

/// Appends digits to codes and takes their squares from the free ones.
// Codes are below the size of their class: nothing overflows, and checks would keep the loops
// from becoming vector instructions.
#[inline(always)]
pub(super) fn append_digits<const N: usize>(
    squares: &impl Squares<N>,
    digits: &[Digit],
    codes: &mut [u32; N],
    free: &mut [u32; N],
) {
    for digit in digits {
        let radix = digit.radix;
        let bits = squares.of(digit.slot);
        match digit.other_slot {
            None => {
                for lane in 0..N {
                    let place = (free[lane] & bits[lane].wrapping_sub(1)).count_ones();
                    codes[lane] = codes[lane].wrapping_mul(radix).wrapping_add(place);
                    free[lane] &= !bits[lane];
                }
            }
            Some(other_slot) => {
                let others = squares.of(other_slot);
                for lane in 0..N {
                    let [a, b] = [bits[lane], others[lane]];
                    let low = (free[lane] & a.min(b).wrapping_sub(1)).count_ones();
                    let high = (free[lane] & a.max(b).wrapping_sub(1)).count_ones();
                    let place = (high.wrapping_mul(high.wrapping_sub(1)) >> 1).wrapping_add(low);
                    codes[lane] = codes[lane].wrapping_mul(radix).wrapping_add(place);
                    free[lane] &= !(a | b);
                }
            }
        }
    }
}

/// Places that are taken, in ascending order.
#[derive(Default)]
struct Occupied {
    places: [Lanes; MAX_PIECES],
    count: usize,
}

impl Occupied {
    /// The place of the n-th square that is not taken.
    #[inline(always)]
    fn place(&self, n: Lanes) -> Lanes {
        let mut place = n;
        for taken in &self.places[..self.count] {
            for lane in 0..LANES {
                let before = u32::from(taken.0[lane] <= place.0[lane]);
                place.0[lane] = place.0[lane].wrapping_add(before);
            }
        }
        place
    }

    #[inline(always)]
    fn insert(&mut self, place: &Lanes) {
        let mut greatest = *place;
        for taken in &mut self.places[..self.count] {
            for lane in 0..LANES {
                let [a, b] = [taken.0[lane], greatest.0[lane]];
                taken.0[lane] = a.min(b);
                greatest.0[lane] = a.max(b);
            }
        }
        self.places[self.count % MAX_PIECES] = greatest;
        self.count += 1;
    }
}

/// Sets of squares in the left-right mirror.
#[inline(always)]
pub(super) fn mirrored<const N: usize>(universe: &RankedUniverse, squares: &[u32; N]) -> [u32; N] {
    let (swaps, centre_file) = universe.mirror();
    let mut mirrored = squares.map(|squares| squares & centre_file);
    for &(left, distance) in swaps {
        for lane in 0..N {
            let squares = squares[lane];
            mirrored[lane] |=
                (squares & left).wrapping_shl(distance) | squares.wrapping_shr(distance) & left;
        }
    }
    mirrored
}
