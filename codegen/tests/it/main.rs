//! Tests of the generator: what it writes, that it compiles, what it refuses, and that the committed files are current.

mod breaking;
mod compile;
mod current;
mod fixtures;
mod golden;
mod lint;
mod set_by;
mod sources;
