//! **Lanes**: the same number of many positions side by side.
//!
//! Every operation is a loop over a fixed number of lanes without branches, which compilers turn
//! into vector instructions of whatever width the processor has.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::board::{MAX_SQUARES, Squares};
use crate::instructions::{Instructions, NARROW, WIDE};

/// Positions worked on together.
pub const LANES: usize = 64;

/// Predecessors numbered together: as many as fit a register, of fewer sorts of move than fit two.
pub const CHUNK: usize = NARROW;

/// An unsigned integer in a lane: as a set of squares as wide as the board needs, since twice as
/// many narrow ones fit a register. Arithmetic wraps.
pub(crate) trait Number:
    Copy
    + Ord
    + Default
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    const MAX: Self;
    const BITS: u32;

    /// The low bits.
    fn narrowed(number: u32) -> Self;
    fn widened(self) -> u32;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Half of it, rounded down.
    fn half(self) -> Self;
    /// The number of bits that are set.
    fn ones(self) -> Self;
    fn up(self, bits: u32) -> Self;
    fn down(self, bits: u32) -> Self;
    /// Shifted up by so many bits, modulo its own.
    fn shifted(self, bits: Self) -> Self;
    /// Turned up by so many bits: those that leave at the top come in at the bottom.
    fn turned(self, bits: Self) -> Self;
    /// The upper half of the product, which has twice as many bits.
    fn upper_product(self, other: Self) -> Self;

    /// The lanes whose number is not zero, one bit each.
    fn nonzero<const L: usize>(instructions: impl Instructions, numbers: &[Self; L]) -> u64;

    /// The numbers at some places of a table.
    fn look<const L: usize>(
        instructions: impl Instructions,
        table: &[Self; MAX_SQUARES],
        places: &[Self; L],
    ) -> [Self; L];

    /// The numbers of some lanes.
    fn pick(
        instructions: impl Instructions,
        numbers: &[Self; LANES],
        lanes: &[Self; CHUNK],
    ) -> [Self; CHUNK];
}

macro_rules! number {
    ($number:ty, $wider:ty, $register:ident, $nonzero:ident, $look:ident, $pick:ident) => {
        const ZERO: $number = 0;
        const ONE: $number = 1;
        const MAX: $number = <$number>::MAX;
        const BITS: u32 = <$number>::BITS;
        #[inline(always)]
        fn narrowed(number: u32) -> $number {
            number as $number
        }

        #[inline(always)]
        fn widened(self) -> u32 {
            self as u32
        }

        #[inline(always)]
        fn plus(self, other: $number) -> $number {
            self.wrapping_add(other)
        }

        #[inline(always)]
        fn minus(self, other: $number) -> $number {
            self.wrapping_sub(other)
        }

        #[inline(always)]
        fn times(self, other: $number) -> $number {
            self.wrapping_mul(other)
        }

        #[inline(always)]
        fn half(self) -> $number {
            self >> 1
        }

        #[inline(always)]
        fn ones(self) -> $number {
            self.count_ones() as $number
        }

        #[inline(always)]
        fn up(self, bits: u32) -> $number {
            self.wrapping_shl(bits)
        }

        #[inline(always)]
        fn down(self, bits: u32) -> $number {
            self.wrapping_shr(bits)
        }

        #[inline(always)]
        fn shifted(self, bits: $number) -> $number {
            self.wrapping_shl(u32::from(bits))
        }

        #[inline(always)]
        fn turned(self, bits: $number) -> $number {
            self.rotate_left(u32::from(bits))
        }

        #[inline(always)]
        fn upper_product(self, other: $number) -> $number {
            (<$wider>::from(self).wrapping_mul(<$wider>::from(other)) >> <$number>::BITS) as $number
        }

        #[inline(always)]
        fn nonzero<const L: usize>(instructions: impl Instructions, numbers: &[$number; L]) -> u64 {
            let mut set = 0;
            for (part, numbers) in numbers.as_chunks().0.iter().enumerate() {
                set |= u64::from(instructions.$nonzero(numbers)) << ($register * part);
            }
            set
        }

        #[inline(always)]
        fn look<const L: usize>(
            instructions: impl Instructions,
            table: &[$number; MAX_SQUARES],
            places: &[$number; L],
        ) -> [$number; L] {
            let mut found = [0; L];
            let parts = found.as_chunks_mut().0.iter_mut().zip(places.as_chunks().0);
            for (found, places) in parts {
                *found = instructions.$look(table, places);
            }
            found
        }

        #[inline(always)]
        fn pick(
            instructions: impl Instructions,
            numbers: &[$number; LANES],
            lanes: &[$number; CHUNK],
        ) -> [$number; CHUNK] {
            let mut picked = [0; CHUNK];
            let parts = picked.as_chunks_mut().0.iter_mut().zip(lanes.as_chunks().0);
            for (picked, lanes) in parts {
                *picked = instructions.$pick(numbers, lanes);
            }
            picked
        }
    };
}

