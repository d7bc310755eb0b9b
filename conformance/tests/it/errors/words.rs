//! The wording of errors, and data that no error may contain.

use multirail_conformance::bodies::{APPROVED, order, order_with, with};
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::Setting;
use reqwest::Method;
use serde_json::{Value, json};

const JSON: &str = "application/json";

#[tokio::test]
async fn the_nested_error_object_is_there_when_it_is_asked_for() {
    let server =
        TestServer::start_with(|inputs| inputs.with(Setting::NestedErrorBody, "true")).await;
    let answer = server
        .wire
        .request(Method::GET, "/nowhere")
        .unjudged()
        .await;
    assert_eq!(answer.status, 404);
    let (flat, nested) = (&answer.body, &answer.body["error"]);
    assert_eq!(flat.as_object().map(serde_json::Map::len), Some(4));
    assert_eq!(
        (&nested["type"], &nested["message"], &nested["code"]),
        (&flat["error_type"], &flat["message"], &flat["code"])
    );
}

#[tokio::test]
async fn a_request_keeps_its_own_id() {
    let shop = Shop::open().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let answer = shop
            .call("payments_list")
            .header("x-request-id", "0192f0c1-2d3e-7f00-8000-000000000000")
            .await;
        ids.push(answer.header("x-request-id").expect("an id").to_owned());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3, "the server makes its own");
}

#[tokio::test]
async fn messages_repeat_no_secrets() {
    let shop = Shop::open().await;
    let cvc = "987654";
    let torn = [
        with(
            order_with(APPROVED),
            json!({ "payment_method_data": { "card": { "card_cvc": cvc } } }),
        ),
        with(
            order_with(APPROVED),
            json!({ "payment_method_data": { "card": { "card_exp_year": "x" } } }),
        ),
        with(order_with("4111111111111112"), json!({})),
    ];
    for body in torn {
        let answer = shop.creates(body).await;
        let text = answer.body.to_string();
        assert!(
            answer.status >= 400 && !text.contains(cvc) && !text.contains("411111"),
            "{text}"
        );
    }
}

/// A snapshot of one operation's refusals, for people to read.
#[tokio::test]
async fn the_wording_of_refusals() {
    let shop = Shop::open().await;
    let payment = shop
        .creates(with(
            order_with(APPROVED),
            json!({ "payment_id": "order_1", "confirm": true }),
        ))
        .await
        .ok();
    let answers: Vec<(&str, Value)> = vec![
        (
            "no key",
            shop.call("payments_confirm")
                .at("payment_id", "order_1")
                .without_key()
                .await
                .body,
        ),
        (
            "unknown payment",
            shop.confirms(&json!({ "payment_id": "order_2" }), json!({}))
                .await
                .body,
        ),
        (
            "missing member",
            shop.creates(json!({ "currency": "USD" })).await.body,
        ),
        (
            "wrong type",
            shop.creates(with(order(), json!({ "amount": "6540" })))
                .await
                .body,
        ),
        (
            "unknown word",
            shop.creates(with(order(), json!({ "capture_method": "never" })))
                .await
                .body,
        ),
        (
            "not JSON",
            shop.call("payments_create").text(JSON, "{").await.body,
        ),
        (
            "trailing bytes",
            shop.call("payments_create").text(JSON, "{} x").await.body,
        ),
        ("wrong state", shop.confirms(&payment, json!({})).await.body),
        (
            "captured already",
            shop.captures(&payment, json!({})).await.body,
        ),
        (
            "unknown route",
            shop.wire.request(Method::GET, "/nowhere").await.body,
        ),
        (
            "wrong method",
            shop.wire.request(Method::GET, "/payments").await.body,
        ),
    ];
    let mut picture = String::new();
    for (what, body) in answers {
        let (code, message) = (
            body["code"].as_str().unwrap_or("-"),
            body["message"].as_str().unwrap_or("-"),
        );
        picture.push_str(&format!("{what}: {code} {message}\n"));
    }
    insta::assert_snapshot!(picture, @r"
    no key: IR_01 This call needs a valid key in the header `api-key`, of a kind that the operation takes.
    unknown payment: HE_02 there is no such payment
    missing member: IR_04 Missing required parameter: amount
    wrong type: IR_06 `amount` must be a whole number.
    unknown word: IR_06 `capture_method` must be one of: automatic, manual, manual_multiple, scheduled, sequential_automatic.
    not JSON: IR_06 The body ends too early: line 1, column 1.
    trailing bytes: IR_06 Something follows the JSON value: line 1, column 4.
    wrong state: IR_16 a payment whose status is succeeded can't be confirmed
    captured already: IR_14 the payment can't be captured: its status is succeeded, it would have to be requires_capture, partially_captured_and_capturable or processing
    unknown route: IR_02 There is nothing at this path.
    wrong method: IR_03 This path doesn't take this method. It takes: POST, OPTIONS.
    ");
}
