//! No bytes make the reader panic.

use koma_games::{Color, Law};
use koma_tables::{Kind, Table};
use xxhash_rust::xxh3::xxh3_64;

use crate::scratch::{Numbers, bytes, codes, settled_bytes, with_draws};

/// Opens, and if that goes well does everything else a table can do.
fn exercise(file: &[u8]) -> bool {
    let Ok(table) = Table::open(file) else {
        return false;
    };
    let _ = table.verify();
    let len = table.len();
    for rank in [0, 1, len / 2, len.wrapping_sub(1), len, u64::MAX] {
        let _ = table.cell(rank);
        for law in Law::ALL {
            for mover in Color::BOTH {
                let _ = table.outcome(law, rank, mover);
            }
        }
    }
    let _ = (
        table.header().holes(),
        table.header().census().ranks.total(),
    );
    true
}

/// Makes the checksum of the header right for whatever the header is now.
fn seal(file: &mut [u8]) {
    let header_bytes = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    if let Some(body) = file.get(24..).and_then(|rest| rest.get(..header_bytes)) {
        let checksum = xxh3_64(&[&file[..16], body].concat());
        file[16..24].copy_from_slice(&checksum.to_le_bytes());
    }
}

#[test]
fn case_64_random_bytes() {
    let mut numbers = Numbers(64);
    for _ in 0..20_000 {
        let len = numbers.below(300);
        let mut file: Vec<u8> = (0..len).map(|_| numbers.next() as u8).collect();
        if len >= 24 && numbers.below(4) > 0 {
            // Far enough to reach the decoder of the header.
            file[..12].copy_from_slice(b"KOMATBL\n\x01\0\0\0");
            let header_bytes = match numbers.below(3) {
                0 => numbers.next() as u32,
                1 => u32::MAX - numbers.below(30) as u32,
                _ => numbers.below(len - 23) as u32,
            };
            file[12..16].copy_from_slice(&header_bytes.to_le_bytes());
            seal(&mut file);
        }
        assert!(!exercise(&file));
    }
}

#[test]
fn case_64_absurd_headers_with_a_right_checksum() {
    let mut numbers = Numbers(640);
    let mut opened = 0;
    for kind in Kind::ALL {
        for sound in [bytes, settled_bytes] {
            let sound = sound(
                &format!("garbage {}", kind.name()),
                kind,
                &with_draws(500)[..],
            );
            let header_bytes = u32::from_le_bytes(sound[12..16].try_into().unwrap()) as usize;
            let absurd = [
                0,
                1,
                2,
                63,
                254,
                4096,
                1 << 31,
                u32::MAX.into(),
                1 << 40,
                1 << 61,
                1 << 63,
                u64::MAX / 8,
                u64::MAX - 4096,
                u64::MAX - 1,
                u64::MAX,
            ];
            for round in 0..20_000 {
                let mut file = sound.clone();
                for _ in 0..=numbers.below(3) {
                    let number = absurd[numbers.below(absurd.len())].to_le_bytes();
                    let width = [1, 4, 8][numbers.below(3)];
                    // Every place of the header in turn, then anywhere, the lengths before it too.
                    let place = match round < header_bytes {
                        true => 24 + round,
                        false => 8 + numbers.below(header_bytes + 16),
                    };
                    file[place..place + width].copy_from_slice(&number[..width]);
                }
                seal(&mut file);
                opened += u32::from(exercise(&file));
            }
        }
    }
    // Some changes are harmless, such as another program version.
    assert!(opened > 0);
}

#[test]
fn case_64_headers_of_every_other_length() {
    let sound = bytes("lengths", Kind::Dtm, &codes(500)[..]);
    let header_bytes = u32::from_le_bytes(sound[12..16].try_into().unwrap());
    for len in (0..8192).filter(|&len| len != header_bytes) {
        let mut file = sound.clone();
        file[12..16].copy_from_slice(&len.to_le_bytes());
        seal(&mut file);
        assert!(!exercise(&file), "{len}");
    }
}

