#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

/// The connector's name.
static CONNECTOR: LazyLock<String> = LazyLock::new(|| {
    std::env::var("MULTIRAIL_FUZZ_CONNECTOR").expect("MULTIRAIL_FUZZ_CONNECTOR names a connector")
});

fuzz_target!(|input: &[u8]| multirail_connectors::fuzz::answers(&CONNECTOR, input));
