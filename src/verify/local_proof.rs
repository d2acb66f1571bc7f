//! The check of a local proof: steps 2 to 11 of what a checker must establish.
//!
//! The class is not enumerated, however many men it has: what is looked at are the listed positions, and where their moves
//! lead. These come from the island's own move generator, their canonical images from the symmetries, the bytes of children
//! from tables that were verified before. Why this proves the claim is said in the soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 4: local proof*.

use std::sync::Arc;

use super::branches::branches;
use super::certificate::{Child, LocalProof};
use super::interval::Interval;
use super::listing::{Known, Listing, NO_RANK};
use super::man::Side;
use super::position::Position;
use super::root::Root;
use super::routes::Routes;
use super::session::Tables;
use super::states::States;
use super::table::check_children;
use super::tuple::Tuple;
use super::{Checked, Reason, Refusal, records};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: &[Child],
    stored: &LocalProof,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let root = Root::of(claim)?;
    let material = &root.material;
    check_children(material, named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    judge(claim, &root, stored, &children)
}

/// Steps 4 to 11.
fn judge(
    claim: &str,
    root: &Root,
    stored: &LocalProof,
    children: &[Arc<States>],
) -> Result<Checked, Refusal> {
    let position = root.position().ok_or_else(|| {
        let place = format_args!("claim: stored {claim}");
        Refusal::new(Reason::IllegalPosition, place)
    })?;
    let listing = Listing::of(&root.material, stored)?;
    check_root(&listing, &position, root.interval)?;
    let routes = Routes::of(&root.material, children);
    let moves = check_bounds(&listing, &routes)?;
    records::check(&listing, &routes, stored, moves)?;
    Ok(Checked {
        states: listing.len() as u64,
        edges: moves,
    })
}

/// Step 8.
fn check_root(listing: &Listing, root: &Position, claimed: Interval) -> Result<(), Refusal> {
    let Some(place) = listing.find(Tuple::canonical(root)) else {
        return Err(Refusal::new(Reason::MissingRoot, root));
    };
    let stored = listing.at(place).interval;
    if stored == claimed {
        return Ok(());
    }
    let named = listing.named(place);
    let place = format_args!(
        "{named}: stored {} to {}, claimed {} to {}",
        stored.low, stored.high, claimed.low, claimed.high
    );
    Err(Refusal::new(Reason::WrongInterval, place))
}

/// Step 9. Returns how many moves the positions have.
fn check_bounds(listing: &Listing, routes: &Routes) -> Result<u64, Refusal> {
    let mut moves = 0;
    for (place, position) in listing.positions().enumerate() {
        let branches = branches(&position, routes)?;
        moves += branches.len() as u64;
        let known = branches.into_iter();
        let known: Vec<Known> = known
            .map(|branch| listing.known(branch, position.to_move))
            .collect();
        let stored = listing.at(place);
        let checked = match known.is_empty() {
            true => check_end(&position, stored),
            false => check_moves(position.to_move, stored, &known),
        };
        checked.map_err(|(reason, what)| {
            let named = listing.named(place);
            Refusal::new(reason, format_args!("{named}: {what}"))
        })?;
    }
    Ok(moves)
}

/// Why something said of a position is refused, and what it is.
type Wrong = (Reason, String);

/// A position without a legal move: mate or stalemate.
fn check_end(position: &Position, stored: Known) -> Result<(), Wrong> {
    let mated = position.in_check().then_some(position.to_move);
    if stored.interval != Interval::won_by(mated.map(Side::other)) {
        let what = match mated {
            Some(_) => "a checkmate with other bounds",
            None => "a stalemate with other bounds",
        };
        return Err((Reason::UnwitnessedBound, what.to_string()));
    }
    check_rank(stored, mated.map_or(Rank::None, |_| Rank::Plies(0)))
}

/// A position with legal moves, of which this is known.
fn check_moves(to_move: Side, stored: Known, moves: &[Known]) -> Result<(), Wrong> {
    for (least, reason) in [(1, Reason::UnwitnessedBound), (0, Reason::LeakingSet)] {
        for side in Side::BOTH {
            if stored.interval.least_for(side) != least {
                continue;
            }
            // The side needs one move that gives it as much; the other side must have none that gives it less.
            let mut gives = moves
                .iter()
                .map(|known| known.interval.least_for(side) >= least);
            let is_witnessed = match to_move == side {
                true => gives.any(|gives| gives),
                false => gives.all(|gives| gives),
            };
            if !is_witnessed {
                let what = match (side, least) {
                    (Side::White, 1) => "lower 2",
                    (Side::White, _) => "lower 1",
                    (Side::Black, 1) => "upper 0",
                    (Side::Black, _) => "upper 1",
                };
                return Err((reason, format!("{what} does not follow from the moves")));
            }
        }
    }
    check_rank(stored, rank(to_move, stored.interval, moves))
}

/// Refuses a rank that is not the one found. If a rank is found that cannot be written, none is right.
fn check_rank(stored: Known, found: Rank) -> Result<(), Wrong> {
    let is_right = match found {
        Rank::None => stored.rank == NO_RANK,
        Rank::Plies(plies) => u32::from(stored.rank) == plies && stored.rank != NO_RANK,
    };
    if is_right {
        return Ok(());
    }
    let what = match found {
        Rank::None => format!("rank stored {}, found none", stored.rank),
        Rank::Plies(plies) => format!("rank stored {}, found {plies}", stored.rank),
    };
    Err((Reason::WrongRank, what))
}

/// The rank that follows for a position.
#[derive(Clone, Copy)]
enum Rank {
    /// Nobody is said to win.
    None,
    /// The winner needs so many plies, which may be more than can be written.
    Plies(u32),
}

