//! **Lanes**: the same number of many positions side by side.
//!
//! Every operation is a loop over a fixed number of lanes without branches, which compilers turn
//! into vector instructions of whatever width the processor has.

use crate::instructions::{HALF, Instructions};

/// Positions worked on together. A set of lanes is a `u32`, one bit a lane.
pub const LANES: usize = 32;

/// One number for each lane.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [u32; LANES]);

impl Lanes {
    pub(crate) const ZERO: Lanes = Lanes([0; LANES]);

    #[inline(always)]
    pub(crate) const fn splat(number: u32) -> Lanes {
        Lanes([number; LANES])
    }

    #[inline(always)]
    pub(crate) fn map(&self, f: impl Fn(u32) -> u32) -> Lanes {
        let mut result = Lanes::ZERO;
        for (result, &a) in result.0.iter_mut().zip(&self.0) {
            *result = f(a);
        }
        result
    }

    #[inline(always)]
    pub(crate) fn zip(&self, other: &Lanes, f: impl Fn(u32, u32) -> u32) -> Lanes {
        let mut result = Lanes::ZERO;
        for ((result, &a), &b) in result.0.iter_mut().zip(&self.0).zip(&other.0) {
            *result = f(a, b);
        }
        result
    }

    /// The lanes whose number is not zero.
    #[inline(always)]
    pub(crate) fn nonzero(&self, instructions: impl Instructions) -> u32 {
        let [low, high] = self.halves();
        u32::from(instructions.nonzero(low)) | u32::from(instructions.nonzero(high)) << HALF
    }

    /// The lower and the upper lanes.
    #[inline(always)]
    pub(crate) fn halves(&self) -> [&[u32; HALF]; 2] {
        let [low, high] = self.0.as_chunks().0 else {
            unreachable!("two halves");
        };
        [low, high]
    }

    /// Of 32 numbers those that the lanes number.
    #[inline(always)]
    pub(crate) fn picked(&self, instructions: impl Instructions, numbers: &[u32; LANES]) -> Lanes {
        let [low, high] = self.halves();
        let mut picked = Lanes::ZERO;
        picked.0[..HALF].copy_from_slice(&instructions.pick(numbers, low));
        picked.0[HALF..].copy_from_slice(&instructions.pick(numbers, high));
        picked
    }

    /// Squares shifted towards higher ones, or lower ones for a negative distance.
    #[inline(always)]
    pub(crate) fn shifted(&self, distance: i32) -> Lanes {
        let by = distance.unsigned_abs();
        if distance >= 0 {
            self.map(|squares| squares.wrapping_shl(by))
        } else {
            self.map(|squares| squares.wrapping_shr(by))
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
    pub(crate) fn divide(self, dividends: &Lanes) -> (Lanes, Lanes) {
        let quotients = dividends.map(|dividend| {
            ((u64::from(dividend).wrapping_mul(u64::from(self.factor))) >> self.shift) as u32
        });
        let remainders = dividends.zip(&quotients, |dividend, quotient| {
            dividend.wrapping_sub(quotient.wrapping_mul(self.divisor))
        });
        (quotients, remainders)
    }
}

/// The two positions behind each number of a pair among `free` squares (see `subsets`).
#[inline(always)]
pub(crate) fn pair_places(numbers: &Lanes, free: u32) -> (Lanes, Lanes) {
    // The greatest number whose pairs of lower ones come first.
    let mut high = Lanes::splat(1);
    for n in 2..free {
        let before = n.wrapping_mul(n.wrapping_sub(1)) >> 1;
        for lane in 0..LANES {
            high.0[lane] = high.0[lane].wrapping_add(u32::from(numbers.0[lane] >= before));
        }
    }
    let low = numbers.zip(&high, |number, high| {
        number.wrapping_sub(high.wrapping_mul(high.wrapping_sub(1)) >> 1)
    });
    (low, high)
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
            let mut dividends = Lanes::ZERO.map(|_| 0);
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
}
