//! Tables written by older versions stay readable.

use std::path::Path;

use koma_games::hasami::Universe;
use koma_games::{Color, Value};
use koma_tables::{
    Cell, CellWidth, Coding, HasamiProber, Identity, Kind, LawCounts, Table, Writer,
};

use crate::{contents::FIXTURES, scratch::Scratch};

/// The content hashes of the fixtures. They never change.
const CONTENT_HASHES: [u64; 6] = [
    0x7508d0b6a64ef895,
    0x7d4fd1ba476b8a4a,
    0x801e16e724e31401,
    0x76f89c010fa31877,
    0x003ff0eef061b9a5,
    0xee8ce5baf4dc408c,
];

/// The content hash of the paired fixture. It never changes either.
const PAIRED_CONTENT_HASH: u64 = 0x5f9d9addad5c0850;

#[test]
fn case_70_fixtures_give_every_value_they_were_made_with() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for (fixture, content_hash) in FIXTURES.iter().zip(CONTENT_HASHES) {
        let table = Table::open_expecting(folder.join(fixture.file), &fixture.identity()).unwrap();
        table.verify().unwrap();
        assert_eq!(table.header().program(), "0.1.0");
        assert_eq!(
            table.header().content_hash(),
            content_hash,
            "{}",
            fixture.file
        );
        assert_eq!(
            table.header().census(),
            &fixture.census(),
            "{}",
            fixture.file
        );
        let outcomes = fixture.outcomes();
        let counts: Vec<LawCounts> = outcomes.iter().map(|outcomes| *outcomes.counts()).collect();
        assert_eq!(table.header().outcomes(), counts, "{}", fixture.file);
        let version = if fixture.laws.is_empty() { 1 } else { 2 };
        assert_eq!(table.header().format_version(), version);
        assert_eq!(table.header().kind(), fixture.kind);
        assert_eq!(table.len(), fixture.len);
        for rank in 0..fixture.len {
            let cell = table.cell(rank).unwrap();
            let value = fixture.value(rank);
            for &law in fixture.laws {
                for mover in Color::BOTH {
                    let expected = (value == Some(Value::Draw))
                        .then(|| fixture.outcomes_at(law, rank)[mover.index()]);
                    let outcome = table.outcome(law, rank, mover).unwrap();
                    assert_eq!(outcome, expected, "{} {law:?} {rank}", fixture.file);
                    assert_eq!(table.outcome_unverified(law, rank, mover), expected);
                }
            }
            match fixture.kind {
                Kind::Dtm => assert_eq!(cell, value.map_or(Cell::Hole, Cell::Exact), "{rank}"),
                Kind::Wdl => {
                    assert_eq!(
                        cell.category(),
                        value.map(|value| value.category()),
                        "{rank}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_coding_has_a_fixture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let bits = FIXTURES.map(|fixture| {
        let table = Table::open_file(folder.join(fixture.file)).unwrap();
        Coding::bits(table.coding())
    });
    assert_eq!(bits, [2, 8, 16, 32, 8, 2]);
}

/// The paired coding, in a table of hasami with a lead rule: wins and losses in even and in odd plies.
#[test]
fn paired_cells_stay_readable() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let universe: Universe = "hasami@3x3:lead=1".parse().unwrap();
    let identity = Identity::from(&universe);
    let path = folder.join("version1-paired-8.dtm.koma");
    let table = Table::open_expecting(path, &identity).unwrap();
    table.verify().unwrap();
    assert_eq!(table.coding(), Coding::Paired(CellWidth::Bits8));
    assert_eq!(table.header().content_hash(), PAIRED_CONTENT_HASH);
    let prober = HasamiProber::new(universe, table).unwrap();
    for (position, value) in [
        ("ppP/PP1/3 b 1-0", Value::Win(0)),
        ("PPp/pp1/3 b 0-1", Value::Loss(0)),
        ("pPp/P2/3 b 1-1", Value::Win(1)),
        ("ppp/PP1/3 b 0-1", Value::Loss(1)),
        ("pPp/pP1/P2 b 0-0", Value::Win(2)),
        ("1pP/p2/P2 b 1-1", Value::Loss(2)),
        ("pp1/PP1/3 b 1-1", Value::Draw),
    ] {
        let position = prober.game().parse_position(position).unwrap();
        assert_eq!(prober.probe(&position), Ok(value.into()));
    }
}

#[test]
fn this_version_writes_the_same_cells() {
    let scratch = Scratch::new("fixtures");
    for (fixture, content_hash) in FIXTURES.iter().zip(CONTENT_HASHES) {
        let writer = Writer::create(scratch.path().join(fixture.file)).unwrap();
        let cells = fixture.cells();
        let header = writer
            .write_settled(
                &fixture.identity(),
                fixture.kind,
                &fixture.census(),
                &cells[..],
                &fixture.outcomes(),
            )
            .unwrap();
        assert_eq!(header.content_hash(), content_hash, "{}", fixture.file);
    }
}
