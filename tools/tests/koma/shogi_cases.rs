//! Cases that other programs got wrong, in minishogi and gorogoro, as `koma game` meets them. Nothing is solved.

use serde_json::{Value, json};

use crate::support::{Folder, Run};

/// A record: the position, and the moves.
fn play(game: &str, position: &str, moves: &str) -> Run {
    let record = format!("{position}\n{moves}\n");
    Folder::new().koma_reading(
        &["game", game, "-", "--json", "--no-solve"],
        record.as_bytes(),
    )
}

fn played(game: &str, position: &str, moves: &str) -> Value {
    serde_json::from_str(&play(game, position, moves).expect(0).out).unwrap()
}

/// The reason why a move is refused.
fn refused(game: &str, position: &str, moves: &str) -> String {
    let answer: Value = serde_json::from_str(&play(game, position, moves).expect(2).out).unwrap();
    answer["error"].as_str().unwrap().to_owned()
}

/// Cases 4, 5, 6, 8, 11 and 14: who loses by repetition, at which ply, with all occurrences; whoever began.
#[test]
fn repetition_ends_a_game_as_the_law_says() {
    let start = "rbsgk/4p/5/P4/KGSBR b - 1";
    let shuttle = "4e4d 2a2b 4d4e 2b2a";
    let (sente_checks, gote_checks) = ("4k/2R2/5/5/K4 b - 1", "4k/5/5/2r2/K4 w - 1");
    let (checks, checks_by_gote) = ("3b3a 1a1b 3a3b 1b1a", "3d3e 5e5d 3e3d 5d5e");
    let (plain, perpetual) = ("endless play loses for sente", "gave check with every move");
    for (game, position, cycle, winner, why) in [
        ("minishogi", start, shuttle, json!("gote"), plain),
        // Gote begins, and sente is still the side that moves up.
        (
            "minishogi",
            "rbsgk/4p/5/P4/KGSBR w - 1",
            "2a2b 4e4d 2b2a 4d4e",
            json!("gote"),
            plain,
        ),
        ("minishogi", sente_checks, checks, json!("gote"), perpetual),
        (
            "minishogi",
            gote_checks,
            checks_by_gote,
            json!("sente"),
            perpetual,
        ),
        (
            "minishogi:repetition=draw",
            start,
            shuttle,
            json!(null),
            "a draw",
        ),
        (
            "minishogi:repetition=draw",
            sente_checks,
            checks,
            json!(null),
            "a draw",
        ),
        (
            "minishogi:repetition=pcl",
            start,
            shuttle,
            json!(null),
            "a draw",
        ),
        (
            "minishogi:repetition=pcl",
            gote_checks,
            checks_by_gote,
            json!("sente"),
            perpetual,
        ),
        (
            "minishogi:repetition=inventor",
            gote_checks,
            checks_by_gote,
            json!("sente"),
            "the other side did not",
        ),
        (
            "gorogoro",
            "sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1",
            "4f4e 2a2b 4e4f 2b2a",
            json!(null),
            "a draw",
        ),
    ] {
        let end = played(game, position, &[cycle; 3].join(" "))["end"].clone();
        assert_eq!(end["reason"], "repetition", "{game} {position}");
        assert_eq!(end["winner"], winner, "{game} {position}");
        assert_eq!(end["ply"], 12);
        assert_eq!(end["occurrences"], json!([0, 4, 8, 12]));
        assert!(end["text"].as_str().unwrap().contains(why), "{end}");
        for times in [1, 2] {
            let answer = played(game, position, &vec![cycle; times].join(" "));
            assert_eq!(answer["end"]["reason"], "unfinished", "{game} {times}");
            let last = &answer["moves"][4 * times - 1];
            assert_eq!(last["occurrence"], times + 1, "{game}");
        }
    }
}

/// Case 11: the other reading of sente in the law, for games that gote begins.
#[test]
fn case_11_sente_may_be_who_began() {
    let cycle = "2a2b 4e4d 2b2a 4d4e";
    let (start, checks) = ("rbsgk/4p/5/P4/KGSBR", "4k/5/5/2r2/K4 w - 1");
    let end = |position: &str, moves: &str, who: &str| {
        let record = format!("{position}\n{}\n", [moves; 3].join(" "));
        let arguments = [
            "game",
            "minishogi",
            "-",
            "--json",
            "--no-solve",
            "--law-sente",
            who,
        ];
        let run = Folder::new().koma_reading(&arguments, record.as_bytes());
        serde_json::from_str::<Value>(&run.expect(0).out).unwrap()["end"].clone()
    };
    let by_gote = format!("{start} w - 1");
    let by_sente = format!("{start} b - 1");
    let turned = "4e4d 2a2b 4d4e 2b2a";
    for (position, moves, who, winner, why) in [
        (&*by_gote, cycle, "upward", "gote", "loses for sente"),
        (&*by_gote, cycle, "first", "sente", "loses for gote"),
        (&*by_sente, turned, "upward", "gote", "loses for sente"),
        (&*by_sente, turned, "first", "gote", "loses for sente"),
        // Perpetual check loses whoever began.
        (
            checks,
            "3d3e 5e5d 3e3d 5d5e",
            "first",
            "sente",
            "gote gave check",
        ),
    ] {
        let end = end(position, moves, who);
        assert_eq!(end["winner"], winner, "{position} {who}");
        assert_eq!(end["ply"], 12);
        assert!(end["text"].as_str().unwrap().contains(why), "{end}");
    }
}

