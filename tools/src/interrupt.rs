//! An **interrupt**: Ctrl-C, and the signals by which a system asks a program to end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::Context;

use crate::exit::Exit;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt asks the work at hand to stop. A second one ends the program at once.
pub(crate) fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .context("can't listen for Ctrl-C")
}

/// Whether the work should stop.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}
