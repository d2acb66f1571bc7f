//! A decision tree: the questions that lead from a vertex to its block.
//!
//! Its lines stand in preorder: behind a question comes the tree of those for which the answer is yes, and behind that the
//! tree of the others. So the next line is where *yes* leads, and where *no* leads is known when the first tree is whole.
//! Lines are read one after the other, without recursion: a tree of any depth needs no more than its own memory.
//!
//! Source: `docs/certificate-format.md`, *Blocks*.

use super::abstraction_claim::number;
use super::features::{ValuesAt, number_of};
use super::{Reason, Refusal};

/// The deepest that a line may stand, the first one at 0.
const GREATEST_DEPTH: usize = 4_096;

/// A tree.
///
/// Invariant: a question is followed by the lines of both its answers, of which `no` is the second. Leaves are numbered as
/// they come.
pub(super) struct DecisionTree {
    nodes: Vec<Node>,
    leaves: u32,
}

/// A line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    /// A leaf with the number of its block.
    Leaf(u32),
    /// Whether a feature is at most a number. If it is, the next line follows; if not, that with another number.
    Question { feature: u16, most: u8, no: u32 },
}

/// A question whose second tree has not begun.
struct Open {
    line: usize,
    depth: usize,
}

impl DecisionTree {
    /// Step 5: the tree that these lines are.
    pub(super) fn of(lines: &[String]) -> Result<DecisionTree, Refusal> {
        let mut tree = DecisionTree {
            nodes: Vec::new(),
            leaves: 0,
        };
        let mut open: Vec<Open> = Vec::new();
        // How deep the next line stands; nowhere when the tree is whole.
        let mut depth = Some(0);
        for (line, text) in lines.iter().enumerate() {
            let refusal = |reason| {
                let place = format_args!("tree: line {line}: {text}");
                Err(Refusal::new(reason, place))
            };
            let Some(here) = depth else {
                return refusal(Reason::MalformedTree);
            };
            if here > GREATEST_DEPTH {
                return refusal(Reason::TreeTooDeep);
            }
            match tree.line_of(text) {
                Err(reason) => return refusal(reason),
                Ok(node) => tree.nodes.push(node),
            }
            depth = match tree.nodes.last() {
                Some(Node::Question { .. }) => {
                    open.push(Open { line, depth: here });
                    Some(here + 1)
                }
                // The first tree of the last open question is whole, and its second one begins.
                _ => open.pop().map(|question| {
                    if let Some(Node::Question { no, .. }) = tree.nodes.get_mut(question.line) {
                        *no = line as u32 + 1;
                    }
                    question.depth + 1
                }),
            };
        }
        if depth.is_some() {
            let place = format_args!(
                "tree: line {}: it is missing, the lines end here",
                lines.len()
            );
            return Err(Refusal::new(Reason::MalformedTree, place));
        }
        Ok(tree)
    }

    /// What a line says; where *no* leads is not known yet.
    fn line_of(&mut self, text: &str) -> Result<Node, Reason> {
        if text == "leaf" {
            let block = self.leaves;
            self.leaves += 1;
            return Ok(Node::Leaf(block));
        }
        let (feature, most) = text.split_once(" <= ").ok_or(Reason::MalformedTree)?;
        let most = number(most).and_then(|most| u8::try_from(most).ok());
        let most = most.ok_or(Reason::MalformedTree)?;
        let feature = number_of(feature).ok_or(Reason::UnknownFeature)?;
        Ok(Node::Question {
            feature,
            most,
            no: 0,
        })
    }

    /// The number of leaves, which is that of the blocks.
    pub(super) fn leaves(&self) -> u32 {
        self.leaves
    }

    /// The block of a vertex with these values.
    pub(super) fn block(&self, values: &mut ValuesAt) -> u32 {
        let mut line = 0;
        loop {
            match self.nodes.get(line) {
                Some(&Node::Question { feature, most, no }) => {
                    line = match values.of(feature) <= most {
                        true => line + 1,
                        false => no as usize,
                    };
                }
                Some(&Node::Leaf(block)) => return block,
                // A tree is whole, so this is never reached.
                None => return 0,
            }
        }
    }

