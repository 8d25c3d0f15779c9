//! A **set** of pieces: two kings and a few pieces more, which never leave the game, and a code for
//! every way to place them.

use super::NaiveShogi;
use super::placement::{Man, Placement};

/// Two kings and the pieces of these letters.
#[derive(Clone, Debug)]
pub(super) struct PieceSet {
    pub(super) game: NaiveShogi,
    /// In alphabetical order.
    letters: Vec<u8>,
}

impl PieceSet {
    pub(super) fn new(game: NaiveShogi, letters: &str) -> PieceSet {
        let mut letters = letters.to_ascii_uppercase().into_bytes();
        letters.sort_unstable();
        PieceSet { game, letters }
    }

    /// A bound of the codes.
    pub(super) fn codes(&self) -> u32 {
        let pieces = self.letters.len() as u32;
        2 * self.squares().pow(2) * self.states().pow(pieces)
    }

    fn squares(&self) -> u32 {
        (self.game.width * self.game.height) as u32
    }

    /// What can be of a piece: on each square either side's, promoted or not; in either hand.
    fn states(&self) -> u32 {
        4 * self.squares() + 2
    }

    /// The placement of a code, legal or not, if there is one. Of two alike pieces the one of the lower
    /// state comes first.
    pub(super) fn placement(&self, mut code: u32) -> Option<Placement> {
        let mut digit = |base: u32| {
            let digit = code % base;
            code /= base;
            digit
        };
        let squares = self.squares();
        let mut placement = Placement::empty(digit(2) == 0);
        for sente in [true, false] {
            let king = Man::plain(sente, b'K');
            self.put(&mut placement, digit(squares), king)?;
        }
        let mut before = None;
        for &letter in &self.letters {
            let state = digit(self.states());
            if before.is_some_and(|(other, lower)| letter == other && state < lower) {
                return None;
            }
            before = Some((letter, state));
            let (kind, square) = (state / squares, state % squares);
            if kind == 4 {
                let held = self.game.held(letter).expect("a piece of the game");
                placement.hands[square as usize][held] += 1;
                continue;
            }
            let man = Man {
                sente: kind < 2,
                letter,
                promoted: kind % 2 == 1,
            };
            if man.letter == b'G' && man.promoted {
                return None;
            }
            self.put(&mut placement, square, man)?;
        }
        Some(placement)
    }

    fn put(&self, placement: &mut Placement, square: u32, man: Man) -> Option<()> {
        let square = &mut placement.board[square as usize];
        if square.is_some() {
            return None;
        }
        *square = Some(man);
        Some(())
    }

    /// The code of a placement of the set, or `None` if it has other pieces.
    pub(super) fn code(&self, placement: &Placement) -> Option<u32> {
        let squares = self.squares();
        let mut kings = [None; 2];
        let mut states = Vec::with_capacity(self.letters.len());
        for (square, man) in (0..squares).zip(placement.board) {
            match man {
                None => {}
                Some(man) if man.letter == b'K' => kings[usize::from(!man.sente)] = Some(square),
                Some(man) => {
                    let kind = 2 * u32::from(!man.sente) + u32::from(man.promoted);
                    states.push((man.letter, kind * squares + square));
                }
            }
        }
        for (color, hand) in (0..).zip(placement.hands) {
            for (letter, count) in self.game.letters.bytes().zip(hand) {
                states.extend((0..count).map(|_| (letter, 4 * squares + color)));
            }
        }
        states.sort_unstable();
        if !states.iter().map(|(letter, _)| letter).eq(&self.letters) {
            return None;
        }
        let mut code = 0;
        for (_, state) in states.into_iter().rev() {
            code = code * self.states() + state;
        }
        for king in kings.into_iter().rev() {
            code = code * squares + king?;
        }
        Some(2 * code + u32::from(!placement.sente_to_move))
    }
}
