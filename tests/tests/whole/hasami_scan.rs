//! Only moves and mutual zugzwang in hasami, found by a scan over ranks and by playing every move of
//! every position: about 2 s of processor time.

use std::ops::ControlFlow;

use koma_games::hasami::{Game, Position, Universe};
use koma_games::{Category, Layered};
use koma_solver::{LayeredProperty, LayeredScan, NoProgress, Settings, solve_layered};
use koma_tables::{HasamiProber, Identity, Kind, Table, Writer};
use koma_tests::parallel;

type Prober = HasamiProber<Vec<u8>>;

fn solved(universe: Universe) -> Prober {
    let settings = Settings {
        threads: Some(1),
        ..Settings::default()
    };
    let solution = solve_layered(&universe, &settings, &NoProgress).unwrap();
    let file = format!("koma-{}-{universe}", std::process::id()).replace(':', "_");
    let path = std::env::temp_dir().join(file);
    let writer = Writer::create(&path).unwrap();
    let identity = Identity::from(&universe);
    solution.write(writer, &identity, Kind::Dtm).unwrap();
    let table = Table::open(std::fs::read(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    HasamiProber::new(universe, table).unwrap()
}

/// The same board with the other side to move.
fn passed(game: &Game, position: &Position) -> Position {
    let sfen = game.sfen(position).replace(" b ", " w ");
    game.parse_position(&sfen).unwrap()
}

fn has_only_move(prober: &Prober, position: &Position) -> bool {
    if prober.game().end(position).is_some() {
        return false;
    }
    let moves = prober.moves(position).unwrap();
    let kept = |after: Category| match prober.probe(position).unwrap().category {
        Category::Win => after == Category::Loss,
        Category::Draw => after == Category::Draw,
        Category::Loss => after == Category::Win,
    };
    let kept = moves.iter().filter(|after| kept(after.probe.category));
    kept.count() == 1
}

fn is_zugzwang(prober: &Prober, position: &Position) -> bool {
    let game = prober.game();
    let lost = |position: &Position| prober.probe(position).unwrap().category == Category::Loss;
    game.end(position).is_none() && lost(position) && lost(&passed(game, position))
}

/// The lowest ranks of the positions with a property.
fn found(prober: &Prober, property: LayeredProperty) -> Vec<u64> {
    let layers = (0..prober.universe().layers().len()).collect();
    let scan = LayeredScan::new(
        prober.universe(),
        prober.table(),
        layers,
        |_| true,
        property,
    );
    let mut found = Vec::new();
    scan.for_each(Some(1), &NoProgress, |rank| {
        found.push(rank);
        ControlFlow::Continue(())
    })
    .unwrap();
    let count = scan.count(Some(3), &NoProgress).unwrap();
    assert_eq!(count, found.len() as u64);
    found
}

#[test]
fn only_moves_and_zugzwang_are_those_of_the_rules() {
    let names = [
        "hasami@3x4",
        "hasami@4x3:men=3,edge=on",
        "hasami@3x4:win=3,lead=2",
        "hasami@3x4:win=2,lead=1,lead-reply=off",
        "hasami@3x3:win=3,corner=off",
    ];
    parallel::for_each(names.to_vec(), |name| {
        let prober = solved(name.parse().unwrap());
        let [any, only_moves, zugzwangs, both] =
            [(false, false), (true, false), (false, true), (true, true)].map(
                |(only_move, zugzwang)| {
                    let property = LayeredProperty {
                        only_move,
                        zugzwang,
                    };
                    found(&prober, property)
                },
            );
        let expected = |holds: &dyn Fn(&Position) -> bool| -> Vec<u64> {
            let positions = any.iter().copied();
            positions
                .filter(|&rank| holds(&prober.universe().position(rank)))
                .collect()
        };
        let positions = prober.table().header().census().positions.total();
        assert_eq!(any.len() as u64, positions, "{name}");
        assert!(!only_moves.is_empty(), "{name}");
        let only_move = |position: &Position| has_only_move(&prober, position);
        let zugzwang = |position: &Position| is_zugzwang(&prober, position);
        assert_eq!(only_moves, expected(&only_move), "{name}");
        assert_eq!(zugzwangs, expected(&zugzwang), "{name}");
        let of_both = expected(&|position| only_move(position) && zugzwang(position));
        assert_eq!(both, of_both, "{name}");
    });
}
