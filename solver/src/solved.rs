//! A **solved** universe: its ranks with their values, and what the values of neighbours say of a
//! position.

use koma_games::{Category, Color, Law, RankedUniverse, Universe, Value};
use koma_tables::Table;

/// A universe and its table, whose checksums should have been verified before.
#[derive(Debug)]
pub struct Solved<'a, D> {
    universe: &'a RankedUniverse,
    table: &'a Table<D>,
    /// What decides endless play; `draw` if the table does not say what another law makes of it.
    law: Law,
}

impl<'a, D: AsRef<[u8]>> Solved<'a, D> {
    /// A universe with its table.
    ///
    /// # Panics
    /// If the table has another number of ranks.
    pub fn new(universe: &'a RankedUniverse, table: &'a Table<D>) -> Solved<'a, D> {
        assert_eq!(universe.len(), table.len(), "ranks of universe and table");
        let law = table.header().outcomes().first();
        let law = law.map_or(Law::Draw, |counts| counts.law);
        Solved {
            universe,
            table,
            law,
        }
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
        let passed = self.universe.passed(segment, offset);
        let cell = self.table.cell_unverified(passed);
        match self.category(passed, Color::Gote) {
            _ if cell.value() == Some(Value::Win(1)) => Passed::WonAtOnce,
            Some(Category::Loss) => Passed::Lost,
            _ => Passed::Neither,
        }
    }

    /// Whether one move keeps the value of a position, with sente to move, and all others are worse, not
    /// counting distances. Of a lost position that is so if it has one move.
    #[inline(always)]
    pub fn has_only_move(&self, segment: u32, offset: u32) -> bool {
        let rank = self.universe.segment(segment).first + u64::from(offset);
        let (goal, mut kept) = match self.category(rank, Color::Sente) {
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
            kept += u32::from(kept < 2 && self.category(after, Color::Gote) == Some(goal));
        });
        kept == 1
    }

    /// Won, drawn or lost for a mover of this color; nothing for a hole.
    #[inline(always)]
    pub fn category(&self, rank: u64, mover: Color) -> Option<Category> {
        match self.table.cell_unverified(rank).category() {
            Some(Category::Draw) if self.law != Law::Draw => {
                self.table.outcome_unverified(self.law, rank, mover)
            }
            category => category,
        }
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
