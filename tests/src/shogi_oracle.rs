//! **Sets of the oracles**: small sets of minishogi and gorogoro as an independent solver has them, to be
//! compared with what the library finds, and the naive implementation.

use std::collections::BTreeMap;

use koma_games::{
    Category, Color, EndReason, IllegalMove, Law, Move, Position, RankedUniverse, Universe, Value,
};
use koma_solver::{
    LegalStatistics, NoProgress, Settings, Settled, Solution, Unfolded, settle, solve,
};
use koma_tables::{Counts, Prober, Reason, Table};

use crate::every_set;
use crate::naive;
use crate::naive_endless::{NaiveEndless, NaiveLaw, NaiveOutcome};
use crate::naive_shogi::NaiveSolution;
use crate::oracle;
use crate::tables::table_bytes;

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

    /// Solves the set and compares all counts, those of statistics too, and the values and outcomes of the
    /// positions. A table passes through `folder`.
    pub fn compare_solution(&self, settings: &Settings, folder: &str) {
        let universe = self.universe();
        let solution = solve(&universe, settings, &NoProgress)
            .unwrap_or_else(|error| panic!("{universe}: {error}"));
        compare_counts(&universe, &solution, &self.row);
        let table = Table::open(table_bytes(&universe, &solution, folder));
        let table = table.unwrap_or_else(|error| panic!("{universe}: {error}"));
        self.compare_statistics(&universe, &table, settings);
        for row in self.rows() {
            let (_, rank) = parse(&universe, row[2]);
            let found = told(solution.value(rank));
            assert_eq!(found.as_deref(), Some(row[3]), "{universe} {}", row[2]);
        }
        for (place, law) in self.laws() {
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

    /// The laws that the oracle knows of, by the place of their columns. Of large sets not all are told.
    fn laws(&self) -> impl Iterator<Item = (usize, Law)> {
        let told = |law: &Law| {
            let mut laws = self.row[15].split(' ');
            laws.any(|told| told.split(':').next() == Some(law.name()))
        };
        let laws = [Law::Uec, Law::Pcl, Law::Inventor];
        laws.into_iter()
            .enumerate()
            .filter(move |(_, law)| told(law))
    }

    /// Compares what statistics of a table count: every column but that of the laws.
    pub fn compare_statistics<D: AsRef<[u8]> + Sync>(
        &self,
        universe: &RankedUniverse,
        table: &Table<D>,
        settings: &Settings,
    ) {
        let statistics = LegalStatistics::of(universe, table, settings, &NoProgress);
        let statistics = statistics.unwrap_or_else(|error| panic!("{universe}: {error}"));
        let LegalStatistics { folded, unfolded } = &statistics;
        self.compare_folded(&folded.counts);
        self.compare_unfolded(&unfolded.counts);
        let found = [
            unfolded.checkmates,
            unfolded.stalemates,
            unfolded.all_branching().moves(),
            unfolded.pawn_drop_mates,
        ];
        assert_eq!(
            found,
            [10, 11, 12, 13].map(|at| self.count(at)),
            "{universe}"
        );
    }

    fn count(&self, column: usize) -> u64 {
        self.row[column].parse().expect("a count")
    }

    fn compare_folded(&self, counts: &Counts) {
        let found = [counts.total(), counts.win, counts.loss, counts.draw];
        let name = self.name();
        assert_eq!(
            found,
            [6, 7, 8, 9].map(|at| self.count(at)),
            "{name}, folded"
        );
        let deepest = counts.deepest().map(u64::from);
        assert_eq!(deepest, Some(self.count(14)), "{name}");
    }

    fn compare_unfolded(&self, counts: &Counts) {
        let found = [counts.total(), counts.win, counts.loss, counts.draw];
        let name = self.name();
        assert_eq!(
            found,
            [2, 3, 4, 5].map(|at| self.count(at)),
            "{name}, unfolded"
        );
        let by_plies: BTreeMap<u32, u64> = counts.by_plies.iter().copied().collect();
        assert_eq!(by_plies, histogram(self.row[16]), "{name}, unfolded");
    }

    /// Compares a table of the set: what it counts, folded and not, the values of the positions and their
    /// outcomes under each law, and what is answered under its own, with the reason.
    pub fn compare_table<D: AsRef<[u8]>>(&self, prober: &Prober<D>) {
        let (universe, table) = (prober.universe(), prober.table());
        let unfolded = Unfolded::of(universe, table).expect("a sound table");
        self.compare_folded(&table.header().census().positions);
        self.compare_unfolded(&unfolded.counts);
        let folded = table.header().outcomes();
        for (_, law) in self.laws() {
            let folded = folded.iter().find(|counts| counts.law == law);
            let (_, unfolded) = unfolded
                .outcomes
                .iter()
                .find(|(found, _)| *found == law)
                .expect("every law");
            let folded = &folded.expect("every law").positions;
            let [unfolded, folded] = [unfolded, folded].map(|counts| {
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
            let cell = table.cell(rank).expect("a sound table");
            assert_eq!(told(cell.value()).as_deref(), Some(row[3]), "{}", row[2]);
            let probe = prober.probe(&position).expect("an answer");
            for (place, law) in self.laws() {
                let outcome = table.outcome(law, rank, position.side());
                let outcome = outcome.expect("a sound table");
                assert_eq!(letter(outcome), row[4 + place], "{law:?}: {}", row[2]);
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
        let laws = [
            NaiveLaw::Uec,
            NaiveLaw::Pcl,
            NaiveLaw::Inventor,
            NaiveLaw::InventorDraw,
        ];
        let outcomes = laws.map(|law| endless.settle(law));
        self.compare_naive_laws(naive, &endless, &outcomes);
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

    /// Compares how many positions each law gives to whom, the law that the library lacks among them.
    fn compare_naive_laws(
        &self,
        naive: &NaiveSolution,
        endless: &NaiveEndless,
        outcomes: &[Vec<NaiveOutcome>; 4],
    ) {
        let universe = self.universe();
        let game = universe.game();
        let mirrored = |place: usize| {
            let sfen = naive.sfen(place);
            let image = game.mirrored(&parse(&universe, &sfen).0);
            naive
                .place(&game.sfen(&image))
                .expect("the mirror image is legal")
        };
        let first: Vec<bool> = endless
            .places()
            .iter()
            .map(|&place| place <= mirrored(place))
            .collect();
        let mut told = self.row[15].split(' ');
        for (law, outcomes) in ["uec", "pcl", "inventor", "inventor_draw"]
            .iter()
            .zip(outcomes)
        {
            let mut counts = [[[0; 3]; 2]; 2];
            let sides = endless.sente_to_move().iter().zip(&first);
            for (&outcome, (&sente, &first)) in outcomes.iter().zip(sides) {
                let (side, column) = (usize::from(!sente), outcome as usize);
                counts[0][side][column] += 1;
                counts[1][side][column] += usize::from(first);
            }
            let [unfolded, folded] = counts.map(|sides| {
                let [sente, gote] = sides.map(|[won, drawn, lost]| format!("{won}/{drawn}/{lost}"));
                format!("sente={sente},gote={gote}")
            });
            let found = format!("{law}:unfolded,{unfolded};folded,{folded}");
            assert_eq!(told.next(), Some(&found[..]), "{}", self.name());
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

/// A value by force, as the oracle writes it.
fn told(value: Option<Value>) -> Option<String> {
    value.map(|value| match value {
        Value::Win(plies) => format!("W{plies}"),
        Value::Loss(plies) => format!("L{plies}"),
        Value::Draw | Value::Endless(_) => "R".to_owned(),
    })
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
