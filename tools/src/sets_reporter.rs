//! A **reporter** of sets that are solved one after another: one display for all of them.
//!
//! How long is left is said by the ranks of the sets that are done, at the pace of this run; before the first
//! is done nobody knows.

use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use koma_solver::{Phase, Progress};

use crate::interrupt::interrupted;
use crate::output;
use crate::reporter::name;
use crate::wording::{count, percent};

/// Between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(5);

pub(crate) struct SetsReporter {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
    /// Ranks of the current set that are done in the current phase.
    done: AtomicU64,
}

struct State {
    /// The set and its place among all.
    set: String,
    set_ranks: u64,
    /// Ranks of the sets before, and of all.
    before: u64,
    total: u64,
    phase: Phase,
    /// When all began, and when the current set did.
    begin: Instant,
    set_begin: Instant,
    last_line: Instant,
}

impl SetsReporter {
    /// For sets of so many ranks together.
    pub(crate) fn new(total: u64) -> SetsReporter {
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:20} {percent:>3} %  {msg}");
            ProgressBar::new(total).with_style(style.expect("a valid template"))
        });
        let now = Instant::now();
        SetsReporter {
            bar,
            state: Mutex::new(State {
                set: String::new(),
                set_ranks: 0,
                before: 0,
                total,
                phase: Phase::Start,
                begin: now,
                set_begin: now,
                last_line: now,
            }),
            done: AtomicU64::new(0),
        }
    }

    /// The set before is done, and the next one begins.
    pub(crate) fn next_set(&self, set: String, ranks: u64) {
        let mut state = self.state.lock().expect("no holder of the lock panics");
        state.before += state.set_ranks;
        (state.set, state.set_ranks, state.set_begin) = (set, ranks, Instant::now());
        self.done.store(0, Relaxed);
        self.show(&state);
    }

    fn show(&self, state: &State) {
        if let Some(bar) = &self.bar {
            bar.set_position(state.before);
            bar.set_message(format!(
                "{}: {}, {}",
                state.set,
                name(state.phase),
                state.left()
            ));
        }
    }
}

impl State {
    /// How long is left.
    fn left(&self) -> String {
        left(
            self.before,
            self.total,
            self.set_begin.duration_since(self.begin),
            self.set_begin.elapsed(),
        )
    }
}

/// How long is left when so many of all ranks were done in this time, some more of which is gone since.
fn left(done: u64, total: u64, spent: Duration, since: Duration) -> String {
    if done == 0 {
        return "time left unknown".to_owned();
    }
    let all = spent.as_secs_f64() * total as f64 / done as f64;
    let seconds = all - spent.as_secs_f64() - since.as_secs_f64();
    match seconds {
        ..60.0 => "about a minute left".to_owned(),
        _ => format!("about {:.0} minutes left", (seconds / 60.0).ceil()),
    }
}

impl Progress for SetsReporter {
    fn begin(&self, phase: Phase, done: u64, _total: u64) {
        self.done.store(done, Relaxed);
        let mut state = self.state.lock().expect("no holder of the lock panics");
        state.phase = phase;
        self.show(&state);
    }

    fn advance(&self, ranks: u64) {
        let done = self.done.fetch_add(ranks, Relaxed) + ranks;
        if self.bar.is_none()
            && let Ok(mut state) = self.state.try_lock()
            && state.last_line.elapsed() >= PAUSE
        {
            state.last_line = Instant::now();
            output::note(format_args!(
                "{}: {}, {} ranks; {} of all ranks done, {}",
                state.set,
                name(state.phase),
                count(done),
                percent(state.before, state.total),
                state.left()
            ));
        }
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

impl Drop for SetsReporter {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        assert_eq!(left(0, 100, minutes(0), minutes(9)), "time left unknown");
        assert_eq!(
            left(20, 100, minutes(2), minutes(1)),
            "about 7 minutes left"
        );
        assert_eq!(left(99, 100, minutes(9), minutes(3)), "about a minute left");
    }
}
