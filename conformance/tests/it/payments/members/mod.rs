//! The effect of each member of the requests that create, change and end a payment. The members come from the
//! document, so a new one without a case here fails. Each case is tried: the processor's record decides, not the
//! payment's answer.

mod fate;
mod table;
mod words;

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::document::document;
use multirail_conformance::{Browser, Shop};
use serde_json::{Value, json};

use fate::{Case, Fate, On};
use table::{cases, cases_of_cancel, cases_of_capture};
use words::{each_is_decided, judge_text};

use super::authorized;

#[tokio::test]
async fn every_member_of_a_create_an_update_and_a_confirm() {
    let shop = shop().await;
    let plain = shop.creates(order_with(APPROVED)).await.ok();
    let plain = shop.confirms(&plain, json!({})).await.ok();
    let plain = Plain {
        received: authorization(&shop, &plain),
        paid: plain,
    };
    let cases = cases();
    let mut failed = Vec::new();
    for on in [On::Create, On::Update, On::Confirm] {
        let ours = cases.iter().filter(|case| case.on.contains(&on));
        let ours: Vec<&Case> = ours.collect();
        each_is_decided(on.operation(), &ours);
        for case in ours {
            // Each case runs in its own task, so that one failure doesn't hide the next.
            let tried = try_one(shop.clone(), on, case.clone(), plain.clone());
            if tokio::spawn(tried).await.is_err() {
                failed.push(format!("{} in {}", case.member, on.operation()));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// A payment without further members, and the processor's record of it.
#[derive(Clone)]
struct Plain {
    paid: Value,
    received: Value,
}

async fn try_one(shop: Shop, on: On, case: Case, plain: Plain) {
    let place = format!("{} in {}", case.member, on.operation());
    judge_text(on.operation(), &case);
    match &case.fate {
        Fate::Refused { status, code, no } => {
            is_refused(&shop, on, &case, *status, code, &place).await;
            let given = no.clone();
            pays(&shop, on, &Case { given, ..case }).await;
            return;
        }
        Fate::Judged(status, code) => {
            is_refused(&shop, on, &case, *status, code, &place).await;
            return;
        }
        Fate::Sent(..)
        | Fate::Changes(..)
        | Fate::Confirms
        | Fate::Links(_)
        | Fate::Lasts(_)
        | Fate::CapturesLater(_)
        | Fate::Note
        | Fate::NoEffect => {}
    }
    let Paid { answer, paid } = pays(&shop, on, &case).await;
    let received = authorization(&shop, &paid);
    match &case.fate {
        Fate::Sent(at, expected) => {
            assert_ne!(
                plain.received.pointer(at),
                Some(expected),
                "{place}: tells nothing"
            );
            assert_eq!(received.pointer(at), Some(expected), "{place}: {received}");
            is_answered(&paid, &case, &place);
        }
        Fate::Changes(at, expected) => {
            assert_ne!(
                plain.paid.pointer(at),
                Some(expected),
                "{place}: changes nothing"
            );
            assert_eq!(paid.pointer(at), Some(expected), "{place}");
        }
        Fate::Links(text) => {
            let link = paid["payment_link"]["link"].as_str().expect("a page");
            let page = Browser::new(&shop.wire).opens(link).await;
            let page = page.expect("a page").html;
            assert!(page.contains(text), "{place}: {page}");
        }
        Fate::Confirms => assert_eq!(answer["status"], "succeeded", "{place}"),
        Fate::Lasts(seconds) => assert_eq!(life(&paid), *seconds, "{place}"),
        Fate::CapturesLater(amount) => {
            shop.captures(&paid, json!({})).await.ok();
            assert_eq!(capture(&shop)["amount"], *amount, "{place}");
        }
        Fate::Note => assert_eq!(paid[case.member], case.given, "{place}"),
        Fate::NoEffect => {
            // Each payment has its own id.
            let details = |received: &Value| {
                let mut details = received["details"].clone();
                details
                    .as_object_mut()
                    .map(|said| said.remove("payment_id"));
                details
            };
            assert_eq!(details(&received), details(&plain.received), "{place}");
            assert_eq!(received["amount"], plain.received["amount"], "{place}");
        }
        Fate::Refused { .. } | Fate::Judged(..) => {}
    }
}

#[tokio::test]
async fn every_member_of_a_capture_and_a_cancel() {
    let shop = shop().await;
    for (operation, cases) in [
        ("payments_capture", cases_of_capture()),
        ("payments_cancel", cases_of_cancel()),
    ] {
        let all: Vec<&Case> = cases.iter().collect();
        each_is_decided(operation, &all);
        for case in &cases {
            let place = format!("{} in {operation}", case.member);
            judge_text(operation, case);
            let payment = authorized(&shop, "manual").await;
            let body = with(case.others.clone(), json!({ case.member: case.given }));
            let call = if operation == "payments_capture" {
                shop.captures(&payment, body)
            } else {
                shop.cancels(&payment, body)
            };
            let answer = call.await;
            match &case.fate {
                Fate::Sent(at, expected) => {
                    answer.ok();
                    let received = if operation == "payments_capture" {
                        capture(&shop)
                    } else {
                        void(&shop)
                    };
                    assert_eq!(received.pointer(at), Some(expected), "{place}: {received}");
                }
                Fate::Judged(status, code) | Fate::Refused { status, code, .. } => {
                    answer.refused(*status, code);
                }
                Fate::NoEffect => {
                    let wanted = if operation == "payments_capture" {
                        "succeeded"
                    } else {
                        "cancelled"
                    };
                    assert_eq!(answer.ok()["status"], wanted, "{place}");
                }
                other => panic!("{place}: nobody tries {other:?} here"),
            }
        }
    }
}

#[tokio::test]
async fn a_captures_own_words_win_over_the_payments() {
    let shop = shop().await;
    let words = json!({
        "capture_method": "manual_multiple",
        "confirm": true,
        "statement_descriptor_name": "BOOKS",
        "statement_descriptor_suffix": "B17",
        "billing_descriptor": { "city": "Lagos", "statement_descriptor": "THE BOOK SHOP" },
    });
    let payment = shop.creates(with(order_with(APPROVED), words)).await.ok();
    shop.captures(&payment, json!({ "amount_to_capture": 1000 }))
        .await
        .ok();
    assert_eq!(
        capture(&shop)["descriptor"],
        json!({ "text": "THE BOOK SHOP", "suffix": "B17", "city": "Lagos" })
    );
    let own = json!({
        "amount_to_capture": 1000,
        "statement_descriptor_name": "BOOKS BY POST",
        "statement_descriptor_prefix": "2ND*",
        "statement_descriptor_suffix": "PARCEL",
    });
    shop.captures(&payment, own).await.ok();
    assert_eq!(
        capture(&shop)["descriptor"],
        json!({ "text": "BOOKS BY POST", "prefix": "2ND*", "suffix": "PARCEL", "city": "Lagos" })
    );
}

/// A shop with a second processor to choose.
async fn shop() -> Shop {
    let shop = Shop::open().await;
    shop.connects("stripe_test", json!({})).await.ok();
    shop
}

/// The payment in the answer to the request with the member, and after its confirm.
struct Paid {
    answer: Value,
    paid: Value,
}

async fn pays(shop: &Shop, on: On, case: &Case) -> Paid {
    let answer = sends(shop, on, case).await.1.await.ok();
    let paid = if answer["status"] == "requires_confirmation" {
        shop.confirms(&answer, json!({})).await.ok()
    } else {
        answer.clone()
    };
    Paid { answer, paid }
}

/// Returns the request with the member, and the payment before it.
async fn sends(
    shop: &Shop,
    on: On,
    case: &Case,
) -> (Option<Value>, multirail_conformance::wire::Call) {
    let body = with(case.others.clone(), json!({ case.member: case.given }));
    if on == On::Create {
        return (None, shop.creates(with(order_with(APPROVED), body)));
    }
    let before = shop.creates(order_with(APPROVED)).await.ok();
    let call = if on == On::Update {
        shop.updates(&before, body)
    } else {
        shop.confirms(&before, body)
    };
    (Some(before), call)
}

/// Checks that the refusal names the member, and that neither the payment nor the processor's books changed.
async fn is_refused(shop: &Shop, on: On, case: &Case, status: u16, code: &str, place: &str) {
    let filed = authorizations(shop).len();
    let (before, call) = sends(shop, on, case).await;
    let answer = call.await;
    assert_eq!(answer.status, status, "{place}: {answer:?}");
    let message = answer.refused(status, code);
    let named = case.named_as.unwrap_or(case.member);
    assert!(message.contains(named), "{place}: {message}");
    if let Some(before) = before {
        assert_eq!(shop.retrieves(&before).await.ok(), before, "{place}");
    }
    assert_eq!(authorizations(shop).len(), filed, "{place}");
}

/// Checks the member in the payment's answer, if the payment has it.
fn is_answered(paid: &Value, case: &Case, place: &str) {
    let answered = &document()["components"]["schemas"]["Payment"]["properties"];
    // The customer has a form of its own in the answer.
    if answered.get(case.member).is_some() && case.member != "customer" {
        assert_eq!(
            without_nulls(paid[case.member].clone()),
            case.given,
            "{place}"
        );
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        plain => plain,
    }
}

/// Returns the seconds from creation to the end of the client secret.
fn life(payment: &Value) -> i64 {
    let moment = |name: &str| {
        let text = payment[name].as_str().expect("a moment");
        chrono::DateTime::parse_from_rfc3339(text).expect("a moment")
    };
    (moment("expires_on") - moment("created")).num_seconds()
}

fn authorizations(shop: &Shop) -> Vec<Value> {
    let filed = shop.processor().ledger().authorizations();
    values(json!(filed.expect("the ledger can be read")))
}

/// Returns the processor's record of the payment's authorization.
fn authorization(shop: &Shop, payment: &Value) -> Value {
    let reference = &payment["connector_transaction_id"];
    let found = authorizations(shop);
    let found = found
        .into_iter()
        .find(|filed| filed["reference"] == *reference);
    found.unwrap_or_else(|| panic!("the processor was never asked for {payment}"))
}

/// Returns the newest capture.
fn capture(shop: &Shop) -> Value {
    let filed = shop.processor().ledger().captures();
    last(json!(filed.expect("the ledger can be read")))
}

/// Returns the newest void.
fn void(shop: &Shop) -> Value {
    let filed = shop.processor().ledger().voids();
    last(json!(filed.expect("the ledger can be read")))
}

fn values(records: Value) -> Vec<Value> {
    match records {
        Value::Array(records) => records,
        other => panic!("not a list of records: {other}"),
    }
}

fn last(records: Value) -> Value {
    values(records).pop().expect("something was filed")
}
