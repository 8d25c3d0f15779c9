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
            Value::Win(_) => Category::Win,
            Value::Loss(_) => Category::Loss,
            Value::Draw => Category::Draw,
        }
    }

    /// Plies to the end of the game; `None` for a draw.
    pub fn plies(self) -> Option<u32> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => Some(plies),
            Value::Draw => None,
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
        }
    }

    /// A key by which a greater value is better for the side to move: the shortest win, then the
    /// longer wins, a draw, then the longest loss, then the shorter ones.
    pub fn preference(self) -> i64 {
        match self {
            Value::Win(plies) => i64::from(u32::MAX) + 1 - i64::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i64::from(plies) - i64::from(u32::MAX) - 1,
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
