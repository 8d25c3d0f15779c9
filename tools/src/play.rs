//! `koma play`: a game in the terminal, against the table or between two people.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, stdin, stdout};

use anyhow::Context;
use clap::{Args, ValueEnum};
use fastrand::Rng;
use koma_games::{Move, Outcome, Position, Record};
use koma_tables::{Kind, ProbedMove, Prober};
use memmap2::Mmap;

use crate::ending::{self, Ending};
use crate::endless::Endless;
use crate::exit::Exit;
use crate::grid::columns;
use crate::move_notation::MoveNotation;
use crate::opening::Opening;
use crate::query::start;
use crate::question::Question;
use crate::strength::{self, Strength};
use crate::wording::{before, describe};
use crate::{cli, diagram, interrupt, output};

const HELP: &str = "\
Moves are typed in any notation: C4C3, ▲C3きりん, +C4C3KI, 1d1c. `help` lists the other commands:
undo, hint, values and so on. The end of the input ends the session, so commands can be piped in.

Strengths of the table's player, --level:";

const EXAMPLES: &str = "\
What ends a game is announced: the lion taken, a try, no move left, a resignation, a position that
stands as often as the game allows (in dobutsu the third time is a draw; the times before are
announced too). A player of the table knows what that is worth.

Examples:
  koma play dobutsu
  koma play dobutsu --sente table --gote human --level 3
  koma play dobutsu --sente table --gote table --level random --seed 7
  printf '%s\\n' C4C3 hint undo B3B2 | koma play dobutsu";

/// The commands besides moves, and what they do.
const COMMANDS: [(&str, &str); 10] = [
    ("board", "show the board"),
    ("moves", "list the legal moves"),
    ("hint", "show a best move"),
    (
        "values",
        "show the value of every move at each of your turns, or no longer",
    ),
    ("undo", "take back your last move and what followed"),
    ("record", "show the game so far, as `koma game` reads it"),
    ("resign", "give up"),
    ("new", "begin again"),
    ("quit", "end the session"),
    ("help", "show this"),
];

/// Play against the table, or let it play
#[derive(Args)]
#[command(after_help = cli::help(&format!("{HELP}\n{}\n\n{EXAMPLES}", strength::HELP)))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    question: Question,

    /// The position to begin with, as for `koma query` [default: the start position]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,

    /// Who plays sente
    #[arg(long, value_name = "PLAYER", value_enum, default_value_t = Player::Human)]
    sente: Player,

    /// Who plays gote
    #[arg(long, value_name = "PLAYER", value_enum, default_value_t = Player::Table)]
    gote: Player,

    /// How strong the table plays: `random`, a number of plies, or `perfect`
    #[arg(long, value_name = "STRENGTH", default_value = "perfect")]
    level: Strength,

    /// A number that makes the table's choices the same in every run [default: another each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Show the value of every move at each turn
    #[arg(long)]
    values: bool,

    /// How moves are written
    #[arg(long, value_name = "NOTATION", value_enum, default_value_t = MoveNotation::Squares)]
    notation: MoveNotation,

    #[command(flatten)]
    opening: Opening,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Player {
    /// Whoever types.
    Human,
    /// The table, as strong as --level says.
    Table,
}

/// A game that is being played.
struct Session<'p> {
    prober: &'p Prober<Mmap>,
    endless: Endless<'p>,
    record: Record<'p>,
    /// Sente and gote.
    players: [Player; 2],
    strength: Strength,
    random: Rng,
    values: bool,
    notation: MoveNotation,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let (asked, position) = arguments.question.about(&arguments.position)?;
    let prober = arguments.opening.prober(asked)?;
    interrupt::end_at_once()?;
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u32(..).into());
    let mut session = Session {
        prober: &prober,
        endless: Endless::new(&prober, arguments.opening.settings()),
        record: Record::new(prober.game(), position),
        players: [arguments.sente, arguments.gote],
        strength: arguments.level,
        random: Rng::with_seed(seed),
        values: arguments.values,
        notation: arguments.notation,
    };
    output::text(&session.heading(seed)?)?;
    session.begin()?;
    while session.step()? {}
    if session.record.outcome().is_none() {
        output::text(&format!("{}\n", Ending::new(&session.record)))?;
    }
    Ok(Exit::Done)
}

