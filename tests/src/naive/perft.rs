//! **Perft**: how many move sequences of a given length there are, under two readings of the end.

use super::game::{NaiveGame, Over};
use super::position::{Position, Side};

impl NaiveGame {
    /// Perft as Fairy-Stockfish counts: the lion may be taken, and a lion on its far rank ends the
    /// game while it stands there unattacked. An attacked one that is not taken does not end it.
    pub fn perft_fairy(&self, sfen: &str, depth: u32) -> u64 {
        self.perft(&self.read(sfen), depth, &|position| {
            [Side::Sente, Side::Gote].into_iter().any(|side| {
                self.find_lion(position, side).is_none_or(|lion| {
                    self.row(lion) == self.far_row(side)
                        && !self.attacks(position, side.other(), lion)
                })
            })
        })
    }

    /// Perft as Tanaka counts: a position whose mover can take the lion has no moves, nor has one
    /// in which the opponent's lion has tried.
    pub fn perft_tanaka(&self, sfen: &str, depth: u32) -> u64 {
        self.perft(&self.read(sfen), depth, &|position| {
            self.lion_can_be_taken(position) || self.over_at(position) == Some(Over::Lost)
        })
    }

    fn perft(&self, position: &Position, depth: u32, over: &dyn Fn(&Position) -> bool) -> u64 {
        if depth == 0 {
            return 1;
        }
        if over(position) {
            return 0;
        }
        self.moves_of(position)
            .iter()
            .map(|(_, child)| self.perft(child, depth - 1, over))
            .sum()
    }
}
