//! The map of a quotient as CSV: number, block and FEN of every state, then of every en-passant state.

use std::ops::ControlFlow;

use dchess::endgame::{Enumeration, Material, Placement, Quotient, State};
use dchess::game::StateIndex;
use dchess::rules::position_fen;

use super::failure::Failure;
use super::progress::Progress;
use super::sink::Sink;

/// Writes the map.
pub(crate) fn write(
    material: &Material,
    quotient: &Quotient,
    progress: &Progress,
    sink: &mut Sink,
) -> Result<(), Failure> {
    let enumeration = Enumeration::of(material, progress)?;
    let found = [enumeration.ordinary(), enumeration.en_passant()];
    if found != [quotient.states, quotient.en_passant_states] {
        return Err(Failure::Error(format!(
            "{material} has {} states by one count and {} by another; this is a fault of dchess, please report it",
            found[0] + found[1],
            quotient.vertices()
        )));
    }
    if sink.bytes(b"state,block,fen\n")?.is_break() {
        return Ok(());
    }
    let row = |text: &mut String, (number, state): (StateIndex, State)| {
        if let Some(position) = state.position(material) {
            let block = quotient.refinement.blocks[number.get()];
            let fen = position_fen(&position);
            text.push_str(&format!("{},{block},{fen}\n", number.get()));
        }
    };
    let mut is_wanted = true;
    let mut take = |text: String| {
        let flow = sink.bytes(text.as_bytes())?;
        is_wanted = flow.is_continue();
        Ok::<ControlFlow<()>, Failure>(flow)
    };
    let states = |placements: &mut dyn Iterator<Item = Placement>| {
        let mut text = String::new();
        for placement in placements {
            placement.states().for_each(|state| row(&mut text, state));
        }
        text
    };
    enumeration.each_block(progress, states, &mut take)?;
    let en_passant_states = |placements: &mut dyn Iterator<Item = Placement>| {
        let mut text = String::new();
        for placement in placements {
            let states = placement.en_passant_states();
            states.for_each(|state| row(&mut text, state));
        }
        text
    };
    if quotient.en_passant_states > 0 && is_wanted {
        enumeration.each_block(progress, en_passant_states, |text| {
            let flow = sink.bytes(text.as_bytes())?;
            Ok::<ControlFlow<()>, Failure>(flow)
        })?;
    }
    Ok(())
}
