//! A line of EPD that somebody else wrote: a position, what is said about it, and all the rest as it stands.
//!
//! Four fields of a FEN (five or six are taken too), then operations: an opcode, operands, a semicolon. A semicolon in quotation
//! marks ends nothing, and the last one may be missing. Known are `dm`, `bm`, `am`, `id`, `hmvc` and `fmvn`; a length may stand in `bm`
//! as `#3`, or `#-3` if the side to move is mated. Of a line that cannot be used the first fault is told.

use dchess::mate::{Mover, Moves};
use dchess::rules::{parse_fen, position_fen};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use thiserror::Error;

/// An opcode with its operands, as they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) opcode: String,
    pub(crate) operands: String,
}

/// What a line says the length of the mate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) mover: Mover,
    pub(crate) moves: Moves,
}

/// A line that can be used.
#[derive(Clone, Debug)]
pub(crate) struct EpdLine {
    pub(crate) position: Chess,
    pub(crate) operations: Vec<Operation>,
    pub(crate) stated: Option<Stated>,
    /// Moves that are to be keys.
    pub(crate) best: Vec<Move>,
    /// Moves that are to be none.
    pub(crate) avoided: Vec<Move>,
    /// The name of the position, without quotation marks.
    pub(crate) id: Option<String>,
}

/// Why a line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum EpdError {
    #[error("{0}")]
    Fen(#[from] dchess::rules::FenError),
    #[error("the operation `{0}` is not an opcode with operands")]
    Opcode(String),
    #[error("a quotation mark is not closed")]
    Quotes,
    #[error(
        "`{opcode} {operands}` is not a number of moves from 1 to {}",
        Moves::LONGEST
    )]
    Length { opcode: String, operands: String },
    #[error("`{opcode} {operands}` is not a number")]
    Number { opcode: String, operands: String },
    #[error("`{san}` is not a legal move")]
    Move { san: String },
    #[error("a clock is said to be {0} and {1}")]
    TwoClocks(u32, u32),
    #[error("a move is said to be best and to be avoided")]
    BestAndAvoided,
    #[error("`{0}` is said twice, with different words")]
    Twice(String),
    #[error("it is said to be mate in {0} and in {1}")]
    TwoLengths(i16, i16),
}

impl EpdLine {
    /// A position of which nothing is stated.
    pub(crate) fn bare(position: Chess, id: Option<String>) -> EpdLine {
        let operation = |opcode: &str, operands: String| Operation {
            opcode: opcode.to_owned(),
            operands,
        };
        let mut operations = vec![
            operation("hmvc", position.halfmoves().to_string()),
            operation("fmvn", position.fullmoves().to_string()),
        ];
        if let Some(id) = &id {
            operations.push(operation("id", format!("\"{}\"", id.replace('"', "'"))));
        }
        EpdLine {
            position,
            operations,
            stated: None,
            best: Vec::new(),
            avoided: Vec::new(),
            id,
        }
    }

    /// Reads a line without its end.
    pub(crate) fn parse(line: &str) -> Result<EpdLine, EpdError> {
        let (fen, rest) = split_fields(line);
        let operations = split_operations(rest)?;
        check_repetitions(&operations)?;
        let number = |opcode: &str, default: u32| match operand(&operations, opcode) {
            None => Ok(default),
            Some(operands) => operands.parse::<u32>().map_err(|_| EpdError::Number {
                opcode: opcode.to_owned(),
                operands: super::output::one_line(operands),
            }),
        };
        let clocks = (number("hmvc", 0)?, number("fmvn", 1)?);
        let is_bare = fen.split_ascii_whitespace().count() == 4;
        let fen = match is_bare {
            true => format!("{fen} {} {}", clocks.0, clocks.1),
            false => fen.to_owned(),
        };
        let mut epd = EpdLine {
            position: parse_fen(&fen)?,
            stated: None,
            best: Vec::new(),
            avoided: Vec::new(),
            id: operand(&operations, "id").map(|id| id.trim_matches('"').to_owned()),
            operations,
        };
        if !is_bare {
            epd.keep_clocks(clocks)?;
        }
        for operation in epd.operations.clone() {
            epd.understand(&operation)?;
        }
        if epd.best.iter().any(|best| epd.avoided.contains(best)) {
            return Err(EpdError::BestAndAvoided);
        }
        Ok(epd)
    }

    /// Makes operations of clocks that stand behind the four fields; operations that say otherwise are a fault.
    fn keep_clocks(&mut self, said: (u32, u32)) -> Result<(), EpdError> {
        let clocks = [
            ("hmvc", self.position.halfmoves(), said.0),
            ("fmvn", self.position.fullmoves().get(), said.1),
        ];
        for (opcode, clock, said) in clocks {
            match operand(&self.operations, opcode) {
                Some(_) if said != clock => return Err(EpdError::TwoClocks(said, clock)),
                Some(_) => {}
                None => self.operations.push(Operation {
                    opcode: opcode.to_owned(),
                    operands: clock.to_string(),
                }),
            }
        }
        Ok(())
    }

