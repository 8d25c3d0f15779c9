//! A **ranked universe**: all legal placements of a fixed multiset of pieces, numbered by formula.
//!
//! - The side to move is sente: otherwise board and colors are turned around.
//! - *Pair*: the squares of the two royals, the mirror taken out (see `pairs`). Pairs that the rules
//!   decide at once have no rank: royals that attack each other, and a royal on its far rank where
//!   that is a try.
//! - *Class*: a layout of every kind, the last kind of the game outermost.
//! - *Code*: the squares of the pieces, kind by kind and group by group, each numbered among the
//!   squares still free (mixed radix).
//! - rank = base of the class + pair x size of the class + code.
//!
//! No rank is a hole, but where check must be met (see `legal`). The formula's version is
//! [`NUMBERING_VERSION`]; it is part of every table. The moves between ranks are in `graph`.

use std::ops::Range;
use std::sync::OnceLock;

use super::batch::Ways;
use super::bundle::Bundle;
use super::layout::{
    BOARD_STATES, Group, Layout, Layouts, Masks, OTHER, OTHER_HAND, OUT, OWN_HAND, PROMOTED, STATES,
};
use super::lines::Lines;
use super::material::Material;
use super::name::UniverseError;
use super::pairs::Pairs;
pub(crate) use super::pairs::{NO_PAIR, Orientation};
use super::plan::Plan;
use super::steps::Steps;
use super::subsets::{for_each_subset, rank_subset, subsets, unrank_subset};
use super::tail::Tails;
use crate::board::{MAX_SQUARES, Square, Squares, each, one};
use crate::color::Color;
use crate::game::Game;
use crate::position::{MAX_KINDS, Piece, Position};

/// The version of the formula that numbers positions. It changes when any rank does.
pub const NUMBERING_VERSION: u32 = 1;

/// The most kinds besides the royal.
pub(crate) const MAX_NUMBERED: usize = MAX_KINDS - 1;

/// The most ranks a universe may have; with 64-bit ranks and 32-bit codes nothing overflows below.
const MAX_RANKS: u128 = 1 << 48;

/// A kind of the universe, in the order in which kinds are numbered.
#[derive(Clone, Debug)]
pub(crate) struct NumberedKind {
    /// Its index in the game.
    pub(crate) kind: usize,
    pub(crate) layouts: Layouts,
    /// Classes between two neighbouring layouts of this kind.
    pub(crate) stride: u32,
}

/// One layout of every kind.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) base: u64,
    /// Codes of one royal pair.
    pub(crate) size: u32,
    /// Codes of each kind.
    pub(crate) radix: [u32; MAX_NUMBERED],
    pub(crate) layouts: [u16; MAX_NUMBERED],
}

/// The squares of all pieces, seen by the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// The mover's royal and the other one.
    pub(crate) royals: [Square; 2],
    pub(crate) masks: [Masks; MAX_NUMBERED],
    pub(crate) layouts: [u16; MAX_NUMBERED],
}

/// All legal placements of a fixed multiset of pieces, seen by the side to move.
///
/// ```
/// use koma_games::{Game, RankedUniverse, Universe};
/// let universe: RankedUniverse = "dobutsu".parse().unwrap();
/// assert_eq!(universe.len(), 249_442_767);
/// let start = universe.game().start().unwrap();
/// let rank = universe.rank(&start).unwrap();
/// assert_eq!(universe.unrank(rank), start);
/// ```
#[derive(Clone, Debug)]
pub struct RankedUniverse {
    game: Game,
    material: Material,
    pub(crate) steps: Steps,
    pub(crate) kinds: Vec<NumberedKind>,
    pub(crate) classes: Vec<Class>,
    pub(crate) pairs: Pairs,
    pub(crate) bundles: Vec<Bundle>,
    /// Files to exchange for the mirror image, as the left file's squares and the distance.
    mirror_swaps: Vec<(Squares, u32)>,
    centre_file: Squares,
    /// See [`turned_square`](RankedUniverse::turned_square).
    turned_squares: [[Squares; MAX_SQUARES]; 2],
    pub(crate) ways: Ways,
    /// Sente's and gote's, where check must be met.
    pub(super) lines: Option<Box<[Lines; 2]>>,
    /// One for each class where the vector kernel can work, made when it is first needed: a query
    /// needs none.
    plans: Vec<OnceLock<Option<Box<Plan>>>>,
    pub(super) tails: Tails,
    pub(super) ranks: u64,
}

