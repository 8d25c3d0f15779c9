//! Sets of minishogi and gorogoro, solved and compared with an independent solver and with the naive
//! implementation.

use koma_solver::{FrontierKind, Settings};
use koma_tests::every_set::{self, GAMES, compare};
use koma_tests::naive_shogi::NaiveShogi;
use koma_tests::parallel;
use koma_tests::shogi_oracle::oracle_sets;

/// Sets of at most two pieces; larger ones take minutes, and are solved by the example `every-set`.
const MOST_PIECES: usize = 2;

/// Gold and gold: 834,378 placements.
const SMALLEST_OF_TWO: (&str, &str) = ("minishogi", "GG");

const ONE_THREAD: Settings = Settings {
    threads: Some(1),
    memory: None,
    frontier: FrontierKind::Fitting,
};

/// Every set of the oracles is numbered; those of few pieces are solved.
#[test]
fn sets_agree_with_the_oracle() {
    let sets = oracle_sets();
    let solved = sets.iter().filter(|set| set.pieces() <= MOST_PIECES);
    assert_eq!((sets.len(), solved.count()), (17, 13));
    let positions: usize = sets.iter().map(|set| set.positions()).sum();
    assert_eq!(positions, 17 * 400 + 8 * 50);
    parallel::for_each(sets, |set| {
        set.compare_moves();
        if set.pieces() <= MOST_PIECES {
            set.compare_solution(&ONE_THREAD, env!("CARGO_TARGET_TMPDIR"));
        }
    });
}

/// Every set of one piece, and the smallest of two: about 8 s of processor time. The example `every-set`
/// compares the others.
#[test]
fn small_sets_are_as_the_naive_implementation_has_them() {
    let oracle_sets = oracle_sets();
    let mut sets: Vec<(&str, NaiveShogi, String)> = Vec::new();
    for (game, naive) in GAMES {
        let small =
            |letters: &String| letters.len() == 1 || (game, &letters[..]) == SMALLEST_OF_TWO;
        let letters = naive.sets().into_iter().filter(small);
        sets.extend(letters.map(|letters| (game, naive, letters)));
    }
    assert_eq!(sets.len(), 5 + 3 + 1);
    // The larger ones first, so that no thread is left with them in the end.
    sets.sort_by_key(|(_, _, letters)| std::cmp::Reverse(letters.len()));
    parallel::for_each(sets, |(game, naive, letters)| {
        let name = every_set::name(game, &letters);
        let solution = naive.solve(&letters);
        let compared = compare(&every_set::universe(&name), &solution, &ONE_THREAD);
        assert_eq!(compared.values.iter().sum::<usize>(), solution.placements());
        if let Some(set) = oracle_sets.iter().find(|set| set.name() == name) {
            set.compare_naive(&solution);
        }
    });
}
