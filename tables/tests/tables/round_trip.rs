//! What is written is what is read.

use koma_games::{Category, Value};
use koma_tables::{Cell, CellSource, CellWidth, Coding, Counts, Kind, Table, WriteError, Writer};

use crate::scratch::{Scratch, bytes, census, codes, identity};

/// Writes cells, reads them back and compares all of it.
fn check(test: &str, kind: Kind, coding: Coding, cells: &(impl CellSource + ?Sized)) {
    let table = Table::open(bytes(test, kind, cells)).unwrap();
    table.verify().unwrap();
    let header = table.header();
    assert_eq!((header.kind(), header.coding()), (kind, coding), "{test}");
    assert_eq!(*header.census(), census(cells), "{test}");
    assert_eq!(table.len(), cells.rank_count(), "{test}");
    assert_eq!(
        header.holes() + header.census().ranks.total(),
        table.len(),
        "{test}"
    );
    for rank in 0..table.len() {
        let (read, written) = (table.cell(rank).unwrap(), cells.cell(rank));
        assert_eq!(read, table.cell_unverified(rank), "{test} {rank}");
        match kind {
            Kind::Dtm => assert_eq!(read, written, "{test} {rank}"),
            Kind::Wdl => assert_eq!(read.category(), written.category(), "{test} {rank}"),
        }
    }
    assert!(
        table.cell(table.len()).is_err() && table.cell(u64::MAX).is_err(),
        "{test}"
    );
}

#[test]
fn codes_of_eight_bits() {
    for len in [
        0, 1, 2, 3, 4, 5, 7, 8, 9, 1_000, 16_383, 16_384, 16_385, 65_536, 3_000_001,
    ] {
        let codes = codes(len);
        if len >= 1_000 {
            let coding = Coding::Parity(CellWidth::Bits8);
            check(&format!("codes dtm {len}"), Kind::Dtm, coding, &codes[..]);
        }
        check(
            &format!("codes wdl {len}"),
            Kind::Wdl,
            Coding::Category,
            &codes[..],
        );
    }
}

#[test]
fn codes_of_eight_bits_are_copied_as_they_are() {
    let codes = codes(100_000);
    let table = Table::open(bytes("copied", Kind::Dtm, &codes[..])).unwrap();
    assert_eq!(table.cells(), codes);
}

/// A chain of positions, each one ply before the last: rank is distance.
fn chain(deepest: u32) -> Vec<Cell> {
    let mut cells: Vec<Cell> = (0..=deepest)
        .map(|plies| match plies % 2 {
            0 => Cell::Exact(Value::Loss(plies)),
            _ => Cell::Exact(Value::Win(plies)),
        })
        .collect();
    cells.extend([Cell::Hole, Cell::Exact(Value::Draw)]);
    cells
}

#[test]
fn case_74_cells_widen_with_the_longest_distance() {
    let widths = [
        (0, CellWidth::Bits8),
        (173, CellWidth::Bits8),
        (253, CellWidth::Bits8),
        (254, CellWidth::Bits16),
        (300, CellWidth::Bits16),
        (65_533, CellWidth::Bits16),
        (65_534, CellWidth::Bits32),
        (70_000, CellWidth::Bits32),
    ];
    for (deepest, width) in widths {
        let test = format!("chain {deepest}");
        check(&test, Kind::Dtm, Coding::Parity(width), &chain(deepest)[..]);
        check(&test, Kind::Wdl, Coding::Category, &chain(deepest)[..]);
    }
}

#[test]
fn wide_codes_narrow_to_what_the_cells_need() {
    let code = |width: CellWidth, cell: &Cell| Coding::Parity(width).encode(*cell).unwrap();
    for (deepest, width) in [(200, CellWidth::Bits8), (300, CellWidth::Bits16)] {
        let cells = chain(deepest);
        let words: Vec<u16> = cells
            .iter()
            .map(|cell| code(CellWidth::Bits16, cell) as u16)
            .collect();
        let double: Vec<u32> = cells
            .iter()
            .map(|cell| code(CellWidth::Bits32, cell))
            .collect();
        check(
            &format!("u16 {deepest}"),
            Kind::Dtm,
            Coding::Parity(width),
            &words[..],
        );
        check(
            &format!("u32 {deepest}"),
            Kind::Dtm,
            Coding::Parity(width),
            &double[..],
        );
    }
    let double: Vec<u32> = chain(70_000)
        .iter()
        .map(|cell| code(CellWidth::Bits32, cell))
        .collect();
    check(
        "u32 70000",
        Kind::Dtm,
        Coding::Parity(CellWidth::Bits32),
        &double[..],
    );
}

/// A header has room for so many different distances, and not for many more.
#[test]
fn the_longest_header() {
    let codes: Vec<u32> = (0..690_000).collect();
    check(
        "longest",
        Kind::Dtm,
        Coding::Parity(CellWidth::Bits32),
        &codes[..],
    );

    let scratch = Scratch::new("longer");
    let codes: Vec<u32> = (0..700_000).collect();
    let writer = Writer::create(scratch.path().join("table.koma")).unwrap();
    let error = writer
        .write(
            &identity("example"),
            Kind::Dtm,
            &census(&codes[..]),
            &codes[..],
        )
        .unwrap_err();
    assert!(matches!(error, WriteError::Header { .. }), "{error}");
}

#[test]
fn the_source_does_not_show_in_the_bytes() {
    let codes = codes(50_000);
    let coding = Coding::Parity(CellWidth::Bits8);
    let cells: Vec<Cell> = codes
        .iter()
        .map(|&code| coding.decode(code.into()))
        .collect();
    for kind in Kind::ALL {
        assert_eq!(
            bytes("codes", kind, &codes[..]),
            bytes("cells", kind, &cells[..])
        );
    }
}

#[test]
fn counts_of_cells_are_those_of_each_cell() {
    let codes = codes(12_345);
    let coding = Coding::Parity(CellWidth::Bits8);
    assert_eq!(
        Counts::of_cells(coding, &codes, 12_345),
        census(&codes[..]).ranks
    );
}

#[test]
fn a_wdl_table_knows_no_distance() {
    let table = Table::open(bytes("no distance", Kind::Wdl, &[0u8, 1, 255, 254][..])).unwrap();
    let cells: Vec<Cell> = (0..4).map(|rank| table.cell(rank).unwrap()).collect();
    let [loss, win, draw, hole] = cells[..] else {
        unreachable!()
    };
    assert_eq!(
        (loss.category(), loss.plies(), loss.value()),
        (Some(Category::Loss), None, None)
    );
    assert_eq!(
        (win.category(), win.plies(), win.value()),
        (Some(Category::Win), None, None)
    );
    assert_eq!(draw.value(), Some(Value::Draw));
    assert_eq!((hole, hole.category()), (Cell::Hole, None));
}
