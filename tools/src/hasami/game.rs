//! `koma game` for hasami: checks a game record and judges every move.

use std::fs;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use encoding_rs::SHIFT_JIS;
use koma_games::Category;
use koma_games::hasami::{Game, NameError, ReadRecord, Record, Universe};
use koma_tables::{HasamiMove, HasamiProber, Probe, ProbeError};
use memmap2::Mmap;
use serde::Serialize;

use super::ending::Ending;
use super::move_notation::MoveNotation;
use super::opening::Opening;
use crate::answer::signed;
use crate::exit::{Exit, Usage};
use crate::grid::columns;
use crate::wording::{before, describe};
use crate::{cli, output};

const HELP: &str = "\
A record is text in UTF-8 or Shift_JIS: moves, separated by blanks or line ends, in any notation (a9a5
or a9-a5, ▲９五歩, 9i9e), with numbers before them or without. On a square's two forms: `a1` counts
files from the left and ranks from the top, `9a` and `９一` are the same square on 9x9 as shogi names
it. A first line may be the start position, as for `koma query`; `#` begins a comment; 投了 or resign
gives up. The first word that is unreadable or illegal, or follows the end of the game, is named with
line, column, ply and reason, and the exit code is 2.

Values are for the side that moves: before the move, and of the move. A move is marked with `?` if
it throws half a point away (a win becomes a draw, or a draw a loss) and with `??` if it throws a
whole one. A move by which a position stands for the fourth time, or that reaches a limit, is worth
what that makes of the game.

JSON, one object on one line:
  {\"game\", \"start\", \"moves\": [
    {\"ply\", \"line\", \"side\", \"move\", \"move_usi\", \"move_ja\", \"before\", \"after\", \"best\", \"mark\",
     \"plies_lost\", \"occurrence\", \"position\"}, ..],
   \"end\": {\"reason\", \"winner\", \"ply\", \"occurrences\", \"text\"}}
  before, after, best, mark, plies_lost  as `koma game dobutsu --help` explains; null where there
              can be no table
  reason      captures, lead, no_move, repetition, limit, resignation or unfinished
A record that is wrong gives {\"error\", \"line\", \"column\", \"ply\"} instead.

Examples:
  koma game hasami@4x4 record.txt
  koma game hasami@4x4 record.txt --notation japanese
  echo a4a2 d1d3 | koma game hasami@4x4 - --json";

/// Check a game record and judge every move
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    game: String,

    /// The file of the record; `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How moves are written
    #[arg(long, value_name = "NOTATION", value_enum, default_value_t = MoveNotation::Squares)]
    notation: MoveNotation,

    /// Answer in JSON
    #[arg(long, conflicts_with = "notation")]
    json: bool,

    #[command(flatten)]
    opening: Opening,
}

#[derive(Serialize)]
struct GameAnswer {
    game: String,
    start: String,
    moves: Vec<JudgedMove>,
    end: Ending,
}

#[derive(Serialize)]
struct JudgedMove {
    ply: usize,
    line: usize,
    side: &'static str,
    #[serde(rename = "move")]
    squares: String,
    #[serde(rename = "move_usi")]
    usi: String,
    #[serde(rename = "move_ja")]
    japanese: String,
    before: Option<Worth>,
    after: Option<Worth>,
    best: Option<Best>,
    mark: Option<&'static str>,
    plies_lost: Option<u32>,
    occurrence: usize,
    position: String,
}

#[derive(Serialize)]
struct Best {
    #[serde(rename = "move")]
    squares: String,
    #[serde(flatten)]
    after: Worth,
}

#[derive(Serialize)]
struct Worth {
    category: &'static str,
    dtm: Option<i64>,
}

impl From<Probe> for Worth {
    fn from(probe: Probe) -> Worth {
        Worth {
            category: probe.category.name(),
            dtm: signed(probe),
        }
    }
}

/// What stands in place of an answer.
#[derive(Serialize)]
struct Failure {
    error: String,
    line: usize,
    column: usize,
    ply: usize,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let name = if arguments.file == Path::new("-") {
        "stdin".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let text = read_text(&arguments.file).with_context(|| name.clone())?;
    let (game, universe) = named(&arguments.game)?;
    let read = match game.read_record(&text) {
        Ok(read) => read,
        Err(error) if arguments.json => {
            output::json(&Failure {
                error: error.to_string(),
                line: error.line,
                column: error.column,
                ply: error.ply,
            })?;
            return Ok(Exit::Input);
        }
        Err(error) => return Err(anyhow!(Usage(error.to_string())).context(name)),
    };
    let (name, judgements) = match universe {
        None => {
            output::note(format_args!(
                "koma: there can be no table of {game}; the moves are not judged"
            ));
            (game.to_string(), None)
        }
        Some(universe) => {
            let prober = arguments.opening.prober(universe)?;
            let judgements = judge(&prober, &read.record)?;
            (prober.universe().to_string(), Some(judgements))
        }
    };
    if arguments.json {
        output::json(&answer(name, &read, judgements.as_deref()))?;
    } else {
        let judgements = judgements.as_deref();
        output::text(&report(name, &read, judgements, arguments.notation))?;
    }
    Ok(Exit::Done)
}

/// A game, and its universe if it is not too large.
fn named(name: &str) -> anyhow::Result<(Game, Option<Universe>)> {
    let usage = |error: NameError| Usage(error.to_string());
    match name.parse::<Universe>() {
        Ok(universe) => Ok((universe.game().clone(), Some(universe))),
        Err(NameError::TooLarge { .. }) if name.parse::<Game>().is_ok() => {
            Ok((name.parse().map_err(usage)?, None))
        }
        Err(error) => Err(usage(error).into()),
    }
}

/// The text of a record, whatever its file is called.
fn read_text(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        stdin().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(file)?;
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.trim_start_matches('\u{feff}').to_owned()),
        Err(error) => {
            let (text, _, wrong) = SHIFT_JIS.decode(error.as_bytes());
            if wrong {
                let problem = "the text is neither UTF-8 nor Shift_JIS".to_owned();
                return Err(Usage(problem).into());
            }
            Ok(text.into_owned())
        }
    }
}

/// A move that was played, and the best one.
struct Judgement {
    before: Probe,
    played: HasamiMove,
    best: HasamiMove,
}

fn judge(prober: &HasamiProber<Mmap>, record: &Record<'_>) -> Result<Vec<Judgement>, ProbeError> {
    let mut game = Record::new(record.game(), record.positions()[0]);
    let mut judgements = Vec::with_capacity(record.moves().len());
    for &mv in record.moves() {
        let before = prober.probe(game.position())?;
        let moves = prober.moves_in(&game)?;
        let played = moves.iter().find(|after| after.mv == mv);
        let played = *played.expect("a record holds legal moves only");
        let best = if moves[0].probe == played.probe {
            played
        } else {
            moves[0]
        };
        game.play(mv);
        judgements.push(Judgement {
            before,
            played,
            best,
        });
    }
    Ok(judgements)
}

impl Judgement {
    /// `?` for half a point thrown away, `??` for a whole one.
    fn mark(&self) -> &'static str {
        let half_points = |after: &HasamiMove| match before(after.probe).category {
            Category::Win => 2,
            Category::Draw => 1,
            Category::Loss => 0,
        };
        match half_points(&self.best) - half_points(&self.played) {
            2 => "??",
            1 => "?",
            _ => "",
        }
    }

    /// By how many plies the move makes a win longer or a loss shorter than the best one.
    fn plies_lost(&self) -> Option<u32> {
        let (best, played) = (self.best.probe, self.played.probe);
        if best == played {
            return Some(0);
        }
        let (best_plies, played_plies) = (best.plies?, played.plies?);
        (best.category == played.category).then(|| best_plies.abs_diff(played_plies))
    }
}

