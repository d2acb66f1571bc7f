//! The payload of an endgame table: its fields in order, read and written.
//!
//! Integers are little-endian and of fixed width, lists and texts are preceded by their length. A length is compared
//! with the bytes still present before anything is allocated, and nothing is left over after the last field. A
//! payload has one form only: what is read and written again gives the same bytes. (A JSON text is written as a
//! payload to find its id.)
//!
//! Source: `docs/certificate-format.md`, *Conventions* and *Payload*.

use std::ops::Range;

use super::claim::{Material, material_of_endgame};
use super::{Child, EnPassant, EndgameTable, Id, Move, Reason, Refusal};

/// The bytes of a payload, wherever they are.
pub(super) trait Bytes {
    /// How many there are.
    fn length(&self) -> u64;
    /// Fills the room with the bytes from a place on, of which there are enough.
    fn copy(&mut self, at: u64, room: &mut [u8]) -> Result<(), Refusal>;
}

impl Bytes for &[u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn copy(&mut self, at: u64, room: &mut [u8]) -> Result<(), Refusal> {
        let bytes = usize::try_from(at).ok().and_then(|at| self.get(at..));
        for (room, &byte) in room.iter_mut().zip(bytes.unwrap_or_default()) {
            *room = byte;
        }
        Ok(())
    }
}

/// What a payload holds, with its long lists left where they are.
pub(super) struct Layout {
    pub(super) claim: String,
    pub(super) children: Vec<Child>,
    /// The table, its lists empty.
    pub(super) table: EndgameTable,
    pub(super) lists: Lists,
}

/// The bytes of a payload that its lists take, their counts not included; none for a list that the class does not have.
pub(super) struct Lists {
    pub(super) longest_line: Range<u64>,
    pub(super) values: Range<u64>,
    pub(super) policy: Range<u64>,
    pub(super) starts: Range<u64>,
    pub(super) en_passant_values: Range<u64>,
}

impl Layout {
    /// Reads the fields in order. The claim is judged first: it says which fields there are.
    pub(super) fn of(payload: &mut dyn Bytes) -> Result<Layout, Refusal> {
        let mut fields = Fields { payload, at: 0 };
        let claim = fields.text("claim")?;
        let material = material_of_endgame(&claim)?;
        let children = fields.children("children")?;
        let mut table = EndgameTable {
            raw_states: fields.u64("raw_states")?,
            states: fields.u64("states")?,
            edges: fields.u64("edges")?,
            legal_moves: fields.u64("legal_moves")?,
            symmetry_comparisons: fields.u64("symmetry_comparisons")?,
            checkmates: fields.u64("checkmates")?,
            stalemates: fields.u64("stalemates")?,
            white_wins: fields.u64("white_wins")?,
            white_losses: fields.u64("white_losses")?,
            white_draws: fields.u64("white_draws")?,
            black_wins: fields.u64("black_wins")?,
            black_losses: fields.u64("black_losses")?,
            black_draws: fields.u64("black_draws")?,
            max_dtm_plies: u16::from_le_bytes(fields.array("max_dtm_plies")?),
            max_dtm_states: fields.u64("max_dtm_states")?,
            longest_line: Vec::new(),
            values: Vec::new(),
            policy: Vec::new(),
            starts: Vec::new(),
            en_passant: None,
        };
        let mut lists = Lists {
            longest_line: fields.list("longest_line", 2)?,
            values: fields.list("values", 1)?,
            policy: fields.list("policy", 2)?,
            starts: 0..0,
            en_passant_values: 0..0,
        };
        if material.has_starts() {
            lists.starts = fields.list("starts", 8)?;
        }
        if material.has_en_passant() {
            table.en_passant = Some(EnPassant {
                raw_states: fields.u64("en_passant_raw_states")?,
                states: fields.u64("en_passant_states")?,
                values: Vec::new(),
            });
            lists.en_passant_values = fields.list("en_passant_values", 1)?;
        }
        match fields.left() {
            0 => Ok(Layout {
                claim,
                children,
                table,
                lists,
            }),
            left => Err(fields.malformed(format_args!("{left} bytes after the last field"))),
        }
    }
}

/// The claim, the children and the witnesses of a payload.
pub(super) fn read(mut payload: Vec<u8>) -> Result<(String, Vec<Child>, EndgameTable), Refusal> {
    let Layout {
        claim,
        children,
        mut table,
        lists,
    } = Layout::of(&mut payload.as_slice())?;
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let list = |range: Range<u64>| {
        let list = payload.get(index(range.start)..index(range.end));
        list.unwrap_or_default()
    };
    table.longest_line = moves_from_bytes(list(lists.longest_line)).unwrap_or_default();
    table.policy = moves_from_bytes(list(lists.policy)).unwrap_or_default();
    table.starts = numbers_from_bytes(list(lists.starts)).unwrap_or_default();
    if let Some(en_passant) = &mut table.en_passant {
        en_passant.values = list(lists.en_passant_values).to_vec();
    }
    // The values are by far the most of a payload: they stay where they are.
    payload.truncate(index(lists.values.end));
    payload.drain(..index(lists.values.start).min(payload.len()));
    table.values = payload;
    Ok((claim, children, table))
}

