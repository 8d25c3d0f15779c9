//! **Notation**: positions as text, and moves in square, USI and Japanese notation.
//!
//! A position is written like SFEN: ranks from the top, `P` for a man of sente and `p` for one of
//! gote, numbers for empty squares, `b` or `w` for sente or gote to move, then the men taken so far
//! by sente and gote, as in `ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b 0-0`. The men taken follow from those
//! left, so the field may be missing, and must agree where it is not.
//!
//! A square is `a1` (file by letter from the left, rank by number from the top) or, as in shogi, `9a`
//! (file by number from the right, rank by letter from the top), or with a kanji or a second number
//! for the rank in Japanese notation: on 9x9, `a1` = `9a` = `９一`.

use std::fmt;

use crate::color::Color;

use super::game::Game;
use super::grid::{Square, each, one};
use super::position::{Move, Position};

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The part of the text: board, side to move, men taken, move.
    pub field: &'static str,
    /// Where in the text, in characters from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, column {}: {}",
            self.field, self.column, self.problem
        )
    }
}

impl std::error::Error for TextError {}

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const MAN: char = '歩';

impl Game {
    /// Writes a position.
    pub fn sfen(&self, position: &Position) -> String {
        let grid = self.grid();
        let mut text = String::new();
        for rank in 0..grid.height() {
            if rank > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for file in 0..grid.width() {
                let man = position.man(grid.square(file, rank));
                if let (Some(_), 1..) = (man, empty) {
                    text.push(char::from(b'0' + empty));
                    empty = 0;
                }
                match man {
                    None => empty += 1,
                    Some(Color::Sente) => text.push('P'),
                    Some(Color::Gote) => text.push('p'),
                }
            }
            if empty > 0 {
                text.push(char::from(b'0' + empty));
            }
        }
        let side = match position.side() {
            Color::Sente => 'b',
            Color::Gote => 'w',
        };
        let [sente, gote] = Color::BOTH.map(|color| self.taken_by(position, color));
        format!("{text} {side} {sente}-{gote}")
    }

