//! **Errors**: everything that can be wrong with a file or with what is to be written. Each message
//! names the file or field and what would help, and is complete: it holds the message of the error
//! behind it, so no error here has a `source` that would be printed twice.

use std::{io, ops::Range, path::PathBuf};

use koma_games::Value;

use crate::header::FORMAT_VERSION;

/// A table could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {fault}")]
pub struct OpenError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub fault: OpenFault,
}

/// Why a table could not be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenFault {
    /// The operating system refused.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// No table of this universe is in the folder.
    #[error("holds no table of `{universe}`; make it first, or name another folder")]
    Missing {
        /// The universe asked for.
        universe: String,
    },
    /// The path is a directory, a device or a pipe.
    #[error("is a directory or a device, not a table file")]
    NotAFile,
    /// The file has no bytes.
    #[error("is empty; copy it again or make the table again")]
    Empty,
    /// The file is longer than this program can address.
    #[error("is {bytes} bytes long, over the 2 GiB that a 32-bit program maps; use a 64-bit koma")]
    AddressSpace {
        /// The length of the file.
        bytes: u64,
    },
    /// The first bytes are not those of a table.
    #[error("is not a table: it does not start with `KOMATBL`")]
    Magic,
    /// A format version of another program version.
    #[error(
        "has format version {0}, and this program reads versions 1 to {FORMAT_VERSION}; \
         use the koma that made it"
    )]
    Version(u32),
    /// The header length in the file is absurd.
    #[error("is damaged: a header of {bytes} bytes, at most {max} are allowed; copy it again")]
    HeaderLength {
        /// The length in the file.
        bytes: u64,
        /// The longest header a table may have.
        max: u64,
    },
    /// The bytes of the header are not those that were written.
    #[error("is damaged: the checksum of the header does not match; copy it again")]
    HeaderChecksum,
    /// The header cannot be what it says.
    #[error("{0}")]
    Header(HeaderFault),
    /// The writing of the file did not come to its end.
    #[error("is unfinished: its writing was interrupted; make the table again")]
    Unfinished,
    /// The file is longer or shorter than its header says.
    #[error("is {bytes} bytes long where its header asks for {expected}; copy it again")]
    Length {
        /// The length of the file.
        bytes: u64,
        /// The length that follows from its header.
        expected: u64,
    },
    /// A byte that must be zero is not.
    #[error("is damaged: byte {offset} between header and cells is not zero; copy it again")]
    Padding {
        /// The place of the byte in the file.
        offset: u64,
    },
    /// The table is sound but answers another question.
    #[error("has the {field} `{found}` where `{wanted}` was asked for; make a table for that")]
    Mismatch {
        /// The field of the identity.
        field: &'static str,
        /// Its value in the file.
        found: String,
        /// The value asked for.
        wanted: String,
    },
}

/// A header contradicts itself or holds what this program does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderFault {
    /// The bytes are no header.
    #[error("the header cannot be decoded: {0}")]
    Syntax(String),
    /// A field has a value that this program does not know.
    #[error("the header field `{field}` is `{value}`, unknown to this program; use a newer koma")]
    Unknown {
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// A field contradicts another.
    #[error("the header field `{field}` cannot be right: {why}")]
    Inconsistent {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

/// A cell could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The table has no such rank.
    #[error("{file}: no rank {rank} in a table of {len} ranks")]
    Rank {
        /// The file.
        file: PathBuf,
        /// The rank asked for.
        rank: u64,
        /// The number of ranks.
        len: u64,
    },
    /// The table does not say what this law makes of endless play.
    #[error("{file}: holds no outcomes under the law `{law}`; make the table again")]
    NoOutcomes {
        /// The file.
        file: PathBuf,
        /// The law asked for.
        law: &'static str,
    },
    /// The outcome of a residue rank has bits that mean nothing, or is not where its directory says.
    #[error("{file}: the outcome of rank {rank} is damaged; make the table again")]
    Outcome {
        /// The file.
        file: PathBuf,
        /// The rank asked for.
        rank: u64,
    },
    /// The bytes of a block are not those that were written, or its checksum is not.
    #[error(
        "{file}: block {block} (bytes {} to {}) is damaged; copy the file again or make the \
         table again", bytes.start, bytes.end
    )]
    Block {
        /// The file.
        file: PathBuf,
        /// The number of the block, from 0.
        block: u64,
        /// Where the block lies in the file; the end is the first byte after it.
        bytes: Range<u64>,
    },
}

