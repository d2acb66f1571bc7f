//! The nodes of a proof: what a search has found, as far as it can be shown.
//!
//! A search says for each position what it believes. Here each belief is held against the rules of the format page, and what
//! does not follow is weakened, until everything that is left follows. So a fault of the search, or a win that the clock or a
//! position that occurs again may spoil, costs a bound and never gives a wrong one.

use std::collections::HashMap;

use shakmaty::{Color, Position};

use super::ground::{AtSight, Ground};
use super::node::{KEPT, NO_RANK, Node, NodeKind, NodeMove, OPEN};
use super::places::{Place, Profile, stands, win_of};
use super::support::{clock_of_win, interval_of, least_for, of_move, supports};
use crate::game::{Interval, Plies};
use crate::rules::{DeadReason, moves_in_order};
use crate::solve::local::Proved;

/// The last clock with which a game goes on.
const LAST_CLOCK: u8 = 149;

/// What is believed of places, from one search or several.
#[derive(Debug, Default)]
pub struct Beliefs {
    of_place: HashMap<Place, (Interval, Option<u32>)>,
}

impl Beliefs {
    /// Adds what a search has found. Of ranks the smaller one counts: whoever refers to it is content with that.
    pub fn add(&mut self, found: impl IntoIterator<Item = Proved<Place>>) {
        for proved in found {
            let known = self.of_place.entry(proved.state);
            let known = known.or_insert((Interval::UNKNOWN, None));
            known.0 = interval_of(
                known.0.lower.max(proved.interval.lower),
                (-known.0.upper).max(-proved.interval.upper),
            );
            known.1 = match (known.1, proved.rank) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }
}

/// Nodes in which every bound follows from the bounds of the moves.
#[derive(Debug, Default)]
pub struct NodeList {
    profile_is_fcs: bool,
    nodes: Vec<Node>,
    of_place: HashMap<Place, u32>,
}

impl NodeList {
    /// What of the beliefs can be shown. Places without a clock may be nodes of the complete game: draws of theirs are draws
    /// with any clock, and wins up to the clock that is found here.
    pub fn of(profile: Profile, ground: Ground<'_>, beliefs: &Beliefs) -> NodeList {
        let mut list = NodeList {
            profile_is_fcs: profile == Profile::Fcs,
            ..NodeList::default()
        };
        let mut places: Vec<&Place> = beliefs.of_place.keys().collect();
        // By rank, so that clocks are found from the mates backwards; the order has no other meaning.
        places.sort_by_cached_key(|place| beliefs.of_place[place].1.unwrap_or(u32::MAX));
        for place in &places {
            let number = list.nodes.len() as u32;
            list.of_place.insert((*place).clone(), number);
            let (interval, rank) = beliefs.of_place[*place];
            list.nodes
                .push(node(profile, ground, place, interval, rank));
        }
        for (number, place) in places.iter().enumerate() {
            list.link(number, place);
            if profile == Profile::Fcs && place.clock == 0 {
                list.set_clock(number);
            }
        }
        if profile == Profile::Fcs {
            list.forget_wins_met_again();
        }
        list.weaken();
        list.delete();
        list
    }

    /// The rules that the nodes are for.
    pub(super) const fn profile(&self) -> Profile {
        match self.profile_is_fcs {
            true => Profile::Fcs,
            false => Profile::Board,
        }
    }

    /// The nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of a place.
    pub fn number(&self, place: &Place) -> Option<u32> {
        self.of_place.get(place).copied()
    }

