//! What laws make of endless play, on graphs that are no games: compared with play in which every
//! repetition is counted.

use std::collections::BTreeSet;
use std::sync::Mutex;

use koma_games::{Category, Checks, Color, Law, Terminal, Universe, Value};
use koma_solver::{NoProgress, Settings, SettleError, Settled, settle, solve};
use koma_tests::naive_endless::{NaiveEndless, NaiveLaw, NaiveOutcome};
use koma_tests::parallel;
use koma_tests::random::Random;

use crate::graphs::Graph;

fn settled(graph: &Graph, law: Law, threads: usize) -> Result<Settled, SettleError> {
    let settings = Settings {
        threads: Some(threads),
        ..Settings::default()
    };
    let solution = solve(graph, &settings, &NoProgress).expect("a solution");
    settle(graph, &solution, law, &settings, &NoProgress)
}

/// Random moves and checks; a few ranks are mates, or lead nowhere.
fn random_graph(random: &mut Random, ranks: usize) -> Graph {
    let mut graph = Graph::new(ranks);
    let [most_moves, decided, checks] =
        [1 + random.below(3), 4 + random.below(12), random.below(6)];
    for rank in 0..ranks {
        // Nobody, everybody or some are in check.
        graph.checked[rank] = match checks {
            0 => false,
            1 => true,
            bound => random.below(bound) == 0,
        };
        if random.below(decided) == 0 {
            graph.terminal[rank] = Some(Terminal::Decided(Value::Loss(0)));
            continue;
        }
        for _ in 0..1 + random.below(most_moves) {
            let to = random.below(ranks as u64) as usize;
            graph.connect(rank, to);
        }
    }
    graph
}

/// Play by the rules of a game in which the last of so many occurrences of a position ends it. A position
/// is a rank and the color to move.
struct Play<'a> {
    graph: &'a Graph,
    law: Law,
    occurrences: usize,
    history: Vec<(u64, Color)>,
    /// Positions yet to be looked at before it takes too long.
    patience: u32,
}

impl Play<'_> {
    /// The outcome for the mover, if it is between `low` and `high`; else a bound. Nothing if it takes too
    /// long.
    fn outcome(&mut self, (rank, mover): (u64, Color), low: i8, high: i8) -> Option<i8> {
        self.patience = self.patience.checked_sub(1)?;
        self.history.push((rank, mover));
        let outcome = self.outcome_here((rank, mover), low, high);
        self.history.pop();
        outcome
    }

    fn outcome_here(&mut self, here: (u64, Color), low: i8, high: i8) -> Option<i8> {
        let graph = self.graph;
        let (rank, mover) = here;
        if let Some(terminal) = graph.terminal[rank as usize] {
            assert_eq!(terminal, Terminal::Decided(Value::Loss(0)));
            return Some(-1);
        }
        let mut places = (0..self.history.len()).filter(|&place| self.history[place] == here);
        let first = places.next().expect("the last place");
        if 1 + places.count() == self.occurrences {
            let winner = self.law.settle(self.checks(first)).winner;
            return Some(winner.map_or(0, |winner| if winner == mover { 1 } else { -1 }));
        }
        // A mover without a move has lost.
        let mut best = -1;
        for &after in &graph.successors[rank as usize] {
            if best >= high {
                break;
            }
            let next = (after, mover.opponent());
            best = best.max(-self.outcome(next, -high, -low.max(best))?);
        }
        Some(best)
    }

    /// The checks of the moves from a place in the history on.
    fn checks(&self, first: usize) -> [Checks; 2] {
        Color::BOTH.map(|color| {
            let after = self.history[first + 1..].iter();
            let moves = after.filter(|(_, mover)| *mover != color);
            let checks: Vec<bool> = moves
                .map(|&(rank, _)| self.graph.checked[rank as usize])
                .collect();
            Checks {
                every: checks.iter().all(|&check| check),
                any: checks.contains(&true),
            }
        })
    }
}

const CATEGORIES: [Category; 3] = [Category::Loss, Category::Draw, Category::Win];

