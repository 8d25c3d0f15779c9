//! **Placements**: the squares of the pieces of some positions, side by side.
//!
//! The positions are of one class and are turned to the other side, in the orientation of their
//! neighbours in the game. Each piece has a slot (see `plan`).

use super::lanes::{LANES, Lanes, Number, pair_places, pairs_below, squares_of};
use super::plan::{Coded, Digit, Division, MAX_PIECES, SLOTS};
use super::ranked::RankedUniverse;
use super::subsets::{nth, pair_of};
use crate::board::{MAX_SQUARES, Square};
use crate::instructions::Instructions;

/// The square of the piece in each slot.
#[derive(Clone, Copy)]
pub(super) struct Placements<N, const L: usize = LANES>(pub(super) [Lanes<N, L>; SLOTS]);

impl<N: Number, const L: usize> Placements<N, L> {
    pub(super) const NONE: Placements<N, L> = Placements([Lanes::ZERO; SLOTS]);

    /// Takes the squares at some codes of a class, in ascending order, with the royals on these
    /// squares before they are turned.
    #[inline(always)]
    pub(super) fn decode(
        &mut self,
        instructions: impl Instructions,
        universe: &RankedUniverse,
        coded: &[Coded],
        royals: [Square; 2],
        codes: &Lanes<u32, L>,
        flip: bool,
    ) {
        let [lowest, highest] = [codes.0[0], codes.0[L - 1]];
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
                self.0[slot] = Lanes::splat(N::narrowed(turned));
            };
            place(group.slot, first);
            if group.pair {
                place(group.slot + 1, second);
            }
        };
        let before = lowest.wrapping_sub(low);
        let rest = codes.map(|code| code.wrapping_sub(before));
        // Squares are looked up by their place among those that are free here.
        let turned = &universe.turned_squares()[usize::from(flip)];
        let turned = Lanes::<N, MAX_SQUARES>::narrowed(turned).0;
        let turned = N::look(instructions, &turned, &squares_of(instructions, free));
        let squares = Turned {
            squares: [&turned, &turned],
            flip: &Lanes::ZERO,
        };
        self.decode_varied(instructions, varied, &rest, Occupied::default(), &squares);
    }

    /// The same where the royals' squares differ, and which positions are mirrored. `turned` are
    /// all squares turned, as they are and in the mirror.
    #[inline(always)]
    pub(super) fn decode_pairs(
        &mut self,
        instructions: impl Instructions,
        coded: &[Coded],
        royals: &[Lanes<N, L>; 2],
        codes: &Lanes<u32, L>,
        turned: &[[N; MAX_SQUARES]; 2],
        flip: &Lanes<N, L>,
    ) {
        let mut occupied = Occupied::default();
        for royal in royals {
            occupied.insert(royal);
        }
        let squares = Turned {
            squares: turned.each_ref(),
            flip,
        };
        self.decode_varied(instructions, coded, codes, occupied, &squares);
    }

    /// Takes the squares of the groups that differ, among those that are not occupied.
    #[inline(always)]
    fn decode_varied(
        &mut self,
        instructions: impl Instructions,
        varied: &[Coded],
        codes: &Lanes<u32, L>,
        mut occupied: Occupied<N, L>,
        squares: &Turned<'_, N, L>,
    ) {
        let mut rest = *codes;
        let mut narrow = None;
        for group in varied {
            let mut digit;
            if let Division::Wide = group.narrow {
                if let Some(left) = narrow.take() {
                    rest = widened(&left);
                }
                let quotient;
                (quotient, rest) = group.divisor.divide(&rest);
                digit = Lanes::narrowed(&quotient.0);
            } else {
                digit = match narrow {
                    Some(left) => left,
                    None => Lanes::narrowed(&rest.0),
                };
                if let Division::Narrow(divisor) = group.narrow {
                    let left;
                    (digit, left) = divisor.divide(&digit);
                    narrow = Some(left);
                }
            }
            if group.pair {
                let (low, high) = pair_places(&digit, group.free);
                let [low, high] = [occupied.place(low), occupied.place(high)];
                occupied.insert(&low);
                occupied.insert(&high);
                self.0[group.slot] = squares.at(instructions, &low);
                self.0[group.slot + 1] = squares.at(instructions, &high);
            } else {
                let place = occupied.place(digit);
                occupied.insert(&place);
                self.0[group.slot] = squares.at(instructions, &place);
            }
        }
    }

    /// All pieces in the left-right mirror.
    #[inline(always)]
    pub(super) fn mirrored(&self, universe: &RankedUniverse) -> Placements<N, L> {
        let mut placements = *self;
        for bits in &mut placements.0 {
            bits.0 = mirrored(universe, &bits.0);
        }
        placements
    }

    /// Appends digits to codes; returns codes and free squares.
    #[inline(always)]
    pub(super) fn number(
        &self,
        digits: &[Digit],
        codes: &Lanes<u32, L>,
        free: &Lanes<N, L>,
    ) -> (Lanes<u32, L>, Lanes<N, L>) {
        let (mut codes, mut free) = (*codes, *free);
        append_digits(self, digits, &mut codes.0, &mut free.0);
        (codes, free)
    }
}

