//! What several test files need.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "every test file includes this module and uses a part of it"
)]

pub mod forge;

use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Endgame, Material};
use dchess::game::Silent;
use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

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

/// A solved class.
pub fn solved(name: &str) -> Endgame {
    let material: Material = name.parse().unwrap();
    Endgame::solve(material, &Silent).unwrap()
}

/// The certificate of a class.
pub fn certificate(name: &str, format: Format) -> Vec<u8> {
    Sealed::endgame(&solved(name)).unwrap().to_bytes(format)
}

/// The program, ready for arguments.
pub fn dchess() -> Command {
    Command::new(cargo_bin!("dchess"))
}
