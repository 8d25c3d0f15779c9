//! A **word**: the memory of one cell while a universe is being solved.
//!
//! | code | meaning |
//! |---|---|
//! | 0 ..= limit | decided in so many plies, odd a win, even a loss |
//! | limit + 1 ..= max - 2 | undecided, with `max - 1 - code` moves left to count down |
//! | max - 1 | drawn by the rules |
//! | max | a hole |
//!
//! `limit` leaves room for the greatest number of moves of the universe, so no distance can be
//! taken for a count. When the analysis gets deeper than that, every word is widened.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering::Relaxed};

use koma_tables::CellWidth;

use crate::solution::Cells;

/// An unsigned integer that holds a cell.
pub(crate) trait Word: Copy + Default + Ord + Send + Sync + fmt::Debug + 'static {
    /// The same, shared between threads.
    type Shared: Sync + Send;
    /// The next wider word; the widest is its own.
    type Wider: Word;
    const MAX: u32;
    const HOLE: u32 = Self::MAX;
    /// Drawn by the rules. A count of moves left is its distance from here.
    const DRAWN: u32 = Self::MAX - 1;
    const WIDTH: CellWidth;

    fn from_code(code: u32) -> Self;
    fn code(self) -> u32;
    /// Finished cells.
    fn into_cells(words: Vec<Self>) -> Cells;

    /// Lends exclusive words to several threads.
    fn share(words: &mut [Self]) -> &[Self::Shared];
    /// The same, where a word is a byte.
    fn bytes(words: &[Self::Shared]) -> Option<&[AtomicU8]>;
    fn load(shared: &Self::Shared) -> u32;
    fn store(shared: &Self::Shared, code: u32);
    /// Stores a code in a single step; returns the code before.
    fn swap(shared: &Self::Shared, code: u32) -> u32;
    /// Adds one in a single step; returns the code before.
    fn fetch_increment(shared: &Self::Shared) -> u32;
}

macro_rules! word {
    ($word:ty, $atomic:ty, $wider:ty, $width:ident, $bytes:expr) => {
        impl Word for $word {
            type Shared = $atomic;
            type Wider = $wider;
            const WIDTH: CellWidth = CellWidth::$width;
            const MAX: u32 = <$word>::MAX as u32;

            #[inline(always)]
            fn from_code(code: u32) -> $word {
                code as $word
            }

            #[inline(always)]
            fn code(self) -> u32 {
                self as u32
            }

            fn into_cells(words: Vec<$word>) -> Cells {
                Cells::$width(words)
            }

            fn share(words: &mut [$word]) -> &[$atomic] {
                // SAFETY: an atomic integer has the size, alignment and bit validity of its
                // integer (the assertion below checks the alignment, which may differ for wide
                // ones), and the borrow of `words` stays exclusive as long as the result lives.
                unsafe { &*(words as *mut [$word] as *const [$atomic]) }
            }

            fn bytes(words: &[$atomic]) -> Option<&[AtomicU8]> {
                let bytes: fn(&[$atomic]) -> Option<&[AtomicU8]> = $bytes;
                bytes(words)
            }

            #[inline(always)]
            fn load(shared: &$atomic) -> u32 {
                shared.load(Relaxed) as u32
            }

            #[inline(always)]
            fn store(shared: &$atomic, code: u32) {
                shared.store(code as $word, Relaxed);
            }

            #[inline(always)]
            fn swap(shared: &$atomic, code: u32) -> u32 {
                shared.swap(code as $word, Relaxed) as u32
            }

            #[inline(always)]
            fn fetch_increment(shared: &$atomic) -> u32 {
                shared.fetch_add(1, Relaxed) as u32
            }
        }

        const _: () = assert!(align_of::<$word>() == align_of::<$atomic>());
    };
}

word!(u8, AtomicU8, u16, Bits8, |words| Some(words));
word!(u16, AtomicU16, u32, Bits16, |_| None);
word!(u32, AtomicU32, u32, Bits32, |_| None);
