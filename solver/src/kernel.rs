//! A **kernel**: for which kind of processor the inner loops are compiled.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use thiserror::Error;

#[cfg(target_arch = "x86_64")]
use crate::level::{Avx2, Avx512};

/// The inner loops as they are compiled for some processors. All do the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// For any processor of the architecture.
    Portable,
    /// For x86-64 with AVX2 (Haswell, Zen and later).
    Avx2,
    /// For x86-64 with AVX-512, VBMI2 and BITALG (Ice Lake, Zen 4 and later).
    Avx512,
}

/// Why a kernel can't be had.
#[derive(Clone, Debug, Error)]
pub enum KernelError {
    /// There is none of this name.
    #[error("`{0}` is no kernel; there are portable, avx2 and avx512")]
    Unknown(String),
    /// The processor lacks its instructions.
    #[error(
        "this processor can't run the kernel {0}; leave the choice to the program, or take portable"
    )]
    Missing(Kernel),
}

/// A kernel, and the proof that the processor can run it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

static CHOSEN: OnceLock<Chosen> = OnceLock::new();

impl Kernel {
    const ALL: [Kernel; 3] = [Kernel::Avx512, Kernel::Avx2, Kernel::Portable];

    /// Takes this kernel for everything that follows, not the best one.
    ///
    /// # Errors
    /// [`KernelError::Missing`] if the processor can't run it.
    ///
    /// # Panics
    /// If some work has been done already, with another one.
    pub fn take(self) -> Result<(), KernelError> {
        let wanted = self.detected().ok_or(KernelError::Missing(self))?;
        let taken = CHOSEN.get_or_init(|| wanted);
        assert_eq!(
            std::mem::discriminant(taken),
            std::mem::discriminant(&wanted),
            "the kernel is chosen before any work"
        );
        Ok(())
    }

    fn detected(self) -> Option<Chosen> {
        match self {
            Kernel::Portable => Some(Chosen::Portable),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => Avx2::detected().map(Chosen::Avx2),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => Avx512::detected().map(Chosen::Avx512),
            #[cfg(not(target_arch = "x86_64"))]
            _ => None,
        }
    }
}

/// The kernel to be used: the one that was taken, else the best that there is.
pub(crate) fn chosen() -> Chosen {
    *CHOSEN.get_or_init(|| {
        let mut detected = Kernel::ALL.into_iter().filter_map(Kernel::detected);
        detected.next().unwrap_or(Chosen::Portable)
    })
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Portable => "portable",
            Kernel::Avx2 => "avx2",
            Kernel::Avx512 => "avx512",
        })
    }
}

impl FromStr for Kernel {
    type Err = KernelError;

    fn from_str(name: &str) -> Result<Kernel, KernelError> {
        let mut all = Kernel::ALL.into_iter();
        all.find(|kernel| kernel.to_string() == name)
            .ok_or_else(|| KernelError::Unknown(name.to_owned()))
    }
}
