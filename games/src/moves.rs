//! A **move**: a step of a piece on the board, or a drop of a piece in hand.

use crate::board::{Square, Squares, each, one};
use crate::color::Color;
use crate::game::Game;
use crate::position::{Piece, Position};

/// One move by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// A piece goes from one square to another, taking what stands there.
    Step {
        /// Where it comes from.
        from: Square,
        /// Where it goes.
        to: Square,
        /// Whether it promotes by this move.
        promote: bool,
    },
    /// A piece in hand is put on an empty square.
    Drop {
        /// The index of its kind.
        kind: u8,
        /// Where it is put.
        to: Square,
    },
}

impl Move {
    /// The square moved to.
    pub fn to(self) -> Square {
        match self {
            Move::Step { to, .. } | Move::Drop { to, .. } => to,
        }
    }
}

/// Why a move can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllegalMove {
    /// The game is over.
    GameOver,
    /// No piece of the mover stands on the from-square.
    NoPiece,
    /// The piece does not step there, or a piece of its own stands there.
    CannotStep,
    /// The piece must promote, or can't.
    Promotion,
    /// No such piece in hand.
    NotInHand,
    /// The drop square is not empty.
    Occupied,
    /// The piece could never move from the drop square, and that is not allowed.
    DeadDrop,
    /// An unpromoted pawn of the side to move stands on the file already (nifu).
    DoubledPawn,
    /// The dropped pawn would mate (uchifuzume).
    PawnDropMate,
    /// The own royal could be taken after the move.
    Exposed,
}

impl std::fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            IllegalMove::GameOver => "the game is over",
            IllegalMove::NoPiece => "no piece of the side to move stands on the from-square",
            IllegalMove::CannotStep => "the piece on the from-square can't step there",
            IllegalMove::Promotion => {
                "the piece must promote by this move, or can't; write `+` exactly when it does"
            }
            IllegalMove::NotInHand => "the side to move has no such piece in hand",
            IllegalMove::Occupied => "the drop square is not empty",
            IllegalMove::DeadDrop => "a piece may not be dropped where it can never move",
            IllegalMove::DoubledPawn => {
                "a pawn may not be dropped on a file with an unpromoted pawn of its side (nifu)"
            }
            IllegalMove::PawnDropMate => "a pawn may not be dropped to mate (uchifuzume)",
            IllegalMove::Exposed => "the own king could be taken after this move",
        })
    }
}

impl std::error::Error for IllegalMove {}

impl Game {
    /// Calls back with every move the side to move can make, whether or not the game is over: steps
    /// by from-square and to-square, then drops by kind and square.
    ///
    /// Equal pieces in hand give one drop a square.
    pub fn for_each_move(&self, position: &Position, mut emit: impl FnMut(Move)) {
        let options = self.options();
        if options.exposure && options.pawn_drop_mates {
            return self.for_each_raw_move(position, emit);
        }
        self.for_each_raw_move(position, |mv| {
            if self.check_after(position, mv).is_ok() {
                emit(mv);
            }
        });
    }

    /// Whether the side to move can make a move.
    pub fn has_move(&self, position: &Position) -> bool {
        let mut found = false;
        self.for_each_raw_move(position, |mv| {
            found = found || self.check_after(position, mv).is_ok();
        });
        found
    }

    /// Calls back with every move of the pieces, also those that the position after them forbids.
    fn for_each_raw_move(&self, position: &Position, mut emit: impl FnMut(Move)) {
        let side = position.side();
        let board = self.board();
        let (own, other) = self.occupied(position);
        for from in each(own) {
            let Some(piece) = position.piece(from) else {
                continue;
            };
            for to in each(self.attacks_over(piece, from, own | other) & !own) {
                for promote in self.promotions(piece, from, to) {
                    emit(Move::Step { from, to, promote });
                }
            }
        }
        for kind in 1..self.kinds().len() as u8 {
            if position.hand(side, kind) > 0 {
                let closed = self.closed_files(position, side, kind);
                for to in each(board.all() & !(own | other | closed)) {
                    if self.can_drop(side, kind, to) {
                        emit(Move::Drop { kind, to });
                    }
                }
            }
        }
    }

    /// The files on which a color may not drop a piece of a kind because one stands there.
    pub(crate) fn closed_files(&self, position: &Position, color: Color, kind: u8) -> Squares {
        if !self.is_file_bound(kind) {
            return 0;
        }
        let pawn = Some(Piece {
            color,
            kind,
            promoted: false,
        });
        (0..self.board().len())
            .filter(|&square| position.piece(square) == pawn)
            .fold(0, |set, square| {
                set | self.board().file_squares(self.board().file(square))
            })
    }

