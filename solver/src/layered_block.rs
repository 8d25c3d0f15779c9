//! The **work on a block** of a layer: its first cells, the marks that its decided positions make in
//! the opposite layer, and the moves that are taken back.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use koma_games::{Block, Layered, MAX_QUIET_MOVES, Successor, Value};

use crate::dispatch::Work;
use crate::due::{self, Due};
use crate::layered_cell as cell;
use crate::level::Level;
use crate::prefetch::prefetch;
use crate::retrograde::SolveError;

/// Finds the cells that a block starts with.
pub(crate) struct Start<'a, U> {
    pub(crate) universe: &'a U,
    pub(crate) layer: usize,
    pub(crate) block: u32,
    pub(crate) finished: &'a [u16],
    /// What all quiet moves lead to, if the rules decide the opposite layer.
    pub(crate) opposite: Option<Value>,
    pub(crate) cells: &'a mut [u16],
    pub(crate) due: &'a mut Due,
}

impl<U: Layered> Work for Start<'_, U> {
    type Output = Result<(), SolveError>;

    #[inline(always)]
    fn run(self, _: impl Level) -> Self::Output {
        let Start {
            finished,
            opposite,
            cells,
            due,
            ..
        } = self;
        let mut next = due::NOTHING;
        let mut too_deep = false;
        let mut most_moves = 0;
        let block = self.universe.block(self.layer, self.block);
        block.for_each_start(|offset, quiet, captures| {
            let mut outcomes = Outcomes::default();
            for &capture in captures {
                outcomes.add(match capture {
                    Successor::Won => Value::Loss(0),
                    Successor::Captured(rank) => cell::value(finished[rank as usize]),
                    Successor::Quiet(_) => unreachable!("captures are not quiet"),
                });
            }
            most_moves = most_moves.max(quiet);
            let mut open = quiet as u16;
            if let (Some(value), 1..) = (opposite, quiet) {
                outcomes.add(value);
                open = 0;
            }
            let code = if let Some(plies) = outcomes.win {
                next = next.min(plies as u16);
                too_deep |= plies > cell::MAX_PLIES;
                cell::DUE | plies as u16
            } else if outcomes.draw {
                cell::NEVER_LOST | open
            } else if let Some(plies) = outcomes.loss {
                too_deep |= plies > cell::MAX_PLIES;
                open.wrapping_add(1) | due.add(plies as u16, offset)
            } else if open == 0 {
                next = 0;
                cell::LOSS
            } else {
                open
            };
            cells[offset as usize] = code;
        });
        due.next = next;
        due.finish();
        assert!(
            most_moves <= MAX_QUIET_MOVES,
            "{most_moves} quiet moves, more than a block may have"
        );
        if too_deep {
            return Err(SolveError::TooDeep {
                max: cell::MAX_PLIES,
            });
        }
        Ok(())
    }
}

/// What the moves that were looked at come to for the side that makes them.
#[derive(Default)]
struct Outcomes {
    /// The shortest win.
    win: Option<u32>,
    draw: bool,
    /// The longest loss.
    loss: Option<u32>,
}

impl Outcomes {
    /// Adds a move, by what it leads to.
    #[inline(always)]
    fn add(&mut self, after: Value) {
        match after {
            Value::Loss(plies) => {
                let plies = plies + 1;
                self.win = Some(self.win.map_or(plies, |win| win.min(plies)));
            }
            Value::Draw | Value::Endless(_) => self.draw = true,
            Value::Win(plies) => self.loss = self.loss.max(Some(plies + 1)),
        }
    }
}

/// Where boards of the opposite layer are marked.
pub(crate) struct Marks<'a> {
    /// Words a block.
    pub(crate) words: usize,
    pub(crate) lost: &'a [AtomicU64],
    pub(crate) won: &'a [AtomicU64],
    pub(crate) marked: &'a [AtomicBool],
}

/// Marks of other blocks wait until they have come from memory.
const WAITING: usize = 32;

/// Marks the positions of a block that are decided at a distance.
pub(crate) struct Mark<'a, U> {
    pub(crate) universe: &'a U,
    pub(crate) layer: usize,
    pub(crate) block: u32,
    pub(crate) cells: &'a mut [u16],
    pub(crate) due: &'a mut Due,
    pub(crate) plies: u16,
    pub(crate) marks: Marks<'a>,
}