/// Two, three or four occurrences, on graphs small enough for each.
#[test]
fn outcomes_are_those_of_counted_repetitions() {
    // What was compared: law, occurrences, outcome with sente and with gote to move.
    let seen = Mutex::new(BTreeSet::new());
    let compared = Mutex::new([0; 3]);
    parallel::for_each((0..3_000).collect(), |seed: u64| {
        let mut random = Random::new(seed);
        let occurrences = 2 + seed as usize % 3;
        let ranks = 2 + random.below([7, 4, 3][occurrences - 2]) as usize;
        let graph = random_graph(&mut random, ranks);
        let settings = Settings {
            threads: Some(1),
            ..Settings::default()
        };
        let solution = solve(&graph, &settings, &NoProgress).expect("a solution");
        for law in Law::ALL {
            let settled = settle(&graph, &solution, law, &settings, &NoProgress)
                .unwrap_or_else(|error| panic!("graph {seed}: {error}"));
            for rank in 0..graph.len() {
                let value = solution.value(rank).expect("no hole");
                let outcomes = Color::BOTH.map(|mover| {
                    let outcome = settled.outcome(rank, mover);
                    assert_eq!(outcome.is_some(), value == Value::Draw);
                    let outcome = outcome.unwrap_or(value.category());
                    let mut play = Play {
                        graph: &graph,
                        law,
                        occurrences,
                        history: Vec::new(),
                        patience: 100_000,
                    };
                    let Some(expected) = play.outcome((rank, mover), -1, 1) else {
                        return outcome;
                    };
                    let expected = CATEGORIES[(expected + 1) as usize];
                    let what = format!("graph {seed}, {law:?}, rank {rank}, {mover:?} to move");
                    assert_eq!(outcome, expected, "{what}, {occurrences} occurrences");
                    if value == Value::Draw {
                        compared.lock().unwrap()[occurrences - 2] += 1;
                    }
                    outcome
                });
                if value == Value::Draw {
                    seen.lock().unwrap().insert((law.name(), outcomes));
                }
            }
        }
    });
    let compared = compared.into_inner().unwrap();
    assert!(
        compared.iter().all(|&compared| compared > 10_000),
        "{compared:?}"
    );
    let seen = seen.into_inner().unwrap();
    let pairs = |law: Law| seen.iter().filter(|(name, _)| *name == law.name()).count();
    // All that there can be: without a color in the law both fare alike, and where endless play loses for
    // sente it is no worse to be gote.
    for (name, [sente, gote]) in &seen {
        assert!(sente <= gote, "{name}");
    }
    assert_eq!(Law::ALL.map(pairs), [1, 6, 3, 6], "{seen:?}");
}

/// On graphs too large to count repetitions, outcomes are the naive ones: with checks by both sides, which
/// games hardly show.
#[test]
fn outcomes_are_the_naive_ones() {
    let compared = Mutex::new([0; 3]);
    parallel::for_each((0..2_000).collect(), |seed: u64| {
        let mut random = Random::new(1_000_000 + seed);
        let ranks = 10 + random.below(200) as usize;
        let graph = random_graph(&mut random, ranks);
        let settings = Settings {
            threads: Some(1),
            ..Settings::default()
        };
        let solution = solve(&graph, &settings, &NoProgress).expect("a solution");
        let undecided: Vec<u64> = (0..graph.len())
            .filter(|&rank| solution.value(rank) == Some(Value::Draw))
            .collect();
        // The positions are numbered by rank, sente to move before gote.
        let mut endless = NaiveEndless::default();
        for &rank in &undecided {
            for color in Color::BOTH {
                let after = graph.successors[rank as usize].iter();
                let after = after.filter_map(|after| undecided.binary_search(after).ok());
                let after = after.map(|after| (2 * after + color.opponent().index()) as u32);
                let place = 2 * rank as usize + color.index();
                let checked = graph.checked[rank as usize];
                endless.push(place, color == Color::Sente, checked, after);
            }
        }
        for (law, naive) in [
            (Law::Uec, NaiveLaw::Uec),
            (Law::Pcl, NaiveLaw::Pcl),
            (Law::Inventor, NaiveLaw::Inventor),
        ] {
            let settled = settle(&graph, &solution, law, &settings, &NoProgress)
                .unwrap_or_else(|error| panic!("graph {seed}: {error}"));
            for (number, outcome) in endless.settle(naive).into_iter().enumerate() {
                let (rank, color) = (undecided[number / 2], Color::BOTH[number % 2]);
                let expected = match outcome {
                    NaiveOutcome::Win => Category::Win,
                    NaiveOutcome::Draw => Category::Draw,
                    NaiveOutcome::Loss => Category::Loss,
                };
                let found = settled.outcome(rank, color);
                let what = format!("graph {seed}, {law:?}, rank {rank}, {color:?} to move");
                assert_eq!(found, Some(expected), "{what}");
                compared.lock().unwrap()[expected as usize] += 1;
            }
        }
    });
    let compared = compared.into_inner().unwrap();
    assert!(
        compared.iter().all(|&compared| compared > 10_000),
        "{compared:?}"
    );
}

