//! The **tail** of a class: its last one or two pieces, whose placings are worked on side by side.
//!
//! Which of the free squares the pieces of a code stand on, by their place among them, is the same
//! wherever the pieces before stand. So a table of places serves the whole segment, and squares are
//! looked up by place.

use super::batch::Way;
use super::lanes::LANES;
use super::starts::{Common, Man, Placed, Stage};
use super::subsets::pair_of;
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::game::role;
use crate::instructions::{HALF, Instructions};
use crate::universe::Starts;

/// The most pieces of a tail.
const MAX_PIECES: usize = 2;

/// The places of a piece in 16 placings.
type Places = [u32; HALF];

/// The last pieces of a class.
pub(super) struct Tail {
    pieces: Vec<Piece>,
    /// For 16 codes at a time the places of each piece.
    places: Vec<[Places; MAX_PIECES]>,
    codes: usize,
}

struct Piece {
    kind: usize,
    promoted: bool,
    own: bool,
}

/// The squares of a piece.
#[derive(Clone, Copy)]
struct Stand {
    numbers: [u32; HALF],
    bits: [Squares; HALF],
}

impl Tail {
    /// How many more starts are written than there are.
    pub(super) const SLACK: usize = HALF;

    /// The tail of these stages; none without any.
    pub(super) fn new(stages: &[Stage]) -> Option<Tail> {
        let mut placings: Vec<[u32; MAX_PIECES]> = Vec::new();
        match *stages {
            [
                Stage {
                    count: 1, codes, ..
                },
            ] => placings.extend((0..codes).map(|place| [place, 0])),
            [Stage { codes, .. }] => placings.extend((0..codes).map(pair_of)),
            [before, Stage { codes, .. }] => {
                for first in 0..before.codes {
                    // The place of the second is among the squares that the first leaves free.
                    placings.extend(
                        (0..codes).map(|second| [first, second + u32::from(second >= first)]),
                    );
                }
            }
            _ => return None,
        }
        let codes = placings.len();
        placings.resize(codes.next_multiple_of(HALF), [0; MAX_PIECES]);
        let pieces = stages.iter().flat_map(|stage| {
            (0..stage.count).map(|_| Piece {
                kind: stage.kind,
                promoted: stage.promoted,
                own: stage.own,
            })
        });
        Some(Tail {
            pieces: pieces.collect(),
            places: placings
                .as_chunks::<HALF>()
                .0
                .iter()
                .map(|placings| std::array::from_fn(|piece| placings.map(|placing| placing[piece])))
                .collect(),
            codes,
        })
    }

    /// Writes the starts of all placings of the tail behind the pieces placed, and some more;
    /// returns how many there are. `men` are the mover's.
    #[inline(always)]
    pub(super) fn starts(
        &self,
        instructions: impl Instructions,
        common: &Common<'_>,
        placed: &Placed,
        men: &[Man],
        starts: &mut [u8],
    ) -> usize {
        let mut squares = [0; LANES];
        for (place, square) in each(placed.free).enumerate() {
            squares[place % LANES] = u32::from(square);
        }
        let room = starts.as_chunks_mut::<HALF>().0;
        for (places, starts) in self.places.iter().zip(room) {
            let side = Side::new(instructions, common, placed, self, &squares, places);
            *starts = side.starts(men);
        }
        self.codes
    }
}

/// Sixteen positions, side by side.
struct Side<'a, I> {
    instructions: I,
    common: &'a Common<'a>,
    tail: &'a Tail,
    /// The squares of the tail's pieces.
    stands: [Stand; MAX_PIECES],
    free: [Squares; HALF],
    own: [Squares; HALF],
    other: [Squares; HALF],
    attacked: [Squares; HALF],
    checkers: [Squares; HALF],
    /// Not zero where the mover can take the other royal.
    wins: [Squares; HALF],
}

