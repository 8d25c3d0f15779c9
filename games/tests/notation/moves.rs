//! Moves: round trips of all four notations, known readings, and texts that are no move at all.

use crate::playouts::{Random, for_each_position, games, moves};
use koma_games::{Game, IllegalMove, Move, MoveError, Position};

fn dobutsu(sfen: &str) -> (Game, Position) {
    let game: Game = "dobutsu".parse().unwrap();
    let position = game.parse_position(sfen).unwrap();
    (game, position)
}

/// Writes a name in katakana and full width.
fn full_width(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'ぁ'..='ゖ' => char::from_u32(u32::from(c) + 0x60).unwrap(),
            '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap(),
            '▲' => '☗',
            '△' => '☖',
            _ => c,
        })
        .collect()
}

#[test]
fn every_move_is_read_as_it_was_written() {
    for game in games() {
        let (mut all, mut ambiguous) = (0, 0);
        for_each_position(&game, 200, |position| {
            let moves = moves(&game, position);
            let mut written: Vec<[String; 4]> = Vec::new();
            for &mv in &moves {
                let texts = [
                    game.usi(mv),
                    game.squares(mv),
                    game.japanese(position, mv),
                    game.tanaka(position, mv),
                ];
                let unsigned: String = texts[2].chars().skip(1).collect();
                let further = [full_width(&texts[2]), full_width(&unsigned), unsigned];
                for text in texts.iter().chain(&further) {
                    assert_eq!(
                        game.parse_move(position, text),
                        Ok(mv),
                        "{} {text}",
                        game.sfen(position)
                    );
                }
                all += 1;
                ambiguous += usize::from(texts[2].ends_with([')', '打']));
                written.push(texts);
            }
            for notation in 0..4 {
                let mut names: Vec<_> = written.iter().map(|texts| &texts[notation]).collect();
                names.sort();
                names.dedup();
                assert_eq!(names.len(), moves.len(), "{}", game.sfen(position));
            }
        });
        assert!(all > 5000, "{game}: {all} moves");
        // Without drops nobody ever has two pieces of a kind.
        assert!(ambiguous > 50 || !game.options().drops, "{game}");
    }
}

/// One row: position, USI, squares, Japanese, Tanaka.
#[test]
fn moves_are_written_as_the_rules_show() {
    let rows = [
        (
            "gle/1c1/1C1/ELG b - 1",
            "2c2b",
            "B3B2",
            "▲B2ひよこ",
            "+B3B2HI",
        ),
        (
            "gle/1c1/1C1/ELG b - 1",
            "1d1c",
            "C4C3",
            "▲C3きりん",
            "+C4C3KI",
        ),
        (
            "gle/3/1C1/ELG b C 1",
            "C*2b",
            "C*B2",
            "▲B2ひよこ打",
            "+00B2HI",
        ),
        (
            "1le/3/1C1/ELG w g 1",
            "G*2b",
            "G*B2",
            "△B2きりん",
            "-00B2KI",
        ),
        (
            "gle/1c1/1C1/ELG w - 1",
            "3a3b",
            "A1A2",
            "△A2きりん",
            "-A1A2KI",
        ),
        (
            "2l/C2/3/1L1 b - 1",
            "3b3a+",
            "A2A1",
            "▲A1にわとり",
            "+A2A1NI",
        ),
        (
            "2l/CH1/3/1L1 b - 1",
            "3b3a+",
            "A2A1",
            "▲A1にわとり(A2)",
            "+A2A1NI",
        ),
        (
            "2l/CH1/3/1L1 b - 1",
            "2b3a",
            "B2A1",
            "▲A1にわとり(B2)",
            "+B2A1NI",
        ),
        (
            "l2/3/G1G/1L1 b - 1",
            "1c2c",
            "C3B3",
            "▲B3きりん(C3)",
            "+C3B3KI",
        ),
        (
            "l2/3/G2/1L1 b G 1",
            "G*2c",
            "G*B3",
            "▲B3きりん打",
            "+00B3KI",
        ),
        (
            "l2/3/G2/1L1 b G 1",
            "3c2c",
            "A3B3",
            "▲B3きりん(A3)",
            "+A3B3KI",
        ),
        ("l2/3/G2/1L1 b G 1", "G*1b", "G*C2", "▲C2きりん", "+00C2KI"),
        // An attack on one's own man is no second reading, nor is a hen beside a chick.
        ("l2/3/GGE/1L1 b - 1", "2c2b", "B3B2", "▲B2きりん", "+B3B2KI"),
        ("l2/3/1C1/HL1 b - 1", "2c2b", "B3B2", "▲B2ひよこ", "+B3B2HI"),
    ];
    for (sfen, usi, squares, japanese, tanaka) in rows {
        let (game, position) = dobutsu(sfen);
        let mv = game.parse_move(&position, usi).unwrap();
        assert_eq!(game.usi(mv), usi);
        assert_eq!(game.squares(mv), squares);
        assert_eq!(game.japanese(&position, mv), japanese);
        assert_eq!(game.tanaka(&position, mv), tanaka);
    }
}

