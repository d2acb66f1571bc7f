//! The nodes of a strategy or a refutation, as they stand in a list of bytes.
//!
//! Nothing is said here of positions. What is judged is that the bytes are whole nodes, and that each reference is a leaf or
//! the number of a node before: so there are no circles, and whoever goes through the nodes from the last to the first has
//! met every reference to a node before he comes to it.
//!
//! Source: `docs/certificate-format.md`, *Kind 5: mate*.

use super::{Move, Reason, Refusal};

/// The reference of a leaf.
pub(super) const LEAF: u32 = u32::MAX;

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Node<'a> {
    /// One move counts: the move, and the reference to the position after it.
    One(Move, u32),
    /// All moves count: a reference, in four bytes, for each legal move in order.
    All(&'a [[u8; 4]]),
}

impl Node<'_> {
    /// The references.
    pub(super) fn references(self) -> impl Iterator<Item = u32> {
        let (one, all): (_, &[[u8; 4]]) = match self {
            Node::One(_, reference) => (Some(reference), &[]),
            Node::All(references) => (None, references),
        };
        one.into_iter()
            .chain(all.iter().map(|&bytes| u32::from_le_bytes(bytes)))
    }
}

/// The nodes of a graph. Invariant: `starts` has the place of each node, where a whole one stands.
pub(super) struct Nodes<'a> {
    /// What the graph is called in places.
    pub(super) name: &'static str,
    bytes: &'a [u8],
    starts: Vec<usize>,
    /// How many references the nodes have.
    pub(super) references: u64,
}

impl<'a> Nodes<'a> {
    /// The nodes that these bytes are.
    pub(super) fn of(name: &'static str, bytes: &'a [u8]) -> Result<Nodes<'a>, Refusal> {
        let mut starts = Vec::new();
        let mut references = 0;
        let mut at = 0;
        while at < bytes.len() {
            let number = starts.len();
            let Some((node, end)) = node_at(bytes, at) else {
                let place = format_args!("{name} node {number}, byte {at}: it is not whole");
                return Err(Refusal::new(Reason::MalformedPayload, place));
            };
            for reference in node.references() {
                references += 1;
                if reference != LEAF && u64::from(reference) >= number as u64 {
                    let place = format_args!("{name} node {number}: refers to node {reference}");
                    return Err(Refusal::new(Reason::RankDoesNotFall, place));
                }
            }
            starts.push(at);
            at = end;
        }
        Ok(Nodes {
            name,
            bytes,
            starts,
            references,
        })
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The nodes with their numbers, from the last to the first.
    pub(super) fn backwards(&self) -> impl Iterator<Item = (u32, Node<'a>)> {
        self.numbered().rev()
    }

    /// The nodes with their numbers. (A number that is not below that of a leaf could not be referred to; no payload is
    /// large enough for one.)
    fn numbered(&self) -> impl DoubleEndedIterator<Item = (u32, Node<'a>)> {
        let numbers = 0..u32::try_from(self.starts.len()).unwrap_or(LEAF);
        numbers.filter_map(|number| {
            let (node, _) = node_at(self.bytes, *self.starts.get(number as usize)?)?;
            Some((number, node))
        })
    }

    /// The plies of each node: one more than the most of those that it refers to, where a leaf has none.
    pub(super) fn plies(&self) -> Vec<u32> {
        let mut plies: Vec<u32> = Vec::new();
        for (_, node) in self.numbered() {
            let most = node
                .references()
                .map(|reference| plies_of(&plies, reference));
            plies.push(most.max().unwrap_or(0).saturating_add(1));
        }
        plies
    }

    /// Refuses a reference of a root that is no leaf and no node.
    pub(super) fn check_root(&self, number: usize, reference: u32) -> Result<(), Refusal> {
        if reference == LEAF || (reference as usize) < self.len() {
            return Ok(());
        }
        let (name, len) = (self.name, self.len());
        let place =
            format_args!("{name}_roots entry {number}: node {reference}, there are {len} nodes");
        Err(Refusal::new(Reason::WrongRoots, place))
    }
}

