//! Values by retrograde analysis against values by naive iteration, on everything small.

use std::collections::HashMap;

use koma_games::{RankedUniverse, Terminal, Universe, Value};
use koma_solver::{NoProgress, Settings, Solution, solve};
use koma_tables::Counts;
use koma_tests::naive::{self, NaiveGame};
use koma_tests::parallel;
use koma_tests::small_sets::{OPTIONS, SmallSet, small_sets};
use koma_tests::tables::prober;
use koma_tests::values::{answer, as_naive};

fn solved(universe: &RankedUniverse) -> Solution {
    let settings = Settings {
        threads: Some(1),
        ..Settings::default()
    };
    solve(universe, &settings, &NoProgress).unwrap_or_else(|error| panic!("{universe}: {error}"))
}

/// Every position of every small set, seen from both sides and both ways mirrored, with a rank or
/// decided by the rules, has the naive value; and what the rules decide of a rank are exactly the
/// wins in one.
#[test]
fn values_are_the_naive_values() {
    parallel::for_each(small_sets(), |set| {
        let prober = prober(set.universe(), Some(1), env!("CARGO_TARGET_TMPDIR"));
        let universe = prober.universe();
        assert_eq!(prober.table().len(), universe.len(), "{set}");
        let mut seen = vec![false; universe.len() as usize];
        for (sfen, expected) in set.naive().solve() {
            let position = prober
                .game()
                .parse_position(&sfen)
                .unwrap_or_else(|error| panic!("{sfen}: {error}"));
            let value = answer(prober.probe(&position));
            assert_eq!(as_naive(value), expected, "{set}: {sfen}");
            if let Some(rank) = universe.rank(&position) {
                seen[rank as usize] = true;
                let won = Value::Win(1);
                let at_once = (value == won).then_some(Terminal::Decided(won));
                assert_eq!(universe.terminal(rank), at_once, "{set}: {sfen}");
            }
        }
        assert!(seen.iter().all(|&seen| seen), "{set}");
    });
}

/// The census counts each position once, whichever of its mirror images have ranks.
#[test]
fn census_counts_distinct_positions() {
    parallel::for_each(small_sets(), |set| {
        // The others differ from these in the options only, or are larger.
        if set.options != OPTIONS[0] && set.options != OPTIONS[5] || set.letters.len() > 2 {
            return;
        }
        let universe = set.universe();
        let solution = solved(&universe);
        let (positions, ranks) = naive_counts(&set, &universe);
        assert_eq!(totals(&solution.census().positions), positions, "{set}");
        assert_eq!(totals(&solution.census().ranks), ranks, "{set}");
    });
}

/// Win, loss and draw, and how many end after so many plies.
type Totals = ([u64; 3], HashMap<u32, u64>);

fn totals(counts: &Counts) -> Totals {
    (
        [counts.win, counts.loss, counts.draw],
        counts.by_plies.iter().copied().collect(),
    )
}

/// The naive counts of positions with a rank: each set of images (turned, mirrored) once, and
/// each set of images once for each rank it has.
fn naive_counts(set: &SmallSet, universe: &RankedUniverse) -> (Totals, Totals) {
    let naive: NaiveGame = set.naive();
    let mut positions = Totals::default();
    let mut ranks = Totals::default();
    for (sfen, value) in naive.solve() {
        let images = naive.images(&sfen);
        if images.iter().any(|image| *image < sfen) {
            continue;
        }
        let mut ranked: Vec<u64> = images
            .iter()
            .filter_map(|image| {
                let position = universe.game().parse_position(image);
                universe.rank(&position.expect("a position"))
            })
            .collect();
        ranked.sort_unstable();
        ranked.dedup();
        add(&mut ranks, value, ranked.len() as u64);
        add(&mut positions, value, u64::from(!ranked.is_empty()));
    }
    (positions, ranks)
}

fn add(totals: &mut Totals, value: naive::Value, count: u64) {
    let (place, plies) = match value {
        naive::Value::Win(plies) => (0, Some(plies)),
        naive::Value::Loss(plies) => (1, Some(plies)),
        naive::Value::Draw => (2, None),
    };
    totals.0[place] += count;
    if let Some(plies) = plies
        && count > 0
    {
        *totals.1.entry(plies).or_default() += count;
    }
}
