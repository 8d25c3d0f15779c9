//! A **scratch folder** for one test, and small tables to put there.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use koma_games::{Category, Law};
use koma_tables::{CellSource, Census, Counts, Identity, Kind, Outcomes, Writer};

/// A folder that is removed with everything in it when the test ends.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// A new folder, with the name of its test in its own.
    pub(crate) fn new(test: &str) -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("koma tables {test} {} {number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder).unwrap();
        Scratch { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub(crate) fn identity(universe: &str) -> Identity {
    Identity {
        game: "example@3x4".into(),
        universe: universe.into(),
        numbering: 1,
        law: Law::Draw,
    }
}

/// The counts of a source, with every rank a position of its own.
pub(crate) fn census(cells: &(impl CellSource + ?Sized)) -> Census {
    let ranks: Counts = (0..cells.rank_count())
        .map(|rank| (cells.cell(rank), 1))
        .collect();
    Census {
        positions: ranks.clone(),
        ranks,
    }
}

/// The bytes of a table of these cells.
pub(crate) fn bytes(test: &str, kind: Kind, cells: &(impl CellSource + ?Sized)) -> Vec<u8> {
    let scratch = Scratch::new(test);
    let path = scratch.path().join("table.koma");
    let writer = Writer::create(&path).unwrap();
    writer
        .write(&identity("example"), kind, &census(cells), cells)
        .unwrap();
    fs::read(&path).unwrap()
}

/// The same with outcomes of its drawn cells under two laws.
pub(crate) fn settled_bytes(test: &str, kind: Kind, cells: &(impl CellSource + ?Sized)) -> Vec<u8> {
    const ALL: [Category; 3] = [Category::Loss, Category::Draw, Category::Win];
    let scratch = Scratch::new(test);
    let path = scratch.path().join("table.koma");
    let census = census(cells);
    let outcomes = [Law::Uec, Law::Pcl].map(|law| {
        let mut outcomes = Outcomes::new(law);
        for number in 0..census.ranks.draw {
            outcomes.push([1, 2].map(|color| ALL[(number / color % 3) as usize]), true);
        }
        outcomes
    });
    let identity = Identity {
        law: Law::Uec,
        ..identity("example")
    };
    let writer = Writer::create(&path).unwrap();
    writer
        .write_settled(&identity, kind, &census, cells, &outcomes)
        .unwrap();
    fs::read(&path).unwrap()
}

/// Numbers that look random and are the same in every run (splitmix64).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// That many cells of a dtm table in the coding of eight bits, every code among them.
pub(crate) fn codes(len: usize) -> Vec<u8> {
    let mut numbers = Numbers(len as u64);
    (0..len).map(|_| numbers.next() as u8).collect()
}

/// The same, a third of them drawn.
pub(crate) fn with_draws(len: usize) -> Vec<u8> {
    let codes = codes(len).into_iter();
    codes
        .map(|code| if code % 3 == 0 { 255 } else { code })
        .collect()
}
