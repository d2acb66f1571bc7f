//! The check of an endgame table: steps 2 to 8 of what a checker must establish.
//!
//! Nothing about chess is taken over from the file. The states, their successors and every count come from the
//! island's own enumeration and move generator; the bytes of the file are only compared with what the equations give.
//! The first difference is the verdict. Why these local comparisons prove the claim is said in the soundness argument
//! of the module.
//!
//! Source: `docs/certificate-format.md`, *Kind 1: endgame table*.

use std::mem::take;
use std::sync::Arc;

use super::certificate::{Child, EndgameTable};
use super::claim::{material_of_endgame, name_in};
use super::class::{Class, Transition};
use super::counts::Counts;
use super::images;
use super::material::Material;
use super::position::Position;
use super::session::{SPARE, Tables};
use super::states::{Census, States};
use super::value::{Outlook, Value};
use super::{Checked, Move, Reason, Refusal};

/// Establishes the claim, or says why not. The states that come back are those of the table, for its parents.
pub(super) fn check(
    claim: &str,
    named: Vec<Child>,
    mut table: EndgameTable,
    tables: &mut Tables,
) -> Result<(Checked, Arc<States>), Refusal> {
    let material = material_of_endgame(claim)?;
    check_children(&material, &named, tables)?;
    let children = named.iter().map(|child| tables.states_of(child));
    let children = children.collect::<Result<Vec<_>, _>>()?;
    let (mut states, census) = States::of(&material, named);
    check_census(&material, &table, &census)?;
    take_values(&mut states, &mut table);
    let class = Class::of(&states, &children);
    if material.is_small() {
        let raw = images::check_coverage(&class)?;
        same(Reason::WrongCount, "raw_states", table.raw_states, raw)?;
    } else {
        images::check_sample(&class)?;
    }
    let mut counts = Counts::of(&census);
    check_values(&class, &mut counts)?;
    if material.is_small() {
        check_policy(&class, &table.policy)?;
    }
    counts.check(&table)?;
    drop(children);
    let states = Arc::new(states);
    check_longest_line(states.clone(), &table, tables)?;
    Ok((counts.checked(), states))
}

/// The states of a table that was verified before.
pub(super) fn states_of(
    claim: &str,
    children: Vec<Child>,
    mut table: EndgameTable,
) -> Result<States, Refusal> {
    let (mut states, _) = States::of(&material_of_endgame(claim)?, children);
    take_values(&mut states, &mut table);
    Ok(states)
}

/// Moves the values to the states.
fn take_values(states: &mut States, table: &mut EndgameTable) {
    let en_passant = table.en_passant.as_mut();
    let en_passant = en_passant.map_or(Vec::new(), |found| take(&mut found.values));
    states.set_values(take(&mut table.values), en_passant);
}

/// Step 3: the children are those that the material needs, and each was verified.
pub(super) fn check_children(
    material: &Material,
    children: &[Child],
    tables: &Tables,
) -> Result<(), Refusal> {
    let needed = material.needed_children();
    let mut stored = children.iter();
    for claim in &needed {
        let found = stored.next().map_or("no more", |child| &child.claim);
        if found != claim {
            let place = format_args!("children: {claim} is needed next, stored {found}");
            return Err(Refusal::new(Reason::WrongChildren, place));
        }
    }
    if let Some(child) = stored.next() {
        let place = format_args!("children: none more is needed, stored {}", child.claim);
        return Err(Refusal::new(Reason::WrongChildren, place));
    }
    check_verified(children, tables)
}

/// Refuses children of which one was verified under another id, then those of which one was not verified.
pub(super) fn check_verified(children: &[Child], tables: &Tables) -> Result<(), Refusal> {
    let mut missing = Vec::new();
    for child in children {
        match tables.id_of(&child.claim) {
            Some(id) if id == child.id => {}
            Some(id) => {
                let place = format_args!("{}: named {}, verified {id}", child.claim, child.id);
                return Err(Refusal::new(Reason::WrongChild, place));
            }
            None => missing.push(name_in(&child.claim)),
        }
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Refusal::new(Reason::MissingChildren, missing.join(", "))),
    }
}