    /// Refers the moves of a node to the nodes that there are: of that with the clock and that without the one that says more.
    fn link(&mut self, number: usize, place: &Place) {
        if self.nodes[number].kind != NodeKind::Moves {
            return;
        }
        let profile = self.profile();
        let mut moves = Vec::new();
        for mv in moves_in_order(&place.position) {
            let mut position = place.position.clone();
            position.play_unchecked(mv);
            let mut linked = NodeMove {
                to: OPEN,
                dominator: KEPT,
                is_zeroing: mv.is_zeroing(),
            };
            let mut most = i8::MIN;
            let mut wanted = Place { position, clock: 0 };
            for clock in [0, place.clock + 1] {
                wanted.clock = clock;
                let Some(to) = self.number(&wanted) else {
                    continue;
                };
                let candidate = NodeMove { to, ..linked };
                let told = of_move(profile, &self.nodes, &self.nodes[number], candidate);
                let told = told.lower - told.upper;
                if told > most {
                    (linked, most) = (candidate, told);
                }
            }
            moves.push(linked);
        }
        match moves.len() <= usize::from(u8::MAX) {
            true => self.nodes[number].moves = moves,
            false => self.nodes[number].interval = Interval::UNKNOWN,
        }
    }

    /// Finds the clock up to which a win stands; without one it is no win.
    fn set_clock(&mut self, number: usize) {
        let node = &self.nodes[number];
        if node.kind != NodeKind::Moves {
            return;
        }
        for side in Color::ALL {
            if least_for(node.interval, side) == 1 {
                let clock = clock_of_win(&self.nodes, node, side);
                let node = &mut self.nodes[number];
                match clock {
                    Some(clock) => node.clock = clock,
                    None => set_least(node, side, 0),
                }
                return;
            }
        }
    }

    /// Of wins of the same side in the same position only that with the largest clock is kept.
    fn forget_wins_met_again(&mut self) {
        let mut kept: HashMap<_, usize> = HashMap::new();
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            let winner = Color::ALL
                .into_iter()
                .find(|&side| least_for(node.interval, side) == 1);
            let (NodeKind::Moves, Some(winner)) = (node.kind, winner) else {
                continue;
            };
            let key = (node.position.clone(), winner);
            let clock = node.clock;
            let forgotten = match kept.get(&key).copied() {
                Some(other) if self.nodes[other].clock >= clock => Some(number),
                other => {
                    kept.insert(key, number);
                    other
                }
            };
            if let Some(forgotten) = forgotten {
                set_least(&mut self.nodes[forgotten], winner, 0);
            }
        }
    }

    /// The nodes that something can be learnt from, in the order in which they are met from some of them, which come first; their
    /// moves refer to each other by the new numbers. With it, the new number of each old one.
    pub(super) fn arranged(&self, roots: &[u32]) -> (Vec<Node>, HashMap<u32, u32>) {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut order: Vec<u32> = Vec::new();
        let mut meet = |number: u32, order: &mut Vec<u32>| -> u32 {
            *numbers.entry(number).or_insert_with(|| {
                order.push(number);
                order.len() as u32 - 1
            })
        };
        for &root in roots {
            meet(root, &mut order);
        }
        let mut arranged = Vec::new();
        while let Some(&number) = order.get(arranged.len()) {
            let mut node = self.nodes[number as usize].clone();
            for mv in &mut node.moves {
                let says_something = |to: &Node| to.interval != Interval::UNKNOWN;
                mv.to = match self.nodes.get(mv.to as usize) {
                    Some(to) if says_something(to) => meet(mv.to, &mut order),
                    _ => OPEN,
                };
            }
            arranged.push(node);
        }
        (arranged, numbers)
    }

