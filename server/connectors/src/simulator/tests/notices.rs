//! Notices of the processor, as the connector reads them.

use multirail_kernel::clock::Clock;
use multirail_kernel::secret::SecretText;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::Notices;
use multirail_sdk::connector::WebhookSecrets;
use multirail_sdk::connector::{News, RawNotice};
use multirail_simulator::notice::{SIGNATURE_HEADER, sign};
use multirail_simulator::processor::{
    DueNotice, HOLD_DAYS, NOTICE_PAUSES, PAGE_VALID_SECONDS, SETTLED_AFTER_SECONDS,
};
use multirail_simulator::scripted::{Call, Fault};
use multirail_simulator::send_notices;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{THREE_DS, VISA, done, redirect};
use crate::simulator::fixture::{API_KEY, Bench, DEADLINE, access};
use crate::simulator::notice_endpoint;
use crate::simulator::remote::Remote;

const SECRET: &str = "what both know";
const PENDING: &str = "4000000000000341";

fn bench_with_notices() -> Bench {
    let bench = Bench::new("fauxpay");
    let entered = bench.processor.send_notices_of(
        API_KEY,
        "http://127.0.0.1:8080/webhooks/shop/mca_1",
        SECRET,
    );
    entered.expect("an address of this machine");
    bench
}

fn due(bench: &Bench) -> Vec<DueNotice> {
    bench.processor.due_notices().expect("the books are whole")
}

/// Verifies the account's signature and returns kind, key and outcome of a notice.
fn read(bench: &Bench, notice: &DueNotice) -> String {
    let raw = RawNotice {
        headers: vec![(
            SIGNATURE_HEADER.to_owned(),
            sign(notice.secret.expose(), &notice.body),
        )],
        body: notice.body.clone().into(),
    };
    let secrets = WebhookSecrets {
        merchant_secret: SecretText::new(SECRET),
        additional_secret: None,
        unread: UnreadMembers::default(),
    };
    let wall = Timestamp::from_micros(0);
    let is_verified = bench.connector.verify_notice(&raw, Some(&secrets), wall);
    assert!(is_verified, "{}", notice.body);
    let read = bench.connector.read_notices(&raw, &access());
    let read = read.expect("a notice");
    let News::Outcome { about, outcome } = &read[0].news else {
        panic!("{read:?}");
    };
    let key = about.key.as_ref().expect("a key");
    let outcome = format!("{outcome:?}");
    let word = outcome.split(['(', ' ']).next().unwrap_or_default();
    let is_placed = about.authorization_reference.is_some();
    format!("{} {key} {word} {is_placed}", read[0].kind)
}

#[tokio::test]
async fn a_pending_operation_completes_and_is_announced() {
    let bench = bench_with_notices();
    bench.sale("a", PENDING).await;
    done(bench.reserve("b", VISA).await);
    done(bench.reserve("e", VISA).await);
    done(bench.sale("s", VISA).await);
    bench.script().next(Call::Capture, Fault::Pends);
    bench.capture("c", "b", 6540, true).await;
    bench.script().next(Call::Void, Fault::Pends);
    bench.void("v", "e").await;
    let refused = Fault::PendsThenDeclines {
        code: "DC_08".to_owned(),
        message: "not today".to_owned(),
    };
    bench.script().next(Call::Refund, refused);
    bench.refund("r", "s", 40).await;
    assert!(due(&bench).is_empty());

    bench.clock.advance(SETTLED_AFTER_SECONDS);
    let told: Vec<String> = due(&bench).iter().map(|one| read(&bench, one)).collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    authorize.approved a Done true
    capture.done c Done true
    void.done v Done true
    refund.declined r Declined true
    ");
    // The bytes are identical until they are accepted.
    let bodies = |bench: &Bench| due(bench).into_iter().map(|one| one.body).collect();
    let first: Vec<String> = bodies(&bench);
    bench.clock.advance(60);
    let second: Vec<String> = bodies(&bench);
    assert_eq!(first, second);
}

#[tokio::test]
async fn an_expired_authorization_is_announced() {
    let bench = bench_with_notices();
    for key in ["left", "captured", "part", "voided", "late"] {
        done(bench.reserve(key, VISA).await);
    }
    done(bench.sale("sold", VISA).await);
    done(bench.capture("c1", "captured", 6540, true).await);
    done(bench.capture("c2", "part", 4000, false).await);
    done(bench.void("v", "voided").await);
    bench.script().next(Call::Capture, Fault::Pends);
    bench.capture("c3", "late", 6540, true).await;
    bench.processor.settle_now().expect("the books are whole");
    bench.clock.advance(HOLD_DAYS * 86_400 - 1);
    let told = |bench: &Bench| -> Vec<String> {
        let told: Vec<DueNotice> = due(bench);
        for one in &told {
            bench.processor.end_notice(&one.id).expect("whole");
        }
        told.iter().map(|one| read(bench, one)).collect()
    };
    assert_eq!(told(&bench), ["capture.done c3 Done true"]);
    bench.clock.advance(1);
    assert_eq!(
        told(&bench),
        [
            "authorize.lapsed left Declined true",
            "authorize.lapsed part Declined true"
        ]
    );
    assert_eq!(bench.processor.next_notice_at().expect("whole"), None);
}

