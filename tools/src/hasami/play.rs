//! `koma play` for hasami: a game in the terminal, against the table or between two people.

use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, stdin, stdout};

use anyhow::Context;
use clap::{Args, ValueEnum};
use fastrand::Rng;
use koma_games::hasami::{Move, Record};
use koma_tables::{HasamiMove, HasamiProber};
use memmap2::Mmap;

use super::diagram;
use super::ending::{self, Ending};
use super::move_notation::MoveNotation;
use super::opening::{Opening, read_position, universe};
use crate::exit::Exit;
use crate::grid::columns;
use crate::strength::Strength;
use crate::wording::{before, describe};
use crate::{cli, interrupt, output};

const HELP: &str = "\
Moves are typed in any notation: a9a5, 9i9e, ▲９五歩. The other commands are board, moves, hint,
values, undo, record, resign, new, quit and help. The end of the input ends the session, so commands
can be piped in. Strengths are those of `koma play dobutsu --help`.

Examples:
  koma play hasami@4x4
  koma play hasami@4x4:limit=60,limit-rule=captures --level 3
  koma play hasami@3x4 --sente table --gote table --seed 7";

const COMMANDS: &str = "\
Type a move in any notation (a9a5, 9i9e, ▲９五歩), or
  board   show the board
  moves   list the legal moves
  hint    show a best move
  values  show the value of every move at each turn, or no longer
  undo    take back your last move and what followed
  record  show the game so far, as `koma game` reads it
  resign  give up
  new     begin again
  quit    end the session
  help    show this
";

/// Play against the table, or let it play
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`
    #[arg(value_name = "GAME")]
    game: String,

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
    prober: &'p HasamiProber<Mmap>,
    record: Record<'p>,
    players: [Player; 2],
    strength: Strength,
    random: Rng,
    values: bool,
    notation: MoveNotation,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let universe = universe(&arguments.game)?;
    let position = read_position(&universe, &arguments.position)?;
    let prober = arguments.opening.prober(universe)?;
    prober.probe(&position)?;
    interrupt::end_at_once()?;
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u32(..).into());
    let mut session = Session {
        prober: &prober,
        record: Record::new(prober.game(), position),
        players: [arguments.sente, arguments.gote],
        strength: arguments.level,
        random: Rng::with_seed(seed),
        values: arguments.values,
        notation: arguments.notation,
    };
    output::text(&format!("{}, seed {seed}\n", prober.game()))?;
    session.show()?;
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
            let moves = self.prober.moves_in(&self.record)?;
            let probe = |after: &HasamiMove| after.probe;
            let chosen = self.strength.choose(&moves, probe, &mut self.random);
            let chosen = chosen.context("a game that is not over has no move")?;
            self.play(chosen.mv)?;
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
        let over = self.record.outcome().is_some();
        match command {
            "" => {}
            "board" => self.show()?,
            "moves" => {
                let game = self.record.game();
                let mut names = Vec::new();
                if !over {
                    let position = self.record.position();
                    game.for_each_legal_move(position, |mv| names.push(self.name(mv)));
                }
                output::text(&format!("{}\n", names.join(" ")))?;
            }
            "hint" => {
                let hint = match self.prober.moves_in(&self.record)?.first() {
                    None => "the game is over".to_owned(),
                    Some(best) => {
                        let worth = describe(before(best.probe));
                        format!("{}: {worth}", self.name(best.mv))
                    }
                };
                output::text(&format!("{hint}\n"))?;
            }
            "values" => {
                self.values = !self.values;
                self.show_values()?;
            }
            "undo" => self.undo()?,
            "record" => output::text(&self.written())?,
            "resign" if over => output::text("the game is over\n")?,
            "resign" => {
                self.record.resign();
                self.announce()?;
            }
            "new" => {
                self.record = Record::new(self.record.game(), self.record.positions()[0]);
                self.show()?;
            }
            "quit" | "exit" => return Ok(false),
            "help" | "?" => output::text(COMMANDS)?,
            text if over => {
                output::text(&format!("{text}: the game is over; `new` begins again\n"))?;
            }
            text => match self.record.game().parse_move(self.record.position(), text) {
                Ok(mv) => self.play(mv)?,
                Err(error) => {
                    let hint = "`moves` lists the legal moves, `help` the commands";
                    output::text(&format!("{text}: {error}; {hint}\n"))?;
                }
            },
        }
        Ok(true)
    }

    /// A move of the position at hand.
    fn name(&self, mv: Move) -> String {
        let (game, position) = (self.record.game(), self.record.position());
        self.notation.write(game, position, mv)
    }

    fn player(&self) -> Player {
        self.players[self.record.position().side().index()]
    }

    /// Plays a legal move and shows what it led to.
    fn play(&mut self, mv: Move) -> anyhow::Result<()> {
        let (name, position) = (self.name(mv), *self.record.position());
        self.record.play(mv);
        output::text(&format!(
            "{:>3}  {}: {}\n",
            self.record.moves().len(),
            ending::name(position.side()),
            name
        ))?;
        self.announce()
    }

    /// Tells of the end and of a repetition, or shows the board to whom it matters.
    fn announce(&self) -> anyhow::Result<()> {
        if self.record.outcome().is_none() {
            let times = self.record.occurrences();
            if times > 1 {
                output::text(&format!(
                    "This position has stood {times} times; the fourth time is a draw.\n"
                ))?;
            }
            if self.player() == Player::Table {
                return Ok(());
            }
        }
        self.show()
    }

    /// Shows the board, the values if they are wanted, and the end if there is one.
    fn show(&self) -> anyhow::Result<()> {
        let board = diagram::draw(self.record.game(), self.record.position());
        output::text(&format!("\n{board}\n"))?;
        match self.record.outcome() {
            Some(outcome) => output::text(&format!(
                "The game is over: {}\n",
                ending::describe(&outcome)
            )),
            None => self.show_values(),
        }
    }

    fn show_values(&self) -> anyhow::Result<()> {
        if !self.values {
            return Ok(());
        }
        let moves = self.prober.moves_in(&self.record)?;
        let rows = moves
            .iter()
            .map(|after| [self.name(after.mv), describe(before(after.probe))]);
        output::text(&format!("{}\n", columns(rows)))
    }

    /// Takes back the last move of a human and what followed.
    fn undo(&mut self) -> anyhow::Result<()> {
        let plies = self.record.moves().len();
        let turns = &self.record.positions()[..plies];
        let last = turns
            .iter()
            .rposition(|turn| self.players[turn.side().index()] == Player::Human);
        match last {
            None => output::text("there is no move to take back\n"),
            Some(last) => {
                self.record.take_back(plies - last);
                self.show()
            }
        }
    }

    /// The game so far as a record.
    fn written(&self) -> String {
        let game = self.record.game();
        let positions = self.record.positions();
        let mut text = String::new();
        if positions[0] != game.start() {
            text = format!("{}\n", game.sfen(&positions[0]));
        }
        for (ply, &mv) in (1..).zip(self.record.moves()) {
            let end = if ply % 2 == 0 { '\n' } else { ' ' };
            write!(text, "{ply} {}{end}", game.squares(mv)).expect("a string takes all");
        }
        format!("{}\n", text.trim_end())
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
}