/// The plies of what is referred to.
pub(super) fn plies_of(plies: &[u32], reference: u32) -> u32 {
    plies.get(reference as usize).copied().unwrap_or(0)
}

/// The node that stands at a place, and where it ends; none if it is not whole.
fn node_at(bytes: &[u8], at: usize) -> Option<(Node<'_>, usize)> {
    let (&count, rest) = bytes.get(at..)?.split_first()?;
    if count == 0 {
        let (&[a, b, c, d, e, f], _) = rest.split_first_chunk::<6>()?;
        let stored = Move::from_bits(u16::from_le_bytes([a, b]));
        let reference = u32::from_le_bytes([c, d, e, f]);
        return Some((Node::One(stored, reference), at + 7));
    }
    let size = 4 * usize::from(count);
    let (references, _) = rest.get(..size)?.as_chunks::<4>();
    Some((Node::All(references), at + 1 + size))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The bytes of a node with one move.
    pub(in super::super) fn one(text: &str, reference: u32) -> Vec<u8> {
        let stored = text.parse().unwrap_or(Move::NONE);
        let mut bytes = vec![0];
        bytes.extend(stored.bits().to_le_bytes());
        bytes.extend(reference.to_le_bytes());
        bytes
    }

    /// The bytes of a node with all moves.
    pub(in super::super) fn all(references: &[u32]) -> Vec<u8> {
        let mut bytes = vec![references.len() as u8];
        bytes.extend(references.iter().flat_map(|r| r.to_le_bytes()));
        bytes
    }

    fn reason(bytes: &[u8]) -> Reason {
        Nodes::of("strategy", bytes).err().unwrap().reason
    }

    #[test]
    fn nodes_are_read_and_counted() {
        let bytes = [one("e1g1", LEAF), all(&[0, LEAF, 0]), all(&[1]), one("", 2)].concat();
        let nodes = Nodes::of("strategy", &bytes).unwrap();
        assert_eq!((nodes.len(), nodes.references), (4, 6));
        let found: Vec<(u32, Vec<u32>)> = nodes
            .backwards()
            .map(|(number, node)| (number, node.references().collect()))
            .collect();
        let wanted = [
            (3, vec![2]),
            (2, vec![1]),
            (1, vec![0, LEAF, 0]),
            (0, vec![LEAF]),
        ];
        assert_eq!(found, wanted);
        let moves = nodes.backwards().map(|(_, node)| match node {
            Node::One(stored, _) => stored.to_string(),
            Node::All(_) => String::new(),
        });
        assert_eq!(moves.collect::<Vec<_>>(), ["no move", "", "", "e1g1"]);
        assert_eq!(nodes.plies(), [1, 2, 3, 4]);
        assert_eq!(plies_of(&nodes.plies(), LEAF), 0);
        assert!(nodes.check_root(0, 3).is_ok() && nodes.check_root(0, LEAF).is_ok());
        for reference in [4, 5, LEAF - 1] {
            let refusal = nodes.check_root(7, reference).unwrap_err();
            assert_eq!(refusal.reason, Reason::WrongRoots);
        }
        assert_eq!(Nodes::of("strategy", &[]).unwrap().len(), 0);
    }

    #[test]
    fn nodes_are_whole() {
        let bytes = [one("e1g1", LEAF), all(&[0, LEAF, 0])].concat();
        for length in (1..bytes.len()).filter(|&length| length != 7) {
            assert_eq!(reason(&bytes[..length]), Reason::MalformedPayload);
        }
        assert_eq!(reason(&[255]), Reason::MalformedPayload);
        let most = all(&[LEAF; 255]);
        assert_eq!(Nodes::of("strategy", &most).unwrap().references, 255);
    }

    #[test]
    fn references_fall() {
        for bytes in [
            one("e1g1", 0),
            one("e1g1", 1),
            one("e1g1", LEAF - 1),
            all(&[LEAF, 0]),
            [one("e1g1", LEAF), all(&[0, 1])].concat(),
            [one("e1g1", LEAF), all(&[0, 2])].concat(),
        ] {
            assert_eq!(reason(&bytes), Reason::RankDoesNotFall);
        }
    }
}