    fn understand(&mut self, operation: &Operation) -> Result<(), EpdError> {
        let Operation { opcode, operands } = operation;
        let fault = || EpdError::Length {
            opcode: opcode.clone(),
            operands: super::output::one_line(operands),
        };
        match opcode.as_str() {
            "dm" => self.state(operands, fault),
            "bm" => match operands.strip_prefix('#') {
                Some(length) => self.state(length, fault),
                None => {
                    self.best = self.moves(operands)?;
                    Ok(())
                }
            },
            "am" => {
                self.avoided = self.moves(operands)?;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn state(&mut self, length: &str, fault: impl Fn() -> EpdError) -> Result<(), EpdError> {
        let length: i16 = length.parse().map_err(|_| fault())?;
        let moves = u8::try_from(length.unsigned_abs())
            .ok()
            .and_then(Moves::new);
        let moves = moves
            .filter(|&moves| moves > Moves::ZERO)
            .ok_or_else(&fault)?;
        let mover = if length > 0 {
            Mover::Attacker
        } else {
            Mover::Defender
        };
        let stated = Stated { mover, moves };
        match self.stated.replace(stated) {
            Some(before) if before != stated => {
                Err(EpdError::TwoLengths(before.signed(), stated.signed()))
            }
            _ => Ok(()),
        }
    }

    fn moves(&self, operands: &str) -> Result<Vec<Move>, EpdError> {
        let read = |san: &str| {
            let fault = || EpdError::Move {
                san: super::output::one_line(san),
            };
            let castling = san.replace("0-0", "O-O").replace("O-0", "O-O");
            let read: SanPlus = castling.parse().map_err(|_| fault())?;
            read.san.to_move(&self.position).map_err(|_| fault())
        };
        operands.split_ascii_whitespace().map(read).collect()
    }

    /// The keys that are stated, as they stand.
    pub(crate) fn stated_keys(&self) -> Option<&str> {
        let mut operations = self.operations.iter();
        let keys = operations.find(|each| each.opcode == "bm" && !each.is_length());
        keys.map(|keys| keys.operands.as_str())
    }

    /// The operands of an operation, as they stand.
    pub(crate) fn said(&self, opcode: &str) -> Option<&str> {
        operand(&self.operations, opcode)
    }

    /// The line again, with these operations in front, and those of the same opcodes left out, and those that are dropped.
    pub(crate) fn rewritten(
        &self,
        first: &[(&str, String)],
        is_dropped: impl Fn(&Operation) -> bool,
    ) -> String {
        let fen = position_fen(&self.position);
        let mut line: String = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let mut add = |opcode: &str, operands: &str| {
            let space = if operands.is_empty() { "" } else { " " };
            line.push_str(&format!(" {opcode}{space}{operands};"));
        };
        for (opcode, operands) in first {
            add(opcode, operands);
        }
        for operation in &self.operations {
            let Operation { opcode, operands } = operation;
            let is_replaced = first.iter().any(|(said, _)| said == opcode);
            if !is_replaced && !is_dropped(operation) {
                add(opcode, operands);
            }
        }
        line
    }
}

impl Operation {
    /// Whether it states a length.
    pub(crate) fn is_length(&self) -> bool {
        self.opcode == "dm" || self.opcode == "bm" && self.operands.starts_with('#')
    }
}

impl Stated {
    /// The length as EPD has it: negative if the side to move is mated.
    pub(crate) fn signed(self) -> i16 {
        let moves = i16::from(self.moves.get());
        match self.mover {
            Mover::Attacker => moves,
            Mover::Defender => -moves,
        }
    }
}

fn operand<'a>(operations: &'a [Operation], opcode: &str) -> Option<&'a str> {
    let operation = operations
        .iter()
        .find(|operation| operation.opcode == opcode);
    operation.map(|operation| operation.operands.as_str())
}

/// Of what is understood nothing may be said in two ways. A length may stand in `bm` beside moves.
fn check_repetitions(operations: &[Operation]) -> Result<(), EpdError> {
    const KNOWN: [&str; 6] = ["dm", "bm", "am", "id", "hmvc", "fmvn"];
    for (place, operation) in operations.iter().enumerate() {
        let Operation { opcode, .. } = operation;
        let is_same_kind = |other: &&Operation| {
            other.opcode == *opcode && other.is_length() == operation.is_length()
        };
        let other = operations[..place].iter().find(is_same_kind);
        if KNOWN.contains(&opcode.as_str()) && other.is_some_and(|other| other != operation) {
            return Err(EpdError::Twice(opcode.clone()));
        }
    }
    Ok(())
}

/// The fields of the FEN, clocks included if they are there, and what follows.
fn split_fields(line: &str) -> (&str, &str) {
    let line = line.trim();
    let ends: Vec<usize> = line
        .char_indices()
        .filter(|&(place, c)| {
            !c.is_ascii_whitespace()
                && line[place + c.len_utf8()..].starts_with(|c: char| c.is_ascii_whitespace())
        })
        .map(|(place, c)| place + c.len_utf8())
        .take(6)
        .chain([line.len()])
        .collect();
    let is_number = |begin: usize, end: usize| {
        let field = line[begin..end].trim();
        !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut fields = ends.len().min(4);
    while fields < ends.len().min(6) && is_number(ends[fields - 1], ends[fields]) {
        fields += 1;
    }
    let end = ends[fields - 1];
    // A line may end right behind the fields, with a semicolon or without.
    let (fen, rest) = line.split_at(end);
    match fen.strip_suffix(';') {
        Some(fen) => (fen, rest),
        None => (fen, rest),
    }
}

fn split_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut is_quoted = false;
    let parts = text.split(|c: char| {
        is_quoted ^= c == '"';
        c == ';' && !is_quoted
    });
    for part in parts {
        let part = part.trim();
        let (opcode, operands) = part
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((part, ""));
        if opcode.is_empty() {
            continue;
        }
        let is_name = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
            && opcode
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name {
            return Err(EpdError::Opcode(super::output::one_line(part)));
        }
        operations.push(Operation {
            opcode: opcode.to_owned(),
            operands: operands.trim().to_owned(),
        });
    }
    if is_quoted {
        Err(EpdError::Quotes)
    } else {
        Ok(operations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KQK: &str = "7k/8/8/6K1/8/8/8/5Q2 w - -";

    fn parse(operations: &str) -> Result<EpdLine, EpdError> {
        EpdLine::parse(&format!("{KQK} {operations}"))
    }

    #[test]
    fn lengths_are_read_in_every_spelling() {
        let signed = |text: &str| parse(text).unwrap().stated.map(Stated::signed);
        assert_eq!(signed("dm 3;"), Some(3));
        assert_eq!(signed("bm #3"), Some(3));
        assert_eq!(signed("bm #-4; id \"a;b\";"), Some(-4));
        assert_eq!(signed("bm Kg6; id \"x\""), None);
        assert_eq!(signed("dm 2; bm #2;"), Some(2));
        assert_eq!(
            parse("dm 2; bm #3;").unwrap_err(),
            EpdError::TwoLengths(2, 3)
        );
        for wrong in ["dm 0;", "dm x;", "bm #;", "dm 121;", "bm #-0;", "dm 99999;"] {
            assert!(
                matches!(parse(wrong).unwrap_err(), EpdError::Length { .. }),
                "{wrong}"
            );
        }
    }

    #[test]
    fn moves_must_be_legal() {
        let epd = parse("bm Kg6 Kh6; am Qf7;").unwrap();
        assert_eq!((epd.best.len(), epd.avoided.len()), (2, 1));
        let fault = parse("bm Ke2;").unwrap_err();
        assert_eq!(fault.to_string(), "`Ke2` is not a legal move");
    }

    #[test]
    fn clocks_stand_in_fields_or_in_operations() {
        let clocks = |line: &str| {
            let fen = position_fen(&EpdLine::parse(line).unwrap().position);
            fen.rsplitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(clocks(KQK), "1 0");
        assert_eq!(clocks(&format!("{KQK} 7 40 bm #2;")), "40 7");
        assert_eq!(clocks(&format!("{KQK} hmvc 9; fmvn 50;")), "50 9");
        assert_eq!(clocks(&format!("{KQK};")), "1 0");
        assert!(matches!(
            parse("hmvc x;").unwrap_err(),
            EpdError::Number { .. }
        ));
    }

    #[test]
    fn what_is_not_known_is_kept() {
        let epd = parse("zz a b; bm #2; c0 \"one; two\"; noop;").unwrap();
        let first = [("dm", "2".into()), ("bm", "Kg6".into())];
        let line = epd.rewritten(&first, |_| false);
        assert_eq!(
            line,
            format!("{KQK} dm 2; bm Kg6; zz a b; c0 \"one; two\"; noop;")
        );
        assert_eq!(EpdLine::parse(&line).unwrap().operations.len(), 5);
    }

    #[test]
    fn faults_have_their_reasons() {
        assert_eq!(parse("c0 \"open;").unwrap_err(), EpdError::Quotes);
        assert_eq!(parse("= 3;").unwrap_err(), EpdError::Opcode("= 3".into()));
        let short = EpdLine::parse("8/8/8 w").unwrap_err();
        assert!(matches!(short, EpdError::Fen(_)));
        let check = EpdLine::parse("7k/8/8/8/8/8/8/K6R w - - bm #1;").unwrap_err();
        assert!(
            check
                .to_string()
                .contains("the black king on h8 is in check")
        );
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in [
            "",
            " ",
            ";",
            "\"",
            "é é é é é",
            "a b c d ;;;\"\"",
            "\u{2028} # ; bm",
        ] {
            assert!(EpdLine::parse(text).is_err(), "{text}");
        }
    }
}
