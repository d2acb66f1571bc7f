//! The check of a proof: steps 2 to 11 of what a checker must establish.
//!
//! Nothing is searched. The states of the complete game are gone through once in their order, then the nodes; of each the legal
//! moves are those of the island's own rules, and what is said of it has to follow from what is said of these. Why this proves the
//! claim is said in the soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 9: proof*.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::board::Board;
use super::certificate::{Child, Proof};
use super::claim::material_of_endgame;
use super::game_state::GameState;
use super::interval::Interval;
use super::proof_bounds::Bounds;
use super::proof_claim::{Game, ProofClaim};
use super::proof_positions::Positions;
use super::proof_records::{self, Node, Records, State};
use super::proof_states;
use super::proof_tables::ProofTables;
use super::records::Counts;
use super::session::Tables;
use super::states::States;
use super::table::{check_verified, same};
use super::{Checked, Id, Reason, Refusal};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: &[Child],
    stored: &Proof,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let said = ProofClaim::of(claim)?;
    check_children(named)?;
    check_verified(named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    judge(claim, &said, stored, &children)
}

/// The first part of step 3: children are endgame tables, in order.
fn check_children(named: &[Child]) -> Result<(), Refusal> {
    let wrong = |child: &Child, what: &str| {
        let place = format_args!("children: {} {what}", child.claim);
        Err(Refusal::new(Reason::WrongChildren, place))
    };
    let mut before: Option<&Child> = None;
    for child in named {
        if material_of_endgame(&child.claim).is_err() {
            return wrong(child, "is no claim of an endgame table");
        }
        if before.is_some_and(|before| before.claim >= child.claim) {
            return wrong(child, "is out of order");
        }
        before = Some(child);
    }
    Ok(())
}

/// Steps 4 to 11.
fn judge(
    claim: &str,
    said: &ProofClaim,
    stored: &Proof,
    children: &[Arc<States>],
) -> Result<Checked, Refusal> {
    let board = Board::of(&said.fen).ok_or_else(|| {
        let place = format_args!("claim: stored {claim}");
        Refusal::new(Reason::IllegalPosition, place)
    })?;
    let root = root(said.game, board, stored)?;
    let states: Records<State> = Records::of(&stored.states)?;
    let nodes: Records<Node> = Records::of(&stored.nodes)?;
    proof_records::judge(&states, &nodes, root.is_some())?;
    check_root(said.interval, &states, &nodes, root.is_some())?;
    let mut positions = Positions::of(nodes.len());
    let moves = match &root {
        Some(root) => proof_states::check(root, &states, &nodes, &mut positions)?,
        None => {
            positions.reach(0, &board);
            0
        }
    };
    let mut bounds = Bounds {
        nodes: &nodes,
        positions,
        tables: ProofTables::of(children),
        is_complete: root.is_some(),
        won: Default::default(),
        deletions: Counts::default(),
        moves,
    };
    bounds.check()?;
    if let Some(child) = bounds
        .tables
        .unasked()
        .and_then(|child| children.get(child))
    {
        let place = format_args!("children: no node rests on {}", child.material.name());
        return Err(Refusal::new(Reason::WrongChildren, place));
    }
    let Counts { strict, equal } = bounds.deletions;
    let reason = Reason::WrongCount;
    same(reason, "deleted_strict", stored.deleted_strict, strict)?;
    same(reason, "deleted_equal", stored.deleted_equal, equal)?;
    Ok(Checked {
        states: (states.len() + nodes.len()) as u64,
        edges: bounds.moves,
    })
}

/// Step 5: the state of the claim in the complete game; none in the game `board`.
fn root(game: Game, board: Board, stored: &Proof) -> Result<Option<GameState>, Refusal> {
    let wrong = |what: &str| Err(Refusal::new(Reason::WrongState, what));
    let (clock, after) = match game {
        Game::Board if stored.state.is_empty() && stored.states.is_empty() => return Ok(None),
        Game::Board => return wrong("state, states: in the game board there are none"),
        Game::Complete { clock, after } => (clock, after),
    };
    let Some(digest) = after else {
        if !stored.state.is_empty() {
            return wrong("state: the claim names none");
        }
        if board.en_passant.is_some() && clock != 0 {
            return wrong("claim: after a double step the clock is 0");
        }
        return Ok(Some(GameState {
            board,
            clock,
            occurrences: vec![(board, 1)],
        }));
    };
    let state = match GameState::read(&stored.state) {
        Ok(state) => state,
        Err(fault) => return wrong(&format!("state: {fault}")),
    };
    if Id::from_bytes(Sha256::digest(&stored.state).into()) != digest {
        return wrong("state: it has another digest than the claim says");
    }
    if state.board != board || state.clock != clock {
        return wrong("state: it has another position or clock than the claim says");
    }
    Ok(Some(state))
}

/// Step 7: the root is said to be worth what is claimed.
fn check_root<'a>(
    claimed: Interval,
    states: &Records<'a, State<'a>>,
    nodes: &Records<'a, Node<'a>>,
    is_complete: bool,
) -> Result<(), Refusal> {
    let stored = match is_complete {
        true => states.get(0).map(|state| state.interval()),
        false => nodes.get(0).map(|node| node.interval()),
    };
    if stored == Some(claimed) {
        return Ok(());
    }
    let Interval { low, high } = stored.unwrap_or(Interval::OPEN);
    let place = format_args!(
        "the root: stored {low} to {high}, claimed {} to {}",
        claimed.low, claimed.high
    );
    Err(Refusal::new(Reason::WrongInterval, place))
}

#[cfg(test)]
mod tests {
    use super::super::blocks::tests::compressed;
    use super::super::board::tests::board;
    use super::super::certificate::{Body, Certificate, Encoding};
    use super::super::container::tests::file_of_kind;
    use super::super::game_state::tests::{START, played, state};
    use super::super::proof_records::OPEN;
    use super::super::{Session, payload, read};
    use super::*;

    const NO_RANK: u16 = u16::MAX;
    const TO_NODE: u32 = 1 << 31;

    // Kinds of nodes.
    const END: u8 = 1;
    const MATERIAL: u8 = 2;
    const WALLS: u8 = 3;
    const TABLE: u8 = 4;

    // Positions without their clocks.
    const STALEMATE: &str = "8/8/8/8/8/4k3/4p3/4K3 w - -";
    const MATE_IN_ONE: &str = "k7/8/1K6/8/8/8/8/2R5 w - -";
    const ONLY_MOVE: &str = "8/8/8/8/8/1K6/2R5/1k6 b - -";
    const CORNERED: &str = "8/8/8/8/8/1K6/2R5/k7 w - -";
    const CYCLE: [&str; 4] = [
        MATE_IN_ONE,
        "k7/8/1K6/8/8/8/2R5/8 b - -",
        "1k6/8/1K6/8/8/8/2R5/8 w - -",
        "1k6/8/1K6/8/8/8/8/2R5 b - -",
    ];
    const PERPETUAL: [&str; 4] = [
        "6k1/6p1/5p2/7Q/8/8/qr6/7K w - -",
        "4Q1k1/6p1/5p2/8/8/8/qr6/7K b - -",
        "4Q3/6pk/5p2/8/8/8/qr6/7K w - -",
        "8/6pk/5p2/7Q/8/8/qr6/7K b - -",
    ];
    const BARE: &str = "7k/8/8/8/8/8/1q6/7K w - -";
    const PAWN_MOVES: &str = "k7/8/8/8/8/8/P4q2/7K w - -";
    const KNIGHT: &str = "8/8/8/8/8/1k6/8/K2N4 w - -";
    const SHUT_IN: &str = "4k3/8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/4K1BR w - -";
    const MATE_OR_STALEMATE: &str = "7k/8/6K1/8/8/8/8/5Q2 w - -";

