//! A **layered solution**: the value of every rank of a layered universe, in memory, and its counts.

use std::collections::BTreeMap;
use std::ops::Range;

use koma_games::{Block, Category, Layered, Value};
use koma_tables::{
    Cell, CellSource, Census, Coding, Counts, EncodeError, Header, Identity, Kind, Table,
    WriteError, Writer,
};
use rayon::prelude::*;

use crate::layered_cell as cell;
use crate::retrograde::{SolveError, thread_pool};

/// How many positions have each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// Won, by plies.
    pub wins: BTreeMap<u32, u64>,
    /// Lost, by plies.
    pub losses: BTreeMap<u32, u64>,
    /// Drawn.
    pub draws: u64,
}

impl ValueCounts {
    /// Counts a value so many times.
    pub fn add(&mut self, value: Value, times: u64) {
        match value {
            _ if times == 0 => {}
            Value::Win(plies) => *self.wins.entry(plies).or_default() += times,
            Value::Loss(plies) => *self.losses.entry(plies).or_default() += times,
            Value::Draw | Value::Endless(_) => self.draws += times,
        }
    }

    /// Adds other counts.
    pub fn merge(&mut self, other: &ValueCounts) {
        for (&plies, &times) in &other.wins {
            self.add(Value::Win(plies), times);
        }
        for (&plies, &times) in &other.losses {
            self.add(Value::Loss(plies), times);
        }
        self.add(Value::Draw, other.draws);
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.won() + self.lost() + self.draws
    }

    /// The won ones.
    pub fn won(&self) -> u64 {
        self.wins.values().sum()
    }

    /// The lost ones.
    pub fn lost(&self) -> u64 {
        self.losses.values().sum()
    }
}

/// The same counts as a table's header has them.
impl From<&ValueCounts> for Counts {
    fn from(counts: &ValueCounts) -> Counts {
        let wins = counts
            .wins
            .iter()
            .map(|(&plies, &times)| (Value::Win(plies), times));
        let losses = counts
            .losses
            .iter()
            .map(|(&plies, &times)| (Value::Loss(plies), times));
        wins.chain(losses)
            .chain([(Value::Draw, counts.draws)])
            .map(|(value, times)| (Cell::Exact(value), times))
            .collect()
    }
}

/// The three ways to count a layered universe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayeredCensus {
    /// Distinct positions: turned or mirrored, a position is the same.
    pub positions: ValueCounts,
    /// Ranks, some positions having several.
    pub ranks: ValueCounts,
    /// Boards without any folding, each once, seen by the side to move.
    pub boards: ValueCounts,
}

impl LayeredCensus {
    /// The counts of all these together.
    pub fn sum(layers: &[LayeredCensus]) -> LayeredCensus {
        let mut sum = LayeredCensus::default();
        for layer in layers {
            sum.positions.merge(&layer.positions);
            sum.ranks.merge(&layer.ranks);
            sum.boards.merge(&layer.boards);
        }
        sum
    }
}

/// Values by a code below 2^16, counted for one block after another.
struct Tally {
    positions: Vec<u64>,
    ranks: Vec<u64>,
    boards: Vec<u64>,
    /// Of the block at hand.
    block: Vec<u64>,
}

/// A number for each value: draws first, then by plies, losses before wins.
fn code_of(value: Value) -> u16 {
    match value {
        Value::Draw | Value::Endless(_) => 0,
        Value::Loss(plies) => 2 * plies as u16 + 1,
        Value::Win(plies) => 2 * plies as u16 + 2,
    }
}

/// The value of a number.
fn value_of(code: u16) -> Value {
    let plies = u32::from(code.saturating_sub(1)) / 2;
    match code {
        0 => Value::Draw,
        _ if code % 2 == 1 => Value::Loss(plies),
        _ => Value::Win(plies),
    }
}

/// Counts the layers of a table in each way. Where it knows no distances, all are 0.
///
/// # Errors
/// [`SolveError::Threads`], and [`SolveError::TooDeep`] for distances that no solution has.
///
/// # Panics
/// If the table has fewer ranks than the universe.
pub fn count_layered<U: Layered, D: AsRef<[u8]> + Sync>(
    universe: &U,
    table: &Table<D>,
    threads: Option<usize>,
) -> Result<Vec<LayeredCensus>, SolveError> {
    let deepest = table.header().census().ranks.deepest().unwrap_or(0);
    if deepest > cell::MAX_PLIES {
        let max = cell::MAX_PLIES;
        return Err(SolveError::TooDeep { max });
    }
    let code = |rank| match table.cell_unverified(rank) {
        Cell::Exact(value) => code_of(value),
        Cell::Category(Category::Win) => code_of(Value::Win(0)),
        Cell::Category(Category::Loss) => code_of(Value::Loss(0)),
        Cell::Category(Category::Draw) | Cell::Hole => 0,
    };
    let codes = usize::from(code_of(Value::Win(deepest))) + 1;
    Ok(thread_pool(threads)?.install(|| count(universe, codes, code)))
}

/// Counts each layer in the current thread pool; every rank has a code below `codes`.
fn count<U: Layered>(
    universe: &U,
    codes: usize,
    code: impl Fn(u64) -> u16 + Sync,
) -> Vec<LayeredCensus> {
    let layers = 0..universe.layers().len();
    layers
        .map(|layer| count_layer(universe, layer, codes, &code))
        .collect()
}

