//! Payments that signed-in users look after: the operations below `/user/payments`.

use std::sync::Arc;

use multirail_conformance::bodies::{APPROVED, HELD, order_with, with};
use multirail_conformance::request_log::logged;
use multirail_conformance::{Call, Shop, TestServer, shop};
use reqwest::{Method, Url};
use serde_json::{Value, json};

use super::{authorized, events_of};
use crate::audit_log::entries_of;
use crate::users::Person;

const KEY: &str = "idempotency-key";
const CHANGES: [&str; 5] = [
    "user_payments_capture",
    "user_payments_cancel",
    "user_payments_incremental_authorization",
    "user_payments_approve",
    "user_payments_reject",
];

async fn person(server: &Arc<TestServer>, role: &str) -> Person {
    Person::invited(server, role, role, "bookshop").await
}

/// Builds a user's call about a payment.
fn on(who: &Person, operation: &str, payment: &Value) -> Call {
    who.call(operation).at("payment_id", shop::id(payment))
}

/// Creates a payment that is held for review, or authorized so that it can be raised.
async fn confirmed(shop: &Shop, card: &str) -> Value {
    let more = json!({
        "capture_method": "manual", "confirm": true, "request_incremental_authorization": true,
    });
    shop.creates(with(order_with(card), more)).await.ok()
}

/// Returns the part of an audit entry that names the user and the objects.
async fn recorded(server: &TestServer, operation: &str) -> Value {
    let entry = entries_of(server, operation).await.remove(0);
    json!([
        entry["principal"],
        entry["principal_id"],
        entry["target"],
        entry["objects"]
    ])
}

/// Returns the entry that this user's call about a payment leaves.
async fn named(who: &Person, payment: &Value) -> Value {
    let id = &payment["payment_id"];
    let target = json!([{ "name": "payment_id", "id": id }]);
    let objects = json!([{ "name": "payment", "id": id }]);
    json!(["user", who.details().await["user_id"], target, objects])
}

#[tokio::test]
async fn a_capture_is_that_of_the_key_and_names_the_user() {
    let shop = Shop::open().await;
    let ada = person(&shop.server, "merchant_operator").await;
    let payment = authorized(&shop, "manual").await;
    let part = json!({ "amount_to_capture": 4000 });
    let capture = || on(&ada, "user_payments_capture", &payment).json(&part);
    for (amount, status, code) in [(0, 422, "IR_05"), (6541, 422, "IR_06")] {
        let body = json!({ "amount_to_capture": amount });
        let call = on(&ada, "user_payments_capture", &payment).json(&body);
        let said = call.await.refused(status, code);
        assert!(said.contains("amount_to_capture"), "{said}");
    }
    let answer = capture().header(KEY, "once").await;
    let entry = logged(|operation| shop.call(operation), &answer).await;
    assert_eq!(entry["caller"], "user", "{entry}");
    assert_eq!(entry["payment_id"], payment["payment_id"]);
    let captured = answer.ok();
    assert_eq!(captured["status"], "partially_captured");
    assert_eq!(captured["amount_received"], 4000);
    let again = capture().header(KEY, "once").await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), captured);
    assert_eq!(shop.money().captured, 4000);
    let other = json!({ "amount_to_capture": 1 });
    let other = on(&ada, "user_payments_capture", &payment).json(&other);
    other.header(KEY, "once").await.refused(422, "MR_01");
    capture().await.refused(400, "IR_14");

    let events = events_of(&shop, &payment).await;
    let types: Vec<&str> = events.iter().map(|(event, _)| event.as_str()).collect();
    assert_eq!(types, ["payment_authorized", "payment_captured"]);
    let entry = recorded(&shop.server, "user_payments_capture").await;
    assert_eq!(entry, named(&ada, &payment).await);
    // The key's operation still takes no token.
    let by_token = on(&ada, "payments_capture", &payment).await;
    by_token.refused(401, "IR_01");
}

#[tokio::test]
async fn a_cancel_has_its_reason_and_an_event() {
    let shop = Shop::open().await;
    let ada = person(&shop.server, "merchant_admin").await;
    let payment = authorized(&shop, "manual").await;
    let reason = json!({ "cancellation_reason": "sold out" });
    let cancel = || on(&ada, "user_payments_cancel", &payment).json(&reason);
    let cancelled = cancel().await.ok();
    assert_eq!(cancelled["status"], "cancelled");
    assert_eq!(cancelled["cancellation_reason"], "sold out");
    assert_eq!(shop.money().released, 6540);
    cancel().await.refused(400, "IR_16");
    let events = events_of(&shop, &payment).await;
    assert_eq!(events.last().expect("an event").0, "payment_cancelled");
    let entry = recorded(&shop.server, "user_payments_cancel").await;
    assert_eq!(entry, named(&ada, &payment).await);
}

#[tokio::test]
async fn held_payments_are_decided_and_authorizations_raised() {
    let shop = Shop::open().await;
    let ada = person(&shop.server, "merchant_operator").await;
    let (good, bad) = (confirmed(&shop, HELD).await, confirmed(&shop, HELD).await);
    let approved = on(&ada, "user_payments_approve", &good).await.ok();
    assert_eq!(approved["status"], "requires_capture");
    assert_eq!(approved["merchant_decision"], "approved");
    let rejected = on(&ada, "user_payments_reject", &bad).await.ok();
    assert_eq!(rejected["status"], "failed");
    assert_eq!(rejected["error_code"], "merchant_rejected");
    for (operation, payment) in [
        ("user_payments_approve", &good),
        ("user_payments_reject", &bad),
    ] {
        on(&ada, operation, payment).await.refused(400, "IR_16");
        let entry = recorded(&shop.server, operation).await;
        assert_eq!(entry, named(&ada, payment).await);
    }

    let operation = "user_payments_incremental_authorization";
    let payment = confirmed(&shop, APPROVED).await;
    let raise = |amount: i64| {
        let body = json!({ "amount": amount, "reason": "a second night" });
        on(&ada, operation, &payment).json(&body)
    };
    raise(6540).await.refused(400, "IR_16");
    let raised = raise(9000).await.ok();
    assert_eq!(raised["amount_capturable"], 9000);
    assert_eq!(raised["incremental_authorizations"][0]["status"], "success");
    let entry = recorded(&shop.server, operation).await;
    assert_eq!(entry, named(&ada, &payment).await);
}

