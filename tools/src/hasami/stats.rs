//! `koma stats` for hasami: the values by numbers of men and by distance.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use koma_solver::{ValueCounts, count_layered};
use koma_tables::Kind;
use serde::Serialize;

use super::info::{Counted, histogram};
use super::opening::{Opening, universe};
use crate::exit::{Exit, Usage};
use crate::grid::columns;
use crate::histogram::Histogram;
use crate::stats::check_writable;
use crate::wording::{count, percent};
use crate::{cli, output};

const HELP: &str = "\
Counts are of distinct positions for the side to move, as in `koma info`. A line for each number of
own men and of the other side's.

JSON, one object on one line:
  {\"game\", \"men\": [{\"own\", \"other\", \"positions\", \"win\", \"draw\", \"loss\", \"by_plies\", ..}, ..]}

Examples:
  koma stats hasami@4x4
  koma stats hasami@4x4 --svg distances.svg
  koma stats hasami@9x9:win=all:3v2 --json";

/// Show the values by numbers of men and by distance
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    game: String,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Draw the distances into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    opening: Opening,
}

#[derive(Serialize)]
struct Statistics {
    game: String,
    men: Vec<OfMen>,
}

#[derive(Serialize)]
struct OfMen {
    own: u8,
    other: u8,
    #[serde(flatten)]
    counts: Counted,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    if let Some(file) = &arguments.svg {
        check_writable(file)?;
    }
    let threads = arguments.opening.threads();
    let prober = arguments.opening.prober(universe(&arguments.game)?)?;
    let (universe, table) = (prober.universe(), prober.table());
    let kind = table.header().kind();
    if arguments.svg.is_some() && kind == Kind::Wdl {
        let problem = format!("--svg: the table of {universe} knows no distances");
        return Err(Usage(problem).into());
    }
    table.verify()?;
    let layers = count_layered(universe, table, threads)?;
    let mut all = ValueCounts::default();
    for census in &layers {
        all.merge(&census.positions);
    }
    if let Some(file) = &arguments.svg {
        let by_plies = |counts: &BTreeMap<u32, u64>| counts.clone().into_iter().collect();
        let histogram = Histogram {
            won: by_plies(&all.wins),
            lost: by_plies(&all.losses),
        };
        let svg = histogram.svg(&universe.to_string())?;
        fs::write(file, svg).with_context(|| file.display().to_string())?;
    }
    if arguments.json {
        let men = (0..).zip(&layers).map(|(layer, census)| {
            let [own, other] = universe.counts(layer);
            let counts = Counted::new(&census.positions, kind);
            OfMen { own, other, counts }
        });
        output::json(&Statistics {
            game: universe.to_string(),
            men: men.collect(),
        })?;
        return Ok(Exit::Done);
    }
    let mut text = format!("{universe}: {} positions\n\n", count(all.total()));
    let heading = [
        "men",
        "positions",
        "won",
        "drawn",
        "lost",
        "longest win",
        "longest loss",
    ];
    let rows = (0..).zip(&layers).map(|(layer, census)| {
        let [own, other] = universe.counts(layer);
        row(format!("{own}v{other}"), &census.positions)
    });
    text.push_str(&columns(
        [heading.map(str::to_owned)].into_iter().chain(rows),
    ));
    writeln!(text, "\n{}", histogram(&all))?;
    output::text(&text)?;
    Ok(Exit::Done)
}

fn row(men: String, counts: &ValueCounts) -> [String; 7] {
    let share = |part: u64| format!("{} ({})", count(part), percent(part, counts.total()));
    let longest = |by_plies: &BTreeMap<u32, u64>| {
        by_plies
            .keys()
            .last()
            .map_or("-".to_owned(), u32::to_string)
    };
    [
        men,
        count(counts.total()),
        share(counts.won()),
        share(counts.draws),
        share(counts.lost()),
        longest(&counts.wins),
        longest(&counts.losses),
    ]
}
