use std::sync::Arc;

use multirail_kernel::secret::SecretText;
use multirail_kernel::target::TargetRules;
use multirail_outbound::Manner;
use multirail_outbound::fixture::{Behaviour, Receiver, Script, sandbox};

use super::*;

fn sender(rules: TargetRules, lookup: &Arc<Script>, time: Duration) -> HttpWebhookSender {
    let client = GuardedClient::with(rules, Arc::<Script>::clone(lookup), &Manner::webhooks());
    let bounds = Bounds {
        time,
        body_bytes: 100,
    };
    HttpWebhookSender::new(client, bounds)
}

fn delivery(url: &str) -> WebhookRequest {
    let header = |name: &str, value: &str| (name.to_owned(), SecretText::new(value));
    WebhookRequest {
        url: url.to_owned(),
        headers: vec![
            header("webhook-id", "evt_1"),
            header("authorization", "Basic c2VzYW1l"),
        ],
        body: r#"{"event_id":"evt_1"}"#.to_owned(),
    }
}

async fn send_to(endpoint: &Receiver, time: Duration) -> Exchange {
    let sender = sender(sandbox(), &Script::new(&[]), time);
    sender
        .send(delivery(&format!(
            "http://{}/hooks?shop=1",
            endpoint.address
        )))
        .await
}

const PATIENCE: Duration = Duration::from_secs(20);
const SOON: Duration = Duration::from_millis(100);

#[tokio::test]
async fn what_is_recorded_is_what_went_over_the_wire() {
    let answer =
        "HTTP/1.1 202 Accepted\r\nX-Shop: one\r\nx-shop: two\r\ncontent-length: 6\r\n\r\nthanks";
    let endpoint = Receiver::start(Behaviour::Says(answer)).await;
    let exchange = send_to(&endpoint, PATIENCE).await;
    assert!(exchange.is_delivered());
    let host = endpoint.address.to_string();
    let received = endpoint
        .received()
        .concat()
        .replace("\r\n", "\n")
        .replace(&host, "<host>");
    insta::assert_snapshot!(received, @r#"
    POST /hooks?shop=1 HTTP/1.1
    content-type: application/json
    user-agent: multirail/0.1.0
    accept: */*
    webhook-id: evt_1
    authorization: Basic c2VzYW1l
    host: <host>
    content-length: 20

    {"event_id":"evt_1"}
    "#);
    for (name, value) in &exchange.request_headers {
        assert!(received.contains(&format!("\n{name}: {value}\n")), "{name}");
    }
    assert_eq!(exchange.request_headers.len(), 5);
    let answered = exchange.response_headers.expect("headers");
    let lines: Vec<String> = answered
        .iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    assert_eq!(lines, ["x-shop: one", "x-shop: two", "content-length: 6"]);
    assert_eq!(exchange.response_body.as_deref(), Some("thanks"));
}

#[tokio::test]
async fn no_more_of_an_answer_is_read_than_is_recorded() {
    let endless =
        Behaviour::NeverStops("HTTP/1.1 500 Oh no\r\ntransfer-encoding: identity\r\n\r\n");
    let endpoint = Receiver::start(endless).await;
    let exchange = send_to(&endpoint, PATIENCE).await;
    assert_eq!(exchange.status_code, Some(500));
    assert_eq!(exchange.response_body, Some("a".repeat(100)));
    assert_eq!(exchange.error_message, None);
}

#[tokio::test]
async fn the_status_counts_even_if_the_body_stays_away() {
    let stalls = Receiver::start(Behaviour::Says(
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nthan",
    ))
    .await;
    let exchange = send_to(&stalls, Duration::from_secs(1)).await;
    assert!(exchange.is_delivered());
    assert_eq!(exchange.response_body.as_deref(), Some("than"));
    assert_eq!(
        exchange.error_message.as_deref(),
        Some("the answer was not complete within 1 s")
    );

    let breaks = Receiver::start(Behaviour::Hangs(
        "HTTP/1.1 503 Busy\r\ncontent-length: 9\r\n\r\nsor",
    ))
    .await;
    let exchange = send_to(&breaks, PATIENCE).await;
    assert_eq!(
        (exchange.status_code, exchange.response_body.as_deref()),
        (Some(503), Some("sor"))
    );
    assert_eq!(
        exchange.error_message.as_deref(),
        Some("the connection broke before the answer was complete")
    );
}

#[tokio::test]
async fn whoever_stays_silent_is_given_up() {
    let silent = Receiver::start(Behaviour::Says("")).await;
    let exchange = send_to(&silent, SOON).await;
    assert_eq!(
        exchange.error_message.as_deref(),
        Some("there was no answer within 0.1 s")
    );
    let half = Receiver::start(Behaviour::Says("HTTP/1.1 200 OK\r\ncontent-le")).await;
    let exchange = send_to(&half, SOON).await;
    assert_eq!((exchange.status_code, exchange.response_body), (None, None));
    assert_eq!(
        exchange.request_headers.len(),
        5,
        "what was sent is recorded all the same"
    );
}

#[tokio::test]
async fn a_failure_tells_nothing_of_our_network() {
    for (rules, url, answer) in [
        (
            TargetRules::default(),
            "https://shop.example/",
            "10.11.12.13",
        ),
        (TargetRules::default(), "https://10.11.12.13/", "1.1.1.1"),
        (TargetRules::default(), "http://shop.example/", "1.1.1.1"),
        (
            TargetRules::default(),
            "https://user@shop.example/",
            "1.1.1.1",
        ),
        (sandbox(), "http://shop.example:1/", "127.0.0.13"),
    ] {
        let sender = sender(rules, &Script::new(&[answer]), PATIENCE);
        let exchange = sender.send(delivery(url)).await;
        let message = exchange.error_message.expect("a reason");
        assert!(message.starts_with("not sent: "), "{message}");
        assert!(
            !message.contains(answer) && !message.contains("12.13"),
            "{message}"
        );
        assert_eq!(
            (exchange.status_code, exchange.response_headers),
            (None, None)
        );
    }
}

/// A merchant who chooses the name learns no names of the operator's network.
#[tokio::test]
async fn a_private_name_gets_the_error_of_an_unknown_name() {
    let mut told = Vec::new();
    for answers in [&["10.11.12.13"][..], &[]] {
        let sender = sender(TargetRules::default(), &Script::new(answers), PATIENCE);
        let exchange = sender
            .send(delivery("https://vault.internal.example/"))
            .await;
        told.push(exchange);
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(
        told[0].error_message.as_deref(),
        Some("not sent: the name of the webhook URL's host leads to no address that may be called")
    );
}

#[tokio::test]
async fn a_header_that_is_none_is_not_sent() {
    let endpoint = Receiver::start(Behaviour::Says("")).await;
    let mut request = delivery(&format!("http://{}/", endpoint.address));
    request.headers.push((
        "x-shop".to_owned(),
        SecretText::new("1\r\nhost: evil.example"),
    ));
    let exchange = sender(sandbox(), &Script::new(&[]), PATIENCE)
        .send(request)
        .await;
    let message = exchange.error_message;
    assert_eq!(
        message.as_deref(),
        Some("not sent: the header x-shop has no legal form")
    );
    assert!(endpoint.received().is_empty());
}

#[test]
fn a_body_becomes_text() {
    assert_eq!(text("Grüße".as_bytes()), "Grüße");
    assert_eq!(
        text(&"Grüße".as_bytes()[..3]),
        "Gr",
        "cut inside of a character"
    );
    assert_eq!(text(b"a\xffb"), "a\u{fffd}b");
}
