//! Adyen's test mode.

use multirail_connector_kit::{TestAccount, TestCard, TestMode};
use multirail_sdk::bank_account::BankScheme;

const CODE: &str = "737";
const HOLDER: &str = "A. Reader";
const CARD: &str = "4111111145551142";

/// The cards of the page. Live keys have the same form, and aren't known at the test address.
pub static TEST_MODE: TestMode = TestMode {
    approved: TestCard {
        number: CARD,
        code: CODE,
        holder: HOLDER,
    },
    // The name makes the refusal.
    declined: TestCard {
        number: CARD,
        code: CODE,
        holder: "NOT_ENOUGH_BALANCE",
    },
    asks_payer: TestCard {
        number: "5454545454545454",
        code: CODE,
        holder: HOLDER,
    },
    accounts: &[
        TestAccount {
            scheme: BankScheme::Ach,
            number: "123456789",
            bank_code: Some("121000358"),
        },
        TestAccount {
            scheme: BankScheme::Bacs,
            number: "40308669",
            bank_code: Some("121000"),
        },
        TestAccount {
            scheme: BankScheme::Sepa,
            number: "NL13TEST0123456789",
            bank_code: None,
        },
    ],
    key_prefixes: &[],
};
