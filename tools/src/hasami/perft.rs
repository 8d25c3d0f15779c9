//! `koma perft` for hasami: counts sequences of moves.

use clap::Args;
use koma_games::hasami::Game;
use serde::Serialize;

use super::opening::read_position_of;
use crate::exit::{Exit, Usage};
use crate::wording::count;
use crate::{cli, output};

const HELP: &str = "\
JSON, one object on one line: {\"game\", \"position\", \"depth\", \"nodes\"}

Examples:
  koma perft hasami --depth 3
  koma perft hasami@4x4 ppp1/3p/4/PPPP b --depth 4 --json";

/// Count the sequences of moves of a length
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, with its board and options
    #[arg(value_name = "GAME")]
    game: String,

    /// The position [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// How many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Nodes {
    game: String,
    position: String,
    depth: u32,
    nodes: u64,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let game: Game = arguments
        .game
        .parse()
        .map_err(|error| Usage(format!("{error}")))?;
    let position = match &arguments.position[..] {
        [] => game.start(),
        words => read_position_of(&game, words)?,
    };
    let nodes = game.perft(&position, arguments.depth);
    if arguments.json {
        output::json(&Nodes {
            game: game.to_string(),
            position: game.sfen(&position),
            depth: arguments.depth,
            nodes,
        })?;
    } else {
        output::text(&format!("{}\n", count(nodes)))?;
    }
    Ok(Exit::Done)
}
