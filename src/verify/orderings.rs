//! The check of orderings: steps 3 to 5 of what a checker must establish.
//!
//! Nothing is taken from the file but the claim: the positions are drawn again from the seed, and everything that is said of
//! them is found again, by the island's own rules. So the file is just compared. A position is drawn when its turn comes, so the
//! work is never for more positions than are in the file.
//!
//! Source: `docs/certificate-format.md`, *Kind 7: orderings*.

use std::collections::HashSet;

use super::attempts::Attempts;
use super::certificate::{Exchange, OrderedPosition, Orderings, WinningMove};
use super::exchange::ExchangeGraph;
use super::orderings_claim::OrderingsClaim;
use super::proof_nodes::proof_nodes;
use super::table::same;
use super::tree::Tree;
use super::{Checked, Move, Reason, Refusal};

/// The place of the order called forcing among the four.
const FORCING: usize = 1;

/// The place of the order called exchange.
const EXCHANGE: usize = 3;

/// Establishes the claim, or says why not.
pub(super) fn check(claim: &str, stored: &Orderings) -> Result<Checked, Refusal> {
    let said = OrderingsClaim::of(claim)?;
    let reason = Reason::WrongNumberOfPositions;
    same(
        reason,
        "positions",
        stored.positions.len() as u64,
        said.positions,
    )?;
    check_distinct(&stored.positions)?;
    let mut attempts = Attempts::of(said.seed);
    let mut totals = Totals::default();
    for (number, position) in stored.positions.iter().enumerate() {
        let found = check_position(position, &mut attempts);
        let found = found.map_err(|refusal| refusal.within(format_args!("position {number}")))?;
        totals.add(position, &found);
    }
    totals.check(stored)?;
    Ok(Checked {
        states: said.positions,
        edges: totals.moves,
    })
}

/// Step 3: no position is listed twice.
fn check_distinct(positions: &[OrderedPosition]) -> Result<(), Refusal> {
    let mut known = HashSet::new();
    for (number, position) in positions.iter().enumerate() {
        if !known.insert(position.fen.as_str()) {
            let place = format_args!("positions entry {number}: {} again", position.fen);
            return Err(Refusal::new(Reason::DuplicatePosition, place));
        }
    }
    Ok(())
}

/// What was found of a position for the totals. The rest is as it is stored.
struct Found {
    attempt: u64,
    proof_nodes: [u64; 4],
}

/// Step 4 for the next position.
fn check_position(stored: &OrderedPosition, attempts: &mut Attempts) -> Result<Found, Refusal> {
    let admitted = attempts.next_admitted();
    if stored.fen != admitted.fen {
        let place = format_args!("fen: stored {}, found {}", stored.fen, admitted.fen);
        return Err(Refusal::new(Reason::NotFromTheSeed, place));
    }
    let attempt = admitted.attempt;
    same(Reason::WrongAttempt, "attempt", stored.attempt, attempt)?;
    let tree = Tree::of(admitted.board);
    let moves = tree.moves().iter().map(|after| after.last);
    same_moves("root_moves", stored.root_moves.iter().copied(), moves)?;
    check_exchanges(&stored.exchanges, &tree)?;
    check_winning(&stored.winning, &tree)?;
    let found = proof_nodes(&tree);
    for (&stored, found) in stored.proof_nodes.iter().zip(found) {
        same(Reason::WrongCount, "proof_nodes", stored, found)?;
    }
    Ok(Found {
        attempt,
        proof_nodes: found,
    })
}

/// Step 4, the exchanges: one for each capture, and each as it is found.
fn check_exchanges(stored: &[Exchange], tree: &Tree) -> Result<(), Refusal> {
    let captures = || {
        let moves = tree.moves().iter();
        moves.filter(|after| tree.board.captured_by(after.last).is_some())
    };
    let moves = stored.iter().map(|exchange| exchange.capture);
    same_moves("exchanges", moves, captures().map(|after| after.last))?;
    for (exchange, after) in stored.iter().zip(captures()) {
        check_exchange(
            exchange,
            &ExchangeGraph::of(&tree.board, after.last, after.board),
        )
        .map_err(|refusal| refusal.within(format_args!("exchanges {}", after.last)))?;
    }
    Ok(())
}