    /// A block, for people to read.
    pub(super) fn named(&self, block: usize) -> String {
        let leaf = Node::Leaf(block as u32);
        let line = self.nodes.iter().position(|&node| node == leaf);
        match line {
            Some(line) => format!("block {block} (line {line} of the tree)"),
            None => format!("block {block}"),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::claim::material_of_endgame;
    use super::super::features::Values;
    use super::super::man::Side;
    use super::super::position::Position;
    use super::super::squares::Squares;
    use super::*;

    /// The lines of a text in which they are separated by semicolons.
    pub(in super::super) fn lines(text: &str) -> Vec<String> {
        text.split("; ").map(str::to_string).collect()
    }

    fn refusal(lines: &[String]) -> Refusal {
        match DecisionTree::of(lines) {
            Err(refusal) => refusal,
            Ok(_) => panic!("{lines:?}"),
        }
    }

    #[test]
    fn lines_stand_in_preorder() {
        let tree =
            "side <= 0; file wK <= 3; leaf; leaf; check <= 0; leaf; moves <= 255; leaf; leaf";
        let tree = DecisionTree::of(&lines(tree)).unwrap();
        assert_eq!(tree.leaves(), 5);
        let nos: Vec<u32> = tree
            .nodes
            .iter()
            .map(|node| match node {
                Node::Leaf(block) => 100 + block,
                Node::Question { no, .. } => *no,
            })
            .collect();
        assert_eq!(nos, [4, 3, 100, 101, 6, 102, 8, 103, 104]);
        assert_eq!(tree.named(2), "block 2 (line 5 of the tree)");
        let alone = DecisionTree::of(&lines("leaf")).unwrap();
        assert_eq!((alone.leaves(), alone.nodes.len()), (1, 1));
    }

    #[test]
    fn a_vertex_goes_to_the_block_of_its_values() {
        let tree = "side <= 0; file wK <= 3; leaf; leaf; check <= 0; leaf; moves <= 0; leaf; leaf";
        let tree = DecisionTree::of(&lines(tree)).unwrap();
        let material = material_of_endgame("endgame KRK board dtm").unwrap();
        let mut values = Values::new();
        for (squares, to_move, block) in [
            // White Kc2 or Kd2, Black Ka1, the rook somewhere.
            ([10, 45, 0], Side::White, 0),
            ([11, 45, 0], Side::White, 1),
            // The rook gives check on h1, from which there is a way and is none, or does not.
            ([10, 45, 0], Side::Black, 2),
            ([11, 7, 0], Side::Black, 4),
            ([17, 7, 0], Side::Black, 3),
        ] {
            let position = Position::new(&material, Squares::of(squares), to_move).unwrap();
            assert_eq!(tree.block(&mut values.at(&position)), block);
        }
    }

    #[test]
    fn other_lines_are_refused() {
        use Reason::{MalformedTree, UnknownFeature};
        for (text, line, reason) in [
            ("", 0, MalformedTree),
            ("Leaf", 0, MalformedTree),
            ("leaf ", 0, MalformedTree),
            (" leaf", 0, MalformedTree),
            ("leaf; leaf", 1, MalformedTree),
            ("side <= 0", 1, MalformedTree),
            ("side <= 0; leaf", 2, MalformedTree),
            ("side <= 0; leaf; leaf; leaf", 3, MalformedTree),
            ("side <= 0; leaf; leaf; nonsense", 3, MalformedTree),
            ("side <= 0; side <= 0; leaf; leaf", 4, MalformedTree),
            ("side; leaf; leaf", 0, MalformedTree),
            ("side <= ; leaf; leaf", 0, MalformedTree),
            ("side <= 00; leaf; leaf", 0, MalformedTree),
            ("side <= 01; leaf; leaf", 0, MalformedTree),
            ("side <= 256; leaf; leaf", 0, MalformedTree),
            ("side <= -1; leaf; leaf", 0, MalformedTree),
            ("side <= +1; leaf; leaf", 0, MalformedTree),
            ("side <= 1 ; leaf; leaf", 0, MalformedTree),
            ("side <=  1; leaf; leaf", 0, MalformedTree),
            ("side <= 0 <= 1; leaf; leaf", 0, MalformedTree),
            ("side <= 03; leaf; leaf", 0, MalformedTree),
            ("side <= +3; leaf; leaf", 0, MalformedTree),
            ("side <= 0x1; leaf; leaf", 0, MalformedTree),
            ("side <= 3.0; leaf; leaf", 0, MalformedTree),
            ("side <= 3 men; leaf; leaf", 0, MalformedTree),
            ("side <= 65536; leaf; leaf", 0, MalformedTree),
            ("side <=\t0; leaf; leaf", 0, MalformedTree),
            ("leaf 0; leaf", 0, MalformedTree),
            ("side<= 0; leaf; leaf", 0, MalformedTree),
            ("side <=0; leaf; leaf", 0, MalformedTree),
            ("side < 0; leaf; leaf", 0, MalformedTree),
            ("side <= 4294967296; leaf; leaf", 0, MalformedTree),
            ("nonsense <= 256; leaf; leaf", 0, MalformedTree),
            // What stands before a good question is asked last.
            ("nonsense <= 255; leaf; leaf", 0, UnknownFeature),
            ("leaf <= 0; leaf; leaf", 0, UnknownFeature),
            (" <= 0; leaf; leaf", 0, UnknownFeature),
            ("side  <= 0; leaf; leaf", 0, UnknownFeature),
            (" side <= 0; leaf; leaf", 0, UnknownFeature),
            ("file  w1 <= 0; leaf; leaf", 0, UnknownFeature),
            ("box wK <= 0; leaf; leaf", 0, UnknownFeature),
            (
                "side <= 0; leaf; distance bK wK <= 1; leaf; leaf",
                2,
                UnknownFeature,
            ),
            // The first line that is wrong is told.
            ("side <= 0; x <= 1; nonsense", 1, UnknownFeature),
        ] {
            let found = refusal(&lines(text));
            assert_eq!(found.reason, reason, "{text}");
            let place = format!("tree: line {line}: ");
            assert!(found.place.starts_with(&place), "{text}: {found}");
        }
        assert_eq!(refusal(&[]).reason, MalformedTree);
        let long = "x".repeat(1 << 20) + " <= 1";
        assert!(refusal(&[long]).place.len() < 300);
    }

    /// A tree of one branch, whose last leaves are as deep as is said. In the middle it turns to the other side.
    fn branch(depth: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for question in 0..depth {
            lines.push("side <= 0".to_string());
            if question >= depth / 2 {
                lines.push("leaf".to_string());
            }
        }
        lines.extend((0..=depth / 2).map(|_| "leaf".to_string()));
        lines
    }

    #[test]
    fn a_tree_is_not_deeper_than_the_page_allows() {
        for depth in [1, 2, 3, 4_095, 4_096] {
            let tree = DecisionTree::of(&branch(depth)).unwrap();
            assert_eq!(tree.leaves() as usize, depth + 1);
        }
        let found = refusal(&branch(4_097));
        assert_eq!(found.reason, Reason::TreeTooDeep);
        // The depth comes before what stands in the line.
        let mut deep = vec!["side <= 0".to_string(); 4_097];
        deep.push("nonsense".to_string());
        let found = refusal(&deep);
        assert_eq!(found.reason, Reason::TreeTooDeep);
        assert_eq!(found.place, "tree: line 4097: nonsense");
        // A line that is not there has no depth.
        assert_eq!(refusal(&deep[..4_097]).reason, Reason::MalformedTree);
        let endless = vec!["side <= 0".to_string(); 1_000_000];
        assert_eq!(refusal(&endless).reason, Reason::TreeTooDeep);
    }
}
