//! An **attractor**: all nodes of a part of a game from which a player can force play to some of them.
//!
//! It is found step by step: a node of the player is taken if one of its moves leads to a taken one, a
//! node of the opponent if all do that it has in this part of the game. Its moves are counted when it is
//! first met, and counted down from then on. An attractor is one set whatever the order in which its
//! nodes are found, so threads can't matter.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use koma_games::{Color, Universe};
use rayon::prelude::*;

use crate::backward::for_each_before;
use crate::parity::{GOTE, LISTED, PART, ParityGame, SEED, winner_bit};
use crate::prefetch::prefetch;
use crate::retrograde::SolveError;

/// What an attractor does.
#[derive(Clone, Copy)]
pub(crate) struct Attractor {
    /// Who forces play into it.
    pub(crate) player: Color,
    /// The state, but for the winner, of nodes that it may take.
    pub(crate) free: u8,
    /// The state that it gives them.
    pub(crate) taken: u8,
}

impl Attractor {
    /// The state, but for the winner, of the nodes that it starts from.
    fn seed(&self) -> u8 {
        self.taken | SEED
    }
}

/// Where an attractor starts.
pub(crate) enum Origin {
    /// From so many seeds.
    Seeds(u64),
    /// From the free ones of these nodes whose moves lead to taken ones.
    Listed(Vec<u64>),
}

/// What a step of an attractor finds, as twice the rank and the color to move.
#[derive(Default)]
struct Found {
    /// Nodes to be taken.
    taken: Vec<u64>,
    /// Nodes to be looked at.
    listed: Vec<u64>,
}

impl Found {
    fn listed(listed: Vec<u64>) -> Found {
        Found {
            listed,
            taken: Vec::new(),
        }
    }

    fn joined(mut self, mut other: Found) -> Found {
        self.taken.append(&mut other.taken);
        self.listed.append(&mut other.listed);
        self
    }
}

/// Where there are fewer free nodes than one for so many sources, their moves are looked at instead of
/// those that lead to the sources: a move forward takes longer than one of many backward.
const WORTH_LOOKING_AHEAD: u64 = 8;

/// Where there are fewer free nodes than this for one that has been looked at, the moves of all nodes of the
/// opponent are counted together, backward from the free nodes, and none is looked at any more: a move
/// backward takes a small part of the time of one forward.
const WORTH_COUNTING: u64 = 48;

/// Moves that are not counted: of a node of the player, or too many.
const UNCOUNTED: u16 = u16::MAX;

/// The color to move at a node.
fn color_of(node: u64) -> Color {
    Color::BOTH[(node % 2) as usize]
}

