//! Benches of the analysis and the checker. Each asserts the answer it times.
//!
//! `cargo bench -p koma-solver` runs all of them; `-- dobutsu` only those of the whole game.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use koma_games::{RankedUniverse, Universe, Value};
use koma_solver::{NoProgress, Settings, Solution, check, solve};
use koma_tables::{Identity, Kind, Table, Writer};

fn solved(universe: &RankedUniverse) -> Solution {
    solve(universe, &Settings::default(), &NoProgress).expect("memory for the universe")
}

/// The whole game, and a small set of its pieces: start value and number of positions.
fn solving(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for (name, ranks, start) in [
        ("dobutsu:gc", 17_724, None),
        ("dobutsu", 249_442_767, Some(Value::Loss(78))),
    ] {
        let universe: RankedUniverse = name.parse().expect("a universe");
        group.throughput(Throughput::Elements(universe.len()));
        group.sample_size(10);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let solution = solved(black_box(&universe));
                assert_eq!(solution.len(), ranks);
                let position = universe.game().start().expect("3x4 has a start");
                let value = universe
                    .rank(&position)
                    .and_then(|rank| solution.value(rank));
                assert_eq!(value, start);
            });
        });
    }
    group.finish();
}

/// The checker on a set of pieces.
fn checking(criterion: &mut Criterion) {
    let universe: RankedUniverse = "dobutsu:egcc".parse().expect("a universe");
    let file = std::env::temp_dir().join(format!("koma-bench-{}.koma", std::process::id()));
    let writer = Writer::create(&file).expect("a writable folder");
    solved(&universe)
        .write(writer, &Identity::from(&universe), Kind::Dtm)
        .expect("room for the table");
    let table = Table::open_file(&file).expect("the table just written");
    let mut group = criterion.benchmark_group("check");
    group.throughput(Throughput::Elements(universe.len()));
    group.sample_size(10);
    group.bench_function("dobutsu:egcc", |bencher| {
        bencher.iter(|| check(&universe, &table, None, &NoProgress).expect("a right table"));
    });
    group.finish();
    drop(table);
    std::fs::remove_file(file).expect("the file just written");
}

criterion_group!(benches, solving, checking);
criterion_main!(benches);
