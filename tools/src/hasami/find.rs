//! `koma find` for hasami: the positions with some value, distance and numbers of men.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write, stdout};
use std::ops::ControlFlow;

use anyhow::Context;
use clap::{Args, ValueEnum};
use koma_games::{Category, Layered};
use koma_solver::{LayeredProperty, LayeredScan};
use koma_tables::{Cell, HasamiProber, Kind};
use memmap2::Mmap;
use serde::Serialize;

use super::opening::{Opening, universe};
use crate::answer::signed;
use crate::exit::{Exit, Usage};
use crate::find::choose;
use crate::plies::Plies;
use crate::reporter::Reporter;
use crate::wording::describe;
use crate::{cli, interrupt, output};

const HELP: &str = "\
All given properties must hold. Turned or mirrored a position is the same, and so is it with the
colors exchanged: positions are shown once, with sente to move, in the order of their ranks, also
those of a sample. Men stand on the board or are taken, so there is nothing in hand to ask for, and
no check.

--only-move looks at all moves of every position that has the other properties, which takes some five
minutes of processor time if it is all of 5x5: give a value or a distance too.

JSON, one object a line: {\"game\", \"position\", \"category\", \"dtm\"}, as in `koma query --json`; with
--count one object {\"game\", \"count\"}. The exit code is 1 if there is none.

Examples:
  koma find hasami@4x4 --plies 40
  koma find hasami@4x4 --value loss --plies 0
  koma find hasami@4x4 --value draw --sample 5 --seed 1
  koma find hasami@4x4 --only-move --value win --plies 30..
  koma find hasami@4x4 --zugzwang
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

    /// One move keeps the value, all others are worse; not counting distances
    #[arg(long)]
    only_move: bool,

    /// Mutual zugzwang: the side to move loses, and if it could pass the other would lose
    #[arg(long)]
    zugzwang: bool,

    /// Only say how many there are
    #[arg(long = "count", conflicts_with_all = ["sample", "limit"])]
    only_count: bool,

    /// Show this many of them, chosen at random
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Makes the choice of a sample; the same seed chooses the same positions
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,

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
    let threads = arguments.opening.threads();
    let prober = arguments.opening.prober(universe(&arguments.game)?)?;
    let (universe, table) = (prober.universe(), prober.table());
    if arguments.plies.is_some() && table.header().kind() == Kind::Wdl {
        let problem = format!("--plies: the table of {universe} knows no distances");
        return Err(Usage(problem).into());
    }
    // The scan reads cells without a look at their checksums.
    table.verify()?;
    interrupt::listen()?;
    let category = arguments.value.map(Worth::category);
    let wanted = |cell: Cell| {
        let found = cell.category();
        category.is_none_or(|wanted| found == Some(wanted))
            && (!arguments.zugzwang || found == Some(Category::Loss))
            && arguments
                .plies
                .is_none_or(|wanted| cell.plies().is_some_and(|plies| wanted.contains(plies)))
    };
    let layers = (0..universe.layers().len()).filter(|&layer| {
        let counts = universe.counts(layer);
        arguments.men.is_none_or(|men| men == counts)
    });
    let property = LayeredProperty {
        only_move: arguments.only_move,
        zugzwang: arguments.zugzwang,
    };
    let scan = LayeredScan::new(universe, table, layers.collect(), wanted, property);
    let name = universe.to_string();
    let counted = || scan.count(threads, &Reporter::new());
    if arguments.only_count {
        let count = counted()?;
        if arguments.json {
            output::json(&Count { game: &name, count })?;
        } else {
            output::text(&format!("{count}\n"))?;
        }
        return Ok(answer(count));
    }
    let mut chosen = match arguments.sample {
        None => None,
        Some(size) => Some(choose(counted()?, size, arguments.seed)),
    };
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let done = |shown: u64, chosen: &Option<BTreeSet<u64>>| {
        shown == limit || chosen.as_ref().is_some_and(BTreeSet::is_empty)
    };
    let mut out = BufWriter::new(stdout().lock());
    let (mut seen, mut shown) = (0, 0);
    let mut failed = None;
    scan.for_each(threads, &Reporter::new(), |rank| {
        if done(shown, &chosen) {
            return ControlFlow::Break(());
        }
        let place = seen;
        seen += 1;
        if chosen.as_mut().is_some_and(|chosen| !chosen.remove(&place)) {
            return ControlFlow::Continue(());
        }
        shown += 1;
        match print(&prober, &name, rank, arguments.json, &mut out) {
            Ok(()) if done(shown, &chosen) => ControlFlow::Break(()),
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    out.flush().context("stdout")?;
    Ok(answer(shown))
}

/// Whether anything was found.
fn answer(count: u64) -> Exit {
    if count == 0 { Exit::No } else { Exit::Done }
}

/// Prints the position of a rank and its value.
fn print(
    prober: &HasamiProber<Mmap>,
    name: &str,
    rank: u64,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let position = prober.universe().position(rank);
    let probe = prober.probe(&position)?;
    let sfen = prober.game().sfen(&position);
    if !json {
        writeln!(out, "{sfen}  {}", describe(probe))?;
        return Ok(());
    }
    let found = Found {
        game: name,
        position: sfen,
        category: probe.category.name(),
        dtm: signed(probe),
    };
    serde_json::to_writer(&mut *out, &found)?;
    out.write_all(b"\n")?;
    Ok(())
}
