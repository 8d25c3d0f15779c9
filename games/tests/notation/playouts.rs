//! Random games, and texts with random faults: the same ones in every run.

use koma_games::{Game, Move, Position};

/// A linear congruential generator with Knuth's MMIX constants; its upper bits are used.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }

    /// Inserts, deletes, replaces or swaps a few characters.
    pub(crate) fn mutate(&mut self, text: &mut Vec<char>, alphabet: &[char]) {
        let faults = if text.is_empty() {
            self.below(30)
        } else {
            self.below(4)
        };
        for _ in 0..faults {
            let at = self.below(text.len() + 1);
            let new = alphabet[self.below(alphabet.len())];
            match self.below(4) {
                1 if at < text.len() => text[at] = new,
                2 if at < text.len() => {
                    text.remove(at);
                }
                3 if at < text.len() => {
                    let other = self.below(text.len());
                    text.swap(at, other);
                }
                _ => text.insert(at, new),
            }
        }
    }
}

/// The games that are tried: every option and another board.
pub(crate) fn games() -> Vec<Game> {
    let names = [
        "dobutsu",
        "dobutsu@3x5:no-try",
        "dobutsu:no-drops",
        "dobutsu@3x6:no-last-rank-chick-drop",
        "minishogi",
        "gorogoro:repetition=draw",
    ];
    names.map(|name| name.parse().unwrap()).to_vec()
}

/// Every legal move of a position.
pub(crate) fn moves(game: &Game, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.for_each_legal_move(position, |mv| moves.push(mv));
    moves
}

/// Calls back with the positions of random games from the start.
pub(crate) fn for_each_position(game: &Game, playouts: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(7);
    for _ in 0..playouts {
        let mut position = game.start().unwrap();
        for _ in 0..60 {
            visit(&position);
            let moves = moves(game, &position);
            if moves.is_empty() {
                break;
            }
            // Games last longer if not every royal is taken at once.
            let quiet: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|&mv| game.end(&game.play(&position, mv)).is_none())
                .collect();
            let choice = if quiet.is_empty() { &moves } else { &quiet };
            let after = game.play(&position, choice[random.below(choice.len())]);
            if after.royal(position.side().opponent()).is_none() {
                break;
            }
            position = after;
        }
    }
}
