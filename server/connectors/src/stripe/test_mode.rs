//! Stripe's test mode.

use multirail_connector_kit::{TestAccount, TestCard, TestMode};
use multirail_sdk::bank_account::BankScheme;

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
    accounts: &[
        TestAccount {
            scheme: BankScheme::Ach,
            number: "000123456789",
            bank_code: Some("110000000"),
        },
        TestAccount {
            scheme: BankScheme::Bacs,
            number: "00012345",
            bank_code: Some("108800"),
        },
        TestAccount {
            scheme: BankScheme::Becs,
            number: "000123456",
            bank_code: Some("000000"),
        },
        TestAccount {
            scheme: BankScheme::Sepa,
            number: "DE89370400440532013000",
            bank_code: None,
        },
    ],
    key_prefixes: &["sk_test_", "rk_test_"],
};
