//! Sets of minishogi and gorogoro, solved and compared with an independent solver.

use std::collections::BTreeMap;

use koma_games::{
    Category, Color, EndReason, IllegalMove, Law, Move, Position, RankedUniverse, Universe, Value,
};
use koma_solver::{NoProgress, Settings, Settled, Solution, settle, solve};
use koma_tests::oracle;
use koma_tests::parallel;

/// Sets of at most two pieces; larger ones take minutes.
const MOST_PIECES: usize = 2;

/// What the oracle counts, over all positions with the side to move made sente and without mirror
/// folding.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    win: u64,
    loss: u64,
    residue: u64,
    checkmates: u64,
    stalemates: u64,
    moves: u64,
    pawn_drop_mates: u64,
    by_plies: BTreeMap<u32, u64>,
}

/// `0:61 1:211`.
fn histogram(text: &str) -> BTreeMap<u32, u64> {
    text.split(' ')
        .map(|entry| {
            let (plies, count) = entry.split_once(':').expect("plies and count");
            (
                plies.parse().expect("plies"),
                count.parse().expect("a count"),
            )
        })
        .collect()
}

/// The oracle names no law: forced wins and losses are the same under all of them.
fn universe(game: &str, letters: &str) -> RankedUniverse {
    let name = format!("{game}:repetition=draw:{}", letters.to_lowercase());
    name.parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every set of the oracles is numbered; those of few pieces are solved.
#[test]
fn sets_agree_with_the_oracle() {
    let mut positions: BTreeMap<(&str, &str), Vec<Vec<&str>>> = BTreeMap::new();
    for row in oracle::rows(oracle::SMALL_POSITIONS) {
        positions.entry((row[0], row[1])).or_default().push(row);
    }
    let mut specials: BTreeMap<(&str, &str), Vec<Vec<&str>>> = BTreeMap::new();
    for row in oracle::rows(oracle::SMALL_SPECIALS) {
        specials.entry((row[0], row[1])).or_default().push(row);
    }
    let mut sets: Vec<Vec<&str>> = oracle::rows(oracle::SMALL_SETS).collect();
    // The larger ones first, so that no thread is left with them in the end.
    sets.sort_by_key(|row| std::cmp::Reverse(row[1].len()));
    assert_eq!(
        sets.iter()
            .filter(|row| row[1].len() <= MOST_PIECES)
            .count(),
        13
    );
    parallel::for_each(sets, |set| {
        let universe = universe(set[0], set[1]);
        let positions = &positions[&(set[0], set[1])];
        assert_eq!(positions.len(), 400);
        for row in positions {
            compare_moves(&universe, row);
        }
        if set[1].len() > MOST_PIECES {
            return;
        }
        let settings = Settings {
            threads: Some(1),
            ..Settings::default()
        };
        let solution = solve(&universe, &settings, &NoProgress).unwrap();
        compare_counts(&universe, &solution, &set);
        for row in positions {
            compare_value(&universe, &solution, row);
        }
        let specials = specials.get(&(set[0], set[1])).into_iter().flatten();
        let residue: Vec<&Vec<&str>> = positions
            .iter()
            .chain(specials)
            .filter(|row| row[3] == "R")
            .collect();
        for (place, law) in [Law::Uec, Law::Pcl, Law::Inventor].into_iter().enumerate() {
            let settled = settle(&universe, &solution, law, &settings, &NoProgress).unwrap();
            compare_settled(&universe, &settled, set[15]);
            for row in &residue {
                compare_outcome(&universe, &settled, row[2], row[4 + place]);
            }
        }
    });
}

fn compare_counts(universe: &RankedUniverse, solution: &Solution, set: &[&str]) {
    let column = |index: usize| -> u64 { set[index].parse().expect("a count") };
    let positions = &solution.census().positions;
    let folded = [
        positions.total(),
        positions.win,
        positions.loss,
        positions.draw,
    ];
    assert_eq!(folded, [6, 7, 8, 9].map(column), "{universe}, folded");
    assert_eq!(solution.deepest(), Some(column(14) as u32), "{universe}");

    let expected = Figures {
        win: column(3),
        loss: column(4),
        residue: column(5),
        checkmates: column(10),
        stalemates: column(11),
        moves: column(12),
        pawn_drop_mates: column(13),
        by_plies: histogram(set[16]),
    };
    let found = figures(universe, |rank| solution.value(rank));
    assert_eq!(found, expected, "{universe}");
    assert_eq!(found.win + found.loss + found.residue, column(2));
}

fn figures(universe: &RankedUniverse, value: impl Fn(u64) -> Option<Value>) -> Figures {
    let game = universe.game();
    let mut figures = Figures::default();
    for segment in 0..universe.segments() {
        // Of a position and its mirror image one has a rank, except in doubled segments.
        let weight = if universe.is_doubled(segment) { 1 } else { 2 };
        let first = universe.segment(segment).first;
        for rank in first..first + u64::from(universe.segment(segment).len) {
            let Some(value) = value(rank) else {
                continue;
            };
            match value {
                Value::Win(_) => figures.win += weight,
                Value::Loss(_) => figures.loss += weight,
                Value::Draw => figures.residue += weight,
            }
            if let Some(plies) = value.plies() {
                *figures.by_plies.entry(plies).or_default() += weight;
            }
            let position = universe.unrank(rank);
            let mut moves = 0;
            game.for_each_legal_move(&position, |_| moves += 1);
            figures.moves += weight * moves;
            match game.end(&position).map(|end| end.reason) {
                Some(EndReason::Checkmate) => figures.checkmates += weight,
                Some(EndReason::NoMove) => figures.stalemates += weight,
                _ => {}
            }
            let pawn = game.family().pawn.expect("a pawn");
            if position.hand(position.side(), pawn) > 0 {
                let mates = (0..game.board().len()).filter(|&to| {
                    let drop = Move::Drop { kind: pawn, to };
                    game.check_move(&position, drop) == Err(IllegalMove::PawnDropMate)
                });
                figures.pawn_drop_mates += weight * mates.count() as u64;
            }
        }
    }
    figures
}

/// The number of moves of a random position, by the rules and by the ranks.
fn compare_moves(universe: &RankedUniverse, row: &[&str]) {
    let (position, rank) = parse(universe, row[2]);
    let mut moves = 0;
    universe
        .game()
        .for_each_legal_move(&position, |_| moves += 1);
    assert_eq!(
        moves,
        row[8].parse::<u32>().unwrap(),
        "{universe} {}",
        row[2]
    );
    let mut successors = 0;
    universe.successors(rank, |_| successors += 1);
    assert_eq!(successors, moves, "{universe} {}", row[2]);
}

/// The value of a random position.
fn compare_value(universe: &RankedUniverse, solution: &Solution, row: &[&str]) {
    let (_, rank) = parse(universe, row[2]);
    let (category, plies) = row[3].split_at(1);
    let expected = match category {
        "W" => Value::Win(plies.parse().unwrap()),
        "L" => Value::Loss(plies.parse().unwrap()),
        "R" => Value::Draw,
        other => panic!("{other}"),
    };
    assert_eq!(
        solution.value(rank),
        Some(expected),
        "{universe} {}",
        row[2]
    );
}

/// How many positions are won, drawn and lost by the mover, as an oracle says it: of all positions and of
/// those distinct up to the mirror, with sente and with gote to move. The oracle gives all laws in one
/// column.
fn compare_settled(universe: &RankedUniverse, settled: &Settled, laws: &str) {
    let mut figures = [[[0u64; 3]; 2]; 2];
    for segment in 0..universe.segments() {
        let weight = if universe.is_doubled(segment) { 1 } else { 2 };
        let first = universe.segment(segment).first;
        for rank in first..first + u64::from(universe.segment(segment).len) {
            for color in Color::BOTH {
                let Some(outcome) = settled.outcome(rank, color) else {
                    continue;
                };
                let place = Category::Win as usize - outcome as usize;
                figures[0][color.index()][place] += weight;
                figures[1][color.index()][place] += u64::from(rank <= universe.image(rank));
                let image = settled.outcome(universe.image(rank), color);
                assert_eq!(image, Some(outcome), "{universe}, rank {rank}");
            }
        }
    }
    let [unfolded, folded] = figures.map(|colors| {
        let [sente, gote] = colors.map(|[win, draw, loss]| format!("{win}/{draw}/{loss}"));
        format!("sente={sente},gote={gote}")
    });
    let law = settled.law().name();
    let found = format!("{law}:unfolded,{unfolded};folded,{folded}");
    assert!(
        laws.split(' ').any(|expected| expected == found),
        "{universe}: {found}, not one of {laws}"
    );
}

/// The outcome of a position of the residue.
fn compare_outcome(universe: &RankedUniverse, settled: &Settled, sfen: &str, expected: &str) {
    let (position, rank) = parse(universe, sfen);
    let expected = match expected {
        "W" => Category::Win,
        "D" => Category::Draw,
        "L" => Category::Loss,
        other => panic!("{sfen}: {other}"),
    };
    let outcome = settled.outcome(rank, position.side());
    let law = settled.law().name();
    assert_eq!(outcome, Some(expected), "{universe}, {law}: {sfen}");
}

fn parse(universe: &RankedUniverse, sfen: &str) -> (Position, u64) {
    let position = universe
        .game()
        .parse_position(sfen)
        .unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let rank = universe.rank(&position);
    (
        position,
        rank.unwrap_or_else(|| panic!("{universe}: {sfen} has no rank")),
    )
}
