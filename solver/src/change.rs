//! A **change**: what becomes of the word of a rank when a move is found to lead from it to a rank
//! decided in the ply that is being expanded.

use std::hint::select_unpredictable;

use crate::word::Word;

/// The changes in one ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// Whether moves are counted down: those to ranks that the other side wins.
    counts: bool,
    /// The least code of an undecided rank, and how many there are.
    first_open: u32,
    open_codes: u32,
    next_ply: u32,
}

impl Change {
    /// What is found in `ply`, where `limit` is the longest distance that a word can hold.
    pub(crate) fn new<W: Word>(ply: u32, limit: u32) -> Change {
        Change {
            counts: !ply.is_multiple_of(2),
            first_open: limit + 1,
            open_codes: W::DRAWN - (limit + 1),
            next_ply: ply + 1,
        }
    }

    /// Whether moves are counted down.
    pub(crate) fn counts(self) -> bool {
        self.counts
    }

    /// The code after this one, and whether the rank is decided by it. `COUNTS` is
    /// [`counts`](Change::counts).
    // Without branches, since nothing foretells which way they would go.
    #[inline(always)]
    pub(crate) fn of<const COUNTS: bool>(self, code: u32) -> (u32, bool) {
        // One comparison tells whether a code lies between two others.
        let place = code.wrapping_sub(self.first_open);
        let open = place < self.open_codes;
        let (last, otherwise) = if COUNTS {
            let last = place.wrapping_add(1) == self.open_codes;
            (last, code.wrapping_add(u32::from(open)))
        } else {
            (open, code)
        };
        (select_unpredictable(last, self.next_ply, otherwise), last)
    }
}

/// The same for words of one byte, as a table: hardly more than a load.
#[derive(Clone, Debug)]
pub(crate) struct ByteChanges([u16; 1 << 8]);

impl ByteChanges {
    const DECIDED: u16 = 1 << 8;

    pub(crate) fn new(change: Change) -> ByteChanges {
        let mut changes = [0; 1 << 8];
        for (code, after) in (0..).zip(&mut changes) {
            let (byte, decided) = match change.counts {
                true => change.of::<true>(code),
                false => change.of::<false>(code),
            };
            *after = byte as u16 % ByteChanges::DECIDED;
            if decided {
                *after |= ByteChanges::DECIDED;
            }
        }
        ByteChanges(changes)
    }

    #[inline(always)]
    pub(crate) fn of(&self, code: u8) -> (u32, bool) {
        let after = self.0[usize::from(code)];
        let byte = after % ByteChanges::DECIDED;
        (u32::from(byte), after >= ByteChanges::DECIDED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_counted_down_and_losses_reached_from() {
        let limit = 200;
        for code in 0..=u32::from(u8::MAX) {
            let open = code > limit && code < u8::DRAWN;
            let won = Change::new::<u8>(4, limit);
            let after = won.of::<false>(code);
            assert_eq!(after, if open { (5, true) } else { (code, false) });
            assert_eq!(ByteChanges::new(won).of(code as u8), after);

            let counted = Change::new::<u8>(5, limit);
            let after = counted.of::<true>(code);
            let expected = match () {
                () if !open => (code, false),
                () if code == u8::DRAWN - 1 => (6, true),
                () => (code + 1, false),
            };
            assert_eq!(after, expected);
            assert_eq!(ByteChanges::new(counted).of(code as u8), after);
        }
    }
}
