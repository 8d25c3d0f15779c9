//! The **ones** of a word.

/// The places of the ones in a word, in ascending order.
pub(crate) struct Ones(pub(crate) u64);

impl Iterator for Ones {
    type Item = u64;

    #[inline(always)]
    fn next(&mut self) -> Option<u64> {
        (self.0 != 0).then(|| {
            let place = u64::from(self.0.trailing_zeros());
            self.0 &= self.0 - 1;
            place
        })
    }
}
