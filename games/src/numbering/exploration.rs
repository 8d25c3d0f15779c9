//! An **exploration**: which positions forward search is asked for. A universe, the roots that play
//! starts from, and a convention.

use std::fmt;
use std::str::FromStr;

use super::complete::CompleteUniverse;
use super::material::Material;
use super::name::UniverseError;
use super::ranked::RankedUniverse;
use crate::explorable::{Convention, Explorable};
use crate::game::Game;
use crate::position::Position;

/// A complete universe and the roots from which it is searched.
///
/// Its name is that of the ranked universe and `/reachable`, then the convention unless it is
/// [`Convention::Rules`], and the roots as ranks of the complete universe unless play starts from
/// the start position.
///
/// ```
/// use koma_games::{Convention, Exploration};
/// let exploration: Exploration = "dobutsu/reachable:tanaka".parse().unwrap();
/// assert_eq!(exploration.space().convention(), Convention::Tanaka);
/// assert_eq!(exploration.to_string(), "dobutsu/reachable:tanaka");
///
/// let universe: koma_games::RankedUniverse = "dobutsu@3x3:c".parse().unwrap();
/// let root = universe.game().parse_position("l2/3/1CL b - 1").unwrap();
/// let exploration = Exploration::new(universe, Convention::Rules, &[root]).unwrap();
/// assert_eq!(exploration.to_string(), "dobutsu@3x3:c/reachable:from=33");
/// ```
#[derive(Clone, Debug)]
pub struct Exploration {
    space: CompleteUniverse,
    /// Ascending; of a position and its mirror image the lower rank.
    roots: Vec<u64>,
}

impl Exploration {
    /// What play leads to from these positions, or from the start position if there are none.
    ///
    /// # Errors
    /// [`ExplorationError`] if play can't start from a root, or there is no start position.
    pub fn new(
        ranked: RankedUniverse,
        convention: Convention,
        roots: &[Position],
    ) -> Result<Exploration, ExplorationError> {
        check_rules(&ranked)?;
        let space = CompleteUniverse::new(ranked, convention);
        let mut roots = match roots {
            [] => vec![start(&space).ok_or_else(|| no_start(&space))?],
            _ => roots
                .iter()
                .map(|root| root_rank(&space, root))
                .collect::<Result<_, _>>()?,
        };
        roots.sort_unstable();
        roots.dedup();
        Ok(Exploration { space, roots })
    }

    /// The universe to be searched.
    pub fn space(&self) -> &CompleteUniverse {
        &self.space
    }

    /// The ranked universe, which holds every reached position that the rules do not decide at once.
    pub fn ranked(&self) -> &RankedUniverse {
        self.space.ranked()
    }

    /// The ranked universe alone.
    pub fn into_ranked(self) -> RankedUniverse {
        self.space.into_ranked()
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.ranked().game()
    }

    /// The roots as ranks of the [space](Exploration::space).
    pub fn roots(&self) -> &[u64] {
        &self.roots
    }

    /// Whether play starts from the start position and from no other.
    pub fn is_from_start(&self) -> bool {
        start(&self.space).is_some_and(|start| self.roots == [start])
    }
}

/// The rank of the start position, if the universe has one.
fn start(space: &CompleteUniverse) -> Option<u64> {
    let start = space.ranked().game().start()?;
    root_rank(space, &start).ok()
}

fn no_start(space: &CompleteUniverse) -> ExplorationError {
    ExplorationError::NoStart(space.ranked().to_string())
}

/// Refuses games whose play is not searched: a complete universe adds royals that attack each other,
/// which no move leads to where check must be met.
fn check_rules(ranked: &RankedUniverse) -> Result<(), ExplorationError> {
    match ranked.meets_check() {
        true => Err(ExplorationError::Unsearched(ranked.game().family().name)),
        false => Ok(()),
    }
}

