//! A **layout** of a kind: which states its pieces are in, whatever their squares.
//!
//! The state of a piece is its owner and place: on the board, promoted on the board, in hand, or
//! out of the game. Pieces of a kind are alike, so a layout is a multiset of states; a *group* is
//! the pieces of a layout in one state on the board. One layout of every kind makes a class.

use crate::board::Squares;

/// States of a piece, seen by the side to move: 0 own, 1 own promoted, 2 the other side's,
/// 3 the other side's promoted (these on the board), 4 in the own hand, 5 in the other hand, 6 out
/// of the game.
pub(crate) const STATES: usize = 7;
pub(crate) const OWN: usize = 0;
pub(crate) const OTHER: usize = 2;
pub(crate) const PROMOTED: usize = 1;
pub(crate) const OWN_HAND: usize = 4;
pub(crate) const OTHER_HAND: usize = 5;
pub(crate) const OUT: usize = 6;
/// The states 0 to 3 are on the board.
pub(crate) const BOARD_STATES: usize = 4;

/// The state after the players change roles.
pub(crate) const fn swapped(state: usize) -> usize {
    match state {
        0 | 1 => state + 2,
        2 | 3 => state - 2,
        4 => 5,
        5 => 4,
        _ => state,
    }
}

/// The pieces of one state on the board.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    pub(crate) state: u8,
    pub(crate) count: u8,
}

/// A multiset of states.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Pieces in each state.
    pub(crate) counts: [u8; STATES],
    groups: [Group; BOARD_STATES],
    group_count: u8,
}

impl Layout {
    fn new(counts: [u8; STATES]) -> Layout {
        let mut groups = [Group::default(); BOARD_STATES];
        let mut group_count = 0;
        for (state, &count) in counts[..BOARD_STATES].iter().enumerate() {
            if count > 0 {
                groups[group_count] = Group {
                    state: state as u8,
                    count,
                };
                group_count += 1;
            }
        }
        Layout {
            counts,
            groups,
            group_count: group_count as u8,
        }
    }

    /// The groups, in the order in which they are numbered.
    #[inline(always)]
    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups[..usize::from(self.group_count)]
    }
}

/// All layouts of a kind and the steps between them.
#[derive(Clone, Debug)]
pub(crate) struct Layouts {
    all: Vec<Layout>,
    /// `moved[layout][from][to]`: the layout after one piece changes its state.
    moved: Vec<[[u16; STATES]; STATES]>,
    swapped: Vec<u16>,
}

/// No piece of the layout is in that state.
const NONE: u16 = u16::MAX;

impl Layouts {
    /// The layouts of `pieces` pieces of a kind that may promote or not, in a game with hands or
    /// one in which captured pieces leave.
    pub(crate) fn new(pieces: u8, promotes: bool, hands: bool) -> Layouts {
        let exists = |state: usize| match state {
            0 | 2 => true,
            1 | 3 => promotes,
            4 | 5 => hands,
            _ => !hands,
        };
        let mut all = Vec::new();
        enumerate(&exists, pieces, 0, [0; STATES], &mut all);
        let find = |counts: [u8; STATES]| {
            all.iter()
                .position(|layout| layout.counts == counts)
                .map_or(NONE, |index| index as u16)
        };
        let moved = all
            .iter()
            .map(|layout| {
                let mut table = [[NONE; STATES]; STATES];
                for (from, row) in table.iter_mut().enumerate() {
                    for (to, entry) in row.iter_mut().enumerate() {
                        let mut counts = layout.counts;
                        if counts[from] > 0 {
                            counts[from] -= 1;
                            counts[to] += 1;
                            *entry = find(counts);
                        }
                    }
                }
                table
            })
            .collect();
        let swapped = all
            .iter()
            .map(|layout| {
                let mut counts = [0; STATES];
                for (state, &count) in layout.counts.iter().enumerate() {
                    counts[swapped(state)] = count;
                }
                find(counts)
            })
            .collect();
        Layouts {
            all,
            moved,
            swapped,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: u16) -> &Layout {
        &self.all[usize::from(index)]
    }

    /// The layout with these pieces in each state.
    pub(crate) fn find(&self, counts: [u8; STATES]) -> Option<u16> {
        self.all
            .iter()
            .position(|layout| layout.counts == counts)
            .map(|index| index as u16)
    }

    /// The layout after one piece changes its state; `None` if no piece is in `from`, or the kind
    /// knows no state `to`.
    #[inline(always)]
    pub(crate) fn moved(&self, layout: u16, from: usize, to: usize) -> Option<u16> {
        let after = self.moved[usize::from(layout)][from][to];
        (after != NONE).then_some(after)
    }

    /// The layout seen by the other side.
    #[inline(always)]
    pub(crate) fn swapped(&self, layout: u16) -> u16 {
        self.swapped[usize::from(layout)]
    }
}

/// Multisets in the order of their sorted lists of states.
fn enumerate(
    exists: &impl Fn(usize) -> bool,
    pieces: u8,
    state: usize,
    counts: [u8; STATES],
    all: &mut Vec<Layout>,
) {
    if pieces == 0 {
        all.push(Layout::new(counts));
        return;
    }
    if state == STATES {
        return;
    }
    let most = if exists(state) { pieces } else { 0 };
    for count in (0..=most).rev() {
        let mut counts = counts;
        counts[state] = count;
        enumerate(exists, pieces - count, state + 1, counts, all);
    }
}

/// The squares of a kind's pieces by their state on the board.
pub(crate) type Masks = [Squares; BOARD_STATES];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layouts_of_dobutsu_are_21_and_10() {
        assert_eq!(Layouts::new(2, true, true).len(), 21);
        assert_eq!(Layouts::new(2, false, true).len(), 10);
        assert_eq!(Layouts::new(2, true, false).len(), 15);
        assert_eq!(Layouts::new(2, false, false).len(), 6);
        assert_eq!(Layouts::new(0, true, true).len(), 1);
    }

    #[test]
    fn swapping_twice_changes_nothing_and_moves_turn_back() {
        let layouts = Layouts::new(2, true, true);
        for layout in 0..layouts.len() as u16 {
            assert_eq!(layouts.swapped(layouts.swapped(layout)), layout);
            for from in 0..STATES {
                for to in 0..STATES {
                    if let Some(after) = layouts.moved(layout, from, to) {
                        assert_eq!(layouts.moved(after, to, from), Some(layout));
                    }
                }
            }
        }
    }
}
