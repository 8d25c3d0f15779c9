//! **Pawns** of which a side may have only one on a file, and none where it could never move.

use super::lines::{LEGAL_LANES, Lanes};
use super::men::Men;
use super::placements;
use super::ranked::RankedUniverse;
use crate::board::{Board, Squares};
use crate::color::Color;

type Placements = placements::Placements<u32, LEGAL_LANES>;

/// What a universe's pawns may not do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pawns {
    board: Board,
    /// Their kind in the numbering.
    pub(super) k: usize,
    /// By color, the squares from which they could never move.
    pub(super) dead: [Squares; 2],
    /// Whether they may be dropped to mate.
    pub(super) may_mate: bool,
}

impl Pawns {
    /// Those of a universe; none if it has none, or the game no such rule.
    pub(super) fn of(universe: &RankedUniverse) -> Option<Pawns> {
        let game = universe.game();
        let k = universe
            .kinds
            .iter()
            .position(|kind| game.is_file_bound(kind.kind as u8))?;
        let kind = universe.kinds[k].kind;
        Some(Pawns {
            board: game.board(),
            k,
            dead: Color::BOTH.map(|color| game.dead_squares(color, kind as u8)),
            may_mate: game.options().pawn_drop_mates,
        })
    }

    /// The squares of a color's pawns.
    #[inline(always)]
    pub(super) fn squares(&self, men: &Men, placements: &Placements, color: Color) -> Lanes {
        let pawns = men.of_color(color);
        let pawns = pawns.filter(|man| man.k == self.k && !man.promoted);
        pawns.fold(Lanes::ZERO, |set, pawn| {
            set.zip(&placements.0[pawn.slot], |set, pawn| set | pawn)
        })
    }

    /// All squares of the files that have some of these.
    #[inline(always)]
    pub(super) fn files(&self, squares: &Lanes) -> Lanes {
        let width = i32::from(self.board.width());
        let all = self.board.all();
        let (mut up, mut down) = (*squares, *squares);
        // Boards have at most eight ranks where the files have names.
        for ranks in [1, 2, 4] {
            up = up.zip(&up.shifted(-ranks * width), |a, b| a | b);
            down = down.zip(&down.shifted(ranks * width), |a, b| a | b);
        }
        up.zip(&down, |up, down| (up | down) & all)
    }

    /// The lanes in which a color has two pawns on a file or one where it could never move.
    #[inline(always)]
    pub(super) fn wrong(&self, men: &Men, placements: &Placements, color: Color) -> Lanes {
        let dead = self.dead[color.index()];
        let mut wrong = Lanes::ZERO;
        let mut before = Lanes::ZERO;
        for man in men.of_color(color) {
            if man.k != self.k || man.promoted {
                continue;
            }
            let pawn = &placements.0[man.slot];
            let files = self.files(&before);
            wrong = wrong.zip(pawn, |wrong, pawn| wrong | pawn & dead);
            wrong = wrong.zip(&pawn.zip(&files, |pawn, files| pawn & files), |a, b| a | b);
            before = before.zip(pawn, |set, pawn| set | pawn);
        }
        wrong
    }
}
