//! A **writer**: makes a table file that appears under its name complete or not at all.

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
};

use same_file::Handle;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    counts::Census,
    error::{HeaderFault, WriteError},
    header::Header,
    identity::Identity,
    kind::Kind,
    outcomes::Outcomes,
    output::{Aligned, HUGE_PAGE, Output},
    source::CellSource,
};

/// Bytes of cells encoded and written at a time: some blocks, so that system calls cost nothing.
const CHUNK_BYTES: u64 = HUGE_PAGE as u64;

/// A table file in the making: the final name with `.partial` added, locked against other
/// processes, in the same folder.
///
/// Made before the work that finds the cells, so that a folder without permission or a table that
/// another process is making is known at once. Dropped without [`write`](Writer::write), it removes
/// the partial file.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    partial: PathBuf,
    file: File,
    renamed: bool,
}

impl Writer {
    /// Makes the folder of `path` if it is missing and takes the partial file, with whatever a
    /// killed run has left in it.
    ///
    /// # Errors
    /// [`WriteError::Busy`] when another writer has it, and [`WriteError::Path`],
    /// [`WriteError::Folder`], [`WriteError::Create`].
    pub fn create(path: impl Into<PathBuf>) -> Result<Writer, WriteError> {
        let path = path.into();
        let (Some(name), false) = (path.file_name(), path.is_dir()) else {
            return Err(WriteError::Path { path });
        };
        let folder = folder_of(&path);
        fs::create_dir_all(folder).map_err(|error| WriteError::Folder {
            folder: folder.to_owned(),
            error,
        })?;
        let mut partial_name = OsString::from(name);
        partial_name.push(".partial");
        let partial = path.with_file_name(partial_name);
        let file = take(&partial)?;
        Ok(Writer {
            path,
            partial,
            file,
            renamed: false,
        })
    }

    /// The final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the table, syncs it to disk and gives it its final name, in place of any older file.
    /// The cells are as wide as the longest distance in `census` asks for.
    ///
    /// # Errors
    /// [`WriteError::Header`] when `census` cannot be that of such a table, [`WriteError::Cell`]
    /// when a cell does not fit, [`WriteError::Disk`]. The partial file is removed.
    pub fn write(
        self,
        identity: &Identity,
        kind: Kind,
        census: &Census,
        cells: &(impl CellSource + ?Sized),
    ) -> Result<Header, WriteError> {
        self.write_settled(identity, kind, census, cells, &[])
    }

    /// As [`write`](Writer::write), with what laws make of the residue: of the drawn cells, in the order
    /// of their ranks. The law of the identity comes first.
    ///
    /// # Errors
    /// As [`write`](Writer::write); [`WriteError::Header`] also for outcomes of another number of ranks
    /// than there are drawn cells.
    pub fn write_settled(
        mut self,
        identity: &Identity,
        kind: Kind,
        census: &Census,
        cells: &(impl CellSource + ?Sized),
        outcomes: &[Outcomes],
    ) -> Result<Header, WriteError> {
        let counts = outcomes.iter().map(|outcomes| *outcomes.counts()).collect();
        let (len, by_parity) = (cells.rank_count(), cells.by_parity());
        let header =
            Header::new(identity, kind, census, len, by_parity, counts).map_err(|error| {
                WriteError::Header {
                    path: self.path.clone(),
                    error,
                }
            })?;
        let header = stream(
            &self.path,
            &mut Output::new(&self.file, &self.partial),
            header,
            cells,
            outcomes,
        )?;
        self.publish().map_err(|error| WriteError::Rename {
            path: self.path.clone(),
            error,
        })?;
        Ok(header)
    }

