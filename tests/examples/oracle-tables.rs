//! Compares the **tables of the oracles' sets** that stand in a folder with all that the oracles say of
//! them: the counts of headers and of statistics, folded and not, the histograms, the outcomes under each
//! law, and the answer for every position. Nothing is solved but what is missing: the sets of up to two
//! pieces are solved by the tests, those of three take minutes.
//!
//! `koma solve 'minishogi:*3' --dir FOLDER`, and then
//! `cargo run --release -p koma-tests --example oracle-tables -- FOLDER` compares every set that has a table
//! there; names of sets (`minishogi:ggs`) behind the folder compare these alone. The first difference ends
//! the run with an exit code other than 0.

use std::process::ExitCode;

use koma_games::RankedUniverse;
use koma_solver::Settings;
use koma_tables::{Directory, Identity, OpenFault, Prober};
use koma_tests::shogi_oracle::oracle_sets;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("a folder of tables is to be named, and perhaps sets");
        return ExitCode::from(2);
    };
    let wanted: Vec<String> = arguments.map(|name| in_order(&name)).collect();
    let sets = oracle_sets();
    let names: Vec<String> = sets.iter().map(|set| in_order(&set.name())).collect();
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        eprintln!("{unknown} is none of the sets: {}", names.join(" "));
        return ExitCode::from(2);
    }
    let directory = Directory::new(folder);
    let (mut compared, mut missing) = (0, 0);
    // The smaller ones first.
    for (set, name) in sets.iter().zip(&names).rev() {
        if !wanted.is_empty() && !wanted.contains(name) {
            continue;
        }
        let universe: RankedUniverse = name.parse().expect("the name of a set");
        let table = match directory.open(&Identity::from(&universe)) {
            Ok(table) => table,
            Err(error) if matches!(error.fault, OpenFault::Missing { .. }) => {
                println!("{name}: no table");
                missing += 1;
                continue;
            }
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(3);
            }
        };
        if let Err(error) = table.verify() {
            eprintln!("{error}");
            return ExitCode::from(1);
        }
        set.compare_moves();
        set.compare_statistics(&universe, &table, &Settings::default());
        let prober = Prober::new(universe, table).expect("the table is of the universe");
        set.compare_table(&prober);
        let positions = set.positions();
        println!("{name}: as the oracles have it: all counts, {positions} positions");
        compared += 1;
    }
    println!("{compared} sets agree, {missing} have no table");
    match missing {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

/// The name of a set with its letters in the usual order.
fn in_order(name: &str) -> String {
    let universe = name.parse::<RankedUniverse>();
    universe.map_or_else(|_| name.to_owned(), |universe| universe.to_string())
}
