//! What a command prints.
//!
//! A reader that closes the pipe early (`dchess … | head`) has seen enough: the rest is dropped
//! without a word, and the exit code is still the one of the whole work. Any other error is one.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use serde::Serialize;

use super::failure::Failure;

/// A stream for reports and answers.
pub(crate) struct Output {
    sink: BufWriter<Box<dyn Write + Send>>,
    is_closed: bool,
}

impl Output {
    /// Prints to standard output.
    pub(crate) fn stdout() -> Output {
        Output {
            sink: BufWriter::new(Box::new(io::stdout())),
            is_closed: false,
        }
    }

    /// Prints to standard error: for reports when standard output carries a certificate.
    pub(crate) fn stderr() -> Output {
        Output {
            sink: BufWriter::new(Box::new(io::stderr())),
            is_closed: false,
        }
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// Prints a value as one compact line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value)
            .map_err(|error| Failure::context("cannot write JSON", &error))?;
        self.line(&text)
    }

    /// Prints bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = if self.is_closed {
            Ok(())
        } else {
            self.sink.write_all(bytes)
        };
        self.settle(written)
    }

    /// Shows what was printed so far, so that a program that waits for an answer gets it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        let flushed = if self.is_closed {
            Ok(())
        } else {
            self.sink.flush()
        };
        self.settle(flushed)
    }

    /// Whether the reader is gone, so that nothing more will be seen.
    pub(crate) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Shows the rest.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }

    fn settle(&mut self, done: io::Result<()>) -> Result<(), Failure> {
        match done {
            Ok(()) => Ok(()),
            Err(error) => {
                self.is_closed = true;
                if error.kind() == ErrorKind::BrokenPipe {
                    Ok(())
                } else {
                    Err(Failure::context("cannot write the output", &error))
                }
            }
        }
    }
}

/// For what writes to any sink. As everywhere here, nothing is written any more when the reader is gone.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        match self.sink.write(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.is_closed {
            true => Ok(()),
            false => self.sink.flush(),
        }
    }
}

/// A count with thousands separators, for people.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A foreign text on one line of a terminal: everything that is neither a letter, a digit nor
/// printable ASCII is escaped, and what is very long is cut.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut line = String::new();
    for c in text.chars() {
        if line.len() >= LONGEST {
            line.push_str("...");
            break;
        }
        match c {
            ' '..='~' => line.push(c),
            _ if c.is_alphanumeric() => line.push(c),
            _ => line.extend(c.escape_default()),
        }
    }
    line
}

/// A path on one line, different for different paths: bytes that are no text are written `\\xNN`, and
/// the backslash is doubled.
pub(crate) fn shown_path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => shown.push_str("\\\\"),
                ' '..='~' => shown.push(c),
                _ if c.is_alphanumeric() => shown.push(c),
                _ => shown.extend(c.escape_default()),
            }
        }
        shown.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (46_137, "46,137"),
            (1_234_567, "1,234,567"),
        ];
        for (count, text) in cases {
            assert_eq!(grouped(count), text);
        }
    }

    #[test]
    fn foreign_text_stays_on_its_line() {
        assert_eq!(one_line("a\nb\u{1b}[31m é"), "a\\nb\\u{1b}[31m é");
        assert_eq!(one_line("a\u{2028}s\u{202e}x"), "a\\u{2028}s\\u{202e}x");
        assert_eq!(one_line(&"k".repeat(10_000)).len(), 203);
    }

    #[test]
    fn different_paths_are_shown_differently() {
        assert_eq!(
            shown_path(Path::new("certificates/KQK.bin")),
            "certificates/KQK.bin"
        );
        assert_eq!(shown_path(Path::new("a\nb")), "a\\nb");
        assert_eq!(shown_path(Path::new("a\\nb")), "a\\\\nb");
    }
}
