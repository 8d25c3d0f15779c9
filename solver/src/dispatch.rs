//! **Dispatch**: the same code compiled for the processor it runs on.
//!
//! [`Work`] is compiled once for each [`Level`], and that of the chosen kernel is taken. The results
//! are the same.

use koma_games::Portable;

use crate::kernel::{Chosen, chosen};
use crate::level::Level;
#[cfg(target_arch = "x86_64")]
use crate::level::{Avx2, Avx512};

/// A piece of work whose inner loops profit from newer instructions. Implementations mark `run`
/// `#[inline(always)]`, so that it is compiled inside the function that enables them.
pub(crate) trait Work {
    type Output;
    fn run(self, level: impl Level) -> Self::Output;
}

/// Runs a piece of work with the chosen kernel.
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    match chosen() {
        Chosen::Portable => work.run(Portable),
        // SAFETY: a level is there only if the processor has every feature the function enables.
        #[cfg(target_arch = "x86_64")]
        Chosen::Avx2(level) => unsafe { run_avx2(work, level) },
        // SAFETY: likewise.
        #[cfg(target_arch = "x86_64")]
        Chosen::Avx512(level) => unsafe { run_avx512(work, level) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<W: Work>(work: W, level: Avx2) -> W::Output {
    work.run(level)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx512bitalg")]
#[target_feature(enable = "avx512vbmi2")]
fn run_avx512<W: Work>(work: W, level: Avx512) -> W::Output {
    work.run(level)
}
