//! The check of an endgame table: steps 2 to 8 of what a checker must establish.
//!
//! Nothing about chess is taken over from the file. The states, their successors and every count come from the
//! island's own enumeration and move generator; the bytes of the file are only compared with what the equations give.
//! The first difference is the verdict. Why these local comparisons prove the claim is said in the soundness argument
//! of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 1: endgame table*.

use super::certificate::{Child, EndgameTable};
use super::claim::{Material, material_of_endgame};
use super::counts::Counts;
use super::images::Images;
use super::position::Position;
use super::states::{Number, States, Successor, Transition};
use super::value::Value;
use super::{Checked, Move, Reason, Refusal};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    children: &[Child],
    table: &EndgameTable,
) -> Result<Checked, Refusal> {
    let material = material_of_endgame(claim)?;
    check_no_children(children)?;
    let states = States::of(&material)?;
    let witnesses = Witnesses::of(table, &states)?;

    let mut counts = Counts::of(&states);
    let mut images = Images::of(&states);
    for (number, position) in states.positions(&material) {
        let transitions = states.transitions(&position)?;
        let value = witnesses.check_value(number, &position, &transitions)?;
        let successors = images.check(&states, &position, &transitions)?;
        counts.add(position.side(), value, transitions.len(), successors);
    }
    // A move is judged when all values are known to be right, so that a wrong value is not taken for a wrong move.
    for (number, position) in states.positions(&material) {
        witnesses.check_policy(number, &position, &states.transitions(&position)?)?;
    }
    counts.check(table)?;
    witnesses.check_longest_line(&states, &material)?;
    Ok(counts.checked())
}

/// With three men every capture leads into the draw sink, so no other table is needed.
fn check_no_children(children: &[Child]) -> Result<(), Refusal> {
    let Some(child) = children.first() else {
        return Ok(());
    };
    let place = format_args!("children: none is needed, stored {}", child.id);
    Err(Refusal::new(Reason::WrongChildren, place))
}

/// The stored values and moves. Invariant: there are as many of each as there are states.
struct Witnesses<'a> {
    table: &'a EndgameTable,
}

impl<'a> Witnesses<'a> {
    /// Step 4: the lengths, and the number of raw legal states.
    fn of(table: &'a EndgameTable, states: &States) -> Result<Witnesses<'a>, Refusal> {
        let (values, moves) = (table.values.len() as u64, table.policy.len() as u64);
        let (found, raw) = (states.len() as u64, states.raw_states());
        same(Reason::WrongNumberOfStates, "states", table.states, found)?;
        same(Reason::WrongNumberOfValues, "values", values, found)?;
        same(Reason::WrongNumberOfMoves, "policy", moves, found)?;
        same(Reason::WrongCount, "raw_states", table.raw_states, raw)?;
        Ok(Witnesses { table })
    }

    fn value(&self, number: Number) -> Value {
        let byte = self.table.values.get(number.index());
        Value::from_byte(*byte.expect("there are as many values as states"))
    }

    fn policy(&self, number: Number) -> Move {
        let stored = self.table.policy.get(number.index());
        *stored.expect("there are as many moves as states")
    }

    /// The value that a move leads to.
    fn value_after(&self, transition: &Transition) -> Value {
        match transition.to {
            Successor::Sink => Value::Drawn,
            Successor::State(number) => self.value(number),
        }
    }

    /// Step 5, the equations.
    fn check_value(
        &self,
        number: Number,
        position: &Position,
        transitions: &[Transition],
    ) -> Result<Value, Refusal> {
        let successors = transitions.iter().map(|t| self.value_after(t));
        let (cause, found) = match (transitions.is_empty(), position.in_check()) {
            (false, _) => ("the successors give", Value::from_successors(successors)),
            (true, true) => ("checkmate gives", Value::Lost(0)),
            (true, false) => ("stalemate gives", Value::Drawn),
        };
        let stored = self.value(number);
        if stored == found {
            return Ok(found);
        }
        let reason = match stored.same_result(found) {
            true => Reason::WrongDistance,
            false => Reason::WrongResult,
        };
        let state = number.index();
        let place = format_args!("state {state} {position}: stored {stored}, {cause} {found}");
        Err(Refusal::new(reason, place))
    }

    /// Step 6, the policy.
    fn check_policy(
        &self,
        number: Number,
        position: &Position,
        transitions: &[Transition],
    ) -> Result<(), Refusal> {
        let best = self.best(self.value(number), transitions);
        let (stored, found) = (self.policy(number), best.map_or(Move::NONE, |t| t.by));
        if stored == found {
            return Ok(());
        }
        let state = number.index();
        let place = format_args!("state {state} {position}: stored {stored}, found {found}");
        Err(Refusal::new(Reason::WrongPolicy, place))
    }

    /// Of the optimal moves from a position of this value, the one with the smallest UCI text.
    fn best<'t>(&self, value: Value, transitions: &'t [Transition]) -> Option<&'t Transition> {
        let optimal = transitions
            .iter()
            .filter(|t| value.is_kept_by(self.value_after(t)));
        optimal.min_by_key(|t| t.by.letters())
    }

    /// Step 8. The counts have been checked: `max_dtm_plies` is the longest distance, or 0 if there is none.
    fn check_longest_line(&self, states: &States, material: &Material) -> Result<(), Refusal> {
        let (plies, line) = (self.table.max_dtm_plies, &self.table.longest_line);
        let (stored, found) = (line.len() as u64, u64::from(plies));
        same(Reason::WrongLongestLine, "longest_line", stored, found)?;

        let mut positions = states.positions(material);
        let longest = |&(number, _): &(Number, _)| self.value(number).plies() == Some(plies);
        let Some((number, mut position)) = positions.find(longest) else {
            return Ok(());
        };
        let mut value = self.value(number);
        for (ply, &stored) in line.iter().enumerate() {
            let transitions = states.transitions(&position)?;
            let best = self.best(value, &transitions);
            let found = best.map_or(Move::NONE, |t| t.by);
            let Some(best) = best.filter(|t| t.by == stored) else {
                let place = format_args!("longest_line ply {ply}: stored {stored}, found {found}");
                return Err(Refusal::new(Reason::WrongLongestLine, place));
            };
            value = self.value_after(best);
            position = position.after(stored.from(), stored.to());
        }
        Ok(())
    }
}

