//! A **frontier**: which ranks are decided in a ply.
//!
//! While the ply before is expanded, the ranks that it decides are listed, in *buckets* of ranks near
//! each other; then each bucket is put in order, so that sources come in the order of their ranks. Where
//! a ply decides many, nothing is listed and all cells are searched for its code instead, as fast as
//! memory is read in a row.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::level::{Level, Line};
use crate::ones::Ones;
use crate::prefetch::prefetch;
use crate::word::Word;

/// Cells searched at once.
pub(crate) const LINE: u64 = 64;

/// How the ranks of a ply are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontierKind {
    /// Listed where they are few, searched for where they are many.
    #[default]
    Fitting,
    /// Always searched for.
    Search,
    /// Always listed, those apart that the rules decide.
    List,
}

impl FrontierKind {
    /// What a source in fewer ranks decides is searched for.
    const FEW: u64 = 192;
    /// The longest lists of all threads together have a rank in so many: few sources have hardly ever
    /// many more targets.
    const LONGEST: u64 = 144;

    /// How long the list of one of some threads may become for what so many sources among all ranks
    /// decide; nothing if they are not listed.
    pub(crate) fn longest_list(self, sources: u64, ranks: u64, threads: usize) -> usize {
        match self {
            FrontierKind::Fitting if sources <= ranks / FrontierKind::FEW => {
                (ranks / FrontierKind::LONGEST) as usize / threads
            }
            FrontierKind::Fitting | FrontierKind::Search => 0,
            FrontierKind::List => usize::MAX,
        }
    }

    /// The bytes for the longest lists of so many ranks: those of one ply in order, those of the next in
    /// memory that has grown. Buckets that are long in different plies may take somewhat more.
    pub(crate) fn memory(ranks: u64) -> u64 {
        ranks / FrontierKind::LONGEST * (4 + 8)
    }
}

/// Ranks in a bucket. Their bits fit the second cache of a processor.
const BUCKET: u64 = 1 << 20;
/// Fewer are sorted.
const FEW_IN_BUCKET: usize = 1 << 7;

/// What one thread finds decided.
#[derive(Debug, Default)]
pub(crate) struct Decided {
    /// As offsets from the first rank of the bucket, in no order.
    buckets: Vec<Vec<u32>>,
    count: usize,
    overflowed: bool,
}

impl Decided {
    /// Adds some ranks, unless that would be more than `most` in all: then none of all are kept.
    pub(crate) fn add(&mut self, ranks: &[u64], most: usize) {
        if self.overflowed || ranks.len() > most - self.count {
            *self = Decided {
                overflowed: true,
                ..Decided::default()
            };
            return;
        }
        for &rank in ranks {
            let bucket = (rank / BUCKET) as usize;
            if bucket >= self.buckets.len() {
                self.grow(bucket);
            }
            self.buckets[bucket].push((rank % BUCKET) as u32);
        }
        self.count += ranks.len();
    }

    #[cold]
    fn grow(&mut self, bucket: usize) {
        self.buckets.resize_with(bucket + 1, Vec::new);
    }

    fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.count = 0;
        self.overflowed = false;
    }
}

/// Ranks in ascending order.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// As offsets from the first rank of the bucket.
    buckets: Vec<Vec<u32>>,
    /// Memory for the bits of a bucket, one for each thread.
    bits: Vec<Mutex<Bits>>,
}

impl List {
    /// Takes what some threads found decided, in place of what is listed. Returns whether it could: not
    /// if one of them found too many.
    pub(crate) fn take(&mut self, decided: &mut [&mut Decided]) -> bool {
        let overflowed = decided.iter().any(|decided| decided.overflowed);
        if !overflowed {
            let count = decided.iter().map(|decided| decided.buckets.len()).max();
            self.buckets.resize_with(count.unwrap_or(0), Vec::new);
            self.bits
                .resize_with(rayon::current_num_threads(), Mutex::default);
            let buckets = self.buckets.par_iter_mut().enumerate();
            buckets.for_each(|(bucket, ordered)| {
                let bits = &self.bits[rayon::current_thread_index().unwrap_or(0)];
                let mut bits = bits.lock().unwrap_or_else(PoisonError::into_inner);
                let parts = decided.iter();
                let parts = parts.filter_map(|decided| decided.buckets.get(bucket));
                put_in_order(parts.map(Vec::as_slice), ordered, &mut bits);
            });
        }
        for decided in decided {
            decided.clear();
        }
        !overflowed
    }
}

/// The ranks of a bucket as bits, and a bit for each word of them that is not zero: where ranks are few,
/// most words need not be looked at.
#[derive(Debug)]
struct Bits {
    words: Vec<u64>,
    words_in_use: Vec<u64>,
}

impl Default for Bits {
    fn default() -> Bits {
        let words = vec![0; BUCKET as usize / 64];
        Bits {
            words_in_use: vec![0; words.len() / 64],
            words,
        }
    }
}

