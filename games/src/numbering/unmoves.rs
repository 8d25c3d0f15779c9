//! **Unmoves**: the ranks from which one move leads to a rank.
//!
//! A source `q` is turned so that the side that just moved is "own": then its predecessors need
//! no more turning. What a predecessor's rank shares with the others of its source (the codes of
//! the kinds before the one that moves) is computed once.
//!
//! With the attack filter, predecessors in which the mover could have taken the other royal are
//! left out. They are wins in one whatever else they are, and they are most of all predecessors:
//! pieces only step, so a royal attacked by two pieces in `q` was attacked before the last move,
//! and one attacked by a single piece was not only if that piece made the move.

use super::cursor::Cursor;
use super::layout::{Masks, OTHER, OUT, OWN, OWN_HAND, PROMOTED};
use super::pairs::{NO_PAIR, Orientation};
use super::ranked::{Class, MAX_NUMBERED, RankedUniverse, append};
use crate::board::{Square, Squares, each, one};
use crate::game::role;

/// A piece that the last move may have taken: it comes back on the square moved to.
#[derive(Clone, Copy, Debug)]
struct Uncapture {
    /// Its kind in the numbering.
    k: usize,
    /// Its state on the board.
    state: usize,
}

/// At most two states for each kind.
const MAX_UNCAPTURES: usize = 2 * MAX_NUMBERED;