/// The outcomes of large graphs are the best of those that moves lead to, the same for any number of
/// threads, and the same for both colors if the law names none.
#[test]
fn outcomes_of_large_graphs_fit_together() {
    parallel::for_each((0..60).collect(), |seed: u64| {
        let mut random = Random::new(seed);
        let ranks = 1_000 + random.below(100_000) as usize;
        let graph = random_graph(&mut random, ranks);
        for law in Law::ALL {
            let [one, more] = [1, 3].map(|threads| settled(&graph, law, threads).unwrap());
            for rank in 0..graph.len() {
                for mover in Color::BOTH {
                    let outcome = one.outcome(rank, mover);
                    assert_eq!(outcome, more.outcome(rank, mover), "graph {seed} {law:?}");
                    let after = graph.successors[rank as usize].iter();
                    let best = after
                        .filter_map(|&after| one.outcome(after, mover.opponent()))
                        .map(|category| CATEGORIES[2 - category as usize])
                        .max();
                    if outcome.is_some() {
                        assert_eq!(outcome, best, "graph {seed} {law:?}, rank {rank}");
                    }
                }
                if law.terms().loser.is_none() {
                    let [sente, gote] = Color::BOTH.map(|mover| one.outcome(rank, mover));
                    assert_eq!(sente, gote, "graph {seed} {law:?}, rank {rank}");
                }
            }
        }
    });
}

/// Rank 0 and 1 lead to each other and both are in check: each side checks with every move, which no game
/// has shown. Rank 2 may enter that, or go on quietly with 3.
#[test]
fn mutual_perpetual_check() {
    let mut graph = Graph::new(4);
    for (from, to) in [(0, 1), (1, 0), (2, 0), (2, 3), (3, 2)] {
        graph.connect(from, to);
    }
    graph.checked[..2].fill(true);
    for (law, quiet) in [
        (Law::Draw, [Category::Draw; 2]),
        // Sente would lose by quiet play, and so enters the checks; gote would rather go on.
        (Law::Uec, [Category::Draw, Category::Win]),
        (Law::Pcl, [Category::Draw; 2]),
        (Law::Inventor, [Category::Draw, Category::Win]),
    ] {
        let settled = settled(&graph, law, 1).unwrap();
        assert_eq!((settled.len(), settled.law()), (4, law));
        for mover in Color::BOTH {
            for rank in [0, 1] {
                assert_eq!(
                    settled.outcome(rank, mover),
                    Some(Category::Draw),
                    "{law:?}"
                );
            }
            let outcome = settled.outcome(2, mover);
            assert_eq!(outcome, Some(quiet[mover.index()]), "{law:?}");
        }
    }
}

/// What is no residue is refused, by the lowest rank.
#[test]
fn draws_by_rule_are_refused() {
    let mut graph = Graph::new(4);
    for (from, to) in [(0, 0), (1, 2), (3, 2)] {
        graph.connect(from, to);
    }
    graph.terminal[2] = Some(Terminal::Decided(Value::Draw));
    let error = settled(&graph, Law::Pcl, 2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rank 2 is called undecided, but the rules decide it"
    );
    // As if the solution were another universe's.
    graph.terminal[2] = None;
    let settings = Settings::default();
    let [of_four, of_three] = [4, 3].map(|ranks| {
        let mut loops = Graph::new(ranks);
        (0..ranks).for_each(|rank| loops.connect(rank, rank));
        solve(&loops, &settings, &NoProgress).expect("a solution")
    });
    let error = settle(&graph, &of_four, Law::Pcl, &settings, &NoProgress).unwrap_err();
    assert_eq!(
        error.to_string(),
        "rank 2 is called undecided, but no move of it leads to another undecided one"
    );
    let error = settle(&graph, &of_three, Law::Pcl, &settings, &NoProgress).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the solution has 3 ranks, the universe 4"
    );
}

/// More moves than a byte or two can count.
#[test]
fn many_moves_within_the_residue() {
    for moves in [255, 65_536] {
        let mut graph = Graph::new(2);
        for _ in 0..moves {
            graph.connect(0, 1);
        }
        graph.connect(1, 0);
        graph.checked[1] = true;
        let settled = settled(&graph, Law::Pcl, 1).unwrap();
        // Gote gives check again and again, and can't help it.
        assert_eq!(settled.outcome(0, Color::Gote), Some(Category::Loss));
    }
}
