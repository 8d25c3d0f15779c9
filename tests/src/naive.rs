//! **Naive dobutsu**: a slow and obvious second implementation of dobutsu shogi.
//!
//! It shares no code with the library: a board is a row of letters, positions are found by
//! writing down every arrangement of the pieces, and values come from looking one move ahead over
//! and over until nothing changes. There is no numbering, no symmetry and no move taken back.

mod arrangements;
mod game;
mod perft;
mod position;
mod reachable;
mod solve;

pub use game::{NaiveGame, NaiveMove, Options, Over};
pub use position::Position;
pub use solve::Value;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;

    const FULL: [u8; 3] = [2, 2, 2];

    fn full_game() -> NaiveGame {
        NaiveGame::new(3, 4, FULL, Options::default())
    }

    #[test]
    fn perft_agrees_with_the_oracle() {
        let game = full_game();
        for row in oracle::dobutsu_perft() {
            let fairy = game.perft_fairy(&row.sfen, row.depth);
            assert_eq!(fairy, row.fairy, "{} depth {}", row.sfen, row.depth);
            if let Some(expected) = row.tanaka {
                let tanaka = game.perft_tanaka(&row.sfen, row.depth);
                assert_eq!(tanaka, expected, "{} depth {}", row.sfen, row.depth);
            }
        }
    }

    /// Where Fairy-Stockfish follows the rules, its facts are ours. One row differs on purpose: two
    /// lions on their far ranks are a loss for the mover instead of a draw.
    #[test]
    fn terminal_facts_agree_with_the_oracle() {
        let game = full_game();
        for fact in oracle::dobutsu_terminal_facts() {
            let mut sfen = fact.before.clone();
            for text in &fact.moves {
                let found = game.moves(&sfen).into_iter().find(|m| m.text == *text);
                sfen = found.unwrap_or_else(|| panic!("{text} in {sfen}")).child;
            }
            assert_eq!(sfen, fact.after, "{}", fact.what);
            let over = game.over(&sfen);
            match fact.what {
                "both lions safe on the far ranks (FEN)" => assert_eq!(over, Some(Over::Lost)),
                "no legal move (stalemate)" => {
                    assert_eq!(over, None);
                    assert_eq!(game.moves(&sfen), []);
                }
                what => {
                    let expected = match fact.result {
                        "stm_wins" => Some(Over::Won),
                        "stm_loses" => Some(Over::Lost),
                        _ => None,
                    };
                    assert_eq!(over, expected, "{what}");
                    assert_eq!(over.is_some(), fact.over, "{what}");
                    if over.is_none() {
                        assert_eq!(game.moves(&sfen).len(), fact.legal_moves, "{what}");
                    }
                }
            }
        }
    }

    /// Values that can be read off the board.
    #[test]
    fn plain_values() {
        let solve = |pieces, options| NaiveGame::new(3, 4, pieces, options).solve();
        let lions = solve([0, 0, 0], Options::default());
        // Sente keeps the opposition: B3 forces the lion off the file, then two steps up the
        // other side try. The side that has to give way loses.
        assert_eq!(lions["1l1/3/3/1L1 b - 1"], Value::Win(5));
        assert_eq!(lions["1l1/3/1L1/3 w - 1"], Value::Loss(4));
        assert_eq!(lions["3/L2/2l/3 b - 1"], Value::Win(1));
        assert_eq!(lions["1l1/1L1/3/3 w - 1"], Value::Win(1));
        // Tries: arrived safely, arrived under attack, and arrived earlier.
        assert_eq!(lions["3/3/L2/2l b - 1"], Value::Loss(0));
        assert_eq!(lions["3/3/1L1/2l b - 1"], Value::Win(1));
        assert_eq!(lions["L2/3/2l/3 b - 1"], Value::Win(0));
        assert_eq!(lions["L2/3/3/2l b - 1"], Value::Loss(0));
        // Arrived earlier, but the other lion can be taken.
        assert_eq!(lions["Ll1/3/3/3 b - 1"], Value::Win(1));

        let no_try = Options {
            no_try: true,
            ..Options::default()
        };
        let lions = solve([0, 0, 0], no_try);
        assert_eq!(lions["3/L2/3/2l b - 1"], Value::Draw);
        assert_eq!(lions["L2/3/3/2l b - 1"], Value::Draw);
        assert_eq!(lions["L2/1l1/3/3 b - 1"], Value::Win(1));
    }
}
