//! Conversions: captures and promotions, which lead out of a class into a child.
//!
//! Which child, and which man of it each man becomes, depends only on who is captured and what a
//! pawn becomes, so it is worked out once for a class.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::Material;
use super::cells::ILLEGAL;
use super::group::Group;
use super::index::{Index, Squares};
use super::material::{PROMOTIONS, normal};
use super::men::Men;
use super::value_byte::{DRAWN, value_of};
use crate::game::Value;

/// The values of a solved class by entry: distances whose parity tells a win from a loss, or
/// 255 for a draw; 253 where no state is.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub(super) index: Index,
    /// White to move, Black to move.
    pub(super) bytes: [Vec<u8>; 2],
}

impl Child {
    /// The values of a class from the bytes of its canonical states in order; `None` if there are not
    /// as many as states.
    pub(super) fn from_values(material: &Material, values: &[u8]) -> Option<Child> {
        let index = Index::new(material);
        let mut bytes = [vec![ILLEGAL; index.len()], vec![ILLEGAL; index.len()]];
        let mut values = values.iter().copied();
        for entry in 0..index.len() {
            let men = Men::new(&index, index.squares(entry));
            if !men.is_placement() || !index.is_ordered(&men.squares) {
                continue;
            }
            let is_first = index.raw_weight(&men.squares).is_some();
            for turn in [Color::White, Color::Black] {
                if men.is_king_attacked(!turn) {
                    continue;
                }
                // The other of two images has the smaller entry and its byte already.
                bytes[side(turn)][entry] = if is_first {
                    values.next()?
                } else {
                    bytes[side(turn)][index.canonical_entry(entry)]
                };
            }
        }
        values.next().is_none().then_some(Child { index, bytes })
    }
}

impl Child {
    /// The canonical states of a group in order: entry, side to move, byte.
    pub(super) fn states_in(&self, group: usize) -> impl Iterator<Item = (usize, Color, u8)> + '_ {
        let canonical = Group::new(&self.index, group).canonical();
        canonical.into_iter().flat_map(move |square| {
            let entry = group * 64 + square.to_usize();
            let sides = [(Color::White, 0), (Color::Black, 1)];
            let states = sides.map(|(turn, side)| (entry, turn, self.bytes[side][entry]));
            states.into_iter().filter(|&(_, _, byte)| byte != ILLEGAL)
        })
    }

    /// The canonical states with the placement of an entry: side to move and byte.
    pub(super) fn states_at(&self, entry: usize) -> impl Iterator<Item = (Color, u8)> + use<> {
        let bytes = [self.bytes[0][entry], self.bytes[1][entry]];
        let is_first =
            bytes != [ILLEGAL; 2] && self.index.raw_weight(&self.index.squares(entry)).is_some();
        let sides = [Color::White, Color::Black].into_iter().zip(bytes);
        sides.filter(move |&(_, byte)| is_first && byte != ILLEGAL)
    }
}

/// The array of a side to move.
pub(super) fn side(turn: Color) -> usize {
    usize::from(turn.is_black())
}

/// Where a conversion leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Landing {
    /// Into a child: its number, the side to move there, and the canonical entry.
    Child {
        child: usize,
        side: usize,
        entry: usize,
    },
    /// Into the draw sink.
    Sink,
}

#[derive(Clone, Debug)]
enum Route {
    Child {
        child: usize,
        is_exchanged: bool,
        order: Vec<usize>,
    },
    Sink,
    /// Nothing is captured or promoted, or a king would be captured.
    None,
}

/// All conversions of a class.
#[derive(Clone, Debug)]
pub(super) struct Conversions<'a> {
    children: Vec<&'a Child>,
    routes: Vec<Route>,
}

const CAPTURES: usize = Material::MOST_MEN + 1;
const BECOMES: usize = PROMOTIONS.len() + 1;

/// The number of a conversion: the man that promotes (any, if none does), what it becomes, who is
/// captured.
fn route_number(man: usize, becomes: Option<usize>, captured: Option<usize>) -> usize {
    let becomes = becomes.map_or(0, |role| role + 1);
    let captured = captured.map_or(0, |man| man + 1);
    (man * BECOMES + becomes) * CAPTURES + captured
}

