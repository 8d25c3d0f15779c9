//! A **record**: a game as it is played, from its start position move by move.
//!
//! A position knows no history; a record does. It counts how often each position has occurred, and
//! so knows when a game is over by repetition as well as by the rules.

use std::collections::HashMap;

use crate::color::Color;
use crate::game::{End, Game};
use crate::law::{Checks, Settlement, SettlementReason};
use crate::moves::{IllegalMove, Move};
use crate::position::Position;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The rules decided it.
    Decided(End),
    /// A position occurred as often as the game allows, and its law settled the game.
    Repetition {
        /// Who won; `None` for a draw.
        winner: Option<Color>,
        /// Why the law settles it so.
        reason: SettlementReason,
        /// The plies after which the position stood; 0 is the start.
        plies: Vec<usize>,
    },
    /// The side to move gave up.
    Resignation {
        /// The other side.
        winner: Color,
    },
}

impl Outcome {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Outcome::Decided(end) => Some(end.winner),
            Outcome::Repetition { winner, .. } => winner,
            Outcome::Resignation { winner } => Some(winner),
        }
    }

    /// The same end of the game with the colors exchanged.
    pub fn exchanged(self) -> Outcome {
        match self {
            Outcome::Decided(end) => Outcome::Decided(End {
                winner: end.winner.opponent(),
                ..end
            }),
            Outcome::Repetition {
                winner,
                reason,
                plies,
            } => Outcome::Repetition {
                winner: winner.map(Color::opponent),
                reason,
                plies,
            },
            Outcome::Resignation { winner } => Outcome::Resignation {
                winner: winner.opponent(),
            },
        }
    }
}

/// A game as it is played: the start position, the moves, and every position on the way.
///
/// ```
/// use koma_games::{Game, Outcome, Record, SettlementReason};
/// let game: Game = "dobutsu".parse().unwrap();
/// let mut record = Record::new(&game, game.start().unwrap());
/// for text in ["C4C3", "A1A2", "C3C4", "A2A1", "C4C3", "A1A2", "C3C4", "A2A1"] {
///     assert_eq!(record.outcome(), None);
///     let mv = game.parse_move(record.position(), text).unwrap();
///     record.play(mv).unwrap();
/// }
/// let (winner, plies) = (None, vec![0, 4, 8]);
/// let reason = SettlementReason::Repetition;
/// assert_eq!(record.outcome(), Some(Outcome::Repetition { winner, reason, plies }));
/// ```
#[derive(Clone, Debug)]
pub struct Record<'g> {
    game: &'g Game,
    /// The start, and the position after each move.
    positions: Vec<Position>,
    moves: Vec<Move>,
    resigned: bool,
    /// The plies after which each position stood.
    plies: HashMap<Position, Vec<usize>>,
}

impl<'g> Record<'g> {
    /// A game of which no move has been played.
    pub fn new(game: &'g Game, start: Position) -> Record<'g> {
        Record {
            game,
            positions: vec![start],
            moves: Vec::new(),
            resigned: false,
            plies: HashMap::from([(start, vec![0])]),
        }
    }

    /// The game that is played.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// How many moves have been played.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.positions[self.ply()]
    }

    /// The start, and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The plies after which a position has stood, the latest last; 0 is the start.
    pub fn occurrences(&self, position: &Position) -> &[usize] {
        self.plies.get(position).map_or(&[], Vec::as_slice)
    }

    /// Whether the next occurrence of a position will end the game.
    pub fn ends_by_repetition(&self, next: &Position) -> bool {
        self.occurrences(next).len() + 1 >= self.game.occurrences()
    }

    /// How the law settles the repetition that is complete when `next`, the position after a move,
    /// occurs once more. `None` if it is not.
    pub fn settlement_by(&self, next: &Position) -> Option<Settlement> {
        self.ends_by_repetition(next)
            .then(|| self.settlement(self.occurrences(next)[0], next))
    }

