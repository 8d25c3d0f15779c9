//! A **batch**: predecessors of up to 64 positions of a class, worked out side by side.
//!
//! The vector twin of `unmoves` with the attack filter: the same predecessors in another order.
//! The positions have the mover's royal on the same square; the other royals' squares may differ.

use super::bundle::Bundle;
use super::lanes::{CHUNK, Divisor, LANES, Lanes, Number, numbers};
use super::placements::{self, Placements, append_digits, widened};
use super::plan::{LastMove, MOVED, Plan, Sort, TAKEN};
use super::ranked::{Class, MAX_NUMBERED, RankedUniverse};
use crate::board::{Board, MAX_SQUARES, Squares, each, one};
use crate::game::role;
use crate::instructions::Instructions;
use crate::universe::Targets;

/// Up to 64 positions of a class and bundle, seen by the side that just moved and in the orientation
/// of their predecessors.
pub(crate) struct Batch<'a, I, N> {
    universe: &'a RankedUniverse,
    instructions: I,
    plan: &'a Plan,
    bundle: &'a Bundle,
    tables: Tables<N>,
    /// Divides the place of a rank in the bundle into that of its pair and the code.
    size: Divisor,
    /// All ones in the lanes in use.
    active: Lanes<N>,
    placements: Placements<N>,
    /// The place of the pair in the bundle.
    pair: Lanes<N>,
    /// All ones where the position is mirrored.
    flip: Lanes<N>,
    /// The royal of the side that just moved, as a set, and the other one.
    royal: Lanes<N>,
    other_royal: Lanes<N>,
    /// The pair and the code of the kinds before each kind, for predecessors with the same royals.
    codes: [Lanes<u32>; MAX_NUMBERED + 1],
    /// Free squares before each kind.
    free: [Lanes<N>; MAX_NUMBERED + 1],
    unmoves: Unmoves,
}

/// What is looked up of a bundle, in lanes of this width.
struct Tables<N> {
    others: [N; MAX_SQUARES],
    pair: [N; MAX_SQUARES],
    flip: [N; MAX_SQUARES],
    royal: [N; MAX_SQUARES],
    from: [[N; MAX_SQUARES]; 2],
    pair_before: [[N; MAX_SQUARES]; 2],
    turned: [[N; MAX_SQUARES]; 2],
}

impl<N: Number> Tables<N> {
    #[inline(always)]
    fn new(universe: &RankedUniverse, bundle: &Bundle) -> Tables<N> {
        let narrowed = |table: &[u32; MAX_SQUARES]| Lanes::<N, MAX_SQUARES>::narrowed(table).0;
        let both = |[a, b]: &[[u32; MAX_SQUARES]; 2]| [narrowed(a), narrowed(b)];
        Tables {
            others: narrowed(&bundle.others),
            pair: narrowed(&bundle.pair),
            flip: narrowed(&bundle.flip),
            royal: narrowed(&bundle.turned),
            from: both(&bundle.from),
            pair_before: both(&bundle.pair_before),
            turned: both(universe.turned_squares()),
        }
    }
}