/// The payload with this content.
pub(super) fn write(material: &Material, children: &[Child], table: &EndgameTable) -> Vec<u8> {
    let mut payload = Vec::new();
    let claim = material.claim();
    write_list(&mut payload, claim.len(), claim.bytes());
    write_list(&mut payload, children.len(), []);
    for child in children {
        write_list(&mut payload, child.claim.len(), child.claim.bytes());
        payload.extend(child.id.bytes());
    }
    let counts = [
        table.raw_states,
        table.states,
        table.edges,
        table.legal_moves,
        table.symmetry_comparisons,
        table.checkmates,
        table.stalemates,
        table.white_wins,
        table.white_losses,
        table.white_draws,
        table.black_wins,
        table.black_losses,
        table.black_draws,
    ];
    payload.extend(counts.into_iter().flat_map(u64::to_le_bytes));
    payload.extend(table.max_dtm_plies.to_le_bytes());
    payload.extend(table.max_dtm_states.to_le_bytes());
    write_moves(&mut payload, &table.longest_line);
    write_list(
        &mut payload,
        table.values.len(),
        table.values.iter().copied(),
    );
    write_moves(&mut payload, &table.policy);
    if material.has_starts() {
        let starts = table.starts.iter().flat_map(|start| start.to_le_bytes());
        write_list(&mut payload, table.starts.len(), starts);
    }
    if let Some(en_passant) = &table.en_passant {
        payload.extend(en_passant.raw_states.to_le_bytes());
        payload.extend(en_passant.states.to_le_bytes());
        let values = en_passant.values.iter().copied();
        write_list(&mut payload, en_passant.values.len(), values);
    }
    payload
}

fn write_moves(payload: &mut Vec<u8>, moves: &[Move]) {
    write_list(
        payload,
        moves.len(),
        moves.iter().flat_map(|m| m.bits().to_le_bytes()),
    );
}

fn write_list(payload: &mut Vec<u8>, length: usize, items: impl IntoIterator<Item = u8>) {
    payload.extend((length as u64).to_le_bytes());
    payload.extend(items);
}

/// The moves stored in two bytes each; none if a byte is left over.
pub(super) fn moves_from_bytes(bytes: &[u8]) -> Option<Vec<Move>> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    rest.is_empty().then(|| {
        pairs
            .iter()
            .map(|&pair| Move::from_bits(u16::from_le_bytes(pair)))
            .collect()
    })
}

/// The numbers stored in eight bytes each; none if bytes are left over.
pub(super) fn numbers_from_bytes(bytes: &[u8]) -> Option<Vec<u64>> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| {
        numbers
            .iter()
            .map(|&number| u64::from_le_bytes(number))
            .collect()
    })
}

/// The claim with which a payload begins, of which only a part may be given.
pub(super) fn read_claim(mut beginning: &[u8]) -> Result<String, Refusal> {
    let payload = &mut beginning;
    Fields { payload, at: 0 }.text("claim")
}

/// The text, if it is printable ASCII.
pub(super) fn printable(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes)
        .ok()
        .filter(|text| text.chars().all(|c| matches!(c, ' '..='~')))
}

/// A payload of which some bytes have been read.
struct Fields<'a> {
    payload: &'a mut dyn Bytes,
    at: u64,
}

