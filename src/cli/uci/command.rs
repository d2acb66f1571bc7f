//! What a line tells the engine to do.

/// A command, with its words if it has any.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// Nothing that needs to be done.
    Nothing,
    Uci,
    IsReady,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Position(Vec<&'a str>),
    Go(Vec<&'a str>),
    Stop,
    PonderHit,
    Quit,
}

impl<'a> Command<'a> {
    /// Reads a line; words are separated by any white space.
    ///
    /// # Errors
    ///
    /// Why it is no command.
    pub(super) fn parse(line: &'a str) -> Result<Command<'a>, String> {
        let mut words = line.split_whitespace();
        let Some(word) = words.next() else {
            return Ok(Command::Nothing);
        };
        Ok(match word {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            // Nothing is kept from one search to the next, and nothing more is said for `debug on`.
            "ucinewgame" | "debug" | "register" => Command::Nothing,
            "setoption" => option(&words.collect::<Vec<_>>())?,
            "position" => Command::Position(words.collect()),
            "go" => Command::Go(words.collect()),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            _ => return Err(format!("`{word:.40}` is no command that is known here")),
        })
    }
}

/// `name … value …`; both may be several words.
fn option<'a>(words: &[&str]) -> Result<Command<'a>, String> {
    let ["name", words @ ..] = words else {
        return Err("`setoption` is followed by `name`".to_owned());
    };
    let place = words.iter().position(|&word| word == "value");
    let (name, value) = words.split_at(place.unwrap_or(words.len()));
    Ok(Command::SetOption {
        name: name.join(" "),
        value: value.get(1..).map(|value| value.join(" ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let cases = [
            ("", Command::Nothing),
            (" \t\r\n", Command::Nothing),
            ("uci\r\n", Command::Uci),
            ("  isready  ", Command::IsReady),
            ("ucinewgame", Command::Nothing),
            (
                "position  startpos moves\te2e4",
                Command::Position(vec!["startpos", "moves", "e2e4"]),
            ),
            ("go", Command::Go(vec![])),
            ("go mate 3", Command::Go(vec!["mate", "3"])),
            ("stop", Command::Stop),
            ("ponderhit", Command::PonderHit),
            ("quit", Command::Quit),
        ];
        for (line, command) in cases {
            assert_eq!(Command::parse(line), Ok(command), "{line:?}");
        }
    }

    #[test]
    fn options_have_names_and_values_of_several_words() {
        let read = |line| Command::parse(line).unwrap();
        let option = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(
            read("setoption name Hash value 16"),
            option("Hash", Some("16"))
        );
        assert_eq!(
            read("setoption name Clear Hash"),
            option("Clear Hash", None)
        );
        assert_eq!(
            read("setoption name A b value c  d"),
            option("A b", Some("c d"))
        );
        assert_eq!(read("setoption name Hash value"), option("Hash", Some("")));
        assert!(Command::parse("setoption Hash 16").is_err());
    }

    #[test]
    fn what_is_no_command_has_its_reason() {
        for line in [
            "nonsense",
            "UCI",
            "\u{1b}[31m",
            "ucigo",
            &"x".repeat(10_000),
        ] {
            let reason = Command::parse(line).unwrap_err();
            assert!(reason.len() < 200, "{reason}");
        }
    }
}
