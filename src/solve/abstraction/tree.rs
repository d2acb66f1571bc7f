//! Decision trees over small numbers: the signature that says which block a vertex belongs to.

use crate::game::StateIndex;

/// The number of a feature: its place in a row.
pub type FeatureIndex = u16;

/// Whether a feature is at most some number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Question {
    /// The feature.
    pub feature: FeatureIndex,
    /// The number.
    pub most: u8,
}

impl Question {
    /// The answer for a row.
    pub fn is_so(self, row: &[u8]) -> bool {
        row[usize::from(self.feature)] <= self.most
    }
}

/// Two vertices of a block that behave differently, because of which it was split: from the first one something can be
/// forced within the horizon that cannot be forced from the other one.
pub type Counterexample = [StateIndex; 2];

/// A line of a tree in preorder: a question, behind it what follows if the answer is yes, then if it is no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A block.
    Leaf,
    /// A question, and why it is asked (`None` if the tree was learned elsewhere).
    Test(Question, Option<Counterexample>),
}

/// The number of a node.
pub(super) type NodeIndex = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Leaf,
    Test {
        question: Question,
        why: Option<Counterexample>,
        /// Where the answer is yes, and where it is no.
        next: [NodeIndex; 2],
    },
}

/// A decision tree. Nodes that were cut off may remain; nothing leads to them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionTree {
    nodes: Vec<Node>,
}

impl Default for DecisionTree {
    fn default() -> DecisionTree {
        DecisionTree {
            nodes: vec![Node::Leaf],
        }
    }
}

impl DecisionTree {
    pub(super) const ROOT: NodeIndex = 0;

    /// The tree with these lines; `None` if they are not those of a tree.
    pub fn of(lines: &[Line]) -> Option<DecisionTree> {
        let mut tree = DecisionTree::default();
        let mut open = vec![DecisionTree::ROOT];
        for &line in lines {
            let node = open.pop()?;
            if let Line::Test(question, why) = line {
                let [yes, no] = tree.split(node, question, why);
                open.extend([no, yes]);
            }
        }
        open.is_empty().then_some(tree)
    }

    /// The lines of the tree.
    pub fn lines(&self) -> Vec<Line> {
        let line = |(node, _)| match self.node(node) {
            Node::Leaf => Line::Leaf,
            Node::Test { question, why, .. } => Line::Test(question, why),
        };
        self.preorder(DecisionTree::ROOT)
            .into_iter()
            .map(line)
            .collect()
    }

    /// How many questions are asked at most.
    pub fn depth(&self) -> u32 {
        let nodes = self.preorder(DecisionTree::ROOT).into_iter();
        nodes.map(|(_, depth)| depth).max().unwrap_or(0)
    }

    /// The number of the block of a row: leaves are numbered in the order of the lines.
    pub fn block_of(&self) -> impl Fn(&[u8]) -> u32 + '_ {
        let mut numbers = vec![u32::MAX; self.nodes.len()];
        let nodes = self.preorder(DecisionTree::ROOT).into_iter();
        let leaves = nodes.filter(|&(node, _)| self.node(node) == Node::Leaf);
        for (number, (leaf, _)) in leaves.enumerate() {
            numbers[leaf as usize] = number as u32;
        }
        move |row| numbers[self.leaf(DecisionTree::ROOT, row) as usize]
    }

    /// How many nodes there are, with those that were cut off.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, node: NodeIndex) -> Node {
        self.nodes[node as usize]
    }

    /// Puts something else in the place of a node.
    pub(super) fn set(&mut self, node: NodeIndex, content: Node) {
        self.nodes[node as usize] = content;
    }

    /// Asks a question at a leaf, and gives the two new leaves, for yes and for no.
    pub(super) fn split(
        &mut self,
        leaf: NodeIndex,
        question: Question,
        why: Option<Counterexample>,
    ) -> [NodeIndex; 2] {
        let first = self.nodes.len() as NodeIndex;
        let next = [first, first + 1];
        self.nodes.extend([Node::Leaf; 2]);
        self.set(
            leaf,
            Node::Test {
                question,
                why,
                next,
            },
        );
        next
    }

    /// The leaf below a node that a row leads to.
    pub(super) fn leaf(&self, below: NodeIndex, row: &[u8]) -> NodeIndex {
        let mut node = below;
        while let Node::Test {
            question,
            next: [yes, no],
            ..
        } = self.node(node)
        {
            node = if question.is_so(row) { yes } else { no };
        }
        node
    }

    /// The nodes from one downwards in preorder, with their depths below it.
    pub(super) fn preorder(&self, from: NodeIndex) -> Vec<(NodeIndex, u32)> {
        let mut found = Vec::new();
        let mut open = vec![(from, 0)];
        while let Some((node, depth)) = open.pop() {
            found.push((node, depth));
            if let Node::Test {
                next: [yes, no], ..
            } = self.node(node)
            {
                open.extend([(no, depth + 1), (yes, depth + 1)]);
            }
        }
        found
    }

    /// The leaves below a node.
    pub(super) fn leaves(&self, below: NodeIndex) -> Vec<NodeIndex> {
        let nodes = self.preorder(below).into_iter().map(|(node, _)| node);
        nodes
            .filter(|&node| self.node(node) == Node::Leaf)
            .collect()
    }

    /// The same tree without the leaves that no vertex reaches, and without what was cut off: a question of which one
    /// answer is never given is not asked. Also says which leaf each leaf has become.
    pub(super) fn tidied(
        &self,
        is_reached: impl Fn(NodeIndex) -> bool,
    ) -> (DecisionTree, Vec<NodeIndex>) {
        let order = self.preorder(DecisionTree::ROOT);
        // What stands in the place of each node, nothing where no vertex comes.
        let mut remains: Vec<Option<NodeIndex>> = vec![None; self.nodes.len()];
        for &(node, _) in order.iter().rev() {
            remains[node as usize] = match self.node(node) {
                Node::Leaf => is_reached(node).then_some(node),
                Node::Test {
                    next: [yes, no], ..
                } => match (remains[yes as usize], remains[no as usize]) {
                    (Some(_), Some(_)) => Some(node),
                    (one, other) => one.or(other),
                },
            };
        }
        let mut tidy = DecisionTree::default();
        let mut became = vec![NodeIndex::MAX; self.nodes.len()];
        let mut open = vec![(remains[DecisionTree::ROOT as usize], DecisionTree::ROOT)];
        while let Some((old, new)) = open.pop() {
            let Some(old) = old else { continue };
            match self.node(old) {
                Node::Leaf => became[old as usize] = new,
                Node::Test {
                    question,
                    why,
                    next,
                } => {
                    let [yes, no] = tidy.split(new, question, why);
                    let [old_yes, old_no] = next.map(|node| remains[node as usize]);
                    open.extend([(old_no, no), (old_yes, yes)]);
                }
            }
        }
        (tidy, became)
    }
}
