//! A **color**: one of the two players.

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// The first player; moves up the board, written in uppercase.
    Sente,
    /// The second player; moves down the board, written in lowercase.
    Gote,
}

impl Color {
    /// Both colors, sente first.
    pub const BOTH: [Color; 2] = [Color::Sente, Color::Gote];

    /// The other player.
    pub fn opponent(self) -> Color {
        match self {
            Color::Sente => Color::Gote,
            Color::Gote => Color::Sente,
        }
    }

    /// 0 for sente, 1 for gote.
    pub fn index(self) -> usize {
        self as usize
    }
}
