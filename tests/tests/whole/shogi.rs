//! The rules of minishogi and gorogoro against the oracles and the naive implementation.

use koma_games::{
    Color, EndReason, Game, IllegalMove, Move, Outcome, PerftConvention, Position, PositionProblem,
    Record, SettlementReason,
};
use koma_tests::naive_shogi::{Fault, GOROGORO, MINISHOGI, NaiveShogi};
use koma_tests::oracle;
use koma_tests::parallel;
use koma_tests::random::Random;

const GAMES: [(&str, NaiveShogi); 2] = [("minishogi", MINISHOGI), ("gorogoro", GOROGORO)];

fn game(name: &str) -> Game {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn parse(game: &Game, text: &str) -> Position {
    game.parse_position(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal_moves(game: &Game, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.for_each_legal_move(position, |mv| moves.push(mv));
    moves
}

/// Nodes as Fairy-Stockfish counts them: it plays pawn drops that mate, and nothing after them.
fn fairy_nodes(game: &Game, position: &Position, depth: u32) -> u64 {
    let mut nodes = 0;
    game.for_each_legal_move(position, |mv| {
        nodes += match depth {
            1 => 1,
            _ => fairy_nodes(game, &game.play(position, mv), depth - 1),
        };
    });
    let pawn = game.family().pawn.expect("a pawn");
    if depth == 1 && position.hand(position.side(), pawn) > 0 {
        let drops = (0..game.board().len()).map(|to| Move::Drop { kind: pawn, to });
        let mates =
            drops.filter(|&drop| game.check_move(position, drop) == Err(IllegalMove::PawnDropMate));
        nodes += mates.count() as u64;
    }
    nodes
}

#[test]
fn perft_with_and_without_pawn_drop_mates() {
    let rows = GAMES
        .into_iter()
        .flat_map(|(name, _)| oracle::perft(name).into_iter().map(move |row| (name, row)))
        .collect();
    parallel::for_each(rows, |(name, row)| {
        let game = game(name);
        let position = parse(&game, &row.sfen);
        let nodes = game.perft(&position, row.depth, PerftConvention::Rules);
        let expected = row.no_pawn_drop_mate;
        assert_eq!(nodes, expected, "{name} {} depth {}", row.sfen, row.depth);
        let nodes = fairy_nodes(&game, &position, row.depth);
        assert_eq!(nodes, row.fairy, "{name} {} depth {}", row.sfen, row.depth);
    });
}

/// A move of Fairy-Stockfish: `a1` is the bottom left corner.
fn fairy_move(game: &Game, text: &str) -> String {
    let board = game.board();
    let square = |text: &[u8]| {
        let file = board.width() - (text[0] - b'a');
        let rank = board.height() - (text[1] - b'0');
        format!("{file}{}", char::from(b'a' + rank))
    };
    let bytes = text.as_bytes();
    match text.split_once('@') {
        Some((piece, to)) => format!("{piece}*{}", square(to.as_bytes())),
        None => format!("{}{}{}", square(bytes), square(&bytes[2..]), &text[4..]),
    }
}

/// Every fact about positions, and about repetitions as a record knows them. On purpose a pawn drop
/// that mates is illegal, while Fairy-Stockfish plays it and turns the result around.
#[test]
fn terminal_facts() {
    let mut facts = 0;
    for row in oracle::rows(oracle::TERMINAL_FACTS) {
        if !GAMES.iter().any(|(name, _)| *name == row[0]) {
            continue;
        }
        facts += 1;
        let game = game(row[0]);
        let what = format!("{} {}", row[0], row[1]);
        let mut record = Record::new(&game, parse(&game, row[2]));
        let moves: Vec<String> = match row[3] {
            "-" => Vec::new(),
            moves => moves.split(' ').map(|mv| fairy_move(&game, mv)).collect(),
        };
        if row[1] == "dropped-pawn mate" {
            let error = game.parse_move(record.position(), &moves[0]).unwrap_err();
            assert_eq!(
                error.to_string(),
                "a pawn may not be dropped to mate (uchifuzume)"
            );
            continue;
        }
        // Fairy-Stockfish goes on after a fourth occurrence.
        let mut beyond = *record.position();
        for mv in &moves {
            let mv = game
                .parse_move(&beyond, mv)
                .unwrap_or_else(|error| panic!("{what}: {mv}: {error}"));
            beyond = game.play(&beyond, mv);
            if record.outcome().is_none() {
                record.play(mv).unwrap();
            }
        }
        let position = record.position();
        assert_eq!(beyond, parse(&game, row[4]), "{what}");
        let legal = legal_moves(&game, &beyond);
        assert_eq!(legal.len(), row[5].parse::<usize>().unwrap(), "{what}");
        assert_eq!(game.in_check(&beyond), row[6] == "yes", "{what}");
        assert_eq!(game.end(&beyond).is_some(), row[7] == "yes", "{what}");
        let outcome = record.outcome();
        if row[7] == "optional" {
            assert!(
                matches!(outcome, Some(Outcome::Repetition { .. })),
                "{what}"
            );
        }
        let winner = outcome.as_ref().and_then(Outcome::winner);
        match row[8] {
            "-" => assert_eq!(outcome, None, "{what}"),
            "draw" => assert_eq!(winner, None, "{what}"),
            "stm_wins" => assert_eq!(winner, Some(beyond.side()), "{what}"),
            "stm_loses" => assert_eq!(winner, Some(beyond.side().opponent()), "{what}"),
            other => panic!("{other}"),
        }
        if let Some(Outcome::Decided(end)) = outcome {
            let reason = match row[6] {
                "yes" => EndReason::Checkmate,
                _ => EndReason::NoMove,
            };
            assert_eq!(end.reason, reason, "{what}");
        }
        // The last column lists some moves after an arrow.
        if let Some((_, listed)) = row[9].split_once("-> ") {
            let mut expected: Vec<String> =
                listed.split(' ').map(|mv| fairy_move(&game, mv)).collect();
            let mut found: Vec<String> = legal.iter().map(|&mv| game.usi(mv)).collect();
            // Which moves are listed, if not all of a piece.
            let these = match row[1] {
                "tokin does not count for nifu" => "P*5",
                "other promotions optional, last rank only" => "1b1a",
                _ => &expected[0][..2],
            };
            found.retain(|usi| usi.starts_with(these));
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{what} {}", game.sfen(position));
        }
    }
    assert_eq!(facts, 23);
}

/// Moves, check and class of every row; the naive implementation finds the same pawn-drop mates.
#[test]
fn small_positions_of_minishogi() {
    let game = game("minishogi");
    for row in oracle::rows(oracle::MINISHOGI_MATES) {
        let sfen = row[0];
        let position = parse(&game, sfen);
        assert_eq!(parse(&game, row[1]), position);
        let moves = legal_moves(&game, &position).len();
        let check = game.in_check(&position);
        assert_eq!(moves, row[3].parse::<usize>().unwrap(), "{sfen}");
        assert_eq!(check, row[4] == "1", "{sfen}");
        let mates = MINISHOGI.pawn_drop_mates(sfen);
        let listed: Vec<&str> = row[6]
            .split_whitespace()
            .filter(|&drop| drop != "-")
            .collect();
        assert_eq!(mates, listed.len(), "{sfen}");
        for drop in listed {
            let drop = game.parse_move(&position, &fairy_move(&game, drop));
            let problem = drop.unwrap_err().to_string();
            assert_eq!(problem, IllegalMove::PawnDropMate.to_string(), "{sfen}");
        }
        let fairy: usize = row[2].parse().unwrap();
        assert_eq!(moves + mates, fairy, "{sfen}");
        let class = match (moves, check) {
            (0, true) => "mate",
            (0, false) => "stalemate",
            _ if mates > 0 => "uchifuzume",
            (_, true) => "check",
            (_, false) => "quiet",
        };
        assert_eq!(class, row[5], "{sfen}");
        let end = game.end(&position).map(|end| (end.winner, end.reason));
        let other = position.side().opponent();
        assert_eq!(
            end,
            match class {
                "mate" => Some((other, EndReason::Checkmate)),
                "stalemate" => Some((other, EndReason::NoMove)),
                _ => None,
            },
            "{sfen}"
        );
    }
}

/// The moves of a position and where they lead, by both implementations.
fn compare(game: &Game, naive: &NaiveShogi, position: &Position) {
    let sfen = game.sfen(position);
    let expected = naive.moves(&sfen);
    let mut expected: Vec<(String, String)> =
        expected.into_iter().map(|mv| (mv.usi, mv.child)).collect();
    let mut found: Vec<(String, String)> = Vec::new();
    game.for_each_legal_move(position, |mv| {
        found.push((game.usi(mv), game.sfen(&game.play(position, mv))));
    });
    expected.sort();
    found.sort();
    assert_eq!(found, expected, "{sfen}");
    assert_eq!(game.in_check(position), naive.in_check(&sfen), "{sfen}");
    assert_eq!(game.end(position).is_some(), expected.is_empty(), "{sfen}");
}

#[test]
fn moves_of_random_games_are_the_naive_moves() {
    let seeds = GAMES
        .into_iter()
        .flat_map(|(name, naive)| (0..40).map(move |seed| (name, naive, seed)))
        .collect();
    parallel::for_each(seeds, |(name, naive, seed)| {
        let game = game(name);
        let mut random = Random::new(seed);
        let mut position = game.start().expect("a start");
        for _ in 0..80 {
            compare(&game, &naive, &position);
            let moves = legal_moves(&game, &position);
            let Some(count) = (!moves.is_empty()).then_some(moves.len() as u64) else {
                break;
            };
            position = game.play(&position, moves[random.below(count) as usize]);
        }
    });
}

/// A random placement of some pieces, legal or not, as SFEN.
fn random_placement(random: &mut Random, game: &Game, most: u64) -> String {
    let board = game.board();
    let mut squares = vec!["1".to_owned(); usize::from(board.len())];
    let mut place = |random: &mut Random, letter: String| loop {
        let at = random.below(u64::from(board.len())) as usize;
        if squares[at] == "1" {
            squares[at] = letter;
            break;
        }
    };
    place(random, "K".to_owned());
    place(random, "k".to_owned());
    let mut hands = String::new();
    let mut counts = vec![0; game.kinds().len()];
    for _ in 0..random.below(most + 1) {
        let kind = 1 + random.below(game.kinds().len() as u64 - 1) as usize;
        if counts[kind] == game.family().material[kind] {
            continue;
        }
        counts[kind] += 1;
        let letter = game.kinds()[kind].letter;
        let letter = match random.below(2) {
            0 => letter,
            _ => letter.to_ascii_lowercase(),
        };
        match random.below(3) {
            0 => hands.push(letter),
            1 if game.kinds()[kind].promotes() => place(random, format!("+{letter}")),
            _ => place(random, letter.to_string()),
        }
    }
    let ranks: Vec<String> = squares
        .chunks(usize::from(board.width()))
        .map(<[String]>::concat)
        .collect();
    if hands.is_empty() {
        hands.push('-');
    }
    let side = ["b", "w"][random.below(2) as usize];
    format!("{} {side} {hands} 1", ranks.join("/"))
}

/// Legal placements have the same moves, illegal ones are refused for the same reason.
#[test]
fn random_placements_are_judged_alike() {
    let seeds = GAMES
        .into_iter()
        .flat_map(|(name, naive)| (0..16).map(move |seed| (name, naive, seed)))
        .collect();
    parallel::for_each(seeds, |(name, naive, seed)| {
        let game = game(name);
        let mut random = Random::new(seed);
        let mut legal = 0;
        for _ in 0..1_000 {
            let text = random_placement(&mut random, &game, 1 + seed % 8);
            let faults = naive.faults(&text);
            match game.parse_position(&text) {
                Ok(position) => {
                    legal += 1;
                    assert_eq!(faults, [], "{text}");
                    compare(&game, &naive, &position);
                }
                Err(error) => {
                    let fault = match error.problem {
                        PositionProblem::AdjacentRoyals { .. } => Fault::AdjacentKings,
                        PositionProblem::DeadPawn { .. } => Fault::DeadPawn,
                        PositionProblem::DoubledPawn { .. } => Fault::DoubledPawns,
                        PositionProblem::OutOfTurn { .. } => Fault::OutOfTurn,
                        _ => panic!("{text}: {error}"),
                    };
                    assert!(faults.contains(&fault), "{text}: {error}, not {faults:?}");
                }
            }
        }
        assert!(legal > 100, "{name}: {legal}");
    });
}

/// Cases 4, 5, 6 and 8: the fourth occurrence, and who loses by it under each law.
#[test]
fn cases_4_5_6_and_8_the_fourth_occurrence() {
    let shuttle = ("rbsgk/4p/5/P4/KGSBR b - 1", "4e4d 2a2b 4d4e 2b2a");
    let by_sente = ("4k/2R2/5/5/K4 b - 1", "3b3a 1a1b 3a3b 1b1a");
    let by_gote = ("4k/5/5/2r2/K4 w - 1", "3d3e 5e5d 3e3d 5d5e");
    let (sente, gote) = (Some(Color::Sente), Some(Color::Gote));
    let quiet = SettlementReason::Repetition;
    let every = SettlementReason::EveryMoveChecked;
    let one_side = SettlementReason::OneSideChecked;
    for (name, (start, moves), winner, reason) in [
        ("minishogi", shuttle, gote, quiet),
        ("minishogi", by_sente, gote, every),
        ("minishogi", by_gote, sente, every),
        ("minishogi:repetition=draw", by_gote, None, quiet),
        ("minishogi:repetition=pcl", shuttle, None, quiet),
        ("minishogi:repetition=pcl", by_gote, sente, every),
        ("minishogi:repetition=inventor", shuttle, gote, quiet),
        ("minishogi:repetition=inventor", by_gote, sente, one_side),
    ] {
        let game = game(name);
        let mut record = Record::new(&game, parse(&game, start));
        for ply in 1..=12 {
            assert_eq!(record.outcome(), None, "{name} {start} ply {ply}");
            let text = moves.split(' ').nth((ply - 1) % 4).unwrap();
            let mv = game.parse_move(record.position(), text).unwrap();
            let after = game.play(record.position(), mv);
            let settled = record.settlement_by(&after);
            assert_eq!(settled.is_some(), ply == 12, "{name} {start}");
            record.play(mv).unwrap();
            let found = record.occurrences(record.position()).len();
            assert_eq!(found, 1 + ply / 4, "{name} {start} ply {ply}");
            if let Some(settled) = settled {
                assert_eq!((settled.winner, settled.reason), (winner, reason), "{name}");
            }
        }
        let plies = vec![0, 4, 8, 12];
        assert_eq!(
            record.outcome(),
            Some(Outcome::Repetition {
                winner,
                reason,
                plies
            }),
            "{name} {start}"
        );
    }
}

/// Position, a move, and why it can't be played; nothing if it can.
#[test]
fn known_troubles() {
    for (case, name, sfen, mv, expected) in [
        (
            20,
            "minishogi",
            "k4/5/GR3/5/4K b P 1",
            "P*5b",
            "a pawn may not be dropped to mate (uchifuzume)",
        ),
        (
            20,
            "gorogoro",
            "k4/2K2/1G3/5/5/5 b P 1",
            "P*5b",
            "a pawn may not be dropped to mate (uchifuzume)",
        ),
        (20, "minishogi", "k4/2K2/PG3/5/5 b - 1", "5c5b", ""),
        (
            23,
            "gorogoro",
            "4k/5/P4/5/5/4K b P 1",
            "P*5e",
            "a pawn may not be dropped on a file with an unpromoted pawn of its side (nifu)",
        ),
        (23, "gorogoro", "4k/5/+P4/5/5/4K b P 1", "P*5e", ""),
        (
            23,
            "gorogoro",
            "4k/5/5/5/5/4K b P 1",
            "P*5a",
            "a piece may not be dropped where it can never move",
        ),
        (23, "gorogoro", "4k/5/5/5/5/4K b P 1", "P*5b", ""),
        (
            24,
            "minishogi",
            "4k/P4/5/5/4K b - 1",
            "5b5a",
            "the piece must promote by this move, or can't; write `+` exactly when it does",
        ),
        (24, "minishogi", "4k/P4/5/5/4K b - 1", "5b5a+", ""),
        (24, "gorogoro", "2k2/5/P4/5/5/2K2 b - 1", "5c5b", ""),
        (24, "gorogoro", "2k2/5/P4/5/5/2K2 b - 1", "5c5b+", ""),
        (27, "minishogi", "4k/5/2+p2/2G2/4K b - 1", "3d3c", ""),
        (
            0,
            "minishogi",
            "4k/5/5/4r/4K b G 1",
            "G*5e",
            "the own king could be taken after this move",
        ),
        (
            0,
            "minishogi",
            "4k/5/4r/4G/4K b - 1",
            "1d2d",
            "the own king could be taken after this move",
        ),
        (0, "minishogi", "4k/5/4r/4G/4K b - 1", "1d1c", ""),
    ] {
        let game = game(name);
        let position = parse(&game, sfen);
        let found = match game.parse_move(&position, mv) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "case {case}: {sfen} {mv}");
    }
    let game = game("minishogi");
    let position = parse(&game, "4k/5/2+p2/2G2/4K b - 1");
    let mv = game.parse_move(&position, "3d3c").unwrap();
    let after = game.sfen(&game.play(&position, mv));
    assert_eq!(after, "4k/5/2G2/5/4K w P 1");
}
