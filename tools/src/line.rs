//! `koma line`: perfect play to the end of the game.

use std::fmt::Write as _;

use anyhow::bail;
use clap::Args;
use koma_games::{Position, RankedUniverse, Record};
use koma_tables::{Probe, ProbedMove, Prober};
use memmap2::Mmap;
use serde::Serialize;

use crate::answer::{sfen_after, signed};
use crate::ending::Ending;
use crate::endless::Endless;
use crate::exit::Exit;
use crate::grid::columns;
use crate::move_notation::{MoveNames, MoveNotation};
use crate::opening::Opening;
use crate::question::Question;
use crate::wording::describe;
use crate::{cli, diagram, output};

const HELP: &str = "\
Both sides play a best move each ply: the shortest win, or else a move that keeps the draw, or else
the longest loss; among equals the first in the order of moves: steps by from-square and to-square,
squares counted along the ranks from the top left, then drops by piece (elephant, giraffe, chick)
and square.

From a drawn position both keep the draw by such moves until a position stands as often as
the game allows, in dobutsu for the third time. Where endless play is won under a law, the winner plays moves
that keep the win, and of these one that makes most progress: towards a move that gives no check where
perpetual check loses, or away from the checks that would lose (see ARCHITECTURE.md). How that is made is
looked for first, among all positions that neither side can force.

JSON, one object on one line:
  {\"game\", \"position\", \"category\", \"dtm\", \"moves\": [
    {\"ply\", \"move\", \"move_usi\", \"move_ja\", \"move_tanaka\", \"best_moves\", \"category\", \"dtm\",
     \"position\"}, ..], \"end\": {\"reason\", \"winner\", \"ply\", \"occurrences\", \"text\"}}
  category    win, loss or draw, for the side to move; in moves, for the side to move after the move
  dtm         plies to the end, negative for a loss; null for a draw and for endless play
  best_moves  all moves as good as this one, and this one first, as squares
  position    in moves, the position after the move; null if the move takes the lion
  reason      royal_taken, try, checkmate, no_move or repetition
  winner      sente or gote; null for a draw
  occurrences the plies after which the last position stood; 0 is the start

Examples:
  koma line dobutsu
  koma line dobutsu --notation japanese --all-best
  koma line dobutsu l2/3/1L1/3 b 2E2G2C 1 --boards
  koma line dobutsu --json";

/// Show perfect play to the end of the game
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    question: Question,

    /// The position, as for `koma query` [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Show at each ply how many moves are equally good, and which
    #[arg(long)]
    all_best: bool,

    /// How moves are written
    #[arg(long, value_name = "NOTATION", value_enum, default_value_t = MoveNotation::Squares)]
    notation: MoveNotation,

    /// Show the board after every move
    #[arg(long)]
    boards: bool,

    /// Answer in JSON
    #[arg(long, conflicts_with_all = ["all_best", "notation", "boards"])]
    json: bool,

    #[command(flatten)]
    opening: Opening,
}

/// Perfect play from a position to the end.
pub(crate) struct Line<'g> {
    /// The value of the position.
    value: Probe,
    record: Record<'g>,
    /// The best moves of each ply, the one that was played first.
    best: Vec<Vec<ProbedMove>>,
}

#[derive(Serialize)]
struct LineAnswer {
    game: String,
    position: String,
    category: &'static str,
    dtm: Option<i64>,
    moves: Vec<LineMove>,
    end: Ending,
}

#[derive(Serialize)]
struct LineMove {
    ply: usize,
    #[serde(flatten)]
    names: MoveNames,
    best_moves: Vec<String>,
    category: &'static str,
    dtm: Option<i64>,
    position: Option<String>,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let (asked, position) = arguments.question.about(&arguments.position)?;
    let prober = arguments.opening.prober(asked)?;
    let endless = Endless::new(&prober, arguments.opening.settings());
    let line = Line::new(&prober, &endless, position)?;
    if arguments.json {
        output::json(&line.answer(prober.universe()))?;
        return Ok(Exit::Done);
    }
    let mut text = format!(
        "{}, {}\n\n{}\n\n",
        prober.universe(),
        prober.game().sfen(&position),
        describe(line.value)
    );
    if arguments.boards {
        text.push_str(&line.boards(arguments.notation, arguments.all_best)?);
    } else {
        text.push_str(&columns(line.rows(arguments.notation, arguments.all_best)));
    }
    writeln!(text, "\n{}", Ending::new(&line.record))?;
    output::text(&text)?;
    Ok(Exit::Done)
}

impl<'g> Line<'g> {
    /// Plays best moves from a position until the game is over.
    pub(crate) fn new(
        prober: &'g Prober<Mmap>,
        endless: &Endless<'g>,
        position: Position,
    ) -> anyhow::Result<Line<'g>> {
        let value = prober.probe(&position)?;
        if value.value().is_none() {
            let universe = prober.universe();
            bail!(
                "the table of {universe} knows no distances, and so no way to the end; \
                 `koma solve {universe}` makes one that does"
            );
        }
        let mut line = Line {
            value,
            record: Record::new(prober.game(), position),
            best: Vec::new(),
        };
        while line.record.outcome().is_none() {
            let mut moves = endless.moves(line.record.position())?;
            let best = moves[0];
            moves.retain(|after| after.probe == best.probe);
            line.record.play(best.mv)?;
            line.best.push(moves);
        }
        Ok(line)
    }

    /// The game that was played.
    pub(crate) fn record(&self) -> &Record<'g> {
        &self.record
    }

    /// Ply and move of each row, and how many moves are equally good.
    fn rows(&self, notation: MoveNotation, all_best: bool) -> impl Iterator<Item = [String; 3]> {
        let before = self.record.positions().iter();
        (1..)
            .zip(before.zip(&self.best))
            .map(move |(ply, (before, best))| {
                let names: Vec<String> = best
                    .iter()
                    .map(|after| notation.write(self.record.game(), before, after.mv))
                    .collect();
                let (first, others) = (&names[0], &names[1..]);
                let equals = match others {
                    _ if !all_best => String::new(),
                    [] => "the only best move".to_owned(),
                    _ => format!("1 of {}, also {}", names.len(), others.join(" ")),
                };
                [format!("{ply:>3}"), first.clone(), equals]
            })
    }

    /// The rows with the board before the first and after each.
    fn boards(&self, notation: MoveNotation, all_best: bool) -> anyhow::Result<String> {
        let game = self.record.game();
        let positions = self.record.positions();
        let mut text = diagram::draw(game, &positions[0]);
        for (row, after) in self.rows(notation, all_best).zip(&positions[1..]) {
            let row = row.join("  ");
            write!(
                text,
                "\n{}\n\n{}",
                row.trim_end(),
                diagram::draw(game, after)
            )?;
        }
        Ok(text)
    }

    fn answer(&self, universe: &RankedUniverse) -> LineAnswer {
        let game = self.record.game();
        let before = self.record.positions().iter();
        let moves = (1..)
            .zip(before.zip(&self.best))
            .map(|(ply, (before, best))| LineMove {
                ply,
                names: MoveNames::new(game, before, best[0].mv),
                best_moves: best.iter().map(|after| game.squares(after.mv)).collect(),
                category: best[0].probe.category.name(),
                dtm: signed(best[0].probe),
                position: sfen_after(game, &best[0].position),
            });
        LineAnswer {
            game: universe.to_string(),
            position: game.sfen(&self.record.positions()[0]),
            category: self.value.category.name(),
            dtm: signed(self.value),
            moves: moves.collect(),
            end: Ending::new(&self.record),
        }
    }
}