#[test]
fn moves_are_read_with_some_freedom() {
    let rows = [
        ("gle/1c1/1C1/ELG b - 1", " 2c2b\n", "2c2b"),
        ("gle/1c1/1C1/ELG b - 1", "☗Ｂ２ヒヨコ", "2c2b"),
        ("gle/1c1/1C1/ELG b - 1", "B2ヒよコ", "2c2b"),
        ("gle/1c1/1C1/ELG b - 1", "▲C3キリン(C4)", "1d1c"),
        ("gle/1c1/1C1/ELG w - 1", "☖A2キリン", "3a3b"),
        ("2l/C2/3/1L1 b - 1", "A2A1+", "3b3a+"),
        ("2l/C2/3/1L1 b - 1", "A2-A1", "3b3a+"),
        ("2l/C2/3/1L1 b - 1", "A2--A1", ""),
        ("2l/C2/3/1L1 b - 1", "A2-", ""),
        ("2l/C2/3/1L1 b C 1", "C-B2", ""),
        ("2l/C2/3/1L1 b - 1", "A2A1", "3b3a+"),
        ("2l/C2/3/1L1 b - 1", "A1ニワトリ（Ａ２）", "3b3a+"),
        ("l2/3/3/1L1 b 2C 1", "▲B2ひよこ", "C*2b"),
        ("l2/3/3/1L1 b 2C 1", "▲B2ヒヨコ打", "C*2b"),
        ("l2/3/3/1L1 b E 1", "ゾウ", ""),
        ("l2/3/3/1L1 b E 1", "▲B2ゾウ", "E*2b"),
        ("l2/3/3/1L1 b E 1", "▲B3ライオン", "2d2c"),
    ];
    for (sfen, text, usi) in rows {
        let (game, position) = dobutsu(sfen);
        match game.parse_move(&position, text) {
            Ok(mv) => assert_eq!(game.usi(mv), usi, "{text}"),
            Err(error) => assert!(usi.is_empty(), "{text}: {error}"),
        }
    }
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let start = "gle/1c1/1C1/ELG b - 1";
    let hen = "2l/CH1/3/1L1 b - 1";
    let rows = [
        (
            start,
            "",
            "from-square, column 1: the text ends here, expected a move, as in `3d2c` or `A4B3`",
        ),
        (
            start,
            "🦒",
            "from-square, column 1: found `🦒`, expected a move, as in `3d2c` or `A4B3`",
        ),
        (
            start,
            "b3b2",
            "from-square, column 1: found `b`, expected a move, as in `3d2c` or `A4B3`",
        ),
        (
            start,
            "4c2b",
            "from-square, column 1: found `4`, expected a file from 1 to 3",
        ),
        (
            start,
            "2c2",
            "to-square, column 4: the text ends here, expected a rank from a to d",
        ),
        (
            start,
            "2c2e",
            "to-square, column 4: found `e`, expected a rank from a to d",
        ),
        (
            start,
            "2c2bx",
            "end, column 5: found `x`, expected the end of the move",
        ),
        (
            start,
            "B3D2",
            "to-square, column 3: found `D`, expected a file from A to C",
        ),
        (
            start,
            "B3B5",
            "to-square, column 4: found `5`, expected a rank from 1 to 4",
        ),
        (
            start,
            "B5B3",
            "from-square, column 2: found `5`, expected a rank from 1 to 4",
        ),
        (
            start,
            "X*2b",
            "piece, column 1: found `X`, expected a piece in hand: EGC",
        ),
        (
            start,
            "H*B2",
            "piece, column 1: found `H`, expected a piece in hand: EGC",
        ),
        (
            start,
            "▲B2",
            "piece, column 4: the text ends here, expected the piece after the move: らいおん ぞう きりん ひよこ にわとり",
        ),
        (
            start,
            "▲B2うさぎ",
            "piece, column 4: found `う`, expected the piece after the move: らいおん ぞう きりん ひよこ にわとり",
        ),
        (
            start,
            "▲B2ひよこ!",
            "end, column 7: found `!`, expected the end of the move",
        ),
        (
            start,
            "▲B2ひよこ(B3",
            "from-square, column 10: the text ends here, expected `)` after the square",
        ),
        (start, "△A2きりん", "side, column 1: it is sente's move"),
        (start, "-A1A2KI", "side, column 1: it is sente's move"),
        (
            start,
            "+C4C3XX",
            "piece, column 6: found `X`, expected the piece after the move: LI ZO KI HI NI",
        ),
        (
            start,
            "+C4C3LI",
            "piece, column 6: the piece that moves is `KI`",
        ),
        (
            start,
            "+C4C3",
            "piece, column 6: the text ends here, expected the piece after the move: LI ZO KI HI NI",
        ),
        (
            hen,
            "+B2A1HI",
            "piece, column 6: the piece that moves is `NI`",
        ),
        (
            hen,
            "+00A1NI",
            "piece, column 6: the piece that moves is `HI`",
        ),
        (
            hen,
            "▲A1にわとり",
            "the move can be read as ▲A1にわとり(A2) or ▲A1にわとり(B2)",
        ),
        (
            hen,
            "▲A1ひよこ",
            "no ひよこ of the side to move can go to A1",
        ),
        (
            hen,
            "▲A1ひよこ(B2)",
            "piece, column 4: the piece that moves is `にわとり`",
        ),
        (
            start,
            "2c2a",
            "the piece on the from-square can't step there",
        ),
        (
            start,
            "2b2c",
            "no piece of the side to move stands on the from-square",
        ),
        (start, "C*2b", "the side to move has no such piece in hand"),
        (start, "L*2b", "the side to move has no such piece in hand"),
        (
            start,
            "1d1c+",
            "the piece must promote by this move, or can't; write `+` exactly when it does",
        ),
        (
            hen,
            "3b3a",
            "the piece must promote by this move, or can't; write `+` exactly when it does",
        ),
        (
            hen,
            "+A2A1HI",
            "the piece must promote by this move, or can't; write `+` exactly when it does",
        ),
        ("L2/3/3/1l1 w - 1", "2d2c", "the game is over"),
        ("L2/3/3/1l1 w - 1", "B3らいおん", "the game is over"),
        ("L2/3/3/1l1 w - 1", "△A3ぞう", "the game is over"),
    ];
    let mut failures = String::new();
    for (sfen, text, expected) in rows {
        let (game, position) = dobutsu(sfen);
        let error = match game.parse_move(&position, text) {
            Ok(mv) => format!("read as {}", game.usi(mv)),
            Err(error) => error.to_string(),
        };
        if error != expected {
            failures += &format!("`{text}`\n  expected {expected}\n  got      {error}\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn illegal_moves_carry_the_reason() {
    let (game, position) = dobutsu("gle/1c1/1C1/ELG b - 1");
    assert_eq!(
        game.parse_move(&position, "2c2a"),
        Err(MoveError::Illegal(IllegalMove::CannotStep))
    );
    let (game, position) = dobutsu("l2/3/G1G/1L1 b - 1");
    let Err(MoveError::Ambiguous { readings }) = game.parse_move(&position, "B3きりん") else {
        panic!("two giraffes can go to B3")
    };
    let moves: Vec<Move> = readings.iter().map(|&(mv, _)| mv).collect();
    assert_eq!(
        moves.iter().map(|&mv| game.usi(mv)).collect::<Vec<_>>(),
        ["3c2c", "1c2c"]
    );
}

/// Whatever the text, reading it returns.
#[test]
fn no_text_makes_the_reader_panic() {
    let alphabet: Vec<char> =
        "123abcdABCEGLH*+-0KIZOHNL▲△☗☖ひよこキリンぞう打()（）Ｂ２🦒é \u{0}\u{301}"
            .chars()
            .collect();
    let seeds = [
        "2c2b",
        "3b3a+",
        "C*2b",
        "B3B2",
        "A2A1+",
        "C*B2",
        "▲B2ひよこ",
        "▲B2きりん(C2)",
        "△C2ぞう打",
        "+C4C3KI",
        "-00C1HI",
    ];
    let mut random = Random::new(3);
    let positions = [
        "gle/1c1/1C1/ELG b - 1",
        "2l/CH1/3/1L1 b EGeg 1",
        "L2/3/3/1l1 w - 1",
    ];
    for sfen in positions {
        let (game, position) = dobutsu(sfen);
        for round in 0..60_000 {
            let mut text: Vec<char> = if round % 3 == 0 {
                Vec::new()
            } else {
                seeds[random.below(seeds.len())].chars().collect()
            };
            random.mutate(&mut text, &alphabet);
            let text: String = text.into_iter().collect();
            match game.parse_move(&position, &text) {
                Ok(mv) => assert_eq!(game.check_move(&position, mv), Ok(()), "{text:?}"),
                Err(error) => {
                    if let MoveError::Unreadable { column, .. }
                    | MoveError::OtherSide { column, .. }
                    | MoveError::OtherPiece { column, .. } = error
                    {
                        assert!((1..=text.chars().count() + 1).contains(&column), "{text:?}");
                    }
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}
