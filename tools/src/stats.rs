//! `koma stats`: what the positions of a game are like.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use koma_games::{Convention, Exploration, ExplorationError, RankedUniverse};
use koma_solver::{
    Branching, DeadDrops, Figures, LegalStatistics, Statistics, StatisticsError, explore,
    placements,
};
use serde::Serialize;

use crate::asked::Asked;
use crate::exit::{Exit, Usage};
use crate::figures::FiguresJson;
use crate::histogram::Histogram;
use crate::legal_stats::LegalReport;
use crate::opening::Opening;
use crate::reporter::Reporter;
use crate::wording::{count, describe};
use crate::{cli, info, interrupt, output};

const HELP: &str = "\
All positions are those of the game's table, whether or not play leads there. The reached ones
are those that play leads to from the start position, by the convention of Tanaka's analysis
(2009); by that of the rules, or from other roots, if GAME is the name of an exploration. A
position and what the game's symmetries make of it (the colours exchanged, the mirror) are one.

  placements  all ways to put the pieces, by pieces in hand: the lions on any two squares, the side
              to move given, mirror images apart
  open        positions in which the game goes on: the mover can't take the lion and has not lost
              by a try; by the convention `rules`, can't try safely either
  moves       those of open positions, good or bad; equal pieces in hand give one drop a square
  mutual zugzwang
              the mover loses, and with the turn passed on the same board the other side would
              lose too; the position and its image, that after the pass, are two positions unless
              they are the same
  last-rank chick drops
              `needed`: won or drawn positions in which only they keep the value; `changed`:
              positions that are won, drawn or lost otherwise where they are forbidden in the
              whole game
  tsume       positions from which threats alone win: every move of the attacker leaves a threat
              to take the lion or to try safely, but for the last, which does it. By plies to the
              end of the game, against the longest defence (counted to the mate, as in problems,
              two less). What wins at once is not counted

Where captured pieces leave the game, they are counted in place of those in hand.

Of minishogi and gorogoro, where check must be met, there is no lion to be taken, no try, no tsume and
no start position in a set of pieces. Instead `unfolded` counts a position and its mirror image apart,
unless they are the same, and besides there are
  open        (without --json) positions whose end neither side can force; zugzwang is by force, too
  in check, checkmated, stalemated
              positions by what stands before the mover; who has no move has lost
  moves       of positions with a move
  pawn drops  those that would be moves if they did not mate

