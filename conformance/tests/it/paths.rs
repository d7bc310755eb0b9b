//! Request lines that no client library sends: undecodable paths, invented methods, repeated slashes. Every answer
//! has the contract's error shape.

use multirail_conformance::TestServer;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request line unchanged; an HTTP client would correct it.
async fn sends(server: &TestServer, request_line: &str) -> (u16, Value) {
    let address = server.url().strip_prefix("http://").expect("plain HTTP");
    let mut stream = TcpStream::connect(address)
        .await
        .expect("the server listens");
    let request =
        format!("{request_line} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("the server reads");
    let mut answer = String::new();
    stream
        .read_to_string(&mut answer)
        .await
        .expect("the server answers");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .expect("a status");
    (
        status,
        serde_json::from_str(body).unwrap_or(Value::String(body.to_owned())),
    )
}

fn members(body: &Value) -> Vec<&str> {
    let mut names: Vec<&str> = body
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn every_refusal_has_the_shape_of_the_contract() {
    let server = TestServer::start().await;
    for (line, status, code) in [
        ("GET /payments/%FF", 400, "IR_06"),
        ("POST /payments/%FF/cancel", 400, "IR_06"),
        ("GET /payments/.", 400, "IR_06"),
        ("GET /payments/../accounts", 400, "IR_06"),
        ("GET /payments/%2e%2e/accounts", 400, "IR_06"),
        ("BREW /payments", 405, "IR_03"),
        ("BREW /nowhere", 404, "IR_02"),
        ("BREW /payments/%FF", 400, "IR_06"),
        ("GET /%20", 404, "IR_02"),
        ("GET //payments", 404, "IR_02"),
        ("POST //payments/list", 404, "IR_02"),
        ("POST /payments/list/", 404, "IR_02"),
        ("POST /payments//list", 404, "IR_02"),
        ("GET /health/", 404, "IR_02"),
        ("GET //health", 404, "IR_02"),
        ("GET //openapi.json", 404, "IR_02"),
        ("GET /openapi.json/", 404, "IR_02"),
        ("GET //docs", 404, "IR_02"),
        ("TRACE /payments", 405, "IR_03"),
        ("PATCH /payments", 405, "IR_03"),
        ("GET /payments?a=%FF", 405, "IR_03"),
    ] {
        let (seen, body) = sends(&server, line).await;
        assert_eq!(
            members(&body),
            ["code", "error_type", "message"],
            "{line}: {body}"
        );
        assert_eq!(
            (seen, body["code"].as_str()),
            (status, Some(code)),
            "{line}"
        );
    }
}

/// There is no request yet that could be answered. The guide to errors says so.
#[tokio::test]
async fn bytes_that_http_cannot_read_are_refused_without_a_body() {
    let server = TestServer::start().await;
    for bytes in [
        "GET /health HTTP/1.1\r\na header line without a colon",
        "GET /health HTTP/1.1\r\ncontent-length: abc\r\nx: y",
    ] {
        let answer = sends(&server, bytes).await;
        assert_eq!(answer, (400, Value::String(String::new())), "{bytes}");
    }
}
