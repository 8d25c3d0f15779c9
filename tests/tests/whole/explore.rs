//! The positions that play leads to: small explorations against plain search move by move, those of
//! the whole game against the published counts.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use koma_games::{
    Color, CompleteUniverse, Convention, EndReason, Explorable, Exploration, Game, Position,
    RankedUniverse, Reached, Universe, Value, one,
};
use koma_solver::{Explored, NoProgress, Settings, Solution, check, explore, solve};
use koma_tables::{Counts, Identity, Kind, ProbeError, Prober, Table, Writer};
use koma_tests::random::Random;
use koma_tests::small_sets::small_sets;
use koma_tests::tables::whole_game;
use koma_tests::values::answer;
use koma_tests::{oracle, parallel};

const CONVENTIONS: [Convention; 2] = [Convention::Rules, Convention::Tanaka];

fn one_thread() -> Settings {
    Settings {
        threads: Some(1),
        ..Settings::default()
    }
}

/// What plain search finds: positions with sente to move, and the mirror image of each.
struct Found {
    positions: HashSet<Position>,
    counts: Reached,
}

/// Whether the side to move can try safely.
fn can_try(game: &Game, position: &Position) -> bool {
    let mut tries = false;
    game.for_each_move(position, |mv| {
        let end = game.end(&game.play(position, mv));
        tries |=
            end.is_some_and(|end| end.reason == EndReason::Try && end.winner == position.side());
    });
    tries
}

fn search(game: &Game, convention: Convention, roots: &[Position]) -> Found {
    let images = |position: &Position| {
        let position = match position.side() {
            Color::Sente => *position,
            Color::Gote => game.rotated(position),
        };
        [position, game.mirrored(&position)]
    };
    let mut positions = HashSet::new();
    let mut waiting = Vec::new();
    for position in roots.iter().flat_map(images) {
        if positions.insert(position) {
            waiting.push(position);
        }
    }
    // Twice the counts: of a position and its mirror image both are counted, a self-image twice.
    let mut twice = Reached::default();
    while let Some(position) = waiting.pop() {
        let [_, mirrored] = images(&position);
        let weight = if mirrored == position { 2 } else { 1 };
        let other_royal = position.royal(Color::Gote).expect("both royals");
        let tried =
            game.options().try_wins && game.far_rank(Color::Gote, 0) & one(other_royal) != 0;
        if game.can_take_royal(&position) {
            twice.catches += weight;
        } else if tried {
            twice.tried += weight;
        } else if convention == Convention::Rules && can_try(game, &position) {
            twice.tries += weight;
        } else {
            twice.open += weight;
            game.for_each_move(&position, |mv| {
                twice.moves += weight;
                for child in images(&game.play(&position, mv)) {
                    if positions.insert(child) {
                        waiting.push(child);
                    }
                }
            });
        }
    }
    let counts = twice.zip(Reached::default(), |twice, _| twice / 2);
    Found { positions, counts }
}

/// Values of reached ranks are those of the whole universe; all other ranks are holes.
fn assert_values(
    universe: &RankedUniverse,
    whole: impl Fn(u64) -> Option<Value> + Sync,
    explored: &Explored,
    solution: &Solution,
) {
    let segments: Vec<u32> = (0..universe.segments()).collect();
    parallel::for_each(segments.chunks(256).collect(), |segments| {
        for segment in segments.iter().map(|&segment| universe.segment(segment)) {
            for rank in segment.first..segment.first + u64::from(segment.len) {
                let reached = explored.ranks().contains(rank);
                let expected = if reached { whole(rank) } else { None };
                assert_eq!(solution.value(rank), expected, "{universe}: rank {rank}");
            }
        }
    });
}

