//! The table of the whole game against everything that others have found out about it.

use std::collections::{BTreeMap, HashMap, HashSet};

use koma_games::{Position, Value};
use koma_tables::Prober;
use koma_tests::oracle;
use koma_tests::tables::whole_game;
use koma_tests::values::answer;

fn solved() -> &'static Prober<Vec<u8>> {
    whole_game(env!("CARGO_TARGET_TMPDIR"))
}

fn parse(sfen: &str) -> Position {
    solved()
        .game()
        .parse_position(sfen)
        .unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// `W` and plies, `L` and plies, or `D`.
fn result(category: &str, plies: &str) -> Value {
    let plies = || plies.parse().expect("plies");
    match category {
        "W" => Value::Win(plies()),
        "L" => Value::Loss(plies()),
        "D" => Value::Draw,
        other => panic!("{other} is no result"),
    }
}

/// The value of a position. It must be what its moves make it, the best of them first.
fn consistent_value(position: &Position) -> Value {
    let solved = solved();
    let value = answer(solved.probe(position));
    let moves = solved.moves(position).expect("every move has an answer");
    let mut by_moves = moves
        .iter()
        .map(|to| answer(Ok(to.probe)).one_ply_earlier());
    // Without a move, and after the end, there is nothing to compare.
    if let Some(first) = by_moves.next() {
        let sfen = solved.game().sfen(position);
        assert_eq!(first, value, "{sfen} by its first move");
        let better = by_moves.find(|other| other.preference() > value.preference());
        assert_eq!(better, None, "{sfen} by another move");
    }
    value
}

/// Positions by value and distance, every rank counted, as the peer counts them.
#[test]
fn rounds_of_clausecker() {
    let census = solved().table().header().census();
    let mut expected = BTreeMap::new();
    let mut totals = None;
    for row in oracle::rows(oracle::CLAUSECKER_ROUNDS) {
        let count = |column: usize| -> u64 { row[column].parse().expect("a count") };
        if row[0] == "TOTAL" {
            assert_eq!(row[3], "draws");
            totals = Some((count(1), count(2), count(4)));
            continue;
        }
        for (plies, column) in [(count(3), 1), (count(4), 2)] {
            if count(column) > 0 {
                expected.insert(plies as u32, count(column));
            }
        }
    }
    let found: BTreeMap<u32, u64> = census.ranks.by_plies.iter().copied().collect();
    assert_eq!(found, expected);
    let ranks = &census.ranks;
    assert_eq!(Some((ranks.win, ranks.loss, ranks.draw)), totals);
    assert_eq!(ranks.total(), 249_442_767);
    assert_eq!(solved().table().len(), 249_442_767);
    assert_eq!(ranks.deepest(), Some(173));
}

#[test]
fn values_of_clausecker() {
    for row in oracle::rows(oracle::CLAUSECKER_VALUES) {
        let position = parse(row[0]);
        let expected = result(row[1], row[2]);
        assert_eq!(consistent_value(&position), expected, "{}", row[0]);
    }
}

/// Every move of every printed position has the printed value, and no move is missing.
#[test]
fn samples_of_tanaka() {
    let game = solved().game();
    let mut printed: HashMap<&str, HashSet<String>> = HashMap::new();
    for row in oracle::rows(oracle::TANAKA_SAMPLES) {
        let [before, after] = [row[10], row[16]];
        let position = parse(before);
        assert_eq!(
            consistent_value(&position),
            result(row[11], row[12]),
            "{before}"
        );
        if row[13] == "-" {
            continue;
        }
        let child = parse(after);
        let value = answer(solved().probe(&child));
        let line = format!("{} in {before}", row[13]);
        assert_eq!(value, result(row[17], row[18]), "{line}");
        let (category, plies) = row[20].split_at(1);
        assert_eq!(value.one_ply_earlier(), result(category, plies), "{line}");
        printed.entry(before).or_default().insert(game.sfen(&child));
    }
    for (before, children) in printed {
        let position = parse(before);
        let mut found = HashSet::new();
        game.for_each_legal_move(&position, |mv| {
            found.insert(game.sfen(&game.play(&position, mv)));
        });
        assert_eq!(found, children, "{before}");
    }
}

/// Facts from the paper of 2009 and from independent recomputations.
#[test]
fn published_facts() {
    let solved = solved();
    let start = solved.game().start().expect("a start position");
    assert_eq!(consistent_value(&start), Value::Loss(78));
    assert_eq!(solved.line(&start).expect("a line").len(), 78);
    // By first move and gote's replies, as the mover after it sees it: plies to the end.
    for (sfen, plies) in [
        ("gle/1c1/1CG/EL1 w - 1", 77),
        ("gle/1c1/1CL/E1G w - 1", 77),
        ("gle/1c1/LC1/E1G w - 1", 77),
        ("gle/1C1/3/ELG w C 1", 75),
    ] {
        assert_eq!(consistent_value(&parse(sfen)), Value::Win(plies), "{sfen}");
    }
    // The only two placements without a move.
    for sfen in ["1EG/EGL/lCC/3 b - 1", "lEG/EGL/1CC/3 b - 1"] {
        assert_eq!(consistent_value(&parse(sfen)), Value::Loss(2), "{sfen}");
    }
}

/// No game is longer: 14 positions, none of them the mirror image of another.
#[test]
fn deepest_wins() {
    let census = solved().table().header().census();
    assert_eq!(census.ranks.by_plies.last(), Some(&(173, 14)));
    assert_eq!(census.positions.by_plies.last(), Some(&(173, 14)));
    for row in oracle::rows(oracle::CLAUSECKER_VALUES) {
        if row[4].contains("deepest173") {
            assert_eq!(consistent_value(&parse(row[0])), Value::Win(173));
        }
    }
}
