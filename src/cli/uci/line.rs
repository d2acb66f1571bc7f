//! Lines of standard input, whatever is in them.

use std::io::{BufRead, Read};

/// The longest line that is read, in bytes: a position with ten thousand moves.
const LONGEST: u64 = 1 << 16;

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    /// It cannot be used, for this reason.
    Unusable(&'static str),
}

/// The next line; none at the end, or when nothing can be read any more.
pub(super) fn next(input: &mut impl BufRead) -> Option<Line> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
    if !matches!(read, Ok(1..)) {
        return None;
    }
    if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
        skip_rest(input);
        return Some(Line::Unusable(
            "a line of more than 65,535 bytes is passed over",
        ));
    }
    Some(match String::from_utf8(bytes) {
        Ok(text) => Line::Text(text),
        Err(_) => Line::Unusable("a line that is no UTF-8 text is passed over"),
    })
}

fn skip_rest(input: &mut impl BufRead) {
    while let Ok(buffer) = input.fill_buf() {
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() || length == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| next(&mut input)).collect()
    }

    fn text(line: &str) -> Line {
        Line::Text(line.to_owned())
    }

    #[test]
    fn lines_are_read_one_by_one() {
        assert_eq!(
            lines(b"uci\r\n\ngo"),
            [text("uci\r\n"), text("\n"), text("go")]
        );
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn what_is_no_line_of_text_is_passed_over() {
        let mut input = b"\xff\xfe\nuci\n".to_vec();
        let found = lines(&input);
        assert!(matches!(found[0], Line::Unusable(_)), "{found:?}");
        assert_eq!(found[1], text("uci\n"));
        input = vec![b'a'; 3 * LONGEST as usize];
        input.extend(b"\nuci\n");
        let found = lines(&input);
        assert!(matches!(found[0], Line::Unusable(_)), "{}", found.len());
        assert_eq!(found[1..], [text("uci\n")]);
        let endless = vec![b'a'; 2 * LONGEST as usize];
        assert_eq!(lines(&endless).len(), 1);
    }

    #[test]
    fn the_longest_line_is_read() {
        let mut input = vec![b'a'; LONGEST as usize - 1];
        input.extend(b"\nuci\n");
        let found = lines(&input);
        assert!(matches!(&found[0], Line::Text(text) if text.len() as u64 == LONGEST));
        assert_eq!(found.len(), 2);
    }
}
