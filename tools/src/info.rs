//! `koma info`: what a table says about itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use anyhow::Context;
use clap::{Args, ValueEnum};
use koma_games::{Color, Game};
use koma_tables::{Counts, Header, Kind, OutcomeCounts, Table};
use memmap2::Mmap;
use serde::Serialize;

use crate::exit::Exit;
use crate::folder::Folder;
use crate::grid::columns;
use crate::target::{Target, asked_of};
use crate::wording::{bytes, count, percent};
use crate::{cli, ending, output};

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
  draw          null under a law that is not `draw`: then there are, before \"format\",
    \"residue\", \"law\", \"unfolded\": {\"legal\", \"win\", \"loss\", \"residue\", \"by_plies\", \"law\"}
  residue       positions whose end neither side can force
  law           what each law makes of them, {LAW: {\"sente\": [won, drawn, lost], \"gote\": [..]}, ..},
                for the side to move if that is sente, and if it is gote
  unfolded      the same counts with a position and its mirror image as two, unless they are
                the same
  content_hash  16 hexadecimal digits; equal for equal cells, whatever program wrote them

Of a game too large for one table, such as minishogi, all tables are listed; in JSON one object a line,
{\"game\", \"kind\", \"positions\", \"win\", \"loss\", \"residue\", \"max_plies\", \"bytes\"}.

Examples:
  koma info dobutsu
  koma info minishogi
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
    /// Null where a law decides that by the color to move.
    draw: Option<u64>,
    max_plies: Option<u32>,
    by_plies: &'a [(u32, u64)],
    #[serde(flatten)]
    endless: Option<Endless>,
    format: u32,
    content_hash: String,
    bytes: u64,
}

/// Of tables that say what laws make of endless play.
#[derive(Serialize)]
struct Endless {
    residue: u64,
    law: ByLaw,
    unfolded: Unfolded,
}

/// A position and its mirror image are two.
#[derive(Serialize)]
struct Unfolded {
    legal: u64,
    win: u64,
    loss: u64,
    residue: u64,
    by_plies: Vec<(u32, u64)>,
    law: ByLaw,
}

/// By the name of the law and the color to move: won, drawn and lost by the mover.
type ByLaw = BTreeMap<&'static str, ByColor>;

#[derive(Serialize)]
struct ByColor {
    sente: [u64; 3],
    gote: [u64; 3],
}

impl From<OutcomeCounts> for ByColor {
    fn from(counts: OutcomeCounts) -> ByColor {
        let OutcomeCounts { sente, gote } = counts;
        ByColor { sente, gote }
    }
}

impl Endless {
    /// Nothing of a table in which endless play is a draw.
    fn of(table: &Table<Mmap>) -> anyhow::Result<Option<Endless>> {
        let outcomes = table.header().outcomes();
        if outcomes.is_empty() {
            return Ok(None);
        }
        let asked = asked_of(table)?;
        let unfolded = koma_solver::Unfolded::of(asked.universe(), table)?;
        let by_law = unfolded.outcomes.into_iter();
        Ok(Some(Endless {
            residue: table.header().census().positions.draw,
            law: outcomes
                .iter()
                .map(|counts| (counts.law.name(), counts.positions.into()))
                .collect(),
            unfolded: Unfolded {
                legal: unfolded.counts.total(),
                win: unfolded.counts.win,
                loss: unfolded.counts.loss,
                residue: unfolded.counts.draw,
                by_plies: unfolded.counts.by_plies,
                law: by_law
                    .map(|(law, counts)| (law.name(), counts.into()))
                    .collect(),
            },
        }))
    }
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Target::All(game) = &arguments.target {
        return list(game, &arguments.folder, arguments.json);
    }
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
            draw: header.outcomes().is_empty().then_some(counts.draw),
            max_plies: counts.deepest(),
            by_plies: &counts.by_plies,
            endless: Endless::of(&table)?,
            format: header.format_version(),
            content_hash: format!("{:016x}", header.content_hash()),
            bytes: file_bytes(&table)?,
        })?;
    } else {
        output::text(&report(&table, counts)?)?;
    }
    Ok(Exit::Done)
}

