//! The **making** of a table: solving a game and writing the answers.

use anyhow::Context;
use koma_games::{Law, RankedUniverse, Universe};
use koma_solver::{Progress, SolveError, memory_needed, outcomes, outcomes_memory_needed, solve};
use koma_tables::{Directory, Identity, Kind, Table, Writer};
use memmap2::Mmap;

use crate::reporter::Reporter;
use crate::resources::Resources;
use crate::wording::{count, gibibytes};
use crate::{interrupt, output};

/// Solves a game and writes its table in place of any older one. The plan and the progress go to
/// stderr; the file is opened before any work is done.
pub(crate) fn make_table(
    universe: &RankedUniverse,
    directory: &Directory,
    kind: Kind,
    resources: &Resources,
) -> anyhow::Result<Table<Mmap>> {
    let path = directory.path_of(&universe.to_string(), kind);
    let ranks = count(universe.len());
    let memory = gibibytes(memory_needed(universe.len()));
    let law = universe.game().law();
    let settling = match law {
        Law::Draw => String::new(),
        // How much is left to settle nobody knows before.
        _ => {
            let most = outcomes_memory_needed(universe.len(), universe.len());
            format!(", at most {} more for endless play", gibibytes(most))
        }
    };
    output::note(format_args!(
        "{universe}: {ranks} ranks to solve, {memory} of memory needed{settling}\ntable: {}",
        path.display()
    ));
    interrupt::listen()?;
    make_reporting(
        universe,
        directory,
        kind,
        resources,
        &Reporter::new(),
        |_| Ok(()),
    )
}

/// The same without a plan; the progress goes to a reporter. Before the first byte of the file is written
/// it is asked whether it may take so many.
pub(crate) fn make_reporting(
    universe: &RankedUniverse,
    directory: &Directory,
    kind: Kind,
    resources: &Resources,
    reporter: &dyn Progress,
    may_take: impl FnOnce(u64) -> anyhow::Result<()>,
) -> anyhow::Result<Table<Mmap>> {
    let (law, settings) = (universe.game().law(), resources.settings());
    let path = directory.path_of(&universe.to_string(), kind);
    let writer = Writer::create(&path)?;
    let solution = solve(universe, &settings, reporter).context(universe.to_string())?;
    let settled = match law {
        Law::Draw => Vec::new(),
        _ => {
            outcomes(universe, &solution, law, &settings, reporter).context(universe.to_string())?
        }
    };
    if interrupt::interrupted() {
        return Err(SolveError::Interrupted.into());
    }
    let identity = Identity::from(universe);
    may_take(solution.table_bytes(&identity, kind, &settled)?)?;
    solution.write_settled(writer, &identity, kind, &settled)?;
    Ok(Table::open_expecting(path, &identity)?)
}
