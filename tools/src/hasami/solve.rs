//! `koma solve` for hasami: finds the value of every position and writes the table.

use std::fmt::Write as _;
use std::time::Instant;

use clap::Args;
use koma_games::hasami::Universe;
use koma_tables::{HasamiProber, Identity, Kind, Table};
use memmap2::Mmap;

use super::opening::{make_table, universe};
use super::query;
use crate::exit::Exit;
use crate::folder::Folder;
use crate::resources::Resources;
use crate::wording::{bytes, count};
use crate::{cli, info, output, solve};

const HELP: &str = "\
`koma solve hasami@4x4` solves everything that the start position of that board leads to, and
`koma solve hasami@9x9:win=all:3v2` the endings of three men against two with all that follows. One
file holds all of it. An interrupted run leaves nothing behind.

Examples:
  koma solve hasami@4x4
  koma solve hasami@3x4:lead=2,edge=on
  koma solve hasami@9x9:win=all:3v3 --memory 4G";

/// Find the value of every position of a game and write its table
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, with its board, options and men
    #[arg(value_name = "GAME")]
    game: String,

    /// How much to write down: `dtm` win, draw or loss and the distance in plies, `wdl` without
    /// the distance
    #[arg(long, value_name = "KIND", default_value = "dtm", value_parser = solve::read_kind)]
    kind: Kind,

    /// Make the table again even if there is one, finished or damaged
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    resources: Resources,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let universe = universe(&arguments.game)?;
    let directory = arguments.folder.directory()?;
    let path = directory.path_of(&universe.to_string(), arguments.kind);
    if !arguments.force
        && let Some(table) = solve::standing(&path, &Identity::from(&universe))?
    {
        output::text(&format!(
            "{universe} is solved already; --force makes its table again\n\n"
        ))?;
        output::text(&summary(universe, table)?)?;
        return Ok(Exit::Done);
    }
    let begin = Instant::now();
    let table = make_table(&universe, &directory, arguments.kind, &arguments.resources)?;
    let seconds = begin.elapsed().as_secs_f64();
    output::text(&summary(universe, table)?)?;
    output::text(&format!("time       {seconds:.1} s\n"))?;
    Ok(Exit::Done)
}

/// The value of the start position, the counts, and the file.
fn summary(universe: Universe, table: Table<Mmap>) -> anyhow::Result<String> {
    let prober = HasamiProber::new(universe, table)?;
    let mut text = String::new();
    if prober.universe().has_start() {
        let start = prober.game().start();
        writeln!(text, "start      {}", query::value(&prober, &start)?)?;
    }
    let table = prober.table();
    let positions = &table.header().census().positions;
    writeln!(text, "positions  {}", count(positions.total()))?;
    for (name, number) in [
        ("won", positions.win),
        ("lost", positions.loss),
        ("drawn", positions.draw),
    ] {
        writeln!(text, "  {name:8} {}", count(number))?;
    }
    if let Some(plies) = positions.deepest() {
        writeln!(text, "deepest    {plies} plies")?;
    }
    let size = bytes(info::file_bytes(table)?);
    writeln!(text, "file       {} ({size})", table.file().display())?;
    Ok(text)
}