    /// Back at [`ONLY_MOVE`] after four plies.
    const ROUND: &str = "b1a1 c2d2 a1b1 d2c2 ";

    /// A claim, what proves it, and the tables of children.
    #[derive(Clone)]
    struct Case {
        claim: String,
        state: Vec<u8>,
        states: Vec<Vec<u8>>,
        nodes: Vec<Vec<u8>>,
        children: Vec<Arc<States>>,
        strict: u64,
        equal: u64,
    }

    /// The bounds of a record.
    fn bounds((low, high): (i8, i8)) -> u8 {
        ((low + 1) + 3 * (high + 1)) as u8
    }

    /// A reference for each legal move, open where none is given.
    fn references(fen: &str, leads: &[(&str, u32)]) -> Vec<u8> {
        let moves = board(&format!("{fen} 0 1")).moves();
        let texts: Vec<String> = moves.iter().map(|(m, _)| m.to_string()).collect();
        for (text, _) in leads {
            assert!(texts.iter().any(|other| other == text), "{fen} {text}");
        }
        let reference = |text: &String| {
            let mut leads = leads.iter();
            let lead = leads.find(|(other, _)| other == text);
            lead.map_or(OPEN, |&(_, reference)| reference)
        };
        let mut bytes = vec![texts.len() as u8];
        bytes.extend(texts.iter().flat_map(|text| reference(text).to_le_bytes()));
        bytes
    }

    /// A node with moves, all of which are kept.
    fn inner(fen: &str, known: (i8, i8), clock: u8, rank: u16, leads: &[(&str, u32)]) -> Vec<u8> {
        let mut bytes = vec![0, bounds(known), clock];
        bytes.extend(rank.to_le_bytes());
        let references = references(fen, leads);
        let kept = vec![u8::MAX; references[0].into()];
        [bytes, references, kept].concat()
    }

    /// A node of another kind.
    fn leaf(kind: u8, known: (i8, i8), clock: u8) -> Vec<u8> {
        vec![kind, bounds(known), clock]
    }

    /// A state with its moves.
    fn expanded(fen: &str, known: (i8, i8), leads: &[(&str, u32)]) -> Vec<u8> {
        [vec![0, bounds(known)], references(fen, leads)].concat()
    }

    /// A state with a node.
    fn by_node(known: (i8, i8), number: u32) -> Vec<u8> {
        [vec![1, bounds(known)], number.to_le_bytes().to_vec()].concat()
    }

    fn claim_board(fen: &str, (low, high): (i8, i8)) -> String {
        format!("interval {fen} 0 1 board {low} {high}")
    }

    fn claim_fcs(fen: &str, clock: u8, (low, high): (i8, i8)) -> String {
        format!("interval {fen} {clock} 1 fcs {low} {high}")
    }

    impl Case {
        fn of(claim: String, states: &[Vec<u8>], nodes: &[Vec<u8>]) -> Case {
            Case {
                claim,
                state: Vec::new(),
                states: states.to_vec(),
                nodes: nodes.to_vec(),
                children: Vec::new(),
                strict: 0,
                equal: 0,
            }
        }

        /// The case in the complete game, from a state with this clock of which its first node says what is known.
        fn at_clock(&self, clock: u8) -> Case {
            let words: Vec<&str> = self.claim.split(' ').collect();
            let (fen, low, high) = (words[1..5].join(" "), words[8], words[9]);
            let known = (low.parse().unwrap(), high.parse().unwrap());
            Case {
                claim: claim_fcs(&fen, clock, known),
                states: vec![by_node(known, 0)],
                ..self.clone()
            }
        }

        /// The case from a state with a history.
        fn after(
            state: &GameState,
            known: (i8, i8),
            states: &[Vec<u8>],
            nodes: &[Vec<u8>],
        ) -> Case {
            let bytes = state.bytes();
            let digest = Id::from_bytes(Sha256::digest(&bytes).into());
            let fen = state.board.to_string();
            let fen = fen.strip_suffix(" 0 1").unwrap();
            let (clock, (low, high)) = (state.clock, known);
            let claim = format!("interval {fen} {clock} 1 fcs after {digest} {low} {high}");
            Case {
                state: bytes,
                ..Case::of(claim, states, nodes)
            }
        }

        fn with(&self, change: impl FnOnce(&mut Case)) -> Case {
            let mut changed = self.clone();
            change(&mut changed);
            changed
        }

        /// The case with other bounds of the root, also in the claim.
        fn claiming(&self, (low, high): (i8, i8)) -> Case {
            self.with(|case| {
                let mut words: Vec<String> = case.claim.split(' ').map(str::to_string).collect();
                let last = words.len() - 2;
                words[last] = low.to_string();
                words[last + 1] = high.to_string();
                case.claim = words.join(" ");
                let root = case.states.first_mut().or(case.nodes.first_mut());
                root.unwrap()[1] = bounds((low, high));
            })
        }

        fn proof(&self) -> Proof {
            Proof {
                state: self.state.clone(),
                states: self.states.concat(),
                nodes: self.nodes.concat(),
                deleted_strict: self.strict,
                deleted_equal: self.equal,
            }
        }

        fn judge(&self) -> Result<Checked, Refusal> {
            let said = ProofClaim::of(&self.claim)?;
            judge(&self.claim, &said, &self.proof(), &self.children)
        }

        fn is_proved(&self) -> bool {
            self.judge().is_ok()
        }

        fn refused(&self) -> Reason {
            self.judge().unwrap_err().reason
        }

        /// The reason why the case is refused after a change.
        fn reason(&self, change: impl FnOnce(&mut Case)) -> Reason {
            self.with(change).refused()
        }
    }

    fn stalemate() -> Case {
        Case::of(claim_board(STALEMATE, (0, 0)), &[], &[leaf(END, (0, 0), 0)])
    }

    /// White mates at once, if the clock of the node is this.
    fn mate_in_one(clock: u8) -> Case {
        let nodes = [
            inner(MATE_IN_ONE, (1, 1), clock, 1, &[("c1c8", 1)]),
            leaf(END, (1, 1), 0),
        ];
        Case::of(claim_board(MATE_IN_ONE, (1, 1)), &[], &nodes)
    }

    /// Black has one move, and is mated then.
    fn mated(clocks: [u8; 2]) -> Case {
        let nodes = [
            inner(ONLY_MOVE, (1, 1), clocks[0], 2, &[("b1a1", 1)]),
            inner(CORNERED, (1, 1), clocks[1], 1, &[("c2c1", 2)]),
            leaf(END, (1, 1), 0),
        ];
        Case::of(claim_board(ONLY_MOVE, (1, 1)), &[], &nodes)
    }

