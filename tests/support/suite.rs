//! A suite of calls of a verifier: true ones that it must accept, false ones that it must refuse, each
//! for its reason. The verifier is an argument; two doubles, one that accepts everything and one that
//! refuses everything, show that a suite can fail.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use dchess::certificate::Format;
use dchess::verify::{Reason, Refusal, Session};
use serde_json::Value;

use super::certificate;

/// A certificate, and the true ones that are verified before it in the same call.
#[derive(Clone)]
pub struct Call {
    /// Classes, children before parents.
    pub company: &'static [&'static str],
    pub bytes: Vec<u8>,
}

/// A call with one thing wrong.
pub struct Fixture {
    pub name: String,
    pub call: Call,
    /// The reasons that may be given.
    pub reasons: &'static [Reason],
    /// What the place must say.
    pub place: String,
}

impl Fixture {
    /// A false certificate that is judged alone.
    pub fn new(
        name: impl Into<String>,
        reasons: &'static [Reason],
        bytes: impl Into<Vec<u8>>,
    ) -> Fixture {
        Fixture {
            name: name.into(),
            call: Call {
                company: &[],
                bytes: bytes.into(),
            },
            reasons,
            place: String::new(),
        }
    }

    /// A JSON text with one change, judged alone.
    pub fn text(
        name: impl Into<String>,
        reasons: &'static [Reason],
        truth: Value,
        change: impl FnOnce(&mut Value),
    ) -> Fixture {
        Fixture::new(name, reasons, changed_text(truth, change))
    }

    /// The same in the company of true certificates.
    pub fn among(mut self, company: &'static [&'static str]) -> Fixture {
        self.call.company = company;
        self
    }

    /// The same, with words that the place must have.
    pub fn at(mut self, place: impl Into<String>) -> Fixture {
        self.place = place.into();
        self
    }
}

/// A JSON text after a change.
pub fn changed_text(mut truth: Value, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    change(&mut truth);
    serde_json::to_vec(&truth).unwrap()
}

/// Judges a call: `Ok` if the certificate is verified.
pub type Verifier<'a> = &'a dyn Fn(&Call) -> Result<(), Refusal>;

/// The verifier of the program.
pub fn island(call: &Call) -> Result<(), Refusal> {
    let certificate = dchess::verify::read(&mut &call.bytes[..])?;
    let session = session(call.company);
    let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
    let judged = session.verify(&certificate).map(|_| ());
    if let Err(refusal) = &judged {
        assert_eq!(refusal.id, Some(certificate.id), "{refusal}");
    }
    judged
}

/// The verifier of the program for a certificate that is alone.
pub fn alone(bytes: &[u8]) -> Result<(), Refusal> {
    let certificate = dchess::verify::read(&mut &*bytes)?;
    dchess::verify::verify(&certificate).map(|_| ())
}

/// A session in which these true certificates have been verified. It is made once: what is refused
/// leaves nothing in it.
fn session(company: &'static [&'static str]) -> Arc<Mutex<Session>> {
    type Sessions = BTreeMap<&'static [&'static str], Arc<Mutex<Session>>>;
    static SESSIONS: LazyLock<Mutex<Sessions>> = LazyLock::new(Mutex::default);
    if company.is_empty() {
        return Arc::default();
    }
    let mut sessions = SESSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let session = sessions.entry(company).or_insert_with(|| {
        let mut session = Session::new();
        for name in company {
            let bytes = certificate(name, Format::Compressed);
            let certificate = dchess::verify::read(&mut &bytes[..]).unwrap();
            session.verify(&certificate).unwrap();
        }
        Arc::new(Mutex::new(session))
    });
    session.clone()
}

/// What a verifier did wrong: true files refused, false ones accepted or refused for another reason or
/// at another place.
pub fn failures(verifier: Verifier, accepted: &[Call], rejected: &[Fixture]) -> Vec<String> {
    let mut found = Vec::new();
    for call in accepted {
        if let Err(refusal) = verifier(call) {
            found.push(format!("a true certificate was refused: {refusal}"));
        }
    }
    for fixture in rejected {
        let Fixture {
            name,
            call,
            reasons,
            place,
        } = fixture;
        match verifier(call) {
            Ok(()) => found.push(format!("{name}: accepted")),
            Err(refusal)
                if !reasons.contains(&refusal.reason) || !refusal.place.contains(place) =>
            {
                found.push(format!("{name}: {refusal}, not one of {reasons:?} {place}"));
            }
            Err(_) => {}
        }
    }
    found
}

/// Holds the island to a suite, and the suite to the doubles: a verifier that accepts everything is caught at
/// every fixture, and one that refuses everything everywhere.
pub fn hold(accepted: &[Call], rejected: &[Fixture]) {
    let found = failures(&island, accepted, rejected);
    assert!(found.is_empty(), "{}", found.join("\n"));

    let found = failures(&|_| Ok(()), accepted, rejected);
    assert_eq!(found.len(), rejected.len());

    let refuse = |_: &Call| {
        Err(Refusal {
            id: None,
            reason: Reason::Unreadable,
            place: "everywhere".to_owned(),
        })
    };
    let found = failures(&refuse, accepted, rejected);
    assert_eq!(found.len(), accepted.len() + rejected.len());
}
