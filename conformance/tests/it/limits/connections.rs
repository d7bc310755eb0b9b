//! The connection guard in front of a real server.

use std::future::IntoFuture;
use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::TestServer;
use multirail_server::config::Setting;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::paid;
use crate::in_flight::is_authorized;

/// The time limit for a client's first bytes, and the extra time of a slow machine.
const FIRST_BYTES: Duration = Duration::from_secs(5);
const SLACK: Duration = Duration::from_secs(5);

async fn guarded(connections: &str) -> Arc<TestServer> {
    TestServer::start_with(|inputs| {
        inputs
            .with(Setting::ConnectionGuard, "on")
            .with(Setting::MaxConnections, connections)
            .with(Setting::SimulatorDelayMs, "400")
    })
    .await
}

async fn connect(server: &TestServer) -> TcpStream {
    let address = server.url().strip_prefix("http://").expect("http");
    TcpStream::connect(address)
        .await
        .expect("the guard takes connections")
}

/// Linux accepts all of 127.0.0.0/8 as its own addresses.
async fn connect_from(address: &str, server: &TestServer) -> TcpStream {
    let to = server.url().strip_prefix("http://").expect("http");
    let socket = TcpSocket::new_v4().expect("a socket");
    let from = format!("{address}:0").parse().expect("an address");
    socket.bind(from).expect("an address of this machine");
    socket
        .connect(to.parse().expect("an address"))
        .await
        .expect("the guard takes connections")
}

/// Requests `/health` and leaves the connection open. Returns none if the server closed it.
async fn ask(stream: &mut TcpStream) -> Option<String> {
    stream
        .write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await
        .ok()?;
    let mut answer = Vec::new();
    while !String::from_utf8_lossy(&answer).contains("health is good") {
        if stream.read_buf(&mut answer).await.ok()? == 0 {
            return None;
        }
    }
    String::from_utf8(answer).ok()
}

#[tokio::test]
async fn payments_go_through_the_guard() {
    let shop = guarded("100").await.shop("bookshop").await;
    let payment = shop.creates(paid()).await.ok();
    assert_eq!(payment["status"], "succeeded");
    shop.retrieves(&payment).await.ok();
}

#[tokio::test]
async fn silent_connections_are_closed() {
    let server = guarded("100").await;
    let started = Instant::now();
    let mut silent = connect(&server).await;
    let mut mumbling = connect(&server).await;
    // This byte could still begin HTTP/2.
    mumbling.write_all(b"P").await.expect("one byte");
    for stream in [&mut silent, &mut mumbling] {
        let mut rest = Vec::new();
        let ended = timeout(FIRST_BYTES + SLACK, stream.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "still open after {:?}", started.elapsed());
        assert!(rest.is_empty());
    }
    assert!(
        started.elapsed() >= FIRST_BYTES - Duration::from_millis(500),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn a_newcomer_replaces_the_longest_idle_connection() {
    let server = guarded("3").await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut stream = connect(&server).await;
        assert!(ask(&mut stream).await.is_some());
        open.push(stream);
    }
    let mut one_more = connect(&server).await;
    assert!(ask(&mut one_more).await.is_some());
    let mut longest_idle = open.remove(0);
    assert_eq!(ask(&mut longest_idle).await, None);
    // The other connections aren't affected.
    for stream in &mut open {
        assert!(ask(stream).await.is_some());
    }
}

/// One address holds two thousand unfinished requests open. Meanwhile another one pays.
#[tokio::test]
async fn many_connections_of_one_address_only_displace_each_other() {
    const CROWD: usize = 2_000;
    const ALLOWED: usize = 64;
    let server = TestServer::start_with(|inputs| {
        inputs
            .with(Setting::ConnectionGuard, "on")
            .with(Setting::MaxConnectionsPerClient, ALLOWED.to_string())
    })
    .await;
    let mut idle = connect(&server).await;
    assert!(ask(&mut idle).await.is_some());
    let shop = server.shop("bookshop").await;

    let mut crowd = Vec::with_capacity(CROWD);
    for n in 0..CROWD {
        let mut stream = connect_from("127.0.0.2", &server).await;
        stream
            .write_all(b"POST /payments HTTP/1.1\r\nhost: localhost\r\nx-slow: ")
            .await
            .expect("it is taken");
        crowd.push(stream);
        if n % 500 == 0 {
            assert_eq!(shop.creates(paid()).await.ok()["status"], "succeeded");
        }
    }
    // All but the youngest were closed, and the youngest trickle on without an effect.
    let staying = crowd.split_off(CROWD - ALLOWED);
    for mut stream in crowd {
        let mut rest = Vec::new();
        let _ = timeout(SLACK, stream.read_to_end(&mut rest))
            .await
            .expect("the guard ends it");
        assert!(rest.is_empty());
    }
    for mut stream in staying {
        stream.write_all(b"z").await.expect("it is still there");
        assert_eq!(
            stream.try_read(&mut [0; 1]).map_err(|error| error.kind()),
            Err(std::io::ErrorKind::WouldBlock)
        );
    }
    assert_eq!(shop.creates(paid()).await.ok()["status"], "succeeded");
    assert!(ask(&mut idle).await.is_some(), "who came before stays");
    assert!(ask(&mut connect(&server).await).await.is_some());
}

#[tokio::test]
async fn a_stop_finishes_what_is_in_flight() {
    let server = guarded("100").await;
    let shop = server.shop("bookshop").await;
    let paying = tokio::spawn(shop.creates(paid()).into_future());
    let idle = connect(&server).await;
    is_authorized(&shop).await;
    assert!(
        !paying.is_finished(),
        "the processor takes longer than that"
    );
    drop(shop);
    assert_eq!(timeout(SLACK, server.stops()).await, Ok(Ok(())));
    let payment = paying.await.expect("no panic").ok();
    assert_eq!(payment["status"], "succeeded");
    drop(idle);
}
