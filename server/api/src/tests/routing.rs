//! Paths, methods, queries, panics, and the parts common to every answer.

use super::server::TestServer;

#[tokio::test]
async fn unknown_paths_and_wrong_methods() {
    let server = TestServer::start().await;
    assert_eq!(
        server.call("GET /nothing", "", "").await.error(),
        "404 IR_02 There is nothing at this path."
    );
    assert_eq!(
        server.call("GET /", "", "").await.error(),
        "404 IR_02 There is nothing at this path."
    );
    assert_eq!(server.call("GET /page", "", "").await.body, "a page");

    let answer = server.call("DELETE /payments", "", "").await;
    assert_eq!(
        answer.error(),
        "405 IR_03 This path doesn't take this method. It takes: POST, OPTIONS."
    );
    assert_eq!(answer.header("allow"), Some("POST, OPTIONS"));
    // The literal path wins over the variable one, even for methods that only the latter has.
    let answer = server.call("DELETE /payments/list", "", "").await;
    assert_eq!(answer.header("allow"), Some("GET, POST, HEAD, OPTIONS"));

    let answer = server.call("OPTIONS /payments/pay_1/confirm", "", "").await;
    assert_eq!(
        (answer.status, answer.header("allow")),
        (204, Some("POST, OPTIONS"))
    );
}

#[tokio::test]
async fn a_literal_next_to_a_variable() {
    let server = TestServer::start().await;
    assert_eq!(
        server
            .call("POST /payments/list", "secret", "{}")
            .await
            .status,
        200
    );
    assert!(
        server
            .take_notes()
            .remove(0)
            .starts_with("payments_filter ")
    );
    assert_eq!(
        server
            .call("POST /payments/list2", "secret", "{}")
            .await
            .status,
        200
    );
    assert!(
        server
            .take_notes()
            .remove(0)
            .starts_with("payments_update ")
    );
    assert_eq!(
        server
            .call(
                "GET /payments/list?limit=3&created.lt=2026-01-05T10:11:12Z",
                "secret",
                ""
            )
            .await
            .status,
        200
    );
    let seen = server.take_notes().remove(0);
    assert!(
        seen.contains("limit: Some(3)") && seen.contains("created_lt: Some(2026-01-05T10:11:12Z)"),
        "{seen}"
    );
}

#[tokio::test]
async fn queries_and_path_values() {
    let server = TestServer::start().await;
    let cases = [
        (
            "GET /payments/list?limit=x",
            "400 IR_06 The query parameter `limit` must be a whole number.",
        ),
        (
            "GET /payments/list?limit=1&limit=2",
            "400 IR_06 The query parameter `limit` stands more than once.",
        ),
        (
            "GET /payments/list?created.lt=yesterday",
            "400 IR_06 The query parameter `created.lt` must be a date-time of RFC 3339, such as 2026-01-05T10:11:12.345Z.",
        ),
        (
            "GET /payments/pay_1?force_sync=maybe",
            "400 IR_06 The query parameter `force_sync` must be true or false.",
        ),
        (
            "GET /payments/p%20y",
            "400 IR_06 The path parameter `payment_id` must be 1 to 64 letters, digits, `_` or `-`.",
        ),
        (
            "GET /payments/a%2Fb",
            "400 IR_06 The path parameter `payment_id` must be 1 to 64 letters, digits, `_` or `-`.",
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(
            server.call(line, "secret", "").await.error(),
            expected,
            "{line}"
        );
    }
    let long = format!("GET /payments/{}", "x".repeat(65));
    assert!(
        server
            .call(&long, "secret", "")
            .await
            .error()
            .starts_with("400 IR_06 The path parameter `payment_id`")
    );
    let negative = "GET /api_keys/bookshop/list?skip=-1";
    assert_eq!(
        server.call(negative, "admin", "").await.error(),
        "400 IR_06 The query parameter `skip` must be at least 0."
    );
}

#[tokio::test]
async fn a_panic_is_an_ordinary_failure() {
    let server = TestServer::start().await;
    let answer = server
        .call("POST /payments/pay_1/cancel", "secret", "")
        .await;
    assert_eq!(
        answer.error(),
        "500 HE_00 Something went wrong on our side. The request id leads to our log."
    );
    assert_eq!(
        server.take_notes(),
        ["finished POST /payments/{payment_id}/cancel payments_cancel bookshop 500 HE_00"]
    );
}

#[tokio::test]
async fn every_answer_is_finished() {
    let server = TestServer::start().await;
    let answer = server.call("GET /health", "", "").await;
    assert_eq!(
        (answer.status, answer.body.as_str()),
        (200, "health is good")
    );
    assert_eq!(
        answer.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    assert_eq!(answer.header("x-finished"), Some("yes"));

    let head = server.call("HEAD /health", "", "").await;
    assert_eq!(
        (
            head.status,
            head.body.as_str(),
            head.header("content-length")
        ),
        (200, "", Some("14"))
    );

    server.call("GET /nothing?client_secret=x", "", "").await;
    assert_eq!(
        server.take_notes(),
        [
            "finished GET /health health_check - 200 -",
            "finished HEAD /health health_check - 200 -",
            "finished GET unknown - - 404 IR_02",
        ]
    );
}

#[tokio::test]
async fn undecodable_paths_and_invented_methods_have_our_shape() {
    let server = TestServer::start().await;
    for (line, status, code) in [
        ("GET /payments/%FF", 400, "IR_06"),
        ("GET /payments/../accounts", 400, "IR_06"),
        ("BREW /payments", 405, "IR_03"),
        ("BREW /nowhere", 404, "IR_02"),
        ("GET //payments/list", 404, "IR_02"),
        ("GET /payments/list/", 404, "IR_02"),
    ] {
        let answer = server.call(line, "secret", "").await;
        assert_eq!(answer.status, status, "{line}");
        assert_eq!(answer.json()["code"], code, "{line}");
    }
    assert_eq!(
        server.take_notes(),
        [
            "finished GET unknown - - 400 IR_06",
            "finished GET unknown - - 400 IR_06",
            "finished BREW /payments - - 405 IR_03",
            "finished BREW unknown - - 404 IR_02",
            "finished GET unknown - - 404 IR_02",
            "finished GET unknown - - 404 IR_02",
        ]
    );
}
