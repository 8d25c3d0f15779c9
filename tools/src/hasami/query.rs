//! `koma query` for hasami: the value of a position and of every move.

use std::fmt::Write as _;
use std::io::{BufRead, stdin};

use anyhow::Context;
use clap::Args;
use koma_games::hasami::Position;
use koma_tables::{HasamiProber, ProbeError};
use memmap2::Mmap;
use serde::Serialize;

use super::line::Line;
use super::move_notation::MoveNotation;
use super::opening::{Opening, read_position, universe};
use super::{diagram, ending};
use crate::answer::signed;
use crate::exit::Exit;
use crate::grid::columns;
use crate::wording::{before, describe};
use crate::{cli, output};

const HELP: &str = "\
A position is written as SFEN with `P` for a man of sente and `p` for one of gote, `b` or `w` to move
and the men taken by sente and gote, which may be left out; `_` may stand for a blank.

The value is that of the side to move. Values of moves are shown for the side that makes them.

JSON, one object on one line:
  {\"game\", \"position\", \"category\", \"dtm\", \"terminal\", \"moves\": [
    {\"move\", \"move_usi\", \"move_ja\", \"category\", \"dtm\", \"position\"}, ..]}
  category  win, loss or draw, for the side to move
  dtm       plies to the end, negative for a loss; null for a draw and where not known; 0 only where
            the game is over
  terminal  whether the game is over
  moves     best first; category and dtm are for the side to move after the move

With --stdin every line is a position and is answered by one JSON object on one line. A line that
can't be answered gets {\"error\", \"line\"}, counted from 1, and the exit code is 2 at the end, or 3 if
the table is damaged there.

Examples:
  koma query hasami@4x4
  koma query hasami@3x4 --line
  koma query hasami@3x4 ppp/3/P2/1PP w 0-0 --json
  koma query hasami@9x9:win=all:3v2 9/9/3p5/9/4P4/2P6/9/6p2/6P2 b";

/// Show the value of a position and of every move
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    game: String,

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

    #[command(flatten)]
    opening: Opening,
}

#[derive(Serialize)]
struct Answer {
    game: String,
    position: String,
    category: &'static str,
    dtm: Option<i64>,
    terminal: bool,
    moves: Vec<AnsweredMove>,
}

#[derive(Serialize)]
struct AnsweredMove {
    #[serde(rename = "move")]
    squares: String,
    #[serde(rename = "move_usi")]
    usi: String,
    #[serde(rename = "move_ja")]
    japanese: String,
    category: &'static str,
    dtm: Option<i64>,
    position: String,
}

#[derive(Serialize)]
struct Failure {
    error: String,
    line: usize,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let universe = universe(&arguments.game)?;
    if arguments.stdin {
        return answer_stdin(&arguments.opening.prober(universe)?);
    }
    // What is asked is read before a table is made, which takes its time.
    let position = read_position(&universe, &arguments.position)?;
    let prober = arguments.opening.prober(universe)?;
    if arguments.json {
        output::json(&answer(&prober, &position)?)?;
    } else {
        output::text(&report(&prober, &position, arguments.line)?)?;
    }
    Ok(Exit::Done)
}

fn answer_stdin(prober: &HasamiProber<Mmap>) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for (line, bytes) in (1..).zip(stdin().lock().split(b'\n')) {
        let bytes = bytes.context("stdin")?;
        let text = String::from_utf8_lossy(&bytes);
        let answered = match prober.game().parse_position(&text) {
            Ok(position) => answer(prober, &position).map_err(|error| {
                let input = matches!(error, ProbeError::Material { .. });
                (
                    error.to_string(),
                    if input {
                        Exit::Input
                    } else {
                        Exit::Environment
                    },
                )
            }),
            Err(error) => Err((error.to_string(), Exit::Input)),
        };
        match answered {
            Ok(answer) => output::json(&answer)?,
            Err((error, failed)) => {
                exit = exit.max(failed);
                output::json(&Failure { error, line })?;
            }
        }
    }
    Ok(exit)
}

/// The value of a position in words.
pub(crate) fn value(
    prober: &HasamiProber<Mmap>,
    position: &Position,
) -> Result<String, ProbeError> {
    Ok(describe(prober.probe(position)?))
}

fn answer(prober: &HasamiProber<Mmap>, position: &Position) -> Result<Answer, ProbeError> {
    let game = prober.game();
    let probe = prober.probe(position)?;
    let moves = prober
        .moves(position)?
        .into_iter()
        .map(|after| AnsweredMove {
            squares: game.squares(after.mv),
            usi: game.usi(after.mv),
            japanese: game.japanese(position, after.mv),
            category: after.probe.category.name(),
            dtm: signed(after.probe),
            position: game.sfen(&after.position),
        });
    Ok(Answer {
        game: prober.universe().to_string(),
        position: game.sfen(position),
        category: probe.category.name(),
        dtm: signed(probe),
        terminal: game.end(position).is_some(),
        moves: moves.collect(),
    })
}

/// The board, the value, every move, and a best line if it is asked for.
fn report(
    prober: &HasamiProber<Mmap>,
    position: &Position,
    with_line: bool,
) -> anyhow::Result<String> {
    let game = prober.game();
    let mut text = format!(
        "{}, {}\n\n{}\n{}\n\n",
        prober.universe(),
        game.sfen(position),
        diagram::draw(game, position),
        value(prober, position)?
    );
    match game.end(position) {
        Some(end) => {
            let outcome = koma_games::hasami::Outcome::Decided(end);
            writeln!(text, "The game is over: {}.", ending::describe(&outcome))?;
        }
        None => {
            let rows = prober.moves(position)?.into_iter().map(|after| {
                [
                    game.squares(after.mv),
                    game.japanese(position, after.mv),
                    describe(before(after.probe)),
                ]
            });
            text.push_str(&columns(rows));
            if with_line {
                text.push_str(&line(prober, position)?);
            }
        }
    }
    Ok(text)
}

/// A best line to the end, a move a line.
fn line(prober: &HasamiProber<Mmap>, position: &Position) -> anyhow::Result<String> {
    if prober.probe(position)?.value().is_none() {
        return Ok("\nThere is no line to an end that is known.\n".to_owned());
    }
    let line = Line::new(prober, *position)?;
    let [squares, japanese] =
        [MoveNotation::Squares, MoveNotation::Japanese].map(|notation| line.rows(notation, false));
    let rows = squares
        .into_iter()
        .zip(japanese)
        .map(|([ply, squares, _], [_, japanese, _])| [ply, squares, japanese]);
    Ok(format!(
        "\nBest line:\n{}\n{}\n",
        columns(rows),
        line.ending()
    ))
}
