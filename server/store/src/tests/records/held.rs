//! Examples of records that are written once and only read afterwards.

use multirail_domain::webhooks::webhook::Exchange;
use multirail_kernel::idempotency::Fingerprint;
use multirail_sdk::card::{Card, CardNumber, Expiry, GivenCardDetails, Network};
use multirail_sdk::connector::RawNotice;
use serde_json::json;

use super::payment::moment;

/// One with the required members only, and one with every member.
pub(super) fn cards() -> Vec<Card> {
    let full = GivenCardDetails {
        holder_name: Some("Joseph Doe".to_owned()),
        network: Some(Network::CartesBancaires),
        issuer: Some("Example Bank".to_owned()),
        issuing_country: Some("US".to_owned()),
        card_type: Some("credit".to_owned()),
        bank_code: Some("EXB".to_owned()),
        nick_name: Some("mine".to_owned()),
    };
    let card = |given| {
        let number = CardNumber::parse("4111111111111111").expect("a number");
        let expiry = Expiry::parse("10", "35", "card", moment(0)).expect("an expiry");
        Card::new(number, None, expiry, given)
    };
    [GivenCardDetails::default(), full].map(card).into()
}

/// One with headers, as a processor sends it.
pub(super) fn notices() -> Vec<RawNotice> {
    vec![RawNotice {
        headers: vec![("simulator-signature".to_owned(), "00ff".to_owned())],
        body: br#"{"id":"ntc_1","key":"mrk_1"}"#.to_vec(),
    }]
}

/// Examples with every kind of value. The hash stands in for the keyed one, which is the seal's business.
pub(super) fn fingerprints() -> Vec<Fingerprint> {
    let body = json!({
        "amount": 6540,
        "confirm": true,
        "email": null,
        "payment_method_data": {"card": {"card_number": "4111111111111111", "card_cvc": "737"}},
        "metadata": {"a.b": [1, {}]},
    });
    let hash = |name: &str, value: &str| format!("hash of {name} {value}");
    vec![Fingerprint::new(
        &[("payment_id", "pay_example")],
        &body,
        hash,
    )]
}

/// An attempt with an answer, and one without.
pub(super) fn exchanges() -> Vec<Exchange> {
    let header = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let answered = Exchange {
        request_headers: header("webhook-id", "evt_example"),
        status_code: Some(200),
        response_headers: Some(header("content-type", "text/plain")),
        response_body: Some("ok".to_owned()),
        error_message: None,
    };
    let unanswered = Exchange {
        request_headers: header("webhook-id", "evt_example"),
        status_code: None,
        response_headers: None,
        response_body: None,
        error_message: Some("no answer within 5 s".to_owned()),
    };
    vec![answered, unanswered]
}
