//! **Features** of the positions behind ranks: what statistics ask of the rules.

use super::complete::CompleteUniverse;
use super::ranked::RankedUniverse;
use crate::board::each;
use crate::game::Game;
use crate::position::Position;
use crate::rules::Options;

impl RankedUniverse {
    /// The rank of the same board and hands with the other side to move.
    pub fn passed(&self, rank: u64) -> u64 {
        let position = self.unrank(rank);
        let passed = position.with_side(position.side().opponent());
        // Royals that have a rank together have one whoever is to move.
        self.rank(&passed).expect("a rank of the same royals")
    }

    /// How many moves the mover has, whether or not they are any good. Like pieces in hand give
    /// one drop a square.
    pub fn move_count(&self, rank: u64) -> u32 {
        let mut moves = 0;
        self.game()
            .for_each_move(&self.unrank(rank), |_| moves += 1);
        moves
    }

    /// Whether the mover can take the other royal.
    pub fn can_take_royal(&self, rank: u64) -> bool {
        self.game().can_take_royal(&self.unrank(rank))
    }

    /// Whether the mover's royal is a step from its far rank, where a try wins.
    pub fn may_try(&self, rank: u64) -> bool {
        let (game, position) = (self.game(), self.unrank(rank));
        let side = position.side();
        let royal = position.royal(side).expect("both royals");
        let piece = position.piece(royal).expect("the royal");
        game.options().try_wins && game.attacks(piece, royal) & game.far_rank(side, 0) != 0
    }

    /// Whether the mover holds a piece that could never move from some square.
    pub fn holds_dead_drop(&self, rank: u64) -> bool {
        let (game, position) = (self.game(), self.unrank(rank));
        let side = position.side();
        (1..game.kinds().len() as u8).any(|kind| {
            position.hand(side, kind) > 0
                && each(game.board().all()).any(|square| game.is_dead(side, kind, square))
        })
    }

    /// Pieces that are not on the board: in hand, or out of the game where captured pieces leave
    /// it.
    pub fn off_board(&self, rank: u64) -> u32 {
        off_board(self, &self.unrank(rank))
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
    /// As [`RankedUniverse::off_board`].
    pub fn off_board(&self, rank: u64) -> u32 {
        off_board(self.ranked(), &self.unrank(rank))
    }
}

fn off_board(universe: &RankedUniverse, position: &Position) -> u32 {
    let (game, material) = (universe.game(), universe.material());
    let pieces: u32 = (0..game.kinds().len())
        .map(|kind| u32::from(material.count(kind)))
        .sum();
    let (own, other) = game.occupied(position);
    pieces - (own | other).count_ones()
}