    /// White goes round and comes back, with these ranks; then he mates if he has gone to another node.
    fn cycle(ranks: [u16; 5], last: u32, clock: u8) -> Case {
        let [a, b, c, d] = CYCLE;
        let clock = |number| if clock == 0 { 0 } else { clock + number };
        let mut nodes = vec![
            inner(a, (1, 1), clock(0), ranks[0], &[("c1c2", 1)]),
            inner(b, (1, 1), clock(1), ranks[1], &[("a8b8", 2)]),
            inner(c, (1, 1), clock(2), ranks[2], &[("c2c1", 3)]),
            inner(d, (1, 1), clock(3), ranks[3], &[("b8a8", last)]),
        ];
        if last == 4 {
            nodes.push(inner(a, (1, 1), clock(4), ranks[4], &[("c1c8", 5)]));
            nodes.push(leaf(END, (1, 1), 0));
        }
        Case::of(claim_board(a, (1, 1)), &[], &nodes)
    }

    /// White gives check for ever.
    fn perpetual() -> Case {
        let [a, b, c, d] = PERPETUAL;
        let nodes = [
            inner(a, (0, 1), 0, NO_RANK, &[("h5e8", 1)]),
            inner(b, (0, 1), 0, NO_RANK, &[("g8h7", 2)]),
            inner(c, (0, 1), 0, NO_RANK, &[("e8h5", 3)]),
            inner(d, (0, 1), 0, NO_RANK, &[("h7g8", 0)]),
        ];
        Case::of(claim_board(a, (0, 1)), &[], &nodes)
    }

    /// White claims a draw, if he may, with this clock of the node.
    fn fifty_moves(fen: &str, clock: u8) -> Case {
        let nodes = [inner(fen, (0, 1), clock, NO_RANK, &[])];
        Case::of(claim_board(fen, (0, 1)), &[], &nodes)
    }

    /// One move mates and another one stalemates: that one is deleted.
    fn mate_or_stalemate() -> Case {
        let leads = [("f1f8", 1), ("f1f7", 2)];
        let mut node = inner(MATE_OR_STALEMATE, (1, 1), 0, 1, &leads);
        let places = delete(&mut node, MATE_OR_STALEMATE, &["f1f7"], "f1f8");
        assert_eq!(places.len(), 1);
        let nodes = [node, leaf(END, (1, 1), 0), leaf(END, (0, 0), 0)];
        Case {
            strict: 1,
            ..Case::of(claim_board(MATE_OR_STALEMATE, (1, 1)), &[], &nodes)
        }
    }

    /// Deletes moves of a node by another one. Returns where in the record it says so.
    fn delete(node: &mut [u8], fen: &str, moves: &[&str], by: &str) -> Vec<usize> {
        let legal = board(&format!("{fen} 0 1")).moves();
        let place = |text: &str| legal.iter().position(|(m, _)| m.to_string() == text);
        let dominators = node.len() - legal.len();
        let deleted = moves.iter().map(|text| {
            let at = dominators + place(text).unwrap();
            node[at] = place(by).unwrap() as u8;
            at
        });
        deleted.collect()
    }

    /// The state in which [`ONLY_MOVE`] has occurred so often, with what has been played then.
    fn repeated(times: usize, then: &str) -> GameState {
        let start = state(&format!("{ONLY_MOVE} 0 1"), 0);
        played(&start, &(ROUND.repeat(times - 1) + then))
    }

    /// Black can claim a draw before he is mated.
    fn threefold(known: (i8, i8)) -> Case {
        let states = [
            expanded(ONLY_MOVE, known, &[("b1a1", 1)]),
            expanded(CORNERED, (1, 1), &[]),
        ];
        Case::after(&repeated(3, ""), known, &states, &[])
    }

    /// The states of a class, all of them with the same byte.
    fn table(name: &str, byte: u8) -> Arc<States> {
        let material = material_of_endgame(&format!("endgame {name} board dtm")).unwrap();
        let (mut states, census) = States::of(&material, Vec::new());
        states.set_values(vec![byte; census.states as usize], Vec::new());
        Arc::new(states)
    }

    /// A position of a table in which all states have the same byte.
    fn by_table(fen: &str, name: &str, byte: u8, known: (i8, i8), clock: u8) -> Case {
        let nodes = [leaf(TABLE, known, clock)];
        Case {
            children: vec![table(name, byte)],
            ..Case::of(claim_board(fen, known), &[], &nodes)
        }
    }

    #[test]
    fn ends_are_what_they_are() {
        let found = stalemate().judge().unwrap();
        assert_eq!((found.states, found.edges), (1, 0));
        let mate = "8/8/8/8/8/1K6/8/k1R5 b - -";
        let mated = Case::of(claim_board(mate, (1, 1)), &[], &[leaf(END, (1, 1), 0)]);
        assert!(mated.is_proved());
        for known in [(0, 0), (-1, 1), (0, 1), (-1, -1), (-1, 0)] {
            let reason = mated.claiming(known).refused();
            assert_eq!(reason, Reason::UnwitnessedBound);
        }
        // In the complete game the state is the end, and has no move.
        for (fen, known) in [(STALEMATE, (0, 0)), (mate, (1, 1))] {
            for clock in [0, 99, 150] {
                let states = [expanded(fen, known, &[])];
                let case = Case::of(claim_fcs(fen, clock, known), &states, &[]);
                let found = case.judge().unwrap();
                assert_eq!((found.states, found.edges), (1, 0));
                assert!(case.claiming((-1, 1)).is_proved());
                let other = case.claiming((-1, -1)).refused();
                assert_eq!(other, Reason::UnwitnessedBound);
                let by_node = case.reason(|case| {
                    case.states = vec![by_node(known, 0)];
                    case.nodes = vec![leaf(END, known, 0)];
                });
                assert_eq!(by_node, Reason::WrongNumberOfReplies);
            }
        }
        // After seventy-five moves a position with moves is an end too.
        let states = [vec![0, bounds((0, 0)), 0]];
        let over = Case::of(claim_fcs(MATE_IN_ONE, 150, (0, 0)), &states, &[]);
        assert!(over.is_proved());
        let with_moves = over.reason(|case| case.states[0] = expanded(MATE_IN_ONE, (0, 0), &[]));
        assert_eq!(with_moves, Reason::WrongNumberOfReplies);
    }

    #[test]
    fn a_mate_in_one_wins_at_any_clock() {
        assert!(mate_in_one(0).is_proved());
        for clock in [0, 98, 99, 100, 101, 149] {
            let case = mate_in_one(clock);
            let found = case.at_clock(clock).judge().unwrap();
            assert_eq!(
                (found.states, found.edges),
                (3, board(&format!("{MATE_IN_ONE} 0 1")).moves().len() as u64)
            );
            assert!(clock == 0 || case.at_clock(clock - 1).is_proved());
            // What is said of a clock is not said of later ones, but that White does not lose.
            if clock < 149 {
                let later = case.at_clock(clock + 1);
                assert_eq!(later.refused(), Reason::UnwitnessedBound);
                assert!(later.claiming((0, 1)).is_proved());
            }
        }
        // The moves of the state say it too: the one that mates is open.
        for clock in [0, 99, 100, 149] {
            let states = [expanded(MATE_IN_ONE, (1, 1), &[])];
            assert!(Case::of(claim_fcs(MATE_IN_ONE, clock, (1, 1)), &states, &[]).is_proved());
        }
        let states = [expanded(MATE_IN_ONE, (1, 1), &[("c1c8", TO_NODE)])];
        let nodes = [leaf(END, (1, 1), 0)];
        let case = Case::of(claim_fcs(MATE_IN_ONE, 0, (1, 1)), &states, &nodes);
        assert_eq!(case.refused(), Reason::WrongNode);
    }

