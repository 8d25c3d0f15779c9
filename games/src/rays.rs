//! **Rays**: the squares that a sliding piece passes in a direction, and where others stop it.

use crate::board::{Board, MAX_SQUARES, Square, Squares, each, one};
use crate::rules::Step;

/// The directions there are. The first four lead to lower squares, the others to higher ones, and
/// direction `d` is opposite to `7 - d`.
pub(crate) const DIRECTIONS: [Step; 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// A set of directions, bit `d` for direction `d`.
pub(crate) type Directions = u8;

/// The rays of a board, by direction and square.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    rays: [[Squares; MAX_SQUARES]; DIRECTIONS.len()],
}

impl Rays {
    pub(crate) fn new(board: Board) -> Rays {
        let mut rays = [[0; MAX_SQUARES]; DIRECTIONS.len()];
        for (rays, step) in rays.iter_mut().zip(DIRECTIONS) {
            for from in each(board.all()) {
                let mut at = from;
                while let Some(next) = board.step(at, step) {
                    rays[usize::from(from)] |= one(next);
                    at = next;
                }
            }
        }
        Rays { rays }
    }

    /// The squares that a piece attacks by sliding in some directions: up to the first occupied
    /// one, which is attacked too.
    #[inline]
    pub(crate) fn attacks(
        &self,
        directions: Directions,
        from: Square,
        occupied: Squares,
    ) -> Squares {
        let mut attacked = 0;
        let mut rest = directions;
        while rest != 0 {
            let direction = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let ray = self.rays[direction][usize::from(from)];
            let blockers = ray & occupied;
            attacked |= match blockers {
                0 => ray,
                // The lowest of them or the highest is the nearest.
                _ if direction >= DIRECTIONS.len() / 2 => ray & (blockers ^ (blockers - 1)),
                _ => ray & (Squares::MAX << (Squares::BITS - 1 - blockers.leading_zeros())),
            };
        }
        attacked
    }
}

/// The directions of some slides, as sente makes them or as gote does.
pub(crate) fn directions(slides: &[Step], sign: i8) -> Directions {
    let has = |direction: Step| {
        slides
            .iter()
            .any(|&(files, ranks)| (sign * files, sign * ranks) == direction)
    };
    (0..DIRECTIONS.len())
        .filter(|&index| has(DIRECTIONS[index]))
        .fold(0, |set, index| set | 1 << index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Square by square, on every occupation of the lines through a square of some boards.
    #[test]
    fn slides_stop_at_the_first_piece() {
        for (width, height) in [(5, 5), (5, 6), (3, 4)] {
            let board = Board::new(width, height).unwrap();
            let rays = Rays::new(board);
            for from in each(board.all()) {
                for (index, step) in DIRECTIONS.into_iter().enumerate() {
                    let ray = rays.rays[index][usize::from(from)];
                    let mut occupied = ray;
                    loop {
                        let mut expected = 0;
                        let mut at = from;
                        while let Some(next) = board.step(at, step) {
                            expected |= one(next);
                            if occupied & one(next) != 0 {
                                break;
                            }
                            at = next;
                        }
                        // What stands elsewhere does not matter.
                        for elsewhere in [0, !ray] {
                            let found = rays.attacks(1 << index, from, occupied | elsewhere);
                            assert_eq!(found, expected);
                        }
                        if occupied == 0 {
                            break;
                        }
                        occupied = (occupied - 1) & ray;
                    }
                }
            }
        }
    }

    #[test]
    fn opposite_directions_have_numbers_that_add_up_to_7() {
        for (index, &(files, ranks)) in DIRECTIONS.iter().enumerate() {
            assert_eq!(DIRECTIONS[7 - index], (-files, -ranks));
            assert_eq!(directions(&[(files, ranks)], 1), 1 << index);
            assert_eq!(directions(&[(files, ranks)], -1), 1 << (7 - index));
        }
    }
}