#[test]
fn small_explorations_agree_with_plain_search() {
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let whole = solve(&universe, &one_thread(), &NoProgress).expect("a solution");
        let mut random = Random::new(universe.len());
        for convention in CONVENTIONS {
            let space = CompleteUniverse::new(universe.clone(), convention);
            let roots: Vec<Position> = (0..1 + random.below(3))
                .map(|_| universe.unrank(random.below(universe.len())))
                .collect();
            let found = search(universe.game(), convention, &roots);
            let ranks: Vec<u64> = roots.iter().filter_map(|root| space.rank(root)).collect();
            let explored =
                explore(&space, &ranks, &one_thread(), &NoProgress).expect("enough memory");
            assert_eq!(explored.counts(), found.counts, "{set}: {convention:?}");
            let mut expected = vec![false; Explorable::len(&space) as usize];
            for position in &found.positions {
                let rank = space.rank(position).expect("play leads to no other");
                expected[rank as usize] = true;
            }
            for (rank, expected) in (0..).zip(expected) {
                let reached = explored.ranks().contains(rank);
                assert_eq!(reached, expected, "{set}: rank {rank}");
            }
            let solution = explored.solve(&universe, &one_thread(), &NoProgress);
            let solution = solution.expect("enough memory");
            assert_values(&universe, |rank| whole.value(rank), &explored, &solution);
            let counts = explored.counts_by_value(&solution.census().positions);
            assert_eq!(counts.total(), found.counts.positions());
        }
    });
}

/// Ranks and positions of complete universes.
#[test]
fn complete_ranks_have_positions() {
    parallel::for_each(small_sets(), |set| {
        let space = CompleteUniverse::new(set.universe(), Convention::Rules);
        let game = space.ranked().game();
        for rank in 0..Explorable::len(&space) {
            let position = space.unrank(rank);
            assert_eq!(space.rank(&position), Some(rank), "{set}");
            assert_eq!(space.rank(&game.rotated(&position)), Some(rank), "{set}");
            let mirrored = space.mirrored(rank);
            assert_eq!(
                space.rank(&game.mirrored(&position)),
                Some(mirrored),
                "{set}"
            );
            if rank >= space.ranked().len() {
                assert!(
                    game.can_take_royal(&position)
                        || game
                            .end(&position)
                            .is_some_and(|end| end.winner == Color::Gote),
                    "{set}: {} is not decided",
                    game.sfen(&position)
                );
            }
        }
    });
}

/// A table of an exploration holds what was reached, passes the deep check, and answers for these
/// positions only.
#[test]
fn tables_of_explorations_answer() {
    let universe: RankedUniverse = "dobutsu@3x4:ec".parse().expect("a universe");
    let game = universe.game().clone();
    let root = game
        .parse_position("1l1/3/3/1L1 b EC 1")
        .expect("a position");
    let whole = solve(&universe, &Settings::default(), &NoProgress).expect("a solution");
    for convention in CONVENTIONS {
        let exploration = Exploration::new(universe.clone(), convention, &[root]);
        let exploration = exploration.expect("a root");
        let name = exploration.to_string();
        let again: Exploration = name.parse().expect("a name");
        assert_eq!(again.to_string(), name);
        assert_eq!(again.roots(), exploration.roots());

        let settings = Settings::default();
        let explored = explore(
            exploration.space(),
            exploration.roots(),
            &settings,
            &NoProgress,
        );
        let explored = explored.expect("enough memory");
        let solution = explored.solve(&universe, &settings, &NoProgress);
        let solution = solution.expect("enough memory");
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = path.join(format!("{}-{}.koma", std::process::id(), convention.name()));
        let writer = Writer::create(&path).expect("a folder to write to");
        let identity = Identity::from(&exploration);
        solution
            .write(writer, &identity, Kind::Dtm)
            .expect("the table is written");
        let table = Table::open(std::fs::read(&path).expect("the table is there"));
        std::fs::remove_file(&path).expect("the table can be removed");
        let table = table.expect("a table");
        table.verify().expect("an undamaged table");
        check(&explored.universe(&universe), &table, None, &NoProgress).expect("a right table");

        let prober = Prober::explored(exploration, table).expect("the table is of the exploration");
        assert_eq!(prober.name(), name);
        let mut unreached = 0;
        for rank in 0..universe.len() {
            let position = universe.unrank(rank);
            if !explored.ranks().contains(rank) {
                let error = prober.probe(&position).expect_err("no value");
                assert!(matches!(error, ProbeError::Unreached { .. }), "{error}");
                unreached += 1;
                continue;
            }
            let value = answer(prober.probe(&position));
            assert_eq!(Some(value), whole.value(rank));
            if game.end(&position).is_none() {
                let moves = prober.moves(&position).expect("moves that lead to answers");
                let best = answer(Ok(moves[0].probe));
                assert_eq!(best.one_ply_earlier(), value, "{}", game.sfen(&position));
            }
        }
        assert!(unreached > 0);
    }
}

