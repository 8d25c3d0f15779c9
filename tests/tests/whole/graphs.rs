//! The engine on universes that are no games: random graphs, with what games do not show.

use koma_games::{Terminal, Universe, Value};
use koma_solver::{NoProgress, Settings, Solution, solve};
use koma_tests::parallel;
use koma_tests::random::Random;

/// A universe written down as lists of ranks.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) terminal: Vec<Option<Terminal>>,
    /// Whether the mover is in check.
    pub(crate) checked: Vec<bool>,
    pub(crate) successors: Vec<Vec<u64>>,
    predecessors: Vec<Vec<u64>>,
}

impl Universe for Graph {
    type Whole = Self;

    const WITHOUT_SUCCESSORS: Value = Value::Loss(2);

    fn whole(&self) -> &Self {
        self
    }

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

    fn mover_in_check(&self, rank: u64) -> bool {
        self.checked[rank as usize]
    }
}

impl Graph {
    pub(crate) fn new(ranks: usize) -> Graph {
        Graph {
            terminal: vec![None; ranks],
            checked: vec![false; ranks],
            successors: vec![Vec::new(); ranks],
            predecessors: vec![Vec::new(); ranks],
        }
    }

    pub(crate) fn connect(&mut self, from: usize, to: usize) {
        self.successors[from].push(to as u64);
        self.predecessors[to].push(from as u64);
    }

    /// Random edges, some of them twice; some ranks are holes and some decided by the rules, at
    /// once or in several plies.
    fn random(seed: u64) -> Graph {
        let mut random = Random::new(seed);
        let ranks = 2 + random.below(300) as usize;
        let most_moves = 1 + random.below(4);
        let decided = 3 + random.below(20);
        let mut graph = Graph::new(ranks);
        for terminal in &mut graph.terminal {
            *terminal = match random.below(decided) {
                0 => Some(match random.below(8) {
                    0 => Terminal::Hole,
                    1 => Terminal::Decided(Value::Win(3)),
                    2 => Terminal::Decided(Value::Loss(8)),
                    3 => Terminal::Decided(Value::Win(7)),
                    4 => Terminal::Decided(Value::Loss(0)),
                    5 => Terminal::Decided(Value::Draw),
                    _ => Terminal::Decided(Value::Win(1)),
                }),
                _ => None,
            };
        }
        for from in 0..ranks {
            if graph.terminal[from] == Some(Terminal::Hole) {
                continue;
            }
            for _ in 0..random.below(most_moves + 1) {
                let to = random.below(ranks as u64) as usize;
                if graph.terminal[to] == Some(Terminal::Hole) {
                    continue;
                }
                for _ in 0..1 + random.below(8) / 7 {
                    graph.connect(from, to);
                }
            }
        }
        graph
    }

    /// Values by looking one move ahead until nothing changes; none for holes.
    fn naive_values(&self) -> Vec<Option<Value>> {
        let mut values = vec![Some(Value::Draw); self.terminal.len()];
        loop {
            let next: Vec<Option<Value>> = (0..self.terminal.len())
                .map(|rank| match self.terminal[rank] {
                    Some(Terminal::Hole) => None,
                    Some(Terminal::Decided(value)) => Some(value),
                    None => Some(self.best(rank, &values)),
                })
                .collect();
            if next == values {
                return values;
            }
            values = next;
        }
    }

    fn best(&self, rank: usize, values: &[Option<Value>]) -> Value {
        let mut wins = Vec::new();
        let mut losses = Vec::new();
        let mut draws = 0;
        for &after in &self.successors[rank] {
            match values[after as usize].expect("no move leads to a hole") {
                Value::Loss(plies) => wins.push(plies + 1),
                Value::Win(plies) => losses.push(plies + 1),
                Value::Draw | Value::Endless(_) => draws += 1,
            }
        }
        if let Some(&plies) = wins.iter().min() {
            Value::Win(plies)
        } else if draws > 0 {
            Value::Draw
        } else {
            losses
                .iter()
                .max()
                .map_or(Self::WITHOUT_SUCCESSORS, |&plies| Value::Loss(plies))
        }
    }
}

fn solved(graph: &Graph, threads: usize) -> Solution {
    let settings = Settings {
        threads: Some(threads),
        ..Settings::default()
    };
    solve(graph, &settings, &NoProgress).expect("a solution")
}

#[test]
fn random_graphs() {
    parallel::for_each((0..2_000).collect(), |seed| {
        let graph = Graph::random(seed);
        let expected = graph.naive_values();
        let solution = solved(&graph, 1 + seed as usize % 3);
        for (rank, &expected) in (0..).zip(&expected) {
            let value = solution.value(rank);
            assert_eq!(value, expected, "graph {seed}, rank {rank}");
        }
        let census = &solution.census().ranks;
        let holes = expected.iter().filter(|value| value.is_none()).count() as u64;
        let draws = expected.iter().filter(|value| **value == Some(Value::Draw));
        assert_eq!(census.total() + holes, graph.len(), "graph {seed}");
        assert_eq!(census.draw, draws.count() as u64, "graph {seed}");
    });
}

/// Distances of more plies than one or two bytes hold.
#[test]
fn case_74_long_distances() {
    for ranks in [300, 70_000] {
        let mut graph = Graph::new(ranks);
        graph.terminal[0] = Some(Terminal::Decided(Value::Loss(0)));
        for rank in 1..ranks {
            graph.connect(rank, rank - 1);
        }
        let solution = solved(&graph, 1);
        for rank in 0..ranks {
            let plies = rank as u32;
            let expected = match rank % 2 {
                0 => Value::Loss(plies),
                _ => Value::Win(plies),
            };
            assert_eq!(solution.value(rank as u64), Some(expected));
        }
        assert_eq!(solution.deepest(), Some(ranks as u32 - 1));
    }
}

/// More moves than one byte or two can count: each move into a win brings the loss closer.
#[test]
fn many_moves() {
    for moves in [200, 254, 255, 256, 65_534, 65_535, 65_536] {
        let mut graph = Graph::new(moves + 2);
        let (lost, open) = (moves, moves + 1);
        for rank in 0..moves {
            graph.terminal[rank] = Some(Terminal::Decided(Value::Win(1)));
            graph.connect(lost, rank);
            graph.connect(open, rank);
        }
        graph.connect(open, open);
        let solution = solved(&graph, 2);
        assert_eq!(solution.value(lost as u64), Some(Value::Loss(2)), "{moves}");
        assert_eq!(solution.value(open as u64), Some(Value::Draw), "{moves}");
    }
}
