//! Lines of a text that somebody else wrote, in whatever encoding, of whatever length.

use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// A line without its end.
pub(crate) enum Line {
    Whole(String),
    /// It is longer than can be read, and was passed over.
    TooLong,
}

/// The next line; none at the end. What is not UTF-8 is taken for Latin-1, in which older files are written.
pub(crate) fn read_line(source: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut limited = source.take(LONGEST);
    limited.read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST && bytes.last() != Some(&b'\n') {
        source.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    };
    let text = text.trim_end().trim_start_matches('\u{feff}');
    Ok(Some(Line::Whole(text.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_or_too_long() {
        let mut text = b"\xef\xbb\xbfone\r\nH\xf8eg\n\xc3\xb8\n".to_vec();
        text.extend(vec![b'x'; 2_000_000]);
        text.extend(b"\nlast");
        let mut source = &text[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut source).unwrap() {
            lines.push(match line {
                Line::Whole(line) => line,
                Line::TooLong => "too long".to_owned(),
            });
        }
        assert_eq!(lines, ["one", "H\u{f8}eg", "\u{f8}", "too long", "last"]);
    }
}
