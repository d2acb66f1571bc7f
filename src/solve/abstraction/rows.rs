//! What is known of every vertex without looking at moves: a row of small numbers, its features.

use super::tree::FeatureIndex;
use crate::game::StateIndex;

/// The features of all vertices, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    width: usize,
    values: Vec<u8>,
}

impl Rows {
    /// Rows of so many features, one after the other.
    ///
    /// # Panics
    ///
    /// If the last row is not whole, or if there are 65,535 features or more.
    pub fn new(width: usize, values: Vec<u8>) -> Rows {
        assert!(
            width < usize::from(FeatureIndex::MAX),
            "features have 16 bits"
        );
        assert!(
            width > 0 && values.len().is_multiple_of(width),
            "every row is whole"
        );
        Rows { width, values }
    }

    /// How many features there are.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.width
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The features of a vertex.
    pub fn of(&self, vertex: StateIndex) -> &[u8] {
        let start = vertex.get() * self.width;
        &self.values[start..start + self.width]
    }
}