    /// Reads a position. `_` may stand for a blank; behind the men taken a move number may follow.
    ///
    /// # Errors
    /// [`TextError`] names the field and the column.
    pub fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        let mut fields = Vec::new();
        let mut column = 1;
        for word in text.split([' ', '_', '\t', '\n', '\r']) {
            if !word.is_empty() {
                fields.push((word, column));
            }
            column += word.chars().count() + 1;
        }
        let refuse = |field, column, problem: String| {
            Err(TextError {
                field,
                column,
                problem,
            })
        };
        let Some(&(board, at)) = fields.first() else {
            return refuse("board", 1, "the position is empty".to_owned());
        };
        let men = self.read_board(board, at)?;
        let side = match fields.get(1) {
            None => return refuse("side to move", column, "missing; it is b or w".to_owned()),
            Some(&("b", _)) => Color::Sente,
            Some(&("w", _)) => Color::Gote,
            Some(&(word, at)) => {
                let problem = format!("`{word}` is neither b (sente) nor w (gote)");
                return refuse("side to move", at, problem);
            }
        };
        let position = Position::new(men[0], men[1], side);
        for color in Color::BOTH {
            let (count, most) = (position.men(color).count_ones(), self.rules().men);
            if count > u32::from(most) {
                let problem = format!(
                    "{count} men of {}, of {most} at the start",
                    color_name(color)
                );
                return refuse("board", at, problem);
            }
        }
        if let Some(&(word, at)) = fields.get(2)
            && word != "-"
        {
            let [sente, gote] = Color::BOTH.map(|color| self.taken_by(&position, color));
            if word != format!("{sente}-{gote}") {
                let problem = format!(
                    "`{word}` does not agree with the board, where of {} men a side {sente}-{gote} \
                     are taken (by sente - by gote)",
                    self.rules().men
                );
                return refuse("men taken", at, problem);
            }
        }
        if let Some(&(word, at)) = fields.get(3)
            && word.parse::<u32>().is_err()
        {
            return refuse("move number", at, format!("`{word}` is no number"));
        }
        if let Some(&(word, at)) = fields.get(4) {
            return refuse("end", at, format!("`{word}` is too much"));
        }
        Ok(position)
    }

    fn read_board(&self, text: &str, column: usize) -> Result<[u128; 2], TextError> {
        let grid = self.grid();
        let mut men = [0; 2];
        let (mut file, mut rank) = (0, 0);
        let mut at = column;
        let refuse = |column, problem| {
            Err(TextError {
                field: "board",
                column,
                problem,
            })
        };
        for sign in text.chars() {
            let wide = match sign {
                'P' | 'p' => 1,
                '1'..='9' => sign as u8 - b'0',
                '/' => {
                    if file != grid.width() {
                        let problem =
                            format!("rank {} has {file} of {} squares", rank + 1, grid.width());
                        return refuse(at, problem);
                    }
                    if rank + 1 == grid.height() {
                        return refuse(at, format!("more than {} ranks", grid.height()));
                    }
                    (file, rank, at) = (0, rank + 1, at + 1);
                    continue;
                }
                _ => return refuse(at, format!("`{sign}` is neither P nor p nor a number")),
            };
            if file + wide > grid.width() {
                let problem = format!("rank {} has more than {} squares", rank + 1, grid.width());
                return refuse(at, problem);
            }
            if matches!(sign, 'P' | 'p') {
                men[usize::from(sign == 'p')] |= one(grid.square(file, rank));
            }
            file += wide;
            at += 1;
        }
        if file != grid.width() {
            return refuse(
                at,
                format!("rank {} has {file} of {} squares", rank + 1, grid.width()),
            );
        }
        if rank + 1 != grid.height() {
            return refuse(at, format!("{} of {} ranks", rank + 1, grid.height()));
        }
        Ok(men)
    }

    /// The name of a square, such as `a1`.
    pub fn square_name(&self, square: Square) -> String {
        let grid = self.grid();
        format!(
            "{}{}",
            char::from(b'a' + grid.file(square)),
            grid.rank(square) + 1
        )
    }

    /// A move by its squares, such as `a9a5`.
    pub fn squares(&self, mv: Move) -> String {
        self.square_name(mv.from) + &self.square_name(mv.to)
    }

    /// A move as in USI, such as `9i9e`.
    pub fn usi(&self, mv: Move) -> String {
        let grid = self.grid();
        [mv.from, mv.to]
            .map(|square| {
                let file = char::from(b'0' + grid.width() - grid.file(square));
                let rank = char::from(b'a' + grid.rank(square));
                format!("{file}{rank}")
            })
            .concat()
    }

    /// A move in Japanese, such as `▲９五歩`; where several men can go there, with the square it
    /// comes from, as in `▲９五歩(99)`.
    pub fn japanese(&self, position: &Position, mv: Move) -> String {
        let grid = self.grid();
        let file = |square| usize::from(grid.width() - grid.file(square));
        let rank = |square| usize::from(grid.rank(square));
        let sign = match position.side() {
            Color::Sente => '▲',
            Color::Gote => '△',
        };
        let mut text = format!(
            "{sign}{}{}{MAN}",
            FILES[file(mv.to) - 1],
            RANKS[rank(mv.to)]
        );
        if self.movers_to(position, mv.to).count_ones() > 1 {
            text += &format!("({}{})", file(mv.from), rank(mv.from) + 1);
        }
        text
    }

    /// Reads a legal move in any notation.
    ///
    /// # Errors
    /// [`TextError`] for an unreadable, an ambiguous and an illegal one.
    pub fn parse_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let refuse = |column, problem| {
            Err(TextError {
                field: "move",
                column,
                problem,
            })
        };
        let signs: Vec<char> = text.chars().collect();
        let mut reader = MoveReader {
            game: self,
            signs: &signs,
            at: 0,
        };
        let side = reader.side();
        if side.is_some_and(|side| side != position.side()) {
            let problem = format!("{} is to move", color_name(position.side()));
            return refuse(1, problem);
        }
        let Some(first) = reader.square() else {
            let problem = format!("`{text}` is no move; one is written a9a5, 9i9e or ▲９五歩");
            return refuse(reader.at + 1, problem);
        };
        let mv = if reader.take(MAN) {
            let from = if reader.take('(') {
                let from = reader.square();
                if from.is_none() || !reader.take(')') {
                    let problem = "the square in parentheses is unreadable; one is written (99)";
                    return refuse(reader.at + 1, problem.to_owned());
                }
                from
            } else {
                None
            };
            let movers = self.movers_to(position, first);
            match (from, movers.count_ones()) {
                (Some(from), _) => Move { from, to: first },
                (None, 1) => Move {
                    from: movers.trailing_zeros() as Square,
                    to: first,
                },
                (None, 0) => {
                    let problem = format!("no man can go to {}", self.square_name(first));
                    return refuse(1, problem);
                }
                (None, _) => {
                    let from: Vec<_> = each(movers)
                        .map(|square| self.square_name(square))
                        .collect();
                    let problem = format!(
                        "men from {} can go there; say which, as in {}",
                        from.join(" and "),
                        self.japanese(
                            position,
                            Move {
                                from: movers.trailing_zeros() as Square,
                                to: first
                            }
                        )
                    );
                    return refuse(1, problem);
                }
            }
        } else {
            let _ = reader.take('-');
            let Some(to) = reader.square() else {
                return refuse(
                    reader.at + 1,
                    "the square to go to is unreadable".to_owned(),
                );
            };
            Move { from: first, to }
        };
        if reader.at < signs.len() {
            let rest: String = signs[reader.at..].iter().collect();
            return refuse(reader.at + 1, format!("`{rest}` is too much"));
        }
        match self.illegality(position, mv) {
            None => Ok(mv),
            Some(problem) => refuse(1, problem),
        }
    }

    /// Why a move is illegal, if it is.
    fn illegality(&self, position: &Position, mv: Move) -> Option<String> {
        let (from, to) = (self.square_name(mv.from), self.square_name(mv.to));
        if self.end(position).is_some() {
            return Some("the game is over".to_owned());
        }
        if position.own() & one(mv.from) == 0 {
            let side = color_name(position.side());
            return Some(format!("no man of {side} stands on {from}"));
        }
        if self.is_legal(position, mv) {
            return None;
        }
        let grid = self.grid();
        let straight =
            grid.file(mv.from) == grid.file(mv.to) || grid.rank(mv.from) == grid.rank(mv.to);
        Some(if mv.from == mv.to {
            "a man must move".to_owned()
        } else if straight {
            format!("a man stands on the way from {from} to {to}, and none jumps")
        } else {
            format!("{from} to {to} is not straight along a file or a rank")
        })
    }
}

