//! **Legal placements** and the moves between them, where check must be met.
//!
//! A placement that no move can have left is a hole: the side that is not to move is in check, a
//! pawn stands where it can't, or two on a file. A move is an edge only if it leaves the own royal
//! safe and is no pawn drop that mates; a mover without a move has lost.
//!
//! Both directions work on placements whatever their orientation; only the rank of a placement
//! depends on it. In a placement sente is the mover of the rank it came from.

use super::layout::{BOARD_STATES, OTHER, OUT, OWN_HAND, PROMOTED, swapped};
use super::pairs::{NO_PAIR, Orientation};
use super::ranked::{MAX_NUMBERED, Placement, RankedUniverse};
use crate::board::{Square, Squares, each, one};
use crate::color::Color;
use crate::position::Piece;
use crate::universe::{Start, Terminal, Universe};

/// What a piece of a placement does.
#[derive(Clone, Copy, Debug)]
struct Action {
    /// Its kind in the numbering; `None` for the royal.
    k: Option<usize>,
    /// Its square and state before; `None` for a drop.
    from: Option<(Square, usize)>,
    to: Square,
    /// Its state after.
    state: usize,
}

/// The first state of a color's pieces on the board.
const fn base(color: Color) -> usize {
    color as usize * OTHER
}

impl RankedUniverse {
    /// Whether check must be met, so that this module's moves are those of the universe.
    #[inline(always)]
    pub(crate) fn meets_check(&self) -> bool {
        !self.game().options().exposure
    }

    /// The state of a piece that a color has taken.
    fn taken_state(&self, color: Color) -> usize {
        match self.game().options().drops {
            true => OWN_HAND + color.index(),
            false => OUT,
        }
    }

    fn occupied(&self, placement: &Placement) -> Squares {
        let [own, other] = self.men(&placement.masks);
        own | other | one(placement.royals[0]) | one(placement.royals[1])
    }

    /// Whether a color attacks a square.
    fn is_attacked(&self, placement: &Placement, square: Square, by: Color) -> bool {
        let game = self.game();
        let royal = placement.royals[by.index()];
        if game.attacks(Piece::royal(by), royal) & one(square) != 0 {
            return true;
        }
        let occupied = self.occupied(placement);
        self.kinds.iter().enumerate().any(|(k, kind)| {
            [false, true].into_iter().any(|promoted| {
                let men = placement.masks[k][base(by) + usize::from(promoted)];
                // From there a piece of the other color would attack those that attack it.
                let piece = Piece {
                    color: by.opponent(),
                    kind: kind.kind as u8,
                    promoted,
                };
                men != 0 && game.attacks_over(piece, square, occupied) & men != 0
            })
        })
    }

    /// Whether a color's royal is attacked.
    pub(super) fn is_checked(&self, placement: &Placement, color: Color) -> bool {
        self.is_attacked(placement, placement.royals[color.index()], color.opponent())
    }

    /// Whether a placement with sente to move is no legal position.
    pub(super) fn is_hole(&self, placement: &Placement) -> bool {
        let game = self.game();
        let board = game.board();
        let pawns_stand_wrong = |k: usize, kind: u8, color: Color| {
            let pawns = placement.masks[k][base(color)];
            let files = (0..board.width()).map(|file| board.file_squares(file));
            each(pawns).any(|square| game.is_dead(color, kind, square))
                || files
                    .into_iter()
                    .any(|file| (pawns & file).count_ones() > 1)
        };
        self.is_checked(placement, Color::Gote)
            || self.kinds.iter().enumerate().any(|(k, kind)| {
                let kind = kind.kind as u8;
                game.is_file_bound(kind)
                    && Color::BOTH
                        .into_iter()
                        .any(|color| pawns_stand_wrong(k, kind, color))
            })
    }