/// Where the bytes of a text start in the header.
fn place_of(text: &[u8], file: &[u8]) -> usize {
    file.windows(text.len())
        .position(|bytes| bytes == text)
        .unwrap()
}

type Change<'a> = &'a dyn Fn(&mut Vec<u8>);

#[test]
fn what_a_reader_does_not_know_it_refuses_by_name() {
    let sound = bytes("unknown", Kind::Dtm, &codes(500)[..]);
    let refusal = |change: Change| {
        let mut file = sound.clone();
        change(&mut file);
        seal(&mut file);
        Table::open(file).unwrap_err().to_string()
    };
    // A text is followed by the fields behind it: cell bits, exact, finished, block bytes.
    let behind_coding = place_of(b"parity", &sound) + 6;
    let cases: [(&str, Change); 9] = [
        ("does not start with `KOMATBL`", &|file| file[0] = b'k'),
        ("format version 3", &|file| file[8] = 3),
        ("`law` is `drow`", &|file| {
            let place = place_of(b"draw", file);
            file[place..place + 4].copy_from_slice(b"drow");
        }),
        ("`kind` is `dtz`", &|file| {
            let place = place_of(b"dtm", file);
            file[place..place + 3].copy_from_slice(b"dtz");
        }),
        (
            "`coding` cannot be right: `parity` in a wdl table",
            &|file| {
                let place = place_of(b"dtm", file);
                file[place..place + 3].copy_from_slice(b"wdl");
            },
        ),
        ("`coding` is `parity of 24 bits`", &|file| {
            file[behind_coding] = 24
        }),
        ("`exact` is `false`", &|file| file[behind_coding + 4] = 0),
        ("is unfinished", &|file| file[behind_coding + 5] = 0),
        ("`block_bytes` cannot be right", &|file| {
            file[behind_coding + 6] = 1
        }),
    ];
    for (expected, change) in cases {
        let message = refusal(change);
        assert!(
            message.contains(expected),
            "{message:?} does not say {expected:?}"
        );
    }
    // A byte more in the header, taken from its padding.
    let message = refusal(&|file| {
        let longer = u32::from_le_bytes(file[12..16].try_into().unwrap()) + 1;
        file[12..16].copy_from_slice(&longer.to_le_bytes());
    });
    assert!(
        message.contains("1 bytes after the last field"),
        "{message}"
    );
}

#[test]
fn outcomes_that_can_t_be_right_are_refused_by_name() {
    let sound = settled_bytes("unknown outcomes", Kind::Dtm, &with_draws(500)[..]);
    let last = place_of(b"pcl", &sound);
    let cases: [(&str, Change); 6] = [
        ("`outcomes` is `pcx`", &|file| file[last + 2] = b'x'),
        (
            "`outcomes` cannot be right: uec: it is there twice",
            &|file| {
                file[last..last + 3].copy_from_slice(b"uec");
            },
        ),
        (
            "`outcomes` cannot be right: uec: the law of the table",
            &|file| {
                let law = place_of(b"uec", file);
                file[law..law + 3].copy_from_slice(b"pcl");
            },
        ),
        ("do not add up to the residue", &|file| file[last + 3] ^= 1),
        ("1 bytes after the last field", &|file| {
            let longer = u32::from_le_bytes(file[12..16].try_into().unwrap()) + 1;
            file[12..16].copy_from_slice(&longer.to_le_bytes());
        }),
        // As the first version it has fields too many.
        ("bytes after the last field", &|file| file[8] = 1),
    ];
    for (expected, change) in cases {
        let mut file = sound.clone();
        change(&mut file);
        seal(&mut file);
        let message = Table::open(file).unwrap_err().to_string();
        assert!(
            message.contains(expected),
            "{message:?} does not say {expected:?}"
        );
    }
}