impl Number for u16 {
    number!(u16, u32, NARROW, nonzero16, look16, pick16);
}

impl Number for u32 {
    number!(u32, u64, WIDE, nonzero32, look32, pick32);
}

/// Bytes as numbers.
#[inline(always)]
pub(crate) fn numbers<N: Number, const L: usize>(bytes: &[u8; L]) -> [N; L] {
    let mut numbers = [N::ZERO; L];
    for (number, &byte) in numbers.iter_mut().zip(bytes) {
        *number = N::narrowed(u32::from(byte));
    }
    numbers
}

/// The squares of a set in their order. What is behind them does not matter.
#[inline(always)]
pub(crate) fn squares_of<N: Number>(
    instructions: impl Instructions,
    squares: Squares,
) -> [N; MAX_SQUARES] {
    let packed = instructions.pack(u64::from(squares));
    let (squares, _) = packed.split_first_chunk().expect("half of the lanes");
    numbers(squares)
}

/// One number for each lane.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Lanes<N, const L: usize = LANES>(pub(crate) [N; L]);

impl<N: Number, const L: usize> Default for Lanes<N, L> {
    #[inline(always)]
    fn default() -> Lanes<N, L> {
        Lanes::ZERO
    }
}

impl<N: Number, const L: usize> Lanes<N, L> {
    pub(crate) const ZERO: Lanes<N, L> = Lanes([N::ZERO; L]);

    #[inline(always)]
    pub(crate) const fn splat(number: N) -> Lanes<N, L> {
        Lanes([number; L])
    }

    #[inline(always)]
    pub(crate) fn map(&self, f: impl Fn(N) -> N) -> Lanes<N, L> {
        let mut result = Lanes::ZERO;
        for (result, &a) in result.0.iter_mut().zip(&self.0) {
            *result = f(a);
        }
        result
    }

    #[inline(always)]
    pub(crate) fn zip(&self, other: &Lanes<N, L>, f: impl Fn(N, N) -> N) -> Lanes<N, L> {
        let mut result = Lanes::ZERO;
        for ((result, &a), &b) in result.0.iter_mut().zip(&self.0).zip(&other.0) {
            *result = f(a, b);
        }
        result
    }

    /// The low bits of wider numbers.
    #[inline(always)]
    pub(crate) fn narrowed(numbers: &[u32; L]) -> Lanes<N, L> {
        let mut result = Lanes::ZERO;
        for (result, &number) in result.0.iter_mut().zip(numbers) {
            *result = N::narrowed(number);
        }
        result
    }

    /// These numbers, and those of `other` where `others` is all ones.
    #[inline(always)]
    pub(crate) fn blend(&self, other: &Lanes<N, L>, others: &Lanes<N, L>) -> Lanes<N, L> {
        let mut result = Lanes::ZERO;
        for lane in 0..L {
            let [a, b] = [self.0[lane], other.0[lane]];
            result.0[lane] = a ^ ((a ^ b) & others.0[lane]);
        }
        result
    }

