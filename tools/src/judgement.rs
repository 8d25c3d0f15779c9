//! A **judgement** of a move that was played: how it compares with the best one.

use koma_games::{Category, Record};
use koma_tables::{Probe, ProbeError, ProbedMove, Prober, Reason};

use crate::wording::before;

/// A move that was played, and the best one.
pub(crate) struct Judgement {
    /// What is known of the position before the move.
    pub(crate) before: Probe,
    /// The move.
    pub(crate) played: ProbedMove,
    /// The best move: the one that was played if none is better.
    pub(crate) best: ProbedMove,
}

impl Judgement {
    /// Judges every move of a game.
    pub(crate) fn of_game<D: AsRef<[u8]>>(
        prober: &Prober<D>,
        record: &Record<'_>,
    ) -> Result<Vec<Judgement>, ProbeError> {
        let mut game = Record::new(record.game(), record.positions()[0]);
        let mut judgements = Vec::with_capacity(record.ply());
        for &mv in record.moves() {
            let before = prober.probe(game.position())?;
            let moves = prober.moves_in(&game)?;
            let played = *moves
                .iter()
                .find(|after| after.mv == mv)
                .expect("a record holds legal moves only");
            let best = if moves[0].probe == played.probe {
                played
            } else {
                moves[0]
            };
            judgements.push(Judgement {
                before,
                played,
                best,
            });
            game.play(mv).expect("a record holds legal moves only");
        }
        Ok(judgements)
    }

    /// Judges every move of a game as if each player had the other's color.
    pub(crate) fn of_exchanged<D: AsRef<[u8]>>(
        prober: &Prober<D>,
        record: &Record<'_>,
    ) -> Result<Vec<Judgement>, ProbeError> {
        let game = record.game();
        let probe = |probe: Probe| Probe {
            reason: probe.reason.map(Reason::exchanged),
            ..probe
        };
        let after = |after: ProbedMove| ProbedMove {
            mv: game.rotated_move(after.mv),
            position: game.rotated(&after.position),
            probe: probe(after.probe),
        };
        let judgements = Judgement::of_game(prober, &record.exchanged())?.into_iter();
        let turned = judgements.map(|judged| Judgement {
            before: probe(judged.before),
            played: after(judged.played),
            best: after(judged.best),
        });
        Ok(turned.collect())
    }

    /// `?` for half a point thrown away, `??` for a whole one; nothing for a move that keeps what
    /// there was. A win is worth a point, a draw half a point.
    pub(crate) fn mark(&self) -> &'static str {
        let half_points = |after: &ProbedMove| match before(after.probe).category {
            Category::Win => 2,
            Category::Draw => 1,
            Category::Loss => 0,
        };
        match half_points(&self.best) - half_points(&self.played) {
            2 => "??",
            1 => "?",
            _ => "",
        }
    }

    /// By how many plies the move makes a win longer or a loss shorter than the best one. `None`
    /// where it throws points away, and where distances are not known.
    pub(crate) fn plies_lost(&self) -> Option<u32> {
        let (best, played) = (self.best.probe, self.played.probe);
        if best == played {
            return Some(0);
        }
        let (best_plies, played_plies) = (best.plies?, played.plies?);
        (best.category == played.category).then(|| best_plies.abs_diff(played_plies))
    }
}
