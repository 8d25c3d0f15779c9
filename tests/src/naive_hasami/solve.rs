//! The **value** of every placement, found by looking one move ahead until nothing changes.

use std::collections::HashMap;

use super::board::{Board, EMPTY, OTHER, OWN};
use super::game::NaiveHasami;
use crate::look_ahead::{Moves, look_ahead};
use crate::naive::Value;

impl NaiveHasami {
    /// The value of every placement in which both sides have more men left than lose and no more than
    /// at the start, by its text, for `X`, who is to move.
    ///
    /// # Panics
    /// If the board has more than 40 squares, of which there would be too many placements anyway.
    pub fn solve(&self) -> HashMap<String, Value> {
        assert!(
            self.width * self.height <= 40,
            "numbers of base 3 in 64 bits"
        );
        let boards = self.placements();
        let values = self.values(&boards);
        let texts = boards.iter().map(Board::text);
        texts.zip(values).collect()
    }

    /// All those placements, in the order of their keys.
    fn placements(&self) -> Vec<Board> {
        let mut found = Vec::new();
        let mut board = Board::empty(self.width, self.height);
        self.place_rest(&mut board, 0, [0; 2], &mut found);
        found
    }

    /// Puts every man, or none, on one square after another.
    fn place_rest(
        &self,
        board: &mut Board,
        square: usize,
        men: [usize; 2],
        found: &mut Vec<Board>,
    ) {
        if men.iter().any(|&men| men > self.men) {
            return;
        }
        if square == board.squares.len() {
            if men.iter().all(|&men| men > self.lose_at) {
                found.push(board.clone());
            }
            return;
        }
        for (man, [own, other]) in [(EMPTY, [0, 0]), (OWN, [1, 0]), (OTHER, [0, 1])] {
            board.squares[square] = man;
            self.place_rest(board, square + 1, [men[0] + own, men[1] + other], found);
        }
        board.squares[square] = EMPTY;
    }

    fn values(&self, boards: &[Board]) -> Vec<Value> {
        let keys: Vec<u64> = boards.iter().map(|board| key(board, OWN)).collect();
        assert!(keys.is_sorted());
        // Behind all of them one that is lost: where moves lead that win the game.
        let won = boards.len() as u32;
        let mut values = vec![Value::Draw; boards.len()];
        values.push(Value::Loss(0));
        let mut moves = Moves::default();
        for (place, board) in boards.iter().enumerate() {
            match self.over_at(board) {
                Some(value) => values[place] = value,
                None => self.for_each_move(board, |_, _, _, after| {
                    moves.push(if self.reaches_goal(after) {
                        won
                    } else {
                        keys.binary_search(&key(after, OTHER))
                            .expect("all placements are there") as u32
                    });
                }),
            }
            moves.end();
        }
        look_ahead(&mut values, &moves);
        values.truncate(boards.len());
        values
    }
}

/// A board as a number of base 3, seen by the side whose men are `own`.
fn key(board: &Board, own: u8) -> u64 {
    let digit = |man| match man {
        EMPTY => 0,
        man if man == own => 1,
        _ => 2,
    };
    let squares = board.squares.iter();
    squares.fold(0, |key, &man| 3 * key + digit(man))
}
