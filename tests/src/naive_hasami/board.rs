//! A **board**: a letter for every square.

/// What stands on a square: a man of the mover, one of the other side, or nothing.
pub(super) const OWN: u8 = b'X';
pub(super) const OTHER: u8 = b'o';
pub(super) const EMPTY: u8 = b'.';

/// The four directions, as steps to the right and down.
pub(super) const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The squares from the top left corner, row by row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Board {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) squares: Vec<u8>,
}

impl Board {
    pub(super) fn empty(width: usize, height: usize) -> Board {
        Board {
            width: width as i32,
            height: height as i32,
            squares: vec![EMPTY; width * height],
        }
    }

    /// Reads `ooo/.../XXX`.
    ///
    /// # Panics
    /// If the rows have different lengths or other letters.
    pub(super) fn read(text: &str) -> Board {
        let rows: Vec<&str> = text.split('/').collect();
        let width = rows[0].len();
        assert!(rows.iter().all(|row| row.len() == width), "{text}");
        let squares = rows.concat().into_bytes();
        assert!(squares.iter().all(|man| b"Xo.".contains(man)), "{text}");
        Board {
            width: width as i32,
            height: rows.len() as i32,
            squares,
        }
    }

    pub(super) fn text(&self) -> String {
        let rows: Vec<&str> = self
            .squares
            .chunks(self.width as usize)
            .map(|row| std::str::from_utf8(row).expect("letters are ASCII"))
            .collect();
        rows.join("/")
    }

    pub(super) fn is_on(&self, (x, y): (i32, i32)) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    /// What stands on a square, or nothing at all beside the board.
    pub(super) fn at(&self, (x, y): (i32, i32)) -> Option<u8> {
        self.is_on((x, y))
            .then(|| self.squares[(y * self.width + x) as usize])
    }

    pub(super) fn put(&mut self, (x, y): (i32, i32), man: u8) {
        self.squares[(y * self.width + x) as usize] = man;
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let width = self.width;
        (0..width * self.height).map(move |index| (index % width, index / width))
    }

    pub(super) fn neighbors(&self, (x, y): (i32, i32)) -> impl Iterator<Item = (i32, i32)> + '_ {
        DIRECTIONS
            .into_iter()
            .map(move |(right, down)| (x + right, y + down))
            .filter(|&at| self.is_on(at))
    }

    pub(super) fn corners(&self) -> [(i32, i32); 4] {
        let (right, bottom) = (self.width - 1, self.height - 1);
        [(0, 0), (right, 0), (0, bottom), (right, bottom)]
    }

    pub(super) fn count(&self, man: u8) -> usize {
        self.squares.iter().filter(|&&other| other == man).count()
    }

    /// The same men seen by the other side.
    pub(super) fn turned(&self) -> Board {
        let mut turned = self.clone();
        for man in &mut turned.squares {
            *man = match *man {
                OWN => OTHER,
                OTHER => OWN,
                _ => EMPTY,
            };
        }
        turned
    }
}
