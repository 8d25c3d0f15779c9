//! An **advance**: every move of some positions of a segment, as ranks of a complete universe, and
//! what the rules say of the positions themselves.
//!
//! The forward twin of `unmoves`: a source is turned as its successors are, so the pieces that move
//! are "other" here and those of the side that moves next "own". What a successor's rank shares
//! with the others of its source (the codes of the kinds before those that change) is computed
//! once.

use super::complete::CompleteUniverse;
use super::cursor::Cursor;
use super::layout::{Masks, OTHER, OTHER_HAND, OUT, OWN, PROMOTED};
use super::pairs::{NO_PAIR, Orientation};
use super::ranked::{MAX_NUMBERED, RankedUniverse, append};
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::explorable::{Convention, Reached};
use crate::game::role;
use crate::position::MAX_KINDS;

/// How the other side's pieces move.
#[derive(Clone, Debug)]
pub(super) struct Turned {
    /// Squares reached without promoting, by role and square.
    quiet_to: [[Squares; MAX_SQUARES]; 2 * MAX_KINDS],
    /// Squares reached by promoting, by kind and square.
    promoting_to: [[Squares; MAX_SQUARES]; MAX_KINDS],
    /// Squares on which a kind may be dropped.
    drops: [Squares; MAX_KINDS],
}

impl Turned {
    pub(super) fn new(universe: &RankedUniverse) -> Turned {
        let board = universe.game().board();
        let steps = &universe.steps;
        let turned = |reached: &[Squares; MAX_SQUARES]| {
            let mut turned = [0; MAX_SQUARES];
            for square in each(board.all()) {
                turned[usize::from(board.rotated(square))] =
                    universe.rotated(reached[usize::from(square)]);
            }
            turned
        };
        Turned {
            quiet_to: std::array::from_fn(|role| turned(&steps.quiet_to[role])),
            promoting_to: std::array::from_fn(|kind| turned(&steps.promoting_to[kind])),
            drops: steps.drops.map(|squares| universe.rotated(squares)),
        }
    }
}

/// A state in which a piece may be taken.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    /// Its kind in the numbering.
    k: usize,
    state: usize,
    /// The class after a step that takes it.
    class: usize,
    /// The class after a promotion that takes it, by the kind that promotes.
    promotion_class: [usize; MAX_NUMBERED],
}

/// The class after everything a move may be.
struct After {
    /// A step that neither promotes nor takes.
    plain: usize,
    /// A drop, by kind; none without such a piece in hand.
    drop: [Option<usize>; MAX_NUMBERED],
    /// A promotion that takes nothing, by kind.
    promotion: [usize; MAX_NUMBERED],
    /// The states of pieces on the board that may be taken.
    taken: [Taken; 2 * MAX_NUMBERED],
    taken_count: usize,
}

/// What the sources of one segment share, in the orientation of their successors.
struct Source<'a> {
    universe: &'a CompleteUniverse,
    /// The royal of the side that moves next, and of the side that moves.
    royals: [Square; 2],
    orientation: Orientation,
    after: After,
}

/// Codes and free squares in front of each kind, where nothing in front has changed.
struct Front {
    codes: [u32; MAX_NUMBERED + 1],
    free: [Squares; MAX_NUMBERED + 1],
}

impl CompleteUniverse {
    /// Calls back with the ranks after every move of some positions of the ranked universe that are
    /// open, and counts them by sort.
    #[inline(always)]
    pub(super) fn play_on(
        &self,
        segment: u32,
        codes: &[u32],
        mut emit: impl FnMut(u64),
    ) -> Reached {
        let ranked = self.ranked();
        let (class, pair) = ranked.class_and_pair(segment);
        let source = Source::new(self, class, pair);
        let class = &ranked.classes[class];
        let flip = source.orientation.flip;
        let mut cursor = Cursor::new(ranked, class, ranked.pairs[pair], flip);
        let mut reached = Reached::default();
        for &code in codes {
            let masks = cursor.seek(code);
            if source.can_take_royal(masks) {
                reached.catches += 1;
            } else if self.convention == Convention::Rules && source.can_try(masks) {
                reached.tries += 1;
            } else {
                reached.open += 1;
                reached.moves += source.play(masks, &mut emit);
            }
        }
        reached
    }

    /// Counts positions of a class and decided pair by sort.
    #[inline(always)]
    pub(super) fn count_decided(&self, class: usize, pair: usize, codes: &[u32]) -> Reached {
        let ranked = self.ranked();
        let board = ranked.game().board();
        let royals = self.decided[pair];
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let touching = ranked.steps.attacks[0][usize::from(royals[0])] & one(royals[1]) != 0;
        let catches = if touching {
            codes.len() as u64
        } else {
            let mut cursor = Cursor::new(ranked, &ranked.classes[class], royals, false);
            let mut catches = 0;
            for &code in codes {
                catches += u64::from(attackers(ranked, cursor.seek(code), turned[0]) != 0);
            }
            catches
        };
        Reached {
            catches,
            tried: codes.len() as u64 - catches,
            ..Reached::default()
        }
    }
}

