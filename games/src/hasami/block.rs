//! A **block**: the positions in which the other side's men stand on the squares of one folded set.
//!
//! Which captures there are depends on where those men stand, so the ways to capture are found once
//! for the block. A bit of a word stands for each; every square says by a word for which of them it
//! is where a man must stand, and for which it is where a man must come to.

use crate::layered::{Block, Successor};

use super::captures::Pattern;
use super::combinations::{Combinations, MAX_MEN};
use super::folding::Folded;
use super::grid::{MAX_SQUARES, Squares, each, one};
use super::lines::Occupied;
use super::position::Position;
use super::universe::{Tables, Universe};

/// A square that is not free.
const TAKEN: u8 = u8::MAX;

/// A block of a universe.
#[derive(Debug)]
pub struct MenBlock<'u> {
    universe: &'u Universe,
    tables: &'u Tables,
    combinations: &'u Combinations,
    layer: usize,
    /// Own and other men.
    counts: [u8; 2],
    block: u32,
    /// Where the other side's men stand.
    other: Folded,
    others: [u8; MAX_MEN],
    /// The free squares in ascending order, and the place of each square among them.
    free: [u8; MAX_SQUARES],
    place: [u8; MAX_SQUARES],
    occupied: Occupied,
    patterns: Vec<Pattern>,
    /// By square: the patterns for which a man must stand there, and those for which one must come.
    needed: [u64; MAX_SQUARES],
    arriving: [u64; MAX_SQUARES],
    /// The patterns that need several men to stand.
    wide: u64,
}

impl<'u> MenBlock<'u> {
    pub(crate) fn new(universe: &'u Universe, layer: usize, block: u32) -> MenBlock<'u> {
        let tables = universe.tables();
        let counts = universe.counts(layer);
        let other = tables.folding(usize::from(counts[1])).folded(block);
        let mut new = MenBlock {
            universe,
            tables,
            combinations: tables.combinations(layer),
            layer,
            counts,
            block,
            other,
            others: [0; MAX_MEN],
            free: [0; MAX_SQUARES],
            place: [TAKEN; MAX_SQUARES],
            occupied: Occupied::default(),
            patterns: universe.game().captures().patterns(other.squares),
            needed: [0; MAX_SQUARES],
            arriving: [0; MAX_SQUARES],
            wide: 0,
        };
        for (man, square) in each(other.squares).enumerate() {
            new.others[man] = square;
            let (file, rank) = tables.places[usize::from(square)];
            new.occupied.flip(file, rank);
        }
        let mut free = 0;
        for square in 0..universe.game().grid().squares() {
            if other.squares & one(square) == 0 {
                new.free[usize::from(free)] = square;
                new.place[usize::from(square)] = free;
                free += 1;
            }
        }
        assert!(
            new.patterns.len() <= 64,
            "sets with more patterns are too many to be numbered"
        );
        for (index, pattern) in new.patterns.iter().enumerate() {
            new.arriving[usize::from(pattern.to)] |= 1 << index;
            if pattern.needed.count_ones() == 1 {
                new.needed[pattern.needed.trailing_zeros() as usize] |= 1 << index;
            } else {
                new.wide |= 1 << index;
            }
        }
        new
    }

    /// The squares of the own men of an offset, in ascending order.
    #[inline(always)]
    fn own(&self, offset: u32) -> ([u8; MAX_MEN], usize) {
        self.squares(self.combinations.get(offset))
    }

    #[inline(always)]
    fn squares(&self, places: &[u8]) -> ([u8; MAX_MEN], usize) {
        let mut squares = [0; MAX_MEN];
        let count = places.len().min(MAX_MEN);
        for man in 0..count {
            squares[man] = self.free[usize::from(places[man])];
        }
        (squares, count)
    }

    /// The position of an offset, with sente to move.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let (squares, count) = self.own(offset);
        Position::of_mover(set(&squares[..count]), self.other.squares)
    }

    /// Whether a man that has come to a square takes something, given what the own men are needed
    /// for.
    #[inline(always)]
    fn captures(&self, own: &[u8], needed: u64, to: u8) -> bool {
        let arriving = self.arriving[usize::from(to)];
        if arriving & needed != 0 {
            return true;
        }
        arriving & self.wide != 0 && self.captures_wide(own, arriving & self.wide)
    }

    #[cold]
    fn captures_wide(&self, own: &[u8], patterns: u64) -> bool {
        let own = set(own);
        bits(patterns).any(|pattern| self.patterns[pattern].needed & !own == 0)
    }

