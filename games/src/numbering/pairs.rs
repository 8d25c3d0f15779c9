//! The **pairs** of royals: their squares as a number, the mirror taken out.
//!
//! The mirror puts the mover's royal on the left files; on the centre file, the other royal; if
//! both royals stand on the centre file, a position and its mirror image have a rank each (see
//! ARCHITECTURE.md).

use std::ops::Index;

use crate::board::{Board, MAX_SQUARES, Square, each, one};

/// How two royals are brought into a numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orientation {
    /// The number of the pair, or [`NO_PAIR`].
    pub(crate) pair: u16,
    /// Whether the position must be mirrored for it.
    pub(crate) flip: bool,
    /// Whether both royals stand on the centre file, so that both mirror images have ranks.
    pub(crate) centred: bool,
}

pub(crate) const NO_PAIR: u16 = u16::MAX;

/// Some pairs of royals, numbered.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    /// The squares of the mover's royal and the other one, by the number of the pair.
    royals: Vec<[Square; 2]>,
    orientations: Box<[[Orientation; MAX_SQUARES]; MAX_SQUARES]>,
}

impl Pairs {
    /// The pairs that pass a test, which must not tell mirror images apart.
    pub(crate) fn new(board: Board, has: impl Fn([Square; 2]) -> bool) -> Pairs {
        let mut royals = Vec::new();
        let mut orientations = Box::new(
            [[Orientation {
                pair: NO_PAIR,
                flip: false,
                centred: false,
            }; MAX_SQUARES]; MAX_SQUARES],
        );
        // Left, centre (of an odd number of files) or right.
        let side = |square| (2 * board.file(square) + 1).cmp(&board.width());
        for mover in each(board.all()) {
            for other in each(board.all() & !one(mover)) {
                let sides = side(mover).then(side(other));
                if sides.is_gt() || !has([mover, other]) {
                    continue;
                }
                let pair = royals.len() as u16;
                royals.push([mover, other]);
                for flip in [false, true] {
                    let [mover, other] = if flip {
                        [mover, other].map(|square| board.mirrored(square))
                    } else {
                        [mover, other]
                    };
                    if flip && sides.is_eq() {
                        continue;
                    }
                    orientations[usize::from(mover)][usize::from(other)] = Orientation {
                        pair,
                        flip,
                        centred: sides.is_eq(),
                    };
                }
            }
        }
        Pairs {
            royals,
            orientations,
        }
    }

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.royals.len()
    }

    /// How the royals (the mover's, the other) are brought into the numbering.
    #[inline(always)]
    pub(crate) fn orientation(&self, royals: [Square; 2]) -> Orientation {
        self.orientations[usize::from(royals[0]) % MAX_SQUARES]
            [usize::from(royals[1]) % MAX_SQUARES]
    }

    /// Whether both royals of a pair stand on the centre file.
    pub(crate) fn is_centred(&self, pair: usize) -> bool {
        self.orientation(self[pair]).centred
    }
}

impl Index<usize> for Pairs {
    type Output = [Square; 2];

    #[inline(always)]
    fn index(&self, pair: usize) -> &[Square; 2] {
        &self.royals[pair]
    }
}