/// Refuses a stored number that is not the one found.
pub(super) fn same(reason: Reason, field: &str, stored: u64, found: u64) -> Result<(), Refusal> {
    if stored == found {
        return Ok(());
    }
    let place = format_args!("{field}: stored {stored}, found {found}");
    Err(Refusal::new(reason, place))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    const CLAIM: &str = "endgame KRK board dtm";

    /// Optimal play from Ka1 Rb2 / Kc2, as another program found it.
    const LINE: &str = "c2c3 a1a2 c3d4 a2b3 d4d3 b2a2 d3d4 a2a5 d4d3 a5a4 d3d2 a4d4 d2e2 b3c2 e2e3 c2c3 \
        e3e2 d4d3 e2e1 d3d2 e1f1 c3c2 f1e1 c2d3 e1f1 d3e3 f1e1 d2d4 e1f1 d4g4 f1e1 g4g1";

    static KRK: LazyLock<EndgameTable> = LazyLock::new(krk);

    /// The table of KRK: figures and longest line of other programs, values and moves found distance by distance.
    fn krk() -> EndgameTable {
        let material = material_of_endgame(CLAIM).unwrap();
        let states = States::of(&material).unwrap();
        let mut table = EndgameTable {
            raw_states: 399_112,
            states: 50_015,
            edges: 558_816,
            legal_moves: 560_244,
            symmetry_comparisons: 400_120,
            checkmates: 27,
            stalemates: 9,
            white_wins: 21_959,
            white_losses: 0,
            white_draws: 0,
            black_wins: 0,
            black_losses: 25_260,
            black_draws: 2_796,
            max_dtm_plies: 32,
            max_dtm_states: 390,
            longest_line: LINE
                .split_whitespace()
                .map(|m| m.parse().unwrap())
                .collect(),
            values: vec![255; states.len()],
            policy: vec![Move::NONE; states.len()],
        };
        let mut transitions = Vec::new();
        for (number, position) in states.positions(&material) {
            transitions.push(states.transitions(&position).unwrap());
            if transitions[number.index()].is_empty() && position.in_check() {
                table.values[number.index()] = 0;
            }
        }
        for plies in 1..=32 {
            let before = table.clone();
            let witnesses = Witnesses { table: &before };
            for (index, moves) in transitions.iter().enumerate() {
                let value = Value::from_successors(moves.iter().map(|t| witnesses.value_after(t)));
                if before.values[index] == 255 && !moves.is_empty() && value.plies() == Some(plies)
                {
                    table.values[index] = plies as u8;
                }
            }
        }
        let solved = table.clone();
        let witnesses = Witnesses { table: &solved };
        for (number, _) in states.positions(&material) {
            let best = witnesses.best(witnesses.value(number), &transitions[number.index()]);
            table.policy[number.index()] = best.map_or(Move::NONE, |t| t.by);
        }
        table
    }

    /// The refusal of the table after a change.
    fn refusal(change: impl FnOnce(&mut EndgameTable)) -> Refusal {
        let mut table = KRK.clone();
        change(&mut table);
        assert_ne!(table, *KRK);
        check(CLAIM, &[], &table).unwrap_err()
    }

    /// The first state with this byte.
    fn state(byte: u8) -> usize {
        KRK.values.iter().position(|&value| value == byte).unwrap()
    }

    #[test]
    fn the_good_table_is_verified() {
        let checked = check(CLAIM, &[], &KRK).unwrap();
        assert_eq!((checked.states, checked.edges), (50_015, 558_816));
    }

    #[test]
    fn it_does_not_prove_another_claim() {
        for (claim, reason) in [
            ("endgame KQK board dtm", Reason::WrongNumberOfStates),
            ("endgame KRK fcs dtm", Reason::UnknownRulesProfile),
            ("endgame KPK board dtm", Reason::UnknownMaterial),
            ("endgame KRK board", Reason::UnknownClaim),
        ] {
            assert_eq!(check(claim, &[], &KRK).unwrap_err().reason, reason);
        }
        let child = Child {
            claim: "endgame KBK board dtm".to_string(),
            id: super::super::Id::from_bytes([0; 32]),
        };
        assert_eq!(
            check(CLAIM, &[child], &KRK).unwrap_err().reason,
            Reason::WrongChildren
        );
    }

    /// A wrong byte may be seen first from an earlier state, which then has another value.
    const SEEN: [Reason; 2] = [Reason::WrongDistance, Reason::WrongResult];

    #[test]
    fn a_wrong_value_is_refused() {
        let distances = [
            (0, 2),
            (1, 3),
            (2, 0),
            (2, 4),
            (17, 15),
            (31, 33),
            (32, 30),
            (32, 34),
        ];
        let results = [
            (1, 2),
            (1, 255),
            (32, 31),
            (0, 255),
            (255, 0),
            (255, 1),
            (255, 254),
        ];
        for (from, to) in distances.into_iter().chain(results) {
            let index = state(from);
            let found = refusal(|table| table.values[index] = to);
            assert!(SEEN.contains(&found.reason), "{from} {to}: {found}");
        }
    }

    #[test]
    fn a_wrong_value_of_the_first_state_is_told_as_such() {
        let first = KRK.values[0];
        let found = refusal(|table| table.values[0] = 255);
        assert_eq!(found.reason, Reason::WrongResult);
        let place =
            "state 0 8/8/8/8/8/8/8/KRk5 b - - 0 1: stored draw, the successors give loss in ";
        assert_eq!(found.place, format!("{place}{first}"));
        for byte in [first + 2, first - 2] {
            assert_eq!(
                refusal(|table| table.values[0] = byte).reason,
                Reason::WrongDistance
            );
        }
    }

    #[test]
    fn two_swapped_values_are_refused() {
        let (one, other) = (state(20), state(22));
        let found = refusal(|table| table.values.swap(one, other));
        assert!(SEEN.contains(&found.reason), "{found}");
    }

    #[test]
    fn a_wrong_move_is_refused() {
        let moves = |index: usize| {
            let material = material_of_endgame(CLAIM).unwrap();
            let states = States::of(&material).unwrap();
            let (_, position) = states.positions(&material).nth(index).unwrap();
            position.legal_moves()
        };
        for byte in [2, 31] {
            let index = state(byte);
            for (legal, _) in moves(index) {
                if legal != KRK.policy[index] {
                    let found = refusal(|table| table.policy[index] = legal);
                    assert_eq!(found.reason, Reason::WrongPolicy, "{legal}");
                }
            }
            for bits in [0, 1, 65, 0x8000, KRK.policy[index].bits() | 0x4000] {
                let found = refusal(|table| table.policy[index] = Move::from_bits(bits));
                assert_eq!(found.reason, Reason::WrongPolicy, "{bits}");
            }
        }
        let found = refusal(|table| table.policy[state(0)] = Move::from_bits(64));
        assert_eq!(found.reason, Reason::WrongPolicy);
    }

    #[test]
    fn wrong_lengths_are_refused() {
        use Reason::{WrongNumberOfMoves, WrongNumberOfStates, WrongNumberOfValues};
        let drop_value = |table: &mut EndgameTable| table.values.truncate(50_014);
        assert_eq!(refusal(drop_value).reason, WrongNumberOfValues);
        assert_eq!(
            refusal(|table| table.values.push(255)).reason,
            WrongNumberOfValues
        );
        assert_eq!(
            refusal(|table| table.values.clear()).reason,
            WrongNumberOfValues
        );
        assert_eq!(
            refusal(|table| table.policy.push(Move::NONE)).reason,
            WrongNumberOfMoves
        );
        assert_eq!(
            refusal(|table| table.policy.truncate(50_014)).reason,
            WrongNumberOfMoves
        );
        assert_eq!(
            refusal(|table| table.states = 0).reason,
            WrongNumberOfStates
        );
        let empty = |table: &mut EndgameTable| {
            table.states = 0;
            table.values.clear();
            table.policy.clear();
        };
        assert_eq!(refusal(empty).reason, WrongNumberOfStates);
    }

    type Field = fn(&mut EndgameTable) -> &mut u64;

    #[test]
    fn every_wrong_count_is_refused() {
        let fields: [(&str, Field); 14] = [
            ("raw_states", |table| &mut table.raw_states),
            ("states", |table| &mut table.states),
            ("edges", |table| &mut table.edges),
            ("legal_moves", |table| &mut table.legal_moves),
            ("symmetry_comparisons", |table| {
                &mut table.symmetry_comparisons
            }),
            ("checkmates", |table| &mut table.checkmates),
            ("stalemates", |table| &mut table.stalemates),
            ("white_wins", |table| &mut table.white_wins),
            ("white_losses", |table| &mut table.white_losses),
            ("white_draws", |table| &mut table.white_draws),
            ("black_wins", |table| &mut table.black_wins),
            ("black_losses", |table| &mut table.black_losses),
            ("black_draws", |table| &mut table.black_draws),
            ("max_dtm_states", |table| &mut table.max_dtm_states),
        ];
        for (name, field) in fields {
            for change in [1, u64::MAX] {
                let found = refusal(|table| *field(table) = field(table).wrapping_add(change));
                let reason = match name {
                    "states" => Reason::WrongNumberOfStates,
                    _ => Reason::WrongCount,
                };
                assert_eq!(found.reason, reason, "{name}");
                assert!(
                    found.place.starts_with(&format!("{name}: stored ")),
                    "{found}"
                );
            }
        }
        for plies in [0, 31, 33, u16::MAX] {
            let found = refusal(|table| table.max_dtm_plies = plies);
            assert_eq!(found.reason, Reason::WrongCount);
            assert_eq!(
                found.place,
                format!("max_dtm_plies: stored {plies}, found 32")
            );
        }
    }

    #[test]
    fn a_wrong_longest_line_is_refused() {
        let found = refusal(|table| table.longest_line.truncate(31));
        assert_eq!(found.reason, Reason::WrongLongestLine);
        assert_eq!(found.place, "longest_line: stored 31, found 32");
        let found = refusal(|table| table.longest_line.push(Move::NONE));
        assert_eq!(found.reason, Reason::WrongLongestLine);
        assert_eq!(
            refusal(|table| table.longest_line.clear()).reason,
            Reason::WrongLongestLine
        );
        for ply in [0, 1, 30, 31] {
            for bits in [0, 0xffff, KRK.longest_line[ply].bits() ^ 64] {
                let found = refusal(|table| table.longest_line[ply] = Move::from_bits(bits));
                assert_eq!(found.reason, Reason::WrongLongestLine);
                assert!(
                    found
                        .place
                        .starts_with(&format!("longest_line ply {ply}: ")),
                    "{found}"
                );
            }
        }
    }
}
