//! **Lines** of attack on a square: from which squares men attack it, and what must be empty for it.
//!
//! A man *near* a square attacks it whatever else stands on the board; one *afar* slides, and attacks
//! it if nothing stands between. Both are tables by the attacked square, which is a royal's in all of
//! this: the same for all positions of a segment.

use super::batch::Way;
use super::lanes::{self, Number};
use crate::board::{Board, MAX_SQUARES, Square, Squares, each, one};
use crate::color::Color;
use crate::game::{Game, role};
use crate::instructions::Instructions;
use crate::position::{MAX_KINDS, Piece};
use crate::rules::Step;

/// Positions worked on together where check must be met.
pub(crate) const LEGAL_LANES: usize = 32;

/// Sets of squares of so many positions.
pub(crate) type Lanes = lanes::Lanes<u32, LEGAL_LANES>;

const ROLES: usize = 2 * MAX_KINDS;

/// Stands for what is between a square and a man that does not attack it from afar. On no board with
/// lines is it a square, and sets of occupied squares have it: so nothing ever opens that line.
const NEVER: Squares = 1 << (Squares::BITS - 1);

type BySquare = [Squares; MAX_SQUARES];

/// The lines of the men of one color.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// By role and attacked square, the squares near it from which a man attacks it.
    near: [BySquare; ROLES],
    /// By kind and attacked square, if men of the kind slide.
    far: [Option<Box<[Far; MAX_SQUARES]>>; MAX_KINDS],
    /// By role and square, the squares a step away.
    steps: [BySquare; ROLES],
    /// The same as ways.
    step_ways: Vec<Vec<Way>>,
    /// By role, the ways of a slide by one square.
    slide_ways: Vec<Vec<Way>>,
}

/// The lines along which men of a kind attack a square from afar.
#[derive(Clone, Debug)]
struct Far {
    /// By the square of the man, the squares between, or [`NEVER`].
    between: BySquare,
    /// The lines, from the attacked square on: the squares, and the distance to the next.
    rays: Vec<(Squares, i32)>,
}

impl Lines {
    /// The lines of both colors; none if the board has a square too many.
    pub(crate) fn of(game: &Game) -> Option<[Lines; 2]> {
        let fits = game.board().all() & NEVER == 0;
        fits.then(|| Color::BOTH.map(|color| Lines::new(game, color)))
    }

    fn new(game: &Game, color: Color) -> Lines {
        let board = game.board();
        let sign = match color {
            Color::Sente => 1,
            Color::Gote => -1,
        };
        let mut lines = Lines {
            near: [[0; MAX_SQUARES]; ROLES],
            far: [const { None }; MAX_KINDS],
            steps: [[0; MAX_SQUARES]; ROLES],
            step_ways: vec![Vec::new(); ROLES],
            slide_ways: vec![Vec::new(); ROLES],
        };
        for (index, kind) in game.kinds().iter().enumerate() {
            let turned = |&(files, ranks): &Step| (sign * files, sign * ranks);
            let slides: Vec<Step> = kind.slides.iter().map(turned).collect();
            for (promoted, steps) in [(false, kind.steps), (true, kind.promoted_steps)] {
                let role = role(index, promoted);
                for step in steps.iter().map(turned) {
                    let way = way(board, step);
                    for from in each(way.from) {
                        let to = from.wrapping_add_signed(way.distance as i8);
                        lines.steps[role][usize::from(from)] |= one(to);
                    }
                    lines.step_ways[role].push(way);
                }
                lines.slide_ways[role] = slides.iter().map(|&step| way(board, step)).collect();
                let piece = Piece {
                    color,
                    kind: index as u8,
                    promoted,
                };
                for from in each(board.all()) {
                    for to in each(game.attacks_over(piece, from, board.all())) {
                        lines.near[role][usize::from(to)] |= one(from);
                    }
                }
            }
            if !slides.is_empty() {
                let far = std::array::from_fn(|at| Far::new(board, &slides, at as Square));
                lines.far[index] = Some(Box::new(far));
            }
        }
        lines
    }

    /// The squares near a square from which men attack it.
    #[inline(always)]
    pub(crate) fn near(&self, role: usize, attacked: Square) -> Squares {
        self.near[role][usize::from(attacked) % MAX_SQUARES]
    }

    /// Whether men of a kind slide.
    #[inline(always)]
    pub(crate) fn slides(&self, kind: usize) -> bool {
        self.far[kind].is_some()
    }

    /// What is between a square and each man of a kind that slides; of sets that hold one square.
    #[inline(always)]
    pub(crate) fn between(
        &self,
        instructions: impl Instructions,
        kind: usize,
        attacked: Square,
        men: &Lanes,
    ) -> Lanes {
        let far = self.far[kind].as_ref().expect("a kind that slides");
        let between = &far[usize::from(attacked) % MAX_SQUARES].between;
        indices(men).looked_up(instructions, between)
    }