    #[test]
    fn a_win_has_to_come_in_time() {
        assert!(mated([0, 0]).is_proved());
        for clock in [0, 50, 97, 98] {
            let case = mated([clock, clock + 1]).at_clock(clock);
            let found = case.judge().unwrap();
            assert_eq!(found.states, 4);
            // A later clock says more.
            assert!(mated([clock, clock + 2]).at_clock(clock).is_proved());
            // An earlier one says too little, however the state stands.
            let early = mated([clock, clock]);
            assert_eq!(early.at_clock(clock).refused(), Reason::UnwitnessedBound);
        }
        // Black may claim with the move that he intends, or on the board.
        for clock in [99, 100, 148] {
            let case = mated([clock, clock + 1]).at_clock(clock);
            assert_eq!(case.refused(), Reason::ClaimIgnored);
        }
        // In a state he may do so too, but he is not asked of the clock where he has been mated.
        let states = |known| [expanded(ONLY_MOVE, known, &[("b1a1", TO_NODE)])];
        let nodes = [
            inner(CORNERED, (1, 1), 101, 1, &[("c2c1", 1)]),
            leaf(END, (1, 1), 0),
        ];
        let claim = |clock, known| claim_fcs(ONLY_MOVE, clock, known);
        for clock in [0, 98] {
            assert!(Case::of(claim(clock, (1, 1)), &states((1, 1)), &nodes).is_proved());
        }
        for clock in [99, 100] {
            let case = Case::of(claim(clock, (1, 1)), &states((1, 1)), &nodes);
            assert_eq!(case.refused(), Reason::ClaimIgnored);
            assert!(case.claiming((0, 0)).is_proved());
        }
    }

    #[test]
    fn who_may_claim_holds() {
        for clock in [99, 100, 149] {
            let case = fifty_moves(BARE, clock);
            assert!(case.at_clock(clock).is_proved());
            assert!(clock == 149 || case.at_clock(clock + 1).is_proved());
            assert_eq!(case.at_clock(98).refused(), Reason::UnwitnessedBound);
        }
        let early = fifty_moves(BARE, 98).at_clock(98);
        assert_eq!(early.refused(), Reason::LeakingSet);
        // The intended move has to be a quiet one.
        let case = fifty_moves(PAWN_MOVES, 99).at_clock(99);
        assert_eq!(case.refused(), Reason::LeakingSet);
        assert!(fifty_moves(PAWN_MOVES, 100).at_clock(100).is_proved());
        // In the game board nobody claims.
        assert_eq!(fifty_moves(BARE, 0).refused(), Reason::LeakingSet);
        // Colours exchanged.
        let black = "7k/1Q6/8/8/8/8/8/7K b - -";
        let nodes = [inner(black, (-1, 0), 99, NO_RANK, &[])];
        let case = Case::of(claim_board(black, (-1, 0)), &[], &nodes);
        assert!(case.at_clock(99).is_proved());
        let early = case.with(|case| case.nodes[0][2] = 98).at_clock(98);
        assert_eq!(early.refused(), Reason::LeakingSet);
    }

    #[test]
    fn ranks_fall() {
        assert!(cycle([5, 4, 3, 2, 1], 4, 0).is_proved());
        assert!(cycle([9, 7, 6, 5, 2], 4, 0).is_proved());
        for last in [0, 4] {
            let round = cycle([5, 4, 3, 2, 2], last, 0);
            assert_eq!(round.refused(), Reason::RankDoesNotFall);
        }
        for ranks in [[4, 4, 3, 2, 1], [5, 3, 3, 2, 1], [5, 4, 2, 2, 1]] {
            assert_eq!(cycle(ranks, 4, 0).refused(), Reason::RankDoesNotFall);
        }
        // A draw needs no progress.
        let round = cycle([NO_RANK; 5], 0, 0);
        let round = round.with(|case| {
            case.nodes
                .iter_mut()
                .for_each(|node| node[1] = bounds((0, 1)))
        });
        assert!(round.claiming((0, 1)).is_proved());
    }

    #[test]
    fn a_position_that_is_won_occurs_once_on_the_way() {
        let case = cycle([5, 4, 3, 2, 1], 4, 10).at_clock(10);
        assert_eq!(case.refused(), Reason::DuplicatePosition);
        // Ends may be there more often, and so may positions that are not won.
        let leads = [("f1f8", 1), ("f1f7", 2)];
        let nodes = [
            inner(MATE_OR_STALEMATE, (0, 1), 3, NO_RANK, &leads),
            leaf(END, (1, 1), 0),
            leaf(END, (0, 0), 0),
        ];
        assert!(
            Case::of(claim_board(MATE_OR_STALEMATE, (0, 1)), &[], &nodes)
                .at_clock(3)
                .is_proved()
        );
    }

    #[test]
    fn dead_positions_are_drawn_whatever_the_clock() {
        for (fen, kind, other) in [(KNIGHT, MATERIAL, WALLS), (SHUT_IN, WALLS, MATERIAL)] {
            let case = Case::of(claim_board(fen, (0, 0)), &[], &[leaf(kind, (0, 0), 0)]);
            assert!(case.is_proved());
            for clock in [0, 149] {
                let late = case.with(|case| case.nodes[0][2] = clock);
                assert!(late.at_clock(7).is_proved());
            }
            let wrong = case.reason(|case| case.nodes[0][0] = other);
            assert_eq!(wrong, Reason::WrongNode);
            assert_eq!(
                case.reason(|case| case.nodes[0][0] = END),
                Reason::WrongNode
            );
            assert_eq!(case.claiming((0, 1)).refused(), Reason::UnwitnessedBound);
        }
        let alive = Case::of(claim_board(BARE, (0, 0)), &[], &[leaf(MATERIAL, (0, 0), 0)]);
        assert_eq!(alive.refused(), Reason::WrongNode);
        let alive = alive.reason(|case| case.nodes[0][0] = WALLS);
        assert_eq!(alive, Reason::WrongNode);
    }

    #[test]
    fn a_perpetual_check_is_a_closed_set() {
        let case = perpetual();
        assert_eq!(case.judge().unwrap().states, 4);
        for clock in [0, 42, 149] {
            assert!(case.at_clock(clock).is_proved());
        }
        // One reply is open.
        for (number, fen) in PERPETUAL.iter().enumerate() {
            let open = case.reason(|case| {
                // (What comes after it is then not reached any more, but this is found before.)
                case.nodes[number] = inner(fen, (0, 1), 0, NO_RANK, &[]);
            });
            assert_eq!(open, Reason::LeakingSet);
        }
        // A clock that is not reached in time.
        let late = case.at_clock(0).with(|case| case.nodes[2][2] = 2);
        assert_eq!(late.refused(), Reason::LeakingSet);
        let in_time = |clocks: [u8; 4]| {
            let case = case.at_clock(0);
            case.with(|case| (0..4).for_each(|n| case.nodes[n][2] = clocks[n]))
        };
        assert_eq!(
            in_time([0, 1, 2, 3]).judge().map(|found| found.states),
            Ok(5)
        );
        assert_eq!(in_time([5, 1, 2, 3]).refused(), Reason::UnwitnessedBound);
        assert_eq!(in_time([0, 1, 3, 3]).refused(), Reason::LeakingSet);
        // Black is not said to hold.
        let both = case.reason(|case| case.nodes[1][1] = bounds((0, 0)));
        assert_eq!(both, Reason::LeakingSet);
    }

