//! Known numbers of cards and bank accounts, codes and texts of payers are found nowhere, after every path that they can
//! take.

mod process;
mod search;

use std::sync::Arc;

use multirail_conformance::bodies::{
    APPROVED, DECLINED, HELD, PENDING, card, debit, order_with, paid_with, sepa, with,
};
use multirail_conformance::request_log::everything;
use multirail_conformance::{Receiver, Shop, Wire, notice};
use multirail_server::config::Setting;
use multirail_simulator::scripted::{Call as ScriptedCall, Fault};
use multirail_test_postgres::Cluster;
use reqwest::Method;
use serde_json::{Value, json};

use super::{by_token, card_of, known, listed, lists, order_of, paid_by_token, saved_for};
use crate::servers::site::{Site, closed};
use search::{ACCOUNTS, CODE, CRYPTOGRAM, Found, NUMBERS, TEXTS, says_everything, tell_nothing};

fn coded(body: Value) -> Value {
    with(
        body,
        json!({ "payment_method_data": { "card": { "card_cvc": CODE } } }),
    )
}

/// Returns payments by methods that need a text of the payer.
fn by_texts() -> [Value; 2] {
    let [tax_number, upi_address] = TEXTS;
    let at_once = json!({ "confirm": true, "return_url": "https://shop.example/thanks" });
    let named = json!({ "address": { "first_name": "Ada", "last_name": "Okafor" } });
    let boleto = json!({ "boleto": { "social_security_number": tax_number } });
    let collect = json!({ "upi_collect": { "vpa_id": upi_address } });
    let methods = [
        json!({
            "currency": "BRL", "payment_method": "voucher", "payment_method_type": "boleto",
            "payment_method_data": { "voucher": boleto, "billing": named },
        }),
        json!({
            "currency": "INR", "payment_method": "upi", "payment_method_type": "upi_collect",
            "payment_method_data": { "upi": collect },
        }),
    ];
    methods.map(|method| with(with(order_of("ada"), method), at_once.clone()))
}

/// Returns debits that save their accounts.
fn by_accounts() -> [Value; 2] {
    let [iban, account_number] = ACCOUNTS;
    let of_ada = json!({ "customer_id": "ada", "confirm": true });
    let saving = with(saved_for("off_session"), of_ada);
    let ach = json!({ "account_number": account_number, "routing_number": "110000000" });
    [sepa(iban), debit("ach", "USD", ach)].map(|order| with(order, saving.clone()))
}

/// Takes every path and collects the answers for the search.
async fn takes_every_path(shop: &Shop, answers: &mut Vec<String>) {
    let mut told = |answer: multirail_conformance::Response| {
        answers.push(answer.text.clone());
        answer.ok()
    };
    known(shop, "ada").await;
    for number in NUMBERS {
        let saving = with(
            with(coded(paid_with(number)), saved_for("off_session")),
            json!({ "customer_id": "ada" }),
        );
        let key = format!("key_{number}");
        // A number in a header would be the caller's fault.
        let key = &key[key.len() - 4..];
        let call = || shop.creates(saving.clone()).header("idempotency-key", key);
        let first = told(call().await);
        told(call().await);
        told(shop.asks_about(&first).await);
    }
    let waiting = told(
        shop.creates(with(
            coded(order_with(APPROVED)),
            json!({ "customer_id": "ada" }),
        ))
        .await,
    );
    told(shop.updates(&waiting, coded(card(HELD))).await);
    told(shop.confirms(&waiting, json!({})).await);
    let abandoned = coded(order_with(APPROVED));
    told(shop.creates(abandoned).await);
    for fault in [Fault::FailsBefore(500), Fault::LosesAnswer] {
        shop.next_call_meets(ScriptedCall::Authorize, fault);
        let payment = told(shop.creates(coded(paid_with(APPROVED))).await);
        told(shop.asks_about(&payment).await);
    }
    told(
        shop.call("payment_methods_create")
            .json(&card_of("ada", APPROVED))
            .header("idempotency-key", "k")
            .await,
    );
    told(lists(shop, "ada").await);
    let code = json!({ "card_cvc": CODE });
    let method = listed(shop, "ada").await.remove(0);
    told(
        shop.creates(with(paid_by_token("ada", &method), code.clone()))
            .await,
    );
    let method = listed(shop, "ada").await.remove(0);
    let by_token = with(with(order_of("ada"), by_token(&method)), code.clone());
    let waiting = told(shop.creates(by_token).await);
    told(shop.confirms(&waiting, json!({})).await);
    for (place, number) in [APPROVED, DECLINED, PENDING].iter().enumerate() {
        let token = json!({
            "payment_method": "network_token", "payment_method_type": "network_token", "confirm": true,
            "payment_method_data": { "network_token": {
                "network_token": number, "token_exp_month": "10", "token_exp_year": "35",
                "token_cryptogram": CRYPTOGRAM, "eci": "05",
            } },
        });
        let key = format!("token_{place}");
        let call = || {
            let call = shop.creates(with(order_of("ada"), token.clone()));
            call.header("idempotency-key", &key)
        };
        told(call().await);
        told(call().await);
    }
    let kept = json!({
        "card_number": APPROVED, "card_exp_month": "10", "card_exp_year": "35", "network_transaction_id": "ntisim1234",
    });
    let of_series = json!({
        "confirm": true, "off_session": true,
        "recurring_details": { "type": "network_transaction_id_and_card_details", "data": kept },
    });
    told(
        shop.creates(with(order_of("ada"), of_series.clone()))
            .header("idempotency-key", "series")
            .await,
    );
    told(
        shop.creates(with(
            with(order_of("ada"), of_series),
            json!({ "confirm": false }),
        ))
        .await,
    );
    let by_others = by_texts().into_iter().chain(by_accounts());
    for (place, by_other) in by_others.enumerate() {
        let key = format!("other_{place}");
        let call = || {
            let call = shop.creates(by_other.clone());
            call.header("idempotency-key", &key)
        };
        let first = told(call().await);
        told(call().await);
        told(shop.asks_about(&first).await);
        shop.next_call_meets(ScriptedCall::Authorize, Fault::LosesAnswer);
        let payment = told(shop.creates(by_other.clone()).await);
        told(shop.asks_about(&payment).await);
    }
    for held in by_accounts() {
        let unconfirmed = with(held, json!({ "confirm": false }));
        told(shop.creates(unconfirmed).await);
    }
    // Refused requests, too.
    let broken = json!({ "payment_method_data": { "card": { "card_number": APPROVED, "card_exp_month": "13" } } });
    let refused = shop.creates(with(coded(paid_with(APPROVED)), broken)).await;
    answers.push(refused.text.clone());
}

