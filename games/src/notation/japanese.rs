//! **Japanese** moves as in published games: `▲B2ひよこ`, `△A2きりん`.
//!
//! The sign of the side, the to-square and the piece that ends there. Where that names more than
//! one move, the from-square follows in parentheses, `▲B2きりん(C2)`, or `打` for a drop.

use crate::color::Color;
use crate::game::Game;
use crate::moves::{IllegalMove, Move};
use crate::position::{Piece, Position};
use crate::rules::Kind;

use super::move_error::{MoveError, MoveField};
use super::move_reader::MoveReader;
use super::scanner::Scanner;

/// The signs of the sides, the one that is written first.
const SIGNS: [(Color, [char; 2]); 2] = [(Color::Sente, ['▲', '☗']), (Color::Gote, ['△', '☖'])];

/// Whether a move that begins so may be a Japanese one.
pub(super) fn is_japanese(first: char) -> bool {
    matches!(first, 'A'..='Z' | 'Ａ'..='Ｚ') || signed(first).is_some()
}

/// The side whose sign this is.
fn signed(sign: char) -> Option<Color> {
    let side = SIGNS.iter().find(|(_, signs)| signs.contains(&sign));
    side.map(|&(color, _)| color)
}

/// Reads a move. The sign may be missing, and `打` where the piece can only be dropped; names may
/// be in katakana, letters and digits in full width.
pub(super) fn read(reader: &mut MoveReader<'_>) -> Result<Move, MoveError> {
    let start = reader.scanner;
    if let Some(color) = start.peek().and_then(signed) {
        reader.check_side(start, color)?;
        reader.scanner.bump();
    }
    let to = reader.square(MoveField::To)?;
    let at = reader.scanner;
    let Some(named) = read_name(reader.game, &mut reader.scanner) else {
        let names = names(reader.game);
        return Err(reader.expected(
            MoveField::Piece,
            format!("the piece after the move: {names}"),
        ));
    };
    if reader.scanner.eat('打') {
        reader.end()?;
        return reader.drop(to, at, named, name);
    }
    if reader.scanner.eat('(') || reader.scanner.eat('（') {
        let from = reader.square(MoveField::From)?;
        if !reader.scanner.eat(')') && !reader.scanner.eat('）') {
            return Err(reader.expected(MoveField::From, "`)` after the square"));
        }
        reader.end()?;
        return reader.step((from, to), at, named, name);
    }
    reader.end()?;
    let (game, position) = (reader.game, reader.position);
    let mut readings = Vec::new();
    game.for_each_reading(position, to, named, |mv| readings.push(mv));
    match readings[..] {
        [mv] => Ok(mv),
        [] if game.end(position).is_some() => Err(MoveError::Illegal(IllegalMove::GameOver)),
        [] => {
            let mut square = String::new();
            game.push_square(to, &mut square);
            Err(MoveError::NoReading {
                piece: name(&game.kinds()[usize::from(named.0)], named.1),
                to: square,
            })
        }
        _ => Err(MoveError::Ambiguous {
            readings: readings
                .into_iter()
                .map(|mv| (mv, game.japanese(position, mv)))
                .collect(),
        }),
    }
}

/// Reads the name of a piece, the longest that fits: its kind, and whether it is promoted.
fn read_name(game: &Game, scanner: &mut Scanner<'_>) -> Option<(u8, bool)> {
    let mut longest = None;
    let start = *scanner;
    for (index, kind) in game.kinds().iter().enumerate() {
        let names = [Some(kind.japanese), kind.promoted_japanese];
        for (promoted, name) in [false, true].into_iter().zip(names) {
            let mut end = start;
            let Some(name) = name else { continue };
            let fits = name.chars().all(|c| end.bump().map(hiragana) == Some(c));
            if fits && end.rest().len() < scanner.rest().len() {
                *scanner = end;
                longest = Some((index as u8, promoted));
            }
        }
    }
    longest
}

/// The hiragana of a katakana.
fn hiragana(c: char) -> char {
    match c {
        'ァ'..='ヶ' => {
            char::from_u32(u32::from(c) - u32::from('ァ') + u32::from('ぁ')).unwrap_or(c)
        }
        _ => c,
    }
}

/// The name of a piece.
fn name(kind: &'static Kind, promoted: bool) -> &'static str {
    match kind.promoted_japanese {
        Some(name) if promoted => name,
        _ => kind.japanese,
    }
}

/// The names of the pieces, as an error lists them.
fn names(game: &Game) -> String {
    let names: Vec<&str> = game
        .kinds()
        .iter()
        .flat_map(|kind| [Some(kind.japanese), kind.promoted_japanese])
        .flatten()
        .collect();
    names.join(" ")
}

impl Game {
    /// A move in Japanese: `▲B2ひよこ`, and where that could be two moves, `▲B2きりん(C2)` or
    /// `▲B2きりん打`.
    pub fn japanese(&self, position: &Position, mv: Move) -> String {
        let mut text = String::with_capacity(32);
        let side = position.side();
        text.push(SIGNS[side.index()].1[0]);
        self.push_square(mv.to(), &mut text);
        let Some(piece) = self.moved_piece(position, mv) else {
            return text;
        };
        text.push_str(name(&self.kinds()[usize::from(piece.kind)], piece.promoted));
        if self.is_ambiguous(position, mv, piece) {
            match mv {
                Move::Step { from, .. } => {
                    text.push('(');
                    self.push_square(from, &mut text);
                    text.push(')');
                }
                Move::Drop { .. } => text.push('打'),
            }
        }
        text
    }

    /// Whether another move brings the same piece to the same square.
    fn is_ambiguous(&self, position: &Position, mv: Move, piece: Piece) -> bool {
        // Only the second piece of a kind can make a second move; without one the moves need not
        // be generated.
        let held = position.hand(piece.color, piece.kind);
        let same = (0..self.board().len())
            .filter_map(|square| position.piece(square))
            .filter(|other| other.color == piece.color && other.kind == piece.kind);
        if usize::from(held) + same.count() < 2 {
            return false;
        }
        let mut readings = 0;
        let named = (piece.kind, piece.promoted);
        self.for_each_reading(position, mv.to(), named, |_| readings += 1);
        readings > 1
    }

    /// Calls back with every move that brings this piece (a kind, and whether it is promoted after
    /// the move) to this square.
    fn for_each_reading(
        &self,
        position: &Position,
        to: u8,
        (kind, promoted): (u8, bool),
        mut emit: impl FnMut(Move),
    ) {
        self.for_each_move(position, |mv| {
            if mv.to() == to
                && self
                    .moved_piece(position, mv)
                    .is_some_and(|piece| piece.kind == kind && piece.promoted == promoted)
            {
                emit(mv);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::FAMILIES;

    #[test]
    fn every_piece_has_a_name_of_its_own() {
        for family in FAMILIES {
            let mut names = Vec::new();
            for kind in family.kinds {
                assert_eq!(kind.promotes(), kind.promoted_japanese.is_some());
                names.extend([Some(kind.japanese), kind.promoted_japanese]);
            }
            let mut names: Vec<_> = names.into_iter().flatten().collect();
            let all = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), all, "{}", family.name);
        }
    }
}
