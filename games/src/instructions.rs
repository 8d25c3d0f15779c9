//! **Instructions** that some processors have and compilers do not find in plain loops.

use crate::numbering::LANES;

/// Half the lanes of a batch: what the widest registers hold.
pub const HALF: usize = LANES / 2;

/// How to do what loops can't say. Kernels are generic over it, so that each processor gets a
/// compilation of its own; [`Portable`] says what each instruction does.
pub trait Instructions: Copy + Send + Sync {
    /// The lanes whose number is not zero.
    fn nonzero(self, numbers: &[u32; HALF]) -> u16;

    /// The numbers of the lanes in a set, moved to the front in their order. What is behind them
    /// does not matter.
    fn pack(self, set: u16, numbers: &[u32; HALF]) -> [u32; HALF];

    /// Of the numbers of a batch those of some lanes.
    fn pick(self, numbers: &[u32; LANES], lanes: &[u32; HALF]) -> [u32; HALF];
}

/// Loops that do the same on any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Instructions for Portable {
    #[inline(always)]
    fn nonzero(self, numbers: &[u32; HALF]) -> u16 {
        let mut set = 0;
        for (lane, &number) in numbers.iter().enumerate() {
            set |= u16::from(number != 0) << lane;
        }
        set
    }

    #[inline(always)]
    fn pack(self, set: u16, numbers: &[u32; HALF]) -> [u32; HALF] {
        let mut packed = [0; HALF];
        let mut rest = set;
        let mut place = 0;
        while rest != 0 {
            packed[place % HALF] = numbers[rest.trailing_zeros() as usize % HALF];
            place += 1;
            rest &= rest - 1;
        }
        packed
    }

    #[inline(always)]
    fn pick(self, numbers: &[u32; LANES], lanes: &[u32; HALF]) -> [u32; HALF] {
        lanes.map(|lane| numbers[lane as usize % LANES])
    }
}
