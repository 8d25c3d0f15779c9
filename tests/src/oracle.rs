//! An **oracle**: facts from programs and papers that are not ours, one file of `data/` each.

/// Round table of the peer solver clausecker/dobutsu over every legal placement.
pub const CLAUSECKER_ROUNDS: &str = include_str!("../data/clausecker_rounds.tsv");
/// Values of 9,000 positions from the same solver.
pub const CLAUSECKER_VALUES: &str = include_str!("../data/clausecker_values.tsv");
/// Positions with every move's value from the printouts of the 2009 solver.
pub const TANAKA_SAMPLES: &str = include_str!("../data/tanaka_samples.tsv");
/// Perft of small shogi games from Fairy-Stockfish.
pub const PERFT: &str = include_str!("../data/perft.tsv");
/// End-of-game facts of small shogi games from Fairy-Stockfish.
pub const TERMINAL_FACTS: &str = include_str!("../data/perft_terminal_facts.tsv");
/// Reachable positions by distance, in Tanaka's convention.
pub const RTA_DISTRIBUTION: &str = include_str!("../data/rta_distribution.tsv");
/// Totals of the same.
pub const RTA_TOTALS: &str = include_str!("../data/rta_totals.tsv");

/// Small-material positions of minishogi with their moves, by Fairy-Stockfish.
pub const MINISHOGI_MATES: &str = include_str!("../data/minishogi_mates.tsv");
/// Closed material sets of minishogi and gorogoro, from an independent solver.
pub const SMALL_SETS: &str = include_str!("../data/small_sets.tsv");
/// Random positions of those sets with their values.
pub const SMALL_POSITIONS: &str = include_str!("../data/small_positions.tsv");
/// Positions of those sets in which the law decides by perpetual check.
pub const SMALL_SPECIALS: &str = include_str!("../data/small_specials.tsv");

/// Hasami on small boards: the placements by value, and the values of start positions.
pub const HASAMI_SMALL: &str = include_str!("../data/hasami_small.tsv");
/// The placements of the same boards by value and distance.
pub const HASAMI_HISTOGRAMS: &str = include_str!("../data/hasami_histograms.tsv");
/// Placements of the same boards with their values.
pub const HASAMI_POSITIONS: &str = include_str!("../data/hasami_positions.tsv");

/// The rows of an oracle, cut into columns; comment lines are left out.
pub fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

/// One of the totals of reachable positions.
pub fn rta_total(name: &str) -> u64 {
    let row = rows(RTA_TOTALS)
        .find(|row| row[0] == name)
        .unwrap_or_else(|| panic!("a total {name}"));
    row[1].parse().expect("a count")
}

/// One perft row of a game.
#[derive(Clone, Debug)]
pub struct PerftRow {
    /// The position, with a move number.
    pub sfen: String,
    /// Plies to count.
    pub depth: u32,
    /// The count by Fairy-Stockfish's reading of the rules.
    pub fairy: u64,
    /// The same without pawn drops that mate.
    pub no_pawn_drop_mate: u64,
    /// The count by Tanaka's convention, where it is known.
    pub tanaka: Option<u64>,
}

/// The perft rows of dobutsu.
pub fn dobutsu_perft() -> Vec<PerftRow> {
    perft("dobutsu")
}

/// The perft rows of a game.
pub fn perft(game: &str) -> Vec<PerftRow> {
    let count = |text: &str| text.parse().expect("a count");
    rows(PERFT)
        .filter(|row| row[0] == game)
        .map(|row| PerftRow {
            sfen: format!("{} 1", row[4]),
            depth: row[5].parse().expect("a depth"),
            fairy: count(row[6]),
            no_pawn_drop_mate: count(row[7]),
            tanaka: (row[8] != "-").then(|| count(row[8])),
        })
        .collect()
}

