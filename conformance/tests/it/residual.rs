//! The two errors that the HTTP library finds before any of our code runs. They keep its shape; this pins it, so that a
//! change of the library is noticed. openapi/README.md tells about them.

use multirail_conformance::TestServer;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request line as it is: an HTTP client would mend it.
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
async fn a_path_that_cant_be_decoded() {
    let server = TestServer::start().await;
    for path in ["/payments/%FF", "/payments/.", "/payments/../accounts"] {
        let (status, body) = sends(&server, &format!("GET {path}")).await;
        assert_eq!(
            (status, members(&body)),
            (400, vec!["message", "request_id"]),
            "{path}: {body}"
        );
    }
}

#[tokio::test]
async fn a_method_that_nobody_knows() {
    let server = TestServer::start().await;
    let (status, body) = sends(&server, "BREW /payments").await;
    assert_eq!(
        (status, members(&body)),
        (405, vec!["message", "request_id"]),
        "{body}"
    );
}

#[tokio::test]
async fn everything_else_is_ours() {
    let server = TestServer::start().await;
    for line in [
        "GET /%20",
        "GET //payments",
        "TRACE /payments",
        "PATCH /payments",
        "GET /payments?a=%FF",
    ] {
        let (status, body) = sends(&server, line).await;
        assert!((400..500).contains(&status), "{line}: {status}");
        assert_eq!(
            members(&body),
            ["code", "error_type", "message"],
            "{line}: {body}"
        );
    }
}
