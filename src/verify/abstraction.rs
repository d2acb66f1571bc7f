//! The check of an abstraction: steps 2 to 10 of what a checker must establish.
//!
//! The vertices and their moves come from the island's own enumeration and move generator, the bytes of children from tables
//! that were verified before. The file says how vertices are put into blocks, by features that the island reads off them
//! itself, and what each block is worth; that is compared with what can be forced within some plies, for every vertex.
//! Why this proves the claim is said in the soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 8: abstraction*.

use super::abstraction_claim::AbstractionClaim;
use super::certificate::{Abstraction, Child};
use super::class::Class;
use super::decision_tree::DecisionTree;
use super::features::Values;
use super::graph::{Graph, Vertices};
use super::horizon::Horizon;
use super::intervals::Intervals;
use super::man::Side;
use super::session::Tables;
use super::states::States;
use super::table::{check_children, same};
use super::{Checked, Reason, Refusal, images};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: Vec<Child>,
    stored: &Abstraction,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let claim = AbstractionClaim::of(claim)?;
    check_children(&claim.material, &named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let (states, census) = States::of(&claim.material, named);
    let reason = Reason::WrongNumberOfStates;
    same(reason, "states", stored.states, census.states)?;
    if let Some(stored) = stored.en_passant_states {
        let found = census.en_passant_states;
        same(reason, "en_passant_states", stored, found)?;
    }
    let class = Class::of(&states, &children);
    images::check_sample(&class)?;
    let edges = judge(&claim, stored, &Graph::of(class))?;
    Ok(Checked {
        states: census.states,
        edges,
    })
}

/// Steps 5 to 10. Returns the number of edges.
fn judge(claim: &AbstractionClaim, stored: &Abstraction, graph: &Graph) -> Result<u64, Refusal> {
    let reason = Reason::WrongCount;
    let tree = DecisionTree::of(&stored.tree)?;
    let found = tree.leaves().into();
    same(reason, "blocks", claim.blocks.into(), found)?;
    let intervals = Intervals::of(stored, &tree)?;
    let blocks = blocks(graph, &tree)?;
    let horizon = Horizon {
        vertices: graph,
        blocks: &blocks,
        intervals: &intervals,
    };
    let edges = horizon.check(claim.horizon, &|block| tree.named(block))?;
    let states = blocks.iter().take(graph.states());
    let decided = states.filter(|&&block| intervals.at(block as usize).is_decided());
    let found = decided.count() as u64;
    same(reason, "decided", claim.decided.into(), found)?;
    same(reason, "edges", stored.edges, edges)?;
    Ok(edges)
}

