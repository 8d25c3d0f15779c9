//! The **tail** of a class: its last pieces, up to three, whose placings are worked on side by side.
//!
//! Which of the free squares the pieces of a code stand on, by their place among them, is the same
//! wherever the pieces before stand, whatever they are. So a few tables of places serve all
//! segments, and squares are looked up by place.

use std::sync::OnceLock;

use super::batch::Way;
use super::lanes::{Lanes, Number, squares_of};
use super::ranked::RankedUniverse;
use super::starts::{Common, Man, Placed, Stage};
use super::subsets::pair_of;
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::game::role;
use crate::instructions::{Instructions, NARROW};
use crate::universe::Starts;

/// The most pieces of a tail. Where most squares are taken there are few placings: with two pieces 45 %
/// of the lanes were empty (dobutsu), with three 16 % are. With more, too many wins in one are worked
/// on that the walk tells at once.
const MAX_PIECES: usize = 3;

/// The places of each piece in 32 placings.
type Places = [[u16; NARROW]; MAX_PIECES];

/// The places of the pieces of all tails, by the number of free squares and the sizes of the groups;
/// each made when it is first needed.
#[derive(Clone, Debug)]
pub(crate) struct Tails(Vec<OnceLock<Vec<Places>>>);

impl Tails {
    /// The sizes of groups, 1 or 2 each, are the digits of a number to base 2: with such digits no two
    /// sequences are the same number. The greatest is that of [`MAX_PIECES`] ones.
    const SHAPES: usize = 1 << MAX_PIECES;

    pub(crate) fn new() -> Tails {
        Tails(vec![OnceLock::new(); (MAX_SQUARES + 1) * Tails::SHAPES])
    }

    /// The places of these groups on so many free squares, in the order of their codes and with some
    /// more at the end.
    fn places(&self, free: u32, stages: &[Stage]) -> &[Places] {
        let shape = stages
            .iter()
            .fold(0, |shape, stage| 2 * shape + usize::from(stage.count));
        self.0[free as usize * Tails::SHAPES + shape].get_or_init(|| places(stages))
    }
}

fn places(stages: &[Stage]) -> Vec<Places> {
    let mut placings = vec![[0; MAX_PIECES]];
    let mut placed = 0;
    for stage in stages {
        let count = usize::from(stage.count);
        let mut longer = Vec::with_capacity(placings.len() * stage.codes as usize);
        for placing in placings {
            let mut taken = placing;
            let taken = &mut taken[..placed];
            taken.sort_unstable();
            for code in 0..stage.codes {
                let mut placing = placing;
                let among_left = if count == 2 { pair_of(code) } else { [code, 0] };
                for (place, left) in placing[placed..].iter_mut().zip(&among_left[..count]) {
                    *place = taken
                        .iter()
                        .fold(*left, |place, &taken| place + u32::from(place >= taken));
                }
                longer.push(placing);
            }
        }
        placings = longer;
        placed += count;
    }
    placings.resize(placings.len().next_multiple_of(NARROW), [0; MAX_PIECES]);
    let chunks = placings.as_chunks::<NARROW>().0.iter();
    chunks
        .map(|placings| std::array::from_fn(|piece| placings.map(|placing| placing[piece] as u16)))
        .collect()
}

/// The last pieces of a class.
pub(super) struct Tail<'a> {
    pieces: Vec<Piece>,
    places: &'a [Places],
    codes: usize,
}

struct Piece {
    kind: usize,
    promoted: bool,
    own: bool,
}

/// The squares of a piece.
#[derive(Clone, Copy)]
struct Stand<N> {
    numbers: [N; NARROW],
    bits: [N; NARROW],
}

impl<'a> Tail<'a> {
    /// How many more starts are written than there are.
    pub(super) const SLACK: usize = NARROW;

    /// How many of some groups are walked, the others being the tail.
    pub(super) fn walked(stages: &[Stage]) -> usize {
        let mut pieces = 0;
        let in_tail = |stage: &&Stage| {
            pieces += usize::from(stage.count);
            stage.count <= 2 && pieces <= MAX_PIECES
        };
        stages.len() - stages.iter().rev().take_while(in_tail).count()
    }

