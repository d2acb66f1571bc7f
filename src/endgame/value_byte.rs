//! The byte of a value: its distance, whose parity tells a win from a loss, or 255 for a draw.

use crate::game::{Plies, Value};

/// The byte of a draw.
pub(super) const DRAWN: u8 = 255;

/// The value that a byte stands for.
pub fn value_of(byte: u8) -> Value {
    let plies = Plies::new(byte.into());
    match byte {
        DRAWN => Value::Draw,
        _ if byte.is_multiple_of(2) => Value::Loss(plies),
        _ => Value::Win(plies),
    }
}

/// The byte of a value, `None` if its distance is above 254 plies.
pub fn byte_of(value: Value) -> Option<u8> {
    match value.distance() {
        None => Some(DRAWN),
        Some(plies) => u8::try_from(plies.get()).ok().filter(|&byte| byte != DRAWN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_its_distance_up_to_254_plies() {
        let win = |plies| byte_of(Value::Win(Plies::new(plies)));
        let loss = |plies| byte_of(Value::Loss(Plies::new(plies)));
        assert_eq!(byte_of(Value::Draw), Some(255));
        assert_eq!((loss(0), win(1)), (Some(0), Some(1)));
        assert_eq!((win(253), loss(254)), (Some(253), Some(254)));
        assert_eq!((win(255), loss(256)), (None, None));
        for byte in 0..=255 {
            assert_eq!(byte_of(value_of(byte)), Some(byte));
        }
    }
}
