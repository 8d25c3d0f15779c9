//! **Counts**: how many positions are won, lost and drawn, and at which distance.

use std::collections::{BTreeMap, HashMap};

use koma_games::Category;

use crate::{
    cell::Cell,
    coding::{CellWidth, Coding},
    error::HeaderFault,
    kind::Kind,
};

/// How many positions are won, lost and drawn for the side to move. Holes are in no count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, bincode::Encode, bincode::Decode)]
pub struct Counts {
    /// Won for the side to move.
    pub win: u64,
    /// Lost for the side to move.
    pub loss: u64,
    /// Drawn.
    pub draw: u64,
    /// How many of the won and lost ones end after so many plies, as `(plies, count)`: ascending by
    /// plies, no count zero. Empty where the distances are not known.
    pub by_plies: Vec<(u32, u64)>,
}

/// The two ways to count a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Census {
    /// Distinct canonical positions.
    pub positions: Counts,
    /// Every rank that is no hole.
    pub ranks: Counts,
}

impl Counts {
    /// Counts `len` coded cells.
    ///
    /// # Panics
    /// If `cells` is shorter than `len` cells.
    pub fn of_cells(coding: Coding, cells: &[u8], len: u64) -> Counts {
        let bytes = coding
            .bytes(len)
            .and_then(|bytes| usize::try_from(bytes).ok());
        let cells = &cells[..bytes.expect("cells in memory")];
        match coding {
            // Unused bits of the last byte are zero and so look like holes, which no count has.
            Coding::Category => histogram(256, cells.iter().map(|&byte| byte.into()))
                .flat_map(|(byte, count)| [0, 2, 4, 6].map(|shift| (byte >> shift & 3, count)))
                .map(|(code, count)| (coding.decode(code), count))
                .collect(),
            Coding::Parity(CellWidth::Bits8) | Coding::Paired(CellWidth::Bits8) => {
                histogram(256, cells.iter().map(|&byte| byte.into()))
                    .map(|(code, count)| (coding.decode(code), count))
                    .collect()
            }
            Coding::Parity(CellWidth::Bits16) | Coding::Paired(CellWidth::Bits16) => {
                let codes = cells.as_chunks().0.iter();
                histogram(1 << 16, codes.map(|&code| u16::from_le_bytes(code).into()))
                    .map(|(code, count)| (coding.decode(code), count))
                    .collect()
            }
            Coding::Parity(CellWidth::Bits32) | Coding::Paired(CellWidth::Bits32) => {
                let mut counts = HashMap::new();
                for &code in cells.as_chunks().0 {
                    *counts.entry(u32::from_le_bytes(code)).or_insert(0) += 1;
                }
                counts
                    .into_iter()
                    .map(|(code, count)| (coding.decode(code), count))
                    .collect()
            }
        }
    }

    /// Won, lost and drawn together. Saturates, so that no header can make it panic; the counts of
    /// an open table are checked to be exact.
    pub fn total(&self) -> u64 {
        self.win.saturating_add(self.loss).saturating_add(self.draw)
    }

    /// The longest distance, in plies; `None` when there is none or it is not known.
    pub fn deepest(&self) -> Option<u32> {
        self.by_plies.last().map(|&(plies, _)| plies)
    }

    /// Refuses counts that contradict themselves or cannot be those of a table with this coding.
    fn check(&self, field: &'static str, coding: Coding) -> Result<(), HeaderFault> {
        let refuse = |why: &str| {
            Err(HeaderFault::Inconsistent {
                field,
                why: why.to_owned(),
            })
        };
        let decisive = self.win.checked_add(self.loss);
        if decisive
            .and_then(|decisive| decisive.checked_add(self.draw))
            .is_none()
        {
            return refuse("the sum of win, loss and draw is over 64 bits");
        }
        if !self.by_plies.is_sorted_by(|a, b| a.0 < b.0) {
            return refuse("its distances are not in ascending order");
        }
        if self.by_plies.iter().any(|&(_, count)| count == 0) {
            return refuse("a distance has the count zero");
        }
        if coding.kind() == Kind::Wdl && self.by_plies.is_empty() {
            return Ok(());
        }
        let sum = |parity: Option<u32>| {
            self.by_plies
                .iter()
                .filter(|&&(plies, _)| parity.is_none_or(|parity| plies % 2 == parity))
                .try_fold(0u64, |sum, &(_, count)| sum.checked_add(count))
        };
        if sum(None) != decisive {
            return refuse("the counts by distance do not add up to win and loss");
        }
        if matches!(coding, Coding::Parity(_)) && sum(Some(1)) != Some(self.win) {
            return refuse("the counts of odd distances do not add up to win");
        }
        if let (Some(deepest), Some(max)) = (self.deepest(), coding.max_plies())
            && deepest > max
        {
            return refuse("a distance is longer than a cell can hold");
        }
        Ok(())
    }
}

impl Census {
    /// Refuses counts that cannot be those of a table of `len` ranks with this coding.
    pub(crate) fn check(&self, coding: Coding, len: u64) -> Result<(), HeaderFault> {
        let Census { positions, ranks } = self;
        positions.check("positions", coding)?;
        ranks.check("ranks", coding)?;
        if ranks.total() > len {
            let why = format!("{} positions in {len} ranks", ranks.total());
            return Err(HeaderFault::Inconsistent {
                field: "ranks",
                why,
            });
        }
        if positions.win > ranks.win || positions.loss > ranks.loss || positions.draw > ranks.draw {
            let why = "more positions than ranks".to_owned();
            return Err(HeaderFault::Inconsistent {
                field: "positions",
                why,
            });
        }
        Ok(())
    }
}

/// Adds up cells, each so many times.
impl FromIterator<(Cell, u64)> for Counts {
    fn from_iter<I: IntoIterator<Item = (Cell, u64)>>(cells: I) -> Counts {
        let mut counts = Counts::default();
        let mut by_plies = BTreeMap::new();
        for (cell, times) in cells.into_iter().filter(|&(_, times)| times > 0) {
            match cell.category() {
                None => {}
                Some(Category::Win) => counts.win += times,
                Some(Category::Loss) => counts.loss += times,
                Some(Category::Draw) => counts.draw += times,
            }
            if let Some(plies) = cell.plies() {
                *by_plies.entry(plies).or_insert(0) += times;
            }
        }
        counts.by_plies = by_plies.into_iter().collect();
        counts
    }
}

/// How often each code below `codes` occurs.
fn histogram(codes: usize, of: impl Iterator<Item = u32>) -> impl Iterator<Item = (u32, u64)> {
    let mut counts = vec![0u64; codes];
    for code in of {
        // Checked arithmetic would double the time, and no count can pass the number of cells.
        let count = &mut counts[code as usize];
        *count = count.wrapping_add(1);
    }
    (0..).zip(counts)
}
