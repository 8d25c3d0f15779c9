//! **Legal starts**: which positions of a segment are holes where check must be met, and how many moves
//! the others have, for 32 positions side by side.
//!
//! No move is made to be tested. A man may go where it neither leaves a line open on which it stands
//! alone before its royal, nor leaves check unmet: on a line of a man that gives check, or onto that
//! man. The royal may go where nothing attacks, itself taken off the board. Only a pawn that would give
//! check by its drop is looked at by the plain moves, since it must not mate.
//!
//! Positions are seen by the side that does not move: the mover is gote.

use super::layout::OWN_HAND;
use super::lines::{LEGAL_LANES, Lanes, Lines};
use super::men::{Man, Men};
use super::pawns::Pawns;
use super::placements::Placements;
use super::plan::{MAX_PIECES, Plan};
use super::ranked::{MAX_NUMBERED, RankedUniverse};
use crate::board::{Square, Squares, each, one};
use crate::color::Color;
use crate::game::role;
use crate::instructions::Instructions;
use crate::universe::Starts;

const MOVER: Color = Color::Gote;
const OTHER: Color = Color::Sente;

/// The positions of a segment, 32 at a time.
struct LegalStarts<'a, I> {
    universe: &'a RankedUniverse,
    instructions: I,
    lines: &'a [Lines; 2],
    men: Men,
    pawns: Option<Pawns>,
    class: usize,
    pair: usize,
    /// The other side's royal and the mover's, turned.
    royals: [Square; 2],
    /// The promotion zone of the mover.
    zone: Squares,
    /// By kind in the numbering, where its men must promote.
    dead: [Squares; MAX_NUMBERED],
    placements: Placements<u32, LEGAL_LANES>,
    empty: Lanes,
    /// All others, those that the board has not included.
    occupied: Lanes,
    /// The mover's men and royal.
    own: Lanes,
}

impl RankedUniverse {
    /// The starts of a segment, a byte a code as in [`Starts::Legal`].
    #[inline(always)]
    pub(super) fn legal_starts(
        &self,
        instructions: impl Instructions,
        lines: &[Lines; 2],
        plan: &Plan,
        segment: u32,
        starts: &mut Vec<u8>,
    ) {
        let mut legal = LegalStarts::new(self, instructions, lines, segment);
        let size = self.classes[self.class_and_pair(segment).0].size;
        starts.clear();
        let mut first = 0;
        while first < size {
            let count = (size - first).min(LEGAL_LANES as u32);
            let mut codes = [0; LEGAL_LANES];
            for (code, at) in codes.iter_mut().zip(first..first + count) {
                *code = at;
            }
            let found = legal.starts(plan, &codes[..count as usize]);
            starts.extend_from_slice(&found[..count as usize]);
            first += count;
        }
    }

    /// Calls back with whether the mover is in check at some codes of a segment, in ascending order.
    #[inline(always)]
    pub(super) fn legal_checks(
        &self,
        instructions: impl Instructions,
        lines: &[Lines; 2],
        plan: &Plan,
        segment: u32,
        codes: &[u32],
        mut emit: impl FnMut(bool),
    ) {
        let mut legal = LegalStarts::new(self, instructions, lines, segment);
        for codes in codes.chunks(LEGAL_LANES) {
            legal.place(plan, codes);
            let [_, royal] = legal.royals;
            let checks = legal.attacks(OTHER, royal).nonzero(instructions);
            (0..codes.len()).for_each(|lane| emit(checks >> lane & 1 != 0));
        }
    }
}

