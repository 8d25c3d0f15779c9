//! A **game** of hasami shogi: a board and its rules; moves, captures and the end.

use std::fmt;
use std::str::FromStr;

use crate::color::Color;

use super::captures::Captures;
use super::grid::{Grid, STEPS, Square, Squares, each, one};
use super::options::{NameError, Play, Rules, Start, read_grid, read_options, write_options};
use super::position::{Move, Position};

/// A game is a draw when a position occurs for the fourth time.
pub const PLAYED_OCCURRENCES: usize = 4;

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A side has taken as many men as win.
    Captures,
    /// A side leads by so many captures as win.
    Lead,
    /// The side to move has no move.
    NoMove,
}

impl EndReason {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            EndReason::Captures => "captures",
            EndReason::Lead => "lead",
            EndReason::NoMove => "no_move",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct End {
    /// Who won.
    pub winner: Color,
    /// Why.
    pub reason: EndReason,
}

/// A board and the rules played on it.
#[derive(Clone, Debug)]
pub struct Game {
    grid: Grid,
    rules: Rules,
    play: Play,
    captures: Captures,
}

impl Game {
    /// The game with these rules, which have been checked to suit the board.
    pub(crate) fn new(grid: Grid, rules: Rules, play: Play) -> Game {
        Game {
            grid,
            rules,
            play,
            captures: Captures::new(grid, &rules),
        }
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What matters to play and not to values.
    pub fn options_of_play(&self) -> &Play {
        &self.play
    }

    pub(crate) fn captures(&self) -> &Captures {
        &self.captures
    }

    /// The name without what matters to play only: all that a table depends on.
    pub fn rules_name(&self) -> String {
        self.name(None)
    }

    fn name(&self, play: Option<&Play>) -> String {
        let options = write_options(self.grid, &self.rules, play);
        let separator = if options.is_empty() { "" } else { ":" };
        format!("hasami@{}{separator}{options}", self.grid)
    }

    /// The start: the men of each side on its home ranks, the hindmost first, sente's from the left.
    pub fn start(&self) -> Position {
        let (men, squares) = (self.rules.men, self.grid.squares());
        let mut sente = 0;
        let mut gote = 0;
        for man in 0..men {
            let (rank, file) = (man / self.grid.width(), man % self.grid.width());
            let square = self.grid.square(file, self.grid.height() - 1 - rank);
            sente |= one(square);
            gote |= one(match self.play.start {
                Start::Turned => squares - 1 - square,
                Start::Facing => self.grid.square(file, rank),
            });
        }
        Position::new(sente, gote, Color::Sente)
    }

    /// How many men a side has taken.
    pub fn taken_by(&self, position: &Position, color: Color) -> u8 {
        self.rules
            .men
            .saturating_sub(position.count(color.opponent()))
    }

    /// Calls back with every move of the men, whether or not the game is over: by the square moved
    /// from, then by direction (right, left, down, up) and distance.
    #[inline]
    pub fn for_each_move(&self, position: &Position, mut emit: impl FnMut(Move)) {
        let occupied = position.own() | position.other();
        for from in each(position.own()) {
            for step in STEPS {
                let mut at = from;
                while let Some(to) = self.grid.step(at, step) {
                    if occupied & one(to) != 0 {
                        break;
                    }
                    emit(Move { from, to });
                    at = to;
                }
            }
        }
    }

    /// Calls back with every legal move: none where the game is over.
    pub fn for_each_legal_move(&self, position: &Position, emit: impl FnMut(Move)) {
        if self.end(position).is_none() {
            self.for_each_move(position, emit);
        }
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, position: &Position, mv: Move) -> bool {
        let mut found = false;
        self.for_each_legal_move(position, |legal| found |= legal == mv);
        found
    }

    /// The men that a move takes.
    pub fn taken(&self, position: &Position, mv: Move) -> Squares {
        let own = position.own() & !one(mv.from) | one(mv.to);
        self.captures.taken(own, position.other(), mv.to)
    }

    /// The position after a move.
    pub fn play(&self, position: &Position, mv: Move) -> Position {
        let own = position.own() & !one(mv.from) | one(mv.to);
        let other = position.other() & !self.captures.taken(own, position.other(), mv.to);
        let (sente, gote) = match position.side() {
            Color::Sente => (own, other),
            Color::Gote => (other, own),
        };
        Position::new(sente, gote, position.side().opponent())
    }

    /// The end of the game, if it is over in this position.
    pub fn end(&self, position: &Position) -> Option<End> {
        let side = position.side();
        // The side that just moved first: its captures come before the other's turn.
        for color in [side.opponent(), side] {
            if position.count(color.opponent()) <= self.rules.lost_at() {
                return Some(End {
                    winner: color,
                    reason: EndReason::Captures,
                });
            }
        }
        if let Some(lead) = self.rules.lead {
            let lead = i16::from(lead);
            let ahead =
                i16::from(position.count(side)) - i16::from(position.count(side.opponent()));
            let winner = if ahead >= lead {
                Some(side)
            } else if !self.rules.lead_reply && -ahead >= lead {
                Some(side.opponent())
            } else {
                None
            };
            if let Some(winner) = winner {
                return Some(End {
                    winner,
                    reason: EndReason::Lead,
                });
            }
        }
        if self.is_immobile(position) {
            return Some(End {
                winner: side.opponent(),
                reason: EndReason::NoMove,
            });
        }
        None
    }

    /// Whether no man of the side to move can move.
    fn is_immobile(&self, position: &Position) -> bool {
        let free = self.grid.all() & !(position.own() | position.other());
        each(position.own()).all(|square| self.grid.neighbors(square) & free == 0)
    }

    /// The number of sequences of `depth` plies from a position. One that ends earlier is none.
    ///
    /// # Panics
    /// If there are 2^64 or more.
    ///
    /// ```
    /// use koma_games::hasami::Game;
    /// let game: Game = "hasami@9x9".parse().unwrap();
    /// assert_eq!([1, 2].map(|depth| game.perft(&game.start(), depth)), [63, 3_717]);
    /// ```
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes: u64 = 0;
        self.for_each_legal_move(position, |mv| {
            let more = match depth {
                1 => 1,
                _ => self.perft(&self.play(position, mv), depth - 1),
            };
            nodes = nodes.checked_add(more).expect("a count below 2^64");
        });
        nodes
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name(Some(&self.play)))
    }
}

