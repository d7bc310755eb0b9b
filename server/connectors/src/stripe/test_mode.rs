//! Stripe's test mode.

use multirail_connector_kit::{TestCard, TestMode};

const CODE: &str = "123";
const HOLDER: &str = "A. Reader";

/// The cards of the page, and the marks of test keys.
pub static TEST_MODE: TestMode = TestMode {
    approved: TestCard {
        number: "4242424242424242",
        code: CODE,
        holder: HOLDER,
    },
    declined: TestCard {
        number: "4000000000000002",
        code: CODE,
        holder: HOLDER,
    },
    asks_payer: TestCard {
        number: "4000002760003184",
        code: CODE,
        holder: HOLDER,
    },
    key_prefixes: &["sk_test_", "rk_test_"],
};
