//! The **shares** of work in a ply: what one thread does at a time.
//!
//! Stretches of one unit may lead to the same ranks, those of different ones may not (where the
//! universe says so). So a unit is worked on by one thread at a time, but in parts, and each thread
//! takes the next part of the idle unit with the most work left: threads finish together though
//! units are few and unequal. Parts follow the order of ranks, so that units pass through the same
//! classes at about the same time, and what these have in common stays in the caches.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use koma_games::Universe;

/// Ranks searched for sources at a time.
pub(crate) struct Window {
    pub(crate) stretch: Range<u32>,
    /// The first rank of the stretch.
    pub(crate) start: u64,
    pub(crate) ranks: Range<u64>,
    /// Whether the stretch ends here.
    pub(crate) last: bool,
}

impl Window {
    /// Of this many ranks, or fewer at the end of a stretch.
    const RANKS: u64 = 1 << 20;

    /// The windows of a stretch.
    fn all<U: Universe>(universe: &U, stretch: Range<u32>) -> impl Iterator<Item = Window> {
        let Range { start, end } = universe.ranks(&stretch);
        let firsts = (start..end).step_by(Window::RANKS as usize);
        firsts.map(move |first| {
            let behind = end.min(first + Window::RANKS);
            Window {
                stretch: stretch.clone(),
                start,
                ranks: first..behind,
                last: behind == end,
            }
        })
    }
}

/// Stretches that only one thread may work on at a time.
pub(crate) struct Unit {
    windows: Vec<Window>,
    /// Places in `windows`, each part with the ranks from it to the end.
    parts: Vec<(Range<usize>, u64)>,
}

impl Unit {
    /// Ranks in a part, or more if a stretch has more.
    const PART: u64 = 1 << 21;

    /// Units of stretches, the largest first.
    pub(crate) fn all<U: Universe>(universe: &U, units: Vec<Vec<Range<u32>>>) -> Vec<Unit> {
        let mut units: Vec<Unit> = units
            .into_iter()
            .map(|stretches| Unit::new(universe, stretches))
            .collect();
        units.sort_by_key(|unit| Reverse(unit.ranks()));
        units
    }

    fn new<U: Universe>(universe: &U, stretches: Vec<Range<u32>>) -> Unit {
        let windows: Vec<Window> = stretches
            .into_iter()
            .flat_map(|stretch| Window::all(universe, stretch))
            .collect();
        let mut parts = Vec::new();
        let mut first = 0;
        let mut ranks = 0;
        let mut left: u64 = windows.iter().map(Window::len).sum();
        for (place, window) in windows.iter().enumerate() {
            ranks += window.len();
            let is_end = place + 1 == windows.len();
            if is_end || ranks >= Unit::PART && window.last {
                parts.push((first..place + 1, left));
                left -= ranks;
                (first, ranks) = (place + 1, 0);
            }
        }
        Unit { windows, parts }
    }

    /// How many ranks there are.
    pub(crate) fn ranks(&self) -> u64 {
        self.parts.first().map_or(0, |&(_, ranks)| ranks)
    }
}

impl Window {
    fn len(&self) -> u64 {
        self.ranks.end - self.ranks.start
    }
}

/// Work on units that is left to be taken.
pub(crate) struct Shares<'a> {
    units: &'a [Unit],
    /// The next part of each unit, and whether a thread is at work on the one before.
    taken: Mutex<Vec<(usize, bool)>>,
}

impl<'a> Shares<'a> {
    pub(crate) fn new(units: &'a [Unit]) -> Shares<'a> {
        Shares {
            units,
            taken: Mutex::new(vec![(0, false); units.len()]),
        }
    }

    /// Works until nothing is left that no other thread is about to do.
    pub(crate) fn work(&self, mut work: impl FnMut(&'a [Window])) {
        while let Some((unit, windows)) = self.take() {
            work(windows);
            self.state()[unit].1 = false;
        }
    }

    fn take(&self) -> Option<(usize, &'a [Window])> {
        let mut state = self.state();
        let idle = (0..self.units.len()).filter(|&unit| !state[unit].1);
        let next = |unit: usize| self.units[unit].parts.get(state[unit].0);
        let most = idle
            .filter_map(|unit| next(unit).map(|(part, left)| (unit, part.clone(), *left)))
            .max_by_key(|&(unit, _, left)| (left, Reverse(unit)))?;
        let (unit, part, _) = most;
        state[unit] = (state[unit].0 + 1, true);
        Some((unit, &self.units[unit].windows[part]))
    }

    fn state(&self) -> std::sync::MutexGuard<'_, Vec<(usize, bool)>> {
        // Whole at any time, also if a thread panicked.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
