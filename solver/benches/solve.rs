//! Benches of the analysis and the checker. Each asserts the answer it times.
//!
//! `cargo bench -p koma-solver` runs all of them; `-- dobutsu` only those of that game.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use koma_games::{Category, Color, Law, RankedUniverse, Universe, Value};
use koma_solver::{NoProgress, Settings, Solution, check, settle, solve};
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

/// Sets of minishogi, the smallest of more than a million positions and larger ones: won, lost and left
/// undecided.
fn solving_sets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    for (letters, answer) in [
        ("rp", [703_819, 623_455, 14_778]),
        ("ggs", [9_958_672, 6_512_048, 88_650]),
        ("rrp", [23_452_821, 20_082_918, 4_241_081]),
        ("gsp", [35_835_256, 22_911_626, 1_616_849]),
    ] {
        let name = format!("minishogi:repetition=draw:{letters}");
        let universe: RankedUniverse = name.parse().expect("a universe");
        group.throughput(Throughput::Elements(answer.iter().sum()));
        group.sample_size(10);
        group.bench_function(&name, |bencher| {
            bencher.iter(|| {
                let positions = solved(black_box(&universe)).census().positions.clone();
                assert_eq!([positions.win, positions.loss, positions.draw], answer);
            });
        });
    }
    group.finish();
}

/// What a law makes of the residue of a set.
fn settling(criterion: &mut Criterion) {
    let universe: RankedUniverse = "minishogi:repetition=draw:gs".parse().expect("a universe");
    let solution = solved(&universe);
    let mut group = criterion.benchmark_group("settle");
    group.throughput(Throughput::Elements(solution.census().positions.draw));
    group.sample_size(10);
    group.bench_function("minishogi:gs", |bencher| {
        bencher.iter(|| {
            let (law, settings) = (Law::Uec, Settings::default());
            let settled = settle(&universe, &solution, law, &settings, &NoProgress);
            let settled = settled.expect("memory for the residue");
            let won = (0..universe.len()).filter(|&rank| {
                settled.outcome(rank, Color::Sente) == Some(Category::Win)
                    && rank <= universe.image(rank)
            });
            assert_eq!(won.count(), 56);
        });
    });
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

criterion_group!(benches, solving, solving_sets, settling, checking);
criterion_main!(benches);
