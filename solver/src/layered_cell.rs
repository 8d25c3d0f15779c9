//! A **cell** of a layered analysis: 16 bits, while its layer is solved and afterwards.
//!
//! | bit 15 | bit 14 | others |
//! |---|---|---|
//! | 1 | 1 | won in so many plies |
//! | 1 | 0 | lost in so many plies |
//! | 0 | 1 | a capture wins in so many plies: decided then, or sooner by a quiet move |
//! | 0 | 0 | bits 0 to 6 moves left to be counted down; bits 7 to 12 where the block has the distance at which captures are counted down, from 1; with bit 13 a loss is impossible |

use koma_games::{MAX_QUIET_MOVES, Value};

pub(crate) const DECIDED: u16 = 1 << 15;
pub(crate) const WON: u16 = 1 << 14;
pub(crate) const NEVER_LOST: u16 = 1 << 13;
pub(crate) const WIN: u16 = DECIDED | WON;
pub(crate) const LOSS: u16 = DECIDED;
pub(crate) const DUE: u16 = WON;

/// The bits of the moves that are left.
pub(crate) const MOVES: u16 = (1 << PLACE_SHIFT) - 1;

// Captures are one move more.
const _: () = assert!(MAX_QUIET_MOVES < MOVES as u32);

/// How far up the place of a distance is.
pub(crate) const PLACE_SHIFT: u32 = 7;
/// The most places of distances.
pub(crate) const PLACES: usize = (1 << (13 - PLACE_SHIFT)) - 1;

/// The longest distance a cell holds.
pub(crate) const MAX_PLIES: u32 = (1 << 14) - 1;

/// What a cell says when nothing is left to be done.
#[inline(always)]
pub(crate) fn value(cell: u16) -> Value {
    let plies = u32::from(cell) & MAX_PLIES;
    match cell & WIN {
        WIN => Value::Win(plies),
        LOSS => Value::Loss(plies),
        _ => Value::Draw,
    }
}

/// The cell of a value that the rules give.
pub(crate) fn decided(value: Value) -> u16 {
    match value {
        Value::Win(plies) => WIN | plies as u16,
        Value::Loss(plies) => LOSS | plies as u16,
        Value::Draw | Value::Endless(_) => NEVER_LOST,
    }
}