    /// Whether a test holds for what some piece of a color can do, the safety of its royal aside.
    fn any_action(
        &self,
        placement: &Placement,
        color: Color,
        mut test: impl FnMut(Action) -> bool,
    ) -> bool {
        let game = self.game();
        let occupied = self.occupied(placement);
        let royal = placement.royals[color.index()];
        let own = self.men(&placement.masks)[color.index()] | one(royal);
        for to in each(game.attacks(Piece::royal(color), royal) & !own) {
            let step = Action {
                k: None,
                from: Some((royal, 0)),
                to,
                state: 0,
            };
            if test(step) {
                return true;
            }
        }
        for (k, kind) in self.kinds.iter().enumerate() {
            let index = kind.kind as u8;
            for promoted in [false, true] {
                let state = base(color) + usize::from(promoted) * PROMOTED;
                let piece = Piece {
                    color,
                    kind: index,
                    promoted,
                };
                for from in each(placement.masks[k][state]) {
                    for to in each(game.attacks_over(piece, from, occupied) & !own) {
                        for promotes in game.promotions(piece, from, to) {
                            let step = Action {
                                k: Some(k),
                                from: Some((from, state)),
                                to,
                                state: state + usize::from(promotes) * PROMOTED,
                            };
                            if test(step) {
                                return true;
                            }
                        }
                    }
                }
            }
            let counts = kind.layouts.get(placement.layouts[k]).counts;
            if counts[OWN_HAND + color.index()] == 0 {
                continue;
            }
            let pawns = match game.is_file_bound(index) {
                true => placement.masks[k][base(color)],
                false => 0,
            };
            for to in each(game.board().all() & !occupied) {
                let file = game.board().file_squares(game.board().file(to));
                let drop = Action {
                    k: Some(k),
                    from: None,
                    to,
                    state: base(color),
                };
                if pawns & file == 0 && game.can_drop(color, index, to) && test(drop) {
                    return true;
                }
            }
        }
        false
    }

    /// The layout of a kind after one piece changes its state.
    fn change(&self, placement: &mut Placement, k: usize, from: usize, to: usize) {
        placement.layouts[k] = self.kinds[k]
            .layouts
            .moved(placement.layouts[k], from, to)
            .expect("a piece that moves is in its layout");
    }

    /// The placement after an action, not turned.
    fn after(&self, placement: &Placement, color: Color, action: Action) -> Placement {
        let mut after = *placement;
        let Action { k, from, to, state } = action;
        let taken = base(color.opponent());
        for other in 0..self.kinds.len() {
            for taken in [taken, taken + PROMOTED] {
                if after.masks[other][taken] & one(to) != 0 {
                    after.masks[other][taken] ^= one(to);
                    self.change(&mut after, other, taken, self.taken_state(color));
                }
            }
        }
        let Some(k) = k else {
            after.royals[color.index()] = to;
            return after;
        };
        let before = match from {
            Some((from, before)) => {
                after.masks[k][before] ^= one(from);
                before
            }
            None => OWN_HAND + color.index(),
        };
        after.masks[k][state] |= one(to);
        if before != state {
            self.change(&mut after, k, before, state);
        }
        after
    }

    /// The placement after an action, if it is a legal move.
    fn legal_after(
        &self,
        placement: &Placement,
        color: Color,
        action: Action,
    ) -> Option<Placement> {
        let after = self.after(placement, color, action);
        if self.is_checked(&after, color) {
            return None;
        }
        let is_mate = self.is_pawn_drop(action) && self.is_mated(&after, color.opponent());
        (!is_mate).then_some(after)
    }

    /// Whether an action is the drop of a piece that must not mate by it.
    fn is_pawn_drop(&self, action: Action) -> bool {
        let game = self.game();
        let kind = action.k.map(|k| self.kinds[k].kind as u8);
        action.from.is_none()
            && kind.is_some()
            && kind == game.family().pawn
            && !game.options().pawn_drop_mates
    }

    /// How many pawn drops sente lacks because they mate.
    pub(super) fn mating_pawn_drops(&self, placement: &Placement) -> u32 {
        let mut mates = 0;
        self.any_action(placement, Color::Sente, |action| {
            if self.is_pawn_drop(action) {
                let after = self.after(placement, Color::Sente, action);
                let is_safe = !self.is_checked(&after, Color::Sente);
                mates += u32::from(is_safe && self.is_mated(&after, Color::Gote));
            }
            false
        });
        mates
    }

    /// Whether the mover of a code would mate by dropping a man of a kind on a square.
    pub(super) fn drop_mates(
        &self,
        class: usize,
        pair: usize,
        code: u32,
        k: usize,
        to: Square,
    ) -> bool {
        let drop = Action {
            k: Some(k),
            from: None,
            to,
            state: base(Color::Sente),
        };
        let placement = self.placement_at(class, self.pairs[pair], code);
        let after = self.after(&placement, Color::Sente, drop);
        self.is_mated(&after, Color::Gote)
    }

