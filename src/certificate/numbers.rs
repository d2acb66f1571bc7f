//! Lists of numbers in JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Numbers of two bytes each.
pub(super) fn base64(numbers: &[u16]) -> String {
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    STANDARD.encode(bytes)
}
