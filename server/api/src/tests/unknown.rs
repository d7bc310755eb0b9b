//! Names that the document lacks, and names that it has only to ignore.

use super::server::TestServer;
use crate::schema::{Nulls, to_json_schema};
use crate::{OPERATIONS, input};
use serde_json::{Value, json};

const CONFIRM: &str = "POST /payments/pay_1/confirm";

#[tokio::test]
async fn a_member_that_the_document_does_not_name_is_refused() {
    let server = TestServer::start().await;
    let cases = [
        (
            "POST /payments",
            r#"{"amount":1,"currency":"USD","capture_metod":"manual"}"#,
            "`capture_metod` is not a known member here. Was `capture_method` meant?",
        ),
        (
            "POST /payments/pay_1/capture",
            r#"{"amount_to_captur":1}"#,
            "`amount_to_captur` is not a known member here. Was `amount_to_capture` meant?",
        ),
        // The misspelled name may be the required one.
        (
            "POST /payments",
            r#"{"amount":1,"currencey":"USD"}"#,
            "`currencey` is not a known member here. Was `currency` meant?",
        ),
        (
            CONFIRM,
            r#"{"payment_method_data":{"card":{"card_number":"4111111111111111","exp_month":"10"}}}"#,
            "`payment_method_data.card.exp_month` is not a known member here. Was `card_exp_month` meant?",
        ),
        (
            CONFIRM,
            r#"{"order_details":[{"product_name":"a","quantity":1,"amount":1},{"productName":"b"}]}"#,
            "`order_details[1].productName` is not a known member here. Was `product_name` meant?",
        ),
        (
            CONFIRM,
            r#"{"zebra":null}"#,
            "`zebra` is not a known member here.",
        ),
        (
            CONFIRM,
            r#"{"4111111111111111":1}"#,
            "`****************` is not a known member here.",
        ),
    ];
    for (line, body, expected) in cases {
        let answer = server.call(line, "secret", body).await.error();
        assert_eq!(answer, format!("400 IR_06 {expected}"), "{line} {body}");
    }
    let long = format!(r#"{{"{}":1}}"#, "x".repeat(1_000));
    let answer = server.call(CONFIRM, "secret", &long).await.error();
    assert_eq!(
        answer,
        format!(
            "400 IR_06 `{}...` is not a known member here.",
            "x".repeat(64)
        )
    );
    // A payer's client gets the same answer.
    let body = r#"{"client_secret":"pay_1_secret","emial":"a@b.example"}"#;
    assert_eq!(
        server.call(CONFIRM, "public", body).await.error(),
        "400 IR_06 `emial` is not a known member here. Was `email` meant?"
    );
}

#[tokio::test]
async fn free_objects_hold_what_they_like() {
    let server = TestServer::start().await;
    let body = r#"{"amount":1,"currency":"USD","metadata":{"capture_metod":{"a":[1]}}}"#;
    assert_eq!(
        server.call("POST /payments", "secret", body).await.status,
        200
    );
}

/// Every object that any request reaches refuses an unknown member, at any depth.
#[test]
fn no_object_of_a_request_is_open() {
    let mut objects = 0;
    for info in OPERATIONS
        .iter()
        .filter(|info| info.request_schema.is_some())
    {
        let schema = to_json_schema(input::body(info).schema(), Nulls::Dropped);
        let root = std::iter::once(("body", &schema));
        let parts = schema["$defs"].as_object().unwrap();
        for (name, part) in root.chain(parts.iter().map(|(name, part)| (name.as_str(), part))) {
            if part.get("properties").is_some() {
                assert_eq!(
                    part["additionalProperties"],
                    json!(false),
                    "{} {name}",
                    info.id
                );
                objects += 1;
            }
        }
    }
    assert!(objects > 60, "{objects}");
}

#[tokio::test]
async fn a_name_that_a_list_does_not_know_is_refused() {
    let server = TestServer::start().await;
    let cases = [
        (
            "GET /payments/list?customer=a",
            "secret",
            "`customer` isn't known here. Was `customer_id` meant?",
        ),
        (
            "GET /payments/list?limit=1&created_lt=2026-01-01T00:00:00Z",
            "secret",
            "`created_lt` isn't known here. Was `created.lt` meant?",
        ),
        (
            "GET /api_keys/bookshop/list?limits=1",
            "admin",
            "`limits` isn't known here. Was `limit` meant?",
        ),
        (
            "GET /unresolved_operations?page=2",
            "admin",
            "`page` isn't known here. Known: `limit`, `offset`.",
        ),
        (
            "GET /account/bookshop/connectors?profile_id=pro_1",
            "secret",
            "`profile_id` isn't known here. This operation takes none.",
        ),
        (
            "GET /events/bookshop/evt_1/attempts?limit=1",
            "admin",
            "`limit` isn't known here. This operation takes none.",
        ),
        (
            "GET /subscriptions/sub_1/invoices?limitt=1",
            "secret",
            "`limitt` isn't known here. Was `limit` meant?",
        ),
        (
            "GET /subscriptions/sub_1/invoices?status=voided",
            "secret",
            "`status` isn't known here. Known: `limit`, `offset`.",
        ),
    ];
    for (line, key, expected) in cases {
        let answer = server.call(line, key, "").await.error();
        assert_eq!(
            answer,
            format!("400 IR_06 The query parameter {expected}"),
            "{line}"
        );
    }
    // A caller without a key learns no names.
    let answer = server
        .call("GET /payments/list?x=1", "wrong", "")
        .await
        .error();
    assert!(answer.starts_with("401 IR_01 "), "{answer}");
}

/// Processors may add parameters to the registered address.
#[test]
fn every_operation_but_the_door_of_notices_refuses_a_name_that_it_does_not_know() {
    let taken = OPERATIONS
        .iter()
        .filter(|info| input::known_query(info, "zebra=1").is_ok());
    let taken: Vec<&str> = taken.map(|info| info.id).collect();
    assert_eq!(taken, ["notices_receive"]);
}

/// A misspelled parameter would return the price of something else, or leave a switch off.
#[tokio::test]
async fn a_name_that_another_operation_does_not_know_is_refused() {
    let server = TestServer::start().await;
    let cases = [
        (
            "GET /subscriptions/estimate?item_price_id=gold&quantitty=3",
            "`quantitty` isn't known here. Was `quantity` meant?",
        ),
        (
            "GET /payments/pay_1?force_synk=true",
            "`force_synk` isn't known here. Was `force_sync` meant?",
        ),
        (
            "POST /account/bookshop/business_profile/pro_1/dynamic_routing/elimination/create?enabel=metrics",
            "`enabel` isn't known here. Was `enable` meant?",
        ),
        (
            "POST /payments?confirm=true",
            "`confirm` isn't known here. This operation takes none.",
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(
            server.call(line, "secret", "{}").await.error(),
            format!("400 IR_06 The query parameter {expected}"),
            "{line}"
        );
    }
}

#[tokio::test]
async fn words_that_ask_for_nothing_are_dropped() {
    let server = TestServer::start().await;
    let one = "POST /accounts/bookshop";
    let body = r#"{"merchant_account_type":"standard"}"#;
    assert_eq!(server.call(one, "admin", body).await.status, 200);
    let seen = server.take_notes().remove(0);
    assert!(seen.contains("merchant_account_type: None"), "{seen}");
    // The value of such a member is checked all the same.
    let body = r#"{"merchant_id":"bookshop","publishable_key":7}"#;
    assert_eq!(
        server.call("POST /accounts", "admin", body).await.error(),
        "400 IR_06 `publishable_key` must be text."
    );
}

#[tokio::test]
async fn what_is_not_built_can_only_be_declined() {
    let server = TestServer::start().await;
    let profile = "POST /account/bookshop/business_profile";
    for (body, expected) in [
        (
            r#"{"is_network_tokenization_enabled":true}"#,
            "`is_network_tokenization_enabled` asks for something that isn't built yet; it can only be false or left out.",
        ),
        (
            r#"{"routing_algorithm":{"type":"single","data":"stripe"}}"#,
            "`routing_algorithm` asks for something that isn't built yet; leave it out.",
        ),
    ] {
        let answer = server.call(profile, "secret", body).await.error();
        assert_eq!(answer, format!("400 IR_20 {expected}"), "{body}");
    }
    let declined = r#"{"is_network_tokenization_enabled":false,"routing_algorithm":null}"#;
    assert_eq!(server.call(profile, "secret", declined).await.status, 200);
    let account = "POST /accounts/bookshop";
    let answer = server.call(account, "admin", r#"{"merchant_account_type":"platform"}"#);
    assert_eq!(
        answer.await.error(),
        r#"400 IR_20 `merchant_account_type` asks for something that isn't built yet; it can only be "standard" or left out."#
    );
    let declined = r#"{"merchant_account_type":"standard"}"#;
    assert_eq!(server.call(account, "admin", declined).await.status, 200);
}

/// The mark's values fit the member's schema.
#[test]
fn the_values_of_marks_are_valid() {
    let mut marked = 0;
    for info in OPERATIONS
        .iter()
        .filter(|info| info.request_schema.is_some())
    {
        let checker = input::body(info);
        for (name, member) in checker.schema()["properties"]
            .as_object()
            .into_iter()
            .flatten()
        {
            for value in member["x-multirail-not-built"]
                .as_array()
                .into_iter()
                .flatten()
            {
                let validator = jsonschema::validator_for(member).unwrap();
                assert!(
                    validator.is_valid(value) && *value != Value::Null,
                    "{} {name}",
                    info.id
                );
                marked += 1;
            }
        }
    }
    assert!(marked > 10, "{marked}");
}
