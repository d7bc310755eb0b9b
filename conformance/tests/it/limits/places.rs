//! One address can't take all places for requests from the others.

use std::sync::Arc;
use std::time::Duration;

use multirail_conformance::patience::{until, until_found};
use multirail_conformance::{Call, Response, TestServer};
use multirail_server::config::Setting;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::paid;

/// The time that a slow machine may need for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

async fn with_places(all: &str, of_one_client: &str) -> Arc<TestServer> {
    TestServer::start_with(|inputs| {
        inputs
            .with(Setting::MaxRequests, all)
            .with(Setting::MaxRequestsPerClient, of_one_client)
            .with(Setting::BodyTimeoutMs, "60000")
    })
    .await
}

/// Linux accepts all of 127.0.0.0/8 as its own addresses.
async fn connect_from(address: &str, server: &TestServer) -> TcpStream {
    let to = server.url().strip_prefix("http://").expect("http");
    let socket = TcpSocket::new_v4().expect("a socket");
    let from = format!("{address}:0").parse().expect("an address");
    socket.bind(from).expect("an address of this machine");
    let to = to.parse().expect("an address");
    socket.connect(to).await.expect("a connection")
}

/// Builds a frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short frame");
    let mut frame = length.to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Encodes the head of a request for a payment.
fn head(key: &str) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", "/payments"),
        (":authority", "localhost"),
        ("content-type", "application/json"),
        ("api-key", key),
    ] {
        head.push(0);
        for text in [name, value] {
            head.push(u8::try_from(text.len()).expect("a short text"));
            head.extend(text.as_bytes());
        }
    }
    head
}

/// Opens a connection with this many streams, each waiting for a body that never comes.
async fn waits_for_bodies(server: &TestServer, key: &str, streams: u32) -> TcpStream {
    const SETTINGS: u8 = 4;
    const HEADERS: u8 = 1;
    const END_OF_HEAD: u8 = 4;
    let mut connection = connect_from("127.0.0.2", server).await;
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, &[]));
    for number in 0..streams {
        bytes.extend(frame(HEADERS, END_OF_HEAD, 2 * number + 1, &head(key)));
    }
    connection.write_all(&bytes).await.expect("it is taken");
    connection
}

/// Returns the number of answered streams of a connection.
async fn answered(connection: &mut TcpStream, at_least: usize) -> usize {
    const HEADERS: u8 = 1;
    let mut streams = 0;
    while streams < at_least {
        let mut head = [0; 9];
        let read = timeout(PATIENCE, connection.read_exact(&mut head)).await;
        read.expect("an answer").expect("an open connection");
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length).expect("a short frame")];
        let read = connection.read_exact(&mut payload).await;
        read.expect("a whole frame");
        streams += usize::from(head[3] == HEADERS);
    }
    streams
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_never_come_stop_no_other_request() {
    let server = with_places("40", "30").await;
    let shop = server.shop("bookshop").await;
    let key = shop.api_key.clone();
    let mut first = waits_for_bodies(&server, &key, 60).await;
    // Requests above the limit of one network are refused at once.
    assert_eq!(answered(&mut first, 30).await, 30);
    let mut second = waits_for_bodies(&server, &key, 60).await;
    assert_eq!(answered(&mut second, 60).await, 60);
    for _ in 0..5 {
        assert_eq!(shop.creates(paid()).await.ok()["status"], "succeeded");
        server.wire.call("health_ready").await.ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_connection_has_a_hundred_streams() {
    let server = with_places("1000", "1000").await;
    let shop = server.shop("bookshop").await;
    let mut connection = waits_for_bodies(&server, &shop.api_key, 130).await;
    assert_eq!(answered(&mut connection, 30).await, 30);
    assert_eq!(shop.creates(paid()).await.ok()["status"], "succeeded");
}

/// Sends a request from another address.
async fn asks_from(address: &str, server: &TestServer, path: &str) -> String {
    let mut connection = connect_from(address, server).await;
    let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    let written = connection.write_all(head.as_bytes()).await;
    written.expect("it is taken");
    let mut answer = String::new();
    let read = timeout(PATIENCE, connection.read_to_string(&mut answer)).await;
    read.expect("an answer").expect("a whole answer");
    answer
}

/// Repeats a call until it is refused.
async fn refusal_of(awaited: &str, call: &Call) -> Response {
    let look = async || {
        let answer = call.clone().await;
        match answer.status {
            200 => Err(answer.status),
            _ => Ok(answer),
        }
    };
    until_found(awaited, look).await
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_work_of_one_address_leaves_places_to_others() {
    let server = with_places("4", "3").await;
    let shop = server.shop("bookshop").await;
    let script = shop.processor().script();
    script.set_delay(Duration::from_secs(5));
    let work: Vec<_> = (0..3)
        .map(|_| {
            let call = shop.creates(paid());
            // The list requested below may be quicker, and hold the third place for a moment.
            let admitted = async move |call: Call| loop {
                let answer = call.clone().await;
                if answer.status != 429 {
                    return answer;
                }
            };
            tokio::spawn(admitted(call))
        })
        .collect();
    let list = shop.call("payments_list");
    let refused = refusal_of("three are worked on", &list).await;
    assert!(refused.header("retry-after").is_some());
    refused.refused(429, "MR_03");
    // The fourth place is left for others, and the server is still ready.
    let other = asks_from("127.0.0.2", &server, "/openapi.json").await;
    assert!(other.starts_with("HTTP/1.1 200"), "{other}");
    server.wire.call("health_ready").await.ok();
    for one in work {
        assert_eq!(one.await.expect("a task that ends").status, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_is_refused_while_all_places_are_taken() {
    let server = with_places("1", "1").await;
    let shop = server.shop("bookshop").await;
    server.wire.call("health_ready").await.ok();
    let script = shop.processor().script();
    script.set_delay(Duration::from_secs(3));
    let call = shop.creates(paid());
    let work = tokio::spawn(async move { call.await });
    let ready = server.wire.call("health_ready");
    let refused = refusal_of("it is full", &ready).await;
    assert!(refused.header("retry-after").is_some());
    refused.refused(503, "HE_00");
    server.wire.call("health_check").await;
    assert_eq!(work.await.expect("a task that ends").status, 200);
    let status = async || ready.clone().await.status;
    until("it has room", status, |status| *status == 200).await;
}
