//! The connector's description: account, loggable members and capabilities.

use multirail_kernel::currency::Currency;
use multirail_sdk::charge::CaptureMethod;
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::connector::{
    Absence, AccountSetting, Capabilities, ConnectorType, CredentialsKind, Description,
    DisputeAbilities, KeptAnswers, Needed, Recoveries, Recovery, Units, provided_by,
};
use multirail_sdk::payment_method::PaymentMethod;
use multirail_sdk::wallet::Wallet;
use serde_json::Value;

use super::Stripe;
use super::payer_methods::RULES;
use crate::account::{BASE_URL, is_id};

/// Safe members of requests, answers and notices.
pub(super) const SHOWN: &[&str] = &[
    "amount",
    "amount_capturable",
    "amount_captured",
    "amount_received",
    "amount_refunded",
    "amount_to_capture",
    "api_version",
    "capture_method",
    "charge",
    "code",
    "confirm",
    "created",
    "currency",
    "decline_code",
    "failure_code",
    "final_capture",
    "has_more",
    "id",
    "message",
    "multirail_key",
    "multirail_void",
    "object",
    "off_session",
    "param",
    "payment_intent",
    "reason",
    "refund",
    "request_three_d_secure",
    "status",
    "type",
];

/// The connected account for which a platform acts.
pub(super) const STRIPE_ACCOUNT: AccountSetting = AccountSetting {
    name: "stripe_account",
    needed: Needed::Never,
    form: "the id of a connected account, such as acct_1032D82eZvKYlo2C",
    fits: |value| is_id("acct_", value),
};

/// Allows several captures of one payment. Without it Stripe is never asked for them: most accounts
/// may not use them.
pub(super) const MULTICAPTURE: AccountSetting = AccountSetting {
    name: "multicapture",
    needed: Needed::Never,
    form: "true or false",
    fits: Value::is_boolean,
};

/// Stripe counts in minor units. ISK and UGX have two decimals, which must be zeros. The third of
/// three decimals must be zero. The smallest charges are those that Stripe publishes by currency,
/// <https://docs.stripe.com/currencies>. For accounts that settle in another currency, Stripe
/// checks again.
pub(super) const UNITS: Units = Units {
    decimals: &[(Currency::UGX, 2)],
    steps: &[
        (Currency::BHD, 10),
        (Currency::ISK, 100),
        (Currency::JOD, 10),
        (Currency::KWD, 10),
        (Currency::OMR, 10),
        (Currency::TND, 10),
    ],
    minimums: &[
        (Currency::AED, 200),
        (Currency::AUD, 50),
        (Currency::BGN, 100),
        (Currency::BRL, 50),
        (Currency::CAD, 50),
        (Currency::CHF, 50),
        (Currency::CZK, 1_500),
        (Currency::DKK, 250),
        (Currency::EUR, 50),
        (Currency::GBP, 30),
        (Currency::HKD, 400),
        (Currency::HUF, 17_500),
        (Currency::INR, 50),
        (Currency::JPY, 50),
        (Currency::MXN, 1_000),
        (Currency::MYR, 200),
        (Currency::NOK, 300),
        (Currency::NZD, 50),
        (Currency::PLN, 200),
        (Currency::RON, 200),
        (Currency::SEK, 300),
        (Currency::SGD, 50),
        (Currency::THB, 1_000),
        (Currency::USD, 50),
    ],
    most_digits: Some(8),
    // Stripe accepts longer amounts in these currencies, up to a limit of its own.
    digits: &[
        (Currency::COP, 12),
        (Currency::HUF, 12),
        (Currency::IDR, 12),
        (Currency::INR, 12),
        (Currency::JPY, 12),
        (Currency::LBP, 12),
    ],
};

/// Stripe's search may be an hour behind. Look-ups by id and lists are current, so only requests
/// that may still be in progress need a wait.
pub(super) const RECOVERY: Recoveries =
    Recoveries::all(Recovery::LookUp(Absence::ProvesAfter { seconds: 300 }));

/// Stripe stores the answer to a key for a day, including its own failures.
const KEYS_ARE_KEPT_SECONDS: i64 = 23 * 3_600;

/// Stripe stores the answer to a key for a day. A repetition shows the outcome at once, whereas an
/// unchanged dispute proves nothing until that day is over.
pub(super) const REPEAT_WITHIN_A_DAY: Recovery = Recovery::Repeat {
    within_seconds: KEYS_ARE_KEPT_SECONDS,
};

pub(super) static DESCRIPTION: Description = Description {
    name: "stripe",
    is_simulator: false,
    offers: &[ConnectorType::PaymentProcessor],
    credentials: CredentialsKind::HeaderKey,
    credential_names: &["Secret key (sk_...) or restricted key (rk_...)"],
    webhook_secrets: &[
        "Signing secret of the webhook endpoint (whsec_...)",
        "The other signing secret, while it is rolled",
    ],
    settings: &[BASE_URL, STRIPE_ACCOUNT, MULTICAPTURE],
    shown: SHOWN,
    api_version: Some(super::VERSION),
    notice_answer: "",
    category_of: super::errors::category_of,
    capabilities: Capabilities {
        payment_methods: &[
            PaymentMethod::Card,
            PaymentMethod::Wallet,
            PaymentMethod::BankRedirect,
            PaymentMethod::PayLater,
            PaymentMethod::BankTransfer,
            PaymentMethod::BankDebit,
            PaymentMethod::Upi,
            PaymentMethod::Voucher,
        ],
        capture_methods: CaptureMethod::ALL,
        units: UNITS,
        redirects: true,
        authenticates_by_browser: false,
        verifies_cards: true,
        recovery: RECOVERY,
        repeats_authorizations: true,
        several_captures_setting: Some(MULTICAPTURE.name),
        kept_answers: Some(KeptAnswers {
            seconds: KEYS_ARE_KEPT_SECONDS,
            failures_too: true,
        }),
        completes_authorizations: None,
        looks_over: Some(provided_by::<Stripe, _>),
        asks_with_return: false,
        voids_captured: None,
        charges_kept: true,
        keeps_customers: Some(provided_by::<Stripe, _>),
        deletes_stored: Some(provided_by::<Stripe, _>),
        raises_authorizations: Some(provided_by::<Stripe, _>),
        holds_for_review: false,
        extends_authorizations: true,
        overcaptures: true,
        payer_methods: &RULES,
        wallets: WalletAbilities {
            // Decrypted by Stripe's own gateway. No other sealed token is accepted.
            opens_sealed: &[Wallet::GooglePay],
            ..WalletAbilities::NONE
        },
        disputes: DisputeAbilities {
            accepts: Some((provided_by::<Stripe, _>, REPEAT_WITHIN_A_DAY)),
            challenges: Some((provided_by::<Stripe, _>, RECOVERY.capture)),
            finds: Some(provided_by::<Stripe, _>),
            lists: Some(provided_by::<Stripe, _>),
        },
    },
};