impl FromStr for Game {
    type Err = NameError;

    /// Reads `hasami@WxH:options`; without a board the usual one of 9x9.
    fn from_str(text: &str) -> Result<Game, NameError> {
        let name = || NameError::Name(text.to_owned());
        let rest = text.strip_prefix("hasami").ok_or_else(name)?;
        let (board, options) = match rest.split_once(':') {
            Some((board, options)) => (board, options),
            None => (rest, ""),
        };
        let grid = match board.strip_prefix('@') {
            Some(size) => read_grid(size)?,
            None if board.is_empty() => read_grid("9x9")?,
            None => return Err(name()),
        };
        let (rules, play) = read_options(grid, options)?;
        Ok(Game::new(grid, rules, play))
    }
}

/// The square reached by going from a square in a direction, for tests and notation.
impl Game {
    /// Men of the side to move that can go to a square.
    pub(crate) fn movers_to(&self, position: &Position, to: Square) -> Squares {
        let mut movers = 0;
        self.for_each_move(position, |mv| {
            if mv.to == to {
                movers |= one(mv.from);
            }
        });
        movers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, and what they are written as again, or the error.
    #[test]
    fn games_have_names() {
        for (name, written) in [
            ("hasami", "hasami@9x9"),
            ("hasami@9x9", "hasami@9x9"),
            ("hasami@9x9:win=5,corner=on", "hasami@9x9"),
            ("hasami@9x9:win=8", "hasami@9x9:win=all"),
            ("hasami@9x9:win=all", "hasami@9x9:win=all"),
            ("hasami@4x4:win=all", "hasami@4x4"),
            ("hasami@4x4:win=3", "hasami@4x4"),
            ("hasami@4x4:win=4", "hasami@4x4:win=4"),
            (
                "hasami@3x4:men=3,win=2,lead=2,corner=on,edge=off,corner-anchor=on",
                "hasami@3x4:lead=2",
            ),
            (
                "hasami@3x4:edge=on,corner-anchor=off,lead=1,lead-reply=off,corner=off,men=2",
                "hasami@3x4:men=2,lead=1,lead-reply=off,corner=off,edge=on,corner-anchor=off",
            ),
            (
                "hasami@4x3:start=facing,men=3,limit=40,limit-rule=captures",
                "hasami@4x3:men=3,start=facing,limit=40,limit-rule=captures",
            ),
            ("hasami@9x9:men=36", "hasami@9x9:men=36"),
        ] {
            assert_eq!(name.parse::<Game>().unwrap().to_string(), written, "{name}");
        }
        for (name, error) in [
            ("shogi", "`shogi` is no game of hasami shogi"),
            ("hasamix", "`hasamix` is no game"),
            ("hasami@2x4", "board `2x4`"),
            ("hasami@10x9", "board `10x9`"),
            ("hasami@3", "board `3`"),
            ("hasami:", ""),
            ("hasami@3x3:men=4", "men=4: the start does not fit"),
            ("hasami@9x9:men=37", "men=37: the start does not fit"),
            ("hasami@9x9:men=255", "men=255: the start does not fit"),
            ("hasami@9x9:men=256", "hasami has no option `men=256`"),
            ("hasami@9x9:men=0", "hasami has no option `men=0`"),
            (
                "hasami@4x4:win=5",
                "options contradict each other: win=5 is more than",
            ),
            (
                "hasami@4x4:men=1,win=all",
                "options contradict each other: with men=1",
            ),
            ("hasami@9x9:lead=6", "options contradict each other: lead=6"),
            (
                "hasami@9x9:lead-reply=off",
                "options contradict each other: lead-reply",
            ),
            (
                "hasami@9x9:limit-rule=draw",
                "options contradict each other: limit-rule",
            ),
            ("hasami@9x9:win=3,win=4", "option win is given twice"),
            ("hasami@9x9:corner=yes", "hasami has no option `corner=yes`"),
            ("hasami@9x9:corner", "hasami has no option `corner`"),
            ("hasami@9x9:no-try", "hasami has no option `no-try`"),
            ("hasami@9x9:win=+3", "hasami has no option `win=+3`"),
        ] {
            match name.parse::<Game>() {
                Ok(game) => assert_eq!(error, "", "{name} is read as {game}"),
                Err(found) => {
                    let found = found.to_string();
                    assert!(
                        !error.is_empty() && found.starts_with(error),
                        "{name}: {found}"
                    );
                }
            }
        }
    }

    #[test]
    fn starts_stand_on_the_home_ranks() {
        for (name, sfen) in [
            ("hasami", "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b 0-0"),
            ("hasami@4x3:men=3", "1ppp/4/PPP1 b 0-0"),
            ("hasami@4x3:men=3,start=facing", "ppp1/4/PPP1 b 0-0"),
            ("hasami@3x4:men=4", "ppp/2p/P2/PPP b 0-0"),
        ] {
            let game: Game = name.parse().unwrap();
            assert_eq!(game.sfen(&game.start()), sfen);
        }
    }
}
