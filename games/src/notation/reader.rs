//! A **reader** of one position string: the fields that several notations share.

use crate::color::Color;
use crate::game::Game;
use crate::position::{Piece, Position};

use super::alphabet::Alphabet;
use super::position_error::{PositionError, PositionField, PositionProblem};
use super::scanner::{Scanner, is_blank};
use super::setup::Setup;

/// A position string that is being read.
pub(super) struct Reader<'a> {
    pub(super) game: &'a Game,
    pub(super) scanner: Scanner<'a>,
    /// The field that is being read, for errors.
    pub(super) field: PositionField,
    pub(super) setup: Setup<'a>,
    alphabet: Alphabet,
    /// Where the board ends; a missing royal is missing there.
    board_end: Scanner<'a>,
    /// Where the side to move stands.
    side_at: Scanner<'a>,
}

/// How the squares without a piece are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gaps {
    /// The number of empty squares in a row.
    Counts,
    /// `-` for each.
    Dashes,
}

impl<'a> Reader<'a> {
    pub(super) fn new(game: &'a Game, text: &'a str) -> Reader<'a> {
        let scanner = Scanner::new(text);
        Reader {
            game,
            scanner,
            field: PositionField::Board,
            setup: Setup::new(game),
            alphabet: Alphabet::of(game, text),
            board_end: scanner,
            side_at: scanner,
        }
    }

    /// The error that something is wrong at a place of this field.
    pub(super) fn error_at(&self, at: Scanner<'_>, problem: PositionProblem) -> PositionError {
        PositionError {
            field: self.field,
            line: at.line(),
            column: at.column(),
            problem,
        }
    }

    /// The error that the next character is wrong.
    pub(super) fn error(&self, problem: PositionProblem) -> PositionError {
        self.error_at(self.scanner, problem)
    }

    /// The error that something else should come next.
    pub(super) fn expected(&self, expected: &'static str) -> PositionError {
        let found = self.scanner.peek();
        self.error(PositionProblem::Unexpected { found, expected })
    }

    /// Skips blanks.
    pub(super) fn skip_blanks(&mut self) {
        self.scanner.skip(is_blank);
    }

    /// Goes on to the next field over at least one blank; whether there is one.
    pub(super) fn next_field(&mut self, field: PositionField) -> Result<bool, PositionError> {
        let blank = self.scanner.skip(is_blank);
        if self.scanner.peek().is_none() {
            self.field = field;
            return Ok(false);
        }
        if !blank {
            return Err(self.expected("a blank before the next field"));
        }
        self.field = field;
        Ok(true)
    }

    /// Reads the side to move: one of these characters, sente's first.
    pub(super) fn side(
        &mut self,
        [sente, gote]: [char; 2],
        expected: &'static str,
    ) -> Result<Color, PositionError> {
        self.side_at = self.scanner;
        if self.scanner.eat(sente) {
            Ok(Color::Sente)
        } else if self.scanner.eat(gote) {
            Ok(Color::Gote)
        } else {
            Err(self.expected(expected))
        }
    }

    /// Reads the ranks of the board from the top, `/` between them.
    pub(super) fn board(&mut self, gaps: Gaps) -> Result<(), PositionError> {
        let board = self.game.board();
        for rank in 0..board.height() {
            if rank > 0 && !self.scanner.eat('/') {
                return Err(self.error(PositionProblem::TooFewRanks {
                    found: rank,
                    height: board.height(),
                }));
            }
            self.rank(rank, gaps)?;
        }
        if gaps == Gaps::Counts && self.scanner.peek() == Some('/') {
            return Err(self.error(PositionProblem::TooManyRanks {
                height: board.height(),
            }));
        }
        self.end_board();
        Ok(())
    }

    /// Notes that the board has been read.
    pub(super) fn end_board(&mut self) {
        self.board_end = self.scanner;
    }

    /// Reads one rank.
    fn rank(&mut self, rank: u8, gaps: Gaps) -> Result<(), PositionError> {
        let board = self.game.board();
        let width = board.width();
        let mut file = 0;
        while let Some(next) = self.scanner.peek() {
            if next == '/' || next == '[' || is_blank(next) {
                break;
            }
            let start = self.scanner;
            let gap = match gaps {
                Gaps::Counts => next.to_digit(10).filter(|&gap| gap > 0),
                Gaps::Dashes => (next == '-').then_some(1),
            };
            if let Some(gap) = gap {
                self.scanner.bump();
                file += gap as u8;
            } else {
                let piece = self.piece()?;
                if file < width {
                    self.setup
                        .place(board.square(file, rank), piece)
                        .map_err(|problem| self.error_at(start, problem))?;
                }
                file += 1;
            }
            if file > width {
                return Err(self.error_at(start, PositionProblem::RankTooLong { width }));
            }
        }
        if file < width {
            return Err(self.error(PositionProblem::RankTooShort { found: file, width }));
        }
        Ok(())
    }

    /// Reads a piece: a letter, uppercase for sente, after a `+` if it is promoted.
    fn piece(&mut self) -> Result<Piece, PositionError> {
        let plus = self.scanner.eat('+');
        let at = self.scanner;
        let found = self.scanner.bump();
        let letter = found.unwrap_or_default();
        let Some((kind, promoted)) = self.alphabet.kind(self.game, letter) else {
            let expected = self.alphabet.letters(self.game);
            let problem = if self.alphabet.is_foreign(self.game, letter) {
                PositionProblem::MixedAlphabets {
                    found: letter,
                    expected,
                }
            } else {
                PositionProblem::UnknownPiece { found, expected }
            };
            return Err(self.error_at(at, problem));
        };
        if plus && (promoted || !self.game.kinds()[usize::from(kind)].promotes()) {
            return Err(self.error_at(at, PositionProblem::NotPromotable(letter)));
        }
        let color = if letter.is_ascii_uppercase() {
            Color::Sente
        } else {
            Color::Gote
        };
        Ok(Piece {
            color,
            kind,
            promoted: promoted || plus,
        })
    }

    /// Reads the hands up to a blank, `]` or the end: `-`, or letters of either side in any order,
    /// each after its count if that is not 1.
    pub(super) fn hands(&mut self) -> Result<(), PositionError> {
        let is_end = |next: Option<char>| next.is_none_or(|next| next == ']' || is_blank(next));
        if is_end(self.scanner.peek()) {
            return Err(self.expected("`-` or the letters of the pieces in hand"));
        }
        if self.scanner.eat('-') {
            return Ok(());
        }
        while !is_end(self.scanner.peek()) {
            let start = self.scanner;
            let count = self.scanner.number();
            if count.is_some() && is_end(self.scanner.peek()) {
                return Err(self.error_at(start, PositionProblem::CountWithoutPiece));
            }
            if count == Some(0) {
                return Err(self.error_at(start, PositionProblem::CountOfNone));
            }
            let at = self.scanner;
            let piece = self.piece()?;
            self.setup
                .hold(piece, count.unwrap_or(1))
                .map_err(|problem| self.error_at(at, problem))?;
        }
        Ok(())
    }

    /// Reads a number up to a blank or the end.
    pub(super) fn number(&mut self) -> Result<u32, PositionError> {
        let start = self.scanner;
        self.scanner
            .number()
            .filter(|&number| number < u32::MAX)
            .ok_or_else(|| {
                let problem = PositionProblem::Unexpected {
                    found: start.peek(),
                    expected: "a number",
                };
                self.error_at(start, problem)
            })
    }

    /// The position, if nothing but blanks is left.
    pub(super) fn finish(mut self, side: Color) -> Result<Position, PositionError> {
        if self.next_field(PositionField::End)? {
            return Err(self.expected("the end of the text"));
        }
        let at = |field, place: Scanner<'_>| {
            let (line, column) = (place.line(), place.column());
            move |problem| PositionError {
                field,
                line,
                column,
                problem,
            }
        };
        if self.setup.is_out_of_turn(side) {
            let color = side.opponent();
            let problem = PositionProblem::OutOfTurn { color };
            return Err(at(PositionField::Side, self.side_at)(problem));
        }
        self.setup
            .finish(side)
            .map_err(at(PositionField::Board, self.board_end))
    }
}
