//! A **law**: what endless play is worth. It touches only the residue, the positions in which
//! neither side can force the end of the game.

/// What endless play is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Law {
    /// Endless play is a draw (dobutsu: the third occurrence of a position).
    Draw,
}

impl Law {
    /// Every law, in the order in which they are listed to users.
    pub const ALL: [Law; 1] = [Law::Draw];

    /// The name in file headers and options.
    pub fn name(self) -> &'static str {
        match self {
            Law::Draw => "draw",
        }
    }

    /// The law of this name.
    pub fn from_name(name: &str) -> Option<Law> {
        Law::ALL.into_iter().find(|law| law.name() == name)
    }
}