/// The class before the last move for everything that move may have been.
struct Before<'a> {
    /// A step that neither promoted nor took.
    plain: &'a Class,
    /// A drop, by kind.
    drop: [Option<&'a Class>; MAX_NUMBERED],
    /// A promotion that took nothing, by kind.
    promotion: [Option<&'a Class>; MAX_NUMBERED],
    uncaptures: [Uncapture; MAX_UNCAPTURES],
    uncapture_count: usize,
    /// A step that took, by uncapture.
    capture: [Option<&'a Class>; MAX_UNCAPTURES],
    /// A promotion that took, by kind and uncapture.
    promotion_capture: [[Option<&'a Class>; MAX_UNCAPTURES]; MAX_NUMBERED],
}

/// What the sources of one segment share, turned to the side that just moved.
struct Source<'a> {
    universe: &'a RankedUniverse,
    /// The royal of the side that just moved and the other one, in the orientation of the
    /// predecessors.
    turned_royals: [Square; 2],
    orientation: Orientation,
    before: Before<'a>,
}

impl RankedUniverse {
    /// Calls back with the predecessors of some codes of a segment.
    #[inline(always)]
    pub(crate) fn for_each_unmove<const FILTER: bool>(
        &self,
        segment: u32,
        codes: impl Iterator<Item = u32>,
        mut emit: impl FnMut(u64),
    ) {
        let source = Source::new(self, segment);
        let (class, pair) = self.class_and_pair(segment);
        let class = &self.classes[class];
        let mut cursor = Cursor::new(self, class, self.pairs[pair], source.orientation.flip);
        for code in codes {
            source.unmove::<FILTER>(cursor.seek(code), &mut emit);
        }
    }
}

impl<'a> Source<'a> {
    fn new(universe: &'a RankedUniverse, segment: u32) -> Source<'a> {
        let (class, pair) = universe.class_and_pair(segment);
        let class = &universe.classes[class];
        let royals = universe.pairs[pair];
        let board = universe.game().board();
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let orientation = universe.orientation(turned);
        let turned_royals = if orientation.flip {
            turned.map(|square| board.mirrored(square))
        } else {
            turned
        };

        let mut layouts = [0; MAX_NUMBERED];
        for (k, kind) in universe.kinds.iter().enumerate() {
            layouts[k] = kind.layouts.swapped(class.layouts[k]);
        }
        let changed = |changes: &[_]| {
            let class = universe.class_after(layouts, changes)?;
            Some(&universe.classes[class])
        };
        let captured = if universe.game().options().drops {
            OWN_HAND
        } else {
            OUT
        };
        let mut before = Before {
            plain: changed(&[]).expect("a turned class is a class"),
            drop: [None; MAX_NUMBERED],
            promotion: [None; MAX_NUMBERED],
            uncaptures: [Uncapture { k: 0, state: 0 }; MAX_UNCAPTURES],
            uncapture_count: 0,
            capture: [None; MAX_UNCAPTURES],
            promotion_capture: [[None; MAX_UNCAPTURES]; MAX_NUMBERED],
        };
        for k in 0..universe.kinds.len() {
            before.drop[k] = changed(&[(k, OWN, OWN_HAND)]);
            before.promotion[k] = changed(&[(k, OWN + PROMOTED, OWN)]);
            for state in [OTHER, OTHER + PROMOTED] {
                if let Some(class) = changed(&[(k, captured, state)]) {
                    let index = before.uncapture_count;
                    before.uncaptures[index] = Uncapture { k, state };
                    before.capture[index] = Some(class);
                    before.uncapture_count += 1;
                }
            }
        }
        for k in 0..universe.kinds.len() {
            for index in 0..before.uncapture_count {
                let Uncapture { k: taken, state } = before.uncaptures[index];
                before.promotion_capture[k][index] =
                    changed(&[(k, OWN + PROMOTED, OWN), (taken, captured, state)]);
            }
        }
        Source {
            universe,
            turned_royals,
            orientation,
            before,
        }
    }

    /// Calls back with the predecessors of a source.
    #[inline(always)]
    fn unmove<const FILTER: bool>(
        &self,
        source: &[Masks; MAX_NUMBERED],
        emit: &mut impl FnMut(u64),
    ) {
        let universe = self.universe;
        let steps = &universe.steps;
        let kinds = universe.kinds.len();
        let [own_royal, other_royal] = self.turned_royals;
        let other_index = usize::from(other_royal);
        let before = &self.before;

        let mut movable = Squares::MAX;
        if FILTER {
            let mut attackers = 0;
            for (k, kind) in universe.kinds.iter().enumerate() {
                attackers |= source[k][OWN] & steps.attackers[role(kind.kind, false)][other_index];
                attackers |=
                    source[k][OWN + PROMOTED] & steps.attackers[role(kind.kind, true)][other_index];
            }
            if attackers & attackers.wrapping_sub(1) != 0 {
                return;
            }
            if attackers != 0 {
                movable = attackers;
            }
        }

        // Codes and free squares in front of each kind, where nothing in front has changed.
        let no_royals = universe.game().board().all() & !one(own_royal) & !one(other_royal);
        let mut codes = [0u32; MAX_NUMBERED + 1];
        let mut free = [no_royals; MAX_NUMBERED + 1];
        for k in 0..kinds {
            let layout = universe.kinds[k].layouts.get(before.plain.layouts[k]);
            let (code, left) = append(codes[k], free[k], layout, &source[k]);
            codes[k + 1] = code;
            free[k + 1] = left;
        }
        let empty = free[kinds];
        let pair = u64::from(self.orientation.pair);
        let mut masks = *source;

        for k in 0..kinds {
            let kind = universe.kinds[k].kind;
            for promoted in [false, true] {
                let state = OWN + usize::from(promoted) * PROMOTED;
                for to in each(source[k][state] & movable) {
                    let to_index = usize::from(to);
                    // A step of the piece as it is, then a promotion.
                    let quiet = steps.quiet_from[role(kind, promoted)][to_index];
                    let promoting = if promoted {
                        steps.promoting_from[kind][to_index]
                    } else {
                        0
                    };
                    masks[k][state] ^= one(to);
                    for promotes in [false, true] {
                        let (from_squares, from_state) = if promotes {
                            (promoting, OWN)
                        } else {
                            (quiet, state)
                        };
                        let mut from_squares = from_squares & empty;
                        if FILTER {
                            // From there the piece must not have attacked the royal.
                            let role = role(kind, promoted && !promotes);
                            from_squares &= !steps.attackers[role][other_index];
                        }
                        if from_squares == 0 {
                            continue;
                        }
                        let class = if promotes {
                            before.promotion[k]
                        } else {
                            Some(before.plain)
                        };
                        for from in each(from_squares) {
                            masks[k][from_state] ^= one(from);
                            if let Some(class) = class {
                                let code =
                                    universe.encode_from(class, k, codes[k], free[k], &masks);
                                emit(class.base + pair * u64::from(class.size) + u64::from(code));
                            }
                            for index in 0..before.uncapture_count {
                                let class = if promotes {
                                    before.promotion_capture[k][index]
                                } else {
                                    before.capture[index]
                                };
                                let Some(class) = class else {
                                    continue;
                                };
                                let Uncapture { k: taken, state } = before.uncaptures[index];
                                masks[taken][state] ^= one(to);
                                let first = k.min(taken);
                                let code = universe.encode_from(
                                    class,
                                    first,
                                    codes[first],
                                    free[first],
                                    &masks,
                                );
                                emit(class.base + pair * u64::from(class.size) + u64::from(code));
                                masks[taken][state] ^= one(to);
                            }
                            masks[k][from_state] ^= one(from);
                        }
                    }
                    if !promoted
                        && steps.drops[kind] & one(to) != 0
                        && let Some(class) = before.drop[k]
                    {
                        let code = universe.encode_from(class, k, codes[k], free[k], &masks);
                        emit(class.base + pair * u64::from(class.size) + u64::from(code));
                    }
                    masks[k][state] ^= one(to);
                }
            }
        }
        if movable == Squares::MAX {
            self.unmove_royal(source, empty, emit);
        }
    }

    /// Calls back with the predecessors from which the royal moved.
    #[inline(always)]
    fn unmove_royal(
        &self,
        source: &[Masks; MAX_NUMBERED],
        empty: Squares,
        emit: &mut impl FnMut(u64),
    ) {
        let universe = self.universe;
        let board = universe.game().board();
        let before = &self.before;
        let [to, other_royal] = self.turned_royals;
        let mut mirrored = None;
        for from in each(universe.steps.attackers[0][usize::from(to)] & empty) {
            let orientation = universe.orientation([from, other_royal]);
            if orientation.pair == NO_PAIR {
                continue;
            }
            // Where both royals stand on the centre file, a position and its mirror image are two
            // ranks: a move out of them leads from both to one rank, a move into them leads from
            // the one rank only to the image that needs no mirroring.
            let images = match (orientation.centred, self.orientation.centred) {
                (true, false) => [true, true],
                (false, true) if orientation.flip => continue,
                _ => [!orientation.flip, orientation.flip],
            };
            for (flip, wanted) in [false, true].into_iter().zip(images) {
                if !wanted {
                    continue;
                }
                let pair = u64::from(orientation.pair);
                let royals = universe.pairs[usize::from(orientation.pair)];
                let free = board.all() & !one(royals[0]) & !one(royals[1]);
                let (masks, to) = if flip {
                    let masks = mirrored.get_or_insert_with(|| {
                        let mut masks = *source;
                        for masks in &mut masks[..universe.kinds.len()] {
                            for squares in masks.iter_mut() {
                                *squares = universe.mirrored(*squares);
                            }
                        }
                        masks
                    });
                    (*masks, board.mirrored(to))
                } else {
                    (*source, to)
                };
                let class = before.plain;
                let code = universe.encode_from(class, 0, 0, free, &masks);
                emit(class.base + pair * u64::from(class.size) + u64::from(code));
                for index in 0..before.uncapture_count {
                    let Some(class) = before.capture[index] else {
                        continue;
                    };
                    let Uncapture { k, state } = before.uncaptures[index];
                    let mut masks = masks;
                    masks[k][state] |= one(to);
                    let code = universe.encode_from(class, 0, 0, free, &masks);
                    emit(class.base + pair * u64::from(class.size) + u64::from(code));
                }
            }
        }
    }
}
