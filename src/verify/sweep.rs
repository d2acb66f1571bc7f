//! What the moves of a state lead to, for all states of a class: the hot part of the check.
//!
//! A board of 64 squares holds the men of one state. Each man of the side to move steps as it can. The place of the
//! state after the step is the old one with another square for the man and the other side to move, and its number and
//! byte are looked up. The look-up also says whether the move was legal: a raw legal state is one in which the side that
//! has just moved does not stand in check, and places that are not raw legal states have no number. So nothing is
//! tested for check here. (Captures and promotions ask a child in the same way.) `position` says the same slowly.
//!
//! # Which successors can coincide
//!
//! Edges are distinct successors. Two moves that leave all men on the board and as they are lead to two placements *P*
//! and *Q* that differ. If they have the same canonical image, then a symmetry sends *P* to *Q*, so it sends the men of
//! the side that did not move to themselves, and its king stays where it is. With pawns only the identity leaves any
//! square where it is. Without pawns there are three symmetries that do: the identity and the reflections at the two
//! long diagonals. Hence successors inside a class are compared only if a reflection at a diagonal sends the men of
//! the side not to move to themselves. En-passant states never coincide, since there are pawns. Successors outside, in
//! children and the sink, are always compared: they forget what was captured and which pawn promoted.
//!
//! Source: `docs/certificate-format.md`, *The states*; Laws of Chess (FIDE Handbook E.01), article 3.

use std::array;
use std::iter;

use super::Square;
use super::class::{Change, Class, MOST_MEN};
use super::index::Number;
use super::layout::{Images, Place, Squares};
use super::man::{Kind, Man, STEPS, Side};
use super::passage::{Passage, Passages};
use super::position::Position;
use super::symmetry::Symmetry;
use super::table::{Successor, Table};
use super::value::Bytes;

/// What the moves of a state lead to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Gathered {
    /// The bytes of the successors.
    pub(super) bytes: Bytes,
    /// How many legal moves there are.
    pub(super) moves: u64,
    /// How many distinct successors there are.
    pub(super) edges: u64,
}

/// Goes through states of a table, one at a time.
///
/// Invariant: between two states the board is empty.
pub(super) struct Sweep<'a> {
    table: &'a Table,
    rules: Rules,
    board: [Option<u8>; 64],
    squares: Squares,
    to_move: Side,
    /// The place of the state with the other side to move, and that of its reflection where this names the same state.
    turned: Place,
    reflected: Option<Place>,
    may_coincide: bool,
    found: Gathered,
    inside: Vec<Number>,
    outside: Vec<Successor>,
}

/// What is the same for all states of a class.
struct Rules {
    men: Vec<Mover>,
    has_pawns: bool,
    /// The square one step further, by step and square.
    next: [[Option<Square>; 64]; STEPS.len()],
    passages: Passages,
    exchange: Images,
    other_exchange: Images,
}

/// A man of the class.
#[derive(Clone, Copy)]
struct Mover {
    number: u8,
    man: Man,
    /// Where its square is in a place, if it can simply be exchanged there: a white king may have to be brought among
    /// the canonical squares first, and like men into order.
    bit: Option<u32>,
}

impl Rules {
    fn of(table: &Table) -> Rules {
        let layout = table.index.layout();
        let children: Vec<Class> = table.children.iter().map(|c| c.class.clone()).collect();
        let men = table.class.men().iter().enumerate();
        let men = men.map(|(number, &man)| Mover {
            number: number as u8,
            man,
            bit: layout.bit(number).filter(|_| !layout.is_alike(number)),
        });
        Rules {
            men: men.collect(),
            has_pawns: table.class.has_pawns(),
            next: STEPS.map(|step| {
                let mut squares = Square::all();
                array::from_fn(|_| squares.next().and_then(|square| square.step(step)))
            }),
            passages: Passages::of(&table.class, &children),
            exchange: Images::of(Symmetry::EXCHANGE),
            other_exchange: Images::of(Symmetry::OTHER_EXCHANGE),
        }
    }
}

