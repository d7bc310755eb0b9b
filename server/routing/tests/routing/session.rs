//! The account that offers a wallet, if any.

use multirail_domain::accounts::connector_account::Candidate;
use multirail_domain::accounts::profile::Profile;
use multirail_domain::payments::payment::CaptureMethod;
use multirail_domain::payments::payment::{Changes, InstrumentInput, PayerDetails, Payment};
use multirail_domain::payments::session::{Answer, Ask, Checkout, SessionToken, offers};
use multirail_domain::routing::StraightThrough;
use multirail_kernel::address::Place;
use multirail_kernel::country::CountryCode;
use multirail_routing::BuiltIn;
use multirail_sdk::connector::WalletAbilities;
use multirail_sdk::payment_method::PaymentMethod;
use multirail_sdk::wallet::Wallet;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::confirm::at;
use crate::support::{candidate, card, create, purchase};

fn profile(notes: Value) -> Profile {
    serde_json::from_value(json!({
        "merchant_id": "shop",
        "profile_id": "pro_1",
        "profile_name": "default",
        "enable_payment_response_hash": true,
        "redirect_to_merchant_with_http_post": false,
        "session_expiry_seconds": 900,
        "intent_fulfillment_seconds": 900,
        "notes": notes,
        "created_at": 0,
        "modified_at": 0,
    }))
    .expect("a profile")
}

/// Builds an account that lists these wallets, with PayPal settings under its own id.
fn account(id: &str, wallets: &[&str]) -> Candidate {
    let enabled = json!({ "payment_method": "wallet", "payment_method_types": wallets });
    account_with(id, enabled)
}

/// Builds an account with this item of `payment_methods_enabled`.
fn account_with(id: &str, enabled: Value) -> Candidate {
    let metadata = json!({ "paypal_sdk": { "client_id": id }, "google_pay": { "delayed_session_token": true } });
    let mut account = candidate(
        "stripe",
        id,
        json!({ "payment_methods_enabled": [enabled], "notes": { "metadata": metadata } }),
    );
    let able = &mut account.capabilities;
    able.payment_methods = &[PaymentMethod::Card, PaymentMethod::Wallet];
    able.wallets.opens_sealed = &[Wallet::GooglePay];
    account
}

fn payment(routing: Option<Value>) -> Payment {
    let routing = routing.map(|routing| StraightThrough::parse(&routing).expect("routing"));
    let changes = Changes {
        routing,
        ..purchase(CaptureMethod::Automatic)
    };
    create(changes).expect("a payment").payment
}

/// Returns `wallet: account` for each offer.
fn offered(payment: &Payment, candidates: &[Candidate], draw: u32) -> Vec<String> {
    offered_under(&profile(json!({})), payment, candidates, draw)
}

fn offered_under(
    profile: &Profile,
    payment: &Payment,
    candidates: &[Candidate],
    draw: u32,
) -> Vec<String> {
    let checkout = Checkout {
        payment,
        profile,
        candidates,
        active: None,
        routing: &BuiltIn,
        wanted: Wallet::ALL,
        brought: None,
        draw,
    };
    let offers = offers(&checkout);
    let lines = offers.iter().map(|offer| {
        format!(
            "{}: {}",
            offer.wallet,
            offer.account().merchant_connector_id
        )
    });
    lines.collect()
}

#[test]
fn each_wallet_has_the_first_account_that_offers_it() {
    let accounts = [
        account("mca_1", &["paypal"]),
        account("mca_2", &["paypal", "google_pay"]),
    ];
    let plain = payment(None);
    assert_eq!(
        offered(&plain, &accounts, 0),
        ["google_pay: mca_2", "paypal: mca_1"]
    );
    let named = json!({ "type": "priority", "data": [
        { "connector": "stripe", "merchant_connector_id": "mca_2" },
        { "connector": "stripe", "merchant_connector_id": "mca_1" },
    ] });
    assert_eq!(
        offered(&payment(Some(named)), &accounts, 0),
        ["google_pay: mca_2", "paypal: mca_2"]
    );
    let elsewhere = json!({ "type": "single", "data": { "connector": "adyen" } });
    assert_eq!(offered(&payment(Some(elsewhere)), &accounts, 0), [""; 0]);
    // Without an account id, routing chooses by connector.
    let by_name = json!({ "type": "single", "data": { "connector": "stripe" } });
    assert_eq!(
        offered(&payment(Some(by_name)), &accounts, 0),
        ["google_pay: mca_2", "paypal: mca_1"]
    );
}

