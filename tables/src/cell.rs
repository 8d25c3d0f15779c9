//! A **cell**: what a table says about one rank.

use koma_games::{Category, Value};

/// What a table says about one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// No legal position has this rank.
    Hole,
    /// The value with its distance in plies, from a dtm table.
    Exact(Value),
    /// The category only, from a wdl table: a win or loss of unknown distance, or a draw.
    Category(Category),
}

impl Cell {
    /// Win, draw or loss for the side to move; `None` for a hole.
    pub fn category(self) -> Option<Category> {
        match self {
            Cell::Hole => None,
            Cell::Exact(value) => Some(value.category()),
            Cell::Category(category) => Some(category),
        }
    }

    /// Plies to the end of the game; `None` for a hole, for a draw, and when only the category is
    /// known.
    pub fn plies(self) -> Option<u32> {
        match self {
            Cell::Exact(value) => value.plies(),
            Cell::Hole | Cell::Category(_) => None,
        }
    }

    /// The whole value, when the table knows it: always in a dtm table, for draws in a wdl table.
    /// `None` for a hole.
    pub fn value(self) -> Option<Value> {
        match self {
            Cell::Exact(value) => Some(value),
            Cell::Category(Category::Draw) => Some(Value::Draw),
            Cell::Hole | Cell::Category(_) => None,
        }
    }
}
