//! A **strength**: how far ahead the table's player sees.

use std::fmt;
use std::str::FromStr;

use fastrand::Rng;
use koma_games::Value;
use koma_tables::Probe;

use crate::wording::before;

/// What the strengths are, for help texts.
pub(crate) const HELP: &str = "  0, random  plays any legal move
  N          sees the wins and losses that perfect play forces within N plies, and nothing beyond:
             plays the shortest win it sees, else a move after which it sees no loss, else the
             longest loss. 1 takes the lion or tries where it can; 2 also sees that the other
             side could do so next; and so on
  perfect    sees everything: plays the shortest win, else keeps the draw, else the longest loss
Among moves that look alike to it, it plays each with the same probability.";

/// How far ahead the table's player sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// What is forced within so many plies.
    Plies(u32),
    /// Everything.
    Perfect,
}

impl Strength {
    /// One of the moves that look best, each with the same probability. `None` if there are none.
    pub(crate) fn choose<M: Copy>(
        self,
        moves: &[M],
        probe: impl Fn(&M) -> Probe,
        random: &mut Rng,
    ) -> Option<M> {
        let looks = |after: &M| self.look(before(probe(after)));
        let best = moves.iter().map(looks).max()?;
        let alike: Vec<M> = moves
            .iter()
            .copied()
            .filter(|after| looks(after) == best)
            .collect();
        random.choice(alike)
    }

    /// What a move looks like that is worth this much: more is better.
    fn look(self, worth: Probe) -> i64 {
        match self {
            // Endless play and what ends at an unknown distance are beyond any sight.
            Strength::Plies(sight) if worth.plies.is_none_or(|plies| plies > sight) => {
                Value::Draw.preference()
            }
            _ => worth.preference(),
        }
    }
}

impl FromStr for Strength {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Strength, &'static str> {
        match text {
            "random" => Ok(Strength::Plies(0)),
            "perfect" => Ok(Strength::Perfect),
            _ => text
                .parse()
                .map(Strength::Plies)
                .map_err(|_| "a strength is `random`, a number of plies, or `perfect`"),
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strength::Plies(0) => f.write_str("random"),
            Strength::Plies(1) => f.write_str("sees 1 ply ahead"),
            Strength::Plies(sight) => write!(f, "sees {sight} plies ahead"),
            Strength::Perfect => f.write_str("perfect"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(strength: &str, worth: Value) -> i64 {
        strength.parse::<Strength>().unwrap().look(worth.into())
    }

    #[test]
    fn nothing_is_seen_beyond_the_plies() {
        assert_eq!(look("random", Value::Win(1)), look("0", Value::Loss(2)));
        assert!(look("1", Value::Win(1)) > look("1", Value::Draw));
        assert_eq!(look("1", Value::Loss(2)), look("1", Value::Draw));
        assert!(look("2", Value::Loss(2)) < look("2", Value::Loss(4)));
        assert_eq!(look("2", Value::Loss(4)), look("2", Value::Win(3)));
        assert!(look("3", Value::Win(1)) > look("3", Value::Win(3)));
    }

    #[test]
    fn everything_is_seen_by_the_perfect() {
        let order = [
            Value::Win(1),
            Value::Win(173),
            Value::Draw,
            Value::Loss(172),
            Value::Loss(2),
        ];
        let looks = order.map(|value| look("perfect", value));
        assert!(looks.is_sorted_by(|a, b| a > b), "{looks:?}");
    }

    #[test]
    fn strengths_read_well() {
        for (text, shown) in [
            ("random", "random"),
            ("0", "random"),
            ("1", "sees 1 ply ahead"),
            ("7", "sees 7 plies ahead"),
            ("perfect", "perfect"),
        ] {
            assert_eq!(text.parse::<Strength>().unwrap().to_string(), shown);
        }
        assert!("best".parse::<Strength>().is_err());
        assert!("-1".parse::<Strength>().is_err());
    }
}
