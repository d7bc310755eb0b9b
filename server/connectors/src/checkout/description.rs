//! The connector's description: account, loggable members and capabilities.

use multirail_kernel::currency::Currency;
use multirail_sdk::charge::CaptureMethod;
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::connector::{
    Absence, AccountSetting, Capabilities, ConnectorType, CredentialsKind, Description,
    DisputeAbilities, KeptAnswers, Needed, Recoveries, Recovery, Units, provided_by,
};
use multirail_sdk::payment_method::PaymentMethod;

use super::Checkout;
use crate::account::{BASE_URL, is_host_label, is_id};

/// The account's prefix of the API's host name.
pub(super) const ENDPOINT_PREFIX: AccountSetting = AccountSetting {
    name: "endpoint_prefix",
    needed: Needed::Always,
    form: "the prefix of your base URL, a text of 1 to 64 letters, digits and hyphens",
    fits: is_host_label,
};

/// The processing channel, which stands for one of the merchant's businesses.
pub(super) const PROCESSING_CHANNEL: AccountSetting = AccountSetting {
    name: "processing_channel_id",
    needed: Needed::Never,
    form: "the id of a processing channel, such as pc_dkgoofpvuwuerekvd4ssr6jwom",
    fits: |value| is_id("pc_", value),
};

/// Payments are found by our reference, and changes in the payment's list of actions. Both show
/// only what was processed; accepted requests may be missing for a while.
const LOOK_UP: Recovery = Recovery::LookUp(Absence::ProvesAfter { seconds: 600 });

/// An unchanged dispute proves nothing earlier.
const DISPUTE_LOOK_UP: Recovery = Recovery::LookUp(Absence::ProvesAfter { seconds: 3_600 });

/// 2xx answers to a key are stored for a day. After any other answer the request is executed again.
const KEPT_ANSWERS: KeptAnswers = KeptAnswers {
    seconds: 23 * 3_600,
    failures_too: false,
};

/// Safe members of requests, answers and notices.
pub(super) const SHOWN: &[&str] = &[
    "action_id",
    "amount",
    "approved",
    "capture_type",
    "created_on",
    "category",
    "currency",
    "error_codes",
    "error_type",
    "id",
    "multirail_capture",
    "multirail_key",
    "multirail_refund",
    "multirail_void",
    "payment_type",
    "processed_on",
    "payment_id",
    "processing_channel_id",
    "reason_code",
    "reference",
    "request_id",
    "response_code",
    "response_summary",
    "status",
    "total_count",
    "type",
];

/// Checkout.com lists the currencies without decimals and those with three, of which the last must
/// be 0. All others have two decimals, and amounts have nine digits at most:
/// <https://www.checkout.com/docs/payments/accept-payments/format-the-amount-value>. Checkout.com
/// publishes no smallest charge.
pub(super) const UNITS: Units = Units {
    decimals: &[
        (Currency::CLF, 2),
        (Currency::CLP, 2),
        (Currency::IRR, 2),
        (Currency::ISK, 0),
        (Currency::MGA, 2),
    ],
    steps: &[
        (Currency::BHD, 10),
        (Currency::IQD, 10),
        (Currency::JOD, 10),
        (Currency::KWD, 10),
        (Currency::LYD, 10),
        (Currency::OMR, 10),
        (Currency::TND, 10),
    ],
    most_digits: Some(9),
    ..Units::ISO
};

/// The connector's description.
pub(super) static DESCRIPTION: Description = Description {
    name: "checkout",
    is_simulator: false,
    offers: &[ConnectorType::PaymentProcessor],
    credentials: CredentialsKind::HeaderKey,
    credential_names: &["Secret key (sk_...)"],
    webhook_secrets: &[
        "Signature key of the workflow that sends events",
        "The other signature key, while it is changed",
    ],
    settings: &[ENDPOINT_PREFIX, PROCESSING_CHANNEL, BASE_URL],
    shown: SHOWN,
    api_version: None,
    notice_answer: "",
    category_of: super::errors::category_of,
    capabilities: Capabilities {
        payment_methods: &[
            PaymentMethod::Card,
            PaymentMethod::Wallet,
            PaymentMethod::NetworkToken,
        ],
        capture_methods: CaptureMethod::ALL,
        units: UNITS,
        redirects: true,
        verifies_cards: true,
        recovery: Recoveries::all(LOOK_UP),
        repeats_authorizations: true,
        kept_answers: Some(KEPT_ANSWERS),
        looks_over: Some(provided_by::<Checkout, _>),
        disputes: DisputeAbilities {
            accepts: Some((provided_by::<Checkout, _>, DISPUTE_LOOK_UP)),
            challenges: Some((provided_by::<Checkout, _>, DISPUTE_LOOK_UP)),
            finds: Some(provided_by::<Checkout, _>),
            ..DisputeAbilities::NONE
        },
        wallets: WalletAbilities {
            network_tokens: true,
            ..WalletAbilities::NONE
        },
        ..Capabilities::NONE
    },
};
