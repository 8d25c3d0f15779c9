//! The **folder** of the tables, the same for every subcommand.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use koma_tables::Directory;

#[derive(Args)]
pub(crate) struct Folder {
    /// The folder of the tables [default: `komabase` in the user's data folder]
    #[arg(
        long = "dir",
        value_name = "DIR",
        env = "KOMA_DIR",
        hide_env_values = true
    )]
    path: Option<PathBuf>,
}

impl Folder {
    /// The tables in the folder, which need not exist.
    pub(crate) fn directory(&self) -> anyhow::Result<Directory> {
        let path = match &self.path {
            Some(path) => path.clone(),
            None => dirs::data_dir()
                .context("this user has no data folder; name one with --dir or KOMA_DIR")?
                .join("komabase"),
        };
        Ok(Directory::new(path))
    }
}
