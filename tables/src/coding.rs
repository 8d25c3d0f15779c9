//! A **coding**: how the cells of a table are written as bits.
//!
//! | coding | bits | codes |
//! |---|---|---|
//! | category | 2 | 0 hole, 1 loss, 2 draw, 3 win; four cells a byte, low bits first |
//! | parity | 8, 16 or 32 | all ones draw, one less hole; else plies, odd a win, even a loss |
//! | paired | 8, 16 or 32 | all ones draw, one less hole; else twice the plies, one more for a win |
//!
//! Multi-byte codes are little endian.

use std::ops::Range;

use koma_games::{Category, Value};

use crate::{cell::Cell, error::EncodeError, kind::Kind};

/// How the cells of a table are written as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    /// Two bits for win, draw, loss or hole.
    Category,
    /// Plies as they are. An odd distance is a win for the mover, an even one a loss, so this
    /// coding suits games in which the side that moves last wins.
    Parity(CellWidth),
    /// Twice the plies, and one more for a win: for games in which a win or a loss may take an even
    /// or an odd number of plies.
    Paired(CellWidth),
}

/// The width of a cell that holds a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellWidth {
    /// One byte: up to 253 plies.
    Bits8,
    /// Two bytes: up to 65,533 plies.
    Bits16,
    /// Four bytes: up to 4,294,967,293 plies.
    Bits32,
}

impl CellWidth {
    /// Every width, the narrowest first.
    pub const ALL: [CellWidth; 3] = [CellWidth::Bits8, CellWidth::Bits16, CellWidth::Bits32];

    /// The number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            CellWidth::Bits8 => 8,
            CellWidth::Bits16 => 16,
            CellWidth::Bits32 => 32,
        }
    }

    /// The code of a draw: all ones.
    pub const fn draw(self) -> u32 {
        u32::MAX >> (32 - self.bits())
    }

    /// The code of a hole.
    pub const fn hole(self) -> u32 {
        self.draw() - 1
    }

    /// The longest distance that a cell of this width holds in the parity coding, in plies.
    pub const fn max_plies(self) -> u32 {
        self.hole() - 1
    }

    /// The longest distance that a cell of this width holds in the paired coding, in plies.
    pub const fn max_paired_plies(self) -> u32 {
        (self.hole() - 1) / 2
    }
}

const HOLE: u32 = 0;
const LOSS: u32 = 1;
const DRAW: u32 = 2;
const WIN: u32 = 3;

impl Coding {
    /// The narrowest coding of a table of this kind whose longest distance is `deepest` plies, for a
    /// game in which odd distances are wins and even ones losses.
    ///
    /// # Errors
    /// [`EncodeError::TooDeep`] when no width holds that distance.
    pub fn narrowest(kind: Kind, deepest: u32) -> Result<Coding, EncodeError> {
        Coding::narrowest_of(kind, deepest, Coding::Parity)
    }

    /// The same for a game in which wins and losses take any number of plies.
    ///
    /// # Errors
    /// [`EncodeError::TooDeep`] when no width holds that distance.
    pub fn narrowest_paired(kind: Kind, deepest: u32) -> Result<Coding, EncodeError> {
        Coding::narrowest_of(kind, deepest, Coding::Paired)
    }

    fn narrowest_of(
        kind: Kind,
        deepest: u32,
        of_width: fn(CellWidth) -> Coding,
    ) -> Result<Coding, EncodeError> {
        if kind == Kind::Wdl {
            return Ok(Coding::Category);
        }
        let max = |width| of_width(width).max_plies().unwrap_or(0);
        CellWidth::ALL
            .into_iter()
            .find(|&width| deepest <= max(width))
            .map(of_width)
            .ok_or(EncodeError::TooDeep {
                plies: deepest,
                max: max(CellWidth::Bits32),
            })
    }

    /// The longest distance that a cell holds, in plies; `None` where it holds none.
    pub fn max_plies(self) -> Option<u32> {
        match self {
            Coding::Category => None,
            Coding::Parity(width) => Some(width.max_plies()),
            Coding::Paired(width) => Some(width.max_paired_plies()),
        }
    }

