//! A **game**: rules with all options resolved, on a board of a given size.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, MAX_SQUARES, Square, Squares, each, one};
use crate::color::Color;
use crate::law::Law;
use crate::moves::Move;
use crate::position::{MAX_KINDS, Piece, Position};
use crate::rays::{Directions, Rays, directions};
use crate::rules::{FAMILIES, Family, Kind, Options, Step};
use crate::value::Value;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// A royal was taken.
    RoyalTaken,
    /// A royal stands on its far rank and could not be taken there at once.
    Try,
    /// The side to move is in check and has no move, where check must be met.
    Checkmate,
    /// The side to move has no move.
    NoMove,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Who won.
    pub winner: Color,
    /// Why the game is over.
    pub reason: EndReason,
}

/// A game with its board and options, and the tables made from them.
///
/// ```
/// use koma_games::Game;
/// let game: Game = "dobutsu@3x5:no-try".parse().unwrap();
/// assert_eq!(game.to_string(), "dobutsu@3x5:no-try");
/// assert!("dobutsu:no-lions".parse::<Game>().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    family: &'static Family,
    board: Board,
    options: Options,
    /// `steps[color][role][square]`: the squares a step away; see [`role`].
    steps: [[[Squares; MAX_SQUARES]; 2 * MAX_KINDS]; 2],
    /// `slides[color][role]`: the directions in which pieces slide.
    slides: [[Directions; 2 * MAX_KINDS]; 2],
    rays: Rays,
}

/// The index of a kind, unpromoted or promoted, among the ways to step.
#[inline(always)]
pub(crate) const fn role(kind: usize, promoted: bool) -> usize {
    2 * kind + promoted as usize
}

impl Game {
    /// A game on a board of this size. The options must not contradict each other.
    ///
    /// # Errors
    /// [`GameError`] names the board or option.
    pub fn new(family: &'static Family, board: Board, options: Options) -> Result<Game, GameError> {
        if board.width() < 3 || board.height() < 3 {
            return Err(GameError::Board(format!(
                "{}x{}",
                board.width(),
                board.height()
            )));
        }
        if !options.drops && !options.dead_drops {
            return Err(GameError::NoDropToForbid);
        }
        if !family.other_boards && (board.width(), board.height()) != family.board {
            return Err(GameError::OnlyBoard(family));
        }
        let mut table = [[[0; MAX_SQUARES]; 2 * MAX_KINDS]; 2];
        let mut slides = [[0; 2 * MAX_KINDS]; 2];
        for (index, kind) in family.kinds.iter().enumerate() {
            for (promoted, steps) in [(false, kind.steps), (true, kind.promoted_steps)] {
                let role = role(index, promoted);
                for (color, sign) in [1, -1].into_iter().enumerate() {
                    for square in each(board.all()) {
                        table[color][role][usize::from(square)] =
                            steps_from(board, steps, sign, square);
                    }
                    slides[color][role] = directions(kind.slides, sign);
                }
            }
        }
        Ok(Game {
            family,
            board,
            options,
            steps: table,
            slides,
            rays: Rays::new(board),
        })
    }

