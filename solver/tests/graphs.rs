//! The engine on graphs: random ones against plain value iteration, and chains too deep for a byte.

use koma_games::{Terminal, Universe, Value};
use koma_solver::{NoProgress, Settings, SolveError, check, solve};
use koma_tables::{Coding, Identity, Kind, Table, Writer};

/// A graph of ranks, made by hand as lists of successors.
struct Graph {
    terminal: Vec<Option<Terminal>>,
    successors: Vec<Vec<u64>>,
    predecessors: Vec<Vec<u64>>,
}

impl Graph {
    fn new(terminal: Vec<Option<Terminal>>, successors: Vec<Vec<u64>>) -> Graph {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (rank, list) in successors.iter().enumerate() {
            for &after in list {
                predecessors[after as usize].push(rank as u64);
            }
        }
        Graph {
            terminal,
            successors,
            predecessors,
        }
    }
}

impl Universe for Graph {
    const WITHOUT_SUCCESSORS: Value = Value::Loss(0);

    fn len(&self) -> u64 {
        self.terminal.len() as u64
    }

    fn terminal(&self, rank: u64) -> Option<Terminal> {
        self.terminal[rank as usize]
    }

    fn successors(&self, rank: u64, emit: impl FnMut(u64)) {
        self.successors[rank as usize]
            .iter()
            .copied()
            .for_each(emit);
    }

    fn predecessors(&self, rank: u64, emit: impl FnMut(u64)) {
        self.predecessors[rank as usize]
            .iter()
            .copied()
            .for_each(emit);
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

fn settings(threads: usize) -> Settings {
    Settings {
        threads: Some(threads),
        memory: None,
    }
}

/// Values by iteration from "nothing is known", one ply a step, over forward moves.
fn iterate(graph: &Graph) -> Vec<Option<Value>> {
    let len = graph.len();
    let mut known: Vec<Option<Value>> = vec![None; len as usize];
    let is_hole = |rank| graph.terminal(rank) == Some(Terminal::Hole);
    for ply in 0..=len as u32 + 10 {
        let before = known.clone();
        for rank in 0..len {
            if before[rank as usize].is_some() || is_hole(rank) {
                continue;
            }
            let mut after = Vec::new();
            graph.successors(rank, |next| after.push(before[next as usize]));
            let value = match graph.terminal(rank) {
                Some(Terminal::Decided(value)) => Some(value),
                _ if after.is_empty() => Some(Value::Loss(0)),
                _ if after.iter().any(|v| matches!(v, Some(Value::Loss(_)))) => {
                    Some(Value::Win(ply))
                }
                _ if after.iter().all(|v| matches!(v, Some(Value::Win(_)))) => {
                    Some(Value::Loss(ply))
                }
                _ => None,
            };
            if value.and_then(Value::plies) == Some(ply) {
                known[rank as usize] = value;
            }
        }
    }
    (0..len)
        .map(|rank| (!is_hole(rank)).then(|| known[rank as usize].unwrap_or(Value::Draw)))
        .collect()
}

/// A graph of up to 300 ranks with holes, decided ranks of several plies, and double edges.
fn random_graph(random: &mut Random) -> Graph {
    let len = 1 + random.below(300);
    let terminal: Vec<Option<Terminal>> = (0..len)
        .map(|_| match random.below(24) {
            0 => Some(Terminal::Hole),
            1 => Some(Terminal::Decided(Value::Win(1))),
            2 => Some(Terminal::Decided(Value::Loss(0))),
            3 => Some(Terminal::Decided(Value::Loss(2))),
            4 => Some(Terminal::Decided(Value::Win(5))),
            _ => None,
        })
        .collect();
    let most = 1 + random.below(6);
    let successors = (0..len)
        .map(|rank| match terminal[rank as usize] {
            None => {
                let count = random.below(most + 1);
                let mut list: Vec<u64> = (0..count).map(|_| random.below(len)).collect();
                list.retain(|&next| terminal[next as usize] != Some(Terminal::Hole));
                list
            }
            Some(_) => Vec::new(),
        })
        .collect();
    Graph::new(terminal, successors)
}

#[test]
fn random_graphs_have_the_values_of_plain_iteration() {
    let mut random = Random(7);
    let mut seen = [0u64; 3];
    for round in 0..400 {
        let graph = random_graph(&mut random);
        let expected = iterate(&graph);
        for threads in [1, 2, 7] {
            let solution = solve(&graph, &settings(threads), &NoProgress).unwrap();
            for (rank, &value) in expected.iter().enumerate() {
                assert_eq!(
                    solution.value(rank as u64),
                    value,
                    "graph {round}, rank {rank}"
                );
            }
        }
        for value in expected.into_iter().flatten() {
            seen[value.category() as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
}

/// Rank `n` leads to `n - 1` only; rank 0 has lost.
fn chain(depth: u64) -> Graph {
    let successors = (0..=depth)
        .map(|rank| rank.checked_sub(1).into_iter().collect())
        .collect();
    Graph::new(vec![None; depth as usize + 1], successors)
}

/// cases.md 74: distances beyond a byte, and beyond two, are exact in memory and in the file.
#[test]
fn case_74_chains_are_as_deep_as_they_are() {
    let folder = std::env::temp_dir().join(format!("koma-chains-{}", std::process::id()));
    for (depth, bits) in [(100, 8), (300, 16), (70_000, 32)] {
        let graph = chain(depth);
        let solution = solve(&graph, &settings(2), &NoProgress).unwrap();
        assert_eq!(solution.deepest(), Some(depth as u32));
        let identity = Identity {
            game: "chain".into(),
            universe: format!("chain-{depth}"),
            numbering: 1,
            law: koma_games::Law::Draw,
        };
        let file = folder.join(format!("{depth}.koma"));
        solution
            .write(Writer::create(&file).unwrap(), &identity, Kind::Dtm)
            .unwrap();
        let table = Table::open_file(&file).unwrap();
        assert_eq!(table.coding().bits(), bits);
        assert!(matches!(table.coding(), Coding::Parity(_)));
        for rank in 0..=depth {
            let plies = rank as u32;
            let expected = if plies % 2 == 1 {
                Value::Win(plies)
            } else {
                Value::Loss(plies)
            };
            assert_eq!(solution.value(rank), Some(expected));
            assert_eq!(table.cell(rank).unwrap().value(), Some(expected));
        }
        check(&graph, &table, Some(2), &NoProgress).unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// More moves than a byte can count, in a universe of byte-sized distances.
#[test]
fn many_moves_are_counted_exactly() {
    for moves in [200, 253, 254, 255, 256, 300, 70_000] {
        // Rank 0 has every other rank to go to; each of those wins by going to the last, lost one.
        let lost = moves + 1;
        let mut successors = vec![(1..=moves).collect::<Vec<_>>()];
        successors.extend((1..=moves).map(|_| vec![lost]));
        successors.push(Vec::new());
        let graph = Graph::new(vec![None; lost as usize + 1], successors);
        let solution = solve(&graph, &settings(2), &NoProgress).unwrap();
        assert_eq!(solution.value(0), Some(Value::Loss(2)), "{moves} moves");
        assert_eq!(solution.census().ranks.win, moves);
    }
}

#[test]
fn too_little_memory_is_refused_before_any_work() {
    let settings = Settings {
        threads: Some(1),
        memory: Some(1_000),
    };
    let error = solve(&chain(2_000), &settings, &NoProgress).unwrap_err();
    assert!(matches!(error, SolveError::Memory { ranks: 2_001, .. }));
    assert!(error.to_string().contains("--memory"), "{error}");
}