impl RankedUniverse {
    /// The universe of a game with this material.
    ///
    /// # Errors
    /// [`UniverseError::TooLarge`] if there would be more than 2^48 ranks, or more than 2^32 in
    /// one class and pair. [`UniverseError::Unnumbered`] if the options are of no game that has a
    /// name.
    pub fn new(game: Game, material: Material) -> Result<RankedUniverse, UniverseError> {
        if !is_numbered(&game) {
            return Err(UniverseError::Unnumbered);
        }
        let board = game.board();
        let mut kinds: Vec<NumberedKind> = (1..game.kinds().len())
            .rev()
            .filter(|&kind| material.count(kind) > 0)
            .map(|kind| NumberedKind {
                kind,
                layouts: Layouts::new(
                    material.count(kind),
                    game.kinds()[kind].promotes(),
                    game.options().drops,
                ),
                stride: 1,
            })
            .collect();
        let mut stride = 1;
        for kind in kinds.iter_mut().rev() {
            kind.stride = stride;
            stride *= kind.layouts.len() as u32;
        }

        let steps = Steps::new(&game);
        let pairs = Pairs::new(board, |[mover, other]| {
            one(mover) & steps.try_rank == 0
                && one(other) & (steps.other_try_rank | steps.attacks[0][usize::from(mover)]) == 0
        });

        let mut classes = Vec::with_capacity(stride as usize);
        let mut ranks: u128 = 0;
        for class in 0..stride {
            let mut radix = [0; MAX_NUMBERED];
            let mut layouts = [0; MAX_NUMBERED];
            let mut free = u32::from(board.len()) - 2;
            let mut size: u128 = 1;
            for (k, kind) in kinds.iter().enumerate() {
                layouts[k] = (class / kind.stride % kind.layouts.len() as u32) as u16;
                let layout = kind.layouts.get(layouts[k]);
                let mut codes: u32 = 1;
                for group in layout.groups() {
                    if free < u32::from(group.count) {
                        codes = 0;
                        break;
                    }
                    codes = codes
                        .checked_mul(subsets(free, group.count))
                        .ok_or(UniverseError::TooLarge)?;
                    free -= u32::from(group.count);
                }
                radix[k] = codes;
                size *= u128::from(codes);
                if codes == 0 {
                    break;
                }
            }
            classes.push(Class {
                base: ranks as u64,
                size: u32::try_from(size).map_err(|_| UniverseError::TooLarge)?,
                radix,
                layouts,
            });
            ranks += size * pairs.len() as u128;
            if ranks > MAX_RANKS {
                return Err(UniverseError::TooLarge);
            }
        }

        let mirror_swaps = (0..board.width() / 2)
            .map(|file| {
                let squares = (0..board.height())
                    .map(|rank| one(board.square(file, rank)))
                    .fold(0, |set, square| set | square);
                (squares, u32::from(board.width() - 1 - 2 * file))
            })
            .collect();
        let ways_of = |tables: &[[Squares; MAX_SQUARES]]| {
            let ways = tables.iter().map(|reached| Ways::of(board, reached));
            ways.collect::<Vec<_>>()
        };
        let ways = Ways {
            quiet: ways_of(&steps.quiet_to),
            promoting: ways_of(&steps.promoting_to),
        };
        let mut turned_squares = [[0; MAX_SQUARES]; 2];
        for square in each(board.all()) {
            let turned = board.rotated(square);
            turned_squares[0][usize::from(square)] = one(turned);
            turned_squares[1][usize::from(square)] = one(board.mirrored(turned));
        }
        Ok(RankedUniverse {
            steps,
            turned_squares,
            ways,
            lines: match game.options().exposure {
                true => None,
                false => Lines::of(&game).map(Box::new),
            },
            plans: vec![OnceLock::new(); classes.len()],
            tails: Tails::new(),
            kinds,
            classes,
            mirror_swaps,
            centre_file: each(board.all())
                .filter(|&square| board.mirrored(square) == square)
                .fold(0, |set, square| set | one(square)),
            bundles: Bundle::all(board, &pairs),
            pairs,
            ranks: ranks as u64,
            game,
            material,
        })
    }

