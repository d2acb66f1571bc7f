//! Material in hundredths of a pawn. It orders moves and decides nothing.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use serde::Serialize;
use shakmaty::Role;

/// An amount of material: P 100, N 320, B 330, R 500, Q 900.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Centipawns(pub i32);

impl Centipawns {
    /// What a man is worth. A king is never captured and counts nothing.
    pub const fn of(role: Role) -> Centipawns {
        Centipawns(match role {
            Role::Pawn => 100,
            Role::Knight => 320,
            Role::Bishop => 330,
            Role::Rook => 500,
            Role::Queen => 900,
            Role::King => 0,
        })
    }
}

impl Add for Centipawns {
    type Output = Centipawns;

    fn add(self, other: Centipawns) -> Centipawns {
        Centipawns(self.0 + other.0)
    }
}

impl Sub for Centipawns {
    type Output = Centipawns;

    fn sub(self, other: Centipawns) -> Centipawns {
        Centipawns(self.0 - other.0)
    }
}

impl Neg for Centipawns {
    type Output = Centipawns;

    fn neg(self) -> Centipawns {
        Centipawns(-self.0)
    }
}

impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}