impl<U: Layered> Work for Mark<'_, U> {
    type Output = u64;

    #[inline(always)]
    fn run(self, _: impl Level) -> u64 {
        let Mark {
            cells,
            due,
            plies,
            marks,
            ..
        } = self;
        let block = self.universe.block(self.layer, self.block);
        let [win, loss, is_due] = [cell::WIN, cell::LOSS, cell::DUE].map(|code| code | plies);
        let mut next = due::NOTHING;
        let mut found = 0;
        let mut waiting = [(0usize, 0u64, false); WAITING];
        let mut pushed = 0usize;
        let set = |(word, bit, lost): (usize, u64, bool)| {
            let marks = if lost { marks.lost } else { marks.won };
            marks[word].fetch_or(bit, Relaxed);
        };
        for (chunk, cells) in cells.chunks_mut(64).enumerate() {
            // Most chunks have nothing of the distance, which vectors find out.
            let mut any = false;
            let mut due = due::NOTHING;
            for &cell in cells.iter() {
                any |= (cell == win) | (cell == loss) | (cell == is_due);
                let later = cell & cell::WIN == cell::DUE && cell > is_due;
                due = due.min(if later { cell } else { due::NOTHING });
            }
            if due != due::NOTHING {
                next = next.min(due & !cell::DUE);
            }
            if !any {
                continue;
            }
            for (place, cell) in cells.iter_mut().enumerate() {
                if *cell == is_due {
                    *cell = win;
                }
                if *cell != win && *cell != loss {
                    continue;
                }
                found += 1;
                let lost = *cell == loss;
                let offset = (chunk * 64 + place) as u32;
                block.opposites(offset, |block, offset| {
                    let word = (block as usize)
                        .wrapping_mul(marks.words)
                        .wrapping_add(offset as usize / 64);
                    prefetch(if lost { marks.lost } else { marks.won }, word);
                    let mark = &marks.marked[block as usize];
                    if !mark.load(Relaxed) {
                        mark.store(true, Relaxed);
                    }
                    let slot = &mut waiting[pushed % WAITING];
                    if pushed >= WAITING {
                        set(*slot);
                    }
                    *slot = (word, 1 << (offset % 64), lost);
                    pushed = pushed.wrapping_add(1);
                });
            }
        }
        for &mark in &waiting[..pushed.min(WAITING)] {
            set(mark);
        }
        due.next = next;
        found
    }
}

/// Takes back the moves into the marked boards of a block.
pub(crate) struct Expand<'a, U> {
    pub(crate) universe: &'a U,
    pub(crate) layer: usize,
    pub(crate) block: u32,
    pub(crate) cells: &'a mut [u16],
    pub(crate) lost: &'a mut [AtomicU64],
    pub(crate) won: &'a mut [AtomicU64],
    pub(crate) marked: bool,
    pub(crate) due: &'a mut Due,
    pub(crate) plies: u16,
}

impl<U: Layered> Work for Expand<'_, U> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: impl Level) {
        let Expand {
            cells, due, plies, ..
        } = self;
        let mut changed = due.count_down(cells, plies);
        let mut count_down = |cells: &mut [u16], offset: u32| {
            let cell = &mut cells[offset as usize];
            if *cell & cell::WIN == 0 {
                *cell = cell.wrapping_sub(1);
                changed |= due::lose(cell, plies);
            }
        };
        if self.marked {
            let block = self.universe.block(self.layer, self.block);
            let mut won = false;
            for (word, marks) in self.lost.iter_mut().enumerate() {
                let mut marks = std::mem::take(marks.get_mut());
                while marks != 0 {
                    let offset = word as u32 * 64 + marks.trailing_zeros();
                    marks &= marks.wrapping_sub(1);
                    block.quiet_predecessors(offset, |offset| {
                        let cell = &mut cells[offset as usize];
                        if *cell & cell::DECIDED == 0 {
                            *cell = cell::WIN | plies;
                            won = true;
                        }
                    });
                }
            }
            for (word, marks) in self.won.iter_mut().enumerate() {
                let mut marks = std::mem::take(marks.get_mut());
                while marks != 0 {
                    let offset = word as u32 * 64 + marks.trailing_zeros();
                    marks &= marks.wrapping_sub(1);
                    block.quiet_predecessors(offset, |offset| count_down(cells, offset));
                }
            }
            changed |= won;
        }
        if changed {
            due.next = due.next.min(plies);
        }
    }
}
