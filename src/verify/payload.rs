//! The payload of a certificate: its fields in order, read and written.
//!
//! Nothing is left over after the last field. A payload has one form only: what is read and written again gives the same
//! bytes. (A JSON text is written as a payload to find its id.) The mates of a bundle are not read here but while they pass,
//! in `bundle`; orderings and abstractions have lists in lists, and are read in `orderings_fields` and `abstraction_fields`.
//!
//! Source: `docs/certificate-format.md`, *Payload* of all kinds.

use std::ops::Range;

use super::certificate_kind::CertificateKind;
use super::claim::class_of;
use super::fields::{
    Bytes, Fields, moves_from_bytes, numbers_from_bytes, printable, roots_from_bytes,
    rounds_from_bytes, short_numbers_from_bytes,
};
use super::material::Material;
use super::{
    Bisimulation, Body, Bounds, Bundle, Child, EnPassant, EndgameTable, LocalProof, Mate, Move,
    Proof, Reason, Refusal, abstraction_fields, bundle, bundle_claim, orderings_fields,
};

/// What a payload holds, with its long lists left where they are.
pub(super) struct Layout {
    pub(super) claim: String,
    pub(super) children: Vec<Child>,
    /// The witnesses, their lists empty but those of orderings and abstractions, in which lists stand in lists.
    pub(super) body: Body,
    pub(super) lists: Lists,
}

/// The bytes of a payload that its lists take, their counts not included; none for a list that the kind or the class does
/// not have.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) longest_line: Range<u64>,
    pub(super) values: Range<u64>,
    pub(super) policy: Range<u64>,
    pub(super) starts: Range<u64>,
    pub(super) en_passant_values: Range<u64>,
    blocks_per_round: Range<u64>,
    map: Range<u64>,
    parents: Range<u64>,
    split_rounds: Range<u64>,
    white_wins: Range<u64>,
    black_wins: Range<u64>,
    white_holds: Range<u64>,
    black_holds: Range<u64>,
    dominators: Range<u64>,
    deletion_rounds: Range<u64>,
    positions: Range<u64>,
    lower: Range<u64>,
    upper: Range<u64>,
    ranks: Range<u64>,
    strategy: Range<u64>,
    refutation: Range<u64>,
    strategy_roots: Range<u64>,
    refutation_roots: Range<u64>,
    state: Range<u64>,
    proof_states: Range<u64>,
    nodes: Range<u64>,
}

impl Layout {
    /// Reads the fields in order. The claim is judged first: it says which fields there are.
    pub(super) fn of(kind: CertificateKind, payload: &mut dyn Bytes) -> Result<Layout, Refusal> {
        let mut fields = Fields::of(payload);
        let claim = fields.text("claim")?;
        let material = class_of(kind, &claim)?;
        let material = material.as_ref();
        let children = match kind {
            CertificateKind::Mate | CertificateKind::Bundle | CertificateKind::Orderings => {
                Vec::new()
            }
            _ => fields.children("children")?,
        };
        let mut lists = Lists::default();
        let body = match kind {
            CertificateKind::EndgameTable => {
                Body::EndgameTable(endgame_table(&mut fields, material, &mut lists)?)
            }
            CertificateKind::Bisimulation => {
                Body::Bisimulation(bisimulation(&mut fields, material, &mut lists)?)
            }
            CertificateKind::Bounds => Body::Bounds(bounds(&mut fields, material, &mut lists)?),
            CertificateKind::LocalProof => Body::LocalProof(local_proof(&mut fields, &mut lists)?),
            CertificateKind::Mate => Body::Mate(mate(&mut fields, &mut lists)?),
            CertificateKind::Bundle => Body::Bundle(unread_bundle(&mut fields, &claim)?),
            CertificateKind::Orderings => Body::Orderings(orderings_fields::read(&mut fields)?),
            CertificateKind::Abstraction => {
                Body::Abstraction(abstraction_fields::read(&mut fields, material)?)
            }
            CertificateKind::Proof => Body::Proof(proof(&mut fields, &mut lists)?),
        };
        match fields.left() {
            0 => Ok(Layout {
                claim,
                children,
                body,
                lists,
            }),
            left => Err(fields.malformed(format_args!("{left} bytes after the last field"))),
        }
    }
}

