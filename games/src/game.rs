//! A **game**: rules with all options resolved, on a board of a given size.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, MAX_SQUARES, Square, Squares, each, one};
use crate::color::Color;
use crate::law::Law;
use crate::position::{MAX_KINDS, Piece, Position};
use crate::rules::{FAMILIES, Family, Kind, Options};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// A royal was taken.
    RoyalTaken,
    /// A royal stands on its far rank and could not be taken there at once.
    Try,
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
    /// `attacks[color][role][square]`; see [`role`].
    attacks: [[[Squares; MAX_SQUARES]; 2 * MAX_KINDS]; 2],
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
            return Err(GameError::Contradiction(
                "no-drops leaves no drop for no-last-rank-chick-drop to forbid",
            ));
        }
        let mut attacks = [[[0; MAX_SQUARES]; 2 * MAX_KINDS]; 2];
        for (index, kind) in family.kinds.iter().enumerate() {
            for (promoted, steps) in [(false, kind.steps), (true, kind.promoted_steps)] {
                for square in each(board.all()) {
                    let targets = |sign: i8| {
                        steps
                            .iter()
                            .filter_map(|&(files, ranks)| {
                                board.step(square, (sign * files, sign * ranks))
                            })
                            .fold(0, |set, to| set | one(to))
                    };
                    let role = role(index, promoted);
                    attacks[0][role][usize::from(square)] = targets(1);
                    attacks[1][role][usize::from(square)] = targets(-1);
                }
            }
        }
        Ok(Game {
            family,
            board,
            options,
            attacks,
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
        Law::Draw
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

    /// The squares a piece attacks from a square.
    #[inline]
    pub fn attacks(&self, piece: Piece, from: Square) -> Squares {
        self.attacks[piece.color.index()][role(usize::from(piece.kind), piece.promoted)]
            [usize::from(from)]
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
        (0..self.board.len())
            .filter_map(|square| {
                position
                    .piece(square)
                    .filter(|piece| piece.color == color)
                    .map(|piece| self.attacks(piece, square))
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
        self.attacks[color.index()][role(usize::from(kind), false)][usize::from(square)] == 0
    }

    /// Whether the side to move can take the other side's royal.
    pub fn can_take_royal(&self, position: &Position) -> bool {
        position
            .royal(position.side().opponent())
            .is_some_and(|royal| self.attacked_by(position, position.side()) & one(royal) != 0)
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
        let mut moves = false;
        self.for_each_move(position, |_| moves = true);
        (!moves).then_some(End {
            winner: other,
            reason: EndReason::NoMove,
        })
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
            let mut with = self.options;
            (choice.apply)(&mut with);
            if with == self.options {
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
        let mut options = family.options;
        for name in options_text.into_iter().flat_map(|text| text.split(',')) {
            let choice = family
                .choices
                .iter()
                .find(|choice| choice.name == name)
                .ok_or_else(|| GameError::Option(name.to_owned(), family))?;
            (choice.apply)(&mut options);
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
    /// The game has no such option.
    Option(String, &'static Family),
    /// Two options contradict each other.
    Contradiction(&'static str),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Name(name) => {
                let names: Vec<_> = FAMILIES.iter().map(|family| family.name).collect();
                write!(
                    f,
                    "there is no game `{name}`; the games are: {}",
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
            GameError::Contradiction(why) => write!(f, "options contradict each other: {why}"),
        }
    }
}

impl std::error::Error for GameError {}