impl<'a, I: Instructions> Side<'a, I> {
    #[inline(always)]
    fn new(
        instructions: I,
        common: &'a Common<'a>,
        placed: &Placed,
        tail: &'a Tail,
        squares: &[u32; LANES],
        places: &[Places; MAX_PIECES],
    ) -> Side<'a, I> {
        let steps = &common.universe.steps;
        let nowhere = Stand {
            numbers: [0; HALF],
            bits: [0; HALF],
        };
        let mut side = Side {
            instructions,
            common,
            tail,
            stands: [nowhere; MAX_PIECES],
            free: [placed.free; HALF],
            own: [placed.own; HALF],
            other: [placed.other; HALF],
            attacked: [placed.attacked; HALF],
            checkers: [placed.checkers; HALF],
            wins: [0; HALF],
        };
        for ((piece, places), stand) in tail.pieces.iter().zip(places).zip(&mut side.stands) {
            let role = role(piece.kind, piece.promoted);
            let numbers = instructions.pick(squares, places);
            let bits = numbers.map(|number| 1u32.wrapping_shl(number));
            *stand = Stand { numbers, bits };
            for lane in 0..HALF {
                side.free[lane] &= !bits[lane];
            }
            if piece.own {
                let attackers = steps.attackers[role][common.other_royal];
                for lane in 0..HALF {
                    side.own[lane] |= bits[lane];
                    side.wins[lane] |= bits[lane] & attackers;
                }
            } else {
                let attackers = steps.other_attackers[role][common.own_royal];
                let attacks = instructions.pick(&steps.other_attacks[role], &numbers);
                for lane in 0..HALF {
                    side.other[lane] |= bits[lane];
                    side.checkers[lane] |= bits[lane] & attackers;
                    side.attacked[lane] |= attacks[lane];
                }
            }
        }
        side
    }

    #[inline(always)]
    fn starts(&self, men: &[Man]) -> [u8; HALF] {
        let steps = &self.common.universe.steps;
        let royal_steps = steps.attacks[0][self.common.own_royal];
        let own_royal = one(self.common.own_royal as Square);
        let mut royal_moves = [0; HALF];
        // What men may move to: anything out of check, in check the checker, nothing in a double
        // check. The royals are no targets: the mover's own, and the other one is not attacked.
        let mut targets = [0; HALF];
        for lane in 0..HALF {
            royal_moves[lane] = royal_steps & !self.own[lane] & !self.attacked[lane];
            let checker = self.checkers[lane];
            let single = if checker & checker.wrapping_sub(1) == 0 {
                checker
            } else {
                0
            };
            targets[lane] = if checker == 0 {
                !self.own[lane] & !own_royal
            } else {
                single
            };
        }
        let moves = if self.common.other_tries == 0 {
            self.moves(men, &royal_moves, &targets)
        } else {
            self.moves_that_stop_the_try(men, &royal_moves, &targets)
        };
        let mut starts = [0; HALF];
        for lane in 0..HALF {
            let wins = self.wins[lane] | royal_moves[lane] & steps.try_rank;
            starts[lane] = if wins == 0 {
                moves[lane] as u8
            } else {
                Starts::WON
            };
        }
        starts
    }

    /// See [`Common::moves`].
    #[inline(always)]
    fn moves(
        &self,
        men: &[Man],
        royal_moves: &[Squares; HALF],
        targets: &[Squares; HALF],
    ) -> [u32; HALF] {
        let universe = self.common.universe;
        let steps = &universe.steps;
        let mut moves = royal_moves.map(u32::count_ones);
        for (_, drops) in self.common.drops() {
            for lane in 0..HALF {
                let free = if self.checkers[lane] == 0 {
                    drops & self.free[lane]
                } else {
                    0
                };
                moves[lane] = moves[lane].wrapping_add(free.count_ones());
            }
        }
        for man in men {
            for reached in man.moves(universe) {
                if reached != 0 {
                    add_counts(&mut moves, &[reached; HALF], targets);
                }
            }
        }
        for (piece, stand) in self.own_pieces() {
            let quiet = &steps.quiet_to[role(piece.kind, piece.promoted)];
            let reached = self.instructions.pick(quiet, &stand.numbers);
            add_counts(&mut moves, &reached, targets);
            if !piece.promoted && universe.game().kinds()[piece.kind].promotes() {
                let promoting = &steps.promoting_to[piece.kind];
                let reached = self.instructions.pick(promoting, &stand.numbers);
                add_counts(&mut moves, &reached, targets);
            }
        }
        moves
    }

    /// See [`Common::moves_that_stop_the_try`].
    #[inline(always)]
    fn moves_that_stop_the_try(
        &self,
        men: &[Man],
        royal_moves: &[Squares; HALF],
        targets: &[Squares; HALF],
    ) -> [u32; HALF] {
        let universe = self.common.universe;
        let steps = &universe.steps;
        // Attacked by some man, and by more than one.
        let (mut once, mut twice) = ([0; HALF], [0; HALF]);
        let mut cover = |attacks: &[Squares; HALF]| {
            for lane in 0..HALF {
                twice[lane] |= once[lane] & attacks[lane];
                once[lane] |= attacks[lane];
            }
        };
        for man in men {
            cover(&[man.attacks(universe); HALF]);
        }
        let mut attacks = [[0; HALF]; MAX_PIECES];
        for ((piece, stand), attacks) in self.tail.pieces.iter().zip(&self.stands).zip(&mut attacks)
        {
            if piece.own {
                let table = &steps.attacks[role(piece.kind, piece.promoted)];
                *attacks = self.instructions.pick(table, &stand.numbers);
                cover(attacks);
            }
        }
        let mut stopping = Stopping {
            tries: self.common.other_tries,
            other: &self.other,
            moves: [0; HALF],
        };
        for to in each(steps.attacks[0][self.common.own_royal]) {
            let arrived = [steps.attacks[0][usize::from(to)]; HALF];
            stopping.add(royal_moves, &[one(to); HALF], &once, &arrived);
        }
        let by_royal = steps.attacks[0][self.common.own_royal];
        let mut dropped_on = self.free;
        for lane in 0..HALF {
            if self.checkers[lane] != 0 {
                dropped_on[lane] = 0;
            }
        }
        let with_royal = once.map(|attacks| attacks | by_royal);
        for (kind, drops) in self.common.drops() {
            for to in each(drops) {
                let arrived = [steps.attacks[role(kind, false)][usize::from(to)]; HALF];
                stopping.add(&dropped_on, &[one(to); HALF], &with_royal, &arrived);
            }
        }
        for man in men {
            let attacks = man.attacks(universe);
            let mut rest = twice;
            for lane in 0..HALF {
                rest[lane] |= once[lane] & !attacks | by_royal;
            }
            for (reached, promoted) in man.moves(universe).into_iter().zip([man.promoted, true]) {
                let role = role(usize::from(man.kind), promoted);
                for to in each(reached) {
                    let arrived = [steps.attacks[role][usize::from(to)]; HALF];
                    stopping.add(targets, &[one(to); HALF], &rest, &arrived);
                }
            }
        }
        for ((piece, stand), attacks) in self.tail.pieces.iter().zip(&self.stands).zip(&attacks) {
            if !piece.own {
                continue;
            }
            let mut rest = twice;
            for lane in 0..HALF {
                rest[lane] |= once[lane] & !attacks[lane] | by_royal;
            }
            let role_now = role(piece.kind, piece.promoted);
            self.add_steps(
                &mut stopping,
                stand,
                &universe.ways.quiet[role_now],
                role_now,
                targets,
                &rest,
            );
            if !piece.promoted {
                let ways = &universe.ways.promoting[piece.kind];
                self.add_steps(
                    &mut stopping,
                    stand,
                    ways,
                    role(piece.kind, true),
                    targets,
                    &rest,
                );
            }
        }
        stopping.moves
    }

    /// Adds the steps of a piece of the tail, in a role after the step.
    #[inline(always)]
    fn add_steps(
        &self,
        stopping: &mut Stopping<'_>,
        stand: &Stand,
        ways: &[Way],
        role: usize,
        targets: &[Squares; HALF],
        rest: &[Squares; HALF],
    ) {
        let attacks = &self.common.universe.steps.attacks[role];
        for way in ways {
            let mut to = [0; HALF];
            let mut numbers = [0; HALF];
            for lane in 0..HALF {
                numbers[lane] =
                    stand.numbers[lane].wrapping_add_signed(way.distance) % MAX_SQUARES as u32;
                to[lane] = if stand.bits[lane] & way.from == 0 {
                    0
                } else {
                    1u32.wrapping_shl(numbers[lane])
                };
            }
            let arrived = self.instructions.pick(attacks, &numbers);
            stopping.add(targets, &to, rest, &arrived);
        }
    }

    fn own_pieces(&self) -> impl Iterator<Item = (&Piece, &Stand)> {
        let pieces = self.tail.pieces.iter().zip(&self.stands);
        pieces.filter(|(piece, _)| piece.own)
    }
}

/// Adds the number of squares that are in both sets.
#[inline(always)]
fn add_counts(counts: &mut [u32; HALF], a: &[Squares; HALF], b: &[Squares; HALF]) {
    for lane in 0..HALF {
        counts[lane] = counts[lane].wrapping_add((a[lane] & b[lane]).count_ones());
    }
}

/// Counts moves after which the other royal can't try.
struct Stopping<'a> {
    /// Where it would.
    tries: Squares,
    other: &'a [Squares; HALF],
    moves: [u32; HALF],
}

impl Stopping<'_> {
    /// Adds the moves to `to` where that is one of the targets.
    #[inline(always)]
    fn add(
        &mut self,
        targets: &[Squares; HALF],
        to: &[Squares; HALF],
        attacked: &[Squares; HALF],
        arrived: &[Squares; HALF],
    ) {
        for lane in 0..HALF {
            let left =
                self.tries & !(self.other[lane] & !to[lane]) & !(attacked[lane] | arrived[lane]);
            let counts = targets[lane] & to[lane] != 0 && left == 0;
            self.moves[lane] = self.moves[lane].wrapping_add(u32::from(counts));
        }
    }
}
