//! A **value** of the library in the terms of the naive implementation.

use koma_games::Value;
use koma_tables::{Probe, ProbeError};

use crate::naive;

/// The same value.
///
/// # Panics
/// If a law decides it: the naive implementation knows none.
pub fn as_naive(value: Value) -> naive::Value {
    match value {
        Value::Win(plies) => naive::Value::Win(plies),
        Value::Loss(plies) => naive::Value::Loss(plies),
        Value::Draw => naive::Value::Draw,
        Value::Endless(_) => panic!("{value:?} is no value of a cell"),
    }
}

/// The value that a distance table answers with.
///
/// # Panics
/// If there is no answer, or no distance.
pub fn answer(probe: Result<Probe, ProbeError>) -> Value {
    probe
        .unwrap_or_else(|error| panic!("{error}"))
        .value()
        .expect("a distance table")
}