/// A table of a game, in a list of them.
#[derive(Serialize)]
struct Listed {
    game: String,
    kind: &'static str,
    positions: u64,
    win: u64,
    loss: u64,
    residue: u64,
    max_plies: Option<u32>,
    bytes: u64,
}

/// Lists the tables of a game.
fn list(game: &Game, folder: &Folder, json: bool) -> anyhow::Result<Exit> {
    let directory = folder.directory()?;
    let mut tables = Vec::new();
    for listing in directory.list()? {
        let header = match listing.header {
            Ok(header) if header.identity().game == game.to_string() => header,
            Ok(_) => continue,
            Err(error) => {
                output::note(format_args!("koma: {error}"));
                continue;
            }
        };
        let positions = &header.census().positions;
        let path = listing.path;
        let metadata = fs::metadata(&path).with_context(|| path.display().to_string())?;
        tables.push(Listed {
            game: header.identity().universe.clone(),
            kind: header.kind().name(),
            positions: positions.total(),
            win: positions.win,
            loss: positions.loss,
            residue: positions.draw,
            max_plies: positions.deepest(),
            bytes: metadata.len(),
        });
    }
    // The smaller sets first.
    tables.sort_by_key(|table| (table.game.len(), table.game.clone()));
    if json {
        for table in &tables {
            output::json(table)?;
        }
    } else {
        let head = [
            "set",
            "kind",
            "positions",
            "won",
            "lost",
            "open",
            "deepest",
            "file",
        ];
        let mut rows = vec![head.map(str::to_owned)];
        rows.extend(tables.iter().map(|table| {
            [
                table.game.clone(),
                table.kind.to_owned(),
                count(table.positions),
                count(table.win),
                count(table.loss),
                count(table.residue),
                table
                    .max_plies
                    .map_or(String::new(), |plies| plies.to_string()),
                bytes(table.bytes),
            ]
        }));
        let all: u64 = tables.iter().map(|table| table.bytes).sum();
        output::text(&format!(
            "{}{} tables of {game} in {}, {}\n",
            columns(rows),
            tables.len(),
            directory.path().display(),
            bytes(all)
        ))?;
    }
    Ok(if tables.is_empty() {
        Exit::No
    } else {
        Exit::Done
    })
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
        (undecided(header), counts.draw),
    ] {
        let share = percent(number, counts.total());
        writeln!(text, "  {name:5} {:>19}  {share:>7}", count(number))?;
    }
    text.push_str(&settled(header, counts)?);
    if let Some(plies) = counts.deepest() {
        writeln!(text, "deepest       {plies} plies")?;
    }
    writeln!(
        text,
        "format        {}, numbering {}",
        header.format_version(),
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

/// What laws make of the positions that neither side can force, by the color to move.
pub(crate) fn settled(header: &Header, counts: &Counts) -> anyhow::Result<String> {
    if header.outcomes().is_empty() {
        return Ok(String::new());
    }
    let as_ranks = counts == &header.census().ranks;
    let head = ["  open, by law", "to move", "won", "drawn", "lost"].map(str::to_owned);
    let mut rows = vec![head];
    for by_law in header.outcomes() {
        let outcomes = if as_ranks {
            by_law.ranks
        } else {
            by_law.positions
        };
        for mover in Color::BOTH {
            let [won, drawn, lost] = outcomes.of(mover).map(count);
            let law = format!("    {}", by_law.law.name());
            rows.push([law, ending::name(mover).to_owned(), won, drawn, lost]);
        }
    }
    Ok(columns(rows))
}

/// What a position is that neither side can force: drawn, or left to a law.
pub(crate) fn undecided(header: &Header) -> &'static str {
    match header.outcomes() {
        [] => "drawn",
        _ => "open",
    }
}
