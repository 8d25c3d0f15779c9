//! **Tanaka's notation**, which resembles CSA's: pieces are a sign, `+` for sente and `-` for gote,
//! and two letters.
//!
//! A position is its ranks (` . ` for an empty square), six digits for the hands and the sign of
//! the side to move. It is read, never written. A move is the sign of the side, from-square (`00`
//! for a drop), to-square and the piece as it is after the move: `+C4C3KI`, `+00C1HI`.

use crate::color::Color;
use crate::game::Game;
use crate::moves::Move;
use crate::position::{Piece, Position};
use crate::rules::Kind;

use super::move_error::{MoveError, MoveField};
use super::move_reader::MoveReader;
use super::position::{PositionForm, ReadPosition};
use super::position_error::{PositionError, PositionField, PositionProblem};
use super::reader::Reader;
use super::scanner::{Scanner, is_blank};

/// Whether a text begins like a position of this notation: its first rank holds a `.` or a piece,
/// which no letters of an SFEN spell.
pub(super) fn is_tanaka(game: &Game, text: &str) -> bool {
    if game.family().tanaka_hands.is_empty() {
        return false;
    }
    let rank = text.split(is_separator).next().unwrap_or_default();
    rank.contains('.')
        || rank
            .split(['+', '-'])
            .skip(1)
            .any(|cell| read_name(game, &mut Scanner::new(cell)).is_some())
}

/// Reads ranks, hands and side to move.
pub(super) fn read(mut reader: Reader<'_>) -> Result<ReadPosition, PositionError> {
    read_board(&mut reader)?;
    reader.end_board();
    skip_gap(&mut reader);
    reader.field = PositionField::Hands;
    for color in Color::BOTH {
        for &kind in reader.game.family().tanaka_hands {
            let at = reader.scanner;
            let digit = at.peek().and_then(|next| next.to_digit(10));
            let Some(count) = digit else {
                return Err(reader.expected("a digit for each kind in hand, sente's first"));
            };
            reader.scanner.bump();
            if count > 0 {
                let piece = Piece {
                    color,
                    kind,
                    promoted: false,
                };
                reader
                    .setup
                    .hold(piece, count)
                    .map_err(|problem| reader.error_at(at, problem))?;
            }
        }
    }
    skip_gap(&mut reader);
    reader.field = PositionField::Side;
    let side = reader.side(['+', '-'], "`+` (sente) or `-` (gote)")?;
    Ok(ReadPosition {
        position: reader.finish(side)?,
        form: PositionForm::Tanaka,
        number: None,
    })
}

/// Reads the ranks from the top.
fn read_board(reader: &mut Reader<'_>) -> Result<(), PositionError> {
    let board = reader.game.board();
    for rank in 0..board.height() {
        for file in 0..board.width() {
            skip_rank_blanks(reader);
            let start = reader.scanner;
            if reader.scanner.eat('.') {
                continue;
            }
            let Some(color) = read_sign(&mut reader.scanner) else {
                return Err(if start.peek().is_none_or(is_separator) {
                    reader.error(PositionProblem::RankTooShort {
                        found: file,
                        width: board.width(),
                    })
                } else {
                    reader.expected("`.` or a sign and a piece, as in `+LI`")
                });
            };
            let Some((kind, promoted)) = read_name(reader.game, &mut reader.scanner) else {
                return Err(reader.error(PositionProblem::UnknownPiece {
                    found: reader.scanner.peek(),
                    expected: names(reader.game),
                }));
            };
            let piece = Piece {
                color,
                kind,
                promoted,
            };
            reader
                .setup
                .place(board.square(file, rank), piece)
                .map_err(|problem| reader.error_at(start, problem))?;
        }
        skip_rank_blanks(reader);
        // A blank may separate the last rank from the digits.
        let next = reader.scanner.peek();
        let ends = next.is_none_or(|next| is_separator(next) || next.is_ascii_digit());
        if !ends {
            return Err(reader.error(PositionProblem::RankTooLong {
                width: board.width(),
            }));
        }
        if next.is_some_and(is_separator) {
            reader.scanner.bump();
        }
    }
    Ok(())
}

/// Whether a character ends a rank.
fn is_separator(c: char) -> bool {
    matches!(c, '\n' | '\t' | '/' | '|')
}

/// Skips the blanks in a rank.
fn skip_rank_blanks(reader: &mut Reader<'_>) {
    reader.scanner.skip(|c| is_blank(c) && !is_separator(c));
}

/// Skips what may stand between board, hands and side.
fn skip_gap(reader: &mut Reader<'_>) {
    reader.scanner.skip(|c| is_blank(c) || is_separator(c));
}

/// Reads `+` or `-`.
fn read_sign(scanner: &mut Scanner<'_>) -> Option<Color> {
    if scanner.eat('+') {
        Some(Color::Sente)
    } else if scanner.eat('-') {
        Some(Color::Gote)
    } else {
        None
    }
}

/// Reads the two letters of a piece: its kind, and whether it is promoted.
fn read_name(game: &Game, scanner: &mut Scanner<'_>) -> Option<(u8, bool)> {
    for (index, kind) in game.kinds().iter().enumerate() {
        for (promoted, name) in [false, true].into_iter().zip(kind.tanaka) {
            if !name.is_empty() && scanner.eat_word(name) {
                return Some((index as u8, promoted));
            }
        }
    }
    None
}

/// The two letters of a piece.
fn name(kind: &'static Kind, promoted: bool) -> &'static str {
    kind.tanaka[usize::from(promoted)]
}

/// The pieces' letters, as an error lists them.
fn names(game: &Game) -> String {
    let mut names: Vec<&str> = game.kinds().iter().flat_map(|kind| kind.tanaka).collect();
    names.dedup();
    names.join(" ")
}

/// Reads a move.
pub(super) fn read_move(reader: &mut MoveReader<'_>) -> Result<Move, MoveError> {
    let game = reader.game;
    let start = reader.scanner;
    let Some(color) = read_sign(&mut reader.scanner) else {
        return Err(reader.expected(MoveField::Side, "`+` (sente) or `-` (gote)"));
    };
    reader.check_side(start, color)?;
    let from = if reader.scanner.eat_word("00") {
        None
    } else {
        Some(reader.square(MoveField::From)?)
    };
    let to = reader.square(MoveField::To)?;
    let at = reader.scanner;
    let Some(named) = read_name(game, &mut reader.scanner) else {
        let names = names(game);
        return Err(reader.expected(
            MoveField::Piece,
            format!("the piece after the move: {names}"),
        ));
    };
    reader.end()?;
    match from {
        None => reader.drop(to, at, named, name),
        Some(from) => reader.step((from, to), at, named, name),
    }
}

impl Game {
    /// A move in Tanaka's notation: `+C4C3KI`, drop `+00C1HI`.
    pub fn tanaka(&self, position: &Position, mv: Move) -> String {
        let mut text = String::with_capacity(8);
        text.push(match position.side() {
            Color::Sente => '+',
            Color::Gote => '-',
        });
        match mv {
            Move::Step { from, .. } => self.push_square(from, &mut text),
            Move::Drop { .. } => text.push_str("00"),
        }
        self.push_square(mv.to(), &mut text);
        if let Some(piece) = self.moved_piece(position, mv) {
            text.push_str(name(&self.kinds()[usize::from(piece.kind)], piece.promoted));
        }
        text
    }
}
