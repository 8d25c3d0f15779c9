//! One handle, many threads.

use std::sync::Barrier;

use koma_tables::{Kind, ReadError, Table};

use crate::scratch::{bytes, codes};

#[test]
fn sixty_four_threads_touch_every_block_first() {
    let codes = codes(200_000);
    let mut file = bytes("threads", Kind::Dtm, &codes[..]);
    // One damaged block among the sound ones, which no thread may take for sound.
    let damaged_rank = 150_000;
    let cells_start = file.len() - 13 * 8 - codes.len();
    file[cells_start + damaged_rank] ^= 1;

    let table = Table::open(&file[..]).unwrap();
    let block_bytes = table.header().block_bytes() as usize;
    let start = Barrier::new(64);
    std::thread::scope(|scope| {
        for thread in 0..64 {
            let (table, codes, start) = (&table, &codes, &start);
            scope.spawn(move || {
                start.wait();
                for step in 0..codes.len() {
                    let rank = (step + thread * 3_001) % codes.len();
                    let cell = table.cell(rank as u64);
                    if rank / block_bytes == damaged_rank / block_bytes {
                        assert!(matches!(cell, Err(ReadError::Block { .. })));
                    } else {
                        assert_eq!(cell, Ok(table.coding().decode(codes[rank].into())));
                    }
                }
            });
        }
    });
}
