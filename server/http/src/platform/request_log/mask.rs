//! Bodies as the log may show them. Words, numbers, times and identifiers of the document stay; everything else is hidden,
//! so the log needs no list of what is secret or personal.

use multirail_api::{is_coded, is_free, is_member};
use multirail_app::platform::ports::request_log::LoggedBody;
use multirail_kernel::card_number::{TextKind, holds_card_number};
use multirail_kernel::masking::{HIDDEN, masked_by, may_hold_a_card};
use serde_json::{Map, Value};

use super::sentence;

/// The longest body that is masked. A longer one isn't stored.
pub(super) const BODY_AT_MOST: usize = 65_536;
/// The most bytes of a masked body.
const TEXT_AT_MOST: usize = 16_384;
/// The longest word of an enumeration, identifier or time.
const WORD_AT_MOST: usize = 64;

/// Members with words and identifiers that this service makes, or that a merchant chooses for an object. The document
/// has some of them as texts.
const WORDS: [&str; 23] = [
    "amount",
    "attempt_id",
    "connector",
    "customer_id",
    "dispute_id",
    "event_id",
    "invoice_id",
    "item_price_id",
    "key_id",
    "kind",
    "mandate_id",
    "merchant_connector_id",
    "merchant_id",
    "payment_id",
    "payment_method_id",
    "product_id",
    "profile_id",
    "refund_id",
    "routing_id",
    "status",
    "subscription_id",
    "type",
    "webhook_endpoint_id",
];

/// Members of answers with codes of this service or a processor. In a request such a member could hold a card code.
const CODES: [&str; 5] = [
    "code",
    "connector_transaction_id",
    "error_code",
    "error_type",
    "unified_code",
];

/// Members of answers with sentences of this service or a processor. Texts of a caller in them are quoted, and hidden.
const SENTENCES: [&str; 3] = ["error_message", "message", "unified_message"];

/// The two sides of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Request,
    Answer,
}

/// Parses a body; `None` if it is empty, too long or no JSON.
pub(super) fn parsed(bytes: &[u8]) -> Option<Value> {
    let may_be_read = !bytes.is_empty() && bytes.len() <= BODY_AT_MOST;
    may_be_read
        .then(|| serde_json::from_slice(bytes).ok())
        .flatten()
}

/// Masks a body and cuts it.
pub(super) fn body(side: Side, body: Option<Value>) -> LoggedBody {
    let Some(body) = body else {
        return LoggedBody::default();
    };
    let mut text = masked(side, body).to_string();
    let is_cut = text.len() > TEXT_AT_MOST;
    if is_cut {
        text.truncate(text.floor_char_boundary(TEXT_AT_MOST));
    }
    LoggedBody {
        text: Some(text),
        is_cut,
    }
}

fn masked(side: Side, body: Value) -> Value {
    masked_by(of_document(body), |name, text| {
        // Most values are hidden by their name, which costs least to find out. Digits of a card may have other signs
        // between them than those that `masked_by` knows.
        is_shown(side, name, text)
            && !may_hold_a_card(&text.replace(['.', '_'], "-"))
            && !holds_card(text)
    })
}

fn is_shown(side: Side, name: &str, text: &str) -> bool {
    match side {
        Side::Answer if SENTENCES.contains(&name) => !text.contains('@'),
        Side::Answer if CODES.contains(&name) => is_word(text),
        Side::Answer | Side::Request => (WORDS.contains(&name) || is_coded(name)) && is_word(text),
    }
}

/// Hides free objects, and members that the document doesn't have: callers choose their names.
fn of_document(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut known = Map::new();
            for (name, member) in members {
                match is_member(&name) {
                    true if is_free(&name) && !member.is_null() => {
                        known.insert(name, HIDDEN.into());
                    }
                    true => {
                        let member = of_member(&name, member);
                        known.insert(name, member);
                    }
                    false => {
                        known.insert(HIDDEN.to_owned(), HIDDEN.into());
                    }
                }
            }
            Value::Object(known)
        }
        Value::Array(items) => items.into_iter().map(of_document).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

