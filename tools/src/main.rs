//! `koma` solves small shogi games exactly and answers from the tables.

mod answer;
mod asked;
mod cli;
mod diagram;
mod ending;
mod endless;
mod exit;
mod explore;
mod figures;
mod filter;
mod find;
mod folder;
mod game;
mod grid;
mod hasami;
mod histogram;
mod info;
mod interrupt;
mod judgement;
mod legal_stats;
mod letters;
mod line;
mod making;
mod move_notation;
mod opening;
mod output;
mod perft;
mod play;
mod played;
mod plies;
mod query;
mod question;
mod report;
mod reporter;
mod resources;
mod sets_reporter;
mod solve;
mod solve_sets;
mod stats;
mod stream;
mod strength;
mod target;
mod verify;
mod wanted;
mod wording;

fn main() -> std::process::ExitCode {
    cli::main().into()
}
