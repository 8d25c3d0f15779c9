//! The **checker**: every cell of a table recomputed from its successors.
//!
//! It makes forward moves only and shares nothing with the analysis. A distance table that passes
//! is right: wins and losses by induction over their distance, and what then says draw has no
//! forced end. A table without distances that passes is consistent, which is less: cells that
//! support each other in a circle could all be wrong.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use koma_games::{Category, Color, Law, Segment, Terminal, Universe, Value};
use koma_tables::{Cell, Kind, ReadError, Table};
use rayon::prelude::*;
use thiserror::Error;

use crate::certificate::{Claims, Labels};
use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::prefetch::prefetch;
use crate::progress::{Phase, Progress};
use crate::residue::Residue;
use crate::retrograde::thread_pool;

/// A cell that does not follow from its successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The rank of the cell.
    pub rank: u64,
    /// What the table says.
    pub stored: Cell,
    /// What follows from the rules and the successors' cells; nothing if a move leads to a rank
    /// that the table calls a hole.
    pub expected: Option<Cell>,
}

/// Why a table did not pass.
#[derive(Debug, Error)]
pub enum CheckError {
    /// Some cells do not follow from their successors.
    #[error("{count} cells do not follow from their successors, the first at rank {}", first.rank)]
    Wrong {
        /// How many cells.
        count: u64,
        /// The one with the lowest rank.
        first: Disagreement,
    },
    /// The table has another number of ranks than the universe.
    #[error("the table has {table} ranks, the universe {universe}")]
    Length {
        /// Ranks of the table.
        table: u64,
        /// Ranks of the universe.
        universe: u64,
    },
    /// Some outcomes of endless play do not follow from those of the moves.
    #[error(
        "{count} outcomes under the law `{}` do not follow from those of the moves, the first at rank {rank}",
        law.name()
    )]
    WrongOutcomes {
        /// The law.
        law: Law,
        /// How many outcomes. One that is wrong leaves others without a reason, too.
        count: u64,
        /// The lowest rank of one.
        rank: u64,
        /// The color to move.
        to_move: Color,
    },
    /// The outcomes can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No threads could be started.
    #[error(transparent)]
    Threads(#[from] crate::retrograde::SolveError),
    /// The work was interrupted.
    #[error("interrupted before every cell was checked")]
    Interrupted,
}

/// Recomputes every cell of a table, whose checksums should have been verified before.
///
/// # Errors
/// [`CheckError::Wrong`] with the first wrong cell and how many there are.
pub fn check<U: Universe, D: AsRef<[u8]> + Sync>(
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
        (0..universe.segments())
            .into_par_iter()
            .for_each(|segment| {
                if progress.interrupted() {
                    return;
                }
                let wrong = dispatch(CheckSegment {
                    universe,
                    table,
                    segment,
                });
                if let Some((wrong_count, wrong_first)) = wrong {
                    count.fetch_add(wrong_count, Relaxed);
                    let mut first = first.lock().expect("no holder of the lock panics");
                    if first.is_none_or(|first| wrong_first.rank < first.rank) {
                        *first = Some(wrong_first);
                    }
                }
                progress.advance(u64::from(universe.segment(segment).len));
            });
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

/// Checks what each law makes of the residue, by a certificate: labels of the residue ranks by which each
/// outcome follows from those of the moves. How the labels are found shares no code with the settling, and
/// does not matter; they are verified rank by rank with forward moves only.
///
/// The cells must have passed [`check`]: then a residue rank has a move within the residue, and no move of it
/// out of the residue is one that its mover wants.
///
/// # Errors
/// [`CheckError::WrongOutcomes`] with the first outcome that does not follow, under the first such law.
pub fn check_outcomes<U: Universe, D: AsRef<[u8]> + Sync>(
    universe: &U,
    table: &Table<D>,
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<(), CheckError> {
    if table.header().outcomes().is_empty() {
        return Ok(());
    }
    thread_pool(threads)?.install(|| {
        let residue = Residue::of_table(table);
        let checked = mover_in_check(universe, &residue);
        let laws = table.header().outcomes();
        let questions = 2 * laws.len() as u64;
        progress.begin(Phase::CheckEndless, 0, questions * residue.len());
        for counts in laws {
            let law = counts.law;
            let outcome = table.outcomes_unverified(law)?;
            for least in [Category::Draw, Category::Win] {
                let claims = Claims {
                    universe,
                    residue: &residue,
                    checked: &checked,
                    law,
                    least,
                    outcome: &outcome,
                };
                let interrupted = |_| CheckError::Interrupted;
                let labels = Labels::find(&claims, progress).map_err(interrupted)?;
                let wrong = labels.verify(&claims, progress).map_err(interrupted)?;
                if let Some(wrong) = wrong {
                    return Err(CheckError::WrongOutcomes {
                        law,
                        count: wrong.count,
                        rank: wrong.rank,
                        to_move: wrong.to_move,
                    });
                }
            }
        }
        Ok(())
    })
}

/// Whether the mover is in check, by the number of the residue rank.
pub(crate) fn mover_in_check<U: Universe>(universe: &U, residue: &Residue) -> Vec<bool> {
    let parts: Vec<Vec<bool>> = residue
        .parts()
        .map(|part| {
            part.map(|(rank, _)| universe.mover_in_check(rank))
                .collect()
        })
        .collect();
    parts.concat()
}

/// Checks the cells of one segment; gives the number of wrong ones and the first.
struct CheckSegment<'a, U, D> {
    universe: &'a U,
    table: &'a Table<D>,
    segment: u32,
}

impl<U: Universe, D: AsRef<[u8]>> Work for CheckSegment<'_, U, D> {
    type Output = Option<(u64, Disagreement)>;

    #[inline(always)]
    fn run(self, _: impl Level) -> Self::Output {
        let Segment { first, len } = self.universe.segment(self.segment);
        let mut wrong: Option<(u64, Disagreement)> = None;
        // The cells of a batch's successors are asked for when they are listed and read after the
        // next batch is listed, when they have arrived from memory.
        let mut fresh = Batch::default();
        let mut waiting = Batch::default();
        let end = first + u64::from(len);
        let mut rank = first;
        while rank < end || !waiting.decided.is_empty() {
            let batch = (end - rank).min(BATCH);
            fresh.list(self.universe, self.segment, rank - first, batch);
            fresh.prefetch(self.table);
            rank += batch;
            for disagreement in waiting.disagreements::<U, D>(self.table) {
                wrong.get_or_insert((0, disagreement)).0 += 1;
            }
            std::mem::swap(&mut fresh, &mut waiting);
        }
        wrong
    }
}

