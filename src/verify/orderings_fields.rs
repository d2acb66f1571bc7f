//! The fields of orderings in a payload: read and written.
//!
//! Lists stand in lists here: a position has winning moves, these have replies, and these have mates. Of each list the count is
//! compared with the bytes that are still present before there is room for it.
//!
//! Source: `docs/certificate-format.md`, *Kind 7: orderings*.

use super::certificate::{Exchange, OrderedPosition, Orderings, Reply, WinningMove};
use super::fields::Fields;
use super::payload::{write_bytes, write_moves};
use super::{Move, Refusal};

/// The bytes that a position takes at least: its fixed fields, and the counts of its text and its lists.
const POSITION: u64 = 8 + 8 + 4 * 8 + 3 * 8;

/// The bytes of an exchange.
const EXCHANGE: u64 = 2 + 2 + 2 + 4 + 2 + 4;

/// The bytes that a move with a list takes at least.
const MOVE_WITH_LIST: u64 = 2 + 8;

/// Reads the fields behind the claim.
pub(super) fn read(fields: &mut Fields) -> Result<Orderings, Refusal> {
    Ok(Orderings {
        attempts: fields.u64("attempts")?,
        proof_nodes: four(fields)?,
        wins: fields.u64("wins")?,
        ties: fields.u64("ties")?,
        losses: fields.u64("losses")?,
        reply_branches: fields.u64("reply_branches")?,
        mating_continuations: fields.u64("mating_continuations")?,
        positions: list(fields, "positions", POSITION, position)?,
    })
}

fn position(fields: &mut Fields) -> Result<OrderedPosition, Refusal> {
    Ok(OrderedPosition {
        fen: fields.text("fen")?,
        attempt: fields.u64("attempt")?,
        proof_nodes: four(fields)?,
        root_moves: list(fields, "root_moves", 2, a_move)?,
        exchanges: list(fields, "exchanges", EXCHANGE, exchange)?,
        winning: list(fields, "winning", MOVE_WITH_LIST, winning_move)?,
    })
}

fn exchange(fields: &mut Fields) -> Result<Exchange, Refusal> {
    Ok(Exchange {
        capture: a_move(fields)?,
        gain: u16::from_le_bytes(fields.array("gain")?),
        loss: u16::from_le_bytes(fields.array("loss")?),
        nodes: u32::from_le_bytes(fields.array("nodes")?),
        capture_plies: u16::from_le_bytes(fields.array("capture_plies")?),
        checked_nodes: u32::from_le_bytes(fields.array("checked_nodes")?),
    })
}

fn winning_move(fields: &mut Fields) -> Result<WinningMove, Refusal> {
    Ok(WinningMove {
        key: a_move(fields)?,
        replies: list(fields, "replies", MOVE_WITH_LIST, reply)?,
    })
}

fn reply(fields: &mut Fields) -> Result<Reply, Refusal> {
    Ok(Reply {
        reply: a_move(fields)?,
        mates: list(fields, "mates", 2, a_move)?,
    })
}

fn a_move(fields: &mut Fields) -> Result<Move, Refusal> {
    let bits = fields.array("a move")?;
    Ok(Move::from_bits(u16::from_le_bytes(bits)))
}

/// The proof nodes of the four orders.
fn four(fields: &mut Fields) -> Result<[u64; 4], Refusal> {
    let mut numbers = [0; 4];
    for number in &mut numbers {
        *number = fields.u64("proof_nodes")?;
    }
    Ok(numbers)
}

/// A list whose items have at least this many bytes each.
fn list<T>(
    fields: &mut Fields,
    name: &str,
    bytes_each: u64,
    item: fn(&mut Fields) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let count = fields.count(name, bytes_each)?;
    (0..count).map(|_| item(fields)).collect()
}

