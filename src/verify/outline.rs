//! The outline of a binary certificate: what it says of itself, and of an endgame table single bytes on demand.
//!
//! Opening one checks the container whole, the digest in passing, and expands only the blocks in which counts stand. After
//! that blocks are read from the source as they are needed, and a few are kept. So little memory is needed however large
//! the table is, but the id, which is that of the expanded payload, costs a reading of all blocks.
//!
//! What is read later is read from the source anew. Nothing here is verified, and nothing verified rests on it.
//!
//! Source: `docs/certificate-format.md`, *Binary container* and *Payload*.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use sha2::Digest;

use super::blocks::Blocks;
use super::certificate_kind::CertificateKind;
use super::container::{self, HEADER};
use super::fields::{Bytes, moves_from_bytes};
use super::payload::{Layout, Lists};
use super::read::{Input, VERSION, unreadable};
use super::{Body, Child, Encoding, Id, Move, Refusal};

/// A binary certificate of which only the outline has been read.
pub struct Outline<S> {
    /// How the file is written.
    pub encoding: Encoding,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The size of the payload in bytes, after decoding.
    pub expanded_bytes: u64,
    /// What the certificate claims; a claim of the list.
    pub claim: String,
    /// The certificates that this one says it rests on.
    pub children: Vec<Child>,
    /// The witnesses without their lists, all of which are empty here, but orderings and abstractions as a whole, whose lists
    /// stand in lists. The
    /// functions below are about the lists of an endgame table; no other kind has items that they could give.
    pub body: Body,
    kind: CertificateKind,
    blocks: Blocks<S>,
    lists: Lists,
}

impl<S: Read + Seek> Outline<S> {
    /// Opens a binary certificate, which takes the whole source. A JSON text is refused as no certificate: for it there is
    /// [`read`](super::read()).
    ///
    /// # Errors
    ///
    /// Those of [`read`](super::read()), except those of blocks and of mates that are not looked at, and without an id.
    pub fn open(mut source: S) -> Result<Outline<S>, Refusal> {
        let start = source.seek(SeekFrom::Start(0));
        start.map_err(unreadable)?;
        let mut input = Input::new(&mut source);
        let header = container::read_header(&mut input, &[])?;
        let bytes = container::pass(&mut input, &header, |_| {})?;
        let mut blocks = Blocks::new(source, HEADER, &header)?;
        let layout = Layout::of(header.kind, &mut blocks)?;
        Ok(Outline {
            encoding: Encoding::Binary {
                codec: header.codec,
            },
            bytes,
            expanded_bytes: header.expanded,
            claim: layout.claim,
            children: layout.children,
            body: layout.body,
            kind: header.kind,
            blocks,
            lists: layout.lists,
        })
    }

    /// The id of the certificate, for which all blocks are expanded one after the other.
    ///
    /// # Errors
    ///
    /// [`Reason::MalformedBlock`](super::Reason::MalformedBlock), or
    /// [`Reason::Unreadable`](super::Reason::Unreadable) if the source fails.
    pub fn id(&mut self) -> Result<Id, Refusal> {
        let mut hash = Id::hash(VERSION, self.kind.number());
        self.blocks.each(|block| hash.update(block))?;
        Ok(Id::of_hash(hash))
    }

    /// The byte of the state with a number; none if there are not as many values.
    ///
    /// # Errors
    ///
    /// As those of [`Outline::id`].
    pub fn value(&mut self, number: u64) -> Result<Option<u8>, Refusal> {
        let value = self.item(self.lists.values.clone(), number)?;
        Ok(value.map(|[byte]| byte))
    }

    /// The byte of the en-passant state with a number; none if there are not as many.
    ///
    /// # Errors
    ///
    /// As those of [`Outline::id`].
    pub fn en_passant_value(&mut self, number: u64) -> Result<Option<u8>, Refusal> {
        let value = self.item(self.lists.en_passant_values.clone(), number)?;
        Ok(value.map(|[byte]| byte))
    }

