//! Walls: positions in which men that never move shut in the others, so that neither side is ever mated.
//!
//! Each man has a set of squares, its *zone*, which at first is the one on which it stands. Zones grow by rules that know
//! less than the Laws, so in every play each man stays in its zone until it is taken. A man is fixed as long as its zone is one square
//! and nothing can take it; fixed men are the walls. The rules are applied in rounds, each to the zones of the round before:
//! all that they ask for becomes true sooner or later and stays so, hence the result is that of any other order.
//!
//! In the end a king that may be attacked at all has to have a square beside it that is always free and never attacked.
//! Why the position is dead then is proved in `docs/soundness.md`, *Dead positions*.
//!
//! Source: `docs/certificate-format.md`, *Dead positions*, *Walls*.

use super::board::{Board, ahead};
use super::castling::Rights;
use super::man::{Kind, Man, Side};
use super::reach::{Reach, bit, squares_of};

/// The ranks on which pawns are promoted, and on which nothing is shown if one gets there.
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// A man, and what is found of it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Roamer {
    man: Man,
    /// The squares on which it may come to stand.
    zone: u64,
    is_takeable: bool,
    /// The en-passant square, if the man is the pawn that may be captured there now.
    en_passant: u64,
}

/// Whether walls show that a position is dead.
pub(super) fn hold(board: &Board) -> bool {
    if board.rights != Rights::NONE {
        return false;
    }
    let men = spread(board);
    let mut pawns = men.iter().filter(|roamer| roamer.man.kind == Kind::Pawn);
    if pawns.any(|pawn| pawn.zone & LAST_RANKS != 0) {
        return false;
    }
    Side::BOTH.into_iter().all(|side| is_safe(side, &men))
}

/// The men of a position with their zones at the end of the rules.
fn spread(board: &Board) -> Vec<Roamer> {
    let mut men: Vec<Roamer> = board
        .men()
        .map(|(man, square)| {
            let behind = square.step((0, -ahead(man.side)));
            let is_passing = man.kind == Kind::Pawn && man.side != board.to_move;
            let passed = board
                .en_passant
                .filter(|&passed| is_passing && behind == Some(passed));
            Roamer {
                man,
                zone: bit(square.number()),
                is_takeable: false,
                en_passant: passed.map_or(0, |passed| bit(passed.number())),
            }
        })
        .collect();
    loop {
        let next = round(&men);
        if next == men {
            return men;
        }
        men = next;
    }
}

/// The men after one more round of the rules.
fn round(men: &[Roamer]) -> Vec<Roamer> {
    // What the men of each side may capture on, if it gets there; and those of these squares at which pawns aim.
    let mut captures = [0; 2];
    let mut pawn_aims = [0; 2];
    for roamer in men {
        let side = roamer.man.side.index();
        if roamer.man.kind == Kind::Pawn {
            pawn_aims[side] |= roamer.aims();
            captures[side] |= roamer.aims();
        } else {
            captures[side] |= roamer.steps(men);
        }
    }
    let next = men.iter().map(|roamer| {
        let other = roamer.man.side.other().index();
        let is_taken = roamer.zone & captures[other] != 0;
        let is_taken_in_passing = roamer.passed() & pawn_aims[other] != 0;
        let is_king = roamer.man.kind == Kind::King;
        let gained = match roamer.man.kind {
            Kind::Pawn => roamer.advances(men) | roamer.pawn_captures(men),
            _ => roamer.steps(men),
        };
        Roamer {
            zone: roamer.zone | gained,
            is_takeable: roamer.is_takeable || !is_king && (is_taken || is_taken_in_passing),
            ..*roamer
        }
    });
    next.collect()
}

/// The squares on which such men are fixed.
fn fixed(men: &[Roamer], which: impl Fn(Man) -> bool) -> u64 {
    let fixed = men
        .iter()
        .filter(|roamer| roamer.is_fixed() && which(roamer.man));
    fixed.fold(0, |all, roamer| all | roamer.zone)
}

/// Where men sit that are fixed, whatever they are: the squares that are not open.
fn closed(men: &[Roamer]) -> u64 {
    fixed(men, |_| true)
}

