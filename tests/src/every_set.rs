//! **Every set** of a few pieces of minishogi and gorogoro, as the library and the naive implementation
//! have it, compared placement by placement.

use std::fmt::{self, Display, Formatter};

use koma_games::{Category, Color, Law, RankedUniverse, Universe};
use koma_solver::{NoProgress, Settings, Settled, Solution, settle, solve};

use crate::naive::Value;
use crate::naive_endless::{NaiveEndless, NaiveLaw, NaiveOutcome};
use crate::naive_shogi::{GOROGORO, MINISHOGI, NaiveShogi, NaiveSolution};
use crate::values::as_naive;

/// The games of the sets, by their names in the library.
pub const GAMES: [(&str, NaiveShogi); 2] = [("minishogi", MINISHOGI), ("gorogoro", GOROGORO)];

/// The laws by which the library settles endless play, and the naive ones.
const LAWS: [(Law, NaiveLaw); 3] = [
    (Law::Uec, NaiveLaw::Uec),
    (Law::Pcl, NaiveLaw::Pcl),
    (Law::Inventor, NaiveLaw::Inventor),
];

/// The name of a set: `minishogi:gp`.
pub fn name(game: &str, letters: &str) -> String {
    let mut letters = letters.to_lowercase().into_bytes();
    letters.sort_unstable();
    format!("{game}:{}", String::from_utf8_lossy(&letters))
}

/// The universe of a set, by the set's name. It is the one under no law: forced wins and losses are the
/// same under all of them.
///
/// # Panics
/// If there is no such universe.
pub fn universe(name: &str) -> RankedUniverse {
    let name = name.replace(':', ":repetition=draw:");
    name.parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What was compared of a set: placements with either side to move, none folded.
#[derive(Debug, Default)]
pub struct Compared {
    /// Won, lost, and undecided by force.
    pub values: [usize; 3],
    /// The longest distance, in plies.
    pub deepest: u32,
    /// Ranks of the placements.
    pub ranks: usize,
    /// By law, with sente and with gote to move: undecided placements won, drawn and lost for the mover.
    pub outcomes: Vec<(Law, [[usize; 3]; 2])>,
}

impl Display for Compared {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [won, lost, undecided] = self.values;
        write!(
            f,
            "{} placements of {} ranks (won {won}, lost {lost}, in up to {} plies, undecided {undecided})",
            won + lost + undecided,
            self.ranks,
            self.deepest,
        )?;
        for (law, colors) in &self.outcomes {
            let [sente, gote] = colors.map(|[won, drawn, lost]| format!("{won}/{drawn}/{lost}"));
            write!(f, "; {} sente {sente}, gote {gote}", law.name())?;
        }
        Ok(())
    }
}

/// Solves a universe and compares every placement with the naive solution, with either side to move:
/// whether it is legal, its value with the distance, the number of its moves, and the outcome under
/// every law where neither side can force anything.
///
/// # Panics
/// At the first difference.
pub fn compare(universe: &RankedUniverse, naive: &NaiveSolution, settings: &Settings) -> Compared {
    let solution = solve(universe, settings, &NoProgress)
        .unwrap_or_else(|error| panic!("{universe}: {error}"));
    let ranks = ranks(universe, naive);
    let mut compared = Compared {
        ranks: compare_legal(universe, &solution, &ranks),
        ..Compared::default()
    };
    compare_values(universe, &solution, naive, &ranks, &mut compared);
    let endless = naive.endless();
    compared.outcomes = LAWS
        .into_iter()
        .map(|(law, naive_law)| {
            let settled = settle(universe, &solution, law, settings, &NoProgress)
                .unwrap_or_else(|error| panic!("{universe}: {error}"));
            let expected = endless.settle(naive_law);
            let what = |place| format!("{universe}, {}: {}", law.name(), naive.sfen(place));
            (
                law,
                compare_outcomes(&settled, &ranks, &endless, &expected, what),
            )
        })
        .collect();
    compared
}

/// The rank of every placement, by its place.
fn ranks(universe: &RankedUniverse, naive: &NaiveSolution) -> Vec<u64> {
    let rank = |place| {
        let sfen = naive.sfen(place);
        let position = universe
            .game()
            .parse_position(&sfen)
            .unwrap_or_else(|error| panic!("{universe}: {sfen}: {error}"));
        let rank = universe.rank(&position);
        rank.unwrap_or_else(|| panic!("{universe}: {sfen} has no rank"))
    };
    (0..naive.placements()).map(rank).collect()
}

/// Every rank that is no hole is one of a placement, and no other is. Returns how many there are.
fn compare_legal(universe: &RankedUniverse, solution: &Solution, ranks: &[u64]) -> usize {
    let mut met = vec![false; universe.len() as usize];
    for &rank in ranks {
        met[rank as usize] = true;
    }
    for (rank, &met) in (0..).zip(&met) {
        let legal = solution.value(rank).is_some();
        assert_eq!(legal, met, "{universe}: whether rank {rank} is legal");
    }
    met.into_iter().filter(|met| *met).count()
}

fn compare_values(
    universe: &RankedUniverse,
    solution: &Solution,
    naive: &NaiveSolution,
    ranks: &[u64],
    compared: &mut Compared,
) {
    for (place, &rank) in ranks.iter().enumerate() {
        let mut moves = 0;
        universe.successors(rank, |_| moves += 1);
        let found = (solution.value(rank).map(as_naive), moves);
        let value = naive.value(place);
        let expected = (Some(value), naive.moves(place));
        assert_eq!(found, expected, "{universe}: {}", naive.sfen(place));
        let (column, plies) = match value {
            Value::Win(plies) => (0, plies),
            Value::Loss(plies) => (1, plies),
            Value::Draw => (2, 0),
        };
        compared.values[column] += 1;
        compared.deepest = compared.deepest.max(plies);
    }
}

/// Returns how many are won, drawn and lost, with sente and with gote to move.
fn compare_outcomes(
    settled: &Settled,
    ranks: &[u64],
    endless: &NaiveEndless,
    expected: &[NaiveOutcome],
    what: impl Fn(usize) -> String,
) -> [[usize; 3]; 2] {
    let mut counts = [[0; 3]; 2];
    let expected = expected.iter().zip(endless.sente_to_move());
    for (&place, (outcome, sente_to_move)) in endless.places().iter().zip(expected) {
        let color = match sente_to_move {
            true => Color::Sente,
            false => Color::Gote,
        };
        let (category, column) = match outcome {
            NaiveOutcome::Win => (Category::Win, 0),
            NaiveOutcome::Draw => (Category::Draw, 1),
            NaiveOutcome::Loss => (Category::Loss, 2),
        };
        let found = settled.outcome(ranks[place], color);
        assert_eq!(found, Some(category), "{}", what(place));
        counts[color.index()][column] += 1;
    }
    counts
}
