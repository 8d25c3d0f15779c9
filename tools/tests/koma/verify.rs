//! `koma verify`.

use std::fs;
use std::path::Path;

use koma_games::{RankedUniverse, Value};
use koma_tables::{CellWidth, Census, Coding, Counts, Identity, Kind, Table, Writer};

use crate::support::Folder;

const FILE: &str = "dobutsu_gc.dtm.koma";

#[test]
fn a_sound_table_passes() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for arguments in [
        &["verify", "dobutsu:gc"][..],
        &["verify", "dobutsu:gc", "--deep"],
    ] {
        folder.koma(arguments).expect(0);
    }
    let run = folder
        .koma(["verify", folder.file(FILE).to_str().unwrap(), "--deep"])
        .expect(0);
    assert!(run.out.contains("all 17,724 cells"), "{run:?}");
}

#[test]
fn consistency_without_distances_is_said_to_be_less() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    let run = folder.koma(["verify", "dobutsu:gc", "--deep"]).expect(0);
    assert!(run.out.contains("necessary, not sufficient"), "{run:?}");
}

/// Cases 62, 63: a flipped byte in each 4 KiB, and files cut short or grown.
#[test]
fn cases_62_63_any_damage_is_found() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let sound = fs::read(folder.file(FILE)).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(folder.file(FILE), bytes).unwrap();
        let run = folder.koma(["verify", "dobutsu:gc"]);
        // The version field says that another program is needed, not that the file is damaged.
        assert!(matches!(run.code, Some(1 | 3)), "{run:?}");
        assert!(!run.err.contains("panicked"), "{run:?}");
        assert!((run.out + &run.err).contains(FILE));
    };
    for place in (0..sound.len()).step_by(4096).chain([sound.len() - 1]) {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x40;
        refused(&bytes);
    }
    for len in [
        0,
        1,
        16,
        4096,
        sound.len() / 2,
        sound.len() - 64,
        sound.len() - 1,
    ] {
        refused(&sound[..len]);
    }
    refused(&[&sound[..], &[0]].concat());
    refused(&sound[1..]);
    refused(b"not a table at all");
}

#[test]
fn where_there_is_no_table_the_exit_is_3() {
    let folder = Folder::new();
    folder
        .koma(["verify", "dobutsu:gc"])
        .expect(3)
        .complains("no table of `dobutsu:gc`");
    folder
        .koma(["verify", "nowhere.koma"])
        .expect(3)
        .complains("nowhere.koma");
    folder
        .koma(["verify".as_ref(), folder.path().join("..koma").as_os_str()])
        .expect(3);
}

/// Writes the table with the cell of one rank changed and every checksum right.
fn with_cell(path: &Path, rank: u64, change: impl Fn(u8) -> u8) {
    let universe: RankedUniverse = "dobutsu:gc".parse().unwrap();
    let table = Table::open_file(path).unwrap();
    let mut cells = table.cells().to_vec();
    drop(table);
    cells[rank as usize] = change(cells[rank as usize]);
    let coding = Coding::Parity(CellWidth::Bits8);
    let ranks = Counts::of_cells(coding, &cells, cells.len() as u64);
    let census = Census {
        positions: ranks.clone(),
        ranks,
    };
    Writer::create(path)
        .unwrap()
        .write(&Identity::from(&universe), Kind::Dtm, &census, &cells[..])
        .unwrap();
}

#[test]
fn one_wrong_cell_is_found_and_shown() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let file = folder.file(FILE);
    let sound = fs::read(&file).unwrap();
    let universe: RankedUniverse = "dobutsu:gc".parse().unwrap();
    let table = Table::open_file(&file).unwrap();
    for (rank, change) in [
        (0, (|_| 254) as fn(u8) -> u8),
        (5000, |cell| cell ^ 1),
        (10_000, |cell| cell.wrapping_add(2)),
        (17_723, |_| 255),
    ] {
        let right = table.cell(rank).unwrap().value().unwrap();
        fs::write(folder.file("copy.koma"), &sound).unwrap();
        let copy = folder.file("copy.koma");
        with_cell(&copy, rank, change);
        let copy = copy.to_str().unwrap();
        folder.koma(["verify", copy]).expect(0);
        let run = folder.koma(["verify", copy, "--deep"]).expect(1);
        // The wrong cell, or one that leads to it, is the first.
        let (_, first) = run.out.split_once("the first is rank ").unwrap();
        let (first, _) = first.split_once(':').unwrap();
        assert!(first.parse::<u64>().unwrap() <= rank, "{run:?}");
        if first.parse::<u64>().unwrap() == rank {
            let sfen = universe.game().sfen(&universe.unrank(rank));
            assert!(run.out.contains(&sfen), "{run:?}");
            let expected = match right {
                Value::Draw | Value::Endless(_) => "Draw".to_owned(),
                Value::Win(plies) => format!("Win in {plies} "),
                Value::Loss(plies) => format!("Loss in {plies} "),
            };
            assert!(
                run.out.contains(&format!("expected  {expected}")),
                "{run:?}"
            );
        }
    }
}
