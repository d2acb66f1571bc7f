//! The check of bounds: steps 2 to 11 of what a checker must establish.
//!
//! The vertices, their moves and the ends of games come from the island's own enumeration and move generator, the bytes of
//! children from tables that were verified before. The file says in which round something is known of each vertex, and
//! which moves are deleted; both are compared with what the moves lead to. Why this proves the claim is said in the
//! soundness argument of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 3: bounds*.

use super::certificate::{Bounds, Child};
use super::claim::material_of_bounds;
use super::class::Class;
use super::graph::Graph;
use super::rounds::Rounds;
use super::session::Tables;
use super::states::States;
use super::table::{check_children, same};
use super::{Checked, Reason, Refusal, deletions, images};

/// Establishes the claim, or says why not.
pub(super) fn check(
    claim: &str,
    named: Vec<Child>,
    stored: &Bounds,
    tables: &mut Tables,
) -> Result<Checked, Refusal> {
    let material = material_of_bounds(claim)?;
    check_children(&material, &named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let (states, census) = States::of(&material, named);
    let reason = Reason::WrongNumberOfStates;
    same(reason, "states", stored.states, census.states)?;
    if let Some(stored) = stored.en_passant_states {
        let found = census.en_passant_states;
        same(reason, "en_passant_states", stored, found)?;
    }
    let class = Class::of(&states, &children);
    images::check_sample(&class)?;
    let graph = Graph::of(class);
    let rounds = Rounds::of(stored, graph.vertices())?;
    rounds.check(&graph)?;
    let edges = deletions::check(&graph, &rounds, stored)?;
    Ok(Checked {
        states: census.states,
        edges,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::ops::Range;
    use std::sync::LazyLock;

    use super::super::certificate::{Body, Certificate, Encoding};
    use super::super::certificate_kind::CertificateKind;
    use super::super::claim::material_of_endgame;
    use super::super::class::Successor;
    use super::super::graph::{Move, Vertex, Vertices};
    use super::super::man::Side;
    use super::super::rounds::NEVER;
    use super::super::{Id, Session, payload, read};
    use super::*;

    const KEPT: u8 = u8::MAX;

    /// Vertices with their moves, from wherever.
    struct List {
        vertices: Vec<Vertex>,
        states: usize,
    }

    impl Vertices for List {
        fn states(&self) -> usize {
            self.states
        }

        fn each(
            &self,
            visit: &mut dyn FnMut(&Vertex) -> Result<(), Refusal>,
        ) -> Result<(), Refusal> {
            self.vertices.iter().try_for_each(visit)
        }

        fn named(&self, vertex: u32) -> String {
            vertex.to_string()
        }
    }

    /// What is known of a value: that it is at least and at most something.
    type Known = (i8, i8);

    impl List {
        fn of(graph: &Graph) -> List {
            let mut vertices = Vec::new();
            let keep = &mut |vertex: &Vertex| {
                vertices.push(vertex.clone());
                Ok(())
            };
            graph.each(keep).unwrap();
            let states = graph.states();
            List { vertices, states }
        }

        /// What is known of what a move of a vertex leads to.
        fn of_move(&self, vertex: &Vertex, to: Move, known: &[Known]) -> Known {
            match to {
                Move::Vertex(to) => known[to as usize],
                Move::Child(255, _) | Move::Sink => (0, 0),
                // An odd byte says that the side wins that is to move then.
                Move::Child(byte, _) => match (byte % 2 == 1) == (vertex.to_move == Side::Black) {
                    true => (1, 1),
                    false => (-1, -1),
                },
            }
        }

        /// What is known in each round, by definition: a pass over all vertices for each.
        fn history(&self) -> Vec<Vec<Known>> {
            let at_first = |vertex: &Vertex| match vertex.mated {
                Some(Side::Black) => (1, 1),
                Some(Side::White) => (-1, -1),
                None if vertex.moves.is_empty() => (0, 0),
                None => (-1, 1),
            };
            let mut history: Vec<Vec<Known>> = vec![self.vertices.iter().map(at_first).collect()];
            loop {
                let last = history.last().unwrap();
                let next = |vertex: &Vertex| {
                    let moves = vertex.moves.iter();
                    let of_moves = moves.map(|&to| self.of_move(vertex, to, last));
                    let chosen = of_moves.reduce(|a, b| match vertex.to_move {
                        Side::White => (a.0.max(b.0), a.1.max(b.1)),
                        Side::Black => (a.0.min(b.0), a.1.min(b.1)),
                    });
                    chosen.unwrap_or(last[vertex.number as usize])
                };
                let next: Vec<Known> = self.vertices.iter().map(next).collect();
                if next == *last {
                    let closed = next.into_iter().map(|(low, high)| {
                        let high_then = if low < 1 { high.min(0) } else { high };
                        let low_then = if high > -1 { low.max(0) } else { low };
                        (low_then, high_then)
                    });
                    let closed = closed.collect();
                    history.push(closed);
                    return history;
                }
                history.push(next);
            }
        }

        /// True bounds. Of each vertex the first move with the best value is kept, and all are deleted that it dominates
        /// in any round.
        fn bounds(&self) -> Bounds {
            let history = self.history();
            let first = |holds: &dyn Fn(Known) -> bool| -> Vec<u16> {
                let of_vertex = |vertex: usize| {
                    let round = history.iter().position(|known| holds(known[vertex]));
                    round.map_or(NEVER, |round| round as u16)
                };
                (0..self.vertices.len()).map(of_vertex).collect()
            };
            let mut bounds = Bounds {
                states: self.states as u64,
                edges: 0,
                en_passant_states: None,
                rounds: history.len() as u16 - 1,
                white_wins: first(&|(low, _)| low == 1),
                black_wins: first(&|(_, high)| high == -1),
                white_holds: first(&|(low, _)| low >= 0),
                black_holds: first(&|(_, high)| high <= 0),
                dominators: Vec::new(),
                deletion_rounds: Vec::new(),
                deleted_strict: 0,
                deleted_equal: 0,
                deleted_open: 0,
            };
            for vertex in &self.vertices {
                let is_state = (vertex.number as usize) < self.states;
                let count = |counter: &mut u64, by: bool| *counter += u64::from(is_state && by);
                let best = self.best(vertex, history.last().unwrap());
                for (place, &to) in vertex.moves.iter().enumerate() {
                    count(&mut bounds.edges, true);
                    let deletion = history.iter().enumerate().find_map(|(round, known)| {
                        let kept = self.of_move(vertex, vertex.moves[best], known);
                        let deleted = self.of_move(vertex, to, known);
                        let (worst, best) = match vertex.to_move {
                            Side::White => (kept.0, deleted.1),
                            Side::Black => (-kept.1, -deleted.0),
                        };
                        (worst >= best).then_some((round, worst > best, deleted.0 < deleted.1))
                    });
                    match deletion {
                        Some((round, is_strict, is_open)) if place != best => {
                            bounds.dominators.push(best as u8);
                            bounds.deletion_rounds.push(round as u16);
                            count(&mut bounds.deleted_strict, is_strict);
                            count(&mut bounds.deleted_equal, !is_strict);
                            count(&mut bounds.deleted_open, is_open);
                        }
                        _ => {
                            bounds.dominators.push(KEPT);
                            bounds.deletion_rounds.push(NEVER);
                        }
                    }
                }
            }
            bounds
        }

        /// The place of the first move with the best value.
        fn best(&self, vertex: &Vertex, known: &[Known]) -> usize {
            let value = |place: &usize| {
                let (low, _) = self.of_move(vertex, vertex.moves[*place], known);
                match vertex.to_move {
                    Side::White => -low,
                    Side::Black => low,
                }
            };
            (0..vertex.moves.len()).min_by_key(value).unwrap_or(0)
        }

        /// The places of the records of a vertex.
        fn records(&self, vertex: usize) -> Range<usize> {
            let moves = self.vertices.iter().map(|vertex| vertex.moves.len());
            let start = moves.take(vertex).sum();
            start..start + self.vertices[vertex].moves.len()
        }

        /// Steps 5 to 11.
        fn judge(&self, stored: &Bounds) -> Result<u64, Refusal> {
            let rounds = Rounds::of(stored, self.vertices.len())?;
            rounds.check(self)?;
            deletions::check(self, &rounds, stored)
        }
    }

    /// Small graphs with every kind of move, drawn at random; the last vertices are no states.
    fn toys() -> Vec<List> {
        let mut seed = 1_u64;
        let mut draw = move |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut toy = |size: u64| {
            let mut vertex = |number: u64| {
                let to_move = Side::BOTH[(number % 2) as usize];
                let mut moves = BTreeSet::new();
                for _ in 0..draw(5) {
                    moves.insert(match draw(24) {
                        0 => Move::Sink,
                        1 => Move::Child(draw(256) as u8, Successor::in_a_child(draw(9) as usize)),
                        2 => Move::Child(255, Successor::in_a_child(draw(9) as usize)),
                        // The other side is to move there.
                        _ => Move::Vertex((2 * draw(size / 2) + (number + 1) % 2) as u32),
                    });
                }
                let is_mate = moves.is_empty() && draw(3) > 0;
                Vertex {
                    number: number as u32,
                    to_move,
                    mated: is_mate.then_some(to_move),
                    moves: moves.into_iter().collect(),
                }
            };
            List {
                vertices: (0..size).map(&mut vertex).collect(),
                states: size as usize * 3 / 4,
            }
        };
        (0..60).map(|number| toy(8 + 2 * (number % 20))).collect()
    }

    #[test]
    fn true_bounds_of_toys_are_accepted() {
        let (mut longest, mut all) = (0, [0; 5]);
        for (number, toy) in toys().iter().enumerate() {
            let bounds = toy.bounds();
            assert_eq!(toy.judge(&bounds), Ok(bounds.edges), "{number}");
            longest = longest.max(bounds.rounds);
            let closed = |holds: &[u16]| {
                holds
                    .iter()
                    .filter(|&&round| round == bounds.rounds)
                    .count()
            };
            for (all, found) in all.iter_mut().zip([
                bounds.deleted_strict as usize,
                bounds.deleted_equal as usize,
                bounds.deleted_open as usize,
                closed(&bounds.white_holds),
                closed(&bounds.black_holds),
            ]) {
                *all += found;
            }
        }
        // There is enough of everything for the changes below.
        assert!(
            longest >= 8 && all.iter().all(|&found| found > 50),
            "{longest} {all:?}"
        );
    }

    #[test]
    fn every_change_of_a_round_of_a_toy_is_refused() {
        use Reason::{LeakingSet, WrongCount, WrongRank, WrongRound};
        for (number, toy) in toys().iter().enumerate() {
            let bounds = toy.bounds();
            let rounds = (0..=bounds.rounds + 2).chain([NEVER - 1, NEVER]);
            for list in 0..4 {
                for vertex in 0..toy.vertices.len() {
                    for round in rounds.clone() {
                        let mut changed = bounds.clone();
                        let lists = [
                            &mut changed.white_wins,
                            &mut changed.black_wins,
                            &mut changed.white_holds,
                            &mut changed.black_holds,
                        ];
                        lists.into_iter().nth(list).unwrap()[vertex] = round;
                        if changed == bounds {
                            continue;
                        }
                        let found = toy.judge(&changed).unwrap_err().reason;
                        let wanted: &[Reason] = match list {
                            0 | 1 => &[WrongRank],
                            _ => &[LeakingSet, WrongRound],
                        };
                        assert!(
                            wanted.contains(&found),
                            "toy {number}: {list} {vertex} {round}"
                        );
                    }
                }
            }
            for last in rounds.filter(|&last| last != bounds.rounds) {
                let mut changed = bounds.clone();
                changed.rounds = last;
                let found = toy.judge(&changed).unwrap_err().reason;
                assert!(
                    [WrongRound, WrongCount].contains(&found),
                    "toy {number}: {last}"
                );
            }
        }
    }

    /// The bounds as if the last round were another one: everything that was known in it or later becomes known in it, or
    /// never.
    fn ending_in(bounds: &Bounds, last: u16) -> Bounds {
        let mut changed = bounds.clone();
        changed.rounds = last;
        for (holds, wins) in [
            (&mut changed.white_holds, &bounds.black_wins),
            (&mut changed.black_holds, &bounds.white_wins),
        ] {
            for (round, &win) in holds.iter_mut().zip(wins) {
                if *round >= last {
                    *round = if win == NEVER { last } else { NEVER };
                }
            }
        }
        changed.dominators.fill(KEPT);
        changed.deletion_rounds.fill(NEVER);
        (
            changed.deleted_strict,
            changed.deleted_equal,
            changed.deleted_open,
        ) = (0, 0, 0);
        changed
    }

    #[test]
    fn a_last_round_that_is_not_the_first_without_a_change_is_refused() {
        let mut tried = 0;
        for (number, toy) in toys().iter().enumerate() {
            let bounds = toy.bounds();
            assert!(toy.judge(&ending_in(&bounds, bounds.rounds)).is_ok());
            for last in 0..bounds.rounds {
                let found = toy.judge(&ending_in(&bounds, last));
                assert!(found.is_err(), "toy {number}: {last} of {}", bounds.rounds);
                tried += 1;
            }
        }
        assert!(tried > 50, "{tried}");
    }

    #[test]
    fn every_change_of_a_record_of_a_toy_is_refused() {
        use Reason::{DominatingMoveDeleted, NotDominated, WrongCount, WrongRecord, WrongRound};
        let mut seen = Vec::new();
        for (number, toy) in toys().iter().enumerate() {
            let bounds = toy.bounds();
            let history = toy.history();
            for vertex in &toy.vertices {
                for (place, record) in toy.records(vertex.number as usize).enumerate() {
                    let right = (bounds.dominators[record], bounds.deletion_rounds[record]);
                    let mut with = |dominator: u8, round: u16| {
                        let mut changed = bounds.clone();
                        changed.dominators[record] = dominator;
                        changed.deletion_rounds[record] = round;
                        let found = toy.judge(&changed).map_err(|refusal| refusal.reason);
                        seen.extend(found.err());
                        found
                    };
                    let moves = vertex.moves.len() as u8;
                    let what = format!("toy {number}: vertex {} move {place}", vertex.number);
                    // What is deleted now may be what a move before is deleted by.
                    let is_wrong = |found| {
                        let may_be_missed = right == (KEPT, NEVER);
                        found == Err(WrongRecord)
                            || may_be_missed && found == Err(DominatingMoveDeleted)
                    };
                    // Half a record, and one that names no other move.
                    for round in 0..=bounds.rounds {
                        assert_eq!(with(KEPT, round), Err(WrongRecord), "{what}");
                        for dominator in [place as u8, moves, KEPT - 1] {
                            assert!(is_wrong(with(dominator, round)), "{what}");
                        }
                    }
                    for dominator in (0..moves).filter(|&other| other != place as u8) {
                        assert!(is_wrong(with(dominator, NEVER)), "{what}");
                        let is_kept =
                            bounds.dominators[record - place + dominator as usize] == KEPT;
                        for round in (0..=bounds.rounds + 2).chain([NEVER - 1]) {
                            let known = |round: u16| &history[round.min(bounds.rounds) as usize];
                            let is_dominated = |round: u16| {
                                let kept = vertex.moves[dominator as usize];
                                let kept = toy.of_move(vertex, kept, known(round));
                                let deleted = vertex.moves[place];
                                let deleted = toy.of_move(vertex, deleted, known(round));
                                match vertex.to_move {
                                    Side::White => kept.0 >= deleted.1,
                                    Side::Black => kept.1 <= deleted.0,
                                }
                            };
                            let wanted = match () {
                                () if !is_kept => Err(DominatingMoveDeleted),
                                () if !is_dominated(round) => Err(NotDominated),
                                () if round > 0 && is_dominated(round - 1) => Err(WrongRound),
                                // A true record; but is it the one that was counted?
                                () if right == (KEPT, NEVER) => Err(WrongCount),
                                () => Ok(bounds.edges),
                            };
                            let found = with(dominator, round);
                            let is_as_wanted = match right {
                                // What is deleted now may be what another move is deleted by, and of what is no state
                                // nothing is counted.
                                (KEPT, NEVER) if wanted == Err(WrongCount) => {
                                    let is_state = (vertex.number as usize) < toy.states;
                                    found == wanted
                                        || found == Err(DominatingMoveDeleted)
                                        || found.is_ok() && !is_state
                                }
                                (KEPT, NEVER) => {
                                    found == wanted || found == Err(DominatingMoveDeleted)
                                }
                                // The other record may be of another kind.
                                _ => found == wanted || wanted.is_ok() && found == Err(WrongCount),
                            };
                            assert!(is_as_wanted, "{what} by {dominator} in {round}: {found:?}");
                        }
                    }
                    // A move that is kept after all: its deletion was counted, if it is one of a state.
                    if right != (KEPT, NEVER) {
                        let found = with(KEPT, NEVER);
                        match (vertex.number as usize) < toy.states {
                            true => assert_eq!(found, Err(WrongCount), "{what}"),
                            false => assert_eq!(found, Ok(bounds.edges), "{what}"),
                        }
                    }
                }
            }
        }
        for reason in [
            DominatingMoveDeleted,
            NotDominated,
            WrongCount,
            WrongRecord,
            WrongRound,
        ] {
            assert!(seen.contains(&reason), "{reason}");
        }
    }

    #[test]
    fn counts_leave_out_en_passant_states() {
        for toy in toys() {
            let bounds = toy.bounds();
            let moves = |vertices: &[Vertex]| -> usize {
                vertices.iter().map(|vertex| vertex.moves.len()).sum()
            };
            assert_eq!(bounds.edges as usize, moves(&toy.vertices[..toy.states]));
            assert_eq!(bounds.dominators.len(), moves(&toy.vertices));
            for field in 0..4 {
                for change in [1, u64::MAX] {
                    let mut changed = bounds.clone();
                    let fields = [
                        &mut changed.edges,
                        &mut changed.deleted_strict,
                        &mut changed.deleted_equal,
                        &mut changed.deleted_open,
                    ];
                    let field = fields.into_iter().nth(field).unwrap();
                    *field = field.wrapping_add(change);
                    let found = toy.judge(&changed).unwrap_err();
                    assert_eq!(found.reason, Reason::WrongCount, "{found}");
                }
            }
        }
    }

    const CLAIM: &str = "bounds KRK board";

    /// The moves of a class among the tables that it rests on.
    fn list_of(claim: &str, named: &[Child], tables: &mut Tables) -> List {
        let material = material_of_bounds(claim).unwrap();
        let (states, _) = States::of(&material, named.to_vec());
        let children = named.iter().map(|child| tables.states_of(child));
        let children = children.collect::<Result<Vec<_>, _>>().unwrap();
        List::of(&Graph::of(Class::of(&states, &children)))
    }

    static KRK: LazyLock<(List, Bounds)> = LazyLock::new(|| {
        let list = list_of(CLAIM, &[], &mut Tables::default());
        let bounds = list.bounds();
        (list, bounds)
    });

    /// The refusal of the bounds after a change.
    fn refusal(change: impl FnOnce(&mut Bounds)) -> Refusal {
        let mut changed = KRK.1.clone();
        change(&mut changed);
        assert_ne!(changed, KRK.1);
        check(CLAIM, Vec::new(), &changed, &mut Tables::default()).unwrap_err()
    }

    fn reason(change: impl FnOnce(&mut Bounds)) -> Reason {
        refusal(change).reason
    }

    /// The first vertex with a side to move of which something is so.
    fn vertex(to_move: Side, is_wanted: impl Fn(&Vertex) -> bool) -> usize {
        let mut vertices = KRK.0.vertices.iter();
        let is_wanted = |vertex: &&Vertex| vertex.to_move == to_move && is_wanted(vertex);
        vertices.find(is_wanted).unwrap().number as usize
    }

    /// When White wins what a move leads to.
    fn win(to: Move) -> u16 {
        match to {
            Move::Vertex(to) => KRK.1.white_wins[to as usize],
            _ => NEVER,
        }
    }

    fn certificate(claim: &str, named: &[Child], bounds: &Bounds) -> Certificate {
        let material = material_of_bounds(claim).unwrap();
        assert_eq!(material.bounds_claim(), claim);
        let body = Body::Bounds(bounds.clone());
        Certificate::made_of(Encoding::Json, claim.to_string(), named.to_vec(), body)
    }

    /// A shipped table, verified in the session, and its bytes.
    fn table(name: &str, session: &mut Session) -> (Child, Vec<u8>) {
        let folder = env!("CARGO_MANIFEST_DIR");
        let file = std::fs::read(format!("{folder}/certificates/{name}.bin")).unwrap();
        let certificate = read(&mut file.as_slice()).unwrap();
        session.verify(&certificate).unwrap();
        let Body::EndgameTable(table) = certificate.body else {
            panic!()
        };
        let (claim, id) = (certificate.claim, certificate.id);
        (Child { claim, id }, table.values)
    }

    #[test]
    fn classes_without_children() {
        let kqk = list_of("bounds KQK board", &[], &mut Tables::default()).bounds();
        for (name, bounds, states, edges, rounds) in [
            ("KQK", &kqk, 46_137, 609_873, 21),
            ("KRK", &KRK.1, 50_015, 558_816, 33),
        ] {
            let made = certificate(&format!("bounds {name} board"), &[], bounds);
            let checked = Session::new().verify(&made).unwrap();
            assert_eq!((checked.states, checked.edges), (states, edges), "{name}");
            // One more than the longest mate.
            assert_eq!(bounds.rounds, rounds, "{name}");
            // Without children, a win is known after as many rounds as it takes plies, says the table.
            let (_, values) = table(name, &mut Session::new());
            let wins = values.iter().map(|&byte| match byte {
                255 => NEVER,
                plies => u16::from(plies),
            });
            assert!(wins.eq(bounds.white_wins.iter().copied()), "{name}");
            assert!(bounds.black_wins.iter().all(|&round| round == NEVER));
            // Every interval ends as a point.
            assert!(bounds.white_holds.iter().all(|&round| round != NEVER));
            let lists = bounds.white_wins.iter().zip(&bounds.black_holds);
            assert!(
                lists
                    .clone()
                    .all(|(&win, &hold)| (win == NEVER) != (hold == NEVER))
            );
        }
        // Bounds of one class are none of another, and a refusal has the id.
        let other = certificate("bounds KQK board", &[], &KRK.1);
        let refusal = Session::new().verify(&other).unwrap_err();
        assert_eq!(refusal.reason, Reason::WrongNumberOfStates);
        assert_eq!(refusal.id, Some(other.id));
    }

    #[test]
    fn a_wrong_rank_is_refused() {
        for to_move in Side::BOTH {
            for rank in [1, 2, 15, 16, 32, NEVER] {
                let is_wanted = |vertex: &Vertex| KRK.1.white_wins[vertex.number as usize] == rank;
                let mut vertices = KRK.0.vertices.iter();
                let is_found =
                    vertices.any(|vertex| vertex.to_move == to_move && is_wanted(vertex));
                if !is_found {
                    continue;
                }
                let vertex = vertex(to_move, is_wanted);
                for wrong in [0, 1, 2, 14, 15, 16, 17, 18, 33, 34, NEVER - 1, NEVER] {
                    if wrong != rank {
                        let found = reason(|stored| stored.white_wins[vertex] = wrong);
                        assert_eq!(found, Reason::WrongRank, "{to_move:?} {rank} {wrong}");
                    }
                }
                for wrong in [0, 1, 33] {
                    let found = refusal(|stored| stored.black_wins[vertex] = wrong);
                    assert_eq!(found.reason, Reason::WrongRank, "{found}");
                    assert!(found.place.starts_with("black_wins: vertex "), "{found}");
                }
            }
        }
    }

    #[test]
    fn a_hold_in_a_lost_state_is_refused() {
        let lost = |vertex: &Vertex| KRK.1.white_wins[vertex.number as usize] != NEVER;
        let mate = |vertex: &Vertex| vertex.mated.is_some();
        for vertex in [
            vertex(Side::White, lost),
            vertex(Side::Black, |vertex| lost(vertex) && !mate(vertex)),
            vertex(Side::Black, mate),
        ] {
            for round in [0, 1, 32, 33, 34] {
                let found = refusal(|stored| stored.black_holds[vertex] = round);
                assert_eq!(found.reason, Reason::LeakingSet, "{found}");
                let place = format!("black_holds: vertex {vertex} ");
                assert!(found.place.starts_with(&place), "{found}");
            }
        }
        // All of them at once, except where it is mate already: where White mates, the set leaks.
        let found = refusal(|stored| {
            for (vertex, hold) in KRK.0.vertices.iter().zip(&mut stored.black_holds) {
                if *hold == NEVER && vertex.mated.is_none() {
                    *hold = 33;
                }
            }
        });
        assert_eq!(found.reason, Reason::LeakingSet, "{found}");
        let first = vertex(Side::White, |vertex| {
            KRK.1.white_wins[vertex.number as usize] == 1
        });
        assert!(found.place.contains(&format!("vertex {first} ")), "{found}");
    }

    #[test]
    fn a_set_that_passes_over_a_deleted_move_is_refused() {
        // All moves that win are deleted by one that does not, and the state is said to be held.
        let (vertex, good, bad, start) = two_moves(Side::White);
        let moves = &KRK.0.vertices[vertex].moves;
        let delete = |stored: &mut Bounds| {
            for (place, &to) in moves.iter().enumerate() {
                let is_winning = win(to) != NEVER;
                assert!(is_winning || place != good);
                let record = if is_winning {
                    (bad as u8, 33)
                } else {
                    (KEPT, NEVER)
                };
                let place = start + place;
                (stored.dominators[place], stored.deletion_rounds[place]) = record;
            }
        };
        let found = refusal(|stored| {
            stored.black_holds[vertex] = 33;
            stored.white_wins[vertex] = NEVER;
            delete(stored);
        });
        assert_eq!(found.reason, Reason::LeakingSet, "{found}");
        assert!(
            found.place.contains(&format!("vertex {vertex} ")),
            "{found}"
        );
        assert_eq!(reason(delete), Reason::NotDominated);
    }

    #[test]
    fn another_round_of_a_hold_is_refused() {
        for (round, to_move) in [(1, Side::Black), (2, Side::White), (2, Side::Black)] {
            let is_wanted = |vertex: &Vertex| KRK.1.black_holds[vertex.number as usize] == round;
            let mut vertices = KRK.0.vertices.iter();
            if !vertices.any(|vertex| vertex.to_move == to_move && is_wanted(vertex)) {
                continue;
            }
            let vertex = vertex(to_move, is_wanted);
            for wrong in [round - 1, round + 1, 32, 33, 34, NEVER - 1] {
                let found = reason(|stored| stored.black_holds[vertex] = wrong);
                assert_eq!(found, Reason::WrongRound, "{round} {wrong}");
            }
        }
        // White holds where it wins, and no later.
        let vertex = vertex(Side::White, |vertex| {
            KRK.1.white_wins[vertex.number as usize] > 20
        });
        for wrong in [0, 33, 34] {
            let found = reason(|stored| stored.white_holds[vertex] = wrong);
            assert_eq!(found, Reason::WrongRound, "{wrong}");
        }
        // Where a set is left without a vertex, others can no longer stay in it.
        let found = reason(|stored| stored.white_holds.fill(NEVER));
        assert_eq!(found, Reason::WrongRound);
        let black = KRK
            .0
            .vertices
            .iter()
            .find(|vertex| vertex.to_move == Side::Black);
        let Some(&Move::Vertex(to)) = black.and_then(|vertex| vertex.moves.first()) else {
            panic!()
        };
        let found = reason(|stored| stored.white_holds[to as usize] = NEVER);
        assert_eq!(found, Reason::LeakingSet);
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn another_last_round_is_refused() {
        for wrong in [0, 1, 32, 34, 35, NEVER - 1, NEVER] {
            let found = refusal(|stored| stored.rounds = wrong);
            assert!(
                [Reason::WrongRound, Reason::WrongCount].contains(&found.reason),
                "{found}"
            );
        }
        for last in 0..33 {
            let found = refusal(|stored| *stored = ending_in(stored, last));
            assert!(
                [Reason::WrongRound, Reason::WrongCount].contains(&found.reason),
                "{found}"
            );
        }
    }

    /// A vertex where the side to move has a move that is better than another one, the places of both among the moves, and
    /// the place of the first record.
    fn two_moves(to_move: Side) -> (usize, usize, usize, usize) {
        let is_good = |to: &Move| (win(*to) != NEVER) == (to_move == Side::White);
        let is_wanted =
            |vertex: &Vertex| vertex.moves.iter().any(is_good) && !vertex.moves.iter().all(is_good);
        let vertex = vertex(to_move, is_wanted);
        let moves = &KRK.0.vertices[vertex].moves;
        let good = moves.iter().position(is_good).unwrap();
        let bad = moves.iter().position(|to| !is_good(to)).unwrap();
        (vertex, good, bad, KRK.0.records(vertex).start)
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_false_record_is_refused() {
        use Reason::{DominatingMoveDeleted, NotDominated, WrongRecord, WrongRound};
        for to_move in Side::BOTH {
            let (vertex, good, bad, start) = two_moves(to_move);
            let records = KRK.0.records(vertex);
            let with = |records_of: &[(usize, u8, u16)]| {
                let found = refusal(|stored| {
                    stored.dominators[records.clone()].fill(KEPT);
                    stored.deletion_rounds[records.clone()].fill(NEVER);
                    for &(place, dominator, round) in records_of {
                        stored.dominators[start + place] = dominator;
                        stored.deletion_rounds[start + place] = round;
                    }
                });
                assert!(
                    found.reason == Reason::WrongCount
                        || found.place.starts_with(&format!("vertex {vertex} ")),
                    "{found}"
                );
                found.reason
            };
            let (good_byte, bad_byte) = (good as u8, bad as u8);
            let round = KRK.1.deletion_rounds[start + bad];
            assert_ne!(round, NEVER);
            // The record itself is true.
            assert_eq!(with(&[(bad, good_byte, round)]), Reason::WrongCount);
            // The better move is deleted by the worse one.
            for round in 0..=33 {
                assert_eq!(with(&[(good, bad_byte, round)]), NotDominated);
            }
            // Two moves that delete each other.
            let both = [(good, bad_byte, round), (bad, good_byte, round)];
            assert_eq!(with(&both), DominatingMoveDeleted);
            // A round too early, and one too late.
            if round > 0 {
                assert_eq!(with(&[(bad, good_byte, round - 1)]), NotDominated);
            }
            assert_eq!(with(&[(bad, good_byte, round + 1)]), WrongRound);
            // Halves.
            assert_eq!(with(&[(bad, good_byte, NEVER)]), WrongRecord);
            assert_eq!(with(&[(bad, KEPT, round)]), WrongRecord);
            // No other move.
            assert_eq!(with(&[(bad, bad_byte, round)]), WrongRecord);
            assert_eq!(with(&[(bad, records.len() as u8, round)]), WrongRecord);
            assert_eq!(with(&[(bad, KEPT - 1, round)]), WrongRecord);
        }
    }

    #[test]
    fn two_equal_moves_do_not_justify_each_other() {
        // Both win. Each dominates the other as soon as that is known, but not when it is deleted itself.
        let wins = |to: &&Move| win(**to) != NEVER;
        let vertex = vertex(Side::White, |vertex| {
            vertex.moves.iter().take(2).filter(wins).count() == 2
        });
        let start = KRK.0.records(vertex).start;
        let moves = &KRK.0.vertices[vertex].moves;
        let found = refusal(|stored| {
            for (place, other) in [(0, 1), (1, 0)] {
                stored.dominators[start + place] = other as u8;
                stored.deletion_rounds[start + place] = win(moves[other]);
            }
        });
        assert_eq!(found.reason, Reason::DominatingMoveDeleted, "{found}");
        assert!(
            found.place.starts_with(&format!("vertex {vertex} ")),
            "{found}"
        );
    }

    #[test]
    fn other_lengths_and_counts_are_refused() {
        use Reason::{WrongCount, WrongNumberOfRecords, WrongNumberOfRounds, WrongNumberOfStates};
        type Change = fn(&mut Bounds);
        let changes: [(Change, Reason); 28] = [
            (|s| s.white_wins.push(NEVER), WrongNumberOfRounds),
            (|s| s.white_wins.truncate(50_014), WrongNumberOfRounds),
            (|s| s.black_wins.push(NEVER), WrongNumberOfRounds),
            (|s| s.black_wins.truncate(50_014), WrongNumberOfRounds),
            (|s| s.white_holds.push(NEVER), WrongNumberOfRounds),
            (|s| s.white_holds.truncate(50_014), WrongNumberOfRounds),
            (|s| s.black_holds.push(NEVER), WrongNumberOfRounds),
            (|s| s.black_holds.truncate(50_014), WrongNumberOfRounds),
            (|s| s.black_holds.clear(), WrongNumberOfRounds),
            (|s| s.dominators.push(KEPT), WrongNumberOfRecords),
            (|s| s.dominators.truncate(558_815), WrongNumberOfRecords),
            (|s| s.dominators.clear(), WrongNumberOfRecords),
            (|s| s.deletion_rounds.push(NEVER), WrongNumberOfRecords),
            (|s| s.deletion_rounds.truncate(9), WrongNumberOfRecords),
            (|s| s.deletion_rounds.clear(), WrongNumberOfRecords),
            // A move is missing in both.
            (
                |s| {
                    s.dominators.remove(300_000);
                    s.deletion_rounds.remove(300_000);
                },
                WrongNumberOfRecords,
            ),
            (|s| s.edges += 1, WrongCount),
            (|s| s.edges -= 1, WrongCount),
            (|s| s.deleted_strict += 1, WrongCount),
            (|s| s.deleted_strict -= 1, WrongCount),
            (|s| s.deleted_equal += 1, WrongCount),
            (|s| s.deleted_equal -= 1, WrongCount),
            (|s| s.deleted_open += 1, WrongCount),
            (|s| s.deleted_open -= 1, WrongCount),
            (|s| s.deleted_open = u64::MAX, WrongCount),
            (|s| s.states += 1, WrongNumberOfStates),
            (|s| s.states -= 1, WrongNumberOfStates),
            (
                |s| {
                    s.edges += 1;
                    s.dominators[0] = 254;
                    s.deletion_rounds.pop();
                },
                WrongNumberOfRecords,
            ),
        ];
        for (number, (change, wanted)) in changes.into_iter().enumerate() {
            assert_eq!(reason(change), wanted, "{number}");
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn no_changed_byte_of_a_payload_is_accepted() {
        let payload = certificate(CLAIM, &[], &KRK.1).payload();
        let mut seed = 1_u64;
        let mut draw = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for number in 0..80 {
            // The fields at both ends are few bytes of many, so they are tried more often.
            let place = match number % 4 {
                0 => draw(90),
                1 => payload.len() - 1 - draw(24),
                _ => draw(payload.len()),
            };
            let mut changed = payload.clone();
            changed[place] ^= 1 << draw(8);
            if let Ok((claim, named, Body::Bounds(bounds))) =
                payload::read(CertificateKind::Bounds, changed)
            {
                let found = check(&claim, named, &bounds, &mut Tables::default());
                assert!(found.is_err(), "byte {place}");
            }
        }
    }

    #[test]
    fn the_first_failure_is_told() {
        use Reason::{LeakingSet, WrongRank, WrongRecord, WrongRound};
        let lost = vertex(Side::Black, |vertex| win(Move::Vertex(vertex.number)) == 16);
        type Change = fn(&mut Bounds, usize);
        let steps: [(Change, Reason); 5] = [
            (|s, lost| s.black_holds[lost] = 33, LeakingSet),
            (|s, lost| s.white_wins[lost] = 18, WrongRank),
            (|s, lost| s.white_holds[lost] = 17, WrongRound),
            (|s, _| s.dominators[0] = 254, WrongRecord),
            (|s, _| s.edges = 0, Reason::WrongCount),
        ];
        for first in 0..steps.len() {
            let found = reason(|stored| {
                for (change, _) in &steps[first..] {
                    change(stored, lost);
                }
            });
            assert_eq!(found, steps[first].1);
        }
    }

    #[test]
    fn a_class_with_children() {
        let claim = "bounds KPK board from KQK KRK";
        let mut session = Session::new();
        let named = ["KQK", "KRK"].map(|name| table(name, &mut session).0);
        let list = list_of(claim, &named, session.tables_mut());
        let bounds = list.bounds();
        let good = certificate(claim, &named, &bounds);
        let checked = session.verify(&good).unwrap();
        assert_eq!((checked.states, checked.edges), (165_676, 1_111_291));
        // Draws that no move forces: the sets that are closed in the last round.
        let closed = |holds: &[u16]| holds.iter().position(|&round| round == bounds.rounds);
        let vertex = closed(&bounds.black_holds).unwrap();
        for wrong in [bounds.rounds - 1, bounds.rounds + 1] {
            let mut changed = bounds.clone();
            changed.black_holds[vertex] = wrong;
            let found = check(claim, named.to_vec(), &changed, session.tables_mut());
            assert_eq!(found.unwrap_err().reason, Reason::WrongRound);
        }
        // The children are needed, in order, verified, and with the right ids.
        let refusal = |session: &mut Session, named: &[Child]| {
            let found = session.verify(&certificate(claim, named, &bounds));
            found.unwrap_err().reason
        };
        assert_eq!(
            refusal(&mut Session::new(), &named),
            Reason::MissingChildren
        );
        let swapped = [named[1].clone(), named[0].clone()];
        for named in [&named[..1], &named[1..], &[], &swapped] {
            assert_eq!(refusal(&mut session, named), Reason::WrongChildren);
        }
        let mut other = named.clone();
        other[1].id = other[0].id;
        assert_eq!(refusal(&mut session, &other), Reason::WrongChild);
        let absolute = Certificate {
            claim: "bounds KPK board".to_string(),
            ..good.clone()
        };
        let found = session.verify(&absolute).unwrap_err();
        assert_eq!(found.reason, Reason::UnknownClaim);
        let found = session.verify(&certificate(CLAIM, &named, &KRK.1));
        assert_eq!(found.unwrap_err().reason, Reason::WrongChildren);
        // What children say matters: if all is drawn there, a promotion wins nothing.
        let mut tables = Tables::default();
        for child in &named {
            let material = material_of_endgame(&child.claim).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(vec![255; census.states as usize], Vec::new());
            tables.add(child.id, states);
        }
        let found = check(claim, named.to_vec(), &bounds, &mut tables).unwrap_err();
        assert_eq!(found.reason, Reason::WrongRank);
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn en_passant_states_are_vertices() {
        let claim = "bounds KPKP board from KBKP KNKP KPK KQKP KRKP";
        let material = material_of_bounds(claim).unwrap();
        // All states of children are drawn here: their bytes do not matter before what is wrong.
        let (mut named, mut tables) = (Vec::new(), Tables::default());
        for (number, child) in (0..).zip(material.needed_children()) {
            let id = Id::from_bytes([number; 32]);
            let material = material_of_endgame(&child).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(vec![255; census.states as usize], Vec::new());
            tables.add(id, states);
            named.push(Child { claim: child, id });
        }
        let (_, census) = States::of(&material, Vec::new());
        let (states, en_passant) = (census.states, census.en_passant_states);
        let mut refusal = |en_passant_states: u64, entries: u64| {
            let list = vec![NEVER; entries as usize];
            let stored = Bounds {
                states,
                en_passant_states: Some(en_passant_states),
                white_wins: list.clone(),
                black_wins: list.clone(),
                white_holds: list.clone(),
                black_holds: list,
                ..KRK.1.clone()
            };
            check(claim, named.clone(), &stored, &mut tables).unwrap_err()
        };
        for wrong in [0, en_passant - 1, en_passant + 1] {
            let found = refusal(wrong, states + wrong);
            assert_eq!(found.reason, Reason::WrongNumberOfStates);
            assert!(found.place.starts_with("en_passant_states: "), "{found}");
        }
        let forgotten = refusal(en_passant, states);
        assert_eq!(forgotten.reason, Reason::WrongNumberOfRounds);
        // With all entries there, it is not true that nobody ever holds a stalemate.
        let found = refusal(en_passant, states + en_passant);
        assert!(
            [Reason::WrongRank, Reason::WrongRound].contains(&found.reason),
            "{found}"
        );
    }
}