/// Every role reads. The view-only role and the developer change nothing, and nobody reaches another account or profile.
#[tokio::test]
async fn each_role_does_its_part_with_the_payments_of_its_account() {
    let shop = Shop::open().await;
    let server = &shop.server;
    let payment = authorized(&shop, "manual").await;
    let before = shop.retrieves(&payment).await.ok();
    for role in ["merchant_view_only", "merchant_developer"] {
        let reader = person(server, role).await;
        let read = on(&reader, "user_payments_retrieve", &payment);
        let read = read.query("expand_attempts", true).await.ok();
        assert_eq!(read["status"], "requires_capture");
        assert_eq!(read["attempts"][0]["status"], "authorized");
        assert_eq!(read["client_secret"], "", "{role}");
        for operation in CHANGES {
            let call = on(&reader, operation, &payment);
            call.await.refused(403, "IR_22");
        }
        let create = json!({ "amount": 1, "currency": "EUR" });
        let create = reader.call("user_payments_create").json(&create);
        create.await.refused(403, "IR_22");
    }

    server.shop_without_connector("florist").await;
    let flora = Person::invited(server, "flora", "org_admin", "florist").await;
    let ada = person(server, "org_admin").await;
    let second = shop.second_profile().await;
    let operations = CHANGES.iter().chain(&["user_payments_retrieve"]);
    for operation in operations {
        let with_body = |call: Call| match *operation {
            "user_payments_incremental_authorization" => call.json(&json!({ "amount": 9000 })),
            _ => call,
        };
        let theirs = with_body(on(&flora, operation, &payment));
        theirs.await.refused(404, "HE_02");
        let narrowed = with_body(on(&ada, operation, &payment));
        let narrowed = narrowed.header("x-profile-id", &second);
        narrowed.await.refused(404, "HE_02");
        let by_key = with_body(shop.call(operation).at("payment_id", shop::id(&payment)));
        by_key.await.refused(401, "IR_17");
    }
    assert_eq!(shop.retrieves(&payment).await.ok(), before);
}

#[tokio::test]
async fn a_created_payment_has_a_link_that_its_creator_sees() {
    let shop = Shop::open().await;
    let ada = person(&shop.server, "merchant_operator").await;
    let asked = json!({
        "amount": 6540,
        "currency": "EUR",
        "description": "Two paperbacks",
        "merchant_order_reference_id": "order-10044",
        "customer_id": "cus_ada",
        "email": "ada@books.example",
        "session_expiry": 86400,
    });
    let create = || ada.call("user_payments_create").json(&asked);
    let answer = create().header(KEY, "k").await;
    let made = answer.ok();
    let again = create().header(KEY, "k").await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.ok(), made);
    let members: Vec<&String> = made.as_object().expect("an object").keys().collect();
    insta::assert_snapshot!(format!("{members:?}"), @r#"["payment_id", "profile_id", "status", "amount", "currency", "payment_link", "created", "expires_on"]"#);
    assert_eq!(made["status"], "requires_payment_method");
    let stored = shop.retrieves(&made).await.ok();
    assert_eq!(stored["payment_link"], made["payment_link"]);
    assert_eq!(stored["expires_on"], made["expires_on"]);
    assert_eq!(stored["description"], "Two paperbacks");
    assert_eq!(stored["customer_id"], "cus_ada");
    assert_eq!(stored["capture_method"], "automatic");
    let entry = recorded(&shop.server, "user_payments_create").await;
    let who = &ada.details().await["user_id"];
    assert_eq!([&entry[0], &entry[1]], [&json!("user"), who]);
    let payment = json!({ "name": "payment", "id": made["payment_id"] });
    let objects = entry[3].as_array().expect("objects");
    assert!(objects.contains(&payment), "{entry}");

    // The payer's page works. Later answers hide its address from the operator.
    let address = made["payment_link"]["link"].as_str();
    let address = Url::parse(address.expect("an address")).expect("an address");
    let page = shop.wire.request(Method::GET, address.path());
    let page = page.unjudged().await;
    assert_eq!(page.status, 200, "{}", page.text);
    let read = on(&ada, "user_payments_retrieve", &made).await.ok();
    assert_eq!(read["payment_link"]["link"], "");
    assert_eq!(read["client_secret"], "");

    // Neither an instrument nor a second payment with the same id is taken.
    for (more, status, code) in [
        (json!({ "payment_id": made["payment_id"] }), 400, "HE_01"),
        (json!({ "confirm": true }), 400, "IR_06"),
        (json!({ "payment_method": "card" }), 400, "IR_06"),
        (json!({ "amount": 0 }), 400, "IR_06"),
        (json!({ "session_expiry": 59 }), 422, "IR_06"),
        (json!({ "profile_id": "pro_unborn" }), 404, "HE_02"),
    ] {
        let call = ada.call("user_payments_create");
        call.json(&with(asked.clone(), more))
            .await
            .refused(status, code);
    }
    assert_eq!(shop.call("payments_list").await.ok()["size"], 1);
}
