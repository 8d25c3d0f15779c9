//! **Letters** of pieces, as options have them: `HCe`.

use koma_games::{Color, Game, Piece};

/// Pieces on the board: uppercase of the side to move, lowercase of the other; a promoted one by
/// its own letter or by `+` and that of its kind.
pub(crate) fn board_pieces(game: &Game, letters: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut plus = false;
    for letter in letters.chars() {
        if letter == '+' && !plus {
            plus = true;
            continue;
        }
        let upper = letter.to_ascii_uppercase();
        let mut kinds = (0u8..).zip(game.kinds());
        let (kind, promoted) = kinds
            .find_map(|(index, kind)| {
                if kind.letter == upper && (kind.promotes() || !plus) {
                    Some((index, plus))
                } else if kind.promoted_letter == Some(upper) && !plus {
                    Some((index, true))
                } else {
                    None
                }
            })
            .ok_or_else(|| {
                let plus = if plus { "+" } else { "" };
                format!("`{plus}{letter}` is no piece of the game")
            })?;
        pieces.push(Piece {
            color: if letter.is_ascii_uppercase() {
                Color::Sente
            } else {
                Color::Gote
            },
            kind,
            promoted,
        });
        plus = false;
    }
    if plus {
        return Err("a letter is missing after `+`".to_owned());
    }
    Ok(pieces)
}

/// The kinds of pieces in hand, or wherever promotion makes no difference, in any case.
pub(crate) fn men(game: &Game, letters: &str) -> Result<Vec<u8>, String> {
    let men = &game.kinds()[1..];
    letters
        .chars()
        .map(|letter| {
            let upper = letter.to_ascii_uppercase();
            let found = (1u8..).zip(men).find(|(_, kind)| kind.letter == upper);
            found.map(|(kind, _)| kind).ok_or_else(|| {
                let letters: String = men.iter().map(|kind| kind.letter).collect();
                format!("`{letter}` is none of the letters {letters}")
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promoted_pieces_have_two_spellings() {
        let game: Game = "dobutsu".parse().unwrap();
        let pieces = board_pieces(&game, "HhCLe").unwrap();
        assert_eq!(board_pieces(&game, "+C+cCLe").unwrap(), pieces);
        let sorts: Vec<_> = pieces
            .iter()
            .map(|piece| (piece.color.index(), piece.kind, piece.promoted))
            .collect();
        assert_eq!(
            sorts,
            [
                (0, 3, true),
                (1, 3, true),
                (0, 3, false),
                (0, 0, false),
                (1, 1, false)
            ]
        );
        for wrong in ["+", "C+", "++C", "+H", "+G", "+L", "X", "C C", "ち"] {
            assert!(board_pieces(&game, wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn men_are_unpromoted_and_no_royals() {
        let game: Game = "dobutsu".parse().unwrap();
        assert_eq!(men(&game, "EgC"), Ok(vec![1, 2, 3]));
        for wrong in ["H", "L", "+C", "X", " "] {
            assert!(men(&game, wrong).is_err(), "{wrong}");
        }
    }
}
