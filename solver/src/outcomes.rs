//! The **outcomes** of a solved universe: what every law makes of its residue, ready to be written.

use koma_games::{Category, Law, Segment, Universe};
use koma_tables::Outcomes;

use crate::progress::{Phase, Progress};
use crate::retrograde::{Settings, SolveError};
use crate::settle::{SettleError, settle_all, settling_memory_needed};
use crate::solution::{Cells, Solution};

/// Settles the residue of a solved universe under every law but `draw`, this one first.
///
/// # Errors
/// As [`settle`](crate::settle()).
pub fn outcomes<U: Universe>(
    universe: &U,
    solution: &Solution,
    law: Law,
    settings: &Settings,
    progress: &dyn Progress,
) -> Result<Vec<Outcomes>, SettleError> {
    let others = Law::ALL.into_iter().filter(|&other| other != law);
    let laws = [law].into_iter().chain(others);
    let laws: Vec<Law> = laws.filter(|&law| law != Law::Draw).collect();
    let mut found = Vec::with_capacity(laws.len());
    let settings = settings.besides(cell_bytes(solution));
    let settled = settle_all(
        universe,
        solution,
        &[Law::Uec, Law::Inventor],
        &settings,
        progress,
    )?;
    progress.begin(Phase::Count, 0, universe.len());
    for settled in settled {
        if settled.law() == Law::Uec {
            let outcomes = settled.all().map(|(rank, uec)| (rank, without_color(uec)));
            found.push(listed(universe, Law::Pcl, outcomes, progress)?);
        }
        found.push(listed(universe, settled.law(), settled.all(), progress)?);
    }
    found.sort_by_key(|outcomes| {
        let law = outcomes.counts().law;
        laws.iter().position(|&listed| listed == law)
    });
    Ok(found)
}

/// The bytes of memory that [`outcomes`] takes, besides the solution, for so many ranks of which some are
/// in the residue.
pub fn outcomes_memory_needed(ranks: u64, residue: u64) -> u64 {
    // A byte for the outcomes under the first law while the next is looked at, then half a byte a law.
    settling_memory_needed(ranks, residue).saturating_add(residue.saturating_mul(2))
}

fn cell_bytes(solution: &Solution) -> u64 {
    let width = match solution.cells {
        Cells::Bits8(_) => 1,
        Cells::Bits16(_) => 2,
        Cells::Bits32(_) => 4,
    };
    solution.len() * width
}

/// The outcomes of every residue rank, in their order. Of a position that has two ranks the lower is
/// counted.
fn listed<U: Universe>(
    universe: &U,
    law: Law,
    outcomes: impl Iterator<Item = (u64, [Category; 2])>,
    progress: &dyn Progress,
) -> Result<Outcomes, SolveError> {
    let mut listed = Outcomes::new(law);
    let mut segments = (0..universe.segments()).map(|index| {
        let Segment { first, len } = universe.segment(index);
        (first + u64::from(len), universe.is_doubled(index))
    });
    // The first rank behind a segment, and whether it is doubled.
    let (mut end, mut doubled) = (0, false);
    for (rank, outcomes) in outcomes {
        while end <= rank {
            if progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
            (end, doubled) = segments.next().expect("a segment with this rank");
        }
        let counted = !doubled || rank <= universe.image(rank);
        listed.push(outcomes, counted);
    }
    Ok(listed)
}

/// The outcomes under the law `pcl`, from those under `uec`.
///
/// The laws differ in what is nobody's perpetual check: by `uec` gote wins that, by `pcl` no one. So sente
/// wins the same positions under both. Since `pcl` names no color, gote wins with sente to move what sente
/// wins with gote to move.
fn without_color(uec: [Category; 2]) -> [Category; 2] {
    let outcome = match uec {
        [Category::Win, _] => Category::Win,
        [_, Category::Loss] => Category::Loss,
        _ => Category::Draw,
    };
    [outcome; 2]
}