#[inline(always)]
pub(super) fn widened<N: Number, const L: usize>(numbers: &Lanes<N, L>) -> Lanes<u32, L> {
    let mut wide = Lanes::ZERO;
    for (wide, &number) in wide.0.iter_mut().zip(&numbers.0) {
        *wide = number.widened();
    }
    wide
}

impl<N: Number, const L: usize> Squares<N, L> for Placements<N, L> {
    #[inline(always)]
    fn of(&self, slot: usize) -> [N; L] {
        self.0[slot].0
    }
}

/// The squares of the pieces of some positions.
pub(super) trait Squares<N, const L: usize> {
    /// The square of the piece in a slot, as a set.
    fn of(&self, slot: usize) -> [N; L];
}

/// Appends digits to codes and takes their squares from the free ones.
// Codes are below the size of their class: nothing overflows, and checks would keep the loops
// from becoming vector instructions.
#[inline(always)]
pub(super) fn append_digits<N: Number, const L: usize>(
    squares: &impl Squares<N, L>,
    digits: &[Digit],
    codes: &mut [u32; L],
    free: &mut [N; L],
) {
    let mut run = [N::ZERO; L];
    for digit in digits {
        let radix = N::narrowed(u32::from(digit.radix));
        let bits = squares.of(usize::from(digit.slot));
        if digit.other_slot == digit.slot {
            for lane in 0..L {
                let place = (free[lane] & bits[lane].minus(N::ONE)).ones();
                run[lane] = run[lane].times(radix).plus(place);
                free[lane] = free[lane] & !bits[lane];
            }
        } else {
            let others = squares.of(usize::from(digit.other_slot));
            for lane in 0..L {
                let [a, b] = [bits[lane], others[lane]];
                let low = (free[lane] & a.min(b).minus(N::ONE)).ones();
                let high = (free[lane] & a.max(b).minus(N::ONE)).ones();
                let place = pairs_below(high).plus(low);
                run[lane] = run[lane].times(radix).plus(place);
                free[lane] = free[lane] & !(a | b);
            }
        }
        if digit.run != 0 {
            for lane in 0..L {
                codes[lane] = codes[lane]
                    .wrapping_mul(digit.run)
                    .wrapping_add(run[lane].widened());
            }
            run = [N::ZERO; L];
        }
    }
}

/// Squares by place, turned, as they are and in the mirror.
struct Turned<'a, N, const L: usize> {
    squares: [&'a [N; MAX_SQUARES]; 2],
    /// All ones where the mirror is.
    flip: &'a Lanes<N, L>,
}

impl<N: Number, const L: usize> Turned<'_, N, L> {
    #[inline(always)]
    fn at(&self, instructions: impl Instructions, places: &Lanes<N, L>) -> Lanes<N, L> {
        let as_they_are = places.looked_up(instructions, self.squares[0]);
        let mirrored = places.looked_up(instructions, self.squares[1]);
        as_they_are.blend(&mirrored, self.flip)
    }
}

/// The most places that are taken: every piece's and the royals'.
const MAX_OCCUPIED: usize = MAX_PIECES + 2;

/// Places that are taken, in ascending order.
#[derive(Default)]
struct Occupied<N: Number, const L: usize> {
    places: [Lanes<N, L>; MAX_OCCUPIED],
    count: usize,
}

impl<N: Number, const L: usize> Occupied<N, L> {
    /// The place of the n-th square that is not taken.
    #[inline(always)]
    fn place(&self, n: Lanes<N, L>) -> Lanes<N, L> {
        let mut place = n;
        for taken in &self.places[..self.count] {
            for lane in 0..L {
                let before = N::narrowed(u32::from(taken.0[lane] <= place.0[lane]));
                place.0[lane] = place.0[lane].plus(before);
            }
        }
        place
    }

    #[inline(always)]
    fn insert(&mut self, place: &Lanes<N, L>) {
        let mut greatest = *place;
        for taken in &mut self.places[..self.count] {
            for lane in 0..L {
                let [a, b] = [taken.0[lane], greatest.0[lane]];
                taken.0[lane] = a.min(b);
                greatest.0[lane] = a.max(b);
            }
        }
        self.places[self.count % MAX_OCCUPIED] = greatest;
        self.count += 1;
    }
}

/// Sets of squares in the left-right mirror.
#[inline(always)]
pub(super) fn mirrored<N: Number, const L: usize>(
    universe: &RankedUniverse,
    squares: &[N; L],
) -> [N; L] {
    let (swaps, centre_file) = universe.mirror();
    let centre_file = N::narrowed(centre_file);
    let mut mirrored = [N::ZERO; L];
    for lane in 0..L {
        mirrored[lane] = squares[lane] & centre_file;
    }
    for &(left, distance) in swaps {
        let left = N::narrowed(left);
        for lane in 0..L {
            let squares = squares[lane];
            let swapped = (squares & left).up(distance) | squares.down(distance) & left;
            mirrored[lane] = mirrored[lane] | swapped;
        }
    }
    mirrored
}
