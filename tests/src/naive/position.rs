//! A **position** written as letters: the board, the hands and the side to move.

use std::fmt::Write;

/// The most squares a naive board has.
pub(super) const MAX_SQUARES: usize = 20;

/// An empty square.
pub(super) const EMPTY: u8 = b'.';

/// The kinds that can be held in hand, in the order of the hand field.
pub(super) const HAND_LETTERS: [u8; 3] = *b"EGC";

/// A side: its pieces are written in upper case (sente) or lower case (gote).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    /// Moves first and up the board.
    Sente,
    /// Moves down the board.
    Gote,
}

impl Side {
    /// The opponent.
    pub(super) fn other(self) -> Side {
        match self {
            Side::Sente => Side::Gote,
            Side::Gote => Side::Sente,
        }
    }

    /// The upper-case letter of a kind as this side's piece.
    pub(super) fn letter(self, kind: u8) -> u8 {
        match self {
            Side::Sente => kind.to_ascii_uppercase(),
            Side::Gote => kind.to_ascii_lowercase(),
        }
    }

    /// Whether the letter is one of this side's pieces.
    pub(super) fn owns(self, letter: u8) -> bool {
        match self {
            Side::Sente => letter.is_ascii_uppercase(),
            Side::Gote => letter.is_ascii_lowercase(),
        }
    }
}

/// A board with hands and a side to move. Squares run along the ranks from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub(super) board: [u8; MAX_SQUARES],
    pub(super) sente_hand: [u8; 3],
    pub(super) gote_hand: [u8; 3],
    pub(super) to_move: Side,
}

impl Position {
    pub(super) fn empty(to_move: Side) -> Position {
        Position {
            board: [EMPTY; MAX_SQUARES],
            sente_hand: [0; 3],
            gote_hand: [0; 3],
            to_move,
        }
    }

    pub(super) fn hand(&self, side: Side) -> &[u8; 3] {
        match side {
            Side::Sente => &self.sente_hand,
            Side::Gote => &self.gote_hand,
        }
    }

    pub(super) fn hand_mut(&mut self, side: Side) -> &mut [u8; 3] {
        match side {
            Side::Sente => &mut self.sente_hand,
            Side::Gote => &mut self.gote_hand,
        }
    }

    /// The board turned around and the colours exchanged: the same to play for the other side.
    fn turned(&self, squares: usize) -> Position {
        let mut turned = Position::empty(self.to_move.other());
        for square in 0..squares {
            turned.board[squares - 1 - square] = match self.board[square] {
                upper if upper.is_ascii_uppercase() => upper.to_ascii_lowercase(),
                other => other.to_ascii_uppercase(),
            };
        }
        turned.sente_hand = self.gote_hand;
        turned.gote_hand = self.sente_hand;
        turned
    }

    /// The board with left and right exchanged.
    fn mirrored(&self, width: usize, squares: usize) -> Position {
        let mut mirrored = *self;
        for rank in mirrored.board[..squares].chunks_mut(width) {
            rank.reverse();
        }
        mirrored
    }

    /// The position and what is the same by symmetry: turned, mirrored, both.
    pub(super) fn images(&self, width: usize, height: usize) -> [Position; 4] {
        let squares = width * height;
        let turned = self.turned(squares);
        [
            *self,
            turned,
            self.mirrored(width, squares),
            turned.mirrored(width, squares),
        ]
    }

    /// Reads the first three fields of an SFEN string on a board of the given size.
    ///
    /// # Panics
    /// If the string is anything but such fields: tests only pass their own strings.
    pub fn read(sfen: &str, width: usize, height: usize) -> Position {
        let fields: Vec<&str> = sfen.split(' ').collect();
        let ranks: Vec<&str> = fields[0].split('/').collect();
        assert_eq!(ranks.len(), height, "ranks of {sfen}");
        let to_move = match fields[1] {
            "b" => Side::Sente,
            "w" => Side::Gote,
            other => panic!("side {other} in {sfen}"),
        };
        let mut position = Position::empty(to_move);
        for (row, rank) in ranks.iter().enumerate() {
            let mut column = 0;
            for letter in rank.bytes() {
                if letter.is_ascii_digit() {
                    column += usize::from(letter - b'0');
                } else {
                    assert!(b"LEGCHlegch".contains(&letter), "piece in {sfen}");
                    position.board[row * width + column] = letter;
                    column += 1;
                }
            }
            assert_eq!(column, width, "rank {rank} of {sfen}");
        }
        if fields[2] != "-" {
            let mut count = 1;
            for letter in fields[2].bytes() {
                if letter.is_ascii_digit() {
                    count = letter - b'0';
                    continue;
                }
                let side = if letter.is_ascii_uppercase() {
                    Side::Sente
                } else {
                    Side::Gote
                };
                let kind = letter.to_ascii_uppercase();
                position.hand_mut(side)[hand_index(kind)] += count;
                count = 1;
            }
        }
        position
    }

    /// Writes the position as SFEN with move number 1.
    pub fn sfen(&self, width: usize, height: usize) -> String {
        let mut text = String::new();
        for row in 0..height {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for column in 0..width {
                let letter = self.board[row * width + column];
                if letter == EMPTY {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(text, "{empty}").expect("a string takes text");
                    empty = 0;
                }
                text.push(char::from(letter));
            }
            if empty > 0 {
                write!(text, "{empty}").expect("a string takes text");
            }
        }
        text.push_str(match self.to_move {
            Side::Sente => " b ",
            Side::Gote => " w ",
        });
        let hands_start = text.len();
        for side in [Side::Sente, Side::Gote] {
            for (index, &kind) in HAND_LETTERS.iter().enumerate() {
                let count = self.hand(side)[index];
                if count > 1 {
                    write!(text, "{count}").expect("a string takes text");
                }
                if count > 0 {
                    text.push(char::from(side.letter(kind)));
                }
            }
        }
        if text.len() == hands_start {
            text.push('-');
        }
        text.push_str(" 1");
        text
    }
}

/// Where an upper-case letter stands in [`HAND_LETTERS`].
pub(super) fn hand_index(kind: u8) -> usize {
    HAND_LETTERS
        .iter()
        .position(|&letter| letter == kind)
        .unwrap_or_else(|| panic!("{} cannot be held", char::from(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sfen_is_read_and_written() {
        for sfen in [
            "gle/1c1/1C1/ELG b - 1",
            "1l1/2H/h2/1L1 w 2EGgc 1",
            "3/l2/3/2L b GCE2gc 1",
        ] {
            let written = Position::read(sfen, 3, 4).sfen(3, 4);
            assert_eq!(written, sfen.replace("GCE", "EGC"));
        }
    }
}
