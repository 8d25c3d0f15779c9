//! **Huge pages**: fewer of them to look up.
//!
//! Changes are spread over the whole memory of cells that are being solved, and with pages of 4 KiB
//! nearly each one costs the processor a walk through its page tables. A disk, too, takes memory in
//! few pieces faster.

/// Asks the system to hold this memory in huge pages, where it can. Best before it is first used.
pub fn prefer_huge_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        // Any page size in use divides this; a start inside a page would be refused.
        const PAGE: usize = 1 << 16;
        let bytes = size_of_val(memory);
        let start = memory.as_mut_ptr().cast::<u8>();
        let skipped = start.align_offset(PAGE);
        if skipped < bytes {
            // SAFETY: the range lies in `memory`, and the advice changes nothing that is in it. That
            // it may be refused does not matter.
            unsafe {
                let first = start.add(skipped).cast();
                libc::madvise(first, bytes - skipped, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
