//! `koma solve`: finds the value of every position of a game and writes its table.

use std::fmt::Write as _;
use std::str::FromStr;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use koma_games::{RankedUniverse, Sets};
use koma_tables::{Identity, Kind, OpenFault, Prober, Table};
use memmap2::Mmap;

use crate::exit::Exit;
use crate::folder::Folder;
use crate::making::make_table;
use crate::resources::{Resources, read_size};
use crate::solve_sets::{self, Plan};
use crate::wording::{bytes, count};
use crate::{cli, info, output, query};

const HELP: &str = "\
The table is written under a temporary name and renamed when all of it is on disk: whatever
interrupts a run, no half table is ever read. An interrupted run leaves nothing behind and is
started again from the beginning. A finished table is not made again without --force.

Of minishogi and gorogoro sets of pieces are solved, and what laws make of endless play there is written
down too. GAME:*N is all sets of up to N pieces besides the royals, at most two of a kind: they are solved
one after another, those that stand are left out, and an interrupted run goes on with the set it was at.

Examples:
  koma solve dobutsu
  koma solve minishogi:gs
  koma solve 'minishogi:*2' --memory 2G --disk 1G
  koma solve dobutsu:no-try --kind wdl --threads 2 --memory 600M
  koma solve dobutsu@3x3:gec --dir tables";

/// Find the value of every position of a game and write its table
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, with its board, options and pieces: `dobutsu`, `dobutsu@3x5:no-try`,
    /// `dobutsu@3x3:gec`
    #[arg(value_name = "GAME")]
    solved: Solved,

    /// How much to write down: `dtm` win, draw or loss and the distance in plies, `wdl` without
    /// the distance, in a quarter of the space
    #[arg(long, value_name = "KIND", default_value = "dtm", value_parser = read_kind)]
    kind: Kind,

    /// Make the table again even if there is one, finished or damaged
    #[arg(long)]
    force: bool,

    /// The most disk that the tables of sets (`minishogi:*3`) may take together, those that stand and one
    /// that is made again among them: bytes, or a number and K, M, G or T [default: what there is]. No byte
    /// of a table that would be too much is written
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    disk: Option<u64>,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    resources: Resources,
}

/// What is solved.
#[derive(Clone)]
enum Solved {
    Universe(Box<RankedUniverse>),
    Sets(Box<Sets>),
}

impl FromStr for Solved {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Solved> {
        match text.contains('*') {
            true => Ok(Solved::Sets(Box::new(text.parse()?))),
            false => Ok(Solved::Universe(Box::new(text.parse()?))),
        }
    }
}

pub(crate) fn read_kind(text: &str) -> Result<Kind, &'static str> {
    Kind::from_name(text).ok_or("a kind is `dtm` or `wdl`")
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let kind = arguments.kind;
    let directory = arguments.folder.directory()?;
    let universe = match arguments.solved {
        Solved::Universe(universe) => *universe,
        Solved::Sets(sets) => {
            let plan = Plan {
                directory: &directory,
                kind,
                force: arguments.force,
                resources: &arguments.resources,
                disk: arguments.disk,
            };
            return solve_sets::run(&sets, &plan);
        }
    };
    let path = directory.path_of(&universe.to_string(), kind);
    if !arguments.force
        && let Some(table) = standing(&path, &Identity::from(&universe))?
    {
        output::text(&format!(
            "{universe} is solved already; --force makes its table again\n\n"
        ))?;
        output::text(&summary(universe, table)?)?;
        return Ok(Exit::Done);
    }
    let begin = Instant::now();
    let table = make_table(&universe, &directory, kind, &arguments.resources)?;
    let seconds = begin.elapsed().as_secs_f64();
    output::text(&summary(universe, table)?)?;
    output::text(&format!("time       {seconds:.1} s\n"))?;
    Ok(Exit::Done)
}

/// The finished table at this path, if there is one.
pub(crate) fn standing(
    path: &std::path::Path,
    identity: &Identity,
) -> anyhow::Result<Option<Table<Mmap>>> {
    match Table::open_expecting(path, identity) {
        Ok(table) => Ok(Some(table)),
        Err(error) => match &error.fault {
            OpenFault::Io(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
            _ => Err(error).context("what stands there is replaced only with --force"),
        },
    }
}

/// The value of the start position and of the first moves, the counts, and the file.
fn summary(universe: RankedUniverse, table: Table<Mmap>) -> anyhow::Result<String> {
    let prober = Prober::new(universe, table)?;
    let mut text = String::new();
    if let Some(start) = query::start(prober.universe()) {
        writeln!(text, "start      {}", query::value(&prober, &start)?)?;
        text.push_str(&query::move_table(&prober, &start)?);
    }
    let table = prober.table();
    let positions = &table.header().census().positions;
    writeln!(text, "positions  {}", count(positions.total()))?;
    for (name, number) in [
        ("won", positions.win),
        ("lost", positions.loss),
        (info::undecided(table.header()), positions.draw),
    ] {
        writeln!(text, "  {name:8} {}", count(number))?;
    }
    text.push_str(&info::settled(table.header(), positions)?);
    if let Some(plies) = positions.deepest() {
        writeln!(text, "deepest    {plies} plies")?;
    }
    writeln!(
        text,
        "file       {} ({})",
        table.file().display(),
        bytes(info::file_bytes(table)?)
    )?;
    Ok(text)
}