impl Bits {
    fn set(&mut self, offset: u32) {
        let word = offset / 64;
        self.words[word as usize] |= 1 << (offset % 64);
        self.words_in_use[word as usize / 64] |= 1 << (word % 64);
    }

    /// Takes all of them away, in ascending order.
    fn take(&mut self, mut emit: impl FnMut(u32)) {
        for (first, words) in (0..).step_by(64).zip(&mut self.words_in_use) {
            for word in Ones(std::mem::take(words)) {
                let word = first + word;
                let bits = std::mem::take(&mut self.words[word as usize]);
                // A bucket has fewer ranks than a `u32` can tell apart.
                Ones(bits).for_each(|bit| emit((64 * word + bit) as u32));
            }
        }
    }
}

/// Writes the ranks of a bucket to `ordered` in ascending order. None is there twice. `bits` is memory
/// for a bucket's bits, none of them set.
fn put_in_order<'a>(
    parts: impl Iterator<Item = &'a [u32]> + Clone,
    ordered: &mut Vec<u32>,
    bits: &mut Bits,
) {
    ordered.clear();
    let count = parts.clone().map(<[u32]>::len).sum();
    ordered.reserve_exact(count);
    if count < FEW_IN_BUCKET {
        parts.for_each(|part| ordered.extend_from_slice(part));
        ordered.sort_unstable();
        return;
    }
    parts.flatten().for_each(|&offset| bits.set(offset));
    bits.take(|offset| ordered.push(offset));
}

/// What is left of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'a> {
    list: &'a List,
    bucket: usize,
    /// In the bucket.
    place: usize,
}

impl<'a> Listed<'a> {
    pub(crate) fn all(list: &'a List) -> Listed<'a> {
        Listed {
            list,
            bucket: 0,
            place: 0,
        }
    }

    /// What is left in the bucket, as offsets from its first rank.
    fn here(&self) -> &'a [u32] {
        let bucket = self.list.buckets.get(self.bucket);
        bucket.map_or(&[], |bucket| &bucket[self.place..])
    }

    /// The first rank of the bucket.
    fn first(&self) -> u64 {
        self.bucket as u64 * BUCKET
    }

    /// Leaves the ranks below this one out. Fast where they are few.
    pub(crate) fn skip_to(&mut self, rank: u64) {
        let bucket = (rank / BUCKET) as usize;
        if self.bucket < bucket {
            (self.bucket, self.place) = (bucket, 0);
        }
        let is_before = |offset: &u32| self.first() + u64::from(*offset) < rank;
        let here = self.here();
        let mut step = 1;
        while here.get(step - 1).is_some_and(is_before) {
            step *= 2;
        }
        self.place += here[..here.len().min(step - 1)].partition_point(is_before);
    }

    /// Calls back with the ranks below this one, some at a time, as offsets from the first of their
    /// bucket, and leaves them out.
    fn take_to(&mut self, rank: u64, mut take: impl FnMut(u64, &[u32])) {
        while self.first() < rank && self.bucket < self.list.buckets.len() {
            let here = self.here();
            let below = u32::try_from(rank - self.first()).unwrap_or(u32::MAX);
            let count = here.iter().take_while(|&&offset| offset < below).count();
            take(self.first(), &here[..count]);
            self.place += count;
            if count < here.len() {
                return;
            }
            (self.bucket, self.place) = (self.bucket + 1, 0);
        }
    }
}

/// What is found in a stretch, and the memory for it.
#[derive(Default)]
pub(crate) struct Found {
    /// With room behind them.
    offsets: Vec<u32>,
    count: usize,
}

impl Found {
    /// Lists, behind those found before, those of some ranks that have this code, as offsets from
    /// `start`. No other thread gives or takes that code meanwhile.
    pub(crate) fn search<W: Word>(
        &mut self,
        words: &[W::Shared],
        code: u32,
        start: u64,
        ranks: &Range<u64>,
    ) {
        let words = &words[ranks.start as usize..ranks.end as usize];
        let firsts = (ranks.start..).step_by(AT_ONCE);
        for (first, words) in firsts.zip(words.chunks(AT_ONCE)) {
            let lines = W::bytes(words).map_or(&[][..], |bytes| bytes.as_chunks().0);
            let room = self.room(words.len());
            let mut count = dispatch(Search {
                lines,
                code: code as u8,
                base: (first - start) as u32,
                found: room,
            });
            // Less than a line, or all where words are wide: those are rare.
            for place in lines.len() * LINE as usize..words.len() {
                room[count] = (first - start) as u32 + place as u32;
                count += usize::from(W::load(&words[place]) == code);
            }
            self.count += count;
        }
    }

    /// Takes the ranks below `end` from a list, as offsets from `start`, behind those found before.
    pub(crate) fn take_listed(&mut self, start: u64, end: u64, list: &mut Listed<'_>) {
        list.take_to(end, |first, ranks| {
            let before = first.wrapping_sub(start) as u32;
            for (offset, rank) in self.room(ranks.len()).iter_mut().zip(ranks) {
                *offset = before.wrapping_add(*rank);
            }
            self.count += ranks.len();
        });
    }

