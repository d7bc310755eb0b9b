//! Tests of the same processor over real connections.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use multirail_kernel::clock::Clock;
use multirail_sdk::connector::{OperationKind, Outcome, UnknownReason};
use multirail_simulator::scripted::{Call, Fault};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{THREE_DS, VISA, declined, done, redirect, unknown};
use crate::simulator::Simulator;
use crate::simulator::fixture::{Bench, DEADLINE, described};
use crate::simulator::remote::Remote;

/// A deadline for tests without an answer.
const SOON: Duration = Duration::from_secs(1);

#[tokio::test]
async fn everything_is_done_as_if_it_were_in_this_process() {
    let (bench, address) = Bench::over_http("stripe_test", DEADLINE).await;
    assert_eq!(done(bench.reserve("a", VISA).await), 6540);
    assert_eq!(done(bench.capture("c", "a", 2000, false).await), 2000);
    assert_eq!(done(bench.void("v", "a").await), 4540);
    assert_eq!(done(bench.refund("r", "a", 1500).await), 1500);
    assert_eq!(declined(bench.refund("s", "a", 501).await).code, "DC_03");
    assert_eq!(
        declined(bench.sale("b", "4000000000000002").await).code,
        "DC_08"
    );
    assert!(redirect(bench.sale("d", THREE_DS).await).contains("/dummy-connector/authorize/"));
    assert_eq!(done(bench.look_up(OperationKind::Capture, "c").await), 2000);
    assert_eq!(done(bench.look_up(OperationKind::Refund, "r").await), 1500);
    for kind in [OperationKind::Authorize, OperationKind::Refund] {
        let missing = bench.look_up(kind, "nothing").await;
        assert!(
            matches!(missing, Outcome::NeverHappened { .. }),
            "{missing:?}"
        );
    }

    let book = |name: &'static str| async move {
        let answer = get(address, &format!("/ledger/{name}")).await;
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let records: serde_json::Value = serde_json::from_str(body).expect("JSON");
        records.as_array().expect("a list").clone()
    };
    let authorizations = book("authorizations").await;
    assert_eq!(authorizations.len(), 3);
    assert_eq!(authorizations[0]["key"], "a");
    assert_eq!(authorizations[0]["status"], "approved");
    assert_eq!(book("captures").await[0]["amount"], 2000);
    assert_eq!(book("voids").await[0]["kind"], "release");
    let refunds = book("refunds").await;
    assert_eq!(
        (&refunds[0]["status"], &refunds[1]["status"]),
        (&"done".into(), &"declined".into())
    );
    assert!(get(address, "/health").await.ends_with("ok"));
    assert!(
        get(address, "/ledger/cards")
            .await
            .starts_with("HTTP/1.1 404")
    );
}

#[tokio::test]
async fn the_clock_of_the_processor_is_moved() {
    let (bench, address) = Bench::over_http("stripe_test", DEADLINE).await;
    for _ in 0..2 {
        let moved = post(address, "/clock?advance_seconds=60").await;
        assert!(moved.ends_with("ok"), "{moved}");
    }
    for query in ["", "?advance_seconds=-1", "?advance_seconds=soon"] {
        let refused = post(address, &format!("/clock{query}")).await;
        assert!(refused.starts_with("HTTP/1.1 400"), "{refused}");
    }
    assert_eq!(bench.clock.advanced_seconds(), 120);
}

#[tokio::test]
async fn every_fault_is_the_same_over_a_connection() {
    let table = [
        (Fault::LosesRequest, UnknownReason::ConnectionLost),
        (Fault::LosesAnswer, UnknownReason::ConnectionLost),
        (Fault::TimesOut, UnknownReason::Timeout),
        (Fault::AnswersLate, UnknownReason::Timeout),
        (Fault::AnswersNonsense, UnknownReason::UnreadableAnswer),
        (Fault::FailsBefore(503), UnknownReason::ProcessorError),
        (Fault::FailsAfter(500), UnknownReason::ProcessorError),
    ];
    for (fault, reason) in table {
        let (bench, _) = Bench::over_http("fauxpay", SOON).await;
        // Both on a fresh and on a reused connection.
        for key in ["a", "b"] {
            bench.script().next(Call::Authorize, fault.clone());
            assert_eq!(
                bench.sale(key, VISA).await,
                unknown(reason),
                "{fault:?} {key}"
            );
            done(bench.sale("between", VISA).await);
        }
    }
}

#[tokio::test]
async fn an_absent_peer_received_nothing() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    drop(listener);
    let bench = at(address);
    let outcome = bench.sale("a", VISA).await;
    assert!(
        matches!(outcome, Outcome::NeverHappened { .. }),
        "{outcome:?}"
    );
    let asked = bench.look_up(OperationKind::Authorize, "a").await;
    assert_eq!(asked, unknown(UnknownReason::ConnectionLost));
}

#[tokio::test]
async fn whatever_comes_back_that_is_no_whole_answer_leaves_us_not_knowing() {
    use UnknownReason::{ConnectionLost, UnreadableAnswer};
    let long = format!(
        "HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n{}",
        "x".repeat(1_000_000)
    );
    let table = [
        ("", ConnectionLost),
        ("HTTP/1.1 200 OK\r\ncontent-le", ConnectionLost),
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\n{\"key\":",
            ConnectionLost,
        ),
        ("SSH-2.0-OpenSSH_9.6\r\n\r\n", ConnectionLost),
        (long.as_str(), UnreadableAnswer),
        (
            "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n\u{7f}\u{7f}",
            UnreadableAnswer,
        ),
        (
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
            UnreadableAnswer,
        ),
    ];
    for (answer, reason) in table {
        let told = at(says(answer).await).sale("a", VISA).await;
        assert_eq!(told, unknown(reason), "{}", &answer[..answer.len().min(60)]);
    }
}

/// Returns a connector to the processor at this address.
fn at(address: SocketAddr) -> Bench {
    let remote = Arc::new(Remote::new(address, DEADLINE));
    let connector = Simulator::new(described("fauxpay"), remote, DEADLINE);
    Bench {
        connector,
        ..Bench::new("fauxpay")
    }
}

/// Starts a server that reads one request, sends this answer and closes the connection.
async fn says(answer: &str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let answer = answer.to_owned();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a caller");
        let mut request = [0; 8192];
        let _ = stream.read(&mut request).await;
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
    });
    address
}

async fn get(address: SocketAddr, path: &str) -> String {
    ask(address, "GET", path).await
}

async fn post(address: SocketAddr, path: &str) -> String {
    ask(address, "POST", path).await
}

async fn ask(address: SocketAddr, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    answer
}
