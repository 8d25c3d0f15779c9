//! A **stream** of positions: one a line in, one JSON object a line out, in order.

use std::io::{self, ErrorKind, Read, stdin};

use anyhow::Context;
use koma_tables::Prober;
use memmap2::Mmap;
use rayon::prelude::*;
use serde::Serialize;

use crate::answer::Answer;
use crate::exit::Exit;
use crate::output;

/// Bytes asked of stdin at a time.
const READ_BYTES: usize = 1 << 18;

/// Lines that a thread answers in one go.
const TASK_LINES: usize = 32;

/// Bytes of an answer, roughly.
const ANSWER_BYTES: usize = 2048;

/// What stands in place of an answer.
#[derive(Serialize)]
struct Failure {
    error: String,
    /// The number of the line, from 1.
    line: usize,
}

/// Answers every line of stdin. The exit is the worst of the lines.
///
/// What has come is answered before more is read, so that a program that waits for each answer
/// before it asks again is served too.
pub(crate) fn answer_stdin(prober: &Prober<Mmap>, threads: Option<usize>) -> anyhow::Result<Exit> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .context("can't start the threads; take fewer with --threads")?;
    let name = prober.name();
    let mut input = stdin().lock();
    let mut chunk = vec![0; READ_BYTES];
    let mut text = Vec::new();
    let mut exit = Exit::Done;
    let mut answered = 0;
    loop {
        let read = read(&mut input, &mut chunk).context("stdin")?;
        let before = text.len();
        text.extend_from_slice(&chunk[..read]);
        let end = if read == 0 {
            before
        } else if let Some(place) = chunk[..read].iter().rposition(|&byte| byte == b'\n') {
            before + place + 1
        } else {
            continue;
        };
        let lines: Vec<&[u8]> = text[..end].split_inclusive(|&byte| byte == b'\n').collect();
        let answers: Vec<(Exit, Vec<u8>)> = pool.install(|| {
            lines
                .par_chunks(TASK_LINES)
                .enumerate()
                .map(|(task, lines)| {
                    let first = answered + task * TASK_LINES + 1;
                    answer_lines(prober, name, first, lines)
                })
                .collect()
        });
        answered += lines.len();
        text.drain(..end);
        for (worst, answers) in answers {
            exit = exit.max(worst);
            output::bytes(&answers)?;
        }
        if read == 0 {
            return Ok(exit);
        }
    }
}

fn read(input: &mut impl Read, chunk: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// The answers to some lines, and the worst exit among them.
fn answer_lines(
    prober: &Prober<Mmap>,
    name: &str,
    first: usize,
    lines: &[&[u8]],
) -> (Exit, Vec<u8>) {
    let mut exit = Exit::Done;
    let mut out = Vec::with_capacity(lines.len() * ANSWER_BYTES);
    for (line, bytes) in (first..).zip(lines) {
        let written = match answer(prober, name, bytes) {
            Ok(answer) => serde_json::to_writer(&mut out, &answer),
            Err(error) => {
                exit = exit.max(Exit::of(&error));
                let error = format!("{error:#}");
                serde_json::to_writer(&mut out, &Failure { error, line })
            }
        };
        written.expect("an object that JSON can hold, into memory");
        out.push(b'\n');
    }
    (exit, out)
}

fn answer<'a>(prober: &Prober<Mmap>, name: &'a str, line: &[u8]) -> anyhow::Result<Answer<'a>> {
    let position = prober
        .game()
        .parse_position(&String::from_utf8_lossy(line))?;
    Ok(Answer::new(prober, name, &position)?)
}
