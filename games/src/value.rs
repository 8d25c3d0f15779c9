//! A **value**: what perfect play makes of a position, for the side to move.

/// The value of a position for the side to move. Distances are in plies to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The mover wins in exactly this many plies against the longest defence.
    Win(u32),
    /// The mover loses in exactly this many plies against the fastest attack.
    Loss(u32),
    /// Neither side can force the end and the law calls endless play a draw.
    Draw,
    /// Neither side can force the end, and endless play is won under the law. It has no distance.
    Endless(Winner),
}

/// Who wins, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// The side to move.
    Mover,
    /// The other side.
    Other,
}

/// A value without its distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Category {
    /// Lost for the side to move.
    Loss,
    /// Drawn.
    Draw,
    /// Won for the side to move.
    Win,
}

impl Value {
    /// The value without its distance.
    pub fn category(self) -> Category {
        match self {
            Value::Win(_) | Value::Endless(Winner::Mover) => Category::Win,
            Value::Loss(_) | Value::Endless(Winner::Other) => Category::Loss,
            Value::Draw => Category::Draw,
        }
    }

    /// Plies to the end of the game; `None` where there is none.
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Draw | Value::Endless(_) => None,
        }
    }

    /// The value one ply earlier, for the other side: what a move into this position is worth to
    /// the side that makes it.
    ///
    /// ```
    /// use koma_games::Value;
    /// assert_eq!(Value::Loss(2).one_ply_earlier(), Value::Win(3));
    /// ```
    pub fn one_ply_earlier(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Loss(plies) => Value::Win(plies + 1),
            Value::Draw => Value::Draw,
            Value::Endless(Winner::Mover) => Value::Endless(Winner::Other),
            Value::Endless(Winner::Other) => Value::Endless(Winner::Mover),
        }
    }

    /// A key by which a greater value is better for the side to move: the shortest win, then the
    /// longer wins, endless play that is won, a draw, endless play that is lost, then the longest loss,
    /// then the shorter ones.
    pub fn preference(self) -> i64 {
        match self {
            Value::Win(plies) => i64::from(u32::MAX) + 2 - i64::from(plies),
            Value::Endless(Winner::Mover) => 1,
            Value::Draw => 0,
            Value::Endless(Winner::Other) => -1,
            Value::Loss(plies) => i64::from(plies) - i64::from(u32::MAX) - 2,
        }
    }
}

impl Category {
    /// The name used in JSON and on the terminal: `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Category::Win => "win",
            Category::Draw => "draw",
            Category::Loss => "loss",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_are_preferred() {
        let order = [
            Value::Win(1),
            Value::Win(u32::MAX),
            Value::Endless(Winner::Mover),
            Value::Draw,
            Value::Endless(Winner::Other),
            Value::Loss(u32::MAX - 1),
            Value::Loss(0),
        ];
        assert!(order.is_sorted_by(|a, b| a.preference() > b.preference()));
        for value in &order[2..5] {
            assert_eq!(value.one_ply_earlier().preference(), -value.preference());
        }
    }
}
