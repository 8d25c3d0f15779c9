//! The same bytes for any number of threads, and the same cells with and without a kernel.

use koma_games::{Plain, RankedUniverse, Universe};
use koma_solver::{FrontierKind, NoProgress, Settings, Solution, solve};
use koma_tests::tables::table_bytes;

fn solved(universe: &impl Universe, threads: usize, frontier: FrontierKind) -> Solution {
    let settings = Settings {
        threads: Some(threads),
        frontier,
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
    "dobutsu@3x6:gc",
    "dobutsu@5x5:c",
    "dobutsu@3x9:no-try:g",
    "dobutsu@9x3:e",
    "dobutsu@4x8:c",
];

/// The same where check must be met: sets with and without men that slide and pawns.
const LEGAL_NAMES: &[&str] = &[
    "minishogi:repetition=draw:r",
    "minishogi:repetition=draw:gp",
    "minishogi:repetition=draw:rb",
    "minishogi:repetition=draw:pp",
    "gorogoro:repetition=draw:p",
    "gorogoro:repetition=draw:g",
];

#[test]
fn bytes_do_not_depend_on_threads_or_frontiers() {
    for name in NAMES.iter().chain(LEGAL_NAMES) {
        let universe = universe(name);
        let bytes = |threads, frontier| {
            let solution = solved(&universe, threads, frontier);
            table_bytes(&universe, &solution, env!("CARGO_TARGET_TMPDIR"))
        };
        let one = bytes(1, FrontierKind::Fitting);
        for threads in [1, 2, 7] {
            use FrontierKind::{List, Search};
            for frontier in [Search, List] {
                assert!(
                    bytes(threads, frontier) == one,
                    "{name} with {threads} threads, {frontier:?}"
                );
            }
        }
    }
}

#[test]
fn cells_do_not_depend_on_the_kernel() {
    for name in NAMES.iter().chain(LEGAL_NAMES) {
        let universe = universe(name);
        let with = solved(&universe, 1, FrontierKind::Fitting);
        let without = solved(&Plain(&universe), 1, FrontierKind::Fitting);
        assert_eq!(with.census().ranks, without.census().ranks, "{name}");
        let mut holes = 0;
        for rank in 0..universe.len() {
            let value = with.value(rank);
            holes += u64::from(value.is_none());
            assert_eq!(value, without.value(rank), "{name}: rank {rank}");
        }
        assert_eq!(holes > 0, LEGAL_NAMES.contains(name), "{name}: holes");
    }
}
