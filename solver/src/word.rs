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
pub(crate) trait Word: Copy + Default + Send + Sync + fmt::Debug + 'static {
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
    fn load(shared: &Self::Shared) -> u32;
    fn store(shared: &Self::Shared, code: u32);
    /// Adds one in a single step; returns the code before.
    fn fetch_increment(shared: &Self::Shared) -> u32;

    /// Which of at most 64 words have this code, one bit each.
    #[inline(always)]
    fn equal(words: &[Self], code: u32) -> u64 {
        equal_each(words, code)
    }
}

#[inline(always)]
fn equal_each<W: Word>(words: &[W], code: u32) -> u64 {
    let mut set = 0;
    for (place, word) in words.iter().enumerate() {
        set |= u64::from(word.code() == code) << place;
    }
    set
}

macro_rules! word {
    ($word:ty, $atomic:ty, $wider:ty, $width:ident $(, $equal:item)?) => {
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

            $($equal)?

            fn into_cells(words: Vec<$word>) -> Cells {
                Cells::$width(words)
            }

            fn share(words: &mut [$word]) -> &[$atomic] {
                // SAFETY: an atomic integer has the size, alignment and bit validity of its
                // integer (the assertion below checks the alignment, which may differ for wide
                // ones), and the borrow of `words` stays exclusive as long as the result lives.
                unsafe { &*(words as *mut [$word] as *const [$atomic]) }
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
            fn fetch_increment(shared: &$atomic) -> u32 {
                shared.fetch_add(1, Relaxed) as u32
            }
        }

        const _: () = assert!(align_of::<$word>() == align_of::<$atomic>());
    };
}

word!(
    u8,
    AtomicU8,
    u16,
    Bits8,
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn equal(words: &[u8], code: u32) -> u64 {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
        let Ok(line) = <&[u8; 64]>::try_from(words) else {
            return equal_each(words, code);
        };
        let mut set = 0;
        let halves = line.as_chunks::<8>().0.as_chunks::<2>().0;
        for (place, &[low, high]) in halves.iter().enumerate() {
            let [low, high] = [low, high].map(i64::from_le_bytes);
            // SAFETY: SSE2 is in the baseline of x86-64.
            let equal = unsafe {
                let bytes = _mm_set_epi64x(high, low);
                _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(code as i8)))
            };
            set |= u64::from(equal as u32) << (16 * place);
        }
        set
    }
);
word!(u16, AtomicU16, u32, Bits16);
word!(u32, AtomicU32, u32, Bits32);
