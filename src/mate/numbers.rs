//! Proof and disproof numbers: how much there may be left to do.
//!
//! They order the work and decide nothing. The number for the side that needs *all* its moves considered is the largest of its
//! children's and one for each other child that is open ("weak" proof-number search: Ueda, Hashimoto, Hashimoto and Iida 2008).
//! A sum would count what is reached on several ways as often, and in mate problems most positions are.

/// The numbers of a position, seen by the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// 0 if the mate is proved.
    pub(crate) proof: u32,
    /// 0 if the mate is refuted.
    pub(crate) disproof: u32,
}

/// The number of what cannot be done.
pub(crate) const NEVER: u32 = 1 << 30;

/// The largest number of what may be done.
const LARGEST: u32 = NEVER - 1;

impl Numbers {
    /// The mate is proved.
    pub(crate) const PROVED: Numbers = Numbers {
        proof: 0,
        disproof: NEVER,
    };

    /// The mate is refuted.
    pub(crate) const REFUTED: Numbers = Numbers {
        proof: NEVER,
        disproof: 0,
    };

    /// No limit.
    pub(crate) const UNLIMITED: Numbers = Numbers {
        proof: NEVER,
        disproof: NEVER,
    };

    /// The numbers of a position that is decided.
    pub(crate) const fn decided(mates: bool) -> Numbers {
        if mates {
            Numbers::PROVED
        } else {
            Numbers::REFUTED
        }
    }

    /// Whether the attacker mates, if that is decided.
    pub(crate) const fn verdict(self) -> Option<bool> {
        match (self.proof, self.disproof) {
            (0, _) => Some(true),
            (_, 0) => Some(false),
            _ => None,
        }
    }

    /// The same with the parts of attacker and defender exchanged.
    const fn exchanged(self) -> Numbers {
        Numbers {
            proof: self.disproof,
            disproof: self.proof,
        }
    }

    /// Whether a limit is reached.
    pub(crate) const fn reach(self, limits: Numbers) -> bool {
        self.proof >= limits.proof || self.disproof >= limits.disproof
    }
}

/// Where to go on among the children of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    /// The numbers of the position.
    pub(crate) numbers: Numbers,
    /// The place of the child to look at.
    pub(crate) place: usize,
    /// The limits up to which that child is the best.
    pub(crate) limits: Numbers,
}

/// The choice of the attacker, who needs one child that mates.
pub(crate) fn for_attacker(children: impl Iterator<Item = Numbers>, limits: Numbers) -> Choice {
    let mut least = NEVER;
    let mut second = NEVER;
    let mut least_disproof = NEVER;
    let mut place = 0;
    let mut largest = 0;
    let mut open = 0;
    for (at, Numbers { proof, disproof }) in children.enumerate() {
        if proof < least {
            (second, least) = (least, proof);
            (place, least_disproof) = (at, disproof);
        } else if proof < second {
            second = proof;
        }
        if disproof > 0 {
            open += 1;
            largest = largest.max(disproof);
        }
    }
    let numbers = match (least, open) {
        (0, _) => Numbers::PROVED,
        (_, 0) => Numbers::REFUTED,
        _ => Numbers {
            proof: least,
            disproof: (largest + open - 1).min(LARGEST),
        },
    };
    // A quarter more than the second best, so that the search does not jump to and fro.
    let until = if second >= LARGEST {
        NEVER
    } else {
        second + second / 4 + 1
    };
    let rest = if limits.disproof >= NEVER {
        NEVER
    } else {
        limits.disproof.saturating_sub(numbers.disproof) + least_disproof
    };
    Choice {
        numbers,
        place,
        limits: Numbers {
            proof: limits.proof.min(until),
            disproof: rest.min(NEVER),
        },
    }
}

/// The choice of the defender, who needs one child that does not lose.
pub(crate) fn for_defender(children: impl Iterator<Item = Numbers>, limits: Numbers) -> Choice {
    let choice = for_attacker(children.map(Numbers::exchanged), limits.exchanged());
    Choice {
        numbers: choice.numbers.exchanged(),
        place: choice.place,
        limits: choice.limits.exchanged(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof, disproof }
    }

    #[test]
    fn the_attacker_goes_where_least_is_left_to_prove() {
        let children = [
            numbers(5, 1),
            numbers(2, 7),
            numbers(4, 2),
            Numbers::REFUTED,
        ];
        let choice = for_attacker(children.into_iter(), Numbers::UNLIMITED);
        assert_eq!((choice.place, choice.numbers), (1, numbers(2, 9)));
        assert_eq!(choice.limits, numbers(6, NEVER));
    }

    #[test]
    fn the_defender_goes_where_least_is_left_to_refute() {
        let children = [numbers(5, 3), Numbers::PROVED, numbers(4, 2)];
        let choice = for_defender(children.into_iter(), numbers(100, 100));
        assert_eq!((choice.place, choice.numbers), (2, numbers(6, 2)));
        assert_eq!(choice.limits, numbers(98, 4));
    }

    #[test]
    fn decided_children_decide() {
        let refuted = [Numbers::REFUTED; 3].into_iter();
        let choice = for_attacker(refuted, Numbers::UNLIMITED);
        assert_eq!(choice.numbers.verdict(), Some(false));
        let proved = [numbers(3, 3), Numbers::PROVED].into_iter();
        let choice = for_attacker(proved, Numbers::UNLIMITED);
        assert_eq!(choice.numbers.verdict(), Some(true));
        let proved = [Numbers::PROVED; 2].into_iter();
        let choice = for_defender(proved, Numbers::UNLIMITED);
        assert_eq!(choice.numbers.verdict(), Some(true));
    }

    #[test]
    fn numbers_without_end_are_no_verdict() {
        let huge = [numbers(LARGEST, LARGEST); 2].into_iter();
        let choice = for_attacker(huge, Numbers::UNLIMITED);
        assert_eq!(choice.numbers.verdict(), None);
        assert!(!choice.numbers.reach(Numbers::UNLIMITED));
        assert!(choice.limits.proof > LARGEST);
    }
}
