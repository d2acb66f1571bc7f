//! What several test files need.
#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "every test file includes this module and uses a part of it"
)]

pub mod forge;
mod property;

use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use dchess::certificate::{Format, Sealed};
use dchess::endgame::{Endgame, Library, Material};
use dchess::game::Silent;
pub use property::property;

/// A solved class, with the library of all that it rests on.
pub fn solved(name: &str) -> (Endgame, Library) {
    let mut library = Library::new();
    let material: Material = name.parse().unwrap();
    (solve_into(&material, &mut library), library)
}

fn solve_into(material: &Material, library: &mut Library) -> Endgame {
    for child in material.children() {
        if !library.contains(&child) {
            solve_into(&child, library);
        }
    }
    Endgame::solve(material, library, &Silent).unwrap()
}

/// The certificate of a class that rests on no other.
pub fn certificate(name: &str, format: Format) -> Vec<u8> {
    Sealed::endgame(&solved(name).0, &[], format)
        .unwrap()
        .bytes()
        .to_vec()
}

/// The program, ready for arguments.
pub fn dchess() -> Command {
    Command::new(cargo_bin!("dchess"))
}