/// Case 12: with other hands it is another position.
#[test]
fn case_12_hands_belong_to_the_position() {
    // Twice round, each time with a pawn taken and dropped elsewhere.
    let position = "4k/5/2p2/2G2/K4 b - 1";
    let moves = "3d3c 1a1b 3c3d 1b1a P*3c 1a1b 3d4d 1b1a 4d3d 1a1b";
    let answer = played("minishogi", position, moves);
    let occurrences = answer["moves"].as_array().unwrap().iter();
    let occurrences: Vec<&Value> = occurrences.map(|mv| &mv["occurrence"]).collect();
    assert_eq!(occurrences[..6], [1; 6]);
}

/// Cases 20, 23 and 24: pawns dropped and moved.
#[test]
fn cases_20_23_24_what_pawns_may_do() {
    for (game, position, mv, why) in [
        ("minishogi", "k4/5/GR3/5/4K b P 1", "P*5b", "mate"),
        ("gorogoro", "k4/2G2/G4/5/5/4K b P 1", "P*5b", "mate"),
        ("gorogoro", "2k2/5/5/5/P4/2K2 b P 1", "P*5d", "file"),
        ("gorogoro", "2k2/5/5/5/5/2K2 b P 1", "P*5a", "never move"),
        ("minishogi", "4k/P4/5/5/4K b - 1", "5b5a", "promote"),
        ("gorogoro", "2k2/P4/5/5/5/2K2 b P 1", "5b5a", "promote"),
    ] {
        let error = refused(game, position, mv);
        assert!(error.contains(why), "{game} {mv}: {error}");
    }
    for (game, position, mv) in [
        ("gorogoro", "2k2/5/5/5/5/2K2 b P 1", "P*5b"),
        ("minishogi", "4k/P4/5/5/4K b - 1", "5b5a+"),
        ("gorogoro", "2k2/P4/5/5/5/2K2 b P 1", "5b5a+"),
        ("gorogoro", "2k2/5/P4/5/5/2K2 b - 1", "5c5b"),
        ("gorogoro", "2k2/5/P4/5/5/2K2 b - 1", "5c5b+"),
        // The same pawn, moved, may mate.
        ("minishogi", "k4/5/PR3/5/4K b G 1", "5c5b"),
    ] {
        assert_eq!(
            played(game, position, mv)["moves"][0]["ply"],
            1,
            "{game} {mv}"
        );
    }
}

/// Case 27: a tokin that is taken is a pawn in hand.
#[test]
fn case_27_a_captured_tokin_is_a_pawn() {
    let answer = played("minishogi", "4k/5/2+p2/2G2/4K b - 1", "3d3c");
    assert_eq!(answer["moves"][0]["position"], "4k/5/2G2/5/4K w P 1");
}

/// Cases 21, 31, 32, 34, 35, 37, 39, 43 and 45: what positions are read, and how they are written.
#[test]
fn positions_are_read_strictly_and_written_one_way() {
    for (read, written) in [
        ("2k2/5/5/5/2K2 b PSpbRb 1", "2k2/5/5/5/2K2 b RSP2bp 1"),
        ("2k2/5/5/5/2K2 b PP 1", "2k2/5/5/5/2K2 b 2P 1"),
        ("2k2/5/5/5/2K2 b 2P", "2k2/5/5/5/2K2 b 2P 1"),
    ] {
        assert_eq!(played("minishogi", read, "")["start"], written, "{read}");
    }
    for (position, why) in [
        ("4k/5/5/5/5 b - 1", "sente has no `K`"),
        ("4k/5/5/5/4K b P2 1", "column"),
        ("4k/P+4/5/5/4K b - 1", "column 6"),
        ("4k/5/5/5/4K x - 1", "x"),
        ("4k/4R/5/5/4K b - 1", "in check"),
        ("4k/5/5/5/4K b L 1", "L"),
    ] {
        let run = play("minishogi", position, "").expect(2);
        let said = run.out + &run.err;
        assert!(said.contains(why), "{position}: {said}");
    }
}
