//! A **legal batch**: predecessors of up to 32 positions of a segment where check must be met, worked
//! out side by side.
//!
//! The vector twin of the unmoves in `legal`: the same predecessors in another order. A predecessor is
//! legal if in it the side that made the move, and is to move again, does not attack the other royal.
//! So what gives check now came by the move or was opened by it, what would give check from afar if
//! the move was not made stood behind the man that made it, and the man did not give check from where
//! it came. All of that is about lines to one square, which is the same for the whole segment.

use super::lanes::{CHUNK, Number};
use super::layout::OTHER;
pub(super) use super::lines::LEGAL_LANES;
use super::lines::{Lanes, Lines};
use super::men::{Man, Men};
use super::pairs::{NO_PAIR, Orientation};
use super::pawns::Pawns;
use super::placements::{Placements, append_digits};
use super::plan::{LastMove, MAX_PIECES, Numbering, Plan, Sort};
use super::ranked::{MAX_NUMBERED, RankedUniverse};
use super::retractions::{Before, Chunk, Retractions};
use crate::board::{Square, Squares, each, one};
use crate::color::Color;
use crate::game::role;
use crate::instructions::{Instructions, WIDE};
use crate::universe::Targets;

/// The side that just moved.
const MOVER: Color = Color::Sente;

/// Up to 32 positions of a segment, seen by the side that just moved and in the orientation of their
/// predecessors.
pub(super) struct LegalBatch<'a, I> {
    universe: &'a RankedUniverse,
    instructions: I,
    plan: &'a Plan,
    lines: &'a Lines,
    class: usize,
    pair: usize,
    /// The royal of the side that just moved and the other one, as the predecessors have them.
    turned_royals: [Square; 2],
    orientation: Orientation,
    men: Men,
    pawns: Option<Pawns>,
    zone: Squares,
    /// The lanes in use.
    active: u32,
    placements: Placements<u32, LEGAL_LANES>,
    /// The code of the kinds before each kind.
    codes: [Lanes; MAX_NUMBERED + 1],
    /// Free squares before each kind.
    free: [Lanes; MAX_NUMBERED + 1],
    empty: Lanes,
    /// All others, those that the board has not included.
    occupied: Lanes,
    /// The men of the side that just moved that give check from near.
    checkers: Lanes,
    /// By the slot of a man that slides: what is between it and the other royal.
    between: [Lanes; MAX_PIECES],
    /// Files with a pawn of the side that just moved, and of the other.
    pawn_files: [Lanes; 2],
}

/// Squares from which the last move may have come: if it took nothing, and if it did.
#[derive(Clone, Copy)]
struct Origins {
    quiet: Lanes,
    capture: Lanes,
}

