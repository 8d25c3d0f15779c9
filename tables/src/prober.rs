//! A **prober**: answers for positions, from a table and the rules.
//!
//! The numbering leaves out the positions that the rules decide at once: royals that attack each
//! other, and a royal that has tried. Those are answered by rule, exactly, also where the table
//! itself knows no distances.

use std::cmp::Ordering;
use std::path::PathBuf;

use koma_games::{
    Category, Color, EndReason, Exploration, Game, Law, Material, Move, NUMBERING_VERSION,
    Position, RankedUniverse, Record, SettlementReason, Value, Winner,
};

use crate::{
    cell::Cell,
    error::{OpenError, ReadError},
    identity::Identity,
    table::Table,
};

/// What is known of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Probe {
    /// Won, drawn or lost.
    pub category: Category,
    /// Plies to the end of the game, exact; `None` for a draw and for endless play, and where a wdl table
    /// knows no distance. 0 only where the game is over.
    pub plies: Option<u32>,
    /// How the game ends. `None` in games that end when a royal is taken.
    pub reason: Option<Reason>,
}

/// How a game ends that is played well, where check must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// One side mates, or leaves the other without a move, by force.
    Mate,
    /// The side to move has no move and is not in check.
    NoMoves,
    /// Never; and repetition loses for this color.
    Repetition(Color),
    /// Never; and this color gives perpetual check, which loses.
    PerpetualCheck(Color),
    /// Never; and that is a draw.
    Draw,
}

impl Reason {
    /// The name in JSON: `mate`, `no-moves`, `repetition`, `perpetual-check` or `draw`.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Mate => "mate",
            Reason::NoMoves => "no-moves",
            Reason::Repetition(_) => "repetition",
            Reason::PerpetualCheck(_) => "perpetual-check",
            Reason::Draw => "draw",
        }
    }

    /// The same with the colors exchanged.
    pub fn exchanged(self) -> Reason {
        match self {
            Reason::Repetition(loser) => Reason::Repetition(loser.opponent()),
            Reason::PerpetualCheck(checker) => Reason::PerpetualCheck(checker.opponent()),
            Reason::Mate | Reason::NoMoves | Reason::Draw => self,
        }
    }
}

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub position: Position,
    /// What is known of that position, for the side to move *there*.
    pub probe: Probe,
}

/// Why a position has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The position has other pieces than those of the universe.
    #[error(
        "the position has other pieces than those of `{universe}`; ask `{needed}`, whose table `koma solve \
         {needed}` makes"
    )]
    Material {
        /// The universe that was asked.
        universe: String,
        /// The universe that holds the position.
        needed: String,
    },
    /// The position has more pieces than those of the universe, and too many to be numbered.
    #[error(
        "the position has other pieces than those of `{universe}`, and no universe of {game} holds so \
         many"
    )]
    NoUniverse {
        /// The universe that was asked.
        universe: String,
        /// The game.
        game: String,
    },
    /// The position can't be one of the game: a square or a royal too many, for instance.
    #[error("`{sfen}` is no position of `{universe}`")]
    Unnumbered {
        /// The universe that was asked.
        universe: String,
        /// The position.
        sfen: String,
    },
    /// Play does not lead to the position from the roots of the exploration.
    #[error("`{sfen}` is none of `{universe}`: play does not lead there")]
    Unreached {
        /// The universe that was asked.
        universe: String,
        /// The position.
        sfen: String,
    },
    /// The table says that no position has this rank, which is wrong.
    #[error("{}: the cell of rank {rank} is empty; make the table again", file.display())]
    Hole {
        /// The file of the table.
        file: PathBuf,
        /// The rank.
        rank: u64,
    },
    /// The table is damaged where the position is.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Answers for the positions of a universe.
