//! **Prefetch**: asks for memory that will be needed soon.

/// Asks the processor to bring an element into its caches. Does nothing where there is no such
/// instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let element = slice.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch reads nothing and never fails, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(element.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