    #[test]
    fn every_reply_counts() {
        // Black has two moves, after which a table says that White wins.
        let fen = "8/8/8/8/8/1K6/7R/1k6 b - -";
        let nodes = |known, rank, leads: &[(&str, u32)], leaf: &[u8]| {
            let leaves = leads.iter().map(|_| leaf.to_vec());
            let first = inner(fen, known, 0, rank, leads);
            [first].into_iter().chain(leaves).collect::<Vec<_>>()
        };
        let by_table = |leads: &[(&str, u32)]| {
            let nodes = nodes((1, 1), 1, leads, &leaf(TABLE, (1, 1), 0));
            Case {
                children: vec![table("KRK", 1)],
                ..Case::of(claim_board(fen, (1, 1)), &[], &nodes)
            }
        };
        assert!(by_table(&[("b1a1", 1), ("b1c1", 2)]).is_proved());
        assert_eq!(by_table(&[("b1c1", 1)]).refused(), Reason::UnwitnessedBound);
        assert_eq!(by_table(&[("b1a1", 1)]).refused(), Reason::UnwitnessedBound);
        // A draw is enough for White, after each of them.
        let drawn = |leads: &[(&str, u32)], byte| {
            let known = if byte == 255 { (0, 0) } else { (1, 1) };
            let nodes = nodes((0, 1), NO_RANK, leads, &leaf(TABLE, known, 0));
            Case {
                children: vec![table("KRK", byte)],
                ..Case::of(claim_board(fen, (0, 1)), &[], &nodes)
            }
        };
        for byte in [1, 255] {
            assert!(drawn(&[("b1a1", 1), ("b1c1", 2)], byte).is_proved());
            assert_eq!(drawn(&[("b1c1", 1)], byte).refused(), Reason::LeakingSet);
            assert_eq!(drawn(&[("b1a1", 1)], byte).refused(), Reason::LeakingSet);
        }
        let both = drawn(&[("b1a1", 1), ("b1c1", 2)], 255);
        assert!(both.claiming((0, 0)).is_proved());
        let win = drawn(&[("b1a1", 1), ("b1c1", 2)], 1);
        assert_eq!(win.claiming((0, 0)).refused(), Reason::LeakingSet);
    }

    #[test]
    fn a_state_with_a_history() {
        // By the moves Black loses, but he can claim.
        assert_eq!(threefold((1, 1)).refused(), Reason::ClaimIgnored);
        for known in [(0, 0), (-1, 0), (0, 1), (-1, 1)] {
            assert!(threefold(known).is_proved(), "{known:?}");
        }
        assert_eq!(threefold((-1, -1)).refused(), Reason::UnwitnessedBound);
        let case = |state: &GameState, known| {
            let nodes = mated([20, 21]).nodes;
            Case::after(state, known, &[by_node(known, 0)], &nodes)
        };
        assert!(case(&repeated(1, ""), (1, 1)).is_proved());
        assert!(case(&repeated(2, ""), (1, 1)).is_proved());
        // With three occurrences a node says less.
        assert_eq!(
            case(&repeated(3, ""), (1, 1)).refused(),
            Reason::UnwitnessedBound
        );
        assert!(case(&repeated(3, ""), (0, 1)).is_proved());
        // So it does where another key has occurred twice.
        let cornered = |state: &GameState, known| {
            let nodes = [
                inner(CORNERED, (1, 1), 20, 1, &[("c2c1", 1)]),
                leaf(END, (1, 1), 0),
            ];
            Case::after(state, known, &[by_node(known, 0)], &nodes)
        };
        assert!(cornered(&repeated(1, "b1a1"), (1, 1)).is_proved());
        let twice = repeated(2, "b1a1");
        assert_eq!(cornered(&twice, (1, 1)).refused(), Reason::UnwitnessedBound);
        assert!(cornered(&twice, (0, 1)).is_proved());
        // But the moves of the state say it.
        let states = [expanded(CORNERED, (1, 1), &[])];
        assert!(Case::after(&twice, (1, 1), &states, &[]).is_proved());
        // A reference of a state to a node is judged with what has occurred then.
        let leads = [("b1a1", TO_NODE)];
        let nodes = cornered(&twice, (1, 1)).nodes;
        let by_moves = |state: &GameState, known| {
            Case::after(state, known, &[expanded(ONLY_MOVE, known, &leads)], &nodes)
        };
        assert!(by_moves(&repeated(1, ""), (1, 1)).is_proved());
        assert_eq!(
            by_moves(&repeated(2, ""), (1, 1)).refused(),
            Reason::UnwitnessedBound
        );
        assert!(by_moves(&repeated(2, ""), (0, 1)).is_proved());
    }

    #[test]
    fn a_history_with_colours_exchanged() {
        let fen = "1K6/2r5/1k6/8/8/8/8/8 w - -";
        let nodes = [
            inner(fen, (-1, -1), 20, 2, &[("b8a8", 1)]),
            inner(
                "K7/2r5/1k6/8/8/8/8/8 b - -",
                (-1, -1),
                21,
                1,
                &[("c7c8", 2)],
            ),
            leaf(END, (-1, -1), 0),
        ];
        let after = |rounds: usize, known| {
            let start = state(&format!("{fen} 0 1"), 0);
            let state = played(&start, &"b8a8 c7d7 a8b8 d7c7 ".repeat(rounds));
            Case::after(&state, known, &[by_node(known, 0)], &nodes)
        };
        assert!(after(0, (-1, -1)).is_proved() && after(1, (-1, -1)).is_proved());
        assert_eq!(after(2, (-1, -1)).refused(), Reason::UnwitnessedBound);
        assert!(after(2, (-1, 0)).is_proved());
    }

    #[test]
    fn a_fifth_occurrence_ends_the_game() {
        let before = repeated(4, "b1a1 c2d2 a1b1");
        let fen = before.board.to_string();
        let fen = fen.strip_suffix(" 0 1").unwrap();
        let case = Case::after(&before, (0, 1), &[expanded(fen, (0, 1), &[])], &[]);
        assert!(case.is_proved());
        let states = [
            expanded(fen, (0, 1), &[("d2c2", 1)]),
            expanded(ONLY_MOVE, (0, 1), &[]),
        ];
        let wrong = case.reason(|case| case.states = states.to_vec());
        assert_eq!(wrong, Reason::WrongNode);
    }

