//! **Hasami shogi** on the command line: the usual subcommands for its universes, which are numbered
//! and solved in layers.

mod diagram;
mod ending;
mod find;
mod game;
mod info;
mod line;
mod move_notation;
mod opening;
mod perft;
mod play;
mod query;
mod report;
mod solve;
mod stats;
mod target;
mod verify;

use std::env;
use std::ffi::OsStr;
use std::path::Path;

use clap::{Parser, Subcommand};
use koma_tables::Table;

use crate::cli::help;
use crate::exit::{Exit, Usage};

const EXAMPLES: &str = "\
Examples:
  koma solve hasami@4x4               everything that the start on 4x4 leads to
  koma solve hasami@9x9:win=all:3v3   three men against three on 9x9, and what follows
  koma query hasami@4x4               the start position: board, value, every move
  koma line hasami@3x4                perfect play to the end
  koma find hasami@4x4 --plies 40     the deepest positions
  koma verify hasami@4x4 --deep       recompute every cell from its successors
  koma report hasami                  a page of results on small boards and of endings

Games:
  hasami@9x9                 the usual rules; also any other board from 3x3 to 9x9
  hasami@5x5:men=4           men of each side [default: a full rank]
  hasami@4x4:win=2           so many captures win; win=all: all but one man [default: 5, or all]
  hasami@9x9:lead=3          who leads by 3 captures at the own turn has won; with lead-reply=off,
                             who comes to lead by 3 wins at once
  hasami@4x4:corner=off      no captures in corners; others are edge=on (runs along an edge are
                             taken when they are shut in) and corner-anchor=off (a man on a corner
                             ends no line)
  hasami@9x9:win=all:3v2     positions of 3 men against 2, and what follows
  start=facing, limit=N, limit-rule=captures   for play only: the men of both sides from the left,
                             the end after N plies, more captures winning";

/// Solves hasami shogi on small boards and its endings, and answers from the tables.
///
/// Distances are in plies everywhere: a ply is one move by one side.
#[derive(Parser)]
#[command(name = "koma", version, after_long_help = help(EXAMPLES), after_help = help(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Arguments),
    Query(query::Arguments),
    Line(line::Arguments),
    Game(game::Arguments),
    Play(play::Arguments),
    Find(find::Arguments),
    Stats(stats::Arguments),
    Verify(verify::Arguments),
    Info(info::Arguments),
    Report(report::Arguments),
    Perft(perft::Arguments),
}

/// Whether the command line is about hasami: the first word behind the subcommand that is no option
/// names a game of it, or a table of one.
pub(crate) fn is_asked() -> bool {
    let words: Vec<_> = env::args_os().skip(1).collect();
    let mut of_option = false;
    for word in words.iter().skip(1) {
        let text = word.to_string_lossy();
        if text.starts_with("--") {
            of_option = TAKES_VALUE.contains(&&*text);
        } else if !std::mem::take(&mut of_option) {
            return names_hasami(word);
        }
    }
    false
}

/// Options of any subcommand whose value is the next word.
const TAKES_VALUE: [&str; 18] = [
    "--dir",
    "--threads",
    "--memory",
    "--kind",
    "--level",
    "--seed",
    "--limit",
    "--sample",
    "--plies",
    "--value",
    "--notation",
    "--sente",
    "--gote",
    "--depth",
    "--svg",
    "--men",
    "--boards",
    "--endings",
];

fn names_hasami(word: &OsStr) -> bool {
    let path = Path::new(word);
    if path.is_file() {
        return Table::open_file(path).is_ok_and(|table| is_name(&table.header().identity().game));
    }
    word.to_str()
        .is_some_and(|text| is_name(text) && !text.ends_with(".koma"))
}

fn is_name(text: &str) -> bool {
    text.strip_prefix("hasami")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', ':']))
}

/// Runs the command.
pub(crate) fn run() -> anyhow::Result<Exit> {
    if env::args_os().nth(1).is_some_and(|word| word == "explore") {
        let problem = "hasami is not explored: `koma solve` makes a table of all that the start of a \
                       board, or an ending, leads to";
        return Err(Usage(problem.to_owned()).into());
    }
    match Arguments::parse().command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Query(arguments) => query::run(arguments),
        Command::Line(arguments) => line::run(arguments),
        Command::Game(arguments) => game::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Find(arguments) => find::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
    }
}
