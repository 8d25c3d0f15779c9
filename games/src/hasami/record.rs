//! A **record**: a game as it is played, move by move, with the end that only its history shows.

use std::collections::HashMap;
use std::fmt;

use crate::color::Color;

use super::game::{End, Game, PLAYED_OCCURRENCES};
use super::notation::{TextError, color_name};
use super::options::LimitRule;
use super::position::{Move, Position};

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The rules decided it.
    Decided(End),
    /// A position occurred for the fourth time: a draw. The plies after which it stood; 0 is the
    /// start.
    Repetition(Vec<usize>),
    /// It was broken off at the limit; who won, `None` for a draw.
    Limit(Option<Color>),
    /// The side to move gave up.
    Resignation(Color),
}

impl Outcome {
    /// Who won; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match *self {
            Outcome::Decided(end) => Some(end.winner),
            Outcome::Repetition(_) => None,
            Outcome::Limit(winner) => winner,
            Outcome::Resignation(winner) => Some(winner),
        }
    }
}

/// A game as it is played: the start position, the moves, and every position on the way.
#[derive(Clone, Debug)]
pub struct Record<'g> {
    game: &'g Game,
    positions: Vec<Position>,
    moves: Vec<Move>,
    resigned: bool,
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

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The start and the position after each move.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a record has its start")
    }

    /// How often the last position has stood.
    pub fn occurrences(&self) -> usize {
        self.plies[self.position()].len()
    }

    /// How often a position has stood.
    pub fn occurrences_of(&self, position: &Position) -> usize {
        self.plies.get(position).map_or(0, Vec::len)
    }

    /// The end of the game, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.resigned {
            return Some(Outcome::Resignation(self.position().side().opponent()));
        }
        if let Some(end) = self.game.end(self.position()) {
            return Some(Outcome::Decided(end));
        }
        let plies = &self.plies[self.position()];
        if plies.len() >= PLAYED_OCCURRENCES {
            return Some(Outcome::Repetition(plies.clone()));
        }
        let play = self.game.options_of_play();
        let over = play
            .limit
            .is_some_and(|limit| self.moves.len() >= limit as usize);
        over.then(|| {
            let [sente, gote] = Color::BOTH.map(|color| self.game.taken_by(self.position(), color));
            Outcome::Limit(match play.limit_rule {
                LimitRule::Captures if sente > gote => Some(Color::Sente),
                LimitRule::Captures if sente < gote => Some(Color::Gote),
                LimitRule::Captures | LimitRule::Draw => None,
            })
        })
    }

    /// Plays a legal move of a game that is not over.
    pub fn play(&mut self, mv: Move) {
        let position = self.game.play(self.position(), mv);
        self.moves.push(mv);
        self.positions.push(position);
        self.plies
            .entry(position)
            .or_default()
            .push(self.moves.len());
    }

    /// The side to move gives up.
    pub fn resign(&mut self) {
        self.resigned = true;
    }

    /// Takes the last moves back.
    pub fn take_back(&mut self, plies: usize) {
        for _ in 0..plies.min(self.moves.len()) {
            let position = self.positions.pop().expect("a record has its start");
            self.moves.pop();
            let stood = self.plies.get_mut(&position).expect("it stood");
            stood.pop();
            if stood.is_empty() {
                self.plies.remove(&position);
            }
        }
        self.resigned = false;
    }
}

/// A record that was read, with the line of each move.
#[derive(Clone, Debug)]
pub struct ReadRecord<'g> {
    /// The game.
    pub record: Record<'g>,
    /// The line of each move, from 1.
    pub lines: Vec<usize>,
}

/// Why a record is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The ply that was about to be played, from 1.
    pub ply: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}, ply {}: {}",
            self.line, self.column, self.ply, self.problem
        )
    }
}

impl std::error::Error for RecordError {}

