//! A **universe** of hasami shogi: sets of men with all the smaller ones that captures lead to.
//!
//! A position is numbered as the side to move sees it, so both colors to move share a rank. A layer
//! holds the positions with so many own men and so many of the other side. A block of it is a set of
//! the other side's men, folded by the board's symmetries; within it the own men are ranked among
//! the squares that are left. Where the folded set is symmetric itself, a position may have several
//! ranks in its block.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::layered::{Layer, Layered};
use crate::value::Value;

use super::block::MenBlock;
use super::combinations::{Binomials, Combinations, MAX_MEN, binomial};
use super::folding::{Folding, Symmetries, orbits};
use super::game::Game;
use super::grid::{MAX_SQUARES, each, one};
use super::lines::Lines;
use super::options::NameError;
use super::position::Position;

/// The version of the formula that gives a position its rank.
pub const NUMBERING_VERSION: u32 = 1;

/// The most sets of one side's men: their table takes four bytes each.
const MAX_SETS: u128 = 1 << 28;

/// The most ranks.
const MAX_RANKS: u128 = 1 << 40;

/// Sets of men with all the smaller ones that captures lead to, numbered.
#[derive(Clone, Debug)]
pub struct Universe {
    game: Game,
    /// The men of the larger set, the greater number first.
    men: [u8; 2],
    layers: Vec<Layer>,
    /// Own and other men of each layer.
    counts: Vec<[u8; 2]>,
    tables: OnceLock<Tables>,
}

/// What numbering looks up.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    pub(crate) binomials: Binomials,
    pub(crate) symmetries: Symmetries,
    pub(crate) lines: Lines,
    /// File and rank of each square.
    pub(crate) places: [(u8, u8); MAX_SQUARES],
    /// The squares below each square.
    pub(crate) below: [u128; MAX_SQUARES],
    /// By number of men: their sets, folded.
    foldings: Vec<Option<Folding>>,
    /// By layer: the own men among the free squares.
    combinations: Vec<Combinations>,
}

impl Tables {
    #[inline(always)]
    pub(crate) fn folding(&self, men: usize) -> &Folding {
        self.foldings[men]
            .as_ref()
            .expect("the universe has such sets")
    }

    #[inline(always)]
    pub(crate) fn combinations(&self, layer: usize) -> &Combinations {
        &self.combinations[layer]
    }

    /// The rank among the squares that are not in `taken`, of squares in ascending order.
    #[inline(always)]
    pub(crate) fn rank_among(&self, squares: &[u8], taken: u128) -> u32 {
        let mut rank = 0u32;
        for (place, &square) in squares.iter().enumerate() {
            let below = (taken & self.below[usize::from(square)]).count_ones() as u8;
            rank = rank.wrapping_add(self.binomials.term(place, square.wrapping_sub(below)));
        }
        rank
    }
}

impl Universe {
    /// Everything that a game's start position can lead to.
    ///
    /// # Errors
    /// [`NameError::TooLarge`].
    pub fn whole(game: Game) -> Result<Universe, NameError> {
        let men = game.rules().men;
        Universe::new(game, [men, men])
    }

