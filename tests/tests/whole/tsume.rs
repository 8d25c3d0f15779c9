//! Tsume: wins by threats alone. Small universes against the definition, move by move; the whole game
//! against the checker, and against a second search without counting moves down.

use std::collections::{BTreeMap, HashMap};

use koma_games::{
    Category, Color, EndReason, Game, Plain, Position, RankedUniverse, Universe, Value,
};
use koma_solver::{NoProgress, Passes, Settings, Solution, TsumeUniverse, check, solve, tsume};
use koma_tables::{Prober, Table};
use koma_tests::tables::{prober, table_bytes, whole_game};

/// Tsume among the positions that play leads to from the start, by Tanaka's convention: plies to
/// the end of the game, and positions.
pub(crate) const REACHED: [(u32, u64); 14] = [
    (3, 10_241_695),
    (5, 4_326_671),
    (7, 1_550_868),
    (9, 611_716),
    (11, 227_075),
    (13, 81_567),
    (15, 29_594),
    (17, 8_578),
    (19, 2_781),
    (21, 710),
    (23, 353),
    (25, 80),
    (27, 70),
    (29, 13),
];

/// Tsume among all placements.
const ALL: [(u32, u64); 14] = [
    (3, 11_225_179),
    (5, 4_518_571),
    (7, 1_622_418),
    (9, 630_692),
    (11, 230_614),
    (13, 82_750),
    (15, 29_852),
    (17, 8_737),
    (19, 2_797),
    (21, 712),
    (23, 353),
    (25, 80),
    (27, 70),
    (29, 13),
];

/// The tsume of a small universe by definition.
pub(crate) struct Tsume<'a> {
    game: &'a Game,
    /// By position with sente to move, mirror images too; wins at once are in it with 1 ply.
    plies: HashMap<Position, u32>,
}

impl<'a> Tsume<'a> {
    /// Looks again and again which positions have an attacker's move after which every reply leads
    /// to a shorter tsume.
    pub(crate) fn new(universe: &'a RankedUniverse) -> Tsume<'a> {
        let game = universe.game();
        let mut tsume = Tsume {
            game,
            plies: HashMap::new(),
        };
        let positions = (0..universe.len()).map(|rank| universe.unrank(rank));
        let mut waiting = Vec::new();
        for position in positions {
            if wins_at_once(game, &position) {
                tsume.insert(position, 1);
            } else {
                waiting.push((position, tsume.replies(&position)));
            }
        }
        for plies in (3..).step_by(2) {
            let (found, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, attacks)| {
                let mated = |replies: &Vec<Position>| {
                    replies
                        .iter()
                        .all(|reply| wins_at_once(game, reply) || tsume.plies.contains_key(reply))
                };
                attacks.iter().any(mated)
            });
            if found.is_empty() {
                return tsume;
            }
            for (position, _) in found {
                tsume.insert(position, plies);
            }
            waiting = rest;
        }
        unreachable!("a position is found in every round but the last")
    }

    fn insert(&mut self, position: Position, plies: u32) {
        self.plies.insert(position, plies);
        self.plies.insert(self.game.mirrored(&position), plies);
    }

    /// After each move that leaves a threat and does not lose at once: the positions after every
    /// reply, turned so that sente is to move.
    fn replies(&self, position: &Position) -> Vec<Vec<Position>> {
        let game = self.game;
        let mut attacks = Vec::new();
        game.for_each_move(position, |mv| {
            let after = game.play(position, mv);
            let passed = after.with_side(after.side().opponent());
            if wins_at_once(game, &after) || !wins_at_once(game, &passed) {
                return;
            }
            let mut replies = Vec::new();
            game.for_each_move(&after, |reply| replies.push(game.play(&after, reply)));
            attacks.push(replies);
        });
        attacks
    }

    /// The length of the tsume, unless the mover wins at once.
    pub(crate) fn plies(&self, position: &Position) -> Option<u32> {
        let position = match position.side() {
            Color::Sente => *position,
            Color::Gote => self.game.rotated(position),
        };
        let plies = self.plies.get(&position).copied();
        plies.filter(|&plies| plies > 1)
    }
}

/// Whether the side to move can take the royal or try safely.
fn wins_at_once(game: &Game, position: &Position) -> bool {
    let mut wins = game.can_take_royal(position);
    game.for_each_move(position, |mv| {
        let end = game.end(&game.play(position, mv));
        wins |=
            end.is_some_and(|end| end.winner == position.side() && end.reason == EndReason::Try);
    });
    wins
}

fn passes<D: AsRef<[u8]> + Sync>(prober: &Prober<D>) -> Passes {
    let (universe, table) = (prober.universe(), prober.table());
    Passes::find(universe, table, &Settings::default(), &NoProgress).expect("threads")
}

/// The bytes of a file with the tsume.
fn tsume_table(universe: &RankedUniverse, solution: &Solution) -> Table<Vec<u8>> {
    let bytes = table_bytes(universe, solution, env!("CARGO_TARGET_TMPDIR"));
    Table::open(bytes).expect("a table")
}

