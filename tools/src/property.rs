//! A **property** of positions, put together from options.

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use koma_games::{Category, Color, Game, Material, Position, RankedUniverse};
use koma_tables::{Cell, Kind, Prober};
use memmap2::Mmap;

use crate::exit::Usage;
use crate::wording::before;

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

/// Distances from one to another, both included.
#[derive(Clone, Copy)]
struct Plies {
    from: u32,
    to: u32,
}

/// What positions are looked for; all that is given must hold.
#[derive(Args)]
pub(crate) struct Property {
    /// The value for the side to move
    #[arg(long)]
    value: Option<Outcome>,

    /// Plies to the end of the game: `12`, `10..20` (both included), `100..` or `..5`
    #[arg(long, value_name = "RANGE", value_parser = read_plies)]
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

    /// The lion of the side to move is attacked
    #[arg(long)]
    check: bool,

    /// One move keeps the value, all others are worse; not counting distances
    #[arg(long)]
    only_move: bool,

    /// Mutual zugzwang: the side to move loses, and if it could pass the other would lose
    #[arg(long)]
    zugzwang: bool,
}

impl Property {
    /// Refuses letters that the game lacks.
    pub(crate) fn check(&self, universe: &RankedUniverse) -> anyhow::Result<()> {
        let game = universe.game();
        for (option, letters) in [("--hand", &self.hand), ("--other-hand", &self.other_hand)] {
            if let Some(letters) = letters {
                Material::from_letters(game, letters)
                    .map_err(|error| anyhow!(Usage(format!("{option} {letters}: {error}"))))?;
            }
        }
        if let Some(letters) = &self.board {
            board_pieces(game, letters)
                .map_err(|why| anyhow!(Usage(format!("--board {letters}: {why}"))))?;
        }
        Ok(())
    }

    /// Refuses what the table does not know.
    pub(crate) fn check_table(&self, prober: &Prober<Mmap>) -> anyhow::Result<()> {
        if self.plies.is_some() && prober.table().header().kind() == Kind::Wdl {
            let file = prober.table().file().display();
            return Err(anyhow!(Usage(format!(
                "{file} knows no distances; `koma solve {}` makes a table that does",
                prober.universe()
            ))));
        }
        Ok(())
    }

    /// Whether more than the cell must be looked at.
    pub(crate) fn needs_position(&self) -> bool {
        self.hands.is_some()
            || self.hand.is_some()
            || self.other_hand.is_some()
            || self.board.is_some()
            || self.check
            || self.only_move
            || self.zugzwang
    }

    /// Whether what the cell says fits.
    pub(crate) fn holds_by_cell(&self, cell: Cell) -> bool {
        let value_fits = self
            .value
            .is_none_or(|value| cell.category() == Some(value.category()));
        let plies_fit = self.plies.is_none_or(|Plies { from, to }| {
            cell.plies()
                .is_some_and(|plies| (from..=to).contains(&plies))
        });
        let zugzwang_fits = !self.zugzwang || cell.category() == Some(Category::Loss);
        value_fits && plies_fit && zugzwang_fits
    }

    /// Whether the position of a rank fits, what its cell says aside.
    pub(crate) fn holds_by_rank(&self, prober: &Prober<Mmap>, rank: u64) -> bool {
        let game = prober.game();
        let position = prober.universe().unrank(rank);
        let in_hand = |color, letters: &Option<String>| {
            letters.as_ref().is_none_or(|letters| {
                Material::from_letters(game, letters).is_ok_and(|wanted| {
                    (1..game.kinds().len())
                        .all(|kind| position.hand(color, kind as u8) >= wanted.count(kind))
                })
            })
        };
        self.hands
            .is_none_or(|hands| hands == in_hands(game, &position))
            && in_hand(Color::Sente, &self.hand)
            && in_hand(Color::Gote, &self.other_hand)
            && self.on_board(game, &position)
            && (!self.check || game.can_take_royal(&position.with_side(Color::Gote)))
            && (!self.only_move || has_only_move(prober, &position))
            && (!self.zugzwang || loses_after_passing(prober, &position))
    }

    fn on_board(&self, game: &Game, position: &Position) -> bool {
        let Some(letters) = &self.board else {
            return true;
        };
        let Ok(wanted) = board_pieces(game, letters) else {
            return false;
        };
        wanted.iter().all(|piece| {
            let count = |list: &mut dyn Iterator<Item = koma_games::Piece>| {
                list.filter(|other| other == piece).count()
            };
            let there = (0..game.board().len()).filter_map(|square| position.piece(square));
            count(&mut there.into_iter()) >= count(&mut wanted.iter().copied())
        })
    }
}

/// Pieces in both hands.
fn in_hands(game: &Game, position: &Position) -> u8 {
    let kinds = 1..game.kinds().len() as u8;
    kinds
        .map(|kind| position.hand(Color::Sente, kind) + position.hand(Color::Gote, kind))
        .sum()
}

/// Whether one move is better than all others, by category.
fn has_only_move(prober: &Prober<Mmap>, position: &Position) -> bool {
    prober.moves(position).is_ok_and(|moves| {
        let value = |place: usize| moves.get(place).map(|after| before(after.probe).category);
        value(0).is_some() && value(0) != value(1)
    })
}

/// Whether the side not to move would lose, too, if it were to move.
fn loses_after_passing(prober: &Prober<Mmap>, position: &Position) -> bool {
    let passed = position.with_side(position.side().opponent());
    prober
        .probe(&passed)
        .is_ok_and(|probe| probe.category == Category::Loss)
}

/// The pieces behind letters such as `HCe`.
fn board_pieces(game: &Game, letters: &str) -> Result<Vec<koma_games::Piece>, String> {
    let mut pieces = Vec::new();
    let mut plus = false;
    for letter in letters.chars() {
        if letter == '+' && !plus {
            plus = true;
            continue;
        }
        let upper = letter.to_ascii_uppercase();
        let kinds = || (0u8..).zip(game.kinds());
        let found = kinds()
            .find(|(_, kind)| kind.letter == upper)
            .map(|(index, kind)| (index, plus, kind.promotes()))
            .or_else(|| {
                kinds()
                    .find(|(_, kind)| kind.promoted_letter == Some(upper) && !plus)
                    .map(|(index, _)| (index, true, true))
            });
        let (kind, promoted, _) = found
            .filter(|&(_, promoted, promotes)| promotes || !promoted)
            .ok_or_else(|| format!("`{letter}` is no piece of the game"))?;
        pieces.push(koma_games::Piece {
            color: if letter.is_ascii_uppercase() {
                Color::Sente
            } else {
                Color::Gote
            },
            kind,
            promoted,
        });
        plus = false;
    }
    if plus {
        return Err("a letter is missing after `+`".to_owned());
    }
    Ok(pieces)
}

fn read_plies(text: &str) -> anyhow::Result<Plies> {
    let number = |text: &str, open: u32| -> anyhow::Result<u32> {
        if text.is_empty() {
            return Ok(open);
        }
        text.parse()
            .with_context(|| format!("`{text}` is no number of plies"))
    };
    let plies = match text.split_once("..") {
        None => {
            let plies = text
                .parse()
                .with_context(|| format!("`{text}` is no number of plies and no range"))?;
            Plies {
                from: plies,
                to: plies,
            }
        }
        Some((from, to)) => Plies {
            from: number(from, 0)?,
            to: number(to, u32::MAX)?,
        },
    };
    if plies.from > plies.to {
        return Err(anyhow!("the range is empty"));
    }
    Ok(plies)
}
