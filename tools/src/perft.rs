//! `koma perft`: counts sequences of moves, to compare move generators.

use clap::{Args, ValueEnum};
use koma_games::PerftConvention;
use serde::Serialize;

use crate::exit::Exit;
use crate::played::Played;
use crate::query::read_position_of;
use crate::wording::count;
use crate::{cli, output};

const HELP: &str = "\
JSON, one object on one line:
  {\"game\", \"position\", \"depth\", \"nodes\"}

Examples:
  koma perft dobutsu --depth 6
  koma perft minishogi --depth 4
  koma perft dobutsu gle/1c1/1C1/ELG b - 1 --depth 4 --convention tanaka --json";

/// Count the sequences of moves from a position
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    played: Played,

    /// The position, as for `koma query` [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// The length of the sequences, in plies
    #[arg(long, value_name = "N")]
    depth: u32,

    /// Which positions have no moves
    #[arg(long, value_enum, default_value_t = Convention::Rules)]
    convention: Convention,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Convention {
    /// Those in which the game is over.
    Rules,
    /// Those in which the lion can be taken, and those in which the other lion stands on its far
    /// rank.
    Tanaka,
}

#[derive(Serialize)]
struct Perft {
    game: String,
    position: String,
    depth: u32,
    nodes: u64,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let played = arguments.played;
    let game = played.game();
    let position = read_position_of(&played, &arguments.position)?;
    let convention = match arguments.convention {
        Convention::Rules => PerftConvention::Rules,
        Convention::Tanaka => PerftConvention::Tanaka,
    };
    let nodes = game.perft(&position, arguments.depth, convention);
    if arguments.json {
        output::json(&Perft {
            game: played.to_string(),
            position: game.sfen(&position),
            depth: arguments.depth,
            nodes,
        })?;
    } else {
        output::text(&format!("{} nodes\n", count(nodes)))?;
    }
    Ok(Exit::Done)
}