/// A confirm would skip this account.
#[test]
fn an_account_that_lacks_what_the_payment_asks_for_speaks_for_no_wallet() {
    let mut captures_at_once = account("mca_1", &["paypal", "google_pay"]);
    captures_at_once.capabilities.capture_methods = &[CaptureMethod::Automatic];
    let accounts = [captures_at_once, account("mca_2", &["google_pay"])];
    let later = create(purchase(CaptureMethod::Manual)).expect("a payment");
    assert_eq!(
        offered(&later.payment, &accounts, 0),
        ["google_pay: mca_2", "paypal: mca_1"]
    );
    assert_eq!(
        offered(&payment(None), &accounts, 0),
        ["google_pay: mca_1", "paypal: mca_1"]
    );
}

/// The payment's address completes that of the card, unless the profile keeps them apart.
#[test]
fn a_wallet_is_offered_by_the_address_that_goes_with_the_instrument() {
    let not_there = json!({
        "payment_method": "wallet", "payment_method_types": ["paypal"],
        "accepted_countries": { "type": "disable_only", "list": ["NL"] },
    });
    let accounts = [account_with("mca_1", not_there)];
    let in_leiden = Place {
        city: Some("Leiden".to_owned()),
        ..Place::default()
    };
    let dutch = Place {
        country: Some(CountryCode::known("NL")),
        ..Place::default()
    };
    let apart = json!({ "use_billing_as_payment_method_billing": false });
    for own in [None, at(in_leiden)] {
        let payment = create(Changes {
            instrument: InstrumentInput {
                billing: own,
                ..card()
            },
            payer: PayerDetails {
                billing: at(dutch.clone()),
                ..PayerDetails::default()
            },
            ..purchase(CaptureMethod::Automatic)
        });
        let payment = payment.expect("a payment").payment;
        assert_eq!(offered(&payment, &accounts, 0), [""; 0]);
        let offered = offered_under(&profile(apart.clone()), &payment, &accounts, 0);
        assert_eq!(offered, ["paypal: mca_1"]);
    }
}

#[test]
fn an_answer_of_another_party_makes_no_session() {
    let settings = json!({ "metadata": { "apple_pay": {
        "session_token_data": {
            "certificate": "c", "certificate_keys": "k", "merchant_identifier": "m",
            "display_name": "d", "initiative": "web", "initiative_context": "shop.example",
        },
        "payment_request_data": { "label": "The bookshop" },
    } } });
    let mut klarna = candidate(
        "stripe",
        "mca_1",
        json!({
            "notes": settings,
            "payment_methods_enabled": [
                { "payment_method": "wallet" }, { "payment_method": "pay_later" },
            ],
        }),
    );
    klarna.capabilities.payment_methods = &[PaymentMethod::Wallet];
    klarna.capabilities.wallets = WalletAbilities {
        sessions: Some((|_| None, &[Wallet::Klarna])),
        opens_sealed: &[Wallet::ApplePay],
        ..WalletAbilities::NONE
    };
    let payment = payment(None);
    let profile = profile(json!({ "merchant_business_country": "DE" }));
    let candidates = [klarna];
    let checkout = Checkout {
        payment: &payment,
        profile: &profile,
        candidates: &candidates,
        active: None,
        routing: &BuiltIn,
        wanted: Wallet::ALL,
        brought: None,
        draw: 0,
    };
    let offers = offers(&checkout);
    let [apple, klarna] = offers.as_slice() else {
        panic!("two wallets: {offers:?}");
    };
    let Ask::Apple(validation) = apple.ask() else {
        panic!("Apple is asked");
    };
    assert_eq!(validation.domain, "shop.example");
    assert_eq!(klarna.ask(), Ask::Processor);
    let opened = || Answer::Processor {
        id: "1".to_owned(),
        token: "t".to_owned(),
    };
    assert_eq!(klarna.token(&checkout, Answer::Nothing), None);
    assert_eq!(
        klarna.token(&checkout, opened()),
        Some(SessionToken::Klarna {
            session_token: "t".to_owned(),
            session_id: "1".to_owned(),
        })
    );
    // `Debug` never prints keys.
    assert!(!format!("{apple:?}{validation:?}").contains("certificate_key: \"k\""));
}

proptest! {
    /// No draw makes two offers of one wallet, or an offer by an account that doesn't list the wallet.
    #[test]
    fn a_split_moves_wallets_and_makes_none(draw: u32, first in 1u32..100, second in 1u32..100) {
        let accounts = [account("mca_1", &["paypal", "google_pay"]), account("mca_2", &["paypal"])];
        let split = json!({ "type": "volume_split", "data": [
            { "connector": { "connector": "stripe", "merchant_connector_id": "mca_1" }, "split": first },
            { "connector": { "connector": "stripe", "merchant_connector_id": "mca_2" }, "split": second },
        ] });
        let offered = offered(&payment(Some(split)), &accounts, draw);
        prop_assert_eq!(offered.len(), 2);
        prop_assert_eq!(offered[0].as_str(), "google_pay: mca_1");
        prop_assert!(offered[1].starts_with("paypal: mca_"));
    }
}
