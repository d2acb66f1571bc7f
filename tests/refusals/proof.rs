//! Lies about the value of a position.

use dchess::certificate::{Format, Id, Sealed};
use dchess::endgame::{Library, Material};
use dchess::game::{Interval, Silent};
use dchess::proof::{
    Effort, Ground, Node, NodeKind, OPEN, Profile, Proved, StateKind, StateReference, prove,
};
use dchess::rules::{State, parse_fen};
use dchess::verify::{self, Reason, Session};
use shakmaty::Position;
use shakmaty::uci::UciMove;

use super::support;

/// White mates in two; Black has one reply.
const MATE: &str = "7k/8/5K2/8/8/8/6R1/8 w - - 97 90";

fn state(fen: &str, moves: &str) -> State {
    let start = State::new(parse_fen(fen).unwrap()).unwrap();
    moves.split_whitespace().fold(start, |state, text| {
        let uci: UciMove = text.parse().unwrap();
        state.after(uci.to_move(state.position()).unwrap()).unwrap()
    })
}

fn truth(state: &State) -> Proved {
    let effort = Effort {
        nodes: 100_000,
        kept: 1_000_000,
        is_late: &|| false,
    };
    let tables = Library::new();
    prove(Profile::Fcs, state, Ground::new(&tables), effort, &Silent).unwrap()
}

/// The reason why a changed proof is refused; none if it is not.
fn judged(state: &State, proved: &Proved, children: &[(Material, Id)]) -> Option<Reason> {
    let sealed = Sealed::proof(state, proved, children, Format::Bin).unwrap();
    let read = verify::read(&mut sealed.bytes());
    let judged = read.and_then(|read| Session::new().judge(read, None));
    judged.err().map(|refusal| refusal.reason)
}

fn refused(state: &State, lie: impl FnOnce(&mut Proved)) -> Option<Reason> {
    let mut proved = truth(state);
    assert_eq!(judged(state, &proved, &[]), None);
    lie(&mut proved);
    judged(state, &proved, &[])
}

/// The first node of a kind of side.
fn node(proved: &mut Proved, is_white: bool) -> &mut Node {
    let found = |node: &&mut Node| {
        node.kind == NodeKind::Moves && node.position.turn().is_white() == is_white
    };
    proved.nodes.iter_mut().find(found).unwrap()
}

#[test]
fn a_reply_is_missing() {
    let state = state(MATE, "");
    let open = refused(&state, |proved| node(proved, false).moves[0].to = OPEN);
    assert_eq!(open, Some(Reason::UnwitnessedBound));
    let short = refused(&state, |proved| {
        node(proved, true).moves.pop();
    });
    assert_eq!(short, Some(Reason::WrongNumberOfReplies));
}

#[test]
fn a_claim_is_ignored() {
    // Black to move may claim at 99, since he has a quiet move.
    let at_99 = refused(&state(MATE, ""), |proved| node(proved, false).clock = 99);
    assert_eq!(at_99, Some(Reason::ClaimIgnored));
    // Black has one move, after which he is mated; but he may claim with it.
    let late = state("7k/5K2/8/6Q1/8/8/8/8 b - - 99 90", "");
    let ignored = refused(&late, |proved| {
        proved.interval = Interval::point(1);
        proved.tree.states[0].interval = Interval::point(1);
    });
    assert_eq!(ignored, Some(Reason::ClaimIgnored));
}

#[test]
fn a_clock_is_off_by_one() {
    // 98 plies, and the same proof.
    let late = state("7k/8/5K2/8/8/8/6R1/8 w - - 98 90", "");
    let mut proved = truth(&state(MATE, ""));
    assert_eq!(judged(&late, &proved, &[]), Some(Reason::UnwitnessedBound));
    // The first node says that it holds up to 98.
    let root = node(&mut proved, true);
    root.clock += 1;
    assert_eq!(judged(&late, &proved, &[]), Some(Reason::UnwitnessedBound));
    // Nodes have no clock beyond 149.
    let beyond = refused(&state(MATE, ""), |proved| node(proved, true).clock = 150);
    assert_eq!(beyond, Some(Reason::WrongClock));
}

#[test]
fn a_cycle_is_no_progress() {
    let state = state(MATE, "");
    let equal = refused(&state, |proved| {
        let rank = node(proved, true).rank;
        node(proved, false).rank = rank;
    });
    assert_eq!(equal, Some(Reason::RankDoesNotFall));
}

