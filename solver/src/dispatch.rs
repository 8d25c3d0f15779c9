//! **Dispatch**: the same code compiled for the processor it runs on.
//!
//! Ranks are made of counts of set bits, and the instructions for those are not in the baseline of
//! x86-64. [`Work`] is compiled twice, and the faster build is taken where the processor has what
//! it needs. The results are the same.

/// A piece of work whose inner loops profit from newer instructions. Implementations mark `run`
/// `#[inline(always)]`, so that it is compiled inside the function that enables them.
pub(crate) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a piece of work with the best instructions there are.
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has every feature the function enables.
        return unsafe { run_x86_64_v3(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_x86_64_v3<W: Work>(work: W) -> W::Output {
    work.run()
}