    /// Whether the position after a move of the pieces allows it.
    fn check_after(&self, position: &Position, mv: Move) -> Result<(), IllegalMove> {
        let options = self.options();
        let side = position.side();
        let is_pawn_drop =
            matches!(mv, Move::Drop { kind, .. } if self.family().pawn == Some(kind));
        let may_mate = options.pawn_drop_mates || !is_pawn_drop;
        if options.exposure && may_mate {
            return Ok(());
        }
        let after = self.play(position, mv);
        if !options.exposure && self.is_exposed(&after, side) {
            return Err(IllegalMove::Exposed);
        }
        // The check of a dropped pawn comes from the next square: no drop meets it, so that this
        // asks for no further pawn drop.
        if !may_mate && self.in_check(&after) && !self.has_move(&after) {
            return Err(IllegalMove::PawnDropMate);
        }
        Ok(())
    }

    /// Calls back with every legal move: none once the game is over.
    pub fn for_each_legal_move(&self, position: &Position, emit: impl FnMut(Move)) {
        if self.end(position).is_none() {
            self.for_each_move(position, emit);
        }
    }

    /// Whether a move is legal, and if not, why.
    ///
    /// # Errors
    /// [`IllegalMove`] says which rule forbids it.
    pub fn check_move(&self, position: &Position, mv: Move) -> Result<(), IllegalMove> {
        if self.end(position).is_some() {
            return Err(IllegalMove::GameOver);
        }
        let side = position.side();
        match mv {
            Move::Step { from, to, promote } => {
                let piece = position
                    .piece(from)
                    .filter(|piece| piece.color == side)
                    .ok_or(IllegalMove::NoPiece)?;
                let (own, other) = self.occupied(position);
                if self.attacks_over(piece, from, own | other) & !own & one(to) == 0 {
                    return Err(IllegalMove::CannotStep);
                }
                if !self
                    .promotions(piece, from, to)
                    .any(|choice| choice == promote)
                {
                    return Err(IllegalMove::Promotion);
                }
            }
            Move::Drop { kind, to } => {
                if kind == 0 || position.hand(side, kind) == 0 {
                    return Err(IllegalMove::NotInHand);
                }
                if position.piece(to).is_some() {
                    return Err(IllegalMove::Occupied);
                }
                if !self.can_drop(side, kind, to) {
                    return Err(IllegalMove::DeadDrop);
                }
                if self.closed_files(position, side, kind) & one(to) != 0 {
                    return Err(IllegalMove::DoubledPawn);
                }
            }
        }
        self.check_after(position, mv)
    }

    /// The position after a move, which must be one that [`for_each_move`](Game::for_each_move)
    /// calls back with. A royal that is taken leaves the game.
    pub fn play(&self, position: &Position, mv: Move) -> Position {
        let side = position.side();
        let mut after = position.with_side(side.opponent());
        match mv {
            Move::Step { from, to, promote } => {
                if let Some(taken) = position.piece(to)
                    && taken.kind != 0
                    && self.options().drops
                {
                    after.set_hand(side, taken.kind, position.hand(side, taken.kind) + 1);
                }
                after.set(from, None);
                after.set(
                    to,
                    position.piece(from).map(|piece| Piece {
                        promoted: piece.promoted || promote,
                        ..piece
                    }),
                );
            }
            Move::Drop { kind, to } => {
                after.set_hand(side, kind, position.hand(side, kind) - 1);
                after.set(
                    to,
                    Some(Piece {
                        color: side,
                        kind,
                        promoted: false,
                    }),
                );
            }
        }
        after
    }

    /// The choices of promotion for a step: `false`, `true` or both. It is offered where the step
    /// starts or ends in the zone, and forced where the piece could not move on unpromoted.
    pub(crate) fn promotions(
        &self,
        piece: Piece,
        from: Square,
        to: Square,
    ) -> impl Iterator<Item = bool> {
        let offered = !piece.promoted
            && self.kinds()[usize::from(piece.kind)].promotes()
            && (self.zone(piece.color) & (one(from) | one(to))) != 0;
        let forced = offered && self.is_dead(piece.color, piece.kind, to);
        [false, true]
            .into_iter()
            .filter(move |&promote| if promote { offered } else { !forced })
    }

    /// Whether a color may drop a piece of a kind on this square, were it empty.
    pub(crate) fn can_drop(&self, color: Color, kind: u8, to: Square) -> bool {
        self.options().dead_drops || !self.is_dead(color, kind, to)
    }
}