    /// The name in the header: `category`, `parity` or `paired`.
    pub fn name(self) -> &'static str {
        match self {
            Coding::Category => "category",
            Coding::Parity(_) => "parity",
            Coding::Paired(_) => "paired",
        }
    }

    /// The coding of this name and number of bits a cell.
    pub fn from_name(name: &str, bits: u32) -> Option<Coding> {
        [Coding::Category]
            .into_iter()
            .chain(CellWidth::ALL.map(Coding::Parity))
            .chain(CellWidth::ALL.map(Coding::Paired))
            .find(|coding| coding.name() == name && coding.bits() == bits)
    }

    /// How much cells of this coding say.
    pub fn kind(self) -> Kind {
        match self {
            Coding::Category => Kind::Wdl,
            Coding::Parity(_) | Coding::Paired(_) => Kind::Dtm,
        }
    }

    /// Bits a cell.
    pub fn bits(self) -> u32 {
        match self {
            Coding::Category => 2,
            Coding::Parity(width) | Coding::Paired(width) => width.bits(),
        }
    }

    /// The number of bytes `len` cells take, or `None` if the number of their bits is over `u64`.
    pub fn bytes(self, len: u64) -> Option<u64> {
        Some(len.checked_mul(u64::from(self.bits()))?.div_ceil(8))
    }

    /// The code of a cell.
    ///
    /// # Errors
    /// [`EncodeError`] when the coding has no code for the cell: nothing is rounded or cut.
    pub fn encode(self, cell: Cell) -> Result<u32, EncodeError> {
        if let Cell::Exact(Value::Endless(_)) = cell {
            return Err(EncodeError::Endless);
        }
        match self {
            Coding::Category => Ok(match cell.category() {
                None => HOLE,
                Some(Category::Loss) => LOSS,
                Some(Category::Draw) => DRAW,
                Some(Category::Win) => WIN,
            }),
            Coding::Parity(width) | Coding::Paired(width) => match cell {
                Cell::Hole => Ok(width.hole()),
                Cell::Exact(Value::Draw) | Cell::Category(Category::Draw) => Ok(width.draw()),
                Cell::Category(_) | Cell::Exact(Value::Endless(_)) => Err(EncodeError::NoDistance),
                Cell::Exact(value @ (Value::Win(plies) | Value::Loss(plies))) => {
                    let max = self.max_plies().unwrap_or(0);
                    if plies > max {
                        Err(EncodeError::TooDeep { plies, max })
                    } else if matches!(self, Coding::Paired(_)) {
                        Ok(2 * plies + u32::from(value.category() == Category::Win))
                    } else if value != at_distance(plies) {
                        Err(EncodeError::Parity { value })
                    } else {
                        Ok(plies)
                    }
                }
            },
        }
    }

    /// The cell of a code. `code` has no bits beyond the width of the coding; every such code has a
    /// meaning.
    pub fn decode(self, code: u32) -> Cell {
        match self {
            Coding::Category => match code {
                HOLE => Cell::Hole,
                LOSS => Cell::Category(Category::Loss),
                DRAW => Cell::Category(Category::Draw),
                _ => Cell::Category(Category::Win),
            },
            Coding::Parity(width) | Coding::Paired(width) => {
                if code == width.draw() {
                    Cell::Exact(Value::Draw)
                } else if code == width.hole() {
                    Cell::Hole
                } else if matches!(self, Coding::Parity(_)) {
                    Cell::Exact(at_distance(code))
                } else if code % 2 == 1 {
                    Cell::Exact(Value::Win(code / 2))
                } else {
                    Cell::Exact(Value::Loss(code / 2))
                }
            }
        }
    }

    /// The cell of one rank in `cells`, the coded cells of all ranks from 0.
    ///
    /// # Panics
    /// If `cells` ends before that rank.
    pub fn cell(self, cells: &[u8], rank: u64) -> Cell {
        let rank = usize::try_from(rank).expect("a rank of cells in memory");
        self.decode(match self {
            Coding::Category => u32::from(cells[rank / 4] >> (rank % 4 * 2) & 3),
            Coding::Parity(width) | Coding::Paired(width) => match width {
                CellWidth::Bits8 => u32::from(cells[rank]),
                CellWidth::Bits16 => u32::from(u16::from_le_bytes(cells.as_chunks().0[rank])),
                CellWidth::Bits32 => u32::from_le_bytes(cells.as_chunks().0[rank]),
            },
        })
    }

    /// How many of these ranks are drawn, in `cells`, the coded cells of all ranks from 0.
    ///
    /// # Panics
    /// If `cells` ends before the last of them.
    pub(crate) fn draws(self, cells: &[u8], ranks: Range<u64>) -> u64 {
        let [start, end] = [ranks.start, ranks.end]
            .map(|rank| usize::try_from(rank).expect("a rank of cells in memory"));
        let count = match self {
            Coding::Category => {
                let is_drawn =
                    |rank: &u64| self.cell(cells, *rank).category() == Some(Category::Draw);
                let whole = start.div_ceil(4)..end / 4;
                if whole.is_empty() {
                    return ranks.filter(is_drawn).count() as u64;
                }
                let (before, after) = (whole.start as u64 * 4, whole.end as u64 * 4);
                let edges = (ranks.start..before).chain(after..ranks.end);
                let inside = cells[whole].iter();
                // Two bits that are 10.
                inside
                    .map(|&byte| (byte >> 1 & !byte & 0b0101_0101).count_ones() as usize)
                    .sum::<usize>()
                    + edges.filter(is_drawn).count()
            }
            Coding::Parity(CellWidth::Bits8) | Coding::Paired(CellWidth::Bits8) => {
                let drawn = CellWidth::Bits8.draw() as u8;
                cells[start..end]
                    .iter()
                    .filter(|&&code| code == drawn)
                    .count()
            }
            Coding::Parity(CellWidth::Bits16) | Coding::Paired(CellWidth::Bits16) => {
                let cells = &cells.as_chunks().0[start..end];
                let drawn = (CellWidth::Bits16.draw() as u16).to_le_bytes();
                cells.iter().filter(|&&code| code == drawn).count()
            }
            Coding::Parity(CellWidth::Bits32) | Coding::Paired(CellWidth::Bits32) => {
                let cells = &cells.as_chunks().0[start..end];
                let drawn = CellWidth::Bits32.draw().to_le_bytes();
                cells.iter().filter(|&&code| code == drawn).count()
            }
        };
        count as u64
    }

    /// Appends a run of cells to `out`. The first of them is the first of its byte: a run that goes
    /// on where another ended needs a multiple of four cells before it.
    ///
    /// # Errors
    /// As [`encode`](Coding::encode), with the place of the first such cell in the run.
    pub(crate) fn append(
        self,
        cells: impl Iterator<Item = Cell>,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, EncodeError)> {
        for (place, cell) in (0u64..).zip(cells) {
            let code = self.encode(cell).map_err(|error| (place, error))?;
            match self {
                Coding::Category => {
                    let shift = place % 4 * 2;
                    if shift == 0 {
                        out.push(0);
                    }
                    *out.last_mut().expect("a byte was begun") |= (code as u8) << shift;
                }
                Coding::Parity(width) | Coding::Paired(width) => {
                    out.extend_from_slice(&code.to_le_bytes()[..width.bits() as usize / 8]);
                }
            }
        }
        Ok(())
    }
}