    /// An ending: positions in which one side has so many men and the other so many, and all that
    /// they can lead to.
    ///
    /// # Errors
    /// [`NameError`] if a side would have too many men or have lost, or the universe is too large.
    pub fn new(game: Game, men: [u8; 2]) -> Result<Universe, NameError> {
        let rules = *game.rules();
        let men = [men[0].max(men[1]), men[0].min(men[1])];
        if men[0] > rules.men {
            let most = rules.men;
            return Err(NameError::TooMany { men: men[0], most });
        }
        if men[1] <= rules.lost_at() {
            let (men, win, most) = (men[1], rules.win, rules.men);
            return Err(NameError::Lost { men, win, most });
        }
        let mut counts = Vec::new();
        for own in rules.lost_at() + 1..=men[0] {
            for other in rules.lost_at() + 1..=men[0] {
                if own.max(other) <= men[0] && own.min(other) <= men[1] {
                    counts.push([own, other]);
                }
            }
        }
        counts.sort_by_key(|&[own, other]| (own + other, own.min(other), own));
        let layers = layers(&game, &counts)?;
        Ok(Universe {
            game,
            men,
            layers,
            counts,
            tables: OnceLock::new(),
        })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The men of either side in the largest sets, the greater number first.
    pub fn men(&self) -> [u8; 2] {
        self.men
    }

    /// Whether the start position of the game is in the universe.
    pub fn has_start(&self) -> bool {
        self.men[1] == self.game.rules().men
    }

    /// Own men and the other side's men of a layer.
    pub fn counts(&self, layer: usize) -> [u8; 2] {
        self.counts[layer]
    }

    /// The layer with these numbers of men.
    #[inline(always)]
    pub(crate) fn layer(&self, own: u8, other: u8) -> Option<usize> {
        self.counts
            .iter()
            .position(|&counts| counts == [own, other])
    }

    pub(crate) fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let grid = self.game.grid();
            let binomials = Binomials::new();
            let symmetries = Symmetries::new(grid);
            let mut places = [(0, 0); MAX_SQUARES];
            let mut below = [0; MAX_SQUARES];
            for square in 0..grid.squares() {
                places[usize::from(square)] = (grid.file(square), grid.rank(square));
                below[usize::from(square)] = one(square) - 1;
            }
            let used = |men: u8| self.counts.iter().any(|counts| counts.contains(&men));
            let foldings = (0..=self.men[0])
                .map(|men| used(men).then(|| Folding::new(grid, men, &symmetries, &binomials)))
                .collect();
            let combinations = self.counts.iter();
            let combinations = combinations
                .map(|&[own, other]| Combinations::new(grid.squares() - other, own))
                .collect();
            Tables {
                binomials,
                symmetries,
                lines: Lines::new(grid),
                places,
                below,
                foldings,
                combinations,
            }
        })
    }

    /// The rank of a position; `None` if its numbers of men are none of the universe.
    ///
    /// ```
    /// use koma_games::hasami::Universe;
    /// let universe: Universe = "hasami@4x4".parse().unwrap();
    /// let start = universe.game().start();
    /// let rank = universe.rank(&start).unwrap();
    /// let same = universe.position(rank);
    /// assert_eq!(universe.rank(&same), Some(rank));
    /// ```
    pub fn rank(&self, position: &Position) -> Option<u64> {
        let (own, other) = (position.own(), position.other());
        let counts = [own.count_ones() as u8, other.count_ones() as u8];
        let layer = self.layer(counts[0], counts[1])?;
        let [own, other] = [own, other].map(|men| each(men).collect::<Vec<u8>>());
        Some(self.rank_of(layer, &own, &other))
    }

    /// The rank in a layer of men on these squares, in ascending order.
    #[inline(always)]
    pub(crate) fn rank_of(&self, layer: usize, own: &[u8], other: &[u8]) -> u64 {
        let tables = self.tables();
        let folding = tables.folding(other.len());
        let (block, symmetry) = folding.fold(tables.binomials.rank(other));
        let image = tables.symmetries.image(symmetry, own);
        let offset = tables.rank_among(&image[..own.len()], folding.folded(block).squares);
        self.rank_in(layer, block, offset)
    }

    #[inline(always)]
    pub(crate) fn rank_in(&self, layer: usize, block: u32, offset: u32) -> u64 {
        let layer = &self.layers[layer];
        layer
            .first
            .wrapping_add(u64::from(block).wrapping_mul(layer.block_len.into()))
            .wrapping_add(offset.into())
    }

    /// The position of a rank, with sente to move.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn position(&self, rank: u64) -> Position {
        let index = self.layer_of(rank);
        let layer = &self.layers[index];
        let place = rank - layer.first;
        assert!(place < layer.len(), "rank {rank} of {}", self.len());
        let block = (place / u64::from(layer.block_len)) as u32;
        let offset = (place % u64::from(layer.block_len)) as u32;
        self.block(index, block).position(offset)
    }
}

