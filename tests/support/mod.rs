//! What several test files need.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test file includes this module and uses a part of it"
)]

pub mod figures;
pub mod forge;
pub mod runs;
pub mod suite;
pub mod truth;

use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

pub use truth::certificate;

/// A property-test configuration whose seed is fixed, printed and settable (`DCHESS_TEST_SEED`),
/// and which keeps the cases that failed inside `tests/`.
pub fn property(cases: u32) -> Config {
    let seed = std::env::var("DCHESS_TEST_SEED").map_or(20_260_915, |text| {
        text.parse().expect("DCHESS_TEST_SEED is a number")
    });
    println!("property test seed: {seed}");
    Config {
        cases,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "tests/proptest-regressions.txt",
        ))),
        ..Config::default()
    }
}

/// The program, ready for arguments.
pub fn dchess() -> Command {
    Command::new(cargo_bin!("dchess"))
}