///
/// ```
/// use koma_games::{Category, RankedUniverse, Universe};
/// use koma_tables::{Census, CellWidth, Coding, Counts, Identity, Kind, Probe, Prober, Table, Writer};
///
/// let universe: RankedUniverse = "dobutsu@3x3:".parse()?;
/// // Two lions on a 3x3 board: whoever is to move tries at once.
/// let cells = vec![1u8; universe.len() as usize];
/// # let folder = std::env::temp_dir().join(format!("koma-prober-doc-{}", std::process::id()));
/// # let identity = Identity::from(&universe);
/// # let ranks = Counts::of_cells(Coding::Parity(CellWidth::Bits8), &cells, universe.len());
/// # let census = Census { positions: ranks.clone(), ranks };
/// # let path = folder.join("lions.koma");
/// # Writer::create(&path)?.write(&identity, Kind::Dtm, &census, &cells[..])?;
/// # let table = Table::open(std::fs::read(path)?)?;
/// # std::fs::remove_dir_all(&folder)?;
/// let prober = Prober::new(universe, table)?;
/// let position = prober.game().parse_position("2l/L2/3 b - 1")?;
/// assert_eq!(prober.probe(&position)?, Probe { category: Category::Win, plies: Some(1), reason: None });
/// assert_eq!(prober.line(&position)?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Prober<D> {
    universe: RankedUniverse,
    table: Table<D>,
    /// Whether ranks without a value are of positions that play does not lead to.
    explored: bool,
}

impl<D: AsRef<[u8]>> Prober<D> {
    /// Answers for a universe from its table.
    ///
    /// # Errors
    /// [`OpenFault::Mismatch`](crate::OpenFault::Mismatch) if the table is of another game,
    /// universe, numbering or law.
    pub fn new(universe: RankedUniverse, table: Table<D>) -> Result<Prober<D>, OpenError> {
        table.check_identity(&Identity::from(&universe))?;
        Ok(Prober {
            universe,
            table,
            explored: false,
        })
    }

    /// Answers for the positions that play leads to, from the table of their exploration. Of
    /// positions that the rules decide at once it is not known whether play leads there, and all
    /// are answered.
    ///
    /// # Errors
    /// As [`new`](Prober::new).
    pub fn explored(exploration: Exploration, table: Table<D>) -> Result<Prober<D>, OpenError> {
        table.check_identity(&Identity::from(&exploration))?;
        Ok(Prober {
            universe: exploration.into_ranked(),
            table,
            explored: true,
        })
    }

    /// The universe.
    pub fn universe(&self) -> &RankedUniverse {
        &self.universe
    }

    /// The name of what was asked for: of the universe, or of the exploration.
    pub fn name(&self) -> &str {
        &self.table.header().identity().universe
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.universe.game()
    }

    /// The table.
    pub fn table(&self) -> &Table<D> {
        &self.table
    }

    /// What is known of a position.
    ///
    /// # Errors
    /// [`ProbeError`] for a position that is none of the universe, and where the file is damaged.
    pub fn probe(&self, position: &Position) -> Result<Probe, ProbeError> {
        if let Some(rank) = self.universe.rank(position) {
            return self.stored(rank, position);
        }
        check_material(&self.universe, position)?;
        match by_rule(self.game(), position) {
            Some(value) => Ok(self.with_reason(value.into(), position)),
            None => Err(ProbeError::Unnumbered {
                universe: self.universe.to_string(),
                sfen: self.game().sfen(position),
            }),
        }
    }