fn count_layer<U: Layered>(
    universe: &U,
    index: usize,
    codes: usize,
    code: impl Fn(u64) -> u16 + Sync,
) -> LayeredCensus {
    let zeros = || vec![0u64; codes];
    let empty = || Tally {
        positions: zeros(),
        ranks: zeros(),
        boards: zeros(),
        block: zeros(),
    };
    let add = |sums: &mut Vec<u64>, counts: &[u64]| {
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    };
    let layer = universe.layers()[index];
    let tally = (0..layer.blocks)
        .into_par_iter()
        .fold(empty, |mut tally, number| {
            let block = universe.block(index, number);
            let first = layer.first + u64::from(number) * u64::from(layer.block_len);
            let symmetric = block.is_symmetric();
            let mut deepest = 0;
            for offset in 0..layer.block_len {
                let code = usize::from(code(first + u64::from(offset)));
                tally.block[code] = tally.block[code].wrapping_add(1);
                deepest = deepest.max(code);
                if symmetric && block.is_first(offset) {
                    tally.positions[code] = tally.positions[code].wrapping_add(1);
                }
            }
            let boards = u64::from(block.boards());
            for code in 0..=deepest {
                let count = std::mem::take(&mut tally.block[code]);
                tally.ranks[code] += count;
                tally.boards[code] += count * boards;
                if !symmetric {
                    tally.positions[code] += count;
                }
            }
            tally
        })
        .reduce(empty, |mut tally, other| {
            add(&mut tally.positions, &other.positions);
            add(&mut tally.ranks, &other.ranks);
            add(&mut tally.boards, &other.boards);
            tally
        });
    let counts = |times: &[u64]| {
        let mut counts = ValueCounts::default();
        for (code, &times) in (0u16..).zip(times).filter(|&(_, &times)| times > 0) {
            counts.add(value_of(code), times);
        }
        counts
    };
    LayeredCensus {
        positions: counts(&tally.positions),
        ranks: counts(&tally.ranks),
        boards: counts(&tally.boards),
    }
}

/// The value of every rank of a layered universe.
#[derive(Debug)]
pub struct LayeredSolution {
    cells: Vec<u16>,
    layers: Vec<LayeredCensus>,
    census: LayeredCensus,
}

impl LayeredSolution {
    pub(crate) fn new<U: Layered>(universe: &U, cells: Vec<u16>) -> LayeredSolution {
        let code = |cell: u16| code_of(cell::value(cell));
        let codes = cells.par_iter().map(|&cell| code(cell)).max().unwrap_or(0);
        let layers = count(universe, usize::from(codes) + 1, |rank| {
            code(cells[rank as usize])
        });
        let census = LayeredCensus::sum(&layers);
        LayeredSolution {
            cells,
            layers,
            census,
        }
    }

    /// The number of ranks.
    pub fn len(&self) -> u64 {
        self.cells.len() as u64
    }

    /// Whether there are no ranks.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The value of a rank.
    ///
    /// # Panics
    /// If the rank is not below [`len`](LayeredSolution::len).
    pub fn value(&self, rank: u64) -> Value {
        let rank = usize::try_from(rank).expect("a rank of cells in memory");
        cell::value(self.cells[rank])
    }

    /// Counts by value and distance.
    pub fn census(&self) -> &LayeredCensus {
        &self.census
    }

    /// The counts of each layer.
    pub fn layers(&self) -> &[LayeredCensus] {
        &self.layers
    }

    /// The first of these ranks that has this value.
    pub fn find(&self, ranks: Range<u64>, value: Value) -> Option<u64> {
        let cells = &self.cells[ranks.start as usize..ranks.end as usize];
        let place = cells.iter().position(|&cell| cell::value(cell) == value)?;
        Some(ranks.start + place as u64)
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
        let census = Census {
            positions: Counts::from(&self.census.positions),
            ranks: Counts::from(&self.census.ranks),
        };
        writer.write(identity, kind, &census, self)
    }
}

impl CellSource for LayeredSolution {
    fn rank_count(&self) -> u64 {
        self.len()
    }

    fn by_parity(&self) -> bool {
        false
    }

    fn cell(&self, rank: u64) -> Cell {
        Cell::Exact(self.value(rank))
    }

    fn append(
        &self,
        coding: Coding,
        ranks: Range<u64>,
        out: &mut Vec<u8>,
    ) -> Result<(), (u64, EncodeError)> {
        let cells = &self.cells[ranks.start as usize..ranks.end as usize];
        let code = |cell: u16| coding.encode(Cell::Exact(cell::value(cell)));
        if coding.bits() != 8 {
            for (place, &cell) in (ranks.start..).zip(cells) {
                code(cell).map_err(|error| (place, error))?;
            }
            append_wide(coding, cells, out);
            return Ok(());
        }
        // A byte for every cell there may be, looked up.
        let bytes: Vec<Option<u8>> = (0..=u16::MAX)
            .map(|cell| code(cell).ok().map(|code| code as u8))
            .collect();
        for (rank, &cell) in (ranks.start..).zip(cells) {
            match bytes[usize::from(cell)] {
                Some(byte) => out.push(byte),
                None => return Err((rank, code(cell).expect_err("the cell has no byte"))),
            }
        }
        Ok(())
    }
}

/// Appends cells that the coding can hold and whose width is not a byte.
fn append_wide(coding: Coding, cells: &[u16], out: &mut Vec<u8>) {
    let code = |cell: u16| coding.encode(Cell::Exact(cell::value(cell))).unwrap_or(0);
    match coding.bits() {
        2 => {
            for cells in cells.chunks(4) {
                let byte = cells
                    .iter()
                    .rev()
                    .fold(0, |byte, &cell| byte << 2 | code(cell) as u8);
                out.push(byte);
            }
        }
        bits => {
            for &cell in cells {
                out.extend_from_slice(&code(cell).to_le_bytes()[..bits as usize / 8]);
            }
        }
    }
}