impl Roamer {
    /// Whether the man neither moves nor is taken.
    fn is_fixed(&self) -> bool {
        self.zone.count_ones() == 1 && !self.is_takeable
    }

    /// The squares at which the man aims from those of its zone.
    fn aims(&self) -> u64 {
        let reach = Reach::get();
        squares_of(self.zone).fold(0, |aims, from| aims | reach.aims(self.man, from))
    }

    /// Those of them from which it is parted by open squares only: the squares that it attacks.
    fn attacks(&self, men: &[Roamer]) -> u64 {
        let (reach, closed) = (Reach::get(), closed(men));
        let seen = squares_of(self.zone).map(|from| reach.sees(self.man, from, squares_of(closed)));
        seen.fold(0, |attacks, seen| attacks | seen)
    }

    /// Rule 1: the squares to which a man goes that is no pawn.
    fn steps(&self, men: &[Roamer]) -> u64 {
        let Man { side, kind } = self.man;
        let own = fixed(men, |man| man.side == side);
        let king = fixed(men, |man| man.side != side && man.kind == Kind::King);
        let pawns = men.iter().filter(|roamer| {
            roamer.is_fixed() && roamer.man.side != side && roamer.man.kind == Kind::Pawn
        });
        let guarded = match kind {
            Kind::King => pawns.fold(0, |all, pawn| all | pawn.aims()),
            _ => 0,
        };
        self.attacks(men) & !own & !king & !guarded
    }

    /// Rule 2: the squares to which a pawn goes straight ahead.
    fn advances(&self, men: &[Roamer]) -> u64 {
        let open = !closed(men);
        match self.man.side {
            Side::White => {
                let one = self.zone << 8 & open;
                let first = (self.zone & 0xff << 8) << 8 & open;
                one | first << 8 & open
            }
            Side::Black => {
                let one = self.zone >> 8 & open;
                let first = (self.zone & 0xff << 48) >> 8 & open;
                one | first >> 8 & open
            }
        }
    }

    /// Rules 3 and 4: the squares on which a pawn finds a man to capture, or one to capture en passant.
    fn pawn_captures(&self, men: &[Roamer]) -> u64 {
        let others = men.iter().filter(|roamer| roamer.man.side != self.man.side);
        let others = others.filter(|roamer| roamer.man.kind != Kind::King);
        let found = others.fold(0, |all, roamer| all | roamer.zone | roamer.passed());
        self.aims() & found
    }

    /// The squares over which a pawn may make its double step, or has just made it.
    fn passed(&self) -> u64 {
        let Man { side, kind } = self.man;
        let (first, second) = match (kind, side) {
            (Kind::Pawn, Side::White) => {
                ((self.zone & 0xff << 8) << 8, (self.zone & 0xff << 24) >> 8)
            }
            (Kind::Pawn, Side::Black) => {
                ((self.zone & 0xff << 48) >> 8, (self.zone & 0xff << 32) << 8)
            }
            _ => (0, 0),
        };
        self.en_passant | first & second
    }
}

/// Whether a side is safe: wherever its king may stand, it is not attacked, or has a square to go to.
fn is_safe(side: Side, men: &[Roamer]) -> bool {
    let attacks = |which: &dyn Fn(Kind) -> bool| {
        let others = men
            .iter()
            .filter(|roamer| roamer.man.side != side && which(roamer.man.kind));
        others.fold(0, |all, roamer| all | roamer.attacks(men))
    };
    let by_others = attacks(&|kind| kind != Kind::King);
    let by_any = attacks(&|_| true);
    let own = men.iter().filter(|roamer| roamer.man.side == side);
    let (kings, own): (Vec<&Roamer>, Vec<&Roamer>) =
        own.partition(|roamer| roamer.man.kind == Kind::King);
    let stood_on = own.iter().fold(0, |all, roamer| all | roamer.zone);
    let free = !stood_on & !by_any;
    let may_stand = kings.iter().fold(0, |all, king| all | king.zone);
    let kind = Kind::King;
    let attacked = squares_of(may_stand & by_others);
    let mut ways_out = attacked.map(|king| Reach::get().aims(Man { side, kind }, king) & free);
    ways_out.all(|way_out| way_out != 0)
}
