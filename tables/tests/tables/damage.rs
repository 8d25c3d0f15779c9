//! Damage is found, and never becomes a wrong value.

use koma_games::{Category, Color, Law};
use koma_tables::{Cell, Kind, ReadError, Table, VerifyError};

use crate::scratch::{bytes, codes, settled_bytes, with_draws};

/// A header, padding, cells that fill no whole word, padding, one checksum.
fn small(kind: Kind) -> Vec<u8> {
    bytes(&format!("small {}", kind.name()), kind, &codes(301)[..])
}

#[test]
fn case_62_every_flipped_byte_is_found_and_no_value_is_wrong() {
    for kind in Kind::ALL {
        let sound = small(kind);
        let table = Table::open(&sound[..]).unwrap();
        let cells: Vec<Cell> = (0..table.len())
            .map(|rank| table.cell(rank).unwrap())
            .collect();
        let cells_start = sound.len() - 8 - table.cells().len().next_multiple_of(8);
        assert_eq!(cells_start % 4096, 0);

        for place in 0..sound.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = sound.clone();
                damaged[place] ^= flip;
                let Ok(table) = Table::open(&damaged[..]) else {
                    continue;
                };
                assert!(
                    place >= cells_start,
                    "byte {place} of the header was not missed"
                );
                assert!(table.verify().is_err(), "byte {place} was not missed");
                for (rank, cell) in (0..).zip(&cells) {
                    match table.cell(rank) {
                        Ok(read) => assert_eq!(read, *cell, "byte {place}, rank {rank}"),
                        Err(error) => assert!(matches!(error, ReadError::Block { .. })),
                    }
                }
            }
        }
    }
}

/// The same with outcomes.
#[test]
fn every_flipped_byte_of_outcomes_is_found() {
    for kind in Kind::ALL {
        let cells = with_draws(301);
        let sound = settled_bytes(&format!("outcomes {}", kind.name()), kind, &cells[..]);
        let table = Table::open(&sound[..]).unwrap();
        table.verify().unwrap();
        let questions = || {
            let ranks = 0..cells.len() as u64;
            ranks.flat_map(|rank| {
                let laws = [Law::Uec, Law::Pcl].into_iter();
                laws.flat_map(move |law| Color::BOTH.map(|mover| (law, rank, mover)))
            })
        };
        let outcomes: Vec<Option<Category>> = questions()
            .map(|(law, rank, mover)| table.outcome(law, rank, mover).unwrap())
            .collect();
        assert!(outcomes.iter().flatten().count() > 300);
        for place in 4096..sound.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = sound.clone();
                damaged[place] ^= flip;
                let Ok(table) = Table::open(&damaged[..]) else {
                    panic!("byte {place} is none of the header");
                };
                assert!(table.verify().is_err(), "byte {place} was not missed");
                for ((law, rank, mover), outcome) in questions().zip(&outcomes) {
                    match table.outcome(law, rank, mover) {
                        Ok(read) => assert_eq!(read, *outcome, "byte {place}, rank {rank}"),
                        Err(error) => assert!(matches!(error, ReadError::Block { .. })),
                    }
                }
            }
        }
    }
}

#[test]
fn damage_in_one_block_leaves_the_others_readable() {
    let sound = bytes("blocks", Kind::Dtm, &codes(100_000)[..]);
    let reference = Table::open(&sound[..]).unwrap();
    let block_bytes = reference.header().block_bytes() as usize;
    let cells_start = sound.len() - 7 * 8 - 100_000;

    for place in (0..100_000).step_by(3_989) {
        let mut damaged = sound.clone();
        damaged[cells_start + place] ^= 0x10;
        let table = Table::open(&damaged[..]).unwrap();
        let block = place / block_bytes;
        for rank in 0..table.len() {
            let read = table.cell(rank);
            if rank as usize / block_bytes == block {
                let Err(ReadError::Block {
                    block: named,
                    bytes,
                    ..
                }) = read
                else {
                    panic!("rank {rank}: {read:?}");
                };
                assert_eq!(named, block as u64);
                assert!(bytes.contains(&((cells_start + place) as u64)));
            } else {
                assert_eq!(read, reference.cell(rank));
            }
        }
        let error = table.verify().unwrap_err();
        let VerifyError::Blocks {
            damaged,
            blocks,
            first,
            ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((damaged, blocks, first), (1, 7, block as u64));
    }
}

#[test]
fn every_damaged_block_is_counted() {
    let mut damaged = bytes("counted", Kind::Dtm, &codes(100_000)[..]);
    let cells_start = damaged.len() - 7 * 8 - 100_000;
    for place in [20_000, 20_001, 50_000, 99_999] {
        damaged[cells_start + place] ^= 1;
    }
    let error = Table::open(damaged).unwrap().verify().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("3 of 7 blocks are damaged, the first is block 1"),
        "{error}"
    );
}

#[test]
fn case_63_a_file_of_another_length_is_refused_at_open() {
    for kind in Kind::ALL {
        let sound = small(kind);
        for cut in [
            1,
            2,
            7,
            8,
            64,
            sound.len() / 2,
            sound.len() - 1,
            sound.len(),
        ] {
            assert!(
                Table::open(&sound[..sound.len() - cut]).is_err(),
                "{cut} bytes cut"
            );
        }
        for more in [1, 8, 4096] {
            let mut longer = sound.clone();
            longer.resize(sound.len() + more, 0);
            assert!(Table::open(longer).is_err(), "{more} bytes appended");
        }
    }
}
