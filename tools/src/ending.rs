//! An **ending**: how a game ended, in words and as JSON.

use std::fmt;

use koma_games::{Color, End, EndReason, Game, Outcome, Record, SettlementReason};
use serde::Serialize;

/// How a game ended, or that it did not.
#[derive(Serialize)]
pub(crate) struct Ending {
    /// `royal_taken`, `try`, `checkmate`, `no_move`, `repetition`, `resignation` or `unfinished`.
    reason: &'static str,
    /// `sente` or `gote`; null for a draw and an unfinished game.
    winner: Option<&'static str>,
    /// How many moves were played.
    ply: usize,
    /// The plies after which the last position stood; 0 is the start.
    occurrences: Vec<usize>,
    /// The same in words.
    text: String,
}

impl Ending {
    /// How far a game has come.
    pub(crate) fn new(record: &Record<'_>) -> Ending {
        Ending::with(record, record.outcome())
    }

    /// The same by the law as it would be if each player had the other's color.
    pub(crate) fn exchanged(record: &Record<'_>) -> Ending {
        let outcome = record.exchanged().outcome();
        Ending::with(record, outcome.map(Outcome::exchanged))
    }

    fn with(record: &Record<'_>, outcome: Option<Outcome>) -> Ending {
        Ending {
            reason: outcome.as_ref().map_or("unfinished", reason),
            winner: outcome.as_ref().and_then(Outcome::winner).map(name),
            ply: record.ply(),
            occurrences: record.occurrences(record.position()).to_vec(),
            text: match &outcome {
                Some(outcome) => describe(record.game(), outcome),
                None => format!("unfinished, {} to move", name(record.position().side())),
            },
        }
    }
}

/// In words.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `sente` or `gote`.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::Sente => "sente",
        Color::Gote => "gote",
    }
}

fn reason(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Decided(end) => match end.reason {
            EndReason::RoyalTaken => "royal_taken",
            EndReason::Try => "try",
            EndReason::Checkmate => "checkmate",
            EndReason::NoMove => "no_move",
        },
        Outcome::Repetition { .. } => "repetition",
        Outcome::Resignation { .. } => "resignation",
    }
}

/// How a game ended, in words.
pub(crate) fn describe(game: &Game, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Decided(end) => decided(game, *end),
        Outcome::Repetition {
            winner,
            reason,
            plies,
        } => {
            let times = times(plies.len());
            let result = match winner {
                None => "a draw".to_owned(),
                Some(winner) => format!("{} wins", name(*winner)),
            };
            let stands = format!(
                "repetition, {result}: the position stands for the {times} time, {}",
                after(plies)
            );
            match why(*reason, *winner) {
                Some(why) => format!("{stands}; {why}"),
                None => stands,
            }
        }
        Outcome::Resignation { winner } => {
            let (winner, loser) = (name(*winner), name(winner.opponent()));
            format!("resignation: {loser} gives up, {winner} wins")
        }
    }
}

/// Why a repetition is no plain draw, in words.
fn why(reason: SettlementReason, winner: Option<Color>) -> Option<String> {
    let loser = winner.map(|winner| name(winner.opponent()));
    match (reason, loser) {
        (SettlementReason::Repetition, None) => None,
        (SettlementReason::Repetition, Some(loser)) => {
            Some(format!("endless play loses for {loser}"))
        }
        (SettlementReason::EveryMoveChecked, _) => {
            Some(format!("{} gave check with every move", loser?))
        }
        (SettlementReason::OneSideChecked, _) => {
            Some(format!("{} gave check, the other side did not", loser?))
        }
        (SettlementReason::BothChecked, _) => Some("both sides gave check".to_owned()),
    }
}

/// How the rules decided a game, in words.
pub(crate) fn decided(game: &Game, end: End) -> String {
    let royal = match game.kinds()[0].letter {
        'L' => "lion",
        _ => "king",
    };
    let (winner, loser) = (name(end.winner), name(end.winner.opponent()));
    match end.reason {
        EndReason::RoyalTaken => format!("{royal} taken: {winner} wins"),
        EndReason::Try => {
            format!("try: {winner}'s {royal} has reached the far rank, {winner} wins")
        }
        EndReason::Checkmate => format!("checkmate: {winner} wins"),
        EndReason::NoMove => format!("no move: {loser} can't move, {winner} wins"),
    }
}

/// `third`; a number and `th` where words end.
pub(crate) fn times(count: usize) -> String {
    match count {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        _ => format!("{count}th"),
    }
}

/// `at the start and after plies 4 and 8`.
pub(crate) fn after(plies: &[usize]) -> String {
    let (start, later) = match plies {
        [0, later @ ..] => (true, later),
        _ => (false, plies),
    };
    let numbers = match later {
        [] => String::new(),
        [one] => format!("after ply {one}"),
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(usize::to_string).collect();
            format!("after plies {} and {last}", most.join(", "))
        }
    };
    match (start, numbers.is_empty()) {
        (true, true) => "at the start".to_owned(),
        (true, false) => format!("at the start and {numbers}"),
        (false, _) => numbers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_read_well() {
        assert_eq!(after(&[0]), "at the start");
        assert_eq!(after(&[0, 4]), "at the start and after ply 4");
        assert_eq!(after(&[0, 4, 8]), "at the start and after plies 4 and 8");
        assert_eq!(after(&[3, 7, 15]), "after plies 3, 7 and 15");
        assert_eq!(times(3), "third");
    }
}