    /// Appends what the captures of a position lead to, for which these patterns may hold, and gives
    /// their number.
    fn append_captures(
        &self,
        own: &[u8],
        occupied: &Occupied,
        patterns: u64,
        out: &mut Vec<Successor>,
    ) -> u32 {
        let men = set(own);
        let mut found = 0;
        let mut rest = patterns;
        while rest != 0 {
            let to = self.patterns[rest.trailing_zeros() as usize].to;
            let arriving = self.arriving[usize::from(to)];
            rest &= !arriving;
            let (to_file, to_rank) = self.tables.places[usize::from(to)];
            for man in 0..own.len() {
                let from = own[man];
                let (file, rank) = self.tables.places[usize::from(from)];
                let lines = &self.tables.lines;
                let reaches = if rank == to_rank {
                    let line = occupied.ranks[usize::from(rank)];
                    lines.along_rank.squares(file, line) >> to_file & 1 != 0
                } else {
                    let line = occupied.files[usize::from(file)];
                    file == to_file && lines.along_file.squares(rank, line) >> to_rank & 1 != 0
                };
                if !reaches {
                    continue;
                }
                let standing = men & !one(from);
                let taken = bits(patterns & arriving)
                    .map(|pattern| self.patterns[pattern])
                    .filter(|pattern| pattern.needed & !standing == 0)
                    .fold(0, |taken, pattern| taken | pattern.taken);
                if taken != 0 {
                    found += 1;
                    out.push(self.after(&moved(own, man, to)[..own.len()], taken));
                }
            }
        }
        found
    }

    /// What a move leads to that takes these men; `own` after the move, in ascending order.
    fn after(&self, own: &[u8], taken: Squares) -> Successor {
        let rules = self.universe.game().rules();
        let left = self.counts[1] - taken.count_ones() as u8;
        let leads = rules
            .lead
            .is_some_and(|lead| !rules.lead_reply && self.counts[0] >= left.saturating_add(lead));
        if left <= rules.lost_at() || leads {
            return Successor::Won;
        }
        let mut others = [0; MAX_MEN];
        let mut count = 0;
        for &square in &self.others[..usize::from(self.counts[1])] {
            others[count] = square;
            count += usize::from(taken & one(square) == 0);
        }
        let layer = self.universe.layer(left, self.counts[0]);
        let layer = layer.expect("captures stay in the universe");
        Successor::Captured(self.universe.rank_of(layer, &others[..count], own))
    }
}

/// The squares of own men after one of them has moved, in ascending order.
#[inline(always)]
fn moved(own: &[u8], man: usize, to: u8) -> [u8; MAX_MEN] {
    let mut squares = [0; MAX_MEN];
    let mut place = 0;
    let mut come = false;
    for (other, &square) in own.iter().enumerate() {
        if other == man {
            continue;
        }
        if !come && to < square {
            squares[place] = to;
            place += 1;
            come = true;
        }
        squares[place] = square;
        place += 1;
    }
    if !come {
        squares[place] = to;
    }
    squares
}

#[inline(always)]
fn set(squares: &[u8]) -> Squares {
    squares.iter().fold(0, |set, &square| set | one(square))
}

/// The bits of a word.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word.wrapping_sub(1);
            bit
        })
    })
}

