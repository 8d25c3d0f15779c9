//! The **steps** of a game's pieces as tables over squares, seen by the side to move (as sente).

use crate::board::{MAX_SQUARES, Squares, each, one};
use crate::color::Color;
use crate::game::{Game, role};
use crate::position::{MAX_KINDS, Piece};

type BySquare = [Squares; MAX_SQUARES];

/// Where pieces step to and from, by role (see [`role`]) or kind and square.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    /// Squares attacked from a square.
    pub(crate) attacks: [BySquare; 2 * MAX_KINDS],
    /// Squares from which a square is attacked.
    pub(crate) attackers: [BySquare; 2 * MAX_KINDS],
    /// Squares attacked by the other side's piece from a square.
    pub(crate) other_attacks: [BySquare; 2 * MAX_KINDS],
    /// Squares from which the other side's piece attacks a square.
    pub(crate) other_attackers: [BySquare; 2 * MAX_KINDS],
    /// Squares a piece reaches without promoting.
    pub(crate) quiet_to: [BySquare; 2 * MAX_KINDS],
    /// Squares from which a piece reaches a square without promoting.
    pub(crate) quiet_from: [BySquare; 2 * MAX_KINDS],
    /// Squares that an unpromoted piece of a kind reaches by promoting.
    pub(crate) promoting_to: [BySquare; MAX_KINDS],
    /// Squares from which an unpromoted piece of a kind reaches a square by promoting.
    pub(crate) promoting_from: [BySquare; MAX_KINDS],
    /// Squares on which a piece of a kind may be dropped.
    pub(crate) drops: [Squares; MAX_KINDS],
    /// The rank on which the side to move tries; empty without the try.
    pub(crate) try_rank: Squares,
    /// The rank on which the other side tries.
    pub(crate) other_try_rank: Squares,
}

impl Steps {
    pub(crate) fn new(game: &Game) -> Steps {
        let board = game.board();
        let none = [0; MAX_SQUARES];
        let tries = |color| {
            if game.options().try_wins {
                game.far_rank(color, 0)
            } else {
                0
            }
        };
        let mut steps = Steps {
            attacks: [none; 2 * MAX_KINDS],
            attackers: [none; 2 * MAX_KINDS],
            other_attacks: [none; 2 * MAX_KINDS],
            other_attackers: [none; 2 * MAX_KINDS],
            quiet_to: [none; 2 * MAX_KINDS],
            quiet_from: [none; 2 * MAX_KINDS],
            promoting_to: [none; MAX_KINDS],
            promoting_from: [none; MAX_KINDS],
            drops: [0; MAX_KINDS],
            try_rank: tries(Color::Sente),
            other_try_rank: tries(Color::Gote),
        };
        for kind in 0..game.kinds().len() {
            for square in each(board.all()) {
                if game.can_drop(Color::Sente, kind as u8, square) {
                    steps.drops[kind] |= one(square);
                }
            }
            for promoted in [false, true] {
                let role = role(kind, promoted);
                for from in each(board.all()) {
                    let piece = |color| Piece {
                        color,
                        kind: kind as u8,
                        promoted,
                    };
                    for to in each(game.attacks(piece(Color::Gote), from)) {
                        steps.other_attacks[role][usize::from(from)] |= one(to);
                        steps.other_attackers[role][usize::from(to)] |= one(from);
                    }
                    for to in each(game.attacks(piece(Color::Sente), from)) {
                        let [from_index, to_index] = [from, to].map(usize::from);
                        steps.attacks[role][from_index] |= one(to);
                        steps.attackers[role][to_index] |= one(from);
                        for promotes in game.promotions(piece(Color::Sente), from, to) {
                            if promotes {
                                steps.promoting_to[kind][from_index] |= one(to);
                                steps.promoting_from[kind][to_index] |= one(from);
                            } else {
                                steps.quiet_to[role][from_index] |= one(to);
                                steps.quiet_from[role][to_index] |= one(from);
                            }
                        }
                    }
                }
            }
        }
        steps
    }
}
