//! A span of time as people write it.

use std::time::Duration;

/// Seconds, or a number with `s`, `m`, `h` or `ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

impl std::str::FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let wrong = || format!("`{}` is not a time like 10s or 2m", text.escape_default());
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let seconds = match &text[number.len()..] {
            "" | "s" => 1.0,
            "ms" => 0.001,
            "m" => 60.0,
            "h" => 3_600.0,
            _ => return Err(wrong()),
        };
        let is_plain = number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let span = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
        if is_plain {
            Ok(Span(span))
        } else {
            Err(wrong())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read() {
        let read = |text: &str| text.parse::<Span>().ok().map(|span| span.0.as_millis());
        assert_eq!(read("10"), Some(10_000));
        assert_eq!(read("1.5s"), Some(1_500));
        assert_eq!(read("2m"), Some(120_000));
        assert_eq!(read("250ms"), Some(250));
        for wrong in [
            "",
            "s",
            "-1",
            "1d",
            "1e9",
            "1 s",
            "inf",
            "NaN",
            "9999999999999999999999h",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
