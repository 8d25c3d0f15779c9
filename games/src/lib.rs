//! Rules, notation and numbering of small shogi games.

#![forbid(unsafe_code)]

mod board;
mod color;
mod explorable;
mod game;
pub mod hasami;
mod instructions;
mod law;
mod layered;
mod moves;
mod notation;
mod numbering;
mod perft;
mod piece_counts;
mod position;
mod rays;
mod record;
pub mod rules;
mod universe;
mod value;

pub use board::{Board, MAX_SQUARES, Square, Squares, each, one};
pub use color::Color;
pub use explorable::{Convention, Explorable, Reached};
pub use game::{End, EndReason, Game, GameError};
pub use instructions::{Instructions, NARROW, Portable, WIDE};
pub use law::{Checker, Checks, Law, Settlement, SettlementReason, Terms};
pub use layered::{Block, Layer, Layered, MAX_QUIET_MOVES, Successor};
pub use moves::{IllegalMove, Move};
pub use notation::{
    MoveError, MoveField, PositionError, PositionField, PositionForm, PositionProblem,
    ReadPosition, ReadRecord, RecordError, RecordProblem,
};
pub use numbering::{
    CHUNK, CompleteUniverse, Exploration, ExplorationError, LANES, Material, MaterialError,
    NUMBERING_VERSION, RankedUniverse, Sets, SetsError, UniverseError,
};
pub use perft::PerftConvention;
pub use piece_counts::PieceCounts;
pub use position::{MAX_KINDS, Piece, Position};
pub use record::{Outcome, Record};
pub use universe::{Plain, Segment, Start, Starts, Targets, Terminal, Universe};
pub use value::{Category, Value, Winner};