/// The fields of an endgame table.
fn endgame_table(
    fields: &mut Fields,
    material: Option<&Material>,
    lists: &mut Lists,
) -> Result<EndgameTable, Refusal> {
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
    lists.longest_line = fields.list("longest_line", 2)?;
    lists.values = fields.list("values", 1)?;
    lists.policy = fields.list("policy", 2)?;
    if material.is_some_and(Material::has_starts) {
        lists.starts = fields.list("starts", 8)?;
    }
    if material.is_some_and(Material::has_en_passant) {
        table.en_passant = Some(EnPassant {
            raw_states: fields.u64("en_passant_raw_states")?,
            states: fields.u64("en_passant_states")?,
            values: Vec::new(),
        });
        lists.en_passant_values = fields.list("en_passant_values", 1)?;
    }
    Ok(table)
}

/// The fields of a bisimulation.
fn bisimulation(
    fields: &mut Fields,
    material: Option<&Material>,
    lists: &mut Lists,
) -> Result<Bisimulation, Refusal> {
    let mut bisimulation = Bisimulation {
        states: fields.u64("states")?,
        edges: fields.u64("edges")?,
        en_passant_states: None,
        blocks_per_round: Vec::new(),
        map: Vec::new(),
        parents: Vec::new(),
        split_rounds: Vec::new(),
    };
    if material.is_some_and(Material::has_en_passant) {
        bisimulation.en_passant_states = Some(fields.u64("en_passant_states")?);
    }
    lists.blocks_per_round = fields.list("blocks_per_round", 8)?;
    lists.map = fields.list("map", 4)?;
    lists.parents = fields.list("parents", 4)?;
    lists.split_rounds = fields.list("split_rounds", 4)?;
    Ok(bisimulation)
}

/// The fields of bounds.
fn bounds(
    fields: &mut Fields,
    material: Option<&Material>,
    lists: &mut Lists,
) -> Result<Bounds, Refusal> {
    let mut bounds = Bounds {
        states: fields.u64("states")?,
        edges: fields.u64("edges")?,
        en_passant_states: None,
        rounds: 0,
        white_wins: Vec::new(),
        black_wins: Vec::new(),
        white_holds: Vec::new(),
        black_holds: Vec::new(),
        dominators: Vec::new(),
        deletion_rounds: Vec::new(),
        deleted_strict: 0,
        deleted_equal: 0,
        deleted_open: 0,
    };
    if material.is_some_and(Material::has_en_passant) {
        bounds.en_passant_states = Some(fields.u64("en_passant_states")?);
    }
    bounds.rounds = u16::from_le_bytes(fields.array("rounds")?);
    lists.white_wins = fields.list("white_wins", 2)?;
    lists.black_wins = fields.list("black_wins", 2)?;
    lists.white_holds = fields.list("white_holds", 2)?;
    lists.black_holds = fields.list("black_holds", 2)?;
    lists.dominators = fields.list("dominators", 1)?;
    lists.deletion_rounds = fields.list("deletion_rounds", 2)?;
    bounds.deleted_strict = fields.u64("deleted_strict")?;
    bounds.deleted_equal = fields.u64("deleted_equal")?;
    bounds.deleted_open = fields.u64("deleted_open")?;
    Ok(bounds)
}

/// The fields of a local proof.
fn local_proof(fields: &mut Fields, lists: &mut Lists) -> Result<LocalProof, Refusal> {
    lists.positions = fields.list("positions", 1)?;
    lists.lower = fields.list("lower", 1)?;
    lists.upper = fields.list("upper", 1)?;
    lists.ranks = fields.list("ranks", 2)?;
    lists.dominators = fields.list("dominators", 1)?;
    Ok(LocalProof {
        positions: Vec::new(),
        lower: Vec::new(),
        upper: Vec::new(),
        ranks: Vec::new(),
        dominators: Vec::new(),
        moves: fields.u64("moves")?,
        deleted_strict: fields.u64("deleted_strict")?,
        deleted_equal: fields.u64("deleted_equal")?,
    })
}