    /// Some numbers, the last repeated behind them.
    #[inline(always)]
    pub(crate) fn filled(numbers: &[N]) -> Lanes<N, L> {
        let last = numbers.last().copied().unwrap_or(N::ZERO);
        let mut lanes = Lanes::splat(last);
        for (lane, &number) in lanes.0.iter_mut().zip(numbers) {
            *lane = number;
        }
        lanes
    }

    /// The lanes whose number is not zero, one bit each.
    #[inline(always)]
    pub(crate) fn nonzero(&self, instructions: impl Instructions) -> u64 {
        N::nonzero(instructions, &self.0)
    }

    /// The numbers at these places of a table.
    #[inline(always)]
    pub(crate) fn looked_up(
        &self,
        instructions: impl Instructions,
        table: &[N; MAX_SQUARES],
    ) -> Lanes<N, L> {
        Lanes(N::look(instructions, table, &self.0))
    }

    /// Squares shifted towards higher ones, or lower ones for a negative distance.
    #[inline(always)]
    pub(crate) fn shifted(&self, distance: i32) -> Lanes<N, L> {
        let by = distance.unsigned_abs();
        if distance >= 0 {
            self.map(|squares| squares.up(by))
        } else {
            self.map(|squares| squares.down(by))
        }
    }
}

/// Division of lanes by one number, as a multiplication.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    divisor: u32,
    factor: u32,
    shift: u32,
}

impl Divisor {
    /// The greatest bound of dividends.
    pub(crate) const MAX_BOUND: u32 = 1 << 30;

    /// Division of dividends below `bound` by `divisor`, which is at most `bound`.
    pub(crate) fn new(divisor: u32, bound: u32) -> Divisor {
        assert!(0 < divisor && divisor <= bound && bound <= Divisor::MAX_BOUND);
        // With factor = floor(2^s / d) + 1 the quotient is exact as long as dividend x d < 2^s
        // (the factor is too great by at most one in 2^s / d).
        let product = u64::from(bound) * u64::from(divisor);
        let shift = u64::BITS - product.leading_zeros();
        Divisor {
            divisor,
            factor: ((1u64 << shift) / u64::from(divisor) + 1) as u32,
            shift,
        }
    }

    /// The quotient and the remainder of one dividend.
    #[inline(always)]
    pub(crate) fn divide_one(self, dividend: u32) -> (u32, u32) {
        let product = u64::from(dividend).wrapping_mul(u64::from(self.factor));
        let quotient = (product >> self.shift) as u32;
        (
            quotient,
            dividend.wrapping_sub(quotient.wrapping_mul(self.divisor)),
        )
    }

    /// Quotients and remainders.
    #[inline(always)]
    pub(crate) fn divide<const L: usize>(
        self,
        dividends: &Lanes<u32, L>,
    ) -> (Lanes<u32, L>, Lanes<u32, L>) {
        let quotients = dividends.map(|dividend| {
            ((u64::from(dividend).wrapping_mul(u64::from(self.factor))) >> self.shift) as u32
        });
        let remainders = dividends.zip(&quotients, |dividend, quotient| {
            dividend.wrapping_sub(quotient.wrapping_mul(self.divisor))
        });
        (quotients, remainders)
    }
}

/// The same for numbers of 16 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NarrowDivisor {
    divisor: u16,
    factor: u16,
    shift: u32,
}

impl NarrowDivisor {
    /// Division of dividends below `bound` by `divisor`, if 16 bits are enough for it.
    pub(crate) fn new(divisor: u32, bound: u32) -> Option<NarrowDivisor> {
        if divisor < 2 || divisor > bound || bound > 1 << 16 {
            return None;
        }
        // As above with s = 16 + shift, and the greatest shift for which the factor has 16 bits.
        let shift = (divisor - 1).ilog2();
        let power = 1u64 << (16 + shift);
        let factor = power / u64::from(divisor) + 1;
        let excess = factor * u64::from(divisor) - power;
        let exact = u64::from(bound - 1) * excess < power;
        exact.then_some(NarrowDivisor {
            divisor: divisor as u16,
            factor: u16::try_from(factor).ok()?,
            shift,
        })
    }

