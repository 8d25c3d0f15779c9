//! The **census** of a solved universe: its cells finished, and counted by value and distance.
//!
//! A position whose mirror image has a rank of its own is counted once: of such ranks only half
//! are counted, and of self-images all.

use koma_games::Universe;
use koma_tables::Census;
use rayon::prelude::*;

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

/// Turns the words of the analysis into the cells of a table and counts them. `deepest` bounds the
/// distances in plies.
pub(crate) fn finish<U: Universe, W: Word>(universe: &U, words: &mut [W], deepest: u32) -> Census {
    let draws = deepest as usize + 1;
    // Segments in order hold every rank once, so each gets its own part of the words.
    let mut parts = Vec::with_capacity(universe.segments() as usize);
    let mut rest = &mut words[..];
    for segment in 0..universe.segments() {
        let (part, behind) = rest.split_at_mut(universe.segment(segment).len as usize);
        rest = behind;
        if !part.is_empty() {
            parts.push((universe.is_doubled(segment), part));
        }
    }
    let empty = || [Histogram::new(deepest), Histogram::new(deepest)];
    let [single, doubled] = parts
        .into_par_iter()
        .fold(empty, |mut histograms, (is_doubled, part)| {
            let Histogram(counts) = &mut histograms[usize::from(is_doubled)];
            for word in part {
                let code = word.code();
                if code <= deepest {
                    counts[code as usize] += 1;
                } else if code == W::HOLE {
                    *word = W::from_code(W::WIDTH.hole());
                } else {
                    counts[draws] += 1;
                    *word = W::from_code(W::WIDTH.draw());
                }
            }
            histograms
        })
        .reduce(empty, |[a, b], [c, d]| [a.add(&c), b.add(&d)]);
    let mut own_images = Histogram::new(deepest);
    universe.for_each_self_image(|rank| {
        let code = words[rank as usize].code();
        let place = if code <= deepest {
            code as usize
        } else {
            draws
        };
        own_images.0[place] += 1;
    });
    let ranks = single.add(&doubled);
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
