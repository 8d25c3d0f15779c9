//! The **value** of every placement, found by looking one move ahead until nothing changes.

use std::collections::HashMap;

use super::board::{Board, EMPTY, OTHER, OWN};
use super::game::NaiveHasami;
use crate::naive::Value;

/// The place of a child that is no placement, since the move into it won the game.
const WON: u32 = u32::MAX;

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

    /// All those placements, in an order that never changes.
    fn placements(&self) -> Vec<Board> {
        let mut found = Vec::new();
        let mut board = Board::empty(self.width, self.height);
        self.place_rest(&mut board, 0, [0; 2], &mut found);
        found.sort_unstable();
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
        let places: HashMap<u64, u32> = boards
            .iter()
            .map(|board| key(board, OWN))
            .zip(0..)
            .collect();
        let mut values = vec![Value::Draw; boards.len()];
        // The children of all placements that are not over, one after another.
        let mut children: Vec<u32> = Vec::new();
        let mut open: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
        for (place, board) in boards.iter().enumerate() {
            if let Some(value) = self.over_at(board) {
                values[place] = value;
                continue;
            }
            let first = children.len();
            self.for_each_move(board, |_, _, _, after| {
                children.push(if self.reaches_goal(after) {
                    WON
                } else {
                    places[&key(after, OTHER)]
                });
            });
            open.push((place, first..children.len()));
        }
        // After the n-th round every win and loss in n plies is known, and everything else still
        // counts as a draw.
        for plies in 1.. {
            let decided: Vec<(usize, Value)> = open
                .iter()
                .filter_map(|(place, range)| {
                    decided(&children[range.clone()], &values, plies).map(|value| (*place, value))
                })
                .collect();
            if decided.is_empty() {
                break;
            }
            for (place, value) in decided {
                values[place] = value;
            }
            open.retain(|(place, _)| values[*place] == Value::Draw);
        }
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

/// Whether a placement is won or lost in so many plies, as it was in no fewer.
fn decided(children: &[u32], values: &[Value], plies: u32) -> Option<Value> {
    let loses = |child: &u32| *child == WON || matches!(values[*child as usize], Value::Loss(_));
    let wins = |child: &u32| *child != WON && matches!(values[*child as usize], Value::Win(_));
    if children.iter().any(loses) {
        return Some(Value::Win(plies));
    }
    children.iter().all(wins).then_some(Value::Loss(plies))
}
