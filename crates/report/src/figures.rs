//! Numbers for people: counts, sizes, times and rates.
//!
//! Three significant digits are enough to compare two runs; exact numbers are grouped so that their magnitude
//! can be seen at a glance. JSON never passes through here.

use std::time::Duration;

/// A count with its thousands grouped: `1,234,567`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count and its noun: `1 state`, `2 states`.
#[must_use]
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// A size in binary units: `512 B`, `2.10 MiB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if n < 1024 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1024.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{} {}", three_digits(value), UNITS[unit])
}

/// A span of time: `12.3 ms`, `3.41 s`, `2 min 05 s`, `1 h 02 min`.
#[must_use]
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.9995 {
        return format!("{} ms", three_digits(seconds * 1e3));
    }
    if seconds < 60.0 {
        return format!("{} s", three_digits(seconds));
    }
    let whole = time.as_secs();
    if whole < 3600 {
        return format!("{} min {:02} s", whole / 60, whole % 60);
    }
    format!("{} h {:02} min", whole / 3600, whole % 3600 / 60)
}

/// A rate: `950`, `12.3 k`, `4.56 M`.
#[must_use]
pub fn rate(per_second: f64) -> String {
    if per_second < 999.5 {
        format!("{per_second:.0}")
    } else if per_second < 999_500.0 {
        format!("{} k", three_digits(per_second / 1e3))
    } else {
        format!("{} M", three_digits(per_second / 1e6))
    }
}

/// Three significant digits, and never fewer than the whole part has.
fn three_digits(value: f64) -> String {
    if value < 9.995 {
        format!("{value:.2}")
    } else if value < 99.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// Reads a size such as `4G`, `512M`, `1.5GiB` or `100000`, in binary units.
///
/// ```
/// assert_eq!(allways_report::parse_size("1.5G"), Ok(3 << 29));
/// assert!(allways_report::parse_size("much").is_err());
/// ```
///
/// # Errors
/// A line for people if `text` is not a positive size.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let bad = || format!("'{text}' is not a size; write a number with K, M, G or T, such as 512M or 4G");
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let unit = unit.trim().to_ascii_lowercase();
    let shift = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(bad()),
    };
    let value: f64 = number.parse().map_err(|_| bad())?;
    let size = value * (1_u64 << shift) as f64;
    // Sixty bits are more than any machine has, and far from where a float loses whole numbers of pages.
    if (1.0..(1_u64 << 60) as f64).contains(&size) { Ok(size as u64) } else { Err(bad()) }
}

/// A time limit as people write it: `10`, `0.5`, `10s`.
///
/// ```
/// assert_eq!(allways_report::parse_seconds("1.5"), Ok(std::time::Duration::from_millis(1500)));
/// ```
///
/// # Errors
/// A line for people if `text` is not a positive number of seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let bad = || format!("'{text}' is not a number of seconds");
    let seconds: f64 = text.trim_end_matches('s').parse().map_err(|_| bad())?;
    // A century is longer than anyone waits, and fits every clock.
    if seconds > 0.0 && seconds < 3.2e9 { Ok(Duration::from_secs_f64(seconds)) } else { Err(bad()) }
}

/// Reads a share of something in per cent, such as `10` or `10%`.
///
/// # Errors
/// A line for people if it leaves nothing for one of the two, or is not a number.
pub fn parse_share(text: &str) -> Result<u32, String> {
    match text.trim_end_matches('%').trim_end().parse() {
        Ok(0) => Err("a share of 0 % leaves nothing to estimate with".into()),
        Ok(100) => Err("a share of 100 % leaves nothing for the search".into()),
        Ok(share @ 1..100) => Ok(share),
        _ => Err(format!("'{text}' is not a share from 1 % to 99 %")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(count), ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!((plural(1, "state"), plural(2, "state")), ("1 state".into(), "2 states".into()));
    }

    #[test]
    fn shares_leave_something_for_both() {
        assert_eq!((parse_share("10"), parse_share("60%"), parse_share("99 %")), (Ok(10), Ok(60), Ok(99)));
        for (bad, why) in
            [("0", "to estimate"), ("100%", "for the search"), ("", "1 % to 99 %"), ("-3", "'-3'")]
        {
            assert!(parse_share(bad).is_err_and(|error| error.contains(why)), "{bad}");
        }
    }

    #[test]
    fn seconds_are_positive_numbers() {
        assert_eq!(parse_seconds("10s"), Ok(Duration::from_secs(10)));
        for bad in ["", "0", "-1", "x", "nan", "inf", "1e300"] {
            assert!(parse_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_and_times_keep_three_digits() {
        assert_eq!(
            [0, 1023, 1024, 1_048_575, 5_000_000, u64::MAX].map(bytes),
            ["0 B", "1023 B", "1.00 KiB", "1.00 MiB", "4.77 MiB", "16384 PiB"]
        );
        assert_eq!(
            [0.0, 0.0123, 3.412, 59.99, 125.0, 3725.0].map(|s| duration(Duration::from_secs_f64(s))),
            ["0.00 ms", "12.3 ms", "3.41 s", "60.0 s", "2 min 05 s", "1 h 02 min"]
        );
        assert_eq!([3.0, 12_345.0, 4_560_000.0].map(rate), ["3", "12.3 k", "4.56 M"]);
    }

    #[test]
    fn sizes_are_read_in_binary_units() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("1.5k"), Ok(1536));
        assert_eq!(parse_size("100000"), Ok(100_000));
        for bad in ["", "G", "-1", "0", "4X", "1e3", "99999999T", "1.2.3", "4ibib"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
