//! A solution as JSON: the same as the text in the layout of problem people, for programs.
//!
//! Moves are UCI texts. The schema is written down in `docs/mate.md`.

use dchess::mate::{Continuation, Phase, Pressure, Solution, Variation};
use dchess::rules::uci;
use serde::Serialize;
use shakmaty::Move;

/// A solution.
#[derive(Serialize)]
pub(crate) struct SolutionJson {
    mate_in: u8,
    intended: Vec<String>,
    cooks: Vec<String>,
    short_solutions: Vec<String>,
    set_play: Vec<VariationJson>,
    phases: Vec<PhaseJson>,
}

/// A first move.
#[derive(Serialize)]
struct PhaseJson {
    kind: &'static str,
    refutations: Vec<String>,
    #[serde(flatten)]
    first: ContinuationJson,
}

/// A move of the attacker.
#[derive(Serialize)]
struct ContinuationJson {
    #[serde(rename = "move")]
    mv: String,
    check: bool,
    pressure: &'static str,
    threats: Vec<ContinuationJson>,
    variations: Vec<VariationJson>,
}

/// A reply of the defender.
#[derive(Serialize)]
struct VariationJson {
    reply: String,
    mate_in: u8,
    remark: Option<&'static str>,
    continuations: Vec<ContinuationJson>,
}

impl SolutionJson {
    pub(crate) fn of(solution: &Solution, judged: &Judged) -> SolutionJson {
        let texts = |moves: &[Move]| moves.iter().map(|&mv| uci(mv)).collect();
        SolutionJson {
            mate_in: solution.length.get(),
            intended: texts(&judged.intended),
            cooks: texts(&judged.cooks),
            short_solutions: texts(&judged.short),
            set_play: variations(&solution.set_play),
            phases: solution
                .phases
                .iter()
                .map(|phase| one(phase, judged))
                .collect(),
        }
    }
}

/// The keys of a solution, held against what its composer meant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// First moves that are meant to be keys; none if nothing is said about that.
    pub(crate) intended: Vec<Move>,
    /// Keys that are not meant, if anything is.
    pub(crate) cooks: Vec<Move>,
    /// First moves that mate in fewer moves than are meant.
    pub(crate) short: Vec<Move>,
}

fn one(phase: &Phase, judged: &Judged) -> PhaseJson {
    PhaseJson {
        kind: if !phase.refutations.is_empty() {
            "try"
        } else if judged.short.contains(&phase.first.mv) {
            "short solution"
        } else if judged.cooks.contains(&phase.first.mv) {
            "cook"
        } else {
            "key"
        },
        refutations: phase.refutations.iter().map(|&mv| uci(mv)).collect(),
        first: continuation(&phase.first),
    }
}

fn continuation(it: &Continuation) -> ContinuationJson {
    let (pressure, threats) = match &it.pressure {
        Pressure::Mate => ("mate", &[][..]),
        Pressure::Check => ("check", &[][..]),
        Pressure::Threat(threats) => ("threat", &threats[..]),
        Pressure::Zugzwang => ("zugzwang", &[][..]),
    };
    ContinuationJson {
        mv: uci(it.mv),
        check: it.is_check,
        pressure,
        threats: threats.iter().map(continuation).collect(),
        variations: variations(&it.variations),
    }
}

fn variations(variations: &[Variation]) -> Vec<VariationJson> {
    let one = |variation: &Variation| VariationJson {
        reply: uci(variation.reply),
        mate_in: variation.needed.get(),
        remark: if variation.is_dual() {
            Some("dual")
        } else if variation.is_mating_dual() {
            Some("dual on the mating move")
        } else if variation.is_short() {
            Some("short mate")
        } else {
            None
        },
        continuations: variation.continuations.iter().map(continuation).collect(),
    };
    variations.iter().map(one).collect()
}