impl<'a, I: Instructions> LegalStarts<'a, I> {
    /// No positions yet, of a segment.
    #[inline(always)]
    fn new(
        universe: &'a RankedUniverse,
        instructions: I,
        lines: &'a [Lines; 2],
        segment: u32,
    ) -> LegalStarts<'a, I> {
        let (class, pair) = universe.class_and_pair(segment);
        let game = universe.game();
        let [mover, other] = universe.pairs[pair].map(|square| game.board().rotated(square));
        LegalStarts {
            universe,
            instructions,
            lines,
            men: Men::of(universe, &universe.classes[class]),
            pawns: Pawns::of(universe),
            class,
            pair,
            royals: [other, mover],
            zone: game.zone(MOVER),
            dead: std::array::from_fn(|k| match universe.kinds.get(k) {
                Some(kind) => game.dead_squares(MOVER, kind.kind as u8),
                None => 0,
            }),
            placements: Placements::NONE,
            empty: Lanes::ZERO,
            occupied: Lanes::ZERO,
            own: Lanes::ZERO,
        }
    }

    /// The starts of at most 32 codes, in ascending order.
    #[inline(always)]
    fn starts(&mut self, plan: &Plan, codes: &[u32]) -> [u8; LEGAL_LANES] {
        self.place(plan, codes);
        let holes = self.holes();
        let mut moves = self.moves(codes, &holes);
        moves = moves.zip(&holes, |moves, hole| match hole {
            0 => moves,
            _ => u32::from(Starts::HOLE),
        });
        moves.0.map(|moves| moves as u8)
    }

    #[inline(always)]
    fn place(&mut self, plan: &Plan, codes: &[u32]) {
        let royals = self.universe.pairs[self.pair];
        self.placements.decode(
            self.instructions,
            self.universe,
            &plan.coded,
            royals,
            &Lanes::filled(codes),
            false,
        );
        let [other, own] = self.royals.map(one);
        self.own = Lanes::splat(own);
        let mut all = Lanes::splat(other | own);
        for man in self.men.all() {
            let square = &self.placements.0[man.slot];
            all = all.zip(square, |all, square| all | square);
            if man.color == MOVER {
                self.own = self.own.zip(square, |own, square| own | square);
            }
        }
        let board = self.universe.game().board().all();
        self.empty = all.map(|all| board & !all);
        self.occupied = self.empty.map(|empty| !empty);
    }

    fn lines(&self, color: Color) -> &Lines {
        &self.lines[color.index()]
    }

    /// What is between a man and a square, if the man slides.
    #[inline(always)]
    fn between(&self, man: &Man, attacked: Square) -> Option<Lanes> {
        let lines = self.lines(man.color);
        let men = &self.placements.0[man.slot];
        lines
            .slides(man.kind)
            .then(|| lines.between(self.instructions, man.kind, attacked, men))
    }

    /// Not zero where the side that does not move is in check, or pawns stand where they can't.
    #[inline(always)]
    fn holes(&self) -> Lanes {
        let [royal, _] = self.royals;
        let mut holes = Lanes::ZERO;
        if let Some(pawns) = &self.pawns {
            for color in Color::BOTH {
                let wrong = pawns.wrong(&self.men, &self.placements, color);
                holes = holes.zip(&wrong, |holes, wrong| holes | wrong);
            }
        }
        let attacks = self.attacks(MOVER, royal);
        holes.zip(&attacks, |holes, attacks| holes | attacks)
    }

    /// Not zero where the men of a color attack a square.
    #[inline(always)]
    fn attacks(&self, color: Color, attacked: Square) -> Lanes {
        let mut attacks = Lanes::ZERO;
        for man in self.men.of_color(color) {
            let square = &self.placements.0[man.slot];
            let near = self.lines(color).near(man.role(), attacked);
            attacks = attacks.zip(square, |attacks, square| attacks | square & near);
            if let Some(between) = self.between(man, attacked) {
                let open = between.zip(&self.occupied, |between, occupied| {
                    u32::from(between & occupied == 0)
                });
                attacks = attacks.zip(&open, |attacks, open| attacks | open);
            }
        }
        attacks
    }

    /// How many moves there are; of holes any number.
    #[inline(always)]
    fn moves(&self, codes: &[u32], holes: &Lanes) -> Lanes {
        let [_, royal] = self.royals;
        // Where a move other than the royal's may go to meet check, and by man that slides what is
        // between it and the royal.
        let mut meets = Lanes::splat(Squares::MAX);
        let mut between = [None; MAX_PIECES];
        for man in self.men.of_color(OTHER) {
            let square = &self.placements.0[man.slot];
            let near = self.lines(OTHER).near(man.role(), royal);
            meets = meets.zip(square, |meets, square| match square & near {
                0 => meets,
                _ => meets & square,
            });
            if let Some(passed) = self.between(man, royal) {
                let open = passed.zip(&self.occupied, |passed, occupied| match passed & occupied {
                    0 => passed,
                    _ => Squares::MAX,
                });
                let open = open.zip(square, |open, square| open | square);
                meets = meets.zip(&open, |meets, open| meets & open);
                between[man.slot] = Some(passed);
            }
        }

        let mut moves = self.royal_moves();
        for man in self.men.of_color(MOVER) {
            let square = &self.placements.0[man.slot];
            let mut to =
                self.lines(MOVER)
                    .attacks(self.instructions, man.role(), square, &self.empty);
            to = to.zip(&self.own, |to, own| to & !own);
            to = to.zip(&meets, |to, meets| to & meets);
            for other in self.men.of_color(OTHER) {
                let Some(passed) = &between[other.slot] else {
                    continue;
                };
                // Alone on the line it must stay there or take the man behind.
                let alone = passed.zip(&self.occupied, |passed, occupied| passed & occupied);
                let alone = alone.zip(square, |alone, square| u32::from(alone == square));
                let line = passed.zip(&self.placements.0[other.slot], |a, b| a | b);
                let may = alone.zip(&line, |alone, line| match alone {
                    0 => Squares::MAX,
                    _ => line,
                });
                to = to.zip(&may, |to, may| to & may);
            }
            let dead = match man.promoted {
                true => 0,
                false => self.dead[man.k],
            };
            moves = moves.zip(&to, |moves, to| {
                moves.wrapping_add((to & !dead).count_ones())
            });
            if !man.promoted && self.universe.game().kinds()[man.kind].promotes() {
                let zone = self.zone;
                let promoting = to.zip(square, |to, square| match square & zone {
                    0 => to & zone,
                    _ => to,
                });
                moves = moves.zip(&promoting, |moves, promoting| {
                    moves.wrapping_add(promoting.count_ones())
                });
            }
        }
        self.add_drops(&mut moves, &meets, codes, holes);
        moves
    }

    /// The moves of the royal.
    #[inline(always)]
    fn royal_moves(&self) -> Lanes {
        let steps = &self.universe.steps;
        let [other, own] = self.royals;
        // The royal does not stand in the way of what attacks it.
        let empty = self.empty.map(|empty| empty | one(own));
        let mut attacked = Lanes::splat(steps.attacks[0][usize::from(other)]);
        for man in self.men.of_color(OTHER) {
            let square = &self.placements.0[man.slot];
            let by_man = self
                .lines(OTHER)
                .attacks(self.instructions, man.role(), square, &empty);
            attacked = attacked.zip(&by_man, |attacked, by_man| attacked | by_man);
        }
        let to = steps.other_attacks[0][usize::from(own)];
        attacked.zip(&self.own, |attacked, own| {
            (to & !attacked & !own).count_ones()
        })
    }

    /// Adds the drops.
    #[inline(always)]
    fn add_drops(&self, moves: &mut Lanes, meets: &Lanes, codes: &[u32], holes: &Lanes) {
        let universe = self.universe;
        let class = &universe.classes[self.class];
        for (k, kind) in universe.kinds.iter().enumerate() {
            // The mover of the class, before it was turned, is "own" there.
            if kind.layouts.get(class.layouts[k]).counts[OWN_HAND] == 0 {
                continue;
            }
            let drops = universe.rotated(universe.steps.drops[kind.kind]);
            let mut to = self.empty.zip(meets, |empty, meets| empty & meets & drops);
            let pawns = self.pawns.filter(|pawns| pawns.k == k);
            if let Some(pawns) = pawns {
                let own = pawns.squares(&self.men, &self.placements, MOVER);
                to = to.zip(&pawns.files(&own), |to, files| to & !files);
            }
            *moves = moves.zip(&to, |moves, to| moves.wrapping_add(to.count_ones()));
            if pawns.is_some_and(|pawns| !pawns.may_mate) {
                let [royal, _] = self.royals;
                let checks = self.lines(MOVER).near(role(kind.kind, false), royal);
                let checks = to.zip(holes, |to, hole| match hole {
                    0 => to & checks,
                    _ => 0,
                });
                let active = u32::MAX >> (LEGAL_LANES - codes.len());
                for lane in each(checks.nonzero(self.instructions) as u32 & active) {
                    let lane = usize::from(lane);
                    for to in each(universe.rotated(checks.0[lane])) {
                        let mates = universe.drop_mates(self.class, self.pair, codes[lane], k, to);
                        moves.0[lane] = moves.0[lane].wrapping_sub(u32::from(mates));
                    }
                }
            }
        }
    }
}
