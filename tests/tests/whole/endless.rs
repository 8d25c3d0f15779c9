//! Endless play in tables: the checker refuses every wrong outcome, and the strategies shown keep what the law
//! gives. About ten seconds of processor time.

use std::path::Path;

use koma_games::{Category, Color, Law, Position, RankedUniverse, Record, Universe, Value};
use koma_solver::{
    CheckError, NoProgress, Settings, Solution, Strategy, check, check_outcomes, outcomes, settle,
    solve,
};
use koma_tables::{Identity, Kind, Outcomes, ProbedMove, Prober, Table, Writer};
use koma_tests::random::Random;
use koma_tests::shogi_oracle::oracle_sets;
use koma_tests::{oracle, tables};

const ALL: [Category; 3] = [Category::Loss, Category::Draw, Category::Win];

fn settings() -> Settings {
    Settings {
        threads: Some(2),
        ..Settings::default()
    }
}

fn solved(name: &str) -> (RankedUniverse, Solution) {
    let universe: RankedUniverse = name.parse().unwrap();
    let solution = solve(&universe, &settings(), &NoProgress).unwrap();
    (universe, solution)
}

fn residue(universe: &RankedUniverse, solution: &Solution) -> Vec<u64> {
    let ranks = 0..universe.len();
    ranks
        .filter(|&rank| solution.value(rank) == Some(Value::Draw))
        .collect()
}

