//! Where captures and promotions lead: into a child, in what order its tuple names the men, or into the draw sink.
//!
//! What a move does to the men says which class is left. For every such change the answer is found once, when the
//! check of a class begins: the number of the child, for each man of the child the man of the class that it was, and
//! whether colours and ranks have to be exchanged.
//!
//! Source: `docs/certificate-format.md`, *The game* and *Payload*.

use super::class::{Change, Class, MOST_MEN};
use super::layout::Squares;
use super::man::{Man, Side};

/// Where a change of the men leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passage {
    /// Into the draw sink.
    Sink,
    /// Into a child.
    Child(Entrance),
}

/// How positions of a class become positions of a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entrance {
    /// The number of the child in the order of the claims.
    pub(super) child: u8,
    /// For each man of the child the man of the class that it was.
    was: [u8; MOST_MEN],
    /// Whether the colours change.
    flipped: bool,
}

impl Entrance {
    /// The squares of the men as those of the child's men. Squares stand in the order of the class.
    pub(super) fn squares(&self, squares: &Squares) -> Squares {
        self.was.map(|man| {
            let square = squares.get(usize::from(man)).copied();
            let square = square.unwrap_or(super::Square::FIRST);
            if self.flipped { square.flipped() } else { square }
        })
    }

    /// The side to move as the child names it.
    pub(super) fn side(&self, side: Side) -> Side {
        if self.flipped { side.other() } else { side }
    }
}

/// All passages of a class.
pub(super) struct Passages(Vec<Option<Passage>>);

impl Passages {
    /// The passages of a class whose children are these.
    pub(super) fn of(class: &Class, children: &[Class]) -> Passages {
        let mut passages = vec![None; PLACES];
        for change in class.changes() {
            if let Some(place) = passages.get_mut(place(change)) {
                *place = passage(class, children, change);
            }
        }
        Passages(passages)
    }

    /// Where a change leads; none if no move can make it.
    pub(super) fn of_change(&self, change: Change) -> Option<Passage> {
        self.0.get(place(change)).copied().flatten()
    }
}

/// Captured: one of the men or none. Promoted: one of the men, four ways, or none.
const PLACES: usize = (MOST_MEN + 1) * (4 * MOST_MEN + 1);

fn place(change: Change) -> usize {
    let captured = change.captured.map_or(0, |man| 1 + man);
    let promoted = change.promoted.map_or(0, |(man, kind)| {
        // Queen 0, rook 1, bishop 2, knight 3.
        let kind = kind as usize;
        1 + 4 * man + kind.saturating_sub(1) % 4
    });
    captured * (4 * MOST_MEN + 1) + promoted
}

fn passage(class: &Class, children: &[Class], change: Change) -> Option<Passage> {
    let (left, flipped) = Class::of(class.after(change));
    if left.is_sink() {
        return Some(Passage::Sink);
    }
    let child = children.iter().position(|child| *child == left)?;
    let numbers = (0..class.men().len()).filter(|&man| change.captured != Some(man));
    let mut men: Vec<(Man, usize)> = std::iter::zip(class.after(change), numbers).collect();
    for (man, _) in &mut men {
        man.side = if flipped { man.side.other() } else { man.side };
    }
    men.sort_unstable();
    let mut was = [0; MOST_MEN];
    for (was, (_, number)) in std::iter::zip(&mut was, men) {
        *was = number as u8;
    }
    Some(Passage::Child(Entrance {
        child: child as u8,
        was,
        flipped,
    }))
}