impl Session<'_> {
    /// One move of the table or one command; whether the session goes on.
    fn step(&mut self) -> anyhow::Result<bool> {
        let over = self.record.outcome().is_some();
        if !over && self.player() == Player::Table {
            self.let_table_move()?;
            return Ok(true);
        }
        if !self.players.contains(&Player::Human) {
            return Ok(false);
        }
        match self.read_command()? {
            Some(command) => self.obey(command.trim()),
            None => Ok(false),
        }
    }

    /// Does what a line says; whether the session goes on.
    fn obey(&mut self, command: &str) -> anyhow::Result<bool> {
        match command {
            "" => {}
            "board" => self.show()?,
            "moves" => self.list_moves()?,
            "hint" => self.hint()?,
            "values" => {
                self.values = !self.values;
                self.show_values()?;
            }
            "undo" => self.undo()?,
            "record" => output::text(&self.written())?,
            "resign" => match self.record.resign() {
                Ok(()) => self.announce()?,
                Err(illegal) => output::text(&format!("{illegal}\n"))?,
            },
            "new" => {
                self.record = Record::new(self.record.game(), self.record.positions()[0]);
                self.begin()?;
            }
            "quit" | "exit" => return Ok(false),
            "help" | "?" => output::text(&help())?,
            text => match self.read_move(text) {
                Ok(mv) => self.play(mv)?,
                Err(problem) => {
                    let hint = "`moves` lists the legal moves, `help` the commands";
                    output::text(&format!("{text}: {problem}; {hint}\n"))?;
                }
            },
        }
        Ok(true)
    }

    /// Who is to move.
    fn player(&self) -> Player {
        self.players[self.record.position().side().index()]
    }

    fn read_move(&self, text: &str) -> Result<Move, String> {
        if let Some(outcome) = self.record.outcome() {
            let ending = ending::describe(self.record.game(), &outcome);
            return Err(format!("the game is over ({ending})"));
        }
        let game = self.record.game();
        game.parse_move(self.record.position(), text)
            .map_err(|error| error.to_string())
    }

    fn let_table_move(&mut self) -> anyhow::Result<()> {
        let moves = match self.strength {
            Strength::Perfect => self.endless.moves_in(&self.record)?,
            Strength::Plies(_) => self.prober.moves_in(&self.record)?,
        };
        let moves = match self.strength {
            Strength::Perfect => self.endless.best(self.record.position().side(), &moves)?,
            Strength::Plies(_) => &moves,
        };
        let probe = |after: &ProbedMove| after.probe;
        let chosen = self.strength.choose(moves, probe, &mut self.random);
        let chosen = chosen.context("a game that is not over has no move")?;
        self.play(chosen.mv)
    }

    /// Plays a legal move and shows what it led to.
    fn play(&mut self, mv: Move) -> anyhow::Result<()> {
        let position = *self.record.position();
        self.record.play(mv)?;
        output::text(&format!(
            "{:>3}  {}: {}\n",
            self.record.ply(),
            ending::name(position.side()),
            self.write(&position, mv)
        ))?;
        self.announce()
    }

    /// Shows the board before the first move, and tells if there is none.
    fn begin(&self) -> anyhow::Result<()> {
        self.show()?;
        self.tell_end()
    }

    /// Tells of the end and of a repetition, or shows the board to whom it matters.
    fn announce(&self) -> anyhow::Result<()> {
        let position = self.record.position();
        if let Some(outcome) = self.record.outcome() {
            // A royal that was taken is on no diagram, and who gives up has just seen it.
            let resigned = matches!(outcome, Outcome::Resignation { .. });
            if !resigned && position.royal(position.side()).is_some() {
                self.show()?;
            }
            return self.tell_end();
        }
        let plies = self.record.occurrences(position);
        if plies.len() > 1 {
            output::text(&format!(
                "This position stands for the {} time, {}; the {} time ends the game.\n",
                ending::times(plies.len()),
                ending::after(plies),
                ending::times(self.record.game().occurrences()),
            ))?;
        }
        if self.player() == Player::Human {
            self.show()?;
        }
        Ok(())
    }

    /// Tells how the game ended, if it did.
    fn tell_end(&self) -> anyhow::Result<()> {
        match self.record.outcome() {
            Some(outcome) => {
                let ending = ending::describe(self.record.game(), &outcome);
                output::text(&format!("The game is over: {ending}\n"))
            }
            None => Ok(()),
        }
    }

    /// Shows the board and, if they are wanted, the values.
    fn show(&self) -> anyhow::Result<()> {
        let position = self.record.position();
        output::text(&format!(
            "\n{}\n",
            diagram::draw(self.record.game(), position)
        ))?;
        self.show_values()
    }

    /// Shows the value of every move, if they are wanted.
    fn show_values(&self) -> anyhow::Result<()> {
        if !self.values || self.record.outcome().is_some() {
            return Ok(());
        }
        let position = self.record.position();
        let moves = self.prober.moves_in(&self.record)?;
        let rows = moves.iter().map(|after| {
            [
                self.write(position, after.mv),
                describe(before(after.probe)),
            ]
        });
        output::text(&format!("{}\n", columns(rows)))
    }

    fn list_moves(&self) -> anyhow::Result<()> {
        let position = self.record.position();
        let mut names = Vec::new();
        if self.record.outcome().is_none() {
            let game = self.record.game();
            game.for_each_legal_move(position, |mv| names.push(self.write(position, mv)));
        }
        output::text(&format!("{}\n", names.join(" ")))
    }

    fn hint(&self) -> anyhow::Result<()> {
        let hint = match self.endless.moves_in(&self.record)?.first() {
            None => "the game is over".to_owned(),
            Some(best) => format!(
                "{}: {}",
                self.write(self.record.position(), best.mv),
                describe(before(best.probe))
            ),
        };
        output::text(&format!("{hint}\n"))
    }

    /// Takes back a resignation, or the last move of a human and what followed.
    fn undo(&mut self) -> anyhow::Result<()> {
        if matches!(self.record.outcome(), Some(Outcome::Resignation { .. })) {
            self.record.undo();
            return self.show();
        }
        let turns = &self.record.positions()[..self.record.ply()];
        let last = turns
            .iter()
            .rposition(|turn| self.players[turn.side().index()] == Player::Human);
        let Some(last) = last else {
            return output::text("there is no move to take back\n");
        };
        while self.record.ply() > last {
            self.record.undo();
        }
        self.show()
    }

    /// The game so far as a record.
    fn written(&self) -> String {
        let game = self.record.game();
        let positions = self.record.positions();
        let mut text = String::new();
        if start(self.prober.universe()) != Some(positions[0]) {
            text = format!("{}\n", game.sfen(&positions[0]));
        }
        let moves = self.record.moves().iter().zip(positions);
        for (ply, (&mv, position)) in (1..).zip(moves) {
            let end = if ply % 2 == 0 { '\n' } else { ' ' };
            write!(text, "{ply} {}{end}", self.write(position, mv)).expect("a string takes all");
        }
        if matches!(self.record.outcome(), Some(Outcome::Resignation { .. })) {
            text.push_str("resign");
        }
        format!("{}\n", text.trim_end())
    }

    fn write(&self, position: &Position, mv: Move) -> String {
        self.notation.write(self.record.game(), position, mv)
    }

    /// The next line that is typed; `None` at the end of the input.
    fn read_command(&self) -> anyhow::Result<Option<String>> {
        if stdin().is_terminal() && stdout().is_terminal() {
            let side = ending::name(self.record.position().side());
            output::text(&format!("{side}> "))?;
        }
        let mut line = Vec::new();
        let read = stdin()
            .lock()
            .read_until(b'\n', &mut line)
            .context("stdin")?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }

    /// Who plays what.
    fn heading(&self, seed: u64) -> anyhow::Result<String> {
        let name = |player| match player {
            Player::Human => "human",
            Player::Table => "table",
        };
        let [sente, gote] = self.players.map(name);
        let mut text = format!("{}: sente {sente}, gote {gote}\n", self.prober.universe());
        if self.players.contains(&Player::Table) {
            writeln!(text, "strength: {}, seed {seed}", self.strength)?;
            if self.prober.table().header().kind() == Kind::Wdl {
                text.push_str("The table knows no distances: it may not bring a win to its end.\n");
            }
        }
        if self.players.contains(&Player::Human) {
            text.push_str("`help` lists the commands\n");
        }
        Ok(text)
    }
}

fn help() -> String {
    let mut text = "Type a move in any notation (C4C3, ▲C3きりん, +C4C3KI, 1d1c), or\n".to_owned();
    for (name, meaning) in COMMANDS {
        writeln!(text, "  {name:7} {meaning}").expect("a string takes all");
    }
    text
}