    /// Quotients and remainders.
    #[inline(always)]
    pub(crate) fn divide<N: Number, const L: usize>(
        self,
        dividends: &Lanes<N, L>,
    ) -> (Lanes<N, L>, Lanes<N, L>) {
        // In wider lanes the product's upper half lies 16 bits further up.
        let factor = N::narrowed(u32::from(self.factor)).up(N::BITS - 16);
        let divisor = N::narrowed(u32::from(self.divisor));
        let quotients = dividends.map(|dividend| dividend.upper_product(factor).down(self.shift));
        let remainders = dividends.zip(&quotients, |dividend, quotient| {
            dividend.minus(quotient.times(divisor))
        });
        (quotients, remainders)
    }
}

/// The two positions behind each number of a pair among `free` squares (see `subsets`).
#[inline(always)]
pub(crate) fn pair_places<N: Number, const L: usize>(
    numbers: &Lanes<N, L>,
    free: u32,
) -> (Lanes<N, L>, Lanes<N, L>) {
    // The greatest number whose pairs of lower ones come first.
    let mut high = Lanes::splat(N::ONE);
    for n in 2..free {
        let before = N::narrowed(n.wrapping_mul(n.wrapping_sub(1)) >> 1);
        for lane in 0..L {
            let one = N::narrowed(u32::from(numbers.0[lane] >= before));
            high.0[lane] = high.0[lane].plus(one);
        }
    }
    let low = numbers.zip(&high, |number, high| number.minus(pairs_below(high)));
    (low, high)
}

/// The number of pairs of numbers below this one.
#[inline(always)]
pub(crate) fn pairs_below<N: Number>(number: N) -> N {
    number.times(number.minus(N::ONE)).half()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(state: &mut u64) -> u32 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (*state >> 32) as u32
    }

    #[test]
    fn division_is_exact() {
        let mut state = 1;
        for _ in 0..20_000 {
            let bound = random(&mut state) % Divisor::MAX_BOUND + 1;
            let bound = bound >> (random(&mut state) % 29);
            let bound = bound.max(1);
            let divisor = random(&mut state) % bound + 1;
            let mut dividends = Lanes::<u32, LANES>::ZERO;
            for dividend in &mut dividends.0 {
                *dividend = random(&mut state) % bound;
            }
            dividends.0[0] = bound - 1;
            dividends.0[1] = (bound - 1) / divisor * divisor;
            dividends.0[2] = dividends.0[1].saturating_sub(1);
            let (quotients, remainders) = Divisor::new(divisor, bound).divide(&dividends);
            for lane in 0..LANES {
                assert_eq!(quotients.0[lane], dividends.0[lane] / divisor);
                assert_eq!(remainders.0[lane], dividends.0[lane] % divisor);
            }
        }
    }

    #[test]
    fn narrow_division_is_exact() {
        let mut exact = 0;
        for divisor in 1..1000 {
            for bound in [divisor, divisor * 6, divisor * 45, divisor * 91, 1 << 16] {
                let Some(narrow) = NarrowDivisor::new(divisor, bound) else {
                    assert!(divisor == 1 || bound > 1 << 15, "{divisor} {bound}");
                    continue;
                };
                exact += 1;
                for first in (0..bound).step_by(LANES) {
                    let dividends: [u32; LANES] =
                        std::array::from_fn(|lane| (first + lane as u32).min(bound - 1));
                    let (quotients, remainders) =
                        narrow.divide(&Lanes::<u16, LANES>::narrowed(&dividends));
                    let wide = narrow.divide(&Lanes::<u32, LANES>::narrowed(&dividends));
                    for (lane, dividend) in dividends.into_iter().enumerate() {
                        let [quotient, remainder] = [dividend / divisor, dividend % divisor];
                        assert_eq!(u32::from(quotients.0[lane]), quotient);
                        assert_eq!(u32::from(remainders.0[lane]), remainder);
                        assert_eq!([wide.0.0[lane], wide.1.0[lane]], [quotient, remainder]);
                    }
                }
            }
        }
        assert!(exact > 2000);
    }
}
