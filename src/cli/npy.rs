//! The head of a NumPy file, format version 1.0: a one-dimensional array of records of single bytes.
//!
//! A file is the magic, the version, the length of the head, and the head: a Python dictionary with
//! the type, the order and the shape, filled up with spaces to a multiple of 64 bytes. The records
//! follow without gaps. (NEP 1.) The crates that write such files want the type of a record when they
//! are compiled; here it depends on the class.

/// A field of a record: its name, and `u1` or `i1`.
pub(crate) type Field = (String, &'static str);

/// Everything before the records, if its length fits the two bytes that it is given.
pub(crate) fn head(fields: &[Field], records: u64) -> Option<Vec<u8>> {
    let types: Vec<String> = fields
        .iter()
        .map(|(name, kind)| format!("('{name}', '|{kind}')"))
        .collect();
    let mut text = format!(
        "{{'descr': [{}], 'fortran_order': False, 'shape': ({records},), }}",
        types.join(", ")
    );
    const BEFORE: usize = 10;
    const ALIGNMENT: usize = 64;
    let end = (BEFORE + text.len() + 1).next_multiple_of(ALIGNMENT);
    text.extend(std::iter::repeat_n(' ', end - BEFORE - text.len() - 1));
    text.push('\n');
    let mut head = b"\x93NUMPY\x01\x00".to_vec();
    head.extend(u16::try_from(text.len()).ok()?.to_le_bytes());
    head.extend(text.as_bytes());
    Some(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_the_one_that_numpy_writes() {
        // Source: numpy 2.4.6, np.save of np.zeros(46137, dtype=[('wk','u1'),('value','i1')]).
        let head = head(
            &[("wk".to_owned(), "u1"), ("value".to_owned(), "i1")],
            46_137,
        )
        .unwrap();
        let text = "{'descr': [('wk', '|u1'), ('value', '|i1')], 'fortran_order': False, 'shape': (46137,), }";
        let expected = [b"\x93NUMPY\x01\x00\x76\x00", text.as_bytes()].concat();
        assert_eq!(head[..expected.len()], expected);
        assert!(head[expected.len()..].trim_ascii().is_empty());
        assert!(head.ends_with(b"\n") && head.len() == 128);
    }
}
