//! Features of ranks, against the positions behind them, move by move; and what a scan finds, against
//! a look at every position.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use koma_games::{
    Category, Color, EndReason, Game, PieceCounts, Position, RankedUniverse, Terminal, Universe,
};
use koma_solver::{NoProgress, Property, Scan, Solved};
use koma_tables::{Cell, Prober};
use koma_tests::parallel;
use koma_tests::small_sets::small_sets;
use koma_tests::tables::prober;

/// How many moves end the game at once for the mover.
fn winning_moves(game: &Game, position: &Position) -> u32 {
    let mut wins = 0;
    game.for_each_move(position, |mv| {
        let end = game.end(&game.play(position, mv));
        let decided = |reason| matches!(reason, EndReason::RoyalTaken | EndReason::Try);
        wins +=
            u32::from(end.is_some_and(|end| end.winner == position.side() && decided(end.reason)));
    });
    wins
}

#[test]
fn features_are_those_of_the_position() {
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let game = universe.game();
        let material = 0..game.kinds().len();
        let pieces: u32 = material
            .map(|kind| u32::from(universe.material().count(kind)))
            .sum();
        for segment in 0..universe.segments() {
            let counts = universe.piece_counts(segment);
            let ranks = universe.segment(segment);
            for offset in 0..ranks.len {
                let rank = ranks.first + u64::from(offset);
                let position = universe.unrank(rank);
                let passed = position.with_side(Color::Gote);
                let sfen = game.sfen(&position);
                assert_eq!(universe.segment_of(rank), segment, "{set}: {sfen}");
                assert_eq!(counts, PieceCounts::of(&position), "{set}: {sfen}");
                let after_pass = universe.passed(segment, offset);
                assert_eq!(Some(after_pass), universe.rank(&passed), "{set}: {sfen}");
                let mut moves = 0;
                game.for_each_move(&position, |_| moves += 1);
                assert_eq!(universe.move_count(segment, offset), moves, "{set}: {sfen}");
                let in_check = universe.in_check(segment, offset);
                assert_eq!(in_check, game.can_take_royal(&passed), "{set}: {sfen}");
                let takes = universe.can_take_royal(segment, offset);
                assert_eq!(takes, game.can_take_royal(&position), "{set}: {sfen}");
                let wins = universe.winning_moves(segment, offset);
                assert_eq!(wins, winning_moves(game, &position), "{set}: {sfen}");
                let (own, other) = game.occupied(&position);
                let on_board = (own | other).count_ones();
                assert_eq!(
                    universe.off_board(segment),
                    pieces - on_board,
                    "{set}: {sfen}"
                );
            }
        }
    });
}

/// Where check must be met the features are those of legal moves.
#[test]
fn features_where_check_must_be_met() {
    for name in [
        "minishogi:repetition=draw:b",
        "minishogi:repetition=draw:s",
        "minishogi:repetition=draw:pp",
        "gorogoro:repetition=draw:p",
    ] {
        let universe: RankedUniverse = name.parse().expect("a universe");
        let game = universe.game();
        for segment in 0..universe.segments() {
            let counts = universe.piece_counts(segment);
            let ranks = universe.segment(segment);
            for offset in 0..ranks.len {
                let rank = ranks.first + u64::from(offset);
                let position = universe.unrank(rank);
                let sfen = game.sfen(&position);
                assert_eq!(universe.segment_of(rank), segment, "{name}: {sfen}");
                assert_eq!(counts, PieceCounts::of(&position), "{name}: {sfen}");
                if universe.terminal(rank) == Some(Terminal::Hole) {
                    continue;
                }
                let mut moves = 0;
                game.for_each_legal_move(&position, |_| moves += 1);
                let found = universe.move_count(segment, offset);
                assert_eq!(found, moves, "{name}: {sfen}");
                let in_check = universe.in_check(segment, offset);
                assert_eq!(in_check, game.in_check(&position), "{name}: {sfen}");
                if !in_check {
                    let passed = position.with_side(Color::Gote);
                    let after_pass = universe.passed(segment, offset);
                    assert_eq!(Some(after_pass), universe.rank(&passed), "{name}: {sfen}");
                    let is_hole = universe.terminal(after_pass) == Some(Terminal::Hole);
                    assert!(!is_hole, "{name}: {sfen}");
                }
                assert!(!universe.can_take_royal(segment, offset), "{name}: {sfen}");
                assert_eq!(universe.winning_moves(segment, offset), 0, "{name}: {sfen}");
            }
        }
    }
}

