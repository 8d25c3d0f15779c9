//! The prober, on every position of small universes and on those their numbering leaves out.

use std::collections::HashSet;
use std::fs;

use koma_games::{
    Category, Color, EndReason, Game, Piece, Position, RankedUniverse, Universe, Value,
};
use koma_solver::{NoProgress, Settings, solve};
use koma_tables::{Identity, Kind, OpenFault, Probe, ProbeError, Prober, Table, Writer};
use memmap2::Mmap;

use crate::support::Folder;

const GAMES: [&str; 8] = [
    "dobutsu@3x3:",
    "dobutsu@3x3:gc",
    "dobutsu@3x3:no-try:ec",
    "dobutsu@3x3:no-drops:gc",
    "dobutsu@3x3:no-drops,no-try:c",
    "dobutsu@3x3:no-last-rank-chick-drop:cc",
    "dobutsu:c",
    "dobutsu@4x3:g",
];

fn prober(folder: &Folder, game: &str, kind: Kind) -> Prober<Mmap> {
    let universe: RankedUniverse = game.parse().unwrap();
    let solution = solve(&universe, &Settings::default(), &NoProgress).unwrap();
    let path = folder.file(kind.name());
    let writer = Writer::create(&path).unwrap();
    solution
        .write(writer, &Identity::from(&universe), kind)
        .unwrap();
    Prober::new(universe, Table::open_file(path).unwrap()).unwrap()
}

/// Every position of a universe and those with the lions anywhere, for both sides.
fn for_each_position(universe: &RankedUniverse, mut check: impl FnMut(&Position)) {
    let game = universe.game();
    let mut seen = HashSet::new();
    for rank in 0..universe.len() {
        let mut others = universe.unrank(rank);
        for color in Color::BOTH {
            let royal = others.royal(color).unwrap();
            others.set(royal, None);
        }
        if !seen.insert(others) {
            continue;
        }
        for sente in 0..game.board().len() {
            for gote in 0..game.board().len() {
                let free = |square| others.piece(square).is_none();
                if sente == gote || !free(sente) || !free(gote) {
                    continue;
                }
                let mut position = others;
                position.set(sente, Some(Piece::royal(Color::Sente)));
                position.set(gote, Some(Piece::royal(Color::Gote)));
                check(&position);
                check(&game.rotated(&position));
            }
        }
    }
}

/// The value by its definition, from the values of the positions after each move.
fn by_definition<D: AsRef<[u8]>>(prober: &Prober<D>, position: &Position) -> Value {
    let game = prober.game();
    if let Some(end) = game.end(position) {
        return match end.reason {
            EndReason::NoMove => Value::Loss(2),
            _ if end.winner == position.side() => Value::Win(0),
            _ => Value::Loss(0),
        };
    }
    let mut best: Option<Value> = None;
    game.for_each_move(position, |mv| {
        let after = prober.probe(&game.play(position, mv)).unwrap();
        let value = after.value().unwrap().one_ply_earlier();
        if best.is_none_or(|best| value.preference() > best.preference()) {
            best = Some(value);
        }
    });
    best.unwrap()
}

/// Case 93: what is answered without the table agrees with it, on the whole universe.
#[test]
fn case_93_rules_and_table_agree_everywhere() {
    let folder = Folder::new();
    for game in GAMES {
        let prober = prober(&folder, game, Kind::Dtm);
        let (mut numbered, mut left_out) = (0, 0);
        for_each_position(prober.universe(), |position| {
            let sfen = || format!("{game}: {}", prober.game().sfen(position));
            let value = prober.probe(position).unwrap().value().unwrap();
            assert_eq!(value, by_definition(&prober, position), "{}", sfen());
            let end = prober.game().end(position);
            if end.is_none() && prober.game().can_take_royal(position) {
                assert_eq!(value, Value::Win(1), "{}", sfen());
            }
            if value.plies() == Some(0) {
                assert!(end.is_some(), "{}", sfen());
            }
            match prober.universe().rank(position) {
                Some(_) => numbered += 1,
                None => left_out += 1,
            }
        });
        assert!(numbered > 0 && left_out > 0, "{game}");
    }
}

#[test]
fn moves_are_legal_complete_and_ordered() {
    let folder = Folder::new();
    for game in GAMES {
        let prober = prober(&folder, game, Kind::Dtm);
        for_each_position(prober.universe(), |position| {
            let moves = prober.moves(position).unwrap();
            let mut legal = Vec::new();
            prober
                .game()
                .for_each_legal_move(position, |mv| legal.push(mv));
            assert_eq!(moves.len(), legal.len());
            let place = |mv| legal.iter().position(|&other| other == mv).unwrap();
            let keys: Vec<(i64, usize)> = moves
                .iter()
                .map(|after| (after.probe.value().unwrap().preference(), place(after.mv)))
                .collect();
            assert!(keys.is_sorted(), "{}", prober.game().sfen(position));
        });
    }
}

