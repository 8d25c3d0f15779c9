//! Every **arrangement** of the game's pieces: the positions to be solved.

use super::game::NaiveGame;
use super::position::{EMPTY, HAND_LETTERS, Position, Side};

impl NaiveGame {
    /// Every arrangement as SFEN, in an order that never changes.
    pub fn sfens(&self) -> Vec<String> {
        let positions = self.arrangements();
        positions
            .iter()
            .map(|position| self.sfen(position))
            .collect()
    }

    /// All placements of the game's pieces for either side to move, lions anywhere. Where
    /// captured pieces leave the game, also all placements of fewer pieces.
    pub(super) fn arrangements(&self) -> Vec<Position> {
        let mut found = Vec::new();
        for material in self.materials() {
            for to_move in [Side::Sente, Side::Gote] {
                self.place_lions(Position::empty(to_move), material, &mut found);
            }
        }
        // Two equal pieces come in both orders.
        found.sort_unstable();
        found.dedup();
        found
    }

    fn materials(&self) -> Vec<[u8; 3]> {
        if !self.options.no_drops {
            return vec![self.pieces];
        }
        let mut materials = Vec::new();
        for elephants in 0..=self.pieces[0] {
            for giraffes in 0..=self.pieces[1] {
                for chicks in 0..=self.pieces[2] {
                    materials.push([elephants, giraffes, chicks]);
                }
            }
        }
        materials
    }

    fn place_lions(&self, start: Position, material: [u8; 3], found: &mut Vec<Position>) {
        let squares = self.width * self.height;
        for sente in 0..squares {
            for gote in (0..squares).filter(|&gote| gote != sente) {
                let mut position = start;
                position.board[sente] = b'L';
                position.board[gote] = b'l';
                self.place_rest(position, material, found);
            }
        }
    }

    /// Puts one piece after another anywhere it can be.
    fn place_rest(&self, position: Position, left: [u8; 3], found: &mut Vec<Position>) {
        let Some(index) = (0..3).find(|&index| left[index] > 0) else {
            found.push(position);
            return;
        };
        let mut left = left;
        left[index] -= 1;
        let letters: &[u8] = match HAND_LETTERS[index] {
            b'E' => b"Ee",
            b'G' => b"Gg",
            _ => b"CcHh",
        };
        for square in 0..self.width * self.height {
            if position.board[square] != EMPTY {
                continue;
            }
            for &letter in letters {
                let mut next = position;
                next.board[square] = letter;
                self.place_rest(next, left, found);
            }
        }
        if !self.options.no_drops {
            for side in [Side::Sente, Side::Gote] {
                let mut next = position;
                next.hand_mut(side)[index] += 1;
                self.place_rest(next, left, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::naive::{NaiveGame, Options};

    /// Lions 12 x 11, then each elephant or giraffe in one of the free squares for either owner
    /// or in either hand.
    #[test]
    fn arrangements_are_counted() {
        let count = |pieces, options| NaiveGame::new(3, 4, pieces, options).arrangements().len();
        let drops = Options::default();
        let no_drops = Options {
            no_drops: true,
            ..Options::default()
        };
        assert_eq!(count([0, 0, 0], drops), 2 * 132);
        assert_eq!(count([0, 1, 0], drops), 2 * 132 * (20 + 2));
        // Two on the board, one of them, none: pairs of squares with two owners each, a square
        // and its owner beside a hand, and the three ways to hold two.
        assert_eq!(count([2, 0, 0], drops), 2 * 132 * (45 * 4 + 10 * 2 * 2 + 3));
        assert_eq!(count([0, 0, 1], no_drops), 2 * 132 * (40 + 1));
        assert_eq!(
            count([1, 1, 0], no_drops),
            2 * 132 * (20 * 18 + 20 + 20 + 1)
        );
    }
}
