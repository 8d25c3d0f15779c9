//! The same bytes for any number of threads, and the same cells with and without a kernel.

use koma_games::{Plain, RankedUniverse, Universe};
use koma_solver::{NoProgress, Settings, Solution, solve};
use koma_tests::tables::table_bytes;

fn solved(universe: &impl Universe, threads: usize) -> Solution {
    let settings = Settings {
        threads: Some(threads),
        ..Settings::default()
    };
    solve(universe, &settings, &NoProgress).expect("a solution")
}

fn universe(name: &str) -> RankedUniverse {
    name.parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Universes with many segments of many sizes.
const NAMES: &[&str] = &[
    "dobutsu:egc",
    "dobutsu:no-last-rank-chick-drop:ecc",
    "dobutsu:no-drops:eggc",
    "dobutsu:no-try:gcc",
    "dobutsu:no-try,no-drops:egc",
    "dobutsu@3x3:no-drops",
    "dobutsu@3x5:gc",
    "dobutsu@4x3:no-try:ec",
    "dobutsu@4x4:cc",
    "dobutsu@5x5:c",
    "dobutsu@3x9:no-try:g",
    "dobutsu@9x3:e",
    "dobutsu@4x8:c",
];

#[test]
fn bytes_do_not_depend_on_threads() {
    for name in NAMES {
        let universe = universe(name);
        let bytes = |threads| {
            let solution = solved(&universe, threads);
            table_bytes(&universe, &solution, env!("CARGO_TARGET_TMPDIR"))
        };
        let one = bytes(1);
        for threads in [2, 7] {
            assert!(bytes(threads) == one, "{name} with {threads} threads");
        }
    }
}

#[test]
fn cells_do_not_depend_on_the_kernel() {
    for name in NAMES {
        let universe = universe(name);
        let with = solved(&universe, 1);
        let without = solved(&Plain(&universe), 1);
        assert_eq!(with.census().ranks, without.census().ranks, "{name}");
        for rank in 0..universe.len() {
            let value = with.value(rank);
            assert!(value.is_some(), "{name}: rank {rank} is a hole");
            assert_eq!(value, without.value(rank), "{name}: rank {rank}");
        }
    }
}