/// The value of that many plies: odd for the side that moves now, even for the other.
fn at_distance(plies: u32) -> Value {
    if plies % 2 == 1 {
        Value::Win(plies)
    } else {
        Value::Loss(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_narrow_codings_has_a_cell_and_comes_back() {
        for coding in [
            Coding::Category,
            Coding::Parity(CellWidth::Bits8),
            Coding::Parity(CellWidth::Bits16),
            Coding::Paired(CellWidth::Bits8),
            Coding::Paired(CellWidth::Bits16),
        ] {
            for code in 0..1 << coding.bits() {
                assert_eq!(coding.encode(coding.decode(code)), Ok(code), "{coding:?}");
            }
        }
    }

    /// The witness of each bound is the longest win or loss that still fits.
    #[test]
    fn nothing_saturates() {
        let longest = [
            (CellWidth::Bits8, 253),
            (CellWidth::Bits16, 65_533),
            (CellWidth::Bits32, 4_294_967_293),
        ];
        for (width, plies) in longest {
            assert_eq!(width.max_plies(), plies);
            let coding = Coding::Parity(width);
            assert_eq!(coding.encode(Cell::Exact(Value::Win(plies))), Ok(plies));
            assert_eq!(
                coding.encode(Cell::Exact(Value::Loss(plies - 1))),
                Ok(plies - 1)
            );
            let too_deep = Err(EncodeError::TooDeep {
                plies: plies + 1,
                max: plies,
            });
            assert_eq!(coding.encode(Cell::Exact(Value::Loss(plies + 1))), too_deep);
            assert_eq!(Coding::narrowest(Kind::Dtm, plies), Ok(coding));
        }
        assert_eq!(
            Coding::narrowest(Kind::Dtm, 254),
            Ok(Coding::Parity(CellWidth::Bits16))
        );
        assert_eq!(
            Coding::narrowest(Kind::Dtm, 65_534),
            Ok(Coding::Parity(CellWidth::Bits32))
        );
        assert!(Coding::narrowest(Kind::Dtm, 4_294_967_294).is_err());
        assert_eq!(Coding::narrowest(Kind::Wdl, u32::MAX), Ok(Coding::Category));
    }

    #[test]
    fn parity_coding_refuses_what_it_would_give_back_otherwise() {
        let coding = Coding::Parity(CellWidth::Bits8);
        for value in [Value::Win(0), Value::Win(4), Value::Loss(3)] {
            assert_eq!(
                coding.encode(Cell::Exact(value)),
                Err(EncodeError::Parity { value })
            );
        }
        for category in [Category::Win, Category::Loss] {
            assert_eq!(
                coding.encode(Cell::Category(category)),
                Err(EncodeError::NoDistance)
            );
        }
    }

    /// The witness of each bound, and the next one that does not fit.
    #[test]
    fn paired_coding_holds_wins_and_losses_of_any_distance() {
        for (width, plies) in [
            (CellWidth::Bits8, 126),
            (CellWidth::Bits16, 32_766),
            (CellWidth::Bits32, 2_147_483_646),
        ] {
            let coding = Coding::Paired(width);
            assert_eq!(coding.max_plies(), Some(plies));
            for value in [Value::Win, Value::Loss] {
                for plies in [0, 1, 2, plies] {
                    let cell = Cell::Exact(value(plies));
                    assert_eq!(coding.decode(coding.encode(cell).unwrap()), cell);
                }
                let (plies, max) = (plies + 1, plies);
                let too_deep = Err(EncodeError::TooDeep { plies, max });
                assert_eq!(coding.encode(Cell::Exact(value(plies))), too_deep);
            }
            assert_eq!(Coding::narrowest_paired(Kind::Dtm, plies), Ok(coding));
            assert_eq!(Coding::from_name("paired", width.bits()), Some(coding));
        }
        assert!(Coding::narrowest_paired(Kind::Dtm, 2_147_483_647).is_err());
        let wdl = Coding::narrowest_paired(Kind::Wdl, u32::MAX);
        assert_eq!(wdl, Ok(Coding::Category));
    }

    /// Whatever the edges of the run.
    #[test]
    fn draws_are_counted() {
        let cells: Vec<Cell> = (0..40u32)
            .map(|rank| match rank * rank % 7 {
                0 | 2 => Cell::Exact(Value::Draw),
                1 => Cell::Hole,
                _ => Cell::Exact(at_distance(rank)),
            })
            .collect();
        let widths = CellWidth::ALL.map(Coding::Parity);
        for coding in [Coding::Category].into_iter().chain(widths) {
            let mut bytes = Vec::new();
            coding.append(cells.iter().copied(), &mut bytes).unwrap();
            for start in 0..cells.len() {
                for end in start..=cells.len() {
                    let drawn = cells[start..end].iter();
                    let drawn = drawn.filter(|&&cell| cell == Cell::Exact(Value::Draw));
                    let counted = coding.draws(&bytes, start as u64..end as u64);
                    assert_eq!(counted, drawn.count() as u64, "{coding:?} {start} {end}");
                }
            }
        }
    }

    #[test]
    fn cells_of_two_bits_fill_a_byte_from_its_low_bits() {
        let cells = [
            Cell::Hole,
            Cell::Category(Category::Loss),
            Cell::Category(Category::Draw),
        ];
        let cells = cells.into_iter().chain([Cell::Category(Category::Win); 2]);
        let mut bytes = Vec::new();
        Coding::Category.append(cells.clone(), &mut bytes).unwrap();
        assert_eq!(bytes, [0b11_10_01_00, 0b11]);
        for (rank, cell) in (0..).zip(cells) {
            assert_eq!(Coding::Category.cell(&bytes, rank), cell);
        }
    }
}
