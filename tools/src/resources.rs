//! The **resources** that long work may take.

use clap::Args;
use koma_solver::Settings;

#[derive(Args)]
pub(crate) struct Resources {
    #[command(flatten)]
    threads: Threads,

    /// The most memory that solving may take: bytes, or a number and K, M, G or T (powers of 1024)
    /// [default: what there is]
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    memory: Option<u64>,
}

#[derive(Args)]
pub(crate) struct Threads {
    /// Threads to use [default: as many as there are processors]
    #[arg(long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    count: Option<u16>,
}

impl Threads {
    /// Threads to use; `None` for all processors.
    pub(crate) fn count(&self) -> Option<usize> {
        self.count.map(usize::from)
    }
}

impl Resources {
    /// Threads to use; `None` for all processors.
    pub(crate) fn threads(&self) -> Option<usize> {
        self.threads.count()
    }

    /// How to solve.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            threads: self.threads(),
            memory: self.memory,
            ..Settings::default()
        }
    }
}

/// A number of bytes: `600M`, `1.5G`, `2GiB`, `1000000`.
pub(crate) fn read_size(text: &str) -> Result<u64, String> {
    const UNITS: [(char, i32); 4] = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let plain = text.strip_suffix("iB").unwrap_or(text);
    let (number, shift) = UNITS
        .into_iter()
        .find_map(|(unit, shift)| {
            let number = plain.strip_suffix([unit, unit.to_ascii_lowercase()])?;
            Some((number, shift))
        })
        .unwrap_or((text, 0));
    let digits = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    number
        .parse::<f64>()
        .ok()
        .filter(|_| digits)
        .map(|number| number * 2f64.powi(shift))
        .filter(|bytes| (1.0..2f64.powi(63)).contains(bytes))
        .map(|bytes| bytes as u64)
        .ok_or_else(|| "a size is a number of bytes, or a number and K, M, G or T".to_owned())
}

#[cfg(test)]
mod tests {
    use super::read_size;

    #[test]
    fn sizes_are_powers_of_1024() {
        assert_eq!(read_size("1000000"), Ok(1_000_000));
        assert_eq!(read_size("600M"), Ok(600 << 20));
        assert_eq!(read_size("1.5g"), Ok(3 << 29));
        assert_eq!(read_size("2GiB"), Ok(2 << 30));
        for wrong in [
            "",
            "M",
            "-1",
            "0",
            "1GB",
            "1e9",
            "inf",
            "1 G",
            "１G",
            "99999999T",
            "iB",
        ] {
            assert!(read_size(wrong).is_err(), "{wrong}");
        }
    }
}