/// The rank of a position with moves.
fn rank(to_move: Side, interval: Interval, moves: &[Known]) -> Rank {
    let mut sides = Side::BOTH.into_iter();
    let Some(winner) = sides.find(|&side| interval.least_for(side) == 1) else {
        return Rank::None;
    };
    let won = moves
        .iter()
        .filter(|known| known.interval.least_for(winner) == 1);
    let ranks = won.map(|known| u32::from(known.rank));
    let rank = match to_move == winner {
        true => ranks.min(),
        false => ranks.max(),
    };
    // A win that is witnessed has a move to one.
    rank.map_or(Rank::None, |rank| Rank::Plies(rank + 1))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::super::certificate::{Body, Certificate, Encoding};
    use super::super::claim::material_of_endgame;
    use super::super::container::tests::file_of_kind;
    use super::super::{Session, read};
    use super::*;

    const KEPT: u8 = u8::MAX;

    /// A claim, what proves it, and the tables of children; whether they are needed, or right, is not asked.
    #[derive(Clone)]
    struct Case {
        claim: String,
        proof: LocalProof,
        children: Vec<Arc<States>>,
    }

    /// A position without its clocks, its bounds, and its rank.
    type Entry<'a> = (&'a str, i8, i8, u16);

    fn root_of(fen: &str) -> Root {
        Root::of(&format!("interval {fen} 0 1 board -1 1")).unwrap()
    }

    impl Case {
        /// The case with these entries, brought into order, the first one its claim. No move is deleted.
        fn of(entries: &[Entry], children: &[Arc<States>]) -> Case {
            let (fen, low, high, _) = entries[0];
            let claim = format!("interval {fen} 0 1 board {low} {high}");
            let mut entries: Vec<(Tuple, Interval, u16)> = entries
                .iter()
                .map(|&(fen, low, high, rank)| {
                    let root = Root::of(&format!("interval {fen} 0 1 board {low} {high}")).unwrap();
                    let tuple = Tuple::canonical(&root.position().unwrap());
                    (tuple, root.interval, rank)
                })
                .collect();
            entries.sort_by_key(|entry| entry.0);
            let material = &root_of(fen).material;
            let bytes = entries.iter().flat_map(|entry| entry.0.bytes(material));
            let bounds = |bound: fn(Interval) -> i8| {
                let bounds = entries.iter().map(|entry| (bound(entry.1) + 1) as u8);
                bounds.collect()
            };
            let mut case = Case {
                claim,
                proof: LocalProof {
                    positions: bytes.copied().collect(),
                    lower: bounds(|interval| interval.low),
                    upper: bounds(|interval| interval.high),
                    ranks: entries.iter().map(|entry| entry.2).collect(),
                    dominators: Vec::new(),
                    moves: 0,
                    deleted_strict: 0,
                    deleted_equal: 0,
                },
                children: children.to_vec(),
            };
            case.proof.moves = case.moves().len() as u64;
            case.proof.dominators = vec![KEPT; case.proof.moves as usize];
            case
        }

        /// For each move of each position the place of the position, its side to move, the place of its first move, and what
        /// is known of it.
        fn moves(&self) -> Vec<(usize, Side, usize, Interval)> {
            let root = Root::of(&self.claim).unwrap();
            let routes = Routes::of(&root.material, &self.children);
            let listing = Listing::of(&root.material, &self.proof).unwrap();
            let mut moves = Vec::new();
            for (place, position) in listing.positions().enumerate() {
                let (first, side) = (moves.len(), position.to_move);
                for branch in branches(&position, &routes).unwrap() {
                    moves.push((place, side, first, listing.known(branch, side).interval));
                }
            }
            moves
        }

        /// The case with all moves deleted that the first best move of their position dominates.
        fn with_deletions(mut self) -> Case {
            let moves = self.moves();
            for (number, &(place, side, first, interval)) in moves.iter().enumerate() {
                let siblings = moves
                    .iter()
                    .skip(first)
                    .take_while(|other| other.0 == place);
                let least = |other: &(usize, Side, usize, Interval)| -other.3.least_for(side);
                let (best, kept) = siblings.enumerate().min_by_key(|(_, m)| least(m)).unwrap();
                let order = kept.3.against(interval, side);
                if first + best != number && order.is_ge() {
                    self.proof.dominators[number] = best as u8;
                    match order.is_eq() {
                        true => self.proof.deleted_equal += 1,
                        false => self.proof.deleted_strict += 1,
                    }
                }
            }
            self
        }

        fn judge(&self) -> Result<Checked, Refusal> {
            let root = Root::of(&self.claim)?;
            judge(&self.claim, &root, &self.proof, &self.children)
        }

        /// The reason why the case is refused after a change.
        fn reason(&self, change: impl FnOnce(&mut Case)) -> Reason {
            let mut changed = self.clone();
            change(&mut changed);
            changed.judge().unwrap_err().reason
        }

        /// The place of a position in the list.
        fn place(&self, fen: &str) -> usize {
            let root = root_of(fen);
            let listing = Listing::of(&root.material, &self.proof).unwrap();
            listing
                .find(Tuple::canonical(&root.position().unwrap()))
                .unwrap()
        }
    }

    /// The text of a position with colours exchanged.
    fn exchanged(fen: &str) -> String {
        let words: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<&str> = words[0].split('/').rev().collect();
        let exchange = |letter: char| match letter.is_ascii_uppercase() {
            true => letter.to_ascii_lowercase(),
            false => letter.to_ascii_uppercase(),
        };
        let placement: String = ranks.join("/").chars().map(exchange).collect();
        let side = if words[1] == "w" { "b" } else { "w" };
        let square = words[2..].join(" ").replace('6', "x").replace('3', "6");
        format!("{placement} {side} {}", square.replace('x', "3"))
    }

    /// The states of a class, all of them with the same byte.
    fn table(name: &str, byte: u8) -> Arc<States> {
        let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
        let (mut states, census) = States::of(&material, Vec::new());
        states.set_values(vec![byte; census.states as usize], Vec::new());
        Arc::new(states)
    }

    /// Every state of KQK and KRK is lost for Black, who is to move there after a promotion.
    static PROMOTED: LazyLock<[Arc<States>; 2]> =
        LazyLock::new(|| [table("KQK", 0), table("KRK", 0)]);

    /// Every state of KPK is lost for the side to move.
    static LOST: LazyLock<Arc<States>> = LazyLock::new(|| table("KPK", 0));

    const MATE: &str = "8/8/8/8/8/1K6/8/k1R5 b - -";
    const MATE_IN_ONE: &str = "8/8/8/8/8/1K6/2R5/k7 w - -";
    const ONLY_MOVE: &str = "8/8/8/8/8/1K6/2R5/1k6 b - -";
    const MATE_IN_TWO: &str = "2R5/8/8/8/8/1K6/8/1k6 w - -";

    /// A mate, and what leads to it.
    fn mate(plies: usize) -> Case {
        let all = [
            (MATE, 1, 1, 0),
            (MATE_IN_ONE, 1, 1, 1),
            (ONLY_MOVE, 1, 1, 2),
            (MATE_IN_TWO, 1, 1, 3),
        ];
        let mut entries = all[..=plies].to_vec();
        entries.reverse();
        Case::of(&entries, &[])
    }

    /// Black is to move, and has no move.
    fn stalemate() -> Case {
        Case::of(&[("8/8/8/8/8/8/1RK5/k7 b - -", 0, 0, NO_RANK)], &[])
    }

    /// Black can only capture.
    fn capture() -> Case {
        Case::of(&[("8/8/8/8/4K3/8/1R6/k7 b - -", 0, 0, NO_RANK)], &[])
    }

    const CHOICE: &str = "8/8/8/8/8/1K6/3R4/2k5 b - -";

    /// Black can capture, or go where he is mated.
    fn choice() -> Case {
        let entries = [
            (CHOICE, 0, 0, NO_RANK),
            ("8/8/8/8/8/1K6/3R4/1k6 w - -", 1, 1, 1),
            ("8/8/8/8/8/1K6/8/1k1R4 b - -", 1, 1, 0),
        ];
        Case::of(&entries, &[])
    }

    const CYCLE: [&str; 4] = [
        "k7/2K5/8/8/8/8/4B3/8 w - -",
        "k7/2K5/8/8/8/8/8/5B2 b - -",
        "8/k1K5/8/8/8/8/8/5B2 w - -",
        "8/k1K5/8/8/8/8/4B3/8 b - -",
    ];

    /// The bishop goes to and fro, and the black king can do no other.
    fn cycle() -> Case {
        Case::of(&CYCLE.map(|fen| (fen, 0, 1, NO_RANK)), &[])
    }

    /// Black can capture the bishop, or go round another cycle.
    fn cycle_or_capture() -> Case {
        let entries = [
            ("8/k1K5/B7/8/8/8/8/8 b - -", 0, 0, NO_RANK),
            ("k7/2K5/B7/8/8/8/8/8 w - -", 0, 1, NO_RANK),
            (CYCLE[1], 0, 1, NO_RANK),
            (CYCLE[2], 0, 1, NO_RANK),
        ];
        Case::of(&entries, &[])
    }

    /// A pawn becomes a queen or a rook and wins, or a bishop or knight and does not.
    fn promotion() -> Case {
        let entries = [("8/4P2k/8/8/8/8/8/K7 w - -", 1, 1, 1)];
        Case::of(&entries, &*PROMOTED)
    }

    const CAPTURES: &str = "7k/8/8/3pP3/8/8/8/7K w - d6";

    /// The capture en passant wins.
    fn en_passant() -> Case {
        Case::of(&[(CAPTURES, 1, 1, 1)], std::slice::from_ref(&LOST))
    }

    const STEPS: &str = "k7/p1K5/8/1P6/8/8/8/8 b - -";
    const ONE_STEP: &str = "k7/2K5/p7/1P6/8/8/8/8 w - -";
    const TWO_STEPS: &str = "k7/2K5/8/pP6/8/8/8/8 w - a6";

    /// After one step the pawn is captured, and after two as well.
    fn double_step() -> Case {
        let entries = [(STEPS, 1, 1, 2), (ONE_STEP, 1, 1, 1), (TWO_STEPS, 1, 1, 1)];
        Case::of(&entries, std::slice::from_ref(&LOST))
    }

    /// A case of each sort, with and without deletions.
    fn cases() -> Vec<Case> {
        let cases = [
            mate(0),
            mate(1),
            mate(2),
            mate(3),
            stalemate(),
            capture(),
            choice(),
            cycle(),
            cycle_or_capture(),
            promotion(),
            en_passant(),
            double_step(),
        ];
        let with = cases.clone().map(Case::with_deletions);
        cases.into_iter().chain(with).collect()
    }

    #[test]
    fn true_proofs_are_accepted() {
        for case in cases() {
            let checked = case.judge();
            let wanted = Checked {
                states: case.proof.lower.len() as u64,
                edges: case.proof.moves,
            };
            assert_eq!(checked, Ok(wanted), "{}", case.claim);
        }
        // Counted by hand.
        let checked = mate(0).judge().unwrap();
        assert_eq!((checked.states, checked.edges), (1, 0));
        // Ka4 Kb4 Kc4 Ka3 Kc3; the rook on the c-file c1 c3 to c8, on the second rank a2 b2 d2 to h2.
        let checked = mate(1).judge().unwrap();
        assert_eq!((checked.states, checked.edges), (2, 5 + 7 + 7));
        let checked = choice().judge().unwrap();
        assert_eq!(checked.states, 3);
        // Ka2 Kb1 Kb2, e8=Q, e8=R, and e8=B and e8=N into the sink.
        let promotion = promotion().with_deletions();
        assert_eq!(promotion.judge().unwrap().edges, 6);
        assert_eq!(promotion.proof.dominators, [3, 3, 3, KEPT, 3, 3]);
        let counts = (
            promotion.proof.deleted_strict,
            promotion.proof.deleted_equal,
        );
        assert_eq!(counts, (1, 4));
        // Of the two moves of Black the capture is kept.
        let choice = choice().with_deletions();
        assert_eq!(choice.proof.deleted_strict, 1);
        let capture = cycle_or_capture().with_deletions();
        assert_eq!(
            (capture.proof.deleted_strict, capture.proof.deleted_equal),
            (0, 1)
        );
    }

    #[test]
    fn proofs_with_colours_exchanged_are_accepted() {
        let entries = [
            (MATE_IN_TWO, 1, 1, 3),
            (ONLY_MOVE, 1, 1, 2),
            (MATE_IN_ONE, 1, 1, 1),
            (MATE, 1, 1, 0),
        ];
        let fens = entries.map(|entry| exchanged(entry.0));
        let flipped: Vec<Entry> = fens
            .iter()
            .zip(entries)
            .map(|(fen, (_, low, high, rank))| (fen.as_str(), -high, -low, rank))
            .collect();
        let case = Case::of(&flipped, &[]);
        assert_eq!(
            case.claim,
            "interval 1K6/8/1k6/8/8/8/8/2r5 b - - 0 1 board -1 -1"
        );
        // The same is listed, for another claim.
        assert_eq!(case.proof, mate(3).proof);
        assert!(case.judge().is_ok());
        let found = case.reason(|case| case.claim = case.claim.replace("-1 -1", "1 1"));
        assert_eq!(found, Reason::WrongInterval);
        // Bounds of one side only.
        let fens = CYCLE.map(exchanged);
        let flipped = fens.each_ref().map(|fen| (fen.as_str(), -1, 0, NO_RANK));
        let case = Case::of(&flipped, &[]);
        assert!(case.claim.ends_with(" board -1 0"));
        assert!(case.judge().is_ok());
        let found = case.reason(|case| case.claim = case.claim.replace("-1 0", "0 1"));
        assert_eq!(found, Reason::WrongInterval);
        // En passant: in a class of three pawns one of them White's, the other two are White's in its name.
        let black = exchanged("7k/8/8/3pP3/8/8/4P3/7K w - d6");
        assert_eq!(black, "7k/4p3/8/8/3Pp3/8/8/7K b - d3");
        for fen in ["7k/8/8/3pP3/8/8/4P3/7K w - d6", &black] {
            let root = Root::of(&format!("interval {fen} 0 1 board -1 1")).unwrap();
            let tuple = Tuple::canonical(&root.position().unwrap());
            assert_eq!(root.material.name(), "KPPKP");
            assert_eq!(tuple.bytes(&root.material), [0, 11, 35, 56, 36, 0, 44]);
        }
    }

    #[test]
    fn a_win_by_a_child_is_one_of_either_side() {
        // All states of KPK are lost for the side to move: of White it is taken by Black, with White to move there.
        let children = [LOST.clone()];
        let taken = "7k/8/8/8/3Pp3/8/8/7K b - d3";
        let case = Case::of(&[(taken, -1, -1, 1)], &children);
        assert!(case.judge().is_ok());
        // And all of them won for the side to move.
        let children = [table("KPK", 1)];
        for (fen, low, high) in [(taken, -1, -1), (CAPTURES, 1, 1)] {
            let case = Case::of(&[(fen, low, high, 1)], &children);
            assert_eq!(case.judge().unwrap_err().reason, Reason::UnwitnessedBound);
        }
        // Drawn, a capture is as good as nothing; but it holds.
        let children = [table("KPK", 255)];
        let case = Case::of(&[(CAPTURES, 1, 1, 1)], &children);
        assert_eq!(case.judge().unwrap_err().reason, Reason::UnwitnessedBound);
        let case = Case::of(&[(CAPTURES, 0, 1, NO_RANK)], &children);
        assert!(case.judge().is_ok());
        let case = Case::of(&[(taken, -1, 0, NO_RANK)], &children);
        assert!(case.judge().is_ok());
    }

    #[test]
    fn a_false_bound_is_refused() {
        use Reason::{LeakingSet, UnwitnessedBound, WrongRank};
        // Case, position, its bounds and rank, and why they are refused. What is said of other positions stays.
        let lies = [
            // At the end: a mate is a win of this side and nothing else; a stalemate is a draw.
            (mate(3), MATE, 1, 2, 0, UnwitnessedBound),
            (mate(3), MATE, 0, 2, NO_RANK, UnwitnessedBound),
            (mate(3), MATE, 0, 0, 0, UnwitnessedBound),
            (mate(3), MATE, 1, 1, NO_RANK, UnwitnessedBound),
            (mate(3), MATE, 2, 2, 1, WrongRank),
            (mate(3), MATE, 2, 2, NO_RANK, WrongRank),
            // A win that no move leads to, for either side.
            (mate(3), MATE_IN_ONE, 0, 0, 1, UnwitnessedBound),
            (mate(3), ONLY_MOVE, 0, 0, 2, UnwitnessedBound),
            (cycle(), CYCLE[0], 2, 2, 1, UnwitnessedBound),
            (cycle(), CYCLE[1], 2, 2, 1, UnwitnessedBound),
            (choice(), CHOICE, 2, 2, 2, UnwitnessedBound),
            (choice(), CHOICE, 0, 0, 1, UnwitnessedBound),
            // A draw that no move leads to.
            (mate(3), MATE_IN_ONE, 1, 1, NO_RANK, LeakingSet),
            (mate(3), ONLY_MOVE, 1, 1, NO_RANK, LeakingSet),
            (mate(3), ONLY_MOVE, 0, 1, NO_RANK, LeakingSet),
            (cycle(), CYCLE[0], 1, 1, NO_RANK, LeakingSet),
            (cycle(), CYCLE[1], 1, 1, NO_RANK, LeakingSet),
            (cycle(), CYCLE[0], 0, 1, NO_RANK, LeakingSet),
            // Ranks.
            (mate(3), MATE_IN_ONE, 2, 2, 0, WrongRank),
            (mate(3), MATE_IN_ONE, 2, 2, 2, WrongRank),
            (mate(3), MATE_IN_ONE, 2, 2, NO_RANK, WrongRank),
            (mate(3), MATE_IN_TWO, 2, 2, 1, WrongRank),
            (mate(3), MATE_IN_TWO, 2, 2, 5, WrongRank),
            (cycle(), CYCLE[0], 1, 2, 0, WrongRank),
            (cycle(), CYCLE[1], 1, 2, NO_RANK - 1, WrongRank),
            (choice(), CHOICE, 1, 1, 2, WrongRank),
            (choice(), CHOICE, 1, 1, 0, WrongRank),
        ];
        for (number, (case, fen, lower, upper, rank, reason)) in lies.into_iter().enumerate() {
            // The claim is made to say the same where it is the root's.
            let place = case.place(fen);
            let mut changed = case.clone();
            let is_root = changed.claim.contains(fen);
            changed.proof.lower[place] = lower;
            changed.proof.upper[place] = upper;
            changed.proof.ranks[place] = rank;
            if is_root {
                let (low, high) = (lower as i8 - 1, upper as i8 - 1);
                changed.claim = format!("interval {fen} 0 1 board {low} {high}");
            }
            let found = changed.judge().unwrap_err();
            assert_eq!(found.reason, reason, "{number} {found}");
        }
        for wrong in [(0, 0), (2, 2), (0, 1), (1, 2), (0, 2)] {
            let case = Case::of(
                &[(
                    "8/8/8/8/8/8/1RK5/k7 b - -",
                    wrong.0 - 1,
                    wrong.1 - 1,
                    NO_RANK,
                )],
                &[],
            );
            assert_eq!(case.judge().unwrap_err().reason, UnwitnessedBound);
        }
        assert_eq!(
            stalemate().reason(|case| case.proof.ranks[0] = 0),
            WrongRank
        );
        // A place is for people to read.
        let mut lie = mate(3);
        let place = lie.place(ONLY_MOVE);
        lie.proof.ranks[place] = 4;
        let found = lie.judge().unwrap_err();
        assert_eq!(
            found.place,
            "position 2 8/8/8/8/8/1R6/k1K5/8 b - - 0 1: rank stored 4, found 2"
        );
    }

    #[test]
    fn ranks_are_the_quickest_of_the_winner_and_the_slowest_of_the_loser() {
        let won = |rank| Known {
            interval: Interval { low: 1, high: 1 },
            rank,
        };
        let open = Known {
            interval: Interval::OPEN,
            rank: 0,
        };
        let lost = |rank| Known {
            interval: Interval { low: -1, high: -1 },
            rank,
        };
        let judge = |to_move, stored, moves: &[Known]| {
            check_moves(to_move, stored, moves).map_err(|(reason, _)| reason)
        };
        let (white, black) = (Side::White, Side::Black);
        let wrong = Err(Reason::WrongRank);
        for rank in [0, 3, 4, 5, 8, 9, NO_RANK] {
            let is = |wanted| if rank == wanted { Ok(()) } else { wrong };
            // What is not won does not count, however small its rank.
            let moves = [won(7), open, won(3), lost(0)];
            assert_eq!(judge(white, won(rank), &moves), is(4));
            assert_eq!(judge(black, won(rank), &[won(7), won(3)]), is(8));
            let moves = [lost(7), open, lost(3), won(0)];
            assert_eq!(judge(black, lost(rank), &moves), is(4));
            assert_eq!(judge(white, lost(rank), &[lost(7), lost(3)]), is(8));
        }
        // The largest rank that can be written.
        for rank in [0, 1, NO_RANK - 1, NO_RANK] {
            let right = if rank == NO_RANK - 1 { Ok(()) } else { wrong };
            let moves = [won(NO_RANK - 2)];
            assert_eq!(judge(white, won(rank), &moves), right);
            for beyond in [NO_RANK - 1, NO_RANK] {
                assert_eq!(judge(white, won(rank), &[won(beyond)]), wrong);
                assert_eq!(judge(black, won(rank), &[won(0), won(beyond)]), wrong);
            }
        }
    }

    #[test]
    fn what_is_said_follows_from_the_moves() {
        // Against the words of the page, for all bounds of a position and of two moves.
        let all: Vec<Interval> = (-1..=1)
            .flat_map(|low| (low..=1).map(move |high| Interval { low, high }))
            .collect();
        let known = |interval: Interval| Known {
            interval,
            rank: match interval.low == interval.high && interval.low != 0 {
                true => 6,
                false => NO_RANK,
            },
        };
        for to_move in Side::BOTH {
            for (&stored, &a, &b) in all
                .iter()
                .flat_map(|s| all.iter().map(move |a| (s, a)))
                .flat_map(|(s, a)| all.iter().map(move |b| (s, a, b)))
            {
                let (lows, highs) = ([a.low, b.low], [a.high, b.high]);
                let is_white = to_move == Side::White;
                let unwitnessed = stored.low == 1
                    && !(if is_white {
                        lows.contains(&1)
                    } else {
                        lows == [1, 1]
                    })
                    || stored.high == -1
                        && !(if is_white {
                            highs == [-1, -1]
                        } else {
                            highs.contains(&-1)
                        });
                let white_leaks = match is_white {
                    true => lows.iter().all(|&low| low < 0),
                    false => lows.iter().any(|&low| low < 0),
                };
                let black_leaks = match is_white {
                    true => highs.iter().any(|&high| high > 0),
                    false => highs.iter().all(|&high| high > 0),
                };
                let leaks = stored.low == 0 && white_leaks || stored.high == 0 && black_leaks;
                let wanted = match () {
                    () if unwitnessed => Err(Reason::UnwitnessedBound),
                    () if leaks => Err(Reason::LeakingSet),
                    () => Ok(()),
                };
                let rank = match known(stored).rank {
                    NO_RANK => NO_RANK,
                    rank => rank + 1,
                };
                let stored = Known {
                    interval: stored,
                    rank,
                };
                let found = check_moves(to_move, stored, &[known(a), known(b)]);
                assert_eq!(found.map_err(|(reason, _)| reason), wanted);
            }
        }
    }

    #[test]
    fn an_illegal_position_is_refused() {
        let case = mate(0);
        for fen in [
            "8/8/8/8/8/1K6/8/k1R5 w - -",
            "8/8/8/8/8/8/1K6/k1R5 b - -",
            "8/8/8/8/8/1K6/8/k1R5 b - e3",
        ] {
            let found = case.reason(|case| {
                case.claim = format!("interval {fen} 0 1 board 1 1");
                // This is judged before what is listed.
                case.proof.positions.push(0);
            });
            assert_eq!(found, Reason::IllegalPosition, "{fen}");
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        use Reason::{WrongNumberOfPositions, WrongNumberOfRecords};
        type Change = fn(&mut LocalProof);
        let changes: [(Change, Reason); 16] = [
            (|p| p.positions.push(0), WrongNumberOfPositions),
            (|p| p.positions.truncate(1), WrongNumberOfPositions),
            (|p| p.positions.truncate(4), WrongNumberOfPositions),
            (|p| p.positions.clear(), WrongNumberOfPositions),
            (|p| p.lower.push(2), WrongNumberOfPositions),
            (|p| p.lower.truncate(1), WrongNumberOfPositions),
            (|p| p.upper.push(2), WrongNumberOfPositions),
            (|p| p.upper.truncate(1), WrongNumberOfPositions),
            (|p| p.ranks.push(2), WrongNumberOfPositions),
            (|p| p.ranks.truncate(1), WrongNumberOfPositions),
            (|p| p.ranks.clear(), WrongNumberOfPositions),
            (|p| p.dominators.push(KEPT), WrongNumberOfRecords),
            (|p| p.dominators.truncate(3), WrongNumberOfRecords),
            (|p| p.dominators.clear(), WrongNumberOfRecords),
            // What there is is judged after the number.
            (
                |p| {
                    p.dominators.fill(254);
                    p.dominators.pop();
                },
                WrongNumberOfRecords,
            ),
            (
                |p| {
                    p.positions[0] = 64;
                    p.lower.pop();
                },
                WrongNumberOfPositions,
            ),
        ];
        for (number, (change, reason)) in changes.into_iter().enumerate() {
            let found = mate(3).reason(|case| change(&mut case.proof));
            assert_eq!(found, reason, "{number}");
        }
        // In a class with pawns on both sides a position takes one byte more.
        let case = en_passant();
        assert_eq!(case.proof.positions.len(), 6);
        let found = case.reason(|case| case.proof.positions.truncate(5));
        assert_eq!(found, WrongNumberOfPositions);
    }

    #[test]
    fn a_wrong_position_is_refused() {
        use Reason::{PositionsOutOfOrder, WrongPosition};
        let case = mate(3);
        let width = 4;
        // Another image of the same position; the wrong side to move; two men on one square; no square and no side.
        let last = case.proof.lower.len() - 1;
        for place in 0..=last {
            let bytes = width * place..width * (place + 1);
            let with = |change: &dyn Fn(&mut [u8])| {
                case.reason(|case| change(&mut case.proof.positions[bytes.clone()]))
            };
            for (file, rank, exchange) in [(7, 0, false), (0, 7, false), (7, 7, true)] {
                let found = with(&|bytes| {
                    for square in &mut bytes[..3] {
                        let (mut f, mut r) = (*square % 8, *square / 8);
                        if exchange {
                            (f, r) = (r, f);
                        }
                        *square = (f ^ file) + 8 * (r ^ rank);
                    }
                });
                assert_eq!(found, WrongPosition, "{place}");
            }
            assert_eq!(with(&|bytes| bytes[1] = bytes[0]), WrongPosition);
            for man in 0..3 {
                assert_eq!(with(&|bytes| bytes[man] += 64), WrongPosition);
                assert_eq!(with(&|bytes| bytes[man] = 64), WrongPosition);
            }
            for side in [2, 3, 255] {
                assert_eq!(with(&|bytes| bytes[3] = side), WrongPosition);
            }
        }
        assert_eq!(
            case.reason(|case| case.proof.positions.rotate_left(width)),
            PositionsOutOfOrder
        );
        // A position that is there twice, with all that is said of it.
        let found = case.reason(|case| {
            let again = case.proof.positions[..width].to_vec();
            case.proof.positions.splice(..0, again);
            case.proof.lower.insert(0, case.proof.lower[0]);
            case.proof.upper.insert(0, case.proof.upper[0]);
            case.proof.ranks.insert(0, case.proof.ranks[0]);
        });
        assert_eq!(found, PositionsOutOfOrder);
        // Men alike ascend.
        let case = Case::of(&[("7k/8/8/8/8/8/N7/KN6 w - -", -1, 1, NO_RANK)], &[]);
        assert_eq!(case.proof.positions, [0, 1, 8, 63, 0]);
        assert!(case.judge().is_ok());
        let found = case.reason(|case| case.proof.positions.swap(1, 2));
        assert_eq!(found, WrongPosition);
        // En-passant squares: none where one was passed over, on the wrong rank, beyond the board.
        let case = en_passant();
        for square in [0, 20, 42, 43, 45, 63, 65, 66, 128, 255] {
            let found = case.reason(|case| case.proof.positions[5] = square);
            assert_eq!(found, WrongPosition, "{square}");
        }
        let found = case.reason(|case| case.proof.positions[5] = 64);
        assert_eq!(found, Reason::MissingRoot);
    }

    #[test]
    fn a_wrong_interval_is_refused() {
        use Reason::WrongInterval;
        for (lower, upper) in [(2, 1), (2, 0), (1, 0), (2, 3), (3, 3), (0, 255), (255, 255)] {
            for place in 0..4 {
                let found = mate(3).reason(|case| {
                    case.proof.lower[place] = lower;
                    case.proof.upper[place] = upper;
                });
                assert_eq!(found, WrongInterval);
            }
        }
        // The root has to say just what the claim says, not more.
        for bounds in ["0 1", "-1 1", "0 0", "-1 -1"] {
            let found = mate(3).reason(|case| case.claim = case.claim.replace("1 1", bounds));
            assert_eq!(found, WrongInterval, "{bounds}");
        }
    }

    #[test]
    fn a_root_that_is_not_listed_is_refused() {
        for fen in [
            "8/8/8/8/8/1K6/2R5/1k6 w - -",
            "8/8/8/8/8/1K6/3R4/k7 w - -",
            "8/8/8/8/8/1K6/2R5/k7 b - -",
        ] {
            let found = mate(3).reason(|case| {
                case.claim = format!("interval {fen} 0 1 board 1 1");
            });
            assert_eq!(found, Reason::MissingRoot, "{fen}");
        }
        let found = mate(0).reason(|case| {
            let proof = &mut case.proof;
            (proof.positions, proof.lower, proof.upper) = (Vec::new(), Vec::new(), Vec::new());
            proof.ranks.clear();
        });
        assert_eq!(found, Reason::MissingRoot);
        // Any image of it will do.
        let mut case = mate(3);
        case.claim = "interval 8/6k1/8/6K1/8/8/8/5R2 w - - 0 1 board 1 1".to_string();
        assert_eq!(case.judge().unwrap_err().reason, Reason::MissingRoot);
        case.claim = "interval 6k1/8/6K1/8/8/8/8/5R2 w - - 0 1 board 1 1".to_string();
        assert!(case.judge().is_ok());
    }

    #[test]
    fn every_listed_position_is_needed() {
        // Without one of them the root, or what leads to it, is no longer witnessed.
        for case in cases() {
            let listed = case.proof.lower.len();
            let width = case.proof.positions.len() / listed;
            for place in 0..listed {
                let found = case.reason(|case| {
                    let proof = &mut case.proof;
                    proof.positions.drain(width * place..width * (place + 1));
                    proof.lower.remove(place);
                    proof.upper.remove(place);
                    proof.ranks.remove(place);
                });
                let wanted = [
                    Reason::MissingRoot,
                    Reason::UnwitnessedBound,
                    Reason::LeakingSet,
                ];
                assert!(wanted.contains(&found), "{} {place} {found}", case.claim);
            }
        }
    }

    #[test]
    fn a_double_step_leads_to_the_en_passant_state() {
        // Neither the state without the square, nor the capture without it.
        let case = double_step();
        let place = case.place(TWO_STEPS);
        let found = case.reason(|case| case.proof.positions[6 * place + 5] = 64);
        assert_eq!(found, Reason::UnwitnessedBound);
        let without = CAPTURES.replace("d6", "-");
        let case = Case::of(&[(&without, 1, 1, 1)], std::slice::from_ref(&LOST));
        assert_eq!(case.judge().unwrap_err().reason, Reason::UnwitnessedBound);
        // Where no pawn captures, it is the state.
        let entries = [
            ("k7/p1K5/8/2P5/8/8/8/8 b - -", -1, 1, NO_RANK),
            ("k7/2K5/8/p1P5/8/8/8/8 w - -", 0, 1, NO_RANK),
        ];
        let case = Case::of(&entries, std::slice::from_ref(&LOST));
        let open = Interval::OPEN;
        let moves = case.moves();
        let place = case.place(entries[0].0);
        let of_root = moves.iter().filter(|found| found.0 == place);
        let found: Vec<Interval> = of_root.map(|found| found.3).collect();
        assert!(found.len() == 2 && found.iter().any(|&interval| interval != open));
    }

    #[test]
    fn a_false_record_is_refused() {
        use Reason::{DominatingMoveDeleted, NotDominated, WrongCount, WrongRecord};
        // The six moves of White: three of the king, two that win, one into the sink.
        let with = |records: &[(usize, u8)]| {
            promotion().reason(|case| {
                for &(place, dominator) in records {
                    case.proof.dominators[place] = dominator;
                }
            })
        };
        // A true record, but it was not counted.
        assert_eq!(with(&[(0, 3)]), WrongCount);
        assert_eq!(with(&[(5, 4)]), WrongCount);
        for place in 0..6 {
            for dominator in [place as u8, 6, 7, 254] {
                assert_eq!(with(&[(place, dominator)]), WrongRecord);
            }
        }
        // A move that wins is not dominated by one of which less is known.
        for (place, dominator) in [(3, 0), (3, 5), (4, 1), (0, 1), (0, 5), (5, 0)] {
            assert_eq!(with(&[(place, dominator)]), NotDominated);
        }
        // Two that win do not justify each other.
        assert_eq!(with(&[(3, 4), (4, 3)]), DominatingMoveDeleted);
        assert_eq!(with(&[(0, 3), (3, 4)]), DominatingMoveDeleted);
        let both = |case: &mut Case| {
            case.proof.dominators[3] = 4;
            case.proof.dominators[5] = 4;
            (case.proof.deleted_equal, case.proof.deleted_strict) = (1, 1);
        };
        let mut case = promotion();
        both(&mut case);
        assert!(case.judge().is_ok());
        // Black: the capture is better, and the other way round it is not.
        let found = |place: usize, dominator: u8, strict: u64| {
            let mut case = choice();
            let first = case
                .moves()
                .iter()
                .find(|m| m.0 == case.place(CHOICE))
                .unwrap()
                .2;
            case.proof.dominators[first + place] = dominator;
            case.proof.deleted_strict = strict;
            case.judge().map(|_| ()).map_err(|refusal| refusal.reason)
        };
        assert_eq!(found(0, 1, 1), Ok(()));
        assert_eq!(found(0, 1, 0), Err(WrongCount));
        assert_eq!(found(1, 0, 1), Err(NotDominated));
    }

    #[test]
    fn a_wrong_count_is_refused() {
        for case in cases() {
            for change in [1, u64::MAX, 1 << 32] {
                let with = |field: fn(&mut LocalProof) -> &mut u64| {
                    case.reason(|case| {
                        let field = field(&mut case.proof);
                        *field = field.wrapping_add(change);
                    })
                };
                assert_eq!(with(|proof| &mut proof.moves), Reason::WrongCount);
                assert_eq!(with(|proof| &mut proof.deleted_strict), Reason::WrongCount);
                assert_eq!(with(|proof| &mut proof.deleted_equal), Reason::WrongCount);
            }
        }
        let swapped = promotion().with_deletions().reason(|case| {
            let proof = &mut case.proof;
            std::mem::swap(&mut proof.deleted_equal, &mut proof.deleted_strict);
        });
        assert_eq!(swapped, Reason::WrongCount);
    }

    #[test]
    fn the_first_failure_is_told() {
        use Reason::{
            IllegalPosition, LeakingSet, MissingRoot, PositionsOutOfOrder, UnwitnessedBound,
            WrongCount, WrongInterval, WrongNumberOfPositions, WrongNumberOfRecords, WrongPosition,
            WrongRank, WrongRecord,
        };
        type Change = fn(&mut Case);
        // In the order of the page; the three lies of step 9 are told of positions in their order.
        let steps: [(Change, Reason); 13] = [
            (
                |c| c.claim = c.claim.replace("2R5", "8").replace("1k6", "1k5R"),
                IllegalPosition,
            ),
            (|c| c.proof.ranks.push(0), WrongNumberOfPositions),
            (|c| c.proof.positions[3] = 2, WrongPosition),
            (
                |c| c.proof.positions[8..].rotate_left(4),
                PositionsOutOfOrder,
            ),
            (|c| c.proof.lower[3] = 3, WrongInterval),
            (|c| c.claim = c.claim.replace("2R5/8", "8/2R5"), MissingRoot),
            (|c| c.claim = c.claim.replace("1 1", "0 1"), WrongInterval),
            (|c| c.proof.lower[0] = 0, UnwitnessedBound),
            (
                |c| (c.proof.lower[1], c.proof.upper[1]) = (1, 1),
                LeakingSet,
            ),
            (|c| c.proof.ranks[2] = 7, WrongRank),
            (|c| c.proof.dominators.push(0), WrongNumberOfRecords),
            (|c| c.proof.dominators[0] = 254, WrongRecord),
            (|c| c.proof.moves += 1, WrongCount),
        ];
        for (step, (_, reason)) in steps.iter().enumerate() {
            let found = mate(3).reason(|case| {
                for (change, _) in &steps[step..] {
                    change(case);
                }
            });
            assert_eq!(found, *reason, "{step}");
        }
    }

    /// A certificate with a case in it.
    fn certificate(case: &Case, named: &[Child]) -> Certificate {
        let encoding = Encoding::Binary { codec: 0 };
        let body = Body::LocalProof(case.proof.clone());
        Certificate::made_of(encoding, case.claim.clone(), named.to_vec(), body)
    }

    /// The file of a certificate.
    fn file(payload: &[u8]) -> Vec<u8> {
        file_of_kind(4, 0, payload, payload.len() as u64)
    }

    fn verified(file: &[u8]) -> Result<Certificate, Refusal> {
        let certificate = read(&mut &file[..])?;
        Session::new().verify(&certificate).map(|_| certificate)
    }

    #[test]
    fn a_shorter_or_changed_file_is_refused() {
        for case in [mate(3), choice(), cycle().with_deletions()] {
            let good = certificate(&case, &[]);
            let payload = good.payload();
            let whole = file(&payload);
            assert_eq!(verified(&whole).map(|found| found.id), Ok(good.id));
            for length in 0..whole.len() {
                assert!(verified(&whole[..length]).is_err());
            }
            for at in 0..whole.len() {
                let mut changed = whole.clone();
                changed[at] ^= 1 << (at % 8);
                assert!(verified(&changed).is_err());
            }
            // Under a good digest: another certificate is accepted if it is true, and then it differs in the dominators alone.
            for length in 0..payload.len() {
                assert!(verified(&file(&payload[..length])).is_err());
            }
            for at in 0..payload.len() {
                for byte in (0..8)
                    .map(|bit| payload[at] ^ 1 << bit)
                    .chain([0, 1, 2, 3, 64, 255])
                {
                    let mut changed = payload.clone();
                    changed[at] = byte;
                    let Ok(found) = verified(&file(&changed)) else {
                        continue;
                    };
                    let Body::LocalProof(mut proof) = found.body else {
                        panic!()
                    };
                    assert_eq!(found.claim, good.claim);
                    proof.dominators = case.proof.dominators.clone();
                    assert_eq!(proof, case.proof, "byte {at} {byte}");
                }
            }
        }
    }

    #[test]
    fn a_proof_rests_on_the_tables_that_it_names() {
        let mut session = Session::new();
        let named = ["KQK", "KRK"].map(|name| {
            let path = format!("{}/certificates/{name}.bin", env!("CARGO_MANIFEST_DIR"));
            let table = read(&mut std::fs::read(path).unwrap().as_slice()).unwrap();
            session.verify(&table).unwrap();
            Child {
                claim: table.claim,
                id: table.id,
            }
        });
        let case = promotion();
        let good = certificate(&case, &named);
        let checked = session.verify(&good).unwrap();
        assert_eq!((checked.states, checked.edges), (1, 6));
        let refusal = |session: &mut Session, named: &[Child]| {
            let certificate = certificate(&case, named);
            let found = session.verify(&certificate).unwrap_err();
            assert_eq!(found.id, Some(certificate.id));
            found
        };
        let found = refusal(&mut Session::new(), &named);
        assert_eq!(
            (found.reason, found.place.as_str()),
            (Reason::MissingChildren, "KQK, KRK")
        );
        let swapped = [named[1].clone(), named[0].clone()];
        for named in [&named[..1], &named[1..], &[], &swapped] {
            assert_eq!(refusal(&mut session, named).reason, Reason::WrongChildren);
        }
        let mut other = named.clone();
        other[1].id = other[0].id;
        assert_eq!(refusal(&mut session, &other).reason, Reason::WrongChild);
        // A class that needs none.
        let found = session.verify(&certificate(&mate(0), &named)).unwrap_err();
        assert_eq!(found.reason, Reason::WrongChildren);
        assert!(session.verify(&certificate(&mate(0), &[])).is_ok());
        // Children are judged before the position, and the position is the first that is not.
        let illegal = Case {
            claim: "interval 8/8/8/8/8/8/4P2k/6K1 w - - 0 1 board 1 1".to_string(),
            ..promotion()
        };
        let found = Session::new()
            .verify(&certificate(&illegal, &named))
            .unwrap_err();
        assert_eq!(found.reason, Reason::MissingChildren);
        let found = session.verify(&certificate(&illegal, &named)).unwrap_err();
        assert_eq!(found.reason, Reason::IllegalPosition);
        // What the tables say matters: no move here leads to a won state.
        let entries = [("4k3/4P3/8/8/8/8/8/K7 w - -", 1, 1, 1)];
        let lie = certificate(&Case::of(&entries, &*PROMOTED), &named);
        assert_eq!(
            session.verify(&lie).unwrap_err().reason,
            Reason::UnwitnessedBound
        );
    }

    #[test]
    fn a_class_of_five_men_is_not_enumerated() {
        // Two knights stand by. Nobody can capture.
        let entries = CYCLE.map(|fen| fen.replacen("/8/8", "/7N/7N", 1));
        let entries = entries.each_ref().map(|fen| (fen.as_str(), 0, 1, NO_RANK));
        let case = Case::of(&entries, &[]).with_deletions();
        assert_eq!(Root::of(&case.claim).unwrap().material.name(), "KBNNK");
        assert_eq!(case.judge().unwrap().states, 4);
    }

    #[test]
    fn a_class_without_a_mate_is_one_closed_set() {
        let material = material_of_endgame("endgame KNK board dtm").unwrap();
        let (states, census) = States::of(&material, Vec::new());
        let positions: Vec<String> = states
            .positions()
            .map(|(_, position)| position.to_string())
            .collect();
        let entries = positions.iter().map(|fen| {
            let fen = fen.strip_suffix(" 0 1").unwrap();
            (fen, 0, 0, NO_RANK)
        });
        let case = Case::of(&entries.collect::<Vec<_>>(), &[]);
        let checked = case.judge().unwrap();
        assert_eq!((checked.states, checked.edges), (census.states, 443_094));
    }

    /// All of KRK, whose ranks are the distances to mate.
    fn whole_class() -> Case {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates/KRK.bin");
        let certificate = read(&mut std::fs::read(path).unwrap().as_slice()).unwrap();
        let Body::EndgameTable(table) = certificate.body else {
            panic!()
        };
        let material = material_of_endgame(&certificate.claim).unwrap();
        let (states, _) = States::of(&material, Vec::new());
        let positions: Vec<(String, i8, u16)> = states
            .positions()
            .zip(table.values)
            .map(|((_, position), byte)| {
                let interval = Interval::of_byte(byte, position.to_move);
                let rank = if byte == 255 { NO_RANK } else { byte.into() };
                (position.to_string(), interval.low, rank)
            })
            .collect();
        let entries = positions.iter().map(|(fen, value, rank)| {
            let fen = fen.strip_suffix(" 0 1").unwrap();
            (fen, *value, *value, *rank)
        });
        Case::of(&entries.collect::<Vec<_>>(), &[]).with_deletions()
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_whole_class_is_a_proof_of_each_of_its_positions() {
        let mut case = whole_class();
        let checked = case.judge().unwrap();
        assert_eq!((checked.states, checked.edges), (50_015, 558_816));
        // What draws is strictly worse than what wins.
        assert!(case.proof.deleted_strict > 1000 && case.proof.deleted_equal > 100_000);
        // The longest win there is, with colours exchanged.
        case.claim = "interval k7/1r6/2K5/8/8/8/8/8 w - - 0 1 board -1 -1".to_string();
        assert_eq!(case.judge(), Ok(checked));
        case.claim = "interval k7/1r6/2K5/8/8/8/8/8 w - - 0 1 board -1 0".to_string();
        assert_eq!(case.judge().unwrap_err().reason, Reason::WrongInterval);
        let mut seed = 1_u64;
        let mut draw = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        case = whole_class();
        for number in 0..40 {
            let place = draw(50_015);
            let found = case.reason(|case| {
                let proof = &mut case.proof;
                match number % 4 {
                    0 => proof.ranks[place] ^= 1 << draw(16),
                    1 => proof.positions[4 * place + draw(4)] ^= 1 << draw(7),
                    2 => proof.lower[place] = (proof.lower[place] + 1) % 3,
                    _ => proof.upper[place] = (proof.upper[place] + 1) % 3,
                }
            });
            let wanted: &[Reason] = match number % 4 {
                0 => &[Reason::WrongRank],
                1 => &[Reason::WrongPosition, Reason::PositionsOutOfOrder],
                _ => &[
                    Reason::WrongInterval,
                    Reason::UnwitnessedBound,
                    Reason::LeakingSet,
                    Reason::WrongRank,
                ],
            };
            assert!(wanted.contains(&found), "{number} {place}: {found}");
        }
    }
}
