//! Position strings: known troubles, Tanaka's printouts, round trips, and texts that are no
//! position at all.

use crate::playouts::{Random, for_each_position, games};
use koma_games::{Color, Game, PositionForm};

fn game(name: &str) -> Game {
    name.parse().unwrap()
}

/// The rows of a data file, split at tabs.
fn rows(data: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    data.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

#[test]
fn position_strings_are_read_as_the_data_says() {
    let mut failures = String::new();
    for row in rows(include_str!("../data/position_strings.tsv")) {
        let [case, name, text, expected] = row[..] else {
            panic!("not four columns: {row:?}")
        };
        let game = game(name);
        let unescaped = text
            .replace("\\n", "\n")
            .replace("\\r", "\r")
            .replace("\\t", "\t");
        let read = match game.parse_position(&unescaped) {
            Ok(position) => game.sfen(&position),
            Err(error) => error.to_string(),
        };
        if read != expected {
            failures +=
                &format!("case {case}: `{text}`\n  expected {expected}\n  read     {read}\n");
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn tanakas_printouts_are_read() {
    let game = game("dobutsu");
    let mut moves = 0;
    for row in rows(include_str!("../data/tanaka_samples.tsv")) {
        let [before, mv, after] = row[6..] else {
            panic!("not nine columns: {row:?}")
        };
        let position = game.parse_position(before).unwrap();
        for separator in ["\n", "/", "\t"] {
            let text = row[..6].join(separator);
            let read = game.read_position(&text).unwrap();
            assert_eq!(read.form, PositionForm::Tanaka);
            assert_eq!(read.position, position, "{text}");
        }
        assert_eq!(game.sfen(&position), format!("{before} 1"));
        if mv != "-" {
            let read = game.parse_move(&position, mv).unwrap();
            assert_eq!(game.tanaka(&position, read), mv);
            let played = game.play(&position, read);
            assert_eq!(game.sfen(&played), format!("{after} 1"), "{before} {mv}");
            moves += 1;
        }
    }
    assert!(moves > 900);
}

#[test]
fn case_17_the_lion_may_walk_into_attack() {
    let game = game("dobutsu");
    let position = game.parse_position("g2/1L1/1G1/1l1 b - 1").unwrap();
    for (text, japanese) in [
        ("B2A1", "▲A1らいおん"),
        ("B2C1", "▲C1らいおん"),
        ("B2B1", "▲B1らいおん"),
    ] {
        let mv = game.parse_move(&position, text).unwrap();
        assert_eq!(game.japanese(&position, mv), japanese);
    }
}

#[test]
fn case_28_a_captured_hen_is_a_chick() {
    let game = game("dobutsu");
    for hen in ["h", "+c", "r"] {
        let text = format!("1l1/1{hen}1/1G1/1L1 b - 1");
        let position = game.parse_position(&text).unwrap();
        let mv = game.parse_move(&position, "B3B2").unwrap();
        let after = game.play(&position, mv);
        assert_eq!(game.sfen(&after), "1l1/1G1/3/1L1 w C 1");
    }
}

#[test]
fn case_35_a_missing_move_number_is_told() {
    let game = game("dobutsu");
    let number = |text| game.read_position(text).unwrap().number;
    assert_eq!(number("gle/1c1/1C1/ELG b -"), None);
    assert_eq!(number("gle/1c1/1C1/ELG b - 7"), Some(7));
    assert_eq!(number("gle/1c1/1C1/ELG[] w 3 7"), Some(7));
}

#[test]
fn case_39_the_sides_of_fen_are_those_of_chess() {
    let game = game("dobutsu");
    let position = game.start().unwrap();
    assert_eq!(game.fen(&position), "gle/1c1/1C1/ELG[] w 0 1");
    assert_eq!(game.sfen(&position), "gle/1c1/1C1/ELG b - 1");
    assert_eq!(
        game.parse_position("gle/1c1/1C1/ELG[] w 0 1"),
        game.parse_position("gle/1c1/1C1/ELG b - 1")
    );
}

/// The clausecker form, the other alphabet and Tanaka's notation, which are read only, written here
/// the obvious way.
#[test]
fn every_notation_reads_what_it_wrote() {
    for game in games() {
        let mut positions = 0;
        for_each_position(&game, 200, |position| {
            positions += 1;
            let sfen = game.sfen(position);
            let mut texts = vec![sfen.clone(), sfen.replace(' ', "_"), game.fen(position)];
            let (head, _) = sfen.rsplit_once(' ').unwrap();
            texts.push(head.to_owned());
            let (board, rest) = head.split_once(' ').unwrap();
            let (side, hands) = rest.split_once(' ').unwrap();

            if game.family().name != "dobutsu" {
                for text in texts {
                    assert_eq!(game.parse_position(&text).as_ref(), Ok(position), "{text}");
                }
                return;
            }

            let spread: String = board
                .chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(gap) => vec!['-'; gap as usize],
                    None => vec![c],
                })
                .collect();
            let sign = if side == "b" { 'S' } else { 'G' };
            let dashes = spread.replace('h', "r").replace('H', "R");
            texts.push(format!("{sign}/{dashes}/{hands}"));

            let foreign = |text: &str| -> String {
                text.replace('H', "+C")
                    .replace('h', "+c")
                    .chars()
                    .map(|c| match "LEGClegc".find(c) {
                        Some(at) => char::from(b"KBRPkbrp"[at]),
                        None => c,
                    })
                    .collect()
            };
            texts.push(format!("{} {side} {} 1", foreign(board), foreign(hands)));

            let cells = |c: char| match c {
                '-' => " . ".to_owned(),
                '/' => "\n".to_owned(),
                piece => {
                    let at = "LEGCH".find(piece.to_ascii_uppercase()).unwrap();
                    let sign = if piece.is_uppercase() { '+' } else { '-' };
                    format!("{sign}{}", ["LI", "ZO", "KI", "HI", "NI"][at])
                }
            };
            let rows: String = spread.chars().map(cells).collect();
            let mut digits = String::new();
            for color in Color::BOTH {
                for kind in [3, 1, 2] {
                    digits += &position.hand(color, kind).to_string();
                }
            }
            let sign = if side == "b" { '+' } else { '-' };
            texts.push(format!("{rows}\n{digits}\n{sign}\n"));

            for text in texts {
                assert_eq!(game.parse_position(&text).as_ref(), Ok(position), "{text}");
            }
        });
        assert!(positions > 1000, "{game}: {positions} positions");
    }
}

/// Whatever the text, reading it returns.
#[test]
fn no_text_makes_the_reader_panic() {
    let alphabet: Vec<char> =
        "gleGLEcChHrR+-/[]_ 0123456789bwSGkpKPZOKIHINILI.|\n\t*ひコ打(）▲△🦒é\u{0}\u{301}"
            .chars()
            .collect();
    let seeds: Vec<String> = rows(include_str!("../data/position_strings.tsv"))
        .map(|row| row[2].replace("\\n", "\n").replace("\\t", "\t"))
        .collect();
    let mut random = Random::new(1);
    for game in games() {
        for round in 0..60_000 {
            let mut text: Vec<char> = if round % 3 == 0 {
                Vec::new()
            } else {
                seeds[random.below(seeds.len())].chars().collect()
            };
            random.mutate(&mut text, &alphabet);
            let text: String = text.into_iter().collect();
            match game.parse_position(&text) {
                Ok(position) => {
                    let sfen = game.sfen(&position);
                    assert_eq!(game.parse_position(&sfen), Ok(position), "{text:?}");
                    assert_eq!(game.parse_position(&game.fen(&position)), Ok(position));
                    let _ = game.end(&position);
                }
                Err(error) => {
                    let line = text.split('\n').nth(error.line - 1).unwrap();
                    assert!(
                        (1..=line.chars().count() + 1).contains(&error.column),
                        "{text:?}: {error}"
                    );
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}
