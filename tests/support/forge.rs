//! Forging certificates: a table whose every field can be changed, sealed again with a digest that is right.
//!
//! The bytes are laid out here by hand from `docs/certificate-format.md`, a second time beside the
//! writer of the program.

use dchess::verify::{Body, EndgameTable};
use sha2::{Digest, Sha256};

/// An endgame table that can be falsified.
#[derive(Clone)]
pub struct Forge {
    pub version: u32,
    pub kind: u32,
    pub codec: u8,
    pub claim: String,
    pub children: Vec<(String, [u8; 32])>,
    /// The counts, and the values.
    pub table: EndgameTable,
    pub longest_line: Vec<u16>,
    pub policy: Vec<u16>,
    /// Bytes after the last field of the payload.
    pub rest: Vec<u8>,
}

impl Forge {
    /// Starts from a true certificate.
    pub fn from_certificate(bytes: &[u8]) -> Forge {
        let certificate = dchess::verify::read(&mut &*bytes).unwrap();
        let Body::EndgameTable(table) = certificate.body;
        Forge {
            version: 1,
            kind: 1,
            codec: 0,
            claim: certificate.claim,
            children: Vec::new(),
            longest_line: table.longest_line.iter().map(|mv| mv.bits()).collect(),
            policy: table.policy.iter().map(|mv| mv.bits()).collect(),
            table,
            rest: Vec::new(),
        }
    }

    /// The payload as it stands.
    pub fn payload(&self) -> Vec<u8> {
        let table = &self.table;
        let mut out = Vec::new();
        put_bytes(&mut out, self.claim.as_bytes());
        put(&mut out, self.children.len() as u64);
        for (claim, id) in &self.children {
            put_bytes(&mut out, claim.as_bytes());
            out.extend(id);
        }
        for count in [
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
        ] {
            put(&mut out, count);
        }
        out.extend(table.max_dtm_plies.to_le_bytes());
        put(&mut out, table.max_dtm_states);
        put_moves(&mut out, &self.longest_line);
        put_bytes(&mut out, &table.values);
        put_moves(&mut out, &self.policy);
        out.extend(&self.rest);
        out
    }

    /// The file, with a digest that is right.
    pub fn seal(&self) -> Vec<u8> {
        let payload = self.payload();
        let length = payload.len() as u64;
        seal_parts(
            self.version,
            self.kind,
            self.codec,
            length,
            length,
            &payload,
        )
    }
}

/// A file of these header fields and this payload, whatever they are, with a digest that is right.
pub fn seal_parts(
    version: u32,
    kind: u32,
    codec: u8,
    stored: u64,
    expanded: u64,
    payload: &[u8],
) -> Vec<u8> {
    let mut file = b"\x89DCHESS\n".to_vec();
    file.extend(version.to_le_bytes());
    file.extend(kind.to_le_bytes());
    file.push(codec);
    put(&mut file, stored);
    put(&mut file, expanded);
    file.extend(payload);
    let digest = Sha256::digest(&file);
    file.extend(digest);
    file
}

fn put(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend(bytes);
}

fn put_moves(out: &mut Vec<u8>, moves: &[u16]) {
    put(out, moves.len() as u64);
    out.extend(moves.iter().flat_map(|code| code.to_le_bytes()));
}