/// The layers with these numbers of men.
fn layers(game: &Game, counts: &[[u8; 2]]) -> Result<Vec<Layer>, NameError> {
    let (grid, rules) = (game.grid(), game.rules());
    let squares = u64::from(grid.squares());
    let placements = |&[own, other]: &[u8; 2]| {
        let [own, other] = [own, other].map(u64::from);
        binomial(squares, other).saturating_mul(binomial(squares - other, own))
    };
    let sizes = |&[own, other]: &[u8; 2]| {
        let block_len = binomial(squares - u64::from(other), own.into());
        (orbits(grid, other), block_len)
    };
    let fits = counts.iter().all(|counts| {
        let [own, other] = *counts;
        let (blocks, block_len) = sizes(counts);
        [own, other]
            .iter()
            .all(|&men| usize::from(men) <= MAX_MEN && binomial(squares, men.into()) <= MAX_SETS)
            && blocks <= MAX_SETS
            && block_len <= MAX_SETS
    });
    let ranks = counts.iter().map(|counts| {
        let (blocks, block_len) = sizes(counts);
        blocks.saturating_mul(block_len)
    });
    if !fits || ranks.fold(0u128, u128::saturating_add) > MAX_RANKS {
        let positions = counts.iter().map(placements).fold(0, u128::saturating_add);
        return Err(NameError::TooLarge { positions });
    }
    let mut first = 0;
    let layers = counts.iter().map(|counts| {
        let [own, other] = *counts;
        let (blocks, block_len) = sizes(counts);
        let layer = Layer {
            first,
            blocks: blocks as u32,
            block_len: block_len as u32,
            opposite: 0,
            decided: decided(rules.lead, rules.lead_reply, own, other),
        };
        first += layer.len();
        layer
    });
    let mut layers: Vec<Layer> = layers.collect();
    for (layer, &[own, other]) in layers.iter_mut().zip(counts) {
        let opposite = counts.iter().position(|&counts| counts == [other, own]);
        layer.opposite = opposite.expect("both sides' numbers may be exchanged");
    }
    Ok(layers)
}

/// What the lead alone decides.
fn decided(lead: Option<u8>, reply: bool, own: u8, other: u8) -> Option<Value> {
    let lead = lead?;
    if own >= other.saturating_add(lead) {
        Some(Value::Win(0))
    } else if !reply && other >= own.saturating_add(lead) {
        Some(Value::Loss(0))
    } else {
        None
    }
}

impl Layered for Universe {
    type Block<'a> = MenBlock<'a>;

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn block(&self, layer: usize, block: u32) -> MenBlock<'_> {
        MenBlock::new(self, layer, block)
    }

    fn table_bytes(&self) -> u64 {
        let grid = self.game.grid();
        let used = |men: u8| self.counts.iter().any(|counts| counts.contains(&men));
        let foldings = (0..=self.men[0]).filter(|&men| used(men));
        let foldings: u64 = foldings.map(|men| Folding::bytes(grid, men)).sum();
        let combinations = self.counts.iter();
        let combinations: u64 = combinations
            .map(|&[own, other]| Combinations::bytes(grid.squares() - other, own))
            .sum();
        foldings + combinations
    }
}

impl fmt::Display for Universe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game.rules_name())?;
        if !self.has_start() {
            write!(f, ":{}v{}", self.men[0], self.men[1])?;
        }
        Ok(())
    }
}

impl FromStr for Universe {
    type Err = NameError;

    /// Reads the name of a game, and behind it, if it is there, an ending such as `:3v2`.
    fn from_str(text: &str) -> Result<Universe, NameError> {
        let last = text.rsplit_once(':');
        match last.filter(|(_, last)| last.starts_with(|sign: char| sign.is_ascii_digit())) {
            Some((game, ending)) => {
                let wrong = || NameError::Ending(ending.to_owned());
                let (a, b) = ending.split_once('v').ok_or_else(wrong)?;
                let number = |text: &str| {
                    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
                    let number = text
                        .parse::<u8>()
                        .ok()
                        .filter(|&number| plain && number > 0);
                    number.ok_or_else(wrong)
                };
                Universe::new(game.parse()?, [number(a)?, number(b)?])
            }
            None => Universe::whole(text.parse()?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::{MAX_SIDE, MIN_SIDE};
    use super::*;
    use crate::layered::MAX_QUIET_MOVES;

    /// A man has no more moves than squares on its lines, and a free square is reached from four
    /// sides at most: so no universe that can be numbered has more moves than cells can count.
    #[test]
    fn moves_can_be_counted() {
        for width in MIN_SIDE..=MAX_SIDE {
            for height in MIN_SIDE..=MAX_SIDE {
                let squares = u64::from(width) * u64::from(height);
                let most = (1..squares.min(MAX_MEN as u64 + 1))
                    .filter(|&men| binomial(squares, men) <= MAX_SETS)
                    .map(|men| {
                        let lines = men * u64::from(width + height - 2);
                        lines.min(4 * (squares - men - 1))
                    })
                    .max();
                assert!(most <= Some(MAX_QUIET_MOVES.into()), "{width}x{height}");
            }
        }
    }
}
