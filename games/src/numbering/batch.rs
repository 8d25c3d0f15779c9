//! A **batch**: predecessors of up to 32 positions of a segment, worked out side by side.
//!
//! The vector twin of `unmoves` with the attack filter: the same predecessors in another order.

use super::lanes::{LANES, Lanes};
use super::pairs::{NO_PAIR, Orientation};
use super::placements::{self, Placements, append_digits};
use super::plan::{MOVED, Numbering, Plan, Sort, TAKEN};
use super::ranked::{MAX_NUMBERED, RankedUniverse};
use crate::board::{Board, Square, Squares, each, one};
use crate::game::role;
use crate::instructions::{HALF, Instructions};
use crate::universe::Targets;

/// A batch below this size is not worth its lanes.
pub(crate) const WORTH_LANES: usize = 2;

/// Up to 32 positions of a segment, seen by the side that just moved and in the orientation of their
/// predecessors.
pub(crate) struct Batch<'a, I> {
    universe: &'a RankedUniverse,
    instructions: I,
    plan: &'a Plan,
    /// The royals of the segment: that of the side to move, and the other.
    royals: [Square; 2],
    /// The royal of the side that just moved and the other one, as the predecessors have them.
    turned_royals: [Square; 2],
    orientation: Orientation,
    /// The lanes in use.
    active: u32,
    placements: Placements,
    /// The code of the kinds before each kind.
    codes: [Lanes; MAX_NUMBERED + 1],
    /// Free squares before each kind.
    free: [Lanes; MAX_NUMBERED + 1],
}

