//! The **layered checker**: every cell of a table of a layered universe recomputed from its
//! successors.
//!
//! As the [checker](crate::check) of closed universes, it makes forward moves only and shares nothing
//! with the analysis but the numbering. Quiet moves lead to boards of the same block, so their cells
//! are fetched once for the block.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use koma_games::{Block, Layered, Successor, Value};
use koma_tables::{Cell, Kind, Table};
use rayon::prelude::*;

use crate::check::{CheckError, Disagreement, expected};
use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::progress::{Phase, Progress};
use crate::retrograde::thread_pool;

/// Recomputes every cell of a table, whose checksums should have been verified before.
///
/// # Errors
/// [`CheckError::Wrong`] with the first wrong cell and how many there are.
pub fn check_layered<U: Layered, D: AsRef<[u8]> + Sync>(
    universe: &U,
    table: &Table<D>,
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<(), CheckError> {
    if table.len() != universe.len() {
        return Err(CheckError::Length {
            table: table.len(),
            universe: universe.len(),
        });
    }
    progress.begin(Phase::Check, 0, universe.len());
    let count = AtomicU64::new(0);
    let first = Mutex::new(None::<Disagreement>);
    thread_pool(threads)?.install(|| {
        for layer in 0..universe.layers().len() {
            (0..universe.layers()[layer].blocks)
                .into_par_iter()
                .for_each(|block| {
                    if progress.interrupted() {
                        return;
                    }
                    let wrong = dispatch(CheckBlock {
                        universe,
                        table,
                        layer,
                        block,
                    });
                    if let Some((wrong_count, wrong_first)) = wrong {
                        count.fetch_add(wrong_count, Relaxed);
                        let mut first = first.lock().expect("no holder of the lock panics");
                        if first.is_none_or(|first| wrong_first.rank < first.rank) {
                            *first = Some(wrong_first);
                        }
                    }
                    progress.advance(universe.layers()[layer].block_len.into());
                });
        }
    });
    if progress.interrupted() {
        return Err(CheckError::Interrupted);
    }
    match first.into_inner().expect("no holder of the lock panics") {
        None => Ok(()),
        Some(first) => Err(CheckError::Wrong {
            count: count.into_inner(),
            first,
        }),
    }
}

/// Checks the cells of one block; gives the number of wrong ones and the first.
struct CheckBlock<'a, U, D> {
    universe: &'a U,
    table: &'a Table<D>,
    layer: usize,
    block: u32,
}

impl<U: Layered, D: AsRef<[u8]>> Work for CheckBlock<'_, U, D> {
    type Output = Option<(u64, Disagreement)>;

    #[inline(always)]
    fn run(self, _: impl Level) -> Self::Output {
        let (universe, table) = (self.universe, self.table);
        let (coding, cells) = (table.coding(), table.cells());
        let layer = universe.layers()[self.layer];
        let opposite = universe.layers()[layer.opposite];
        let block = universe.block(self.layer, self.block);
        // What each board of the block is worth with the other side to move.
        let boards: Vec<Cell> = (0..layer.block_len)
            .map(|offset| {
                let mut rank = None;
                block.opposites(offset, |block, offset| {
                    let first = u64::from(block).wrapping_mul(opposite.block_len.into());
                    rank = Some(first.wrapping_add(offset.into()));
                });
                let rank = rank.expect("every board has a rank");
                coding.cell(cells, opposite.first.wrapping_add(rank))
            })
            .collect();
        let lost = match coding.kind() {
            Kind::Dtm => Cell::Exact(Value::Loss(0)),
            Kind::Wdl => Cell::Category(koma_games::Category::Loss),
        };
        let first = layer.first + u64::from(self.block) * u64::from(layer.block_len);
        let decided = layer.decided.map(koma_games::Terminal::Decided);
        let mut wrong: Option<(u64, Disagreement)> = None;
        let mut successors = Vec::new();
        for offset in 0..layer.block_len {
            successors.clear();
            if decided.is_none() {
                block.successors(offset, |after| {
                    successors.push(match after {
                        // Whoever would be to move has lost.
                        Successor::Won => lost,
                        Successor::Captured(rank) => coding.cell(cells, rank),
                        Successor::Quiet(board) => boards[board as usize],
                    });
                });
            }
            let rank = first + u64::from(offset);
            let stored = coding.cell(cells, rank);
            let after = successors.iter().copied();
            let expected = expected(decided, Value::Loss(0), coding.kind(), after);
            if Some(stored) != expected {
                let disagreement = Disagreement {
                    rank,
                    stored,
                    expected,
                };
                wrong.get_or_insert((0, disagreement)).0 += 1;
            }
        }
        wrong
    }
}