/// The fields of a mate.
fn mate(fields: &mut Fields, lists: &mut Lists) -> Result<Mate, Refusal> {
    lists.strategy = fields.list("strategy", 1)?;
    lists.refutation = fields.list("refutation", 1)?;
    lists.strategy_roots = fields.list("strategy_roots", 6)?;
    lists.refutation_roots = fields.list("refutation_roots", 4)?;
    Ok(Mate {
        strategy: Vec::new(),
        refutation: Vec::new(),
        strategy_roots: Vec::new(),
        refutation_roots: Vec::new(),
    })
}

/// The fields of a proof.
fn proof(fields: &mut Fields, lists: &mut Lists) -> Result<Proof, Refusal> {
    lists.state = fields.list("state", 1)?;
    lists.proof_states = fields.list("states", 1)?;
    lists.nodes = fields.list("nodes", 1)?;
    Ok(Proof {
        state: Vec::new(),
        states: Vec::new(),
        nodes: Vec::new(),
        deleted_strict: fields.u64("deleted_strict")?,
        deleted_equal: fields.u64("deleted_equal")?,
    })
}

/// The number of mates of a bundle, all of which are left where they are.
fn unread_bundle(fields: &mut Fields, claim: &str) -> Result<Bundle, Refusal> {
    let mates = fields.u64("mates")?;
    bundle::check_number(bundle_claim::number_of_mates(claim)?, mates)?;
    fields.leave_the_rest();
    Ok(Bundle {
        mates,
        outcome: None,
    })
}

/// The claim, the children and the witnesses of a payload.
pub(super) fn read(
    kind: CertificateKind,
    payload: Vec<u8>,
) -> Result<(String, Vec<Child>, Body), Refusal> {
    let Layout {
        claim,
        children,
        mut body,
        lists,
    } = Layout::of(kind, &mut payload.as_slice())?;
    match &mut body {
        Body::EndgameTable(table) => fill_table(table, &lists, payload),
        Body::Bisimulation(bisimulation) => fill_bisimulation(bisimulation, &lists, &payload),
        Body::Bounds(bounds) => fill_bounds(bounds, &lists, payload),
        Body::LocalProof(local_proof) => fill_local_proof(local_proof, &lists, &payload),
        Body::Mate(mate) => *mate = mate_in(&lists, &payload),
        Body::Proof(proof) => fill_proof(proof, &lists, payload),
        // Nothing of it is kept.
        Body::Bundle(_) => {}
        // All of it was read.
        Body::Orderings(_) | Body::Abstraction(_) => {}
    }
    Ok((claim, children, body))
}

/// The claim and the witnesses of the payload of a mate.
pub(super) fn read_mate(mut payload: &[u8]) -> Result<(String, Mate), Refusal> {
    let Layout { claim, lists, .. } = Layout::of(CertificateKind::Mate, &mut payload)?;
    Ok((claim, mate_in(&lists, payload)))
}

/// Puts the lists into a table.
fn fill_table(table: &mut EndgameTable, lists: &Lists, mut payload: Vec<u8>) {
    let list = |range: &Range<u64>| bytes_of(&payload, range);
    table.longest_line = moves_from_bytes(list(&lists.longest_line)).unwrap_or_default();
    table.policy = moves_from_bytes(list(&lists.policy)).unwrap_or_default();
    table.starts = numbers_from_bytes(list(&lists.starts)).unwrap_or_default();
    if let Some(en_passant) = &mut table.en_passant {
        en_passant.values = list(&lists.en_passant_values).to_vec();
    }
    // The values are by far the most of a payload: they stay where they are.
    payload.truncate(index(lists.values.end));
    payload.drain(..index(lists.values.start).min(payload.len()));
    table.values = payload;
}

/// Puts the lists into a bisimulation.
fn fill_bisimulation(bisimulation: &mut Bisimulation, lists: &Lists, payload: &[u8]) {
    let list = |range| bytes_of(payload, range);
    let short = |range| short_numbers_from_bytes(list(range)).unwrap_or_default();
    let rounds = numbers_from_bytes(list(&lists.blocks_per_round));
    bisimulation.blocks_per_round = rounds.unwrap_or_default();
    bisimulation.map = short(&lists.map);
    bisimulation.parents = short(&lists.parents);
    bisimulation.split_rounds = short(&lists.split_rounds);
}

