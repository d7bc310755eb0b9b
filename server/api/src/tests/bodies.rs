//! Bodies that are refused, and the answers.

use super::server::TestServer;

const CONFIRM: &str = "POST /payments/pay_1/confirm";

#[tokio::test]
async fn errors_name_the_member() {
    let server = TestServer::start().await;
    let card = |inner: &str| {
        format!(r#"{{"payment_method":"card","payment_method_data":{{"card":{inner}}}}}"#)
    };
    let cases = [
        (
            "POST /payments",
            r#"{"currency":"USD"}"#.to_owned(),
            "400 IR_04 Missing required parameter: amount",
        ),
        (
            "POST /payments",
            r#"{"amount":null,"currency":"USD"}"#.to_owned(),
            "400 IR_04 Missing required parameter: amount",
        ),
        (
            "POST /payments",
            r#"{"amount":"1","currency":"USD"}"#.to_owned(),
            "400 IR_06 `amount` must be a whole number.",
        ),
        (
            "POST /payments",
            r#"{"amount":1e18,"currency":"USD"}"#.to_owned(),
            "400 IR_06 `amount` must be a whole number, written in digits alone.",
        ),
        (
            "POST /payments",
            r#"{"amount":1.5,"currency":"USD"}"#.to_owned(),
            "400 IR_06 `amount` must be a whole number.",
        ),
        (
            "POST /payments",
            r#"{"currency":"XXQ"}"#.to_owned(),
            "400 IR_04 Missing required parameter: amount",
        ),
        (
            "POST /payments",
            r#"{"amount":1,"currency":"XXQ"}"#.to_owned(),
            "400 IR_06 `currency` must be one of the words that the document lists.",
        ),
        (
            "POST /payments",
            r#"[]"#.to_owned(),
            "400 IR_06 The body must be an object.",
        ),
        (
            CONFIRM,
            card(r#"{}"#),
            "400 IR_04 Missing required parameter: payment_method_data.card.card_number",
        ),
        (
            CONFIRM,
            card(r#"{"card_number":4111111111111111}"#),
            "400 IR_06 `payment_method_data.card.card_number` must be text.",
        ),
        (
            CONFIRM,
            r#"{"order_details":[{"product_name":"a","quantity":1},{"quantity":1}]}"#.to_owned(),
            "400 IR_04 Missing required parameter: order_details[0].amount",
        ),
        (
            CONFIRM,
            r#"{"browser_info":{"color_depth":99999999999}}"#.to_owned(),
            "400 IR_06 `browser_info.color_depth` must be at most 1024.",
        ),
    ];
    for (line, body, expected) in cases {
        assert_eq!(
            server.call(line, "secret", &body).await.error(),
            expected,
            "{line} {body}"
        );
    }
    let long = format!(r#"{{"statement_descriptor_name":"{}"}}"#, "x".repeat(256));
    let answer = server.call(CONFIRM, "secret", &long).await.error();
    assert_eq!(
        answer,
        "422 IR_05 `statement_descriptor_name` must be at most 255 characters long."
    );
}

#[tokio::test]
async fn messages_never_repeat_what_was_sent() {
    let server = TestServer::start().await;
    let body = r#"{"payment_method_data":{"card":{"card_number":["4000000000000002"],"card_exp_month":"10"}}}"#;
    let answer = server.call(CONFIRM, "secret", body).await;
    assert!(
        answer
            .error()
            .starts_with("400 IR_06 `payment_method_data.card.card_number`"),
        "{answer:?}"
    );
    assert!(!answer.body.contains("4000000000000002"));
    assert!(!server.take_notes().join("\n").contains("4000000000000002"));
}

#[tokio::test]
async fn bodies_that_are_not_one_json_value() {
    let server = TestServer::start().await;
    let cases = [
        (
            r#"{"amount":1}{}"#,
            "400 IR_06 Something follows the JSON value: line 1, column 13.",
        ),
        (
            r#"{"amount":1"#,
            "400 IR_06 The body ends too early: line 1, column 11.",
        ),
        (
            r#"{amount:1}"#,
            "400 IR_06 The body isn't JSON: line 1, column 2.",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(
            server.call(CONFIRM, "secret", body).await.error(),
            expected,
            "{body}"
        );
    }
}

#[tokio::test]
async fn media_types() {
    let server = TestServer::start().await;
    let send = async |media: &str, body: &str| {
        let length = body.len();
        let request = format!(
            "{CONFIRM} HTTP/1.1\r\nhost: test\r\nconnection: close\r\napi-key: secret\r\n{media}content-length: {length}\r\n\r\n{body}"
        );
        server.raw(request.as_bytes()).await
    };
    let refused = "415 IR_06 The body must be JSON and the header `content-type` must say `application/json`.";
    assert_eq!(
        send("content-type: text/plain\r\n", "{}").await.error(),
        refused
    );
    assert_eq!(send("", "{}").await.error(), refused);
    assert_eq!(
        send("content-type: Application/JSON; charset=utf-8\r\n", "{}")
            .await
            .status,
        200
    );
    // An empty body is an empty object, whatever its content type. White space is not empty.
    assert_eq!(send("content-type: text/plain\r\n", "").await.status, 200);
    assert_eq!(send("", " ").await.status, 415);
    assert_eq!(
        send("content-type: application/json\r\n", " ").await.status,
        400
    );
}

#[tokio::test]
async fn bodies_that_are_too_long_or_too_slow() {
    let server = TestServer::start().await;
    let big = format!(r#"{{"description":"{}"}}"#, "x".repeat(32_768));
    assert_eq!(
        server.call(CONFIRM, "secret", &big).await.error(),
        "413 IR_06 The body is longer than 32768 bytes."
    );

    // Without a declared length the bytes are counted as they arrive.
    let chunk = format!("{:x}\r\n{big}\r\n0\r\n\r\n", big.len());
    let head =
        format!("{CONFIRM} HTTP/1.1\r\nhost: test\r\nconnection: close\r\napi-key: secret\r\n");
    let chunked = format!(
        "{head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n{chunk}"
    );
    assert_eq!(
        server.raw(chunked.as_bytes()).await.error(),
        "413 IR_06 The body is longer than 32768 bytes."
    );

    let slow = format!("{head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{{");
    assert_eq!(
        server.raw(slow.as_bytes()).await.error(),
        "408 IR_06 The body took too long to arrive."
    );
}

/// The sender of such a body expects an effect.
#[tokio::test]
async fn a_body_where_none_is_taken() {
    let server = TestServer::start().await;
    let refused = "400 IR_06 This operation takes no body.";
    for line in ["DELETE /customers/ada", "POST /payments/pay_1/approve"] {
        for body in [
            r#"{"reason":"asked"}"#,
            "[]",
            "null",
            "reason=asked",
            "{",
            " ",
        ] {
            assert_eq!(
                server.call(line, "secret", body).await.error(),
                refused,
                "{line} {body}"
            );
        }
        for body in ["", "{}", "{ }"] {
            assert!(
                !server
                    .call(line, "secret", body)
                    .await
                    .body
                    .contains("takes no body"),
                "{line} {body}"
            );
        }
        let big = "x".repeat(40_000);
        let answer = server.call(line, "secret", &big).await.error();
        assert!(answer.starts_with("413 IR_06"), "{answer}");
    }
    let read = server.call("GET /payments/pay_1", "secret", "{}").await;
    assert_eq!(
        read.status,
        server
            .call("GET /payments/pay_1", "secret", "")
            .await
            .status
    );
}

#[tokio::test]
async fn a_key_is_asked_for_before_the_body_is_read() {
    let server = TestServer::start().await;
    let big = "x".repeat(40_000);
    assert!(
        server
            .call(CONFIRM, "wrong", &big)
            .await
            .error()
            .starts_with("401 IR_01 ")
    );
}

#[tokio::test]
async fn values_are_prepared_as_the_document_means_them() {
    let server = TestServer::start().await;
    let body = r#"{"amount":6540.0,"currency":"USD","description":null,"metadata":{"kept":null}}"#;
    assert_eq!(
        server.call("POST /payments", "secret", body).await.status,
        200
    );
    let seen = server.take_notes().remove(0);
    assert!(seen.contains("amount: 6540,"), "{seen}");
    assert!(seen.contains("description: None"), "{seen}");
    assert!(seen.contains(r#"metadata: Some({"kept": Null})"#), "{seen}");

    let body = r#"{"payment_method_data":{"card":{"card_number":"4111111111111111","card_exp_month":"10","card_exp_year":"2035","card_cvc":"737","card_network":"VISA"}}}"#;
    assert_eq!(server.call(CONFIRM, "secret", body).await.status, 200);
    let seen = server.take_notes().remove(0);
    assert!(seen.contains("card_network: Some(Visa)"), "{seen}");
    assert!(!seen.contains("4111111111111111"), "{seen}");
}
