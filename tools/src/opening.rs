//! The **opening** of a table that is asked: it is made first where that takes seconds.

use anyhow::anyhow;
use clap::Args;
use koma_games::{RankedUniverse, Universe};
use koma_solver::Settings;
use koma_tables::{Kind, OpenFault, Prober};
use memmap2::Mmap;

use crate::asked::Asked;
use crate::folder::Folder;
use crate::making::make_table;
use crate::output;
use crate::resources::Resources;

/// The most ranks of a game that are solved unasked: some 10 seconds of two processors.
const SOLVES_IN_SECONDS: u64 = 400_000_000;

/// The same where check must be met, which takes its time: sets of two pieces.
const SOLVES_WITH_CHECK_IN_SECONDS: u64 = 8_000_000;

#[derive(Args)]
pub(crate) struct Opening {
    /// Never solve the game first, however small
    #[arg(long)]
    no_solve: bool,

    #[command(flatten)]
    folder: Folder,

    #[command(flatten)]
    resources: Resources,
}

impl Opening {
    /// Threads to use; `None` for all processors.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.resources.threads()
    }

    /// How to solve what else is to be solved.
    pub(crate) fn settings(&self) -> Settings {
        self.resources.settings()
    }

    /// Whether a game is solved unasked.
    fn solves(&self, universe: &RankedUniverse) -> bool {
        let most = match universe.game().options().exposure {
            true => SOLVES_IN_SECONDS,
            false => SOLVES_WITH_CHECK_IN_SECONDS,
        };
        !self.no_solve && universe.len() <= most
    }

    /// Whether a game has a table, or will have one when it is asked.
    pub(crate) fn can_have(&self, universe: &RankedUniverse) -> anyhow::Result<bool> {
        let directory = self.folder.directory()?;
        Ok(self.solves(universe) || directory.find(&universe.to_string()).is_some())
    }

    /// Opens the table of a game; makes it first where that takes seconds. A table of an
    /// exploration is not made.
    pub(crate) fn prober(&self, asked: impl Into<Asked>) -> anyhow::Result<Prober<Mmap>> {
        let asked = asked.into();
        let directory = self.folder.directory()?;
        let table = match (directory.open(&asked.identity()), &asked) {
            (Ok(table), _) => table,
            (Err(error), _) if !matches!(error.fault, OpenFault::Missing { .. }) => {
                return Err(error.into());
            }
            (Err(_), Asked::Universe(universe)) if self.solves(universe) => {
                let folder = directory.path().display();
                output::note(format_args!(
                    "{folder} holds no table of {universe}; solving it first"
                ));
                make_table(universe, &directory, Kind::Dtm, &self.resources)?
            }
            (Err(error), _) => {
                return Err(anyhow!(error).context(format!("`{}` makes it", asked.command())));
            }
        };
        Ok(asked.prober(table)?)
    }
}