/// Step 4: the lengths, and the numbers of raw and canonical states.
fn check_census(material: &Material, table: &EndgameTable, census: &Census) -> Result<(), Refusal> {
    use Reason::{WrongCount, WrongNumberOfMoves, WrongNumberOfStates, WrongNumberOfValues};
    let length = |values: &[u8]| values.len() as u64;
    let (found, raw) = (census.states, census.raw_states);
    same(WrongNumberOfStates, "states", table.states, found)?;
    same(WrongNumberOfValues, "values", length(&table.values), found)?;
    let moves = if material.is_small() { found } else { 0 };
    same(
        WrongNumberOfMoves,
        "policy",
        table.policy.len() as u64,
        moves,
    )?;
    check_starts(&table.starts, &census.starts)?;
    same(WrongCount, "raw_states", table.raw_states, raw)?;
    let Some(stored) = &table.en_passant else {
        return Ok(());
    };
    let (found, raw) = (census.en_passant_states, census.en_passant_raw_states);
    same(
        WrongNumberOfStates,
        "en_passant_states",
        stored.states,
        found,
    )?;
    let values = length(&stored.values);
    same(WrongNumberOfValues, "en_passant_values", values, found)?;
    same(WrongCount, "en_passant_raw_states", stored.raw_states, raw)
}

fn check_starts(stored: &[u64], found: &[u64]) -> Result<(), Refusal> {
    let reason = Reason::WrongStarts;
    same(reason, "starts", stored.len() as u64, found.len() as u64)?;
    for (index, (&stored, &found)) in stored.iter().zip(found).enumerate() {
        if stored != found {
            let place = format_args!("starts {index}: stored {stored}, found {found}");
            return Err(Refusal::new(reason, place));
        }
    }
    Ok(())
}

/// Step 5: the equations, and with three men the images.
fn check_values(class: &Class, counts: &mut Counts) -> Result<(), Refusal> {
    let states = class.states;
    let is_small = states.material.is_small();
    let mut seen = Vec::new();
    for (number, (entry, position)) in states.positions().enumerate() {
        let (outlook, successors) = class.survey(&position, &mut seen);
        let stored = value(states.byte(entry, position.to_move));
        check_value("state", number, &position, stored, &outlook)?;
        if is_small {
            counts.add_comparisons(images::check_images(class, &position)?);
        }
        counts.add(position.to_move, stored, outlook.moves(), successors);
    }
    for (number, (key, position)) in states.en_passant_positions().enumerate() {
        let (outlook, _) = class.survey(&position, &mut seen);
        let stored = value(states.en_passant_byte(key));
        check_value("en-passant state", number, &position, stored, &outlook)?;
    }
    Ok(())
}

/// The value of a byte that is there: those asked for are.
fn value(byte: Option<u8>) -> Value {
    byte.map_or(Value::Drawn, Value::from_byte)
}

fn check_value(
    what: &str,
    number: usize,
    position: &Position,
    stored: Value,
    outlook: &Outlook,
) -> Result<(), Refusal> {
    let found = outlook.value(|| position.in_check());
    if stored == found {
        return Ok(());
    }
    let reason = match stored.same_result(found) {
        true => Reason::WrongDistance,
        false => Reason::WrongResult,
    };
    let cause = match (outlook.moves(), found) {
        (0, Value::Drawn) => "stalemate gives",
        (0, _) => "checkmate gives",
        _ => "the successors give",
    };
    let place = format_args!("{what} {number} {position}: stored {stored}, {cause} {found}");
    Err(Refusal::new(reason, place))
}

/// Step 6, the policy. A move is judged when all values are known to be right, so that a wrong value is not taken for a
/// wrong move.
fn check_policy(class: &Class, policy: &[Move]) -> Result<(), Refusal> {
    for (number, (entry, position)) in class.states.positions().enumerate() {
        let value = value(class.states.byte(entry, position.to_move));
        let transitions = class.transitions(&position);
        let transitions =
            transitions.map_err(|claim| Refusal::new(Reason::MissingChildren, name_in(&claim)))?;
        let stored = policy.get(number).copied().unwrap_or(Move::NONE);
        let found = best(value, &transitions, false).map_or(Move::NONE, |t| t.by);
        if stored != found {
            let place = format_args!("state {number} {position}: stored {stored}, found {found}");
            return Err(Refusal::new(Reason::WrongPolicy, place));
        }
    }
    Ok(())
}