impl<'a> Sweep<'a> {
    /// Ready for the states of a table.
    pub(super) fn of(table: &'a Table) -> Sweep<'a> {
        Sweep {
            table,
            rules: Rules::of(table),
            board: [None; 64],
            squares: [Square::FIRST; MOST_MEN],
            to_move: Side::White,
            turned: Place::from_index(0),
            reflected: None,
            may_coincide: false,
            found: Gathered::default(),
            inside: Vec::new(),
            outside: Vec::new(),
        }
    }

    /// What the moves of the state at a place lead to.
    pub(super) fn state(&mut self, place: Place) -> Gathered {
        self.stand(place);
        self.moves();
        self.lift()
    }

    /// What the moves of the en-passant state at a place lead to.
    pub(super) fn en_passant_state(&mut self, place: Place, over: Square) -> Gathered {
        self.stand(place);
        self.moves();
        self.en_passant_captures(over);
        self.lift()
    }

    fn stand(&mut self, place: Place) {
        let layout = self.table.index.layout();
        self.squares = layout.squares(place);
        self.to_move = place.side();
        self.turned = place.other_side();
        self.reflected = layout.reflected_place(&self.squares, self.to_move.other());
        for (mover, square) in iter::zip(&self.rules.men, self.squares) {
            self.board[square.index()] = Some(mover.number);
        }
        self.may_coincide = !self.rules.has_pawns
            && (self.is_symmetric(&self.rules.exchange)
                || self.is_symmetric(&self.rules.other_exchange));
        self.found = Gathered::default();
        self.inside.clear();
        self.outside.clear();
    }

    /// Whether a reflection sends the men of the side not to move to themselves.
    fn is_symmetric(&self, reflection: &Images) -> bool {
        let resting = iter::zip(&self.rules.men, self.squares)
            .filter(|(mover, _)| mover.man.side != self.to_move);
        let mut images = resting.map(|(mover, square)| (mover.man, reflection.at(square)));
        images.all(|(man, image)| self.man_on(image).is_some_and(|mover| mover.man == man))
    }

    /// Takes the men off the board and says what was found.
    fn lift(&mut self) -> Gathered {
        for square in self.squares.iter().take(self.rules.men.len()) {
            self.board[square.index()] = None;
        }
        let inside = match self.may_coincide {
            false => self.found.edges,
            true => {
                self.inside.sort_unstable();
                self.inside.dedup();
                self.inside.len() as u64
            }
        };
        self.outside.sort_unstable();
        self.outside.dedup();
        Gathered {
            edges: inside + self.outside.len() as u64,
            ..self.found
        }
    }

    fn man_on(&self, square: Square) -> Option<Mover> {
        let number = self.board[square.index()]?;
        self.rules.men.get(usize::from(number)).copied()
    }

    fn is_empty(&self, square: Square) -> bool {
        self.board[square.index()].is_none()
    }

    fn moves(&mut self) {
        for number in 0..self.rules.men.len() {
            let (mover, from) = (self.rules.men[number], self.squares[number]);
            match mover.man {
                Man { side, .. } if side != self.to_move => {}
                Man {
                    kind: Kind::Pawn, ..
                } => self.pawn_moves(mover, from),
                Man { kind, .. } => self.piece_moves(mover, kind, from),
            }
        }
    }

    fn piece_moves(&mut self, mover: Mover, kind: Kind, from: Square) {
        for way in kind.ways() {
            let mut ahead = self.rules.next[way][from.index()];
            while let Some(to) = ahead {
                if let Some(other) = self.man_on(to) {
                    if other.man.side != self.to_move {
                        self.leave(mover, to, Some(other.number), None);
                    }
                    break;
                }
                self.stay(mover, to);
                ahead = match kind.slides() {
                    true => self.rules.next[way][to.index()],
                    false => None,
                };
            }
        }
    }

    fn pawn_moves(&mut self, mover: Mover, from: Square) {
        let ahead = self.to_move.ahead();
        if let Some(to) = from.step((0, ahead)).filter(|&to| self.is_empty(to)) {
            match self.promotes(to) {
                true => self.promote(mover, to, None),
                false => self.stay(mover, to),
            }
            let double = to.step((0, ahead));
            let double = double.filter(|&double| self.is_empty(double));
            if let Some(double) = double.filter(|_| from.rank() == self.to_move.rank(1)) {
                self.double_step(mover, to, double);
            }
        }
        for files in [-1, 1] {
            let Some(to) = from.step((files, ahead)) else {
                continue;
            };
            let other = self.man_on(to);
            if let Some(other) = other.filter(|other| other.man.side != self.to_move) {
                match self.promotes(to) {
                    true => self.promote(mover, to, Some(other.number)),
                    false => self.leave(mover, to, Some(other.number), None),
                }
            }
        }
    }

    fn promotes(&self, to: Square) -> bool {
        to.rank() == self.to_move.rank(7)
    }

    fn promote(&mut self, mover: Mover, to: Square, captured: Option<u8>) {
        for kind in Kind::PROMOTIONS {
            self.leave(mover, to, captured, Some(kind));
        }
    }

    /// A double step leads to the en-passant state if there is one. (There is none without a pawn of the other side
    /// beside.)
    fn double_step(&mut self, mover: Mover, over: Square, to: Square) {
        let place = self.place_after(mover, to);
        let Some(number) = place.and_then(|place| self.table.index.number(place)) else {
            return;
        };
        let pawn = Man {
            side: self.to_move.other(),
            kind: Kind::Pawn,
        };
        let beside = [-1, 1].map(|files| to.step((files, 0)).and_then(|s| self.man_on(s)));
        let is_met = beside.iter().flatten().any(|other| other.man == pawn);
        let en_passant = place
            .filter(|_| is_met)
            .and_then(|place| self.table.en_passant.number(place, over));
        let byte = match en_passant {
            Some(number) => self.table.en_passant_byte(number),
            None => self.table.byte(number),
        };
        self.add_inside(number, byte);
    }

    /// The captures of the pawns that attack the square a pawn has just stepped over.
    fn en_passant_captures(&mut self, over: Square) {
        let captured = over.step((0, -self.to_move.ahead()));
        let Some(captured) = captured.and_then(|square| self.man_on(square)) else {
            return;
        };
        let pawn = Man {
            side: self.to_move,
            kind: Kind::Pawn,
        };
        for files in [-1, 1] {
            let from = over.step((files, -self.to_move.ahead()));
            let beside = from.and_then(|from| self.man_on(from));
            if let Some(mover) = beside.filter(|mover| mover.man == pawn) {
                self.leave(mover, over, Some(captured.number), None);
            }
        }
    }

    /// A move to an empty square, after which the man is what it was.
    #[inline]
    fn stay(&mut self, mover: Mover, to: Square) {
        let place = self.place_after(mover, to);
        if let Some(number) = place.and_then(|place| self.table.index.number(place)) {
            self.add_inside(number, self.table.byte(number));
        }
    }

    fn add_inside(&mut self, number: Number, byte: u8) {
        self.found.moves += 1;
        self.found.edges += 1;
        self.found.bytes.add(byte);
        if self.may_coincide {
            self.inside.push(number);
        }
    }

    /// The canonical place of the state after a man went to an empty square.
    #[inline]
    fn place_after(&self, mover: Mover, to: Square) -> Option<Place> {
        match (mover.bit, self.reflected) {
            (Some(bit), None) => Some(self.turned.with(bit, to)),
            (Some(bit), Some(reflected)) => {
                let reflected = reflected.with(bit, self.rules.exchange.at(to));
                Some(reflected.min(self.turned.with(bit, to)))
            }
            (None, _) => {
                let (squares, to_move) = (self.squares_after(mover, to), self.to_move.other());
                self.table.index.layout().place(&squares, to_move)
            }
        }
    }

    fn squares_after(&self, mover: Mover, to: Square) -> Squares {
        let mut squares = self.squares;
        if let Some(square) = squares.get_mut(usize::from(mover.number)) {
            *square = to;
        }
        squares
    }

    /// A capture, a promotion or both: a move into a child or the sink.
    fn leave(&mut self, mover: Mover, to: Square, captured: Option<u8>, becomes: Option<Kind>) {
        let change = Change {
            captured: captured.map(usize::from),
            promoted: becomes.map(|kind| (usize::from(mover.number), kind)),
        };
        let squares = self.squares_after(mover, to);
        let successor = match self.rules.passages.of_change(change) {
            // No move captures a king of a raw legal state.
            None => None,
            Some(Passage::Sink) => self.sink(change, &squares),
            Some(Passage::Child(entrance)) => {
                let child = self.table.children.get(usize::from(entrance.child));
                let (squares, to_move) = (
                    entrance.squares(&squares),
                    entrance.side(self.to_move.other()),
                );
                child
                    .and_then(|child| child.index.find(&squares, to_move))
                    .map(|number| Successor::Child(entrance.child, number))
            }
        };
        if let Some(successor) = successor {
            self.found.moves += 1;
            self.found.bytes.add(self.table.byte_of(successor));
            self.outside.push(successor);
        }
    }

    /// The sink, if the move is legal. (The sink has no states to look up.)
    fn sink(&self, change: Change, squares: &Squares) -> Option<Successor> {
        let squares = squares.iter().take(self.rules.men.len()).enumerate();
        let left = squares.filter(|&(number, _)| change.captured != Some(number));
        let placed = iter::zip(self.table.class.after(change), left.map(|(_, &square)| square));
        let position = Position::new(placed, self.to_move.other())?;
        position.is_raw_legal().then_some(Successor::Sink)
    }
}