impl<'a, I: Instructions, N: Number> Batch<'a, I, N> {
    /// No positions yet, of a bundle and of a class with its plan.
    #[inline(always)]
    pub(crate) fn new(
        universe: &'a RankedUniverse,
        instructions: I,
        class: &Class,
        plan: &'a Plan,
        bundle: &'a Bundle,
    ) -> Batch<'a, I, N> {
        let ranks = class.size * bundle.pairs.len() as u32;
        Batch {
            universe,
            instructions,
            plan,
            bundle,
            tables: Tables::new(universe, bundle),
            size: Divisor::new(class.size, ranks),
            active: Lanes::ZERO,
            placements: Placements::NONE,
            pair: Lanes::ZERO,
            flip: Lanes::ZERO,
            royal: Lanes::ZERO,
            other_royal: Lanes::ZERO,
            codes: [Lanes::ZERO; MAX_NUMBERED + 1],
            free: [Lanes::ZERO; MAX_NUMBERED + 1],
            unmoves: Unmoves::NONE,
        }
    }

    /// Appends the predecessors of 1 to 64 ranks, given by their places in the bundle in ascending
    /// order.
    #[inline(always)]
    pub(crate) fn expand(&mut self, offsets: &[u32], out: &mut impl Targets) {
        let (universe, plan, instructions) = (self.universe, self.plan, self.instructions);
        for (lane, active) in self.active.0.iter_mut().enumerate() {
            *active = if lane < offsets.len() {
                N::MAX
            } else {
                N::ZERO
            };
        }
        self.place(offsets);
        self.number();
        let empty = self.free[plan.kinds.len()];

        // Which pieces may have moved: see `unmoves` for the attack filter.
        let mut attackers = Lanes::ZERO;
        for man in &plan.men {
            let attacking = self.attacking(usize::from(man.role));
            let men = &self.placements.0[usize::from(man.slot)];
            let attacking = attacking.zip(men, |set, bit| set & bit);
            attackers = attackers.zip(&attacking, |set, bit| set | bit);
        }
        let mut movable = Lanes::ZERO;
        let mut quiet = Lanes::ZERO;
        for lane in 0..LANES {
            let set = attackers.0[lane];
            let several = set & set.minus(N::ONE) != N::ZERO;
            let some = set != N::ZERO;
            let active = self.active.0[lane];
            quiet.0[lane] = if some { N::ZERO } else { active };
            let one = if some { set } else { N::MAX };
            movable.0[lane] = if several { N::ZERO } else { one & active };
        }

        for sort in &plan.sorts {
            // What moved, to where and from where it may have come.
            let (ways, to, from): (&[Way], _, _) = match sort.last_move {
                LastMove::Step { slot, role } => (
                    &universe.ways.quiet[usize::from(role)],
                    self.moved(slot, &movable),
                    self.unattacking(&empty, usize::from(role)),
                ),
                LastMove::Promotion { slot, kind } => (
                    &universe.ways.promoting[usize::from(kind)],
                    self.moved(slot, &movable),
                    self.unattacking(&empty, role(usize::from(kind), false)),
                ),
                LastMove::Drop { slot, kind } => {
                    let drops = N::narrowed(universe.steps.drops[usize::from(kind)]);
                    let to = self.moved(slot, &movable);
                    (&[], to.map(|to| to & drops), empty)
                }
                LastMove::Royal { image } => {
                    let from = self
                        .pair
                        .looked_up(instructions, &self.tables.from[usize::from(image)]);
                    let from = from.zip(&empty, |from, empty| from & empty);
                    let to = self.royal.zip(&quiet, |royal, quiet| royal & quiet);
                    (&universe.ways.quiet[role(0, false)], to, from)
                }
            };
            if to.nonzero(instructions) == 0 || from.nonzero(instructions) == 0 {
                continue;
            }
            self.unmoves.clear();
            for way in ways {
                let set = way.leading(&to, &from).nonzero(instructions);
                self.unmoves.add(instructions, set, way.turn_back::<N>());
            }
            if let LastMove::Drop { .. } = sort.last_move {
                self.unmoves.add(instructions, to.nonzero(instructions), 0);
            }
            self.emit(sort, &to, out);
        }
    }

    /// Places the pieces of some ranks.
    #[inline(always)]
    fn place(&mut self, offsets: &[u32]) {
        let (universe, bundle, instructions) = (self.universe, self.bundle, self.instructions);
        let offsets = Lanes::filled(offsets);
        let (first, _) = self.size.divide_one(offsets.0[0]);
        let (last, _) = self.size.divide_one(offsets.0[LANES - 1]);
        let coded = &self.plan.coded;
        let (pair, codes) = self.size.divide(&offsets);
        self.pair = Lanes::narrowed(&pair.0);
        self.flip = self.pair.looked_up(instructions, &self.tables.flip);
        self.royal = self.pair.looked_up(instructions, &self.tables.royal);
        self.other_royal = self.oriented(bundle.other.map(one));
        if first == last {
            let place = first as usize % MAX_SQUARES;
            let royals = [bundle.royal, bundle.others[place] as u8];
            let flip = bundle.flip[place] != 0;
            self.placements
                .decode(instructions, universe, coded, royals, &codes, flip);
        } else {
            let others = self.pair.looked_up(instructions, &self.tables.others);
            let royals = [Lanes::splat(N::narrowed(u32::from(bundle.royal))), others];
            let turned = &self.tables.turned;
            self.placements
                .decode_pairs(instructions, coded, &royals, &codes, turned, &self.flip);
        }
    }

    /// Numbers the pieces as if nothing but the side to move had changed.
    #[inline(always)]
    fn number(&mut self) {
        let all = N::narrowed(self.universe.game().board().all());
        self.codes[0] = widened(&self.pair.looked_up(self.instructions, &self.tables.pair));
        self.free[0] = self
            .royal
            .zip(&self.other_royal, |own, other| all & !own & !other);
        for (k, numbering) in self.plan.kinds.iter().enumerate() {
            let digits = numbering.digits(&self.plan.digits);
            let (code, free) = self
                .placements
                .number(digits, &self.codes[k], &self.free[k]);
            self.codes[k + 1] = code;
            self.free[k + 1] = free;
        }
    }

    /// One of two sets, the second where the position is mirrored.
    #[inline(always)]
    fn oriented(&self, sets: [Squares; 2]) -> Lanes<N> {
        let [as_it_is, mirrored] = sets.map(N::narrowed);
        self.flip
            .map(|flip| as_it_is ^ ((as_it_is ^ mirrored) & flip))
    }

    /// The squares from which a piece in this role attacks the other royal.
    #[inline(always)]
    fn attacking(&self, role: usize) -> Lanes<N> {
        let attackers = &self.universe.steps.attackers[role];
        self.oriented(self.bundle.other.map(|royal| attackers[usize::from(royal)]))
    }

    /// Those of some squares from which a piece in this role does not attack the other royal.
    #[inline(always)]
    fn unattacking(&self, squares: &Lanes<N>, role: usize) -> Lanes<N> {
        squares.zip(&self.attacking(role), |squares, attacking| {
            squares & !attacking
        })
    }

    /// The square of the piece in a slot where it may have moved.
    #[inline(always)]
    fn moved(&self, slot: u8, movable: &Lanes<N>) -> Lanes<N> {
        self.placements.0[usize::from(slot)].zip(movable, |bit, movable| bit & movable)
    }

    /// Appends the predecessors behind the unmoves listed.
    #[inline(always)]
    fn emit(&self, sort: &Sort, to: &Lanes<N>, out: &mut impl Targets) {
        let (universe, instructions) = (self.universe, self.instructions);
        let image = match sort.last_move {
            LastMove::Royal { image } => Some(image),
            _ => None,
        };
        for index in 0..self.unmoves.chunks() {
            let (lanes, turns, count) = self.unmoves.chunk(index);
            let wide_lanes = numbers(lanes);
            let (lanes, turns) = (numbers(lanes), numbers(turns));
            let to = Lanes(N::pick(instructions, &to.0, &lanes));
            let from = to.zip(&Lanes(turns), |to, turn| to.turned(turn)).0;
            let mut squares = Picked {
                universe,
                instructions,
                placements: &self.placements,
                flip: image == Some(1),
                lanes,
                moved: from,
                taken: to.0,
            };
            // Where the royal moved, another pair comes first, and all squares change their places.
            let mut pairs = Lanes::<u32, CHUNK>::ZERO;
            let mut free_of_royals = Lanes::<N, CHUNK>::ZERO;
            if image.is_some() {
                pairs = self.pairs_before(&lanes, &from);
                let others = N::pick(instructions, &self.other_royal.0, &lanes);
                let all = N::narrowed(universe.game().board().all());
                for lane in 0..CHUNK {
                    free_of_royals.0[lane] = all & !from[lane] & !others[lane];
                }
            }
            if squares.flip {
                free_of_royals.0 = placements::mirrored(universe, &free_of_royals.0);
                squares.taken = placements::mirrored(universe, &squares.taken);
            }
            for numbering in self.plan.numberings(sort) {
                let first = usize::from(numbering.first);
                let digits = numbering.digits(&self.plan.digits);
                let (mut codes, mut free) = (pairs, free_of_royals);
                if image.is_none() {
                    codes.0 = u32::pick(instructions, &self.codes[first].0, &wide_lanes);
                    free.0 = N::pick(instructions, &self.free[first].0, &lanes);
                }
                append_digits(&squares, digits, &mut codes.0, &mut free.0);
                let base = universe.classes[numbering.class as usize].base;
                out.push_chunk(base, &codes.0, count);
            }
        }
    }

    /// The pairs before the royal moved from these squares, in positions of these lanes.
    #[inline(always)]
    fn pairs_before(&self, lanes: &[N; CHUNK], from: &[N; CHUNK]) -> Lanes<u32, CHUNK> {
        let flips = Lanes(N::pick(self.instructions, &self.flip.0, lanes));
        let squares = Lanes(*from).map(|from| from.minus(N::ONE).ones());
        let [as_they_are, mirrored] = &self.tables.pair_before;
        let as_they_are = squares.looked_up(self.instructions, as_they_are);
        let mirrored = squares.looked_up(self.instructions, mirrored);
        widened(&as_they_are.blend(&mirrored, &flips))
    }
}

