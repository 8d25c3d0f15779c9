//! The **solution** of a set: the value of every legal placement with either side to move.

use super::NaiveShogi;
use super::set::PieceSet;
use crate::look_ahead::{Moves, look_ahead};
use crate::naive::Value;
use crate::naive_endless::NaiveEndless;

/// No placement has this code.
const NOWHERE: u32 = u32::MAX;

/// The value of every legal placement of a set of pieces, in the order of their *places*.
#[derive(Debug)]
pub struct NaiveSolution {
    set: PieceSet,
    codes: Vec<u32>,
    /// By code.
    places: Vec<u32>,
    values: Vec<Value>,
    moves: Moves,
}

impl NaiveShogi {
    /// Solves all placements of the kings and the pieces of these letters. Neither side can force
    /// anything where the value is a draw; what endless play is worth is another question.
    ///
    /// # Panics
    /// If the game has no such piece, or there are more than two.
    pub fn solve(&self, letters: &str) -> NaiveSolution {
        assert!(letters.len() <= 2, "{letters}: too many codes");
        let set = PieceSet::new(*self, letters);
        let mut places = vec![NOWHERE; set.codes() as usize];
        let mut codes = Vec::new();
        for code in 0..set.codes() {
            if let Some(placement) = set.placement(code)
                && self.faults_of(&placement).is_empty()
            {
                assert_eq!(set.code(&placement), Some(code), "{placement:?}");
                places[code as usize] = codes.len() as u32;
                codes.push(code);
            }
        }
        let mut values = vec![Value::Draw; codes.len()];
        let mut moves = Moves::default();
        for (&code, value) in codes.iter().zip(&mut values) {
            let placement = set.placement(code).expect("a placement");
            let found = self.moves_of(&placement);
            if found.is_empty() {
                // Mated or not.
                *value = Value::Loss(0);
            }
            for (mv, child) in found {
                let code = set.code(&child).expect("no piece leaves the game");
                let place = places[code as usize];
                assert_ne!(place, NOWHERE, "{placement:?} {mv:?}");
                moves.push(place);
            }
            moves.end();
        }
        look_ahead(&mut values, &moves);
        NaiveSolution {
            set,
            codes,
            places,
            values,
            moves,
        }
    }
}

impl NaiveSolution {
    /// The game.
    pub fn game(&self) -> &NaiveShogi {
        &self.set.game
    }

    /// The number of legal placements.
    pub fn placements(&self) -> usize {
        self.codes.len()
    }

    /// The placement at a place.
    pub fn sfen(&self, place: usize) -> String {
        let placement = self.set.placement(self.codes[place]);
        self.set.game.write(&placement.expect("a placement"))
    }

    /// The place of a placement, if it is one of the set and legal.
    pub fn place(&self, sfen: &str) -> Option<usize> {
        let code = self.set.code(&self.set.game.read(sfen))?;
        let place = self.places[code as usize];
        (place != NOWHERE).then_some(place as usize)
    }

    /// The value at a place for the side to move.
    pub fn value(&self, place: usize) -> Value {
        self.values[place]
    }

    /// The number of legal moves at a place.
    pub fn moves(&self, place: usize) -> usize {
        self.moves.of(place as u32).len()
    }

    /// Endless play, in the placements where neither side can force anything.
    pub fn endless(&self) -> NaiveEndless {
        let undecided: Vec<u32> = (0..self.codes.len() as u32)
            .filter(|&place| self.values[place as usize] == Value::Draw)
            .collect();
        let mut numbers = vec![NOWHERE; self.codes.len()];
        for (number, &place) in (0..).zip(&undecided) {
            numbers[place as usize] = number;
        }
        let mut endless = NaiveEndless::default();
        for &place in &undecided {
            let code = self.codes[place as usize];
            let placement = self.set.placement(code).expect("a placement");
            let after = self.moves.of(place).iter();
            // Moves out of them lead to wins of the other side.
            let after = after.map(|&after| numbers[after as usize]);
            endless.push(
                place as usize,
                placement.sente_to_move,
                self.set.game.is_check(&placement),
                after.filter(|&number| number != NOWHERE),
            );
        }
        endless
    }
}