    fn is_mated(&self, placement: &Placement, color: Color) -> bool {
        self.is_checked(placement, color) && !self.has_legal_move(placement, color)
    }

    /// Whether a color, were it to move, has a legal move.
    pub(super) fn has_legal_move(&self, placement: &Placement, color: Color) -> bool {
        self.any_action(placement, color, |action| {
            self.legal_after(placement, color, action).is_some()
        })
    }

    /// Calls back with the rank after every legal move of sente.
    pub(super) fn for_each_legal_successor(
        &self,
        placement: &Placement,
        mut emit: impl FnMut(u64),
    ) {
        self.any_action(placement, Color::Sente, |action| {
            if let Some(after) = self.legal_after(placement, Color::Sente, action) {
                let turned = self.turned_placement(&after);
                let orientation = self.orientation(turned.royals);
                emit(self.rank_of_placement(&turned, orientation.pair, orientation.flip));
            }
            false
        });
    }

    /// What the rules decide of a placement with sente to move; if nothing, calls back with the
    /// rank after every legal move.
    pub(super) fn legal_forward(
        &self,
        placement: &Placement,
        mut emit: impl FnMut(u64),
    ) -> Option<Terminal> {
        if self.is_hole(placement) {
            return Some(Terminal::Hole);
        }
        let mut has_move = false;
        self.for_each_legal_successor(placement, |rank| {
            has_move = true;
            emit(rank);
        });
        (!has_move).then(|| Terminal::Decided(self.game().no_move_value()))
    }

    /// Calls back with the start of each rank of a segment.
    pub(super) fn for_each_legal_start(&self, segment: u32, mut emit: impl FnMut(Start)) {
        let (class, pair) = self.class_and_pair(segment);
        for code in 0..self.segment(segment).len {
            let placement = self.placement_at(class, self.pairs[pair], code);
            let start = match () {
                () if self.is_hole(&placement) => Start::Hole,
                () => match self.legal_moves(&placement) {
                    0 => Start::Decided(self.game().no_move_value()),
                    moves => Start::Open(moves),
                },
            };
            emit(start);
        }
    }

    /// How many legal moves sente has.
    pub(super) fn legal_moves(&self, placement: &Placement) -> u32 {
        let mut moves = 0;
        self.any_action(placement, Color::Sente, |action| {
            moves += u32::from(self.legal_after(placement, Color::Sente, action).is_some());
            false
        });
        moves
    }

    /// A placement seen by the other side.
    fn turned_placement(&self, placement: &Placement) -> Placement {
        let board = self.game().board();
        let [own, other] = placement.royals;
        let mut turned = Placement {
            royals: [other, own].map(|square| board.rotated(square)),
            masks: [[0; BOARD_STATES]; MAX_NUMBERED],
            layouts: [0; MAX_NUMBERED],
        };
        for (k, kind) in self.kinds.iter().enumerate() {
            for (state, &squares) in placement.masks[k].iter().enumerate() {
                turned.masks[k][swapped(state)] = self.rotated(squares);
            }
            turned.layouts[k] = kind.layouts.swapped(placement.layouts[k]);
        }
        turned
    }

    /// A placement in the mirror.
    fn mirrored_placement(&self, placement: &Placement) -> Placement {
        let board = self.game().board();
        Placement {
            royals: placement.royals.map(|square| board.mirrored(square)),
            masks: placement
                .masks
                .map(|masks| masks.map(|squares| self.mirrored(squares))),
            layouts: placement.layouts,
        }
    }

    /// The rank of a placement or of its mirror image, whose royals are this pair.
    fn rank_of_placement(&self, placement: &Placement, pair: u16, flip: bool) -> u64 {
        let mirrored;
        let placement = if flip {
            mirrored = self.mirrored_placement(placement);
            &mirrored
        } else {
            placement
        };
        let class = self
            .class_after(placement.layouts, &[])
            .expect("layouts of the universe are one of its classes");
        let class = &self.classes[class];
        let free = self.free_of_royals(placement.royals);
        let code = self.encode_from(class, 0, 0, free, &placement.masks);
        class.base + u64::from(pair) * u64::from(class.size) + u64::from(code)
    }

