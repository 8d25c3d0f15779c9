//! Looking one move **ahead**, over and over until nothing changes.

use crate::naive::Value;

/// Where the moves of every place lead, the places one after another.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    targets: Vec<u32>,
    /// Behind the last move of each place.
    ends: Vec<u32>,
}

impl Moves {
    /// Adds a move of the place after those that have [ended](Moves::end).
    pub(crate) fn push(&mut self, target: u32) {
        self.targets.push(target);
    }

    /// The place has no more moves.
    pub(crate) fn end(&mut self) {
        let end = u32::try_from(self.targets.len()).expect("fewer than 2^32 moves");
        self.ends.push(end);
    }

    pub(crate) fn places(&self) -> usize {
        self.ends.len()
    }

    /// Where the moves of a place lead.
    pub(crate) fn of(&self, place: u32) -> &[u32] {
        let place = place as usize;
        let first = match place {
            0 => 0,
            _ => self.ends[place - 1],
        };
        &self.targets[first as usize..self.ends[place] as usize]
    }
}

/// Finds the value of every place that has moves, given the others'; at first all of those are draws.
///
/// After the n-th round every win and loss in n plies is known, and everything else still counts as a
/// draw.
pub(crate) fn look_ahead(values: &mut [Value], moves: &Moves) {
    let mut open: Vec<u32> = (0..moves.places() as u32)
        .filter(|&place| !moves.of(place).is_empty())
        .collect();
    for plies in 1.. {
        let decided: Vec<(u32, Value)> = open
            .iter()
            .filter_map(|&place| Some((place, decided(moves.of(place), values, plies)?)))
            .collect();
        if decided.is_empty() {
            return;
        }
        for (place, value) in decided {
            values[place as usize] = value;
        }
        open.retain(|&place| values[place as usize] == Value::Draw);
    }
}

/// Whether a place is won or lost in so many plies, as it was in no fewer.
fn decided(targets: &[u32], values: &[Value], plies: u32) -> Option<Value> {
    let mut all_win = true;
    for &target in targets {
        match values[target as usize] {
            Value::Loss(_) => return Some(Value::Win(plies)),
            Value::Draw => all_win = false,
            Value::Win(_) => {}
        }
    }
    all_win.then_some(Value::Loss(plies))
}