    /// Every legal move, best first for the side that makes it: the shortest win, other wins, endless
    /// play that is won, the draws, endless play that is lost, the longest loss, other losses. A win or loss
    /// of unknown distance counts as one of the longest. Of the moves that keep a win or a draw of endless
    /// play those come first that give no check, where a law makes checkers lose. Else equal ones come as
    /// [`Game::for_each_move`] gives them.
    ///
    /// In an exploration, moves to positions that it does not lead to are left out: a mover who can
    /// win at once plays no other move there.
    ///
    /// # Errors
    /// As [`probe`](Prober::probe).
    pub fn moves(&self, position: &Position) -> Result<Vec<ProbedMove>, ProbeError> {
        let game = self.game();
        let mut legal = Vec::new();
        game.for_each_legal_move(position, |mv| legal.push(mv));
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let position = game.play(position, mv);
            let probe = match self.probe(&position) {
                Err(ProbeError::Unreached { .. }) => continue,
                probe => probe?,
            };
            moves.push(ProbedMove {
                mv,
                position,
                probe,
            });
        }
        self.sort(&mut moves);
        Ok(moves)
    }

    /// Every legal move in a game that is being played, as [`moves`](Prober::moves), but a move that
    /// ends this game by repetition is worth what the law says.
    ///
    /// # Errors
    /// As [`probe`](Prober::probe).
    pub fn moves_in(&self, record: &Record<'_>) -> Result<Vec<ProbedMove>, ProbeError> {
        if record.outcome().is_some() {
            return Ok(Vec::new());
        }
        let mut moves = self.moves(record.position())?;
        for after in &mut moves {
            if let Some(settlement) = record.settlement_by(&after.position) {
                let probe = settled(settlement.winner, after.position.side());
                let reason = match (settlement.winner, settlement.reason) {
                    (None, _) => Reason::Draw,
                    (Some(winner), SettlementReason::Repetition) => {
                        Reason::Repetition(winner.opponent())
                    }
                    (Some(winner), _) => Reason::PerpetualCheck(winner.opponent()),
                };
                after.probe = Probe {
                    reason: after.probe.reason.map(|_| reason),
                    ..probe
                };
            }
        }
        self.sort(&mut moves);
        Ok(moves)
    }

    /// Sorts moves, best first.
    fn sort(&self, moves: &mut [ProbedMove]) {
        let game = self.game();
        let checkers_lose = game.law().terms().checker.is_some();
        moves.sort_by_cached_key(|after| {
            let kept = after.probe.one_ply_earlier();
            let is_endless = kept.is_endless() || kept.reason == Some(Reason::Draw);
            let checks = checkers_lose
                && is_endless
                && kept.category != Category::Loss
                && game.in_check(&after.position);
            (after.probe.preference(), checks)
        });
    }

    /// Says how the game ends, where that is not by a royal that is taken.
    fn with_reason(&self, probe: Probe, position: &Position) -> Probe {
        let game = self.game();
        let reason = match probe.category {
            _ if game.options().exposure => None,
            Category::Draw => Some(Reason::Draw),
            Category::Loss if probe.plies == Some(0) && !game.in_check(position) => {
                Some(Reason::NoMoves)
            }
            Category::Win | Category::Loss => Some(Reason::Mate),
        };
        Probe { reason, ..probe }
    }

    /// A best line to the end of the game, the first of the best moves at each ply. Empty for endless play,
    /// which has no end, and where the distance is not known.
    ///
    /// # Errors
    /// As [`probe`](Prober::probe).
    pub fn line(&self, position: &Position) -> Result<Vec<ProbedMove>, ProbeError> {
        let mut position = *position;
        // The distance bounds the line, also where a wrong table would lead in a circle.
        let plies = self.probe(&position)?.plies.unwrap_or(0);
        let mut line = Vec::new();
        for _ in 0..plies {
            let Some(&best) = self.moves(&position)?.first() else {
                break;
            };
            line.push(best);
            position = best.position;
        }
        Ok(line)
    }

    /// What the table says of a rank, which is that of the position.
    fn stored(&self, rank: u64, position: &Position) -> Result<Probe, ProbeError> {
        let law = self.game().law();
        match self.table.cell(rank)? {
            cell if cell.category() == Some(Category::Draw) && law != Law::Draw => {
                let outcome = self.table.outcome(law, rank, position.side())?;
                let outcome = outcome.unwrap_or(Category::Draw);
                Ok(endless(law, outcome, position.side()))
            }
            Cell::Exact(value) => Ok(self.with_reason(value.into(), position)),
            Cell::Category(category) => Ok(self.with_reason(Probe::of(category), position)),
            Cell::Hole if self.explored => Err(ProbeError::Unreached {
                universe: self.name().to_owned(),
                sfen: self.game().sfen(position),
            }),
            Cell::Hole => Err(ProbeError::Hole {
                file: self.table.file().to_owned(),
                rank,
            }),
        }
    }
}

impl Probe {
    fn of(category: Category) -> Probe {
        Probe {
            category,
            plies: None,
            reason: None,
        }
    }

    /// The value, if all of it is known.
    pub fn value(self) -> Option<Value> {
        match (self.category, self.plies) {
            (Category::Win, Some(plies)) => Some(Value::Win(plies)),
            (Category::Loss, Some(plies)) => Some(Value::Loss(plies)),
            (Category::Draw, _) => Some(Value::Draw),
            (Category::Win, None) if self.is_endless() => Some(Value::Endless(Winner::Mover)),
            (Category::Loss, None) if self.is_endless() => Some(Value::Endless(Winner::Other)),
            (Category::Win | Category::Loss, None) => None,
        }
    }

    /// Whether play has no end, and is won or lost by the law.
    pub fn is_endless(self) -> bool {
        let by_law = matches!(
            self.reason,
            Some(Reason::Repetition(_) | Reason::PerpetualCheck(_))
        );
        by_law && self.plies.is_none()
    }

