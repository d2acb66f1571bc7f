//! A solution in the layout that problem people know from Popeye.
//!
//! A first move is indented by 3, the nth reply by 8n − 2 and what follows it by 8n + 2. Knights are `S` there; captures are `*`, castling `0-0`,
//! a key is marked `!`, a try `?` with its refutations behind `but`.

use dchess::mate::{Continuation, Phase, Pressure, Solution, Variation};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Move, Role};

use super::solution_json::Judged;

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Moves {
    /// Origin and target: `Qf3-d1`
    Long,
    /// Standard algebraic notation: `Qd1`
    San,
}

/// How a solution is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) moves: Moves,
    /// The letter of a knight.
    pub(crate) knight: char,
}

/// The lines of a solution: set play, then tries and keys.
pub(crate) fn lines(solution: &Solution, style: Style) -> Vec<String> {
    let mut lines = Lines {
        style,
        lines: Vec::new(),
    };
    if !solution.set_play.is_empty() {
        lines.variations(&solution.set_play, 1);
        lines.lines.push(String::new());
    }
    for phase in &solution.phases {
        lines.phase(phase);
        lines.lines.push(String::new());
    }
    lines.lines
}

/// Cooks and short solutions, one kind a line.
pub(crate) fn judgement(position: &Chess, judged: &Judged, style: Style) -> Vec<String> {
    let line = |title: &str, moves: &[Move]| {
        let moves: Vec<String> = moves
            .iter()
            .map(|&mv| format!("1.{}", style.text(position, mv)))
            .collect();
        (!moves.is_empty()).then(|| format!("{title}: {}", moves.join(", ")))
    };
    let lines = [
        line("cooks", &judged.cooks),
        line("short solutions", &judged.short),
    ];
    lines.into_iter().flatten().collect()
}

/// What a composer looks for after the solution: duals and short mates, one a line.
pub(crate) fn remarks(solution: &Solution, style: Style) -> Vec<String> {
    let mut remarks = Remarks {
        style,
        duals: Vec::new(),
        mating_duals: Vec::new(),
        short: Vec::new(),
    };
    for phase in solution
        .phases
        .iter()
        .filter(|phase| phase.refutations.is_empty())
    {
        remarks.play(&phase.first, 1, "");
    }
    let Remarks {
        duals,
        mating_duals,
        short,
        ..
    } = remarks;
    let mut lines = Vec::new();
    for (title, found) in [
        ("duals", duals),
        ("duals on the mating move", mating_duals),
        ("short mates", short),
    ] {
        if !found.is_empty() {
            lines.push(format!("{title}:"));
            lines.extend(found.into_iter().map(|line| format!("   {line}")));
        }
    }
    lines
}

struct Lines {
    style: Style,
    lines: Vec<String>,
}

impl Lines {
    fn add(&mut self, indent: usize, text: &str) {
        self.lines.push(format!("{:indent$}{text}", ""));
    }

    fn phase(&mut self, phase: &Phase) {
        let mark = if phase.refutations.is_empty() {
            " !"
        } else {
            " ?"
        };
        self.continuation(&phase.first, 1, mark, 3);
        if !phase.refutations.is_empty() {
            self.add(4, "but");
            let mut position = phase.first.position.clone();
            shakmaty::Position::play_unchecked(&mut position, phase.first.mv);
            for &refutation in &phase.refutations {
                let text = self.style.text(&position, refutation);
                self.add(6, &format!("1...{text} !"));
            }
        }
    }

    fn continuation(
        &mut self,
        continuation: &Continuation,
        number: usize,
        mark: &str,
        indent: usize,
    ) {
        let text = self.style.text(&continuation.position, continuation.mv);
        let (sign, pressure) = match &continuation.pressure {
            Pressure::Mate => (" #", ""),
            Pressure::Check => (" +", ""),
            Pressure::Threat(_) => ("", " threat:"),
            Pressure::Zugzwang => ("", " zugzwang."),
        };
        self.add(indent, &format!("{number}.{text}{sign}{mark}{pressure}"));
        if let Pressure::Threat(threats) = &continuation.pressure {
            for threat in threats {
                self.continuation(threat, number + 1, "", 8 * number + 2);
            }
        }
        self.variations(&continuation.variations, number);
    }

    fn variations(&mut self, variations: &[Variation], number: usize) {
        for variation in variations {
            let text = self.style.text(&variation.position, variation.reply);
            self.add(8 * number - 2, &format!("{number}...{text}"));
            for continuation in &variation.continuations {
                self.continuation(continuation, number + 1, "", 8 * number + 2);
            }
        }
    }
}

struct Remarks {
    style: Style,
    duals: Vec<String>,
    mating_duals: Vec<String>,
    short: Vec<String>,
}

impl Remarks {
    fn play(&mut self, continuation: &Continuation, number: usize, before: &str) {
        let text = self.style.text(&continuation.position, continuation.mv);
        let line = format!("{before}{number}.{text} ");
        for variation in &continuation.variations {
            let reply = self.style.text(&variation.position, variation.reply);
            let line = format!("{line}{number}...{reply} ");
            let moves = variation.continuations.iter();
            let moves: Vec<String> = moves
                .map(|next| self.style.text(&next.position, next.mv))
                .collect();
            let found = format!("{line}{}.{}", number + 1, moves.join(", "));
            if variation.is_dual() {
                self.duals.push(found);
            } else if variation.is_mating_dual() {
                self.mating_duals.push(found);
            } else if variation.is_short() {
                self.short.push(found);
            }
            for next in &variation.continuations {
                self.play(next, number + 1, &line);
            }
        }
    }
}

impl Style {
    /// A legal move of a position.
    fn text(self, position: &Chess, mv: Move) -> String {
        match self.moves {
            Moves::San => San::from_move(position, mv)
                .to_string()
                .replace('N', &self.knight.to_string()),
            Moves::Long => self.long(mv),
        }
    }

    fn long(self, mv: Move) -> String {
        let letter = |role: Role| match role {
            Role::Knight => self.knight,
            role => role.upper_char(),
        };
        match mv {
            Move::Castle { king, rook } => match CastlingSide::from_queen_side(rook < king) {
                CastlingSide::KingSide => "0-0".to_owned(),
                CastlingSide::QueenSide => "0-0-0".to_owned(),
            },
            Move::EnPassant { from, to } => format!("{from}*{to} ep."),
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => {
                let man = match role {
                    Role::Pawn => String::new(),
                    role => letter(role).to_string(),
                };
                let sign = if capture.is_some() { '*' } else { '-' };
                let promoted = promotion.map_or(String::new(), |role| format!("={}", letter(role)));
                format!("{man}{from}{sign}{to}{promoted}")
            }
            Move::Put { role, to } => format!("{}@{to}", letter(role)),
        }
    }
}
