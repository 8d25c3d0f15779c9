//! **Wording**: how values and numbers read on a terminal.

use koma_games::Category;
use koma_tables::{Probe, Reason};

use crate::ending::name;

/// `Loss in 78 plies`, `Draw`; `Win` where the distance is not known. Where check must be met, with the
/// reason: `Win, mate in 23`, `Loss, endless: sente loses by repetition`.
pub(crate) fn describe(probe: Probe) -> String {
    let category = match probe.category {
        Category::Win => "Win",
        Category::Draw => "Draw",
        Category::Loss => "Loss",
    };
    let reason = match (probe.reason, probe.plies) {
        (None, None) | (Some(Reason::Draw), _) => return category.to_owned(),
        (None, Some(1)) => return format!("{category} in 1 ply"),
        (None, Some(plies)) => return format!("{category} in {plies} plies"),
        (Some(Reason::Mate), None) => "mate".to_owned(),
        (Some(Reason::Mate), Some(0)) => "mated".to_owned(),
        (Some(Reason::Mate), Some(plies)) => format!("mate in {plies}"),
        (Some(Reason::NoMoves), None | Some(0)) => "no moves".to_owned(),
        (Some(Reason::NoMoves), Some(plies)) => format!("no moves in {plies}"),
        (Some(Reason::Repetition(loser)), None) => {
            format!("endless: {} loses by repetition", name(loser))
        }
        (Some(Reason::PerpetualCheck(loser)), None) => {
            format!("endless: perpetual check by {} loses", name(loser))
        }
        (Some(Reason::Repetition(loser)), Some(_)) => {
            format!("repetition: {} loses", name(loser))
        }
        (Some(Reason::PerpetualCheck(loser)), Some(_)) => {
            format!("perpetual check: {} loses", name(loser))
        }
    };
    format!("{category}, {reason}")
}

/// What a move is worth to the side that makes it, given what is known of the position after it.
pub(crate) fn before(after: Probe) -> Probe {
    after.one_ply_earlier()
}

/// A number with a comma between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `12.3 %` of a whole.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Bytes in the unit that suits them.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match UNITS.into_iter().find(|&(_, unit)| bytes >= unit) {
        Some((name, unit)) => format!("{:.2} {name}", bytes as f64 / unit as f64),
        None => format!("{bytes} bytes"),
    }
}

/// Bytes in GiB, few ones in the unit that suits them.
pub(crate) fn gibibytes(number: u64) -> String {
    let gibibytes = number as f64 / f64::from(1u32 << 30);
    if gibibytes < 0.01 {
        bytes(number)
    } else {
        format!("{gibibytes:.2} GiB")
    }
}

#[cfg(test)]
mod tests {
    use koma_games::{Color, Value, Winner};

    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(249_442_767), "249,442,767");
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(3 << 19), "1.50 MiB");
        assert_eq!(gibibytes(3 << 19), "1.50 MiB");
        assert_eq!(gibibytes(3 << 28), "0.75 GiB");
    }

    #[test]
    fn values_read_well() {
        assert_eq!(describe(Value::Win(1).into()), "Win in 1 ply");
        assert_eq!(describe(Value::Loss(78).into()), "Loss in 78 plies");
        assert_eq!(describe(Value::Draw.into()), "Draw");
        assert_eq!(describe(before(Value::Win(75).into())), "Loss in 76 plies");
        let with = |value: Value, reason| {
            describe(Probe {
                reason: Some(reason),
                ..value.into()
            })
        };
        assert_eq!(with(Value::Win(23), Reason::Mate), "Win, mate in 23");
        assert_eq!(with(Value::Loss(0), Reason::Mate), "Loss, mated");
        assert_eq!(with(Value::Loss(0), Reason::NoMoves), "Loss, no moves");
        assert_eq!(with(Value::Draw, Reason::Draw), "Draw");
        let (lost, won) = (Winner::Other, Winner::Mover);
        assert_eq!(
            with(Value::Endless(lost), Reason::Repetition(Color::Sente)),
            "Loss, endless: sente loses by repetition"
        );
        assert_eq!(
            with(Value::Endless(won), Reason::PerpetualCheck(Color::Gote)),
            "Win, endless: perpetual check by gote loses"
        );
    }
}
