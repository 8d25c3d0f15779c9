//! A **kind**: how much a table says about a position.

/// How much a table says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Win, draw or loss.
    Wdl,
    /// Win, draw or loss, and the exact distance to the end of the game in plies.
    Dtm,
}

impl Kind {
    /// Every kind, the one that says most first.
    pub const ALL: [Kind; 2] = [Kind::Dtm, Kind::Wdl];

    /// The name in headers, file names and options: `wdl` or `dtm`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Wdl => "wdl",
            Kind::Dtm => "dtm",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}
