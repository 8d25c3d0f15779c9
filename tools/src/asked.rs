//! What is **asked** of a table: a universe, or the positions of one that play leads to.

use std::fmt;
use std::str::FromStr;

use koma_games::{Convention, Exploration, ExplorationError, RankedUniverse};
use koma_tables::{Identity, OpenError, Prober, Table};

/// A universe or an exploration, by its name.
#[derive(Clone)]
pub(crate) enum Asked {
    /// Every position of a universe.
    Universe(Box<RankedUniverse>),
    /// The positions that play leads to.
    Exploration(Box<Exploration>),
}

impl Asked {
    /// The universe whose ranks the table has.
    pub(crate) fn universe(&self) -> &RankedUniverse {
        match self {
            Asked::Universe(universe) => universe,
            Asked::Exploration(exploration) => exploration.ranked(),
        }
    }

    /// The identity of the table.
    pub(crate) fn identity(&self) -> Identity {
        match self {
            Asked::Universe(universe) => Identity::from(&**universe),
            Asked::Exploration(exploration) => Identity::from(&**exploration),
        }
    }

    /// Answers from the table.
    pub(crate) fn prober<D: AsRef<[u8]>>(self, table: Table<D>) -> Result<Prober<D>, OpenError> {
        match self {
            Asked::Universe(universe) => Prober::new(*universe, table),
            Asked::Exploration(exploration) => Prober::explored(*exploration, table),
        }
    }

    /// The command that makes the table.
    pub(crate) fn command(&self) -> String {
        let exploration = match self {
            Asked::Universe(universe) => return format!("koma solve {universe}"),
            Asked::Exploration(exploration) => exploration,
        };
        let space = exploration.space();
        let mut command = format!("koma explore {}", space.ranked());
        if space.convention() != Convention::default() {
            command += &format!(" --convention {}", space.convention().name());
        }
        if !exploration.is_from_start() {
            for &root in exploration.roots() {
                let sfen = exploration.game().sfen(&space.unrank(root));
                command += &format!(" --root '{sfen}'");
            }
        }
        command
    }
}

impl From<RankedUniverse> for Asked {
    fn from(universe: RankedUniverse) -> Asked {
        Asked::Universe(Box::new(universe))
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asked::Universe(universe) => universe.fmt(f),
            Asked::Exploration(exploration) => exploration.fmt(f),
        }
    }
}

impl FromStr for Asked {
    type Err = ExplorationError;

    fn from_str(text: &str) -> Result<Asked, ExplorationError> {
        Ok(if text.contains("/reachable") {
            Asked::Exploration(Box::new(text.parse()?))
        } else {
            Asked::Universe(Box::new(text.parse()?))
        })
    }
}
