//! The check of a mate: steps 2 to 9 of what a checker must establish.
//!
//! Nothing is searched: a strategy says what the attacker plays against every move, a refutation what the defender plays. The
//! nodes of both are gone through once, from the last to the first, and at each one the moves are those of the island's own
//! rules. Why this proves the claim is said in the soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 5: mate*.

use super::board::Board;
use super::certificate::Mate;
use super::mate_claim::MateClaim;
use super::nodes::Nodes;
use super::{Checked, Reason, Refusal, refutation, strategy};

/// Establishes the claim, or says why not.
pub(super) fn check(claim: &str, stored: &Mate) -> Result<Checked, Refusal> {
    let said = MateClaim::of(claim)?;
    let board = Board::of(&said.fen).ok_or_else(|| {
        let place = format_args!("claim: stored {claim}");
        Refusal::new(Reason::IllegalPosition, place)
    })?;
    let strategy = Nodes::of("strategy", &stored.strategy)?;
    let refutation = Nodes::of("refutation", &stored.refutation)?;
    for (number, &(_, reference)) in stored.strategy_roots.iter().enumerate() {
        strategy.check_root(number, reference)?;
    }
    for (number, &reference) in stored.refutation_roots.iter().enumerate() {
        refutation.check_root(number, reference)?;
    }
    strategy::check(&said, &board, &strategy, &stored.strategy_roots)?;
    refutation::check(&said, &board, &refutation, &stored.refutation_roots)?;
    Ok(Checked {
        states: (strategy.len() + refutation.len()) as u64,
        edges: strategy.references + refutation.references,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::blocks::tests::compressed;
    use super::super::board::tests::board;
    use super::super::certificate::{Body, Certificate, Encoding};
    use super::super::certificate_kind::CertificateKind;
    use super::super::container::tests::file_of_kind;
    use super::super::man::Side;
    use super::super::mate_claim::Demand;
    use super::super::nodes::LEAF;
    use super::super::nodes::tests::{all, one};
    use super::super::{Move, Session, payload, read};
    use super::*;

    // Positions without their clocks.
    const QUEEN: &str = "7k/8/6K1/8/8/8/8/1Q6 w - -";
    const ROOK: &str = "2R5/8/8/8/8/1K6/8/1k6 w - -";
    const ONLY_MOVE: &str = "8/8/8/8/8/1K6/2R5/1k6 b - -";
    const CASTLING: &str = "5k2/3Q4/8/8/8/8/6R1/4K2R w K -";
    const EN_PASSANT: &str = "3B4/8/R7/7k/7p/4N3/6P1/K5R1 w - -";
    const MATED: &str = "k1R5/8/1K6/8/8/8/8/8 b - -";
    const DENIED: &str = "8/8/8/8/8/8/R7/K3k3 w - -";
    const STALEMATE: &str = "k7/2Q5/1K6/8/8/8/8/8 b - -";

    fn line(word: &str, fen: &str, rest: &str) -> String {
        format!("{word} {fen} 0 1 {rest}")
    }

    /// What the page says of *M(s, d)*, word for word.
    fn forces(board: &Board, attacker: Side, plies: u8) -> bool {
        let attacker_moves = board.to_move == attacker;
        if !attacker_moves && board.is_checkmate() {
            return true;
        }
        let Some(plies) = plies.checked_sub(1) else {
            return false;
        };
        let moves = board.moves();
        let mut forced = moves
            .iter()
            .map(|(_, after)| forces(after, attacker, plies));
        match attacker_moves {
            true => forced.any(|forced| forced),
            false => !moves.is_empty() && forced.all(|forced| forced),
        }
    }

    /// Whether a claim is true, by search.
    pub(in super::super) fn is_true(claim: &str) -> bool {
        let said = MateClaim::of(claim).unwrap();
        let board = Board::of(&said.fen).unwrap();
        let claimed = said.plies_of_strategy() + u8::from(said.attacker_moves);
        let forced = forces(&board, said.attacker(), claimed);
        if said.demand == Demand::NotForced {
            return !forced;
        }
        let keys = keys(claim);
        let denied = said.plies_denied();
        let is_sooner = denied.is_some_and(|plies| forces(&board, said.attacker(), plies));
        let has_keys = match &said.demand {
            Demand::Keys(stored) => *stored == keys,
            _ => true,
        };
        forced && !is_sooner && has_keys
    }

    /// The first moves with which the mate of a claim is forced.
    fn keys(claim: &str) -> Vec<Move> {
        let said = MateClaim::of(claim).unwrap();
        let moves = Board::of(&said.fen).unwrap().moves().into_iter();
        let plies = said.plies_of_strategy();
        let keys = moves.filter(|(_, after)| forces(after, said.attacker(), plies));
        keys.map(|(key, _)| key).collect()
    }

    /// A graph in the making.
    #[derive(Default)]
    struct Graph {
        bytes: Vec<u8>,
        /// The position, the plies and the number of each node.
        known: Vec<(Board, u8)>,
    }

    impl Graph {
        fn find(&self, board: &Board, plies: u8) -> Option<u32> {
            let mut known = self.known.iter();
            let place = known.position(|known| *known == (*board, plies));
            place.map(|place| place as u32)
        }

        fn push(&mut self, board: &Board, plies: u8, node: Vec<u8>) -> u32 {
            self.bytes.extend(node);
            self.known.push((*board, plies));
            self.known.len() as u32 - 1
        }

        /// A reference to a position from which mate is forced in so many plies.
        fn strategy(&mut self, board: &Board, attacker: Side, plies: u8) -> u32 {
            if board.to_move != attacker && board.is_checkmate() {
                return LEAF;
            }
            if let Some(number) = self.find(board, plies) {
                return number;
            }
            let moves = board.moves();
            let node = match board.to_move == attacker {
                true => {
                    let mut moves = moves.iter();
                    let key = moves.find(|(_, after)| forces(after, attacker, plies - 1));
                    let (key, after) = key.unwrap();
                    one(&key.to_string(), self.strategy(after, attacker, plies - 1))
                }
                false => {
                    let references = moves
                        .iter()
                        .map(|(_, after)| self.strategy(after, attacker, plies - 1));
                    all(&references.collect::<Vec<_>>())
                }
            };
            self.push(board, plies, node)
        }

        /// A reference to a position from which mate is not forced in so many plies.
        fn refutation(&mut self, board: &Board, attacker: Side, plies: u8) -> u32 {
            let attacker_moves = board.to_move == attacker;
            let moves = board.moves();
            let is_last = plies == if attacker_moves { 1 } else { 0 };
            if is_last || moves.is_empty() {
                return LEAF;
            }
            if let Some(number) = self.find(board, plies) {
                return number;
            }
            let node = match attacker_moves {
                true => {
                    let references = moves
                        .iter()
                        .map(|(_, after)| self.refutation(after, attacker, plies - 1));
                    all(&references.collect::<Vec<_>>())
                }
                false => {
                    let mut moves = moves.iter();
                    let reply = moves.find(|(_, after)| !forces(after, attacker, plies - 1));
                    let (reply, after) = reply.unwrap();
                    one(
                        &reply.to_string(),
                        self.refutation(after, attacker, plies - 1),
                    )
                }
            };
            self.push(board, plies, node)
        }
    }

    /// A claim and its witnesses.
    #[derive(Clone)]
    struct Case {
        claim: String,
        mate: Mate,
    }

    impl Case {
        /// The witnesses of a true claim, found by search.
        fn of(claim: &str) -> Case {
            let said = MateClaim::of(claim).unwrap();
            let board = Board::of(&said.fen).unwrap();
            let (attacker, plies) = (said.attacker(), said.plies_of_strategy());
            let (mut strategy, mut refutation) = (Graph::default(), Graph::default());
            let moves = match (&said.demand, said.attacker_moves) {
                (Demand::NotForced, _) => Vec::new(),
                (Demand::Keys(keys), _) => keys.clone(),
                (_, true) => keys(claim)[..1].to_vec(),
                (_, false) => vec![Move::NONE],
            };
            let strategy_roots = moves.iter().map(|&key| {
                let after = if key.is_none() {
                    board
                } else {
                    board.played(key).unwrap()
                };
                (key, strategy.strategy(&after, attacker, plies))
            });
            let strategy_roots = strategy_roots.collect();
            let denied = said.plies_denied().into_iter();
            let mut refutation_roots: Vec<u32> = denied
                .map(|plies| refutation.refutation(&board, attacker, plies))
                .collect();
            if let Demand::Keys(keys) = &said.demand {
                for (other, after) in board.moves() {
                    if !keys.contains(&other) {
                        refutation_roots.push(refutation.refutation(&after, attacker, plies));
                    }
                }
            }
            Case {
                claim: claim.to_string(),
                mate: Mate {
                    strategy: strategy.bytes,
                    refutation: refutation.bytes,
                    strategy_roots,
                    refutation_roots,
                },
            }
        }

        fn check(&self) -> Result<Checked, Refusal> {
            check(&self.claim, &self.mate)
        }

        /// The reason why the case is refused after a change.
        fn reason(&self, change: impl FnOnce(&mut Case)) -> Reason {
            let mut changed = self.clone();
            change(&mut changed);
            let refusal = changed.check().unwrap_err();
            assert!(!refusal.place.is_empty() && !refusal.place.contains("\\u"));
            refusal.reason
        }

        fn payload(&self) -> Vec<u8> {
            payload::write(&self.claim, None, &[], &Body::Mate(self.mate.clone()))
        }
    }

    /// True claims of all forms, with what follows the position.
    fn claims() -> Vec<String> {
        let mut claims = vec![
            line("mate", QUEEN, "in 1"),
            line("mate", QUEEN, "in 2"),
            line("mate", QUEEN, "in 1 shortest"),
            line("mate", ROOK, "in 2"),
            line("mate", ROOK, "in 2 shortest"),
            line("mate", ROOK, "not in 1"),
            line("mate", EN_PASSANT, "in 2 shortest"),
            line("mate", CASTLING, "in 1 shortest"),
            line("mated", ONLY_MOVE, "in 1"),
            line("mated", ONLY_MOVE, "in 1 shortest"),
            line("mated", ONLY_MOVE, "not in 0"),
            line("mated", MATED, "in 0"),
            line("mated", MATED, "in 0 shortest"),
            line("mated", MATED, "in 3"),
            line("mated", STALEMATE, "not in 0"),
            line("mated", STALEMATE, "not in 127"),
            line("mated", "8/8/8/8/8/8/1r6/k1K5 w - -", "not in 1"),
        ];
        for (fen, rest) in [
            (QUEEN, "in 1 shortest"),
            (ROOK, "in 2 shortest"),
            (CASTLING, "in 1 shortest"),
        ] {
            let claim = line("mate", fen, rest);
            let keys = keys(&claim).into_iter().map(|key| format!(" {key}"));
            claims.push(format!("{claim} keys{}", keys.collect::<String>()));
        }
        claims
    }

    /// The payloads of true mates of all forms.
    pub(in super::super) fn true_mates() -> Vec<Vec<u8>> {
        let claims = claims().into_iter();
        claims.map(|claim| Case::of(&claim).payload()).collect()
    }

    /// The payload of a small true mate.
    pub(in super::super) fn small_mate() -> Vec<u8> {
        castling().payload()
    }

    /// A payload that is well formed, and so long at least. It says nothing true: nothing refers to most of its nodes.
    pub(in super::super) fn false_mate(length: usize) -> Vec<u8> {
        let mut case = castling();
        while case.mate.strategy.len() < length {
            case.mate.strategy.extend(one("e1g1", LEAF));
        }
        case.mate.strategy_roots[0].0 = "e1f1".parse().unwrap();
        case.payload()
    }

    #[test]
    fn true_claims_are_established() {
        for claim in claims() {
            assert!(is_true(&claim), "{claim}");
            let checked = Case::of(&claim).check();
            assert!(checked.is_ok(), "{claim}: {checked:?}");
        }
        let keys = |fen, rest| keys(&line("mate", fen, rest));
        let texts = |moves: Vec<Move>| moves.iter().map(Move::to_string).collect::<Vec<_>>();
        assert_eq!(texts(keys(QUEEN, "in 1")), ["b1b8"]);
        assert_eq!(texts(keys(CASTLING, "in 1")), ["e1g1", "h1f1", "h1h8"]);
    }

    #[test]
    fn false_claims_are_not_established_by_the_witnesses_of_true_ones() {
        let fens = [QUEEN, ROOK, CASTLING, EN_PASSANT];
        let mut lines: Vec<String> = Vec::new();
        for fen in fens {
            for rest in ["in 1", "in 1 shortest", "in 2 shortest", "not in 1"] {
                lines.push(line("mate", fen, rest));
            }
        }
        for fen in [ONLY_MOVE, MATED, STALEMATE] {
            for rest in ["in 0", "in 1", "in 1 shortest", "not in 0", "not in 1"] {
                lines.push(line("mated", fen, rest));
            }
        }
        for claim in claims() {
            let Case { mate, .. } = Case::of(&claim);
            for other in &lines {
                let is_accepted = check(other, &mate).is_ok();
                assert!(!is_accepted || is_true(other), "{claim} {other}");
            }
        }
    }

    /// White castles, by hand.
    fn castling() -> Case {
        Case {
            claim: line("mate", CASTLING, "in 1"),
            mate: Mate {
                strategy: Vec::new(),
                refutation: Vec::new(),
                strategy_roots: vec![("e1g1".parse().unwrap(), LEAF)],
                refutation_roots: Vec::new(),
            },
        }
    }

    /// The only reply is a capture en passant, by hand.
    fn en_passant() -> Case {
        Case {
            claim: line("mate", EN_PASSANT, "in 2"),
            mate: Mate {
                strategy: [one("g1h1", LEAF), all(&[0])].concat(),
                refutation: Vec::new(),
                strategy_roots: vec![("g2g4".parse().unwrap(), 1)],
                refutation_roots: Vec::new(),
            },
        }
    }

    /// Black has one move, and is mated then; by hand, and so is that he is not mated now.
    fn mated() -> Case {
        Case {
            claim: line("mated", ONLY_MOVE, "in 1 shortest"),
            mate: Mate {
                strategy: [one("c2c1", LEAF), all(&[0])].concat(),
                refutation: Vec::new(),
                strategy_roots: vec![(Move::NONE, 1)],
                refutation_roots: vec![LEAF],
            },
        }
    }

    /// A mate in two, all its keys, by search.
    fn rook() -> Case {
        let claim = line("mate", ROOK, "in 2 shortest");
        let keys = keys(&claim).into_iter().map(|key| format!(" {key}"));
        Case::of(&format!("{claim} keys{}", keys.collect::<String>()))
    }

    /// No mate within two moves, by search: the black king walks away.
    fn denied() -> Case {
        Case::of(&line("mate", DENIED, "not in 2"))
    }

    #[test]
    fn what_was_made_by_hand_is_true() {
        let count = |case: Case| {
            let checked = case.check().unwrap();
            (checked.states, checked.edges)
        };
        assert_eq!(count(castling()), (0, 0));
        assert_eq!(count(en_passant()), (2, 2));
        assert_eq!(count(mated()), (2, 2));
        assert!(rook().check().is_ok() && denied().check().is_ok());
    }

    #[test]
    fn lies_about_the_claim() {
        let case = castling();
        let reason = |from: &str, to: &str| {
            case.reason(|case| {
                let changed = case.claim.replacen(from, to, 1);
                assert_ne!(changed, case.claim);
                case.claim = changed;
            })
        };
        assert_eq!(reason("in 1", "in 0"), Reason::UnknownClaim);
        assert_eq!(reason("5k2", "8"), Reason::UnknownMaterial);
        assert_eq!(reason(" K ", " KQ "), Reason::IllegalPosition);
        assert_eq!(reason(" K ", " - "), Reason::IllegalMove);
        assert_eq!(reason("5k2/3Q4", "5k1P/3Q4"), Reason::IllegalPosition);
        assert_eq!(reason("5k2", "3k4"), Reason::IllegalPosition);
        assert_eq!(reason("5k2", "6k1"), Reason::IllegalPosition);
        assert_eq!(reason(" K -", " K e6"), Reason::IllegalPosition);
    }

    #[test]
    fn lies_about_bytes_and_references() {
        for case in [en_passant(), mated(), rook()] {
            let reason = case.reason(|case| {
                case.mate.strategy.pop();
            });
            assert_eq!(reason, Reason::MalformedPayload);
            let reason = case.reason(|case| case.mate.strategy.push(0));
            assert_eq!(reason, Reason::MalformedPayload);
            let reason = case.reason(|case| case.mate.refutation.push(7));
            assert_eq!(reason, Reason::MalformedPayload);
            // The first node refers to itself.
            let reason = case.reason(|case| case.mate.strategy[3..7].fill(0));
            assert_eq!(reason, Reason::RankDoesNotFall);
            let reason = case.reason(|case| case.mate.refutation.extend(one("a1a2", 1 << 20)));
            assert_eq!(reason, Reason::RankDoesNotFall);
            let reason = case.reason(|case| case.mate.strategy_roots[0].1 = 1 << 20);
            assert_eq!(reason, Reason::WrongRoots);
            let reason = case.reason(|case| case.mate.refutation_roots.push(1 << 20));
            assert_eq!(reason, Reason::WrongRoots);
        }
    }

    #[test]
    fn lies_about_the_roots_of_a_strategy() {
        let (castling, mated, rook) = (castling(), mated(), rook());
        let key = |text: &str| text.parse().unwrap();
        for case in [&castling, &mated, &rook] {
            let reason = case.reason(|case| {
                case.mate.strategy_roots.pop();
            });
            assert_eq!(reason, Reason::WrongRoots);
            let reason = case.reason(|case| case.mate.strategy_roots.push((key("a1a2"), LEAF)));
            assert_eq!(reason, Reason::WrongRoots);
        }
        let denied = denied();
        let reason = denied.reason(|case| case.mate.strategy_roots.push((key("a1b1"), LEAF)));
        assert_eq!(reason, Reason::WrongRoots);
        // The keys are those of the claim.
        let reason = rook.reason(|case| case.mate.strategy_roots[0].0 = key("b3b4"));
        assert_eq!(reason, Reason::WrongRoots);
        // Moves.
        for bits in [0, key("e1c1").bits(), key("e1g1q").bits(), 0xffff] {
            let stored = Move::from_bits(bits);
            let reason = castling.reason(|case| case.mate.strategy_roots[0].0 = stored);
            assert_eq!(reason, Reason::IllegalMove);
        }
        let reason = mated.reason(|case| case.mate.strategy_roots[0].0 = key("b1a1"));
        assert_eq!(reason, Reason::IllegalMove);
        // Leaves.
        let reason = castling.reason(|case| case.mate.strategy_roots[0].0 = key("e1f1"));
        assert_eq!(reason, Reason::NoCheckmate);
        let reason = mated.reason(|case| case.mate.strategy_roots[0].1 = LEAF);
        assert_eq!(reason, Reason::NoCheckmate);
        let reason = mated.reason(|case| {
            case.claim = line("mated", STALEMATE, "in 0");
            case.mate.strategy_roots[0].1 = LEAF;
        });
        assert_eq!(reason, Reason::NoCheckmate);
    }

    #[test]
    fn lies_about_the_nodes_of_a_strategy() {
        let en_passant = en_passant();
        let with = |nodes: &[Vec<u8>], root: u32| {
            en_passant.reason(|case| {
                case.mate.strategy = nodes.concat();
                case.mate.strategy_roots[0].1 = root;
            })
        };
        let mate = one("g1h1", LEAF);
        // Nothing refers to the last node, or to one in the middle.
        let nodes = [mate.clone(), all(&[0]), all(&[0])];
        assert_eq!(with(&nodes, 1), Reason::UnreachedNode);
        let nodes = [mate.clone(), mate.clone(), all(&[0])];
        assert_eq!(with(&nodes, 2), Reason::UnreachedNode);
        assert_eq!(with(&[mate.clone(), all(&[0])], LEAF), Reason::NoCheckmate);
        // One where all count, and the other way round.
        let nodes = [mate.clone(), one("h4g3", 0)];
        assert_eq!(with(&nodes, 1), Reason::WrongNode);
        let nodes = [all(&[LEAF]), all(&[0])];
        assert_eq!(with(&nodes, 1), Reason::WrongNode);
        // Replies.
        let nodes = [mate.clone(), all(&[0, 0])];
        assert_eq!(with(&nodes, 1), Reason::WrongNumberOfReplies);
        assert_eq!(with(&[all(&[LEAF])], 0), Reason::NoCheckmate);
        // Moves.
        for text in ["g1h2", "h4g3", "no move", "a1a1"] {
            let nodes = [one(text, LEAF), all(&[0])];
            assert_eq!(with(&nodes, 1), Reason::IllegalMove);
        }
        let nodes = [one("g1g2", LEAF), all(&[0])];
        assert_eq!(with(&nodes, 1), Reason::NoCheckmate);
        // A longer way than is claimed: a mate in one, found in two moves.
        let case = Case::of(&line("mate", QUEEN, "in 2"));
        let longer = case.reason(|case| {
            let board = board(&format!("{QUEEN} 0 1"));
            let slow = board
                .moves()
                .into_iter()
                .find(|(_, after)| !after.is_checkmate() && forces(after, Side::White, 2));
            let (slow, after) = slow.unwrap();
            let mut graph = Graph::default();
            let reference = graph.strategy(&after, Side::White, 2);
            case.mate.strategy = graph.bytes;
            case.mate.strategy_roots = vec![(slow, reference)];
            assert!(case.check().is_ok());
            case.claim = line("mate", QUEEN, "in 1");
        });
        assert_eq!(longer, Reason::TooManyPlies);
        let late = mated().reason(|case| case.claim = line("mated", ONLY_MOVE, "in 0"));
        assert_eq!(late, Reason::TooManyPlies);
    }

    #[test]
    fn one_node_has_one_position() {
        // Different keys lead to different positions: let all refer to where the first one does.
        let rook = rook();
        assert!(rook.mate.strategy_roots.len() > 1);
        let reason = rook.reason(|case| {
            let (bytes, reference) = Graph::strategy_alone(&case.claim);
            case.mate.strategy = bytes;
            let roots = case.mate.strategy_roots.iter_mut();
            roots.for_each(|root| root.1 = reference);
        });
        assert_eq!(reason, Reason::WrongNodePosition);
        // So they do in a refutation.
        let denied = denied();
        let left = denied.reason(|case| {
            let said = MateClaim::of(&case.claim).unwrap();
            let board = Board::of(&said.fen).unwrap();
            let mut graph = Graph::default();
            let number = graph.refutation(&board.moves()[0].1, Side::White, 2);
            let references = vec![number; board.moves().len()];
            graph.push(&board, 3, all(&references));
            case.mate.refutation = graph.bytes;
            case.mate.refutation_roots = vec![number + 1];
        });
        assert_eq!(left, Reason::WrongNodePosition);
    }

    impl Graph {
        /// The strategy behind the first key of a claim, and the reference to it.
        fn strategy_alone(claim: &str) -> (Vec<u8>, u32) {
            let said = MateClaim::of(claim).unwrap();
            let board = Board::of(&said.fen).unwrap();
            let after = board.played(keys(claim)[0]).unwrap();
            let mut graph = Graph::default();
            let plies = said.plies_of_strategy();
            let reference = graph.strategy(&after, said.attacker(), plies);
            (graph.bytes, reference)
        }
    }

    #[test]
    fn lies_about_a_refutation() {
        let (rook, denied, mated) = (rook(), denied(), mated());
        for case in [&rook, &denied, &mated] {
            let reason = case.reason(|case| {
                case.mate.refutation_roots.pop();
            });
            assert_eq!(reason, Reason::WrongRoots);
            let reason = case.reason(|case| case.mate.refutation_roots.push(LEAF));
            assert_eq!(reason, Reason::WrongRoots);
        }
        let with = |nodes: &[Vec<u8>], root: u32| {
            denied.reason(|case| {
                case.mate.refutation = nodes.concat();
                case.mate.refutation_roots = vec![root];
            })
        };
        let count = board(&format!("{DENIED} 0 1")).moves().len();
        assert_eq!(with(&[], LEAF), Reason::UnfinishedLeaf);
        let leaves = all(&vec![LEAF; count]);
        assert_eq!(
            with(std::slice::from_ref(&leaves), 0),
            Reason::UnfinishedLeaf
        );
        let fewer = all(&vec![LEAF; count - 1]);
        assert_eq!(with(&[fewer], 0), Reason::WrongNumberOfReplies);
        assert_eq!(with(&[one("a1b1", LEAF)], 0), Reason::WrongNode);
        let nodes = [one("e1d1", LEAF), leaves.clone()];
        assert_eq!(with(&nodes, 0), Reason::UnreachedNode);
        // All moves of the defender.
        let mut references = vec![LEAF; count];
        references.fill(0);
        let wrong = [leaves.clone(), all(&references)];
        assert_eq!(with(&wrong, 1), Reason::WrongNodePosition);
        // The lines of the first reference alone.
        let good = denied.mate.refutation.clone();
        assert_eq!(good[0], 0);
        for (bits, reason) in [(0_u16, Reason::IllegalMove), (0xffff, Reason::IllegalMove)] {
            let found = denied.reason(|case| {
                case.mate.refutation[1..3].copy_from_slice(&bits.to_le_bytes());
            });
            assert_eq!(found, reason);
        }
        // A mate in one that is denied, and one after a reply.
        let case = Case::of(&line("mate", ROOK, "not in 1"));
        let reason = case.reason(|case| case.claim = line("mate", QUEEN, "not in 1"));
        assert_eq!(reason, Reason::UnfinishedLeaf);
        let reason = case.reason(|case| case.claim = line("mated", MATED, "not in 0"));
        assert_eq!(reason, Reason::UnfinishedLeaf);
        let reason = case.reason(|case| case.claim = line("mated", MATED, "not in 1"));
        assert_eq!(reason, Reason::UnfinishedLeaf);
        let reason = case.reason(|case| case.claim = line("mated", ONLY_MOVE, "not in 1"));
        assert_eq!(reason, Reason::UnfinishedLeaf);
        // No ply is left.
        let reason = mated.reason(|case| {
            case.mate.refutation = one("b1a1", LEAF);
            case.mate.refutation_roots = vec![0];
        });
        assert_eq!(reason, Reason::WrongNode);
        // The defender's node has all moves.
        let reason = Case::of(&line("mated", ONLY_MOVE, "not in 0")).reason(|case| {
            case.claim = line("mated", ONLY_MOVE, "not in 1");
            case.mate.refutation = all(&[LEAF]);
            case.mate.refutation_roots = vec![0];
        });
        assert_eq!(reason, Reason::WrongNode);
    }

    #[test]
    fn a_move_that_is_no_key_is_refuted() {
        // A key is left out of the claim: what remains of the refutation would have to refute it.
        let claim = line("mate", CASTLING, "in 1 shortest keys");
        let (all, fewer) = (
            format!("{claim} e1g1 h1f1 h1h8"),
            format!("{claim} e1g1 h1f1"),
        );
        assert!(is_true(&all) && !is_true(&fewer));
        let case = Case::of(&all);
        assert!(case.check().is_ok());
        let reason = case.reason(|case| {
            case.claim = fewer;
            case.mate.strategy_roots.pop();
            case.mate.refutation_roots.push(LEAF);
        });
        assert_eq!(reason, Reason::UnfinishedLeaf);
    }

    #[test]
    fn a_file_is_read_and_verified() {
        for claim in claims() {
            let case = Case::of(&claim);
            let payload = case.payload();
            let length = payload.len() as u64;
            let file = file_of_kind(5, 0, &payload, length);
            let certificate = read(&mut file.as_slice()).unwrap();
            let file = file_of_kind(5, 1, &compressed(&payload), length);
            let expanded = read(&mut file.as_slice()).unwrap();
            assert_eq!(
                (&expanded.id, &expanded.body),
                (&certificate.id, &certificate.body)
            );
            assert_eq!(certificate.claim, claim);
            assert_eq!(certificate.body, Body::Mate(case.mate.clone()));
            assert!(certificate.children.is_empty());
            assert_eq!(Session::new().verify(&certificate), case.check());
            let mut changed = certificate.clone();
            changed.claim = line("mate", QUEEN, "not in 1");
            let refusal = Session::new().verify(&changed).unwrap_err();
            assert_eq!(refusal.id, Some(certificate.id));
        }
    }

    #[test]
    fn changed_bytes_never_establish_what_is_false() {
        let mut accepted = 0;
        for case in [castling(), en_passant(), mated(), rook()] {
            let payload = case.payload();
            for at in 0..payload.len() {
                for value in [0, 1, 2, 3, 7, 0x31, 0x32, 0x62, 0x80, 0xfe, 0xff]
                    .into_iter()
                    .chain([
                        payload[at] ^ 1,
                        payload[at] ^ 2,
                        payload[at].wrapping_add(1),
                    ])
                {
                    let mut changed = payload.clone();
                    changed[at] = value;
                    if changed == payload {
                        continue;
                    }
                    let Ok((claim, _, body)) = payload::read(CertificateKind::Mate, changed) else {
                        continue;
                    };
                    let Body::Mate(mate) = body else { panic!() };
                    if check(&claim, &mate).is_ok() {
                        assert!(is_true(&claim), "{claim}");
                        accepted += 1;
                    }
                }
            }
            for length in 0..payload.len() {
                let shorter = payload[..length].to_vec();
                assert!(payload::read(CertificateKind::Mate, shorter).is_err());
            }
        }
        // Another mate in one, a longer claim that is also true.
        assert!(accepted < 100, "{accepted}");
    }

    #[test]
    fn deep_chains_do_not_recurse() {
        // A million nodes, each of which refers to the one before.
        let mut strategy = one("a1a2", LEAF);
        for number in 0..1_000_000 {
            strategy.extend(all(&[number]));
        }
        let mut case = mated();
        case.mate.strategy = strategy;
        case.mate.strategy_roots[0].1 = 1_000_000;
        assert_eq!(case.reason(|_| {}), Reason::WrongNode);
        let nodes = Nodes::of("strategy", &case.mate.strategy).unwrap();
        assert_eq!(nodes.plies().last(), Some(&1_000_001));
    }

    #[test]
    fn the_bytes_of_an_example_are_those_of_the_page() {
        let certificate = Certificate::made_of(
            Encoding::Json,
            en_passant().claim,
            Vec::new(),
            Body::Mate(en_passant().mate),
        );
        let claim = b"mate 3B4/8/R7/7k/7p/4N3/6P1/K5R1 w - - 0 1 in 2";
        let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(claim);
        // One: g1h1 = 6 + 64 × 7; then all, with one reference.
        bytes.extend([12, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([0, 0xc6, 0x01, 255, 255, 255, 255]);
        bytes.extend([1, 0, 0, 0, 0]);
        bytes.extend([0; 8]);
        // g2g4 = 14 + 64 × 30.
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([0x8e, 0x07, 1, 0, 0, 0]);
        bytes.extend([0; 8]);
        assert_eq!(certificate.payload(), bytes);
    }
}