impl Fields<'_> {
    /// How many bytes are still to be read.
    fn left(&self) -> u64 {
        self.payload.length().saturating_sub(self.at)
    }

    fn array<const N: usize>(&mut self, name: &str) -> Result<[u8; N], Refusal> {
        if self.left() < N as u64 {
            return Err(self.malformed(format_args!("the payload ends inside {name}")));
        }
        let mut field = [0; N];
        self.payload.copy(self.at, &mut field)?;
        self.at += N as u64;
        Ok(field)
    }

    fn u64(&mut self, name: &str) -> Result<u64, Refusal> {
        self.array(name).map(u64::from_le_bytes)
    }

    /// The count of a list whose items have at least this many bytes each, all of them present.
    fn count(&mut self, name: &str, bytes_each: u64) -> Result<u64, Refusal> {
        let stored = self.u64(name)?;
        match stored <= self.left() / bytes_each {
            true => Ok(stored),
            false => Err(self.malformed(format_args!(
                "{name} has {stored} items, more than there are bytes for"
            ))),
        }
    }

    /// The place of a list whose items have this many bytes each.
    fn list(&mut self, name: &str, bytes_each: u64) -> Result<Range<u64>, Refusal> {
        let bytes = self.count(name, bytes_each)? * bytes_each;
        let start = self.at;
        self.at += bytes;
        Ok(start..self.at)
    }

    fn text(&mut self, name: &str) -> Result<String, Refusal> {
        let range = self.list(name, 1)?;
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.payload.copy(range.start, &mut bytes)?;
        let text = printable(&bytes)
            .ok_or_else(|| self.malformed(format_args!("{name} is not printable ASCII")))?;
        Ok(text.to_string())
    }

    fn children(&mut self, name: &str) -> Result<Vec<Child>, Refusal> {
        let count = self.count(name, 8 + 32)?;
        let mut children = Vec::new();
        for _ in 0..count {
            let claim = self.text(name)?;
            children.push(Child {
                claim,
                id: Id::from_bytes(self.array(name)?),
            });
        }
        Ok(children)
    }

    fn malformed(&self, what: impl std::fmt::Display) -> Refusal {
        let place = format_args!("payload byte {}: {what}", self.at);
        Refusal::new(Reason::MalformedPayload, place)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Body, Certificate, Encoding};
    use super::*;

    fn example() -> Vec<u8> {
        Certificate::example(Encoding::Json).payload()
    }

    fn reason(payload: &[u8]) -> Reason {
        read(payload.to_vec()).unwrap_err().reason
    }

    #[test]
    fn the_fields_are_where_the_format_page_says() {
        let mut bytes = Vec::new();
        bytes.extend([21, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"endgame KQK board dtm");
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"a child");
        bytes.extend([0xc1; 32]);
        for count in 1..=12 {
            bytes.extend([count, 0, 0, 0, 0, 0, 0, 0]);
        }
        bytes.extend([255; 8]);
        bytes.extend([0x0d, 0x0e]);
        bytes.extend([15, 0, 0, 0, 0, 0, 0, 0]);
        // a1b2 = 64 × 9, e7e8q = 52 + 64 × 60 + 4096 × 4.
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x02, 0x34, 0x4f]);
        bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 16, 255, 0]);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]);
        assert_eq!(example(), bytes);
    }

    #[test]
    fn what_was_written_is_read() {
        let certificate = Certificate::example(Encoding::Json);
        let (claim, children, table) = read(certificate.payload()).unwrap();
        assert_eq!(claim, certificate.claim);
        assert_eq!(children, certificate.children);
        assert_eq!(Body::EndgameTable(table), certificate.body);
    }

    #[test]
    fn every_shorter_and_longer_payload_is_refused() {
        let payload = example();
        for length in 0..payload.len() {
            assert_eq!(
                reason(&payload[..length]),
                Reason::MalformedPayload,
                "{length}"
            );
        }
        let longer = [payload, vec![0]].concat();
        assert_eq!(reason(&longer), Reason::MalformedPayload);
    }

    #[test]
    fn a_payload_that_is_read_is_written_the_same() {
        // Whatever byte is changed, and to whatever: a content has one payload only.
        let payload = example();
        for at in 0..payload.len() {
            for byte in 0..=255 {
                let mut changed = payload.clone();
                changed[at] = byte;
                if let Ok((claim, children, table)) = read(changed.clone()) {
                    let material = material_of_endgame(&claim).unwrap();
                    assert_eq!(write(&material, &children, &table), changed);
                }
            }
        }
    }

    #[test]
    fn lengths_beyond_the_bytes_are_refused() {
        let payload = example();
        let from_end = [12, 23, 35].map(|bytes| payload.len() - bytes);
        for start in [[0, 29, 37], from_end].concat() {
            for length in [1 << 24, 1 << 32, 1 << 61, 1 << 63, (1 << 63) + 1, u64::MAX] {
                let mut changed = payload.clone();
                changed[start..start + 8].copy_from_slice(&u64::to_le_bytes(length));
                assert_eq!(
                    reason(&changed),
                    Reason::MalformedPayload,
                    "{start} {length}"
                );
            }
        }
    }

    #[test]
    fn texts_are_printable_ascii() {
        let payload = example();
        for at in [8, 28, 45, 51] {
            for byte in [0, 10, 0x1f, 0x7f, 0x80, 0xc3, 0xff] {
                let mut changed = payload.clone();
                changed[at] = byte;
                assert_eq!(reason(&changed), Reason::MalformedPayload, "{at} {byte}");
            }
        }
    }
}