impl<U: Universe> ParityGame<'_, U> {
    /// Takes every free node from which the player can force play to taken ones, given how many free
    /// ones there are; returns how many are left.
    pub(crate) fn attract(
        &self,
        attractor: Attractor,
        origin: Origin,
        free: u64,
    ) -> Result<u64, SolveError> {
        self.forget_counts();
        let mut free = free;
        let mut frontier = Vec::new();
        let (mut sources, mut first) = match origin {
            Origin::Seeds(seeds) => (seeds, None),
            Origin::Listed(nodes) => (nodes.len() as u64, Some(Found::listed(nodes))),
        };
        // Nodes that have been looked at, or are seeds: their moves come from about as many.
        let mut met = if first.is_none() { sources } else { 0 };
        while sources > 0 && free > 0 {
            let found = match first.take() {
                Some(found) => found,
                // All counts are made anew, without the sources that are passed over.
                None if sources / WORTH_LOOKING_AHEAD > free => {
                    Found::listed(self.all_free(attractor))
                }
                None if free / WORTH_COUNTING < met => {
                    met = 0;
                    self.counted(attractor, &frontier)
                }
                None => self.before_newest(attractor, &frontier, &Color::BOTH),
            };
            met += found.listed.len() as u64;
            frontier = self.take(attractor, found);
            // Predecessors are found segment by segment.
            frontier.par_sort_unstable();
            sources = frontier.len() as u64;
            free -= sources;
            if self.progress.interrupted() {
                return Err(SolveError::Interrupted);
            }
        }
        Ok(free)
    }

    fn forget_counts(&self) {
        let counters = self.counters.par_chunks(PART);
        counters.for_each(|counters| {
            counters
                .iter()
                .for_each(|counter| counter.store(0, Relaxed))
        });
    }

    /// Takes what is to be taken, and of the others those that must be; lists all of them.
    fn take(&self, attractor: Attractor, found: Found) -> Vec<u64> {
        // First all are looked at, then changed: so every count is of the same nodes, and those that are
        // taken now are still to be counted down.
        let counts: Vec<u16> = found
            .listed
            .par_iter()
            .with_min_len(PART)
            .map(|&node| self.look_ahead(attractor, node))
            .collect();
        let taken = attractor.taken | winner_bit(attractor.player);
        let place = |node: u64| {
            let number = self.residue.number(node / 2);
            2 * number.expect("a node of the residue") + (node % 2) as usize
        };
        let forced = found.listed.into_par_iter().zip(counts);
        let forced = forced.with_min_len(PART).filter_map(|(node, count)| {
            let place = place(node);
            if count == 0 {
                self.states[place].store(taken, Relaxed);
                return Some(node);
            }
            let count = if count == UNCOUNTED { 0 } else { count };
            self.counters[place].store(count, Relaxed);
            self.states[place].fetch_and(!LISTED, Relaxed);
            None
        });
        let mut all: Vec<u64> = forced.collect();
        let others = found.taken.par_iter().with_min_len(PART);
        others.for_each(|&node| self.states[place(node)].store(taken, Relaxed));
        all.extend(found.taken);
        all
    }

    /// How many moves of a node lead to free ones, as far as it matters: 0 if the node must be taken.
    fn look_ahead(&self, attractor: Attractor, node: u64) -> u16 {
        if self.progress.interrupted() {
            return UNCOUNTED;
        }
        let (rank, color) = (node / 2, color_of(node));
        let mut leads_in = false;
        let mut moves = 0u16;
        self.universe.successors(rank, |target| {
            if let Some(number) = self.residue.number(target) {
                let state = self.state(number, color.opponent());
                leads_in |= state & !SEED == attractor.taken;
                moves = moves.saturating_add(u16::from(state == attractor.free));
            }
        });
        match (color == attractor.player, leads_in) {
            (true, true) => 0,
            (true, false) => UNCOUNTED,
            (false, true) => moves,
            // What no move leads in is not met, but among all that are free.
            (false, false) => moves.max(1),
        }
    }

    /// Counts the moves to free nodes of all nodes of the opponent; lists those to be taken that have none,
    /// and those of the player with a move to the newest nodes.
    fn counted(&self, attractor: Attractor, frontier: &[u64]) -> Found {
        let (player, opponent) = (attractor.player, attractor.player.opponent());
        self.forget_counts();
        // No counter stays wrong: with more moves than one holds, nodes are looked at one by one.
        let too_many = AtomicBool::new(false);
        self.residue.parts().for_each(|part| {
            if self.progress.interrupted() {
                return;
            }
            let ranks: Vec<u64> = part
                .filter(|&(_, number)| self.state(number, player) == attractor.free)
                .map(|(rank, _)| rank)
                .collect();
            for_each_before(self.universe, self.residue, &ranks, |sources| {
                for source in sources {
                    prefetch(&self.counters, 2 * source.number);
                }
                for source in sources {
                    let counter = &self.counters[2 * source.number + opponent.index()];
                    if counter.fetch_add(1, Relaxed) == u16::MAX {
                        too_many.store(true, Relaxed);
                    }
                }
            });
        });
        if too_many.into_inner() {
            self.forget_counts();
            return self.before_newest(attractor, frontier, &Color::BOTH);
        }
        let mut found = self.before_newest(attractor, frontier, &[opponent]);
        let without_moves = self.residue.parts().flat_map_iter(|part| {
            part.filter_map(|(rank, number)| {
                let is_free = self.state(number, opponent) == attractor.free;
                let has_moves = || self.counters[2 * number + opponent.index()].load(Relaxed) != 0;
                (is_free && !has_moves()).then(|| 2 * rank + opponent.index() as u64)
            })
        });
        found.taken.par_extend(without_moves);
        found
    }

    /// What is to be taken or looked at before the newest nodes, of those with these colors to move. At
    /// first these are seeds, which are not listed.
    fn before_newest(&self, attractor: Attractor, frontier: &[u64], colors: &[Color]) -> Found {
        match frontier.is_empty() {
            true => self.before_seeds(attractor, colors),
            false => self.before(attractor, frontier, colors),
        }
    }

    /// What is to be taken or looked at before seeds with these colors to move.
    fn before_seeds(&self, attractor: Attractor, colors: &[Color]) -> Found {
        let parts = self.residue.parts();
        parts
            .fold(Found::default, |mut found, part| {
                let mut ranks = [const { Vec::new() }; 2];
                for (rank, number) in part {
                    for &color in colors {
                        if self.state(number, color) == attractor.seed() {
                            ranks[color.index()].push(rank);
                        }
                    }
                }
                self.step_back(attractor, &ranks, &mut found);
                found
            })
            .reduce(Found::default, Found::joined)
    }

    /// What is to be taken or looked at before some nodes, which ascend, of those with these colors to move.
    fn before(&self, attractor: Attractor, nodes: &[u64], colors: &[Color]) -> Found {
        let parts = nodes.par_chunks(PART);
        parts
            .fold(Found::default, |mut found, nodes| {
                let ranks = Color::BOTH.map(|color| {
                    let nodes = nodes.iter();
                    nodes
                        .filter(|&node| color_of(*node) == color && colors.contains(&color))
                        .map(|node| node / 2)
                        .collect()
                });
                self.step_back(attractor, &ranks, &mut found);
                found
            })
            .reduce(Found::default, Found::joined)
    }

    /// Lists the free nodes from which moves lead to some ranks with each color to move: those of the
    /// player and those whose last free move it was to be taken, others to be looked at.
    fn step_back(&self, attractor: Attractor, ranks: &[Vec<u64>; 2], found: &mut Found) {
        if self.progress.interrupted() {
            return;
        }
        let (states, counters) = (&self.states, &self.counters);
        for color in Color::BOTH {
            let mover = color.opponent();
            let ranks = &ranks[color.index()];
            for_each_before(self.universe, self.residue, ranks, |sources| {
                for source in sources {
                    prefetch(states, 2 * source.number);
                    prefetch(counters, 2 * source.number);
                }
                for source in sources {
                    let place = 2 * source.number + mover.index();
                    let before = states[place].load(Relaxed);
                    if before & !GOTE != attractor.free {
                        continue;
                    }
                    let is_counted = counters[place].load(Relaxed) != 0;
                    if is_counted && counters[place].fetch_sub(1, Relaxed) != 1 {
                        continue;
                    }
                    let listed = before | LISTED;
                    // Another thread may have found it meanwhile.
                    let exchanged =
                        states[place].compare_exchange(before, listed, Relaxed, Relaxed);
                    if exchanged.is_ok() {
                        let takes = is_counted || mover == attractor.player;
                        let into = match takes {
                            true => &mut found.taken,
                            false => &mut found.listed,
                        };
                        into.push(2 * source.rank + mover.index() as u64);
                    }
                }
            });
        }
    }

    /// Lists every free node.
    pub(crate) fn all_free(&self, attractor: Attractor) -> Vec<u64> {
        let parts = self.residue.parts();
        parts
            .flat_map_iter(|part| {
                part.flat_map(|(rank, number)| {
                    Color::BOTH.into_iter().filter_map(move |color| {
                        let free = self.state(number, color) == attractor.free;
                        free.then(|| 2 * rank + color.index() as u64)
                    })
                })
            })
            .collect()
    }

    /// The state of a node but for its winner and whether it is listed.
    #[inline(always)]
    pub(crate) fn state(&self, number: usize, color: Color) -> u8 {
        self.states[2 * number + color.index()].load(Relaxed) & !(GOTE | LISTED)
    }
}