#[test]
fn best_lines_are_as_long_as_the_distance_says() {
    let folder = Folder::new();
    let prober = prober(&folder, "dobutsu@3x3:gc", Kind::Dtm);
    let game = prober.game();
    for_each_position(prober.universe(), |position| {
        let line = prober.line(position).unwrap();
        match prober.probe(position).unwrap().plies {
            None => assert!(line.is_empty()),
            Some(_) if game.end(position).is_some() => assert!(line.is_empty()),
            Some(plies) => {
                let last = line.last().unwrap();
                // A line that ends with a side that can't move is two plies shorter.
                let stuck = game
                    .end(&last.position)
                    .is_some_and(|end| end.reason == EndReason::NoMove);
                assert_eq!(line.len() as u32, plies - 2 * u32::from(stuck));
                assert!(game.end(&last.position).is_some());
            }
        }
    });
}

#[test]
fn without_distances_categories_agree_and_plies_are_unknown() {
    let (folder, other) = (Folder::new(), Folder::new());
    for game in GAMES {
        let dtm = prober(&folder, game, Kind::Dtm);
        let wdl = prober(&other, game, Kind::Wdl);
        for_each_position(dtm.universe(), |position| {
            let with = dtm.probe(position).unwrap();
            let without = wdl.probe(position).unwrap();
            assert_eq!(with.category, without.category);
            match dtm.universe().rank(position) {
                Some(_) => assert_eq!(without.plies, None),
                None => assert_eq!(with, without),
            }
            let categories = |prober: &Prober<Mmap>| -> Vec<Category> {
                let moves = prober.moves(position).unwrap();
                moves.iter().map(|after| after.probe.category).collect()
            };
            assert_eq!(categories(&dtm), categories(&wdl));
        });
    }
}

#[test]
fn a_position_after_the_lion_is_taken_is_lost() {
    let folder = Folder::new();
    let prober = prober(&folder, "dobutsu@3x3:gc", Kind::Dtm);
    let game: &Game = prober.game();
    let position = game.parse_position("lG1/C2/2L b - 1").unwrap();
    let best = prober.moves(&position).unwrap()[0];
    assert_eq!(best.position.royal(Color::Gote), None);
    assert_eq!(
        best.probe,
        Probe {
            category: Category::Loss,
            plies: Some(0),
            reason: None,
        }
    );
    assert_eq!(prober.line(&best.position).unwrap(), []);
}

#[test]
fn what_is_no_position_of_the_universe_is_a_typed_error() {
    let folder = Folder::new();
    let prober = prober(&folder, "dobutsu@3x3:gc", Kind::Dtm);
    let position = prober.game().parse_position("l2/3/2L b G 1").unwrap();
    assert_eq!(
        prober.probe(&position),
        Err(ProbeError::Material {
            universe: "dobutsu@3x3:gc".to_owned(),
            needed: "dobutsu@3x3:g".to_owned(),
        })
    );
}

#[test]
fn a_table_of_another_identity_is_refused() {
    let folder = Folder::new();
    prober(&folder, "dobutsu@3x3:gc", Kind::Dtm);
    for (other, field) in [
        ("dobutsu@3x3:ec", "universe"),
        ("dobutsu@3x3:no-try:gc", "game"),
    ] {
        let table = Table::open(fs::read(folder.file("dtm")).unwrap()).unwrap();
        let error = Prober::new(other.parse().unwrap(), table).unwrap_err();
        match error.fault {
            OpenFault::Mismatch { field: found, .. } => assert_eq!(found, field),
            fault => panic!("{fault}"),
        }
    }
}

/// Case 87: one prober for many threads, first touch included.
#[test]
fn case_87_sixty_four_threads_probe_at_once() {
    let folder = Folder::new();
    let prober = prober(&folder, "dobutsu:gc", Kind::Dtm);
    let universe = prober.universe();
    let table = prober.table();
    std::thread::scope(|scope| {
        for thread in 0..64 {
            let prober = &prober;
            scope.spawn(move || {
                for rank in (thread..universe.len()).step_by(64) {
                    let probe = prober.probe(&universe.unrank(rank)).unwrap();
                    assert_eq!(probe.value(), table.cell_unverified(rank).value());
                }
            });
        }
    });
}
