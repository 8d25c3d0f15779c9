//! **Hasami shogi** on any board from 3x3 to 9x9: rules, notation, records, and the numbering of its
//! positions.
//!
//! Every man moves like a rook and captures by enclosing: see [`Rules`] for the options. Men leave
//! play when they are taken, so a set of men depends on smaller ones: a [`Universe`] holds all that
//! it needs, in layers by the numbers of men, and is what a layered analysis solves.
//!
//! ```
//! use koma_games::hasami::Game;
//! let game: Game = "hasami@3x4:lead=2".parse().unwrap();
//! let start = game.start();
//! assert_eq!(game.sfen(&start), "ppp/3/3/PPP b 0-0");
//! let mv = game.parse_move(&start, "a4a2").unwrap();
//! assert_eq!(game.sfen(&game.play(&start, mv)), "ppp/P2/3/1PP w 0-0");
//! ```

mod block;
mod captures;
mod combinations;
mod folding;
mod game;
mod grid;
mod lines;
mod notation;
mod options;
mod position;
mod record;
mod universe;

pub use block::MenBlock;
pub use game::{End, EndReason, Game, PLAYED_OCCURRENCES};
pub use grid::{Grid, MAX_SIDE, MAX_SQUARES, MIN_SIDE, Square, Squares};
pub use notation::TextError;
pub use options::{LimitRule, NameError, Play, Rules, Start};
pub use position::{Move, Position};
pub use record::{Outcome, ReadRecord, Record, RecordError};
pub use universe::{NUMBERING_VERSION, Universe};
