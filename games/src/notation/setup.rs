//! A **setup**: a position while its pieces are put down one by one. It refuses every piece that
//! the game can't show.

use crate::board::{Square, one};
use crate::color::Color;
use crate::game::Game;
use crate::position::{MAX_KINDS, Piece, Position};

use super::position_error::PositionProblem;

/// A position while its pieces are put down.
pub(super) struct Setup<'a> {
    game: &'a Game,
    position: Position,
    /// How many pieces of each kind have been put down.
    counts: [u8; MAX_KINDS],
}

impl<'a> Setup<'a> {
    pub(super) fn new(game: &'a Game) -> Setup<'a> {
        Setup {
            game,
            position: Position::empty(Color::Sente),
            counts: [0; MAX_KINDS],
        }
    }

    /// Puts a piece on an empty square.
    pub(super) fn place(&mut self, square: Square, piece: Piece) -> Result<(), PositionProblem> {
        if piece.kind == 0 && self.position.royal(piece.color).is_some() {
            return Err(PositionProblem::SecondRoyal {
                color: piece.color,
                letter: self.game.kinds()[0].letter,
            });
        }
        self.count(piece.kind, 1)?;
        self.check_place(square, piece)?;
        self.position.set(square, Some(piece));
        Ok(())
    }

    /// Whether the rules that allow no position with a piece there are kept.
    fn check_place(&self, square: Square, piece: Piece) -> Result<(), PositionProblem> {
        let game = self.game;
        let letter = game.kinds()[usize::from(piece.kind)].letter;
        if piece.kind == 0 {
            let other = self.position.royal(piece.color.opponent());
            let adjacent = other.is_some_and(|other| game.attacks(piece, square) & one(other) != 0);
            return match adjacent && !game.options().exposure {
                true => Err(PositionProblem::AdjacentRoyals { letter }),
                false => Ok(()),
            };
        }
        if !game.is_file_bound(piece.kind) || piece.promoted {
            return Ok(());
        }
        let color = piece.color;
        if game.is_dead(color, piece.kind, square) {
            return Err(PositionProblem::DeadPawn { color, letter });
        }
        if game.closed_files(&self.position, color, piece.kind) & one(square) != 0 {
            return Err(PositionProblem::DoubledPawn { color, letter });
        }
        Ok(())
    }

    /// Gives a color so many more pieces in hand, all like this one.
    pub(super) fn hold(&mut self, piece: Piece, count: u32) -> Result<(), PositionProblem> {
        let kind = &self.game.kinds()[usize::from(piece.kind)];
        if piece.kind == 0 {
            return Err(PositionProblem::RoyalInHand);
        }
        if piece.promoted {
            return Err(PositionProblem::PromotedInHand {
                letter: kind.letter,
            });
        }
        if !self.game.options().drops {
            return Err(PositionProblem::NoHands);
        }
        let count = self.count(piece.kind, count)?;
        let held = self.position.hand(piece.color, piece.kind);
        self.position
            .set_hand(piece.color, piece.kind, held + count);
        Ok(())
    }

    /// The position, if each side has its royal.
    pub(super) fn finish(self, side: Color) -> Result<Position, PositionProblem> {
        for color in Color::BOTH {
            if self.position.royal(color).is_none() {
                return Err(PositionProblem::NoRoyal {
                    color,
                    letter: self.game.kinds()[0].letter,
                });
            }
        }
        Ok(self.position.with_side(side))
    }

    /// Whether a side to move could take the other royal where no move may allow that.
    pub(super) fn is_out_of_turn(&self, side: Color) -> bool {
        let game = self.game;
        !game.options().exposure && game.can_take_royal(&self.position.with_side(side))
    }

    /// Counts more pieces of a kind; how many more.
    fn count(&mut self, kind: u8, more: u32) -> Result<u8, PositionProblem> {
        let most = self.game.family().material[usize::from(kind)];
        let count = &mut self.counts[usize::from(kind)];
        let more = u8::try_from(more)
            .ok()
            .filter(|&more| more <= most - *count);
        let more = more.ok_or(PositionProblem::TooMany {
            letter: self.game.kinds()[usize::from(kind)].letter,
            most,
        })?;
        *count += more;
        Ok(more)
    }
}
