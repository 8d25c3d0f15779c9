//! **Instructions** that some processors have and compilers do not find in plain loops.

use crate::numbering::LANES;

/// How many numbers of 16 bits the widest registers hold.
pub const NARROW: usize = 32;
/// How many numbers of 32 bits they hold.
pub const WIDE: usize = 16;

/// How to do what loops can't say. Kernels are generic over it, so that each processor gets a
/// compilation of its own; [`Portable`] says what each instruction does. Numbers have 16 or 32 bits.
pub trait Instructions: Copy + Send + Sync {
    /// The places of the numbers that are not zero.
    fn nonzero16(self, numbers: &[u16; NARROW]) -> u32;

    /// The places of the numbers that are not zero.
    fn nonzero32(self, numbers: &[u32; WIDE]) -> u16;

    /// The lanes in a set, in their order. What is behind them does not matter.
    fn pack(self, set: u64) -> [u8; LANES];

    /// The numbers in a set of places, moved to the front in their order. What is behind them does
    /// not matter.
    fn pack32(self, set: u16, numbers: &[u32; WIDE]) -> [u32; WIDE];

    /// The numbers at some places of a table.
    fn look16(self, table: &[u16; 32], places: &[u16; NARROW]) -> [u16; NARROW];

    /// The numbers at some places of a table.
    fn look32(self, table: &[u32; 32], places: &[u32; WIDE]) -> [u32; WIDE];

    /// The numbers of some lanes of a batch.
    fn pick16(self, numbers: &[u16; LANES], lanes: &[u16; NARROW]) -> [u16; NARROW];

    /// The numbers of some lanes of a batch.
    fn pick32(self, numbers: &[u32; LANES], lanes: &[u32; WIDE]) -> [u32; WIDE];
}

/// Loops that do the same on any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Instructions for Portable {
    #[inline(always)]
    fn nonzero16(self, numbers: &[u16; NARROW]) -> u32 {
        let mut set = 0;
        for (place, &number) in numbers.iter().enumerate() {
            set |= u32::from(number != 0) << place;
        }
        set
    }

    #[inline(always)]
    fn nonzero32(self, numbers: &[u32; WIDE]) -> u16 {
        let mut set = 0;
        for (place, &number) in numbers.iter().enumerate() {
            set |= u16::from(number != 0) << place;
        }
        set
    }

    #[inline(always)]
    fn pack(self, set: u64) -> [u8; LANES] {
        let mut packed = [0; LANES];
        let mut rest = set;
        let mut place = 0;
        while rest != 0 {
            packed[place % LANES] = rest.trailing_zeros() as u8;
            place += 1;
            rest &= rest - 1;
        }
        packed
    }

    #[inline(always)]
    fn pack32(self, set: u16, numbers: &[u32; WIDE]) -> [u32; WIDE] {
        let mut packed = [0; WIDE];
        let mut rest = set;
        let mut place = 0;
        while rest != 0 {
            packed[place % WIDE] = numbers[rest.trailing_zeros() as usize % WIDE];
            place += 1;
            rest &= rest - 1;
        }
        packed
    }

    #[inline(always)]
    fn look16(self, table: &[u16; 32], places: &[u16; NARROW]) -> [u16; NARROW] {
        places.map(|place| table[usize::from(place) % 32])
    }

    #[inline(always)]
    fn look32(self, table: &[u32; 32], places: &[u32; WIDE]) -> [u32; WIDE] {
        places.map(|place| table[place as usize % 32])
    }

    #[inline(always)]
    fn pick16(self, numbers: &[u16; LANES], lanes: &[u16; NARROW]) -> [u16; NARROW] {
        lanes.map(|lane| numbers[usize::from(lane) % LANES])
    }

    #[inline(always)]
    fn pick32(self, numbers: &[u32; LANES], lanes: &[u32; WIDE]) -> [u32; WIDE] {
        lanes.map(|lane| numbers[lane as usize % LANES])
    }
}
