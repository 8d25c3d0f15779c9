//! A **layered** universe: positions of a game in which men leave play, as the solver sees them.
//!
//! Ranks lie in *layers*, by what is left in play. A *quiet* move leads to the *opposite* layer, which
//! holds the same boards with the other side to move; a capture leads to a layer that is solved
//! before. A layer is divided into *blocks* of equal length, in each of which the other side's men
//! stand still: what a quiet move changed is taken back within a block.

use crate::value::Value;

/// The most quiet moves of a position.
pub const MAX_QUIET_MOVES: u32 = 126;

/// A layer: a range of ranks, divided into blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The first rank.
    pub first: u64,
    /// The number of blocks.
    pub blocks: u32,
    /// The number of ranks of each block.
    pub block_len: u32,
    /// The place of the opposite layer; a layer may be its own.
    pub opposite: usize,
    /// What every position of the layer is worth, if the rules decide it.
    pub decided: Option<Value>,
}

impl Layer {
    /// The number of ranks.
    pub fn len(&self) -> u64 {
        u64::from(self.blocks) * u64::from(self.block_len)
    }

    /// Whether there are no ranks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a move leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Successor {
    /// The end: whoever made the move has won.
    Won,
    /// By a capture, the position with this rank of an earlier layer, the other side to move.
    Captured(u64),
    /// By a quiet move, the board that has this offset in the same block, the other side to move.
    Quiet(u32),
}

/// A numbered set of positions in layers.
pub trait Layered: Sync {
    /// A block that is worked on.
    type Block<'a>: Block
    where
        Self: 'a;

    /// The layers in an order in which they can be solved: a layer and its opposite are neighbors
    /// or the same, and captures lead to layers before both.
    fn layers(&self) -> &[Layer];

    /// A block of a layer.
    fn block(&self, layer: usize, block: u32) -> Self::Block<'_>;

    /// Bytes of the tables that give boards their ranks.
    fn table_bytes(&self) -> u64;

    /// The number of ranks.
    fn len(&self) -> u64 {
        self.layers().iter().map(Layer::len).sum()
    }

    /// Whether there are no ranks.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The layer that a rank is in.
    fn layer_of(&self, rank: u64) -> usize {
        self.layers().partition_point(|layer| layer.first <= rank) - 1
    }
}

/// A block of a layer: ranks by their offset from the first.
pub trait Block {
    /// Calls back with each offset in ascending order, the number of quiet moves of its position,
    /// at most [`MAX_QUIET_MOVES`], and what its captures lead to.
    fn for_each_start(&self, emit: impl FnMut(u32, u32, &[Successor]));

    /// Calls back with the blocks and offsets in the opposite layer that hold the same board with
    /// the other side to move: several, perhaps the same one twice, where that block is symmetric.
    fn opposites(&self, offset: u32, emit: impl FnMut(u32, u32));

    /// Calls back with the offset of each position from which a quiet move of the side to move here
    /// leads to this board.
    fn quiet_predecessors(&self, offset: u32, emit: impl FnMut(u32));

    /// Calls back with what every move leads to, by the rules of the game alone.
    fn successors(&self, offset: u32, emit: impl FnMut(Successor));

    /// How many boards each rank stands for, as many for every rank of the block. Boards that are
    /// symmetric in the way the block is are counted several times over its ranks, never over a rank.
    fn boards(&self) -> u32;

    /// Whether positions may have several ranks in the block.
    fn is_symmetric(&self) -> bool;

    /// Whether a rank is the lowest of those in the block that hold its position, which are several
    /// where the block is symmetric.
    fn is_first(&self, offset: u32) -> bool;
}
