//! The **outcomes** of a solved universe: what every law makes of its residue, ready to be written.

use koma_games::{Category, Color, Law, Segment, Universe, Value};
use koma_tables::Outcomes;

use crate::progress::{Phase, Progress};
use crate::retrograde::{Settings, SolveError};
use crate::settle::{SettleError, Settled, settle, settling_memory_needed};
use crate::solution::{Cells, Solution};

/// Settles the residue of a solved universe under every law but `draw`, this one first.
///
/// # Errors
/// As [`settle`].
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
    for law in [Law::Uec, Law::Inventor] {
        let settled = settle(universe, solution, law, &settings, progress)?;
        progress.begin(Phase::Count, 0, universe.len());
        if law == Law::Uec {
            found.push(listed(
                universe,
                solution,
                Law::Pcl,
                |rank| without_color(&settled, rank),
                progress,
            )?);
        }
        found.push(listed(
            universe,
            solution,
            law,
            |rank| outcomes_at(&settled, rank),
            progress,
        )?);
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
    // Half a byte a law.
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
    solution: &Solution,
    law: Law,
    outcomes_at: impl Fn(u64) -> [Category; 2],
    progress: &dyn Progress,
) -> Result<Outcomes, SolveError> {
    let mut outcomes = Outcomes::new(law);
    for segment in 0..universe.segments() {
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        let Segment { first, len } = universe.segment(segment);
        let doubled = universe.is_doubled(segment);
        for rank in first..first + u64::from(len) {
            if solution.value(rank) == Some(Value::Draw) {
                let counted = !doubled || rank <= universe.image(rank);
                outcomes.push(outcomes_at(rank), counted);
            }
        }
    }
    Ok(outcomes)
}

fn outcomes_at(settled: &Settled, rank: u64) -> [Category; 2] {
    Color::BOTH.map(|mover| {
        let outcome = settled.outcome(rank, mover);
        outcome.expect("a rank of the residue is settled")
    })
}

/// The outcomes under the law `pcl`, from those under `uec`.
///
/// The laws differ in what is nobody's perpetual check: by `uec` gote wins that, by `pcl` no one. So sente
/// wins the same positions under both. Since `pcl` names no color, gote wins with sente to move what sente
/// wins with gote to move.
fn without_color(uec: &Settled, rank: u64) -> [Category; 2] {
    let outcome = match outcomes_at(uec, rank) {
        [Category::Win, _] => Category::Win,
        [_, Category::Loss] => Category::Loss,
        _ => Category::Draw,
    };
    [outcome; 2]
}
