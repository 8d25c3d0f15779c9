//! `koma` solves small shogi games exactly and answers from the tables.

mod answer;
mod cli;
mod diagram;
mod exit;
mod folder;
mod info;
mod interrupt;
mod making;
mod output;
mod perft;
mod query;
mod reporter;
mod resources;
mod solve;
mod stream;
mod target;
mod verify;
mod wording;

fn main() -> std::process::ExitCode {
    cli::main().into()
}
