//! A **target**: a table named by its game or by its file.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::anyhow;
use clap::builder::{OsStringValueParser, TypedValueParser};
use koma_games::{ExplorationError, Game};
use koma_tables::Table;
use memmap2::Mmap;

use crate::asked::Asked;
use crate::folder::Folder;
use crate::question::Question;

/// A table named by its game or by its file.
#[derive(Clone)]
pub(crate) enum Target {
    /// The table of this game, or of an exploration of it, in the folder of the tables.
    Game(Asked),
    /// All tables of a game that is too large for one.
    All(Box<Game>),
    /// This file.
    File(PathBuf),
}

impl Target {
    /// Reads a target: a file if there is one of this name or the name ends in `.koma`.
    fn new(text: OsString) -> Result<Target, ExplorationError> {
        let path = PathBuf::from(&text);
        let is_file = path.exists() && !path.is_dir();
        match text.to_str() {
            Some(name) if !is_file && !name.ends_with(".koma") => match name.parse() {
                Ok(Question::Set(asked)) => Ok(Target::Game(asked)),
                Ok(Question::Game(game)) => Ok(Target::All(game)),
                Err(error) => Err(error),
            },
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
            Target::Game(asked) => folder.directory()?.open(&asked.identity())?,
            Target::All(game) => {
                let asked = Question::Game(game.clone()).set()?;
                folder.directory()?.open(&asked.identity())?
            }
            Target::File(path) => Table::open_file(path)?,
        })
    }
}

/// What a table is of, if this program numbers its positions.
pub(crate) fn asked_of(table: &Table<Mmap>) -> anyhow::Result<Asked> {
    let name = &table.header().identity().universe;
    let asked: Asked = name.parse().map_err(|error| {
        let file = table.file().display();
        anyhow!("{file}: this program does not know `{name}`: {error}")
    })?;
    table.check_identity(&asked.identity())?;
    Ok(asked)
}
