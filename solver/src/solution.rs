//! A **solution**: the value of every rank of a universe, in memory.

use koma_games::Value;
use koma_tables::{
    Cell, CellWidth, Census, Coding, Counts, Header, HeaderFault, Identity, Kind, Outcomes,
    WriteError, Writer,
};

/// The value of every rank of a universe, as cells of a distance table, and their census.
#[derive(Debug)]
pub struct Solution {
    pub(crate) cells: Cells,
    pub(crate) census: Census,
}

/// Cells in the parity coding of their width.
#[derive(Debug)]
pub(crate) enum Cells {
    Bits8(Vec<u8>),
    Bits16(Vec<u16>),
    Bits32(Vec<u32>),
}

impl Solution {
    /// The number of ranks.
    pub fn len(&self) -> u64 {
        (match &self.cells {
            Cells::Bits8(cells) => cells.len(),
            Cells::Bits16(cells) => cells.len(),
            Cells::Bits32(cells) => cells.len(),
        }) as u64
    }

    /// Whether there are no ranks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a rank; `None` if it is a hole.
    ///
    /// # Panics
    /// If the rank is not below [`len`](Solution::len).
    pub fn value(&self, rank: u64) -> Option<Value> {
        let rank = usize::try_from(rank).expect("a rank of cells in memory");
        let (width, code) = match &self.cells {
            Cells::Bits8(cells) => (CellWidth::Bits8, u32::from(cells[rank])),
            Cells::Bits16(cells) => (CellWidth::Bits16, u32::from(cells[rank])),
            Cells::Bits32(cells) => (CellWidth::Bits32, cells[rank]),
        };
        match Coding::Parity(width).decode(code) {
            Cell::Exact(value) => Some(value),
            Cell::Hole | Cell::Category(_) => None,
        }
    }

    /// Counts by value and distance: of distinct positions, and of all ranks.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// The longest distance, in plies.
    pub fn deepest(&self) -> Option<u32> {
        self.census.ranks.deepest()
    }

    /// The bytes of the table that [`write_settled`](Solution::write_settled) makes.
    ///
    /// # Errors
    /// [`HeaderFault`] where it would refuse to.
    pub fn table_bytes(
        &self,
        identity: &Identity,
        kind: Kind,
        outcomes: &[Outcomes],
    ) -> Result<u64, HeaderFault> {
        Header::file_bytes(identity, kind, &self.census, self.len(), true, outcomes)
    }

    /// Writes the solution as a table of this kind.
    ///
    /// # Errors
    /// [`WriteError`] names the file and what would help.
    pub fn write(
        &self,
        writer: Writer,
        identity: &Identity,
        kind: Kind,
    ) -> Result<Header, WriteError> {
        self.write_settled(writer, identity, kind, &[])
    }

    /// As [`write`](Solution::write), with what laws make of the residue (see
    /// [`outcomes`](crate::outcomes())).
    ///
    /// # Errors
    /// As [`write`](Solution::write).
    pub fn write_settled(
        &self,
        writer: Writer,
        identity: &Identity,
        kind: Kind,
        outcomes: &[Outcomes],
    ) -> Result<Header, WriteError> {
        let census = &self.census;
        match &self.cells {
            Cells::Bits8(cells) => {
                writer.write_settled(identity, kind, census, &cells[..], outcomes)
            }
            Cells::Bits16(cells) => {
                writer.write_settled(identity, kind, census, &cells[..], outcomes)
            }
            Cells::Bits32(cells) => {
                writer.write_settled(identity, kind, census, &cells[..], outcomes)
            }
        }
    }
}

/// Turns counts by code into counts by value.
pub(crate) fn counts(win_loss: &[u64], draws: u64) -> Counts {
    let by_plies = (0u32..).zip(win_loss);
    by_plies
        .map(|(plies, &count)| {
            let value = if plies % 2 == 1 {
                Value::Win(plies)
            } else {
                Value::Loss(plies)
            };
            (Cell::Exact(value), count)
        })
        .chain([(Cell::Exact(Value::Draw), draws)])
        .collect()
}
