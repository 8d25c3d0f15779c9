//! **Sets of the oracles**: small sets of minishogi and gorogoro as an independent solver has them, to be
//! compared with what the library finds, and the naive implementation.

use std::collections::BTreeMap;

use koma_games::{
    Category, Color, EndReason, IllegalMove, Law, Move, Position, RankedUniverse, Universe, Value,
};
use koma_solver::{NoProgress, Settings, Settled, Solution, Unfolded, settle, solve};
use koma_tables::{Prober, Reason};

use crate::every_set;
use crate::naive;
use crate::naive_endless::{NaiveLaw, NaiveOutcome};
use crate::naive_shogi::NaiveSolution;
use crate::oracle;

/// A set, and what the oracles say of it.
#[derive(Debug)]
pub struct OracleSet {
    /// The row of the set, as its columns.
    row: Vec<&'static str>,
    /// Rows of random positions.
    positions: Vec<Vec<&'static str>>,
    /// Rows of positions where the law decides by checks.
    specials: Vec<Vec<&'static str>>,
}

/// Every set of the oracles, those of many pieces first.
pub fn oracle_sets() -> Vec<OracleSet> {
    let of_set = |text, set: &[&str]| {
        let rows = oracle::rows(text);
        rows.filter(|row| row[..2] == set[..2]).collect::<Vec<_>>()
    };
    let mut sets: Vec<OracleSet> = oracle::rows(oracle::SMALL_SETS)
        .map(|row| OracleSet {
            positions: of_set(oracle::SMALL_POSITIONS, &row),
            specials: of_set(oracle::SMALL_SPECIALS, &row),
            row,
        })
        .collect();
    sets.sort_by_key(|set| std::cmp::Reverse(set.pieces()));
    sets
}

impl OracleSet {
    /// The name: `minishogi:gp`.
    pub fn name(&self) -> String {
        every_set::name(self.row[0], self.row[1])
    }

    /// How many pieces there are besides the kings.
    pub fn pieces(&self) -> usize {
        self.row[1].len()
    }

    fn universe(&self) -> RankedUniverse {
        every_set::universe(&self.name())
    }

    /// How many positions the oracles say something of.
    pub fn positions(&self) -> usize {
        self.rows().count()
    }

    fn rows(&self) -> impl Iterator<Item = &[&'static str]> {
        self.positions
            .iter()
            .chain(&self.specials)
            .map(Vec::as_slice)
    }

    /// Compares the moves of the positions, and the pawn drops that mate.
    ///
    /// # Panics
    /// At the first difference, as the other comparisons do.
    pub fn compare_moves(&self) {
        let universe = self.universe();
        for row in self.rows() {
            let (position, rank) = parse(&universe, row[2]);
            let mut moves = 0;
            universe
                .game()
                .for_each_legal_move(&position, |_| moves += 1);
            let mates = pawn_drop_mates(&universe, &position);
            let expected = [row[8], row[9]].map(|count| count.parse::<u64>().expect("a count"));
            assert_eq!([moves, mates], expected, "{universe} {}", row[2]);
            let mut successors = 0;
            universe.successors(rank, |_| successors += 1);
            assert_eq!(successors, moves, "{universe} {}", row[2]);
        }
    }

    /// Solves the set and compares all counts, and the values and outcomes of the positions.
    pub fn compare_solution(&self, settings: &Settings) {
        let universe = self.universe();
        let solution = solve(&universe, settings, &NoProgress)
            .unwrap_or_else(|error| panic!("{universe}: {error}"));
        compare_counts(&universe, &solution, &self.row);
        for row in self.rows() {
            let (_, rank) = parse(&universe, row[2]);
            let found = solution.value(rank).map(|value| match value {
                Value::Win(plies) => format!("W{plies}"),
                Value::Loss(plies) => format!("L{plies}"),
                Value::Draw | Value::Endless(_) => "R".to_owned(),
            });
            assert_eq!(found.as_deref(), Some(row[3]), "{universe} {}", row[2]);
        }
        for (place, law) in [Law::Uec, Law::Pcl, Law::Inventor].into_iter().enumerate() {
            // Of large sets not all laws are told.
            if !self.row[15].contains(&format!("{}:", law.name())) {
                continue;
            }
            let settled = settle(&universe, &solution, law, settings, &NoProgress)
                .unwrap_or_else(|error| panic!("{universe}: {error}"));
            compare_settled(&universe, &settled, self.row[15]);
            for row in self.rows() {
                let (position, rank) = parse(&universe, row[2]);
                let found = letter(settled.outcome(rank, position.side()));
                let law = law.name();
                assert_eq!(found, row[4 + place], "{universe}, {law}: {}", row[2]);
            }
        }
    }

