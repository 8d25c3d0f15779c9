//! A **filter**: the options that say what positions are looked for.

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use koma_games::{Category, Color, Game, PieceCounts, RankedUniverse};
use koma_solver::{Solution, Solved};
use koma_tables::{Kind, Prober};
use memmap2::Mmap;

use crate::exit::Usage;
use crate::letters::{board_pieces, men};
use crate::plies::Plies;
use crate::wanted::{Owned, Pieces, Wanted};

/// A move that threatens, a reply, and the move that wins.
const SHORTEST_TSUME: u32 = 3;

/// A value without its distance, as an option.
#[derive(Clone, Copy, ValueEnum)]
enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    fn category(self) -> Category {
        match self {
            Outcome::Win => Category::Win,
            Outcome::Draw => Category::Draw,
            Outcome::Loss => Category::Loss,
        }
    }
}

/// What positions are looked for; all that is given must hold.
#[derive(Args)]
pub(crate) struct Filter {
    /// The value for the side to move
    #[arg(long)]
    value: Option<Outcome>,

    /// Plies to the end of the game: `12`, `10..20` (both included), `100..` or `..5`
    #[arg(long, value_name = "RANGE")]
    plies: Option<Plies>,

    /// How many pieces both sides have in hand together
    #[arg(long, value_name = "N")]
    hands: Option<u8>,

    /// Pieces that the side to move has in hand, at least: `EG`, `CC`
    #[arg(long, value_name = "LETTERS")]
    hand: Option<String>,

    /// Pieces that the other side has in hand, at least
    #[arg(long, value_name = "LETTERS")]
    other_hand: Option<String>,

    /// Pieces on the board, at least: uppercase of the side to move, lowercase of the other, `H` or
    /// `+C` for a promoted one
    #[arg(long, value_name = "LETTERS")]
    board: Option<String>,

    /// Pieces that the side to move owns, on the board, promoted or not, and in hand together: these
    /// and no others. `GCC`, or `GCCvEE` with those of the other side
    #[arg(long, value_name = "LETTERS")]
    material: Option<String>,

    /// The lion of the side to move is attacked
    #[arg(long)]
    check: bool,

    /// One move keeps the value, all others are worse; not counting distances
    #[arg(long)]
    only_move: bool,

    /// Mutual zugzwang: the side to move loses, and if it could pass the other would lose
    #[arg(long)]
    zugzwang: bool,

    /// A win by threats alone of this length, in plies to the end of the game: `5`, `3..9`, `11..`
    #[arg(long, value_name = "RANGE")]
    tsume: Option<Plies>,
}

impl Filter {
    /// What is asked of the pieces.
    ///
    /// # Errors
    /// [`Usage`] for pieces that the universe lacks.
    pub(crate) fn pieces(&self, universe: &RankedUniverse) -> anyhow::Result<Pieces> {
        let game = universe.game();
        let mut asked = vec![0; game.kinds().len()];
        let mut at_least = PieceCounts::default();
        let hands = [
            ("--hand", &self.hand, Color::Sente),
            ("--other-hand", &self.other_hand, Color::Gote),
        ];
        for (option, letters, color) in hands {
            for kind in read(option, letters, |letters| men(game, letters))? {
                asked[usize::from(kind)] += 1;
                check_material(universe, &asked)?;
                at_least.add_in_hand(color, kind, 1);
            }
        }
        for piece in read("--board", &self.board, |letters| {
            board_pieces(game, letters)
        })? {
            asked[usize::from(piece.kind)] += 1;
            check_material(universe, &asked)?;
            at_least.add_on_board(piece, 1);
        }
        Ok(Pieces {
            in_hands: self.hands,
            at_least,
            owned: self.owned(universe)?,
        })
    }

