//! The **unfolded** counts of a table: a position and its mirror image are two, unless they are the same.

use koma_games::{Category, Color, Law, Universe};
use koma_tables::{Census, Counts, OutcomeCounts, ReadError, Table};

/// Counts in which a position and its mirror image are two, unless they are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolded {
    /// By value and distance.
    pub counts: Counts,
    /// What laws make of the residue.
    pub outcomes: Vec<(Law, OutcomeCounts)>,
}

impl Unfolded {
    /// Counts the positions of a table. All are twice the distinct ones but for those that are their own
    /// mirror images, and only these are looked up.
    ///
    /// # Errors
    /// [`ReadError`] where the file is damaged.
    pub fn of<U: Universe, D: AsRef<[u8]>>(
        universe: &U,
        table: &Table<D>,
    ) -> Result<Unfolded, ReadError> {
        let header = table.header();
        let laws: Vec<Law> = header.outcomes().iter().map(|counts| counts.law).collect();
        let mut own_images = Vec::new();
        universe.for_each_self_image(|rank| own_images.push(rank));
        let mut cells = Vec::with_capacity(own_images.len());
        let mut settled = vec![OutcomeCounts::default(); laws.len()];
        for rank in own_images {
            let cell = table.cell(rank)?;
            cells.push((cell, 1));
            if cell.category() != Some(Category::Draw) {
                continue;
            }
            for (&law, counts) in laws.iter().zip(&mut settled) {
                for mover in Color::BOTH {
                    if let Some(outcome) = table.outcome(law, rank, mover)? {
                        counts.add(mover, outcome, 1);
                    }
                }
            }
        }
        let own_images: Counts = cells.into_iter().collect();
        let Census { positions, .. } = header.census();
        let outcomes = header.outcomes().iter().zip(settled);
        Ok(Unfolded {
            counts: twice_less(positions, &own_images),
            outcomes: outcomes
                .map(|(counts, own)| {
                    let [sente, gote] = Color::BOTH.map(|mover| {
                        let both = counts.positions.of(mover).iter().zip(own.of(mover));
                        let mut rest =
                            both.map(|(&all, &own)| all.saturating_mul(2).saturating_sub(own));
                        std::array::from_fn(|_| rest.next().unwrap_or(0))
                    });
                    (counts.law, OutcomeCounts { sente, gote })
                })
                .collect(),
        })
    }
}

/// Twice the one less the other. A header that lies can't make it panic.
fn twice_less(all: &Counts, own: &Counts) -> Counts {
    let less = |all: u64, own: u64| all.saturating_mul(2).saturating_sub(own);
    let own_at = |plies: u32| {
        let found = own
            .by_plies
            .binary_search_by_key(&plies, |&(plies, _)| plies);
        found.map_or(0, |place| own.by_plies[place].1)
    };
    let by_plies = all.by_plies.iter();
    Counts {
        win: less(all.win, own.win),
        loss: less(all.loss, own.loss),
        draw: less(all.draw, own.draw),
        by_plies: by_plies
            .map(|&(plies, count)| (plies, less(count, own_at(plies))))
            .collect(),
    }
}