impl<'a, I: Instructions> LegalBatch<'a, I> {
    /// No positions yet, of a pair and a class that has this plan.
    #[inline(always)]
    pub(super) fn new(
        universe: &'a RankedUniverse,
        instructions: I,
        lines: &'a Lines,
        plan: &'a Plan,
        class: usize,
        pair: usize,
    ) -> LegalBatch<'a, I> {
        let game = universe.game();
        let board = game.board();
        let royals = universe.pairs[pair];
        let turned = [royals[1], royals[0]].map(|square| board.rotated(square));
        let orientation = universe.orientation(turned);
        let turned_royals = match orientation.flip {
            true => turned.map(|square| board.mirrored(square)),
            false => turned,
        };
        LegalBatch {
            universe,
            instructions,
            plan,
            lines,
            class,
            pair,
            turned_royals,
            orientation,
            men: Men::of(universe, &universe.classes[class]),
            pawns: Pawns::of(universe),
            zone: game.zone(Color::Sente),
            active: 0,
            placements: Placements::NONE,
            codes: [Lanes::ZERO; MAX_NUMBERED + 1],
            free: [Lanes::splat(universe.free_of_royals(turned_royals)); MAX_NUMBERED + 1],
            empty: Lanes::ZERO,
            occupied: Lanes::ZERO,
            checkers: Lanes::ZERO,
            between: [Lanes::ZERO; MAX_PIECES],
            pawn_files: [Lanes::ZERO; 2],
        }
    }

    /// Appends the predecessors of at most 32 codes, in ascending order. None of them is a hole.
    #[inline(always)]
    pub(super) fn expand(
        &mut self,
        codes: &[u32],
        retractions: &mut [Retractions; 2],
        out: &mut impl Targets,
    ) {
        self.place(codes);
        for man in self.men.of_color(MOVER) {
            self.retract(man, codes, retractions, out);
        }
        self.retract_royal(&mut retractions[0], out);
    }

    /// Places the pieces and looks along the lines to the other royal.
    #[inline(always)]
    fn place(&mut self, codes: &[u32]) {
        let (universe, plan, instructions) = (self.universe, self.plan, self.instructions);
        let royals = universe.pairs[self.pair];
        self.active = u32::MAX >> (LEGAL_LANES - codes.len());
        let flip = self.orientation.flip;
        let codes = Lanes::filled(codes);
        self.placements
            .decode(instructions, universe, &plan.coded, royals, &codes, flip);
        for (k, kind) in plan.kinds.iter().enumerate() {
            let digits = kind.digits(&plan.digits);
            let (code, free) = self
                .placements
                .number(digits, &self.codes[k], &self.free[k]);
            self.codes[k + 1] = code;
            self.free[k + 1] = free;
        }
        self.empty = self.free[plan.kinds.len()];
        self.occupied = self.empty.map(|empty| !empty);

        let royal = self.turned_royals[1];
        self.checkers = Lanes::ZERO;
        for man in self.men.of_color(MOVER) {
            let men = &self.placements.0[man.slot];
            let near = self.lines.near(man.role(), royal);
            self.checkers = self.checkers.zip(men, |set, man| set | man & near);
            if self.lines.slides(man.kind) {
                self.between[man.slot] = self.lines.between(instructions, man.kind, royal, men);
            }
        }
        if let Some(pawns) = &self.pawns {
            for color in Color::BOTH {
                let squares = pawns.squares(&self.men, &self.placements, color);
                self.pawn_files[color.index()] = pawns.files(&squares);
            }
        }
    }

    /// From where a man, or the royal, may have come to a square, whatever kind it is: the other men
    /// must not have given check before.
    #[inline(always)]
    fn origins(&self, mover: Option<&Man>, to: &Lanes) -> Origins {
        let all = self.checkers.zip(to, |checkers, to| match checkers & !to {
            0 => Squares::MAX,
            _ => 0,
        });
        let mut origins = Origins {
            quiet: all,
            capture: all,
        };
        let left = self.occupied.zip(to, |occupied, to| occupied & !to);
        for other in self.men.of_color(MOVER) {
            let moved = mover.is_some_and(|mover| mover.slot == other.slot);
            if moved || !self.lines.slides(other.kind) {
                continue;
            }
            let between = &self.between[other.slot];
            // An open line must have been closed by the man that moved.
            let closed_from = |occupied: &Lanes| {
                between.zip(occupied, |between, occupied| match between & occupied {
                    0 => between,
                    _ => Squares::MAX,
                })
            };
            let both = |a: &Lanes, b: &Lanes| a.zip(b, |a, b| a & b);
            origins.quiet = both(&origins.quiet, &closed_from(&left));
            origins.capture = both(&origins.capture, &closed_from(&self.occupied));
        }
        origins
    }

    /// The lanes in use in which a set is not empty.
    #[inline(always)]
    fn nonzero(&self, set: &Lanes) -> u32 {
        set.nonzero(self.instructions) as u32 & self.active
    }

    /// Appends the predecessors from which a man stepped, promoted or was dropped.
    #[inline(always)]
    fn retract(
        &self,
        man: &Man,
        codes: &[u32],
        retractions: &mut [Retractions; 2],
        out: &mut impl Targets,
    ) {
        let royal = self.turned_royals[1];
        let to = self.placements.0[man.slot];
        let origins = self.origins(Some(man), &to);
        if self.nonzero(&origins.capture) == 0 {
            return;
        }
        // A man that slides must not have given check from afar either.
        let mut unseen = origins;
        if self.lines.slides(man.kind) {
            let left = self.occupied.zip(&to, |occupied, to| occupied & !to);
            let but = |set: &Lanes, seen: &Lanes| set.zip(seen, |set, seen| set & !seen);
            let seen = |occupied: &Lanes| self.lines.seen(man.kind, royal, occupied);
            unseen.quiet = but(&unseen.quiet, &seen(&left));
            unseen.capture = but(&unseen.capture, &seen(&self.occupied));
        }
        for sort in &self.plan.sorts {
            match sort.last_move {
                LastMove::Step { slot, .. } if usize::from(slot) == man.slot => {
                    let allowed = Lanes::splat(!self.lines.near(man.role(), royal));
                    self.retract_steps(sort, man.role(), &to, &unseen, &allowed, retractions, out);
                }
                LastMove::Promotion { slot, .. } if usize::from(slot) == man.slot => {
                    let step = role(man.kind, false);
                    let allowed = self.may_promote(man, &to);
                    self.retract_steps(sort, step, &to, &unseen, &allowed, retractions, out);
                }
                LastMove::Drop { slot, .. } if usize::from(slot) == man.slot => {
                    self.retract_drop(sort, man, &to, &origins, codes, retractions, out);
                }
                _ => {}
            }
        }
    }

    /// Adds moves from some squares to those to be taken back, where they may have come from there.
    #[inline(always)]
    fn add(&self, unmoves: &mut Retractions, from: &Lanes, origins: &Lanes) {
        let from = from.zip(origins, |from, origins| from & origins);
        unmoves.add(self.instructions, self.nonzero(&from), &from);
    }

    /// Where a man may have promoted from.
    #[inline(always)]
    fn may_promote(&self, man: &Man, to: &Lanes) -> Lanes {
        let near = self
            .lines
            .near(role(man.kind, false), self.turned_royals[1]);
        let zone = self.zone;
        let allowed = to.map(|to| match to & zone {
            0 => zone & !near,
            _ => !near,
        });
        match self.pawns {
            Some(pawns) if pawns.k == man.k => {
                allowed.zip(&self.pawn_files[0], |allowed, files| allowed & !files)
            }
            _ => allowed,
        }
    }

    /// Appends the predecessors from which a man was dropped.
    #[inline(always)]
    #[expect(clippy::too_many_arguments)]
    fn retract_drop(
        &self,
        sort: &Sort,
        man: &Man,
        to: &Lanes,
        origins: &Origins,
        codes: &[u32],
        retractions: &mut [Retractions; 2],
        out: &mut impl Targets,
    ) {
        // No line may be open that the dropped man was not on.
        let mut lanes = !self.nonzero(&origins.quiet.map(|origins| !origins)) & self.active;
        let pawns = self.pawns.filter(|pawns| pawns.k == man.k);
        if pawns.is_some_and(|pawns| !pawns.may_mate) {
            lanes &= !self.mates(lanes, man.role(), to, codes);
        }
        let [unmoves, _] = retractions;
        unmoves.clear();
        unmoves.add(self.instructions, lanes, &Lanes::ZERO);
        for index in 0..unmoves.chunks() {
            let chunk = unmoves.chunk(index);
            let before = self.before(&chunk, &[0; CHUNK], false);
            for drop in self.plan.numberings(sort) {
                self.emit(drop, &before, chunk.count, out);
            }
        }
    }

    /// The lanes of these in which a pawn mates.
    #[inline(always)]
    fn mates(&self, lanes: u32, role: usize, pawns: &Lanes, codes: &[u32]) -> u32 {
        let universe = self.universe;
        let near = self.lines.near(role, self.turned_royals[1]);
        let checks = self.nonzero(&pawns.map(|pawn| pawn & near));
        let royals = universe.pairs[self.pair];
        let mut mates = 0;
        for lane in each(lanes & checks) {
            let reached = universe.placement_at(self.class, royals, codes[usize::from(lane)]);
            mates |= u32::from(!universe.has_legal_move(&reached, Color::Sente)) << lane;
        }
        mates
    }

    /// Appends the predecessors from which men that moved like this role came to some squares.
    #[inline(always)]
    #[expect(clippy::too_many_arguments)]
    fn retract_steps(
        &self,
        sort: &Sort,
        role: usize,
        to: &Lanes,
        origins: &Origins,
        allowed: &Lanes,
        retractions: &mut [Retractions; 2],
        out: &mut impl Targets,
    ) {
        let both = |a: &Lanes, b: &Lanes| a.zip(b, |a, b| a & b);
        let quiet = both(&origins.quiet, allowed);
        let capture = both(&origins.capture, allowed);
        let [plain, taking @ ..] = self.plan.numberings(sort) else {
            unreachable!("a move that takes nothing has a numbering");
        };
        let [quiets, captures] = retractions;
        quiets.clear();
        captures.clear();
        for way in self.lines.step_ways(role) {
            let from = both(&way.left(to), &self.empty);
            self.add(quiets, &from, &quiet);
            if !taking.is_empty() {
                self.add(captures, &from, &capture);
            }
        }
        for way in self.lines.slide_ways(role) {
            let mut at = *to;
            loop {
                at = both(&way.left(&at), &self.empty);
                if self.nonzero(&at) == 0 {
                    break;
                }
                self.add(quiets, &at, &quiet);
                if !taking.is_empty() {
                    self.add(captures, &at, &capture);
                }
            }
        }
        for index in 0..quiets.chunks() {
            let chunk = quiets.chunk(index);
            let before = self.before(&chunk, &[0; CHUNK], false);
            self.emit(plain, &before, chunk.count, out);
        }
        for index in 0..captures.chunks() {
            let chunk = captures.chunk(index);
            let taken = u32::look(self.instructions, &to.0, chunk.lanes);
            let before = self.before(&chunk, &taken, false);
            for numbering in taking {
                self.emit_capture(plain, numbering, &before, &taken, chunk.count, out);
            }
        }
    }

    #[inline(always)]
    fn before<'b>(
        &'b self,
        chunk: &Chunk<'b>,
        taken: &'b [u32; CHUNK],
        flip: bool,
    ) -> Before<'b, I> {
        Before {
            universe: self.universe,
            instructions: self.instructions,
            placements: &self.placements,
            flip,
            lanes: chunk.lanes,
            moved: chunk.from,
            taken,
        }
    }

    /// Appends the first `count` of these predecessors.
    #[inline(always)]
    fn emit(
        &self,
        numbering: &Numbering,
        before: &Before<'_, I>,
        count: usize,
        out: &mut impl Targets,
    ) {
        let codes = self.encoded(numbering, before);
        out.push_chunk(self.base(numbering, self.orientation.pair), &codes, count);
    }

    /// The same for a move that took a piece: none where the piece can't have stood.
    #[inline(always)]
    fn emit_capture(
        &self,
        plain: &Numbering,
        numbering: &Numbering,
        before: &Before<'_, I>,
        taken: &[u32; CHUNK],
        count: usize,
        out: &mut impl Targets,
    ) {
        let codes = self.encoded(numbering, before);
        let base = self.base(numbering, self.orientation.pair);
        self.push_capture(
            plain,
            numbering,
            before.lanes,
            taken,
            base,
            &codes,
            count,
            out,
        );
    }

    /// The codes of predecessors with the pair of this batch.
    #[inline(always)]
    fn encoded(&self, numbering: &Numbering, before: &Before<'_, I>) -> [u32; CHUNK] {
        let first = usize::from(numbering.first);
        let pick = |from: &Lanes| u32::look(self.instructions, &from.0, before.lanes);
        let mut codes = pick(&self.codes[first]);
        let mut free = pick(&self.free[first]);
        let digits = numbering.digits(&self.plan.digits);
        append_digits(before, digits, &mut codes, &mut free);
        codes
    }

    #[inline(always)]
    fn base(&self, numbering: &Numbering, pair: u16) -> u64 {
        let class = &self.universe.classes[numbering.class as usize];
        class.base + u64::from(pair) * u64::from(class.size)
    }

    /// Appends the codes of predecessors by a move that took a piece on these squares (not mirrored).
    #[inline(always)]
    #[expect(clippy::too_many_arguments)]
    fn push_capture(
        &self,
        plain: &Numbering,
        numbering: &Numbering,
        lanes: &[u32; CHUNK],
        taken: &[u32; CHUNK],
        base: u64,
        codes: &[u32; CHUNK],
        count: usize,
        out: &mut impl Targets,
    ) {
        let pawns = self.pawns.as_ref();
        let Some(pawns) = pawns.filter(|pawns| self.takes_pawn(pawns.k, plain, numbering)) else {
            out.push_chunk(base, codes, count);
            return;
        };
        let dead = pawns.dead[Color::Gote.index()];
        let files = u32::look(self.instructions, &self.pawn_files[1].0, lanes);
        let mut stood = *taken;
        for lane in 0..CHUNK {
            stood[lane] &= !(files[lane] | dead);
        }
        let set = u32::nonzero(self.instructions, &stood) as u32 & (u32::MAX >> (CHUNK - count));
        for (part, codes) in codes.as_chunks().0.iter().enumerate() {
            let set = (set >> (part * WIDE)) as u16;
            let mut packed = [0; CHUNK];
            packed[..WIDE].copy_from_slice(&self.instructions.pack32(set, codes));
            out.push_chunk(base, &packed, set.count_ones() as usize);
        }
    }

    /// Whether a numbering is that of a move that took a pawn, not promoted.
    fn takes_pawn(&self, pawn: usize, plain: &Numbering, numbering: &Numbering) -> bool {
        let pawns = |numbering: &Numbering| {
            let layout = self.universe.classes[numbering.class as usize].layouts[pawn];
            self.universe.kinds[pawn].layouts.get(layout).counts[OTHER]
        };
        pawns(numbering) > pawns(plain)
    }

    /// Appends the predecessors from which the royal moved.
    #[inline(always)]
    fn retract_royal(&self, unmoves: &mut Retractions, out: &mut impl Targets) {
        let universe = self.universe;
        let [to, other_royal] = self.turned_royals;
        let origins = self.origins(None, &Lanes::splat(one(to)));
        let royal = LastMove::Royal { image: 0 };
        let sort = self.plan.sorts.iter().find(|sort| sort.last_move == royal);
        let numberings = sort.map(|sort| self.plan.numberings(sort));
        let Some([plain, taking @ ..]) = numberings else {
            unreachable!("a plan has the moves of the royal");
        };
        if self.nonzero(&origins.capture) == 0 {
            return;
        }
        for from in each(universe.steps.attackers[0][usize::from(to)]) {
            let orientation = universe.orientation([from, other_royal]);
            if orientation.pair == NO_PAIR {
                continue;
            }
            // As in `legal`: which images a move between centred pairs and others leads from.
            let images = match (orientation.centred, self.orientation.centred) {
                (true, false) => [true, true],
                (false, true) if orientation.flip => continue,
                _ => [!orientation.flip, orientation.flip],
            };
            let royals = universe.pairs[usize::from(orientation.pair)];
            let no_royals = universe.free_of_royals(royals);
            for (numberings, origins) in [
                (std::slice::from_ref(plain), &origins.quiet),
                (taking, &origins.capture),
            ] {
                let lanes = origins.zip(&self.empty, |origins, empty| origins & empty & one(from));
                let lanes = self.nonzero(&lanes);
                if lanes == 0 {
                    continue;
                }
                unmoves.clear();
                unmoves.add(self.instructions, lanes, &Lanes::ZERO);
                for (flip, wanted) in [false, true].into_iter().zip(images) {
                    if !wanted {
                        continue;
                    }
                    let mut square = one(to);
                    if flip {
                        square = universe.mirrored(square);
                    }
                    for index in 0..unmoves.chunks() {
                        let chunk = unmoves.chunk(index);
                        let taken = [square; CHUNK];
                        let before = self.before(&chunk, &taken, flip);
                        for numbering in numberings {
                            let mut codes = [0; CHUNK];
                            let mut free = [no_royals; CHUNK];
                            let digits = numbering.digits(&self.plan.digits);
                            append_digits(&before, digits, &mut codes, &mut free);
                            let base = self.base(numbering, orientation.pair);
                            self.push_capture(
                                plain,
                                numbering,
                                chunk.lanes,
                                &[one(to); CHUNK],
                                base,
                                &codes,
                                chunk.count,
                                out,
                            );
                        }
                    }
                }
            }
        }
    }
}
