//! The rules: how pieces step, what a move does, and when the game is over.

use super::position::{EMPTY, HAND_LETTERS, MAX_SQUARES, Position, Side, hand_index};

/// The rule options, all off in the game as it is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Reaching the far rank with the lion means nothing.
    pub no_try: bool,
    /// Captured pieces leave the game.
    pub no_drops: bool,
    /// A chick may not be dropped where it could never move.
    pub no_last_rank_chick_drop: bool,
}

/// A game of naive dobutsu: a board size, the pieces besides the lions, and the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveGame {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pieces: [u8; 3],
    pub(super) options: Options,
}

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NaiveMove {
    /// The move by squares: `B3B2`, or `C*B2` for a drop.
    pub text: String,
    /// The position after the move. A lion that was taken is simply gone.
    pub child: String,
}

/// Why a game is over, seen from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The other lion is gone, or the mover's own lion was not taken on its far rank.
    Won,
    /// The mover's lion is gone, or the other lion stands on its far rank.
    Lost,
}

impl NaiveGame {
    /// A game on a board of the given size with `pieces` = numbers of elephants, giraffes and
    /// chicks, both sides' together.
    ///
    /// # Panics
    /// If the board has more than 20 squares.
    pub fn new(width: usize, height: usize, pieces: [u8; 3], options: Options) -> NaiveGame {
        assert!(width * height <= MAX_SQUARES && width < 10);
        NaiveGame {
            width,
            height,
            pieces,
            options,
        }
    }

    /// Reads a position on this board.
    pub fn read(&self, sfen: &str) -> Position {
        Position::read(sfen, self.width, self.height)
    }

    /// Writes a position of this board.
    pub fn sfen(&self, position: &Position) -> String {
        position.sfen(self.width, self.height)
    }

    /// Every move the rules allow from a position, whether or not the game is over there, with
    /// the moves that take the lion.
    pub fn moves(&self, sfen: &str) -> Vec<NaiveMove> {
        self.moves_of(&self.read(sfen))
            .into_iter()
            .map(|(text, child)| NaiveMove {
                text,
                child: self.sfen(&child),
            })
            .collect()
    }

    /// Whether the game is over, and for whom. While the mover can take the other lion it is not;
    /// then the other lion's try counts before the mover's own.
    pub fn over(&self, sfen: &str) -> Option<Over> {
        self.over_at(&self.read(sfen))
    }

    /// Whether the side to move can take the other lion.
    pub fn can_take_lion(&self, sfen: &str) -> bool {
        self.lion_can_be_taken(&self.read(sfen))
    }

    /// The position and what is the same by symmetry: turned around with the colours exchanged,
    /// mirrored, and both.
    pub fn images(&self, sfen: &str) -> [String; 4] {
        self.read(sfen)
            .images(self.width, self.height)
            .map(|image| self.sfen(&image))
    }

    pub(super) fn over_at(&self, position: &Position) -> Option<Over> {
        let mover = position.to_move;
        let Some(own) = self.find_lion(position, mover) else {
            return Some(Over::Lost);
        };
        let Some(other) = self.find_lion(position, mover.other()) else {
            return Some(Over::Won);
        };
        if self.options.no_try || self.attacks(position, mover, other) {
            return None;
        }
        if self.row(other) == self.far_row(mover.other()) {
            return Some(Over::Lost);
        }
        if self.row(own) == self.far_row(mover) {
            return Some(Over::Won);
        }
        None
    }

    pub(super) fn lion_can_be_taken(&self, position: &Position) -> bool {
        let mover = position.to_move;
        self.find_lion(position, mover.other())
            .is_some_and(|lion| self.attacks(position, mover, lion))
    }

    /// Whether the side to move can win by a try now.
    pub(super) fn can_try(&self, position: &Position) -> bool {
        self.moves_of(position).iter().any(|(_, child)| {
            self.find_lion(child, child.to_move).is_some()
                && self.over_at(child) == Some(Over::Lost)
        })
    }

