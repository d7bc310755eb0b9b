#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| { multirail_connectors::fuzz::notices("checkout", input); });
