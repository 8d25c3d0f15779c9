//! `koma line` for hasami: perfect play to the end of the game.

use std::fmt::Write as _;

use anyhow::bail;
use clap::Args;
use koma_games::hasami::{Position, Record};
use koma_tables::{HasamiMove, HasamiProber, Probe};
use memmap2::Mmap;
use serde::Serialize;

use super::diagram;
use super::ending::Ending;
use super::move_notation::MoveNotation;
use super::opening::{Opening, read_position, universe};
use crate::answer::signed;
use crate::exit::Exit;
use crate::grid::columns;
use crate::wording::describe;
use crate::{cli, output};

const HELP: &str = "\
Both sides play a best move each ply: the shortest win, or else a move that keeps the draw, or else
the longest loss; among equals the first in the order of moves. From a drawn position both keep the
draw by such moves until a position stands for the fourth time.

JSON, one object on one line:
  {\"game\", \"position\", \"category\", \"dtm\", \"moves\": [
    {\"ply\", \"move\", \"move_usi\", \"move_ja\", \"best_moves\", \"category\", \"dtm\", \"position\"}, ..],
   \"end\": {\"reason\", \"winner\", \"ply\", \"occurrences\", \"text\"}}
  best_moves  all moves as good as this one, and this one first, as squares
  reason      captures, lead, no_move, repetition or limit

Examples:
  koma line hasami@3x4
  koma line hasami@3x4 --notation japanese --all-best
  koma line hasami@3x4 --boards
  koma line hasami@4x4 4/4/pPP1/P3 b --json";

/// Show perfect play to the end of the game
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    game: String,

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
pub(super) struct Line<'g> {
    value: Probe,
    record: Record<'g>,
    /// The best moves of each ply, the one that was played first.
    best: Vec<Vec<HasamiMove>>,
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
    #[serde(rename = "move")]
    squares: String,
    #[serde(rename = "move_usi")]
    usi: String,
    #[serde(rename = "move_ja")]
    japanese: String,
    best_moves: Vec<String>,
    category: &'static str,
    dtm: Option<i64>,
    position: String,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let universe = universe(&arguments.game)?;
    let position = read_position(&universe, &arguments.position)?;
    let prober = arguments.opening.prober(universe)?;
    let line = Line::new(&prober, position)?;
    if arguments.json {
        output::json(&line.answer(prober.universe().to_string()))?;
        return Ok(Exit::Done);
    }
    let mut text = format!(
        "{}, {}\n\n{}\n\n",
        prober.universe(),
        prober.game().sfen(&position),
        describe(line.value)
    );
    let rows = line.rows(arguments.notation, arguments.all_best);
    if arguments.boards {
        text.push_str(&diagram::draw(prober.game(), &position));
        for (row, after) in rows.into_iter().zip(&line.record.positions()[1..]) {
            let row = row.join("  ");
            write!(
                text,
                "\n{}\n\n{}",
                row.trim_end(),
                diagram::draw(prober.game(), after)
            )?;
        }
    } else {
        text.push_str(&columns(rows));
    }
    writeln!(text, "\n{}", line.ending())?;
    output::text(&text)?;
    Ok(Exit::Done)
}

impl<'g> Line<'g> {
    /// Plays best moves from a position until the game is over.
    pub(super) fn new(
        prober: &'g HasamiProber<Mmap>,
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
            let mut moves = prober.moves(line.record.position())?;
            let best = moves[0];
            moves.retain(|after| after.probe == best.probe);
            line.record.play(best.mv);
            line.best.push(moves);
        }
        Ok(line)
    }

    /// How the game ended.
    pub(super) fn ending(&self) -> Ending {
        Ending::new(&self.record)
    }

    /// Ply and move of each row, and how many moves are equally good.
    pub(super) fn rows(&self, notation: MoveNotation, all_best: bool) -> Vec<[String; 3]> {
        let game = self.record.game();
        let before = self.record.positions().iter();
        (1..)
            .zip(before.zip(&self.best))
            .map(|(ply, (before, best))| {
                let names = best
                    .iter()
                    .map(|after| notation.write(game, before, after.mv));
                let names: Vec<String> = names.collect();
                let equals = match &names[1..] {
                    _ if !all_best => String::new(),
                    [] => "the only best move".to_owned(),
                    others => format!("1 of {}, also {}", names.len(), others.join(" ")),
                };
                [format!("{ply:>3}"), names[0].clone(), equals]
            })
            .collect()
    }

    fn answer(&self, name: String) -> LineAnswer {
        let game = self.record.game();
        let before = self.record.positions().iter();
        let moves = (1..)
            .zip(before.zip(&self.best))
            .map(|(ply, (before, best))| LineMove {
                ply,
                squares: game.squares(best[0].mv),
                usi: game.usi(best[0].mv),
                japanese: game.japanese(before, best[0].mv),
                best_moves: best.iter().map(|after| game.squares(after.mv)).collect(),
                category: best[0].probe.category.name(),
                dtm: signed(best[0].probe),
                position: game.sfen(&best[0].position),
            });
        LineAnswer {
            game: name,
            position: game.sfen(&self.record.positions()[0]),
            category: self.value.category.name(),
            dtm: signed(self.value),
            moves: moves.collect(),
            end: self.ending(),
        }
    }
}