    /// The family the game belongs to.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The kinds of pieces, the royal first.
    #[inline]
    pub fn kinds(&self) -> &'static [Kind] {
        self.family.kinds
    }

    /// The rules in force.
    #[inline]
    pub fn options(&self) -> Options {
        self.options
    }

    /// The law for endless play.
    pub fn law(&self) -> Law {
        self.options.law
    }

    /// What a position is worth to a side to move without a move.
    pub fn no_move_value(&self) -> Value {
        Value::Loss(self.family.no_move_plies)
    }

    /// The start position; `None` if the board is too small for it.
    pub fn start(&self) -> Option<Position> {
        let mut position = Position::empty(Color::Sente);
        for &(kind, file, rank) in self.family.start {
            let square = self
                .board
                .square(file, self.board.height().checked_sub(1 + rank)?);
            let turned = self.board.rotated(square);
            for (color, square) in [(Color::Sente, square), (Color::Gote, turned)] {
                if position.piece(square).is_some() {
                    return None;
                }
                let piece = Piece {
                    color,
                    kind: kind as u8,
                    promoted: false,
                };
                position.set(square, Some(piece));
            }
        }
        Some(position)
    }

    /// The squares a piece attacks from a square of an otherwise empty board.
    #[inline]
    pub fn attacks(&self, piece: Piece, from: Square) -> Squares {
        self.attacks_over(piece, from, 0)
    }

    /// The squares a piece attacks from a square while others are occupied: a slide ends at the
    /// first of these.
    #[inline]
    pub fn attacks_over(&self, piece: Piece, from: Square, occupied: Squares) -> Squares {
        let (color, role) = (
            piece.color.index(),
            role(usize::from(piece.kind), piece.promoted),
        );
        let steps = self.steps[color][role][usize::from(from)];
        match self.slides[color][role] {
            0 => steps,
            slides => steps | self.rays.attacks(slides, from, occupied),
        }
    }

    /// The squares occupied by the side to move and by the other side.
    #[inline]
    pub fn occupied(&self, position: &Position) -> (Squares, Squares) {
        let mut sets = [0; 2];
        for square in 0..self.board.len() {
            if let Some(piece) = position.piece(square) {
                sets[usize::from(piece.color != position.side())] |= one(square);
            }
        }
        (sets[0], sets[1])
    }

    /// The squares that a color's pieces attack, those they guard included.
    pub fn attacked_by(&self, position: &Position, color: Color) -> Squares {
        let (own, other) = self.occupied(position);
        (0..self.board.len())
            .filter_map(|square| {
                position
                    .piece(square)
                    .filter(|piece| piece.color == color)
                    .map(|piece| self.attacks_over(piece, square, own | other))
            })
            .fold(0, |set, attacks| set | attacks)
    }

    /// The promotion zone of a color.
    #[inline]
    pub fn zone(&self, color: Color) -> Squares {
        (0..self.family.zone)
            .map(|depth| self.far_rank(color, depth))
            .fold(0, |set, rank| set | rank)
    }

    /// The squares of the rank that lies `depth` ranks before a color's last one.
    #[inline]
    pub fn far_rank(&self, color: Color, depth: u8) -> Squares {
        match color {
            Color::Sente => self.board.rank_squares(depth),
            Color::Gote => self.board.rank_squares(self.board.height() - 1 - depth),
        }
    }

    /// Whether an unpromoted piece could never move from this square.
    #[inline]
    pub fn is_dead(&self, color: Color, kind: u8, square: Square) -> bool {
        let piece = Piece {
            color,
            kind,
            promoted: false,
        };
        self.attacks(piece, square) == 0
    }

    /// The squares from which an unpromoted piece could never move.
    pub(crate) fn dead_squares(&self, color: Color, kind: u8) -> Squares {
        each(self.board.all())
            .filter(|&square| self.is_dead(color, kind, square))
            .fold(0, |set, square| set | one(square))
    }

    /// Whether two unpromoted pieces of a color and kind may not stand on the same file.
    pub(crate) fn is_file_bound(&self, kind: u8) -> bool {
        !self.options.doubled_pawns && self.family.pawn == Some(kind)
    }

    /// Whether the side to move can take the other side's royal.
    pub fn can_take_royal(&self, position: &Position) -> bool {
        self.is_exposed(position, position.side().opponent())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, position: &Position) -> bool {
        self.is_exposed(position, position.side())
    }

    /// Whether a color's royal stands where the other color attacks.
    pub(crate) fn is_exposed(&self, position: &Position, color: Color) -> bool {
        position
            .royal(color)
            .is_some_and(|royal| self.attacked_by(position, color.opponent()) & one(royal) != 0)
    }

    /// Whether and how the game is over.
    ///
    /// A game is not over while the side to move can take the other royal, which wins. Else a royal
    /// on its far rank has won: the other side's, which just arrived unattacked, before the own
    /// one, which arrived attacked and was not taken.
    pub fn end(&self, position: &Position) -> Option<End> {
        let side = position.side();
        let other = side.opponent();
        let won_by = |winner, reason| Some(End { winner, reason });
        let Some(own_royal) = position.royal(side) else {
            return won_by(other, EndReason::RoyalTaken);
        };
        let Some(other_royal) = position.royal(other) else {
            return won_by(side, EndReason::RoyalTaken);
        };
        if self.can_take_royal(position) {
            return None;
        }
        if self.options.try_wins {
            if self.far_rank(other, 0) & one(other_royal) != 0 {
                return won_by(other, EndReason::Try);
            }
            if self.far_rank(side, 0) & one(own_royal) != 0 {
                return won_by(side, EndReason::Try);
            }
        }
        if self.has_move(position) {
            return None;
        }
        // Where check need not be met, a side in check without a move is no more mated than others.
        let is_mate = !self.options.exposure && self.in_check(position);
        let reason = if is_mate {
            EndReason::Checkmate
        } else {
            EndReason::NoMove
        };
        won_by(other, reason)
    }

    /// The position as the mirror shows it, left and right exchanged.
    pub fn mirrored(&self, position: &Position) -> Position {
        let mut mirrored = *position;
        for square in 0..self.board.len() {
            mirrored.set(self.board.mirrored(square), position.piece(square));
        }
        mirrored
    }

    /// The position turned around with the colors exchanged: the same to play for the other color.
    pub fn rotated(&self, position: &Position) -> Position {
        let mut rotated = *position;
        for square in 0..self.board.len() {
            let piece = position.piece(square).map(|piece| Piece {
                color: piece.color.opponent(),
                ..piece
            });
            rotated.set(self.board.rotated(square), piece);
        }
        for kind in 0..self.kinds().len() as u8 {
            for color in Color::BOTH {
                rotated.set_hand(color.opponent(), kind, position.hand(color, kind));
            }
        }
        rotated.with_side(position.side().opponent())
    }

    /// A move as it is played in the [`rotated`](Game::rotated) position.
    pub fn rotated_move(&self, mv: Move) -> Move {
        let turn = |square| self.board.rotated(square);
        match mv {
            Move::Step { from, to, promote } => Move::Step {
                from: turn(from),
                to: turn(to),
                promote,
            },
            Move::Drop { kind, to } => Move::Drop { kind, to: turn(to) },
        }
    }
}