/// The rank by which a root is named.
fn root_rank(space: &CompleteUniverse, root: &Position) -> Result<u64, ExplorationError> {
    let game = space.ranked().game();
    let refuse = |why| ExplorationError::Root {
        sfen: game.sfen(root),
        why,
    };
    if game.end(root).is_some() {
        return Err(refuse("the game is over there"));
    }
    let rank = space.rank(root).ok_or_else(|| {
        let [own, found] = [*space.ranked().material(), Material::of(root)];
        let fits = found == own || !game.options().drops && own.contains(&found);
        refuse(if fits {
            "no play leads there: the side to move has tried and was not taken"
        } else {
            "it has other pieces than the universe"
        })
    })?;
    Ok(rank.min(space.mirrored(rank)))
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/reachable", self.ranked())?;
        let mut separator = ':';
        if self.space.convention() != Convention::default() {
            write!(f, "{separator}{}", self.space.convention().name())?;
            separator = ',';
        }
        if !self.is_from_start() {
            write!(f, "{separator}from=")?;
            let roots: Vec<String> = self.roots.iter().map(u64::to_string).collect();
            f.write_str(&roots.join("+"))?;
        }
        Ok(())
    }
}

impl FromStr for Exploration {
    type Err = ExplorationError;

    fn from_str(text: &str) -> Result<Exploration, ExplorationError> {
        let unreadable = || ExplorationError::Name(text.to_owned());
        let (ranked, options) = text.split_once("/reachable").ok_or_else(unreadable)?;
        let mut convention = Convention::default();
        let mut ranks: Vec<u64> = Vec::new();
        if !options.is_empty() {
            for option in options.strip_prefix(':').ok_or_else(unreadable)?.split(',') {
                if let Some(roots) = option.strip_prefix("from=") {
                    let roots: Result<Vec<u64>, _> = roots.split('+').map(str::parse).collect();
                    ranks.extend(roots.map_err(|_| unreadable())?);
                } else {
                    convention = Convention::from_name(option).ok_or_else(unreadable)?;
                }
            }
        }
        let ranked: RankedUniverse = ranked.parse()?;
        check_rules(&ranked)?;
        let space = CompleteUniverse::new(ranked, convention);
        let roots = ranks
            .into_iter()
            .map(|rank| (rank < space.len()).then(|| space.unrank(rank)))
            .collect::<Option<Vec<Position>>>()
            .ok_or_else(unreadable)?;
        Exploration::new(space.into_ranked(), convention, &roots)
    }
}

/// Why there is no such exploration.
#[derive(Clone, Debug)]
pub enum ExplorationError {
    /// The universe is unknown.
    Universe(UniverseError),
    /// The universe has no start position; a root must be given.
    NoStart(String),
    /// The play of this game is not searched.
    Unsearched(&'static str),
    /// Play can't start from a root.
    Root {
        /// The root.
        sfen: String,
        /// Why not.
        why: &'static str,
    },
    /// The name is unreadable.
    Name(String),
}

impl fmt::Display for ExplorationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExplorationError::Universe(error) => error.fmt(f),
            ExplorationError::NoStart(universe) => {
                write!(f, "{universe} has no start position; name a root")
            }
            ExplorationError::Unsearched(name) => write!(
                f,
                "the positions that play of {name} reaches are not searched; ask its whole universe"
            ),
            ExplorationError::Root { sfen, why } => {
                write!(f, "play can't start from `{sfen}`: {why}")
            }
            ExplorationError::Name(name) => write!(
                f,
                "`{name}` is no name of reachable positions; it is written GAME/reachable, then \
                 perhaps `:tanaka` and the ranks of the roots, as in `:tanaka,from=12+34`"
            ),
        }
    }
}

impl std::error::Error for ExplorationError {}

impl From<UniverseError> for ExplorationError {
    fn from(error: UniverseError) -> ExplorationError {
        ExplorationError::Universe(error)
    }
}
