//! Exact values of states, from the point of view of the side to move.
//!
//! The order of [`Value`] is preference: a quicker win is better than a slower one, any win better
//! than a draw, a draw better than any loss, a slower loss better than a quicker one. With that
//! order the whole of retrograde analysis is one equation: the value of a state is the *maximum*
//! over its successors of [`Value::for_the_mover`].

use std::cmp::Ordering;
use std::fmt;

use super::Plies;

/// A result without its distance, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The opponent wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// The word used in reports: `win`, `draw`, `loss`.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }
}

/// A result with its distance under optimal play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Lost; the game lasts that many plies (an even number, 0 at the end itself).
    Loss(Plies),
    /// Drawn, by the rules or because neither side can make progress.
    Draw,
    /// Won in that many plies (an odd number).
    Win(Plies),
}

impl Value {
    /// The result without the distance.
    pub const fn outcome(self) -> Outcome {
        match self {
            Value::Loss(_) => Outcome::Loss,
            Value::Draw => Outcome::Draw,
            Value::Win(_) => Outcome::Win,
        }
    }

    /// The distance to the end of the game, `None` for a draw.
    pub const fn distance(self) -> Option<Plies> {
        match self {
            Value::Loss(plies) | Value::Win(plies) => Some(plies),
            Value::Draw => None,
        }
    }

    /// What a move into a state of this value is worth to the side that makes the move: the other
    /// result, one ply later.
    ///
    /// # Panics
    ///
    /// Beyond 65,535 plies, which no game with fewer states reaches.
    pub fn for_the_mover(self) -> Value {
        let later = |plies: Plies| {
            plies
                .next()
                .expect("a distance is below the number of states")
        };
        match self {
            Value::Loss(plies) => Value::Win(later(plies)),
            Value::Draw => Value::Draw,
            Value::Win(plies) => Value::Loss(later(plies)),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Loss(a), Value::Loss(b)) => a.cmp(b),
            (Value::Win(a), Value::Win(b)) => b.cmp(a),
            _ => self.outcome().cmp(&other.outcome()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Some(plies) => write!(f, "{} in {plies}", self.outcome().word()),
            None => f.write_str(self.outcome().word()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_preference() {
        let best_to_worst = [
            Value::Win(Plies::new(1)),
            Value::Win(Plies::new(31)),
            Value::Draw,
            Value::Loss(Plies::new(32)),
            Value::Loss(Plies::ZERO),
        ];
        assert!(best_to_worst.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn a_move_changes_the_point_of_view_and_costs_a_ply() {
        let mated = Value::Loss(Plies::ZERO);
        assert_eq!(mated.for_the_mover(), Value::Win(Plies::new(1)));
        assert_eq!(
            mated.for_the_mover().for_the_mover(),
            Value::Loss(Plies::new(2))
        );
        assert_eq!(Value::Draw.for_the_mover(), Value::Draw);
        assert_eq!(mated.to_string(), "loss in 0 plies");
        assert_eq!(mated.for_the_mover().to_string(), "win in 1 ply");
    }
}
