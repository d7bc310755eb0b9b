//! What a payment still says when it was redacted. A new member shows up here, and somebody has to decide whether it tells of the
//! payer (`server/domain/src/payment/redact.rs`).

use std::collections::BTreeSet;

use multirail_domain::customer::REDACTED;
use multirail_domain::payment::Payment;
use serde_json::Value;

use super::payment;

/// The places of texts, numbers and truths that aren't the word; places in lists count as one.
fn said(value: &Value, place: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Null => {}
        Value::String(text) if text == REDACTED => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.insert(place.to_owned());
        }
        Value::Array(items) => items.iter().for_each(|item| said(item, place, found)),
        Value::Object(members) => {
            for (name, member) in members {
                said(member, &format!("{place}/{name}"), found);
            }
        }
    }
}

fn all_said(payment: &Payment) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let particulars = serde_json::to_value(&payment.particulars).expect("JSON");
    said(&particulars, "", &mut found);
    for attempt in &payment.attempts {
        let instrument = serde_json::to_value(&attempt.instrument).expect("JSON");
        said(&instrument, "/instrument", &mut found);
    }
    found
}

#[test]
fn a_redacted_payment_still_says_what_was_paid_and_not_by_whom() {
    let full = payment::payments().pop().expect("an example");
    let payment = Payment {
        attempts: payment::attempts(),
        ..full
    };
    let redacted = payment.redacted().expect("it told of somebody");
    assert_eq!(redacted.redacted(), None, "it tells of nobody now");
    let (before, after) = (all_said(&payment), all_said(&redacted));
    let list = |places: Vec<&String>| {
        let places: Vec<_> = places.into_iter().map(String::as_str).collect();
        places.join("\n")
    };
    insta::assert_snapshot!(list(before.difference(&after).collect()), @"");
    insta::assert_snapshot!(list(after.iter().collect()), @"");
    // Nothing else of it changes.
    let as_before = Payment {
        particulars: payment.particulars.clone(),
        attempts: payment.attempts.clone(),
        ..redacted.clone()
    };
    assert_eq!(as_before, payment);
    for (was, is) in payment.attempts.iter().zip(redacted.attempts) {
        let mut is = is;
        is.instrument.clone_from(&was.instrument);
        assert_eq!(is, *was);
    }
}
