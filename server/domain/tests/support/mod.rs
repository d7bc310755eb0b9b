//! Builders that tests of payments, refunds and routing share.
// Each test binary uses only some of them.
#![allow(dead_code)]

pub mod orders;
pub mod outcomes;
pub mod routing;
pub mod story;

use multirail_domain::accounts::connector_account::{Candidate, ConnectorAccount};
use multirail_domain::customers::saved_method::TokenMethod;
use multirail_domain::payments::payment::create::{Create, Created};
use multirail_domain::payments::payment::instrument::CardInput;
use multirail_domain::payments::payment::{
    CaptureMethod, Changes, FutureUsage, InstrumentInput, Particulars, Payment, TokenInput,
};
use multirail_kernel::currency::Currency;
use multirail_kernel::ids::{
    CustomerId, MerchantId, PaymentId, PaymentMethodId, PaymentToken, ProfileId,
};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails};
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::connector::{
    Absence, Capabilities, DisputeAbilities, Recoveries, Recovery, Units,
};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payment_method::PaymentMethod;
use serde_json::{Value, json};

/// The amount of the worked examples: 65.40 USD.
pub const AMOUNT: i64 = 6540;

/// The time at which every story begins.
pub fn start() -> Timestamp {
    Timestamp::parse_rfc3339("2026-01-05T10:11:12.345Z").expect("a date-time")
}

/// A card as a caller writes it.
pub fn card_input() -> CardInput {
    CardInput {
        number: SecretText::new("4111111111111111"),
        exp_month: "10".to_owned(),
        exp_year: "2035".to_owned(),
        code: SecretText::new("737"),
        given: GivenCardDetails::default(),
    }
}

/// `payment_method: card` with its data.
pub fn card() -> InstrumentInput {
    InstrumentInput {
        payment_method: Some(PaymentMethod::Card),
        card: Some(card_input()),
        ..InstrumentInput::default()
    }
}

/// The saved card of `cus_1`, valid until this month and year.
pub fn saved(month: &str, year: &str) -> TokenMethod {
    let number = CardNumber::parse("4111111111111111").expect("a number");
    let expiry = Expiry::stored(month, year).expect("an expiry");
    TokenMethod {
        token: PaymentToken::parse("token_1").expect("a token"),
        payment_method_id: PaymentMethodId::parse("pm_1").expect("an id"),
        customer_id: CustomerId::parse("cus_1").expect("an id"),
        data: PaymentMethodData::Card(Card::new(number, None, expiry, GivenCardDetails::default())),
        payment_method_type: None,
        billing: None,
        is_kept: false,
        has_consent: false,
        consent: None,
    }
}

/// A token, and its saved method.
pub fn by_token(found: Option<TokenMethod>) -> InstrumentInput {
    InstrumentInput {
        token: Some(TokenInput {
            text: SecretText::new("token_1"),
            found: found.map(Box::new),
            code_was_given: false,
        }),
        ..InstrumentInput::default()
    }
}

/// The members of a request with only a card.
pub fn with_card() -> Changes {
    Changes {
        instrument: card(),
        ..Changes::default()
    }
}

/// The members of a create: 65.40 USD by card.
pub fn purchase(capture_method: CaptureMethod) -> Changes {
    Changes {
        amount: Some(AMOUNT),
        currency: Some(Currency::USD),
        capture_method: Some(capture_method),
        instrument: card(),
        ..Changes::default()
    }
}

/// A verification of a card that is saved.
pub fn to_verify(capture_method: CaptureMethod) -> Changes {
    Changes {
        amount: Some(0),
        customer_id: CustomerId::parse("cus_1").ok(),
        setup_future_usage: Some(FutureUsage::OnSession),
        ..purchase(capture_method)
    }
}

/// Requests an authorization that can be raised.
pub fn may_be_raised() -> Particulars {
    Particulars {
        request_incremental_authorization: Some(true),
        ..Particulars::default()
    }
}

/// The input of a create, besides the request's members.
pub fn create_input(changes: Changes) -> Create {
    Create {
        merchant_id: MerchantId::parse("shop").expect("an id"),
        payment_id: PaymentId::parse("pay_1").expect("an id"),
        profile_id: ProfileId::parse("pro_1").expect("an id"),
        publishable_key: "pk_snd_1".to_owned(),
        initiator: None,
        owner: None,
        named_merchant_id: None,
        session_expiry_seconds: 900,
        confirm_at_once: false,
        changes,
    }
}

/// Creates `pay_1`.
pub fn create(changes: Changes) -> Result<Created, Refusal> {
    Payment::create(create_input(changes), start())
}

/// A connector with all capabilities.
pub const ABLE: Capabilities = Capabilities {
    payment_methods: &[PaymentMethod::Card],
    capture_methods: CaptureMethod::ALL,
    units: Units::ISO,
    redirects: true,
    authenticates_by_browser: false,
    verifies_cards: true,
    recovery: Recoveries::all(Recovery::LookUp(Absence::Proves)),
    repeats_authorizations: false,
    several_captures_setting: None,
    kept_answers: None,
    completes_authorizations: None,
    looks_over: None,
    asks_with_return: false,
    voids_captured: Some(|_| None),
    charges_kept: true,
    keeps_customers: None,
    deletes_stored: None,
    raises_authorizations: Some(|_| None),
    holds_for_review: true,
    extends_authorizations: true,
    overcaptures: true,
    payer_methods: &[],
    wallets: WalletAbilities::NONE,
    disputes: DisputeAbilities {
        accepts: Some((|_| None, Recovery::LookUp(Absence::Proves))),
        challenges: Some((|_| None, Recovery::LookUp(Absence::Proves))),
        finds: Some(|_| None),
        lists: Some(|_| None),
    },
};

/// An enabled account `id` at `connector`, with these members by wire name.
pub fn candidate(connector: &str, id: &str, members: Value) -> Candidate {
    let mut record = json!({
        "merchant_id": "shop",
        "merchant_connector_id": id,
        "profile_id": "pro_1",
        "connector_type": "payment_processor",
        "connector_name": connector,
        "connector_label": format!("{connector}_default"),
        "status": "active",
        "disabled": false,
        "notes": {},
        "created_at": 0,
        "modified_at": 0,
    });
    let known = record.as_object_mut().expect("an object");
    known.extend(members.as_object().cloned().unwrap_or_default());
    let account: ConnectorAccount = serde_json::from_value(record).expect("an account");
    Candidate {
        account: account.into(),
        capabilities: ABLE,
    }
}
