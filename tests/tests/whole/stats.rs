//! Statistics: those of small universes against figures made position by position from the rules,
//! those of the whole game against the published ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use koma_games::{
    Category, Color, CompleteUniverse, Convention, EndReason, Explorable, Exploration, Game, Move,
    Position, Reached, Universe, Value,
};
use koma_solver::{
    Branching, DeadDrops, Figures, NoProgress, Settings, Statistics, StatisticsError, Zugzwang,
    explore, placements,
};
use koma_tables::{Cell, Prober};
use koma_tests::oracle;
use koma_tests::tables::{prober, whole_game};
use koma_tests::values::answer;

use crate::tsume::Tsume;

/// Boards of either parity, all options, pieces that promote and pieces that do not.
const SMALL: [&str; 11] = [
    "dobutsu@3x3:gc",
    "dobutsu@3x3:ecc",
    "dobutsu@3x3:gge",
    "dobutsu@4x3:cc",
    "dobutsu@5x3:c",
    "dobutsu:gc",
    "dobutsu:no-try:cc",
    "dobutsu:no-drops:gc",
    "dobutsu@3x3:no-drops:ecc",
    "dobutsu@3x3:no-last-rank-chick-drop:gcc",
    "dobutsu@3x3:cc",
];

/// Everything that is asked of a position, from the rules and from tables.
struct Naive<'a> {
    prober: &'a Prober<Vec<u8>>,
    /// Where dead drops are forbidden, if there are any.
    restricted: Option<Prober<Vec<u8>>>,
    convention: Convention,
    tsume: Tsume<'a>,
}

