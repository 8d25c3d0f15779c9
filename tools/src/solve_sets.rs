//! `koma solve` of **sets**: many small universes, one after another.

use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow};
use koma_games::{RankedUniverse, Sets, Universe};
use koma_solver::{Settings, SolveError, memory_needed};
use koma_tables::{Directory, Identity, Kind};

use crate::exit::{Exit, Usage};
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
    let universes = sets
        .universes()
        .map_err(|error| Usage(format!("{sets}: {error}")))?;
    let mut missing = Vec::new();
    let mut stands = 0;
    for universe in &universes {
        let path = plan.path_of(universe);
        // One that is made again takes its room until the new one is there.
        stands += length(&path)?;
        match standing(&path, &Identity::from(universe)) {
            Ok(Some(_)) if !plan.force => {}
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
        check_disk(
            universe,
            stands,
            ("cells alone take", plan.cell_bytes(universe)),
            plan.disk,
        )?;
        let may_take = |bytes| check_disk(universe, stands, ("table takes", bytes), plan.disk);
        let replaced = length(&plan.path_of(universe))?;
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
            may_take,
        );
        let table = made.map_err(|error| match interrupt::interrupted() {
            true => error.context(format!(
                "{} of {} sets stand, and the same command goes on with {universe}",
                universes.len() - missing.len() + place - 1,
                universes.len()
            )),
            false => error,
        })?;
        stands = stands - replaced + file_bytes(&table)?;
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

impl Plan<'_> {
    fn path_of(&self, universe: &RankedUniverse) -> PathBuf {
        self.directory.path_of(&universe.to_string(), self.kind)
    }

    /// The bytes of a table's cells, which are there whatever is found.
    fn cell_bytes(&self, universe: &RankedUniverse) -> u64 {
        match self.kind {
            Kind::Dtm => universe.len(),
            Kind::Wdl => universe.len() / 4,
        }
    }
}

/// The length of a file; nothing if there is none.
fn length(path: &Path) -> anyhow::Result<u64> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// Refuses a table that would not fit the disk that is allowed: before its set is solved if not even its
/// cells would, and before it is written when all of it is known.
fn check_disk(
    universe: &RankedUniverse,
    stands: u64,
    (what, needed): (&str, u64),
    disk: Option<u64>,
) -> anyhow::Result<()> {
    match disk {
        Some(disk) if stands.saturating_add(needed) > disk => Err(anyhow!(
            "{universe}: its {what} {}, {} stand already, and --disk allows {}",
            bytes(needed),
            bytes(stands),
            bytes(disk)
        )),
        _ => Ok(()),
    }
}
