//! The **census** of a solved universe: its cells finished, and counted by value and distance.
//!
//! A position whose mirror image has a rank of its own is counted once: of such ranks only half
//! are counted, and of self-images all.

use koma_games::Universe;
use koma_tables::Census;
use rayon::prelude::*;

use crate::dispatch::{Work, dispatch};
use crate::level::Level;
use crate::retrograde::parts;
use crate::solution::counts;
use crate::word::Word;

/// Counts by plies; the draws in the last place.
struct Histogram(Vec<u64>);

impl Histogram {
    fn new(deepest: u32) -> Histogram {
        Histogram(vec![0; deepest as usize + 2])
    }

    fn add(mut self, other: &Histogram) -> Histogram {
        for (sum, count) in self.0.iter_mut().zip(&other.0) {
            *sum += count;
        }
        self
    }
}

/// Turns words of the analysis into cells.
struct FinishWords<'a, W> {
    words: &'a mut [W],
    /// The longest distance.
    last: W,
    hole: W,
    hole_cell: W,
    draw_cell: W,
}

impl<W: Word> Work for FinishWords<'_, W> {
    /// How many of them are holes.
    type Output = u64;

    #[inline(always)]
    fn run(self, _: impl Level) -> u64 {
        // Left in `self`, these would be fetched word by word.
        let FinishWords {
            words,
            last,
            hole,
            hole_cell,
            draw_cell,
        } = self;
        let mut holes = 0;
        // Parts so small that a byte counts their holes.
        for words in words.chunks_mut(192) {
            let mut holes_here = 0u8;
            for word in words {
                let is_hole = *word == hole;
                let cell = if is_hole { hole_cell } else { draw_cell };
                holes_here = holes_here.wrapping_add(u8::from(is_hole));
                *word = if *word > last { cell } else { *word };
            }
            holes += u64::from(holes_here);
        }
        holes
    }
}

/// Turns the words of the analysis into the cells of a table and counts them. So many ranks are
/// `decided` in each number of plies, none in more than `deepest`.
pub(crate) fn finish<U: Universe, W: Word>(
    universe: &U,
    words: &mut [W],
    decided: &[u64],
    deepest: u32,
) -> Census {
    let draws = deepest as usize + 1;
    let hole = W::from_code(W::HOLE);
    let [hole_cell, draw_cell] = [W::WIDTH.hole(), W::WIDTH.draw()].map(W::from_code);
    let last = W::from_code(deepest);
    let empty = || (0, std::array::from_fn(|_| Histogram::new(deepest)));
    let (holes, doubled) = parts(universe, words)
        .into_par_iter()
        .fold(empty, |(mut holes, mut doubled), (segment, part)| {
            if universe.is_doubled(segment) {
                // In turn in several places: one count would wait for the other.
                for (place, word) in part.iter().enumerate() {
                    if *word != hole {
                        let code = word.code() as usize;
                        doubled[place % 4].0[code.min(draws)] += 1;
                    }
                }
            }
            holes += dispatch(FinishWords {
                words: part,
                last,
                hole,
                hole_cell,
                draw_cell,
            });
            (holes, doubled)
        })
        .map(|(holes, doubled): (u64, [Histogram; 4])| {
            let sum = |sum: Histogram, one| sum.add(one);
            (holes, doubled.iter().fold(Histogram::new(deepest), sum))
        })
        .reduce(
            || (0, Histogram::new(deepest)),
            |(holes, a), (more, b)| (holes + more, a.add(&b)),
        );
    let mut ranks = Histogram::new(deepest);
    ranks.0[..decided.len()].copy_from_slice(decided);
    ranks.0[draws] = universe.len() - holes - decided.iter().sum::<u64>();
    let mut own_images = Histogram::new(deepest);
    universe.for_each_self_image(|rank| {
        let code = words[rank as usize].code();
        if code == W::WIDTH.hole() {
            return;
        }
        let place = if code <= deepest {
            code as usize
        } else {
            draws
        };
        own_images.0[place] += 1;
    });
    let positions = Histogram(
        ranks
            .0
            .iter()
            .zip(doubled.0.iter().zip(&own_images.0))
            .map(|(all, (doubled, own_images))| all - (doubled - own_images) / 2)
            .collect(),
    );
    let [positions, ranks] =
        [positions, ranks].map(|Histogram(by_code)| counts(&by_code[..draws], by_code[draws]));
    Census { positions, ranks }
}
