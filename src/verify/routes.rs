//! What becomes of the men when one is captured or a pawn promoted.
//!
//! A *route* leads into the draw sink, or into a child whose men are those of the class in another order, and with colours
//! and ranks exchanged if the child's name gives White's men to Black. All routes of a class are made before any is taken.
//!
//! Source: `docs/certificate-format.md`, *The game*.

use std::sync::Arc;

use super::man::{Kind, Man, Side};
use super::material::{MOST_MEN, Material};
use super::position::{Change, NOBODY};
use super::squares::Squares;
use super::states::States;
use super::symmetry::RANKS_FLIPPED;

/// The ways out of a class.
pub(super) struct Routes<'a> {
    routes: Vec<Route<'a>>,
}

/// What becomes of the men.
pub(super) enum Route<'a> {
    Sink,
    Child(Child<'a>),
    /// A child that was not given.
    Missing(String),
}

/// A child, and how its placements are made from those of the class.
pub(super) struct Child<'a> {
    pub(super) states: &'a States,
    /// Its number among the children that were given.
    pub(super) number: usize,
    pub(super) flipped: bool,
    /// For each man of the child, its place in the class.
    places: [usize; MOST_MEN],
}

/// How many places a man has in the table of routes: those of the material, and nobody.
const PLACES: usize = MOST_MEN + 1;

/// How many kinds a pawn can become.
const KINDS: usize = Kind::PROMOTIONS.len();

impl<'a> Routes<'a> {
    /// The ways out of the class of this material into these children, which may be some of those that it has.
    pub(super) fn of(material: &Material, children: &'a [Arc<States>]) -> Routes<'a> {
        let mut routes = Vec::with_capacity(PLACES * PLACES * KINDS);
        for captured in 0..PLACES {
            for pawn in 0..PLACES {
                for kind in Kind::PROMOTIONS {
                    let promotion = (pawn != NOBODY).then_some((pawn, kind));
                    routes.push(Route::of(material, captured, promotion, children));
                }
            }
        }
        Routes { routes }
    }

    /// The route that a capture or a promotion takes.
    #[inline(always)]
    pub(super) fn by(&self, change: &Change) -> Option<&Route<'a>> {
        let (pawn, kind) = match change.promotion {
            None => (NOBODY, 0),
            // The order of `Kind::PROMOTIONS` is that of the kinds, from the queen on.
            Some(kind) => (change.man, kind as usize - Kind::Queen as usize),
        };
        self.routes
            .get((change.captured * PLACES + pawn) * KINDS + kind)
    }
}

impl<'a> Route<'a> {
    fn of(
        material: &Material,
        captured: usize,
        promotion: Option<(usize, Kind)>,
        children: &'a [Arc<States>],
    ) -> Route<'a> {
        let men = material.after(Some(captured), promotion);
        let Some((child, flipped)) = Material::of(&men).filter(|(child, _)| !child.is_sink())
        else {
            return Route::Sink;
        };
        let mut known = children.iter().enumerate();
        let Some((number, states)) = known.find(|(_, states)| states.material == child) else {
            return Route::Missing(child.claim());
        };
        // The men that are left, by their places in the class.
        let left = (0..material.men().len()).filter(|&place| place != captured);
        let mut left: Vec<_> = left.zip(men).collect();
        let mut places = [0; MOST_MEN];
        for (place, wanted) in places.iter_mut().zip(child.men()) {
            let side = match flipped {
                true => wanted.side.other(),
                false => wanted.side,
            };
            let is_wanted = |(_, man): &(usize, Man)| man.side == side && man.kind == wanted.kind;
            if let Some(index) = left.iter().position(is_wanted) {
                *place = left.remove(index).0;
            }
        }
        Route::Child(Child {
            states,
            number,
            flipped,
            places,
        })
    }
}

impl Child<'_> {
    /// The placement in the child after a move of the class.
    pub(super) fn placement(&self, squares: Squares, side: Side) -> (Squares, Side) {
        let squares = Squares::of(self.places.map(|place| squares.at(place)));
        match self.flipped {
            true => (squares.image(RANKS_FLIPPED), side.other()),
            false => (squares, side),
        }
    }
}
