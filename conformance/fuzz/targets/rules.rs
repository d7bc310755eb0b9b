#![no_main]

#[path = "../../../server/routing/tests/routing/fuzz.rs"]
mod fuzz;
#[path = "../../../server/domain/tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| fuzz::rules(input));
