//! `koma find` for hasami: the positions with some value, distance and numbers of men.

use std::io::{BufWriter, Write, stdout};

use clap::{Args, ValueEnum};
use koma_games::{Block, Category, Layered};
use koma_solver::SolveError;
use koma_tables::{Cell, HasamiProber, Kind};
use memmap2::Mmap;
use serde::Serialize;

use super::opening::{Opening, universe};
use crate::answer::signed;
use crate::exit::{Exit, Usage};
use crate::plies::Plies;
use crate::wording::describe;
use crate::{cli, interrupt, output};

const HELP: &str = "\
All given properties must hold. Turned or mirrored a position is the same, and so is it with the
colors exchanged: positions are shown once, with sente to move, in the order of their ranks.

JSON, one object a line: {\"game\", \"position\", \"category\", \"dtm\"}, as in `koma query --json`; with
--count one object {\"game\", \"count\"}. The exit code is 1 if there is none.

Examples:
  koma find hasami@4x4 --plies 40
  koma find hasami@4x4 --value loss --plies 0
  koma find hasami@9x9:win=all:3v2 --men 2v3 --value win --count";

/// Find the positions with some property
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    game: String,

    /// What the position is worth for the side to move
    #[arg(long, value_name = "VALUE", value_enum)]
    value: Option<Worth>,

    /// The distance to the end in plies: a number, or a range such as 10..20 or 30..
    #[arg(long, value_name = "PLIES")]
    plies: Option<Plies>,

    /// The men of the side to move and those of the other, as in 3v2
    #[arg(long, value_name = "MEN", value_parser = read_men)]
    men: Option<[u8; 2]>,

    /// Only say how many there are
    #[arg(long = "count", conflicts_with = "limit")]
    only_count: bool,

    /// Stop after this many
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    opening: Opening,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Worth {
    /// Won.
    Win,
    /// Drawn.
    Draw,
    /// Lost.
    Loss,
}

impl Worth {
    fn category(self) -> Category {
        match self {
            Worth::Win => Category::Win,
            Worth::Draw => Category::Draw,
            Worth::Loss => Category::Loss,
        }
    }
}

fn read_men(text: &str) -> Result<[u8; 2], &'static str> {
    text.split_once('v')
        .and_then(|(own, other)| Some([own.parse().ok()?, other.parse().ok()?]))
        .ok_or("men are written as in 3v2, those of the side to move first")
}

#[derive(Serialize)]
struct Found<'a> {
    game: &'a str,
    position: String,
    category: &'static str,
    dtm: Option<i64>,
}

#[derive(Serialize)]
struct Count<'a> {
    game: &'a str,
    count: u64,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let prober = arguments.opening.prober(universe(&arguments.game)?)?;
    let table = prober.table();
    if arguments.plies.is_some() && table.header().kind() == Kind::Wdl {
        let universe = prober.universe();
        let problem = format!("--plies: the table of {universe} knows no distances");
        return Err(Usage(problem).into());
    }
    // The scan reads cells without a look at their checksums.
    table.verify()?;
    interrupt::listen()?;
    let category = arguments.value.map(Worth::category);
    let wanted = |cell: Cell| {
        category.is_none_or(|wanted| cell.category() == Some(wanted))
            && arguments
                .plies
                .is_none_or(|wanted| cell.plies().is_some_and(|plies| wanted.contains(plies)))
    };
    let name = prober.universe().to_string();
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let mut out = BufWriter::new(stdout().lock());
    let mut count = 0;
    for_each(&prober, arguments.men, wanted, |rank| {
        if count == limit {
            return Ok(false);
        }
        count += 1;
        if arguments.only_count {
            return Ok(true);
        }
        let position = prober.universe().position(rank);
        let probe = prober.probe(&position)?;
        let sfen = prober.game().sfen(&position);
        if arguments.json {
            let found = Found {
                game: &name,
                position: sfen,
                category: probe.category.name(),
                dtm: signed(probe),
            };
            serde_json::to_writer(&mut out, &found)?;
            out.write_all(b"\n")?;
        } else {
            writeln!(out, "{sfen}  {}", describe(probe))?;
        }
        Ok(true)
    })?;
    out.flush()?;
    drop(out);
    if arguments.only_count && arguments.json {
        output::json(&Count { game: &name, count })?;
    } else if arguments.only_count {
        output::text(&format!("{count}\n"))?;
    }
    Ok(if count == 0 { Exit::No } else { Exit::Done })
}

/// Calls back with the lowest rank of each position that is wanted until that says to stop.
fn for_each(
    prober: &HasamiProber<Mmap>,
    men: Option<[u8; 2]>,
    wanted: impl Fn(Cell) -> bool,
    mut emit: impl FnMut(u64) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let universe = prober.universe();
    for (index, layer) in universe.layers().iter().enumerate() {
        if men.is_some_and(|men| men != universe.counts(index)) {
            continue;
        }
        for number in 0..layer.blocks {
            if interrupt::interrupted() {
                return Err(SolveError::Interrupted.into());
            }
            let first = layer.first + u64::from(number) * u64::from(layer.block_len);
            let offsets = (0..layer.block_len).filter(|&offset| {
                wanted(prober.table().cell_unverified(first + u64::from(offset)))
            });
            let mut block = None;
            for offset in offsets {
                let block = block.get_or_insert_with(|| universe.block(index, number));
                if block.is_first(offset) && !emit(first + u64::from(offset))? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
