//! Forced mate: proved, refuted, or undecided within a budget.

mod diagram;
mod mating;
mod moves;
mod step;
#[cfg(test)]
mod twin;