    /// So much room behind what is found.
    fn room(&mut self, len: usize) -> &mut [u32] {
        let needed = self.count + len;
        if self.offsets.len() < needed {
            self.offsets.resize(needed, 0);
        }
        &mut self.offsets[self.count..needed]
    }

    /// Offsets of ranks, in ascending order.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.offsets[..self.count]
    }

    /// Takes the first offsets away.
    pub(crate) fn take(&mut self, count: usize) {
        self.offsets.copy_within(count..self.count, 0);
        self.count -= count;
    }
}

/// How many lines ahead of the search memory is asked for.
const AHEAD: usize = 64;
/// Words for which there is room at a time.
const AT_ONCE: usize = 1 << 14;

/// Lists the cells of some lines that hold a code, numbered from `base` on.
struct Search<'a> {
    lines: &'a [Line],
    code: u8,
    base: u32,
    /// Room for all.
    found: &'a mut [u32],
}

impl Work for Search<'_> {
    /// How many.
    type Output = usize;

    #[inline(always)]
    fn run(self, level: impl Level) -> usize {
        let mut count = 0;
        let mut base = self.base;
        for (place, line) in self.lines.iter().enumerate() {
            prefetch(self.lines, place + AHEAD);
            let set = level.equal(line, self.code);
            let room = self.found[count..].first_chunk_mut();
            count += level.list(set, base, room.expect("room for all"));
            base = base.wrapping_add(LINE as u32);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below a bound, without pattern.
    fn random() -> impl FnMut(u64) -> u64 {
        let mut state = 1u64;
        move |bound| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        }
    }

    fn all_are_found<W: Word>() {
        let mut random = random();
        // Lines with none, few and many of a code.
        let mut words: Vec<W> = (0..100_000u64)
            .map(|place| W::from_code(random(2 + place / 64 % 30) as u32))
            .collect();
        let words = W::share(&mut words);
        let mut found = Found::default();
        for code in 0..20 {
            let start = random(50_000);
            let bound = words.len() as u64 - start;
            let mut ends = [0, random(bound), random(bound), random(bound)];
            ends.sort_unstable();
            let mut expected = Vec::new();
            for ends in ends.windows(2) {
                let ranks = start + ends[0]..start + ends[1];
                found.search::<W>(words, code, start, &ranks);
                expected.extend(
                    ranks
                        .filter(|&rank| W::load(&words[rank as usize]) == code)
                        .map(|rank| (rank - start) as u32),
                );
            }
            assert_eq!(found.offsets(), expected, "{code} from {start}");
            found.take(expected.len());
        }
    }

    #[test]
    fn a_search_finds_all_in_order() {
        all_are_found::<u8>();
        all_are_found::<u16>();
    }

    #[test]
    fn lists_are_in_order() {
        let mut random = random();
        // Buckets with none, few and many.
        let mut ranks: Vec<u64> = (0..2000).map(|_| random(BUCKET)).collect();
        ranks.extend((0..100).map(|_| 2 * BUCKET + random(BUCKET)));
        ranks.extend([4 * BUCKET - 1, 4 * BUCKET]);
        ranks.sort_unstable();
        ranks.dedup();
        let mut decided = [Decided::default(), Decided::default()];
        for &rank in ranks.iter().rev() {
            decided[random(2) as usize].add(&[rank], usize::MAX);
        }
        let mut list = List::default();
        assert!(list.take(&mut decided.each_mut()));
        let [mut some, mut found] = [Listed::all(&list); 2].map(|list| (list, Found::default()));
        found.1.take_listed(0, u64::MAX, &mut found.0);
        let expected: Vec<u32> = ranks.iter().map(|&rank| rank as u32).collect();
        assert_eq!(found.1.offsets(), expected);

        let mut start = 0;
        while start < 5 * BUCKET {
            let end = start + 1 + random(BUCKET);
            let gap = random(BUCKET / 8);
            some.0.skip_to(start);
            some.1.take_listed(start, end, &mut some.0);
            let here = ranks.iter().filter(|rank| (start..end).contains(rank));
            let expected: Vec<u32> = here.map(|&rank| (rank - start) as u32).collect();
            assert_eq!(some.1.offsets(), expected, "{start}..{end}");
            some.1.take(expected.len());
            start = end + gap;
        }

        decided[0].add(&[7, 5], 3);
        assert!(list.take(&mut decided.each_mut()));
        let mut found = Found::default();
        found.take_listed(0, u64::MAX, &mut Listed::all(&list));
        assert_eq!(found.offsets(), [5, 7]);
        decided[0].add(&[0, 1], 3);
        decided[0].add(&[2, 3], 3);
        assert!(!list.take(&mut decided.each_mut()));
    }
}
