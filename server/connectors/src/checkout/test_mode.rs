//! Checkout.com's sandbox.

use multirail_connector_kit::{TestCard, TestMode};

const CODE: &str = "100";
const HOLDER: &str = "A. Reader";
const CARD: &str = "4242424242424242";

/// The cards of the page, and the mark of the sandbox's keys.
pub static TEST_MODE: TestMode = TestMode {
    approved: TestCard {
        number: CARD,
        code: CODE,
        holder: HOLDER,
    },
    declined: TestCard {
        number: "4544249167673670",
        code: CODE,
        holder: HOLDER,
    },
    // The payer authenticates where the merchant asks.
    asks_payer: TestCard {
        number: CARD,
        code: CODE,
        holder: HOLDER,
    },
    accounts: &[],
    key_prefixes: &["sk_sbox_"],
};
