//! `koma verify` for hasami: checks a table, byte by byte and cell by cell.

use clap::Args;
use koma_solver::{CheckError, check_layered};
use koma_tables::Kind;

use super::target::{Target, universe_of};
use crate::exit::Exit;
use crate::folder::Folder;
use crate::reporter::Reporter;
use crate::resources::Threads;
use crate::verify::{cell, failed, is_damage};
use crate::wording::count;
use crate::{cli, interrupt, output};

const HELP: &str = "\
Every byte is compared with checksums and with the counts in the header. With --deep every cell is
recomputed from those of its successors, by forward moves only. A dtm table that passes is right.
A wdl table that passes is consistent, which is necessary but not sufficient.

The exit code is 1 for a damaged or wrong table, and 3 where there is none to be read.

Examples:
  koma verify hasami@4x4 --deep";

/// Check every byte of a table, or recompute every cell
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`, or the file of a table
    #[arg(value_name = "GAME|FILE")]
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
    let universe = universe_of(&table)?;
    interrupt::listen()?;
    let checked = {
        let reporter = Reporter::new();
        check_layered(&universe, &table, arguments.threads.count(), &reporter)
    };
    match checked {
        Ok(()) => {
            let cells = count(table.len());
            output::text(&format!(
                "{file}: all {cells} cells follow from their successors\n"
            ))?;
            if table.header().kind() == Kind::Wdl {
                output::text(
                    "Without distances that is necessary, not sufficient: cells that support each \
                     other in a circle could all be wrong. A dtm table has no such gap.\n",
                )?;
            }
            Ok(Exit::Done)
        }
        Err(CheckError::Wrong { count, first }) => {
            let sfen = universe.game().sfen(&universe.position(first.rank));
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
        Err(error) => Err(error.into()),
    }
}