    #[test]
    fn transpositions_of_states_have_the_same_history() {
        // Two kings and two rooks; the same position after two plies of each side in two orders.
        let fen = "r6k/8/8/8/8/8/8/R6K w - -";
        let start = state(&format!("{fen} 0 1"), 0);
        let fen_after = |line: &str| {
            let text = played(&start, line).board.to_string();
            text.strip_suffix(" 0 1").unwrap().to_string()
        };
        let any = (-1, 1);
        let line = |line: &str, leads: &[(&str, u32)]| expanded(&fen_after(line), any, leads);
        let states = |last: &[u8]| {
            [
                line("", &[("a1b1", 1), ("a1c1", 2)]),
                line("a1b1", &[("h8h7", 3)]),
                line("a1c1", &[("h8h7", 4)]),
                line("a1b1 h8h7", &[("b1d1", 5)]),
                line("a1c1 h8h7", &[("c1d1", 5)]),
                last.to_vec(),
            ]
        };
        let last = line("a1b1 h8h7 b1d1", &[]);
        // The positions are the same, but what has occurred is not.
        let case = Case::of(claim_fcs(fen, 0, any), &states(&last), &[]);
        assert_eq!(case.refused(), Reason::WrongNodePosition);
        // After an irreversible move it is: both rooks capture on a8, one of them at once.
        let states = [
            line("", &[("a1b1", 1), ("h1g1", 2)]),
            line("a1b1", &[("a8a7", 3)]),
            line("h1g1", &[("a8a7", 4)]),
            line("a1b1 a8a7", &[("h1g1", 5)]),
            line("h1g1 a8a7", &[("a1b1", 6)]),
            line("a1b1 a8a7 h1g1", &[("a7a1", 7)]),
            line("h1g1 a8a7 a1b1", &[("a7a1", 8)]),
            line("a1b1 a8a7 h1g1 a7a1", &[("b1a1", 9)]),
            line("h1g1 a8a7 a1b1 a7a1", &[("b1a1", 9)]),
            line("h1g1 a8a7 a1b1 a7a1 b1a1", &[]),
        ];
        let case = Case::of(claim_fcs(fen, 0, any), &states, &[]);
        assert_eq!(case.judge().unwrap().states, 10);
        // All occurrences are remembered on the way: after eight plies a position can be claimed.
        let lines = ["a1b1", "h8h7", "b1a1", "h7h8"];
        let mut states: Vec<Vec<u8>> = Vec::new();
        let mut so_far = String::new();
        for number in 0..8 {
            let step = lines[number % 4];
            states.push(line(&so_far, &[(step, number as u32 + 1)]));
            so_far += &format!("{step} ");
        }
        states.push(expanded(fen, (0, 1), &[]));
        let case = Case::of(claim_fcs(fen, 0, any), &states, &[]);
        assert!(case.is_proved());
        let once = case.reason(|case| {
            case.states.drain(4..8);
            case.states[3] = line("a1b1 h8h7 b1a1", &[("h7h8", 4)]);
        });
        assert_eq!(once, Reason::UnwitnessedBound);
    }

    #[test]
    fn the_root_may_be_open() {
        let start = START.strip_suffix(" 0 1").unwrap();
        let nodes = [inner(start, (-1, 1), 0, NO_RANK, &[])];
        let case = Case::of(claim_board(start, (-1, 1)), &[], &nodes);
        let found = case.judge().unwrap();
        assert_eq!((found.states, found.edges), (1, 20));
        assert!(case.at_clock(0).is_proved());
        let states = [expanded(start, (-1, 1), &[])];
        let case = Case::of(claim_fcs(start, 0, (-1, 1)), &states, &[]);
        assert!(case.is_proved());
        for known in [(0, 1), (-1, 0), (0, 0)] {
            assert_eq!(case.claiming(known).refused(), Reason::UnwitnessedBound);
        }
    }

    #[test]
    fn tables_say_who_wins_and_when() {
        let white = "8/8/8/8/8/1K6/7R/3k4 w - -";
        let black = "3K4/7r/1k6/8/8/8/8/8 b - -";
        for (fen, won, late) in [(white, (1, 1), (0, 1)), (black, (-1, -1), (-1, 0))] {
            let case = |byte, known, clock| by_table(fen, "KRK", byte, known, clock);
            assert!(case(31, won, 0).is_proved());
            assert!(case(255, (0, 0), 0).is_proved());
            assert!(case(255, (0, 0), 90).at_clock(90).is_proved());
            for (byte, clock) in [(31, 0), (31, 69), (99, 1), (1, 149), (1, 100), (3, 97)] {
                assert!(case(byte, won, clock).at_clock(clock).is_proved());
            }
            for (byte, clock) in [(31, 70), (99, 2), (253, 0), (3, 98), (3, 149)] {
                let found = case(byte, won, clock).at_clock(clock).refused();
                assert_eq!(found, Reason::UnwitnessedBound);
                assert!(case(byte, late, clock).at_clock(clock).is_proved());
            }
            // A lost position.
            let lost = (-won.0, -won.1);
            assert!(case(30, lost, 0).is_proved());
            assert!(case(30, lost, 70).at_clock(70).is_proved());
            assert_eq!(
                case(30, lost, 71).at_clock(71).refused(),
                Reason::UnwitnessedBound
            );
            assert!(case(0, lost, 149).at_clock(149).is_proved());
        }
        let case = by_table(white, "KRK", 31, (1, 1), 0);
        assert_eq!(case.reason(|case| case.children.clear()), Reason::WrongNode);
        let other = case.reason(|case| case.children = vec![table("KQK", 31)]);
        assert_eq!(other, Reason::WrongNode);
        let unasked = case.reason(|case| case.children.insert(0, table("KQK", 31)));
        assert_eq!(unasked, Reason::WrongChildren);
        let castling = case.reason(|case| {
            case.claim = claim_board("4k3/8/8/8/8/8/8/4K2R w K -", (1, 1));
        });
        assert_eq!(castling, Reason::WrongNode);
        // In the complete game nothing is won by moves where a table could say it, unless there is a right to castle.
        let mate = |children: &[Arc<States>]| {
            let case = mate_in_one(0).with(|case| case.children = children.to_vec());
            [
                case.refused_or_proved(),
                case.at_clock(0).refused_or_proved(),
            ]
        };
        assert_eq!(mate(&[]), [None, None]);
        let wrong = [Some(Reason::WrongChildren), Some(Reason::WrongNode)];
        assert_eq!(mate(&[table("KRK", 1)]), wrong);
    }

    impl Case {
        fn refused_or_proved(&self) -> Option<Reason> {
            self.judge().err().map(|refusal| refusal.reason)
        }
    }

    #[test]
    fn deletions() {
        let case = mate_or_stalemate();
        assert!(case.is_proved());
        assert!(case.at_clock(0).is_proved());
        let at = case.nodes[0]
            .iter()
            .rposition(|&byte| byte != u8::MAX)
            .unwrap();
        let by = case.nodes[0][at];
        let changed =
            |change: &dyn Fn(&mut Vec<u8>)| case.reason(|case| change(&mut case.nodes[0]));
        let own = at - (case.nodes[0].len() - usize::from(case.nodes[0][5]));
        assert_eq!(changed(&|node| node[at] = own as u8), Reason::WrongRecord);
        assert_eq!(changed(&|node| node[at] = 254), Reason::WrongRecord);
        let dominators = case.nodes[0].len() - usize::from(case.nodes[0][5]);
        let cycle = changed(&|node| node[dominators + usize::from(by)] = own as u8);
        assert_eq!(cycle, Reason::DominatingMoveDeleted);
        // An open move may be as good as the mate, but not better: that is an equal deletion. It does not dominate.
        let open = (0..case.nodes[0][5])
            .find(|&place| place != by && usize::from(place) != own)
            .unwrap();
        let not_dominated = changed(&|node| node[at] = open);
        assert_eq!(not_dominated, Reason::NotDominated);
        let equal = case.with(|case| case.nodes[0][dominators + usize::from(open)] = by);
        assert_eq!(equal.refused(), Reason::WrongCount);
        assert!(equal.with(|case| case.equal = 1).is_proved());
        for (strict, equal) in [(0, 0), (2, 0), (1, 1), (u64::MAX, 0)] {
            let found = case.reason(|case| (case.strict, case.equal) = (strict, equal));
            assert_eq!(found, Reason::WrongCount);
        }
    }