    /// How the law settles play from a ply to `last`, the position now or one after a move. What
    /// counts are the moves between.
    fn settlement(&self, first: usize, last: &Position) -> Settlement {
        let mut checks = [Checks {
            every: true,
            any: false,
        }; 2];
        let later = self.positions[first + 1..].iter();
        let last = (self.position() != last).then_some(last);
        for position in later.chain(last) {
            let checks = &mut checks[position.side().opponent().index()];
            let check = self.game.in_check(position);
            checks.every &= check;
            checks.any |= check;
        }
        self.game.law().settle(checks)
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if let Some(end) = self.game.end(position) {
            return Some(Outcome::Decided(end));
        }
        let plies = self.occurrences(position);
        if plies.len() >= self.game.occurrences() {
            let Settlement { winner, reason } = self.settlement(plies[0], position);
            let plies = plies.to_vec();
            return Some(Outcome::Repetition {
                winner,
                reason,
                plies,
            });
        }
        let winner = position.side().opponent();
        self.resigned.then_some(Outcome::Resignation { winner })
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] says which rule forbids it; once there is an [`outcome`](Record::outcome),
    /// every move is illegal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.game.check_move(self.position(), mv)?;
        let after = self.game.play(self.position(), mv);
        self.moves.push(mv);
        self.positions.push(after);
        let ply = self.ply();
        self.plies.entry(after).or_default().push(ply);
        Ok(())
    }

    /// The same game with the colors exchanged: each position turned, and each player's moves made by the
    /// other. A law that names a color judges it otherwise.
    ///
    /// ```
    /// use koma_games::{Color, Game, Outcome, Record};
    /// let game: Game = "minishogi".parse().unwrap();
    /// let start = game.parse_position("rbsgk/4p/5/P4/KGSBR w - 1").unwrap();
    /// let mut record = Record::new(&game, start);
    /// for text in ["2a2b", "4e4d", "2b2a", "4d4e"].repeat(3) {
    ///     record.play(game.parse_move(record.position(), text).unwrap()).unwrap();
    /// }
    /// // Endless play loses for sente; if that is who began, for gote.
    /// assert_eq!(record.outcome().unwrap().winner(), Some(Color::Gote));
    /// let exchanged = record.exchanged();
    /// assert_eq!(exchanged.positions()[0].side(), Color::Sente);
    /// let outcome = exchanged.outcome().unwrap().exchanged();
    /// assert_eq!(outcome.winner(), Some(Color::Sente));
    /// ```
    pub fn exchanged(&self) -> Record<'g> {
        let turn = |position| self.game.rotated(position);
        Record {
            game: self.game,
            positions: self.positions.iter().map(turn).collect(),
            moves: self
                .moves
                .iter()
                .map(|&mv| self.game.rotated_move(mv))
                .collect(),
            resigned: self.resigned,
            plies: self
                .plies
                .iter()
                .map(|(position, plies)| (turn(position), plies.clone()))
                .collect(),
        }
    }

    /// Takes back a resignation, or else the last move; whether there was one.
    pub fn undo(&mut self) -> bool {
        if std::mem::take(&mut self.resigned) {
            return true;
        }
        let position = *self.position();
        if self.moves.pop().is_none() {
            return false;
        }
        self.positions.pop();
        if let Some(plies) = self.plies.get_mut(&position) {
            plies.pop();
        }
        true
    }

    /// Gives the game up for the side to move.
    ///
    /// # Errors
    /// [`IllegalMove::GameOver`] if there is an [`outcome`](Record::outcome) already.
    pub fn resign(&mut self) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.resigned = true;
        Ok(())
    }
}

impl Game {
    /// How often a position (board, hands, side to move) must occur for a game to be over by
    /// repetition. It matters to play only: positions have the same values for any number from 2.
    pub fn occurrences(&self) -> usize {
        self.family().occurrences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        "dobutsu".parse().unwrap()
    }

    fn play(record: &mut Record<'_>, moves: &str) {
        for text in moves.split_whitespace() {
            let mv = record.game().parse_move(record.position(), text).unwrap();
            record.play(mv).unwrap();
        }
    }

    #[test]
    fn a_move_taken_back_does_not_count() {
        let game = game();
        let mut record = Record::new(&game, game.start().unwrap());
        play(&mut record, "C4C3 A1A2 C3C4 A2A1 C4C3 A1A2 C3C4 A2A1");
        assert!(record.outcome().is_some());
        assert_eq!(record.play(record.moves()[0]), Err(IllegalMove::GameOver));
        assert!(record.undo());
        assert_eq!(record.ply(), 7);
        assert_eq!(record.outcome(), None);
        assert_eq!(record.occurrences(&game.start().unwrap()), [0, 4]);
        assert!(record.ends_by_repetition(&game.start().unwrap()));
        play(&mut record, "A2A1");
        assert!(record.outcome().is_some());
    }

    /// Case 12: pieces in hand belong to the position.
    #[test]
    fn case_12_the_same_board_with_other_hands_is_another_position() {
        let game = game();
        let with = |sfen: &str| game.parse_position(sfen).unwrap();
        let (own, other) = (with("l2/3/3/2L b C 1"), with("l2/3/3/2L b c 1"));
        let record = Record::new(&game, own);
        assert_eq!(record.occurrences(&own), [0]);
        assert_eq!(record.occurrences(&other), [0; 0]);
        assert_eq!(record.occurrences(&own.with_side(Color::Gote)), [0; 0]);
    }

    #[test]
    fn a_resignation_ends_the_game_and_can_be_taken_back() {
        let game = game();
        let mut record = Record::new(&game, game.start().unwrap());
        play(&mut record, "C4C3");
        record.resign().unwrap();
        let outcome = record.outcome().unwrap();
        assert_eq!(outcome.winner(), Some(Color::Sente));
        assert_eq!(record.resign(), Err(IllegalMove::GameOver));
        assert!(record.undo());
        assert_eq!((record.outcome(), record.ply()), (None, 1));
        assert!(record.undo());
        assert!(!record.undo());
        assert_eq!(record.positions(), [game.start().unwrap()]);
    }
}
