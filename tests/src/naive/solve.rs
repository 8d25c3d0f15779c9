//! The **value** of every arrangement, found by looking one move ahead until nothing changes.

use std::collections::HashMap;

use super::game::{NaiveGame, Over};
use super::position::Position;

/// What perfect play makes of a position for the side to move, in plies to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The mover wins in this many plies.
    Win(u32),
    /// The mover loses in this many plies.
    Loss(u32),
    /// Nobody can force anything.
    Draw,
}

/// A position that needs no search, or the places of its children.
enum Node {
    Known(Value),
    Children(Vec<usize>),
}

impl NaiveGame {
    /// The value of every arrangement, by SFEN.
    pub fn solve(&self) -> HashMap<String, Value> {
        self.solve_all(&self.arrangements(), |child| *child)
    }

    /// The value of every position that play from a start leads to, by SFEN. Of positions that are
    /// the same by symmetry only one is given, and none after a try.
    pub fn solve_reachable(&self, start: &str) -> HashMap<String, Value> {
        let positions = self.reachable(start, |position| self.wins_at_once(position));
        self.solve_all(&positions, |child| self.canonical(child))
    }

    /// Values of a set of positions that no move leaves. `named` finds a child's name in the set.
    fn solve_all(
        &self,
        positions: &[Position],
        named: impl Fn(&Position) -> Position,
    ) -> HashMap<String, Value> {
        let places: HashMap<Position, usize> = positions
            .iter()
            .enumerate()
            .map(|(place, &position)| (position, place))
            .collect();
        let place_of = |child: &Position| match places.get(&named(child)) {
            Some(&place) => place,
            None => panic!("{} is not in the set", self.sfen(child)),
        };
        let nodes: Vec<Node> = positions
            .iter()
            .map(|position| self.node(position, &place_of))
            .collect();
        let values = iterate(&nodes);
        positions
            .iter()
            .zip(values)
            .map(|(position, value)| (self.sfen(position), value))
            .collect()
    }

    fn node(&self, position: &Position, place_of: &impl Fn(&Position) -> usize) -> Node {
        match self.over_at(position) {
            Some(Over::Won) => return Node::Known(Value::Win(0)),
            Some(Over::Lost) => return Node::Known(Value::Loss(0)),
            None => {}
        }
        if self.wins_at_once(position) {
            return Node::Known(Value::Win(1));
        }
        let moves = self.moves_of(position);
        let children: Vec<usize> = moves.iter().map(|(_, child)| place_of(child)).collect();
        if children.is_empty() {
            // Nothing can be played: as bad as having only moves that lose at once.
            return Node::Known(Value::Loss(2));
        }
        Node::Children(children)
    }
}

/// Values of longer and longer games: after the n-th round every win and loss in n plies is
/// known, and everything else still counts as a draw.
fn iterate(nodes: &[Node]) -> Vec<Value> {
    let mut values = vec![Value::Draw; nodes.len()];
    loop {
        let next: Vec<Value> = nodes
            .iter()
            .map(|node| match node {
                Node::Known(value) => *value,
                Node::Children(children) => best(children, &values),
            })
            .collect();
        if next == values {
            return values;
        }
        values = next;
    }
}

fn best(children: &[usize], values: &[Value]) -> Value {
    let mut quickest_win: Option<u32> = None;
    let mut longest_loss = 0;
    let mut can_draw = false;
    for &child in children {
        match values[child] {
            Value::Loss(plies) => {
                quickest_win = Some(quickest_win.map_or(plies, |best| best.min(plies)));
            }
            Value::Win(plies) => longest_loss = longest_loss.max(plies),
            Value::Draw => can_draw = true,
        }
    }
    match quickest_win {
        Some(plies) => Value::Win(plies + 1),
        None if can_draw => Value::Draw,
        None => Value::Loss(longest_loss + 1),
    }
}
