//! `koma verify`: checks a table, byte by byte and cell by cell.

use clap::Args;
use koma_games::Color;
use koma_solver::{CheckError, Settings, check, check_outcomes, explore};
use koma_tables::{Cell, Kind, OpenError, OpenFault};

use crate::asked::Asked;
use crate::exit::Exit;
use crate::folder::Folder;
use crate::reporter::Reporter;
use crate::resources::Threads;
use crate::target::{Target, asked_of};
use crate::wording::{count, describe};
use crate::{cli, interrupt, output};

const HELP: &str = "\
Every byte is compared with checksums and with the counts in the header. With --deep every cell is
recomputed from those of its successors, by forward moves only. A dtm table that passes is right.
A wdl table that passes is consistent, which is necessary but not sufficient: without distances,
cells that support each other in a circle could all be wrong. What laws make of endless play is
checked by labels, found for the purpose, by which each outcome follows from those of the moves: again by
forward moves only. The positions of an exploration are
found again for it, so that none is missing or too many.

The exit code is 1 for a damaged or wrong table, and 3 where there is none to be read.

Examples:
  koma verify dobutsu
  koma verify dobutsu --deep --threads 2
  koma verify tables/dobutsu.dtm.koma";

/// Check every byte of a table, or recompute every cell
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`, or the file of a table
    #[arg(value_name = "GAME|FILE", value_parser = Target::parser())]
    target: Target,

    /// Recompute every cell from its successors
    #[arg(long)]
    deep: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    threads: Threads,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let table = match arguments.target.open(&arguments.folder) {
        Ok(table) => table,
        Err(error) if is_damage(&error) => return failed(&format!("{error:#}")),
        Err(error) => return Err(error),
    };
    let file = table.file().display();
    if let Err(error) = table.verify() {
        return failed(&error.to_string());
    }
    output::text(&format!("{file}: every byte is as it was written\n"))?;
    if !arguments.deep {
        return Ok(Exit::Done);
    }
    let asked = asked_of(&table)?;
    let universe = asked.universe();
    interrupt::listen()?;
    let checked = {
        let reporter = Reporter::new();
        let threads = arguments.threads.count();
        match &asked {
            Asked::Universe(universe) => check(&**universe, &table, threads, &reporter)
                .and_then(|()| check_outcomes(&**universe, &table, threads, &reporter)),
            Asked::Exploration(exploration) => {
                let settings = Settings {
                    threads,
                    ..Settings::default()
                };
                let (space, roots) = (exploration.space(), exploration.roots());
                let explored = explore(space, roots, &settings, &reporter)?;
                check(&explored.universe(universe), &table, threads, &reporter)
            }
        }
    };
    match checked {
        Ok(()) => {
            let cells = count(table.len());
            output::text(&format!(
                "{file}: all {cells} cells follow from their successors\n"
            ))?;
            for counts in table.header().outcomes() {
                let (law, ranks) = (counts.law.name(), count(table.header().census().ranks.draw));
                output::text(&format!(
                    "{file}: endless play from {ranks} ranks is worth what it says under `{law}`, with \
                     either color to move\n"
                ))?;
            }
            if table.header().kind() == Kind::Wdl {
                output::text(
                    "Without distances that is necessary, not sufficient: cells that support each \
                     other in a circle could all be wrong. A dtm table has no such gap.\n",
                )?;
            }
            Ok(Exit::Done)
        }
        Err(CheckError::Wrong { count, first }) => {
            let sfen = universe.game().sfen(&universe.unrank(first.rank));
            failed(&format!(
                "{file}: {count} cells do not follow from their successors\n\
                 the first is rank {}: {sfen}\n  stored    {}\n  expected  {}",
                first.rank,
                cell(first.stored),
                first
                    .expected
                    .map_or("nothing: a move leads to a hole".to_owned(), cell),
            ))
        }
        Err(CheckError::WrongOutcomes {
            law,
            count,
            rank,
            to_move,
        }) => {
            let (game, position) = (universe.game(), universe.unrank(rank));
            let position = match to_move {
                Color::Sente => position,
                Color::Gote => game.rotated(&position),
            };
            failed(&format!(
                "{file}: {count} outcomes under the law `{}` do not follow from those of the moves\n\
                 the first is rank {rank}: {}",
                law.name(),
                game.sfen(&position)
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// Reports what is wrong with the table.
pub(crate) fn failed(report: &str) -> anyhow::Result<Exit> {
    output::text(&format!("{report}\n"))?;
    Ok(Exit::No)
}

/// Whether a table could not be opened because of what it holds, not for want of a file or of a
/// program that can read it.
pub(crate) fn is_damage(error: &anyhow::Error) -> bool {
    error.downcast_ref::<OpenError>().is_some_and(|error| {
        !matches!(
            error.fault,
            OpenFault::Io(_)
                | OpenFault::Missing { .. }
                | OpenFault::NotAFile
                | OpenFault::AddressSpace { .. }
                | OpenFault::Version(_)
        )
    })
}

pub(crate) fn cell(cell: Cell) -> String {
    match cell {
        Cell::Hole => "no position".to_owned(),
        Cell::Exact(value) => describe(value.into()),
        Cell::Category(category) => category.name().to_owned(),
    }
}