impl<'a> Naive<'a> {
    fn new(prober: &'a Prober<Vec<u8>>, convention: Convention) -> Naive<'a> {
        let game = prober.game();
        let restricted = (game.options().drops && game.options().dead_drops).then(|| {
            let name = prober.universe().to_string();
            let (board, rest) = match name.split_once(':') {
                Some((board, rest)) => (board, rest),
                None => (&*name, ""),
            };
            let (options, letters) = match rest.split_once(':') {
                Some((options, letters)) => (format!(",{options}"), letters),
                None => (String::new(), rest),
            };
            let name = format!("{board}:no-last-rank-chick-drop{options}:{letters}");
            tables(&name)
        });
        Naive {
            tsume: Tsume::new(prober.universe()),
            prober,
            restricted,
            convention,
        }
    }

    fn game(&self) -> &Game {
        self.prober.game()
    }

    /// One text for a position and what is the same by symmetry.
    fn name(&self, position: &Position) -> String {
        let game = self.game();
        let position = match position.side() {
            Color::Sente => *position,
            Color::Gote => game.rotated(position),
        };
        let images = [position, game.mirrored(&position)];
        images
            .map(|image| game.sfen(&image))
            .into_iter()
            .min()
            .expect("two images")
    }

    fn value(&self, position: &Position) -> Value {
        answer(self.prober.probe(position))
    }

    fn category(&self, position: &Position) -> Category {
        self.value(position).category()
    }

    /// The best that these moves come to for the mover.
    fn best(&self, position: &Position, allowed: impl Fn(Move) -> bool) -> Category {
        let mut best = Category::Loss;
        self.game().for_each_move(position, |mv| {
            if allowed(mv) {
                best = best.max(match self.category(&self.game().play(position, mv)) {
                    Category::Win => Category::Loss,
                    Category::Draw => Category::Draw,
                    Category::Loss => Category::Win,
                });
            }
        });
        best
    }

    fn figures(&self, positions: &HashMap<String, Position>) -> Figures {
        let game = self.game();
        let mut cells = Vec::new();
        let mut sorts = Reached::default();
        let mut off_board: Vec<u64> = Vec::new();
        let mut moves_by_category: [BTreeMap<u32, u64>; 3] = Default::default();
        let mut zugzwang = Zugzwang::default();
        let mut tsume = BTreeMap::new();
        let mut drops = DeadDrops::default();
        for position in positions.values() {
            let value = self.value(position);
            let category = value.category();
            cells.push((Cell::Exact(value), 1));

            let mut moves = 0;
            game.for_each_move(position, |_| moves += 1);
            let tried = game
                .end(position)
                .is_some_and(|end| end.reason == EndReason::Try && end.winner != position.side());
            if game.can_take_royal(position) {
                sorts.catches += 1;
            } else if tried {
                sorts.tried += 1;
            } else if self.convention == Convention::Rules && value == Value::Win(1) {
                sorts.tries += 1;
            } else {
                sorts.open += 1;
                sorts.moves += u64::from(moves);
                *moves_by_category[category as usize]
                    .entry(moves)
                    .or_insert(0) += 1;
            }

            let men =
                (1..game.kinds().len()).map(|kind| self.prober.universe().material().count(kind));
            let squares = 0..game.board().len();
            let on_board = squares.filter(|&square| position.piece(square).is_some());
            let off = usize::from(men.sum::<u8>()) + 2 - on_board.count();
            off_board.resize(off_board.len().max(off + 1), 0);
            off_board[off] += 1;

            let passed = position.with_side(position.side().opponent());
            let lost = |position: &Position| {
                self.category(position) == Category::Loss && game.end(position).is_none()
            };
            if !tried && category == Category::Loss && lost(&passed) {
                zugzwang.positions += 1;
                let image = self.name(&passed);
                zugzwang.own_images += u64::from(image == self.name(position));
                zugzwang.with_image += u64::from(positions.contains_key(&image));
            }

            if let Some(plies) = self.tsume.plies(position) {
                *tsume.entry(plies).or_insert(0) += 1;
            }

            let dead = |mv| match mv {
                Move::Drop { kind, to } => game.is_dead(position.side(), kind, to),
                Move::Step { .. } => false,
            };
            if let Some(restricted) = &self.restricted {
                let without = answer(restricted.probe(position)).category();
                drops.changed += u64::from(without != category);
                let ends = value == Value::Win(1) || tried;
                let needed = !ends && self.best(position, |mv| !dead(mv)) != category;
                drops.needed += u64::from(needed);
            }
        }
        let branching = moves_by_category.map(|by_moves| Branching {
            by_moves: by_moves.into_iter().collect(),
        });
        Figures {
            counts: cells.into_iter().collect(),
            sorts,
            off_board,
            branching,
            zugzwang,
            tsume: tsume.into_iter().collect(),
            dead_drops: self.restricted.as_ref().map(|_| drops),
        }
    }
}

fn tables(name: &str) -> Prober<Vec<u8>> {
    let universe = name
        .parse()
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    prober(universe, Some(1), env!("CARGO_TARGET_TMPDIR"))
}

fn one_thread() -> Settings {
    Settings {
        threads: Some(1),
        ..Settings::default()
    }
}

#[test]
fn small_universes_agree_with_the_rules() {
    let mut zugzwang = 0;
    for name in SMALL {
        let prober = tables(name);
        let universe = prober.universe();
        for convention in [Convention::Tanaka, Convention::Rules] {
            let naive = Naive::new(&prober, convention);
            let space = CompleteUniverse::new(universe.clone(), convention);
            // The first root whose game goes on: play from it leads to a part of the positions.
            let leads_on = |&rank: &u64| {
                let position = universe.unrank(rank);
                naive.value(&position) != Value::Win(1)
            };
            let root = (0..universe.len()).rev().find(leads_on).expect("a root");
            let explored = explore(&space, &[root], &one_thread(), &NoProgress);
            let explored = explored.expect("enough memory");
            let found = Statistics::of(
                universe,
                prober.table(),
                Some((&space, &explored)),
                &one_thread(),
                &NoProgress,
            );
            let found = found.expect("statistics");

            let named = |position: Position| (naive.name(&position), position);
            let all = (0..universe.len()).map(|rank| named(universe.unrank(rank)));
            assert_eq!(
                found.all,
                naive.figures(&all.collect()),
                "{name}: {convention:?}"
            );
            let reached = (0..Explorable::len(&space))
                .filter(|&rank| explored.ranks().contains(rank))
                .map(|rank| named(space.unrank(rank)));
            let reached = naive.figures(&reached.collect());
            assert_eq!(found.reached, Some(reached), "{name}: {convention:?}");
            zugzwang += found.all.zugzwang.own_images;

            let all_only = Statistics::of(
                universe,
                prober.table(),
                None,
                &Settings::default(),
                &NoProgress,
            );
            let all_only = all_only.expect("statistics");
            if convention == Convention::Tanaka {
                assert_eq!(all_only.all, found.all);
            }
            assert_eq!(all_only.reached, None);
        }
    }
    assert!(zugzwang > 0, "no zugzwang that is its own image");
}

/// By writing every placement down.
#[test]
fn placements_are_counted_right() {
    for name in [
        "dobutsu@3x3:gc",
        "dobutsu@3x3:cc",
        "dobutsu:no-drops:gc",
        "dobutsu@4x3:e",
    ] {
        let universe: koma_games::RankedUniverse = name.parse().expect("a universe");
        let game = universe.game();
        let mut found = vec![BTreeSet::new(); placements(&universe).len()];
        let mut men = Vec::new();
        for kind in 1..game.kinds().len() {
            let count = usize::from(universe.material().count(kind));
            men.extend(std::iter::repeat_n(kind as u8, count));
        }
        for position in royals(game) {
            place(game, &men, position, 0, &mut found);
        }
        let found: Vec<u128> = found.iter().map(|found| found.len() as u128).collect();
        assert_eq!(placements(&universe), found, "{name}");
    }
}

fn royals(game: &Game) -> Vec<Position> {
    let mut positions = Vec::new();
    for own in 0..game.board().len() {
        for other in (0..game.board().len()).filter(|&other| other != own) {
            let mut position = Position::empty(Color::Sente);
            for (color, square) in [(Color::Sente, own), (Color::Gote, other)] {
                position.set(square, Some(koma_games::Piece::royal(color)));
            }
            positions.push(position);
        }
    }
    positions
}

fn place(game: &Game, men: &[u8], position: Position, off: usize, found: &mut [BTreeSet<String>]) {
    let Some((&kind, rest)) = men.split_first() else {
        found[off].insert(game.sfen(&position));
        return;
    };
    let promotions: &[bool] = if game.kinds()[usize::from(kind)].promotes() {
        &[false, true]
    } else {
        &[false]
    };
    for color in Color::BOTH {
        for square in (0..game.board().len()).filter(|&square| position.piece(square).is_none()) {
            for &promoted in promotions {
                let mut next = position;
                next.set(
                    square,
                    Some(koma_games::Piece {
                        color,
                        kind,
                        promoted,
                    }),
                );
                place(game, rest, next, off, found);
            }
        }
        if game.options().drops {
            let mut next = position;
            next.set_hand(color, kind, position.hand(color, kind) + 1);
            place(game, rest, next, off + 1, found);
        }
    }
    if !game.options().drops {
        place(game, rest, position, off + 1, found);
    }
}

#[test]
fn what_is_no_distance_table_of_the_universe_is_refused() {
    let (gc, cc) = (tables("dobutsu@3x3:gc"), tables("dobutsu@3x3:cc"));
    let error = Statistics::of(
        gc.universe(),
        cc.table(),
        None,
        &Settings::default(),
        &NoProgress,
    );
    assert!(matches!(error, Err(StatisticsError::Length { .. })));
}

/// The tables of the 2009 paper, and what independent programs found since. See the definitions in
/// the help of `koma stats`.
#[test]
fn the_published_figures() {
    let prober = whole_game(env!("CARGO_TARGET_TMPDIR"));
    let exploration: Exploration = "dobutsu/reachable:tanaka".parse().expect("a name");
    let space = exploration.space();
    let settings = Settings::default();
    let explored = explore(space, exploration.roots(), &settings, &NoProgress);
    let explored = explored.expect("enough memory");
    let found = Statistics::of(
        prober.universe(),
        prober.table(),
        Some((space, &explored)),
        &settings,
        &NoProgress,
    );
    let Statistics { all, reached } = found.expect("enough memory");
    let reached = reached.expect("an exploration");

    assert_eq!(
        placements(prober.universe()),
        [
            638_668_800,
            638_668_800,
            242_161_920,
            44_098_560,
            4_134_240,
            190_080,
            3_564
        ]
    );

    let total = oracle::rta_total;
    assert_eq!(reached.counts.total(), total("reachable_total"));
    assert_eq!(reached.counts.draw, total("draw_total"));
    assert_eq!(
        reached.off_board.iter().sum::<u64>(),
        total("reachable_total")
    );
    // One count by moves taken side by side, one by moves written down position by position.
    assert_eq!(reached.sorts, explored.counts());
    let mut by_plies: BTreeMap<u32, u64> = reached.counts.by_plies.iter().copied().collect();
    *by_plies.get_mut(&0).expect("lost by a try") -= reached.sorts.tried;
    *by_plies.get_mut(&1).expect("wins in 1") -= reached.sorts.catches;
    for row in oracle::rows(oracle::RTA_DISTRIBUTION) {
        let plies: u32 = row[0].parse().expect("plies");
        let count: u64 = row[2].parse().expect("a count");
        assert_eq!(by_plies.get(&plies).copied().unwrap_or(0), count, "{plies}");
    }

    let branching = reached.all_branching();
    assert_eq!(branching.positions(), total("nonterminal_total"));
    assert_eq!(branching.moves(), total("edges_total"));
    let [loss, draw, win] = &reached.branching;
    let rounded = |branching: &Branching| {
        let average = branching.average().expect("positions");
        (100.0 * average).round() / 100.0
    };
    assert_eq!([win, draw, loss].map(rounded), [10.63, 8.82, 7.81]);
    assert_eq!(branching.most(), Some((38, 34)));
    assert_eq!(win.most(), Some((38, 34)));
    assert_eq!(branching.least(), Some((1, 239)));
    // Both placements without a move are out of reach.
    assert_eq!(all.all_branching().least(), Some((0, 2)));

    // Published with the image reached too, as a lower bound.
    let zugzwang = reached.zugzwang;
    assert_eq!((zugzwang.with_image, zugzwang.own_images), (21_839, 71));
    assert_eq!(zugzwang.positions, 21_896);
    assert_eq!(all.zugzwang.positions, 21_969);

    let drops = reached.dead_drops.expect("there are such drops");
    assert_eq!((drops.needed, drops.changed), (68, 4_301));
    assert_eq!(drops.start, Some(Value::Loss(78)));

    // Found in two ways: see the tests of tsume.
    assert_eq!(reached.tsume, crate::tsume::REACHED);
    let tsume = reached.tsume.iter().map(|&(_, count)| count);
    assert_eq!(tsume.sum::<u64>(), 17_081_771);
}