fn answer(name: String, read: &ReadRecord<'_>, judgements: Option<&[Judgement]>) -> GameAnswer {
    let record = &read.record;
    let game = record.game();
    let mut played = Record::new(game, record.positions()[0]);
    let mut moves = Vec::new();
    for (index, (&mv, &line)) in record.moves().iter().zip(&read.lines).enumerate() {
        let before = *played.position();
        played.play(mv);
        let judgement = judgements.map(|judgements| &judgements[index]);
        moves.push(JudgedMove {
            ply: index + 1,
            line,
            side: super::ending::name(before.side()),
            squares: game.squares(mv),
            usi: game.usi(mv),
            japanese: game.japanese(&before, mv),
            before: judgement.map(|judgement| judgement.before.into()),
            after: judgement.map(|judgement| judgement.played.probe.into()),
            best: judgement.map(|judgement| Best {
                squares: game.squares(judgement.best.mv),
                after: judgement.best.probe.into(),
            }),
            mark: judgement.map(Judgement::mark),
            plies_lost: judgement.and_then(Judgement::plies_lost),
            occurrence: played.occurrences(),
            position: game.sfen(played.position()),
        });
    }
    GameAnswer {
        game: name,
        start: game.sfen(&record.positions()[0]),
        moves,
        end: Ending::new(record),
    }
}

fn report(
    name: String,
    read: &ReadRecord<'_>,
    judgements: Option<&[Judgement]>,
    notation: MoveNotation,
) -> String {
    let record = &read.record;
    let start = record.game().sfen(&record.positions()[0]);
    let moves = match judgements {
        Some(judgements) => judged_moves(record, judgements, notation),
        None => {
            let names = record.moves().iter().zip(record.positions());
            let rows = (1..).zip(names).map(|(ply, (&mv, before))| {
                let name = notation.write(record.game(), before, mv);
                [format!("{ply:>3}"), name]
            });
            columns(rows)
        }
    };
    format!("{name}, {start}\n\n{moves}\n{}\n", Ending::new(record))
}

fn judged_moves(record: &Record<'_>, judgements: &[Judgement], notation: MoveNotation) -> String {
    let heading = ["ply", "move", "", "before", "the move", "better"].map(str::to_owned);
    let positions = record.positions().iter();
    let rows = (1..)
        .zip(positions.zip(judgements))
        .map(|(ply, (position, judgement))| {
            let name = |after: &HasamiMove| notation.write(record.game(), position, after.mv);
            let worth = |after: &HasamiMove| describe(before(after.probe));
            let better = if judgement.best.probe == judgement.played.probe {
                String::new()
            } else {
                let best = &judgement.best;
                format!("{}  {}", name(best), worth(best))
            };
            [
                format!("{ply:>3}"),
                name(&judgement.played),
                judgement.mark().to_owned(),
                describe(judgement.before),
                worth(&judgement.played),
                better,
            ]
        });
    columns([heading].into_iter().chain(rows))
}
