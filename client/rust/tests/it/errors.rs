//! Tests of the errors of failed calls, and of whether a repetition helps.

use crate::support::{client, error, server};
use multirail_client::types::{Currency, PaymentCaptureRequest};
use multirail_client::{Connection, Error, requests};
use wiremock::ResponseTemplate;

async fn failure(answer: ResponseTemplate) -> Error {
    let server = server(answer).await;
    let body = PaymentCaptureRequest::default();
    client(&server)
        .payments_capture()
        .payment_id("pay_1")
        .body(body)
        .send()
        .await
        .unwrap_err()
        .into()
}

#[tokio::test]
async fn an_error_of_the_service_is_typed() {
    let failed = failure(error(400, "IR_14")).await;
    assert_eq!(failed.code(), Some("IR_14"));
    assert_eq!(failed.status().unwrap(), 400);
    assert_eq!(failed.request_id(), Some("req_1"));
    assert_eq!(
        failed.to_string(),
        "words for people (IR_14, HTTP 400, request req_1)"
    );
    let Error::Api {
        error_type,
        message,
        ..
    } = failed
    else {
        panic!("{failed:?}");
    };
    assert_eq!(
        (error_type.as_str(), message.as_str()),
        ("invalid_request", "words for people")
    );
}

#[tokio::test]
async fn the_question_mark_turns_failures_into_errors() {
    async fn create(client: &multirail_client::Client) -> Result<String, Error> {
        let body = requests::payment(6540, Currency::Usd);
        Ok(client
            .payments_create()
            .body(body)
            .send()
            .await?
            .into_inner()
            .payment_id)
    }
    let server = server(error(422, "IR_06")).await;
    assert_eq!(
        create(&client(&server)).await.unwrap_err().code(),
        Some("IR_06")
    );
}

#[tokio::test]
async fn members_that_are_added_to_errors_do_no_harm() {
    let answer = ResponseTemplate::new(404).set_body_json(serde_json::json!({
        "error_type": "a_later_word", "message": "m", "code": "HE_02", "error": { "code": "HE_02" },
    }));
    let failed = failure(answer).await;
    assert_eq!((failed.code(), failed.request_id()), (Some("HE_02"), None));
}

#[tokio::test]
async fn errors_say_whether_a_repetition_may_help() {
    // Status, code, retryable, outcome unknown.
    for (status, code, retryable, unknown) in [
        (400, "IR_04", false, false),
        (401, "IR_01", false, false),
        (404, "HE_02", false, false),
        (408, "IR_06", true, false),
        (409, "MR_02", true, true),
        (413, "IR_06", false, false),
        (422, "IR_06", false, false),
        (422, "HE_00", true, false),
        (429, "IR_06", true, false),
        (500, "HE_00", false, true),
        (503, "HE_00", true, true),
    ] {
        let failed = failure(error(status, code)).await;
        assert!(matches!(failed, Error::Api { .. }), "{failed:?}");
        assert_eq!(failed.is_retryable(), retryable, "{failed}");
        assert_eq!(failed.is_outcome_unknown(), unknown, "{failed}");
    }
}

#[tokio::test]
async fn a_page_of_a_proxy_keeps_its_status() {
    let page = "<html>".repeat(3);
    for (status, retryable) in [
        (404, false),
        (429, true),
        (500, false),
        (502, true),
        (503, true),
        (504, true),
    ] {
        for body in [
            String::new(),
            page.clone(),
            "{}".to_owned(),
            page.repeat(10_000),
        ] {
            let answer = ResponseTemplate::new(status)
                .insert_header("x-request-id", "req_2")
                .set_body_string(body);
            let failed = failure(answer).await;
            assert!(matches!(failed, Error::Unreadable { .. }), "{failed:?}");
            assert_eq!(failed.status().unwrap(), status);
            assert_eq!(failed.request_id(), Some("req_2"));
            assert_eq!((failed.code(), failed.is_retryable()), (None, retryable));
            assert!(failed.is_outcome_unknown());
        }
    }
}

#[tokio::test]
async fn successes_that_can_not_be_read_are_errors() {
    for answer in [
        ResponseTemplate::new(200).set_body_string("<html>"),
        ResponseTemplate::new(200).set_body_string(r#"{"payment_id": 7}"#),
        ResponseTemplate::new(200).set_body_string("{}"),
        ResponseTemplate::new(204),
        ResponseTemplate::new(302),
    ] {
        let failed = failure(answer).await;
        assert!(matches!(failed, Error::Unreadable { .. }), "{failed:?}");
        assert!(!failed.is_retryable() && failed.is_outcome_unknown());
    }
    let failed = failure(ResponseTemplate::new(200).set_body_string("{}")).await;
    assert_eq!(
        failed.to_string(),
        "the answer can't be read: missing field `payment_id` at line 1 column 2"
    );
}

#[tokio::test]
async fn without_a_connection_nothing_has_happened() {
    let client = Connection::new("http://127.0.0.1:1").build().unwrap();
    let failed = Error::from(
        client
            .payments_retrieve()
            .payment_id("pay_1")
            .send()
            .await
            .unwrap_err(),
    );
    assert!(matches!(failed, Error::Transport(_)), "{failed:?}");
    assert!(failed.is_retryable() && !failed.is_outcome_unknown());
    assert_eq!(
        (failed.code(), failed.status(), failed.request_id()),
        (None, None, None)
    );
}

#[tokio::test]
async fn a_call_that_lacks_something_is_not_sent() {
    let client = Connection::new("http://127.0.0.1:1").build().unwrap();
    let failed = Error::from(
        client
            .payments_capture()
            .payment_id("pay_1")
            .send()
            .await
            .unwrap_err(),
    );
    assert!(matches!(failed, Error::NotSent { .. }), "{failed:?}");
    assert!(!failed.is_retryable() && !failed.is_outcome_unknown());
}

#[tokio::test]
async fn a_call_with_a_missing_or_unfit_parameter_is_not_sent() {
    let server = server(ResponseTemplate::new(200)).await;
    let client = client(&server);
    let missing = client.payments_retrieve().send().await.unwrap_err();
    let unfit = client.customers_list().limit(i64::MAX).send().await;
    let unfit = unfit.unwrap_err();
    let reasons = [missing.to_string(), unfit.to_string()];
    assert_eq!(
        reasons,
        [
            "Invalid Request: payment_id was not initialized",
            "Invalid Request: conversion to `i32` for limit failed"
        ]
    );
    assert!(server.received_requests().await.unwrap().is_empty());
}