    /// Gives the file its final name.
    fn publish(&mut self) -> io::Result<()> {
        fs::rename(&self.partial, &self.path)?;
        self.renamed = true;
        // The new name is in the folder, which is on disk only when it is synced too. Other systems
        // cannot open a folder.
        #[cfg(unix)]
        File::open(folder_of(&self.path))?.sync_all()?;
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Still locked, so the file is ours. If it stays after all, the next run takes it over.
        if !self.renamed {
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Opens and locks the partial file and empties it.
fn take(partial: &Path) -> Result<File, WriteError> {
    let refuse = |error| WriteError::Create {
        partial: partial.to_owned(),
        error,
    };
    loop {
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(partial)
            .map_err(refuse)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(WriteError::Busy {
                    partial: partial.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(refuse(error)),
        }
        // Between our open and our lock another writer may have renamed or removed the file. Then
        // what we hold is a finished table, or nothing, and must not be emptied.
        let ours = Handle::from_file(file.try_clone().map_err(refuse)?).map_err(refuse)?;
        match Handle::from_path(partial) {
            Ok(named) if named == ours => {
                file.set_len(0).map_err(refuse)?;
                return Ok(file);
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refuse(error)),
        }
    }
}

/// Writes a whole table to `out`, which is empty, and returns its finished header.
///
/// The header comes first in the file but holds the hash of all that follows, so it is written
/// twice: unfinished before the cells, finished after them.
fn stream(
    path: &Path,
    out: &mut (impl Write + Seek + Send),
    mut header: Header,
    cells: &(impl CellSource + ?Sized),
    outcomes: &[Outcomes],
) -> Result<Header, WriteError> {
    let header_fault = |error| WriteError::Header {
        path: path.to_owned(),
        error,
    };
    let layout = header.layout().map_err(header_fault)?;
    let disk = |error| {
        let (path, needed) = (path.to_owned(), layout.file_bytes());
        WriteError::Disk {
            path,
            needed,
            error,
        }
    };

    out.write_all(&header.to_bytes().map_err(header_fault)?)
        .map_err(disk)?;
    out.write_all(&zeros(&layout.header_padding))
        .map_err(disk)?;

    let mut checksums = Vec::new();
    // The residue ranks in the blocks before each.
    let mut directory = Vec::new();
    let mut residue = 0;
    let coding = header.coding();
    let chunk_len = CHUNK_BYTES * 8 / u64::from(coding.bits());
    let chunks = (0..header.rank_count()).step_by(chunk_len as usize);
    write_behind(out, chunks, |first, chunk| {
        let ranks = first..header.rank_count().min(first + chunk_len);
        cells
            .append(coding, ranks.clone(), chunk.emptied())
            .map_err(|(rank, error)| WriteError::Cell {
                path: path.to_owned(),
                rank,
                error,
            })?;
        let chunk = chunk.bytes();
        let expected = coding.bytes(ranks.end - ranks.start);
        if Some(chunk.len() as u64) != expected {
            return Err(WriteError::Source {
                path: path.to_owned(),
                rank: first,
            });
        }
        let mut here = 0..0;
        for block in chunk.chunks(header.block_bytes() as usize) {
            checksums.extend_from_slice(&xxh3_64(block).to_le_bytes());
            if !outcomes.is_empty() {
                let block_len = block.len() as u64 * 8 / u64::from(coding.bits());
                here = here.end..(here.end + block_len).min(ranks.end - ranks.start);
                directory.extend_from_slice(&u64::to_le_bytes(residue));
                residue += coding.draws(chunk, here.clone());
            }
        }
        Ok(())
    })?
    .map_err(disk)?;

    out.write_all(&zeros(&layout.cells_padding)).map_err(disk)?;
    if !outcomes.is_empty() {
        let fits = |outcomes: &Outcomes| outcomes.len() == residue;
        if residue != header.census().ranks.draw || !outcomes.iter().all(fits) {
            return Err(header_fault(HeaderFault::Inconsistent {
                field: "outcomes",
                why: format!("{residue} cells are drawn, another number is settled"),
            }));
        }
        let mut parts = Parts::new(header.block_bytes() as usize);
        parts.push(&directory, out, &mut checksums).map_err(disk)?;
        for outcomes in outcomes {
            parts
                .push(outcomes.bytes(), out, &mut checksums)
                .map_err(disk)?;
        }
        parts.finish(out, &mut checksums).map_err(disk)?;
        out.write_all(&zeros(&layout.outcomes_padding))
            .map_err(disk)?;
    }
    out.write_all(&checksums).map_err(disk)?;

    header.finish(xxh3_64(&checksums));
    out.seek(SeekFrom::Start(0)).map_err(disk)?;
    out.write_all(&header.to_bytes().map_err(header_fault)?)
        .map_err(disk)?;
    out.flush().map_err(disk)?;
    Ok(header)
}

/// Makes chunks and writes them, one while the next is made. Fails with what a chunk cannot be made for,
/// or succeeds with how the writing went.
fn write_behind<T, E>(
    out: &mut (impl Write + Send),
    chunks: impl Iterator<Item = T>,
    mut make: impl FnMut(T, &mut Aligned) -> Result<(), E>,
) -> Result<io::Result<()>, E> {
    thread::scope(|scope| {
        let (made, to_write) = mpsc::sync_channel::<Aligned>(1);
        let (written, empty) = mpsc::channel();
        for _ in 0..2 {
            // The receiver lives.
            let _ = written.send(Aligned::with_capacity(CHUNK_BYTES as usize));
        }
        let write = move || {
            for chunk in to_write {
                out.write_all(chunk.bytes())?;
                // Nobody waits for the last ones.
                let _ = written.send(chunk);
            }
            Ok(())
        };
        let writing = match thread::Builder::new().spawn_scoped(scope, write) {
            Ok(writing) => writing,
            Err(error) => return Ok(Err(error)),
        };
        for chunk in chunks {
            // Without anything to receive from or to send to, the writing has failed.
            let Ok(mut memory) = empty.recv() else { break };
            make(chunk, &mut memory)?;
            if made.send(memory).is_err() {
                break;
            }
        }
        drop(made);
        Ok(writing
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Bytes that follow each other in a file, written block by block.
struct Parts {
    block: Vec<u8>,
    block_bytes: usize,
}

impl Parts {
    fn new(block_bytes: usize) -> Parts {
        Parts {
            block: Vec::with_capacity(block_bytes),
            block_bytes,
        }
    }

    fn push(
        &mut self,
        mut bytes: &[u8],
        out: &mut impl Write,
        checksums: &mut Vec<u8>,
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = self.block_bytes - self.block.len();
            let (here, rest) = bytes.split_at(room.min(bytes.len()));
            self.block.extend_from_slice(here);
            bytes = rest;
            if self.block.len() == self.block_bytes {
                self.finish(out, checksums)?;
            }
        }
        Ok(())
    }

    /// Writes the last block, if one was begun.
    fn finish(&mut self, out: &mut impl Write, checksums: &mut Vec<u8>) -> io::Result<()> {
        if !self.block.is_empty() {
            checksums.extend_from_slice(&xxh3_64(&self.block).to_le_bytes());
            out.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }
}

fn zeros(range: &Range<u64>) -> Vec<u8> {
    vec![0; (range.end - range.start) as usize]
}

/// The folder of a file; a bare file name is in the current one.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use koma_games::Law;

    use super::*;
    use crate::coding::{CellWidth, Coding};
    use crate::counts::Counts;

    /// A disk with room for so many bytes.
    struct Disk<'a> {
        file: &'a File,
        room: usize,
    }

    impl Write for Disk<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.room == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            let written = self.file.write(&bytes[..bytes.len().min(self.room)])?;
            self.room -= written;
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Disk<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    #[test]
    fn case_80_a_full_disk_leaves_nothing_and_a_later_run_gives_the_same_bytes() {
        let codes: Vec<u8> = (0..3 << 20).map(|rank| (rank % 251) as u8).collect();
        let ranks = Counts::of_cells(Coding::Parity(CellWidth::Bits8), &codes, codes.len() as u64);
        let census = Census {
            positions: ranks.clone(),
            ranks,
        };
        let identity = Identity {
            game: "example".into(),
            universe: "example:full".into(),
            numbering: 1,
            law: Law::Draw,
        };
        let header = || {
            Header::new(
                &identity,
                Kind::Dtm,
                &census,
                codes.len() as u64,
                true,
                Vec::new(),
            )
            .unwrap()
        };
        let folder = std::env::temp_dir().join(format!("koma-full-disk-{}", std::process::id()));
        let path = folder.join("full.dtm.koma");

        let needed = header().layout().unwrap().file_bytes();
        for room in [0, 10, 4095, 4096, 1 << 20, 3 << 20, needed as usize - 1] {
            let writer = Writer::create(&path).unwrap();
            let mut disk = Disk {
                file: &writer.file,
                room,
            };
            let error = stream(&path, &mut disk, header(), &codes[..], &[]).unwrap_err();
            let WriteError::Disk {
                path: named,
                needed: stated,
                error,
            } = &error
            else {
                panic!("{error}");
            };
            assert_eq!((named, *stated), (&path, needed));
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            drop(writer);
            assert_eq!(
                fs::read_dir(&folder).unwrap().count(),
                0,
                "after {room} bytes"
            );
        }

        let writer = Writer::create(&path).unwrap();
        writer
            .write(&identity, Kind::Dtm, &census, &codes[..])
            .unwrap();
        let mut undisturbed = io::Cursor::new(Vec::new());
        stream(&path, &mut undisturbed, header(), &codes[..], &[]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), undisturbed.into_inner());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn an_interrupted_stream_is_no_table() {
        let identity = Identity {
            game: "example".into(),
            universe: "example:empty".into(),
            numbering: 1,
            law: Law::Draw,
        };
        let header = Header::new(
            &identity,
            Kind::Wdl,
            &Census::default(),
            0,
            true,
            Vec::new(),
        )
        .unwrap();
        let mut bytes = header.to_bytes().unwrap();
        bytes.resize(4096, 0);
        let error = crate::Table::open(&bytes[..]).unwrap_err();
        assert!(
            matches!(error.fault, crate::OpenFault::Unfinished),
            "{error}"
        );
    }
}