fn of_member(name: &str, value: Value) -> Value {
    match value {
        Value::String(text) if SENTENCES.contains(&name) => sentence::shown(&text).into(),
        value => of_document(value),
    }
}

/// Returns whether a text has a card number, with any sign of an identifier between the groups of its digits.
pub(super) fn holds_card(text: &str) -> bool {
    holds_card_number(&text.replace(['_', '.', ':', '+'], "-"), TextKind::Other)
}

/// Returns whether a text is one word, such as an identifier, a code or a time.
pub(super) fn is_word(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:+".contains(&byte);
    !text.is_empty() && text.len() <= WORD_AT_MOST && text.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(side: Side, value: Value) -> String {
        body(side, Some(value)).text.unwrap_or_default()
    }

    #[test]
    fn words_and_numbers_stay_and_people_and_cards_do_not() {
        let paid = json!({
            "payment_id": "pay_1", "amount": 6540, "currency": "USD", "confirm": true, "email": "ada@shopper.example",
            "payment_method_data": { "card": {
                "card_number": "4111111111111111", "card_cvc": "737", "card_exp_year": "35", "card_holder_name": "Ada",
            } },
            "billing": { "address": { "line1": "1 Main Street", "country": "US" } },
            "metadata": { "note": "for Ada" }, "capture_metod": "manual", "client_secret": "pay_1_secret_x",
        });
        insta::assert_snapshot!(
            text(Side::Request, paid),
            @r#"{"payment_id":"pay_1","amount":6540,"currency":"USD","confirm":true,"email":"***","payment_method_data":{"card":{"card_number":"***","card_cvc":"***","card_exp_year":"***","card_holder_name":"***"}},"billing":{"address":{"line1":"***","country":"US"}},"metadata":"***","***":"***","client_secret":"***"}"#
        );
    }

    #[test]
    fn values_in_wrong_places_are_hidden() {
        let wrong = json!({
            "payment_id": "4111111111111111", "currency": "Ada Okafor", "amount": 4_111_111_111_111_111_u64,
            "customer_id": "ada@shopper.example", "message": "4111 1111 1111 1111", "code": "737",
        });
        insta::assert_snapshot!(
            text(Side::Request, wrong),
            @r#"{"payment_id":"***","currency":"***","amount":"***","customer_id":"***","message":"***","code":"***"}"#
        );
    }

    #[test]
    fn card_numbers_with_other_signs_are_hidden() {
        for number in [
            "4111.1111.1111.1111",
            "4111_1111_1111_1111",
            "4111:1111:1111:1111",
            "4111+1111+1111+1111",
        ] {
            let answer = json!({ "payment_id": number, "message": format!("no {number}") });
            assert_eq!(
                text(Side::Answer, answer),
                r#"{"payment_id":"***","message":"***"}"#
            );
        }
    }

    #[test]
    fn errors_can_be_read() {
        let refused = json!({ "error_type": "invalid_request", "code": "IR_04", "message": "Missing: amount" });
        insta::assert_snapshot!(
            text(Side::Answer, refused),
            @r#"{"error_type":"invalid_request","code":"IR_04","message":"Missing: amount"}"#
        );
        let chosen = json!({ "message": "`Ada Okafor` is not a known member here." });
        assert_eq!(
            text(Side::Answer, chosen),
            r#"{"message":"`***` is not a known member here."}"#
        );
        let echo = json!({ "message": "ada@shopper.example is unknown" });
        assert_eq!(text(Side::Answer, echo), r#"{"message":"***"}"#);
    }

    #[test]
    fn a_long_body_is_cut() {
        let long = json!({ "refunds": vec![json!({ "payment_id": "pay_1" }); 2_000] });
        let logged = body(Side::Answer, Some(long));
        assert_eq!(logged.text.map(|text| text.len()), Some(16_384));
        assert!(logged.is_cut);
    }
}
