//! The command as its users meet it, on games that are solved in a moment.

#[cfg(target_os = "linux")]
mod environment;
mod explore;
mod find;
mod folders;
mod game;
mod hasami;
mod hasami_features;
mod help;
mod info;
mod interruption;
mod kernel;
mod law;
mod line;
mod perft;
mod play;
mod positions;
mod prober;
mod query;
mod shogi_cases;
mod solve;
mod stats;
mod stream;
mod support;
mod verify;
