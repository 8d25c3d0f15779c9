//! A **target**: a table of hasami named by its universe or by its file.

use std::path::PathBuf;

use anyhow::anyhow;
use koma_games::hasami::Universe;
use koma_tables::{Identity, Table};
use memmap2::Mmap;

use crate::exit::Usage;
use crate::folder::Folder;

/// A table named by its universe or by its file.
#[derive(Clone)]
pub(crate) struct Target(String);

impl From<String> for Target {
    fn from(text: String) -> Target {
        Target(text)
    }
}

impl Target {
    /// Opens the table.
    pub(crate) fn open(&self, folder: &Folder) -> anyhow::Result<Table<Mmap>> {
        let path = PathBuf::from(&self.0);
        if path.is_file() {
            return Ok(Table::open_file(path)?);
        }
        let universe: Universe = self.0.parse().map_err(|error| Usage(format!("{error}")))?;
        Ok(folder.directory()?.open(&Identity::from(&universe))?)
    }
}

/// The universe of a table.
pub(crate) fn universe_of(table: &Table<Mmap>) -> anyhow::Result<Universe> {
    let name = &table.header().identity().universe;
    let universe: Universe = name.parse().map_err(|error| {
        let file = table.file().display();
        anyhow!("{file}: this program does not know `{name}`: {error}")
    })?;
    table.check_identity(&Identity::from(&universe))?;
    Ok(universe)
}