fn check_exchange(stored: &Exchange, found: &ExchangeGraph) -> Result<(), Refusal> {
    // A value that is neither is 0, and both are.
    let gain = u64::try_from(found.value).unwrap_or(0);
    let loss = u64::try_from(-found.value).unwrap_or(0);
    for (field, stored, found) in [
        ("gain", stored.gain.into(), gain),
        ("loss", stored.loss.into(), loss),
        ("nodes", stored.nodes.into(), found.nodes),
        (
            "capture_plies",
            stored.capture_plies.into(),
            found.capture_plies,
        ),
        (
            "checked_nodes",
            stored.checked_nodes.into(),
            found.checked_nodes,
        ),
    ] {
        same(Reason::WrongExchange, field, stored, found)?;
    }
    Ok(())
}

/// Step 4, the winning moves with all replies, and all that mate after each of them.
fn check_winning(stored: &[WinningMove], tree: &Tree) -> Result<(), Refusal> {
    let winning = || {
        let moves = tree.moves().iter();
        moves.filter(|after| after.is_checkmate() || after.is_mated_after_each_move())
    };
    let moves = stored.iter().map(|winning| winning.key);
    same_moves("winning", moves, winning().map(|after| after.last))?;
    for (stored, after) in stored.iter().zip(winning()) {
        let name = format!("winning {} replies", after.last);
        let moves = stored.replies.iter().map(|reply| reply.reply);
        let replies = after.moves();
        same_moves(&name, moves, replies.iter().map(|reply| reply.last))?;
        for (stored, reply) in stored.replies.iter().zip(replies) {
            let name = format!("winning {} {} mates", after.last, reply.last);
            let mates = reply.mates().iter().copied();
            same_moves(&name, stored.mates.iter().copied(), mates)?;
        }
    }
    Ok(())
}

/// Refuses a list of moves that is not the one that was found: the first move that is another one is named.
fn same_moves(
    name: &str,
    mut stored: impl Iterator<Item = Move>,
    mut found: impl Iterator<Item = Move>,
) -> Result<(), Refusal> {
    for place in 0_u64.. {
        let (stored, found) = (stored.next(), found.next());
        if stored != found {
            let text = |m: Option<Move>| m.map_or("none".to_string(), |m| m.to_string());
            let (stored, found) = (text(stored), text(found));
            let place = format_args!("{name} entry {place}: stored {stored}, found {found}");
            return Err(Refusal::new(Reason::WrongMoves, place));
        }
        if found.is_none() {
            break;
        }
    }
    Ok(())
}

/// What is counted over all positions.
#[derive(Default)]
struct Totals {
    /// The attempt of the last position.
    attempts: u64,
    proof_nodes: [u64; 4],
    wins: u64,
    ties: u64,
    losses: u64,
    reply_branches: u64,
    mating_continuations: u64,
    /// Legal moves.
    moves: u64,
}

impl Totals {
    /// Counts a position of which all lists were found to be as they are stored.
    fn add(&mut self, position: &OrderedPosition, found: &Found) {
        self.attempts = found.attempt;
        for (total, nodes) in self.proof_nodes.iter_mut().zip(found.proof_nodes) {
            *total += nodes;
        }
        match found.proof_nodes[EXCHANGE].cmp(&found.proof_nodes[FORCING]) {
            std::cmp::Ordering::Less => self.wins += 1,
            std::cmp::Ordering::Equal => self.ties += 1,
            std::cmp::Ordering::Greater => self.losses += 1,
        }
        for reply in position.winning.iter().flat_map(|key| &key.replies) {
            self.reply_branches += 1;
            self.mating_continuations += reply.mates.len() as u64;
        }
        self.moves += position.root_moves.len() as u64;
    }

