//! **Naive hasami**: a slow and obvious second implementation of hasami shogi.
//!
//! It shares no code with the library: a board is a row of letters, captures are looked for square by
//! square, and values come from looking one move ahead over and over until nothing changes. Positions
//! have no side: the mover's men are `X`, the other side's `o`, and after a move the letters change.

mod board;
mod captures;
mod game;
mod solve;

pub use game::{HasamiMove, Lead, NaiveHasami};

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use super::*;
    use crate::naive::Value;
    use crate::{oracle, parallel};

    /// All three files, row by row: about 12 s of processor time, half of it for 4x4 with four men a
    /// side.
    #[test]
    fn oracles_agree() {
        let mut rule_sets: BTreeMap<Vec<&str>, Facts> = BTreeMap::new();
        for row in oracle::rows(oracle::HASAMI_SMALL) {
            let facts = rule_sets.entry(row[..7].to_vec()).or_default();
            assert_eq!(facts.counts, [""; 0], "{row:?}");
            facts.counts = row[7..].to_vec();
        }
        assert_eq!(rule_sets.len(), 40);
        for row in oracle::rows(oracle::HASAMI_HISTOGRAMS) {
            rule_sets.get_mut(&row[..7]).unwrap().histogram = row[7];
        }
        for row in oracle::rows(oracle::HASAMI_POSITIONS) {
            let facts = rule_sets.get_mut(&row[..7]).unwrap();
            facts.positions.push(row[7..].to_vec());
        }
        let mut rule_sets: Vec<(Vec<&str>, Facts)> = rule_sets.into_iter().collect();
        // The larger ones first, so that no thread is left with them in the end.
        rule_sets.sort_by_key(|(_, facts)| {
            let positions: u64 = facts.counts[0].parse().unwrap();
            std::cmp::Reverse(positions)
        });
        parallel::for_each(rule_sets, |(rules, facts)| compare(&rules, &facts));
    }

    /// What the oracles say of a board and its rules: columns of their files.
    #[derive(Default)]
    struct Facts {
        counts: Vec<&'static str>,
        histogram: &'static str,
        positions: Vec<Vec<&'static str>>,
    }

    fn game(rules: &[&str]) -> NaiveHasami {
        let (width, height) = rules[0].split_once('x').unwrap();
        let lead = (rules[3] != "-").then(|| Lead {
            by: rules[3].parse().unwrap(),
            reply: true,
        });
        NaiveHasami {
            width: width.parse().unwrap(),
            height: height.parse().unwrap(),
            men: rules[1].parse().unwrap(),
            lose_at: rules[2].parse().unwrap(),
            lead,
            corner: rules[4] == "1",
            edge: rules[5] == "1",
            corner_anchor: rules[6] == "1",
        }
    }

    fn compare(rules: &[&str], facts: &Facts) {
        let values = game(rules).solve();
        compare_counts(rules, &values, &facts.counts);
        assert_eq!(counted(&values), histogram(facts.histogram), "{rules:?}");
        assert_eq!(facts.positions.len(), 60, "{rules:?}");
        for position in &facts.positions {
            let plies = || position[2].parse().unwrap();
            let expected = match position[1] {
                "W" => Value::Win(plies()),
                "L" => Value::Loss(plies()),
                "D" => Value::Draw,
                other => panic!("{other}"),
            };
            assert_eq!(values[position[0]], expected, "{rules:?} {}", position[0]);
        }
    }

    fn compare_counts(rules: &[&str], values: &HashMap<String, Value>, counts: &[&str]) {
        let mut found = [0u64; 4];
        let [mut deepest_win, mut deepest_loss] = [0; 2];
        let [mut wins_in_one, mut immobile] = [0u64; 2];
        for value in values.values() {
            found[0] += 1;
            match *value {
                Value::Win(plies) => {
                    found[1] += 1;
                    deepest_win = deepest_win.max(plies);
                    wins_in_one += u64::from(plies == 1);
                }
                Value::Draw => found[2] += 1,
                Value::Loss(plies) => {
                    found[3] += 1;
                    deepest_loss = deepest_loss.max(plies);
                    immobile += u64::from(plies == 0);
                }
            }
        }
        let columns: Vec<u64> = counts[..8]
            .iter()
            .map(|column| column.parse().unwrap())
            .collect();
        assert_eq!(columns[..4], found, "{rules:?}");
        let depths = [deepest_win, deepest_loss].map(u64::from);
        assert_eq!(columns[4..6], depths, "{rules:?}");
        assert_eq!(columns[6..], [wins_in_one, immobile], "{rules:?}");
        for start in counts[8].split(';') {
            let (name, start) = start.split_once(':').unwrap();
            let (position, expected) = start.split_once('=').unwrap();
            assert_eq!(written(values[position]), expected, "{rules:?} {name}");
        }
    }

    /// How many placements have which value: `L0:16 D:7639 W1:4676` in any order.
    fn histogram(text: &str) -> BTreeMap<String, u64> {
        let entries = text.split(' ').map(|entry| {
            let (value, count) = entry.split_once(':').unwrap();
            (value.to_owned(), count.parse().unwrap())
        });
        entries.collect()
    }

    fn counted(values: &HashMap<String, Value>) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for value in values.values() {
            *counts.entry(written(*value)).or_default() += 1;
        }
        counts
    }

    fn written(value: Value) -> String {
        match value {
            Value::Win(plies) => format!("W{plies}"),
            Value::Draw => "D".to_owned(),
            Value::Loss(plies) => format!("L{plies}"),
        }
    }

    /// Cases 101 and 103: leads, with a reply and without, and a side that can't move.
    #[test]
    fn cases_101_and_103() {
        let game = |by, reply| NaiveHasami {
            width: 3,
            height: 3,
            men: 2,
            lose_at: 0,
            lead: Some(Lead { by, reply }),
            corner: false,
            edge: false,
            corner_anchor: true,
        };
        for reply in [true, false] {
            assert_eq!(game(1, reply).over("X../..X/..o"), Some(Value::Win(0)));
            assert_eq!(game(2, reply).over("X../..X/..o"), None);
            assert_eq!(game(2, reply).over("Xo./o../..."), Some(Value::Loss(0)));
        }
        // The side that leads by a capture waits for one reply, or does not.
        assert_eq!(game(1, true).over("o../..o/..X"), None);
        assert_eq!(game(1, false).over("o../..o/..X"), Some(Value::Loss(0)));
        let takes_one = "Xo./..X/..o";
        assert_eq!(game(1, true).solve()[takes_one], Value::Win(2));
        assert_eq!(game(1, false).solve()[takes_one], Value::Win(1));
        // The last capture that the game is about wins before any reply.
        let to_the_last_but_one = NaiveHasami {
            lose_at: 1,
            ..game(1, true)
        };
        assert_eq!(to_the_last_but_one.solve()[takes_one], Value::Win(1));
    }
}
