//! **Features** of the positions behind ranks: what searches and statistics ask of the rules. They
//! are not to be asked of holes, except for what is the same in a whole segment.

use super::complete::CompleteUniverse;
use super::layout::{BOARD_STATES, OTHER, OTHER_HAND, OWN, OWN_HAND, PROMOTED};
use super::ranked::{Placement, RankedUniverse};
use crate::board::{Squares, each, one};
use crate::color::Color;
use crate::game::{Game, role};
use crate::piece_counts::PieceCounts;
use crate::position::Piece;
use crate::rules::Options;

impl RankedUniverse {
    /// The pieces of every position of a segment, with sente to move.
    pub fn piece_counts(&self, segment: u32) -> PieceCounts {
        let mut counts = PieceCounts::default();
        for color in Color::BOTH {
            counts.add_on_board(Piece::royal(color), 1);
        }
        let (class, _) = self.class_and_pair(segment);
        let layouts = self.classes[class].layouts;
        for (kind, layout) in self.kinds.iter().zip(layouts) {
            let by_state = kind.layouts.get(layout).counts;
            for (state, &count) in by_state[..BOARD_STATES].iter().enumerate() {
                let piece = Piece {
                    color: Color::BOTH[state / OTHER],
                    kind: kind.kind as u8,
                    promoted: state % OTHER == PROMOTED,
                };
                counts.add_on_board(piece, count);
            }
            for (color, state) in Color::BOTH.into_iter().zip([OWN_HAND, OTHER_HAND]) {
                counts.add_in_hand(color, kind.kind as u8, by_state[state]);
            }
        }
        counts
    }

    /// The rank of the same board and hands with the other side to move. Where check must be met, not
    /// to be asked of a mover in check.
    #[inline(always)]
    pub fn passed(&self, segment: u32, offset: u32) -> u64 {
        self.rank_passed(&self.placement_in(segment, offset))
    }

    /// How many legal moves the mover has, whether or not they are any good. Like pieces in hand give
    /// one drop a square.
    #[inline(always)]
    pub fn move_count(&self, segment: u32, offset: u32) -> u32 {
        let placement = self.placement_in(segment, offset);
        if self.meets_check() {
            return self.legal_moves(&placement);
        }
        let [own_men, other_men] = self.men(&placement.masks);
        let [own_royal, other_royal] = placement.royals;
        let own = own_men | one(own_royal);
        let empty = self.game().board().all() & !own & !other_men & !one(other_royal);
        let mut moves = (self.steps.attacks[0][usize::from(own_royal)] & !own).count_ones();
        self.for_each_reach(&placement, |reached| moves += (reached & !own).count_ones());
        for (kind, &layout) in self.kinds.iter().zip(&placement.layouts) {
            if kind.layouts.get(layout).counts[OWN_HAND] > 0 {
                moves += (empty & self.steps.drops[kind.kind]).count_ones();
            }
        }
        moves
    }

    /// Whether the other side attacks the mover's royal.
    #[inline(always)]
    pub fn in_check(&self, segment: u32, offset: u32) -> bool {
        let placement = self.placement_in(segment, offset);
        if self.meets_check() {
            return self.is_checked(&placement, Color::Sente);
        }
        let royal = usize::from(placement.royals[0]);
        // Royals that attack each other have no rank.
        self.kinds
            .iter()
            .zip(&placement.masks)
            .any(|(kind, masks)| {
                [false, true].into_iter().any(|promoted| {
                    let men = masks[OTHER + usize::from(promoted) * PROMOTED];
                    men & self.steps.other_attackers[role(kind.kind, promoted)][royal] != 0
                })
            })
    }

    /// How many of the mover's moves win at once: those that take the royal, and safe tries. Where
    /// check must be met there are none; what mates is a move like others.
    #[inline(always)]
    pub fn winning_moves(&self, segment: u32, offset: u32) -> u32 {
        if self.meets_check() {
            return 0;
        }
        let placement = self.placement_in(segment, offset);
        let royal = one(placement.royals[1]);
        let mut moves = self.safe_tries(&placement).count_ones();
        self.for_each_reach(&placement, |reached| {
            moves += u32::from(reached & royal != 0)
        });
        moves
    }

