//! A **tally**: what is counted of positions while they are swept.
//!
//! A position whose mirror image has a rank of its own is met twice, once as each. So everything is
//! counted in halves: ranks of such pairs for one, others for two, and of ranks that are their own
//! mirror image the missing half is added at the end.

use koma_games::{Category, Value};

/// What is counted of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) value: Value,
    pub(super) off_board: u32,
    /// Whether the mover can take the royal.
    pub(super) catches: bool,
    /// How many moves the mover has; none where the convention ends the game.
    pub(super) moves: Option<u32>,
    /// The length of the win by threats alone, in plies.
    pub(super) tsume: Option<u32>,
    pub(super) zugzwang: Option<ZugzwangFacts>,
    /// Whether only dead drops keep the value.
    pub(super) needs_dead_drop: bool,
    /// Whether the value is another one where no one may play dead drops.
    pub(super) changed: bool,
}

/// What is counted of a mutual zugzwang.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZugzwangFacts {
    /// The rank after the pass.
    pub(super) image: u64,
    /// Whether the position after the pass is the same.
    pub(super) own_image: bool,
}

/// Counts by a small number.
#[derive(Clone, Debug, Default)]
pub(super) struct Histogram(Vec<u64>);

impl Histogram {
    pub(super) fn get(&self, place: usize) -> u64 {
        self.0.get(place).copied().unwrap_or(0)
    }

    pub(super) fn get_mut(&mut self, place: usize) -> &mut u64 {
        if place >= self.0.len() {
            self.0.resize(place + 1, 0);
        }
        &mut self.0[place]
    }

    /// Halves become positions.
    pub(super) fn halved(mut self) -> Histogram {
        for count in &mut self.0 {
            *count /= 2;
        }
        self
    }

    /// Places with a count that is not zero.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        (0..)
            .zip(self.0.iter().copied())
            .filter(|&(_, count)| count > 0)
    }
}

/// What a histogram of a tally counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    /// Wins and losses, by plies.
    Plies,
    /// Draws (one place).
    Draws,
    /// Positions in which the royal can be taken (one place).
    Catches,
    /// Positions by pieces off the board.
    OffBoard,
    /// Lost, drawn and won open positions by moves.
    LossMoves,
    DrawMoves,
    WinMoves,
    /// Tsume by plies.
    Tsume,
    /// Mutual zugzwang: all, those that are their own images, those whose image is among the
    /// positions too.
    Zugzwang,
    /// Where only dead drops keep the value (one place).
    NeedsDeadDrop,
    /// Where the value changes without dead drops (one place).
    Changed,
    /// Movers in check, mated and without a move though not in check (one place).
    Checks,
    Checkmates,
    Stalemates,
    /// Pawn drops that are no moves because they mate (one place).
    PawnDropMates,
}

impl Of {
    const COUNT: usize = Of::PawnDropMates as usize + 1;

    /// The open positions of a category, by moves.
    pub(super) fn moves(category: Category) -> Of {
        match category {
            Category::Loss => Of::LossMoves,
            Category::Draw => Of::DrawMoves,
            Category::Win => Of::WinMoves,
        }
    }
}

/// Counts of some positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally([Histogram; Of::COUNT]);

impl Tally {
    pub(super) fn of(&self, what: Of) -> &Histogram {
        &self.0[what as usize]
    }

    /// Counts so many at a place.
    pub(super) fn count(&mut self, what: Of, place: u32, weight: u64) {
        *self.0[what as usize].get_mut(place as usize) += weight;
    }

    /// Counts a position for so many halves. `has` says which ranks are among those tallied.
    #[inline(always)]
    pub(super) fn add(&mut self, facts: &Facts, halves: u64, has: impl Fn(u64) -> bool) {
        self.count_value(facts.value, halves);
        self.count(Of::OffBoard, facts.off_board, halves);
        if facts.catches {
            self.count(Of::Catches, 0, halves);
        }
        if let Some(moves) = facts.moves {
            self.count(Of::moves(facts.value.category()), moves, halves);
        }
        if let Some(plies) = facts.tsume {
            self.count(Of::Tsume, plies, halves);
        }
        if let Some(zugzwang) = facts.zugzwang {
            let sorts = [true, zugzwang.own_image, has(zugzwang.image)];
            for (place, _) in (0..).zip(sorts).filter(|&(_, counts)| counts) {
                self.count(Of::Zugzwang, place, halves);
            }
        }
        if facts.needs_dead_drop {
            self.count(Of::NeedsDeadDrop, 0, halves);
        }
        if facts.changed {
            self.count(Of::Changed, 0, halves);
        }
    }

    /// Counts a value so many times.
    #[inline(always)]
    pub(super) fn count_value(&mut self, value: Value, weight: u64) {
        match value.plies() {
            Some(plies) => self.count(Of::Plies, plies, weight),
            None => self.count(Of::Draws, 0, weight),
        }
    }

    /// The counts of both.
    pub(super) fn merged(mut self, other: &Tally) -> Tally {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            for (place, count) in other.iter() {
                *own.get_mut(place as usize) += count;
            }
        }
        self
    }

    /// Halves become positions.
    pub(super) fn halved(self) -> Tally {
        Tally(self.0.map(Histogram::halved))
    }
}
