//! A **directory**: a folder of tables, found by the name of their universe.

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use memmap2::Mmap;

use crate::{
    error::{DirectoryError, OpenError, OpenFault},
    header::Header,
    identity::Identity,
    kind::Kind,
    table::Table,
};

/// The last part of the name of every table file.
const EXTENSION: &str = "koma";

/// A folder of tables. It need not exist before the first table is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    path: PathBuf,
}

/// A file of a directory that has the name of a table.
#[derive(Debug)]
pub struct Listing {
    /// The file.
    pub path: PathBuf,
    /// What it says about itself, or why it cannot be opened.
    pub header: Result<Header, OpenError>,
}

impl Directory {
    /// The tables in this folder.
    pub fn new(path: impl Into<PathBuf>) -> Directory {
        Directory { path: path.into() }
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the table of a universe is, or would be.
    pub fn path_of(&self, universe: &str, kind: Kind) -> PathBuf {
        self.path.join(file_name(universe, kind))
    }

    /// The table file of a universe, if there is one; that of the kind that says most if there are
    /// several.
    pub fn find(&self, universe: &str) -> Option<PathBuf> {
        Kind::ALL
            .into_iter()
            .map(|kind| self.path_of(universe, kind))
            .find(|path| {
                // A file that cannot be looked at is there: opening it will say what is wrong.
                !path
                    .symlink_metadata()
                    .is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
            })
    }

    /// Opens the table that [`find`](Directory::find) finds. A damaged one is an error even when
    /// one of another kind would open.
    ///
    /// # Errors
    /// [`OpenFault::Missing`] when there is none, else as
    /// [`open_expecting`](Table::open_expecting).
    pub fn open(&self, identity: &Identity) -> Result<Table<Mmap>, OpenError> {
        match self.find(&identity.universe) {
            Some(path) => Table::open_expecting(path, identity),
            None => Err(OpenError {
                file: self.path.clone(),
                fault: OpenFault::Missing {
                    universe: identity.universe.clone(),
                },
            }),
        }
    }

    /// Every file `*.koma` of the folder, sorted by name. Other files, and partial files of running
    /// or killed writers, are passed over. A folder that does not exist has no tables.
    ///
    /// # Errors
    /// [`DirectoryError`] when the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Listing>, DirectoryError> {
        let refuse = |error| DirectoryError {
            folder: self.path.clone(),
            error,
        };
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(refuse)?,
        };
        let paths: io::Result<Vec<PathBuf>> = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect();
        let mut paths = paths.map_err(refuse)?;
        paths.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == EXTENSION)
        });
        paths.sort();
        Ok(paths
            .into_iter()
            .map(|path| {
                let header = Table::open_file(&path).map(|table| table.header().clone());
                Listing { path, header }
            })
            .collect())
    }
}

/// The file name of a table, such as `minishogi_gp.dtm.koma` for the universe `minishogi:gp`.
///
/// Safe on Linux, macOS and Windows, which do not all tell upper from lower case and forbid some
/// signs. `a`-`z`, `0`-`9`, `-`, `+`, `=`, `,` and `@` stay as they are, `:` becomes `_`, and each
/// other byte becomes `%` and two hexadecimal digits. So no two universes share a file name.
///
/// ```
/// use koma_tables::{Kind, file_name};
/// assert_eq!(file_name("hasami@4x4:win=all", Kind::Wdl), "hasami@4x4_win=all.wdl.koma");
/// assert_eq!(file_name("minishogi:*", Kind::Dtm), "minishogi_%2a.dtm.koma");
/// ```
pub fn file_name(universe: &str, kind: Kind) -> String {
    let mut name = String::new();
    for byte in universe.bytes() {
        match byte {
            b':' => name.push('_'),
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'+' | b'=' | b',' | b'@' => {
                name.push(char::from(byte));
            }
            _ => write!(name, "%{byte:02x}").expect("a string takes all"),
        }
    }
    format!("{name}.{}.{EXTENSION}", kind.name())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Reads a file name back, which shows that no two universes share one.
    fn universe(name: &str) -> String {
        let name = name.strip_suffix(".dtm.koma").unwrap();
        let mut bytes = Vec::new();
        let mut rest = name.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'_' => b':',
                b'%' => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                _ => byte,
            });
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn file_names_are_safe_and_unique() {
        let signs = [
            'a', 'A', ':', '_', '*', '%', '.', '/', ' ', '@', '2', '\u{0}', '\\', '将',
        ];
        let mut seen = HashMap::new();
        for first in signs {
            for second in signs {
                for third in signs {
                    let asked = String::from_iter([first, second, third]);
                    let name = file_name(&asked, Kind::Dtm);
                    assert_eq!(universe(&name), asked);
                    assert!(!name.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|', ' ']));
                    assert!(name.is_ascii());
                    let older = seen.insert(name.to_uppercase(), asked.clone());
                    assert_eq!(older, None, "{asked:?} on a folder that ignores case");
                }
            }
        }
    }
}