/// Of the optimal moves from a position of this value, the one with the smallest UCI text, on a board whose ranks may
/// be flipped.
fn best(value: Value, transitions: &[Transition], flipped: bool) -> Option<&Transition> {
    let optimal = transitions
        .iter()
        .filter(|t| value.is_kept_by(Value::from_byte(t.byte)));
    optimal.min_by_key(|t| on_board(t.by, flipped).letters())
}

/// A move as it happens on the board.
fn on_board(by: Move, flipped: bool) -> Move {
    match flipped {
        true => by.with_ranks_flipped(),
        false => by,
    }
}

/// Step 8. The counts have been checked: `max_dtm_plies` is the longest distance, or 0 if there is none.
///
/// The line may lead into a child, and there every move into a child of the child is a candidate. So tables are taken from
/// the session as moves ask for them, and others dropped.
fn check_longest_line(
    mut states: Arc<States>,
    table: &EndgameTable,
    tables: &mut Tables,
) -> Result<(), Refusal> {
    let (plies, line) = (table.max_dtm_plies, &table.longest_line);
    let (stored, found) = (line.len() as u64, u64::from(plies));
    same(Reason::WrongLongestLine, "longest_line", stored, found)?;

    let mut values = states.positions().map(|(entry, position)| {
        let value = value(states.byte(entry, position.to_move));
        (position.squares, position.to_move, value)
    });
    let longest = values.find(|(_, _, value)| value.plies() == Some(plies));
    drop(values);
    let Some((mut squares, mut to_move, mut value)) = longest else {
        return Ok(());
    };
    let (mut children, mut flipped, mut en_passant) = (Vec::new(), false, None);
    for (ply, &stored) in line.iter().enumerate() {
        let transitions = loop {
            let position = states.position(squares, to_move, en_passant);
            match Class::of(&states, &children).transitions(&position) {
                Ok(transitions) => break transitions,
                Err(claim) => children.push(child_of(&states, &claim, tables)?),
            }
        };
        let best = best(value, &transitions, flipped);
        let found = best.map_or(Move::NONE, |t| on_board(t.by, flipped));
        let Some(best) = best.filter(|_| found == stored) else {
            let place = format_args!("longest_line ply {ply}: stored {stored}, found {found}");
            return Err(Refusal::new(Reason::WrongLongestLine, place));
        };
        value = Value::from_byte(best.byte);
        flipped ^= best.flipped;
        (squares, to_move, en_passant) = (best.squares, best.to_move, best.en_passant);
        if let Some(number) = best.child.filter(|&number| number < children.len()) {
            states = children.swap_remove(number);
            children.clear();
        }
    }
    Ok(())
}

/// A child of a verified table.
fn child_of(states: &States, claim: &str, tables: &mut Tables) -> Result<Arc<States>, Refusal> {
    let mut named = states.children.iter();
    let Some(child) = named.find(|child| child.claim == claim) else {
        return Err(Refusal::new(Reason::MissingChildren, name_in(claim)));
    };
    let needed = |claim: &str| states.children.iter().any(|child| child.claim == claim);
    tables.drop_except(needed, SPARE);
    tables.states_of(child)
}

