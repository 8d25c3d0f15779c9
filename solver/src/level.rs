//! A **level**: what a processor has beyond the baseline of its architecture.
//!
//! The inner loops count set bits and work on lanes side by side, and the instructions for that are
//! not in the baseline of x86-64. What compilers do not find by themselves is here, for each level
//! and as a loop that does the same anywhere. No other file of the solver names an instruction,
//! `prefetch` aside.

use std::sync::atomic::AtomicU8;

use koma_games::{Instructions, LANES, NARROW, Portable, WIDE};

use crate::frontier::LINE;

/// The cells of a line.
pub(crate) type Line = [AtomicU8; LINE as usize];

/// Instructions, and one more for the cells of the solver.
pub(crate) trait Level: Instructions {
    /// Which cells of a line hold this code, one bit each. Other threads may change cells meanwhile:
    /// each is seen before or after its change.
    fn equal(self, line: &Line, code: u8) -> u64;

    /// Lists the numbers in a set, counted from `base` on; returns how many there are. What is
    /// behind them does not matter.
    fn list(self, set: u64, base: u32, numbers: &mut [u32; 64]) -> usize;
}

#[inline(always)]
fn list_each(set: u64, base: u32, numbers: &mut [u32; 64]) -> usize {
    let mut rest = set;
    let mut count = 0;
    while rest != 0 {
        numbers[count % 64] = base.wrapping_add(rest.trailing_zeros());
        rest &= rest - 1;
        count += 1;
    }
    count
}

/// What [`Level::equal`] means.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn equal_each(line: &Line, code: u8) -> u64 {
    use std::sync::atomic::Ordering::Relaxed;
    let mut set = 0;
    for (place, cell) in line.iter().enumerate() {
        set |= u64::from(cell.load(Relaxed) == code) << place;
    }
    set
}

