//! A **target**: a table named by its game or by its file.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::builder::{OsStringValueParser, TypedValueParser};
use koma_games::{RankedUniverse, UniverseError};
use koma_tables::{Identity, Table};
use memmap2::Mmap;

use crate::folder::Folder;

/// A table named by its game or by its file.
#[derive(Clone)]
pub(crate) enum Target {
    /// The table of this game in the folder of the tables.
    Game(Box<RankedUniverse>),
    /// This file.
    File(PathBuf),
}

impl Target {
    /// Reads a target: a file if there is one of this name or the name ends in `.koma`.
    fn new(text: OsString) -> Result<Target, UniverseError> {
        let path = PathBuf::from(&text);
        let is_file = path.exists() && !path.is_dir();
        match text.to_str() {
            Some(name) if !is_file && !name.ends_with(".koma") => {
                Ok(Target::Game(Box::new(name.parse()?)))
            }
            _ => Ok(Target::File(path)),
        }
    }

    /// How the command line reads a target.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Target> {
        OsStringValueParser::new().try_map(Target::new)
    }

    /// Opens the table.
    pub(crate) fn open(&self, folder: &Folder) -> anyhow::Result<Table<Mmap>> {
        Ok(match self {
            Target::Game(universe) => folder.directory()?.open(&Identity::from(&**universe))?,
            Target::File(path) => Table::open_file(path)?,
        })
    }
}

/// The universe of a table, if this program numbers its positions.
pub(crate) fn universe_of(table: &Table<Mmap>) -> anyhow::Result<RankedUniverse> {
    let name = &table.header().identity().universe;
    let universe: RankedUniverse = name.parse().map_err(|error| {
        let file = table.file().display();
        anyhow!("{file}: this program does not know `{name}`: {error}")
    })?;
    table.check_identity(&Identity::from(&universe))?;
    Ok(universe)
}
