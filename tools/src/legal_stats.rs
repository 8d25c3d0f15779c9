//! `koma stats` of games where **check must be met**: sets of minishogi and gorogoro.

use std::fmt::Write as _;

use koma_solver::{LegalFigures, LegalStatistics};
use serde::Serialize;

use crate::figures::{BranchingJson, ZugzwangJson};
use crate::histogram::Histogram;
use crate::stats::{big_count, branching_head, branching_row};
use crate::wording::count;

/// What was found out.
pub(crate) struct LegalReport<'a> {
    pub(crate) game: String,
    /// What a position is called whose end neither side can force.
    pub(crate) undecided: &'static str,
    pub(crate) placements: Vec<u128>,
    pub(crate) statistics: &'a LegalStatistics,
}

impl LegalReport<'_> {
    /// The distances of all positions.
    pub(crate) fn histogram(&self) -> Histogram {
        Histogram::by_parity(&self.statistics.folded.counts.by_plies)
    }

    /// A row: a name and a number, folded and not.
    fn row(&self, name: &str, number: impl Fn(&LegalFigures) -> u64) -> String {
        let LegalStatistics { folded, unfolded } = self.statistics;
        let [folded, unfolded] = [folded, unfolded].map(|figures| count(number(figures)));
        format!("{name:23} {folded:>15} {unfolded:>15}\n")
    }

    fn heading(name: &str) -> String {
        format!("\n{name:23} {:>15} {:>15}\n", "all", "unfolded")
    }

    pub(crate) fn text(&self) -> anyhow::Result<String> {
        let mut text = format!("{}\n", self.game);
        text += &Self::heading("positions");
        text += &self.row("  together", |figures| figures.counts.total());
        text += &self.row("  won", |figures| figures.counts.win);
        text += &self.row("  lost", |figures| figures.counts.loss);
        text += &self.row(&format!("  {}", self.undecided), |figures| {
            figures.counts.draw
        });
        text += &self.row("  in check", |figures| figures.checks);
        text += &self.row("  checkmated", |figures| figures.checkmates);
        text += &self.row("  stalemated", |figures| figures.stalemates);
        text += &self.row("  deepest, in plies", |figures| {
            figures.counts.deepest().unwrap_or(0).into()
        });
        text += &self.in_hand();
        text += &self.moves();
        text += &Self::heading("pawn drops");
        text += &self.row("  no moves: they mate", |figures| figures.pawn_drop_mates);
        text += &Self::heading("mutual zugzwang");
        text += &self.row("  together", |figures| figures.zugzwang.positions);
        text += &self.row("  own image", |figures| figures.zugzwang.own_images);
        writeln!(
            text,
            "\npositions by distance (bars are logarithmic)\n{}",
            self.histogram().text().trim_end()
        )?;
        Ok(text)
    }

    fn in_hand(&self) -> String {
        let mut text = format!("\n{:23} {:>15}", "by pieces in hand", "placements");
        text += &Self::heading("")[24..];
        for (held, placements) in self.placements.iter().enumerate() {
            let row = self.row("", |figures| {
                figures.in_hand.get(held).copied().unwrap_or(0)
            });
            let placements = big_count(*placements);
            text += &format!("{held:3}{:20} {placements:>15}{}", "", &row[23..]);
        }
        text
    }

    fn moves(&self) -> String {
        let LegalStatistics { folded, unfolded } = self.statistics;
        let mut text = String::new();
        for (name, figures) in [("all", folded), ("unfolded", unfolded)] {
            let [loss, open, win] = &figures.branching;
            text += &branching_head(name, "with a move");
            text += &branching_row("together", &figures.all_branching());
            text += &branching_row("won", win);
            text += &branching_row(self.undecided, open);
            text += &branching_row("lost", loss);
        }
        text
    }

    pub(crate) fn json(&self) -> LegalJson<'_> {
        let LegalStatistics { folded, unfolded } = self.statistics;
        LegalJson {
            game: &self.game,
            placements: (0..).zip(self.placements.iter().copied()).collect(),
            all: LegalFiguresJson::of(folded),
            unfolded: LegalFiguresJson::of(unfolded),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct LegalJson<'a> {
    game: &'a str,
    placements: Vec<(u32, u128)>,
    all: LegalFiguresJson<'a>,
    unfolded: LegalFiguresJson<'a>,
}

#[derive(Serialize)]
struct LegalFiguresJson<'a> {
    positions: u64,
    win: u64,
    loss: u64,
    residue: u64,
    max_plies: Option<u32>,
    by_plies: &'a [(u32, u64)],
    in_hand: Vec<(u32, u64)>,
    open: u64,
    checks: u64,
    checkmates: u64,
    stalemates: u64,
    moves: LegalMovesJson,
    pawn_drop_mates: u64,
    zugzwang: ZugzwangJson,
}

#[derive(Serialize)]
struct LegalMovesJson {
    all: BranchingJson,
    win: BranchingJson,
    residue: BranchingJson,
    loss: BranchingJson,
}

impl LegalFiguresJson<'_> {
    fn of(figures: &LegalFigures) -> LegalFiguresJson<'_> {
        let LegalFigures {
            counts,
            branching: [loss, open, win],
            zugzwang,
            ..
        } = figures;
        let all = figures.all_branching();
        LegalFiguresJson {
            positions: counts.total(),
            win: counts.win,
            loss: counts.loss,
            residue: counts.draw,
            max_plies: counts.deepest(),
            by_plies: &counts.by_plies,
            in_hand: (0..).zip(figures.in_hand.iter().copied()).collect(),
            open: all.positions(),
            checks: figures.checks,
            checkmates: figures.checkmates,
            stalemates: figures.stalemates,
            moves: LegalMovesJson {
                all: BranchingJson::of(&all),
                win: BranchingJson::of(win),
                residue: BranchingJson::of(open),
                loss: BranchingJson::of(loss),
            },
            pawn_drop_mates: figures.pawn_drop_mates,
            zugzwang: ZugzwangJson::of(zugzwang),
        }
    }
}
