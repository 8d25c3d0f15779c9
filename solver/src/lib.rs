//! Retrograde analysis over ranks, and its independent checker.
//!
//! [`solve`] works on any [`Universe`](koma_games::Universe): it sees ranks, never boards. What it
//! finds depends on the universe alone, not on threads or timing. [`solve_layered`] does the same
//! where men leave play, layer by layer.

mod attractor;
mod backward;
mod bulk;
mod census;
mod certificate;
mod change;
mod check;
mod dispatch;
mod due;
mod enumerated;
mod explore;
mod frontier;
mod kernel;
mod layered_block;
mod layered_cell;
mod layered_check;
mod layered_scan;
mod layered_solution;
mod layers;
mod level;
mod longest;
mod ones;
mod outcomes;
mod parity;
mod prefetch;
mod progress;
mod rank_set;
mod residue;
mod retrograde;
mod scan;
mod settle;
mod shares;
mod solution;
mod solved;
mod statistics;
mod strategy;
mod tsume;
mod unfolded;
mod word;

pub use check::{CheckError, Disagreement, check, check_outcomes};
pub use enumerated::EnumeratedUniverse;
pub use explore::{Explored, explore, exploring_memory_needed};
pub use frontier::FrontierKind;
pub use kernel::{Kernel, KernelError};
pub use layered_check::check_layered;
pub use layered_scan::{LayeredProperty, LayeredScan};
pub use layered_solution::{LayeredCensus, LayeredSolution, ValueCounts, count_layered};
pub use layers::{KnownLayer, layered_memory_needed, solve_layered, solve_layered_from};
pub use longest::Ends;
pub use outcomes::{outcomes, outcomes_memory_needed};
pub use progress::{NoProgress, Phase, Progress};
pub use rank_set::RankSet;
pub use retrograde::{Settings, SolveError, memory_needed, solve};
pub use scan::{Property, Scan};
pub use settle::{SettleError, Settled, settle, settling_memory_needed};
pub use solution::Solution;
pub use solved::Solved;
pub use statistics::{
    Branching, DeadDrops, Figures, LegalFigures, LegalStatistics, Passes, Statistics,
    StatisticsError, Zugzwang, placements, tsume,
};
pub use strategy::{Strategy, StrategyError};
pub use tsume::{TsumeUniverse, tsume_memory_needed};
pub use unfolded::Unfolded;