/// The squares a step away, by the steps as sente makes them (sign 1) or as gote does (-1).
fn steps_from(board: Board, steps: &[Step], sign: i8, from: Square) -> Squares {
    steps
        .iter()
        .filter_map(|&(files, ranks)| board.step(from, (sign * files, sign * ranks)))
        .fold(0, |set, to| set | one(to))
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.family.name == other.family.name
            && self.board == other.board
            && self.options == other.options
    }
}

impl Eq for Game {}

/// `name`, `@WxH` unless it is the usual board, and `:option,option` unless there is none.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.family.name)?;
        if (self.board.width(), self.board.height()) != self.family.board {
            write!(f, "@{}x{}", self.board.width(), self.board.height())?;
        }
        let mut separator = ':';
        for choice in self.family.choices {
            let changes = |mut options: Options| {
                let before = options;
                (choice.apply)(&mut options);
                options != before
            };
            if changes(self.family.options) && !changes(self.options) {
                write!(f, "{separator}{}", choice.name)?;
                separator = ',';
            }
        }
        Ok(())
    }
}

impl FromStr for Game {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Game, GameError> {
        let (head, options_text) = match text.split_once(':') {
            Some((head, options)) => (head, Some(options)),
            None => (text, None),
        };
        let (name, board) = match head.split_once('@') {
            Some((name, board)) => (name, Some(board)),
            None => (head, None),
        };
        let family = FAMILIES
            .iter()
            .find(|family| family.name == name)
            .ok_or_else(|| GameError::Name(name.to_owned()))?;
        let size = match board {
            None => Some(family.board),
            Some(text) => text
                .split_once('x')
                .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?))),
        };
        let board = size
            .and_then(|(width, height)| Board::new(width, height))
            .ok_or_else(|| GameError::Board(board.unwrap_or_default().to_owned()))?;
        let mut chosen = Vec::new();
        for name in options_text.into_iter().flat_map(|text| text.split(',')) {
            let choice = family
                .choices
                .iter()
                .find(|choice| choice.name == name)
                .ok_or_else(|| GameError::Option(name.to_owned(), family))?;
            chosen.push(choice);
        }
        let mut options = family.options;
        for choice in &chosen {
            (choice.apply)(&mut options);
        }
        for choice in chosen {
            let before = options;
            (choice.apply)(&mut options);
            if options != before {
                return Err(GameError::Contradiction(choice.name));
            }
        }
        Game::new(family, board, options)
    }
}

