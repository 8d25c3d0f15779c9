//! The library's moves and ends of the game against the naive implementation and the oracles.

use koma_games::{Color, EndReason, Game, Move, Position};
use koma_tests::naive::{NaiveGame, Over};
use koma_tests::oracle;
use koma_tests::parallel;
use koma_tests::small_sets::{SmallSet, small_sets};

fn dobutsu() -> Game {
    "dobutsu".parse().expect("dobutsu is a game")
}

fn parse(game: &Game, sfen: &str) -> Position {
    game.parse_position(sfen)
        .unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// Positions of one set that are compared. Larger sets are thinned to save time.
const POSITIONS: usize = 20_000;

/// On every small set the positions have the same moves, the same children and the same end.
#[test]
fn moves_are_the_naive_moves() {
    parallel::for_each(small_sets(), |set| {
        let game = set.game();
        let naive = set.naive();
        let sfens = naive.sfens();
        // Odd, because neighbours differ in the side to move.
        let step = sfens.len().div_ceil(POSITIONS) | 1;
        for sfen in sfens.iter().step_by(step) {
            compare(&set, &game, &naive, sfen);
        }
    });
}

fn compare(set: &SmallSet, game: &Game, naive: &NaiveGame, sfen: &str) {
    let position = parse(game, sfen);
    assert_eq!(game.sfen(&position), sfen, "{set}");

    let mut expected: Vec<String> = naive.moves(sfen).into_iter().map(|m| m.child).collect();
    let mut found = Vec::with_capacity(expected.len());
    game.for_each_move(&position, |mv| {
        found.push(game.sfen(&game.play(&position, mv)));
    });
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "{set}: {sfen}");

    let over = match naive.over(sfen) {
        None if expected.is_empty() => Some(Over::Lost),
        over => over,
    };
    let end = game.end(&position);
    let won = end.map(|end| match end.winner == position.side() {
        true => Over::Won,
        false => Over::Lost,
    });
    assert_eq!(won, over, "{set}: {sfen}");
    assert_eq!(
        game.can_take_royal(&position),
        naive.can_take_lion(sfen),
        "{set}: {sfen}"
    );
    let mut legal = 0;
    game.for_each_legal_move(&position, |_| legal += 1);
    let expected_legal = if over.is_none() { expected.len() } else { 0 };
    assert_eq!(legal, expected_legal, "{set}: {sfen}");
}

#[test]
fn perft_by_fairy_stockfish() {
    let game = dobutsu();
    for row in oracle::dobutsu_perft() {
        let position = parse(&game, &row.sfen);
        let count = perft(&game, &position, row.depth, &fairy_is_over);
        assert_eq!(count, row.fairy, "{} depth {}", row.sfen, row.depth);
    }
}

#[test]
fn perft_by_tanaka() {
    let game = dobutsu();
    let is_over = |game: &Game, position: &Position| {
        game.can_take_royal(position)
            || game
                .end(position)
                .is_some_and(|end| end.reason == EndReason::Try && end.winner != position.side())
    };
    let mut compared = 0;
    for row in oracle::dobutsu_perft() {
        let Some(expected) = row.tanaka else { continue };
        let position = parse(&game, &row.sfen);
        let count = perft(&game, &position, row.depth, &is_over);
        assert_eq!(count, expected, "{} depth {}", row.sfen, row.depth);
        compared += 1;
    }
    assert!(compared > 0);
}

fn perft(
    game: &Game,
    position: &Position,
    depth: u32,
    is_over: &impl Fn(&Game, &Position) -> bool,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    if is_over(game, position) {
        return 0;
    }
    let mut count = 0;
    game.for_each_move(position, |mv| {
        count += perft(game, &game.play(position, mv), depth - 1, is_over);
    });
    count
}

/// Fairy-Stockfish lets the game go on while a lion stands attacked on its far rank.
fn fairy_is_over(game: &Game, position: &Position) -> bool {
    Color::BOTH.into_iter().any(|color| {
        position.royal(color).is_none_or(|royal| {
            let royal = 1 << royal;
            game.far_rank(color, 0) & royal != 0
                && game.attacked_by(position, color.opponent()) & royal == 0
        })
    })
}

/// The rows in which Fairy-Stockfish follows the rules, and the one in which it does not.
#[test]
fn terminal_facts() {
    let game = dobutsu();
    for fact in oracle::dobutsu_terminal_facts() {
        let mut position = parse(&game, &fact.before);
        for text in &fact.moves {
            let mv = find_move(&game, &position, text);
            position = game.play(&position, mv);
        }
        assert_eq!(game.sfen(&position), fact.after, "{}", fact.what);
        let end = game.end(&position);
        let mover = position.side();
        let won = end.map(|end| end.winner == mover);
        match fact.what {
            // A draw by Fairy-Stockfish.
            "both lions safe on the far ranks (FEN)" => assert_eq!(won, Some(false)),
            what => {
                let expected = match fact.result {
                    "stm_wins" => Some(true),
                    "stm_loses" => Some(false),
                    _ => None,
                };
                assert_eq!(won, expected, "{what}");
                assert_eq!(end.is_some(), fact.over, "{what}");
                let mut moves = 0;
                game.for_each_legal_move(&position, |_| moves += 1);
                assert_eq!(moves, fact.legal_moves, "{what}");
            }
        }
        let reason = match fact.what {
            "lion captured" | "attacked try, lion taken" => Some(EndReason::RoyalTaken),
            "no legal move (stalemate)" => Some(EndReason::NoMove),
            _ => end.map(|_| EndReason::Try),
        };
        assert_eq!(end.map(|end| end.reason), reason, "{}", fact.what);
    }
}

fn find_move(game: &Game, position: &Position, squares: &str) -> Move {
    let naive = NaiveGame::new(3, 4, [2, 2, 2], Default::default());
    let child = naive
        .moves(&game.sfen(position))
        .into_iter()
        .find(|mv| mv.text == squares)
        .map(|mv| mv.child);
    let mut found = None;
    game.for_each_legal_move(position, |mv| {
        if Some(game.sfen(&game.play(position, mv))) == child {
            found = Some(mv);
        }
    });
    found.unwrap_or_else(|| panic!("{squares} in {}", game.sfen(position)))
}
