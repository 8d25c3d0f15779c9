//! The **command line**: the subcommands and what they have in common.

use std::env;

use anyhow::{Context, anyhow};
use clap::{Parser, Subcommand};
use koma_solver::Kernel;

use crate::exit::{self, Exit, Usage};
use crate::{
    explore, find, game, hasami, info, line, output, perft, play, query, report, solve, stats,
    verify,
};

const EXAMPLES: &str = "\
Examples:
  koma solve dobutsu            find the value of every position
  koma query dobutsu            the start position: board, value, every move
  koma query dobutsu gle/1c1/1C1/ELG b - 1 --json
  koma line dobutsu             perfect play to the end
  koma game dobutsu record.txt  check a game record and judge its moves
  koma play dobutsu             play against the table
  koma explore dobutsu          find the positions that play leads to
  koma find dobutsu --plies 173 the deepest positions
  koma stats dobutsu            moves, zugzwang, tsume and other figures
  koma verify dobutsu --deep    recompute every cell from its successors

Games:
  dobutsu                       dobutsu shogi, 3x4
  dobutsu@3x5                   on a board of 3 files and 5 ranks
  dobutsu:no-try                with an option; also no-drops, no-last-rank-chick-drop;
                                several are joined by commas
  dobutsu@3x3:gec               the lions, a giraffe, an elephant and a chick only
  minishogi, gorogoro           their rules; too large for a table (perft, game), but positions of
                                few pieces are answered (query, line, play)
  minishogi:gp                  the kings, a gold and a pawn only, solved
  minishogi:*2                  all sets of up to two pieces besides the kings (solve, report)
  minishogi:repetition=draw:gp  with another law for endless play; also uec, pcl, inventor
  hasami@4x4                    hasami shogi on any board from 3x3 to 9x9; small ones are solved
                                whole: `koma solve hasami --help` lists options and endings

Environment:
  KOMA_DIR     the folder of the tables, if there is no --dir
  KOMA_KERNEL  for which processor the inner loops are compiled: portable, avx2 or avx512; the
               answers are the same (default: the best that this one can run)";

/// Solves small shogi games exactly, keeps the answers in tables and answers from them.
///
/// Distances are in plies everywhere: a ply is one move by one side.
#[derive(Parser)]
#[command(name = "koma", version, after_long_help = help(EXAMPLES), after_help = help(EXAMPLES))]
struct Arguments {
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
    Explore(explore::Arguments),
    Find(find::Arguments),
    Stats(stats::Arguments),
    Verify(verify::Arguments),
    Info(info::Arguments),
    Report(report::Arguments),
    Perft(perft::Arguments),
}

/// What stands below the options in a help text.
pub(crate) fn help(text: &str) -> String {
    reflowed(&format!("{text}\n\n{}", exit::HELP))
}

/// A text whose paragraphs are one line each, to be broken where the terminal ends. Lines that are
/// indented stay as they are.
fn reflowed(text: &str) -> String {
    let goes_on = |line: &str| !line.is_empty() && !line.starts_with(' ');
    let mut reflowed = String::with_capacity(text.len());
    let mut before = "";
    for (place, line) in text.lines().enumerate() {
        if place > 0 {
            let joins = goes_on(before) && goes_on(line);
            reflowed.push(if joins { ' ' } else { '\n' });
        }
        reflowed.push_str(line);
        before = line;
    }
    reflowed
}

/// Runs the command and reports its error, if any.
pub(crate) fn main() -> Exit {
    let result = take_kernel().and_then(|()| match hasami::is_asked() {
        true => hasami::run(),
        false => run(),
    });
    result.unwrap_or_else(|error| {
        let exit = Exit::of(&error);
        if exit != Exit::Done {
            output::note(format_args!("koma: {error:#}"));
        }
        exit
    })
}

/// Runs the command for the games with kings or lions.
fn run() -> anyhow::Result<Exit> {
    match Arguments::parse().command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Query(arguments) => query::run(arguments),
        Command::Line(arguments) => line::run(arguments),
        Command::Game(arguments) => game::run(arguments),
        Command::Play(arguments) => play::run(arguments),
        Command::Explore(arguments) => explore::run(arguments),
        Command::Find(arguments) => find::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
    }
}

/// Takes the kernel that the environment names, if it names one.
fn take_kernel() -> anyhow::Result<()> {
    let Some(name) = env::var_os(KERNEL) else {
        return Ok(());
    };
    let name = name.to_string_lossy();
    let kernel: Kernel = name
        .parse()
        .map_err(|error| anyhow!(Usage(format!("{KERNEL}: {error}"))))?;
    kernel.take().context(KERNEL)
}

const KERNEL: &str = "KOMA_KERNEL";

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn paragraphs_are_reflowed_and_lists_are_not() {
        let text = "One\ntwo.\n\nThree:\n  four\n  five\nsix\nseven";
        assert_eq!(
            reflowed(text),
            "One two.\n\nThree:\n  four\n  five\nsix seven"
        );
    }

    /// Clap breaks texts at 100 columns where there is no terminal, and does not indent what is behind.
    #[test]
    fn lines_of_lists_fit_a_hundred_columns() {
        let mut commands = vec![Arguments::command(), hasami::Arguments::command()];
        let within: Vec<_> = commands
            .iter()
            .flat_map(|command| command.get_subcommands().cloned())
            .collect();
        commands.extend(within);
        for command in commands {
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            for line in help.lines().filter(|line| line.starts_with(' ')) {
                assert!(
                    line.chars().count() <= 100,
                    "{}: {line}",
                    command.get_name()
                );
            }
        }
    }
}
