//! A **prober** for hasami shogi: answers for positions, from a table and the rules.
//!
//! Positions in which a side has too few men to go on are in no table: the rules answer for them.

use koma_games::hasami::{Game, Move, NUMBERING_VERSION, Position, Record, Universe};
use koma_games::{Color, Law, Value};

use crate::{
    cell::Cell,
    error::OpenError,
    identity::Identity,
    prober::{Probe, ProbeError},
    table::Table,
};

/// A legal move and what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HasamiMove {
    /// The move.
    pub mv: Move,
    /// The position after it.
    pub position: Position,
    /// What is known of that position, for the side to move *there*.
    pub probe: Probe,
}

/// Answers for the positions of a universe of hasami shogi.
#[derive(Debug)]
pub struct HasamiProber<D> {
    universe: Universe,
    table: Table<D>,
}

impl<D: AsRef<[u8]>> HasamiProber<D> {
    /// Answers for a universe from its table.
    ///
    /// # Errors
    /// [`OpenFault::Mismatch`](crate::OpenFault::Mismatch) if the table is of another game,
    /// universe, numbering or law.
    pub fn new(universe: Universe, table: Table<D>) -> Result<HasamiProber<D>, OpenError> {
        table.check_identity(&Identity::from(&universe))?;
        Ok(HasamiProber { universe, table })
    }

    /// The universe.
    pub fn universe(&self) -> &Universe {
        &self.universe
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
        let Some(rank) = self.universe.rank(position) else {
            let side = position.side();
            return match self.game().end(position) {
                Some(end) if end.winner == side => Ok(Value::Win(0).into()),
                Some(_) => Ok(Value::Loss(0).into()),
                None => Err(self.elsewhere(position)),
            };
        };
        match self.table.cell(rank)? {
            Cell::Exact(value) => Ok(value.into()),
            Cell::Category(category) => Ok(Probe {
                category,
                plies: None,
                reason: None,
            }),
            Cell::Hole => Err(ProbeError::Hole {
                file: self.table.file().to_owned(),
                rank,
            }),
        }
    }

    /// Refuses a position of another universe.
    fn elsewhere(&self, position: &Position) -> ProbeError {
        let men = Color::BOTH.map(|color| position.count(color));
        let most = self.game().rules().men;
        let name = self.game().rules_name();
        ProbeError::Material {
            universe: self.universe.to_string(),
            needed: if men == [most; 2] {
                name
            } else {
                format!("{name}:{}v{}", men[0].max(men[1]), men[0].min(men[1]))
            },
        }
    }

    /// Every legal move, best first for the side that makes it: the shortest win, other wins, the
    /// draws, the longest loss, other losses; equal ones in the order of moves.
    ///
    /// # Errors
    /// As [`probe`](HasamiProber::probe).
    pub fn moves(&self, position: &Position) -> Result<Vec<HasamiMove>, ProbeError> {
        let game = self.game();
        let mut legal = Vec::new();
        game.for_each_legal_move(position, |mv| legal.push(mv));
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let position = game.play(position, mv);
            let probe = self.probe(&position)?;
            moves.push(HasamiMove {
                mv,
                position,
                probe,
            });
        }
        moves.sort_by(|a, b| a.probe.cmp_for_mover(&b.probe));
        Ok(moves)
    }

    /// Every legal move in a game that is being played: a move that ends it by repetition or at its
    /// limit is worth what that makes of it.
    ///
    /// # Errors
    /// As [`probe`](HasamiProber::probe).
    pub fn moves_in(&self, record: &Record<'_>) -> Result<Vec<HasamiMove>, ProbeError> {
        if record.outcome().is_some() {
            return Ok(Vec::new());
        }
        let mut moves = self.moves(record.position())?;
        for after in &mut moves {
            let mut played = record.clone();
            played.play(after.mv);
            if let Some(outcome) = played.outcome()
                && self.game().end(&after.position).is_none()
            {
                after.probe = match outcome.winner() {
                    None => Value::Draw.into(),
                    Some(winner) if winner == after.position.side() => Value::Win(0).into(),
                    Some(_) => Value::Loss(0).into(),
                };
            }
        }
        moves.sort_by(|a, b| a.probe.cmp_for_mover(&b.probe));
        Ok(moves)
    }
}

/// The identity of the tables of this universe.
impl From<&Universe> for Identity {
    fn from(universe: &Universe) -> Identity {
        Identity {
            game: universe.game().rules_name(),
            universe: universe.to_string(),
            numbering: NUMBERING_VERSION,
            law: Law::Draw,
        }
    }
}
