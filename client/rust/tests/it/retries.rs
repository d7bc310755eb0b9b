//! Tests of retries: which calls, how often, and with which idempotency key.

use std::time::{Duration, Instant};

use crate::support::{client, connection, error, payment, server};
use multirail_client::types::{
    ApiKeyCreateRequest, Currency, PaymentCancelRequest, PaymentCaptureRequest,
    PaymentFilterRequest,
};
use multirail_client::{Client, Connection, Error, is_replayed, requests};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

fn paid() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(payment("pay_1"))
}

/// Starts a server that gives these answers in turn, and then repeats the last one.
async fn in_turn(answers: impl IntoIterator<Item = ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let mut answers = answers.into_iter().peekable();
    // Mocks are used in the order of their creation, until one has no answer left.
    while let Some(answer) = answers.next() {
        let mock = Mock::given(any()).respond_with(answer);
        match answers.peek() {
            Some(_) => mock.up_to_n_times(1).mount(&server).await,
            None => mock.mount(&server).await,
        }
    }
    server
}

/// Returns the keys of all requests; empty for a request without a key.
async fn keys(server: &MockServer) -> Vec<String> {
    let requests = server.received_requests().await.unwrap();
    let key = |request: &wiremock::Request| {
        let key = request.headers.get("idempotency-key");
        key.map_or_else(String::new, |key| key.to_str().unwrap().to_owned())
    };
    requests.iter().map(key).collect()
}

async fn capture(client: &Client) -> Result<multirail_client::types::Payment, Error> {
    let body = PaymentCaptureRequest::default();
    let answer = client
        .payments_capture()
        .payment_id("pay_1")
        .body(body)
        .send()
        .await?;
    Ok(answer.into_inner())
}

#[tokio::test]
async fn changes_carry_a_key_from_the_first_try_on_and_each_call_its_own() {
    let server = server(paid()).await;
    let client = client(&server);
    client
        .payments_create()
        .body(requests::payment(6540, Currency::Usd))
        .send()
        .await
        .unwrap();
    capture(&client).await.unwrap();
    let body = PaymentCancelRequest::default();
    client
        .payments_cancel()
        .payment_id("pay_1")
        .body(body)
        .send()
        .await
        .unwrap();
    let keys = keys(&server).await;
    assert_eq!(keys.len(), 3);
    assert!(
        keys.iter()
            .all(|key| key.len() == 36 && &key[14..15] == "4"),
        "{keys:?}"
    );
    assert!(keys[0] != keys[1] && keys[1] != keys[2], "{keys:?}");
}

#[tokio::test]
async fn questions_and_operations_without_a_merchant_carry_none() {
    let server = server(error(500, "HE_00")).await;
    let client = client(&server);
    let _ = client.payments_retrieve().payment_id("pay_1").send().await;
    let body = PaymentFilterRequest::default();
    let _ = client.payments_filter().body(body).send().await;
    let _ = client
        .api_keys_create()
        .merchant_id("shop")
        .body(api_key())
        .send()
        .await;
    assert_eq!(keys(&server).await, ["", "", ""]);
}

fn api_key() -> ApiKeyCreateRequest {
    serde_json::from_value(serde_json::json!({ "name": "till", "expiration": "never" })).unwrap()
}

#[tokio::test]
async fn a_key_of_the_caller_stays() {
    let server = in_turn([error(503, "HE_00"), paid()]).await;
    let client = client(&server);
    let call = client
        .payments_capture()
        .payment_id("pay_1")
        .idempotency_key("order 7");
    call.body(PaymentCaptureRequest::default())
        .send()
        .await
        .unwrap();
    assert_eq!(keys(&server).await, ["order 7", "order 7"]);
}

#[tokio::test]
async fn all_tries_have_one_key() {
    let server = in_turn([error(503, "HE_00"), error(409, "MR_02"), paid()]).await;
    capture(&client(&server)).await.unwrap();
    let keys = keys(&server).await;
    assert_eq!(keys.len(), 3);
    assert!(
        !keys[0].is_empty() && keys.iter().all(|key| *key == keys[0]),
        "{keys:?}"
    );
}

#[tokio::test]
async fn a_first_try_that_is_still_at_work_is_waited_for() {
    let busy = || error(409, "MR_02");
    let server = in_turn([busy(), busy(), busy(), busy(), busy(), paid()]).await;
    let patient = connection(&server).claim_patience(Duration::from_secs(60));
    capture(&patient.build().unwrap()).await.unwrap();
    assert_eq!(keys(&server).await.len(), 6, "beyond the usual three tries");
}

#[tokio::test]
async fn an_answer_that_was_given_before_says_so() {
    let answers = [paid(), paid().insert_header("idempotent-replayed", "true")];
    let server = in_turn(answers).await;
    let client = client(&server);
    for expected in [false, true] {
        let call = client.payments_capture().payment_id("pay_1");
        let answer = call
            .body(PaymentCaptureRequest::default())
            .send()
            .await
            .unwrap();
        assert_eq!(is_replayed(&answer), expected);
    }
}

