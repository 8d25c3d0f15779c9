//! What is **due** in a block of a layer: the distances at which its cells have to be looked at.
//!
//! A position whose captures all lose has one more move to be counted down when the last of them is
//! decided. Its cell says which of the block's distances that is, so nothing else is kept for it. A
//! cell can tell 63 distances apart, more than any board that was solved has in a block; positions of
//! further distances are listed.

use crate::layered_cell as cell;

/// No distance at which something is due.
pub(crate) const NOTHING: u16 = u16::MAX;

/// What is due in a block.
pub(crate) struct Due {
    /// The least distance, from the one at hand, of a cell that is decided or due.
    pub(crate) next: u16,
    /// The distances at which captures are counted down, by their place in cells.
    distances: Vec<u16>,
    /// Positions of further distances, the greatest first.
    further: Vec<(u16, u32)>,
}

impl Due {
    pub(crate) fn new() -> Due {
        Due {
            next: NOTHING,
            distances: Vec::new(),
            further: Vec::new(),
        }
    }

    /// The most bytes that a block takes, further distances left out.
    pub(crate) const fn bytes() -> u64 {
        // A vector that grows has twice the room at most, and the old one while it moves.
        (size_of::<Due>() + 3 * cell::PLACES * size_of::<u16>()) as u64
    }

    /// Notes that captures of a position are counted down at this distance; gives the bits that its
    /// cell has for it.
    #[inline(always)]
    pub(crate) fn add(&mut self, plies: u16, offset: u32) -> u16 {
        let place = self
            .distances
            .iter()
            .position(|&distance| distance == plies);
        let place = place.or_else(|| {
            let room = self.distances.len() < cell::PLACES;
            room.then(|| {
                self.distances.push(plies);
                self.distances.len().wrapping_sub(1)
            })
        });
        match place {
            Some(place) => bits(place),
            None => {
                self.further.push((plies, offset));
                0
            }
        }
    }

    /// To be called when all positions are noted.
    pub(crate) fn finish(&mut self) {
        self.further.sort_unstable_by(|a, b| b.cmp(a));
        self.further.shrink_to_fit();
    }

    /// Whether captures are counted down at this distance.
    pub(crate) fn has(&self, plies: u16) -> bool {
        self.distances.contains(&plies) || self.further.last().is_some_and(|last| last.0 == plies)
    }

    /// Whether nothing is due beyond this distance.
    pub(crate) fn is_done(&self, plies: u16) -> bool {
        self.next == NOTHING
            && self.further.is_empty()
            && self.distances.iter().all(|&distance| distance <= plies)
    }

    /// Counts down the captures that are due at this distance; whether that decides any position.
    #[inline(always)]
    pub(crate) fn count_down(&mut self, cells: &mut [u16], plies: u16) -> bool {
        let mut lost = false;
        let place = self
            .distances
            .iter()
            .position(|&distance| distance == plies);
        if let Some(place) = place {
            let bits = bits(place);
            for cells in cells.chunks_mut(64) {
                // Most chunks have none, which vectors find out.
                let mut any = false;
                for &cell in cells.iter() {
                    any |= cell & !cell::MOVES == bits;
                }
                if !any {
                    continue;
                }
                for cell in cells.iter_mut() {
                    if *cell & !cell::MOVES == bits {
                        *cell = (*cell & cell::MOVES).wrapping_sub(1);
                        lost |= lose(cell, plies);
                    }
                }
            }
        }
        while let Some((_, offset)) = self.further.pop_if(|&mut (due, _)| due == plies) {
            let cell = &mut cells[offset as usize];
            if *cell & cell::WIN == 0 {
                *cell = cell.wrapping_sub(1);
                lost |= lose(cell, plies);
            }
        }
        lost
    }
}

/// The bits of a place in a cell.
#[inline(always)]
fn bits(place: usize) -> u16 {
    (place as u16).wrapping_add(1) << cell::PLACE_SHIFT
}

/// Decides a position if no move is left; whether that is so.
#[inline(always)]
pub(crate) fn lose(cell: &mut u16, plies: u16) -> bool {
    let lost = *cell == 0;
    if lost {
        *cell = cell::LOSS | plies;
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More distances than a cell can tell apart, three positions of each.
    #[test]
    fn every_distance_is_due_in_its_time() {
        let distances = 2 * cell::PLACES as u16;
        let plies_of = |offset: u32| (offset * 5 % u32::from(distances)) as u16 + 2;
        let mut due = Due::new();
        let mut cells: Vec<u16> = (0..3 * u32::from(distances))
            .map(|offset| due.add(plies_of(offset), offset) | (1 + offset as u16 % 2))
            .collect();
        due.finish();
        // A position that a quiet move has won is left alone.
        let won = cell::WIN | 1;
        cells[4] = won;
        for plies in 0..distances + 2 {
            let all = 0..3 * u32::from(distances);
            assert_eq!(due.has(plies), all.clone().any(|o| plies_of(o) == plies));
            assert!(!due.is_done(plies.saturating_sub(1)));
            // Positions with an even number have one move left.
            let mut lost = all.step_by(2).filter(|&o| o != 4 && plies_of(o) == plies);
            assert_eq!(due.count_down(&mut cells, plies), lost.next().is_some());
            for (offset, &cell) in (0..).zip(&cells).filter(|&(offset, _)| offset != 4) {
                let due = plies_of(offset);
                let expected = match due <= plies {
                    true if offset % 2 == 0 => cell::LOSS | due,
                    true => 1,
                    false => (cell & !cell::MOVES) | (1 + offset as u16 % 2),
                };
                assert_eq!(
                    cell, expected,
                    "position {offset}, due at {due}, at {plies}"
                );
            }
            assert_eq!(due.next, NOTHING);
        }
        assert!(due.is_done(distances + 1));
        assert_eq!(cells[4], won);
    }
}
