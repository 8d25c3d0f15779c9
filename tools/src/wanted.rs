//! **Wanted** positions: what a filter comes to for a table, asked of segments, cells and ranks.

use koma_games::{Category, Color, MAX_KINDS, PieceCounts, RankedUniverse, Universe, Value};
use koma_solver::{Property, Solution, Solved};
use koma_tables::Cell;
use memmap2::Mmap;

use crate::plies::Plies;

/// The positions that fit a filter.
pub(crate) struct Wanted<'a> {
    pub(crate) universe: &'a RankedUniverse,
    pub(crate) solved: Solved<'a, Mmap>,
    pub(crate) category: Option<Category>,
    /// Whether a law decides what cells call drawn.
    pub(crate) by_law: bool,
    pub(crate) plies: Option<Plies>,
    pub(crate) pieces: Pieces,
    pub(crate) check: bool,
    pub(crate) only_move: bool,
    pub(crate) zugzwang: bool,
    /// Lengths, and the solution of the tsume.
    pub(crate) tsume: Option<(Plies, Solution)>,
}

/// The pieces of wanted positions, the side to move being sente.
pub(crate) struct Pieces {
    /// How many are in both hands.
    pub(crate) in_hands: Option<u8>,
    pub(crate) at_least: PieceCounts,
    /// What each side owns.
    pub(crate) owned: [Option<Owned>; 2],
}

/// Pieces of one side by kind, those of the royal's left out.
pub(crate) type Owned = [u8; MAX_KINDS];

impl Pieces {
    fn fit(&self, counts: &PieceCounts) -> bool {
        self.in_hands
            .is_none_or(|pieces| counts.in_hands() == pieces)
            && counts.contains(&self.at_least)
            && Color::BOTH
                .into_iter()
                .zip(&self.owned)
                .all(|(color, owned)| {
                    owned.is_none_or(|owned| {
                        let men = (1u8..).zip(&owned[1..]);
                        men.into_iter()
                            .all(|(kind, &count)| counts.owned(color, kind) == count)
                    })
                })
    }
}

impl Wanted<'_> {
    /// The length of the tsume at a rank, if tsume are wanted.
    pub(crate) fn tsume_at(&self, rank: u64) -> Option<u32> {
        let (_, solution) = self.tsume.as_ref()?;
        match solution.value(rank) {
            Some(Value::Win(plies)) => Some(plies),
            _ => None,
        }
    }

    /// Whether the value is the wanted one, with sente to move, also where a law decides it.
    fn law_fits(&self, segment: u32, offset: u32) -> bool {
        let wanted = self.category.or(self.zugzwang.then_some(Category::Loss));
        match wanted {
            Some(category) if self.by_law => {
                let rank = self.universe.segment(segment).first + u64::from(offset);
                self.solved.category(rank, Color::Sente) == Some(category)
            }
            _ => true,
        }
    }

    fn tsume_fits(&self, segment: u32, offset: u32) -> bool {
        self.tsume.as_ref().is_none_or(|(lengths, _)| {
            let rank = self.universe.segment(segment).first + u64::from(offset);
            self.tsume_at(rank)
                .is_some_and(|plies| lengths.contains(plies))
        })
    }
}

impl Property for Wanted<'_> {
    /// The pieces are those of every position of the segment.
    fn holds_in_segment(&self, segment: u32) -> bool {
        self.pieces.fit(&self.universe.piece_counts(segment))
    }

    fn holds_by_cell(&self, cell: Cell) -> bool {
        let fits = |wanted: Option<Category>| {
            wanted.is_none_or(|category| {
                let found = cell.category();
                // What a law makes of the residue is looked up rank by rank.
                found == Some(category) || self.by_law && found == Some(Category::Draw)
            })
        };
        let plies_fit = self
            .plies
            .is_none_or(|wanted| cell.plies().is_some_and(|plies| wanted.contains(plies)));
        // A tsume may be longer than the shortest win, and not shorter.
        let tsume_fits = self.tsume.as_ref().is_none_or(|(lengths, _)| {
            matches!(cell.value(), Some(Value::Win(plies)) if 1 < plies && plies <= lengths.to)
        });
        tsume_fits
            && fits(self.category)
            && plies_fit
            && fits(self.zugzwang.then_some(Category::Loss))
    }

    fn asks_for_ranks(&self) -> bool {
        let by_law = self.by_law && (self.category.is_some() || self.zugzwang);
        by_law || self.check || self.only_move || self.zugzwang || self.tsume.is_some()
    }

    #[inline(always)]
    fn holds_at(&self, segment: u32, offset: u32) -> bool {
        self.tsume_fits(segment, offset)
            && self.law_fits(segment, offset)
            && (!self.check || self.universe.in_check(segment, offset))
            && (!self.zugzwang || self.solved.is_mutual_zugzwang(segment, offset))
            && (!self.only_move || self.solved.has_only_move(segment, offset))
    }
}