    /// Compares a table of the set: what it counts, folded and not, the outcomes of the positions under each
    /// law, and what is answered under its own, with the reason.
    pub fn compare_table(&self, prober: &Prober<Vec<u8>>) {
        let (universe, table) = (prober.universe(), prober.table());
        let column = |index: usize| -> u64 { self.row[index].parse().expect("a count") };
        let unfolded = Unfolded::of(universe, table).expect("a sound table");
        let counts = &unfolded.counts;
        let found = [counts.total(), counts.win, counts.loss, counts.draw];
        assert_eq!(found, [2, 3, 4, 5].map(column), "{universe}, unfolded");
        let by_plies: BTreeMap<u32, u64> = counts.by_plies.iter().copied().collect();
        assert_eq!(by_plies, histogram(self.row[16]), "{universe}, unfolded");
        let folded = table.header().outcomes().iter();
        for (folded, (law, unfolded)) in folded.zip(unfolded.outcomes) {
            let [unfolded, folded] = [unfolded, folded.positions].map(|counts| {
                let [sente, gote] = Color::BOTH.map(|mover| {
                    let [won, drawn, lost] = counts.of(mover);
                    format!("{won}/{drawn}/{lost}")
                });
                format!("sente={sente},gote={gote}")
            });
            let found = format!("{}:unfolded,{unfolded};folded,{folded}", law.name());
            let mut laws = self.row[15].split(' ');
            assert!(
                laws.any(|expected| expected == found),
                "{universe}: {found}"
            );
        }
        let own = universe.game().law();
        for row in self.rows() {
            let (position, rank) = parse(universe, row[2]);
            for (place, law) in [Law::Uec, Law::Pcl, Law::Inventor].into_iter().enumerate() {
                let outcome = table.outcome(law, rank, position.side());
                let outcome = outcome.expect("a sound table");
                assert_eq!(letter(outcome), row[4 + place], "{law:?}: {}", row[2]);
                let probe = prober.probe(&position).expect("an answer");
                if law != own || outcome.is_none() {
                    continue;
                }
                let (loser, side) = (law.terms().loser, position.side());
                let lost_by = |color| match loser == Some(color) {
                    true => Reason::Repetition(color),
                    false => Reason::PerpetualCheck(color),
                };
                let reason = match probe.category {
                    Category::Win => lost_by(side.opponent()),
                    Category::Draw => Reason::Draw,
                    Category::Loss => lost_by(side),
                };
                assert_eq!(Some(probe.category), outcome, "{}", row[2]);
                assert_eq!(
                    (probe.plies, probe.reason),
                    (None, Some(reason)),
                    "{}",
                    row[2]
                );
            }
        }
    }

    /// Compares what the naive implementation finds for the positions: one law more than the library
    /// knows.
    pub fn compare_naive(&self, naive: &NaiveSolution) {
        let endless = naive.endless();
        let outcomes = [
            NaiveLaw::Uec,
            NaiveLaw::Pcl,
            NaiveLaw::Inventor,
            NaiveLaw::InventorDraw,
        ]
        .map(|law| endless.settle(law));
        for row in self.rows() {
            let sfen = row[2];
            let place = naive
                .place(sfen)
                .unwrap_or_else(|| panic!("{sfen} is illegal"));
            let value = match naive.value(place) {
                naive::Value::Win(plies) => format!("W{plies}"),
                naive::Value::Loss(plies) => format!("L{plies}"),
                naive::Value::Draw => "R".to_owned(),
            };
            let number = endless.number(place);
            let mut found = vec![value];
            found.extend(outcomes.iter().map(|outcomes| {
                let outcome = number.map(|number| outcomes[number]);
                let letter = match outcome {
                    None => "-",
                    Some(NaiveOutcome::Win) => "W",
                    Some(NaiveOutcome::Draw) => "D",
                    Some(NaiveOutcome::Loss) => "L",
                };
                letter.to_owned()
            }));
            found.push(naive.moves(place).to_string());
            found.push(naive.game().pawn_drop_mates(sfen).to_string());
            assert_eq!(found, row[3..10], "{sfen}");
        }
    }
}

/// What the oracle counts, over all positions with the side to move made sente and without mirror
/// folding.
#[derive(Debug, Default, PartialEq, Eq)]
struct Figures {
    win: u64,
    loss: u64,
    residue: u64,
    checkmates: u64,
    stalemates: u64,
    moves: u64,
    pawn_drop_mates: u64,
    by_plies: BTreeMap<u32, u64>,
}

/// The outcome of a residue position, as the oracle writes it.
fn letter(outcome: Option<Category>) -> &'static str {
    match outcome {
        None => "-",
        Some(Category::Win) => "W",
        Some(Category::Draw) => "D",
        Some(Category::Loss) => "L",
    }
}

