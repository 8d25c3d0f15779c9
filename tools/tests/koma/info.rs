//! `koma info`.

use std::fs;

use serde_json::Value;

use crate::support::{Folder, keys};

#[test]
fn the_json_has_exactly_these_keys() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let line = folder.koma(["info", "dobutsu:gc", "--json"]).expect(0).out;
    let info: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        keys(&line, &info),
        [
            "game",
            "kind",
            "exact",
            "positions",
            "win",
            "loss",
            "draw",
            "max_plies",
            "by_plies",
            "format",
            "content_hash",
            "bytes"
        ]
    );
    assert_eq!(info["game"], "dobutsu:gc");
    assert_eq!(info["kind"], "dtm");
    assert_eq!(info["exact"], true);
    assert_eq!(info["format"], 1);
    let count = |key: &str| info[key].as_u64().unwrap();
    assert_eq!(
        count("positions"),
        count("win") + count("loss") + count("draw")
    );
    let by_plies: Vec<(u64, u64)> = serde_json::from_value(info["by_plies"].clone()).unwrap();
    assert_eq!(by_plies.last().unwrap().0, count("max_plies"));
    let sum = |parity| -> u64 {
        let these = by_plies.iter().filter(|(plies, _)| plies % 2 == parity);
        these.map(|(_, count)| count).sum()
    };
    assert_eq!((sum(1), sum(0)), (count("win"), count("loss")));
    let hash = info["content_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.chars().all(|c| c.is_ascii_hexdigit()));
    let file = folder.file("dobutsu_gc.dtm.koma");
    assert_eq!(count("bytes"), fs::metadata(file).unwrap().len());
}

/// The peer counts a position with both lions on the centre file and its mirror image apart.
#[test]
fn the_peer_counts_every_rank() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let counts = folder.json(&["info", "dobutsu:gc", "--json", "--count-as", "clausecker"]);
    assert_eq!(counts["positions"], 17_724);
    let own = folder.json(&["info", "dobutsu:gc", "--json"]);
    assert!(own["positions"].as_u64() < counts["positions"].as_u64());
    let run = folder
        .koma(["info", "dobutsu:gc", "--count-as", "clausecker"])
        .expect(0);
    assert!(run.out.contains("positions     17,724\n"), "{run:?}");
}

#[test]
fn a_file_is_read_by_its_name() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let by_game = folder.json(&["info", "dobutsu:gc", "--json"]);
    let file = folder.file("dobutsu_gc.dtm.koma");
    let by_file = folder.json(&["info", file.to_str().unwrap(), "--json"]);
    assert_eq!(by_game, by_file);
    let other = folder.file("any name");
    fs::rename(file, &other).unwrap();
    assert_eq!(
        folder.json(&["info", other.to_str().unwrap(), "--json"]),
        by_file
    );
}

#[test]
fn a_table_without_distances_says_so() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    let info = folder.json(&["info", "dobutsu:gc", "--json"]);
    assert_eq!(info["kind"], "wdl");
}

/// Case 64: whatever the bytes, an error that names the file.
#[test]
fn case_64_random_files_are_refused() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let sound = fs::read(folder.file("dobutsu_gc.dtm.koma")).unwrap();
    let copy = folder.file("copy.koma");
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    for place in 0..200 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let mut bytes = sound.clone();
        // Four bytes of the header become great numbers or noise.
        let noise = if place % 2 == 0 {
            [0xff; 8]
        } else {
            random.to_le_bytes()
        };
        bytes[place..place + 8].copy_from_slice(&noise);
        if bytes == sound {
            continue;
        }
        fs::write(&copy, bytes).unwrap();
        folder
            .koma(["info".as_ref(), copy.as_os_str()])
            .expect(3)
            .complains("copy.koma");
    }
}

#[test]
fn a_folder_of_the_name_of_a_game_is_no_table() {
    let folder = Folder::with(&["dobutsu:gc"]);
    fs::create_dir(folder.file("dobutsu:gc")).unwrap();
    let output = folder
        .command(["info", "dobutsu:gc"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    folder
        .koma(["info".as_ref(), folder.path().as_os_str()])
        .expect(2);
}
