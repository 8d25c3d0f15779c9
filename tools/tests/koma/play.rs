//! `koma play`, through a pipe and in a terminal.

use crate::support::{Folder, Run};

/// A win in 7 plies.
const WON: &str = "l2/3/1G1/1CL b - 1";

fn play(folder: &Folder, options: &[&str], commands: &str) -> Run {
    let arguments = [&["play", "dobutsu:gc", WON][..], options].concat();
    folder
        .koma_reading(&arguments, commands.as_bytes())
        .expect(0)
}

/// The moves that were announced.
fn moves(run: &Run) -> Vec<&str> {
    run.out
        .lines()
        .filter_map(|line| line.split_once("sente: ").or(line.split_once("gote: ")))
        .filter(|(ply, _)| ply.trim().parse::<u32>().is_ok())
        .map(|(_, mv)| mv)
        .collect()
}

#[test]
fn the_end_of_the_input_ends_the_session() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for commands in ["", "\n\n", "C4C3", "quit\nC4C3\n"] {
        let run = play(&folder, &[], commands);
        assert!(run.out.ends_with("unfinished, sente to move\n"), "{run:?}");
        assert!(!run.out.contains('>'), "a prompt in {run:?}");
        assert_eq!(run.err, "");
    }
}

#[test]
fn two_people_play_in_any_notation() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = play(
        &folder,
        &["--gote", "human"],
        "C4C3\n3a2a\n▲B2きりん\n-B1A1LI\nC3C2\nA1B1\nB2B1\nA1A2\n",
    );
    assert_eq!(
        moves(&run),
        ["C4C3", "A1B1", "B3B2", "B1A1", "C3C2", "A1B1", "B2B1"]
    );
    assert!(
        run.out
            .contains("The game is over: lion taken: sente wins\n"),
        "{run:?}"
    );
    assert!(
        run.out
            .contains("A1A2: the game is over (lion taken: sente wins)"),
        "{run:?}"
    );
}

#[test]
fn a_perfect_table_wins_as_fast_as_it_can() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for seed in ["1", "2", "3", "4"] {
        let run = play(&folder, &["--sente", "table", "--seed", seed], "");
        assert_eq!(moves(&run).len(), 7, "{run:?}");
        assert!(run.out.contains("sente wins\n"), "{run:?}");
    }
}

#[test]
fn a_seed_makes_a_game_again() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let mut games = Vec::new();
    for seed in 0..10 {
        let seed = seed.to_string();
        let options = ["--sente", "table", "--level", "random", "--seed", &seed];
        let run = play(&folder, &options, "");
        assert!(run.out.contains("The game is over"), "{run:?}");
        assert_eq!(run.out, play(&folder, &options, "").out);
        games.push(run.out.split_once("1  sente").unwrap().1.to_owned());
    }
    games.sort();
    games.dedup();
    assert!(games.len() > 5, "{} games", games.len());
}

/// Strength 1 takes the lion, strength 2 does not let its lion be taken; no chance is needed for
/// either.
#[test]
fn strengths_see_as_far_as_they_say() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for seed in 0..12 {
        let seed = seed.to_string();
        let near = "3/lG1/3/1CL b - 1";
        let arguments = [
            "play",
            "dobutsu:gc",
            near,
            "--sente",
            "table",
            "--gote",
            "human",
        ];
        let level = ["--level", "1", "--seed", &seed];
        let run = folder
            .koma_reading(&[&arguments[..], &level].concat(), b"")
            .expect(0);
        assert_eq!(moves(&run), ["B2A2"]);
        let arguments = [
            "play",
            "dobutsu:gc",
            "l2/3/1GL/1C1 w - 1",
            "--gote",
            "table",
        ];
        let level = ["--level", "2", "--seed", &seed];
        let run = folder
            .koma_reading(&[&arguments[..], &level].concat(), b"quit")
            .expect(0);
        let first = moves(&run)[0];
        let sfen = match first {
            "A1B1" => "1l1/3/1GL/1C1 b - 1",
            "A1A2" => "3/l2/1GL/1C1 b - 1",
            _ => panic!("{first} loses at once"),
        };
        let answer = folder.json(&["query", "dobutsu:gc", sfen, "--json"]);
        assert_ne!(answer["dtm"], 1);
    }
    folder
        .koma(["play", "dobutsu:gc", WON, "--level", "best"])
        .expect(2)
        .complains("a strength is");
}

