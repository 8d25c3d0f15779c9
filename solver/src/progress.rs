//! **Progress** of long work, told to whoever shows it; the answer says whether to go on.

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Positions that play leads to are looked for. Counted in ranks found.
    Explore,
    /// What the rules decide, and the moves of every other position. Counted in ranks.
    Start,
    /// Positions decided in this many plies are expanded. Counted in ranks decided so far.
    Ply(u32),
    /// What endless play is worth is worked out for the positions that neither side can force.
    /// Counted in ranks.
    Settle,
    /// Positions are counted by value. Counted in ranks.
    Count,
    /// Every cell is recomputed from its successors. Counted in ranks.
    Check,
    /// What laws make of endless play is checked. Counted in ranks, once for each of two questions a law.
    CheckEndless,
    /// The cells of a table are looked through. Counted in ranks.
    Scan,
}

/// Follows long work. All methods may be called from any thread.
pub trait Progress: Sync {
    /// A phase begins; `done` of `total` ranks are done by then.
    fn begin(&self, phase: Phase, done: u64, total: u64);

    /// Some more ranks of the current phase are done.
    fn advance(&self, ranks: u64);

    /// Whether the work should stop as soon as possible.
    fn interrupted(&self) -> bool;
}

/// Shows nothing and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _phase: Phase, _done: u64, _total: u64) {}

    fn advance(&self, _ranks: u64) {}

    fn interrupted(&self) -> bool {
        false
    }
}