    /// The squares from which men of a kind attack a square from afar over occupied ones.
    #[inline(always)]
    pub(crate) fn seen(&self, kind: usize, attacked: Square, occupied: &Lanes) -> Lanes {
        let Some(far) = &self.far[kind] else {
            return Lanes::ZERO;
        };
        let mut seen = Lanes::ZERO;
        for &(ray, distance) in &far[usize::from(attacked) % MAX_SQUARES].rays {
            let blockers = occupied.map(|occupied| occupied & ray);
            // A line goes on for four squares at most behind its first.
            let behind = blockers.shifted(distance);
            let behind = behind.zip(&behind.shifted(distance), |a, b| a | b);
            let behind = behind.zip(&behind.shifted(2 * distance), |a, b| a | b);
            seen = seen.zip(&behind, |seen, behind| seen | ray & !behind);
        }
        seen
    }

    /// The ways of a role's steps.
    #[inline(always)]
    pub(crate) fn step_ways(&self, role: usize) -> &[Way] {
        &self.step_ways[role]
    }

    /// The ways of a role's slides by one square.
    #[inline(always)]
    pub(crate) fn slide_ways(&self, role: usize) -> &[Way] {
        &self.slide_ways[role]
    }

    /// The squares that men attack, each from its square: a slide ends at the first square that is not
    /// empty, which is attacked too.
    #[inline(always)]
    pub(crate) fn attacks(
        &self,
        instructions: impl Instructions,
        role: usize,
        men: &Lanes,
        empty: &Lanes,
    ) -> Lanes {
        let mut attacked = match self.step_ways[role].is_empty() {
            true => Lanes::ZERO,
            false => indices(men).looked_up(instructions, &self.steps[role]),
        };
        for way in &self.slide_ways[role] {
            let mut at = *men;
            for _ in 0..LONGEST {
                at = way.reached(&at);
                attacked = attacked.zip(&at, |set, at| set | at);
                at = at.zip(empty, |at, empty| at & empty);
            }
        }
        attacked
    }
}

/// The most squares that a slide passes, on boards of up to 5x6.
const LONGEST: usize = 5;

impl Way {
    /// The squares from which men come to these.
    #[inline(always)]
    pub(super) fn left(&self, to: &Lanes) -> Lanes {
        let from = self.from;
        to.shifted(-self.distance).map(|squares| squares & from)
    }
}

impl Far {
    fn new(board: Board, slides: &[Step], attacked: Square) -> Far {
        let mut far = Far {
            between: [NEVER; MAX_SQUARES],
            rays: Vec::new(),
        };
        if attacked >= board.len() {
            return far;
        }
        for &(files, ranks) in slides {
            // From the attacked square back to where a man may stand.
            let mut passed = 0;
            let mut at = attacked;
            while let Some(from) = board.step(at, (-files, -ranks)) {
                if passed != 0 {
                    far.between[usize::from(from)] = passed;
                }
                passed |= one(from);
                at = from;
            }
            if passed != 0 {
                far.rays.push((passed, -distance(board, (files, ranks))));
            }
        }
        far
    }
}

fn distance(board: Board, (files, ranks): Step) -> i32 {
    i32::from(files) + i32::from(board.width()) * i32::from(ranks)
}

fn way(board: Board, step: Step) -> Way {
    Way {
        distance: distance(board, step),
        from: each(board.all())
            .filter(|&from| board.step(from, step).is_some())
            .fold(0, |set, from| set | one(from)),
    }
}

/// The numbers of squares, from sets that hold one each.
#[inline(always)]
fn indices(squares: &Lanes) -> Lanes {
    squares.map(|square| square.minus(1).ones())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instructions::Portable;

    /// Random occupations and men, against the attacks of the rules.
    #[test]
    fn lines_are_those_of_the_rules() {
        let mut state = 1u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u32
        };
        for name in ["minishogi", "gorogoro"] {
            let game: Game = name.parse().unwrap();
            let board = game.board();
            for (color, lines) in Color::BOTH.into_iter().zip(Lines::of(&game).unwrap()) {
                for _ in 0..2_000 {
                    let occupied = random() & random() & board.all();
                    let from = (random() % u32::from(board.len())) as Square;
                    let royal = (random() % u32::from(board.len())) as Square;
                    let kind = random() as usize % game.kinds().len();
                    let promoted = game.kinds()[kind].promotes() && random() % 2 == 0;
                    let piece = Piece {
                        color,
                        kind: kind as u8,
                        promoted,
                    };
                    let expected = game.attacks_over(piece, from, occupied);
                    let empty = Lanes::splat(board.all() & !occupied);
                    let full = Lanes::splat(occupied | !board.all());
                    let men = Lanes::splat(one(from));
                    let role = role(kind, promoted);
                    let found = lines.attacks(Portable, role, &men, &empty);
                    assert_eq!(found.0[7], expected, "{name} {piece:?} {from} {occupied:b}");

                    let attacks = expected & one(royal) != 0;
                    let near = lines.near(role, royal) & one(from) != 0;
                    let seen = lines.seen(kind, royal, &full).0[7] & one(from) != 0;
                    assert_eq!(near || seen, attacks, "{name} {piece:?} {from} {royal}");
                    if lines.slides(kind) {
                        let between = lines.between(Portable, kind, royal, &men).0[7];
                        assert_eq!(near || between & full.0[7] == 0, attacks);
                    }
                }
            }
        }
    }
}
