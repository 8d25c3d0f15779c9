//! A **diagram**: a position drawn on the terminal.

use std::fmt::Write as _;

use koma_games::{Color, Game, Piece, Position};

/// The board with its files and ranks, gote's hand above it, sente's below, and the side to move.
pub(crate) fn draw(game: &Game, position: &Position) -> String {
    let board = game.board();
    let mut text = format!("gote's hand: {}\n\n   ", hand(game, position, Color::Gote));
    for file in 0..board.width() {
        write!(text, "  {}", char::from(b'A' + file)).expect("a string takes all");
    }
    for rank in 0..board.height() {
        write!(text, "\n  {}", rank + 1).expect("a string takes all");
        for file in 0..board.width() {
            let square = position.piece(board.square(file, rank));
            let drawn = square.map_or_else(|| ".".to_owned(), |piece| letter(game, piece));
            write!(text, " {drawn:>2}").expect("a string takes all");
        }
    }
    let side = match position.side() {
        Color::Sente => "sente (uppercase, moving up)",
        Color::Gote => "gote (lowercase, moving down)",
    };
    write!(
        text,
        "\n\nsente's hand: {}\nto move: {side}\n",
        hand(game, position, Color::Sente)
    )
    .expect("a string takes all");
    text
}

fn letter(game: &Game, piece: Piece) -> String {
    let kind = &game.kinds()[usize::from(piece.kind)];
    let text = match (piece.promoted, kind.promoted_letter) {
        (true, Some(letter)) => letter.to_string(),
        (true, None) => format!("+{}", kind.letter),
        (false, _) => kind.letter.to_string(),
    };
    match piece.color {
        Color::Sente => text,
        Color::Gote => text.to_lowercase(),
    }
}

/// `2C E`, or `-` for none.
fn hand(game: &Game, position: &Position, color: Color) -> String {
    let held: Vec<String> = (1..game.kinds().len() as u8)
        .filter_map(|kind| {
            let piece = Piece {
                color,
                kind,
                promoted: false,
            };
            match position.hand(color, kind) {
                0 => None,
                1 => Some(letter(game, piece)),
                count => Some(format!("{count}{}", letter(game, piece))),
            }
        })
        .collect();
    if held.is_empty() {
        "-".to_owned()
    } else {
        held.join(" ")
    }
}
