//! A **solved** universe: its ranks with their values, and what the values of neighbours say of a
//! position.

use koma_games::{Category, RankedUniverse, Universe, Value};
use koma_tables::Table;

/// A universe and its table, whose checksums should have been verified before.
#[derive(Debug)]
pub struct Solved<'a, D> {
    universe: &'a RankedUniverse,
    table: &'a Table<D>,
}

impl<'a, D: AsRef<[u8]>> Solved<'a, D> {
    /// A universe with its table.
    ///
    /// # Panics
    /// If the table has another number of ranks.
    pub fn new(universe: &'a RankedUniverse, table: &'a Table<D>) -> Solved<'a, D> {
        assert_eq!(universe.len(), table.len(), "ranks of universe and table");
        Solved { universe, table }
    }

    /// Whether a lost position would be lost for the other side, too, if it were to move: mutual
    /// zugzwang.
    #[inline(always)]
    pub fn is_mutual_zugzwang(&self, segment: u32, offset: u32) -> bool {
        matches!(self.lost_passed(segment, offset), Passed::Lost)
    }

    /// What a pass of the mover would make of a lost position.
    #[inline(always)]
    pub(crate) fn lost_passed(&self, segment: u32, offset: u32) -> Passed {
        // Most lost movers are in check, and that is known without a look at the table.
        if self.universe.in_check(segment, offset) {
            return Passed::WonAtOnce;
        }
        let cell = self
            .table
            .cell_unverified(self.universe.passed(segment, offset));
        match cell.category() {
            _ if cell.value() == Some(Value::Win(1)) => Passed::WonAtOnce,
            Some(Category::Loss) => Passed::Lost,
            _ => Passed::Neither,
        }
    }

    /// Whether one move keeps the value of a position and all others are worse, not counting
    /// distances. Of a lost position that is so if it has one move.
    #[inline(always)]
    pub fn has_only_move(&self, segment: u32, offset: u32) -> bool {
        let rank = self.universe.segment(segment).first + u64::from(offset);
        let (goal, mut kept) = match self.category(rank) {
            None => return false,
            Some(Category::Loss) => return self.universe.move_count(segment, offset) == 1,
            Some(Category::Draw) => (Category::Draw, 0),
            Some(Category::Win) => {
                let at_once = self.universe.winning_moves(segment, offset);
                (Category::Loss, at_once)
            }
        };
        if kept > 1 {
            return false;
        }
        self.universe.successors(rank, |after| {
            kept += u32::from(kept < 2 && self.category(after) == Some(goal));
        });
        kept == 1
    }

    #[inline(always)]
    fn category(&self, rank: u64) -> Option<Category> {
        self.table.cell_unverified(rank).category()
    }
}

/// The value for the side not to move in a lost position, if it were to move.
pub(crate) enum Passed {
    /// It takes the royal or tries safely.
    WonAtOnce,
    Lost,
    /// A draw or a longer win.
    Neither,
}
