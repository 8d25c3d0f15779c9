//! `koma query`: the value of a position, every move with its value, the best line.

use std::fmt::Write as _;

use anyhow::Context;
use clap::Args;
use koma_games::{Law, Position, PositionForm, RankedUniverse};
use koma_solver::Settings;
use koma_tables::{ProbedMove, Prober, Reason, check_material};
use memmap2::Mmap;

use crate::answer::Answer;
use crate::ending::Ending;
use crate::endless::Endless;
use crate::exit::{Exit, Usage};
use crate::grid::columns;
use crate::line::Line;
use crate::opening::Opening;
use crate::played::Played;
use crate::question::Question;
use crate::wording::{before, describe};
use crate::{cli, diagram, ending, output, stream};

const HELP: &str = "\
A position is written as SFEN (board from the top, side to move `b` for sente or `w` for gote,
pieces in hand, move number), and read in other notations too; `_` may stand for a blank, and the
position need not be quoted. One that starts with `-`, as Tanaka's do, stands behind `--`.

The value is that of the side to move. Values of moves are shown for the side that makes them, best
first. Of those that keep a win or a draw of endless play, where perpetual check loses, those come first
that give no check. That is not yet progress: to keep such moves going may not be enough. --line finds out
what is, and lists the moves that make most progress first (in seconds, in the largest sets a minute), and
so does `koma line`, whose --json names at each ply the move to be played.

JSON, one object on one line:
  {\"game\", \"position\", \"category\", \"dtm\", \"terminal\", \"moves\": [
    {\"move\", \"move_ja\", \"category\", \"dtm\", \"position\"}, ..]}
  category  win, loss, draw or unknown, for the side to move; where play has no end, by the law
  dtm       plies to the end, negative for a loss; null for endless play and where not known, 0 only
            where the game is over
  reason    behind each dtm of minishogi and gorogoro: mate (by force), no-moves (the side to move
            has none and is not in check), repetition or perpetual-check (play has no end, and loses
            by the law for the side that is lost), draw
  terminal  whether the game is over
  moves     best first; category and dtm are for the side to move after the move; position is
            that after the move, null if the move takes the lion

With --stdin every line is a position and is answered by one JSON object on one line, in order. A
line that can't be answered, such as an empty one, gets {\"error\", \"line\"}, counted from 1, and the
exit code is 2 at the end, or 3 if the table is damaged there.

GAME may be one too large to number, such as minishogi: then the set that has the pieces of the position is
asked, `minishogi:gs` for instance. The colors matter there: endless play loses for sente by the law of
minishogi, except that perpetual check loses.

A mover without any move has lost: in dobutsu it is counted as lost in 2 plies, as published tables
do, in other games as lost in 0.

Examples:
  koma query dobutsu
  koma query dobutsu gle/1c1/1C1/ELG b - 1 --line
  koma query dobutsu g1e_1cl_1C1_ELG_w_-_1 --json
  koma query dobutsu --stdin < positions.txt > answers.jsonl
  koma query minishogi S4/4K/5/k2G1/5 w - 1 --line";

/// Show the value of a position and of every move
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`, or what `koma explore` made a table of
    #[arg(value_name = "GAME")]
    question: Question,

    /// The position [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Show a best line to the end of the game too, and order the moves of endless play by it
    #[arg(long, conflicts_with_all = ["json", "stdin"])]
    line: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Read positions from stdin, one a line, and answer each in JSON
    #[arg(long, conflicts_with = "position")]
    stdin: bool,

    #[command(flatten)]
    opening: Opening,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    // What is asked is read before a table is made, which takes its time.
    let (asked, position) = if arguments.stdin {
        (arguments.question.set()?, None)
    } else {
        let (asked, position) = arguments.question.about(&arguments.position)?;
        (asked, Some(position))
    };
    let opening = arguments.opening;
    let prober = opening.prober(asked)?;
    match position {
        None => return stream::answer_stdin(&prober, opening.threads()),
        Some(position) if arguments.json => {
            output::json(&Answer::new(&prober, prober.name(), &position)?)?;
        }
        Some(position) => {
            let line_settings = arguments.line.then(|| opening.settings());
            output::text(&report(&prober, &position, line_settings)?)?;
        }
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
    read_position_of(&Played::Universe(Box::new(universe.clone())), words)
}

/// The position on the command line, of a game that need not be numbered.
pub(crate) fn read_position_of(played: &Played, words: &[String]) -> anyhow::Result<Position> {
    let game = played.game();
    if words.is_empty() {
        return played.start().ok_or_else(|| {
            Usage(format!("{played} has no start position; give a position")).into()
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

/// The value of a position in words.
pub(crate) fn value(prober: &Prober<Mmap>, position: &Position) -> anyhow::Result<String> {
    Ok(describe(prober.probe(position)?))
}

/// Every move and its value for the side that makes it, best first.
pub(crate) fn move_table(prober: &Prober<Mmap>, position: &Position) -> anyhow::Result<String> {
    Ok(table_of(prober, position, prober.moves(position)?))
}

fn table_of(prober: &Prober<Mmap>, position: &Position, moves: Vec<ProbedMove>) -> String {
    let game = prober.game();
    let rows = moves.into_iter().map(|after| {
        [
            game.squares(after.mv),
            game.japanese(position, after.mv),
            describe(before(after.probe)),
        ]
    });
    columns(rows)
}

/// The board, the value, every move, and the best line if it is asked for.
fn report(
    prober: &Prober<Mmap>,
    position: &Position,
    line_settings: Option<Settings>,
) -> anyhow::Result<String> {
    let game = prober.game();
    let mut text = format!(
        "{}, {}\n\n{}\n{}\n\n",
        prober.name(),
        game.sfen(position),
        diagram::draw(game, position),
        value(prober, position)?
    );
    let probe = prober.probe(position)?;
    let by_law = game.law() != Law::Draw;
    let endless = probe.is_endless() || by_law && probe.reason == Some(Reason::Draw);
    // What is found out for a line orders the moves, too.
    let endless = line_settings
        .filter(|_| endless)
        .map(|settings| Endless::new(prober, settings));
    let moves = match &endless {
        Some(endless) => endless.moves(position)?,
        None => prober.moves(position)?,
    };
    match game.end(position) {
        Some(end) => writeln!(text, "The game is over: {}.", ending::decided(game, end))?,
        None => text.push_str(&table_of(prober, position, moves)),
    }
    text.push_str(&match (endless, line_settings) {
        (Some(endless), _) => endless_line(prober, position, &endless)?,
        (None, Some(_)) => line_table(prober, position)?,
        (None, None) => String::new(),
    });
    Ok(text)
}

/// A line that never ends, to where the law ends it.
fn endless_line(
    prober: &Prober<Mmap>,
    position: &Position,
    endless: &Endless<'_>,
) -> anyhow::Result<String> {
    let line = Line::new(prober, endless, *position)?;
    let (record, game) = (line.record(), prober.game());
    let moves = record.moves().iter().zip(record.positions());
    let rows = (1..).zip(moves).map(|(ply, (&mv, before))| {
        [
            format!("{ply:>3}"),
            game.squares(mv),
            game.japanese(before, mv),
        ]
    });
    Ok(format!(
        "\nBest line:\n{}\n{}\n",
        columns(rows),
        Ending::new(record)
    ))
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