/// `sente` or `gote`.
pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Sente => "sente",
        Color::Gote => "gote",
    }
}

/// Reads the parts of a move.
struct MoveReader<'a> {
    game: &'a Game,
    signs: &'a [char],
    at: usize,
}

impl MoveReader<'_> {
    fn take(&mut self, sign: char) -> bool {
        let found = self.signs.get(self.at) == Some(&sign);
        self.at += usize::from(found);
        found
    }

    fn side(&mut self) -> Option<Color> {
        let color = match self.signs.first()? {
            '▲' | '☗' => Color::Sente,
            '△' | '▽' | '☖' => Color::Gote,
            _ => return None,
        };
        self.at += 1;
        Some(color)
    }

    /// A square in any of its forms.
    fn square(&mut self) -> Option<Square> {
        let (&first, &second) = (self.signs.get(self.at)?, self.signs.get(self.at + 1)?);
        let grid = self.game.grid();
        let letter = |sign: char| {
            let lower = sign.to_ascii_lowercase();
            matches!(lower, 'a'..='i').then(|| lower as u8 - b'a')
        };
        let digit = |sign: char| match sign {
            '1'..='9' => Some(sign as u8 - b'1'),
            _ => (0..)
                .zip(FILES)
                .find(|&(_, full)| full == sign)
                .map(|(number, _)| number),
        };
        let kanji = |sign: char| {
            (0..)
                .zip(RANKS)
                .find(|&(_, rank)| rank == sign)
                .map(|(rank, _)| rank)
        };
        let (file, rank) = match letter(first) {
            Some(file) => (file, digit(second)?),
            None => {
                // Counted from the right.
                let file = grid.width().checked_sub(1 + digit(first)?)?;
                let rank = letter(second)
                    .or_else(|| kanji(second))
                    .or_else(|| digit(second))?;
                (file, rank)
            }
        };
        if file >= grid.width() || rank >= grid.height() {
            return None;
        }
        self.at += 2;
        Some(grid.square(file, rank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back() {
        let game: Game = "hasami@4x3".parse().unwrap();
        for (text, written) in [
            ("pppp/4/PPPP b 0-0", "pppp/4/PPPP b 0-0"),
            ("1p2/1111/P2P w", "1p2/4/P2P w 3-2"),
            ("p3/4/P2P_b_3-2_17", "p3/4/P2P b 3-2"),
            ("p3/4/P2P b -", "p3/4/P2P b 3-2"),
        ] {
            assert_eq!(game.sfen(&game.parse_position(text).unwrap()), written);
        }
        for (text, error) in [
            ("", "board, column 1"),
            ("pppp/4 b", "board, column 7: 2 of 3 ranks"),
            ("pppp/4/PPPP/4 b", "board, column 12: more than 3 ranks"),
            ("ppp/4/PPPP b", "board, column 4: rank 1 has 3 of 4"),
            ("ppppp/4/PPPP b", "board, column 5: rank 1 has more than 4"),
            ("pppp/5/PPPP b", "board, column 6: rank 2 has more than 4"),
            ("pppx/4/PPPP b", "board, column 4: `x`"),
            ("ppp0/4/PPPP b", "board, column 4: `0`"),
            ("pppp/p3/PPPP b", "board, column 1: 5 men of gote"),
            ("pppp/4/PPPP", "side to move"),
            ("pppp/4/PPPP x", "side to move, column 13"),
            ("pppp/4/PPPP b 1-0", "men taken, column 15"),
            ("pppp/4/PPPP b 0-0 x", "move number, column 19"),
            ("pppp/4/PPPP b 0-0 1 1", "end, column 21"),
        ] {
            let found = game.parse_position(text).unwrap_err().to_string();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }

    #[test]
    fn moves_come_back_in_every_notation() {
        let game: Game = "hasami".parse().unwrap();
        let mut position = game.start();
        for text in ["a9a5", "i1i5", "b9b6", "9i9d"] {
            // The last one is no man's: the man has left.
            let Ok(mv) = game.parse_move(&position, text) else {
                assert_eq!(text, "9i9d");
                continue;
            };
            let mut count = 0;
            game.for_each_move(&position, |mv| {
                for text in [game.squares(mv), game.usi(mv), game.japanese(&position, mv)] {
                    assert_eq!(game.parse_move(&position, &text), Ok(mv), "{text}");
                }
                count += 1;
            });
            assert!(count > 40);
            position = game.play(&position, mv);
        }
        let start = game.start();
        let mv = game.parse_move(&start, "a9a5").unwrap();
        for text in [
            "A9A5",
            "a9-a5",
            "9i9e",
            "９九９五",
            "▲９五歩",
            "☗95歩",
            "▲9五歩(99)",
        ] {
            assert_eq!(game.parse_move(&start, text), Ok(mv), "{text}");
        }
        for (text, error) in [
            ("", "move, column 1: `` is no move"),
            ("a9", "move, column 3: the square to go to"),
            ("a9j5", "move, column 3: the square to go to"),
            ("a9a0", "move, column 3: the square to go to"),
            ("a9a5+", "move, column 5: `+` is too much"),
            ("a5a4", "move, column 1: no man of sente stands on a5"),
            ("a1a4", "move, column 1: no man of sente stands on a1"),
            ("a9b9", "move, column 1: a man stands on the way"),
            ("a9a1", "move, column 1: a man stands on the way"),
            ("a9a9", "move, column 1: a man must move"),
            ("a9b8", "move, column 1: a9 to b8 is not straight"),
            ("△９五歩", "move, column 1: sente is to move"),
            ("▲９一歩", "move, column 1: no man can go to a1"),
            ("▲９五歩(9", "move, column 6"),
        ] {
            let found = game.parse_move(&start, text).unwrap_err().to_string();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }
}