/// Ranks whose successors are listed together.
const BATCH: u64 = 128;

/// Some ranks and their successors.
#[derive(Default)]
struct Batch {
    first: u64,
    /// What the rules decide of each rank.
    decided: Vec<Option<Terminal>>,
    /// Where the successors of each rank end.
    ends: Vec<usize>,
    successors: Vec<u64>,
}

impl Batch {
    #[inline(always)]
    fn list<U: Universe>(&mut self, universe: &U, segment: u32, offset: u64, count: u64) {
        self.first = universe.segment(segment).first + offset;
        self.decided.clear();
        self.ends.clear();
        self.successors.clear();
        for offset in offset..offset + count {
            let decided = universe.forward(segment, offset as u32, |after| {
                self.successors.push(after);
            });
            self.decided.push(decided);
            self.ends.push(self.successors.len());
        }
    }

    #[inline(always)]
    fn prefetch<D: AsRef<[u8]>>(&self, table: &Table<D>) {
        let (cells, bits) = (table.cells(), u64::from(table.coding().bits()));
        for &after in &self.successors {
            prefetch(cells, (after * bits / 8) as usize);
        }
    }

    /// The ranks whose cells do not follow from their successors' cells.
    #[inline(always)]
    fn disagreements<U: Universe, D: AsRef<[u8]>>(
        &self,
        table: &Table<D>,
    ) -> impl Iterator<Item = Disagreement> {
        let (coding, cells) = (table.coding(), table.cells());
        let mut start = 0;
        (self.first..)
            .zip(self.decided.iter().zip(&self.ends))
            .filter_map(move |(rank, (&decided, &end))| {
                let successors = self.successors[start..end].iter();
                start = end;
                let stored = coding.cell(cells, rank);
                let after = successors.map(|&after| coding.cell(cells, after));
                let expected = expected(decided, U::WITHOUT_SUCCESSORS, coding.kind(), after);
                (Some(stored) != expected).then_some(Disagreement {
                    rank,
                    stored,
                    expected,
                })
            })
    }
}

/// What the cell of a rank must be, given what the rules decide of it and the cells of its
/// successors; nothing if one of these is called a hole, which no move leads to.
#[inline(always)]
pub(crate) fn expected(
    decided: Option<Terminal>,
    without_successors: Value,
    kind: Kind,
    successors: impl Iterator<Item = Cell>,
) -> Option<Cell> {
    let value = match decided {
        Some(Terminal::Hole) => return Some(Cell::Hole),
        Some(Terminal::Decided(value)) => value,
        None => {
            // The best move: a shortest win, else a draw, else a longest loss. Without distances
            // every win and loss counts as one ply.
            let mut shortest_win: Option<u32> = None;
            let mut longest_loss: Option<u32> = None;
            let mut draw = false;
            for after in successors {
                let plies = after.plies().unwrap_or(0) + 1;
                match after.category() {
                    Some(Category::Loss) => {
                        shortest_win = Some(shortest_win.map_or(plies, |best| best.min(plies)));
                    }
                    Some(Category::Win) => {
                        longest_loss = Some(longest_loss.map_or(plies, |best| best.max(plies)));
                    }
                    Some(Category::Draw) => draw = true,
                    None => return None,
                }
            }
            match (shortest_win, draw, longest_loss) {
                (Some(plies), ..) => Value::Win(plies),
                (None, true, _) => Value::Draw,
                (None, false, Some(plies)) => Value::Loss(plies),
                (None, false, None) => without_successors,
            }
        }
    };
    Some(match kind {
        Kind::Dtm => Cell::Exact(value),
        Kind::Wdl => Cell::Category(value.category()),
    })
}
