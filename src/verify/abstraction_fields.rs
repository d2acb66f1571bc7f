//! The fields of an abstraction in a payload: read and written.
//!
//! The lines of the tree are a list of lists, so they have to be gone through to find what stands behind them, and are kept
//! at once. Of each list the count is compared with the bytes that are still present before there is room for it.
//!
//! Source: `docs/certificate-format.md`, *Kind 8: abstraction*.

use super::certificate::Abstraction;
use super::fields::{Fields, rounds_from_bytes};
use super::material::Material;
use super::payload::{write_bytes, write_rounds};
use super::{Reason, Refusal};

/// The bytes that a line takes at least: its length.
const LINE: u64 = 8;

/// The most lines of a tree.
pub(super) const MOST_LINES: u64 = 1 << 20;

/// Refuses a tree with too many lines: each takes more memory than the eight bytes that it may have in the file.
fn check_number_of_lines(lines: u64) -> Result<(), Refusal> {
    if lines > MOST_LINES {
        let place = format_args!("tree: {lines} lines, the limit is {MOST_LINES}");
        return Err(Refusal::new(Reason::LengthOutOfBounds, place));
    }
    Ok(())
}

/// Reads the fields behind the children.
pub(super) fn read(
    fields: &mut Fields,
    material: Option<&Material>,
) -> Result<Abstraction, Refusal> {
    let (states, edges) = (fields.u64("states")?, fields.u64("edges")?);
    let en_passant_states = match material.is_some_and(Material::has_en_passant) {
        true => Some(fields.u64("en_passant_states")?),
        false => None,
    };
    let lines = fields.count("tree", LINE)?;
    check_number_of_lines(lines)?;
    let tree = (0..lines).map(|_| fields.text("tree"));
    Ok(Abstraction {
        states,
        edges,
        en_passant_states,
        tree: tree.collect::<Result<_, _>>()?,
        lower: fields.bytes("lower", 1)?,
        upper: fields.bytes("upper", 1)?,
        ranks: rounds_from_bytes(&fields.bytes("ranks", 2)?).unwrap_or_default(),
    })
}

/// Writes the fields behind the children.
pub(super) fn write(payload: &mut Vec<u8>, abstraction: &Abstraction) {
    payload.extend(abstraction.states.to_le_bytes());
    payload.extend(abstraction.edges.to_le_bytes());
    let en_passant_states = abstraction.en_passant_states.iter();
    payload.extend(en_passant_states.flat_map(|states| states.to_le_bytes()));
    payload.extend((abstraction.tree.len() as u64).to_le_bytes());
    for line in &abstraction.tree {
        write_bytes(payload, line.as_bytes());
    }
    write_bytes(payload, &abstraction.lower);
    write_bytes(payload, &abstraction.upper);
    write_rounds(payload, &abstraction.ranks);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_no_more_than_a_million_lines() {
        let with_lines = |lines: u64| {
            let mut payload = [1_u64, 2, lines].map(u64::to_le_bytes).concat();
            payload.resize(payload.len() + lines as usize * 8 + 3 * 8, 0);
            let mut bytes = payload.as_slice();
            read(&mut Fields::of(&mut bytes), None).map(|found| found.tree.len() as u64)
        };
        assert_eq!(with_lines(MOST_LINES), Ok(MOST_LINES));
        let refusal = with_lines(MOST_LINES + 1).unwrap_err();
        assert_eq!(refusal.reason, Reason::LengthOutOfBounds);
    }

    #[test]
    fn the_smallest_lines_are_read_and_no_byte_less() {
        // A hundred of them, so that a byte too many for each would be more than all that follows.
        let abstraction = Abstraction {
            states: 1,
            edges: 2,
            en_passant_states: None,
            tree: vec![String::new(); 100],
            lower: Vec::new(),
            upper: Vec::new(),
            ranks: Vec::new(),
        };
        let mut payload = Vec::new();
        write(&mut payload, &abstraction);
        assert_eq!(payload.len(), 2 * 8 + 8 + 100 * 8 + 3 * 8);
        let mut bytes = payload.as_slice();
        let mut fields = Fields::of(&mut bytes);
        assert_eq!(read(&mut fields, None), Ok(abstraction));
        assert_eq!(fields.left(), 0);
        for length in 0..payload.len() {
            let mut bytes = &payload[..length];
            let refusal = read(&mut Fields::of(&mut bytes), None).unwrap_err();
            assert_eq!(refusal.reason, Reason::MalformedPayload);
        }
    }
}
