//! Tests of the generator: its output, that the output compiles, its refusals, and that the committed files are current.

mod breaking;
mod compile;
mod current;
mod fixtures;
mod golden;
mod lint;
mod peer;
mod release;
mod set_by;
mod sources;
