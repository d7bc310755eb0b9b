//! Methods that the payer finishes at a page.

use multirail_kernel::currency::Currency;
use multirail_sdk::bank_name::BankName;
use multirail_sdk::connector::details::{Address, Payer, Place};
use multirail_sdk::connector::{AuthorizeRequest, Descriptor, Details};
use multirail_sdk::instrument::PaymentMethodData;
use multirail_sdk::payer_method::{PayerData, PayerMethod, PayerSecret};
use multirail_sdk::payment_method::PaymentMethodType;
use serde_json::json;

use super::super::payer_methods::{BANKS, RULES, data};
use super::super::wire::BillingDetails;
use super::super::{map, requests};
use super::notices::{event, read_event};
use super::requests::lines;
use super::{KEY, authorize, key, payment};
use crate::fixture::in_short;

fn by(method: PayerMethod, currency: Currency, details: Details) -> AuthorizeRequest {
    AuthorizeRequest {
        data: PaymentMethodData::Payer(Box::new(method.into())),
        ..authorize(6540, currency, details)
    }
}

fn of_bank(kind: PaymentMethodType, bank: BankName) -> PayerMethod {
    PayerMethod {
        bank_name: Some(bank),
        ..PayerMethod::new(kind)
    }
}

#[test]
fn a_redirect_needs_little_more_than_its_method() {
    let method = of_bank(PaymentMethodType::Ideal, BankName::Ing);
    let request = by(method, Currency::EUR, Details::default());
    let payment = requests::payment(&request, true).expect("writable");
    insta::assert_snapshot!(lines(&payment), @"
    amount=6540
    currency=eur
    confirm=true
    capture_method=automatic
    payment_method_types[0]=ideal
    payment_method_data[type]=ideal
    payment_method_data[ideal][bank]=ing
    return_url=https://pay.example/back?a=1&b=2
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
}

fn address(line1: &str) -> Address {
    Address {
        address: Some(Place {
            first_name: Some("Ada".to_owned()),
            last_name: Some("Okafor".to_owned()),
            line1: Some(line1.to_owned()),
            city: Some("London".to_owned()),
            zip: Some("SW1A 1AA".to_owned()),
            country: "GB".parse().ok(),
            ..Place::default()
        }),
        email: Some("ada@example.com".to_owned()),
        ..Address::default()
    }
}

/// Members of cards are left out, and so is an address that Afterpay would refuse.
#[test]
fn a_pay_later_account_learns_who_pays_and_where_the_goods_go() {
    let written = |shipping: Address| {
        let details = Details {
            descriptor: Descriptor {
                text: Some("TEAPOTS LTD".to_owned()),
                suffix: Some("4711".to_owned()),
                ..Descriptor::default()
            },
            payer: Payer {
                billing: Some(address("1 Billing Road")),
                shipping: Some(shipping),
                ..Payer::default()
            },
            may_be_raised: true,
            may_be_exceeded: true,
            ..Details::default()
        };
        let method = PayerMethod::new(PaymentMethodType::AfterpayClearpay);
        let mut request = by(method, Currency::GBP, details);
        request.capture = false;
        lines(&requests::payment(&request, true).expect("writable"))
    };
    let whole = written(address("2 Shipping Street"));
    insta::assert_snapshot!(whole, @"
    amount=6540
    currency=gbp
    confirm=true
    capture_method=manual
    payment_method_types[0]=afterpay_clearpay
    payment_method_data[type]=afterpay_clearpay
    payment_method_data[billing_details][name]=Ada Okafor
    payment_method_data[billing_details][email]=ada@example.com
    payment_method_data[billing_details][address][line1]=1 Billing Road
    payment_method_data[billing_details][address][city]=London
    payment_method_data[billing_details][address][postal_code]=SW1A 1AA
    payment_method_data[billing_details][address][country]=GB
    return_url=https://pay.example/back?a=1&b=2
    statement_descriptor=TEAPOTS LTD
    shipping[name]=Ada Okafor
    shipping[address][line1]=2 Shipping Street
    shipping[address][city]=London
    shipping[address][postal_code]=SW1A 1AA
    shipping[address][country]=GB
    metadata[multirail_key]=mrk_1
    expand[0]=latest_charge
    ");
    let mut incomplete = address("2 Shipping Street");
    incomplete.address.as_mut().expect("a place").zip = None;
    let others = whole.lines().filter(|line| !line.starts_with("shipping["));
    assert_eq!(written(incomplete), others.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_method_has_a_word_at_stripe() {
    let words = RULES.iter().map(|rules| {
        let payer = PayerData::from(PayerMethod::new(rules.kind));
        let data = data(&payer, BillingDetails::default()).expect("writable");
        format!("{} {}", rules.kind, data.kind)
    });
    insta::assert_snapshot!(words.collect::<Vec<_>>().join("\n"), @"
    affirm affirm
    afterpay_clearpay afterpay_clearpay
    ali_pay alipay
    bancontact_card bancontact
    eps eps
    ideal ideal
    klarna klarna
    mobile_pay mobilepay
    przelewy24 p24
    paypal paypal
    twint twint
    ");
}

#[test]
fn other_methods_and_a_payers_card_are_never_sent() {
    let PaymentMethodData::Card(card) = authorize(6540, Currency::EUR, Details::default()).data
    else {
        panic!("a card")
    };
    let with_card = PayerData {
        secret: Some(PayerSecret::Card(Box::new(card))),
        ..PayerMethod::new(PaymentMethodType::BancontactCard).into()
    };
    let trustly = PayerMethod::new(PaymentMethodType::Trustly).into();
    for payer in [with_card, trustly] {
        let refused = data(&payer, BillingDetails::default()).err();
        assert!(refused.is_some(), "{payer:?}");
    }
    let method = PayerMethod::new(PaymentMethodType::Ideal);
    let check = by(method, Currency::EUR, Details::default());
    assert!(requests::check(&check).is_err(), "only cards are checked");
}

#[test]
fn banks_have_stripes_words_or_none() {
    for (word, known) in BANKS {
        let rules = RULES.iter();
        let sent = |kind, bank| {
            let payer = PayerData::from(of_bank(kind, bank));
            let data = data(&payer, BillingDetails::default()).ok()?;
            assert!(data.choices.len() <= 1);
            data.choices.get(word).map(|choice| choice.bank)
        };
        let mut banks: Vec<&str> = rules
            .flat_map(|rules| BankName::ALL.iter().map(move |bank| (rules.kind, *bank)))
            .filter_map(|(kind, bank)| sent(kind, bank))
            .collect();
        banks.sort_unstable();
        banks.dedup();
        assert_eq!(banks, known, "{word}");
    }
}

#[test]
fn a_payer_is_redirected_and_pays_or_does_not() {
    let url = "https://pm-redirects.stripe.com/authorize/1";
    let failed = |code: &str| {
        let error = json!({"type": "invalid_request_error", "code": code, "message": "No"});
        json!({"status": "requires_payment_method", "last_payment_error": error})
    };
    let rows = [
        json!({"status": "requires_action",
            "next_action": {"type": "redirect_to_url", "redirect_to_url": {"url": url}}}),
        json!({"status": "requires_action",
            "next_action": {"type": "alipay_handle_redirect", "alipay_handle_redirect": {"url": url}}}),
        json!({"status": "processing"}),
        json!({"currency": "eur", "latest_charge": {"payment_method_details": {"type": "ideal"}}}),
        failed("payment_intent_authentication_failure"),
        failed("payment_intent_payment_attempt_expired"),
        failed("payment_intent_payment_attempt_failed"),
        failed("payment_method_customer_decline"),
        failed("payment_method_provider_decline"),
        failed("payment_method_provider_timeout"),
    ];
    let rows = rows.map(|changes| {
        let intent = serde_json::from_value(payment(changes.clone())).expect("a payment");
        let outcome = map::payment(&key(KEY), intent).expect("an outcome");
        in_short(&outcome)
    });
    insta::assert_snapshot!(rows.join("\n"), @"
    customer must act pi_1 https://pm-redirects.stripe.com/authorize/1
    customer must act pi_1 https://pm-redirects.stripe.com/authorize/1
    pending pi_1
    done pi_1 6540 EUR -
    declined payment_intent_authentication_failure | No | - | authentication_failed | in authentication
    declined payment_intent_payment_attempt_expired | No | - | payment_session_timeout
    declined payment_intent_payment_attempt_failed | No | - | payment_method_issue
    declined payment_method_customer_decline | No | - | payment_cancelled_by_user
    declined payment_method_provider_decline | No | - | do_not_honor
    declined payment_method_provider_timeout | No | - | issuer_unavailable
    ");
}

#[test]
fn events_tell_the_end_of_a_redirect() {
    let error = json!({"type": "invalid_request_error", "code": "payment_intent_payment_attempt_expired", "message": "No"});
    let rows = [
        ("payment_intent.processing", json!({"status": "processing"})),
        ("payment_intent.succeeded", json!({"currency": "eur"})),
        (
            "payment_intent.payment_failed",
            json!({"status": "requires_payment_method", "last_payment_error": error}),
        ),
    ];
    let rows = rows.map(|(kind, changes)| read_event(&event(kind, payment(changes))));
    insta::assert_snapshot!(rows.join("\n"), @"
    evt_1 payment_intent.processing: authorize mrk_1 pi_1 pi_1: ask
    evt_1 payment_intent.succeeded: authorize mrk_1 pi_1 pi_1: done pi_1 6540 EUR -
    evt_1 payment_intent.payment_failed: authorize mrk_1 pi_1 pi_1: declined payment_intent_payment_attempt_expired | No | - | payment_session_timeout
    ");
}