    #[test]
    fn what_is_said_is_judged_in_order() {
        let case = mated([0, 0]);
        let (n, r) = (
            |case: &mut Case, at: usize, byte| case.nodes[0][at] = byte,
            &case,
        );
        // Step 4.
        let illegal =
            r.reason(|case| case.claim = claim_board("8/8/8/8/8/1K6/8/k1R5 w - -", (1, 1)));
        assert_eq!(illegal, Reason::IllegalPosition);
        // Step 5.
        assert_eq!(r.reason(|case| case.state = vec![1]), Reason::WrongState);
        assert_eq!(
            r.reason(|case| case.states = vec![by_node((1, 1), 0)]),
            Reason::WrongState
        );
        let complete = mated([0, 1]).at_clock(0);
        assert_eq!(
            complete.reason(|case| case.state = vec![1]),
            Reason::WrongState
        );
        let passing = "7k/8/8/3pP3/8/8/8/7K w - d6";
        let states = [expanded(passing, (-1, 1), &[])];
        assert!(Case::of(claim_fcs(passing, 0, (-1, 1)), &states, &[]).is_proved());
        let late = Case::of(claim_fcs(passing, 1, (-1, 1)), &states, &[]);
        assert_eq!(late.refused(), Reason::WrongState);
        let after = threefold((0, 0));
        assert_eq!(after.reason(|case| case.state.clear()), Reason::WrongState);
        assert_eq!(after.reason(|case| case.state.push(0)), Reason::WrongState);
        let another = repeated(2, "").bytes();
        assert_eq!(
            after.reason(|case| case.state = another),
            Reason::WrongState
        );
        // The same position with the same clock, but nothing has occurred before.
        let alone = state(&format!("{ONLY_MOVE} 0 1"), 8).bytes();
        assert_eq!(after.reason(|case| case.state = alone), Reason::WrongState);
        let other_clock = after.reason(|case| case.claim = case.claim.replace(" 8 1 ", " 7 1 "));
        assert_eq!(other_clock, Reason::WrongState);
        let other_board = after.reason(|case| {
            let fen = "8/8/8/8/8/1K6/3R4/1k6 b - -";
            case.claim = case.claim.replace(ONLY_MOVE, fen);
        });
        assert_eq!(other_board, Reason::WrongState);
        // Step 6: whole records first, of states before nodes.
        let both = |states: &[u8], nodes: &[u8]| {
            complete.reason(|case| {
                case.states = vec![states.to_vec()];
                case.nodes = vec![nodes.to_vec()];
            })
        };
        for cut in 1..7 {
            let node = &leaf(END, (0, 0), 0)[..];
            let state = &by_node((1, 1), 0)[..];
            if cut < 6 {
                assert_eq!(both(&state[..cut], node), Reason::MalformedPayload);
            }
            if cut < 3 {
                assert_eq!(both(state, &node[..cut]), Reason::MalformedPayload);
            }
        }
        assert_eq!(r.reason(|case| n(case, 0, 5)), Reason::MalformedPayload);
        assert_eq!(r.reason(|case| n(case, 5, 0)), Reason::MalformedPayload);
        let no_moves = vec![0, bounds((1, 1)), 0, 2, 0, 0];
        assert_eq!(
            r.reason(|case| case.nodes[0] = no_moves),
            Reason::MalformedPayload
        );
        assert_eq!(
            complete.reason(|case| case.states[0][0] = 2),
            Reason::MalformedPayload
        );
        for byte in [9, 255, bounds((1, 0)), bounds((0, -1)), bounds((1, -1))] {
            assert_eq!(r.reason(|case| n(case, 1, byte)), Reason::WrongInterval);
            assert_eq!(
                r.reason(|case| case.nodes[2][1] = byte),
                Reason::WrongInterval
            );
            assert_eq!(
                complete.reason(|case| case.states[0][1] = byte),
                Reason::WrongInterval
            );
        }
        let own = |reference| {
            let states = [expanded(ONLY_MOVE, (1, 1), &[("b1a1", reference)])];
            Case::of(claim_fcs(ONLY_MOVE, 0, (1, 1)), &states, &case.nodes).refused()
        };
        assert_eq!(own(0), Reason::RankDoesNotFall);
        for reference in [1, TO_NODE - 1, TO_NODE + 3, OPEN - 1] {
            assert_eq!(own(reference), Reason::UnknownNode);
        }
        for number in [3, TO_NODE, OPEN] {
            let found = complete.reason(|case| case.states = vec![by_node((1, 1), number)]);
            assert_eq!(found, Reason::UnknownNode);
        }
        for number in [3, TO_NODE, OPEN - 1] {
            let node = inner(ONLY_MOVE, (1, 1), 0, 2, &[("b1a1", number)]);
            assert_eq!(r.reason(|case| case.nodes[0] = node), Reason::UnknownNode);
        }
        for (known, rank) in [
            ((1, 1), 0),
            ((1, 1), NO_RANK),
            ((0, 1), 2),
            ((-1, -1), 0),
            ((0, 0), 0),
        ] {
            let node = inner(ONLY_MOVE, known, 0, rank, &[("b1a1", 1)]);
            assert_eq!(r.reason(|case| case.nodes[0] = node), Reason::WrongRank);
        }
        for clock in [1, 149, 150, 255] {
            assert_eq!(r.reason(|case| n(case, 2, clock)), Reason::WrongClock);
            assert_eq!(
                r.reason(|case| case.nodes[2][2] = clock),
                Reason::WrongClock
            );
        }
        for clock in [150, 255] {
            assert_eq!(
                complete.reason(|case| case.nodes[1][2] = clock),
                Reason::WrongClock
            );
            assert_eq!(
                complete.reason(|case| case.nodes[2][2] = clock),
                Reason::WrongClock
            );
        }
        assert!(complete.with(|case| case.nodes[2][2] = 149).is_proved());
        assert_eq!(r.reason(|case| case.nodes.clear()), Reason::MissingRoot);
        assert_eq!(
            complete.reason(|case| case.states.clear()),
            Reason::MissingRoot
        );
        // Step 7.
        let claimed =
            |case: &Case| case.reason(|case| case.claim = case.claim.replace(" 1 1", " 0 1"));
        assert_eq!(claimed(r), Reason::WrongInterval);
        assert_eq!(claimed(&complete), Reason::WrongInterval);
        // Step 8.
        let unreached = threefold((0, 0)).reason(|case| {
            case.states.push(expanded(ONLY_MOVE, (-1, 1), &[]));
        });
        assert_eq!(unreached, Reason::UnreachedNode);
        let replies = complete.reason(|case| case.states = vec![expanded(CORNERED, (1, 1), &[])]);
        assert_eq!(replies, Reason::WrongNumberOfReplies);
        let none = complete.reason(|case| case.states = vec![vec![0, bounds((1, 1)), 0]]);
        assert_eq!(none, Reason::WrongNumberOfReplies);
        // The node is first reached with one position, then with another.
        let leads = [("a1b1", TO_NODE), ("a1c1", TO_NODE)];
        let rook = "7k/8/8/8/8/8/8/R6K w - -";
        let states = [expanded(rook, (-1, 1), &leads)];
        let nodes = [inner("7k/8/8/8/8/8/8/1R5K b - -", (-1, 1), 0, NO_RANK, &[])];
        let torn = Case::of(claim_fcs(rook, 0, (-1, 1)), &states, &nodes);
        assert_eq!(torn.refused(), Reason::WrongNodePosition);
        // Step 9.
        let unreached = r.reason(|case| case.nodes.push(leaf(END, (1, 1), 0)));
        assert_eq!(unreached, Reason::UnreachedNode);
        let unreached = complete.reason(|case| case.nodes.push(leaf(END, (1, 1), 0)));
        assert_eq!(unreached, Reason::UnreachedNode);
        // A node that only a later one refers to.
        let [a, c] = [&case.nodes[0], &case.nodes[2]];
        let exchanged = [
            inner(ONLY_MOVE, (1, 1), 0, 2, &[("b1a1", 2)]),
            c.clone(),
            inner(CORNERED, (1, 1), 0, 1, &[("c2c1", 1)]),
        ];
        assert_eq!(
            r.reason(|case| case.nodes = exchanged.to_vec()),
            Reason::UnreachedNode
        );
        let wrong_end = r.reason(|case| case.nodes[1] = leaf(END, (1, 1), 0));
        assert_eq!(wrong_end, Reason::WrongNode);
        let replies =
            r.reason(|case| case.nodes[1] = inner(ONLY_MOVE, (1, 1), 0, 1, &[("b1a1", 2)]));
        assert_eq!(replies, Reason::WrongNumberOfReplies);
        let torn = r.reason(|case| {
            case.nodes[1] = inner(CORNERED, (1, 1), 0, 1, &[("c2c1", 2), ("b3a3", 2)]);
        });
        assert_eq!(torn, Reason::WrongNodePosition);
        let back = r.reason(|case| {
            case.nodes[1] = inner(CORNERED, (1, 1), 0, 1, &[("c2c1", 2), ("b3a3", 0)]);
        });
        assert_eq!(back, Reason::WrongNodePosition);
        let open = r.reason(|case| {
            case.nodes = vec![a.clone(), inner(CORNERED, (1, 1), 0, 1, &[])];
        });
        assert_eq!(open, Reason::UnwitnessedBound);
        let open = r.reason(|case| case.nodes = vec![inner(ONLY_MOVE, (1, 1), 0, 2, &[])]);
        assert_eq!(open, Reason::UnwitnessedBound);
        let level = r.reason(|case| {
            let level = inner(CORNERED, (1, 1), 0, 2, &[("c2c1", 2)]);
            case.nodes = vec![a.clone(), level, c.clone()];
        });
        assert_eq!(level, Reason::RankDoesNotFall);
    }

