//! **Perft**: how many sequences of moves of a given length there are, the usual test of a move
//! generator.

use crate::board::one;
use crate::game::Game;
use crate::position::Position;

/// When a position has no moves because the game is over: programs differ, and so do their counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PerftConvention {
    /// As the rules say: once the game is over, [`Game::end`].
    #[default]
    Rules,
    /// As in Tanaka's analysis of dobutsu shogi (2009): a position whose mover can take the royal
    /// has no moves, nor has one in which the other royal stands on its far rank.
    Tanaka,
}

impl PerftConvention {
    /// Whether a position has no moves, whatever its pieces could do.
    fn is_over(self, game: &Game, position: &Position) -> bool {
        match self {
            PerftConvention::Rules => game.end(position).is_some(),
            PerftConvention::Tanaka => {
                let other = position.side().opponent();
                let tried = game.options().try_wins
                    && position
                        .royal(other)
                        .is_some_and(|royal| game.far_rank(other, 0) & one(royal) != 0);
                tried || game.can_take_royal(position)
            }
        }
    }
}

impl Game {
    /// The number of sequences of `depth` plies from a position. One that ends earlier is none.
    ///
    /// # Panics
    /// If there are 2^64 or more.
    ///
    /// ```
    /// use koma_games::{Game, PerftConvention};
    /// let game: Game = "dobutsu".parse().unwrap();
    /// let start = game.start().unwrap();
    /// let nodes = |depth| game.perft(&start, depth, PerftConvention::Tanaka);
    /// assert_eq!([1, 2, 3, 4].map(nodes), [4, 17, 96, 577]);
    /// ```
    pub fn perft(&self, position: &Position, depth: u32, convention: PerftConvention) -> u64 {
        if depth == 0 {
            return 1;
        }
        if convention.is_over(self, position) {
            return 0;
        }
        let mut nodes: u64 = 0;
        self.for_each_move(position, |mv| {
            // The moves of the last ply are counted without being played.
            let more = match depth {
                1 => 1,
                _ => self.perft(&self.play(position, mv), depth - 1, convention),
            };
            nodes = nodes.checked_add(more).expect("a count below 2^64");
        });
        nodes
    }
}
