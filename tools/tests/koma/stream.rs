//! `koma query --stdin`.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Folder, keys};

const ASK: [&str; 3] = ["query", "dobutsu:gc", "--stdin"];

fn lines(out: &str) -> Vec<Value> {
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn answers_are_those_of_single_queries_in_order() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let positions = [
        "l2/3/1G1/1CL b - 1",
        "l2/3/3/2L w Gc 1",
        "3/1l1/1L1/3 w Gc 1",
        "S/l--/---/-G-/-CL/-",
    ];
    let single: String = positions
        .iter()
        .map(|position| folder.koma(["query", "dobutsu:gc", position, "--json"]).out)
        .collect();
    let run = folder
        .koma_reading(&ASK, positions.join("\n").as_bytes())
        .expect(0);
    assert_eq!(run.out, single);
    let run = folder
        .koma_reading(&ASK, (positions.join("\r\n") + "\r\n").as_bytes())
        .expect(0);
    assert_eq!(run.out, single);
    let json = [ASK[0], ASK[1], ASK[2], "--json", "--threads", "1"];
    let run = folder
        .koma_reading(&json, positions.join("\n").as_bytes())
        .expect(0);
    assert_eq!(run.out, single);
}

#[test]
fn a_bad_line_gets_an_error_in_its_place() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let input = b"l2/3/1G1/1CL b - 1\nl2/3/1G1/1CL x - 1\n\n\xff\xfe\0\nl2/3/3/2L b G 1\n\
        l2/3/3/2L w Gc 1\n";
    let run = folder.koma_reading(&ASK, input).expect(2);
    let answers = lines(&run.out);
    assert_eq!(answers.len(), 6);
    for (place, complaint) in [
        (1, "side to move, column 14"),
        (2, "board"),
        (3, "board, column 1"),
        (4, "`dobutsu:g`"),
    ] {
        let line = run.out.lines().nth(place).unwrap();
        assert_eq!(keys(line, &answers[place]), ["error", "line"]);
        assert_eq!(answers[place]["line"], place as u64 + 1);
        let error = answers[place]["error"].as_str().unwrap();
        assert!(error.contains(complaint), "{error}");
    }
    assert_eq!(answers[0]["dtm"], 7);
    assert_eq!(answers[5]["position"], "l2/3/3/2L w Gc 1");
}

#[test]
fn nothing_in_is_nothing_out() {
    let folder = Folder::with(&["dobutsu:gc"]);
    assert_eq!(folder.koma_reading(&ASK, b"").expect(0).out, "");
}

/// More than is read at a time, with the numbers of bad lines.
#[test]
fn many_lines_stay_in_order() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let mut input = String::new();
    for line in 1..=100_000 {
        input.push_str(match line % 3 {
            0 => "l2/3/1G1/1CL b - 1\n",
            1 => "l2/3/3/2L w Gc 1\n",
            _ => "x\n",
        });
    }
    let run = folder.koma_reading(&ASK, input.as_bytes()).expect(2);
    let mut count = 0;
    for (line, answer) in (1..).zip(run.out.lines()) {
        let expected = match line % 3 {
            0 => "{\"game\":\"dobutsu:gc\",\"position\":\"l2/3/1G1/1CL b - 1\"".to_owned(),
            1 => "{\"game\":\"dobutsu:gc\",\"position\":\"l2/3/3/2L w Gc 1\"".to_owned(),
            _ => "{\"error\":".to_owned(),
        };
        assert!(answer.starts_with(&expected), "line {line}: {answer}");
        if line % 3 == 2 {
            assert!(answer.ends_with(&format!("\"line\":{line}}}")), "{answer}");
        }
        count = line;
    }
    assert_eq!(count, 100_000);
}

/// A program that waits for each answer before it asks again is served.
#[test]
fn each_line_is_answered_when_it_comes() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let mut child = folder
        .command(ASK)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for dtm in ["\"dtm\":7", "\"dtm\":7", "\"error\""] {
        let position = if dtm == "\"error\"" {
            "?"
        } else {
            "l2/3/1G1/1CL b - 1"
        };
        // In two parts, as a slow pipe may bring them.
        let (first, second) = position.split_at(position.len() / 2);
        stdin.write_all(first.as_bytes()).unwrap();
        stdin.flush().unwrap();
        writeln!(stdin, "{second}").unwrap();
        let answer = answers.next().unwrap().unwrap();
        assert!(answer.contains(dtm), "{answer}");
    }
    drop(stdin);
    assert!(answers.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// Whoever stops reading has what they wanted.
#[test]
fn a_broken_pipe_is_success() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let mut child = folder
        .command(ASK)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut first = String::new();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    writeln!(stdin, "l2/3/1G1/1CL b - 1").unwrap();
    answers.read_line(&mut first).unwrap();
    drop(answers);
    // Until the other side has noticed and closed its end.
    while writeln!(stdin, "l2/3/1G1/1CL b - 1").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

/// A line whose cells are damaged is an error of the environment, and the others are answered.
#[test]
fn a_damaged_block_is_3_at_the_end() {
    let folder = Folder::with(&["dobutsu:gc"]);
    let file = folder.file("dobutsu_gc.dtm.koma");
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    // The checksum of the last block is wrong now, and that of no other.
    std::fs::write(&file, bytes).unwrap();
    let input = b"l2/3/3/2L w Gc 1\nlh1/3/1G1/1L1 b - 1\nlc1/3/1h1/1L1 b - 1\n3/1l1/1L1/3 w Gc 1\n";
    let run = folder.koma_reading(&ASK, input);
    assert_eq!(lines(&run.out).len(), 4);
    assert!(matches!(run.code, Some(2 | 3)), "{run:?}");
}