impl<'a, I: Instructions> Batch<'a, I> {
    /// No positions yet, of a pair and the class of a plan.
    #[inline(always)]
    pub(crate) fn new(
        universe: &'a RankedUniverse,
        instructions: I,
        plan: &'a Plan,
        pair: usize,
    ) -> Batch<'a, I> {
        let board = universe.game().board();
        let royals = universe.pairs[pair];
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let orientation = universe.orientation(turned);
        let turned_royals = if orientation.flip {
            turned.map(|square| board.mirrored(square))
        } else {
            turned
        };
        let no_royals = universe.free_of_royals(turned_royals);
        Batch {
            universe,
            instructions,
            plan,
            royals,
            turned_royals,
            orientation,
            active: 0,
            placements: Placements::NONE,
            codes: [Lanes::ZERO; MAX_NUMBERED + 1],
            free: [Lanes::splat(no_royals); MAX_NUMBERED + 1],
        }
    }

    /// Appends the predecessors of at most 32 codes, in ascending order.
    #[inline(always)]
    pub(crate) fn expand(&mut self, codes: &[u32], unmoves: &mut Unmoves, out: &mut impl Targets) {
        let (universe, plan, instructions) = (self.universe, self.plan, self.instructions);
        self.active = u32::MAX >> (LANES - codes.len());
        let flip = self.orientation.flip;
        self.placements.decode(
            instructions,
            universe,
            &plan.coded,
            self.royals,
            codes,
            flip,
        );

        // Which pieces may have moved: see `unmoves` for the attack filter.
        let steps = &universe.steps;
        let other_index = usize::from(self.turned_royals[1]);
        let mut attackers = Lanes::ZERO;
        for mover in &plan.movers {
            let attacking = steps.attackers[role(mover.kind, mover.promoted)][other_index];
            attackers = attackers.zip(&self.placements.0[mover.slot], |set, bit| {
                set | bit & attacking
            });
        }
        let movable = attackers.map(|set| match (set, set & set.wrapping_sub(1)) {
            (0, _) => u32::MAX,
            (one, 0) => one,
            _ => 0,
        });

        for (k, digits) in plan.kinds.iter().enumerate() {
            let (code, free) = self
                .placements
                .number(digits, &self.codes[k], &self.free[k]);
            self.codes[k + 1] = code;
            self.free[k + 1] = free;
        }
        let empty = self.free[plan.kinds.len()];

        for mover in &plan.movers {
            let to = self.placements.0[mover.slot].zip(&movable, |bit, movable| bit & movable);
            if to.nonzero(instructions) & self.active == 0 {
                continue;
            }
            let ways = &universe.ways.quiet[role(mover.kind, mover.promoted)];
            let attacking = steps.attackers[role(mover.kind, mover.promoted)][other_index];
            self.unstep(&mover.step, ways, &to, &empty, attacking, unmoves, out);
            if let Some(promotion) = &mover.promotion {
                let ways = &universe.ways.promoting[mover.kind];
                let attacking = steps.attackers[role(mover.kind, false)][other_index];
                self.unstep(promotion, ways, &to, &empty, attacking, unmoves, out);
            }
            if let Some(drop) = &mover.drop {
                let drops = steps.drops[mover.kind];
                let lanes = to.map(|to| to & drops).nonzero(instructions) & self.active;
                unmoves.clear();
                unmoves.add(instructions, lanes, &Lanes::ZERO);
                for index in 0..unmoves.chunks() {
                    let (lanes, _, count) = unmoves.chunk(index);
                    let squares = self.picked(lanes, &[0; HALF], &[0; HALF]);
                    self.emit(drop, &squares, count, out);
                }
            }
        }
        let quiet = !attackers.nonzero(instructions) & self.active;
        if quiet != 0 {
            self.unmove_royal(&empty, quiet, unmoves, out);
        }
    }

    #[inline(always)]
    fn picked<'b>(
        &'b self,
        lanes: &'b [u32; HALF],
        moved: &'b [u32; HALF],
        taken: &'b [u32; HALF],
    ) -> Picked<'b, I> {
        Picked {
            universe: self.universe,
            instructions: self.instructions,
            placements: &self.placements,
            flip: false,
            lanes,
            moved,
            taken,
        }
    }

    /// Appends the first `count` of the predecessors in which the pieces stand on these squares.
    #[inline(always)]
    fn emit(
        &self,
        numbering: &Numbering,
        squares: &Picked<'_, I>,
        count: usize,
        out: &mut impl Targets,
    ) {
        let first = numbering.first;
        let pick = |from: &Lanes| self.instructions.pick(&from.0, squares.lanes);
        let mut codes = pick(&self.codes[first]);
        let mut free = pick(&self.free[first]);
        append_digits(squares, &numbering.digits, &mut codes, &mut free);
        self.push(
            numbering,
            u64::from(self.orientation.pair),
            &codes,
            count,
            out,
        );
    }

    /// Appends the ranks of the first `count` codes.
    #[inline(always)]
    fn push(
        &self,
        numbering: &Numbering,
        pair: u64,
        codes: &[u32; HALF],
        count: usize,
        out: &mut impl Targets,
    ) {
        let class = &self.universe.classes[numbering.class];
        out.extend(class.base + pair * u64::from(class.size), codes, count);
    }

    /// Appends the predecessors from which a piece stepped to `to` (an empty set where it did not
    /// move), not from an `attacking` square.
    #[inline(always)]
    #[expect(clippy::too_many_arguments)]
    fn unstep(
        &self,
        sort: &Sort,
        ways: &[Way],
        to: &Lanes,
        empty: &Lanes,
        attacking: Squares,
        unmoves: &mut Unmoves,
        out: &mut impl Targets,
    ) {
        unmoves.clear();
        for way in ways {
            let allowed = way.from & !attacking;
            let from = to
                .shifted(-way.distance)
                .zip(empty, |from, empty| from & empty & allowed);
            unmoves.add(
                self.instructions,
                from.nonzero(self.instructions) & self.active,
                &from,
            );
        }
        for index in 0..unmoves.chunks() {
            let (lanes, moved, count) = unmoves.chunk(index);
            let taken = self.instructions.pick(&to.0, lanes);
            let squares = self.picked(lanes, moved, &taken);
            for numbering in &sort.numberings {
                self.emit(numbering, &squares, count, out);
            }
        }
    }

    /// Appends the predecessors from which the royal moved.
    #[inline(always)]
    fn unmove_royal(
        &self,
        empty: &Lanes,
        quiet: u32,
        unmoves: &mut Unmoves,
        out: &mut impl Targets,
    ) {
        let universe = self.universe;
        let sort = &self.plan.royal;
        let [to, other_royal] = self.turned_royals;
        let centred = self.orientation.centred;
        for from in each(universe.steps.attackers[0][usize::from(to)]) {
            let orientation = universe.orientation([from, other_royal]);
            if orientation.pair == NO_PAIR {
                continue;
            }
            let lanes = empty
                .map(|empty| empty & one(from))
                .nonzero(self.instructions)
                & quiet;
            if lanes == 0 {
                continue;
            }
            let images = match (orientation.centred, centred) {
                (true, false) => [true, true],
                (false, true) if orientation.flip => continue,
                _ => [!orientation.flip, orientation.flip],
            };
            let pair = orientation.pair;
            let royals = universe.pairs[usize::from(pair)];
            let no_royals = universe.free_of_royals(royals);
            unmoves.clear();
            unmoves.add(self.instructions, lanes, &Lanes::ZERO);
            for image in 0..2 {
                if !images[image] {
                    continue;
                }
                let flip = image == 1;
                let mut taken = one(to);
                if flip {
                    taken = universe.mirrored(taken);
                }
                let taken = [taken; HALF];
                for index in 0..unmoves.chunks() {
                    let (lanes, _, count) = unmoves.chunk(index);
                    let squares = Picked {
                        flip,
                        ..self.picked(lanes, &[0; HALF], &taken)
                    };
                    for numbering in &sort.numberings {
                        let mut codes = [0; HALF];
                        let mut free = [no_royals; HALF];
                        append_digits(&squares, &numbering.digits, &mut codes, &mut free);
                        self.push(numbering, u64::from(pair), &codes, count, out);
                    }
                }
            }
        }
    }
}

