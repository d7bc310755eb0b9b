#![no_main]

#[path = "../../../server/domain/tests/routing/hostile.rs"]
mod hostile;
#[path = "../../../server/domain/tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| hostile::rules(input));
