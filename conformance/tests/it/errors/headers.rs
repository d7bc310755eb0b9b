//! Headers that two readers of one request could understand differently are refused.

use multirail_conformance::{Shop, TestServer};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends exactly these bytes, and returns everything until the server closes.
async fn said(server: &TestServer, request: &str) -> String {
    let address = server.url().strip_prefix("http://").expect("plain HTTP");
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("the server reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .await
        .expect("the server answers");
    answer
}

/// Returns status, code and message of the only answer.
fn error(answer: &str) -> String {
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let status = head.split(' ').nth(1).expect("a status");
    let body: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"));
    let text = |name: &str| body[name].as_str().expect("a text").to_owned();
    assert_eq!(text("error_type"), "invalid_request");
    format!("{status} {} {}", text("code"), text("message"))
}

async fn order(shop: &Shop, headers: &str, body: &str) -> String {
    let key = &shop.api_key;
    let request = format!(
        "POST /payments HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         api-key: {key}\r\ncontent-type: application/json\r\n{headers}\r\n\r\n{body}"
    );
    said(&shop.server, &request).await
}

const ORDER: &str = r#"{"amount":6540,"currency":"USD"}"#;

#[tokio::test]
async fn repeated_headers_are_refused() {
    let shop = Shop::open().await;
    let length = format!("content-length: {}", ORDER.len());
    for (name, value) in [
        ("api-key", "another"),
        ("api-key", &*shop.api_key),
        ("content-type", "text/plain"),
        ("host", "another.example"),
    ] {
        let told = error(&order(&shop, &format!("{name}: {value}\r\n{length}"), ORDER).await);
        assert_eq!(
            told,
            format!("400 IR_06 The header `{name}` stands more than once.")
        );
    }
    for name in [
        "authorization",
        "idempotency-key",
        "x-profile-id",
        "x-connected-merchant-id",
        "origin",
    ] {
        let twice = format!("{name}: a\r\n{name}: a\r\n{length}");
        let told = error(&order(&shop, &twice, ORDER).await);
        assert_eq!(
            told,
            format!("400 IR_06 The header `{name}` stands more than once.")
        );
    }
    let nameless = format!(
        "GET /payments/list HTTP/1.1\r\nconnection: close\r\napi-key: {}\r\n\r\n",
        shop.api_key
    );
    assert_eq!(
        error(&said(&shop.server, &nameless).await),
        "400 IR_06 The header `host` is missing."
    );
    assert_eq!(shop.call("payments_list").await.ok()["size"], 0);
}

#[tokio::test]
async fn a_body_has_one_end() {
    let shop = Shop::open().await;
    let chunks = format!("{:x}\r\n{ORDER}\r\n0\r\n\r\n", ORDER.len());
    let well = order(&shop, "transfer-encoding: chunked", &chunks).await;
    assert!(well.starts_with("HTTP/1.1 200"), "{well}");
    for coding in [
        "identity\r\ntransfer-encoding: chunked",
        "chunked\r\ntransfer-encoding: chunked",
        "identity, chunked",
        "gzip, chunked",
        "chunked, chunked",
    ] {
        let told = error(&order(&shop, &format!("transfer-encoding: {coding}"), &chunks).await);
        assert_eq!(
            told, "400 IR_06 The header `transfer-encoding` must be `chunked` and nothing else.",
            "{coding}"
        );
    }
    // The HTTP library refuses these in its own way: codings that don't end in `chunked`, and contradictory lengths.
    for ends in [
        "transfer-encoding: identity",
        "transfer-encoding: chunked, identity",
        "content-length: 32\r\ncontent-length: 33",
        "content-length: 32, 32",
        "content-length: +32",
    ] {
        let answer = order(&shop, ends, ORDER).await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{ends}: {answer}");
    }
    assert_eq!(shop.call("payments_list").await.ok()["size"], 1);
}

/// With both headers, the HTTP library uses `transfer-encoding`, as it must, and hides the length from us. A proxy in
/// front may read the rest as a second request, so the server closes the connection instead of answering it.
#[tokio::test]
async fn nothing_hides_behind_two_ends() {
    let shop = Shop::open().await;
    let hidden = format!(
        "0\r\n\r\nGET /payments/list HTTP/1.1\r\nhost: localhost\r\napi-key: {}\r\n\r\n",
        shop.api_key
    );
    for both in [
        "content-length: 5\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 5",
    ] {
        let key = &shop.api_key;
        let request = format!(
            "POST /payments HTTP/1.1\r\nhost: localhost\r\napi-key: {key}\r\n{both}\r\n\r\n{hidden}"
        );
        let answer = said(&shop.server, &request).await;
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    }
}