    #[test]
    fn no_changed_proof_shows_anything_false() {
        // Proofs with the value of the root. Any byte is changed, and any bounds are claimed.
        let cases = [
            (mate_in_one(0), 1),
            (mate_in_one(99).at_clock(99), 1),
            (mated([98, 99]).at_clock(98), 1),
            (mated([99, 100]).at_clock(99), 0),
            (cycle([5, 4, 3, 2, 1], 4, 94).at_clock(94), 1),
            (fifty_moves(BARE, 99).at_clock(99), 0),
            (mate_or_stalemate(), 1),
            (stalemate(), 0),
            (threefold((0, 0)), 0),
            (
                Case::of(
                    claim_board(KNIGHT, (0, 0)),
                    &[],
                    &[leaf(MATERIAL, (0, 0), 0)],
                ),
                0,
            ),
        ];
        let mut proved = 0;
        for (case, value) in &cases {
            let all = [(-1, -1), (-1, 0), (-1, 1), (0, 0), (0, 1), (1, 1)];
            for known in all {
                let claiming = case.claiming(known);
                let sizes = [claiming.states.len(), claiming.nodes.len()];
                for (list, &size) in sizes.iter().enumerate() {
                    for number in 0..size {
                        let record = |case: &mut Case| match list {
                            0 => case.states[number].clone(),
                            _ => case.nodes[number].clone(),
                        };
                        let length = record(&mut claiming.clone()).len();
                        for at in 0..length {
                            for change in [1, 2, 3, 5, 0xff] {
                                let changed = claiming.with(|case| match list {
                                    0 => case.states[number][at] ^= change,
                                    _ => case.nodes[number][at] ^= change,
                                });
                                if changed.is_proved() {
                                    proved += 1;
                                    assert!((known.0..=known.1).contains(value), "{}", case.claim);
                                }
                            }
                        }
                    }
                }
            }
        }
        assert!(proved > 100, "{proved}");
    }

    fn certificate(claim: &str, children: Vec<Child>, proof: Proof) -> Certificate {
        let body = Body::Proof(proof);
        Certificate::made_of(Encoding::Json, claim.to_string(), children, body)
    }

    fn named(claim: &str, id: Id) -> Child {
        let claim = claim.to_string();
        Child { claim, id }
    }

    #[test]
    fn children_are_verified_tables() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/certificates/KQK.bin");
        let kqk = read(&mut std::fs::read(path).unwrap().as_slice()).unwrap();
        let mut session = Session::new();
        session.verify(&kqk).unwrap();
        let claim = claim_board("7k/8/8/8/8/8/8/KQ6 w - -", (1, 1));
        let proof = Proof {
            nodes: leaf(TABLE, (1, 1), 0),
            ..stalemate().proof()
        };
        let mut verify = |children: &[Child]| {
            session.verify(&certificate(&claim, children.to_vec(), proof.clone()))
        };
        let known = named("endgame KQK board dtm", kqk.id);
        let found = verify(std::slice::from_ref(&known)).unwrap();
        assert_eq!((found.states, found.edges), (1, 0));
        let other = Id::from_bytes([7; 32]);
        let krk = named("endgame KRK board dtm", other);
        for (children, reason) in [
            (
                &[named("bounds KQK board", kqk.id)][..],
                Reason::WrongChildren,
            ),
            (
                &[named("endgame KXK board dtm", kqk.id)],
                Reason::WrongChildren,
            ),
            (&[krk.clone(), known.clone()], Reason::WrongChildren),
            (&[known.clone(), known.clone()], Reason::WrongChildren),
            (&[krk.clone(), krk.clone()], Reason::WrongChildren),
            (
                &[named("endgame KQK board dtm", other), krk.clone()],
                Reason::WrongChild,
            ),
            (&[known.clone(), krk.clone()], Reason::MissingChildren),
            (&[], Reason::WrongNode),
        ] {
            let refusal = verify(children).unwrap_err();
            assert_eq!(refusal.reason, reason, "{children:?}");
            assert!(refusal.id.is_some());
        }
        // Children come before the position.
        let illegal = claim_board("7k/8/8/8/8/8/8/K6Q w - -", (1, 1));
        let certificate = |children| certificate(&illegal, children, proof.clone());
        let refusal = session.verify(&certificate(vec![krk])).unwrap_err();
        assert_eq!(refusal.reason, Reason::MissingChildren);
        assert_eq!(refusal.place, "KRK");
        let refusal = session.verify(&certificate(vec![known])).unwrap_err();
        assert_eq!(refusal.reason, Reason::IllegalPosition);
    }

    #[test]
    fn a_proof_is_the_same_in_every_writing() {
        let case = threefold((0, 0));
        let body = Body::Proof(case.proof());
        let payload = payload::write(&case.claim, None, &[], &body);
        let length = payload.len() as u64;
        let files = [
            file_of_kind(9, 0, &payload, length),
            file_of_kind(9, 1, &compressed(&payload), length),
        ];
        let found = files.map(|file| read(&mut file.as_slice()).unwrap());
        assert_eq!(found[0].id, found[1].id);
        assert_eq!(
            found[0].id,
            certificate(&case.claim, Vec::new(), case.proof()).id
        );
        for certificate in found {
            assert_eq!(certificate.body, body);
            assert!(Session::new().verify(&certificate).is_ok());
        }
    }
}
