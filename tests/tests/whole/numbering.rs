//! Ranks and the moves between them: every position has its rank, every rank its position, and
//! successors and predecessors are converse.

use koma_games::{Game, RankedUniverse, Universe};
use koma_tests::naive::NaiveGame;
use koma_tests::parallel;
use koma_tests::random::Random;
use koma_tests::small_sets::{SmallSet, small_sets};

fn universe(name: &str) -> RankedUniverse {
    name.parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rank of a position, if the universe has it.
fn rank(universe: &RankedUniverse, sfen: &str) -> Option<u64> {
    let position = universe
        .game()
        .parse_position(sfen)
        .unwrap_or_else(|error| panic!("{sfen}: {error}"));
    universe.rank(&position)
}

/// Every arrangement that the rules do not decide at once has a rank, whatever side is to move and
/// whatever way it is mirrored; the ranks are used up by that.
#[test]
fn every_arrangement_has_a_rank() {
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let naive = set.naive();
        let mut hits = vec![0u8; universe.len() as usize];
        for sfen in naive.sfens() {
            let decided = lions_touch(&sfen) || tried(&set, &sfen);
            match rank(&universe, &sfen) {
                Some(rank) if !decided => hits[rank as usize] += 1,
                None if decided => {}
                rank => panic!("{set}: {sfen} has the rank {rank:?}"),
            }
        }
        // Two sides to move, and two mirror images unless each image has its own rank.
        for (rank, hits) in (0..).zip(hits) {
            let sfen = universe.game().sfen(&universe.unrank(rank));
            let expected = if lions_on_the_centre_file(&set, &sfen) {
                2
            } else {
                4
            };
            assert_eq!(hits, expected, "{set}: rank {rank} is {sfen}");
        }
    });
}

/// The squares of the two lions, sente's first, as file and rank from the top left.
fn lions(sfen: &str) -> [(i32, i32); 2] {
    let mut squares = [(0, 0); 2];
    let (mut file, mut rank) = (0, 0);
    for letter in sfen.chars().take_while(|&letter| letter != ' ') {
        match letter {
            '/' => (file, rank) = (0, rank + 1),
            digit if digit.is_ascii_digit() => file += digit as i32 - '0' as i32,
            letter => {
                match letter {
                    'L' => squares[0] = (file, rank),
                    'l' => squares[1] = (file, rank),
                    _ => {}
                }
                file += 1;
            }
        }
    }
    squares
}

fn lions_touch(sfen: &str) -> bool {
    let [sente, gote] = lions(sfen);
    (sente.0 - gote.0).abs() <= 1 && (sente.1 - gote.1).abs() <= 1
}

/// Whether a lion stands on its far rank where that is a try.
fn tried(set: &SmallSet, sfen: &str) -> bool {
    let [sente, gote] = lions(sfen);
    !set.options.no_try && (sente.1 == 0 || gote.1 == i32::from(set.height) - 1)
}

fn lions_on_the_centre_file(set: &SmallSet, sfen: &str) -> bool {
    let twice_centre = i32::from(set.width) - 1;
    lions(sfen).iter().all(|lion| 2 * lion.0 == twice_centre)
}

/// The ranks after each move are the ranks of the naive moves' children.
#[test]
fn successors_are_the_naive_moves() {
    let compare = |universe: &RankedUniverse, naive: &NaiveGame, rank_before: u64| {
        let sfen = universe.game().sfen(&universe.unrank(rank_before));
        let mut expected: Vec<u64> = naive
            .moves(&sfen)
            .iter()
            .filter(|mv| mv.child.contains('l') && mv.child.contains('L'))
            .filter_map(|mv| rank(universe, &mv.child))
            .collect();
        let mut found = Vec::new();
        universe.successors(rank_before, |rank| found.push(rank));
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{universe}: {sfen}");
    };
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let naive = set.naive();
        let step = universe.len().div_ceil(5_000) as usize;
        for rank in (0..universe.len()).step_by(step) {
            compare(&universe, &naive, rank);
        }
    });
    parallel::for_each(full_sets(), |(name, options)| {
        let universe = universe(name);
        let naive = NaiveGame::new(3, 4, [2, 2, 2], options);
        let mut random = Random::new(34);
        for _ in 0..5_000 {
            compare(&universe, &naive, random.below(universe.len()));
        }
    });
}

