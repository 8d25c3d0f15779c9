//! An **output**: a file whose large parts are written past the system's cache.
//!
//! A table is not read again at once, and a copy of it in the cache costs more than the disk does:
//! gigabytes are written several times faster without one.

use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::Path,
};

use crate::huge_pages::prefer_huge_pages;

/// What addresses, lengths and offsets of parts must be multiples of. No disk asks for more.
pub(crate) const PAGE: usize = 4096;

/// The size of huge pages on most systems.
pub(crate) const HUGE_PAGE: usize = 1 << 21;

/// A file being written. A flush means that all of it is on disk: some disks say that they are full
/// only then.
pub(crate) struct Output<'a> {
    file: &'a File,
    /// The same file past the cache, where the system can.
    direct: Option<File>,
    at: u64,
}

impl<'a> Output<'a> {
    /// Writes to a file from its beginning. It has this path, and nobody gives it another meanwhile.
    pub(crate) fn new(file: &'a File, path: &Path) -> Output<'a> {
        Output {
            file,
            direct: past_the_cache(file, path),
            at: 0,
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let whole = bytes.len() - bytes.len() % PAGE;
        let fits =
            self.at.is_multiple_of(PAGE as u64) && bytes.as_ptr().addr().is_multiple_of(PAGE);
        if whole > 0
            && fits
            && let Some(direct) = &mut self.direct
        {
            direct.seek(SeekFrom::Start(self.at))?;
            match direct.write(&bytes[..whole]) {
                Ok(written) => {
                    self.at += written as u64;
                    return Ok(written);
                }
                // Not on this file system after all, or not in such pieces.
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => self.direct = None,
                Err(error) => return Err(error),
            }
        }
        self.file.seek(SeekFrom::Start(self.at))?;
        let written = self.file.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }
}

impl Seek for Output<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

#[cfg(target_os = "linux")]
fn past_the_cache(file: &File, path: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use same_file::Handle;

    let mut options = File::options();
    let direct = options
        .write(true)
        .custom_flags(libc::O_DIRECT)
        .open(path)
        .ok()?;
    let handle = |file: &File| Handle::from_file(file.try_clone().ok()?).ok();
    (handle(&direct)? == handle(file)?).then_some(direct)
}

#[cfg(not(target_os = "linux"))]
fn past_the_cache(_: &File, _: &Path) -> Option<File> {
    None
}

/// Bytes that begin at a multiple of the size of huge pages, so in one where the system has them.
pub(crate) struct Aligned {
    bytes: Vec<u8>,
    skipped: usize,
}

impl Aligned {
    /// None yet, with room for so many.
    pub(crate) fn with_capacity(capacity: usize) -> Aligned {
        let mut bytes: Vec<u8> = Vec::with_capacity(capacity + HUGE_PAGE);
        let skipped = bytes.as_ptr().align_offset(HUGE_PAGE).min(HUGE_PAGE);
        bytes.resize(skipped, 0);
        prefer_huge_pages(&mut bytes.spare_capacity_mut()[..capacity]);
        Aligned { bytes, skipped }
    }

    /// Takes all bytes out and lends what is left to append to, as far as there is room.
    pub(crate) fn emptied(&mut self) -> &mut Vec<u8> {
        self.bytes.truncate(self.skipped);
        &mut self.bytes
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.skipped..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of every sort, aligned and not, are where they belong.
    #[test]
    fn what_is_written_is_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        let mut output = Output::new(&file, &path);
        let mut expected = Vec::new();
        let mut piece = Aligned::with_capacity(5 * PAGE);
        for (number, len) in (0..).zip([3 * PAGE, 2 * PAGE, 100, PAGE, 5 * PAGE - 100, PAGE, 17]) {
            piece.emptied().extend(vec![number; len]);
            assert_eq!(piece.bytes().len(), len);
            assert!(piece.bytes().as_ptr().addr().is_multiple_of(PAGE));
            output.write_all(piece.bytes()).unwrap();
            expected.extend_from_slice(piece.bytes());
        }
        output.seek(SeekFrom::Start(7)).unwrap();
        output.write_all(b"header").unwrap();
        expected[7..13].copy_from_slice(b"header");
        output.flush().unwrap();
        assert!(std::fs::read(&path).unwrap() == expected);
    }
}