JSON, one object on one line:
  {\"game\", \"convention\", \"placements\", \"all\", \"reached\"}
  placements    [[in_hand, number], ..]
  all, reached  `reached` is null where there is no start position; else each is
    {\"positions\", \"win\", \"loss\", \"draw\", \"max_plies\", \"by_plies\", \"in_hand\", \"open\",
     \"lion_can_be_taken\", \"can_try\", \"lost_by_a_try\", \"moves\": {\"all\", \"win\", \"draw\", \"loss\"},
     \"zugzwang\": {\"positions\", \"own_images\", \"with_image\"},
     \"last_rank_drops\": {\"needed\", \"changed\", \"start_category\", \"start_dtm\"}, \"tsume\"}
  by_plies, tsume  [[plies, positions], ..]
  in_hand          [[in_hand, positions], ..]
  moves            each {\"positions\", \"moves\", \"average\", \"least\", \"most\", \"by_moves\"}; by_moves
                   is [[moves, positions], ..], least and most are its ends; null of no position
  own_images       those that the pass does not change
  with_image       those whose image is among these positions too
  last_rank_drops  null where the rules forbid them; start_..: the start position without them
Where check must be met: {\"game\", \"placements\", \"all\", \"unfolded\"}
  all, unfolded    each {\"positions\", \"win\", \"loss\", \"residue\", \"max_plies\", \"by_plies\", \"in_hand\",
     \"open\", \"checks\", \"checkmates\", \"stalemates\", \"moves\": {\"all\", \"win\", \"residue\", \"loss\"},
     \"pawn_drop_mates\", \"zugzwang\"}
  residue          positions whose end neither side can force, whatever a law makes of them
  open             positions with a move

Examples:
  koma stats dobutsu
  koma stats dobutsu --svg distances.svg
  koma stats dobutsu/reachable --json
  koma stats dobutsu@3x3:gec
  koma stats minishogi:gp";

/// Show what the positions of a game are like: counts, moves, zugzwang, tsume
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// The game, as for `koma solve`, or the name of an exploration, as from `koma explore`
    #[arg(value_name = "GAME")]
    asked: Asked,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    /// Draw the distances of the reached positions (of all, where there are none) into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    #[command(flatten)]
    opening: Opening,
}

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let meets_check = !arguments.asked.universe().game().options().exposure;
    let exploration = match &arguments.asked {
        Asked::Exploration(exploration) => Some((**exploration).clone()),
        Asked::Universe(_) if meets_check => None,
        Asked::Universe(universe) => {
            match Exploration::new((**universe).clone(), Convention::Tanaka, &[]) {
                Ok(exploration) => Some(exploration),
                Err(ExplorationError::NoStart(_)) => None,
                Err(error) => return Err(error.into()),
            }
        }
    };
    if let Some(file) = &arguments.svg {
        check_writable(file)?;
    }
    let game = arguments.asked.to_string();
    let settings = arguments.opening.settings();
    let universe = arguments.asked.universe().clone();
    let prober = arguments.opening.prober(universe)?;
    // The survey reads cells without a look at their checksums.
    prober.table().verify()?;
    interrupt::listen()?;

    let (universe, table) = (prober.universe(), prober.table());
    if meets_check {
        let statistics = LegalStatistics::of(universe, table, &settings, &Reporter::new())
            .map_err(|error| explained(error, universe))?;
        let report = LegalReport {
            undecided: info::undecided(table.header()),
            placements: placements(universe),
            statistics: &statistics,
            game,
        };
        if let Some(file) = &arguments.svg {
            draw(file, &report.histogram(), &report.game)?;
        }
        match arguments.json {
            true => output::json(&report.json())?,
            false => output::text(&report.text()?)?,
        }
        return Ok(Exit::Done);
    }
    let statistics = {
        let reporter = Reporter::new();
        let explored = match &exploration {
            None => None,
            Some(exploration) => {
                let (space, roots) = (exploration.space(), exploration.roots());
                Some((space, explore(space, roots, &settings, &reporter)?))
            }
        };
        let explored = explored
            .as_ref()
            .map(|(space, explored)| (*space, explored));
        Statistics::of(universe, table, explored, &settings, &reporter)
            .map_err(|error| explained(error, universe))?
    };
    let report = Report {
        game,
        exploration: exploration.as_ref(),
        placements: placements(universe),
        statistics: &statistics,
    };
    if let Some(file) = &arguments.svg {
        draw(file, &report.histogram(), &report.histogram_title())?;
    }
    if arguments.json {
        output::json(&report.json())?;
    } else {
        output::text(&report.text()?)?;
    }
    Ok(Exit::Done)
}

/// An error by whose kind the exit is known.
fn explained(error: StatisticsError, universe: &RankedUniverse) -> anyhow::Error {
    match error {
        StatisticsError::Solve(error) => error.into(),
        StatisticsError::Kind(_) => {
            Usage(format!("{error}; `koma solve {universe}` makes one")).into()
        }
        other @ StatisticsError::Length { .. } => other.into(),
    }
}

/// Draws distances into a file.
fn draw(file: &Path, histogram: &Histogram, title: &str) -> anyhow::Result<()> {
    fs::write(file, histogram.svg(title)?).with_context(|| file.display().to_string())
}

/// Refuses a file that can't be written before any work is done for it.
pub(crate) fn check_writable(file: &Path) -> anyhow::Result<()> {
    let stood = file.exists();
    let opened = OpenOptions::new().append(true).create(true).open(file);
    opened
        .and_then(|_| if stood { Ok(()) } else { fs::remove_file(file) })
        .with_context(|| file.display().to_string())
}

/// What was found out.
struct Report<'a> {
    game: String,
    exploration: Option<&'a Exploration>,
    placements: Vec<u128>,
    statistics: &'a Statistics,
}

impl Report<'_> {
    /// The distances of the reached positions, or of all.
    fn histogram(&self) -> Histogram {
        let Statistics { all, reached } = self.statistics;
        Histogram::by_parity(&reached.as_ref().unwrap_or(all).counts.by_plies)
    }

    fn histogram_title(&self) -> String {
        match self.exploration {
            Some(exploration) => exploration.to_string(),
            None => self.game.clone(),
        }
    }

    /// The figures of all positions, and of the reached ones.
    fn sets(&self) -> impl Iterator<Item = &Figures> {
        [&self.statistics.all]
            .into_iter()
            .chain(&self.statistics.reached)
    }

    /// A row: a name and a number for each set.
    fn row(&self, name: &str, number: impl Fn(&Figures) -> u64) -> String {
        let mut row = format!("{name:23}");
        for figures in self.sets() {
            write!(row, " {:>15}", count(number(figures))).expect("a string can be written to");
        }
        row.push('\n');
        row
    }

    fn text(&self) -> anyhow::Result<String> {
        let mut text = format!("{}\n", self.game);
        match self.exploration {
            Some(exploration) => writeln!(
                text,
                "reached: from {}, convention {}",
                if exploration.is_from_start() {
                    "the start position"
                } else {
                    "the given roots"
                },
                exploration.space().convention().name()
            )?,
            None => text.push_str("no start position, so nothing is said of what play leads to\n"),
        }
        text.push_str(&self.counts());
        text.push_str(&self.in_hand());
        text.push_str(&self.moves());
        text.push_str(&self.curiosities()?);
        text.push_str(&self.tsume());
        let of = if self.exploration.is_some() {
            "reached positions"
        } else {
            "positions"
        };
        writeln!(text, "\n{of} by distance (bars are logarithmic)")?;
        text.push_str(&self.histogram().text());
        Ok(text)
    }

    fn heading(&self, name: &str) -> String {
        let mut heading = format!("\n{name:23} {:>15}", "all");
        if self.exploration.is_some() {
            write!(heading, " {:>15}", "reached").expect("a string can be written to");
        }
        heading.push('\n');
        heading
    }

    fn counts(&self) -> String {
        let mut text = self.heading("positions");
        text += &self.row("  together", |figures| figures.counts.total());
        text += &self.row("  won", |figures| figures.counts.win);
        text += &self.row("  lost", |figures| figures.counts.loss);
        text += &self.row("  drawn", |figures| figures.counts.draw);
        text += &self.row("  open", |figures| figures.sorts.open);
        text += &self.row("  lion can be taken", |figures| figures.sorts.catches);
        text += &self.row("  can try", |figures| figures.sorts.tries);
        text += &self.row("  lost by a try", |figures| figures.sorts.tried);
        text += &self.row("  deepest, in plies", |figures| {
            figures.counts.deepest().unwrap_or(0).into()
        });
        text
    }

    fn in_hand(&self) -> String {
        let mut text = format!("\n{:23} {:>15}", "by pieces in hand", "placements");
        text += &self.heading("")[24..];
        for (off, placements) in self.placements.iter().enumerate() {
            let row = self.row("", |figures| {
                figures.off_board.get(off).copied().unwrap_or(0)
            });
            let placements = big_count(*placements);
            text += &format!("{off:3}{:20} {placements:>15}{}", "", &row[23..]);
        }
        let sum = big_count(self.placements.iter().sum());
        text + &format!("  together{:13} {sum:>15}\n", "")
    }

    fn moves(&self) -> String {
        let mut text = String::new();
        let names = ["all", "reached"];
        for (name, figures) in names.into_iter().zip(self.sets()) {
            let [loss, draw, win] = &figures.branching;
            text += &branching_head(name, "open positions");
            text += &branching_row("together", &figures.all_branching());
            text += &branching_row("won", win);
            text += &branching_row("drawn", draw);
            text += &branching_row("lost", loss);
        }
        text
    }

    fn curiosities(&self) -> anyhow::Result<String> {
        let mut text = self.heading("mutual zugzwang");
        text += &self.row("  together", |figures| figures.zugzwang.positions);
        text += &self.row("  with their image", |figures| figures.zugzwang.with_image);
        text += &self.row("  own image", |figures| figures.zugzwang.own_images);
        let Some(DeadDrops { start, .. }) = self.statistics.all.dead_drops else {
            return Ok(text);
        };
        let drops = |figures: &Figures| figures.dead_drops.unwrap_or_default();
        text += &self.heading("last-rank chick drops");
        text += &self.row("  needed", |figures| drops(figures).needed);
        text += &self.row("  changed", |figures| drops(figures).changed);
        if let Some(start) = start {
            let value = describe(start.into());
            writeln!(text, "  start without them      {value}")?;
        }
        Ok(text)
    }

    fn tsume(&self) -> String {
        let mut text = self.heading("tsume, by plies");
        let lengths = self.statistics.all.tsume.iter().map(|&(plies, _)| plies);
        for plies in lengths {
            text += &self.row(&format!("{plies:5}"), |figures| {
                let tsume = figures.tsume.iter();
                tsume
                    .filter(|&&(length, _)| length == plies)
                    .map(|&(_, count)| count)
                    .sum()
            });
        }
        text + &self.row("  together", |figures| {
            figures.tsume.iter().map(|&(_, count)| count).sum()
        })
    }

    fn json(&self) -> Json<'_> {
        Json {
            game: &self.game,
            convention: self
                .exploration
                .map_or(Convention::Tanaka, |exploration| {
                    exploration.space().convention()
                })
                .name(),
            placements: (0..).zip(self.placements.iter().copied()).collect(),
            all: FiguresJson::of(&self.statistics.all),
            reached: self.statistics.reached.as_ref().map(FiguresJson::of),
        }
    }
}

/// The head of a table of moves.
pub(crate) fn branching_head(name: &str, positions: &str) -> String {
    let name = format!("moves, {name}");
    format!(
        "\n{name:23} {positions:>15} {:>15} {:>9} {:>15} {:>15}\n",
        "moves", "average", "least", "most"
    )
}

pub(crate) fn branching_row(name: &str, branching: &Branching) -> String {
    // How many moves, and how many positions have so many.
    let extreme = |extreme: Option<(u32, u64)>| match extreme {
        Some((moves, positions)) => format!("{moves} in {}", count(positions)),
        None => "-".to_owned(),
    };
    let average = branching.average();
    format!(
        "  {name:21} {:>15} {:>15} {:>9} {:>15} {:>15}\n",
        count(branching.positions()),
        count(branching.moves()),
        average.map_or("-".to_owned(), |average| format!("{average:.5}")),
        extreme(branching.least()),
        extreme(branching.most()),
    )
}

/// A number, perhaps one over 64 bits.
pub(crate) fn big_count(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| format!("{:.3e}", number as f64), count)
}

#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    convention: &'static str,
    placements: Vec<(u32, u128)>,
    all: FiguresJson<'a>,
    reached: Option<FiguresJson<'a>>,
}