/// The other side's men that attack a square.
#[inline(always)]
fn attackers(universe: &RankedUniverse, masks: &[Masks; MAX_NUMBERED], square: Square) -> Squares {
    let square = usize::from(square);
    let mut attackers = 0;
    for (masks, kind) in masks.iter().zip(&universe.kinds) {
        for promoted in [false, true] {
            attackers |= masks[OTHER + usize::from(promoted) * PROMOTED]
                & universe.steps.other_attackers[role(kind.kind, promoted)][square];
        }
    }
    attackers
}

impl<'a> Source<'a> {
    fn new(universe: &'a CompleteUniverse, class: usize, pair: usize) -> Source<'a> {
        let ranked = universe.ranked();
        let board = ranked.game().board();
        let royals = ranked.pairs[pair];
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let orientation = ranked.orientation(turned);
        let royals = if orientation.flip {
            turned.map(|square| board.mirrored(square))
        } else {
            turned
        };

        let mut layouts = [0; MAX_NUMBERED];
        for (k, kind) in ranked.kinds.iter().enumerate() {
            layouts[k] = kind.layouts.swapped(ranked.classes[class].layouts[k]);
        }
        let changed = |changes: &[_]| ranked.class_after(layouts, changes);
        let hand = if ranked.game().options().drops {
            OTHER_HAND
        } else {
            OUT
        };
        let mut after = After {
            plain: changed(&[]).expect("a turned class is a class"),
            drop: [None; MAX_NUMBERED],
            promotion: [0; MAX_NUMBERED],
            taken: [Taken::default(); 2 * MAX_NUMBERED],
            taken_count: 0,
        };
        // Where a class is missing there is no such move, and none is looked for.
        for k in 0..ranked.kinds.len() {
            let promotion = (k, OTHER, OTHER + PROMOTED);
            after.drop[k] = changed(&[(k, OTHER_HAND, OTHER)]);
            after.promotion[k] = changed(&[promotion]).unwrap_or_default();
            for state in [OWN, OWN + PROMOTED] {
                let taking = (k, state, hand);
                let Some(class) = changed(&[taking]) else {
                    continue;
                };
                let taken = &mut after.taken[after.taken_count];
                after.taken_count += 1;
                *taken = Taken {
                    k,
                    state,
                    class,
                    promotion_class: [0; MAX_NUMBERED],
                };
                for (mover, class) in taken.promotion_class.iter_mut().enumerate() {
                    if mover < ranked.kinds.len() {
                        let promotion = (mover, OTHER, OTHER + PROMOTED);
                        *class = changed(&[promotion, taking]).unwrap_or_default();
                    }
                }
            }
        }
        Source {
            universe,
            royals,
            orientation,
            after,
        }
    }

    #[inline(always)]
    fn can_take_royal(&self, masks: &[Masks; MAX_NUMBERED]) -> bool {
        attackers(self.universe.ranked(), masks, self.royals[0]) != 0
    }

    /// Whether the mover, who can't take the royal, can try safely.
    #[inline(always)]
    fn can_try(&self, masks: &[Masks; MAX_NUMBERED]) -> bool {
        let ranked = self.universe.ranked();
        let steps = &ranked.steps;
        let [own_royal, other_royal] = self.royals.map(usize::from);
        let tries = steps.other_attacks[0][other_royal] & steps.other_try_rank;
        if tries == 0 {
            return false;
        }
        let [_, other] = ranked.men(masks);
        let mut attacked = steps.attacks[0][own_royal];
        for (masks, kind) in masks.iter().zip(&ranked.kinds) {
            for promoted in [false, true] {
                for square in each(masks[OWN + usize::from(promoted) * PROMOTED]) {
                    attacked |= steps.attacks[role(kind.kind, promoted)][usize::from(square)];
                }
            }
        }
        tries & !other & !attacked != 0
    }

    /// Calls back with the rank after every move, and gives the number of moves.
    #[inline(always)]
    fn play(&self, source: &[Masks; MAX_NUMBERED], emit: &mut impl FnMut(u64)) -> u64 {
        let ranked = self.universe.ranked();
        let turned = &self.universe.turned;
        let kinds = ranked.kinds.len();
        let after = &self.after;

        // Codes and free squares in front of each kind, where nothing in front has changed.
        let mut codes = [0u32; MAX_NUMBERED + 1];
        let mut free = [ranked.free_of_royals(self.royals); MAX_NUMBERED + 1];
        for k in 0..kinds {
            let layout = ranked.classes[after.plain].layouts[k];
            let layout = ranked.kinds[k].layouts.get(layout);
            (codes[k + 1], free[k + 1]) = append(codes[k], free[k], layout, &source[k]);
        }
        let empty = free[kinds];
        let front = Front { codes, free };
        let [own, _] = ranked.men(source);
        let mut masks = *source;
        let mut moves = 0;

        for k in 0..kinds {
            let kind = ranked.kinds[k].kind;
            for promoted in [false, true] {
                let state = OTHER + usize::from(promoted) * PROMOTED;
                for from in each(source[k][state]) {
                    let from_index = usize::from(from);
                    let quiet = turned.quiet_to[role(kind, promoted)][from_index];
                    let promoting = if promoted {
                        0
                    } else {
                        turned.promoting_to[kind][from_index]
                    };
                    masks[k][state] ^= one(from);
                    for (promotes, to_squares, to_state) in
                        [(false, quiet, state), (true, promoting, OTHER + PROMOTED)]
                    {
                        let class = if promotes {
                            after.promotion[k]
                        } else {
                            after.plain
                        };
                        for to in each(to_squares & empty) {
                            moves += 1;
                            masks[k][to_state] ^= one(to);
                            emit(self.rank(&front, class, k, &masks));
                            masks[k][to_state] ^= one(to);
                        }
                        for to in each(to_squares & own) {
                            moves += 1;
                            masks[k][to_state] ^= one(to);
                            let taken = self.taken(source, to);
                            let class = if promotes {
                                taken.promotion_class[k]
                            } else {
                                taken.class
                            };
                            masks[taken.k][taken.state] ^= one(to);
                            emit(self.rank(&front, class, k.min(taken.k), &masks));
                            masks[taken.k][taken.state] ^= one(to);
                            masks[k][to_state] ^= one(to);
                        }
                    }
                    masks[k][state] ^= one(from);
                }
            }
            if let Some(class) = after.drop[k] {
                for to in each(turned.drops[kind] & empty) {
                    moves += 1;
                    masks[k][OTHER] ^= one(to);
                    emit(self.rank(&front, class, k, &masks));
                    masks[k][OTHER] ^= one(to);
                }
            }
        }
        moves + self.play_royal(source, empty, own, emit)
    }

    /// The rank of a successor whose kinds before `first` are as in front.
    #[inline(always)]
    fn rank(
        &self,
        front: &Front,
        class: usize,
        first: usize,
        masks: &[Masks; MAX_NUMBERED],
    ) -> u64 {
        let ranked = self.universe.ranked();
        let class = &ranked.classes[class];
        let pair = u64::from(self.orientation.pair);
        let code = ranked.encode_from(class, first, front.codes[first], front.free[first], masks);
        class.base + pair * u64::from(class.size) + u64::from(code)
    }

    /// What stands on a square and is taken there.
    #[inline(always)]
    fn taken(&self, source: &[Masks; MAX_NUMBERED], to: Square) -> &Taken {
        let after = &self.after;
        after.taken[..after.taken_count]
            .iter()
            .find(|taken| source[taken.k][taken.state] & one(to) != 0)
            .expect("a man on a square is in a state")
    }

    /// The same for the royal's moves.
    #[inline(always)]
    fn play_royal(
        &self,
        source: &[Masks; MAX_NUMBERED],
        empty: Squares,
        own: Squares,
        emit: &mut impl FnMut(u64),
    ) -> u64 {
        let universe = self.universe;
        let ranked = universe.ranked();
        let board = ranked.game().board();
        let [own_royal, other_royal] = self.royals;
        let to_squares = ranked.steps.other_attacks[0][usize::from(other_royal)] & (empty | own);
        let mut mirrored = None;
        for to in each(to_squares) {
            let (pairs, bases) = match ranked.orientation([own_royal, to]).pair {
                NO_PAIR => (&universe.decided, Some(&universe.decided_bases)),
                _ => (&ranked.pairs, None),
            };
            let orientation = pairs.orientation([own_royal, to]);
            let pair = usize::from(orientation.pair);
            let free = ranked.free_of_royals(pairs[pair]);
            let (class, taken) = if own & one(to) != 0 {
                let taken = self.taken(source, to);
                (taken.class, Some(taken))
            } else {
                (self.after.plain, None)
            };
            let base = bases.map_or(ranked.classes[class].base, |bases| bases[class]);
            let class = &ranked.classes[class];
            let first = base + pair as u64 * u64::from(class.size);
            // Where only the successor has a second rank, its mirror image is reached too.
            let both = orientation.centred && !self.orientation.centred;
            for flip in [false, true] {
                if !both && flip != orientation.flip {
                    continue;
                }
                let mut masks = if flip {
                    *mirrored.get_or_insert_with(|| {
                        let mut masks = *source;
                        for masks in &mut masks[..ranked.kinds.len()] {
                            *masks = masks.map(|squares| ranked.mirrored(squares));
                        }
                        masks
                    })
                } else {
                    *source
                };
                if let Some(taken) = taken {
                    masks[taken.k][taken.state] ^= one(if flip { board.mirrored(to) } else { to });
                }
                let code = ranked.encode_from(class, 0, 0, free, &masks);
                emit(first + u64::from(code));
            }
        }
        u64::from(to_squares.count_ones())
    }
}