/// The whole game under every combination of options.
fn full_sets() -> Vec<(&'static str, koma_tests::naive::Options)> {
    let names = [
        "dobutsu",
        "dobutsu:no-last-rank-chick-drop",
        "dobutsu:no-drops",
        "dobutsu:no-try",
        "dobutsu:no-try,no-last-rank-chick-drop",
        "dobutsu:no-try,no-drops",
    ];
    names
        .into_iter()
        .zip(koma_tests::small_sets::OPTIONS)
        .collect()
}

/// Every edge, found from either end, on every small set.
#[test]
fn all_predecessors_are_converse() {
    parallel::for_each(small_sets(), |set| {
        let universe = set.universe();
        let mut forward = Vec::new();
        let mut backward = Vec::new();
        for rank in 0..universe.len() {
            universe.successors(rank, |after| forward.push((rank, after)));
            universe.predecessors(rank, |before| backward.push((before, rank)));
        }
        forward.sort_unstable();
        backward.sort_unstable();
        assert_eq!(forward.len(), backward.len(), "{set}");
        for (forward, backward) in forward.iter().zip(&backward) {
            assert_eq!(forward, backward, "{set}: edges (from, to)");
        }
    });
}

/// Edges at random ranks of universes too large to list.
#[test]
fn sampled_predecessors_are_converse() {
    let larger = [
        "dobutsu@3x3",
        "dobutsu@3x5",
        "dobutsu@3x5:no-try",
        "dobutsu@4x4",
        "dobutsu@5x6:no-drops",
        "dobutsu@3x8",
    ];
    let names: Vec<&str> = full_sets()
        .into_iter()
        .map(|(name, _)| name)
        .chain(larger)
        .collect();
    parallel::for_each(names, |name| {
        let universe = universe(name);
        let mut random = Random::new(12);
        let successors = |rank| {
            let mut ranks = Vec::new();
            universe.successors(rank, |after| ranks.push(after));
            ranks
        };
        let predecessors = |rank| {
            let mut ranks = Vec::new();
            universe.predecessors(rank, |before| ranks.push(before));
            ranks
        };
        let times = |ranks: &[u64], rank| ranks.iter().filter(|&&other| other == rank).count();
        let mut edges = 0;
        for _ in 0..4_000 {
            let rank = random.below(universe.len());
            let after = successors(rank);
            for &next in &after {
                let back = times(&predecessors(next), rank);
                assert_eq!(times(&after, next), back, "{name}: {rank} to {next}");
            }
            let before = predecessors(rank);
            for &previous in &before {
                let forth = times(&successors(previous), rank);
                assert_eq!(
                    times(&before, previous),
                    forth,
                    "{name}: {previous} to {rank}"
                );
            }
            edges += after.len() + before.len();
        }
        assert!(edges > 4_000, "{name}");
    });
}

#[test]
fn every_rank_of_the_whole_game_has_its_position() {
    let universe = universe("dobutsu");
    assert_eq!(universe.len(), 249_442_767);
    const PART: u64 = 1 << 20;
    let parts: Vec<u64> = (0..universe.len()).step_by(PART as usize).collect();
    parallel::for_each(parts, |first| {
        for rank in first..universe.len().min(first + PART) {
            assert_eq!(universe.rank(&universe.unrank(rank)), Some(rank));
        }
    });
}

#[test]
fn random_ranks_of_larger_boards_have_their_positions() {
    for name in [
        "dobutsu:no-drops",
        "dobutsu:no-try",
        "dobutsu@3x3",
        "dobutsu@4x3",
        "dobutsu@3x5",
        "dobutsu@4x4",
        "dobutsu@5x5:no-try",
        "dobutsu@3x8:no-drops",
    ] {
        let universe = universe(name);
        let game: &Game = universe.game();
        let mut random = Random::new(5);
        let ends = [0, universe.len() - 1];
        let middle: Vec<u64> = (0..20_000).map(|_| random.below(universe.len())).collect();
        for rank in ends.into_iter().chain(middle) {
            let position = universe.unrank(rank);
            assert_eq!(universe.rank(&position), Some(rank), "{name}");
            // Turned around it is the same position for the other side.
            assert_eq!(
                universe.rank(&game.rotated(&position)),
                Some(rank),
                "{name}"
            );
        }
    }
}