/// One end-of-game fact of dobutsu.
#[derive(Clone, Debug)]
pub struct TerminalFact {
    /// What the row shows.
    pub what: &'static str,
    /// The position the moves start from.
    pub before: String,
    /// The moves, by squares (`A3A2`, `C*A1`).
    pub moves: Vec<String>,
    /// The position after the moves; a taken lion, which the source puts in hand, is left out.
    pub after: String,
    /// Moves from that position by Fairy-Stockfish's reading.
    pub legal_moves: usize,
    /// Whether the game is over there by itself (not by a claim of repetition).
    pub over: bool,
    /// The result for the side to move where the source gives one: `stm_wins`, `stm_loses`,
    /// `draw` or nothing.
    pub result: &'static str,
}

/// The end-of-game facts of dobutsu.
pub fn dobutsu_terminal_facts() -> Vec<TerminalFact> {
    rows(TERMINAL_FACTS)
        .filter(|row| row[0] == "dobutsu")
        .map(|row| TerminalFact {
            what: row[1],
            before: sfen_of_fairy_fen(row[2]),
            moves: match row[3] {
                "-" => Vec::new(),
                moves => moves.split(' ').map(squares_of_fairy_move).collect(),
            },
            after: sfen_of_fairy_fen(row[4]),
            legal_moves: row[5].parse().expect("a count"),
            over: row[7] == "yes",
            result: row[8],
        })
        .collect()
}

/// Fairy-Stockfish's FEN (`board[hands] w ...`, w = sente, `+C` = hen) as SFEN. A lion in hand is
/// left out, and hands are written in the order E G C.
fn sfen_of_fairy_fen(fen: &str) -> String {
    let (board, rest) = fen.split_once('[').expect("hands");
    let (held, rest) = rest.split_once(']').expect("the end of the hands");
    let side = match rest.trim_start().chars().next() {
        Some('w') => "b",
        Some('b') => "w",
        other => panic!("side {other:?} in {fen}"),
    };
    let mut hands = String::new();
    for letter in "EGCegc".chars() {
        match held.matches(letter).count() {
            0 => {}
            1 => hands.push(letter),
            count => hands.push_str(&format!("{count}{letter}")),
        }
    }
    if hands.is_empty() {
        hands.push('-');
    }
    let board = board.replace("+C", "H").replace("+c", "h");
    format!("{board} {side} {hands} 1")
}

/// Fairy-Stockfish's move on the 3x4 board (`a1` bottom left) by squares (`A1` top left).
fn squares_of_fairy_move(text: &str) -> String {
    let square = |text: &str| {
        let mut letters = text.chars();
        let file = letters.next().expect("a file").to_ascii_uppercase();
        let rank = letters.next().and_then(|rank| rank.to_digit(10));
        format!("{file}{}", 5 - rank.expect("a rank"))
    };
    let text = text.trim_end_matches('+');
    match text.split_once('@') {
        Some((piece, to)) => format!("{piece}*{}", square(to)),
        None => format!("{}{}", square(&text[..2]), square(&text[2..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fairy_notation_is_translated() {
        assert_eq!(
            sfen_of_fairy_fen("1+C1/3/3/1L1[LGGCEE] b - - 0 1"),
            "1H1/3/3/1L1 w 2E2GC 1"
        );
        assert_eq!(squares_of_fairy_move("b3b4+"), "B2B1");
        assert_eq!(squares_of_fairy_move("C@a1"), "C*A4");
    }

    #[test]
    fn oracles_are_complete() {
        assert_eq!(rows(CLAUSECKER_ROUNDS).count(), 88);
        assert_eq!(rows(CLAUSECKER_VALUES).count(), 9_000);
        assert_eq!(rows(TANAKA_SAMPLES).count(), 952);
        assert_eq!(dobutsu_perft().len(), 60);
        assert_eq!(dobutsu_terminal_facts().len(), 16);
        assert_eq!(perft("minishogi").len(), 42);
        assert_eq!(perft("gorogoro").len(), 41);
        assert_eq!(rows(MINISHOGI_MATES).count(), 105);
        assert_eq!(rows(HASAMI_SMALL).count(), 40);
        assert_eq!(rows(HASAMI_HISTOGRAMS).count(), 40);
        assert_eq!(rows(HASAMI_POSITIONS).count(), 2_400);
    }
}
