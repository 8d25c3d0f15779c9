//! The whole-system tests: one program, so that the whole game is solved once for all of them.

mod checker;
mod determinism;
mod endless;
mod explore;
mod features;
mod graphs;
mod hasami;
mod hasami_scan;
mod laws;
mod legal_stats;
mod moves;
mod no_drops;
mod numbering;
mod oracles;
mod reachable;
mod shogi;
mod shogi_sets;
mod stats;
mod tsume;
mod values;
