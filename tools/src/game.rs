//! `koma game`: checks a game record and judges every move.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use encoding_rs::SHIFT_JIS;
use koma_games::{Color, ReadRecord, Record, RecordError, RecordProblem};
use koma_tables::{Probe, Prober, check_material};
use memmap2::Mmap;
use serde::Serialize;

use crate::answer::{sfen_after, signed};
use crate::ending::{self, Ending};
use crate::exit::{Exit, Usage};
use crate::grid::columns;
use crate::judgement::Judgement;
use crate::move_notation::{MoveNames, MoveNotation};
use crate::opening::Opening;
use crate::played::Played;
use crate::question::set_of;
use crate::wording::{before, describe};
use crate::{cli, output};

const HELP: &str = "\
A record is text in UTF-8 or Shift_JIS: moves, separated by blanks or line ends, in any of the move
notations (C4C3 or C4-C3, ▲C3きりん, +C4C3KI, 1d1c), with numbers before them or without. A first line may be
the start position, as for `koma query`. USI's `position startpos moves ..` is read as well. After
the moves, 投了, resign or %TORYO give up; 千日手 or %SENNICHITE say that the game ended by
repetition; 中断 or %CHUDAN, that it was broken off.

Comments are what follows `#`, lines that begin with `*` or `'`, words in parentheses that stand
apart, `!` and `?` behind a move, and the headings of KIF files: before the first move lines with a
full-width colon, and lines that begin with 手数 or まで. Nothing else is skipped: the first word
that is unreadable or illegal, or follows the end of the game, is named with line, column, ply and
reason, and the exit code is 2.

Values are for the side that moves: before the move, and of the move. A move is marked with `?` if
it throws half a point away (a win becomes a draw, or a draw a loss) and with `??` if it throws a
whole one (a win becomes a loss). A value knows nothing of earlier moves, but a move by which a
position stands as often as the game allows (three times in dobutsu, four in others) ends the game
and is worth what the law for endless play says. A law that names sente means the player who moves up
the board, also where gote began; by --law-sente first it means who began. Of a game too large for a table moves are checked
and not judged.

