//! What the whole-system tests of Komabase share: the oracles, the naive second implementations,
//! and the tables that are solved once for many tests.
//!
//! The oracles are the files in `data/`. The header of each says where its numbers come from and
//! what exactly they count.

pub mod every_set;
mod look_ahead;
pub mod naive;
pub mod naive_endless;
pub mod naive_hasami;
pub mod naive_shogi;
pub mod oracle;
pub mod parallel;
pub mod random;
pub mod shogi_oracle;
pub mod small_sets;
pub mod tables;
pub mod values;
