//! The connector's description: account, loggable members and capabilities.

use multirail_kernel::currency::Currency;
use multirail_sdk::charge::CaptureMethod;
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::connector::{
    AccountSetting, Capabilities, ConnectorType, CredentialsKind, Description, DisputeAbilities,
    KeptAnswers, Needed, Recoveries, Recovery, Units, provided_by,
};
use multirail_sdk::payment_method::PaymentMethod;
use multirail_sdk::wallet::Wallet;

use super::Adyen;
use super::payer_methods::RULES;
use crate::account::{BASE_URL, is_host_label};

/// The implemented version of the API.
pub(super) const VERSION: &str = "v72";

/// The time for which Adyen stores the answer to a key: a week at least.
const KEYS_ARE_KEPT_SECONDS: i64 = 7 * 86_400;

/// The company's prefix of the host name for live payments.
pub(super) const ENDPOINT_PREFIX: AccountSetting = AccountSetting {
    name: "endpoint_prefix",
    needed: Needed::OutsideTestMode,
    form: "the prefix of your live endpoint, a text of 1 to 64 letters, digits and hyphens",
    fits: is_host_label,
};

/// Safe members of requests, answers and notices.
pub(super) const SHOWN: &[&str] = &[
    "value",
    "currency",
    "reference",
    "merchantReference",
    "pspReference",
    "paymentPspReference",
    "disputePspReference",
    "errorMessage",
    "resultCode",
    "refusalReasonCode",
    "status",
    "errorCode",
    "errorType",
    "manualCapture",
    "captureDelayHours",
    "shopperInteraction",
    "eventCode",
    "eventDate",
    "success",
    "originalReference",
    "merchantAccountCode",
];

/// Adyen uses ISO 4217 except for these currencies,
/// <https://docs.adyen.com/development-resources/currency-codes>. ISK has two decimals at Adyen, as
/// with us. Adyen publishes no smallest charge.
pub(super) const UNITS: Units = Units {
    decimals: &[(Currency::CLP, 2), (Currency::CVE, 0), (Currency::IDR, 0)],
    ..Units::ISO
};

/// The connector's description.
pub(super) static DESCRIPTION: Description = Description {
    name: "adyen",
    is_simulator: false,
    offers: &[ConnectorType::PaymentProcessor],
    credentials: CredentialsKind::BodyKey,
    credential_names: &["API key", "Merchant account"],
    webhook_secrets: &[
        "HMAC key of the standard webhook, in hexadecimal digits",
        "The other HMAC key, while it is changed",
    ],
    settings: &[ENDPOINT_PREFIX, BASE_URL],
    shown: SHOWN,
    api_version: Some(VERSION),
    notice_answer: super::notices::ACCEPTED,
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
        capture_methods: &[
            CaptureMethod::Automatic,
            CaptureMethod::Manual,
            CaptureMethod::Scheduled,
            CaptureMethod::SequentialAutomatic,
        ],
        units: UNITS,
        redirects: true,
        authenticates_by_browser: true,
        verifies_cards: true,
        recovery: Recoveries {
            // Look-ups are impossible, and the card for a repetition is no longer stored.
            authorize: Recovery::GiveUp { after_seconds: 120 },
            increment: REPEAT,
            capture: REPEAT,
            void: REPEAT,
            refund: REPEAT,
        },
        repeats_authorizations: true,
        several_captures_setting: None,
        kept_answers: Some(KeptAnswers {
            seconds: KEYS_ARE_KEPT_SECONDS,
            failures_too: true,
        }),
        completes_authorizations: None,
        looks_over: None,
        asks_with_return: true,
        voids_captured: None,
        charges_kept: true,
        keeps_customers: None,
        deletes_stored: Some(provided_by::<Adyen, _>),
        disputes: DisputeAbilities {
            // After an acceptance Adyen's notice says that the time for a defense is over.
            accepts: Some((provided_by::<Adyen, _>, Recovery::Notice)),
            challenges: Some((provided_by::<Adyen, _>, Recovery::Notice)),
            finds: None,
            lists: None,
        },
        raises_authorizations: Some(provided_by::<Adyen, _>),
        holds_for_review: false,
        extends_authorizations: false,
        overcaptures: false,
        payer_methods: &RULES,
        wallets: WalletAbilities {
            opens_sealed: &[Wallet::ApplePay, Wallet::GooglePay],
            ..WalletAbilities::NONE
        },
    },
};

const REPEAT: Recovery = Recovery::Repeat {
    within_seconds: KEYS_ARE_KEPT_SECONDS,
};
