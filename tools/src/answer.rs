//! An **answer**: what is known of a position, as JSON. The shape is stable.

use koma_games::{Category, Game, Position};
use koma_tables::{Probe, ProbeError, Prober, Reason};
use serde::Serialize;

/// The answer for one position.
#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    /// The universe that was asked.
    game: &'a str,
    /// The position as SFEN.
    position: String,
    /// For the side to move: `win`, `draw` or `loss`; `unknown` where a table leaves it open, which
    /// no exact one does.
    category: &'static str,
    /// Plies to the end, negative for a loss; null for endless play and where they are not known.
    dtm: Option<i64>,
    /// How the game ends, where check must be met.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// Whether the game is over.
    terminal: bool,
    /// Every legal move, best first.
    moves: Vec<AnsweredMove>,
}

/// A move of an answer.
#[derive(Serialize)]
struct AnsweredMove {
    /// The move as squares: `B3B2`, drop `C*B2`.
    #[serde(rename = "move")]
    squares: String,
    #[serde(rename = "move_ja")]
    japanese: String,
    /// For the side to move after the move.
    category: &'static str,
    /// For the side to move after the move.
    dtm: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The position after the move; null if the move takes the royal.
    position: Option<String>,
}

impl<'a> Answer<'a> {
    /// The answer for a position of the universe of this name.
    pub(crate) fn new<D: AsRef<[u8]>>(
        prober: &Prober<D>,
        name: &'a str,
        position: &Position,
    ) -> Result<Answer<'a>, ProbeError> {
        let game = prober.game();
        let probe = prober.probe(position)?;
        let moves: Vec<AnsweredMove> = prober
            .moves(position)?
            .into_iter()
            .map(|after| AnsweredMove {
                squares: game.squares(after.mv),
                japanese: game.japanese(position, after.mv),
                category: after.probe.category.name(),
                dtm: signed(after.probe),
                reason: after.probe.reason.map(Reason::name),
                position: sfen_after(game, &after.position),
            })
            .collect();
        Ok(Answer {
            game: name,
            position: game.sfen(position),
            category: probe.category.name(),
            dtm: signed(probe),
            reason: probe.reason.map(Reason::name),
            // Only a game that is over has no legal move.
            terminal: moves.is_empty(),
            moves,
        })
    }
}

/// A position after a move as SFEN, which there is only with both royals.
pub(crate) fn sfen_after(game: &Game, position: &Position) -> Option<String> {
    position.royal(position.side())?;
    Some(game.sfen(position))
}

/// Plies to the end, negative for a loss.
pub(crate) fn signed(probe: Probe) -> Option<i64> {
    let plies = probe.plies.map(i64::from);
    match probe.category {
        Category::Loss => plies.map(|plies| -plies),
        Category::Win | Category::Draw => plies,
    }
}
