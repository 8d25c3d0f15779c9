//! Compares **every set** of one or two pieces of minishogi and gorogoro with the naive implementation, and
//! every set of the oracles with what they say. The tests do so for small sets only.
//!
//! `cargo run --release -p koma-tests --example every-set` compares all; names of sets (`minishogi:gp
//! gorogoro:s minishogi:ggs`) can be given to compare these alone. What agrees is printed set by set; the
//! first difference ends the run with an exit code other than 0.

use std::process::ExitCode;

use koma_solver::Settings;
use koma_tests::every_set::{self, GAMES, compare};
use koma_tests::shogi_oracle::{OracleSet, oracle_sets};

fn main() -> ExitCode {
    let settings = Settings::default();
    let folder = std::env::temp_dir();
    let folder = folder.to_str().expect("a folder named in UTF-8");
    let oracle_sets = oracle_sets();
    let mut sets: Vec<String> = oracle_sets.iter().map(OracleSet::name).collect();
    for (game, naive) in GAMES {
        let all = naive.sets().into_iter();
        sets.extend(all.map(|letters| every_set::name(game, &letters)));
    }
    // The smaller ones first.
    sets.sort_by_key(|set| (set.len(), set.clone()));
    sets.dedup();
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| !sets.contains(name)) {
        eprintln!("{unknown} is none of the sets: {}", sets.join(" "));
        return ExitCode::from(2);
    }
    sets.retain(|set| wanted.is_empty() || wanted.contains(set));
    for name in &sets {
        let (game, letters) = name.split_once(':').expect("a game and pieces");
        let (_, naive) = GAMES
            .into_iter()
            .find(|(name, _)| *name == game)
            .expect("a game");
        let oracle = oracle_sets.iter().find(|set| set.name() == *name);
        let naive = (letters.len() <= 2).then(|| naive.solve(letters));
        if let Some(naive) = &naive {
            let compared = compare(&every_set::universe(name), naive, &settings);
            println!("{name}: as the naive implementation has it: {compared}");
        }
        if let Some(set) = oracle {
            set.compare_moves();
            set.compare_solution(&settings, folder);
            if let Some(naive) = &naive {
                set.compare_naive(naive);
            }
            let positions = set.positions();
            println!("{name}: as the oracles have it: all counts, {positions} positions");
        }
    }
    println!("{} sets agree", sets.len());
    ExitCode::SUCCESS
}
