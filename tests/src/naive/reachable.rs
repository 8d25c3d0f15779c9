//! The positions **reachable** from a start.

use std::collections::HashSet;

use super::game::NaiveGame;
use super::position::Position;

impl NaiveGame {
    /// All positions that play from a start leads to, if no one plays on where `stops` says so. Of
    /// a position and what is the same by symmetry (turned around with the colours exchanged,
    /// mirrored) only one is given.
    pub(super) fn reachable(
        &self,
        start: &str,
        stops: impl Fn(&Position) -> bool,
    ) -> Vec<Position> {
        let start = self.canonical(&self.read(start));
        let mut found = HashSet::from([start]);
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            if stops(&position) {
                continue;
            }
            for (_, child) in self.moves_of(&position) {
                let child = self.canonical(&child);
                if found.insert(child) {
                    open.push(child);
                }
            }
        }
        found.into_iter().collect()
    }

    /// The first of the four positions that are the same by symmetry.
    pub(super) fn canonical(&self, position: &Position) -> Position {
        let images = position.images(self.width, self.height);
        images.into_iter().min().expect("four images")
    }

    /// Whether the side to move can take the lion, or win by a try now.
    pub(super) fn wins_at_once(&self, position: &Position) -> bool {
        self.lion_can_be_taken(position) || self.can_try(position)
    }
}

#[cfg(test)]
mod tests {
    use crate::naive::game::Over;
    use crate::naive::{NaiveGame, Options};

    const START: &str = "gle/1c1/1C1/ELG b - 1";

    /// Counts of independent programs, by two conventions.
    #[test]
    fn reachable_positions_without_drops_are_counted() {
        let options = Options {
            no_drops: true,
            ..Options::default()
        };
        let game = NaiveGame::new(3, 4, [2, 2, 2], options);
        // A safe try ends the game at once.
        let at_once = game.reachable(START, |position| game.wins_at_once(position));
        assert_eq!(at_once.len(), 797_658);
        // Tanaka: it is a move like any other, and the position after it is lost.
        let tanaka = game.reachable(START, |position| {
            game.lion_can_be_taken(position) || game.over_at(position) == Some(Over::Lost)
        });
        assert_eq!(tanaka.len(), 962_894);
    }
}
