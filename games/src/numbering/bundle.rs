//! A **bundle**: the pairs with the mover's royal on one square, and what the predecessors of
//! their positions have in common.
//!
//! Pairs are numbered by the mover's royal first, so the ranks of a class in a bundle follow each
//! other. A move never moves the other royal, which for the predecessors is this one: up to the
//! mirror, all of them have it on the same square.

use std::ops::Range;

use super::pairs::{NO_PAIR, Pairs};
use crate::board::{Board, MAX_SQUARES, Square, Squares, each, one};

/// The pairs with the mover's royal on one square. Arrays are by place in the bundle unless they
/// say otherwise. Squares of predecessors are seen by the side that moves in them, in the
/// orientation in which all pieces but the royal moved.
#[derive(Clone, Debug)]
pub(crate) struct Bundle {
    pub(crate) pairs: Range<usize>,
    /// The mover's royal.
    pub(crate) royal: Square,
    /// The other royals.
    pub(crate) others: [u32; MAX_SQUARES],
    /// The pair of predecessors in which the same royals stand.
    pub(crate) pair: [u32; MAX_SQUARES],
    /// All ones where predecessors are mirrored.
    pub(crate) flip: [u32; MAX_SQUARES],
    /// The royal of the side that moves in predecessors, as a set.
    pub(crate) turned: [u32; MAX_SQUARES],
    /// The royal of this bundle as predecessors have it, mirrored or not.
    pub(crate) other: [Square; 2],
    /// Squares from which the royal may have moved, into what is numbered as it is and into its
    /// mirror image (see `unmoves`).
    pub(crate) from: [[Squares; MAX_SQUARES]; 2],
    /// The pair before the royal moved, mirrored or not and by the square it came from.
    pub(crate) pair_before: [[u32; MAX_SQUARES]; 2],
}

impl Bundle {
    /// All bundles in the order of their pairs.
    pub(crate) fn all(board: Board, pairs: &Pairs) -> Vec<Bundle> {
        let mut bundles: Vec<Bundle> = Vec::new();
        for pair in 0..pairs.len() {
            let [royal, _] = pairs[pair];
            match bundles.last_mut() {
                Some(bundle) if bundle.royal == royal => bundle.pairs.end = pair + 1,
                _ => bundles.push(Bundle::empty(board, pairs, royal, pair)),
            }
            if let Some(bundle) = bundles.last_mut() {
                bundle.set(board, pairs, pair);
            }
        }
        bundles
    }

    fn empty(board: Board, pairs: &Pairs, royal: Square, first: usize) -> Bundle {
        let turned = board.rotated(royal);
        let other = [turned, board.mirrored(turned)];
        let mut pair_before = [[0; MAX_SQUARES]; 2];
        for (pair_before, other) in pair_before.iter_mut().zip(other) {
            for from in each(board.all()) {
                let before = pairs.orientation([from, other]).pair;
                pair_before[usize::from(from)] = u32::from(before);
            }
        }
        Bundle {
            pairs: first..first + 1,
            royal,
            others: [0; MAX_SQUARES],
            pair: [0; MAX_SQUARES],
            flip: [0; MAX_SQUARES],
            turned: [0; MAX_SQUARES],
            other,
            from: [[0; MAX_SQUARES]; 2],
            pair_before,
        }
    }

    /// Fills the place of a pair.
    fn set(&mut self, board: Board, pairs: &Pairs, pair: usize) {
        let place = pair - self.pairs.start;
        let [royal, other] = pairs[pair];
        let turned = [other, royal].map(|square| board.rotated(square));
        let orientation = pairs.orientation(turned);
        let flip = orientation.flip;
        let own = if flip {
            board.mirrored(turned[0])
        } else {
            turned[0]
        };
        self.others[place] = u32::from(other);
        self.pair[place] = u32::from(orientation.pair);
        self.flip[place] = if flip { u32::MAX } else { 0 };
        self.turned[place] = one(own);
        for from in each(board.all()) {
            let before = pairs.orientation([from, self.other[usize::from(flip)]]);
            // Where both royals stand on the centre file, a position and its mirror image are two
            // ranks: see `unmoves`.
            let images = match (before.centred, orientation.centred) {
                _ if before.pair == NO_PAIR => [false, false],
                (true, false) => [true, true],
                (false, true) => [!before.flip, false],
                _ => [!before.flip, before.flip],
            };
            for (set, image) in self.from.iter_mut().zip(images) {
                set[place] |= if image { one(from) } else { 0 };
            }
        }
    }
}