    /// The tail of these groups on so many free squares; none without any.
    pub(super) fn new(universe: &'a RankedUniverse, free: u32, stages: &[Stage]) -> Option<Self> {
        if stages.is_empty() {
            return None;
        }
        let pieces = stages.iter().flat_map(|stage| {
            (0..stage.count).map(|_| Piece {
                kind: stage.kind,
                promoted: stage.promoted,
                own: stage.own,
            })
        });
        Some(Tail {
            pieces: pieces.collect(),
            places: universe.tails.places(free, stages),
            codes: stages.iter().map(|stage| stage.codes as usize).product(),
        })
    }

    /// Writes the starts of all placings of the tail behind the pieces placed, and some more;
    /// returns how many there are. `men` are the mover's.
    #[inline(always)]
    pub(super) fn starts<N: Number>(
        &self,
        instructions: impl Instructions,
        common: &Common<'_>,
        placed: &Placed,
        men: &[Man],
        starts: &mut [u8],
    ) -> usize {
        let squares = squares_of::<N>(instructions, placed.free);
        let room = starts.as_chunks_mut::<NARROW>().0;
        for (places, starts) in self.places.iter().zip(room) {
            let side = Side::new(instructions, common, placed, self, &squares, places);
            *starts = side.starts(men);
        }
        self.codes
    }
}

/// Some positions, side by side.
struct Side<'a, I, N> {
    instructions: I,
    common: &'a Common<'a>,
    tail: &'a Tail<'a>,
    /// The squares of the tail's pieces.
    stands: [Stand<N>; MAX_PIECES],
    free: [N; NARROW],
    own: [N; NARROW],
    other: [N; NARROW],
    attacked: [N; NARROW],
    checkers: [N; NARROW],
    /// Not zero where the mover can take the other royal.
    wins: [N; NARROW],
}