    /// Step 5.
    fn check(&self, stored: &Orderings) -> Result<(), Refusal> {
        let reason = Reason::WrongCount;
        same(reason, "attempts", stored.attempts, self.attempts)?;
        for (&stored, found) in stored.proof_nodes.iter().zip(self.proof_nodes) {
            same(reason, "proof_nodes", stored, found)?;
        }
        let (replies, mates) = (self.reply_branches, self.mating_continuations);
        for (field, stored, found) in [
            ("wins", stored.wins, self.wins),
            ("ties", stored.ties, self.ties),
            ("losses", stored.losses, self.losses),
            ("reply_branches", stored.reply_branches, replies),
            ("mating_continuations", stored.mating_continuations, mates),
        ] {
            same(reason, field, stored, found)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::super::blocks::tests::compressed;
    use super::super::certificate::{Body, Certificate, Encoding, Reply};
    use super::super::certificate_kind::CertificateKind;
    use super::super::container::tests::file_of_kind;
    use super::super::{Id, Session, payload, read};
    use super::*;

    /// What is true of a claim, found by the island itself.
    fn truth(claim: &str) -> Orderings {
        let said = OrderingsClaim::of(claim).unwrap();
        let mut attempts = Attempts::of(said.seed);
        let mut orderings = Orderings {
            attempts: 0,
            proof_nodes: [0; 4],
            wins: 0,
            ties: 0,
            losses: 0,
            reply_branches: 0,
            mating_continuations: 0,
            positions: Vec::new(),
        };
        for _ in 0..said.positions {
            let admitted = attempts.next_admitted();
            let tree = Tree::of(admitted.board);
            let mut position = OrderedPosition {
                fen: admitted.fen,
                attempt: admitted.attempt,
                proof_nodes: proof_nodes(&tree),
                root_moves: Vec::new(),
                exchanges: Vec::new(),
                winning: Vec::new(),
            };
            for (m, after) in admitted.board.moves() {
                position.root_moves.push(m);
                if admitted.board.captured_by(m).is_some() {
                    let graph = ExchangeGraph::of(&admitted.board, m, after);
                    position.exchanges.push(Exchange {
                        capture: m,
                        gain: graph.value.max(0) as u16,
                        loss: (-graph.value).max(0) as u16,
                        nodes: graph.nodes as u32,
                        capture_plies: graph.capture_plies as u16,
                        checked_nodes: graph.checked_nodes as u32,
                    });
                }
                let replies: Vec<Reply> = after
                    .moves()
                    .into_iter()
                    .map(|(reply, after)| {
                        let moves = after.moves().into_iter();
                        let mates = moves.filter(|(_, end)| end.is_checkmate());
                        let mates = mates.map(|(mate, _)| mate).collect();
                        Reply { reply, mates }
                    })
                    .collect();
                if !replies.is_empty() && replies.iter().all(|reply| !reply.mates.is_empty()) {
                    orderings.reply_branches += replies.len() as u64;
                    let mates = replies.iter().map(|reply| reply.mates.len() as u64);
                    orderings.mating_continuations += mates.sum::<u64>();
                    position.winning.push(WinningMove { key: m, replies });
                }
            }
            let [_, forcing, _, exchange] = position.proof_nodes;
            orderings.wins += u64::from(exchange < forcing);
            orderings.ties += u64::from(exchange == forcing);
            orderings.losses += u64::from(exchange > forcing);
            for (total, nodes) in orderings.proof_nodes.iter_mut().zip(position.proof_nodes) {
                *total += nodes;
            }
            orderings.attempts = position.attempt;
            orderings.positions.push(position);
        }
        orderings
    }

    const CLAIM: &str = "orderings of 4 positions from seed 20260915";

    /// What is true of it.
    static TRUTH: LazyLock<Orderings> = LazyLock::new(|| truth(CLAIM));

    /// The refusal of what is true after a change.
    fn refusal(change: impl FnOnce(&mut Orderings)) -> Refusal {
        let mut changed = TRUTH.clone();
        change(&mut changed);
        assert_ne!(changed, *TRUTH);
        let refusal = check(CLAIM, &changed).unwrap_err();
        assert!(!refusal.place.is_empty() && !refusal.place.contains("\\u"));
        // The same when it is sealed and read.
        let body = Body::Orderings(changed);
        let certificate = Certificate::made_of(Encoding::Json, CLAIM.to_string(), Vec::new(), body);
        for file in files(&certificate.payload()) {
            let certificate = read(&mut file.as_slice()).unwrap();
            let found = Session::new().verify(&certificate).unwrap_err();
            assert_eq!(found, refusal.clone().of(certificate.id));
        }
        refusal
    }

    fn reason(change: impl FnOnce(&mut Orderings)) -> Reason {
        refusal(change).reason
    }

    fn files(payload: &[u8]) -> [Vec<u8>; 2] {
        let length = payload.len() as u64;
        [
            file_of_kind(7, 0, payload, length),
            file_of_kind(7, 1, &compressed(payload), length),
        ]
    }

    fn payload_of(claim: &str) -> Vec<u8> {
        payload::write(claim, None, &[], &Body::Orderings(truth(claim)))
    }

    /// The JSON text of orderings, written from the page.
    fn text(claim: &str, id: Id, orderings: &Orderings) -> serde_json::Value {
        use serde_json::json;
        let moves = |moves: &[Move]| -> Vec<String> { moves.iter().map(Move::to_string).collect() };
        let positions = orderings.positions.iter().map(|position| {
            let exchanges = position.exchanges.iter().map(|exchange| {
                json!({
                    "move": exchange.capture.to_string(), "gain": exchange.gain,
                    "loss": exchange.loss, "nodes": exchange.nodes,
                    "capture_plies": exchange.capture_plies,
                    "checked_nodes": exchange.checked_nodes
                })
            });
            let winning = position.winning.iter().map(|winning| {
                let replies = winning.replies.iter().map(
                    |reply| json!({"move": reply.reply.to_string(), "mates": moves(&reply.mates)}),
                );
                let replies: Vec<_> = replies.collect();
                json!({"move": winning.key.to_string(), "replies": replies})
            });
            let (exchanges, winning): (Vec<_>, Vec<_>) = (exchanges.collect(), winning.collect());
            json!({
                "fen": position.fen, "attempt": position.attempt,
                "proof_nodes": position.proof_nodes, "root_moves": moves(&position.root_moves),
                "exchanges": exchanges, "winning": winning
            })
        });
        let positions: Vec<_> = positions.collect();
        json!({
            "format": "dchess", "version": 2, "kind": "orderings", "id": id.to_string(),
            "ruleset": super::super::ruleset::ruleset().to_string(),
            "claim": claim, "attempts": orderings.attempts,
            "proof_nodes": orderings.proof_nodes, "wins": orderings.wins, "ties": orderings.ties,
            "losses": orderings.losses, "reply_branches": orderings.reply_branches,
            "mating_continuations": orderings.mating_continuations, "positions": positions
        })
    }

    #[test]
    fn what_is_true_is_verified() {
        for claim in [
            CLAIM,
            "orderings of 1 positions from seed 0",
            "orderings of 7 positions from seed 18446744073709551615",
        ] {
            let orderings = truth(claim);
            let payload = payload_of(claim);
            let id = Id::of_content(2, 7, &payload);
            let text = text(claim, id, &orderings).to_string().into_bytes();
            for file in files(&payload).into_iter().chain([text]) {
                let certificate = read(&mut file.as_slice()).unwrap();
                assert_eq!((certificate.id, certificate.claim.as_str()), (id, claim));
                assert_eq!(certificate.body, Body::Orderings(orderings.clone()));
                assert!(certificate.children.is_empty());
                let checked = Session::new().verify(&certificate).unwrap();
                assert_eq!(checked.states, orderings.positions.len() as u64);
                let moves = orderings
                    .positions
                    .iter()
                    .map(|p| p.root_moves.len() as u64);
                assert_eq!(checked.edges, moves.sum::<u64>());
            }
        }
    }

    #[test]
    fn lies_about_the_positions() {
        assert_eq!(
            reason(|o| {
                o.positions.pop();
            }),
            Reason::WrongNumberOfPositions
        );
        assert_eq!(
            reason(|o| o.positions.push(o.positions[0].clone())),
            Reason::WrongNumberOfPositions
        );
        assert_eq!(
            reason(|o| o.positions.clear()),
            Reason::WrongNumberOfPositions
        );
        // Twice the same, which comes before all else.
        let found = refusal(|o| {
            o.positions[2] = o.positions[0].clone();
            o.positions[0].attempt = 0;
        });
        assert_eq!(found.reason, Reason::DuplicatePosition);
        assert_eq!(reason(|o| o.positions.swap(1, 2)), Reason::NotFromTheSeed);
        let found = refusal(|o| o.positions[1].fen = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1".to_string());
        assert_eq!(found.reason, Reason::NotFromTheSeed);
        assert!(
            found.place.starts_with("position 1: fen: stored 7k/8"),
            "{found}"
        );
        for fen in ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1"] {
            let found = reason(|o| o.positions[3].fen = fen.to_string());
            assert_eq!(found, Reason::NotFromTheSeed);
        }
        let found = reason(|o| o.positions[0].fen = o.positions[0].fen.replace(" w ", " b "));
        assert_eq!(found, Reason::NotFromTheSeed);
        // Another seed.
        let orderings = TRUTH.clone();
        let other = CLAIM.replace("20260915", "20260916");
        let found = check(&other, &orderings).unwrap_err();
        assert_eq!(found.reason, Reason::NotFromTheSeed);
        // Fewer positions are well said of them, but not all that is counted.
        let found = refusal(|o| o.positions[2].attempt += 1);
        assert_eq!(found.reason, Reason::WrongAttempt);
        assert!(
            found.place.starts_with("position 2: attempt: stored "),
            "{found}"
        );
        assert_eq!(
            reason(|o| o.positions[0].attempt -= 1),
            Reason::WrongAttempt
        );
        assert_eq!(
            reason(|o| o.positions[3].attempt = u64::MAX),
            Reason::WrongAttempt
        );
        assert!(check("orderings of 4 positions", &orderings).is_err());
    }

    #[test]
    fn lies_about_moves() {
        type Change = fn(&mut OrderedPosition);
        let changes: [Change; 23] = [
            |p| p.root_moves.clear(),
            |p| {
                p.root_moves.pop();
            },
            |p| {
                p.root_moves.remove(0);
            },
            |p| p.root_moves.swap(0, 1),
            |p| p.root_moves.push(p.root_moves[0]),
            |p| p.root_moves.push(Move::NONE),
            |p| p.root_moves[0] = p.root_moves[0].promoting(4),
            |p| p.root_moves[0] = p.root_moves[0].promoting(15),
            |p| p.exchanges.clear(),
            |p| p.exchanges.push(p.exchanges[0]),
            |p| p.exchanges[0].capture = Move::NONE,
            |p| p.exchanges.insert(0, p.exchanges[0]),
            |p| p.winning.clear(),
            |p| p.winning.push(p.winning[0].clone()),
            |p| {
                let key = p.root_moves.iter().find(|&&m| m != p.winning[0].key);
                p.winning[0].key = *key.unwrap();
            },
            |p| p.winning[0].replies.clear(),
            |p| {
                p.winning[0].replies.pop();
            },
            |p| p.winning[0].replies.extend_from_within(..1),
            |p| p.winning[0].replies[0].reply = p.winning[0].key,
            |p| p.winning[0].replies[0].mates.clear(),
            |p| p.winning[0].replies[0].mates.push(Move::NONE),
            |p| {
                p.winning[0].replies[0].mates.remove(0);
            },
            |p| {
                let mates = &mut p.winning[0].replies[0].mates;
                mates.insert(0, mates[0]);
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let found = refusal(|o| change(&mut o.positions[number % 4]));
            assert_eq!(found.reason, Reason::WrongMoves, "{number}");
            let place = format!("position {}: ", number % 4);
            assert!(found.place.starts_with(&place), "{found}");
        }
        // Lists with more than one entry, out of order.
        let mut changed = 0;
        for number in 0..4 {
            let position = &TRUTH.positions[number];
            let mut lies: Vec<OrderedPosition> = Vec::new();
            let mut lie = |change: &mut dyn FnMut(&mut OrderedPosition)| {
                let mut changed = position.clone();
                change(&mut changed);
                lies.push(changed);
            };
            if position.exchanges.len() > 1 {
                lie(&mut |p| p.exchanges.swap(0, 1));
            }
            if position.winning.len() > 1 {
                lie(&mut |p| p.winning.swap(0, 1));
                lie(&mut |p| {
                    p.winning.pop();
                });
            }
            for (key, winning) in position.winning.iter().enumerate() {
                if winning.replies.len() > 1 {
                    lie(&mut |p| p.winning[key].replies.swap(0, 1));
                }
                for (reply, mates) in winning.replies.iter().enumerate() {
                    if mates.mates.len() > 1 {
                        lie(&mut |p| p.winning[key].replies[reply].mates.swap(0, 1));
                    }
                }
            }
            for lie in lies {
                assert_eq!(reason(|o| o.positions[number] = lie), Reason::WrongMoves);
                changed += 1;
            }
        }
        assert!(changed > 4, "{changed}");
    }

    #[test]
    fn lies_about_exchanges() {
        type Change = fn(&mut Exchange);
        let changes: [Change; 12] = [
            |e| e.gain = e.gain.wrapping_add(1),
            |e| e.gain ^= 0x8000,
            |e| e.loss = e.loss.wrapping_add(1),
            |e| {
                // The value stays the same.
                e.gain += 10;
                e.loss += 10;
            },
            |e| (e.gain, e.loss) = (e.loss, e.gain.wrapping_add(1)),
            |e| e.nodes += 1,
            |e| e.nodes -= 1,
            |e| e.capture_plies += 1,
            |e| e.capture_plies -= 1,
            |e| e.checked_nodes += 1,
            |e| e.checked_nodes = u32::MAX,
            |e| e.nodes = u32::MAX,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            for last in [false, true] {
                let found = refusal(|o| {
                    let exchanges = &mut o.positions[number % 4].exchanges;
                    let place = if last { exchanges.len() - 1 } else { 0 };
                    change(&mut exchanges[place]);
                });
                assert_eq!(found.reason, Reason::WrongExchange, "{number}");
                assert!(found.place.contains(": exchanges "), "{found}");
            }
        }
        // A loss, and both that are 0, are among them.
        let orderings = truth("orderings of 40 positions from seed 2");
        let all = || orderings.positions.iter().flat_map(|p| &p.exchanges);
        assert!(all().any(|e| e.loss > 0) && all().any(|e| e.gain > 0));
        assert!(all().any(|e| e.nodes > 3) && all().any(|e| e.checked_nodes > 0));
        assert!(all().all(|e| e.gain == 0 || e.loss == 0));
    }

    #[test]
    fn lies_about_counts() {
        type Change = fn(&mut Orderings, i64);
        fn by(number: &mut u64, change: i64) {
            *number = number.wrapping_add_signed(change);
        }
        let changes: [Change; 11] = [
            |o, n| by(&mut o.attempts, n),
            |o, n| by(&mut o.proof_nodes[0], n),
            |o, n| by(&mut o.proof_nodes[1], n),
            |o, n| by(&mut o.proof_nodes[2], n),
            |o, n| by(&mut o.proof_nodes[3], n),
            |o, n| by(&mut o.wins, n),
            |o, n| by(&mut o.ties, n),
            |o, n| by(&mut o.losses, n),
            |o, n| by(&mut o.reply_branches, n),
            |o, n| by(&mut o.mating_continuations, n),
            |o, n| {
                by(&mut o.wins, n);
                by(&mut o.losses, -n);
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            for n in [1, -1, 1 << 40] {
                let found = refusal(|o| change(o, n));
                assert_eq!(found.reason, Reason::WrongCount, "{number}");
                assert!(!found.place.starts_with("position"), "{found}");
            }
        }
        for position in 0..4 {
            for order in 0..4 {
                for n in [1, -1] {
                    // The total with it, so that it would be right.
                    let found = refusal(|o| {
                        by(&mut o.positions[position].proof_nodes[order], n);
                        by(&mut o.proof_nodes[order], n);
                    });
                    assert_eq!(found.reason, Reason::WrongCount);
                    let place = format!("position {position}: proof_nodes");
                    assert!(found.place.starts_with(&place), "{found}");
                }
            }
        }
    }

    #[test]
    fn the_first_failure_is_the_verdict() {
        // Each change is judged before all those that were made before it.
        let mut changed = TRUTH.clone();
        let mut steps: Vec<Reason> = Vec::new();
        let mut judge = |changed: &Orderings| steps.push(check(CLAIM, changed).unwrap_err().reason);
        changed.attempts += 1;
        judge(&changed);
        changed.positions[0].proof_nodes[3] += 1;
        judge(&changed);
        changed.positions[0].winning.clear();
        judge(&changed);
        changed.positions[0].exchanges[0].nodes += 1;
        judge(&changed);
        changed.positions[0].root_moves.pop();
        judge(&changed);
        changed.positions[0].attempt += 1;
        judge(&changed);
        changed.positions[0].fen.push('x');
        judge(&changed);
        changed.positions[2].fen = changed.positions[1].fen.clone();
        judge(&changed);
        changed.positions.pop();
        judge(&changed);
        let wanted = [
            Reason::WrongCount,
            Reason::WrongCount,
            Reason::WrongMoves,
            Reason::WrongExchange,
            Reason::WrongMoves,
            Reason::WrongAttempt,
            Reason::NotFromTheSeed,
            Reason::DuplicatePosition,
            Reason::WrongNumberOfPositions,
        ];
        assert_eq!(steps, wanted);
    }

    const SMALL: &str = "orderings of 1 positions from seed 20260915";

    #[test]
    fn every_changed_byte_is_noticed() {
        let payload = payload_of(SMALL);
        let mut verified = 0;
        for at in 0..payload.len() {
            for bits in [0x01, 0x80, 0xff] {
                let mut changed = payload.clone();
                changed[at] ^= bits;
                let length = changed.len() as u64;
                let file = file_of_kind(7, 0, &changed, length);
                let Ok(certificate) = read(&mut file.as_slice()) else {
                    continue;
                };
                verified += u32::from(Session::new().verify(&certificate).is_ok());
            }
        }
        assert_eq!(verified, 0);
    }

    #[test]
    fn every_other_length_is_malformed() {
        let payload = payload_of(SMALL);
        let reason = |payload: &[u8]| {
            let length = payload.len() as u64;
            let file = file_of_kind(7, 0, payload, length);
            read(&mut file.as_slice()).unwrap_err().reason
        };
        for length in 0..payload.len() {
            assert_eq!(
                reason(&payload[..length]),
                Reason::MalformedPayload,
                "{length}"
            );
        }
        for more in [&[0][..], &[0; 8], &payload] {
            let longer = [&payload, more].concat();
            assert_eq!(reason(&longer), Reason::MalformedPayload);
        }
        // A file that is cut off.
        let file = file_of_kind(7, 0, &payload, payload.len() as u64);
        for length in 8..file.len() {
            let refusal = read(&mut &file[..length]).unwrap_err();
            assert_eq!(refusal.reason, Reason::Truncated);
        }
    }

    #[test]
    fn hostile_counts_take_no_memory() {
        // Any eight bytes of a payload may be a count or a length, or part of one.
        let payload = payload_of(SMALL);
        for at in 0..payload.len() - 8 {
            for count in [u64::MAX, 1 << 63, 1 << 40, 1 << 31] {
                let mut changed = payload.clone();
                changed[at..at + 8].copy_from_slice(&count.to_le_bytes());
                let Ok((claim, _, Body::Orderings(orderings))) =
                    payload::read(CertificateKind::Orderings, changed)
                else {
                    continue;
                };
                assert_eq!(orderings.positions.len(), 1);
                let is_same = OrderingsClaim::of(&claim).is_ok();
                assert!(is_same);
            }
        }
        // A claim of many positions, and a file with few.
        let claim = "orderings of 1000000 positions from seed 20260915";
        let refusal = check(claim, &TRUTH).unwrap_err();
        assert_eq!(refusal.reason, Reason::WrongNumberOfPositions);
        // The limit of codec 1.
        let many = vec![0; 4 << 20];
        let begun = [payload_of(SMALL), many].concat();
        let file = file_of_kind(7, 1, &compressed(&begun), begun.len() as u64);
        let refusal = read(&mut file.as_slice()).unwrap_err();
        assert_eq!(refusal.reason, Reason::LengthOutOfBounds);
    }

    #[test]
    fn other_shapes_of_json_are_malformed() {
        let orderings = truth(SMALL);
        let id = Id::of_content(2, 7, &payload_of(SMALL));
        let good = text(SMALL, id, &orderings);
        let reason = |text: String| read(&mut text.as_bytes()).unwrap_err().reason;
        assert!(read(&mut good.to_string().as_bytes()).is_ok());
        // Each key of each object is missing once, is of another type, and has another one beside it.
        let places = [
            "",
            "/positions/0",
            "/positions/0/exchanges/0",
            "/positions/0/winning/0",
            "/positions/0/winning/0/replies/0",
        ];
        let mut keys = 0;
        for place in places {
            let object = good.pointer(place).unwrap().as_object().unwrap().clone();
            for key in object.keys() {
                keys += 1;
                let with = |change: &dyn Fn(&mut serde_json::Map<String, serde_json::Value>)| {
                    let mut changed = good.clone();
                    change(changed.pointer_mut(place).unwrap().as_object_mut().unwrap());
                    reason(changed.to_string())
                };
                let lacking = with(&|object| drop(object.remove(key)));
                assert_eq!(lacking, Reason::MalformedJson, "{key}");
                let more = with(&|object| drop(object.insert(format!("{key}s"), 1.into())));
                assert_eq!(more, Reason::MalformedJson, "{key}");
                for value in [serde_json::Value::Null, true.into(), (-1).into()] {
                    let other = with(&|object| drop(object.insert(key.clone(), value.clone())));
                    assert_eq!(other, Reason::MalformedJson, "{key}");
                }
            }
        }
        assert_eq!(keys, 14 + 6 + 6 + 2 + 2);
        let with = |place: &str, value: serde_json::Value| {
            let mut changed = good.clone();
            *changed.pointer_mut(place).unwrap() = value;
            reason(changed.to_string())
        };
        for (place, value) in [
            ("/proof_nodes", serde_json::json!([1, 2, 3])),
            ("/proof_nodes", serde_json::json!([1, 2, 3, 4, 5])),
            ("/positions/0/proof_nodes", serde_json::json!([])),
            ("/positions/0/proof_nodes/0", serde_json::json!("1")),
            ("/positions/0/proof_nodes/0", serde_json::json!(1.0)),
            ("/positions/0/root_moves/0", serde_json::json!("a1a1")),
            ("/positions/0/root_moves/0", serde_json::json!("a1b9")),
            ("/positions/0/root_moves/0", serde_json::json!(576)),
            ("/positions/0/root_moves", serde_json::json!("AAAA")),
            (
                "/positions/0/exchanges/0/move",
                serde_json::json!("no move"),
            ),
            ("/positions/0/exchanges/0/gain", serde_json::json!(65536)),
            (
                "/positions/0/exchanges/0/nodes",
                serde_json::json!(1_u64 << 32),
            ),
            (
                "/positions/0/exchanges/0",
                serde_json::json!(["a1b2", 1, 2, 3, 4, 5]),
            ),
            ("/positions/0/fen", serde_json::json!("\u{e9}")),
            ("/positions/0", serde_json::json!([])),
            ("/positions", serde_json::json!({})),
        ] {
            assert_eq!(with(place, value), Reason::MalformedJson, "{place}");
        }
        for (place, value, reason) in [
            (
                "/claim",
                serde_json::json!("bundle of 1 mates"),
                Reason::UnknownClaim,
            ),
            ("/claim", serde_json::json!(CLAIM), Reason::IdMismatch),
            ("/kind", serde_json::json!("ordering"), Reason::UnknownKind),
            ("/kind", serde_json::json!("mate"), Reason::MalformedJson),
            ("/wins", serde_json::json!(77), Reason::IdMismatch),
            (
                "/positions/0/exchanges/0/gain",
                serde_json::json!(7),
                Reason::IdMismatch,
            ),
            (
                "/positions/0/winning/0/move",
                serde_json::json!("a1b2"),
                Reason::IdMismatch,
            ),
        ] {
            assert_eq!(with(place, value), reason, "{place}");
        }
        // Keys twice.
        let twice = good
            .to_string()
            .replacen("\"attempt\":", "\"attempt\":1,\"attempt\":", 1);
        assert_eq!(reason(twice), Reason::MalformedJson);
    }
}
