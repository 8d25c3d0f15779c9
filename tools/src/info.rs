//! `koma info`: what a table says about itself.

use std::fmt::Write as _;
use std::fs;

use anyhow::Context;
use clap::{Args, ValueEnum};
use koma_tables::{Counts, FORMAT_VERSION, Kind, Table};
use memmap2::Mmap;
use serde::Serialize;

use crate::exit::Exit;
use crate::folder::Folder;
use crate::target::Target;
use crate::wording::{bytes, count, percent};
use crate::{cli, output};

const HELP: &str = "\
All counts are of distinct positions for the side to move: a position and what the game's symmetries
make of it (the colours exchanged, the mirror) are one.

The solver clausecker/dobutsu counts otherwise: a position with both lions on the centre file and
its mirror image are two. `--count-as clausecker` counts so; its round n is the wins in 2n-1 and
the losses in 2n plies.

JSON, one object on one line:
  {\"game\", \"kind\", \"exact\", \"positions\", \"win\", \"loss\", \"draw\", \"max_plies\", \"by_plies\",
   \"format\", \"content_hash\", \"bytes\"}
  by_plies      [[plies, count], ..], odd plies are wins, even ones losses
  content_hash  16 hexadecimal digits; equal for equal cells, whatever program wrote them

Examples:
  koma info dobutsu
  koma info dobutsu --count-as clausecker
  koma info tables/dobutsu.dtm.koma --json";

/// Show what a table says about itself
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`, or the file of a table
    #[arg(value_name = "GAME|FILE", value_parser = Target::parser())]
    target: Target,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Whose way to count positions
    #[arg(long, value_name = "PROGRAM", value_enum)]
    count_as: Option<Counting>,

    #[command(flatten)]
    folder: Folder,
}

/// A way to count positions.
#[derive(Clone, Copy, ValueEnum)]
enum Counting {
    /// A position with both lions on the centre file and its mirror image are two.
    Clausecker,
}

#[derive(Serialize)]
struct Info<'a> {
    game: &'a str,
    kind: &'static str,
    exact: bool,
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    max_plies: Option<u32>,
    by_plies: &'a [(u32, u64)],
    format: u32,
    content_hash: String,
    bytes: u64,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let table = arguments.target.open(&arguments.folder)?;
    let census = table.header().census();
    let counts = match arguments.count_as {
        None => &census.positions,
        Some(Counting::Clausecker) => &census.ranks,
    };
    if arguments.json {
        let header = table.header();
        output::json(&Info {
            game: &header.identity().universe,
            kind: header.kind().name(),
            exact: header.exact(),
            positions: counts.total(),
            win: counts.win,
            loss: counts.loss,
            draw: counts.draw,
            max_plies: counts.deepest(),
            by_plies: &counts.by_plies,
            format: FORMAT_VERSION,
            content_hash: format!("{:016x}", header.content_hash()),
            bytes: file_bytes(&table)?,
        })?;
    } else {
        output::text(&report(&table, counts)?)?;
    }
    Ok(Exit::Done)
}

/// The length of the file of a table.
pub(crate) fn file_bytes(table: &Table<Mmap>) -> anyhow::Result<u64> {
    let file = table.file();
    let metadata = fs::metadata(file).with_context(|| file.display().to_string())?;
    Ok(metadata.len())
}

fn report(table: &Table<Mmap>, counts: &Counts) -> anyhow::Result<String> {
    let header = table.header();
    let identity = header.identity();
    let says = match header.kind() {
        Kind::Dtm => "win, draw or loss and the plies to the end",
        Kind::Wdl => "win, draw or loss",
    };
    let mut text = String::new();
    writeln!(text, "game          {}", identity.universe)?;
    writeln!(text, "kind          {}: {says}", header.kind().name())?;
    writeln!(text, "endless play  {}", identity.law.name())?;
    writeln!(text, "ranks         {}", count(table.len()))?;
    writeln!(text, "positions     {}", count(counts.total()))?;
    for (name, number) in [
        ("won", counts.win),
        ("lost", counts.loss),
        ("drawn", counts.draw),
    ] {
        let share = percent(number, counts.total());
        writeln!(text, "  {name:5} {:>19}  {share:>7}", count(number))?;
    }
    if let Some(plies) = counts.deepest() {
        writeln!(text, "deepest       {plies} plies")?;
    }
    writeln!(
        text,
        "format        {FORMAT_VERSION}, numbering {}",
        identity.numbering
    )?;
    writeln!(text, "written by    koma {}", header.program())?;
    writeln!(text, "content hash  {:016x}", header.content_hash())?;
    writeln!(
        text,
        "file          {} ({})",
        table.file().display(),
        bytes(file_bytes(table)?)
    )?;
    if !counts.by_plies.is_empty() {
        writeln!(text, "\nplies  value        positions")?;
        for &(plies, number) in &counts.by_plies {
            let value = if plies % 2 == 1 { "win" } else { "loss" };
            writeln!(text, "{plies:5}  {value:5} {:>16}", count(number))?;
        }
    }
    Ok(text)
}