    /// How many pawn drops are no moves of the mover only because they mate.
    pub fn pawn_drop_mates(&self, segment: u32, offset: u32) -> u32 {
        self.mating_pawn_drops(&self.placement_in(segment, offset))
    }

    /// Whether the mover holds a pawn that must not mate by its drop, in a segment.
    pub fn holds_harmless_pawn(&self, segment: u32) -> bool {
        let game = self.game();
        let pawn = game
            .family()
            .pawn
            .filter(|_| !game.options().pawn_drop_mates);
        pawn.is_some_and(|pawn| self.piece_counts(segment).in_hand(Color::Sente, pawn) > 0)
    }

    /// Calls back with the squares that each of the mover's men reaches, own pieces on them or not:
    /// those it reaches without promoting, and those it reaches by promoting.
    #[inline(always)]
    fn for_each_reach(&self, placement: &Placement, mut emit: impl FnMut(Squares)) {
        for (kind, masks) in self.kinds.iter().zip(&placement.masks) {
            for promoted in [false, true] {
                for from in each(masks[OWN + usize::from(promoted) * PROMOTED]) {
                    emit(self.steps.quiet_to[role(kind.kind, promoted)][usize::from(from)]);
                    if !promoted {
                        emit(self.steps.promoting_to[kind.kind][usize::from(from)]);
                    }
                }
            }
        }
    }

    /// All pieces of the universe, the royals too.
    fn pieces(&self) -> u32 {
        let kinds = 0..self.game().kinds().len();
        kinds
            .map(|kind| u32::from(self.material().count(kind)))
            .sum()
    }

    #[inline(always)]
    fn placement_in(&self, segment: u32, offset: u32) -> Placement {
        let (class, pair) = self.class_and_pair(segment);
        self.placement_at(class, self.pairs[pair], offset)
    }

    /// Whether the mover can take the other royal; never so in a position where check must be met.
    #[inline(always)]
    pub fn can_take_royal(&self, segment: u32, offset: u32) -> bool {
        if self.meets_check() {
            return false;
        }
        let placement = self.placement_in(segment, offset);
        let royal = one(placement.royals[1]);
        let mut takes = false;
        self.for_each_reach(&placement, |reached| takes |= reached & royal != 0);
        takes
    }

    /// Whether the mover's royal is a step from its far rank, where a try wins, in a segment.
    pub fn may_try(&self, segment: u32) -> bool {
        let (_, pair) = self.class_and_pair(segment);
        let [royal, _] = self.pairs[pair];
        self.steps.attacks[0][usize::from(royal)] & self.steps.try_rank != 0
    }

    /// Whether the mover holds a piece that could never move from some square, in a segment.
    pub fn holds_dead_drop(&self, segment: u32) -> bool {
        let (game, counts) = (self.game(), self.piece_counts(segment));
        (1..game.kinds().len() as u8).any(|kind| {
            counts.in_hand(Color::Sente, kind) > 0
                && each(game.board().all()).any(|square| game.is_dead(Color::Sente, kind, square))
        })
    }

    /// Pieces that are not on the board in a segment: in hand, or out of the game where captured
    /// pieces leave it.
    pub fn off_board(&self, segment: u32) -> u32 {
        let counts = self.piece_counts(segment);
        self.pieces() - counts.on_board()
    }

    /// The same universe with drops forbidden from whose square the piece could never move; `None`
    /// if they are not there to be forbidden.
    pub fn without_dead_drops(&self) -> Option<RankedUniverse> {
        let game = self.game();
        let options = game.options();
        if !options.drops || !options.dead_drops {
            return None;
        }
        let options = Options {
            dead_drops: false,
            ..options
        };
        let game =
            Game::new(game.family(), game.board(), options).expect("options that go together");
        let restricted = RankedUniverse::new(game, *self.material());
        Some(restricted.expect("a universe of the same size"))
    }
}

impl CompleteUniverse {
    /// As [`RankedUniverse::off_board`], of a rank.
    pub fn off_board(&self, rank: u64) -> u32 {
        let counts = PieceCounts::of(&self.unrank(rank));
        self.ranked().pieces() - counts.on_board()
    }
}