    /// The plan of a class, if the vector kernel can work on it.
    pub(crate) fn plan(&self, class: usize) -> Option<&Plan> {
        self.plans[class]
            .get_or_init(|| Plan::new(self, &self.classes[class]).map(Box::new))
            .as_deref()
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The pieces in play.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The rank of a position; `None` if it is not in the universe: other material, or one that
    /// the rules decide at once (see the module's text).
    pub fn rank(&self, position: &Position) -> Option<u64> {
        let (class, pair, code) = self.locate(&self.pairs, position)?;
        let class = &self.classes[class];
        Some(class.base + pair as u64 * u64::from(class.size) + u64::from(code))
    }

    /// The class, pair and code of a position; `None` if it has other material or none of the
    /// pairs.
    pub(crate) fn locate(&self, pairs: &Pairs, position: &Position) -> Option<(usize, usize, u32)> {
        let mover = match position.side() {
            Color::Sente => *position,
            Color::Gote => self.game.rotated(position),
        };
        let royals = [mover.royal(Color::Sente)?, mover.royal(Color::Gote)?];
        let orientation = pairs.orientation(royals);
        if orientation.pair == NO_PAIR {
            return None;
        }
        let mut masks = [[0; BOARD_STATES]; MAX_KINDS];
        let mut all_pieces = 0;
        for square in 0..self.game.board().len() {
            if let Some(piece) = mover.piece(square) {
                all_pieces += 1;
                let state = piece.color.index() * OTHER + usize::from(piece.promoted) * PROMOTED;
                let square = if orientation.flip {
                    self.game.board().mirrored(square)
                } else {
                    square
                };
                masks[usize::from(piece.kind)][state] |= one(square);
            }
        }
        let mut numbered = [[0; BOARD_STATES]; MAX_NUMBERED];
        let mut class = 0;
        let mut pieces = 0;
        for (k, kind) in self.kinds.iter().enumerate() {
            numbered[k] = masks[kind.kind];
            let mut counts = [0; STATES];
            for (count, mask) in counts.iter_mut().zip(numbered[k]) {
                *count = mask.count_ones() as u8;
            }
            counts[OWN_HAND] = mover.hand(Color::Sente, kind.kind as u8);
            counts[OTHER_HAND] = mover.hand(Color::Gote, kind.kind as u8);
            let in_play: u8 = counts.iter().sum();
            pieces += in_play;
            if !self.game.options().drops {
                counts[OUT] = self.material.count(kind.kind).checked_sub(in_play)?;
            }
            class += u32::from(kind.layouts.find(counts)?) * kind.stride;
        }
        // Pieces that the universe lacks: other kinds, or more than one royal a side.
        for color in Color::BOTH {
            all_pieces += (0..MAX_KINDS as u8)
                .map(|kind| mover.hand(color, kind))
                .sum::<u8>();
        }
        if all_pieces != pieces + 2 {
            return None;
        }
        let class = class as usize;
        let pair = usize::from(orientation.pair);
        let free = self.free_of_royals(pairs[pair]);
        let code = self.encode_from(&self.classes[class], 0, 0, free, &numbered);
        Some((class, pair, code))
    }

    /// The position of a rank, with sente to move.
    ///
    /// # Panics
    /// If the rank is not below the universe's length.
    pub fn unrank(&self, rank: u64) -> Position {
        self.position(&self.placement(rank))
    }

    /// The position of a placement, with sente to move.
    pub(crate) fn position(&self, placement: &Placement) -> Position {
        let mut position = Position::empty(Color::Sente);
        for (color, square) in Color::BOTH.into_iter().zip(placement.royals) {
            position.set(square, Some(Piece::royal(color)));
        }
        for (k, kind) in self.kinds.iter().enumerate() {
            for (state, mask) in placement.masks[k].into_iter().enumerate() {
                for square in each(mask) {
                    let piece = Piece {
                        color: Color::BOTH[state / OTHER],
                        kind: kind.kind as u8,
                        promoted: state % OTHER == PROMOTED,
                    };
                    position.set(square, Some(piece));
                }
            }
            let counts = kind.layouts.get(placement.layouts[k]).counts;
            for (color, state) in Color::BOTH.into_iter().zip([OWN_HAND, OTHER_HAND]) {
                position.set_hand(color, kind.kind as u8, counts[state]);
            }
        }
        position
    }

    /// The class and pair of a segment. Segments are numbered class by class, pair by pair.
    #[inline]
    pub(crate) fn class_and_pair(&self, segment: u32) -> (usize, usize) {
        let pairs = self.pairs.len();
        (segment as usize / pairs, segment as usize % pairs)
    }

    /// The bundle that a pair is in.
    pub(super) fn bundle_of(&self, pair: usize) -> &Bundle {
        let behind = self
            .bundles
            .partition_point(|bundle| bundle.pairs.end <= pair);
        &self.bundles[behind]
    }

    /// The segments of a class and bundle.
    pub(crate) fn stretch_of(&self, class: usize, bundle: &Bundle) -> Range<u32> {
        let first = class * self.pairs.len();
        (first + bundle.pairs.start) as u32..(first + bundle.pairs.end) as u32
    }

    /// Class, pair and code of a rank.
    pub(crate) fn split(&self, rank: u64) -> (usize, usize, u32) {
        assert!(rank < self.ranks, "rank {rank} of {}", self.ranks);
        let class = self
            .classes
            .partition_point(|class| class.base <= rank)
            .checked_sub(1)
            .expect("the first class starts at rank 0");
        let in_class = rank - self.classes[class].base;
        let size = u64::from(self.classes[class].size);
        (class, (in_class / size) as usize, (in_class % size) as u32)
    }

    /// The squares of the pieces at a rank.
    pub(crate) fn placement(&self, rank: u64) -> Placement {
        let (class, pair, code) = self.split(rank);
        self.placement_at(class, self.pairs[pair], code)
    }

    /// The squares of the pieces at a code of a class, with the royals on these squares.
    #[inline(always)]
    pub(crate) fn placement_at(&self, class: usize, royals: [Square; 2], code: u32) -> Placement {
        let class = &self.classes[class];
        let mut digits = [0; MAX_NUMBERED];
        let mut rest = code;
        for k in (0..self.kinds.len()).rev() {
            digits[k] = rest % class.radix[k];
            rest /= class.radix[k];
        }
        let mut masks = [[0; BOARD_STATES]; MAX_NUMBERED];
        let mut free = self.free_of_royals(royals);
        for (k, kind) in self.kinds.iter().enumerate() {
            let layout = kind.layouts.get(class.layouts[k]);
            let mut width = [0; BOARD_STATES];
            let mut squares = free.count_ones();
            for (width, group) in width.iter_mut().zip(layout.groups()) {
                *width = subsets(squares, group.count);
                squares -= u32::from(group.count);
            }
            let mut digit = digits[k];
            let mut group_digits = [0; BOARD_STATES];
            for g in (0..layout.groups().len()).rev() {
                group_digits[g] = digit % width[g];
                digit /= width[g];
            }
            for (digit, group) in group_digits.into_iter().zip(layout.groups()) {
                let mask = unrank_subset(free, digit, group.count);
                masks[k][usize::from(group.state)] = mask;
                free &= !mask;
            }
        }
        Placement {
            royals,
            masks,
            layouts: class.layouts,
        }
    }

    /// How the royals (the mover's, the other) are brought into the numbering.
    #[inline(always)]
    pub(crate) fn orientation(&self, royals: [Square; 2]) -> Orientation {
        self.pairs.orientation(royals)
    }

    /// The code of the kinds from `first` on, behind the code of those before.
    #[inline(always)]
    pub(crate) fn encode_from(
        &self,
        class: &Class,
        first: usize,
        code: u32,
        free: Squares,
        masks: &[Masks; MAX_NUMBERED],
    ) -> u32 {
        let mut code = code;
        let mut free = free;
        let kinds = self.kinds[first..].iter();
        for (kind, (&layout, masks)) in
            kinds.zip(class.layouts[first..].iter().zip(&masks[first..]))
        {
            (code, free) = append(code, free, kind.layouts.get(layout), masks);
        }
        code
    }

    /// The class after changes of states in these layouts, each as (kind, from, to); none if no piece
    /// is in such a state.
    pub(crate) fn class_after(
        &self,
        mut layouts: [u16; MAX_NUMBERED],
        changes: &[(usize, usize, usize)],
    ) -> Option<usize> {
        for &(k, from, to) in changes {
            layouts[k] = self.kinds[k].layouts.moved(layouts[k], from, to)?;
        }
        let class: u32 = self
            .kinds
            .iter()
            .zip(layouts)
            .map(|(kind, layout)| u32::from(layout) * kind.stride)
            .sum();
        Some(class as usize)
    }

    /// A set of squares in the left-right mirror.
    #[inline(always)]
    pub(crate) fn mirrored(&self, squares: Squares) -> Squares {
        let mut mirrored = squares & self.centre_file;
        for &(left, distance) in &self.mirror_swaps {
            mirrored |= (squares & left) << distance | (squares >> distance) & left;
        }
        mirrored
    }

    /// What a mirror image is made of: squares of left files with the distance to the right file
    /// that they change places with, and the centre file.
    pub(crate) fn mirror(&self) -> (&[(Squares, u32)], Squares) {
        (&self.mirror_swaps, self.centre_file)
    }

    /// A square seen from the other side of the board, mirrored or not, as a set.
    #[inline(always)]
    pub(crate) fn turned_square(&self, square: Square, flip: bool) -> Squares {
        self.turned_squares[usize::from(flip)][usize::from(square) % MAX_SQUARES]
    }

    /// Every square seen from the other side of the board, and that in the mirror.
    #[inline(always)]
    pub(crate) fn turned_squares(&self) -> &[[Squares; MAX_SQUARES]; 2] {
        &self.turned_squares
    }

    /// A set of squares seen from the other side of the board.
    #[inline(always)]
    pub(crate) fn rotated(&self, squares: Squares) -> Squares {
        squares.reverse_bits() >> (32 - u32::from(self.game.board().len()))
    }

    /// Whether sets of squares fit narrow lanes.
    pub(crate) fn is_narrow(&self) -> bool {
        u32::from(self.game.board().len()) <= u16::BITS
    }

    /// The squares on which men may stand.
    pub(crate) fn free_of_royals(&self, royals: [Square; 2]) -> Squares {
        self.game.board().all() & !one(royals[0]) & !one(royals[1])
    }

    /// Calls back with class, pair and code of each position of centred pairs that is its own
    /// mirror image: like pieces stand on the centre file or in mirror images of each other.
    pub(crate) fn self_images(&self, pairs: &Pairs, mut emit: impl FnMut(usize, usize, u32)) {
        for pair in (0..pairs.len()).filter(|&pair| pairs.is_centred(pair)) {
            let free = self.free_of_royals(pairs[pair]);
            for (index, class) in self.classes.iter().enumerate() {
                if class.size == 0 {
                    continue;
                }
                let groups: Vec<(usize, Group)> = (0..self.kinds.len())
                    .flat_map(|k| {
                        let layout = self.kinds[k].layouts.get(class.layouts[k]);
                        layout.groups().iter().map(move |&group| (k, group))
                    })
                    .collect();
                let mut masks = [[0; BOARD_STATES]; MAX_NUMBERED];
                self.symmetric_subsets(&groups, free, &mut masks, &mut |masks| {
                    emit(index, pair, self.encode_from(class, 0, 0, free, masks));
                });
            }
        }
    }

    /// Every way to put the groups on free squares, each on a set that is its own mirror image.
    fn symmetric_subsets(
        &self,
        groups: &[(usize, Group)],
        free: Squares,
        masks: &mut [Masks; MAX_NUMBERED],
        emit: &mut impl FnMut(&[Masks; MAX_NUMBERED]),
    ) {
        let Some((&(k, group), rest)) = groups.split_first() else {
            emit(masks);
            return;
        };
        for_each_subset(free, group.count, |squares| {
            if self.mirrored(squares) == squares {
                masks[k][usize::from(group.state)] = squares;
                self.symmetric_subsets(rest, free & !squares, masks, emit);
            }
        });
        masks[k][usize::from(group.state)] = 0;
    }
}

/// Whether the moves between ranks are known: for games of steps in which the royal may be exposed,
/// and for those without a try in which check must be met.
fn is_numbered(game: &Game) -> bool {
    let options = game.options();
    let only_steps = game.kinds().iter().all(|kind| kind.slides.is_empty());
    let free_pawns = options.doubled_pawns && options.pawn_drop_mates;
    match options.exposure {
        true => only_steps && free_pawns,
        false => !options.try_wins,
    }
}

/// Appends the code of one kind's pieces; returns the code and the squares still free.
// Codes are below their class's size, which was computed with checks: they can't overflow.
#[inline(always)]
pub(crate) fn append(code: u32, free: Squares, layout: &Layout, masks: &Masks) -> (u32, Squares) {
    let mut code = code;
    let mut free = free;
    for group in layout.groups() {
        let mask = masks[usize::from(group.state) % BOARD_STATES];
        code = code.wrapping_mul(subsets(free.count_ones(), group.count));
        code = code.wrapping_add(rank_subset(free, mask, group.count));
        free &= !mask;
    }
    (code, free)
}