    /// As [`Value::preference`]; a win or loss of unknown distance counts as one of the longest.
    pub fn preference(self) -> i64 {
        let value = self.value().unwrap_or(match self.category {
            Category::Loss => Value::Loss(u32::MAX),
            Category::Draw => Value::Draw,
            Category::Win => Value::Win(u32::MAX),
        });
        value.preference()
    }

    /// What is known of the position before a move, for the side that makes it, if that move is played.
    pub fn one_ply_earlier(self) -> Probe {
        Probe {
            category: match self.category {
                Category::Win => Category::Loss,
                Category::Draw => Category::Draw,
                Category::Loss => Category::Win,
            },
            plies: self.plies.map(|plies| plies + 1),
            reason: self.reason,
        }
    }

    /// Orders what moves lead to: less is better for the side that makes them.
    pub(crate) fn cmp_for_mover(&self, other: &Probe) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl From<Value> for Probe {
    fn from(value: Value) -> Probe {
        Probe {
            plies: value.plies(),
            ..Probe::of(value.category())
        }
    }
}

/// What a law makes of endless play for a side to move.
fn endless(law: Law, outcome: Category, side: Color) -> Probe {
    let loser = match outcome {
        Category::Win => Some(side.opponent()),
        Category::Draw => None,
        Category::Loss => Some(side),
    };
    // A color that does not lose by the law's default loses by its checks.
    let reason = match loser {
        None => Reason::Draw,
        Some(loser) if law.terms().loser == Some(loser) => Reason::Repetition(loser),
        Some(loser) => Reason::PerpetualCheck(loser),
    };
    Probe {
        reason: Some(reason),
        ..Probe::of(outcome)
    }
}

/// The identity of the tables of this universe.
impl From<&RankedUniverse> for Identity {
    fn from(universe: &RankedUniverse) -> Identity {
        Identity {
            game: universe.game().to_string(),
            universe: universe.to_string(),
            numbering: NUMBERING_VERSION,
            law: universe.game().law(),
        }
    }
}

/// The identity of the tables of this exploration.
impl From<&Exploration> for Identity {
    fn from(exploration: &Exploration) -> Identity {
        Identity {
            universe: exploration.to_string(),
            ..Identity::from(exploration.ranked())
        }
    }
}

/// Refuses a position with other pieces than the positions of a universe. Where captured pieces
/// leave the game, some of the universe's may be missing. The royals are not looked at: one may
/// just have been taken.
///
/// # Errors
/// [`ProbeError::Material`] names the universe that holds the position; [`ProbeError::NoUniverse`] if none does.
pub fn check_material(universe: &RankedUniverse, position: &Position) -> Result<(), ProbeError> {
    let game = universe.game();
    let own = universe.material();
    let found = Material::of(position);
    let fits = (1..game.kinds().len()).all(|kind| {
        let (own, found) = (own.count(kind), found.count(kind));
        found == own || found < own && !game.options().drops
    });
    if fits {
        return Ok(());
    }
    if RankedUniverse::new(game.clone(), found).is_err() {
        return Err(ProbeError::NoUniverse {
            universe: universe.to_string(),
            game: game.to_string(),
        });
    }
    let letters = found.letters(game);
    let needed = if letters == Material::full(game).letters(game) {
        game.to_string()
    } else {
        format!("{game}:{letters}")
    };
    Err(ProbeError::Material {
        universe: universe.to_string(),
        needed,
    })
}

/// What a game that is over by repetition is worth to a side: its law decides it, at once.
fn settled(winner: Option<Color>, side: Color) -> Probe {
    match winner {
        None => Value::Draw.into(),
        Some(winner) if winner == side => Value::Win(0).into(),
        Some(_) => Value::Loss(0).into(),
    }
}

/// What the rules alone say of a position, if they decide it at once.
fn by_rule(game: &Game, position: &Position) -> Option<Value> {
    match game.end(position) {
        Some(end) if end.winner == position.side() => Some(Value::Win(0)),
        Some(end) if matches!(end.reason, EndReason::NoMove | EndReason::Checkmate) => {
            Some(game.no_move_value())
        }
        Some(_) => Some(Value::Loss(0)),
        None => game.can_take_royal(position).then_some(Value::Win(1)),
    }
}