/// What play from the start position leads to in the whole game, by Tanaka's convention.
struct Whole {
    exploration: Exploration,
    explored: Explored,
    solution: Solution,
}

fn explore_whole(name: &str) -> Whole {
    let exploration: Exploration = name.parse().expect("a name");
    let settings = Settings::default();
    let explored = explore(
        exploration.space(),
        exploration.roots(),
        &settings,
        &NoProgress,
    );
    let explored = explored.expect("enough memory");
    let solution = explored.solve(exploration.ranked(), &settings, &NoProgress);
    Whole {
        solution: solution.expect("enough memory"),
        exploration,
        explored,
    }
}

fn tanaka() -> &'static Whole {
    static WHOLE: OnceLock<Whole> = OnceLock::new();
    WHOLE.get_or_init(|| explore_whole("dobutsu/reachable:tanaka"))
}

/// The values of the whole game's table.
fn ranked_value(rank: u64) -> Option<Value> {
    let solved = whole_game(env!("CARGO_TARGET_TMPDIR"));
    solved.table().cell_unverified(rank).value()
}

fn counts_of(
    Whole {
        explored, solution, ..
    }: &Whole,
) -> Counts {
    let counts = explored.counts_by_value(&solution.census().positions);
    assert_eq!(counts.total(), explored.counts().positions());
    counts
}

/// The published counts by Tanaka's convention: totals, moves, and all distances.
#[test]
fn tanaka_reaches_246_803_167_positions() {
    let whole = tanaka();
    let total = oracle::rta_total;
    let reached = whole.explored.counts();
    assert_eq!(reached.positions(), total("reachable_total"));
    assert_eq!(reached.open, total("nonterminal_total"));
    assert_eq!(reached.catches, total("catch_win_depth1"));
    assert_eq!(reached.tried, total("lose_depth0"));
    assert_eq!(reached.tries, 0);
    assert_eq!(reached.moves, total("edges_total"));

    let counts = counts_of(whole);
    assert_eq!(counts.win, total("win_total"));
    assert_eq!(counts.loss, total("lose_total"));
    assert_eq!(counts.draw, total("draw_total"));
    assert_eq!(counts.win - reached.catches, total("nonterminal_win"));
    assert_eq!(counts.loss - reached.tried, total("nonterminal_lose"));
    assert_eq!(counts.deepest().map(u64::from), Some(total("max_depth")));

    // The oracle's rows leave out what its convention ends.
    let mut found: BTreeMap<u32, u64> = counts.by_plies.into_iter().collect();
    *found.get_mut(&0).expect("losses by a try") -= reached.tried;
    *found.get_mut(&1).expect("wins in 1") -= reached.catches;
    found.retain(|_, &mut count| count > 0);
    let rows: BTreeMap<u32, u64> = oracle::rows(oracle::RTA_DISTRIBUTION)
        .map(|row| {
            let plies: u32 = row[0].parse().expect("plies");
            assert_eq!(row[1], if plies % 2 == 1 { "win" } else { "lose" });
            (plies, row[2].parse().expect("a count"))
        })
        .filter(|&(_, count)| count > 0)
        .collect();
    assert_eq!(found, rows);
}

#[test]
fn values_of_reached_positions_are_those_of_the_whole_game() {
    let Whole {
        exploration,
        explored,
        solution,
    } = tanaka();
    assert_values(exploration.ranked(), ranked_value, explored, solution);
}

/// The counts where a safe try ends the game at once.
#[test]
fn by_the_rules_213_993_386_positions_are_reached() {
    let whole = explore_whole("dobutsu/reachable");
    let counts = counts_of(&whole);
    assert_eq!(counts.total(), 213_993_386);
    assert_eq!(counts.win, 174_089_910);
    assert_eq!(counts.loss, 37_228_827);
    assert_eq!(counts.draw, 2_674_649);
    assert_eq!(counts.deepest(), Some(173));
    assert_values(
        whole.exploration.ranked(),
        ranked_value,
        &whole.explored,
        &whole.solution,
    );
}

#[test]
fn without_drops_797_658_or_962_894_positions_are_reached() {
    for (name, positions) in [
        ("dobutsu:no-drops/reachable", 797_658),
        ("dobutsu:no-drops/reachable:tanaka", 962_894),
    ] {
        let whole = explore_whole(name);
        assert_eq!(counts_of(&whole).total(), positions, "{name}");
    }
}