    /// Takes back what does not follow, until all does.
    fn weaken(&mut self) {
        let profile = self.profile();
        let mut referring: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for mv in node.moves.iter().filter(|mv| mv.to != OPEN) {
                referring[mv.to as usize].push(number as u32);
            }
        }
        let mut doubtful: Vec<u32> = (0..self.nodes.len() as u32).collect();
        while let Some(number) = doubtful.pop() {
            let node = &self.nodes[number as usize];
            if node.kind != NodeKind::Moves {
                continue;
            }
            let mut is_weaker = false;
            for side in Color::ALL {
                let node = &self.nodes[number as usize];
                let said = least_for(node.interval, side);
                let shown = (0..=said)
                    .rev()
                    .find(|&least| supports(profile, &self.nodes, node, side, least))
                    .unwrap_or(-1);
                if shown < said {
                    set_least(&mut self.nodes[number as usize], side, shown);
                    is_weaker = true;
                }
            }
            if is_weaker {
                // With a win goes its clock, so the node itself is doubtful again.
                doubtful.push(number);
                doubtful.extend(&referring[number as usize]);
            }
        }
    }

    /// Deletes the moves that the best move of a node dominates.
    fn delete(&mut self) {
        let profile = self.profile();
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            let side = node.position.turn();
            let known: Vec<Interval> = node
                .moves
                .iter()
                .map(|&mv| of_move(profile, &self.nodes, node, mv))
                .collect();
            let best = |place: &usize| {
                let least = least_for(known[*place], side);
                (std::cmp::Reverse(least), least_for(known[*place], !side))
            };
            let Some(best) = (0..known.len()).min_by_key(best) else {
                continue;
            };
            let least = least_for(known[best], side);
            for (place, interval) in known.iter().enumerate() {
                let is_deleted = place != best && least >= -least_for(*interval, !side);
                self.nodes[number].moves[place].dominator = match is_deleted {
                    true => best as u8,
                    false => KEPT,
                };
            }
        }
    }
}

/// Says less for a side. A win that is no longer one has no rank, and as a draw it stands from the clock of the place on.
fn set_least(node: &mut Node, side: Color, least: i8) {
    let other = least_for(node.interval, !side);
    node.interval = match side {
        Color::White => interval_of(least, other),
        Color::Black => interval_of(other, least),
    };
    if least < 1 {
        node.rank = NO_RANK;
        node.clock = node.place_clock;
    }
}

/// A node with what is believed of it; its moves come later.
fn node(
    profile: Profile,
    ground: Ground<'_>,
    place: &Place,
    interval: Interval,
    rank: Option<u32>,
) -> Node {
    let position = &place.position;
    let won = |color| Interval::point(win_of(color));
    let place_clock = place.clock.min(LAST_CLOCK);
    let mut clock = place_clock;
    let (kind, interval) = match ground.at_sight(position) {
        AtSight::Checkmate => (NodeKind::End, won(!position.turn())),
        AtSight::Stalemate => (NodeKind::End, Interval::point(0)),
        AtSight::Dead(DeadReason::Material) => (NodeKind::Material, Interval::point(0)),
        AtSight::Dead(_) => (NodeKind::Walls, Interval::point(0)),
        AtSight::Table(None) => (NodeKind::Table, Interval::point(0)),
        AtSight::Table(Some((winner, _))) if profile == Profile::Board => {
            (NodeKind::Table, won(winner))
        }
        AtSight::Table(Some((winner, plies))) if stands(plies, place_clock) => {
            clock = last_clock(plies);
            (NodeKind::Table, won(winner))
        }
        // The clock may spoil the win. If it is known to, that is said; otherwise that the winner does not lose.
        AtSight::Table(Some(_)) if interval == Interval::point(0) => (NodeKind::Moves, interval),
        AtSight::Table(Some((winner, _))) => {
            let least = |side| if side == winner { 0 } else { -1 };
            (
                NodeKind::Table,
                interval_of(least(Color::White), least(Color::Black)),
            )
        }
        AtSight::Nothing => (NodeKind::Moves, interval),
    };
    let is_won = interval.lower == 1 || interval.upper == -1;
    let rank = match (kind, is_won, rank) {
        (NodeKind::Moves, true, Some(rank)) => u16::try_from(rank).unwrap_or(NO_RANK),
        _ => NO_RANK,
    };
    Node {
        position: position.clone(),
        clock,
        place_clock,
        kind,
        interval,
        rank,
        moves: Vec::new(),
    }
}

/// The largest clock with which a win by a table stands.
fn last_clock(plies: Plies) -> u8 {
    (0..=LAST_CLOCK)
        .rev()
        .find(|&clock| stands(plies, clock))
        .unwrap_or(0)
}