/// What neighbours say of a position, by its moves.
fn has_only_move(prober: &Prober<Vec<u8>>, position: &Position) -> bool {
    let category = |position: &Position| prober.probe(position).expect("an answer").category;
    let goal = match category(position) {
        Category::Win => Category::Loss,
        Category::Draw => Category::Draw,
        Category::Loss => Category::Win,
    };
    let mut kept = 0;
    prober.game().for_each_legal_move(position, |mv| {
        let after = prober.game().play(position, mv);
        kept += u32::from(category(&after) == goal);
    });
    kept == 1
}

/// A property that asks everything, differently for each seed.
struct Asked<'a> {
    universe: &'a RankedUniverse,
    solved: Solved<'a, Vec<u8>>,
    seed: u32,
}

impl Asked<'_> {
    fn category(&self) -> Option<Category> {
        [Category::Win, Category::Draw, Category::Loss]
            .get(self.seed as usize % 4)
            .copied()
    }
}

impl Property for Asked<'_> {
    fn holds_in_segment(&self, segment: u32) -> bool {
        !self.seed.is_multiple_of(3) || self.universe.piece_counts(segment).in_hands() > 0
    }

    fn holds_by_cell(&self, cell: Cell) -> bool {
        self.category()
            .is_none_or(|category| cell.category() == Some(category))
    }

    fn asks_for_ranks(&self) -> bool {
        self.seed.is_multiple_of(2)
    }

    fn holds_at(&self, segment: u32, offset: u32) -> bool {
        !self.asks_for_ranks() || self.solved.has_only_move(segment, offset)
    }
}

#[test]
fn a_scan_finds_what_a_look_at_every_position_finds() {
    for name in [
        "dobutsu@3x3:gc",
        "dobutsu@3x3:no-drops:ecc",
        "dobutsu@3x3:no-try:gc",
        "dobutsu@4x3:cc",
        "dobutsu@5x3:c",
        "dobutsu:ec",
        "minishogi:repetition=draw:b",
        "gorogoro:repetition=draw:g",
    ] {
        let universe: RankedUniverse = name.parse().expect("a universe");
        let prober = prober(universe, Some(1), env!("CARGO_TARGET_TMPDIR"));
        let (universe, table) = (prober.universe(), prober.table());
        let game = universe.game();
        let is_hole = |rank: u64| universe.terminal(rank) == Some(Terminal::Hole);
        let only_moves: Vec<bool> = (0..universe.len())
            .map(|rank| !is_hole(rank) && has_only_move(&prober, &universe.unrank(rank)))
            .collect();
        let solved = Solved::new(universe, table);
        for segment in 0..universe.segments() {
            let ranks = universe.segment(segment);
            for offset in 0..ranks.len {
                let rank = ranks.first + u64::from(offset);
                if is_hole(rank) {
                    continue;
                }
                let position = universe.unrank(rank);
                let sfen = game.sfen(&position);
                let only_move = solved.has_only_move(segment, offset);
                assert_eq!(only_move, only_moves[rank as usize], "{name}: {sfen}");
                let probe =
                    |position: &Position| prober.probe(position).expect("an answer").category;
                if probe(&position) == Category::Loss {
                    let passed = position.with_side(Color::Gote);
                    // A pass in check leaves the royal to be taken.
                    let lost = !game.can_take_royal(&passed) && probe(&passed) == Category::Loss;
                    let zugzwang = solved.is_mutual_zugzwang(segment, offset);
                    assert_eq!(zugzwang, lost, "{name}: {sfen}");
                }
            }
        }
        for seed in 0..12 {
            let asked = Asked {
                universe,
                solved: Solved::new(universe, table),
                seed,
            };
            // Of a position and its image one.
            let key = |rank: u64| {
                let position = universe.unrank(rank);
                let image = game.sfen(&game.mirrored(&position));
                game.sfen(&position).min(image)
            };
            let expected: BTreeSet<String> = (0..universe.len())
                .filter(|&rank| {
                    let category = table.cell(rank).expect("a cell").category();
                    let in_hands = PieceCounts::of(&universe.unrank(rank)).in_hands();
                    !is_hole(rank)
                        && (seed % 3 > 0 || in_hands > 0)
                        && (asked.category().is_none() || asked.category() == category)
                        && (seed % 2 > 0 || only_moves[rank as usize])
                })
                .map(key)
                .collect();
            let scan = Scan::new(universe, table, &asked);
            let count = scan.count(Some(2), &NoProgress).expect("threads");
            assert_eq!(count, expected.len() as u64, "{name}: seed {seed}");
            let mut found = Vec::new();
            scan.for_each(Some(2), &NoProgress, |rank| {
                found.push(rank);
                ControlFlow::Continue(())
            })
            .expect("threads");
            assert!(found.is_sorted(), "{name}: seed {seed}");
            assert_eq!(found.len() as u64, count, "{name}: seed {seed}");
            let found: BTreeSet<String> = found.into_iter().map(key).collect();
            assert_eq!(found, expected, "{name}: seed {seed}");
        }
    }
}
