//! Walls: positions in which men that never move shut in the others, so that neither side is ever mated.
//!
//! Each man has a set of squares, its *zone*, which at first is the one on which it stands. Zones grow by rules that know
//! less than the Laws, so in every play each man stays in its zone until it is taken. A man is fixed as long as its zone is
//! one square and nothing can take it; fixed men are the walls. The rules are applied in rounds, each to the zones of the round before:
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
    let mut men = placed(board);
    loop {
        let next = round(&men);
        if next == men {
            return men;
        }
        men = next;
    }
}

/// The men of a position where they stand.
fn placed(board: &Board) -> Vec<Roamer> {
    let men = board.men().map(|(man, square)| {
        let behind = square.step((0, -ahead(man.side)));
        let may_be_passing = man.kind == Kind::Pawn && man.side != board.to_move;
        let passed = board.en_passant.filter(|_| may_be_passing);
        let passed = passed.filter(|&passed| behind == Some(passed));
        Roamer {
            man,
            zone: bit(square.number()),
            is_takeable: false,
            en_passant: passed.map_or(0, |passed| bit(passed.number())),
        }
    });
    men.collect()
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::Square;
    use super::super::board::tests::board;
    use super::super::packed_board::PackedBoard;
    use super::*;

    /// A chain of pawns without a gap: White's on light squares, Black's on dark ones, each blocked by another. Those of
    /// White attack b5, d5, f5 and h5, those of Black a3, c3, e3 and g3, so no king comes through.
    const CHAIN: &str = "p1p1p1p1/PpPpPpPp/1P1P1P1P";

    /// The chain with the three ranks above and the two below, and the rest of the FEN.
    fn chain(above: &str, below: &str, rest: &str) -> String {
        format!("{above}/{CHAIN}/{below} {rest} 0 1")
    }

    /// Goes through all positions that can be reached, and finds whether a man leaves its zone, a man is taken that is not
    /// takeable, or there is a checkmate. None if there are more of them than that.
    fn is_shut_in(start: &Board, most: usize) -> Option<bool> {
        let men = spread(start);
        let mut met = HashSet::from([PackedBoard::of(start)]);
        let mut open = vec![*start];
        while let Some(here) = open.pop() {
            let is_in_zone = |(man, square): (Man, Square)| {
                let mut zones = men.iter().filter(|roamer| roamer.man == man);
                zones.any(|roamer| roamer.zone & bit(square.number()) != 0)
            };
            if here.is_checkmate() || !here.men().all(is_in_zone) {
                return Some(false);
            }
            let untakeable = men.iter().filter(|roamer| !roamer.is_takeable);
            let untakeable = untakeable
                .map(|roamer| roamer.man.letter())
                .collect::<Vec<_>>();
            let left: Vec<char> = here.men().map(|(man, _)| man.letter()).collect();
            for letter in "KQRBNPkqrbnp".chars() {
                let count = |list: &[char]| list.iter().filter(|&&l| l == letter).count();
                if count(&left) < count(&untakeable) {
                    return Some(false);
                }
            }
            for (_, next) in here.moves() {
                if met.insert(PackedBoard::of(&next)) {
                    open.push(next);
                }
            }
            if met.len() > most {
                return None;
            }
        }
        Some(true)
    }

    #[test]
    fn walls_that_hold() {
        for fen in [
            // Kings alone.
            chain("4k3/8/8", "8/4K3", "w - -"),
            chain("4k3/8/8", "8/4K3", "b - -"),
            // Without walls: a king gives no check. (The reason that is said for this one is the material.)
            "7k/8/8/8/8/8/8/K7 w - - 0 1".into(),
            // White's bishop is on light squares, where his own pawns stand: it takes nothing and stays behind them.
            chain("4k3/8/8", "8/4KB2", "w - -"),
            // The same for Black's on dark squares; and both.
            chain("4kb2/8/8", "8/4K3", "w - -"),
            chain("4kb2/8/8", "8/4KB2", "b - -"),
            // White's bishop is among Black's men. It attacks the king on light squares, but takes no pawn, and a king on a light square
            // has a dark one beside it that nothing attacks.
            chain("4k3/8/B7", "8/4K3", "w - -"),
            chain("4k3/8/B1B5", "8/4K3", "b - -"),
            // Without the pawns of the h file a king would pass over h4 and h5, which the pawns on g5 and g4 attack.
            "4k3/8/8/p1p1p1p1/PpPpPpP1/1P1P1P2/8/4K3 w - - 0 1".into(),
            // Shut in behind g2 and h2, a rook and a bishop.
            "4k3/8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/4K1BR w - - 0 1".into(),
        ] {
            let board = board(&fen);
            assert!(hold(&board), "{fen}");
            assert_eq!(is_shut_in(&board, 100_000), Some(true), "{fen}");
        }
    }

    #[test]
    fn walls_that_do_not_hold() {
        for fen in [
            // White's bishop on dark squares takes b4.
            chain("4k3/8/8", "8/2B1K3", "w - -"),
            // Black's on light squares takes on rank 4.
            chain("2b1k3/8/8", "8/4K3", "w - -"),
            // A knight leaps over, and takes.
            chain("4k3/8/8", "8/4KN2", "w - -"),
            chain("4k3/8/2N5", "8/4K3", "w - -"),
            // The pawn on g4 has just come from g2: Black takes it, and f3 or h3 comes free.
            chain("4k3/8/8", "8/4K3", "b - g3"),
            // The wall holds, but there is a right to castle. (Nothing is shown; dead it is.)
            "4k3/8/8/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/4K1BR w K - 0 1".into(),
            // Without the pawn on e5 the one on e4 is promoted.
            "4k3/8/8/p1p3p1/PpPpPpPp/1P1P1P1P/8/4K3 w - - 0 1".into(),
            // Without the four pawns of the files a and b White's king comes by b5 to c5.
            "4k3/8/8/2p1p1p1/2PpPpPp/3P1P1P/8/4K3 w - - 0 1".into(),
            // White's bishop attacks the king on light squares, and Black's own on dark squares may stand on those beside it.
            // (Nothing is shown.)
            chain("4kb2/8/B7", "8/4K3", "w - -"),
            // No walls at all.
            "7k/8/8/8/8/8/8/KR6 w - - 0 1".into(),
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".into(),
        ] {
            assert!(!hold(&board(&fen)), "{fen}");
        }
    }

    /// The light squares of the first two ranks.
    const LIGHT_BELOW: u64 = 0x55aa;

    #[test]
    fn zones_are_what_can_be_found_by_hand() {
        let men = spread(&board(&chain("4k3/8/8", "8/4KB2", "w - -")));
        let zone = |letter| {
            let mut men = men.iter().filter(|roamer| roamer.man.letter() == letter);
            men.next().unwrap().zone
        };
        // White's king has the first two ranks, Black's the last three.
        assert_eq!(zone('K'), 0xffff);
        assert_eq!(zone('k'), 0xffff_ff00_0000_0000);
        assert_eq!(zone('B'), LIGHT_BELOW);
        let pawns = men.iter().filter(|roamer| roamer.man.kind == Kind::Pawn);
        assert!(pawns.clone().all(Roamer::is_fixed) && pawns.count() == 16);
    }

    #[test]
    fn pawns_step_and_pass() {
        let pawn = |side, zone| Roamer {
            man: Man {
                side,
                kind: Kind::Pawn,
            },
            zone,
            is_takeable: false,
            en_passant: 0,
        };
        let (b2, b3, b4) = (bit(9), bit(17), bit(25));
        let (g7, g6, g5) = (bit(54), bit(46), bit(38));
        for (side, first, passed, second) in [(Side::White, b2, b3, b4), (Side::Black, g7, g6, g5)]
        {
            let alone = pawn(side, first);
            assert_eq!(alone.advances(&[alone]), passed | second);
            assert_eq!(alone.passed(), 0);
            assert_eq!(pawn(side, first | passed | second).passed(), passed);
            // A man on the square in front stops both steps, one behind it the second.
            let other = side.other();
            assert_eq!(alone.advances(&[alone, pawn(other, passed)]), 0);
            assert_eq!(alone.advances(&[alone, pawn(other, second)]), passed);
        }
    }

    #[test]
    fn a_pawn_that_has_passed_another_may_be_taken() {
        // White's pawn has come to g4; those of Black on f4 and h4 may capture it, and then stand on g3. No other pawn can
        // do anything.
        let before = placed(&board(&chain("4k3/8/8", "8/4K3", "b - g3")));
        let after = round(&before);
        let (f4, g3, g4, h4) = (bit(29), bit(22), bit(30), bit(31));
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(after.is_takeable, before.zone == g4);
            if before.man.kind == Kind::Pawn {
                let gains = before.zone == f4 || before.zone == h4;
                let gained = if gains { g3 } else { 0 };
                assert_eq!(after.zone, before.zone | gained);
            }
        }
    }

    #[test]
    fn where_walls_are_found_to_hold_they_do() {
        // Chains with some men put on and some taken away, by a fixed generator.
        let whole = board(&chain("4k3/8/8", "8/4K3", "w - -"));
        let mut number = 1_u64;
        let mut random = |below: u64| {
            number = number
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) % below
        };
        let (mut held, mut searched) = (0, 0);
        for _ in 0..1_000 {
            let mut men: Vec<Option<Man>> = (0..64)
                .map(|number| whole.on(Square::from_low_bits(number)))
                .collect();
            for _ in 0..random(4) {
                let place = random(64) as usize;
                if men[place].is_none_or(|man| man.kind != Kind::King) {
                    men[place] = None;
                }
            }
            for _ in 0..1 + random(3) {
                let place = random(64) as usize;
                let kind = [
                    Kind::Bishop,
                    Kind::Bishop,
                    Kind::Rook,
                    Kind::Knight,
                    Kind::Pawn,
                ][random(5) as usize];
                let side = Side::BOTH[random(2) as usize];
                let is_edge = !(8..56).contains(&place);
                if men[place].is_none() && !(kind == Kind::Pawn && is_edge) {
                    men[place] = Some(Man { side, kind });
                }
            }
            let mut start = Board::empty(Side::BOTH[random(2) as usize], Rights::NONE);
            for (number, man) in men.iter().enumerate() {
                let square = Square::from_low_bits(number as u16);
                man.iter().for_each(|&man| start.put(square, man));
            }
            if start.is_in_check(start.to_move.other()) || !hold(&start) {
                continue;
            }
            held += 1;
            if let Some(is_shut_in) = is_shut_in(&start, 5_000) {
                searched += 1;
                assert!(is_shut_in, "{start}");
            }
        }
        assert!(held > 150 && searched > 80, "{held} {searched}");
    }
}