/// Why a text names no game.
#[derive(Clone, Debug)]
pub enum GameError {
    /// No game has this name.
    Name(String),
    /// The board's size is unreadable or out of bounds.
    Board(String),
    /// The game is played on its own board only.
    OnlyBoard(&'static Family),
    /// The game has no such option.
    Option(String, &'static Family),
    /// A later option says otherwise than this one.
    Contradiction(&'static str),
    /// Drops are forbidden twice.
    NoDropToForbid,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Name(name) => {
                let names: Vec<_> = FAMILIES.iter().map(|family| family.name).collect();
                write!(
                    f,
                    "there is no game `{name}`; the games are: {}, hasami",
                    names.join(", ")
                )
            }
            GameError::Board(size) => write!(
                f,
                "board `{size}`: a size is written WxH, as in 3x5, with 3 to 9 files and ranks and \
                 at most {MAX_SQUARES} squares"
            ),
            GameError::Option(option, family) => {
                let names: Vec<_> = family.choices.iter().map(|choice| choice.name).collect();
                write!(
                    f,
                    "{} has no option `{option}`; its options are: {}",
                    family.name,
                    names.join(", ")
                )
            }
            GameError::OnlyBoard(family) => {
                let (width, height) = family.board;
                write!(f, "{} is played on {width}x{height} only", family.name)
            }
            GameError::Contradiction(name) => write!(
                f,
                "options contradict each other: a later one says otherwise than {name}"
            ),
            GameError::NoDropToForbid => f.write_str(
                "options contradict each other: no-drops leaves no drop for \
                 no-last-rank-chick-drop to forbid",
            ),
        }
    }
}

impl std::error::Error for GameError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, and what they are written as again, or the error.
    #[test]
    fn games_have_names() {
        for (name, written) in [
            ("minishogi", "minishogi"),
            ("minishogi:repetition=uec", "minishogi"),
            ("minishogi:repetition=pcl", "minishogi:repetition=pcl"),
            ("gorogoro:repetition=pcl", "gorogoro"),
            ("gorogoro@5x6:repetition=draw", "gorogoro:repetition=draw"),
            ("minishogi@5x6", "minishogi is played on 5x5 only"),
            (
                "minishogi:repetition=draw,repetition=pcl",
                "options contradict each other: a later one says otherwise than repetition=draw",
            ),
            (
                "gorogoro:no-try",
                "gorogoro has no option `no-try`; its options are: repetition=draw, \
                 repetition=uec, repetition=pcl, repetition=inventor",
            ),
            (
                "shogi",
                "there is no game `shogi`; the games are: dobutsu, minishogi, gorogoro, hasami",
            ),
        ] {
            let found = match name.parse::<Game>() {
                Ok(game) => game.to_string(),
                Err(error) => error.to_string(),
            };
            assert_eq!(found, written, "{name}");
        }
    }

    #[test]
    fn the_starts_are_the_published_ones() {
        for (name, sfen) in [
            ("minishogi", "rbsgk/4p/5/P4/KGSBR b - 1"),
            ("gorogoro", "sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1"),
        ] {
            let game: Game = name.parse().unwrap();
            assert_eq!(game.sfen(&game.start().unwrap()), sfen);
        }
    }
}