/// Puts the lists into bounds.
fn fill_bounds(bounds: &mut Bounds, lists: &Lists, mut payload: Vec<u8>) {
    let rounds = |range| rounds_from_bytes(bytes_of(&payload, range)).unwrap_or_default();
    bounds.white_wins = rounds(&lists.white_wins);
    bounds.black_wins = rounds(&lists.black_wins);
    bounds.white_holds = rounds(&lists.white_holds);
    bounds.black_holds = rounds(&lists.black_holds);
    bounds.deletion_rounds = rounds(&lists.deletion_rounds);
    // The payload is large, so what is left of it stays where it is, and gives back the rest.
    payload.truncate(index(lists.dominators.end));
    payload.drain(..index(lists.dominators.start).min(payload.len()));
    payload.shrink_to_fit();
    bounds.dominators = payload;
}

/// Puts the lists into a local proof.
fn fill_local_proof(local_proof: &mut LocalProof, lists: &Lists, payload: &[u8]) {
    let list = |range| bytes_of(payload, range).to_vec();
    local_proof.positions = list(&lists.positions);
    local_proof.lower = list(&lists.lower);
    local_proof.upper = list(&lists.upper);
    local_proof.ranks = rounds_from_bytes(bytes_of(payload, &lists.ranks)).unwrap_or_default();
    local_proof.dominators = list(&lists.dominators);
}

/// Puts the lists into a proof.
fn fill_proof(proof: &mut Proof, lists: &Lists, mut payload: Vec<u8>) {
    proof.state = bytes_of(&payload, &lists.state).to_vec();
    proof.states = bytes_of(&payload, &lists.proof_states).to_vec();
    // The nodes are by far the most of a payload: they stay where they are.
    payload.truncate(index(lists.nodes.end));
    payload.drain(..index(lists.nodes.start).min(payload.len()));
    proof.nodes = payload;
}

/// The mate with these lists.
fn mate_in(lists: &Lists, payload: &[u8]) -> Mate {
    let list = |range| bytes_of(payload, range);
    let strategy_roots = roots_from_bytes(list(&lists.strategy_roots));
    let refutation_roots = short_numbers_from_bytes(list(&lists.refutation_roots));
    Mate {
        strategy: list(&lists.strategy).to_vec(),
        refutation: list(&lists.refutation).to_vec(),
        strategy_roots: strategy_roots.unwrap_or_default(),
        refutation_roots: refutation_roots.unwrap_or_default(),
    }
}

fn index(at: u64) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn bytes_of<'a>(payload: &'a [u8], range: &Range<u64>) -> &'a [u8] {
    let bytes = payload.get(index(range.start)..index(range.end));
    bytes.unwrap_or_default()
}

/// The payload with this content, whose claim is one of the list and speaks of this material. (Mates and orderings have no
/// children. A bundle is not written: its mates are not there.)
pub(super) fn write(
    claim: &str,
    material: Option<&Material>,
    children: &[Child],
    body: &Body,
) -> Vec<u8> {
    let mut payload = Vec::new();
    write_list(&mut payload, claim.len(), claim.bytes());
    if !matches!(body, Body::Mate(_) | Body::Bundle(_) | Body::Orderings(_)) {
        write_list(&mut payload, children.len(), []);
    }
    for child in children {
        write_list(&mut payload, child.claim.len(), child.claim.bytes());
        payload.extend(child.id.bytes());
    }
    match body {
        Body::EndgameTable(table) => write_table(&mut payload, material, table),
        Body::Bisimulation(bisimulation) => write_bisimulation(&mut payload, bisimulation),
        Body::Bounds(bounds) => write_bounds(&mut payload, bounds),
        Body::LocalProof(local_proof) => write_local_proof(&mut payload, local_proof),
        Body::Mate(mate) => write_mate(&mut payload, mate),
        Body::Bundle(_) => {}
        Body::Orderings(orderings) => orderings_fields::write(&mut payload, orderings),
        Body::Abstraction(abstraction) => abstraction_fields::write(&mut payload, abstraction),
        Body::Proof(proof) => write_proof(&mut payload, proof),
    }
    payload
}