    /// How many pieces of each kind the sides own, as far as that is asked.
    fn owned(&self, universe: &RankedUniverse) -> anyhow::Result<[Option<Owned>; 2]> {
        let Some(text) = &self.material else {
            return Ok([None, None]);
        };
        let refusal = |why: String| anyhow!(Usage(format!("--material {text}: {why}")));
        let game = universe.game();
        let mut asked = vec![0; game.kinds().len()];
        let mut owned = [None, None];
        for (owned, letters) in owned.iter_mut().zip(text.splitn(2, ['v', 'V'])) {
            let mut counts = Owned::default();
            for kind in men(game, letters).map_err(refusal)? {
                let kind = usize::from(kind);
                asked[kind] += 1;
                check_material(universe, &asked)?;
                counts[kind] += 1;
            }
            *owned = Some(counts);
        }
        let all = (1..).zip(&asked[1..]);
        let mut missing = all.filter(|&(kind, &asked)| asked < universe.material().count(kind));
        // A piece that neither side owns is out of the game.
        if owned[1].is_some() && game.options().drops && missing.next().is_some() {
            let why = format!("in {universe} no piece leaves the game, and some are missing");
            return Err(refusal(why));
        }
        Ok(owned)
    }

    /// Refuses lengths that no tsume has, and games whose tsume are not known.
    pub(crate) fn check_tsume(&self, game: &Game) -> anyhow::Result<()> {
        match self.tsume {
            // There a threat is a check, and a mate is no capture of the royal.
            Some(_) if !game.options().exposure => Err(anyhow!(Usage(format!(
                "--tsume: the tsume of {} are not searched",
                game.family().name
            )))),
            Some(Plies { from, to }) if from.max(SHORTEST_TSUME) | 1 > to => {
                Err(anyhow!(Usage(format!(
                    "--tsume: a length is an odd number of plies, {SHORTEST_TSUME} at least: it \
                     counts the move that takes the lion, or the try, and what wins at once is no \
                     tsume"
                ))))
            }
            _ => Ok(()),
        }
    }

    /// Whether the tsume of the universe must be known.
    pub(crate) fn asks_for_tsume(&self) -> bool {
        self.tsume.is_some()
    }

    /// Refuses what the table does not know.
    pub(crate) fn check_table(&self, prober: &Prober<Mmap>) -> anyhow::Result<()> {
        let asks = self.plies.is_some() || self.tsume.is_some();
        if asks && prober.table().header().kind() == Kind::Wdl {
            let file = prober.table().file().display();
            return Err(anyhow!(Usage(format!(
                "{file} knows no distances; `koma solve {}` makes a table that does",
                prober.universe()
            ))));
        }
        Ok(())
    }

    /// The positions that fit, among those of a table, with these pieces. `tsume` is the solution of
    /// its tsume, if the filter asks for them.
    pub(crate) fn wanted<'a>(
        &self,
        prober: &'a Prober<Mmap>,
        pieces: Pieces,
        tsume: Option<Solution>,
    ) -> Wanted<'a> {
        Wanted {
            universe: prober.universe(),
            solved: Solved::new(prober.universe(), prober.table()),
            category: self.value.map(Outcome::category),
            by_law: !prober.table().header().outcomes().is_empty(),
            plies: self.plies,
            pieces,
            check: self.check,
            only_move: self.only_move,
            zugzwang: self.zugzwang,
            tsume: self.tsume.zip(tsume),
        }
    }
}

/// Reads the letters of an option, if it is given.
fn read<T>(
    option: &str,
    letters: &Option<String>,
    read: impl Fn(&str) -> Result<Vec<T>, String>,
) -> anyhow::Result<Vec<T>> {
    match letters {
        None => Ok(Vec::new()),
        Some(letters) => {
            read(letters).map_err(|why| anyhow!(Usage(format!("{option} {letters}: {why}"))))
        }
    }
}

/// Refuses to look for more pieces of a kind than a universe has.
fn check_material(universe: &RankedUniverse, asked: &[u8]) -> anyhow::Result<()> {
    let kinds = universe.game().kinds();
    for (kind, (&asked, data)) in asked.iter().zip(kinds).enumerate() {
        let there = universe.material().count(kind);
        if asked > there {
            return Err(anyhow!(Usage(format!(
                "{universe} has no more than {there} pieces `{}`, and more are asked for",
                data.letter
            ))));
        }
    }
    Ok(())
}