#[test]
fn commands_are_obeyed() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = play(&folder, &["--gote", "human"], "hint\nmoves\nvalues\n");
    assert!(run.out.contains("\nC4C3: Win in 7 plies\n"), "{run:?}");
    assert!(run.out.contains("\nB3B2 B3A3 B3C3 C4C3\n"), "{run:?}");
    assert!(run.out.contains("\n B3B2  Loss in 6 plies\n"), "{run:?}");
    let run = play(&folder, &["--values"], "");
    assert!(run.out.contains("\n B3B2  Loss in 6 plies\n"), "{run:?}");
    let run = play(&folder, &[], "help\n");
    for command in ["undo", "hint", "resign", "quit"] {
        assert!(run.out.contains(&format!("\n  {command}")), "{run:?}");
    }
}

/// Taking back goes to the last turn of a person, with the table's moves on the way.
#[test]
fn moves_are_taken_back() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = play(&folder, &[], "undo\nC4C3\nundo\nB3A3\nundo\nB3C3\nrecord\n");
    assert!(run.out.contains("there is no move to take back"), "{run:?}");
    let written = run.out.split_once("\nl2/3/1G1/1CL b - 1\n").unwrap().1;
    assert!(written.starts_with("1 B3C3 2 "), "{run:?}");
    // The table's first move is nobody's to take back.
    let run = play(
        &folder,
        &["--sente", "table", "--gote", "human"],
        "undo\nrecord\n",
    );
    assert!(run.out.contains("there is no move to take back"), "{run:?}");
    assert!(run.out.contains("\n1 C4C3\n"), "{run:?}");
}

/// What `record` writes, `koma game` reads.
#[test]
fn a_record_is_read_by_game() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for notation in ["squares", "usi", "japanese", "tanaka"] {
        let options = ["--gote", "human", "--notation", notation];
        let run = play(&folder, &options, "C4C3\nA1B1\nB3B2\nresign\nrecord\n");
        let (_, after) = run.out.split_once("gives up, sente wins\n").unwrap();
        let run = folder
            .koma_reading(&["game", "dobutsu:gc", "-"], after.as_bytes())
            .expect(0);
        assert!(
            run.out
                .ends_with("resignation: gote gives up, sente wins\n"),
            "{run:?}"
        );
    }
}

#[test]
fn a_resignation_is_taken_back() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let run = play(
        &folder,
        &["--gote", "human"],
        "resign\nresign\nC4C3\nundo\nC4C3\n",
    );
    assert!(
        run.out
            .contains("The game is over: resignation: sente gives up, gote wins\n")
    );
    assert!(run.out.contains("\nthe game is over\n"), "{run:?}");
    assert!(
        run.out.contains("C4C3: the game is over (resignation"),
        "{run:?}"
    );
    assert_eq!(moves(&run), ["C4C3"]);
    assert!(run.out.ends_with("unfinished, gote to move\n"), "{run:?}");
}

#[test]
fn repetition_is_announced() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let shuttle = "C4C3\nA1B1\nC3C4\nB1A1\n".repeat(2);
    let run = play(&folder, &["--gote", "human"], &shuttle);
    let second = "This position stands for the second time, at the start and after ply 4; \
                  the third time ends the game.\n";
    assert!(run.out.contains(second), "{run:?}");
    let third = "The game is over: repetition, a draw: the position stands for the third time, \
                 at the start and after plies 4 and 8\n";
    assert!(run.out.ends_with(third), "{run:?}");
}

#[test]
fn a_try_is_announced() {
    let folder = Folder::with(&["dobutsu:gc"]);
    for (position, input) in [
        ("3/1L1/2l/3 b Gc 1", &b"B2A1\n"[..]),
        // Over before it begins.
        ("L2/3/2l/3 w Gc 1", b"new\n"),
    ] {
        let arguments = ["play", "dobutsu:gc", position, "--gote", "human"];
        let run = folder.koma_reading(&arguments, input).expect(0);
        let said = "The game is over: try: sente's lion has reached the far rank, sente wins\n";
        assert!(run.out.ends_with(said), "{run:?}");
    }
}