fn write_table(payload: &mut Vec<u8>, material: Option<&Material>, table: &EndgameTable) {
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
    write_moves(payload, &table.longest_line);
    write_bytes(payload, &table.values);
    write_moves(payload, &table.policy);
    if material.is_some_and(Material::has_starts) {
        write_numbers(payload, &table.starts);
    }
    if let Some(en_passant) = &table.en_passant {
        payload.extend(en_passant.raw_states.to_le_bytes());
        payload.extend(en_passant.states.to_le_bytes());
        write_bytes(payload, &en_passant.values);
    }
}

fn write_bisimulation(payload: &mut Vec<u8>, bisimulation: &Bisimulation) {
    payload.extend(bisimulation.states.to_le_bytes());
    payload.extend(bisimulation.edges.to_le_bytes());
    payload.extend(
        bisimulation
            .en_passant_states
            .iter()
            .flat_map(|states| states.to_le_bytes()),
    );
    write_numbers(payload, &bisimulation.blocks_per_round);
    for numbers in [
        &bisimulation.map,
        &bisimulation.parents,
        &bisimulation.split_rounds,
    ] {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        write_list(payload, numbers.len(), bytes);
    }
}

fn write_bounds(payload: &mut Vec<u8>, bounds: &Bounds) {
    payload.extend(bounds.states.to_le_bytes());
    payload.extend(bounds.edges.to_le_bytes());
    let en_passant_states = bounds.en_passant_states.iter();
    payload.extend(en_passant_states.flat_map(|states| states.to_le_bytes()));
    payload.extend(bounds.rounds.to_le_bytes());
    for rounds in [
        &bounds.white_wins,
        &bounds.black_wins,
        &bounds.white_holds,
        &bounds.black_holds,
    ] {
        write_rounds(payload, rounds);
    }
    write_bytes(payload, &bounds.dominators);
    write_rounds(payload, &bounds.deletion_rounds);
    payload.extend(bounds.deleted_strict.to_le_bytes());
    payload.extend(bounds.deleted_equal.to_le_bytes());
    payload.extend(bounds.deleted_open.to_le_bytes());
}

fn write_local_proof(payload: &mut Vec<u8>, local_proof: &LocalProof) {
    write_bytes(payload, &local_proof.positions);
    write_bytes(payload, &local_proof.lower);
    write_bytes(payload, &local_proof.upper);
    write_rounds(payload, &local_proof.ranks);
    write_bytes(payload, &local_proof.dominators);
    payload.extend(local_proof.moves.to_le_bytes());
    payload.extend(local_proof.deleted_strict.to_le_bytes());
    payload.extend(local_proof.deleted_equal.to_le_bytes());
}

fn write_mate(payload: &mut Vec<u8>, mate: &Mate) {
    write_bytes(payload, &mate.strategy);
    write_bytes(payload, &mate.refutation);
    let roots = mate.strategy_roots.iter();
    let bytes = roots.flat_map(|(first, reference)| {
        let first = first.bits().to_le_bytes();
        first.into_iter().chain(reference.to_le_bytes())
    });
    write_list(payload, mate.strategy_roots.len(), bytes);
    let roots = mate.refutation_roots.iter();
    let bytes = roots.flat_map(|reference| reference.to_le_bytes());
    write_list(payload, mate.refutation_roots.len(), bytes);
}

fn write_proof(payload: &mut Vec<u8>, proof: &Proof) {
    write_bytes(payload, &proof.state);
    write_bytes(payload, &proof.states);
    write_bytes(payload, &proof.nodes);
    payload.extend(proof.deleted_strict.to_le_bytes());
    payload.extend(proof.deleted_equal.to_le_bytes());
}

pub(super) fn write_bytes(payload: &mut Vec<u8>, bytes: &[u8]) {
    write_list(payload, bytes.len(), bytes.iter().copied());
}

pub(super) fn write_rounds(payload: &mut Vec<u8>, rounds: &[u16]) {
    let bytes = rounds.iter().flat_map(|round| round.to_le_bytes());
    write_list(payload, rounds.len(), bytes);
}

fn write_numbers(payload: &mut Vec<u8>, numbers: &[u64]) {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    write_list(payload, numbers.len(), bytes);
}