/// A table with these outcomes under one law.
fn table(
    universe: &RankedUniverse,
    solution: &Solution,
    law: Law,
    by_number: &[[Category; 2]],
) -> Table<Vec<u8>> {
    let mut outcomes = Outcomes::new(law);
    for (rank, &pair) in residue(universe, solution).into_iter().zip(by_number) {
        outcomes.push(pair, rank <= universe.image(rank));
    }
    let identity = Identity {
        law,
        ..Identity::from(universe)
    };
    let file = format!("endless-{}.koma", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    let writer = Writer::create(&path).unwrap();
    solution
        .write_settled(writer, &identity, Kind::Dtm, &[outcomes])
        .unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let table = Table::open(bytes).unwrap();
    table.verify().unwrap();
    table
}

/// Outcomes changed to every other one, under every law; and outcomes that differ in many places.
#[test]
fn wrong_outcomes_are_refused() {
    let (universe, solution) = solved("minishogi:s");
    let ranks = residue(&universe, &solution);
    assert!(ranks.len() > 40);
    for law in [Law::Uec, Law::Pcl, Law::Inventor] {
        let settled = settle(&universe, &solution, law, &settings(), &NoProgress).unwrap();
        let right: Vec<[Category; 2]> = ranks
            .iter()
            .map(|&rank| Color::BOTH.map(|mover| settled.outcome(rank, mover).unwrap()))
            .collect();
        let verdict = |outcomes: &[[Category; 2]]| {
            let table = table(&universe, &solution, law, outcomes);
            check_outcomes(&universe, &table, Some(1), &NoProgress)
        };
        verdict(&right).unwrap_or_else(|error| panic!("{law:?}: {error}"));
        let refused = |wrong: &[[Category; 2]]| match verdict(wrong) {
            Err(CheckError::WrongOutcomes {
                law: named, count, ..
            }) => assert!(named == law && count > 0),
            verdict => panic!("{law:?}: {verdict:?}"),
        };
        for number in (0..ranks.len()).step_by(5) {
            for color in Color::BOTH {
                for other in ALL {
                    let mut wrong = right.clone();
                    wrong[number][color.index()] = other;
                    if wrong != right {
                        refused(&wrong);
                    }
                }
            }
        }
        // Consistent with each other move by move, and wrong all the same.
        for outcome in ALL {
            let turned = match outcome {
                Category::Loss => Category::Win,
                Category::Draw => Category::Draw,
                Category::Win => Category::Loss,
            };
            let wrong = vec![[outcome, turned]; ranks.len()];
            if wrong != right {
                refused(&wrong);
            }
        }
    }
}

/// Among the best moves the first that makes most progress.
fn best(prober: &Prober<Vec<u8>>, strategy: &Strategy, position: &Position) -> ProbedMove {
    let moves = prober.moves(position).unwrap();
    let first = moves[0];
    let alike = moves.into_iter().filter(|after| after.probe == first.probe);
    let kept = first.probe.one_ply_earlier().category;
    alike
        .min_by_key(|after| {
            let rank = prober.universe().rank(&after.position)?;
            strategy.progress(rank, position.side(), kept)
        })
        .unwrap()
}

/// The checker passes what was solved; outcomes under `pcl` are those that settling under it gives; and
/// from positions of the residue, the rare ones among them, best play ends as the table says.
#[test]
fn strategies_keep_what_the_law_gives() {
    let (universe, solution) = solved("minishogi:gs");
    let own = universe.game().law();
    let settled = outcomes(&universe, &solution, own, &settings(), &NoProgress).unwrap();
    let laws: Vec<Law> = settled
        .iter()
        .map(|outcomes| outcomes.counts().law)
        .collect();
    assert_eq!(laws, [Law::Uec, Law::Pcl, Law::Inventor]);
    let folder = env!("CARGO_TARGET_TMPDIR");
    let bytes = tables::settled_bytes(&universe, &solution, &settled, folder);
    let table = Table::open(bytes).unwrap();
    table.verify().unwrap();
    check(&universe, &table, Some(2), &NoProgress).unwrap();
    check_outcomes(&universe, &table, Some(2), &NoProgress).unwrap();

    let ranks = residue(&universe, &solution);
    let pcl = settle(&universe, &solution, Law::Pcl, &settings(), &NoProgress).unwrap();
    for &rank in &ranks {
        for mover in Color::BOTH {
            let stored = table.outcome(Law::Pcl, rank, mover).unwrap();
            assert_eq!(stored, pcl.outcome(rank, mover), "rank {rank}");
        }
    }

    let strategy = Strategy::find(&universe, &table, &settings(), &NoProgress).unwrap();
    let prober = Prober::new(universe, table).unwrap();
    let sets = oracle_sets();
    let set = sets.iter().find(|set| set.name() == "minishogi:gs");
    set.expect("a set of the oracle").compare_table(&prober);
    let game = prober.game();
    let mut random = Random::new(5);
    let specials = oracle::rows(oracle::SMALL_SPECIALS)
        .filter(|row| row[..2] == ["minishogi", "GS"])
        .map(|row| game.parse_position(row[2]).unwrap());
    let chosen = (0..300).map(|_| {
        let rank = ranks[random.below(ranks.len() as u64) as usize];
        let position = prober.universe().unrank(rank);
        match random.below(2) {
            0 => position,
            _ => game.rotated(&position),
        }
    });
    let mut ends = [0; 2];
    let mut mixed = 0;
    for position in specials.chain(chosen) {
        // Without a strategy, moves that keep endless play and give no check come first.
        let moves = prober.moves(&position).unwrap();
        let first = moves[0].probe;
        let checks: Vec<bool> = moves
            .iter()
            .take_while(|after| after.probe == first)
            .map(|after| game.in_check(&after.position))
            .collect();
        if first.one_ply_earlier().category != Category::Loss {
            assert!(checks.is_sorted(), "{}", game.sfen(&position));
            mixed += u32::from(checks.first() != checks.last());
        }
        let category = prober.probe(&position).unwrap().category;
        let mut record = Record::new(game, position);
        while record.outcome().is_none() {
            let after = best(&prober, &strategy, record.position());
            record.play(after.mv).unwrap();
        }
        let winner = match category {
            Category::Win => Some(position.side()),
            Category::Draw => None,
            Category::Loss => Some(position.side().opponent()),
        };
        let outcome = record.outcome().unwrap();
        assert_eq!(outcome.winner(), winner, "{}", game.sfen(&position));
        ends[winner.unwrap().index()] += 1;
    }
    assert!(mixed > 10, "{mixed}");
    assert!(ends[0] > 20 && ends[1] > 200, "{ends:?}");
}
