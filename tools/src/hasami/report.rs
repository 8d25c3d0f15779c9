//! `koma report` for hasami: a page of results, as Markdown.

use std::time::Instant;

use anyhow::Context;
use clap::Args;
use koma_games::hasami::{Game, Grid, Universe};
use koma_games::{Layered, Value};
use koma_solver::{LayeredSolution, ValueCounts, solve_layered};

use crate::exit::{Exit, Usage};
use crate::reporter::Reporter;
use crate::resources::Resources;
use crate::wording::count;
use crate::{cli, interrupt, output};

const HELP: &str = "\
Every row is solved anew, in memory; no table is read or written. The page is written to stdout row
by row. Without --boards and --endings all of it, which takes up to 3 GiB of memory and some twenty
minutes of two processors, most of them for 5x5; what is solved is told on stderr.

Examples:
  koma report hasami > hasami.md
  koma report hasami --boards 3x3,3x4 --endings 2v2,3v2";

/// Solve small boards under many rules, and endings, and write a page of results
#[derive(Args)]
#[command(after_help = cli::help(HELP))]
pub(crate) struct Arguments {
    /// `hasami`
    #[arg(value_name = "GAME")]
    game: String,

    /// Only these boards, without the endings unless --endings names some
    #[arg(long, value_name = "BOARDS", value_delimiter = ',')]
    boards: Option<Vec<String>>,

    /// Only these endings on 9x9, without the boards unless --boards names some
    #[arg(long, value_name = "ENDINGS", value_delimiter = ',')]
    endings: Option<Vec<String>>,

    #[command(flatten)]
    resources: Resources,
}

/// Boards that are solved under every combination of rules.
const BOARDS: [&str; 4] = ["3x3", "3x4", "4x3", "4x4"];

/// Boards that take longer: with five men a side, where all but one or all are to be taken, without
/// a lead or with one of two.
const LARGE_BOARDS: [&str; 3] = ["4x5", "5x4", "5x5"];

/// Endings on 9x9: where one man left has lost, and where all have to be taken.
const ENDINGS: [(&str, &[&str]); 2] = [
    ("all", &["2v2", "3v2", "3v3", "4v2"]),
    ("9", &["2v1", "3v1", "2v2"]),
];

pub(crate) fn run(arguments: Arguments) -> anyhow::Result<Exit> {
    let Arguments {
        game,
        boards,
        endings,
        resources,
    } = arguments;
    if game != "hasami" {
        let problem =
            format!("`{game}`: the report is of `hasami` as a whole; see --boards and --endings");
        return Err(Usage(problem).into());
    }
    interrupt::listen()?;
    let all = boards.is_none() && endings.is_none();
    let chosen = |names: &Option<Vec<String>>, name: &str| {
        all || names
            .as_ref()
            .is_some_and(|names| names.iter().any(|chosen| chosen == name))
    };
    for (names, known) in [(&boards, all_boards()), (&endings, all_endings())] {
        let unknown = names
            .iter()
            .flatten()
            .find(|name| !known.contains(&name.as_str()));
        if let Some(name) = unknown {
            let known = known.join(", ");
            return Err(Usage(format!("`{name}` is none of those reported: {known}")).into());
        }
    }
    output::text(PREFACE)?;
    for board in all_boards()
        .into_iter()
        .filter(|board| chosen(&boards, board))
    {
        report_board(board, &resources)?;
    }
    if all || endings.is_some() {
        output::text(ENDINGS_PREFACE)?;
        for (win, endings_of) in ENDINGS {
            for ending in endings_of.iter().filter(|ending| chosen(&endings, ending)) {
                report_ending(win, ending, &resources)?;
            }
        }
    }
    Ok(Exit::Done)
}

fn all_boards() -> Vec<&'static str> {
    BOARDS.into_iter().chain(LARGE_BOARDS).collect()
}

fn all_endings() -> Vec<&'static str> {
    let mut all = Vec::new();
    for &ending in ENDINGS.iter().flat_map(|(_, endings)| *endings) {
        if !all.contains(&ending) {
            all.push(ending);
        }
    }
    all
}

const PREFACE: &str = "\
# Hasami shogi, solved

Written by `koma report hasami`. Every position of each board and rule set is solved with its exact
distance to the end in plies.

`start` is the value of the start position for sente, who moves first: W, D or L and the plies; where
the men do not fill a rank, sente's stand from the left and gote's from the right, and `facing` is the
value with both from the left. Positions are distinct ones for the side to move: turned, mirrored or
with the colors exchanged, a position is the same; `placements` counts them without that. `longest`
are the longest win and the longest loss.

Rules: `win` captures win at once; `lead`: who leads by so many when the own turn comes has won;
`corner`: men in corners are taken by two; `edge`: runs along an edge are taken when they are shut in.
";

const ENDINGS_PREFACE: &str = "
## Endings on 9x9