/// Receives real notices from processors and false ones from strangers.
async fn hears_notices(shop: &Shop, answers: &mut Vec<String>) {
    shop.reconnects(notice::webhook_details()).await.ok();
    let call = || {
        shop.server
            .wire
            .call("notices_receive")
            .at("merchant_id", &shop.merchant_id)
            .at("connector_account", &shop.connector_account_id)
    };
    let mut told = notice::approved("mrk_nobodys_own", 6540);
    told["card"] = json!({ "number": APPROVED, "cvc": CODE });
    for secret in [notice::SECRET, "a stranger's"] {
        let answer = notice::signed(call(), secret, &told).unjudged().await;
        answers.push(answer.text.clone());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_and_no_answer_holds_a_number_or_a_code_on_sqlite() {
    is_found_nowhere(Site::on_sqlite(), None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_file_and_no_answer_holds_a_number_or_a_code_on_postgres() {
    if let Some((site, cluster)) = Site::on_own_postgres().await {
        is_found_nowhere(site, Some(cluster)).await;
    }
}

async fn is_found_nowhere(site: Site, cluster: Option<Arc<Cluster>>) {
    if let Some(cluster) = &cluster {
        says_everything(cluster);
    }
    let server = site.server_with("one", |inputs| {
        inputs.with(Setting::MetricsListen, "127.0.0.1:0")
    });
    let shop = server.await.shop("bookshop").await;
    let receiver = Receiver::open().await;
    let webhook = json!({ "webhook_details": { "webhook_url": receiver.url() } });
    shop.sets_up(webhook).await.ok();
    let mut answers = Vec::new();
    takes_every_path(&shop, &mut answers).await;
    hears_notices(&shop, &mut answers).await;
    let saved = listed(&shop, "ada").await;
    let families = ["card", "bank_debit"].map(|family| {
        let of_family = |method: &&Value| method["payment_method"] == family;
        saved.iter().filter(of_family).count()
    });
    let [cards, accounts] = families;
    assert!(cards >= 2 && accounts == 2, "they were saved: {saved:?}");
    answers.push(
        shop.call("payments_list")
            .query("limit", 100)
            .await
            .text
            .clone(),
    );
    let events = shop
        .operator("events_list")
        .at("merchant_id", &shop.merchant_id);
    answers.push(events.json(&json!({})).await.text.clone());
    let metrics = shop.server.metrics_address().expect("metrics are served");
    let metrics = Wire::new(&format!("http://{metrics}"));
    let metrics = metrics.request(Method::GET, "/metrics").unjudged().await;
    assert!(metrics.text.contains("multirail_requests_total"));
    answers.push(metrics.text.clone());
    let last = shop.call("payments_list").await;
    let logged = everything(|operation| shop.call(operation), &last).await;
    let mut texts = logged.iter();
    assert!(
        texts.any(|text| text.contains("card_number")),
        "bodies are logged"
    );
    answers.extend(logged);
    for delivery in receiver.has(NUMBERS.len()).await {
        answers.push(delivery.json().to_string());
    }

    let id = saved[0]["payment_method_id"].as_str().expect("an id");
    let url = site.database_url().map(str::to_owned);
    let found = Found::now(&site.folder("one"), cluster.as_deref(), url.as_deref()).await;
    found.has(id);
    found.tells_nothing();
    // Searches again after the database's log is merged into its file.
    let (server, _shop) = closed(shop);
    server.stops().await.expect("it stops");
    if let Some(cluster) = &cluster {
        cluster.stop();
    }
    let found = Found::now(&site.folder("one"), cluster.as_deref(), None).await;
    found.has(id);
    found.tells_nothing();
    tell_nothing(&answers);
}