impl Game {
    /// Reads a record: moves in any notation, separated by blanks, with or without numbers before
    /// them. A first line may be the start position; `position startpos moves` is passed over. `#`
    /// begins a comment, `投了` or `resign` gives up.
    ///
    /// # Errors
    /// [`RecordError`] names line, column and ply of the first word that is wrong.
    pub fn read_record(&self, text: &str) -> Result<ReadRecord<'_>, RecordError> {
        let mut record = Record::new(self, self.start());
        let mut lines = Vec::new();
        let mut begun = false;
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            let wrong = |column, record: &Record<'_>, problem| RecordError {
                line: index + 1,
                column,
                ply: record.moves().len() + 1,
                problem,
            };
            let indent = line.chars().take_while(|sign| sign.is_whitespace()).count();
            let content = line.trim();
            if content.is_empty() {
                continue;
            }
            if !begun && content.contains('/') {
                let start = self.parse_position(content).map_err(
                    |TextError {
                         field,
                         column,
                         problem,
                     }| {
                        wrong(indent + column, &record, format!("{field}: {problem}"))
                    },
                )?;
                record = Record::new(self, start);
                begun = true;
                continue;
            }
            begun = true;
            for (column, word) in words(line) {
                let numbered = word.trim_end_matches(['.', ')']);
                if matches!(word, "position" | "startpos" | "moves")
                    || !numbered.is_empty() && numbered.bytes().all(|byte| byte.is_ascii_digit())
                {
                    continue;
                }
                if let Some(outcome) = record.outcome() {
                    let problem =
                        format!("`{word}` follows the end of the game ({})", name(&outcome));
                    return Err(wrong(column, &record, problem));
                }
                if matches!(word, "投了" | "resign" | "%TORYO") {
                    record.resign();
                    continue;
                }
                let mv = self.parse_move(record.position(), word).map_err(|error| {
                    wrong(
                        column + error.column - 1,
                        &record,
                        format!("`{word}`: {}", error.problem),
                    )
                })?;
                record.play(mv);
                lines.push(index + 1);
            }
        }
        Ok(ReadRecord { record, lines })
    }
}

/// The words of a line and their columns from 1.
fn words(line: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut column = 1;
    for word in line.split(char::is_whitespace) {
        if !word.is_empty() {
            words.push((column, word));
        }
        column += word.chars().count() + 1;
    }
    words
}

/// An outcome in short.
fn name(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Decided(end) => {
            format!("{}, {} has won", end.reason.name(), color_name(end.winner))
        }
        Outcome::Repetition(_) => "repetition, a draw".to_owned(),
        Outcome::Limit(_) => "the limit of plies".to_owned(),
        Outcome::Resignation(winner) => format!("resignation, {} has won", color_name(*winner)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_occurrence_is_a_draw() {
        let game: Game = "hasami@4x4".parse().unwrap();
        let shuttle = "1. a4a3 2. a1a2 a3-a4 ▽4一歩(42)\n";
        let read = game.read_record(&shuttle.repeat(2)).unwrap();
        assert_eq!(
            (read.record.outcome(), read.record.occurrences()),
            (None, 3)
        );
        let read = game.read_record(&shuttle.repeat(3)).unwrap();
        assert_eq!(
            read.record.outcome(),
            Some(Outcome::Repetition(vec![0, 4, 8, 12]))
        );
        assert_eq!(read.lines[4..], [2, 2, 2, 2, 3, 3, 3, 3]);
        let error = game.read_record(&shuttle.repeat(4)).unwrap_err();
        assert_eq!((error.line, error.column, error.ply), (4, 4, 13));
        let mut record = read.record;
        record.take_back(1);
        assert_eq!((record.outcome(), record.moves().len()), (None, 11));
    }

    #[test]
    fn limits_end_play() {
        for (rule, winner) in [("draw", None), ("captures", Some(Color::Sente))] {
            let game: Game = format!("hasami@4x4:limit=1,limit-rule={rule}")
                .parse()
                .unwrap();
            let outcome = |text: &str| game.read_record(text).unwrap().record.outcome();
            assert_eq!(outcome("pp2/4/4/2PP b 2-2"), None);
            assert_eq!(
                outcome("pp2/4/4/2PP b 2-2\nd4d3"),
                Some(Outcome::Limit(None)),
                "{rule}"
            );
            assert_eq!(
                outcome("pp2/4/4/1PPP b 2-1\nd4d3"),
                Some(Outcome::Limit(winner)),
                "{rule}"
            );
        }
    }

    #[test]
    fn wrong_records_are_named() {
        let game: Game = "hasami@4x4".parse().unwrap();
        for (text, line, column, ply) in [
            ("a4a3 a4a2", 1, 6, 2),
            ("# nothing\n  a4x3", 2, 5, 1),
            ("pppp/4/4/PPPx b\n", 1, 13, 1),
            ("a4a3 resign a1a2", 1, 13, 2),
        ] {
            let error = game.read_record(text).unwrap_err();
            assert_eq!(
                (error.line, error.column, error.ply),
                (line, column, ply),
                "{error}"
            );
        }
    }
}
