//! **Endless** play: the moves that keep what the law gives, those first that make progress.

use std::cell::OnceCell;

use koma_games::{Category, Color, Law, Position, Record};
use koma_solver::{Settings, Strategy};
use koma_tables::{Probe, ProbedMove, Prober};
use memmap2::Mmap;

use crate::output;
use crate::reporter::Reporter;
use crate::wording::{before, count};

/// A prober whose best moves make progress, also where play has no end. What progress is is found out when
/// it is first needed.
pub(crate) struct Endless<'p> {
    prober: &'p Prober<Mmap>,
    settings: Settings,
    strategy: OnceCell<Strategy>,
}

impl<'p> Endless<'p> {
    pub(crate) fn new(prober: &'p Prober<Mmap>, settings: Settings) -> Endless<'p> {
        Endless {
            prober,
            settings,
            strategy: OnceCell::new(),
        }
    }

    /// As [`Prober::moves`], but of the best moves, if they keep endless play, those come first that make
    /// most progress.
    pub(crate) fn moves(&self, position: &Position) -> anyhow::Result<Vec<ProbedMove>> {
        self.in_order(position.side(), self.prober.moves(position)?)
    }

    /// The same in a game that is being played.
    pub(crate) fn moves_in(&self, record: &Record<'_>) -> anyhow::Result<Vec<ProbedMove>> {
        self.in_order(record.position().side(), self.prober.moves_in(record)?)
    }

    /// The best of these moves: if they keep endless play, those that make most progress.
    pub(crate) fn best<'m>(
        &self,
        side: Color,
        moves: &'m [ProbedMove],
    ) -> anyhow::Result<&'m [ProbedMove]> {
        let Some(first) = moves.first() else {
            return Ok(moves);
        };
        let (least, alike) = (self.progress(side, first)?, equals(moves));
        let mut end = 0;
        while end < alike && self.progress(side, &moves[end])? == least {
            end += 1;
        }
        Ok(&moves[..end])
    }

    fn in_order(&self, side: Color, mut moves: Vec<ProbedMove>) -> anyhow::Result<Vec<ProbedMove>> {
        let alike = equals(&moves);
        if alike < 2 {
            return Ok(moves);
        }
        let mut best = Vec::with_capacity(alike);
        for after in moves.drain(..alike) {
            best.push((self.progress(side, &after)?, after));
        }
        best.sort_by_key(|&(progress, _)| progress);
        moves.splice(0..0, best.into_iter().map(|(_, after)| after));
        Ok(moves)
    }

    /// How far a move is from what keeps its outcome; the same for all moves where that does not matter.
    fn progress(&self, side: Color, after: &ProbedMove) -> anyhow::Result<Option<(u32, u32)>> {
        let worth = before(after.probe);
        if !self.can_make_progress(worth) {
            return Ok(None);
        }
        let universe = self.prober.universe();
        let Some(rank) = universe.rank(&after.position) else {
            return Ok(None);
        };
        Ok(self.strategy()?.progress(rank, side, worth.category))
    }

    /// Whether what a move keeps may be lost by doing nothing for it.
    fn can_make_progress(&self, worth: Probe) -> bool {
        let law = self.prober.game().law();
        law != Law::Draw && worth.plies.is_none() && worth.category != Category::Loss
    }

    fn strategy(&self) -> anyhow::Result<&Strategy> {
        if let Some(strategy) = self.strategy.get() {
            return Ok(strategy);
        }
        let (universe, table) = (self.prober.universe(), self.prober.table());
        table.verify()?;
        output::note(format_args!(
            "{universe}: endless play from {} ranks is looked through for a way to keep what the law gives",
            count(table.header().census().ranks.draw)
        ));
        let reporter = Reporter::new();
        let strategy = Strategy::find(universe, table, &self.settings, &reporter)?;
        Ok(self.strategy.get_or_init(|| strategy))
    }
}

/// How many moves are as good as the first, by what is known of them.
fn equals(moves: &[ProbedMove]) -> usize {
    let first = moves.first().map(|first| first.probe);
    moves
        .iter()
        .take_while(|after| Some(after.probe) == first)
        .count()
}