/// Refuses a stored number that is not the one found.
pub(super) fn same(reason: Reason, field: &str, stored: u64, found: u64) -> Result<(), Refusal> {
    if stored == found {
        return Ok(());
    }
    let place = format_args!("{field}: stored {stored}, found {found}");
    Err(Refusal::new(reason, place))
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    const CLAIM: &str = "endgame KRK board dtm";

    /// Optimal play from Ka1 Rb2 / Kc2, as another program found it.
    const LINE: &str = "c2c3 a1a2 c3d4 a2b3 d4d3 b2a2 d3d4 a2a5 d4d3 a5a4 d3d2 a4d4 d2e2 b3c2 e2e3 c2c3 \
        e3e2 d4d3 e2e1 d3d2 e1f1 c3c2 f1e1 c2d3 e1f1 d3e3 f1e1 d2d4 e1f1 d4g4 f1e1 g4g1";

    static KRK: LazyLock<EndgameTable> = LazyLock::new(krk);

    /// The table of KRK: figures and longest line of other programs, values and moves found distance by distance.
    fn krk() -> EndgameTable {
        let material = material_of_endgame(CLAIM).unwrap();
        let mut table = EndgameTable {
            raw_states: 399_112,
            states: 50_015,
            edges: 558_816,
            legal_moves: 560_244,
            symmetry_comparisons: 400_120,
            checkmates: 27,
            stalemates: 9,
            white_wins: 21_959,
            white_losses: 0,
            white_draws: 0,
            black_wins: 0,
            black_losses: 25_260,
            black_draws: 2_796,
            max_dtm_plies: 32,
            max_dtm_states: 390,
            longest_line: LINE
                .split_whitespace()
                .map(|m| m.parse().unwrap())
                .collect(),
            values: vec![255; 50_015],
            policy: vec![Move::NONE; 50_015],
            ..EndgameTable::empty()
        };
        let (mut states, _) = States::of(&material, Vec::new());
        states.set_values(table.values.clone(), Vec::new());
        for plies in 0..=32 {
            let class = Class::of(&states, &[]);
            for (value, (_, position)) in table.values.iter_mut().zip(states.positions()) {
                let (outlook, _) = class.survey(&position, &mut Vec::new());
                let found = outlook.value(|| position.in_check()).plies();
                if *value == 255 && found == Some(plies) {
                    *value = plies as u8;
                }
            }
            states.set_values(table.values.clone(), Vec::new());
        }
        let class = Class::of(&states, &[]);
        for (number, (entry, position)) in states.positions().enumerate() {
            let value = value(states.byte(entry, position.to_move));
            let transitions = class.transitions(&position).unwrap();
            table.policy[number] = best(value, &transitions, false).map_or(Move::NONE, |t| t.by);
        }
        table
    }

    fn check(claim: &str, children: &[Child], table: &EndgameTable) -> Result<Checked, Refusal> {
        let tables = &mut Tables::default();
        super::check(claim, children.to_vec(), table.clone(), tables).map(|(checked, _)| checked)
    }

    /// The refusal of the table after a change.
    fn refusal(change: impl FnOnce(&mut EndgameTable)) -> Refusal {
        let mut table = KRK.clone();
        change(&mut table);
        assert_ne!(table, *KRK);
        check(CLAIM, &[], &table).unwrap_err()
    }

    /// The refusal of the counts after a change.
    fn refusal_of_counts(change: impl FnOnce(&mut EndgameTable)) -> Refusal {
        static COUNTS: LazyLock<Counts> = LazyLock::new(|| {
            let material = material_of_endgame(CLAIM).unwrap();
            let (mut states, census) = States::of(&material, Vec::new());
            states.set_values(KRK.values.clone(), Vec::new());
            let mut counts = Counts::of(&census);
            check_values(&Class::of(&states, &[]), &mut counts).unwrap();
            counts
        });
        let mut table = KRK.clone();
        change(&mut table);
        COUNTS.check(&table).unwrap_err()
    }

    /// The first state with this byte.
    fn state(byte: u8) -> usize {
        KRK.values.iter().position(|&value| value == byte).unwrap()
    }

    #[test]
    fn the_good_table_is_verified() {
        let checked = check(CLAIM, &[], &KRK).unwrap();
        assert_eq!((checked.states, checked.edges), (50_015, 558_816));
    }

    #[test]
    fn it_does_not_prove_another_claim() {
        for (claim, reason) in [
            ("endgame KQK board dtm", Reason::WrongNumberOfStates),
            ("endgame KRK fcs dtm", Reason::UnknownRulesProfile),
            ("endgame KPK board dtm", Reason::WrongChildren),
            ("endgame KBNK board dtm", Reason::WrongNumberOfStates),
            ("endgame KRKQ board dtm", Reason::UnknownMaterial),
            ("endgame KRK board", Reason::UnknownClaim),
        ] {
            assert_eq!(check(claim, &[], &KRK).unwrap_err().reason, reason);
        }
        let child = Child {
            claim: "endgame KBK board dtm".to_string(),
            id: super::super::Id::from_bytes([0; 32]),
        };
        assert_eq!(
            check(CLAIM, &[child], &KRK).unwrap_err().reason,
            Reason::WrongChildren
        );
    }

    /// A wrong byte may be seen first from an earlier state, which then has another value.
    const SEEN: [Reason; 2] = [Reason::WrongDistance, Reason::WrongResult];

    #[test]
    fn a_wrong_value_is_refused() {
        let distances = [
            (0, 2),
            (1, 3),
            (2, 0),
            (2, 4),
            (17, 15),
            (31, 33),
            (32, 30),
            (32, 34),
        ];
        let results = [
            (1, 2),
            (1, 255),
            (32, 31),
            (0, 255),
            (255, 0),
            (255, 1),
            (255, 254),
        ];
        for (from, to) in distances.into_iter().chain(results) {
            let index = state(from);
            let found = refusal(|table| table.values[index] = to);
            assert!(SEEN.contains(&found.reason), "{from} {to}: {found}");
        }
    }

    #[test]
    fn a_wrong_value_of_the_first_state_is_told_as_such() {
        let first = KRK.values[0];
        let found = refusal(|table| table.values[0] = 255);
        assert_eq!(found.reason, Reason::WrongResult);
        let place =
            "state 0 8/8/8/8/8/8/8/KRk5 b - - 0 1: stored draw, the successors give loss in ";
        assert_eq!(found.place, format!("{place}{first}"));
        for byte in [first + 2, first - 2] {
            assert_eq!(
                refusal(|table| table.values[0] = byte).reason,
                Reason::WrongDistance
            );
        }
    }

    #[test]
    fn two_swapped_values_are_refused() {
        let (one, other) = (state(20), state(22));
        let found = refusal(|table| table.values.swap(one, other));
        assert!(SEEN.contains(&found.reason), "{found}");
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_wrong_move_is_refused() {
        let material = material_of_endgame(CLAIM).unwrap();
        let (mut states, _) = States::of(&material, Vec::new());
        states.set_values(KRK.values.clone(), Vec::new());
        let class = Class::of(&states, &[]);
        let moves = |index: usize| {
            let (_, position) = states.positions().nth(index).unwrap();
            class.transitions(&position).unwrap()
        };
        for byte in [2, 31] {
            let index = state(byte);
            for legal in moves(index).iter().step_by(3).map(|t| t.by) {
                if legal != KRK.policy[index] {
                    let found = refusal(|table| table.policy[index] = legal);
                    assert_eq!(found.reason, Reason::WrongPolicy, "{legal}");
                }
            }
            for bits in [0, 1, 65, 0x8000, KRK.policy[index].bits() | 0x4000] {
                let found = refusal(|table| table.policy[index] = Move::from_bits(bits));
                assert_eq!(found.reason, Reason::WrongPolicy, "{bits}");
            }
        }
        let found = refusal(|table| table.policy[state(0)] = Move::from_bits(64));
        assert_eq!(found.reason, Reason::WrongPolicy);
    }

    #[test]
    fn wrong_lengths_are_refused() {
        use Reason::{WrongNumberOfMoves, WrongNumberOfStates, WrongNumberOfValues};
        let drop_value = |table: &mut EndgameTable| table.values.truncate(50_014);
        assert_eq!(refusal(drop_value).reason, WrongNumberOfValues);
        assert_eq!(
            refusal(|table| table.values.push(255)).reason,
            WrongNumberOfValues
        );
        assert_eq!(
            refusal(|table| table.values.clear()).reason,
            WrongNumberOfValues
        );
        assert_eq!(
            refusal(|table| table.policy.push(Move::NONE)).reason,
            WrongNumberOfMoves
        );
        assert_eq!(
            refusal(|table| table.policy.truncate(50_014)).reason,
            WrongNumberOfMoves
        );
        assert_eq!(
            refusal(|table| table.states = 0).reason,
            WrongNumberOfStates
        );
        let empty = |table: &mut EndgameTable| {
            table.states = 0;
            table.values.clear();
            table.policy.clear();
        };
        assert_eq!(refusal(empty).reason, WrongNumberOfStates);
    }

    type Field = fn(&mut EndgameTable) -> &mut u64;

    #[test]
    fn every_wrong_count_is_refused() {
        let fields: [(&str, Field); 14] = [
            ("raw_states", |table| &mut table.raw_states),
            ("states", |table| &mut table.states),
            ("edges", |table| &mut table.edges),
            ("legal_moves", |table| &mut table.legal_moves),
            ("symmetry_comparisons", |table| {
                &mut table.symmetry_comparisons
            }),
            ("checkmates", |table| &mut table.checkmates),
            ("stalemates", |table| &mut table.stalemates),
            ("white_wins", |table| &mut table.white_wins),
            ("white_losses", |table| &mut table.white_losses),
            ("white_draws", |table| &mut table.white_draws),
            ("black_wins", |table| &mut table.black_wins),
            ("black_losses", |table| &mut table.black_losses),
            ("black_draws", |table| &mut table.black_draws),
            ("max_dtm_states", |table| &mut table.max_dtm_states),
        ];
        for (name, field) in fields {
            for change in [1, u64::MAX] {
                let found =
                    refusal_of_counts(|table| *field(table) = field(table).wrapping_add(change));
                assert_eq!(found.reason, Reason::WrongCount, "{name}");
                assert!(
                    found.place.starts_with(&format!("{name}: stored ")),
                    "{found}"
                );
            }
        }
        for plies in [0, 31, 33, u16::MAX] {
            let found = refusal_of_counts(|table| table.max_dtm_plies = plies);
            assert_eq!(found.reason, Reason::WrongCount);
            assert_eq!(
                found.place,
                format!("max_dtm_plies: stored {plies}, found 32")
            );
        }
    }

    #[test]
    #[ignore = "the long tier runs it"]
    fn a_wrong_longest_line_is_refused() {
        let found = refusal(|table| table.longest_line.truncate(31));
        assert_eq!(found.reason, Reason::WrongLongestLine);
        assert_eq!(found.place, "longest_line: stored 31, found 32");
        let found = refusal(|table| table.longest_line.push(Move::NONE));
        assert_eq!(found.reason, Reason::WrongLongestLine);
        assert_eq!(
            refusal(|table| table.longest_line.clear()).reason,
            Reason::WrongLongestLine
        );
        for ply in [0, 1, 30, 31] {
            for bits in [0, 0xffff, KRK.longest_line[ply].bits() ^ 64] {
                let found = refusal(|table| table.longest_line[ply] = Move::from_bits(bits));
                assert_eq!(found.reason, Reason::WrongLongestLine);
                assert!(
                    found
                        .place
                        .starts_with(&format!("longest_line ply {ply}: ")),
                    "{found}"
                );
            }
        }
    }

    #[test]
    fn children_are_needed_in_order_and_verified() {
        let id = super::super::Id::from_bytes([0; 32]);
        let child = |name: &str| Child {
            claim: format!("endgame {name} board dtm"),
            id,
        };
        let refusal = |names: &[&str], mut tables: Tables| {
            let children: Vec<Child> = names.iter().map(|name| child(name)).collect();
            let table = EndgameTable::empty();
            super::check("endgame KPK board dtm", children, table, &mut tables)
                .map(|_| ())
                .unwrap_err()
        };
        let none = Tables::default;
        for names in [
            &["KRK", "KQK"][..],
            &["KQK"],
            &["KRK"],
            &[],
            &["KQK", "KRK", "KRK"],
            &["KBK", "KQK", "KRK"],
        ] {
            assert_eq!(refusal(names, none()).reason, Reason::WrongChildren);
        }
        let missing = refusal(&["KQK", "KRK"], none());
        assert_eq!(missing.reason, Reason::MissingChildren);
        assert_eq!(missing.place, "KQK, KRK");
        let material = material_of_endgame(CLAIM).unwrap();
        let states = |number: u8| {
            let id = super::super::Id::from_bytes([number; 32]);
            Tables::of_one(id, States::of(&material, Vec::new()).0)
        };
        let missing = refusal(&["KQK", "KRK"], states(0));
        assert_eq!(missing.reason, Reason::MissingChildren);
        assert_eq!(missing.place, "KQK");
        let wrong = refusal(&["KQK", "KRK"], states(1));
        assert_eq!(wrong.reason, Reason::WrongChild);
    }

    #[test]
    fn wrong_starts_are_refused() {
        let found = [0, 2, 2];
        assert_eq!(check_starts(&found, &found), Ok(()));
        for stored in [&[0, 2][..], &[0, 2, 2, 2], &[0, 2, 3], &[], &[2, 2, 2]] {
            let refusal = check_starts(stored, &found).unwrap_err();
            assert_eq!(refusal.reason, Reason::WrongStarts);
        }
    }
}
