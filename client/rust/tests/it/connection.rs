//! Tests of the data that a connection sends, refuses and hides.

use std::error::Error as _;
use std::time::Duration;

use crate::support::{KEY, client, error, payment, server};
use multirail_client::types::{Currency, PaymentCancelRequest};
use multirail_client::{ConnectError, Connection, Error, request_id, requests};
use wiremock::ResponseTemplate;

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = format!("{error} {error:?} {error:#?}");
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(" {error} {error:?}");
        source = error.source();
    }
    text
}

#[tokio::test]
async fn every_kind_of_key_travels_in_its_header() {
    let server = server(ResponseTemplate::new(200).set_body_json(payment("pay_1"))).await;
    let connections = [
        Connection::new(server.uri()).secret_key("key of 0"),
        Connection::new(server.uri()).admin_key("key of 1"),
        Connection::new(server.uri() + "/").publishable_key("key of 2"),
    ];
    for (index, connection) in connections.into_iter().enumerate() {
        let client = connection.build().unwrap();
        client
            .payments_retrieve()
            .payment_id("pay_1")
            .send()
            .await
            .unwrap();
        let request = server.received_requests().await.unwrap().pop().unwrap();
        assert_eq!(request.url.path(), "/payments/pay_1");
        assert_eq!(
            request.headers["api-key"],
            format!("key of {index}").as_str()
        );
        assert!(!request.headers.contains_key("x-profile-id"));
        assert!(
            request.headers["user-agent"]
                .to_str()
                .unwrap()
                .starts_with("multirail-client/")
        );
    }
}

#[tokio::test]
async fn a_users_token_travels_as_a_bearer() {
    let server = server(ResponseTemplate::new(200).set_body_json(payment("pay_1"))).await;
    let connection = Connection::new(server.uri()).user_token("token of Ada");
    let client = connection.build().unwrap();
    let call = client.payments_retrieve().payment_id("pay_1");
    call.send().await.unwrap();
    let request = server.received_requests().await.unwrap().pop().unwrap();
    assert_eq!(request.headers["authorization"], "Bearer token of Ada");
    assert!(!request.headers.contains_key("api-key"));
    let empty = Connection::new(server.uri()).user_token("").build();
    assert!(matches!(empty, Err(ConnectError::UnusableKey)));
}

#[tokio::test]
async fn the_profile_is_sent_with_every_call() {
    let server = server(ResponseTemplate::new(200).set_body_json(payment("pay_1"))).await;
    let client = Connection::new(server.uri())
        .secret_key(KEY)
        .profile("pro_7")
        .build()
        .unwrap();
    client
        .payments_create()
        .body(requests::payment(6540, Currency::Usd))
        .send()
        .await
        .unwrap();
    let body = PaymentCancelRequest::default();
    client
        .payments_cancel()
        .payment_id("pay_1")
        .body(body)
        .send()
        .await
        .unwrap();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests.len(), 2);
    assert!(
        requests
            .iter()
            .all(|request| request.headers["x-profile-id"] == "pro_7")
    );
    assert_eq!(requests[0].body, br#"{"amount":6540,"currency":"USD"}"#);
}

#[tokio::test]
async fn a_platform_names_whom_it_calls_for() {
    let server = server(ResponseTemplate::new(200).set_body_json(payment("pay_1"))).await;
    let connection = || Connection::new(server.uri()).secret_key(KEY);
    let client = connection().connected_merchant("stall").build().unwrap();
    let call = client.payments_retrieve().payment_id("pay_1");
    call.send().await.unwrap();
    let requests = server.received_requests().await.unwrap();
    assert_eq!(requests[0].headers["x-connected-merchant-id"], "stall");
    for unusable in ["", "a\nb"] {
        let refused = connection().connected_merchant(unusable).build();
        assert!(matches!(refused, Err(ConnectError::UnusableMerchant)));
    }
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    let server = server(ResponseTemplate::new(200).set_body_string("health is good")).await;
    let client = Connection::new(server.uri()).build().unwrap();
    client.health_check().send().await.unwrap();
    assert!(
        !server.received_requests().await.unwrap()[0]
            .headers
            .contains_key("api-key")
    );
}

#[tokio::test]
async fn the_request_id_of_a_success_is_there() {
    let answer = ResponseTemplate::new(200)
        .insert_header("x-request-id", "req_9")
        .set_body_json(payment("pay_1"));
    let server = server(answer).await;
    let answer = client(&server)
        .payments_retrieve()
        .payment_id("pay_1")
        .send()
        .await
        .unwrap();
    assert_eq!(request_id(&answer), Some("req_9"));
}