    /// The entry of `starts` at a place; none if there are not as many.
    ///
    /// # Errors
    ///
    /// As those of [`Outline::id`].
    pub fn start(&mut self, place: u64) -> Result<Option<u64>, Refusal> {
        let start = self.item(self.lists.starts.clone(), place)?;
        Ok(start.map(u64::from_le_bytes))
    }

    /// The policy move of the state with a number; none if there are not as many.
    ///
    /// # Errors
    ///
    /// As those of [`Outline::id`].
    pub fn policy(&mut self, number: u64) -> Result<Option<Move>, Refusal> {
        let bits = self.item(self.lists.policy.clone(), number)?;
        Ok(bits.map(|bits| Move::from_bits(u16::from_le_bytes(bits))))
    }

    /// The longest line, in memory of its stored length.
    ///
    /// # Errors
    ///
    /// As those of [`Outline::id`].
    pub fn longest_line(&mut self) -> Result<Vec<Move>, Refusal> {
        let Range { start, end } = self.lists.longest_line;
        let mut bytes = vec![0; end.saturating_sub(start) as usize];
        self.blocks.copy(start, &mut bytes)?;
        Ok(moves_from_bytes(&bytes).unwrap_or_default())
    }

    /// An item of a list whose items have a fixed size.
    fn item<const N: usize>(
        &mut self,
        list: Range<u64>,
        number: u64,
    ) -> Result<Option<[u8; N]>, Refusal> {
        let size = N as u64;
        if number >= (list.end - list.start) / size {
            return Ok(None);
        }
        let mut item = [0; N];
        self.blocks.copy(list.start + number * size, &mut item)?;
        Ok(Some(item))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::blocks::tests::compressed;
    use super::super::container::tests::{file, file_of_kind};
    use super::super::{
        Bisimulation, Bounds, Certificate, EnPassant, LocalProof, Mate, Proof, Reason, Session,
        read,
    };
    use super::*;

    /// Well-formed tables of all shapes: the fields of three men, of four, and of en passant; short and over several blocks.
    fn tables() -> Vec<Certificate> {
        let mut certificates = Vec::new();
        for claim in [
            "endgame KQK board dtm",
            "endgame KBNK board dtm",
            "endgame KPKP board dtm",
        ] {
            for length in [0, 7, 200_000] {
                let mut certificate = Certificate::example(Encoding::Json);
                certificate.claim = claim.to_string();
                let Body::EndgameTable(table) = &mut certificate.body else {
                    panic!()
                };
                table.values = (0..length).map(|n: u32| (n % 253) as u8).collect();
                if claim.contains("KBNK") || claim.contains("KPKP") {
                    table.starts = (0..4096).map(|n| n * n).collect();
                }
                if claim.contains("KPKP") {
                    table.en_passant = Some(EnPassant {
                        raw_states: 77,
                        states: 78,
                        values: (0..length / 2).map(|n: u32| (n % 11) as u8).collect(),
                    });
                }
                certificates.push(certificate);
            }
        }
        certificates
    }

    fn files(certificate: &Certificate) -> [Vec<u8>; 2] {
        let payload = certificate.payload();
        let length = payload.len() as u64;
        [
            file(0, &payload, length),
            file(1, &compressed(&payload), length),
        ]
    }

    #[test]
    fn an_outline_agrees_with_the_certificate() {
        for certificate in tables() {
            for file in files(&certificate) {
                let whole = read(&mut file.as_slice()).unwrap();
                let mut outline = Outline::open(Cursor::new(&file)).unwrap();
                assert_eq!(outline.id(), Ok(whole.id));
                assert_eq!(
                    (outline.encoding, outline.bytes, outline.expanded_bytes),
                    (whole.encoding, whole.bytes, whole.expanded_bytes)
                );
                assert_eq!(outline.claim, whole.claim);
                assert_eq!(outline.children, whole.children);
                let Body::EndgameTable(table) = whole.body else {
                    panic!()
                };
                assert_eq!(outline.longest_line().unwrap(), table.longest_line);
                let all = |item: &mut dyn FnMut(u64) -> Option<u64>| -> Vec<u64> {
                    (0..).map_while(item).collect()
                };
                let of_bytes =
                    |bytes: &[u8]| -> Vec<u64> { bytes.iter().map(|&b| b.into()).collect() };
                let found = all(&mut |n| outline.value(n).unwrap().map(u64::from));
                assert_eq!(found, of_bytes(&table.values));
                let found = all(&mut |n| outline.en_passant_value(n).unwrap().map(u64::from));
                let wanted = table
                    .en_passant
                    .as_ref()
                    .map_or(&[][..], |found| &found.values);
                assert_eq!(found, of_bytes(wanted));
                assert_eq!(all(&mut |n| outline.start(n).unwrap()), table.starts);
                let policy: Vec<Move> = (0..).map_while(|n| outline.policy(n).unwrap()).collect();
                assert_eq!(policy, table.policy);
                for number in [u64::MAX, u64::MAX / 8, 1 << 61] {
                    assert_eq!(outline.value(number), Ok(None));
                    assert_eq!(outline.start(number), Ok(None));
                }
                let mut counts = table.clone();
                counts.longest_line.clear();
                counts.values.clear();
                counts.policy.clear();
                counts.starts.clear();
                counts
                    .en_passant
                    .iter_mut()
                    .for_each(|found| found.values.clear());
                assert_eq!(outline.body, Body::EndgameTable(counts));
            }
        }
    }

    #[test]
    fn other_kinds_have_an_outline_without_items() {
        let without_items = |body: Body| match body {
            Body::Bisimulation(bisimulation) => Body::Bisimulation(Bisimulation {
                blocks_per_round: Vec::new(),
                map: Vec::new(),
                parents: Vec::new(),
                split_rounds: Vec::new(),
                ..bisimulation
            }),
            Body::Bounds(bounds) => Body::Bounds(Bounds {
                white_wins: Vec::new(),
                black_wins: Vec::new(),
                white_holds: Vec::new(),
                black_holds: Vec::new(),
                dominators: Vec::new(),
                deletion_rounds: Vec::new(),
                ..bounds
            }),
            Body::LocalProof(local_proof) => Body::LocalProof(LocalProof {
                positions: Vec::new(),
                lower: Vec::new(),
                upper: Vec::new(),
                ranks: Vec::new(),
                dominators: Vec::new(),
                ..local_proof
            }),
            Body::Mate(_) => Body::Mate(Mate {
                strategy: Vec::new(),
                refutation: Vec::new(),
                strategy_roots: Vec::new(),
                refutation_roots: Vec::new(),
            }),
            Body::Proof(proof) => Body::Proof(Proof {
                state: Vec::new(),
                states: Vec::new(),
                nodes: Vec::new(),
                ..proof
            }),
            Body::Orderings(_) | Body::Abstraction(_) => body,
            Body::EndgameTable(_) | Body::Bundle(_) => panic!(),
        };
        for (kind, certificate) in [
            (2, Certificate::example_of_bisimulation(Encoding::Json)),
            (3, Certificate::example_of_bounds(Encoding::Json)),
            (4, Certificate::example_of_local_proof(Encoding::Json)),
            (5, Certificate::example_of_mate(Encoding::Json)),
            (7, Certificate::example_of_orderings(Encoding::Json)),
            (8, Certificate::example_of_abstraction(Encoding::Json)),
            (9, Certificate::example_of_proof(Encoding::Json)),
        ] {
            let payload = certificate.payload();
            let length = payload.len() as u64;
            for (codec, stored) in [(0, payload.clone()), (1, compressed(&payload))] {
                let file = file_of_kind(kind, codec, &stored, length);
                let mut outline = Outline::open(Cursor::new(&file)).unwrap();
                assert_eq!(outline.id(), Ok(certificate.id));
                assert_eq!(outline.claim, certificate.claim);
                assert_eq!(outline.children, certificate.children);
                assert_eq!(outline.body, without_items(certificate.body.clone()));
                assert_eq!(outline.value(0), Ok(None));
                assert_eq!(outline.en_passant_value(0), Ok(None));
                assert_eq!(outline.start(0), Ok(None));
                assert_eq!(outline.policy(0), Ok(None));
                assert_eq!(outline.longest_line(), Ok(Vec::new()));
            }
        }
    }

    #[test]
    fn an_outline_of_a_bundle_leaves_the_mates_where_they_are() {
        for (claim, mates, is_good) in [
            ("bundle of 2 mates", 2, true),
            ("bundle of 2 mates", 3, false),
            ("bundle of two mates", 2, false),
        ] {
            let mut payload = (claim.len() as u64).to_le_bytes().to_vec();
            payload.extend(claim.bytes());
            payload.extend(u64::to_le_bytes(mates));
            // What follows need not be mates.
            payload.resize(200_000, 7);
            let length = payload.len() as u64;
            for (codec, stored) in [(0, payload.clone()), (1, compressed(&payload))] {
                let file = file_of_kind(6, codec, &stored, length);
                let outline = Outline::open(Cursor::new(&file));
                assert_eq!(outline.is_ok(), is_good, "{claim} {mates}");
                let Ok(mut outline) = outline else { continue };
                assert_eq!(outline.claim, claim);
                assert_eq!(outline.id(), Ok(Id::of_content(VERSION, 6, &payload)));
                let Body::Bundle(bundle) = &outline.body else {
                    panic!()
                };
                assert_eq!(bundle.mates(), mates);
                assert!(outline.children.is_empty());
                // What was not read is not verified.
                let certificate = Certificate {
                    version: VERSION,
                    encoding: outline.encoding,
                    bytes: outline.bytes,
                    expanded_bytes: outline.expanded_bytes,
                    id: outline.id().unwrap(),
                    claim: outline.claim.clone(),
                    children: Vec::new(),
                    body: outline.body.clone(),
                };
                let refusal = Session::new().verify(&certificate).unwrap_err();
                assert_eq!(refusal.reason, Reason::Unreadable);
                assert_eq!(refusal.id, Some(certificate.id));
            }
        }
    }

    /// What an outline and the reader say of a file that both refuse.
    fn refusals(file: &[u8]) -> (Refusal, Refusal) {
        let outline = Outline::open(Cursor::new(file)).err().unwrap();
        (outline, read(&mut &file[..]).unwrap_err())
    }

    #[test]
    fn an_outline_refuses_what_the_reader_refuses() {
        let file_of = |codec: u8, payload: &[u8]| {
            let length = payload.len() as u64;
            match codec {
                0 => file(0, payload, length),
                _ => file(1, &compressed(payload), length),
            }
        };
        for certificate in tables() {
            let payload = certificate.payload();
            for codec in [0, 1] {
                let good = file_of(codec, &payload);
                let mut bad: Vec<Vec<u8>> = [0, 1, 7, 8, 11, 16, 17, 32, 33, 40, 64, 65, 70, 80]
                    .iter()
                    .map(|&length| good[..length].to_vec())
                    .collect();
                bad.push(good[..good.len() - 1].to_vec());
                bad.push([&good[..], b"\n"].concat());
                for at in [3, 8, 12, 16, 20, 30, 33, 65, 100, good.len() - 1] {
                    let mut changed = good.clone();
                    changed[at] ^= 1;
                    bad.push(changed);
                }
                // Payloads that are malformed behind a good digest.
                bad.push(file_of(codec, &payload[..payload.len() - 1]));
                bad.push(file_of(codec, &[&payload[..], b"x"].concat()));
                for at in [0, 9, 18, 29, 37, 50] {
                    let mut changed = payload.clone();
                    changed[at] ^= 0x80;
                    bad.push(file_of(codec, &changed));
                }
                for bad in bad {
                    let (outline, reader) = refusals(&bad);
                    assert_eq!(outline, Refusal { id: None, ..reader });
                }
            }
        }
    }

    #[test]
    fn malformed_blocks_are_refused() {
        let [_, certificate] = [4, 5].map(|index| tables().swap_remove(index));
        let payload = certificate.payload();
        let length = payload.len() as u64;
        let stored = compressed(&payload);
        let blocks = length.div_ceil(1 << 16) as usize;
        assert_eq!(blocks, 4);
        let end = |number: usize| 8 + 8 * number..16 + 8 * number;
        let with_end = |number: usize, change: u64| {
            let mut stored = stored.clone();
            let bytes: &mut [u8] = &mut stored[end(number)];
            let value = u64::from_le_bytes(bytes.try_into().unwrap());
            bytes.copy_from_slice(&value.wrapping_add(change).to_le_bytes());
            stored
        };
        // Ends that do not ascend or go beyond the data, a wrong count of blocks, a first block cut off or too long, and
        // other expanded lengths: too large, too small, none.
        let mut count = stored.clone();
        count[0] += 1;
        let cases = [
            (with_end(0, 1 << 40), length, Reason::MalformedBlock),
            (with_end(3, 1), length, Reason::MalformedBlock),
            (with_end(3, u64::MAX), length, Reason::MalformedBlock),
            (with_end(0, 1), length, Reason::MalformedBlock),
            (with_end(0, u64::MAX), length, Reason::MalformedBlock),
            (count, length, Reason::MalformedBlock),
            (stored[..20].to_vec(), length, Reason::MalformedBlock),
            (stored[..4].to_vec(), length, Reason::MalformedBlock),
            (stored.clone(), length + 1, Reason::MalformedBlock),
            (stored.clone(), length - 1, Reason::MalformedBlock),
            (stored.clone(), 0, Reason::MalformedBlock),
            (stored.clone(), 1 << 31, Reason::MalformedBlock),
            (stored.clone(), 1 << 16, Reason::MalformedBlock),
        ];
        for (number, (stored, expanded, reason)) in cases.into_iter().enumerate() {
            let (outline, reader) = refusals(&file(1, &stored, expanded));
            assert_eq!(outline, reader, "{number}");
            assert_eq!((outline.reason, outline.id), (reason, None), "{number}");
        }
        // Garbage in the middle is seen when that block is wanted.
        let mut garbage = stored.clone();
        let second =
            8 + 8 * blocks + u64::from_le_bytes(stored[end(0)].try_into().unwrap()) as usize;
        garbage[second..second + 8].fill(0xff);
        let file = file(1, &garbage, length);
        let wanted = read(&mut file.as_slice()).unwrap_err();
        assert_eq!(wanted.reason, Reason::MalformedBlock);
        let mut outline = Outline::open(Cursor::new(&file)).unwrap();
        assert_eq!(outline.id(), Err(wanted.clone()));
        assert_eq!(outline.value(100_000), Err(wanted));
        assert_eq!(outline.value(10), Ok(Some(10)));
    }

    #[test]
    fn a_json_text_is_not_opened() {
        let refusal = Outline::open(Cursor::new(b"{\"format\": \"dchess\"}")).err();
        assert_eq!(refusal.unwrap().reason, Reason::NotACertificate);
    }

    #[test]
    fn a_source_that_shrinks_is_unreadable() {
        struct Shrinking(Cursor<Vec<u8>>, std::rc::Rc<std::cell::Cell<bool>>);
        impl Read for Shrinking {
            fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
                match self.1.get() {
                    true => Ok(0),
                    false => self.0.read(room),
                }
            }
        }
        impl Seek for Shrinking {
            fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
                self.0.seek(to)
            }
        }
        for file in files(&tables()[2]) {
            let is_gone = std::rc::Rc::new(std::cell::Cell::new(false));
            let source = Shrinking(Cursor::new(file), is_gone.clone());
            let mut outline = Outline::open(source).unwrap();
            is_gone.set(true);
            let refusal = outline.value(70_000).unwrap_err();
            assert_eq!(refusal.reason, Reason::Unreadable);
        }
    }
}
