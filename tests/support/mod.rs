//! What several test files need.
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "every test file includes this module and uses a part of it"
)]

pub mod abstraction;
pub mod bisimulation;
pub mod bounds;
pub mod figures;
pub mod forge;
pub mod local_proof;
pub mod mate;
pub mod payload;
mod property;
pub mod runs;
pub mod suite;
pub mod truth;

use std::process::Command;

use assert_cmd::cargo::cargo_bin;
pub use property::property;
pub use truth::{certificate, solved};

/// The program, ready for arguments.
pub fn dchess() -> Command {
    Command::new(cargo_bin!("dchess"))
}