#[test]
fn keys_never_print() {
    let connection = Connection::new("http://127.0.0.1:1").secret_key(KEY);
    assert!(!format!("{connection:?} {connection:#?}").contains(KEY));
    let client = connection.build().unwrap();
    let call = client.payments_retrieve().client_secret("pay_1_secret_q8");
    let text = format!("{client:?} {client:#?} {call:?}");
    assert!(!text.contains("secret_q8"), "{text}");
    assert!(!text.contains(KEY), "{text}");

    let broken = format!("{KEY}\n");
    let refused = Connection::new("http://127.0.0.1:1")
        .secret_key(broken.as_str())
        .build()
        .unwrap_err();
    assert!(!chain(&refused).contains(KEY), "{}", chain(&refused));
    let refused = Connection::new("http://127.0.0.1:1")
        .secret_key(KEY)
        .admin_key(KEY)
        .build()
        .unwrap_err();
    assert!(!chain(&refused).contains(KEY), "{}", chain(&refused));
}

#[tokio::test]
async fn errors_hold_neither_key_nor_client_secret() {
    let secret = "pay_1_secret_Wf4Hs6Tz1QbR7dKp2Yx9";
    let unreachable = Connection::new("http://127.0.0.1:1")
        .secret_key(KEY)
        .build()
        .unwrap();
    let refused = server(error(401, "IR_01")).await;
    let garbled = server(
        ResponseTemplate::new(200).set_body_json(serde_json::json!({ "payment_id": secret })),
    )
    .await;
    let mistyped =
        server(ResponseTemplate::new(200).set_body_json(serde_json::json!(secret))).await;
    for client in [
        unreachable,
        client(&refused),
        client(&garbled),
        client(&mistyped),
    ] {
        let failed = client
            .payments_retrieve()
            .payment_id("pay_1")
            .client_secret(secret)
            .send()
            .await;
        let text = chain(&Error::from(failed.unwrap_err()));
        assert!(!text.contains(KEY) && !text.contains(secret), "{text}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = server(ResponseTemplate::new(200).set_body_json(payment("pay_1"))).await;
    let server =
        server(ResponseTemplate::new(307).insert_header("location", other.uri().as_str())).await;
    let failed = client(&server)
        .payments_retrieve()
        .payment_id("pay_1")
        .send()
        .await
        .map_err(Error::from);
    assert!(
        matches!(failed, Err(Error::Unreadable { status: Some(status), .. }) if status == 307),
        "{failed:?}"
    );
    assert!(
        other.received_requests().await.unwrap().is_empty(),
        "the key would have travelled along"
    );
}

#[tokio::test]
async fn the_timeout_ends_a_call() {
    let server = server(ResponseTemplate::new(200).set_delay(Duration::from_secs(30))).await;
    let client = Connection::new(server.uri())
        .timeout(Duration::from_millis(50))
        .build()
        .unwrap();
    let error = Error::from(
        client
            .payments_retrieve()
            .payment_id("pay_1")
            .send()
            .await
            .unwrap_err(),
    );
    assert!(
        error.is_retryable() && error.is_outcome_unknown(),
        "{error:?}"
    );
    assert!(error.source().is_some());
}

#[test]
fn an_unusable_connection_is_refused_before_anything_is_sent() {
    for url in [
        "",
        "payments.example.com",
        "/v1",
        "ftp://payments.example.com",
        "https://user:hunter2@payments.example.com",
        "https://payments.example.com?x=1",
        "https://payments.example.com#x",
    ] {
        let refused = Connection::new(url).build();
        assert!(
            matches!(refused, Err(ConnectError::BaseUrl(_))),
            "{url}: {refused:?}"
        );
    }
    let connection = || Connection::new("https://payments.example.com/pay/");
    assert!(
        !format!(
            "{:?}",
            Connection::new("https://user:hunter2@payments.example.com")
        )
        .contains("hunter2")
    );
    assert!(
        connection()
            .secret_key(KEY)
            .profile("pro_7")
            .build()
            .is_ok()
    );
    assert!(matches!(
        connection().secret_key("").build(),
        Err(ConnectError::UnusableKey)
    ));
    assert!(matches!(
        connection().secret_key("a\nb").build(),
        Err(ConnectError::UnusableKey)
    ));
    assert!(matches!(
        connection().profile("").build(),
        Err(ConnectError::UnusableProfile)
    ));
    let several = connection().secret_key(KEY).publishable_key(KEY).build();
    assert!(matches!(several, Err(ConnectError::SeveralKeys)));
}