The usual capture rules, nine men a side at the start, no lead. `men` are those of the side to move
and of the other side. With `win=all` a side that has one man left has lost; with `win=9` one that has
none. The position is the first with the longest win, its side to move with uppercase letters.

| rules | men | positions | won | drawn | lost | longest | position |
|---|---|---|---|---|---|---|---|
";

/// The rules under which a board is solved, as options.
fn rule_sets(grid: Grid, large: bool) -> Vec<String> {
    let men = if large { 5 } else { grid.width() };
    let wins = if large {
        vec![men - 1, men]
    } else {
        (1..=men).collect()
    };
    let mut sets = Vec::new();
    for &win in &wins {
        // A lead of as many as win is never reached.
        let leads = (1..win).filter(|&lead| !large || lead == 2);
        for lead in [None].into_iter().chain(leads.map(Some)) {
            for corner in ["on", "off"] {
                for edge in ["off", "on"] {
                    let lead = lead.map_or(String::new(), |lead| format!("lead={lead},"));
                    sets.push(format!(
                        "men={men},win={win},{lead}corner={corner},edge={edge}"
                    ));
                }
            }
        }
    }
    sets
}

fn report_board(board: &str, resources: &Resources) -> anyhow::Result<()> {
    let game: Game = format!("hasami@{board}").parse()?;
    let large = LARGE_BOARDS.contains(&board);
    let men = if large { 5 } else { game.grid().width() };
    output::text(&format!(
        "\n## {board}, {men} men a side\n\n\
         | win | lead | corner | edge | start | facing | positions | won | drawn | lost | longest | placements |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n"
    ))?;
    for options in rule_sets(game.grid(), large) {
        let universe: Universe = format!("hasami@{board}:{options}").parse()?;
        let solution = solve(&universe, resources)?;
        let facing: Game = format!("hasami@{board}:{options},start=facing").parse()?;
        let value_of = |game: &Game| {
            let rank = universe.rank(&game.start());
            let rank = rank.context("a universe has the starts of its game")?;
            anyhow::Ok(short(solution.value(rank)))
        };
        let (start, facing) = (value_of(universe.game())?, value_of(&facing)?);
        let rules = universe.game().rules();
        let lead = rules.lead.map_or("-".to_owned(), |lead| lead.to_string());
        let switch = |on: bool| if on { "on" } else { "off" };
        let census = solution.census();
        output::text(&format!(
            "| {} | {lead} | {} | {} | {start} | {facing} | {} | {} |\n",
            rules.win,
            switch(rules.corner),
            switch(rules.edge),
            counted(&census.positions),
            count(census.boards.total())
        ))?;
    }
    Ok(())
}

fn report_ending(win: &str, ending: &str, resources: &Resources) -> anyhow::Result<()> {
    let universe: Universe = format!("hasami@9x9:win={win}:{ending}").parse()?;
    let solution = solve(&universe, resources)?;
    for (index, (layer, census)) in universe.layers().iter().zip(solution.layers()).enumerate() {
        let [own, other] = universe.counts(index);
        let men = universe.men();
        if [own.max(other), own.min(other)] != men {
            continue;
        }
        let ranks = layer.first..layer.first + layer.len();
        let longest = census.positions.wins.keys().last();
        let rank = longest.and_then(|&plies| solution.find(ranks, Value::Win(plies)));
        let position = rank.map_or("-".to_owned(), |rank| {
            format!("`{}`", universe.game().sfen(&universe.position(rank)))
        });
        output::text(&format!(
            "| win={win} | {own}v{other} | {} | {position} |\n",
            counted(&census.positions)
        ))?;
    }
    Ok(())
}

fn solve(universe: &Universe, resources: &Resources) -> anyhow::Result<LayeredSolution> {
    let begin = Instant::now();
    let solution = {
        let reporter = Reporter::new();
        solve_layered(universe, &resources.settings(), &reporter).context(universe.to_string())?
    };
    let seconds = begin.elapsed().as_secs_f64();
    output::note(format_args!("{universe}: {seconds:.1} s"));
    Ok(solution)
}

/// Positions by value, and the longest win and loss, as cells of a row.
fn counted(counts: &ValueCounts) -> String {
    let longest = |by_plies: &std::collections::BTreeMap<u32, u64>, letter: char| {
        by_plies
            .keys()
            .last()
            .map(|plies| format!("{letter}{plies}"))
    };
    let longest = [longest(&counts.wins, 'W'), longest(&counts.losses, 'L')];
    let longest: Vec<String> = longest.into_iter().flatten().collect();
    format!(
        "{} | {} | {} | {} | {}",
        count(counts.total()),
        count(counts.won()),
        count(counts.draws),
        count(counts.lost()),
        longest.join(" ")
    )
}

/// `W7`, `L12` or `D`.
fn short(value: Value) -> String {
    match value {
        Value::Win(plies) => format!("W{plies}"),
        Value::Loss(plies) => format!("L{plies}"),
        Value::Draw | Value::Endless(_) => "D".to_owned(),
    }
}
