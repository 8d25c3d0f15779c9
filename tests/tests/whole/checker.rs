//! The checker passes tables that are right and refuses tables in which one cell is wrong.

use std::fs;
use std::path::Path;

use koma_games::{RankedUniverse, Universe, Value};
use koma_solver::{CheckError, NoProgress, Settings, check, solve};
use koma_tables::{Cell, Census, Counts, Identity, Kind, Table, Writer};
use koma_tests::random::Random;

/// Universes with wins, losses and draws.
const NAMES: [&str; 4] = [
    "dobutsu@3x3:c",
    "dobutsu@3x3:no-try,no-drops:gc",
    "dobutsu:no-last-rank-chick-drop:c",
    "dobutsu@4x4:e",
];

fn universe(name: &str) -> RankedUniverse {
    name.parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn cells(universe: &RankedUniverse) -> Vec<Cell> {
    let solution = solve(universe, &Settings::default(), &NoProgress).expect("a solution");
    (0..universe.len())
        .map(|rank| solution.value(rank).map_or(Cell::Hole, Cell::Exact))
        .collect()
}

/// What the checker says of a table of these cells.
fn verdict(universe: &RankedUniverse, cells: &[Cell], kind: Kind) -> Result<(), CheckError> {
    let ranks: Counts = cells.iter().map(|&cell| (cell, 1)).collect();
    let census = Census {
        positions: ranks.clone(),
        ranks,
    };
    let file = format!("checker-{}.koma", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    Writer::create(&path)
        .and_then(|writer| writer.write(&Identity::from(universe), kind, &census, cells))
        .expect("the table is written");
    let bytes = fs::read(&path).expect("the table is there");
    fs::remove_file(&path).expect("the table can be removed");
    let table = Table::open(bytes).expect("a table");
    table.verify().expect("an undamaged table");
    check(universe, &table, Some(2), &NoProgress)
}

/// Cells that say something else.
fn others(cell: Cell) -> Vec<Cell> {
    let values = match cell {
        Cell::Exact(Value::Win(plies)) => [
            Value::Win(plies + 2),
            Value::Win(plies.saturating_sub(2).max(1)),
            Value::Loss(plies + 1),
            Value::Draw,
        ],
        Cell::Exact(Value::Loss(plies)) => [
            Value::Loss(plies + 2),
            Value::Loss(plies.saturating_sub(2)),
            Value::Win(plies + 1),
            Value::Draw,
        ],
        _ => [
            Value::Win(1),
            Value::Win(9),
            Value::Loss(2),
            Value::Loss(10),
        ],
    };
    let values = values.map(Cell::Exact).into_iter();
    values
        .chain([Cell::Hole])
        .filter(|&other| other != cell)
        .collect()
}

/// In one test, because all tables pass through one file.
#[test]
fn tables() {
    for name in NAMES {
        let universe = universe(name);
        let right = cells(&universe);
        for kind in [Kind::Dtm, Kind::Wdl] {
            verdict(&universe, &right, kind).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let mut random = Random::new(82);
        for _ in 0..10 {
            let rank = random.below(universe.len());
            for other in others(right[rank as usize]) {
                let mut wrong = right.clone();
                wrong[rank as usize] = other;
                match verdict(&universe, &wrong, Kind::Dtm) {
                    Err(CheckError::Wrong { count, first }) => {
                        assert!(
                            count > 0 && first.rank <= rank,
                            "{name}: {other:?} at {rank}"
                        );
                    }
                    verdict => panic!("{name}: {other:?} at {rank} gives {verdict:?}"),
                }
            }
        }
    }
}