JSON, one object on one line:
  {\"game\", \"start\", \"moves\": [
    {\"ply\", \"line\", \"side\", \"move\", \"move_usi\", \"move_ja\", \"move_tanaka\", \"before\", \"after\",
     \"best\", \"mark\", \"plies_lost\", \"occurrence\", \"position\"}, ..],
   \"end\": {\"reason\", \"winner\", \"ply\", \"occurrences\", \"text\"}}
  start       the start position
  before      {\"category\", \"dtm\"} of the position before the move, for the side that moves
  after       {\"category\", \"dtm\"} after the move, for the side to move then
  best        {\"move\", \"category\", \"dtm\"}: a best move, the one played if none is better, and
              what it leads to, for the side to move then
  mark        \"\", \"?\" or \"??\"
  plies_lost  by how many plies a win became longer or a loss shorter; null where points were
              thrown away or distances are not known
              (before, after, best and mark are null where there can be no table)
  occurrence  1 if the position after the move stands for the first time, and so on
  position    the position after the move; null if the move takes the lion
  reason      royal_taken, try, checkmate, no_move, repetition, resignation or unfinished
  winner      sente or gote; null for a draw and an unfinished game
  occurrences the plies after which the last position stood; 0 is the start
A record that is wrong gives {\"error\", \"line\", \"column\", \"ply\"} instead.

Examples:
  koma game dobutsu record.kif
  koma game dobutsu record.txt --json
  koma game minishogi record.txt --notation usi
  koma game minishogi handicap.txt --law-sente first
  echo position startpos moves 1d1c 3a3b | koma game dobutsu - --notation japanese";

/// Check a game record and judge every move
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    played: Played,

    /// The file of the record; `-` for stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How moves are written
    #[arg(long, value_name = "NOTATION", value_enum, default_value_t = MoveNotation::Squares)]
    notation: MoveNotation,

    /// Who the law of endless play means by sente
    #[arg(long, value_name = "WHO", value_enum, default_value_t = LawSente::Upward)]
    law_sente: LawSente,

    /// Answer in JSON
    #[arg(long, conflicts_with = "notation")]
    json: bool,

    #[command(flatten)]
    opening: Opening,
}

/// Who the law of endless play means by sente.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LawSente {
    /// The player who moves up the board, whoever began.
    Upward,
    /// The player who made the first move of the record.
    First,
}

impl LawSente {
    /// Whether the law sees a game with the colors exchanged.
    fn exchanges(self, record: &Record<'_>) -> bool {
        self == LawSente::First && record.positions()[0].side() == Color::Gote
    }
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
    #[serde(flatten)]
    names: MoveNames,
    before: Option<Worth>,
    after: Option<Worth>,
    best: Option<Best>,
    mark: Option<&'static str>,
    plies_lost: Option<u32>,
    occurrence: usize,
    position: Option<String>,
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

/// What stands in place of an answer.
#[derive(Serialize)]
struct Failure {
    error: String,
    line: usize,
    column: usize,
    ply: usize,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let played = arguments.played;
    let name = if arguments.file == Path::new("-") {
        "stdin".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let text = read_text(&arguments.file).with_context(|| name.clone())?;
    // The universe is about to become the prober's.
    let game = played.game().clone();
    let read = match game.read_record(played.start(), &text) {
        Ok(read) => read,
        Err(error) if arguments.json => {
            output::json(&Failure {
                error: explain(&game, &error),
                line: error.line,
                column: error.column,
                ply: error.ply,
            })?;
            return Ok(Exit::Input);
        }
        Err(error) => return Err(Usage(explain(&game, &error))).context(name),
    };
    let name = played.to_string();
    let exchanges = arguments.law_sente.exchanges(&read.record);
    let judge = |prober: &Prober<Mmap>| match exchanges {
        true => Judgement::of_exchanged(prober, &read.record),
        false => Judgement::of_game(prober, &read.record),
    };
    let ending = match exchanges {
        true => Ending::exchanged(&read.record),
        false => Ending::new(&read.record),
    };
    let judgements = match played {
        Played::Universe(universe) => {
            check_material(&universe, &read.record.positions()[0])?;
            let prober = arguments.opening.prober(*universe)?;
            Some(judge(&prober)?)
        }
        // Few pieces may be a set that is numbered.
        Played::Game(game) => match set_of(&game, &read.record.positions()[0]) {
            Ok(universe) if arguments.opening.can_have(&universe)? => {
                let prober = arguments.opening.prober(universe)?;
                Some(judge(&prober)?)
            }
            Ok(universe) => {
                output::note(format_args!(
                    "koma: there is no table of {universe}, and the moves are not judged; `koma \
                     solve {universe}` makes it"
                ));
                None
            }
            Err(_) => {
                output::note(format_args!(
                    "koma: there can be no table of {game}; the moves are not judged"
                ));
                None
            }
        },
    };
    if arguments.json {
        output::json(&answer(name, &read, judgements.as_deref(), ending))?;
    } else {
        let text = match judgements {
            Some(judgements) => judged_moves(&read, &judgements, arguments.notation)?,
            None => plain_moves(&read, arguments.notation),
        };
        let start = game.sfen(&read.record.positions()[0]);
        output::text(&format!("{name}, {start}\n\n{text}{ending}\n"))?;
    }
    Ok(Exit::Done)
}

/// The text of a record, whatever its file is called.
fn read_text(file: &Path) -> anyhow::Result<String> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        stdin().read_to_end(&mut bytes)?;
        bytes
    } else {
        fs::read(file)?
    };
    // Some editors put a mark before UTF-8.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        return Ok(text.to_owned());
    }
    SHIFT_JIS
        .decode_without_bom_handling_and_without_replacement(bytes)
        .map(String::from)
        .ok_or_else(|| Usage("the text is neither UTF-8 nor Shift_JIS".to_owned()).into())
}

/// The error, and how the game ended before it if it did.
fn explain(game: &koma_games::Game, error: &RecordError) -> String {
    match &error.problem {
        RecordProblem::GameOver(outcome) => {
            format!("{error} ({})", ending::describe(game, outcome))
        }
        _ => error.to_string(),
    }
}

/// Every move with its judgement.
fn judged_moves(
    read: &ReadRecord<'_>,
    judgements: &[Judgement],
    notation: MoveNotation,
) -> anyhow::Result<String> {
    let game = read.record.game();
    let head = ["ply", "move", "", "before", "the move", "better", ""].map(str::to_owned);
    let mut rows = vec![head];
    for (ply, judged) in (1..).zip(judgements) {
        let position = &read.record.positions()[ply - 1];
        let write = |mv| notation.write(game, position, mv);
        let mut worth = describe(before(judged.played.probe));
        if let Some(lost @ 1..) = judged.plies_lost() {
            let plies = if lost == 1 { "ply" } else { "plies" };
            write!(worth, ", {lost} {plies} lost")?;
        }
        let better = if judged.best == judged.played {
            String::new()
        } else {
            let worth = describe(before(judged.best.probe));
            format!("{}  {worth}", write(judged.best.mv))
        };
        rows.push([
            format!("{ply:>3}"),
            write(judged.played.mv),
            judged.mark().to_owned(),
            describe(judged.before),
            worth,
            better,
            times(read, ply),
        ]);
    }
    Ok(table(rows))
}

/// Every move.
fn plain_moves(read: &ReadRecord<'_>, notation: MoveNotation) -> String {
    let record = &read.record;
    let mut rows = vec![["ply", "move", ""].map(str::to_owned)];
    for (ply, &mv) in (1..).zip(record.moves()) {
        let written = notation.write(record.game(), &record.positions()[ply - 1], mv);
        rows.push([format!("{ply:>3}"), written, times(read, ply)]);
    }
    table(rows)
}

/// A table of moves and a blank line; nothing if it has no rows below its head.
fn table<const N: usize>(rows: Vec<[String; N]>) -> String {
    if rows.len() == 1 {
        return String::new();
    }
    format!("{}\n", columns(rows))
}

/// `second time` where the position after a ply has stood before.
fn times(read: &ReadRecord<'_>, ply: usize) -> String {
    match occurrence(read, ply) {
        1 => String::new(),
        count => format!("{} time", ending::times(count)),
    }
}

fn answer(
    name: String,
    read: &ReadRecord<'_>,
    judgements: Option<&[Judgement]>,
    end: Ending,
) -> GameAnswer {
    let record = &read.record;
    let (game, positions) = (record.game(), record.positions());
    let moves = (1..).zip(record.moves()).map(|(ply, &mv)| {
        let position = &positions[ply - 1];
        let judged = judgements.map(|judgements| &judgements[ply - 1]);
        JudgedMove {
            ply,
            line: read.lines[ply - 1],
            side: ending::name(position.side()),
            names: MoveNames::new(game, position, mv),
            before: judged.map(|judged| judged.before.into()),
            after: judged.map(|judged| judged.played.probe.into()),
            best: judged.map(|judged| Best {
                squares: game.squares(judged.best.mv),
                after: judged.best.probe.into(),
            }),
            mark: judged.map(Judgement::mark),
            plies_lost: judged.and_then(Judgement::plies_lost),
            occurrence: occurrence(read, ply),
            position: sfen_after(game, &positions[ply]),
        }
    });
    GameAnswer {
        game: name,
        start: game.sfen(&positions[0]),
        moves: moves.collect(),
        end,
    }
}

/// For which time the position after a ply stands.
fn occurrence(read: &ReadRecord<'_>, ply: usize) -> usize {
    let plies = read.record.occurrences(&read.record.positions()[ply]);
    plies.partition_point(|&earlier| earlier <= ply)
}

impl From<Probe> for Worth {
    fn from(probe: Probe) -> Worth {
        Worth {
            category: probe.category.name(),
            dtm: signed(probe),
        }
    }
}
