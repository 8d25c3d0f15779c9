//! `koma info` for hasami: what a table says about itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::Args;
use koma_games::hasami::Universe;
use koma_solver::{LayeredCensus, ValueCounts, count_layered};
use koma_tables::{FORMAT_VERSION, Kind, Table};
use memmap2::Mmap;
use serde::Serialize;

use super::target::{Target, universe_of};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::info::file_bytes;
use crate::resources::Threads;
use crate::wording::{bytes, count, percent};
use crate::{cli, output};

const HELP: &str = "\
Counts are of distinct positions for the side to move: the colors exchanged, turned or mirrored, a
position is the same. `unfolded` counts every placement of the men once, as simple programs do.

JSON, one object on one line:
  {\"game\", \"kind\", \"exact\", \"positions\", \"win\", \"loss\", \"draw\", \"max_plies\", \"by_plies\",
   \"wins_by_plies\", \"losses_by_plies\", \"unfolded\": {\"positions\", \"win\", \"draw\", \"loss\",
   \"by_plies\", \"wins_by_plies\", \"losses_by_plies\"}, \"format\", \"content_hash\", \"bytes\"}
  by_plies      [[plies, count], ..] of wins and losses together; without a lead rule odd plies are
                wins and even ones losses
  content_hash  16 hexadecimal digits; equal for equal cells, whatever program wrote them

Examples:
  koma info hasami@4x4
  koma info hasami@9x9:win=all:3v2 --json";

/// Show what a table says about itself
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`, or the file of a table
    #[arg(value_name = "GAME|FILE")]
    target: Target,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,
}

#[derive(Serialize)]
struct Info {
    game: String,
    kind: &'static str,
    exact: bool,
    #[serde(flatten)]
    counts: Counted,
    max_plies: Option<u32>,
    unfolded: Counted,
    format: u32,
    content_hash: String,
    bytes: u64,
}

/// Counts by value and distance.
#[derive(Serialize)]
pub(super) struct Counted {
    positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    by_plies: Vec<(u32, u64)>,
    wins_by_plies: Vec<(u32, u64)>,
    losses_by_plies: Vec<(u32, u64)>,
}

impl Counted {
    /// The counts of a table, which may know no distances.
    pub(super) fn new(counts: &ValueCounts, kind: Kind) -> Counted {
        let pairs = |by_plies: &BTreeMap<u32, u64>| match kind {
            Kind::Dtm => by_plies
                .iter()
                .map(|(&plies, &count)| (plies, count))
                .collect(),
            Kind::Wdl => Vec::new(),
        };
        let mut both = counts.wins.clone();
        for (&plies, &losses) in &counts.losses {
            *both.entry(plies).or_default() += losses;
        }
        Counted {
            positions: counts.total(),
            win: counts.won(),
            draw: counts.draws,
            loss: counts.lost(),
            by_plies: pairs(&both),
            wins_by_plies: pairs(&counts.wins),
            losses_by_plies: pairs(&counts.losses),
        }
    }
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let table = arguments.target.open(&arguments.folder)?;
    let universe = universe_of(&table)?;
    // Cells are counted without a look at their checksums.
    table.verify()?;
    let layers = count_layered(&universe, &table, arguments.threads.count())?;
    let census = LayeredCensus::sum(&layers);
    let header = table.header();
    let kind = header.kind();
    if arguments.json {
        output::json(&Info {
            game: universe.to_string(),
            kind: kind.name(),
            exact: header.exact(),
            counts: Counted::new(&census.positions, kind),
            max_plies: header.census().positions.deepest(),
            unfolded: Counted::new(&census.boards, kind),
            format: FORMAT_VERSION,
            content_hash: format!("{:016x}", header.content_hash()),
            bytes: file_bytes(&table)?,
        })?;
    } else {
        output::text(&report(
            &universe,
            &table,
            &census.positions,
            &census.boards,
        )?)?;
    }
    Ok(Exit::Done)
}

fn report(
    universe: &Universe,
    table: &Table<Mmap>,
    positions: &ValueCounts,
    boards: &ValueCounts,
) -> anyhow::Result<String> {
    let header = table.header();
    let says = match header.kind() {
        Kind::Dtm => "win, draw or loss and the plies to the end",
        Kind::Wdl => "win, draw or loss",
    };
    let mut text = String::new();
    writeln!(text, "game          {universe}")?;
    writeln!(text, "kind          {}: {says}", header.kind().name())?;
    writeln!(text, "ranks         {}", count(table.len()))?;
    writeln!(text, "positions     {}", count(positions.total()))?;
    for (name, number) in [
        ("won", positions.won()),
        ("lost", positions.lost()),
        ("drawn", positions.draws),
    ] {
        let share = percent(number, positions.total());
        writeln!(text, "  {name:5} {:>19}  {share:>7}", count(number))?;
    }
    writeln!(
        text,
        "unfolded      {}: {} won, {} lost, {} drawn",
        count(boards.total()),
        count(boards.won()),
        count(boards.lost()),
        count(boards.draws)
    )?;
    if let Some(plies) = header.census().positions.deepest() {
        writeln!(text, "deepest       {plies} plies")?;
    }
    let numbering = header.identity().numbering;
    writeln!(
        text,
        "format        {FORMAT_VERSION}, numbering {numbering}"
    )?;
    writeln!(text, "written by    koma {}", header.program())?;
    writeln!(text, "content hash  {:016x}", header.content_hash())?;
    let size = bytes(file_bytes(table)?);
    writeln!(text, "file          {} ({size})", table.file().display())?;
    if header.kind() == Kind::Dtm {
        text.push('\n');
        text.push_str(&histogram(positions));
    }
    Ok(text)
}

/// Won and lost positions by distance, a line each.
pub(super) fn histogram(counts: &ValueCounts) -> String {
    let mut text = "plies               won              lost\n".to_owned();
    let mut plies: Vec<u32> = counts
        .wins
        .keys()
        .chain(counts.losses.keys())
        .copied()
        .collect();
    plies.sort_unstable();
    plies.dedup();
    for plies in plies {
        let [won, lost] = [&counts.wins, &counts.losses].map(|by_plies| {
            by_plies
                .get(&plies)
                .map_or(String::new(), |&number| count(number))
        });
        let line = format!("{plies:5} {won:>17} {lost:>17}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
