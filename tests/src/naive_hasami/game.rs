//! The rules: how men move, what a move leads to, and when the game is over.

use super::board::{Board, DIRECTIONS, EMPTY, OTHER, OWN};
use crate::naive::Value;

/// A lead in captures that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// So many captures more than the other side.
    pub by: usize,
    /// Whether the other side has one reply. Then who leads when it is its turn has won; else who
    /// leads has won at once.
    pub reply: bool,
}

/// A game of naive hasami: a board, the men of a side at the start, and the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveHasami {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Men of each side at the start.
    pub men: usize,
    /// A side with so many men left, or fewer, has lost.
    pub lose_at: usize,
    /// The lead that wins, if one does.
    pub lead: Option<Lead>,
    /// Whether a man in a corner is taken by two.
    pub corner: bool,
    /// Whether men along an edge are taken when they are shut in.
    pub edge: bool,
    /// Whether a man standing in a corner closes a line.
    pub corner_anchor: bool,
}

/// A move and where it leads. Squares are columns from the left and rows from the top, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HasamiMove {
    /// Where the man came from.
    pub from: (usize, usize),
    /// Where it went.
    pub to: (usize, usize),
    /// The squares of the men taken, row by row.
    pub taken: Vec<(usize, usize)>,
    /// The board after the move; the side that moved is still `X`.
    pub after: String,
    /// The same board seen by the other side, whose turn it is.
    pub child: String,
}

impl NaiveHasami {
    /// Every move on a board like `ooo/.../XXX` (rows from the top, `X` to move), whether or not the
    /// game is over there.
    ///
    /// # Panics
    /// If the board is no such text or has another size.
    pub fn moves(&self, text: &str) -> Vec<HasamiMove> {
        let board = self.read(text);
        let mut moves = Vec::new();
        self.for_each_move(&board, |from, to, taken, after| {
            moves.push(HasamiMove {
                from: named(from),
                to: named(to),
                taken: taken.iter().copied().map(named).collect(),
                after: after.text(),
                child: after.turned().text(),
            });
        });
        moves
    }

    /// What the game is worth on a board if it is over there, before any move: by a lead, or since no
    /// man can move.
    ///
    /// # Panics
    /// As [`moves`](NaiveHasami::moves).
    pub fn over(&self, text: &str) -> Option<Value> {
        self.over_at(&self.read(text))
    }

    fn read(&self, text: &str) -> Board {
        let board = Board::read(text);
        let size = (board.width as usize, board.height as usize);
        assert_eq!(size, (self.width, self.height), "{text}");
        board
    }

    /// Calls back with where a man comes from and goes to, what it takes, and the board after it.
    pub(super) fn for_each_move(
        &self,
        board: &Board,
        mut emit: impl FnMut((i32, i32), (i32, i32), &[(i32, i32)], &Board),
    ) {
        for from in board.all() {
            if board.at(from) != Some(OWN) {
                continue;
            }
            for (right, down) in DIRECTIONS {
                let mut to = (from.0 + right, from.1 + down);
                while board.at(to) == Some(EMPTY) {
                    let mut after = board.clone();
                    after.put(from, EMPTY);
                    after.put(to, OWN);
                    let taken = self.captures(&after, to);
                    for &at in &taken {
                        after.put(at, EMPTY);
                    }
                    emit(from, to, &taken, &after);
                    to = (to.0 + right, to.1 + down);
                }
            }
        }
    }

    pub(super) fn over_at(&self, board: &Board) -> Option<Value> {
        let [own, other] = [OWN, OTHER].map(|man| board.count(man));
        if let Some(Lead { by, reply }) = self.lead {
            // Both began with as many men, so captures differ as the men left do.
            if own >= other + by {
                return Some(Value::Win(0));
            }
            if !reply && other >= own + by {
                return Some(Value::Loss(0));
            }
        }
        let stuck = |at| {
            board
                .neighbors(at)
                .all(|next| board.at(next) != Some(EMPTY))
        };
        let mut men = board.all().filter(|&at| board.at(at) == Some(OWN));
        men.all(stuck).then_some(Value::Loss(0))
    }

    /// Whether the side that just moved has taken as many men as win at once.
    pub(super) fn reaches_goal(&self, after: &Board) -> bool {
        after.count(OTHER) <= self.lose_at
    }
}

fn named((x, y): (i32, i32)) -> (usize, usize) {
    (x as usize, y as usize)
}