pub(super) fn write_moves(payload: &mut Vec<u8>, moves: &[Move]) {
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

/// The claim with which a payload of this length begins, of which only a part may be given.
///
/// A line that goes on behind the part is not in the list: all of that are much shorter than a block.
pub(super) fn read_claim(mut beginning: &[u8], length: u64) -> Result<String, Refusal> {
    if let Some((count, line)) = beginning.split_first_chunk::<8>() {
        let count = u64::from_le_bytes(*count);
        let goes_on = count > line.len() as u64 && count <= length.saturating_sub(8);
        if goes_on && printable(line).is_some() {
            let place = format_args!("claim: a line of {count} characters");
            return Err(Refusal::new(Reason::UnknownClaim, place));
        }
    }
    Fields::of(&mut beginning).text("claim")
}

#[cfg(test)]
mod tests {
    use super::super::{Certificate, Encoding};
    use super::*;

    /// A certificate of each kind, and two with the fields that only some classes have; the local proof, the mate, the orderings and the
    /// abstractions come last.
    fn examples() -> Vec<Certificate> {
        let table = Certificate::example(Encoding::Json);
        let bisimulation = Certificate::example_of_bisimulation(Encoding::Json);
        let Body::Bisimulation(mut content) = bisimulation.body.clone() else {
            panic!()
        };
        content.en_passant_states = Some(77);
        let claim = "bisimulation KPKP board relative to child values".to_string();
        let children = bisimulation.children.clone();
        let body = Body::Bisimulation(content);
        let with_en_passant = Certificate::made_of(Encoding::Json, claim, children, body);
        let bounds = Certificate::example_of_bounds(Encoding::Json);
        let Body::Bounds(mut content) = bounds.body.clone() else {
            panic!()
        };
        content.en_passant_states = Some(77);
        let claim = "bounds KPKP board from KBKP KNKP KPK KQKP KRKP".to_string();
        let (children, body) = (bounds.children.clone(), Body::Bounds(content));
        let bounds_with_en_passant = Certificate::made_of(Encoding::Json, claim, children, body);
        vec![
            table,
            bisimulation,
            with_en_passant,
            bounds,
            bounds_with_en_passant,
            Certificate::example_of_local_proof(Encoding::Json),
            Certificate::example_of_mate(Encoding::Json),
            Certificate::example_of_orderings(Encoding::Json),
            Certificate::example_of_abstraction(Encoding::Json),
            abstraction_with_en_passant(),
        ]
    }

    /// An abstraction of a class in which both sides have a pawn.
    fn abstraction_with_en_passant() -> Certificate {
        let Certificate { children, body, .. } =
            Certificate::example_of_abstraction(Encoding::Json);
        let Body::Abstraction(mut content) = body else {
            panic!()
        };
        content.en_passant_states = Some(77);
        let claim = "abstraction KPKP board horizon 1 decides 0 states in 2 blocks from KBKP KNKP KPK KQKP KRKP";
        let body = Body::Abstraction(content);
        Certificate::made_of(Encoding::Json, claim.to_string(), children, body)
    }

    fn reason(kind: CertificateKind, payload: &[u8]) -> Reason {
        read(kind, payload.to_vec()).unwrap_err().reason
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
        assert_eq!(examples()[0].payload(), bytes);
    }

    #[test]
    fn the_fields_of_a_bisimulation_are_where_the_format_page_says() {
        for (example, claim, en_passant) in [
            (1, &b"bisimulation KQK board"[..], None),
            (
                2,
                b"bisimulation KPKP board relative to child values",
                Some(77),
            ),
        ] {
            let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
            bytes.extend(claim);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(b"a child");
            bytes.extend([0xc1; 32]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([255; 8]);
            if let Some(states) = en_passant {
                bytes.extend([states, 0, 0, 0, 0, 0, 0, 0]);
            }
            bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([0, 0, 0, 0, 0, 1, 0, 0]);
            bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([4, 0, 0, 0, 5, 0, 0, 0, 255, 255, 255, 255]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0]);
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 4, 3, 2, 1]);
            assert_eq!(examples()[example].payload(), bytes);
        }
    }

    #[test]
    fn the_fields_of_bounds_are_where_the_format_page_says() {
        for (example, claim, en_passant) in [
            (3, &b"bounds KQK board"[..], None),
            (
                4,
                b"bounds KPKP board from KBKP KNKP KPK KQKP KRKP",
                Some(77),
            ),
        ] {
            let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
            bytes.extend(claim);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(b"a child");
            bytes.extend([0xc1; 32]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([255; 8]);
            if let Some(states) = en_passant {
                bytes.extend([states, 0, 0, 0, 0, 0, 0, 0]);
            }
            bytes.extend([2, 3]);
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 4, 0, 255, 255]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 5, 0]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 6, 7]);
            bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 8, 0, 9, 0, 10, 0]);
            bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 11, 255, 0]);
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 12, 0, 255, 255]);
            bytes.extend([13, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([14, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([0, 0, 0, 0, 0, 1, 0, 0]);
            assert_eq!(examples()[example].payload(), bytes);
        }
    }

    #[test]
    fn the_fields_of_a_local_proof_are_where_the_format_page_says() {
        let claim = b"interval 8/8/8/8/8/2k5/1R6/K7 w - - 0 1 board 1 1";
        let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(claim);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"a child");
        bytes.extend([0xc1; 32]);
        bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 4, 5]);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 6]);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 7, 8, 255, 255]);
        bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 9, 255, 0]);
        bytes.extend([10, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([255; 8]);
        bytes.extend([0, 0, 0, 0, 0, 1, 0, 0]);
        assert_eq!(examples()[5].payload(), bytes);
    }

    #[test]
    fn the_fields_of_a_mate_are_where_the_format_page_says() {
        let claim = b"mate 7k/8/6K1/8/8/8/8/1Q6 w - - 0 1 in 1 shortest";
        let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(claim);
        bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 4, 5]);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0]);
        // a1b2 = 64 × 9.
        bytes.extend([0x40, 0x02, 4, 3, 2, 1]);
        bytes.extend([255; 6]);
        bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([6, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0, 0]);
        assert_eq!(examples()[6].payload(), bytes);
    }

    #[test]
    fn the_fields_of_orderings_are_where_the_format_page_says() {
        let claim = b"orderings of 2 positions from seed 15";
        let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(claim);
        for number in [1, 2, 3, 4] {
            bytes.extend([number, 0, 0, 0, 0, 0, 0, 0]);
        }
        bytes.extend([255; 8]);
        for number in [5, 6, 7, 8, 9] {
            bytes.extend([number, 0, 0, 0, 0, 0, 0, 0]);
        }
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([10, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"a position");
        for number in [15, 16, 17, 18] {
            bytes.extend([number, 0, 0, 0, 0, 0, 0, 0]);
        }
        bytes.extend([0, 0, 0, 0, 0, 1, 0, 0]);
        // a1b2 = 64 × 9, e7e8q = 52 + 64 × 60 + 4096 × 4, e7e8n the same with 1.
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x02, 0x34, 0x4f]);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([0x40, 0x02, 0x0a, 0x0b, 12, 0]);
        bytes.extend([13, 0, 0, 0, 14, 0, 255, 255, 255, 255]);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x4f]);
        bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x02]);
        bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 0x34, 0x4f, 0x34, 0x1f]);
        assert_eq!(examples()[7].payload(), bytes);
    }

    #[test]
    fn the_fields_of_an_abstraction_are_where_the_format_page_says() {
        for (example, claim, en_passant) in [
            (8, &b"abstraction KQK board horizon 3 decides 2 states in 9 blocks"[..], None),
            (
                9,
                b"abstraction KPKP board horizon 1 decides 0 states in 2 blocks from KBKP KNKP KPK KQKP KRKP",
                Some(77),
            ),
        ] {
            let mut bytes = vec![claim.len() as u8, 0, 0, 0, 0, 0, 0, 0];
            bytes.extend(claim);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([7, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(b"a child");
            bytes.extend([0xc1; 32]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([255; 8]);
            if let Some(states) = en_passant {
                bytes.extend([states, 0, 0, 0, 0, 0, 0, 0]);
            }
            bytes.extend([3, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend([6, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(b"a line");
            bytes.extend([0; 8]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(b"x");
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 4, 5]);
            bytes.extend([1, 0, 0, 0, 0, 0, 0, 0, 6]);
            bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 7, 8, 255, 255]);
            assert_eq!(examples()[example].payload(), bytes);
        }
    }

    #[test]
    fn what_was_written_is_read() {
        for certificate in examples() {
            let (claim, children, body) =
                read(certificate.body.kind(), certificate.payload()).unwrap();
            assert_eq!(claim, certificate.claim);
            assert_eq!(children, certificate.children);
            assert_eq!(body, certificate.body);
        }
    }

    #[test]
    fn every_shorter_and_longer_payload_is_refused() {
        for certificate in examples() {
            let (kind, payload) = (certificate.body.kind(), certificate.payload());
            for length in 0..payload.len() {
                let reason = reason(kind, &payload[..length]);
                assert_eq!(reason, Reason::MalformedPayload, "{length}");
            }
            let longer = [payload, vec![0]].concat();
            assert_eq!(reason(kind, &longer), Reason::MalformedPayload);
        }
    }

    #[test]
    fn a_payload_that_is_read_is_written_the_same() {
        // Whatever byte is changed, and to whatever: a content has one payload only.
        for certificate in examples() {
            let (kind, payload) = (certificate.body.kind(), certificate.payload());
            for at in 0..payload.len() {
                for byte in 0..=255 {
                    let mut changed = payload.clone();
                    changed[at] = byte;
                    if let Ok((claim, children, body)) = read(kind, changed.clone()) {
                        let material = class_of(kind, &claim).unwrap();
                        let written = write(&claim, material.as_ref(), &children, &body);
                        assert_eq!(written, changed);
                    }
                }
            }
        }
    }

    #[test]
    fn lengths_beyond_the_bytes_are_refused() {
        let places: [(&[usize], &[usize]); 10] = [
            (&[0, 29, 37], &[12, 23, 35]),
            (&[0, 30, 38], &[16, 28, 48, 80]),
            (&[0, 56, 64], &[16, 28, 48, 80]),
            (&[0, 24, 32], &[36, 47, 61, 71, 81, 93]),
            (&[0, 54, 62], &[36, 47, 61, 71, 81, 93]),
            (&[0, 57, 65], &[35, 47, 56, 66, 77]),
            (&[0], &[20, 40, 50, 61]),
            (&[0], &[12, 22, 32, 56, 68, 126, 134]),
            (&[0, 68, 76], &[12, 21, 31, 40, 48, 62, 70]),
            (&[0, 98, 106], &[12, 21, 31, 40, 48, 62, 70]),
        ];
        for (certificate, (starts, from_end)) in examples().iter().zip(places) {
            let (kind, payload) = (certificate.body.kind(), certificate.payload());
            let from_end: Vec<usize> = from_end.iter().map(|n| payload.len() - n).collect();
            for start in [starts, &from_end].concat() {
                for length in [1 << 24, 1 << 32, 1 << 61, 1 << 62, (1 << 63) + 1, u64::MAX] {
                    let mut changed = payload.clone();
                    changed[start..start + 8].copy_from_slice(&u64::to_le_bytes(length));
                    let reason = reason(kind, &changed);
                    assert_eq!(reason, Reason::MalformedPayload, "{start} {length}");
                }
            }
        }
    }

    #[test]
    fn texts_are_printable_ascii() {
        let places = [
            [8, 28, 45, 51],
            [8, 29, 46, 52],
            [8, 55, 72, 78],
            [8, 23, 40, 46],
            [8, 53, 70, 76],
            [8, 56, 73, 79],
            [8, 12, 30, 56],
            [8, 44, 141, 150],
            [8, 67, 84, 158],
            [8, 97, 114, 196],
        ];
        for (certificate, places) in examples().iter().zip(places) {
            let payload = certificate.payload();
            for at in places {
                for byte in [0, 10, 0x1f, 0x7f, 0x80, 0xc3, 0xff] {
                    let mut changed = payload.clone();
                    changed[at] = byte;
                    let reason = reason(certificate.body.kind(), &changed);
                    assert_eq!(reason, Reason::MalformedPayload, "{at} {byte}");
                }
            }
        }
    }
}