#[tokio::test]
async fn retried_answers() {
    for (status, code, tries) in [
        (400, "IR_04", 1),
        (401, "IR_01", 1),
        (404, "HE_02", 1),
        (408, "IR_06", 3),
        (409, "MR_02", 3),
        (409, "HE_01", 1),
        (422, "MR_01", 1),
        (422, "HE_00", 3),
        (429, "MR_03", 3),
        (500, "HE_00", 1),
        (502, "CE_00", 3),
        (503, "HE_00", 3),
        (504, "CE_00", 3),
    ] {
        let server = server(error(status, code)).await;
        let failed = capture(&client(&server)).await.unwrap_err();
        assert_eq!(failed.status().unwrap(), status);
        assert_eq!(keys(&server).await.len(), tries, "{status} {code}");
        let _ = client(&server)
            .payments_retrieve()
            .payment_id("pay_1")
            .send()
            .await;
        assert_eq!(
            keys(&server).await.len(),
            2 * tries,
            "{status} {code} to a question"
        );
    }
}

#[tokio::test]
async fn a_change_without_a_key_is_tried_once() {
    let server = server(error(503, "HE_00")).await;
    let client = client(&server);
    let failed = client
        .api_keys_create()
        .merchant_id("shop")
        .body(api_key())
        .send()
        .await;
    assert!(Error::from(failed.unwrap_err()).is_outcome_unknown());
    assert_eq!(keys(&server).await.len(), 1);
}

#[tokio::test]
async fn the_caller_says_how_often() {
    for (tries, expected) in [(0, 1), (1, 1), (2, 2), (5, 5)] {
        let server = server(error(503, "HE_00")).await;
        let client = connection(&server).tries(tries).build().unwrap();
        capture(&client).await.unwrap_err();
        assert_eq!(keys(&server).await.len(), expected);
    }
}

#[tokio::test]
async fn retry_after_is_waited() {
    let put_off = error(429, "MR_03").insert_header("retry-after", "1");
    let server = in_turn([put_off, paid()]).await;
    let started = Instant::now();
    capture(&client(&server)).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn no_call_waits_an_hour() {
    let put_off = error(503, "HE_00").insert_header("retry-after", "3600");
    let server = in_turn([put_off, paid()]).await;
    let failed = capture(&client(&server)).await.unwrap_err();
    assert_eq!(
        (failed.status().unwrap().as_u16(), keys(&server).await.len()),
        (503, 1)
    );
}

#[tokio::test]
async fn a_timeout_is_tried_again() {
    let server = in_turn([paid().set_delay(Duration::from_secs(30)), paid()]).await;
    let client = connection(&server)
        .timeout(Duration::from_secs(1))
        .build()
        .unwrap();
    capture(&client).await.unwrap();
    let keys = keys(&server).await;
    assert!(keys.len() == 2 && keys[0] == keys[1], "{keys:?}");
}

/// A later try that didn't reach the service says nothing about an earlier one that may have.
#[tokio::test]
async fn a_try_that_may_have_worked_is_not_forgotten() {
    let server = in_turn([error(502, "CE_00"), error(429, "MR_03")]).await;
    let failed = capture(&client(&server)).await.unwrap_err();
    assert_eq!(keys(&server).await.len(), 3);
    assert_eq!(failed.status().unwrap(), 502);
    assert!(failed.is_outcome_unknown() && failed.is_retryable());
    // A refusal settles it, because the service looks for the key first.
    let server = in_turn([error(502, "CE_00"), error(400, "IR_14")]).await;
    let failed = capture(&client(&server)).await.unwrap_err();
    assert!(failed.code() == Some("IR_14") && !failed.is_outcome_unknown());
}

#[tokio::test]
async fn a_key_in_use_leaves_the_outcome_unknown() {
    let server = server(error(409, "MR_02")).await;
    let failed = capture(&client(&server)).await.unwrap_err();
    assert!(failed.is_retryable() && failed.is_outcome_unknown());
}

/// Reads one request and returns its idempotency key.
async fn read(connection: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    while !request.ends_with(b"}") {
        let count = connection.read(&mut part).await.unwrap();
        assert!(count > 0, "the request broke off");
        request.extend_from_slice(&part[..count]);
    }
    let text = String::from_utf8(request).unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("idempotency-key: "));
    line.unwrap_or_default().to_owned()
}

#[tokio::test]
async fn connections_that_break_are_made_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let peer = tokio::spawn(async move {
        let body = payment("pay_1").to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut keys = Vec::new();
        // No answer, half an answer, a whole one.
        for answer in [String::new(), head.clone() + &body[..100], head + &body] {
            let (mut connection, _) = listener.accept().await.unwrap();
            keys.push(read(&mut connection).await);
            connection.write_all(answer.as_bytes()).await.unwrap();
            connection.shutdown().await.unwrap();
        }
        keys
    });
    let client = Connection::new(format!("http://{address}"))
        .base_wait(Duration::from_millis(1))
        .build()
        .unwrap();
    assert_eq!(capture(&client).await.unwrap().payment_id, "pay_1");
    let keys = peer.await.unwrap();
    assert!(
        keys[0].len() == 36 && keys.iter().all(|key| *key == keys[0]),
        "{keys:?}"
    );
}
