//! The same search for a server process that logs everything, and is killed while cards are in flight.

use std::sync::Arc;

use multirail_conformance::bodies::{APPROVED, PENDING, order_with, paid_with, with};
use multirail_conformance::request_log::everything;
use multirail_conformance::{Call, Receiver, Wire, notice};
use multirail_test_postgres::{Cluster, TestPostgres, free_port};
use reqwest::Method;
use serde_json::{Value, json};

use super::super::{card_of, saved_for};
use super::coded;
use super::search::{CODE, Found, NUMBERS, says_everything, tell_nothing};
use crate::disk::process::{Manner, Process, Till};

/// The number of cards in flight when the server is killed.
const AT_ONCE: usize = 8;

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_has_left_no_number_and_no_code_on_sqlite() {
    is_killed(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_has_left_no_number_and_no_code_on_postgres() {
    let made = tokio::task::spawn_blocking(TestPostgres::start_own_or_explain);
    if let Ok(cluster) = made.await.expect("no panic") {
        is_killed(Some(cluster)).await;
    }
}

async fn is_killed(cluster: Option<Arc<Cluster>>) {
    let metrics = format!("127.0.0.1:{}", free_port().expect("a free port"));
    let mut environment = vec![
        ("MULTIRAIL_LOG_LEVEL", "trace".to_owned()),
        ("MULTIRAIL_METRICS_LISTEN", metrics.clone()),
    ];
    let url = cluster.as_ref().map(|cluster| {
        says_everything(cluster);
        cluster.create_database()
    });
    environment.extend(url.clone().map(|url| ("MULTIRAIL_DATABASE_URL", url)));
    let manner = Manner {
        environment,
        ..Manner::default()
    };
    let mut process = Process::start(manner).await.expect("no disk is asked for");
    let till = process.till().await;
    let receiver = Receiver::open().await;
    let mut answers = sells(&till, &receiver).await;
    let metrics = Wire::new(&format!("http://{metrics}"));
    let metrics = metrics.request(Method::GET, "/metrics").unjudged().await;
    assert!(metrics.text.contains("multirail_requests_total"));
    answers.push(metrics.text.clone());

    // Some requests die before their first commit, some between the two commits, some while waiting for their
    // confirm.
    let held = till.pays(coded(order_with(APPROVED))).await.ok();
    let on_their_way: Vec<_> = (0..AT_ONCE)
        .map(|_| tokio::spawn(till.pays(coded(paid_with(PENDING))).send()))
        .collect();
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    process.kill();
    for one in on_their_way {
        if let Ok(Ok(answer)) = one.await {
            answers.push(answer.text.clone());
        }
    }
    let folder = process.folder().to_owned();
    let found = Found::now(&folder, cluster.as_deref(), url.as_deref()).await;
    found.has(held["payment_id"].as_str().expect("an id"));
    assert!(process.log().contains("payments_create"), "it says a lot");
    found.tells_nothing();

    process.start_again().await;
    let confirmed = till.call("payments_confirm");
    let confirmed = confirmed.at("payment_id", held["payment_id"].as_str().expect("an id"));
    let confirmed = confirmed.json(&json!({})).await;
    answers.push(confirmed.text.clone());
    assert_eq!(
        confirmed.ok()["status"],
        "succeeded",
        "by the card that was kept"
    );
    process.kill();
    let found = Found::now(&folder, cluster.as_deref(), url.as_deref()).await;
    found.tells_nothing();
    tell_nothing(&answers);
}

/// Pays, is declined, repeats, saves, pays by token, receives webhooks, and is refused.
async fn sells(till: &Till, receiver: &Receiver) -> Vec<String> {
    let mut answers = Vec::new();
    let account = till.connects(notice::webhook_details()).await;
    let webhook = json!({ "webhook_details": { "webhook_url": receiver.url() } });
    let profile = till.call("business_profiles_update");
    let profile = profile.at("profile_id", &till.profile_id).json(&webhook);
    profile.await.ok();
    let mut told = |answer: multirail_conformance::Response| -> Value {
        answers.push(answer.text.clone());
        answer.ok()
    };
    let of_ada = json!({ "customer_id": "ada" });
    for number in NUMBERS {
        let saving = with(coded(paid_with(number)), saved_for("off_session"));
        let saving = with(saving, of_ada.clone());
        let key = &number[number.len() - 4..];
        for _ in 0..2 {
            told(
                till.pays(saving.clone())
                    .header("idempotency-key", key)
                    .await,
            );
        }
    }
    let save = till.call("payment_methods_create");
    told(save.json(&card_of("ada", APPROVED)).await);
    let methods = till.call("customer_payment_methods_list");
    let methods = told(methods.at("customer_id", "ada").await);
    let token = &methods["customer_payment_methods"][0]["payment_token"];
    let by_token = json!({
        "amount": 6540, "currency": "USD", "customer_id": "ada", "confirm": true,
        "payment_method": "card", "payment_token": token, "card_cvc": CODE,
    });
    told(till.pays(by_token).await);
    let call = || -> Call {
        let account = account["merchant_connector_id"].as_str().expect("an id");
        let call = till
            .wire
            .call("notices_receive")
            .at("merchant_id", "bookshop");
        call.at("connector_account", account)
    };
    let mut notice_of_a_card = notice::approved("mrk_nobodys_own", 6540);
    notice_of_a_card["card"] = json!({ "number": APPROVED, "cvc": CODE });
    for secret in [notice::SECRET, "a stranger's"] {
        let answer = notice::signed(call(), secret, &notice_of_a_card)
            .unjudged()
            .await;
        answers.push(answer.text.clone());
    }
    let broken = json!({ "payment_method_data": { "card": { "card_exp_month": "13" } } });
    let refused = till.pays(with(coded(paid_with(APPROVED)), broken)).await;
    assert!(refused.status >= 400);
    answers.push(refused.text.clone());
    answers.extend(everything(|operation| till.call(operation), &refused).await);
    // Pending and unknown payments are announced later.
    for delivery in receiver.has(NUMBERS.len() - 2).await {
        answers.push(delivery.json().to_string());
    }
    answers
}