/// The squares of the pieces of a chunk of predecessors.
struct Picked<'a, I, N> {
    universe: &'a RankedUniverse,
    instructions: I,
    placements: &'a Placements<N>,
    /// Whether the others are mirrored: not what moved or was taken.
    flip: bool,
    /// The lanes of the positions they are predecessors of.
    lanes: [N; CHUNK],
    /// Where the piece that moved came from.
    moved: [N; CHUNK],
    /// Where it took a piece, if it took one.
    taken: [N; CHUNK],
}

impl<I: Instructions, N: Number> placements::Squares<N, CHUNK> for Picked<'_, I, N> {
    #[inline(always)]
    fn of(&self, slot: usize) -> [N; CHUNK] {
        match slot {
            MOVED => self.moved,
            TAKEN => self.taken,
            _ => {
                let squares = &self.placements.0[slot].0;
                let picked = N::pick(self.instructions, squares, &self.lanes);
                if self.flip {
                    placements::mirrored(self.universe, &picked)
                } else {
                    picked
                }
            }
        }
    }
}

/// The most unmoves: a piece that steps to all sides, in every lane.
const MAX_UNMOVES: usize = 8 * LANES;
/// Room for them, and for what is written behind them.
const ROOM: usize = MAX_UNMOVES + LANES;

