//! **Figures**: what there is to say about a set of positions.

use koma_games::{Category, Reached, Value};
use koma_tables::{Cell, Counts};

use super::tally::{Histogram, Of, Tally};

/// Figures of a set of positions, a position and its mirror image counted once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Positions by value and distance.
    pub counts: Counts,
    /// Positions by sort, and the moves of the open ones.
    pub sorts: Reached,
    /// Positions by the number of pieces off the board: in hand, or out of the game where captured
    /// pieces leave it.
    pub off_board: Vec<u64>,
    /// The moves of the open positions, lost, drawn and won: in the order of [`Category`].
    pub branching: [Branching; 3],
    /// Mutual zugzwang.
    pub zugzwang: Zugzwang,
    /// Positions from which threats alone win, as `(plies, count)`, ascending. Those in which the
    /// mover wins at once are not among them.
    pub tsume: Vec<(u32, u64)>,
    /// What drops do from whose square the piece can never move; `None` if the rules forbid them.
    pub dead_drops: Option<DeadDrops>,
}

/// How many moves positions have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branching {
    /// Positions by the number of their moves, as `(moves, positions)`: ascending, no count zero.
    /// Like pieces in hand give one drop a square; two moves that lead to the same position are
    /// two.
    pub by_moves: Vec<(u32, u64)>,
}

/// Positions that are lost for the mover, and would be lost for the other side if it were to move
/// on the same board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zugzwang {
    /// Positions. One whose image, with the other side to move, is another position, counts apart
    /// from it.
    pub positions: u64,
    /// Those that are their own image.
    pub own_images: u64,
    /// Those whose image is among the positions too.
    pub with_image: u64,
}

/// What drops do from whose square the piece can never move: of chicks on the last rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeadDrops {
    /// Won and drawn positions in which only such drops keep the value.
    pub needed: u64,
    /// Positions that are won, drawn or lost otherwise where such drops are forbidden in the whole
    /// game.
    pub changed: u64,
    /// The value of the start position where they are.
    pub start: Option<Value>,
}

impl Branching {
    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.by_moves.iter().map(|&(_, count)| count).sum()
    }

    /// How many moves they have together.
    pub fn moves(&self) -> u64 {
        self.by_moves
            .iter()
            .map(|&(moves, count)| u64::from(moves) * count)
            .sum()
    }

    /// Moves a position; `None` of no position.
    pub fn average(&self) -> Option<f64> {
        let positions = self.positions();
        (positions > 0).then(|| self.moves() as f64 / positions as f64)
    }

    /// The fewest moves, and how many positions have so few.
    pub fn least(&self) -> Option<(u32, u64)> {
        self.by_moves.first().copied()
    }

    /// The most moves, and how many positions have so many.
    pub fn most(&self) -> Option<(u32, u64)> {
        self.by_moves.last().copied()
    }

    /// The moves of these positions and others.
    pub fn with(&self, other: &Branching) -> Branching {
        let mut sum = Histogram::default();
        for &(moves, count) in self.by_moves.iter().chain(&other.by_moves) {
            *sum.get_mut(moves as usize) += count;
        }
        Branching::of(&sum)
    }

    /// The moves of positions given by category.
    pub(super) fn all([loss, draw, win]: &[Branching; 3]) -> Branching {
        loss.with(draw).with(win)
    }

    fn of(histogram: &Histogram) -> Branching {
        Branching {
            by_moves: histogram.iter().collect(),
        }
    }
}

impl Figures {
    /// The moves of all open positions.
    pub fn all_branching(&self) -> Branching {
        Branching::all(&self.branching)
    }

    /// The figures of tallied positions. `dead_drops` says whether there are such drops.
    pub(super) fn of(tally: &Tally, dead_drops: bool, start: Option<Value>) -> Figures {
        let counts = counts(tally);
        let branching = branching(tally);
        let open = branching.iter().map(Branching::positions).sum();
        let catches = tally.of(Of::Catches).get(0);
        let sorts = Reached {
            open,
            moves: branching.iter().map(Branching::moves).sum(),
            catches,
            tries: counts.total() - open - catches,
            tried: 0,
        };
        Figures {
            counts,
            sorts,
            off_board: off_board(tally),
            branching,
            zugzwang: zugzwang(tally),
            tsume: tally.of(Of::Tsume).iter().collect(),
            dead_drops: dead_drops.then(|| DeadDrops {
                needed: tally.of(Of::NeedsDeadDrop).get(0),
                changed: tally.of(Of::Changed).get(0),
                start,
            }),
        }
    }

    /// Adds positions that the rules decide at once: `sorts` are those of all positions of the set,
    /// these among them, and `off_board` are these.
    pub(super) fn with_decided(mut self, sorts: Reached, off_board: &Histogram) -> Figures {
        let won = sorts.catches - self.sorts.catches;
        let lost = sorts.tried - self.sorts.tried;
        let own = self.counts.by_plies.iter();
        let own = own.map(|&(plies, count)| match plies % 2 {
            1 => (Value::Win(plies), count),
            _ => (Value::Loss(plies), count),
        });
        let decided = [(Value::Loss(0), lost), (Value::Win(1), won)];
        self.counts = own
            .chain(decided)
            .chain([(Value::Draw, self.counts.draw)])
            .map(|(value, count)| (Cell::Exact(value), count))
            .collect();
        self.sorts.catches = sorts.catches;
        self.sorts.tried = sorts.tried;
        for (off, count) in off_board.iter() {
            let off = off as usize;
            if off >= self.off_board.len() {
                self.off_board.resize(off + 1, 0);
            }
            self.off_board[off] += count;
        }
        self
    }
}

/// Positions by value and distance.
pub(super) fn counts(tally: &Tally) -> Counts {
    let value = |plies| match plies % 2 {
        1 => Value::Win(plies),
        _ => Value::Loss(plies),
    };
    let decided = tally.of(Of::Plies).iter();
    decided
        .map(|(plies, count)| (value(plies), count))
        .chain([(Value::Draw, tally.of(Of::Draws).get(0))])
        .map(|(value, count)| (Cell::Exact(value), count))
        .collect()
}

/// The moves of open positions, in the order of [`Category`].
pub(super) fn branching(tally: &Tally) -> [Branching; 3] {
    [Category::Loss, Category::Draw, Category::Win]
        .map(|category| Branching::of(tally.of(Of::moves(category))))
}

/// Positions by pieces off the board.
pub(super) fn off_board(tally: &Tally) -> Vec<u64> {
    let off_board = tally.of(Of::OffBoard);
    let most = off_board.iter().last().map_or(0, |(off, _)| off as usize);
    (0..=most).map(|off| off_board.get(off)).collect()
}

pub(super) fn zugzwang(tally: &Tally) -> Zugzwang {
    let count = |place| tally.of(Of::Zugzwang).get(place);
    Zugzwang {
        positions: count(0),
        own_images: count(1),
        with_image: count(2),
    }
}