/// A table is not what was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The list of block checksums does not match the content hash in the header.
    #[error(
        "{file}: the block checksums (bytes {} to {}) are damaged; copy the file again or make \
         the table again", bytes.start, bytes.end
    )]
    Checksums {
        /// The file.
        file: PathBuf,
        /// Where the list lies in the file; the end is the first byte after it.
        bytes: Range<u64>,
    },
    /// Blocks of cells do not match their checksums.
    #[error(
        "{file}: {damaged} of {blocks} blocks are damaged, the first is block {first} (bytes {} \
         to {}); copy the file again or make the table again", bytes.start, bytes.end
    )]
    Blocks {
        /// The file.
        file: PathBuf,
        /// The number of damaged blocks.
        damaged: u64,
        /// The number of all blocks.
        blocks: u64,
        /// The first damaged block, from 0.
        first: u64,
        /// Where that block lies in the file; the end is the first byte after it.
        bytes: Range<u64>,
    },
    /// A byte or bit that must be zero is not.
    #[error("{file}: byte {offset} after the cells is not zero; copy the file again")]
    Padding {
        /// The file.
        file: PathBuf,
        /// The place of the byte in the file.
        offset: u64,
    },
    /// The directory of the outcomes, or an outcome, is not what the cells ask for.
    #[error(
        "{file}: the outcomes under the law `{law}` do not fit the cells; make the table again"
    )]
    Outcomes {
        /// The file.
        file: PathBuf,
        /// The law.
        law: &'static str,
    },
    /// The cells are those that were written, but the counts in the header are not theirs.
    #[error("{file}: the counts in the header are not those of the cells; make the table again")]
    Counts {
        /// The file.
        file: PathBuf,
    },
}

/// A coding has no code for a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The distance is too long for the width of the cell.
    #[error("a distance of {plies} plies does not fit in a cell that holds up to {max}")]
    TooDeep {
        /// The distance in plies.
        plies: u32,
        /// The longest distance a cell holds, in plies.
        max: u32,
    },
    /// A win of even or a loss of odd distance.
    #[error("{value:?} has no code: an odd distance is a win, an even one a loss")]
    Parity {
        /// The value.
        value: Value,
    },
    /// Endless play, which a cell calls drawn: what a law makes of it depends on the color to move.
    #[error("endless play is written as outcomes beside the cells, not as a cell")]
    Endless,
    /// A win or loss of unknown distance.
    #[error("a dtm cell needs a distance; write a wdl table instead")]
    NoDistance,
}

/// A table could not be written. No part of it is left behind.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The path cannot be that of a file.
    #[error("{path}: is a directory or names no file; name a file for the table")]
    Path {
        /// The path of the table.
        path: PathBuf,
    },
    /// The folder of the table does not exist and could not be made.
    #[error("{folder}: the folder cannot be made: {error}; choose another with --dir")]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The answer of the operating system.
        error: io::Error,
    },
    /// Another writer makes the same table.
    #[error("{partial}: another run is making this table; wait for it or stop it")]
    Busy {
        /// The file that the other one has locked.
        partial: PathBuf,
    },
    /// The temporary file could not be opened or locked.
    #[error("{partial}: cannot be opened for writing: {error}; choose another folder with --dir")]
    Create {
        /// The temporary file.
        partial: PathBuf,
        /// The answer of the operating system.
        error: io::Error,
    },
    /// The header of the table would contradict itself.
    #[error("{path}: {error}")]
    Header {
        /// The path of the table.
        path: PathBuf,
        /// What is wrong.
        error: HeaderFault,
    },
    /// The coding has no code for a cell.
    #[error("{path}: rank {rank}: {error}")]
    Cell {
        /// The path of the table.
        path: PathBuf,
        /// The first such rank.
        rank: u64,
        /// What is wrong.
        error: EncodeError,
    },
    /// A cell source appended another number of bytes than its cells take: a bug in the source.
    #[error("{path}: the cells from rank {rank} were given with a wrong number of bytes")]
    Source {
        /// The path of the table.
        path: PathBuf,
        /// The first rank of the run.
        rank: u64,
    },
    /// The disk is full or failed.
    #[error("{path}: cannot be written: {error}; the table takes {needed} bytes of free disk")]
    Disk {
        /// The path of the table.
        path: PathBuf,
        /// The length of the whole file in bytes.
        needed: u64,
        /// The answer of the operating system.
        error: io::Error,
    },
    /// The written file could not be synced or given its final name.
    #[error("{path}: the finished table cannot take this name: {error}; close what has it open")]
    Rename {
        /// The path of the table.
        path: PathBuf,
        /// The answer of the operating system.
        error: io::Error,
    },
}

/// A folder of tables could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{folder}: the folder cannot be read: {error}")]
pub struct DirectoryError {
    /// The folder.
    pub folder: PathBuf,
    /// The answer of the operating system.
    pub error: io::Error,
}