/// `0:61 1:211`.
fn histogram(text: &str) -> BTreeMap<u32, u64> {
    text.split(' ')
        .map(|entry| {
            let (plies, count) = entry.split_once(':').expect("plies and count");
            (
                plies.parse().expect("plies"),
                count.parse().expect("a count"),
            )
        })
        .collect()
}

fn compare_counts(universe: &RankedUniverse, solution: &Solution, set: &[&str]) {
    let column = |index: usize| -> u64 { set[index].parse().expect("a count") };
    let positions = &solution.census().positions;
    let folded = [
        positions.total(),
        positions.win,
        positions.loss,
        positions.draw,
    ];
    assert_eq!(folded, [6, 7, 8, 9].map(column), "{universe}, folded");
    assert_eq!(solution.deepest(), Some(column(14) as u32), "{universe}");

    let expected = Figures {
        win: column(3),
        loss: column(4),
        residue: column(5),
        checkmates: column(10),
        stalemates: column(11),
        moves: column(12),
        pawn_drop_mates: column(13),
        by_plies: histogram(set[16]),
    };
    let found = figures(universe, |rank| solution.value(rank));
    assert_eq!(found, expected, "{universe}");
    assert_eq!(found.win + found.loss + found.residue, column(2));
}

fn figures(universe: &RankedUniverse, value: impl Fn(u64) -> Option<Value>) -> Figures {
    let game = universe.game();
    let mut figures = Figures::default();
    for segment in 0..universe.segments() {
        // Of a position and its mirror image one has a rank, except in doubled segments.
        let weight = if universe.is_doubled(segment) { 1 } else { 2 };
        let first = universe.segment(segment).first;
        for rank in first..first + u64::from(universe.segment(segment).len) {
            let Some(value) = value(rank) else {
                continue;
            };
            match value {
                Value::Win(_) => figures.win += weight,
                Value::Loss(_) => figures.loss += weight,
                Value::Draw | Value::Endless(_) => figures.residue += weight,
            }
            if let Some(plies) = value.plies() {
                *figures.by_plies.entry(plies).or_default() += weight;
            }
            let position = universe.unrank(rank);
            let mut moves = 0;
            game.for_each_legal_move(&position, |_| moves += 1);
            figures.moves += weight * moves;
            match game.end(&position).map(|end| end.reason) {
                Some(EndReason::Checkmate) => figures.checkmates += weight,
                Some(EndReason::NoMove) => figures.stalemates += weight,
                _ => {}
            }
            figures.pawn_drop_mates += weight * pawn_drop_mates(universe, &position);
        }
    }
    figures
}

/// How many pawn drops are illegal because they mate.
fn pawn_drop_mates(universe: &RankedUniverse, position: &Position) -> u64 {
    let game = universe.game();
    let pawn = game.family().pawn.expect("a pawn");
    if position.hand(position.side(), pawn) == 0 {
        return 0;
    }
    let mates = (0..game.board().len()).filter(|&to| {
        let drop = Move::Drop { kind: pawn, to };
        game.check_move(position, drop) == Err(IllegalMove::PawnDropMate)
    });
    mates.count() as u64
}

/// How many positions are won, drawn and lost by the mover, as an oracle says it: of all positions and of
/// those distinct up to the mirror, with sente and with gote to move. The oracle gives all laws in one
/// column.
fn compare_settled(universe: &RankedUniverse, settled: &Settled, laws: &str) {
    let mut figures = [[[0u64; 3]; 2]; 2];
    for segment in 0..universe.segments() {
        let weight = if universe.is_doubled(segment) { 1 } else { 2 };
        let first = universe.segment(segment).first;
        for rank in first..first + u64::from(universe.segment(segment).len) {
            for color in Color::BOTH {
                let Some(outcome) = settled.outcome(rank, color) else {
                    continue;
                };
                let place = Category::Win as usize - outcome as usize;
                figures[0][color.index()][place] += weight;
                figures[1][color.index()][place] += u64::from(rank <= universe.image(rank));
                let image = settled.outcome(universe.image(rank), color);
                assert_eq!(image, Some(outcome), "{universe}, rank {rank}");
            }
        }
    }
    let [unfolded, folded] = figures.map(|colors| {
        let [sente, gote] = colors.map(|[win, draw, loss]| format!("{win}/{draw}/{loss}"));
        format!("sente={sente},gote={gote}")
    });
    let law = settled.law().name();
    let found = format!("{law}:unfolded,{unfolded};folded,{folded}");
    assert!(
        laws.split(' ').any(|expected| expected == found),
        "{universe}: {found}, not one of {laws}"
    );
}

fn parse(universe: &RankedUniverse, sfen: &str) -> (Position, u64) {
    let position = universe
        .game()
        .parse_position(sfen)
        .unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let rank = universe.rank(&position);
    (
        position,
        rank.unwrap_or_else(|| panic!("{universe}: {sfen} has no rank")),
    )
}
