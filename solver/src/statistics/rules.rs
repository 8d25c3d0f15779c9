//! What statistics ask of the **rules**, on the board: all else in this package is about ranks.

use koma_games::rules::Options;
use koma_games::{Game, Position, RankedUniverse, each};

/// The rank of the same board and hands with the other side to move.
pub(super) fn passed(universe: &RankedUniverse, rank: u64) -> u64 {
    let position = universe.unrank(rank);
    let passed = position.with_side(position.side().opponent());
    // Royals that have a rank together have one whoever is to move.
    universe.rank(&passed).expect("a rank of the same royals")
}

/// How many moves the mover has, whether or not they are any good. Like pieces in hand give one
/// drop a square.
pub(super) fn moves(game: &Game, position: &Position) -> u32 {
    let mut moves = 0;
    game.for_each_move(position, |_| moves += 1);
    moves
}

/// Whether the mover's royal is a step from its far rank, where a try wins.
pub(super) fn may_try(game: &Game, position: &Position) -> bool {
    let side = position.side();
    let royal = position.royal(side).expect("both royals");
    let piece = position.piece(royal).expect("the royal");
    game.options().try_wins && game.attacks(piece, royal) & game.far_rank(side, 0) != 0
}

/// Whether the mover holds a piece that could never move from some square.
pub(super) fn holds_dead_drop(game: &Game, position: &Position) -> bool {
    let side = position.side();
    (1..game.kinds().len() as u8).any(|kind| {
        position.hand(side, kind) > 0
            && each(game.board().all()).any(|square| game.is_dead(side, kind, square))
    })
}

/// Pieces that are not on the board: in hand, or out of the game where captured pieces leave it.
pub(super) fn off_board(universe: &RankedUniverse, position: &Position) -> u32 {
    let game = universe.game();
    let material = universe.material();
    let men: u32 = (1..game.kinds().len())
        .map(|kind| u32::from(material.count(kind)))
        .sum();
    let (own, other) = game.occupied(position);
    men + 2 - (own | other).count_ones()
}

/// The same universe with drops forbidden from whose square the piece could never move; none if
/// they are not there to be forbidden.
pub(super) fn without_dead_drops(universe: &RankedUniverse) -> Option<RankedUniverse> {
    let game = universe.game();
    let options = game.options();
    if !options.drops || !options.dead_drops {
        return None;
    }
    let options = Options {
        dead_drops: false,
        ..options
    };
    let game = Game::new(game.family(), game.board(), options).expect("options that go together");
    let restricted = RankedUniverse::new(game, *universe.material());
    Some(restricted.expect("a universe of the same size"))
}