impl Level for Portable {
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn equal(self, line: &Line, code: u8) -> u64 {
        equal_each(line, code)
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn equal(self, line: &Line, code: u8) -> u64 {
        x86::equal_in_baseline(line, code)
    }

    #[inline(always)]
    fn list(self, set: u64, base: u32, numbers: &mut [u32; 64]) -> usize {
        list_each(set, base, numbers)
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::asm;
    use std::arch::x86_64::{
        _mm_loadu_epi8, _mm_set1_epi8, _mm256_set1_epi8, _mm512_add_epi32, _mm512_cvtepu8_epi32,
        _mm512_loadu_epi8, _mm512_loadu_epi16, _mm512_loadu_epi32, _mm512_mask_blend_epi32,
        _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi32, _mm512_permutex2var_epi16,
        _mm512_permutex2var_epi32, _mm512_permutexvar_epi16, _mm512_set1_epi8, _mm512_set1_epi32,
        _mm512_storeu_epi8, _mm512_storeu_epi16, _mm512_storeu_epi32, _mm512_test_epi16_mask,
        _mm512_test_epi32_mask,
    };

    use super::{Instructions, LANES, Level, Line, NARROW, Portable, WIDE, list_each};

    /// A processor with AVX2 and the instructions that came with it.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx2(());

    /// A processor with AVX-512 as of 2019 (Ice Lake, Zen 4).
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Avx512(());

    impl Avx2 {
        /// If the processor is one.
        pub(crate) fn detected() -> Option<Avx2> {
            let detected = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            detected.then_some(Avx2(()))
        }
    }

    impl Avx512 {
        /// If the processor is one.
        pub(crate) fn detected() -> Option<Avx512> {
            let detected = Avx2::detected().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("avx512bitalg")
                && is_x86_feature_detected!("avx512vbmi2");
            detected.then_some(Avx512(()))
        }
    }

    // A vector load of x86 is atomic for each of its bytes, as relaxed loads of the cells would be,
    // so the three below may run while other threads store to the line. They are in assembly
    // language because to the compiler a load of many cells is never atomic.

    #[inline(always)]
    pub(super) fn equal_in_baseline(line: &Line, code: u8) -> u64 {
        // SAFETY: SSE2 is in the baseline of x86-64.
        let wanted = unsafe { _mm_set1_epi8(code as i8) };
        let mut set = 0;
        for (part, cells) in line.as_chunks::<16>().0.iter().enumerate() {
            let equal: u32;
            // SAFETY: reads the 16 bytes of `cells`, and changes only registers.
            unsafe {
                asm!(
                    "movdqu {found}, [{cells}]",
                    "pcmpeqb {found}, {wanted}",
                    "pmovmskb {equal:e}, {found}",
                    cells = in(reg) cells.as_ptr(),
                    wanted = in(xmm_reg) wanted,
                    found = out(xmm_reg) _,
                    equal = lateout(reg) equal,
                    options(nostack, readonly, preserves_flags),
                );
            }
            set |= u64::from(equal) << (16 * part);
        }
        set
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn equal_by_avx2(line: &Line, code: u8) -> u64 {
        let wanted = _mm256_set1_epi8(code as i8);
        let mut set = 0;
        for (part, cells) in line.as_chunks::<32>().0.iter().enumerate() {
            let equal: u32;
            // SAFETY: reads the 32 bytes of `cells`, and changes only registers.
            unsafe {
                asm!(
                    "vpcmpeqb {found}, {wanted}, [{cells}]",
                    "vpmovmskb {equal:e}, {found}",
                    cells = in(reg) cells.as_ptr(),
                    wanted = in(ymm_reg) wanted,
                    found = out(ymm_reg) _,
                    equal = lateout(reg) equal,
                    options(nostack, readonly, preserves_flags),
                );
            }
            set |= u64::from(equal) << (32 * part);
        }
        set
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn equal_by_avx512(line: &Line, code: u8) -> u64 {
        let wanted = _mm512_set1_epi8(code as i8);
        let set: u64;
        // SAFETY: reads the 64 bytes of `line`, and changes only registers.
        unsafe {
            asm!(
                "vpcmpeqb {found}, {wanted}, [{cells}]",
                "kmovq {set}, {found}",
                cells = in(reg) line.as_ptr(),
                wanted = in(zmm_reg) wanted,
                found = out(kreg) _,
                set = lateout(reg) set,
                options(nostack, readonly, preserves_flags),
            );
        }
        set
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    fn pack_by_avx512(set: u64) -> [u8; LANES] {
        const PLACES: [u8; LANES] = {
            let mut places = [0; LANES];
            let mut place = 0;
            while place < LANES {
                places[place] = place as u8;
                place += 1;
            }
            places
        };
        let mut packed = [0; LANES];
        // SAFETY: both pointers are to 64 bytes.
        unsafe {
            let places = _mm512_loadu_epi8(PLACES.as_ptr().cast());
            let found = _mm512_maskz_compress_epi8(set, places);
            _mm512_storeu_epi8(packed.as_mut_ptr().cast(), found);
        }
        packed
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    fn list_by_avx512(set: u64, base: u32, numbers: &mut [u32; 64]) -> usize {
        let count = set.count_ones() as usize;
        let packed = pack_by_avx512(set);
        let base = _mm512_set1_epi32(base as i32);
        let parts = packed.as_chunks::<WIDE>().0;
        let parts = parts.iter().zip(numbers.as_chunks_mut::<WIDE>().0);
        // Few sets have more members than the first part holds.
        for (part, numbers) in parts.take(if count > WIDE { LANES / WIDE } else { 1 }) {
            // SAFETY: the pointers are to 16 bytes and to 16 numbers.
            unsafe {
                let part = _mm512_cvtepu8_epi32(_mm_loadu_epi8(part.as_ptr().cast()));
                _mm512_storeu_epi32(numbers.as_mut_ptr().cast(), _mm512_add_epi32(base, part));
            }
        }
        count
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn nonzero32_by_avx512(numbers: &[u32; WIDE]) -> u16 {
        // SAFETY: the pointer is to 16 numbers.
        unsafe {
            let numbers = _mm512_loadu_epi32(numbers.as_ptr().cast());
            _mm512_test_epi32_mask(numbers, numbers)
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn pack32_by_avx512(set: u16, numbers: &[u32; WIDE]) -> [u32; WIDE] {
        let mut packed = [0; WIDE];
        // SAFETY: both pointers are to 16 numbers.
        unsafe {
            let numbers = _mm512_loadu_epi32(numbers.as_ptr().cast());
            let found = _mm512_maskz_compress_epi32(set, numbers);
            _mm512_storeu_epi32(packed.as_mut_ptr().cast(), found);
        }
        packed
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn look32_by_avx512(table: &[u32; 32], places: &[u32; WIDE]) -> [u32; WIDE] {
        let mut found = [0; WIDE];
        let [low, high] = table.as_chunks::<WIDE>().0 else {
            unreachable!("two halves");
        };
        // SAFETY: all pointers are to 16 numbers. The instruction takes places modulo 32.
        unsafe {
            let low = _mm512_loadu_epi32(low.as_ptr().cast());
            let high = _mm512_loadu_epi32(high.as_ptr().cast());
            let places = _mm512_loadu_epi32(places.as_ptr().cast());
            let numbers = _mm512_permutex2var_epi32(low, places, high);
            _mm512_storeu_epi32(found.as_mut_ptr().cast(), numbers);
        }
        found
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn pick32_by_avx512(numbers: &[u32; LANES], lanes: &[u32; WIDE]) -> [u32; WIDE] {
        let mut picked = [0; WIDE];
        let [a, b, c, d] = numbers.as_chunks::<WIDE>().0 else {
            unreachable!("four quarters");
        };
        // SAFETY: all pointers are to 16 numbers. The instruction takes lanes modulo 32; bit 5 tells
        // the lower half from the upper one.
        unsafe {
            let [a, b, c, d] = [a, b, c, d].map(|part| _mm512_loadu_epi32(part.as_ptr().cast()));
            let lanes = _mm512_loadu_epi32(lanes.as_ptr().cast());
            let upper = _mm512_test_epi32_mask(lanes, _mm512_set1_epi32(32));
            let low = _mm512_permutex2var_epi32(a, lanes, b);
            let high = _mm512_permutex2var_epi32(c, lanes, d);
            let found = _mm512_mask_blend_epi32(upper, low, high);
            _mm512_storeu_epi32(picked.as_mut_ptr().cast(), found);
        }
        picked
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn nonzero16_by_avx512(numbers: &[u16; NARROW]) -> u32 {
        // SAFETY: the pointer is to 32 numbers.
        unsafe {
            let numbers = _mm512_loadu_epi16(numbers.as_ptr().cast());
            _mm512_test_epi16_mask(numbers, numbers)
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn look16_by_avx512(table: &[u16; 32], places: &[u16; NARROW]) -> [u16; NARROW] {
        let mut found = [0; NARROW];
        // SAFETY: all pointers are to 32 numbers. The instruction takes places modulo 32.
        unsafe {
            let table = _mm512_loadu_epi16(table.as_ptr().cast());
            let places = _mm512_loadu_epi16(places.as_ptr().cast());
            let numbers = _mm512_permutexvar_epi16(places, table);
            _mm512_storeu_epi16(found.as_mut_ptr().cast(), numbers);
        }
        found
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn pick16_by_avx512(numbers: &[u16; LANES], lanes: &[u16; NARROW]) -> [u16; NARROW] {
        let mut picked = [0; NARROW];
        let [low, high] = numbers.as_chunks::<NARROW>().0 else {
            unreachable!("two halves");
        };
        // SAFETY: all pointers are to 32 numbers. The instruction takes lanes modulo 64.
        unsafe {
            let low = _mm512_loadu_epi16(low.as_ptr().cast());
            let high = _mm512_loadu_epi16(high.as_ptr().cast());
            let lanes = _mm512_loadu_epi16(lanes.as_ptr().cast());
            let found = _mm512_permutex2var_epi16(low, lanes, high);
            _mm512_storeu_epi16(picked.as_mut_ptr().cast(), found);
        }
        picked
    }

    impl Instructions for Avx2 {
        #[inline(always)]
        fn nonzero16(self, numbers: &[u16; NARROW]) -> u32 {
            Portable.nonzero16(numbers)
        }

        #[inline(always)]
        fn nonzero32(self, numbers: &[u32; WIDE]) -> u16 {
            Portable.nonzero32(numbers)
        }

        #[inline(always)]
        fn pack(self, set: u64) -> [u8; LANES] {
            Portable.pack(set)
        }

        #[inline(always)]
        fn pack32(self, set: u16, numbers: &[u32; WIDE]) -> [u32; WIDE] {
            Portable.pack32(set, numbers)
        }

        #[inline(always)]
        fn look16(self, table: &[u16; 32], places: &[u16; NARROW]) -> [u16; NARROW] {
            Portable.look16(table, places)
        }

        #[inline(always)]
        fn look32(self, table: &[u32; 32], places: &[u32; WIDE]) -> [u32; WIDE] {
            Portable.look32(table, places)
        }

        #[inline(always)]
        fn pick16(self, numbers: &[u16; LANES], lanes: &[u16; NARROW]) -> [u16; NARROW] {
            Portable.pick16(numbers, lanes)
        }

        #[inline(always)]
        fn pick32(self, numbers: &[u32; LANES], lanes: &[u32; WIDE]) -> [u32; WIDE] {
            Portable.pick32(numbers, lanes)
        }
    }

    impl Level for Avx2 {
        #[inline(always)]
        fn equal(self, line: &Line, code: u8) -> u64 {
            // SAFETY: `self` is made only where the processor has the instructions.
            unsafe { equal_by_avx2(line, code) }
        }

        #[inline(always)]
        fn list(self, set: u64, base: u32, numbers: &mut [u32; 64]) -> usize {
            list_each(set, base, numbers)
        }
    }

    impl Instructions for Avx512 {
        #[inline(always)]
        fn nonzero16(self, numbers: &[u16; NARROW]) -> u32 {
            // SAFETY: as above.
            unsafe { nonzero16_by_avx512(numbers) }
        }

        #[inline(always)]
        fn nonzero32(self, numbers: &[u32; WIDE]) -> u16 {
            // SAFETY: as above.
            unsafe { nonzero32_by_avx512(numbers) }
        }

        #[inline(always)]
        fn pack(self, set: u64) -> [u8; LANES] {
            // SAFETY: as above.
            unsafe { pack_by_avx512(set) }
        }

        #[inline(always)]
        fn pack32(self, set: u16, numbers: &[u32; WIDE]) -> [u32; WIDE] {
            // SAFETY: as above.
            unsafe { pack32_by_avx512(set, numbers) }
        }

        #[inline(always)]
        fn look16(self, table: &[u16; 32], places: &[u16; NARROW]) -> [u16; NARROW] {
            // SAFETY: as above.
            unsafe { look16_by_avx512(table, places) }
        }

        #[inline(always)]
        fn look32(self, table: &[u32; 32], places: &[u32; WIDE]) -> [u32; WIDE] {
            // SAFETY: as above.
            unsafe { look32_by_avx512(table, places) }
        }

        #[inline(always)]
        fn pick16(self, numbers: &[u16; LANES], lanes: &[u16; NARROW]) -> [u16; NARROW] {
            // SAFETY: as above.
            unsafe { pick16_by_avx512(numbers, lanes) }
        }

        #[inline(always)]
        fn pick32(self, numbers: &[u32; LANES], lanes: &[u32; WIDE]) -> [u32; WIDE] {
            // SAFETY: as above.
            unsafe { pick32_by_avx512(numbers, lanes) }
        }
    }

    impl Level for Avx512 {
        #[inline(always)]
        fn equal(self, line: &Line, code: u8) -> u64 {
            // SAFETY: as above.
            unsafe { equal_by_avx512(line, code) }
        }

        #[inline(always)]
        fn list(self, set: u64, base: u32, numbers: &mut [u32; 64]) -> usize {
            // SAFETY: as above.
            unsafe { list_by_avx512(set, base, numbers) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without pattern (xorshift).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }
    }

    /// Lane by lane against the loops that say what each instruction means.
    fn agrees(level: impl Level) {
        let mut random = Random(1);
        for _ in 0..20_000 {
            let numbers: [u32; LANES] = std::array::from_fn(|_| random.next() as u32);
            let table: [u32; 32] = std::array::from_fn(|_| random.next() as u32);
            let (set, base) = (random.next() & random.next(), random.next() as u32);

            let lanes = std::array::from_fn(|_| random.next() as u32);
            let some = lanes.map(|lane| lane & 1);
            assert_eq!(level.nonzero32(&some), Portable.nonzero32(&some));
            let [lanes, places] = [64, 32].map(|bound| lanes.map(|lane| lane % bound));
            let count = (set as u16).count_ones() as usize;
            let packed = level.pack32(set as u16, &lanes);
            assert_eq!(
                packed[..count],
                Portable.pack32(set as u16, &lanes)[..count]
            );
            let looked_up = level.look32(&table, &places);
            assert_eq!(looked_up, Portable.look32(&table, &places));
            let picked = level.pick32(&numbers, &lanes);
            assert_eq!(picked, Portable.pick32(&numbers, &lanes));

            let numbers = numbers.map(|number| number as u16);
            let table = table.map(|number| number as u16);
            let lanes = std::array::from_fn(|_| random.next() as u16);
            let some = lanes.map(|lane| lane & 1);
            assert_eq!(level.nonzero16(&some), Portable.nonzero16(&some));
            let [lanes, places] = [64, 32].map(|bound| lanes.map(|lane| lane % bound));
            let count = set.count_ones() as usize;
            assert_eq!(level.pack(set)[..count], Portable.pack(set)[..count]);
            let looked_up = level.look16(&table, &places);
            assert_eq!(looked_up, Portable.look16(&table, &places));
            let picked = level.pick16(&numbers, &lanes);
            assert_eq!(picked, Portable.pick16(&numbers, &lanes));

            let [mut found, mut expected] = [[0; 64]; 2];
            let count = level.list(set, base, &mut found);
            assert_eq!(count, list_each(set, base, &mut expected));
            assert_eq!(found[..count], expected[..count]);
            let line: Line = std::array::from_fn(|_| AtomicU8::new(random.next() as u8 % 3));
            for code in [0, 2, 3, 255] {
                assert_eq!(level.equal(&line, code), equal_each(&line, code));
            }
        }
    }

    #[test]
    fn every_level_does_the_same() {
        agrees(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(level) = Avx2::detected() {
                agrees(level);
            }
            if let Some(level) = Avx512::detected() {
                agrees(level);
            }
        }
    }
}