/// Writes the fields behind the claim.
pub(super) fn write(payload: &mut Vec<u8>, orderings: &Orderings) {
    write_number(payload, orderings.attempts);
    write_four(payload, orderings.proof_nodes);
    for total in [
        orderings.wins,
        orderings.ties,
        orderings.losses,
        orderings.reply_branches,
        orderings.mating_continuations,
    ] {
        write_number(payload, total);
    }
    write_number(payload, orderings.positions.len() as u64);
    for position in &orderings.positions {
        write_position(payload, position);
    }
}

fn write_position(payload: &mut Vec<u8>, position: &OrderedPosition) {
    write_bytes(payload, position.fen.as_bytes());
    write_number(payload, position.attempt);
    write_four(payload, position.proof_nodes);
    write_moves(payload, &position.root_moves);
    write_number(payload, position.exchanges.len() as u64);
    for exchange in &position.exchanges {
        payload.extend(exchange.capture.bits().to_le_bytes());
        payload.extend(exchange.gain.to_le_bytes());
        payload.extend(exchange.loss.to_le_bytes());
        payload.extend(exchange.nodes.to_le_bytes());
        payload.extend(exchange.capture_plies.to_le_bytes());
        payload.extend(exchange.checked_nodes.to_le_bytes());
    }
    write_number(payload, position.winning.len() as u64);
    for winning in &position.winning {
        payload.extend(winning.key.bits().to_le_bytes());
        write_number(payload, winning.replies.len() as u64);
        for reply in &winning.replies {
            payload.extend(reply.reply.bits().to_le_bytes());
            write_moves(payload, &reply.mates);
        }
    }
}

fn write_number(payload: &mut Vec<u8>, number: u64) {
    payload.extend(number.to_le_bytes());
}

fn write_four(payload: &mut Vec<u8>, numbers: [u64; 4]) {
    payload.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
}

#[cfg(test)]
mod tests {
    use super::super::Reason;
    use super::*;

    /// Orderings with one position that has these winning moves, as many exchanges as are said, and nothing else.
    fn with(exchanges: usize, winning: Vec<WinningMove>) -> Orderings {
        let exchange = Exchange {
            capture: Move::NONE,
            gain: 0,
            loss: 0,
            nodes: 0,
            capture_plies: 0,
            checked_nodes: 0,
        };
        let position = OrderedPosition {
            fen: String::new(),
            attempt: 0,
            proof_nodes: [0; 4],
            root_moves: Vec::new(),
            exchanges: vec![exchange; exchanges],
            winning,
        };
        Orderings {
            attempts: 0,
            proof_nodes: [0; 4],
            wins: 0,
            ties: 0,
            losses: 0,
            reply_branches: 0,
            mating_continuations: 0,
            positions: vec![position],
        }
    }

    fn winning(replies: usize) -> WinningMove {
        let reply = Reply {
            reply: Move::NONE,
            mates: Vec::new(),
        };
        WinningMove {
            key: Move::NONE,
            replies: vec![reply; replies],
        }
    }

    #[test]
    fn the_smallest_entries_are_read_and_no_byte_less() {
        // A hundred of each, so that a byte too many for each would be more than all that follows.
        let mut positions = with(0, Vec::new());
        positions.positions = vec![positions.positions[0].clone(); 100];
        for (orderings, size) in [
            (positions, 100 * 72),
            (with(100, Vec::new()), 72 + 100 * 16),
            (with(0, vec![winning(0); 100]), 72 + 100 * 10),
            (with(0, vec![winning(100)]), 72 + 10 + 100 * 10),
        ] {
            let mut payload = Vec::new();
            write(&mut payload, &orderings);
            assert_eq!(payload.len(), 10 * 8 + 8 + size);
            let mut bytes = payload.as_slice();
            let mut fields = Fields::of(&mut bytes);
            assert_eq!(read(&mut fields), Ok(orderings));
            assert_eq!(fields.left(), 0);
            for length in 0..payload.len() {
                let mut bytes = &payload[..length];
                let refusal = read(&mut Fields::of(&mut bytes)).unwrap_err();
                assert_eq!(refusal.reason, Reason::MalformedPayload);
            }
        }
    }
}