#[test]
fn every_length_follows_from_the_definition() {
    let mut longest = 0;
    for name in [
        "dobutsu@3x3:gc",
        "dobutsu@3x3:egc",
        "dobutsu@4x3:cc",
        "dobutsu:no-try:cc",
        "dobutsu@3x3:no-drops:ecc",
        "dobutsu:ec",
    ] {
        let universe: RankedUniverse = name.parse().expect("a universe");
        let prober = prober(universe, Some(1), env!("CARGO_TARGET_TMPDIR"));
        let universe = prober.universe();
        let passes = passes(&prober);
        let settings = Settings::default();
        let found = tsume(universe, &passes, &settings, &NoProgress).expect("a solution");
        let whole = TsumeUniverse::new(universe, passes.threatened());
        let plain = solve(&Plain(&whole), &settings, &NoProgress).expect("a solution");
        let expected = Tsume::new(universe);
        for rank in 0..universe.len() {
            assert_eq!(found.value(rank), plain.value(rank), "{name}: rank {rank}");
            let position = universe.unrank(rank);
            let plies = match found.value(rank) {
                Some(Value::Win(plies)) if plies > 1 => Some(plies),
                _ => None,
            };
            let sfen = universe.game().sfen(&position);
            assert_eq!(plies, expected.plies(&position), "{name}: {sfen}");
            longest = longest.max(plies.unwrap_or(0));
        }
        check(&whole, &tsume_table(universe, &found), None, &NoProgress).expect("a right table");
    }
    assert!(longest > 9, "only {longest} plies");
}

/// The first way: retrograde analysis, and every cell of it recomputed by forward moves.
#[test]
fn tsume_of_the_whole_game() {
    let prober = whole_game(env!("CARGO_TARGET_TMPDIR"));
    let universe = prober.universe();
    let passes = passes(prober);
    let found = tsume(universe, &passes, &Settings::default(), &NoProgress);
    let found = found.expect("enough memory");
    let counts = &found.census().positions.by_plies;
    let wins = counts
        .iter()
        .filter(|&&(plies, _)| plies % 2 == 1 && plies > 1);
    assert_eq!(wins.copied().collect::<Vec<_>>(), ALL);
    let whole = TsumeUniverse::new(universe, passes.threatened());
    check(&whole, &tsume_table(universe, &found), None, &NoProgress).expect("a right table");
}

/// The second way: from the mates backwards without counts of moves, every reply looked at again
/// when one of them is found to lose.
#[test]
fn tsume_of_the_whole_game_a_second_way() {
    let prober = whole_game(env!("CARGO_TARGET_TMPDIR"));
    let (universe, table) = (prober.universe(), prober.table());
    let passes = passes(prober);
    let value = |rank| table.cell_unverified(rank).value().expect("a distance");
    let category = |rank| value(rank).category();
    // Plies by rank; 0 is none.
    let mut plies = vec![0u8; usize::try_from(universe.len()).expect("in memory")];
    let mut mated: Vec<u64> = (0..universe.len())
        .filter(|&rank| value(rank) == Value::Loss(2) && passes.threatened().contains(rank))
        .collect();
    for length in (3u8..).step_by(2) {
        let mut attacks = Vec::new();
        for &rank in &mated {
            universe.predecessors(rank, |before| {
                let place = &mut plies[before as usize];
                if *place == 0
                    && category(before) == Category::Win
                    && value(before) != Value::Win(1)
                {
                    *place = length;
                    attacks.push(before);
                }
            });
        }
        mated.clear();
        for &rank in &attacks {
            universe.predecessors(rank, |before| {
                if plies[before as usize] != 0
                    || category(before) != Category::Loss
                    || !passes.threatened().contains(before)
                {
                    return;
                }
                let mut all = true;
                universe.successors(before, |after| {
                    all &= plies[after as usize] % 2 == 1 || value(after) == Value::Win(1);
                });
                if all {
                    plies[before as usize] = length + 1;
                    mated.push(before);
                }
            });
        }
        if attacks.is_empty() {
            break;
        }
    }
    let mut halves = BTreeMap::new();
    let mut count = |rank: u64, weight: u64| {
        let length = u32::from(plies[rank as usize]);
        if length % 2 == 1 {
            *halves.entry(length).or_insert(0) += weight;
        }
    };
    for index in 0..universe.segments() {
        let segment = universe.segment(index);
        let weight = if universe.is_doubled(index) { 1 } else { 2 };
        for rank in segment.first..segment.first + u64::from(segment.len) {
            count(rank, weight);
        }
    }
    universe.for_each_self_image(|rank| count(rank, 1));
    let found: Vec<(u32, u64)> = halves
        .into_iter()
        .map(|(plies, n)| (plies, n / 2))
        .collect();
    assert_eq!(found, ALL);
}
