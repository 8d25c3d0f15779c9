//! Statistics where check must be met, against figures made position by position from the rules. About two
//! seconds of processor time; the oracle's columns are compared in `shogi_sets`.

use std::collections::{BTreeMap, HashMap};

use koma_games::{Category, Color, IllegalMove, Move, Position, Universe};
use koma_solver::{
    Branching, LegalFigures, LegalStatistics, NoProgress, Settings, Zugzwang, placements,
};
use koma_tables::{Cell, Prober};
use koma_tests::tables::prober;

const FOLDER: &str = env!("CARGO_TARGET_TMPDIR");

/// Every sort of piece, both boards, two laws; the last has pawn drops that mate.
const SMALL: [&str; 7] = [
    "minishogi:repetition=draw:g",
    "minishogi:s",
    "minishogi:b",
    "minishogi:r",
    "minishogi:p",
    "gorogoro:s",
    "gorogoro:p",
];

/// What is asked of positions, from the rules and by probing.
struct Naive<'a>(&'a Prober<Vec<u8>>);

impl Naive<'_> {
    fn category(&self, position: &Position) -> Category {
        match self.0.universe().rank(position) {
            None => panic!("{} has no rank", self.0.game().sfen(position)),
            Some(rank) => {
                let cell = self.0.table().cell(rank).unwrap();
                cell.category().expect("a legal position")
            }
        }
    }

    /// With sente to move.
    fn turned(&self, position: &Position) -> Position {
        match position.side() {
            Color::Sente => *position,
            Color::Gote => self.0.game().rotated(position),
        }
    }

    /// A name; the same for a position and its mirror image, if they are to be one.
    fn name(&self, position: &Position, folded: bool) -> String {
        let game = self.0.game();
        let position = self.turned(position);
        let own = game.sfen(&position);
        match folded {
            true => own.min(game.sfen(&game.mirrored(&position))),
            false => own,
        }
    }

    fn figures(&self, folded: bool) -> LegalFigures {
        let (universe, game) = (self.0.universe(), self.0.game());
        let mut positions = HashMap::new();
        for rank in 0..universe.len() {
            if self.0.table().cell(rank).unwrap() == Cell::Hole {
                continue;
            }
            let position = universe.unrank(rank);
            for position in [position, game.mirrored(&position)] {
                positions.insert(self.name(&position, folded), position);
            }
        }
        let mut cells = Vec::new();
        let mut in_hand: Vec<u64> = Vec::new();
        let mut by_moves: [BTreeMap<u32, u64>; 3] = Default::default();
        let (mut checks, mut checkmates, mut stalemates, mut pawn_drop_mates) = (0, 0, 0, 0);
        let mut zugzwang = Zugzwang::default();
        for position in positions.values() {
            let rank = universe.rank(position).unwrap();
            let value = self.0.table().cell(rank).unwrap().value().unwrap();
            cells.push((Cell::Exact(value), 1));
            let check = game.in_check(position);
            checks += u64::from(check);
            let mut moves = 0;
            game.for_each_legal_move(position, |_| moves += 1);
            match (moves, check) {
                (0, true) => checkmates += 1,
                (0, false) => stalemates += 1,
                _ => {
                    *by_moves[value.category() as usize]
                        .entry(moves)
                        .or_insert(0) += 1
                }
            }
            let held = |color| (1..game.kinds().len() as u8).map(move |kind| (color, kind));
            let held = Color::BOTH.into_iter().flat_map(held);
            let held: u8 = held.map(|(color, kind)| position.hand(color, kind)).sum();
            in_hand.resize(in_hand.len().max(usize::from(held) + 1), 0);
            in_hand[usize::from(held)] += 1;
            let pawn = game.family().pawn.unwrap();
            if position.hand(position.side(), pawn) > 0 {
                let drops = (0..game.board().len()).map(|to| Move::Drop { kind: pawn, to });
                let mates = drops.filter(|&drop| {
                    game.check_move(position, drop) == Err(IllegalMove::PawnDropMate)
                });
                pawn_drop_mates += mates.count() as u64;
            }
            let passed = position.with_side(position.side().opponent());
            if value.category() == Category::Loss
                && !check
                && self.category(&passed) == Category::Loss
            {
                zugzwang.positions += 1;
                // The other player sees the same board, or its mirror image.
                let own = self.name(&passed, true) == self.name(position, true);
                zugzwang.own_images += u64::from(own);
                zugzwang.with_image += 1;
            }
        }
        LegalFigures {
            counts: cells.into_iter().collect(),
            checks,
            checkmates,
            stalemates,
            pawn_drop_mates,
            in_hand,
            branching: by_moves.map(|by_moves| Branching {
                by_moves: by_moves.into_iter().collect(),
            }),
            zugzwang,
        }
    }
}

#[test]
fn small_sets_agree_with_the_rules() {
    let (mut checks, mut zugzwang) = (0, 0);
    for name in SMALL {
        let prober = prober(name.parse().unwrap(), Some(1), FOLDER);
        let found = |threads| {
            let settings = Settings {
                threads: Some(threads),
                ..Settings::default()
            };
            let (universe, table) = (prober.universe(), prober.table());
            LegalStatistics::of(universe, table, &settings, &NoProgress).unwrap()
        };
        let statistics = found(1);
        assert_eq!(found(2), statistics, "{name}");
        let LegalStatistics { folded, unfolded } = statistics;
        let naive = Naive(&prober);
        assert_eq!(folded, naive.figures(true), "{name}, folded");
        assert_eq!(unfolded, naive.figures(false), "{name}, unfolded");
        let census = &prober.table().header().census().positions;
        assert_eq!(&folded.counts, census, "{name}");
        let legal: u64 = unfolded.in_hand.iter().sum();
        assert!(u128::from(legal) < placements(prober.universe()).iter().sum());
        checks += folded.checks;
        zugzwang += folded.zugzwang.positions;
    }
    assert!(checks > 0 && zugzwang > 0, "{checks} {zugzwang}");
}