    pub(super) fn moves_of(&self, position: &Position) -> Vec<(String, Position)> {
        let mover = position.to_move;
        let mut moves = Vec::new();
        for from in 0..self.width * self.height {
            let letter = position.board[from];
            if !mover.owns(letter) {
                continue;
            }
            for to in self.steps(letter, from) {
                if mover.owns(position.board[to]) {
                    continue;
                }
                let text = format!("{}{}", self.square_name(from), self.square_name(to));
                moves.push((text, self.after_step(position, from, to)));
            }
        }
        for (index, &kind) in HAND_LETTERS.iter().enumerate() {
            if position.hand(mover)[index] == 0 {
                continue;
            }
            for to in 0..self.width * self.height {
                if position.board[to] != EMPTY {
                    continue;
                }
                let dead = kind == b'C' && self.row(to) == self.far_row(mover);
                if dead && self.options.no_last_rank_chick_drop {
                    continue;
                }
                let mut child = *position;
                child.board[to] = mover.letter(kind);
                child.hand_mut(mover)[index] -= 1;
                child.to_move = mover.other();
                let text = format!("{}*{}", char::from(kind), self.square_name(to));
                moves.push((text, child));
            }
        }
        moves
    }

    fn after_step(&self, position: &Position, from: usize, to: usize) -> Position {
        let mover = position.to_move;
        let mut child = *position;
        let taken = position.board[to].to_ascii_uppercase();
        if taken != EMPTY && taken != b'L' && !self.options.no_drops {
            let held = if taken == b'H' { b'C' } else { taken };
            child.hand_mut(mover)[hand_index(held)] += 1;
        }
        let mut letter = position.board[from];
        if letter.eq_ignore_ascii_case(&b'C') && self.row(to) == self.far_row(mover) {
            letter = mover.letter(b'H');
        }
        child.board[from] = EMPTY;
        child.board[to] = letter;
        child.to_move = mover.other();
        child
    }

    /// Whether a piece of `side` can step onto the square.
    pub(super) fn attacks(&self, position: &Position, side: Side, square: usize) -> bool {
        (0..self.width * self.height).any(|from| {
            let letter = position.board[from];
            side.owns(letter) && self.steps(letter, from).any(|to| to == square)
        })
    }

    /// The squares a piece steps to on an empty board.
    fn steps(&self, letter: u8, from: usize) -> impl Iterator<Item = usize> {
        // (right, forward)
        let directions: &[(i32, i32)] = match letter.to_ascii_uppercase() {
            b'L' => &[
                (-1, 1),
                (0, 1),
                (1, 1),
                (-1, 0),
                (1, 0),
                (-1, -1),
                (0, -1),
                (1, -1),
            ],
            b'G' => &[(0, 1), (-1, 0), (1, 0), (0, -1)],
            b'E' => &[(-1, 1), (1, 1), (-1, -1), (1, -1)],
            b'C' => &[(0, 1)],
            b'H' => &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)],
            _ => &[],
        };
        let down = if letter.is_ascii_uppercase() { -1 } else { 1 };
        let (width, height) = (self.width as i32, self.height as i32);
        let (row, column) = (self.row(from) as i32, (from % self.width) as i32);
        directions
            .iter()
            .map(move |&(right, forward)| (row + forward * down, column + right))
            .filter(move |&(row, column)| {
                (0..height).contains(&row) && (0..width).contains(&column)
            })
            .map(move |(row, column)| (row * width + column) as usize)
    }

    pub(super) fn find_lion(&self, position: &Position, side: Side) -> Option<usize> {
        let lion = side.letter(b'L');
        position.board.iter().position(|&letter| letter == lion)
    }

    pub(super) fn row(&self, square: usize) -> usize {
        square / self.width
    }

    pub(super) fn far_row(&self, side: Side) -> usize {
        match side {
            Side::Sente => 0,
            Side::Gote => self.height - 1,
        }
    }

    fn square_name(&self, square: usize) -> String {
        let file = char::from(b'A' + (square % self.width) as u8);
        format!("{file}{}", self.row(square) + 1)
    }
}