/// The squares of the pieces of a chunk of predecessors.
struct Picked<'a, I> {
    universe: &'a RankedUniverse,
    instructions: I,
    placements: &'a Placements,
    /// Whether the others are mirrored: not what moved or was taken.
    flip: bool,
    /// The lanes of the positions they are predecessors of.
    lanes: &'a [u32; HALF],
    /// Where the piece that moved came from.
    moved: &'a [u32; HALF],
    /// Where it took a piece, if it took one.
    taken: &'a [u32; HALF],
}

impl<I: Instructions> placements::Squares<HALF> for Picked<'_, I> {
    #[inline(always)]
    fn of(&self, slot: usize) -> [u32; HALF] {
        match slot {
            MOVED => *self.moved,
            TAKEN => *self.taken,
            _ => {
                let squares = &self.placements.0[slot].0;
                let picked = self.instructions.pick(squares, self.lanes);
                if self.flip {
                    placements::mirrored(self.universe, &picked)
                } else {
                    picked
                }
            }
        }
    }
}

/// The most chunks: a piece that steps to all sides, in every lane.
const MAX_CHUNKS: usize = 8 * LANES / HALF + 1;
const ROOM: usize = MAX_CHUNKS * HALF;

/// Moves to be taken back, packed: the lane of each and the square it came from.
///
/// Only some lanes have a move of each sort. Numbered side by side with the idle ones, most of the
/// work would be for nothing.
pub(crate) struct Unmoves {
    lanes: [u32; ROOM],
    from: [u32; ROOM],
    count: usize,
}

impl Unmoves {
    pub(crate) const NONE: Unmoves = Unmoves {
        lanes: [0; ROOM],
        from: [0; ROOM],
        count: 0,
    };

    #[inline(always)]
    fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds one for each of some lanes.
    #[inline(always)]
    fn add(&mut self, instructions: impl Instructions, lanes: u32, from: &Lanes) {
        let [low, high] = from.halves();
        self.add_half(instructions, lanes as u16, &NUMBERS[0], low);
        self.add_half(instructions, (lanes >> HALF) as u16, &NUMBERS[1], high);
    }

    #[inline(always)]
    fn add_half(
        &mut self,
        instructions: impl Instructions,
        set: u16,
        numbers: &[u32; HALF],
        from: &[u32; HALF],
    ) {
        // There is room for every move; with this, it need not be checked twice.
        let at = self.count.min(ROOM - HALF);
        self.lanes[at..at + HALF].copy_from_slice(&instructions.pack(set, numbers));
        self.from[at..at + HALF].copy_from_slice(&instructions.pack(set, from));
        self.count = at + set.count_ones() as usize;
    }

    /// How many times 16.
    #[inline(always)]
    fn chunks(&self) -> usize {
        self.count.div_ceil(HALF).min(MAX_CHUNKS)
    }

    /// Lanes and squares of 16, and how many of them there are.
    #[inline(always)]
    fn chunk(&self, index: usize) -> (&[u32; HALF], &[u32; HALF], usize) {
        let (lanes, from) = (self.lanes.as_chunks().0, self.from.as_chunks().0);
        let count = self.count.wrapping_sub(index * HALF).min(HALF);
        (&lanes[index], &from[index], count)
    }
}

/// The number of each lane.
const NUMBERS: [[u32; HALF]; 2] = {
    let mut numbers = [[0; HALF]; 2];
    let mut lane = 0;
    while lane < LANES {
        numbers[lane / HALF][lane % HALF] = lane as u32;
        lane += 1;
    }
    numbers
};

/// One direction in which a piece steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// How much greater the number of the square stepped to is.
    pub(crate) distance: i32,
    /// The squares from which the step may be made.
    pub(crate) from: Squares,
}

impl Way {
    /// The squares that the pieces on these squares reach.
    #[inline(always)]
    pub(crate) fn reached(&self, pieces: &Lanes) -> Lanes {
        let from = self.from;
        pieces.map(|pieces| pieces & from).shifted(self.distance)
    }
}

/// All ways to step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    /// Without promoting, by role.
    pub(crate) quiet: Vec<Vec<Way>>,
    /// By promoting, by kind.
    pub(crate) promoting: Vec<Vec<Way>>,
}

impl Ways {
    /// The ways behind a table of squares reached from each square.
    pub(crate) fn of(board: Board, reached: &[Squares]) -> Vec<Way> {
        let mut ways: Vec<Way> = Vec::new();
        for from in each(board.all()) {
            for to in each(reached[usize::from(from)]) {
                let distance = i32::from(to) - i32::from(from);
                // On a board of two files two steps could have the same distance; none is so narrow.
                match ways.iter_mut().find(|way| way.distance == distance) {
                    Some(way) => way.from |= one(from),
                    None => ways.push(Way {
                        distance,
                        from: one(from),
                    }),
                }
            }
        }
        ways
    }
}
