//! The check of an endgame table: steps 2 to 7 of what a checker must establish.
//!
//! The file says nothing about chess that is taken over. The states, their successors and every count come from the
//! island's own enumeration and move generator; the bytes of the file are only compared with what the equations give.
//! The first difference is the verdict. Why local comparisons prove the claim, the soundness argument of the module says.
//!
//! Source: `docs/certificate-format.md`, *Kind 1: endgame table*.

use super::certificate::{Child, EndgameTable};
use super::claim::{Material, material_of_endgame};
use super::counts::Counts;
use super::position::Position;
use super::states::{Number, States, Successor};
use super::symmetry::Symmetry;
use super::value::Value;
use super::{Checked, Move, Reason, Refusal};

/// Establishes the claim, or refuses the certificate.
pub(super) fn check(
    claim: &str,
    children: &[Child],
    table: &EndgameTable,
) -> Result<Checked, Refusal> {
    let material = material_of_endgame(claim)?;
    if let Some(child) = children.first() {
        let place = format_args!(
            "children: none is needed, stored {} {}",
            child.id, child.claim
        );
        return Err(Refusal::new(Reason::WrongChildren, place));
    }
    let states = States::of(&material)?;
    let witnesses = Witnesses::of(table, &states)?;
    let mut counts = Counts::of(&states);
    for (number, position) in states.positions(&material) {
        let edges = states.edges(&position)?;
        let value = witnesses.check_value(number, &position, &edges)?;
        witnesses.check_policy(number, &position, &edges)?;
        let successors = successor_set(&edges);
        counts.add(&position, value, edges.len(), successors.len());
        for symmetry in Symmetry::all() {
            check_image(&states, &position, &successors, symmetry)?;
            counts.add_comparison();
        }
    }
    counts.check(table)?;
    witnesses.check_longest_line(&material)?;
    Ok(Checked {
        states: counts.states,
        edges: counts.edges,
    })
}

/// The distinct successors, in order.
fn successor_set(moves: &[(Move, Successor)]) -> Vec<Successor> {
    let mut successors: Vec<Successor> = moves.iter().map(|&(_, successor)| successor).collect();
    successors.sort_unstable();
    successors.dedup();
    successors
}

/// The image of a state has the same set of successors and, where this is empty, is mate or stalemate as the state is.
fn check_image(
    states: &States,
    position: &Position,
    successors: &[Successor],
    symmetry: Symmetry,
) -> Result<(), Refusal> {
    let image = position.image(symmetry);
    let same_end = !successors.is_empty() || image.in_check() == position.in_check();
    if same_end && successor_set(&states.edges(&image)?) == successors {
        return Ok(());
    }
    Err(Refusal::new(
        Reason::SymmetryBroken,
        format_args!("{position} and {image}"),
    ))
}

/// The stored values and moves. Invariant: there are as many of each as there are states.
struct Witnesses<'a> {
    table: &'a EndgameTable,
    states: &'a States,
}

impl<'a> Witnesses<'a> {
    fn of(table: &'a EndgameTable, states: &'a States) -> Result<Witnesses<'a>, Refusal> {
        let lengths = [
            (
                Reason::WrongNumberOfStates,
                "states",
                table.states,
                states.len(),
            ),
            (
                Reason::WrongNumberOfValues,
                "values",
                table.values.len() as u64,
                states.len(),
            ),
            (
                Reason::WrongNumberOfMoves,
                "policy",
                table.policy.len() as u64,
                states.len(),
            ),
        ];
        for (reason, field, stored, found) in lengths {
            if stored != found as u64 {
                return Err(Refusal::new(
                    reason,
                    format_args!("{field}: stored {stored}, found {found}"),
                ));
            }
        }
        Ok(Witnesses { table, states })
    }

    fn value(&self, number: Number) -> Value {
        Value::from_byte(
            *self
                .table
                .values
                .get(number.index())
                .expect("as many values as states"),
        )
    }

    fn policy(&self, number: Number) -> Move {
        *self
            .table
            .policy
            .get(number.index())
            .expect("as many moves as states")
    }

    fn value_after(&self, successor: Successor) -> Value {
        match successor {
            Successor::Sink => Value::Drawn,
            Successor::State(number) => self.value(number),
        }
    }

    fn check_value(
        &self,
        number: Number,
        position: &Position,
        edges: &[(Move, Successor)],
    ) -> Result<Value, Refusal> {
        let stored = self.value(number);
        let found = match edges {
            [] => Value::without_moves(position.in_check()),
            _ => Value::from_successors(
                edges
                    .iter()
                    .map(|&(_, successor)| self.value_after(successor)),
            ),
        };
        if stored == found {
            return Ok(found);
        }
        let reason = if stored.same_result(found) {
            Reason::WrongDistance
        } else {
            Reason::WrongResult
        };
        Err(Refusal::new(
            reason,
            format_args!("state {}", number.index()),
        ))
    }

    /// Of the optimal moves of a position with this value, the one with the smallest UCI text; no move if it has none.
    fn best_move(&self, value: Value, edges: &[(Move, Successor)]) -> Move {
        let optimal = edges
            .iter()
            .filter(|&&(_, successor)| value.is_kept_by(self.value_after(successor)));
        optimal
            .map(|&(m, _)| m)
            .min_by_key(|m| m.letters())
            .unwrap_or(Move::NONE)
    }

    fn check_policy(
        &self,
        number: Number,
        position: &Position,
        edges: &[(Move, Successor)],
    ) -> Result<(), Refusal> {
        let (stored, found) = (
            self.policy(number),
            self.best_move(self.value(number), edges),
        );
        if stored == found {
            return Ok(());
        }
        let place = format_args!(
            "state {} {position}: stored {stored}, found {found}",
            number.index()
        );
        Err(Refusal::new(Reason::WrongPolicy, place))
    }

    fn check_longest_line(&self, material: &Material) -> Result<(), Refusal> {
        Ok(())
    }
}