/// Moves to be taken back, packed: the lane of each, and how to turn the square that it led to into
/// the one that it came from.
///
/// Only some lanes have a move of each sort. Numbered side by side with the idle ones, most of the
/// work would be for nothing.
struct Unmoves {
    lanes: [u8; ROOM],
    turns: [u8; ROOM],
    count: usize,
}

impl Unmoves {
    const NONE: Unmoves = Unmoves {
        lanes: [0; ROOM],
        turns: [0; ROOM],
        count: 0,
    };

    #[inline(always)]
    fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds one for each lane in a set.
    #[inline(always)]
    fn add(&mut self, instructions: impl Instructions, set: u64, turn: u8) {
        // There is room for every move; with this, it need not be checked twice.
        let at = self.count.min(MAX_UNMOVES);
        self.lanes[at..at + LANES].copy_from_slice(&instructions.pack(set));
        self.turns[at..at + LANES].copy_from_slice(&[turn; LANES]);
        self.count = at + set.count_ones() as usize;
    }

    /// How many chunks there are.
    #[inline(always)]
    fn chunks(&self) -> usize {
        self.count.div_ceil(CHUNK).min(MAX_UNMOVES / CHUNK)
    }

    /// Lanes and turns of a chunk, and how many of them there are.
    #[inline(always)]
    fn chunk(&self, index: usize) -> (&[u8; CHUNK], &[u8; CHUNK], usize) {
        let (lanes, turns) = (self.lanes.as_chunks().0, self.turns.as_chunks().0);
        let count = self.count.wrapping_sub(index * CHUNK).min(CHUNK);
        (&lanes[index], &turns[index], count)
    }
}

/// One direction in which a piece steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// How much greater the number of the square stepped to is.
    pub(crate) distance: i32,
    /// The squares from which the step may be made.
    pub(crate) from: Squares,
}

impl Way {
    /// The square among these from which a piece stepped to `to`.
    #[inline(always)]
    fn leading<N: Number>(&self, to: &Lanes<N>, from: &Lanes<N>) -> Lanes<N> {
        let allowed = N::narrowed(self.from);
        to.shifted(-self.distance)
            .zip(from, |square, from| square & from & allowed)
    }

    /// By how many bits to turn the square stepped to into the one that the step came from.
    #[inline(always)]
    fn turn_back<N: Number>(&self) -> u8 {
        N::BITS.wrapping_add_signed(-self.distance) as u8 % N::BITS as u8
    }

    /// The squares that the pieces on these squares reach.
    #[inline(always)]
    pub(crate) fn reached<N: Number, const L: usize>(&self, pieces: &Lanes<N, L>) -> Lanes<N, L> {
        let from = N::narrowed(self.from);
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
