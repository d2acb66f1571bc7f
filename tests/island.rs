//! The verifier compiled on its own, outside the crate.
//!
//! A path into the crate would not compile here. The copy must also do its work.

#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the island's interface is for the command line; this copy only checks"
)]
#[path = "../src/verify/mod.rs"]
mod verify;

#[test]
fn the_island_stands_alone() {
    for name in ["KQK", "KRK"] {
        let path = format!("{}/certificates/{name}.bin", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        let certificate = verify::read(&mut bytes.as_slice()).unwrap();
        assert_eq!(certificate.claim, format!("endgame {name} board dtm"));
        verify::verify(&certificate).unwrap();

        let mut broken = bytes;
        let middle = broken.len() / 2;
        broken[middle] ^= 1;
        let refusal = verify::read(&mut broken.as_slice()).unwrap_err();
        assert_eq!(refusal.reason, verify::Reason::DigestMismatch);
    }
}
