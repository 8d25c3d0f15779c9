//! An **interrupt**: Ctrl-C, and the signals by which a system asks a program to end.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::Context;

use crate::exit::Exit;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether there is no work that should stop cleanly.
static IDLE: AtomicBool = AtomicBool::new(false);

/// Whether interrupts are listened to.
static LISTENING: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt asks the work at hand to stop. A second one ends the program at once.
pub(crate) fn listen() -> anyhow::Result<()> {
    IDLE.store(false, Relaxed);
    if LISTENING.swap(true, Relaxed) {
        return Ok(());
    }
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Relaxed) || IDLE.load(Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .context("can't listen for Ctrl-C")
}

/// Whether the work should stop.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Relaxed)
}

/// The work is done: from now on an interrupt ends the program at once, also where whoever started
/// it had interrupts ignored.
pub(crate) fn end_at_once() -> anyhow::Result<()> {
    listen()?;
    IDLE.store(true, Relaxed);
    Ok(())
}