#[tokio::test]
async fn a_payers_decision_and_timeout_are_announced() {
    let bench = bench_with_notices();
    for (key, choice) in [("a", Some(true)), ("b", Some(false)), ("c", None)] {
        let page = redirect(bench.sale(key, THREE_DS).await);
        let token = page.rsplit('/').next().expect("a token");
        if let Some(approves) = choice {
            bench.processor.decide(token, approves).expect("decided");
        }
    }
    let told =
        |bench: &Bench| -> Vec<String> { due(bench).iter().map(|one| read(bench, one)).collect() };
    assert_eq!(
        told(&bench),
        [
            "authorize.approved a Done true",
            "authorize.declined b Declined true"
        ]
    );
    bench.processor.settle_now().expect("the books are whole");
    assert_eq!(told(&bench).len(), 2, "the third may still decide");
    bench.clock.advance(PAGE_VALID_SECONDS);
    assert_eq!(told(&bench)[2], "authorize.declined c Declined true");
}

#[tokio::test]
async fn a_void_of_an_undecided_payment_sends_no_notice() {
    let bench = bench_with_notices();
    bench.sale("a", THREE_DS).await;
    done(bench.void("v", "a").await);
    bench.clock.advance(PAGE_VALID_SECONDS);
    assert!(due(&bench).is_empty());
}

#[tokio::test]
async fn only_accounts_with_an_endpoint_receive_notices() {
    let bench = Bench::new("fauxpay");
    bench.sale("a", PENDING).await;
    bench.clock.advance(SETTLED_AFTER_SECONDS);
    assert!(due(&bench).is_empty());
    for address in [
        "http://192.0.2.7/webhooks",
        "https://127.0.0.1/webhooks",
        "http://localhost.example/",
        "http://[::ffff:192.0.2.7]/",
        "webhooks",
        "",
    ] {
        let entered = bench.processor.send_notices_of(API_KEY, address, SECRET);
        insta::allow_duplicates! {
            insta::assert_snapshot!(
                entered.expect_err(address),
                @"A member is missing or can't be read: address"
            );
        }
    }
    let without = bench
        .processor
        .send_notices_of(API_KEY, "http://[::1]:8080/", "");
    assert!(without.is_err());
}

/// Reads one complete request and answers it.
async fn request_of(listener: &TcpListener, answer: &str) -> String {
    let (mut stream, _) = listener.accept().await.expect("a connection");
    let mut read = Vec::new();
    loop {
        let came = stream.read_buf(&mut read).await.expect("a request");
        assert!(came > 0, "cut off: {}", String::from_utf8_lossy(&read));
        let text = String::from_utf8_lossy(&read);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.expect("a length").parse().expect("a number");
        if body.len() == length {
            let text = text.into_owned();
            stream.write_all(answer.as_bytes()).await.expect("sent");
            return text;
        }
    }
}

/// Waits until no notice is being sent. Returns the seconds until the next one, or `None` when none
/// is left.
async fn pause(bench: &Bench) -> Option<i64> {
    loop {
        let next = bench.processor.next_notice_at().expect("whole");
        let seconds = next.map(|at| at.seconds_since(bench.clock.now()));
        if seconds.is_none_or(|seconds| seconds > 0) {
            return seconds;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_separate_process_receives_its_endpoints_by_http() {
    let (bench, address) = Bench::over_http("fauxpay", DEADLINE).await;
    let receiver = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let there = format!(
        "http://{}/webhooks/shop/mca_1",
        receiver.local_addr().expect("bound")
    );
    let remote = Remote::new(address, DEADLINE);
    let secret = SecretText::new(SECRET);
    let enter = |address: String| {
        let (remote, secret) = (&remote, &secret);
        async move { notice_endpoint::enter(remote, "fauxpay", &access(), &address, secret).await }
    };
    let elsewhere = enter("http://192.0.2.7/".to_owned()).await;
    assert_eq!(elsewhere, Err("the processor answered 400".to_owned()));
    enter(there).await.expect("an address of this machine");

    bench.sale("a", PENDING).await;
    bench.processor.settle_now().expect("the books are whole");
    let body = due(&bench).remove(0).body;
    let sending = tokio::spawn(send_notices(bench.processor.clone()));
    let refused = request_of(
        &receiver,
        "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n",
    );
    let first = refused.await;
    assert!(
        first.starts_with("POST /webhooks/shop/mca_1 HTTP/1.1\r\n"),
        "{first}"
    );
    let signature = format!("{SIGNATURE_HEADER}: {}\r\n", sign(SECRET, &body));
    assert!(first.contains(&signature), "{first}");
    assert!(first.ends_with(&body), "{first}");

    // A notice that isn't accepted is sent again unchanged, until it is accepted.
    assert_eq!(pause(&bench).await, Some(NOTICE_PAUSES[0]));
    bench.clock.advance(NOTICE_PAUSES[0]);
    let accepted = request_of(&receiver, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    assert_eq!(accepted.await, first);
    assert_eq!(pause(&bench).await, None);
    sending.abort();
}

#[tokio::test]
async fn an_absent_receiver_gets_one_try_at_a_time_until_all_are_given_up() {
    let bench = bench_with_notices();
    bench.sale("a", PENDING).await;
    bench.sale("b", PENDING).await;
    bench.processor.settle_now().expect("the books are whole");
    // Nobody listens at this address.
    let dead = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/", dead.local_addr().expect("bound"));
    drop(dead);
    let entered = bench.processor.send_notices_of(API_KEY, &address, SECRET);
    entered.expect("an address of this machine");
    let sending = tokio::spawn(send_notices(bench.processor.clone()));
    let mut tries = Vec::new();
    while let Some(seconds) = pause(&bench).await {
        tries.push(seconds);
        bench.clock.advance(seconds);
    }
    // The first notice is sent at 0, 2, 12, 72 and 672 seconds, the second at 4, 6, 16, 76 and 676.
    assert_eq!(tries, [2, 2, 2, 6, 4, 56, 4, 596, 4]);
    sending.abort();
}
