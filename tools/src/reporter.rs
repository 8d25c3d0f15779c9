//! A **reporter** of progress on stderr: a bar on a terminal, else a line every few seconds.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use koma_solver::{Phase, Progress};

use crate::interrupt::interrupted;
use crate::output;
use crate::wording::{count, percent};

/// Between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(5);

/// Between two looks of the bar where nothing is reported.
const TICK: Duration = Duration::from_millis(200);

/// Shows the progress of long work until it is dropped.
pub(crate) struct Reporter {
    /// On a terminal; hidden until there is something to show.
    bar: Option<ProgressBar>,
    lines: Mutex<Lines>,
    done: AtomicU64,
}

struct Lines {
    phase: Phase,
    total: u64,
    last: Instant,
}

impl Reporter {
    pub(crate) fn new() -> Reporter {
        Reporter {
            bar: stderr()
                .is_terminal()
                .then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())),
            lines: Mutex::new(Lines {
                phase: Phase::Start,
                total: 0,
                last: Instant::now(),
            }),
            done: AtomicU64::new(0),
        }
    }
}

impl Progress for Reporter {
    fn begin(&self, phase: Phase, done: u64, total: u64) {
        self.done.store(done, Relaxed);
        let mut lines = self.lines.lock().expect("no holder of the lock panics");
        let same_kind = std::mem::discriminant(&phase) == std::mem::discriminant(&lines.phase);
        (lines.phase, lines.total) = (phase, total);
        if let Some(bar) = &self.bar {
            if !same_kind || bar.length() != Some(total) {
                bar.set_style(style(phase));
                bar.set_length(total);
                bar.reset_eta();
            }
            bar.set_message(name(phase));
            bar.set_position(done);
            if bar.is_hidden() {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
        }
    }

    fn advance(&self, ranks: u64) {
        let done = self.done.fetch_add(ranks, Relaxed) + ranks;
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        } else if let Ok(mut lines) = self.lines.try_lock()
            && lines.last.elapsed() >= PAUSE
        {
            lines.last = Instant::now();
            let name = name(lines.phase);
            let ranks = count(done);
            match lines.phase {
                // How many there are to be found nobody knows.
                Phase::Explore => output::note(format_args!("{name}: {ranks} ranks found")),
                _ => output::note(format_args!(
                    "{name}: {ranks} of {} ranks ({})",
                    count(lines.total),
                    percent(done, lines.total)
                )),
            }
        }
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

pub(crate) fn name(phase: Phase) -> String {
    match phase {
        Phase::Explore => "exploring".to_owned(),
        Phase::Start => "ends of games".to_owned(),
        Phase::Ply(plies) => format!("ply {plies}"),
        Phase::Settle => "endless play".to_owned(),
        Phase::Count => "counting".to_owned(),
        Phase::Check => "checking".to_owned(),
        Phase::CheckEndless => "endless play".to_owned(),
        Phase::Scan => "looking".to_owned(),
    }
}

/// How much is left is known only where every rank is looked at: the plies end where nothing is
/// decided any more, which nobody knows before.
fn style(phase: Phase) -> ProgressStyle {
    let template = match phase {
        Phase::Start | Phase::Check | Phase::CheckEndless | Phase::Scan => {
            "{msg:14} {bar:30} {human_pos} of {human_len} ranks, {eta} left"
        }
        Phase::Explore => "{msg:14} {spinner} {human_pos} ranks found, {elapsed}",
        Phase::Ply(_) => "{msg:14} {bar:30} {human_pos} of {human_len} ranks decided, {elapsed}",
        Phase::Settle | Phase::Count => "{msg:14} {spinner}",
    };
    ProgressStyle::with_template(template).expect("a valid template")
}
