//! The verifier compiled on its own, outside the crate.
//!
//! A path into the crate would not compile here. The copy must also do its work. (No test harness:
//! the tests inside the island run with the library, once is enough.)

#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the island's interface is for the command line; this copy only checks"
)]
#[path = "../src/verify/mod.rs"]
mod verify;

fn main() {
    for (name, claim) in [
        ("KQK", "endgame KQK board dtm"),
        ("KRK", "endgame KRK board dtm"),
        ("c6-20260915", "orderings of 8 positions from seed 20260915"),
    ] {
        let path = format!("{}/certificates/{name}.bin", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("the certificate is in the repository");
        let certificate = verify::read(&mut bytes.as_slice()).expect("it is well formed");
        assert_eq!(certificate.claim, claim);
        verify::verify(&certificate).expect("it is true");

        let mut broken = bytes;
        let middle = broken.len() / 2;
        broken[middle] ^= 1;
        let refusal = verify::read(&mut broken.as_slice()).expect_err("a bit was changed");
        assert_eq!(refusal.reason, verify::Reason::DigestMismatch);
        println!("the island verifies {name} on its own");
    }
}
