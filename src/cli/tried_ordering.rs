//! An order of moves that a user wants to try: `mate,check,grip/check,captured`.

use std::str::FromStr;

use dchess::mate::{Criterion, MoveOrdering};

use super::output::one_line;

/// The criteria of both sides, and the text that said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TriedOrdering {
    text: String,
    attacker: Vec<Criterion>,
    defender: Vec<Criterion>,
}

impl TriedOrdering {
    /// The order, under its text.
    pub(crate) fn ordering(&self) -> MoveOrdering<'_> {
        MoveOrdering {
            name: &self.text,
            attacker: &self.attacker,
            defender: &self.defender,
        }
    }
}

impl FromStr for TriedOrdering {
    type Err = String;

    fn from_str(text: &str) -> Result<TriedOrdering, String> {
        let (attacker, defender) = text.split_once('/').ok_or(
            "an order has criteria of the attacker, a slash, and criteria of the defender",
        )?;
        Ok(TriedOrdering {
            text: text.to_owned(),
            attacker: criteria(attacker)?,
            defender: criteria(defender)?,
        })
    }
}

fn criteria(text: &str) -> Result<Vec<Criterion>, String> {
    let criterion = |word: &str| {
        let mut all = Criterion::ALL.into_iter();
        all.find(|criterion| criterion.name() == word)
            .ok_or_else(|| {
                let names = Criterion::ALL.map(Criterion::name).join(", ");
                format!("`{}` is no criterion; there are {names}", one_line(word))
            })
    };
    match text {
        "" => Ok(Vec::new()),
        text => text.split(',').map(criterion).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        let read = |text: &str| text.parse::<TriedOrdering>();
        let order = read("mate,-replies/check").unwrap();
        assert_eq!(order.attacker, [Criterion::Mate, Criterion::FewerReplies]);
        assert_eq!(order.defender, [Criterion::Check]);
        assert_eq!(order.ordering().name, "mate,-replies/check");
        assert!(read("/").unwrap().attacker.is_empty());
        for wrong in [
            "mate",
            "mate/best",
            "mate;check/",
            "mate,/check",
            "mate, check/",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        for criterion in Criterion::ALL {
            let order = read(&format!("{}/", criterion.name())).unwrap();
            assert_eq!(order.attacker, [criterion]);
        }
    }
}