impl<'a, I: Instructions, N: Number> Side<'a, I, N> {
    #[inline(always)]
    fn new(
        instructions: I,
        common: &'a Common<'a>,
        placed: &Placed,
        tail: &'a Tail<'a>,
        squares: &[N; MAX_SQUARES],
        places: &Places,
    ) -> Side<'a, I, N> {
        let steps = &common.universe.steps;
        let nowhere = Stand {
            numbers: [N::ZERO; NARROW],
            bits: [N::ZERO; NARROW],
        };
        let mut side = Side {
            instructions,
            common,
            tail,
            stands: [nowhere; MAX_PIECES],
            free: [N::narrowed(placed.free); NARROW],
            own: [N::narrowed(placed.own); NARROW],
            other: [N::narrowed(placed.other); NARROW],
            attacked: [N::narrowed(placed.attacked); NARROW],
            checkers: [N::narrowed(placed.checkers); NARROW],
            wins: [N::ZERO; NARROW],
        };
        for ((piece, places), stand) in tail.pieces.iter().zip(places).zip(&mut side.stands) {
            let role = role(piece.kind, piece.promoted);
            let mut numbers = [N::ZERO; NARROW];
            for (number, &place) in numbers.iter_mut().zip(places) {
                *number = N::narrowed(u32::from(place));
            }
            stand.numbers = N::look(instructions, squares, &numbers);
            for lane in 0..NARROW {
                let bit = N::ONE.shifted(stand.numbers[lane]);
                stand.bits[lane] = bit;
                side.free[lane] = side.free[lane] & !bit;
            }
            if piece.own {
                let attackers = N::narrowed(steps.attackers[role][common.other_royal]);
                for lane in 0..NARROW {
                    let bit = stand.bits[lane];
                    side.own[lane] = side.own[lane] | bit;
                    side.wins[lane] = side.wins[lane] | bit & attackers;
                }
            } else {
                let attackers = N::narrowed(steps.other_attackers[role][common.own_royal]);
                let attacks = look_up(instructions, &steps.other_attacks[role], &stand.numbers);
                for lane in 0..NARROW {
                    let bit = stand.bits[lane];
                    side.other[lane] = side.other[lane] | bit;
                    side.checkers[lane] = side.checkers[lane] | bit & attackers;
                    side.attacked[lane] = side.attacked[lane] | attacks[lane];
                }
            }
        }
        side
    }

    #[inline(always)]
    fn starts(&self, men: &[Man]) -> [u8; NARROW] {
        let steps = &self.common.universe.steps;
        let royal_steps = N::narrowed(steps.attacks[0][self.common.own_royal]);
        let own_royal = N::narrowed(one(self.common.own_royal as Square));
        let try_rank = N::narrowed(steps.try_rank);
        let mut royal_moves = [N::ZERO; NARROW];
        // What men may move to: anything out of check, in check the checker, nothing in a double
        // check. The royals are no targets: the mover's own, and the other one is not attacked.
        let mut targets = [N::ZERO; NARROW];
        for lane in 0..NARROW {
            royal_moves[lane] = royal_steps & !self.own[lane] & !self.attacked[lane];
            let checker = self.checkers[lane];
            let single = if checker & checker.minus(N::ONE) == N::ZERO {
                checker
            } else {
                N::ZERO
            };
            targets[lane] = if checker == N::ZERO {
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
        let mut starts = [0; NARROW];
        for lane in 0..NARROW {
            let wins = self.wins[lane] | royal_moves[lane] & try_rank;
            starts[lane] = if wins == N::ZERO {
                moves[lane].widened() as u8
            } else {
                Starts::WON
            };
        }
        starts
    }

    /// See [`Common::moves`].
    #[inline(always)]
    fn moves(&self, men: &[Man], royal_moves: &[N; NARROW], targets: &[N; NARROW]) -> [N; NARROW] {
        let universe = self.common.universe;
        let steps = &universe.steps;
        let mut moves = [N::ZERO; NARROW];
        add_counts(&mut moves, royal_moves, royal_moves);
        for &(_, drops) in &self.common.drops {
            let drops = N::narrowed(drops);
            for lane in 0..NARROW {
                let free = if self.checkers[lane] == N::ZERO {
                    drops & self.free[lane]
                } else {
                    N::ZERO
                };
                moves[lane] = moves[lane].plus(free.ones());
            }
        }
        for man in men {
            for reached in man.moves(universe) {
                if reached != 0 {
                    add_counts(&mut moves, &[N::narrowed(reached); NARROW], targets);
                }
            }
        }
        for (piece, stand) in self.own_pieces() {
            let quiet = &steps.quiet_to[role(piece.kind, piece.promoted)];
            let reached = look_up(self.instructions, quiet, &stand.numbers);
            add_counts(&mut moves, &reached, targets);
            if !piece.promoted && universe.game().kinds()[piece.kind].promotes() {
                let promoting = &steps.promoting_to[piece.kind];
                let reached = look_up(self.instructions, promoting, &stand.numbers);
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
        royal_moves: &[N; NARROW],
        targets: &[N; NARROW],
    ) -> [N; NARROW] {
        let universe = self.common.universe;
        let steps = &universe.steps;
        let all_lanes = |squares: Squares| [N::narrowed(squares); NARROW];
        // Attacked by some man, and by more than one.
        let (mut once, mut twice) = ([N::ZERO; NARROW], [N::ZERO; NARROW]);
        let mut cover = |attacks: &[N; NARROW]| {
            for lane in 0..NARROW {
                twice[lane] = twice[lane] | once[lane] & attacks[lane];
                once[lane] = once[lane] | attacks[lane];
            }
        };
        for man in men {
            cover(&all_lanes(man.attacks(universe)));
        }
        let mut attacks = [[N::ZERO; NARROW]; MAX_PIECES];
        for ((piece, stand), attacks) in self.tail.pieces.iter().zip(&self.stands).zip(&mut attacks)
        {
            if piece.own {
                let table = &steps.attacks[role(piece.kind, piece.promoted)];
                *attacks = look_up(self.instructions, table, &stand.numbers);
                cover(attacks);
            }
        }
        let mut stopping = Stopping {
            tries: N::narrowed(self.common.other_tries),
            other: &self.other,
            moves: [N::ZERO; NARROW],
        };
        for to in each(steps.attacks[0][self.common.own_royal]) {
            let arrived = all_lanes(steps.attacks[0][usize::from(to)]);
            stopping.add(royal_moves, &all_lanes(one(to)), &once, &arrived);
        }
        let by_royal = N::narrowed(steps.attacks[0][self.common.own_royal]);
        let mut dropped_on = self.free;
        let mut with_royal = once;
        for lane in 0..NARROW {
            if self.checkers[lane] != N::ZERO {
                dropped_on[lane] = N::ZERO;
            }
            with_royal[lane] = with_royal[lane] | by_royal;
        }
        for &(kind, drops) in &self.common.drops {
            for to in each(drops) {
                let arrived = all_lanes(steps.attacks[role(kind, false)][usize::from(to)]);
                stopping.add(&dropped_on, &all_lanes(one(to)), &with_royal, &arrived);
            }
        }
        for man in men {
            let attacks = N::narrowed(man.attacks(universe));
            let mut rest = twice;
            for lane in 0..NARROW {
                rest[lane] = rest[lane] | once[lane] & !attacks | by_royal;
            }
            for (reached, promoted) in man.moves(universe).into_iter().zip([man.promoted, true]) {
                let role = role(usize::from(man.kind), promoted);
                for to in each(reached) {
                    let arrived = all_lanes(steps.attacks[role][usize::from(to)]);
                    stopping.add(targets, &all_lanes(one(to)), &rest, &arrived);
                }
            }
        }
        for ((piece, stand), attacks) in self.tail.pieces.iter().zip(&self.stands).zip(&attacks) {
            if !piece.own {
                continue;
            }
            let mut rest = twice;
            for lane in 0..NARROW {
                rest[lane] = rest[lane] | once[lane] & !attacks[lane] | by_royal;
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
        stopping: &mut Stopping<'_, N>,
        stand: &Stand<N>,
        ways: &[Way],
        role: usize,
        targets: &[N; NARROW],
        rest: &[N; NARROW],
    ) {
        let attacks = &self.common.universe.steps.attacks[role];
        for way in ways {
            let from = N::narrowed(way.from);
            let distance = N::narrowed(way.distance as u32);
            let mut to = [N::ZERO; NARROW];
            let mut numbers = [N::ZERO; NARROW];
            for lane in 0..NARROW {
                // Anything where there is no such step.
                numbers[lane] = stand.numbers[lane].plus(distance);
                to[lane] = if stand.bits[lane] & from == N::ZERO {
                    N::ZERO
                } else {
                    N::ONE.shifted(numbers[lane])
                };
            }
            let arrived = look_up(self.instructions, attacks, &numbers);
            stopping.add(targets, &to, rest, &arrived);
        }
    }

    fn own_pieces(&self) -> impl Iterator<Item = (&Piece, &Stand<N>)> {
        let pieces = self.tail.pieces.iter().zip(&self.stands);
        pieces.filter(|(piece, _)| piece.own)
    }
}

/// The sets that a table has for some squares.
#[inline(always)]
fn look_up<N: Number>(
    instructions: impl Instructions,
    table: &[Squares; MAX_SQUARES],
    numbers: &[N; NARROW],
) -> [N; NARROW] {
    let table = Lanes::<N, MAX_SQUARES>::narrowed(table);
    N::look(instructions, &table.0, numbers)
}

/// Adds the number of squares that are in both sets.
#[inline(always)]
fn add_counts<N: Number>(counts: &mut [N; NARROW], a: &[N; NARROW], b: &[N; NARROW]) {
    for lane in 0..NARROW {
        counts[lane] = counts[lane].plus((a[lane] & b[lane]).ones());
    }
}

/// Counts moves after which the other royal can't try.
struct Stopping<'a, N> {
    /// Where it would.
    tries: N,
    other: &'a [N; NARROW],
    moves: [N; NARROW],
}

impl<N: Number> Stopping<'_, N> {
    /// Adds the moves to `to` where that is one of the targets.
    #[inline(always)]
    fn add(
        &mut self,
        targets: &[N; NARROW],
        to: &[N; NARROW],
        attacked: &[N; NARROW],
        arrived: &[N; NARROW],
    ) {
        for lane in 0..NARROW {
            let left =
                self.tries & !(self.other[lane] & !to[lane]) & !(attacked[lane] | arrived[lane]);
            let counts = targets[lane] & to[lane] != N::ZERO && left == N::ZERO;
            self.moves[lane] = self.moves[lane].plus(N::narrowed(u32::from(counts)));
        }
    }
}
