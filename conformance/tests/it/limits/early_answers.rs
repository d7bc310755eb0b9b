//! Answers before the whole body has arrived. A client that writes everything before it reads must still get them.

use std::sync::Arc;

use multirail_conformance::TestServer;
use multirail_conformance::patience::PATIENCE;
use multirail_server::config::Setting;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

const LONG: usize = 3_000_000;

/// A client that knows nothing of early answers.
struct Client(TcpStream);

impl Client {
    async fn connect(server: &TestServer) -> Self {
        let address = server.url().strip_prefix("http://").expect("plain HTTP");
        Self(TcpStream::connect(address).await.expect("it listens"))
    }

    async fn writes(&mut self, bytes: &[u8]) {
        let written = timeout(PATIENCE, self.0.write_all(bytes)).await;
        written.expect("it is read").expect("the pipe is whole");
    }

    /// Reads one answer: the head in lower case, and the body.
    async fn reads(&mut self) -> (String, String) {
        let mut answer = Vec::new();
        let reading = async {
            loop {
                let text = String::from_utf8_lossy(&answer).into_owned();
                if let Some((head, body)) = text.split_once("\r\n\r\n")
                    && body.len() >= length(head)
                {
                    return (head.to_lowercase(), body.to_owned());
                }
                let read = self.0.read_buf(&mut answer).await;
                assert_ne!(read.expect("the pipe is whole"), 0, "no answer: {text:?}");
            }
        };
        timeout(PATIENCE, reading).await.expect("an answer")
    }

    /// Checks that nothing more comes and the server closes.
    async fn ends(&mut self) {
        let mut rest = Vec::new();
        let ended = timeout(PATIENCE, self.0.read_to_end(&mut rest)).await;
        // A reset is an end too.
        let _ = ended.expect("the server closes");
        assert_eq!(String::from_utf8_lossy(&rest), "");
    }
}

fn length(head: &str) -> usize {
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(0, |(_, value)| value.parse().expect("a number"))
}

fn head(line: &str, key: &str, more: &str) -> Vec<u8> {
    format!(
        "{line} HTTP/1.1\r\nhost: localhost\r\napi-key: {key}\r\ncontent-type: application/json\r\n{more}\r\n\r\n"
    )
    .into_bytes()
}

/// Builds a request with a long body, with a content length or in chunks.
fn request(line: &str, key: &str, is_chunked: bool) -> Vec<u8> {
    if !is_chunked {
        let mut request = head(line, key, &format!("content-length: {LONG}"));
        request.resize(request.len() + LONG, b' ');
        return request;
    }
    let mut request = head(line, key, "transfer-encoding: chunked");
    for _ in 0..LONG / 10_000 {
        request.extend(format!("{:x}\r\n", 10_000).into_bytes());
        request.resize(request.len() + 10_000, b' ');
        request.extend(b"\r\n");
    }
    request.extend(b"0\r\n\r\n");
    request
}

async fn server(guard: &str) -> Arc<TestServer> {
    TestServer::start_with(|inputs| inputs.with(Setting::ConnectionGuard, guard)).await
}

#[tokio::test]
async fn clients_that_write_everything_first_get_the_answer() {
    for guard in ["off", "on"] {
        let shop = server(guard).await.shop("bookshop").await;
        for is_chunked in [false, true] {
            let mut client = Client::connect(&shop.server).await;
            for (line, key, status) in [
                ("POST /payments", &*shop.api_key, 413),
                ("POST /payments", "wrong", 401),
                ("POST /nowhere", "", 404),
                ("PUT /payments", &shop.api_key, 405),
                ("GET /payments/list", &shop.api_key, 200),
            ] {
                client.writes(&request(line, key, is_chunked)).await;
                let (head, body) = client.reads().await;
                assert!(
                    head.starts_with(&format!("http/1.1 {status}")),
                    "guard {guard}, {line}: {head}{body}"
                );
                assert!(!head.contains("connection: close"), "{head}");
            }
        }
    }
}

#[tokio::test]
async fn also_who_asks_too_fast() {
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::RateLimitPerSecond, "1")
            .with(Setting::RateLimitBurst, "2")
    })
    .await;
    let shop = server.shop("bookshop").await;
    let mut client = Client::connect(&server).await;
    let mut refused = false;
    for _ in 0..4 {
        let long = request("POST /payments", &shop.api_key, false);
        client.writes(&long).await;
        refused |= client.reads().await.0.starts_with("http/1.1 429");
    }
    assert!(refused);
}

#[tokio::test]
async fn clients_that_expect_a_100_get_the_refusal_instead() {
    let shop = server("on").await.shop("bookshop").await;
    for (key, status) in [("wrong", 401), (&*shop.api_key, 413)] {
        let expects = format!("expect: 100-continue\r\ncontent-length: {LONG}");
        let asking = head("POST /payments", key, &expects);
        let mut patient = Client::connect(&shop.server).await;
        patient.writes(&asking).await;
        let (answer, _) = patient.reads().await;
        assert!(
            answer.starts_with(&format!("http/1.1 {status}")),
            "{answer}"
        );
        assert!(answer.contains("connection: close"), "{answer}");

        // Some clients ask with `expect` but don't wait.
        let mut hasty = Client::connect(&shop.server).await;
        hasty.writes(&asking).await;
        hasty.writes(&vec![b' '; LONG]).await;
        let (answer, _) = hasty.reads().await;
        assert!(
            answer.starts_with(&format!("http/1.1 {status}")),
            "{answer}"
        );
        hasty.ends().await;
    }
    // If the server wants the body, it answers 100.
    let wanted = head(
        "POST /payments",
        &shop.api_key,
        "expect: 100-continue\r\ncontent-length: 2",
    );
    let mut client = Client::connect(&shop.server).await;
    client.writes(&wanted).await;
    assert!(client.reads().await.0.starts_with("http/1.1 100"));
    client.writes(b"{}").await;
    assert!(client.reads().await.0.starts_with("http/1.1 400"));
}

#[tokio::test]
async fn there_is_an_end_to_it() {
    for guard in ["off", "on"] {
        let server = TestServer::start_with(|inputs| {
            inputs
                .with(Setting::ConnectionGuard, guard)
                .with(Setting::BodyTimeoutMs, "100")
        })
        .await;
        let mut slow = Client::connect(&server).await;
        let asking = head("POST /payments", "wrong", "content-length: 3000");
        slow.writes(&asking).await;
        slow.writes(b"  ").await;
        assert!(slow.reads().await.0.starts_with("http/1.1 401"));
        slow.ends().await;

        let mut endless = Client::connect(&server).await;
        let asking = head("POST /payments", "wrong", "content-length: 900000000");
        endless.writes(&asking).await;
        let (answer, _) = endless.reads().await;
        assert!(answer.contains("connection: close"), "{answer}");
        let megabyte = vec![b' '; 1_000_000];
        let writing = async { while endless.0.write_all(&megabyte).await.is_ok() {} };
        timeout(PATIENCE, writing).await.expect("the server closes");
    }
}
