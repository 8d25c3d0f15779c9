//! **Lines**: how far a man goes along its rank and its file, looked up by what stands there.

use super::grid::{Grid, MAX_SIDE};

const PLACES: usize = MAX_SIDE as usize;
const LINES: usize = 1 << MAX_SIDE;

/// For lines of one length: the squares that a man reaches, by its place and by what else stands on
/// the line. A bit at its own place makes no difference.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    squares: Vec<[u16; LINES]>,
    counts: Vec<[u8; LINES]>,
}

impl Reach {
    fn new(length: u8) -> Reach {
        let mut squares = vec![[0u16; LINES]; PLACES];
        let mut counts = vec![[0u8; LINES]; PLACES];
        for place in 0..length {
            for occupied in 0..1u16 << length {
                let free = |at: u8| occupied >> at & 1 == 0;
                let up = (place + 1..length).take_while(|&at| free(at));
                let down = (0..place).rev().take_while(|&at| free(at));
                let reached = up.chain(down).fold(0, |set, at| set | 1 << at);
                squares[usize::from(place)][usize::from(occupied)] = reached;
                counts[usize::from(place)][usize::from(occupied)] = reached.count_ones() as u8;
            }
        }
        Reach { squares, counts }
    }

    #[inline(always)]
    pub(crate) fn squares(&self, place: u8, occupied: u16) -> u16 {
        self.squares[usize::from(place)][usize::from(occupied)]
    }

    #[inline(always)]
    pub(crate) fn count(&self, place: u8, occupied: u16) -> u32 {
        self.counts[usize::from(place)][usize::from(occupied)].into()
    }
}

/// Both lengths of lines of a board.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(crate) along_rank: Reach,
    pub(crate) along_file: Reach,
}

impl Lines {
    pub(crate) fn new(grid: Grid) -> Lines {
        Lines {
            along_rank: Reach::new(grid.width()),
            along_file: Reach::new(grid.height()),
        }
    }
}

/// What stands on each rank and each file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Occupied {
    pub(crate) ranks: [u16; PLACES],
    pub(crate) files: [u16; PLACES],
}

impl Occupied {
    #[inline(always)]
    pub(crate) fn flip(&mut self, file: u8, rank: u8) {
        self.ranks[usize::from(rank)] ^= 1 << file;
        self.files[usize::from(file)] ^= 1 << rank;
    }
}
