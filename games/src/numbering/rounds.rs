//! **Rounds**: segments that many threads may work on at once.
//!
//! A move never moves the other royal, so the predecessors of segments of different mover's royal
//! squares differ. Those are few units, and of unequal size. Of the same royal square, two classes
//! may be worked on at once if no class leads into both by one move. So classes are colored: those
//! of one color have no target class in common, and a round is the classes of a color.

use std::ops::Range;

use super::layout::{OTHER, OUT, OWN, OWN_HAND, PROMOTED};
use super::ranked::{MAX_NUMBERED, RankedUniverse};

impl RankedUniverse {
    /// Rounds of units, each unit the stretch of one class and mover's royal square.
    pub(crate) fn rounds_of_classes(&self) -> Vec<Vec<Vec<Range<u32>>>> {
        let colors = self.color_classes();
        let count = colors.iter().max().map_or(0, |&last| last + 1);
        let mut rounds = vec![Vec::new(); count];
        for (class, &color) in colors.iter().enumerate() {
            let stretches = self
                .bundles
                .iter()
                .map(|bundle| vec![self.stretch_of(class, bundle)]);
            rounds[color].extend(stretches);
        }
        rounds
    }

    /// A color for each class, the largest classes first, each the first that is free.
    fn color_classes(&self) -> Vec<usize> {
        let before: Vec<Vec<usize>> = (0..self.classes.len())
            .map(|class| self.classes_before(class))
            .collect();
        let mut sources = vec![Vec::new(); self.classes.len()];
        for (class, targets) in before.iter().enumerate() {
            for &target in targets {
                sources[target].push(class);
            }
        }
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        order.sort_by_key(|&class| std::cmp::Reverse(self.classes[class].size));
        let mut colors = vec![None; self.classes.len()];
        for class in order {
            let neighbours = before[class].iter().flat_map(|&target| &sources[target]);
            let taken: Vec<usize> = neighbours.filter_map(|&other| colors[other]).collect();
            colors[class] = (0..).find(|color| !taken.contains(color));
        }
        colors.into_iter().flatten().collect()
    }

    /// The classes from which one move leads into a class, and some that no move leads from.
    fn classes_before(&self, class: usize) -> Vec<usize> {
        let mut layouts = [0; MAX_NUMBERED];
        for (k, kind) in self.kinds.iter().enumerate() {
            layouts[k] = kind.layouts.swapped(self.classes[class].layouts[k]);
        }
        let kinds = 0..self.kinds.len();
        let hand = if self.game().options().drops {
            OWN_HAND
        } else {
            OUT
        };
        let promotions = kinds.clone().map(|k| (k, OWN + PROMOTED, OWN));
        let captures: Vec<_> = kinds
            .clone()
            .flat_map(|k| [OTHER, OTHER + PROMOTED].map(|state| (k, hand, state)))
            .collect();
        let mut changes: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new()];
        changes.extend(promotions.map(|promotion| vec![promotion]));
        for mut with_capture in changes.clone() {
            for &capture in &captures {
                with_capture.push(capture);
                changes.push(with_capture.clone());
                with_capture.pop();
            }
        }
        changes.extend(kinds.map(|k| vec![(k, OWN, OWN_HAND)]));
        changes
            .iter()
            .filter_map(|changes| self.class_after(layouts, changes))
            .collect()
    }
}