impl Block for MenBlock<'_> {
    #[inline(always)]
    fn for_each_start(&self, mut emit: impl FnMut(u32, u32, &[Successor])) {
        let lines = &self.tables.lines;
        let mut captures = Vec::new();
        let mut offset = 0u32;
        for places in self.combinations.iter() {
            let (own, count) = self.squares(places);
            let own = &own[..count];
            let mut occupied = self.occupied;
            let (mut needed, mut standing) = (self.wide, 0);
            for &square in own {
                let (file, rank) = self.tables.places[usize::from(square)];
                occupied.flip(file, rank);
                needed |= self.needed[usize::from(square)];
                standing |= self.arriving[usize::from(square)];
            }
            let mut moves = 0u32;
            for &square in own {
                let (file, rank) = self.tables.places[usize::from(square)];
                let along_rank = occupied.ranks[usize::from(rank)];
                let along_file = occupied.files[usize::from(file)];
                moves = moves
                    .wrapping_add(lines.along_rank.count(file, along_rank))
                    .wrapping_add(lines.along_file.count(rank, along_file));
            }
            let patterns = needed & !standing;
            captures.clear();
            if patterns != 0 {
                moves -= self.append_captures(own, &occupied, patterns, &mut captures);
            }
            emit(offset, moves, &captures);
            offset = offset.wrapping_add(1);
        }
    }

    #[inline(always)]
    fn opposites(&self, offset: u32, mut emit: impl FnMut(u32, u32)) {
        let (own, count) = self.own(offset);
        let folding = self.tables.folding(count);
        let (block, symmetry) = folding.fold(self.tables.binomials.rank(&own[..count]));
        let folded = folding.folded(block);
        let symmetries = &self.tables.symmetries;
        let others = &self.others[..usize::from(self.counts[1])];
        for further in bits(folded.stabilizer.into()) {
            let symmetry = symmetries.products[further][usize::from(symmetry)];
            let image = symmetries.image(symmetry, others);
            let rank = self
                .tables
                .rank_among(&image[..others.len()], folded.squares);
            emit(block, rank);
        }
    }

    #[inline(always)]
    fn quiet_predecessors(&self, offset: u32, mut emit: impl FnMut(u32)) {
        let places = self.combinations.get(offset);
        let (own, count) = self.squares(places);
        let own = &own[..count];
        let mut occupied = self.occupied;
        let mut needed = 0;
        for &square in own {
            let (file, rank) = self.tables.places[usize::from(square)];
            occupied.flip(file, rank);
            needed |= self.needed[usize::from(square)];
        }
        let binomials = &self.tables.binomials;
        let width = self.universe.game().grid().width();
        for man in 0..count {
            if self.captures(own, needed, own[man]) {
                continue;
            }
            // What the others add to the rank, by how many of them stand below the man.
            let mut others = [0u8; MAX_MEN];
            let mut sums = [0u32; MAX_MEN];
            let rest = count - 1;
            let mut sum = 0u32;
            for (place, other) in (0..count).filter(|&other| other != man).enumerate() {
                others[place] = places[other];
                sum = sum.wrapping_add(binomials.term(place + 1, places[other]));
            }
            for place in 0..rest {
                sums[place] = sum;
                sum = sum
                    .wrapping_sub(binomials.term(place + 1, others[place]))
                    .wrapping_add(binomials.term(place, others[place]));
            }
            sums[rest] = sum;
            let mut come_from = |square: u8| {
                let from = self.place[usize::from(square)];
                let mut below = 0;
                for &other in &others[..rest] {
                    below += usize::from(other < from);
                }
                emit(sums[below].wrapping_add(binomials.term(below, from)));
            };
            let (file, rank) = self.tables.places[usize::from(own[man])];
            let lines = &self.tables.lines;
            let along_rank = occupied.ranks[usize::from(rank)];
            let first = rank.wrapping_mul(width);
            for file in bits(lines.along_rank.squares(file, along_rank).into()) {
                come_from(first.wrapping_add(file as u8));
            }
            let along_file = occupied.files[usize::from(file)];
            for rank in bits(lines.along_file.squares(rank, along_file).into()) {
                come_from((rank as u8).wrapping_mul(width).wrapping_add(file));
            }
        }
    }

    #[inline(always)]
    fn successors(&self, offset: u32, mut emit: impl FnMut(Successor)) {
        let captures = self.universe.game().captures();
        let (squares, count) = self.own(offset);
        let own = &squares[..count];
        let men = set(own);
        let occupied = men | self.other.squares;
        for man in 0..count {
            let from = one(own[man]);
            for ray in captures.rays(own[man]) {
                for &to in ray {
                    if occupied & one(to) != 0 {
                        break;
                    }
                    let after = men & !from | one(to);
                    let taken = captures.taken(after, self.other.squares, to);
                    let moved = &moved(own, man, to)[..count];
                    emit(if taken != 0 {
                        self.after(moved, taken)
                    } else {
                        Successor::Quiet(self.tables.rank_among(moved, self.other.squares))
                    });
                }
            }
        }
    }

    fn boards(&self) -> u32 {
        self.tables.symmetries.maps.len() as u32 / self.other.stabilizer.count_ones()
    }

    fn is_symmetric(&self) -> bool {
        self.other.stabilizer != 1
    }

    fn is_first(&self, offset: u32) -> bool {
        let (own, count) = self.own(offset);
        bits(self.other.stabilizer.into()).all(|symmetry| {
            let image = self.tables.symmetries.image(symmetry as u8, &own[..count]);
            let rank = self.tables.rank_among(&image[..count], self.other.squares);
            rank >= offset
        })
    }
}

impl MenBlock<'_> {
    /// The layer and the number of the block in it.
    pub fn place_in_universe(&self) -> (usize, u32) {
        (self.layer, self.block)
    }
}