/// Step 8: the block of each vertex.
fn blocks(graph: &Graph, tree: &DecisionTree) -> Result<Vec<u32>, Refusal> {
    let mut values = Values::new();
    let mut blocks = Vec::with_capacity(graph.vertices());
    // The first vertex of each block with each side to move.
    let mut firsts = vec![[None; 2]; tree.leaves() as usize];
    for (vertex, position) in (0..).zip(graph.positions()) {
        let block = tree.block(&mut values.at(&position));
        blocks.push(block);
        if let Some(firsts) = firsts.get_mut(block as usize) {
            firsts[position.to_move.index()].get_or_insert(vertex);
        }
    }
    for (block, firsts) in firsts.into_iter().enumerate() {
        let [white, black] = Side::BOTH.map(|side| firsts[side.index()]);
        match (white, black) {
            (None, None) => {
                let named = tree.named(block);
                let place = format_args!("{named}: no vertex comes to it");
                return Err(Refusal::new(Reason::UnusedBlock, place));
            }
            (Some(white), Some(black)) => {
                let [white, black] = [white, black].map(|vertex| graph.named(vertex));
                let named = tree.named(block);
                let place = format_args!("{named}: vertex {white} and vertex {black}");
                return Err(Refusal::new(Reason::MixedBlock, place));
            }
            _ => {}
        }
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::super::certificate::{Body, Certificate, Encoding};
    use super::super::certificate_kind::CertificateKind;
    use super::super::claim::material_of_endgame;
    use super::super::features::number_of;
    use super::super::intervals::NEVER;
    use super::super::{Id, Session, payload, read};
    use super::*;

    /// What a block says: lower and upper bound as they are stored, and the rank.
    type Said = (u8, u8, u16);

    /// An abstraction of a class with its claim.
    #[derive(Clone, PartialEq, Debug)]
    struct Case {
        class: &'static str,
        horizon: u8,
        decided: u64,
        blocks: usize,
        content: Abstraction,
    }

    impl Case {
        /// The claim, of a class without children.
        fn claim(&self) -> String {
            let Case {
                class,
                horizon,
                decided,
                blocks,
                ..
            } = self;
            let from = material_of(class).children_clause();
            format!(
                "abstraction {class} board horizon {horizon} decides {decided} states in {blocks} blocks{from}"
            )
        }

        /// The case in which each vertex has this said of it. The tree asks for one feature after the other, until all
        /// vertices that are left say the same.
        fn of(class: &'static str, horizon: u8, graph: &Graph, said: &dyn Fn(u32) -> Said) -> Case {
            let vertices = graph.vertices() as u32;
            let mut case = Case {
                class,
                horizon,
                decided: 0,
                blocks: 0,
                content: Abstraction {
                    states: graph.states() as u64,
                    edges: graph.labels_and_edges().1,
                    en_passant_states: None,
                    tree: Vec::new(),
                    lower: Vec::new(),
                    upper: Vec::new(),
                    ranks: Vec::new(),
                },
            };
            let numbers = QUESTIONS.map(|name| number_of(name).unwrap());
            let mut values = Values::new();
            let mut all: Vec<([u8; QUESTIONS.len()], Said)> = Vec::new();
            for (vertex, position) in (0..vertices).zip(graph.positions()) {
                let mut values = values.at(&position);
                all.push((numbers.map(|number| values.of(number)), said(vertex)));
            }
            all.sort_unstable();
            case.grow(&all, 0);
            let decided = |vertex: &u32| said(*vertex).0 == said(*vertex).1;
            case.decided = (0..graph.states() as u32).filter(decided).count() as u64;
            case.blocks = case.content.ranks.len();
            case
        }

        /// Adds the tree of these vertices, which differ from a question on only, and stand in order.
        fn grow(&mut self, vertices: &[([u8; QUESTIONS.len()], Said)], question: usize) {
            let (first, last) = (vertices[0], vertices[vertices.len() - 1]);
            if vertices.iter().all(|vertex| vertex.1 == first.1) {
                let (lower, upper, rank) = first.1;
                self.content.tree.push("leaf".to_string());
                self.content.lower.push(lower);
                self.content.upper.push(upper);
                self.content.ranks.push(rank);
                return;
            }
            let (low, high) = (first.0[question], last.0[question]);
            if low == high {
                return self.grow(vertices, question + 1);
            }
            let most = low.midpoint(high);
            let count = vertices.partition_point(|vertex| vertex.0[question] <= most);
            let line = format!("{} <= {most}", QUESTIONS[question]);
            self.content.tree.push(line);
            self.grow(&vertices[..count], question);
            self.grow(&vertices[count..], question);
        }

        fn check(&self) -> Result<Checked, Refusal> {
            check(
                &self.claim(),
                Vec::new(),
                &self.content,
                &mut Tables::default(),
            )
        }

        /// The refusal of the case after a change.
        fn refusal(&self, change: impl FnOnce(&mut Case)) -> Refusal {
            let mut changed = self.clone();
            change(&mut changed);
            assert_ne!(changed, *self);
            changed.check().unwrap_err()
        }

        fn reason(&self, change: impl FnOnce(&mut Case)) -> Reason {
            self.refusal(change).reason
        }

        /// The certificate with this content.
        fn certificate(&self) -> Certificate {
            let body = Body::Abstraction(self.content.clone());
            Certificate::made_of(Encoding::Json, self.claim(), Vec::new(), body)
        }
    }

    /// What tells apart all vertices of three men.
    const QUESTIONS: [&str; 8] = [
        "side", "end", "file bK", "rank bK", "file wK", "rank wK", "file w1", "rank w1",
    ];

    fn material_of(class: &str) -> super::super::material::Material {
        material_of_endgame(&format!("endgame {class} board dtm")).unwrap()
    }

    /// What is said of each vertex if its value is known, with a rank where it is won, by its byte.
    fn known(byte: u8, is_white_to_move: bool, rank: impl Fn(u8) -> u16) -> Said {
        match (byte, (byte % 2 == 1) == is_white_to_move) {
            (255, _) => (1, 1, NEVER),
            (_, true) => (2, 2, rank(byte)),
            (_, false) => (0, 0, rank(byte)),
        }
    }

    /// The abstraction of a class without children by the bytes of its table.
    fn by_table(class: &'static str, horizon: u8, rank: fn(u8) -> u16) -> Case {
        let folder = env!("CARGO_MANIFEST_DIR");
        let file = std::fs::read(format!("{folder}/certificates/{class}.bin")).unwrap();
        let Body::EndgameTable(table) = read(&mut file.as_slice()).unwrap().body else {
            panic!()
        };
        let (states, _) = States::of(&material_of(class), Vec::new());
        let graph = Graph::of(Class::of(&states, &[]));
        Case::of(class, horizon, &graph, &|vertex| {
            let byte = table.values[vertex as usize];
            let to_move = graph.position(vertex).unwrap().to_move;
            known(byte, to_move == Side::White, rank)
        })
    }

    /// Every rank is reached with the next ply.
    static SHORT: LazyLock<Case> =
        LazyLock::new(|| by_table("KRK", 1, |byte| u16::from(byte).max(1)));

    /// A rank for four plies, so that it falls within five.
    static LONG: LazyLock<Case> =
        LazyLock::new(|| by_table("KRK", 5, |byte| u16::from(byte / 4) + 1));

    #[test]
    fn what_a_table_knows_is_decided() {
        for (case, horizon) in [(&*SHORT, 1), (&*LONG, 5)] {
            let found = Session::new().verify(&case.certificate());
            let wanted = Checked {
                states: 50_015,
                edges: 558_816,
            };
            assert_eq!(found, Ok(wanted));
            assert_eq!((case.horizon, case.decided), (horizon, 50_015));
            // It can look further, too.
            for horizon in [7, 255] {
                let mut further = case.clone();
                further.horizon = horizon;
                assert!(further.check().is_ok(), "{horizon}");
            }
        }
        assert!(LONG.blocks < SHORT.blocks, "{}", LONG.blocks);
        // Within three plies ranks for four do not fall.
        for horizon in [1, 3] {
            let found = LONG.refusal(|case| case.horizon = horizon);
            assert_eq!(found.reason, Reason::RankDoesNotFall, "{found}");
        }
        let other = Certificate {
            claim: LONG.claim().replace("KRK", "KQK"),
            ..LONG.certificate()
        };
        let found = Session::new().verify(&other).unwrap_err();
        assert_eq!(found.reason, Reason::WrongNumberOfStates);
        assert_eq!(found.id, Some(other.id));
    }

    #[test]
    fn a_few_blocks_say_what_they_can() {
        // White never loses, and where it is stalemate or Black can take the rook it is a draw. Nothing else is said.
        let (states, _) = States::of(&material_of("KRK"), Vec::new());
        let graph = Graph::of(Class::of(&states, &[]));
        let edges = graph.labels_and_edges().1;
        let case = |tree: &str, said: &[Said], decided| Case {
            class: "KRK",
            horizon: 1,
            decided,
            blocks: said.len(),
            content: Abstraction {
                states: 50_015,
                edges,
                en_passant_states: None,
                tree: tree.split("; ").map(str::to_string).collect(),
                lower: said.iter().map(|said| said.0).collect(),
                upper: said.iter().map(|said| said.1).collect(),
                ranks: said.iter().map(|said| said.2).collect(),
            },
        };
        let open = (1, 2, NEVER);
        assert!(
            case("side <= 0; leaf; leaf", &[open, open], 0)
                .check()
                .is_ok()
        );
        // Twenty-seven checkmates and nine stalemates.
        let tree = "side <= 0; leaf; end <= 0; leaf; end <= 1; leaf; leaf";
        let said = [open, open, (2, 2, 1), (1, 1, NEVER)];
        let ends = case(tree, &said, 36);
        assert!(ends.check().is_ok());
        // Where the rook is attacked, not protected, and Black is to move, it is lost, and the game drawn.
        let tree = "side <= 0; leaf; end <= 0; attacked w1 <= 0; leaf; protected w1 <= 0; leaf; leaf; \
            end <= 1; leaf; leaf";
        let said = [open, open, (1, 1, NEVER), open, (2, 2, 1), (1, 1, NEVER)];
        let more = case(tree, &said, 36);
        let found = more.check().unwrap_err();
        assert_eq!(found.reason, Reason::WrongCount);
        let found = found.place.rsplit(' ').next().unwrap().parse().unwrap();
        let more = Case {
            decided: found,
            ..more
        };
        assert!(found > 1_000 && more.check().is_ok());
        // But not where the other king protects it, and not with White to move.
        let found = more.refusal(|case| (case.content.lower[3], case.content.upper[3]) = (1, 1));
        assert_eq!(found.reason, Reason::LeakingSet, "{found}");
        assert!(
            found
                .place
                .contains("block 3 (line 7 of the tree): upper 1"),
            "{found}"
        );
        let found = more.refusal(|case| case.content.upper[0] = 1);
        assert_eq!(found.reason, Reason::LeakingSet, "{found}");
        // Blocks that no vertex has, and that both sides have.
        let found = ends.refusal(|case| case.content.tree[2] = "end <= 2".to_string());
        assert_eq!(found.reason, Reason::UnusedBlock, "{found}");
        let place = "block 2 (line 5 of the tree): no vertex comes to it";
        assert_eq!(found.place, place);
        let found = ends.refusal(|case| case.content.tree[0] = "rank wK <= 1".to_string());
        assert_eq!(found.reason, Reason::MixedBlock, "{found}");
        assert!(
            found
                .place
                .starts_with("block 0 (line 1 of the tree): vertex "),
            "{found}"
        );
        assert!(found.place.contains(" w - - 0 1") && found.place.contains(" b - - 0 1"));
        // The first of them is told.
        let found = ends.refusal(|case| {
            case.content.tree[0] = "rank wK <= 1".to_string();
            case.content.tree[2] = "end <= 2".to_string();
        });
        assert_eq!(found.reason, Reason::MixedBlock, "{found}");
    }

    #[test]
    fn the_deepest_tree_with_all_features_is_gone_through() {
        // All vertices answer yes to all questions.
        let names = super::super::features::tests::names();
        let questions = names.iter().cycle().take(4_096);
        let leaves = 4_097;
        let found = LONG.refusal(|case| {
            let tree = &mut case.content.tree;
            *tree = questions.map(|name| format!("{name} <= 255")).collect();
            tree.extend(vec!["leaf".to_string(); leaves]);
            case.blocks = leaves;
            case.content.lower = vec![0; leaves];
            case.content.upper = vec![2; leaves];
            case.content.ranks = vec![NEVER; leaves];
        });
        assert_eq!(found.reason, Reason::MixedBlock, "{found}");
        let place = "block 0 (line 4096 of the tree): ";
        assert!(found.place.starts_with(place), "{found}");
    }

    #[test]
    fn a_false_bound_is_refused() {
        use Reason::{LeakingSet, RankDoesNotFall, UnwitnessedBound};
        let content = &SHORT.content;
        let block = |said: Said| {
            let mut blocks = (0..SHORT.blocks).filter(|&block| {
                let (lower, upper) = (content.lower[block], content.upper[block]);
                (lower, upper, content.ranks[block]) == said
            });
            blocks.next().unwrap()
        };
        let change = |block: usize, said: Said| {
            let found = SHORT.refusal(|case| {
                case.content.lower[block] = said.0;
                case.content.upper[block] = said.1;
                case.content.ranks[block] = said.2;
            });
            (found.reason, found.place)
        };
        // Drawn vertices are said to be won by either side, won ones to be drawn or lost.
        let drawn = block((1, 1, NEVER));
        for said in [(2, 2, 40), (0, 0, 40)] {
            let (reason, place) = change(drawn, said);
            assert!(
                [UnwitnessedBound, RankDoesNotFall].contains(&reason),
                "{place}"
            );
        }
        for rank in [1, 2, 3, 16, 31] {
            let won = block((2, 2, rank));
            // It may be told of a vertex that rests on this one.
            let wanted = [LeakingSet, UnwitnessedBound, RankDoesNotFall];
            for said in [(1, 1, NEVER), (0, 0, rank)] {
                let (reason, place) = change(won, said);
                assert!(wanted.contains(&reason), "{place}");
            }
            // A rank that is too small does not fall.
            if rank > 1 {
                for smaller in [1, rank - 1] {
                    let (reason, place) = change(won, (2, 2, smaller));
                    assert_eq!(reason, RankDoesNotFall, "{place}");
                }
            }
        }
    }

    #[test]
    fn lists_trees_and_counts_are_those_of_the_claim() {
        type Change = fn(&mut Case);
        use Reason::{
            MalformedTree, UnknownFeature, WrongCount, WrongInterval, WrongNumberOfBlocks,
            WrongNumberOfStates, WrongRank,
        };
        let changes: [(Change, Reason, &str); 18] = [
            (|c| c.content.states += 1, WrongNumberOfStates, "states: "),
            (
                |c| c.content.edges += 1,
                WrongCount,
                "edges: stored 558817, found 558816",
            ),
            (|c| c.content.edges = 0, WrongCount, "edges: "),
            (
                |c| c.decided += 1,
                WrongCount,
                "decided: stored 50016, found 50015",
            ),
            (|c| c.decided = 0, WrongCount, "decided: "),
            (|c| c.blocks += 1, WrongCount, "blocks: "),
            (|c| c.blocks = 0, WrongCount, "blocks: stored 0, "),
            (|c| c.content.lower.push(2), WrongNumberOfBlocks, "lower: "),
            (|c| c.content.lower.clear(), WrongNumberOfBlocks, "lower: "),
            (|c| c.content.upper.push(2), WrongNumberOfBlocks, "upper: "),
            (
                |c| c.content.ranks.truncate(1),
                WrongNumberOfBlocks,
                "ranks: ",
            ),
            (|c| c.content.upper[7] = 3, WrongInterval, "block 7 (line "),
            (|c| c.content.ranks[7] = 0, WrongRank, "block 7 (line "),
            (|c| c.content.ranks[7] = NEVER, WrongRank, "block 7 (line "),
            (
                |c| c.content.tree.push("leaf".to_string()),
                MalformedTree,
                "tree: line ",
            ),
            (
                |c| c.content.tree.truncate(9),
                MalformedTree,
                "tree: line 9: ",
            ),
            (
                |c| c.content.tree[0] = "b1 <= 0".to_string(),
                UnknownFeature,
                "tree: line 0: b1",
            ),
            (|c| c.content.tree.clear(), MalformedTree, "tree: line 0: "),
        ];
        for (change, wanted, place) in changes {
            let found = LONG.refusal(change);
            assert_eq!(found.reason, wanted, "{found}");
            assert!(found.place.starts_with(place), "{found}");
        }
        // Children that are not needed.
        let child = Child {
            claim: "endgame KQK board dtm".to_string(),
            id: Id::from_bytes([1; 32]),
        };
        let found = check(
            &LONG.claim(),
            vec![child],
            &LONG.content,
            &mut Tables::default(),
        );
        assert_eq!(found.unwrap_err().reason, Reason::WrongChildren);
    }

    #[test]
    fn the_first_failure_is_told() {
        type Change = fn(&mut Case);
        use Reason::{
            LeakingSet, MalformedTree, MixedBlock, RankDoesNotFall, UnusedBlock, UnwitnessedBound,
            WrongCount, WrongInterval, WrongNumberOfBlocks, WrongNumberOfStates,
        };
        let steps: [(Change, &[Reason]); 8] = [
            (|c| c.content.states = 0, &[WrongNumberOfStates]),
            (|c| c.content.tree.push("x".to_string()), &[MalformedTree]),
            (|c| c.blocks = 1, &[WrongCount]),
            (|c| c.content.ranks.push(1), &[WrongNumberOfBlocks]),
            (|c| c.content.lower[9] = 9, &[WrongInterval]),
            (
                |c| c.content.tree[0] = "side <= 1".to_string(),
                &[MixedBlock, UnusedBlock],
            ),
            // With White to move he does not win, says the first block.
            (
                |c| {
                    (c.content.lower[0], c.content.upper[0], c.content.ranks[0]) = (1, 1, NEVER);
                },
                &[LeakingSet, RankDoesNotFall, UnwitnessedBound],
            ),
            (|c| c.decided = 0, &[WrongCount]),
        ];
        for first in 0..steps.len() {
            let found = LONG.reason(|case| {
                for (change, _) in &steps[first..] {
                    change(case);
                }
            });
            assert!(steps[first].1.contains(&found), "{first}: {found}");
        }
    }

    #[test]
    fn no_changed_byte_around_the_tree_is_accepted() {
        let payload = SHORT.certificate().payload();
        let mut seed = 1_u64;
        let mut draw = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        // In another tree, and with larger ranks, what is said may be true as well. Before the tree and in the bounds it is not.
        let ranks = payload.len() - 8 - 2 * SHORT.blocks;
        for number in 0..40 {
            let place = match number % 2 {
                0 => draw(100),
                _ => ranks - 1 - draw(2 * SHORT.blocks + 16),
            };
            let mut changed = payload.clone();
            changed[place] ^= 1 << draw(8);
            if let Ok((claim, named, Body::Abstraction(content))) =
                payload::read(CertificateKind::Abstraction, changed)
            {
                let found = check(&claim, named, &content, &mut Tables::default());
                // Another horizon is another claim, which is true as well.
                let is_horizon = claim.as_bytes().get(place - 8)
                    != SHORT.claim().as_bytes().get(place - 8)
                    && claim.find("horizon").is_some_and(|at| at + 8 == place - 8);
                assert!(found.is_err() || is_horizon, "byte {place}");
            }
        }
    }

    #[test]
    fn a_class_with_children() {
        let mut session = Session::new();
        let folder = env!("CARGO_MANIFEST_DIR");
        let named = ["KQK", "KRK"].map(|name| {
            let file = std::fs::read(format!("{folder}/certificates/{name}.bin")).unwrap();
            let certificate = read(&mut file.as_slice()).unwrap();
            session.verify(&certificate).unwrap();
            let (claim, id) = (certificate.claim, certificate.id);
            Child { claim, id }
        });
        let children = named
            .iter()
            .map(|child| session.tables_mut().states_of(child));
        let children = children.collect::<Result<Vec<_>, _>>().unwrap();
        let (states, _) = States::of(&material_of("KPK"), named.to_vec());
        let graph = Graph::of(Class::of(&states, &children));
        // First it is only known that White does not lose.
        let tree = "side <= 0; rank w1 <= 6; leaf; distance w1 bK <= 2; leaf; moves <= 5; leaf; \
            distance wK bK <= 2; leaf; leaf; leaf";
        let case = Case {
            class: "KPK",
            horizon: 1,
            decided: 0,
            blocks: 6,
            content: Abstraction {
                states: graph.states() as u64,
                edges: graph.labels_and_edges().1,
                en_passant_states: None,
                tree: tree.split("; ").map(str::to_string).collect(),
                lower: vec![1; 6],
                upper: vec![2; 6],
                ranks: vec![NEVER; 6],
            },
        };
        let verify = |case: &Case, named: &[Child], session: &mut Session| {
            let body = Body::Abstraction(case.content.clone());
            let made = Certificate::made_of(Encoding::Json, case.claim(), named.to_vec(), body);
            session.verify(&made)
        };
        let found = verify(&case, &named, &mut session).unwrap();
        assert_eq!((found.states, found.edges), (165_676, 1_111_291));
        // Far from the pawn and from White's king, where it is no stalemate, a queen wins in a child at once.
        let mut won = case.clone();
        (won.content.lower[4], won.content.ranks[4]) = (2, 1);
        let found = verify(&won, &named, &mut session).unwrap_err();
        assert_eq!(found.reason, Reason::WrongCount, "{found}");
        let decided = found.place.rsplit(' ').next().unwrap().parse().unwrap();
        won.decided = decided;
        assert!(decided > 1_000 && verify(&won, &named, &mut session).is_ok());
        // Near the pawn it is not always so.
        let mut near = won.clone();
        (near.content.lower[1], near.content.ranks[1]) = (2, 1);
        let found = verify(&near, &named, &mut session).unwrap_err();
        assert_eq!(found.reason, Reason::UnwitnessedBound, "{found}");
        // The children are needed, in order, verified, and with the right ids.
        let refusal = |session: &mut Session, named: &[Child]| {
            verify(&won, named, session).unwrap_err().reason
        };
        assert_eq!(
            refusal(&mut Session::new(), &named),
            Reason::MissingChildren
        );
        let swapped = [named[1].clone(), named[0].clone()];
        for named in [&named[..1], &named[1..], &[], &swapped] {
            assert_eq!(refusal(&mut session, named), Reason::WrongChildren);
        }
        let mut other = named.clone();
        other[1].id = other[0].id;
        assert_eq!(refusal(&mut session, &other), Reason::WrongChild);
        // What children say matters: if all is drawn there, a promotion wins nothing.
        let mut tables = Tables::default();
        for child in &named {
            let material = material_of_endgame(&child.claim).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(vec![255; census.states as usize], Vec::new());
            tables.add(child.id, states);
        }
        let found = check(&won.claim(), named.to_vec(), &won.content, &mut tables);
        assert_eq!(found.unwrap_err().reason, Reason::UnwitnessedBound);
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn en_passant_states_are_vertices() {
        let material = material_of("KPKP");
        // All states of children are drawn here: their bytes do not matter where no bound is said.
        let (mut named, mut tables) = (Vec::new(), Tables::default());
        for (number, child) in (0..).zip(material.needed_children()) {
            let id = Id::from_bytes([number; 32]);
            let material = material_of_endgame(&child).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(vec![255; census.states as usize], Vec::new());
            tables.add(id, states);
            named.push(Child { claim: child, id });
        }
        let (_, census) = States::of(&material, Vec::new());
        let tree =
            "side <= 0; en_passant <= 0; leaf; leaf; en_passant <= 0; end <= 0; leaf; leaf; leaf";
        let case = Case {
            class: "KPKP",
            horizon: 7,
            decided: 0,
            blocks: 5,
            content: Abstraction {
                states: census.states,
                edges: 0,
                en_passant_states: Some(census.en_passant_states),
                tree: tree.split("; ").map(str::to_string).collect(),
                lower: vec![0; 5],
                upper: vec![2; 5],
                ranks: vec![NEVER; 5],
            },
        };
        let mut refusal = |case: &Case| {
            check(&case.claim(), named.clone(), &case.content, &mut tables).unwrap_err()
        };
        // There is nothing to refuse but the number of edges, which are those of states.
        let found = refusal(&case);
        assert_eq!(found.reason, Reason::WrongCount, "{found}");
        assert!(
            found.place.starts_with("edges: stored 0, found "),
            "{found}"
        );
        for wrong in [0, census.en_passant_states + 1] {
            let mut changed = case.clone();
            changed.content.en_passant_states = Some(wrong);
            let found = refusal(&changed);
            assert_eq!(found.reason, Reason::WrongNumberOfStates);
            assert!(found.place.starts_with("en_passant_states: "), "{found}");
        }
        // An en-passant state is never an end, has no file above the eighth, and belongs to one side.
        for (line, changed_line, wanted) in [
            (4, "en_passant <= 8", Reason::UnusedBlock),
            (0, "side <= 1", Reason::MixedBlock),
        ] {
            let mut changed = case.clone();
            changed.content.tree[line] = changed_line.to_string();
            let found = refusal(&changed);
            assert_eq!(found.reason, wanted, "{found}");
        }
        // They are vertices like others: a bound that is false for them is refused.
        let mut changed = case.clone();
        (changed.content.lower[1], changed.content.ranks[1]) = (2, 1);
        let found = refusal(&changed);
        assert_eq!(found.reason, Reason::UnwitnessedBound, "{found}");
        assert!(found.place.contains(" w - "), "{found}");
        // But they are not counted among the states that are decided. With all children drawn, White holds there.
        let mut changed = case.clone();
        changed.content.lower = vec![1; 5];
        changed.content.upper = vec![1; 5];
        let found = refusal(&changed);
        let wanted = [Reason::WrongCount, Reason::UnwitnessedBound];
        assert!(wanted.contains(&found.reason), "{found}");
    }
}