    /// Calls back with the rank before every legal move that leads to a rank.
    pub(super) fn for_each_legal_unmove(&self, rank: u64, mut emit: impl FnMut(u64)) {
        let reached = self.placement(rank);
        if self.is_hole(&reached) {
            return;
        }
        // Sente is now the side that just moved.
        let mut turned = self.turned_placement(&reached);
        let orientation = self.orientation(turned.royals);
        if orientation.flip {
            turned = self.mirrored_placement(&turned);
        }
        let mut emit_before = |before: &Placement| {
            let Orientation {
                pair,
                flip,
                centred,
            } = self.orientation(before.royals);
            if pair == NO_PAIR || self.is_hole(before) {
                return;
            }
            // Where both royals stand on the centre file, a position and its mirror image are two
            // ranks: a move out of them leads from both to one rank, a move into them leads from the
            // one rank only to the image that needs no mirroring.
            match (centred, orientation.centred) {
                (true, false) => {
                    emit(self.rank_of_placement(before, pair, false));
                    emit(self.rank_of_placement(before, pair, true));
                }
                (false, true) if flip => {}
                _ => emit(self.rank_of_placement(before, pair, flip)),
            }
        };
        self.for_each_before(&turned, &mut emit_before);
    }

    /// Calls back with every placement that a move of sente leads from, legal or not.
    fn for_each_before(&self, reached: &Placement, emit: &mut impl FnMut(&Placement)) {
        let game = self.game();
        let occupied = self.occupied(reached);
        let color = Color::Sente;
        let royal = reached.royals[color.index()];
        for from in each(game.attacks(Piece::royal(color), royal) & !occupied) {
            let mut before = *reached;
            before.royals[color.index()] = from;
            self.with_uncaptures(&before, royal, emit);
        }
        for (k, kind) in self.kinds.iter().enumerate() {
            let index = kind.kind as u8;
            for promoted in [false, true] {
                let state = base(color) + usize::from(promoted) * PROMOTED;
                for to in each(reached.masks[k][state]) {
                    // The piece as it was, promoted by the move or not.
                    let befores: &[bool] = if promoted { &[false, true] } else { &[false] };
                    for &was_promoted in befores {
                        let before_state = base(color) + usize::from(was_promoted) * PROMOTED;
                        let piece = |color| Piece {
                            color,
                            kind: index,
                            promoted: was_promoted,
                        };
                        let from_squares =
                            game.attacks_over(piece(color.opponent()), to, occupied) & !occupied;
                        for from in each(from_squares) {
                            let promotes = promoted && !was_promoted;
                            let mut choices = game.promotions(piece(color), from, to);
                            if !choices.any(|choice| choice == promotes) {
                                continue;
                            }
                            let mut before = *reached;
                            before.masks[k][state] ^= one(to);
                            before.masks[k][before_state] |= one(from);
                            if promotes {
                                self.change(&mut before, k, state, before_state);
                            }
                            self.with_uncaptures(&before, to, emit);
                        }
                    }
                    let drop = Action {
                        k: Some(k),
                        from: None,
                        to,
                        state,
                    };
                    let is_drop = !promoted
                        && game.options().drops
                        && game.can_drop(color, index, to)
                        && !(self.is_pawn_drop(drop) && self.is_mated(reached, color.opponent()));
                    if is_drop {
                        let mut before = *reached;
                        before.masks[k][state] ^= one(to);
                        self.change(&mut before, k, state, OWN_HAND + color.index());
                        emit(&before);
                    }
                }
            }
        }
    }

    /// Calls back with a placement, and with each piece that sente may have taken on a square.
    fn with_uncaptures(&self, before: &Placement, to: Square, emit: &mut impl FnMut(&Placement)) {
        emit(before);
        let taken = self.taken_state(Color::Sente);
        for (k, kind) in self.kinds.iter().enumerate() {
            for state in [OTHER, OTHER + PROMOTED] {
                if let Some(layout) = kind.layouts.moved(before.layouts[k], taken, state) {
                    let mut before = *before;
                    before.layouts[k] = layout;
                    before.masks[k][state] |= one(to);
                    emit(&before);
                }
            }
        }
    }
}
