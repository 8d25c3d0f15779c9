//! A range of **plies**, as options have it: `12`, `10..20`, `100..` or `..5`.

use std::str::FromStr;

use anyhow::{Context, anyhow};

/// Numbers of plies from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plies {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Plies {
    pub(crate) fn contains(self, plies: u32) -> bool {
        (self.from..=self.to).contains(&plies)
    }
}

impl FromStr for Plies {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Plies> {
        let number = |text: &str, open: u32| -> anyhow::Result<u32> {
            if text.is_empty() {
                return Ok(open);
            }
            text.parse()
                .with_context(|| format!("`{text}` is no number of plies"))
        };
        let plies = match text.split_once("..") {
            None => {
                let plies = text
                    .parse()
                    .with_context(|| format!("`{text}` is no number of plies and no range"))?;
                Plies {
                    from: plies,
                    to: plies,
                }
            }
            Some((from, to)) => Plies {
                from: number(from, 0)?,
                to: number(to, u32::MAX)?,
            },
        };
        if plies.from > plies.to {
            return Err(anyhow!("the range is empty"));
        }
        Ok(plies)
    }
}

#[cfg(test)]
mod tests {
    use super::Plies;

    #[test]
    fn ranges_include_their_ends() {
        for (text, from, to) in [
            ("12", 12, 12),
            ("10..20", 10, 20),
            ("100..", 100, u32::MAX),
            ("..5", 0, 5),
            ("..", 0, u32::MAX),
        ] {
            assert_eq!(text.parse::<Plies>().unwrap(), Plies { from, to }, "{text}");
        }
        for wrong in ["", "x", "3..x", "9..3", "1..=3", "-1", "3...5"] {
            assert!(wrong.parse::<Plies>().is_err(), "{wrong}");
        }
    }
}
