//! Features of ranks, against the positions behind them, move by move.

use koma_games::{Color, EndReason, Game, PieceCounts, Position, Universe};
use koma_tests::parallel;
use koma_tests::small_sets::small_sets;

/// How many moves end the game at once for the mover.
fn winning_moves(game: &Game, position: &Position) -> u32 {
    let mut wins = 0;
    game.for_each_move(position, |mv| {
        let end = game.end(&game.play(position, mv));
        let decided = |reason| matches!(reason, EndReason::RoyalTaken | EndReason::Try);
        wins +=
            u32::from(end.is_some_and(|end| end.winner == position.side() && decided(end.reason)));
    });
    wins
}

#[test]
fn features_are_those_of_the_position() {
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let game = universe.game();
        let material = 0..game.kinds().len();
        let pieces: u32 = material
            .map(|kind| u32::from(universe.material().count(kind)))
            .sum();
        for segment in 0..universe.segments() {
            let counts = universe.piece_counts(segment);
            let ranks = universe.segment(segment);
            for offset in 0..ranks.len {
                let rank = ranks.first + u64::from(offset);
                let position = universe.unrank(rank);
                let passed = position.with_side(Color::Gote);
                let sfen = game.sfen(&position);
                assert_eq!(universe.segment_of(rank), segment, "{set}: {sfen}");
                assert_eq!(counts, PieceCounts::of(&position), "{set}: {sfen}");
                let after_pass = universe.passed(segment, offset);
                assert_eq!(Some(after_pass), universe.rank(&passed), "{set}: {sfen}");
                let mut moves = 0;
                game.for_each_move(&position, |_| moves += 1);
                assert_eq!(universe.move_count(segment, offset), moves, "{set}: {sfen}");
                let in_check = universe.in_check(segment, offset);
                assert_eq!(in_check, game.can_take_royal(&passed), "{set}: {sfen}");
                let takes = universe.can_take_royal(segment, offset);
                assert_eq!(takes, game.can_take_royal(&position), "{set}: {sfen}");
                let wins = universe.winning_moves(segment, offset);
                assert_eq!(wins, winning_moves(game, &position), "{set}: {sfen}");
                let (own, other) = game.occupied(&position);
                let on_board = (own | other).count_ones();
                assert_eq!(
                    universe.off_board(segment),
                    pieces - on_board,
                    "{set}: {sfen}"
                );
            }
        }
    });
}
