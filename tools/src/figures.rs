//! **Figures** of positions as JSON.

use koma_solver::{Branching, Figures, Zugzwang};
use serde::Serialize;

use crate::answer::signed;

#[derive(Serialize)]
pub(crate) struct FiguresJson<'a> {
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    max_plies: Option<u32>,
    by_plies: &'a [(u32, u64)],
    in_hand: Vec<(u32, u64)>,
    open: u64,
    lion_can_be_taken: u64,
    can_try: u64,
    lost_by_a_try: u64,
    moves: MovesJson,
    zugzwang: ZugzwangJson,
    last_rank_drops: Option<DropsJson>,
    tsume: &'a [(u32, u64)],
}

#[derive(Serialize)]
struct MovesJson {
    all: BranchingJson,
    win: BranchingJson,
    draw: BranchingJson,
    loss: BranchingJson,
}

#[derive(Serialize)]
pub(crate) struct BranchingJson {
    positions: u64,
    moves: u64,
    average: Option<f64>,
    least: Option<(u32, u64)>,
    most: Option<(u32, u64)>,
    by_moves: Vec<(u32, u64)>,
}

#[derive(Serialize)]
pub(crate) struct ZugzwangJson {
    positions: u64,
    own_images: u64,
    with_image: u64,
}

#[derive(Serialize)]
struct DropsJson {
    needed: u64,
    changed: u64,
    start_category: Option<&'static str>,
    start_dtm: Option<i64>,
}

impl FiguresJson<'_> {
    pub(crate) fn of(figures: &Figures) -> FiguresJson<'_> {
        let Figures {
            counts,
            sorts,
            branching: [loss, draw, win],
            zugzwang,
            ..
        } = figures;
        FiguresJson {
            positions: counts.total(),
            win: counts.win,
            loss: counts.loss,
            draw: counts.draw,
            max_plies: counts.deepest(),
            by_plies: &counts.by_plies,
            in_hand: (0..).zip(figures.off_board.iter().copied()).collect(),
            open: sorts.open,
            lion_can_be_taken: sorts.catches,
            can_try: sorts.tries,
            lost_by_a_try: sorts.tried,
            moves: MovesJson {
                all: BranchingJson::of(&figures.all_branching()),
                win: BranchingJson::of(win),
                draw: BranchingJson::of(draw),
                loss: BranchingJson::of(loss),
            },
            zugzwang: ZugzwangJson::of(zugzwang),
            last_rank_drops: figures.dead_drops.map(|drops| DropsJson {
                needed: drops.needed,
                changed: drops.changed,
                start_category: drops.start.map(|start| start.category().name()),
                start_dtm: drops.start.and_then(|start| signed(start.into())),
            }),
            tsume: &figures.tsume,
        }
    }
}

impl ZugzwangJson {
    pub(crate) fn of(zugzwang: &Zugzwang) -> ZugzwangJson {
        ZugzwangJson {
            positions: zugzwang.positions,
            own_images: zugzwang.own_images,
            with_image: zugzwang.with_image,
        }
    }
}

impl BranchingJson {
    pub(crate) fn of(branching: &Branching) -> BranchingJson {
        BranchingJson {
            positions: branching.positions(),
            moves: branching.moves(),
            average: branching.average(),
            least: branching.least(),
            most: branching.most(),
            by_moves: branching.by_moves.clone(),
        }
    }
}