impl<'a> Conversions<'a> {
    /// The conversions of a class, with the children that [`Material::children`] lists.
    ///
    /// # Panics
    ///
    /// If a child is missing.
    pub(super) fn new(material: &Material, children: Vec<&'a Child>) -> Conversions<'a> {
        let men = material.men().len();
        let mut routes = vec![Route::None; Material::MOST_MEN * BECOMES * CAPTURES];
        for man in 0..men {
            for becomes in (0..PROMOTIONS.len()).map(Some).chain([None]) {
                for captured in (0..men).map(Some).chain([None]) {
                    let piece = |man: usize| material.men()[man];
                    let changes = becomes.is_some() || captured.is_some();
                    let promotes_pawn = becomes.is_none() || piece(man).role == Role::Pawn;
                    // A pawn that promotes cannot take a pawn: none stands on the last rank.
                    let takes_other = captured.is_none_or(|taken| {
                        piece(taken).role != Role::King
                            && piece(taken).color != piece(man).color
                            && (becomes.is_none() || piece(taken).role != Role::Pawn)
                    });
                    if changes && promotes_pawn && takes_other {
                        routes[route_number(man, becomes, captured)] =
                            route(material, &children, man, becomes, captured);
                    }
                }
            }
        }
        Conversions { children, routes }
    }

    /// Where a conversion leads. `squares` are those after the move, of the captured man too;
    /// `turn` is the side to move after it.
    pub(super) fn landing(
        &self,
        squares: &Squares,
        turn: Color,
        man: usize,
        becomes: Option<usize>,
        captured: Option<usize>,
    ) -> Landing {
        match &self.routes[route_number(man, becomes, captured)] {
            Route::Child {
                child,
                is_exchanged,
                order,
            } => {
                let index = &self.children[*child].index;
                let mut seen = [Square::A1; Material::MOST_MEN];
                for (square, &from) in seen.iter_mut().zip(order) {
                    *square = if *is_exchanged {
                        squares[from].flip_vertical()
                    } else {
                        squares[from]
                    };
                }
                let turn = if *is_exchanged { !turn } else { turn };
                Landing::Child {
                    child: *child,
                    side: side(turn),
                    entry: index.entry(&seen),
                }
            }
            Route::Sink | Route::None => Landing::Sink,
        }
    }

    /// The same with the entry that all images share.
    pub(super) fn canonical(&self, landing: Landing) -> Landing {
        match landing {
            Landing::Child { child, side, entry } => {
                let index = &self.children[child].index;
                Landing::Child {
                    child,
                    side,
                    entry: index.canonical_entry(entry),
                }
            }
            Landing::Sink => Landing::Sink,
        }
    }

    /// The value of a landing for the side to move there.
    pub(super) fn value(&self, landing: Landing) -> Value {
        value_of(self.byte(landing))
    }

    /// The byte of a landing.
    pub(super) fn byte(&self, landing: Landing) -> u8 {
        match landing {
            Landing::Child { child, side, entry } => self.children[child].bytes[side][entry],
            Landing::Sink => DRAWN,
        }
    }

    /// Whether a conversion that leads here leaves the own king safe.
    pub(super) fn is_legal(&self, men: &Men, man: usize, to: Square, landing: Landing) -> bool {
        match landing {
            Landing::Child { child, side, entry } => {
                self.children[child].bytes[side][entry] != ILLEGAL
            }
            Landing::Sink => men.is_safe_after(man, to),
        }
    }

    /// The children.
    pub(super) fn children(&self) -> &[&'a Child] {
        &self.children
    }

    /// Visits all legal conversions of a position, given its legal targets: where they lead.
    pub(super) fn each(
        &self,
        men: &Men,
        targets: &[Bitboard; Material::MOST_MEN],
        turn: Color,
        mut visit: impl FnMut(Landing),
    ) {
        for man in men.side(turn) {
            for to in targets[man] & men.converting(man) {
                self.each_to(men, man, to, |_, landing| visit(landing));
            }
        }
    }

    /// Visits the conversions of one man to one square: a capture, or the four promotions.
    pub(super) fn each_to(
        &self,
        men: &Men,
        man: usize,
        to: Square,
        mut visit: impl FnMut(Option<Role>, Landing),
    ) {
        let captured = men.man_on(to);
        let turn = !men.piece(man).color;
        let mut squares = men.squares;
        squares[man] = to;
        if men.piece(man).role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
            for (number, &role) in PROMOTIONS.iter().enumerate() {
                visit(
                    Some(role),
                    self.landing(&squares, turn, man, Some(number), captured),
                );
            }
        } else {
            visit(None, self.landing(&squares, turn, man, None, captured));
        }
    }
}

fn route(
    material: &Material,
    children: &[&Child],
    man: usize,
    becomes: Option<usize>,
    captured: Option<usize>,
) -> Route {
    let mut left: Vec<(usize, Piece)> = material.men().iter().copied().enumerate().collect();
    if let Some(role) = becomes {
        left[man].1.role = PROMOTIONS[role];
    }
    left.retain(|&(number, _)| Some(number) != captured);
    let (reached, is_exchanged) = normal(left.iter().map(|&(_, piece)| piece));
    if reached.is_sink() {
        return Route::Sink;
    }
    let child = children
        .iter()
        .position(|child| *child.index.material() == reached)
        .expect("every class that a move leads into is among the children");
    let order = reached
        .men()
        .iter()
        .map(|&piece| {
            let color = if is_exchanged {
                !piece.color
            } else {
                piece.color
            };
            let place = left
                .iter()
                .position(|&(_, own)| own == piece.role.of(color));
            left.remove(place.expect("the child has the men that are left"))
                .0
        })
        .collect();
    Route::Child {
        child,
        is_exchanged,
        order,
    }
}
