//! The configuration of property tests.

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// A configuration whose seed is fixed, printed and settable (`DCHESS_TEST_SEED`), and which keeps the
/// cases that failed inside `tests/`.
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
