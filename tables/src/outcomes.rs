//! **Outcomes**: what a law makes of the residue, the ranks whose end neither side can force.
//!
//! A law may name a color, so a residue rank has two outcomes: with sente and with gote to move. They are
//! four bits, kept in the order of the residue ranks.

use koma_games::{Category, Color, Law};

use crate::{counts::Census, error::HeaderFault};

/// How many positions of the residue are won, drawn and lost by the mover, with sente and with gote to
/// move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, bincode::Encode, bincode::Decode)]
pub struct OutcomeCounts {
    /// Won, drawn and lost by sente, who is to move.
    pub sente: [u64; 3],
    /// Won, drawn and lost by gote, who is to move.
    pub gote: [u64; 3],
}

impl OutcomeCounts {
    /// Won, drawn and lost by this color, which is to move.
    pub fn of(&self, mover: Color) -> &[u64; 3] {
        match mover {
            Color::Sente => &self.sente,
            Color::Gote => &self.gote,
        }
    }

    /// Counts an outcome so many times more, for a mover of this color.
    pub fn add(&mut self, mover: Color, outcome: Category, times: u64) {
        let counts = match mover {
            Color::Sente => &mut self.sente,
            Color::Gote => &mut self.gote,
        };
        counts[place(outcome)] += times;
    }

    /// Whether both colors have so many outcomes.
    fn adds_up_to(&self, total: u64) -> bool {
        let sum = |counts: &[u64; 3]| {
            counts
                .iter()
                .try_fold(0u64, |sum, &count| sum.checked_add(count))
        };
        sum(&self.sente) == Some(total) && sum(&self.gote) == Some(total)
    }

    fn is_within(&self, other: &OutcomeCounts) -> bool {
        let counts = self.sente.iter().chain(&self.gote);
        counts
            .zip(other.sente.iter().chain(&other.gote))
            .all(|(own, other)| own <= other)
    }
}

/// Where an outcome is counted: won, drawn, lost.
fn place(outcome: Category) -> usize {
    match outcome {
        Category::Win => 0,
        Category::Draw => 1,
        Category::Loss => 2,
    }
}

/// What a law makes of the residue, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LawCounts {
    /// The law.
    pub law: Law,
    /// Distinct canonical positions.
    pub positions: OutcomeCounts,
    /// Every rank of the residue.
    pub ranks: OutcomeCounts,
}

impl LawCounts {
    /// Refuses counts that are not those of this residue.
    fn check(&self, census: &Census) -> Result<(), HeaderFault> {
        let refuse = |why: &str| {
            Err(HeaderFault::Inconsistent {
                field: "outcomes",
                why: format!("{}: {why}", self.law.name()),
            })
        };
        if self.law == Law::Draw {
            return refuse("its outcomes are draws, which are not stored");
        }
        if !self.ranks.adds_up_to(census.ranks.draw)
            || !self.positions.adds_up_to(census.positions.draw)
        {
            return refuse("its counts do not add up to the residue");
        }
        if !self.positions.is_within(&self.ranks) {
            return refuse("more positions than ranks");
        }
        Ok(())
    }
}

/// Refuses what no writer writes: another law first than that of the table, a law twice, the law `draw`,
/// counts that do not add up.
pub(crate) fn check(outcomes: &[LawCounts], law: Law, census: &Census) -> Result<(), HeaderFault> {
    let refuse = |counts: &LawCounts, why: &str| {
        Err(HeaderFault::Inconsistent {
            field: "outcomes",
            why: format!("{}: {why}", counts.law.name()),
        })
    };
    for (place, counts) in outcomes.iter().enumerate() {
        if place == 0 && counts.law != law {
            return refuse(counts, "the law of the table comes first");
        }
        if outcomes[..place]
            .iter()
            .any(|other| other.law == counts.law)
        {
            return refuse(counts, "it is there twice");
        }
        counts.check(census)?;
    }
    Ok(())
}

/// What a law makes of every residue rank, to be written.
#[derive(Clone, Debug)]
pub struct Outcomes {
    counts: LawCounts,
    packed: Packed,
}

impl Outcomes {
    /// The outcomes of no rank yet.
    pub fn new(law: Law) -> Outcomes {
        Outcomes {
            counts: LawCounts {
                law,
                positions: OutcomeCounts::default(),
                ranks: OutcomeCounts::default(),
            },
            packed: Packed::default(),
        }
    }

    /// Adds the next residue rank with its outcomes for sente and for gote to move. `counted` is whether
    /// the position is counted here: of a position that has two ranks it is at one of them.
    pub fn push(&mut self, outcomes: [Category; 2], counted: bool) {
        for (mover, outcome) in Color::BOTH.into_iter().zip(outcomes) {
            self.counts.ranks.add(mover, outcome, 1);
            self.counts
                .positions
                .add(mover, outcome, u64::from(counted));
        }
        self.packed.push(outcomes);
    }

    /// The counts.
    pub fn counts(&self) -> &LawCounts {
        &self.counts
    }

    /// The number of residue ranks.
    pub(crate) fn len(&self) -> u64 {
        self.packed.len
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.packed.bytes
    }
}

/// Four bits a residue rank, two ranks a byte, low bits first.
#[derive(Clone, Debug, Default)]
struct Packed {
    bytes: Vec<u8>,
    len: u64,
}

impl Packed {
    fn push(&mut self, [sente, gote]: [Category; 2]) {
        let nibble = code(sente) | code(gote) << 2;
        match self.len % 2 {
            0 => self.bytes.push(nibble),
            _ => *self.bytes.last_mut().expect("a byte was begun") |= nibble << 4,
        }
        self.len += 1;
    }
}

/// The bytes that so many outcomes take.
pub(crate) fn bytes(len: u64) -> u64 {
    len.div_ceil(2)
}

/// The codes of two-bit cells: 1 loss, 2 draw, 3 win.
fn code(outcome: Category) -> u8 {
    match outcome {
        Category::Loss => 1,
        Category::Draw => 2,
        Category::Win => 3,
    }
}

/// The outcome of a residue rank by its number; `None` for bits that no writer writes.
///
/// # Panics
/// If `bytes` ends before that number.
pub(crate) fn outcome(bytes: &[u8], number: u64, mover: Color) -> Option<Category> {
    let byte = bytes[usize::try_from(number / 2).expect("an outcome in memory")];
    let nibble = byte >> (number % 2 * 4);
    match nibble >> (2 * mover.index()) & 3 {
        1 => Some(Category::Loss),
        2 => Some(Category::Draw),
        3 => Some(Category::Win),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_read() {
        const ALL: [Category; 3] = [Category::Loss, Category::Draw, Category::Win];
        let mut outcomes = Outcomes::new(Law::Uec);
        let pairs: Vec<[Category; 2]> = (0..9)
            .map(|place| [ALL[place % 3], ALL[place / 3]])
            .collect();
        for (place, &pair) in pairs.iter().enumerate() {
            outcomes.push(pair, place % 2 == 0);
        }
        assert_eq!(outcomes.bytes().len() as u64, bytes(9));
        assert_eq!(outcomes.bytes()[4] >> 4, 0);
        for (number, pair) in (0..).zip(pairs) {
            for (mover, expected) in Color::BOTH.into_iter().zip(pair) {
                assert_eq!(outcome(outcomes.bytes(), number, mover), Some(expected));
            }
        }
        let counts = outcomes.counts();
        assert_eq!(counts.ranks.sente, [3, 3, 3]);
        assert_eq!(counts.positions.sente.iter().sum::<u64>(), 5);
        assert_eq!(outcome(&[0], 0, Color::Sente), None);
    }
}
