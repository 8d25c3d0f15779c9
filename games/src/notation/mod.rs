//! The **notation** of positions and moves: how they are read and written.
//!
//! Positions are read in every notation of [`PositionForm`] and written as SFEN or FEN. Moves are
//! read and written as USI, as squares, in Japanese and in Tanaka's notation. All of it is read
//! from the data of the game's [`Family`](crate::rules::Family); nothing here knows a game.

mod alphabet;
mod clausecker;
mod fen;
mod japanese;
mod move_error;
mod move_reader;
mod position;
mod position_error;
mod reader;
mod record;
mod record_error;
mod scanner;
mod setup;
mod sfen;
mod squares;
mod tanaka;
mod usi;

pub use move_error::{MoveError, MoveField};
pub use position::{PositionForm, ReadPosition};
pub use position_error::{PositionError, PositionField, PositionProblem};
pub use record::ReadRecord;
pub use record_error::{RecordError, RecordProblem};
