//! **Naive shogi**: a slow and obvious second implementation of minishogi and gorogoro.
//!
//! It shares no code with the library: for every two squares it asks whether the piece on one goes
//! to the other, plays the move on a copy of the board, and looks whether the king can be taken. Small
//! sets of pieces are solved by looking one move ahead over and over until nothing changes. There is no
//! symmetry and no move taken back.

mod placement;
mod rules;
mod set;
mod solve;
mod text;

pub use rules::Fault;
pub use solve::NaiveSolution;

use rules::is_pawn_drop;

/// A game of shogi on a small board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveShogi {
    width: i32,
    height: i32,
    /// The ranks in which pieces promote.
    zone: i32,
    /// The letters of the pieces besides the king, in the order in which hands are written.
    letters: &'static str,
}

/// Minishogi.
pub const MINISHOGI: NaiveShogi = NaiveShogi {
    width: 5,
    height: 5,
    zone: 1,
    letters: "RBGSP",
};

/// Gorogoro dobutsu shogi.
pub const GOROGORO: NaiveShogi = NaiveShogi {
    width: 5,
    height: 6,
    zone: 2,
    letters: "GSP",
};

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShogiMove {
    /// The move in USI.
    pub usi: String,
    /// The position after it.
    pub child: String,
}

impl NaiveShogi {
    /// Every legal move.
    pub fn moves(&self, sfen: &str) -> Vec<ShogiMove> {
        self.moves_of(&self.read(sfen))
            .into_iter()
            .map(|(mv, child)| ShogiMove {
                usi: self.usi(&mv),
                child: self.write(&child),
            })
            .collect()
    }

    /// How many pawn drops are illegal because they mate.
    pub fn pawn_drop_mates(&self, sfen: &str) -> usize {
        let placement = self.read(sfen);
        let drops = self.drops_of(&placement);
        let mates = drops.iter().filter(|(mv, child)| {
            is_pawn_drop(mv)
                && !self.can_be_taken(child, placement.sente_to_move)
                && self.is_mate(child)
        });
        mates.count()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, sfen: &str) -> bool {
        self.is_check(&self.read(sfen))
    }

    /// What is wrong with a position that has both kings, if anything.
    pub fn faults(&self, sfen: &str) -> Vec<Fault> {
        self.faults_of(&self.read(sfen))
    }

    /// Every set of one or two pieces besides the kings, as letters.
    pub fn sets(&self) -> Vec<String> {
        let letters = self.letters.chars();
        let mut sets: Vec<String> = letters.clone().map(String::from).collect();
        for (place, first) in letters.clone().enumerate() {
            sets.extend(
                letters
                    .clone()
                    .skip(place)
                    .map(|second| format!("{first}{second}")),
            );
        }
        sets
    }
}
