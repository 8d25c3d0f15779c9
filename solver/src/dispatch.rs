//! **Dispatch**: the same code compiled for the processor it runs on.
//!
//! The inner loops count set bits and work on lanes side by side, and the instructions for that are
//! not in the baseline of x86-64. [`Work`] is compiled once for each level below, and the highest
//! level that the processor has is taken. The results are the same.

/// A piece of work whose inner loops profit from newer instructions. Implementations mark `run`
/// `#[inline(always)]`, so that it is compiled inside the function that enables them.
pub(crate) trait Work {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs a piece of work with the best instructions there are.
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        let v3 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        let v4 = v3
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("avx512bitalg");
        if v4 {
            // SAFETY: the processor has every feature the function enables.
            return unsafe { run_avx512(work) };
        }
        if v3 {
            // SAFETY: the processor has every feature the function enables.
            return unsafe { run_avx2(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512bitalg")]
fn run_avx512<W: Work>(work: W) -> W::Output {
    work.run()
}