#[test]
fn what_is_no_command_is_said_and_the_game_goes_on() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let arguments = ["play", "dobutsu:gc", WON, "--gote", "human"];
    let input = b"castle\nC4D3\nA1B1\n\xff\xfe\n\x1b[A\nC4C3\r\n";
    let run = folder.koma_reading(&arguments, input).expect(0);
    assert!(run.out.contains("castle: from-square, column 1"), "{run:?}");
    assert!(run.out.contains("C4D3: to-square, column 3"), "{run:?}");
    assert!(
        run.out.contains("A1B1: no piece of the side to move"),
        "{run:?}"
    );
    assert_eq!(moves(&run), ["C4C3"]);
}

/// With the rules of its game, and without distances.
#[test]
fn a_table_without_distances_says_so() {
    let folder = Folder::new();
    folder
        .koma(["solve", "dobutsu:gc", "--kind", "wdl"])
        .expect(0);
    let run = play(&folder, &["--sente", "table", "--seed", "1"], "");
    assert!(run.out.contains("knows no distances"), "{run:?}");
    assert!(run.out.contains("The game is over"), "{run:?}");
}

/// A session in a real terminal.
#[cfg(unix)]
mod terminal {
    use std::process::Stdio;
    use std::time::Duration;

    use expectrl::process::unix::WaitStatus;
    use expectrl::session::OsSession;
    use expectrl::{ControlCode, Eof, Expect, Session};

    use super::{Folder, WON};

    fn open(folder: &Folder, options: &[&str]) -> OsSession {
        let arguments = [&["play", "dobutsu:gc", WON][..], options].concat();
        let mut command = folder.command(arguments);
        command.stdin(Stdio::inherit());
        let mut session = Session::spawn(command).unwrap();
        session.set_expect_timeout(Some(Duration::from_secs(60)));
        session
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        let folder = Folder::with(&["dobutsu:gc"]);
        let mut session = open(&folder, &["--gote", "human", "--notation", "japanese"]);
        session.expect("to move: sente").unwrap();
        for (prompt, mv) in [
            ("sente> ", "C4C3"),
            ("gote> ", "△B1らいおん"),
            ("sente> ", "hint"),
            ("▲B2きりん: Win in 5 plies", "B3B2"),
            ("gote> ", "B1A1"),
            ("sente> ", "undo"),
            ("gote> ", "B1C1"),
            ("sente> ", "B2C2"),
            ("gote> ", "C1C2"),
        ] {
            session.expect(prompt).unwrap();
            session.send_line(mv).unwrap();
        }
        session.expect("sente> ").unwrap();
        session.send_line("C3C2").unwrap();
        session.expect("lion taken: sente wins").unwrap();
        session.send_line("quit").unwrap();
        session.expect(Eof).unwrap();
        let status = session.get_process().wait().unwrap();
        assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    }

    #[test]
    fn ctrl_d_ends_the_session() {
        let folder = Folder::with(&["dobutsu:gc"]);
        let mut session = open(&folder, &[]);
        session.expect("sente> ").unwrap();
        session.send(ControlCode::EndOfTransmission).unwrap();
        session.expect("unfinished, sente to move").unwrap();
        session.expect(Eof).unwrap();
        let status = session.get_process().wait().unwrap();
        assert!(matches!(status, WaitStatus::Exited(_, 0)), "{status:?}");
    }

    /// Also after the table has been made, when interrupts were asked to stop work cleanly.
    #[test]
    fn ctrl_c_ends_the_session_at_once() {
        for folder in [Folder::with(&["dobutsu:gc"]), Folder::new()] {
            let mut session = open(&folder, &[]);
            session.expect("sente> ").unwrap();
            session.send(ControlCode::EndOfText).unwrap();
            session.expect(Eof).unwrap();
            let status = session.get_process().wait().unwrap();
            assert!(matches!(status, WaitStatus::Exited(_, 130)), "{status:?}");
        }
    }
}