#[test]
fn a_deletion_needs_a_witness() {
    let state = state(MATE, "");
    let undominated = refused(&state, |proved| {
        let root = node(proved, true);
        let best = (0..root.moves.len()).find(|&place| root.moves[place].to != OPEN);
        let other = (0..root.moves.len()).find(|&place| root.moves[place].to == OPEN);
        root.moves.iter_mut().for_each(|mv| mv.dominator = u8::MAX);
        root.moves[best.unwrap()].dominator = other.unwrap() as u8;
    });
    assert_eq!(undominated, Some(Reason::NotDominated));
    let by_deleted = refused(&state, |proved| {
        let root = node(proved, true);
        let deleted = (0..root.moves.len())
            .filter(|&place| root.moves[place].dominator != u8::MAX)
            .collect::<Vec<_>>();
        root.moves[deleted[0]].dominator = deleted[1] as u8;
    });
    assert_eq!(by_deleted, Some(Reason::DominatingMoveDeleted));
}

#[test]
fn an_interval_is_tighter_than_its_witnesses() {
    // A draw by the clock is said to be a win.
    let late = state("7k/8/5K2/8/8/8/6R1/8 w - - 98 90", "");
    let win = refused(&late, |proved| {
        proved.interval = Interval::point(1);
        proved.tree.states[0].interval = Interval::point(1);
    });
    assert_eq!(win, Some(Reason::UnwitnessedBound));
    // The claim says more than state 0.
    let claim = refused(&late, |proved| proved.interval = Interval::point(1));
    assert_eq!(claim, Some(Reason::WrongInterval));
    // A position that Black holds is said to be held by White as well, although one reply is open.
    let perpetual = state("6k1/6p1/4pp2/7Q/8/8/rr6/7K w - - 0 1", "");
    let leak = refused(&perpetual, |proved| {
        let interval = Interval::point(0);
        let leaks = |node: &&mut Node| {
            node.kind == NodeKind::Moves
                && node.position.turn().is_black()
                && node.interval == interval
        };
        let node = proved.nodes.iter_mut().find(leaks).unwrap();
        let first = node.moves.iter_mut().find(|mv| mv.to != OPEN).unwrap();
        first.to = OPEN;
    });
    assert_eq!(leak, Some(Reason::LeakingSet));
}

#[test]
fn a_table_that_no_node_uses() {
    let state = state(MATE, "");
    let child: Material = "KRK".parse().unwrap();
    let proved = truth(&state);
    let named = judged(&state, &proved, &[(child, Id([7; 32]))]);
    // It was not verified in the same call.
    assert_eq!(named, Some(Reason::MissingChildren));
}

#[test]
fn a_leaf_of_another_table() {
    let state = state("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "");
    let (_, library) = support::solved("KRK");
    let effort = Effort {
        nodes: 1_000,
        kept: 1_000_000,
        is_late: &|| false,
    };
    let ground = Ground::new(&library);
    let proved = prove(Profile::Fcs, &state, ground, effort, &Silent).unwrap();
    assert_eq!(proved.interval, Interval::point(1));
    let mut session = Session::new();
    let table = support::certificate("KRK", Format::Bin);
    let table = verify::read(&mut &*table).unwrap();
    session.verify(&table).unwrap();
    let mut judge = |id: [u8; 32]| {
        let children = [("KRK".parse().unwrap(), Id(id))];
        let sealed = Sealed::proof(&state, &proved, &children, Format::Json).unwrap();
        let read = verify::read(&mut sealed.bytes()).unwrap();
        session
            .judge(read, None)
            .err()
            .map(|refusal| refusal.reason)
    };
    let id = table.id.bytes();
    assert_eq!(judge(id), None);
    let mut other = id;
    other[31] ^= 1;
    assert_eq!(judge(other), Some(Reason::WrongChild));
}

#[test]
fn states_in_the_wrong_place() {
    let fen = "7k/8/5K2/8/8/8/6R1/8 b - - 0 90";
    let twice = state(fen, "h8h7 g2g1 h7h8 g1g2 h8h7 g2g1 h7h8 g1g2");
    let back = refused(&twice, |proved| {
        let StateKind::Moves(moves) = &mut proved.tree.states[0].kind else {
            panic!("the claim is a move of the root");
        };
        moves[0] = StateReference::State(0);
    });
    assert_eq!(back, Some(Reason::RankDoesNotFall));
    let nowhere = refused(&twice, |proved| {
        let StateKind::Moves(moves) = &mut proved.tree.states[0].kind else {
            panic!("the claim is a move of the root");
        };
        moves[0] = StateReference::Node(1 << 20);
    });
    assert_eq!(nowhere, Some(Reason::UnknownNode));
    // The proof of a state with a history, for the same position without one.
    let proved = truth(&twice);
    let alone = state(fen, "");
    assert_eq!(judged(&alone, &proved, &[]), Some(Reason::UnwitnessedBound));
}
