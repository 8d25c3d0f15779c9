//! An **ending**: how a game of hasami ended, in words and as JSON.

use std::fmt;

use koma_games::Color;
use koma_games::hasami::{EndReason, Outcome, Record};
use serde::Serialize;

/// How a game ended, or that it did not.
#[derive(Serialize)]
pub(crate) struct Ending {
    /// `captures`, `lead`, `no_move`, `repetition`, `limit`, `resignation` or `unfinished`.
    reason: &'static str,
    /// `sente` or `gote`; null for a draw and an unfinished game.
    winner: Option<&'static str>,
    /// How many moves were played.
    ply: usize,
    /// The plies after which the last position stood, where the game ended by repetition; 0 is the
    /// start.
    occurrences: Vec<usize>,
    /// The same in words.
    text: String,
}

impl Ending {
    /// How far a game has come.
    pub(crate) fn new(record: &Record<'_>) -> Ending {
        let outcome = record.outcome();
        Ending {
            reason: outcome.as_ref().map_or("unfinished", reason),
            winner: outcome.as_ref().and_then(Outcome::winner).map(name),
            ply: record.moves().len(),
            occurrences: match &outcome {
                Some(Outcome::Repetition(plies)) => plies.clone(),
                _ => Vec::new(),
            },
            text: match &outcome {
                Some(outcome) => describe(outcome),
                None => format!("unfinished, {} to move", name(record.position().side())),
            },
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn reason(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Decided(end) => end.reason.name(),
        Outcome::Repetition(_) => "repetition",
        Outcome::Limit(_) => "limit",
        Outcome::Resignation(_) => "resignation",
    }
}

/// An outcome in words.
pub(crate) fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Decided(end) => {
            let winner = name(end.winner);
            match end.reason {
                EndReason::Captures => format!("{winner} wins: enough men are taken"),
                EndReason::Lead => format!("{winner} wins by the lead in captures"),
                EndReason::NoMove => {
                    format!("{winner} wins: {} has no move", name(end.winner.opponent()))
                }
            }
        }
        Outcome::Repetition(plies) => {
            let plies: Vec<String> = plies.iter().map(usize::to_string).collect();
            let plies = plies.join(", ");
            format!(
                "repetition, a draw: the position stands for the fourth time, after plies {plies}"
            )
        }
        Outcome::Limit(None) => "the limit of plies, a draw".to_owned(),
        Outcome::Limit(Some(winner)) => {
            format!(
                "the limit of plies: {} wins by more captures",
                name(*winner)
            )
        }
        Outcome::Resignation(winner) => format!("{} wins by resignation", name(*winner)),
    }
}

/// `sente` or `gote`.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::Sente => "sente",
        Color::Gote => "gote",
    }
}
