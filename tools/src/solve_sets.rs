//! `koma solve` of **sets**: many small universes, one after another.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::anyhow;
use koma_games::{RankedUniverse, Sets, Universe};
use koma_solver::{Settings, SolveError, memory_needed};
use koma_tables::{Directory, Identity, Kind};

use crate::exit::Exit;
use crate::info::file_bytes;
use crate::making::make_reporting;
use crate::resources::Resources;
use crate::sets_reporter::SetsReporter;
use crate::solve::standing;
use crate::wording::{bytes, count, gibibytes};
use crate::{interrupt, output};

/// How sets are solved.
pub(crate) struct Plan<'a> {
    pub(crate) directory: &'a Directory,
    pub(crate) kind: Kind,
    pub(crate) force: bool,
    pub(crate) resources: &'a Resources,
    /// The most bytes that all the tables may take together.
    pub(crate) disk: Option<u64>,
}

/// Solves every set that has no table yet.
pub(crate) fn run(sets: &Sets, plan: &Plan<'_>) -> anyhow::Result<Exit> {
    let universes = sets.universes()?;
    let mut missing = Vec::new();
    let mut stands = 0;
    for universe in &universes {
        let path = plan.directory.path_of(&universe.to_string(), plan.kind);
        match standing(&path, &Identity::from(universe)) {
            Ok(Some(table)) if !plan.force => stands += file_bytes(&table)?,
            Err(error) if !plan.force => return Err(error),
            _ => missing.push(universe),
        }
    }
    let ranks: Vec<u64> = missing.iter().map(|universe| universe.len()).collect();
    let total: u64 = ranks.iter().sum();
    let folder = plan.directory.path().display();
    if missing.is_empty() {
        output::text(&format!(
            "{sets}: all {} sets are solved already, {} in {folder}; --force makes their tables again\n",
            universes.len(),
            bytes(stands)
        ))?;
        return Ok(Exit::Done);
    }
    let largest = ranks.iter().copied().max().unwrap_or(0);
    let memory = gibibytes(memory_needed(largest));
    output::note(format_args!(
        "{sets}: {} of {} sets to solve, {} ranks, {memory} of memory needed, and more for endless play\n\
         tables: {folder}",
        missing.len(),
        universes.len(),
        count(total),
    ));
    check_memory(&missing, &plan.resources.settings())?;

    interrupt::listen()?;
    let begin = Instant::now();
    let reporter = SetsReporter::new(total);
    let mut rows = String::new();
    for (place, universe) in (1..).zip(&missing) {
        check_disk(universe, stands, plan)?;
        reporter.next_set(
            format!("{universe} ({place} of {})", missing.len()),
            universe.len(),
        );
        let set_begin = Instant::now();
        let made = make_reporting(
            universe,
            plan.directory,
            plan.kind,
            plan.resources,
            &reporter,
        );
        let table = made.map_err(|error| match interrupt::interrupted() {
            true => error.context(format!(
                "{} of {} sets stand, and the same command goes on with {universe}",
                universes.len() - missing.len() + place - 1,
                universes.len()
            )),
            false => error,
        })?;
        stands += file_bytes(&table)?;
        let seconds = set_begin.elapsed().as_secs_f64();
        let speed = universe.len() as f64 / seconds.max(1e-3);
        writeln!(
            rows,
            "{universe:16} {:>13} positions, {:>13} ranks, {seconds:7.1} s, {:>11} ranks/s",
            count(table.header().census().positions.total()),
            count(universe.len()),
            count(speed as u64),
        )?;
    }
    drop(reporter);
    let seconds = begin.elapsed().as_secs_f64();
    output::text(&format!(
        "{rows}{sets}: {} sets, {} in {folder}\ntime       {seconds:.1} s\n",
        universes.len(),
        bytes(stands)
    ))?;
    Ok(Exit::Done)
}

/// Refuses sets that need more memory than is allowed before any of them is solved.
fn check_memory(missing: &[&RankedUniverse], settings: &Settings) -> anyhow::Result<()> {
    for universe in missing {
        let needed = memory_needed(universe.len());
        if settings.memory.is_some_and(|memory| needed > memory) {
            let why = format!("that is more than --memory allows, for {universe}");
            let ranks = universe.len();
            return Err(SolveError::Memory { ranks, needed, why }.into());
        }
    }
    Ok(())
}

/// Refuses to begin a set whose cells would not fit the disk that is allowed.
fn check_disk(universe: &RankedUniverse, stands: u64, plan: &Plan<'_>) -> anyhow::Result<()> {
    let cells = match plan.kind {
        Kind::Dtm => universe.len(),
        Kind::Wdl => universe.len() / 4,
    };
    match plan.disk {
        Some(disk) if stands + cells > disk => Err(anyhow!(
            "{universe}: its table takes at least {}, {} stand already, and --disk allows {}",
            bytes(cells),
            bytes(stands),
            bytes(disk)
        )),
        _ => Ok(()),
    }
}
