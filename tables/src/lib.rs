//! The table format of Komabase: files that hold the value of every position of a universe.
//!
//! A [`Table`] opens in constant time and answers rank by rank; each block of cells is checked
//! against its checksum when it is first touched, so a damaged file gives an error or the right
//! answer, never a wrong one. A [`Writer`] makes a table under a temporary name and renames it
//! when all of it is on disk. A [`Directory`] is a folder of tables. FORMAT.md at the top of the
//! repository draws the bytes.
//!
//! This crate sees ranks and bytes, and does not know how a value was found. Only its [`Prober`]
//! sees positions: it asks the games crate for their ranks and for what the rules decide at once.
//!
//! ```
//! use koma_games::{Law, Value};
//! use koma_tables::{Cell, Census, CellWidth, Coding, Counts, Directory, Identity, Kind, Writer};
//!
//! // Four ranks: lost, won in one ply, drawn, and a hole.
//! let codes: [u8; 4] = [0, 1, CellWidth::Bits8.draw(), CellWidth::Bits8.hole()].map(|c| c as u8);
//! let ranks = Counts::of_cells(Coding::Parity(CellWidth::Bits8), &codes, 4);
//! let census = Census { positions: ranks.clone(), ranks };
//! let identity = Identity {
//!     game: "dobutsu@3x4".into(),
//!     universe: "dobutsu:example".into(),
//!     numbering: 1,
//!     law: Law::Draw,
//! };
//!
//! # let folder = std::env::temp_dir().join(format!("koma-tables-doc-{}", std::process::id()));
//! let directory = Directory::new(&folder);
//! let writer = Writer::create(directory.path_of(&identity.universe, Kind::Dtm))?;
//! writer.write(&identity, Kind::Dtm, &census, &codes[..])?;
//!
//! let table = directory.open(&identity)?;
//! assert_eq!(table.cell(1)?, Cell::Exact(Value::Win(1)));
//! assert_eq!(table.cell(3)?, Cell::Hole);
//! table.verify()?;
//! # drop(table);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod coding;
mod counts;
mod directory;
mod error;
mod hasami_prober;
mod header;
mod huge_pages;
mod identity;
mod kind;
mod layout;
mod outcomes;
mod output;
mod prober;
mod source;
mod table;
mod writer;

pub use self::{
    cell::Cell,
    coding::{CellWidth, Coding},
    counts::{Census, Counts},
    directory::{Directory, Listing, file_name},
    error::{
        DirectoryError, EncodeError, HeaderFault, OpenError, OpenFault, ReadError, VerifyError,
        WriteError,
    },
    hasami_prober::{HasamiMove, HasamiProber},
    header::{FORMAT_VERSION, Header},
    huge_pages::prefer_huge_pages,
    identity::Identity,
    kind::Kind,
    outcomes::{LawCounts, OutcomeCounts, Outcomes},
    prober::{Probe, ProbeError, ProbedMove, Prober, Reason, check_material},
    source::CellSource,
    table::Table,
    writer::Writer,
};
