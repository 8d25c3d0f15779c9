//! `koma query`: the value of a position, every move with its value, the best line.

use std::fmt::Write as _;

use anyhow::{Context, anyhow};
use clap::Args;
use comfy_table::{Table as Grid, presets};
use koma_games::{Color, End, EndReason, Game, Position, PositionForm, RankedUniverse, Universe};
use koma_tables::{Identity, Kind, OpenFault, Prober, check_material};
use memmap2::Mmap;

use crate::answer::Answer;
use crate::exit::{Exit, Usage};
use crate::folder::Folder;
use crate::making::make_table;
use crate::resources::Resources;
use crate::wording::{before, describe};
use crate::{cli, diagram, output, stream};

/// The most ranks of a game that a query solves by itself: some 10 seconds of two processors.
const SOLVES_IN_SECONDS: u64 = 400_000_000;

const HELP: &str = "\
A position is written as SFEN (board from the top, side to move `b` for sente or `w` for gote,
pieces in hand, move number), and read in other notations too; `_` may stand for a blank, and the
position need not be quoted. One that starts with `-`, as Tanaka's do, stands behind `--`.

The value is that of the side to move. Values of moves are shown for the side that makes them.

JSON, one object on one line:
  {\"game\", \"position\", \"category\", \"dtm\", \"terminal\", \"moves\": [
    {\"move\", \"move_ja\", \"category\", \"dtm\", \"position\"}, ..]}
  category  win, loss, draw or unknown, for the side to move
  dtm       plies to the end, negative for a loss; null for a draw and where not known, 0 only
            where the game is over
  terminal  whether the game is over
  moves     best first; category and dtm are for the side to move after the move; position is
            that after the move, null if the move takes the lion

With --stdin every line is a position and is answered by one JSON object on one line, in order. A
line that can't be answered, such as an empty one, gets {\"error\", \"line\"}, counted from 1, and the
exit code is 2 at the end, or 3 if the table is damaged there.

A mover without any move has lost and is counted as lost in 2 plies, as published tables do.

Examples:
  koma query dobutsu
  koma query dobutsu gle/1c1/1C1/ELG b - 1 --line
  koma query dobutsu g1e_1cl_1C1_ELG_w_-_1 --json
  koma query dobutsu --stdin < positions.txt > answers.jsonl";

/// Show the value of a position and of every move
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    universe: RankedUniverse,

    /// The position [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Show a best line to the end of the game too
    #[arg(long, conflicts_with_all = ["json", "stdin"])]
    line: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Read positions from stdin, one a line, and answer each in JSON
    #[arg(long, conflicts_with = "position")]
    stdin: bool,

    /// Never solve the game first, however small
    #[arg(long)]
    no_solve: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    resources: Resources,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    // What is asked is read before a table is made, which takes its time.
    let position = if arguments.stdin {
        None
    } else {
        let position = read_position(&arguments.universe, &arguments.position)?;
        check_material(&arguments.universe, &position)?;
        Some(position)
    };
    let threads = arguments.resources.threads();
    let (json, with_line) = (arguments.json, arguments.line);
    let prober = prober(arguments)?;
    match position {
        None => return stream::answer_stdin(&prober, threads),
        Some(position) if json => {
            let name = prober.universe().to_string();
            output::json(&Answer::new(&prober, &name, &position)?)?;
        }
        Some(position) => output::text(&report(&prober, &position, with_line)?)?,
    }
    Ok(Exit::Done)
}

/// The start position, if the universe holds it.
pub(crate) fn start(universe: &RankedUniverse) -> Option<Position> {
    let start = universe.game().start()?;
    check_material(universe, &start).ok()?;
    Some(start)
}

/// The position on the command line.
pub(crate) fn read_position(
    universe: &RankedUniverse,
    words: &[String],
) -> anyhow::Result<Position> {
    let game = universe.game();
    if words.is_empty() {
        return start(universe).ok_or_else(|| {
            Usage(format!("{universe} has no start position; give a position")).into()
        });
    }
    let text = words.join(" ");
    let read = game
        .read_position(&text)
        .with_context(|| format!("position `{text}`"))?;
    if read.form == PositionForm::Sfen && read.number.is_none() {
        output::note(format_args!(
            "koma: the move number is missing; `1` is taken"
        ));
    }
    Ok(read.position)
}

/// Opens the table; makes it first where that takes seconds.
fn prober(arguments: Arguments) -> anyhow::Result<Prober<Mmap>> {
    let universe = arguments.universe;
    let directory = arguments.folder.directory()?;
    let table = match directory.open(&Identity::from(&universe)) {
        Ok(table) => table,
        Err(error) if !matches!(error.fault, OpenFault::Missing { .. }) => {
            return Err(error.into());
        }
        Err(error) if arguments.no_solve || universe.len() > SOLVES_IN_SECONDS => {
            return Err(anyhow!(error).context(format!("`koma solve {universe}` makes it")));
        }
        Err(_) => {
            let folder = directory.path().display();
            output::note(format_args!(
                "{folder} holds no table of {universe}; solving it first"
            ));
            make_table(&universe, &directory, Kind::Dtm, &arguments.resources)?
        }
    };
    Ok(Prober::new(universe, table)?)
}

/// The value of a position in words.
pub(crate) fn value(prober: &Prober<Mmap>, position: &Position) -> anyhow::Result<String> {
    Ok(describe(prober.probe(position)?))
}

/// Every move and its value for the side that makes it, best first.
pub(crate) fn move_table(prober: &Prober<Mmap>, position: &Position) -> anyhow::Result<String> {
    let game = prober.game();
    let rows = prober.moves(position)?.into_iter().map(|after| {
        [
            game.squares(after.mv),
            game.japanese(position, after.mv),
            describe(before(after.probe)),
        ]
    });
    Ok(columns(rows))
}

/// The board, the value, every move, and the best line if it is asked for.
fn report(prober: &Prober<Mmap>, position: &Position, with_line: bool) -> anyhow::Result<String> {
    let game = prober.game();
    let mut text = format!(
        "{}, {}\n\n{}\n{}\n\n",
        prober.universe(),
        game.sfen(position),
        diagram::draw(game, position),
        value(prober, position)?
    );
    match game.end(position) {
        Some(end) => writeln!(text, "The game is over: {}.", ending(game, end))?,
        None => text.push_str(&move_table(prober, position)?),
    }
    if with_line {
        text.push_str(&line_table(prober, position)?);
    }
    Ok(text)
}

/// A best line to the end, a move a line.
fn line_table(prober: &Prober<Mmap>, position: &Position) -> anyhow::Result<String> {
    let game = prober.game();
    let mut before = *position;
    let rows: Vec<[String; 3]> = (1..)
        .zip(prober.line(position)?)
        .map(|(ply, after)| {
            let row = [
                format!("{ply:>3}"),
                game.squares(after.mv),
                game.japanese(&before, after.mv),
            ];
            before = after.position;
            row
        })
        .collect();
    if rows.is_empty() {
        return Ok("\nThere is no line to an end that is known.\n".to_owned());
    }
    Ok(format!("\nBest line:\n{}", columns(rows)))
}

/// Rows whose cells stand in columns.
fn columns(rows: impl IntoIterator<Item = [String; 3]>) -> String {
    let mut grid = Grid::new();
    grid.load_preset(presets::NOTHING).add_rows(rows);
    let mut text = String::new();
    for line in grid.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn ending(game: &Game, end: End) -> String {
    let royal = game.kinds()[0].letter;
    let name = |color| match color {
        Color::Sente => "sente",
        Color::Gote => "gote",
    };
    let (winner, loser) = (name(end.winner), name(end.winner.opponent()));
    match end.reason {
        EndReason::RoyalTaken => format!("{winner} has taken the other {royal}"),
        EndReason::Try => format!("{winner} has reached the far rank with the {royal}"),
        EndReason::NoMove => format!("{loser} has no move and loses"),
    }
}
