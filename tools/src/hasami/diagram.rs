//! A **diagram**: a position of hasami drawn on the terminal.

use std::fmt::Write as _;

use koma_games::Color;
use koma_games::hasami::{Game, Position};

/// The board with its files and ranks, the men taken, and the side to move.
pub(crate) fn draw(game: &Game, position: &Position) -> String {
    let grid = game.grid();
    let taken = |color| game.taken_by(position, color);
    let mut text = format!("taken by gote: {}\n\n   ", taken(Color::Gote));
    for file in 0..grid.width() {
        write!(text, "  {}", char::from(b'a' + file)).expect("a string takes all");
    }
    for rank in 0..grid.height() {
        write!(text, "\n  {}", rank + 1).expect("a string takes all");
        for file in 0..grid.width() {
            let man = match position.man(grid.square(file, rank)) {
                None => '.',
                Some(Color::Sente) => 'P',
                Some(Color::Gote) => 'p',
            };
            write!(text, "  {man}").expect("a string takes all");
        }
    }
    let side = match position.side() {
        Color::Sente => "sente (uppercase)",
        Color::Gote => "gote (lowercase)",
    };
    write!(
        text,
        "\n\ntaken by sente: {}\nto move: {side}\n",
        taken(Color::Sente)
    )
    .expect("a string takes all");
    text
}
