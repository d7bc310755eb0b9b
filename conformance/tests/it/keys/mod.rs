//! The keys that seal stored data, changed during payments, by one server or among several.

mod clear;
mod command_line;
mod data_keys;
mod forgotten;
mod killed;
mod master_key;
mod refusals;
mod several;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use multirail_conformance::bodies::{APPROVED, order_with, paid_with};
use multirail_conformance::{Shop, TestServer};
use multirail_server::config::{Inputs, Setting};
use serde_json::{Value, json};

use crate::customers;
use tokio::task::JoinHandle;

/// The longest time for a change of keys in a test. A change waits several times for the statement timeout and
/// reseals all stored data.
const PATIENCE: Duration = Duration::from_secs(120);

/// The statement timeout in milliseconds. Servers learn of new keys within this time, and everything sealed before is
/// stored by then. A busy machine must be able to meet it.
const QUICK_MS: &str = "2500";

fn quick(inputs: Inputs) -> Inputs {
    inputs.with(Setting::StatementTimeoutMs, QUICK_MS)
}

/// Starts a rotation of all data keys, and returns its status.
async fn rotates(server: &TestServer) -> Value {
    let call = server.operator("keys_rotate");
    call.json(&json!({ "change": "data_keys" })).await.ok()
}

async fn keys(server: &TestServer) -> Value {
    server.operator("keys_retrieve").await.ok()
}

/// Waits until no data is sealed with a former key.
async fn finished(server: &TestServer) -> Value {
    let started = Instant::now();
    loop {
        let keys = keys(server).await;
        if keys["rotation"]["status"] == "finished" {
            assert_eq!(keys["rotation"]["unreadable"], 0, "{keys}");
            return keys;
        }
        assert!(started.elapsed() < PATIENCE, "still at it: {keys}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A shop that keeps selling until it is stopped.
struct Selling {
    stop: Arc<AtomicBool>,
    tills: Vec<JoinHandle<Vec<Value>>>,
}

impl Selling {
    /// Starts sales: half of the payments are confirmed at once, the others store the card between creation and
    /// confirm.
    fn begin(shop: &Shop) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let till = |_| {
            let (shop, stop) = (shop.clone(), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut paid = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    paid.push(shop.creates(paid_with(APPROVED)).await.ok());
                    let kept = shop.creates(order_with(APPROVED)).await.ok();
                    paid.push(shop.confirms(&kept, json!({})).await.ok());
                }
                paid
            })
        };
        let tills = (0..2).map(till).collect();
        Selling { stop, tills }
    }

    /// Returns every payment that was made meanwhile, all of which succeeded.
    async fn ends(self) -> Vec<Value> {
        self.stop.store(true, Ordering::Relaxed);
        let mut paid = Vec::new();
        for till in self.tills {
            paid.extend(till.await.expect("no request failed"));
        }
        for payment in &paid {
            assert_eq!(payment["status"], "succeeded", "{payment}");
        }
        paid
    }
}

/// A shop's data in every sealed form that is easy to create.
struct Kept {
    /// A payment whose card waits for the confirm.
    waiting: Value,
    paid: Value,
    customer: Value,
    /// A request with an idempotency key, and its answer.
    asked: (Value, String),
}

const KEY: &str = "idempotency-key";

impl Kept {
    async fn by(shop: &Shop) -> Self {
        let body = paid_with(APPROVED);
        let call = shop.creates(body.clone()).header(KEY, "kept");
        let answer = call.await;
        assert_eq!(answer.status, 200, "{answer:?}");
        Kept {
            waiting: shop.creates(order_with(APPROVED)).await.ok(),
            paid: shop.creates(paid_with(APPROVED)).await.ok(),
            customer: customers::creates(shop, customers::ada()).await.ok(),
            asked: (body, answer.text),
        }
    }

    /// Checks that all data is unchanged, and that the waiting card pays.
    async fn is_readable(&self, shop: &Shop) {
        assert_eq!(shop.retrieves(&self.paid).await.ok(), self.paid);
        let customer = customers::on(shop, "customers_retrieve", &self.customer);
        assert_eq!(customer.await.ok(), self.customer);
        let (body, answer) = &self.asked;
        let again = shop.creates(body.clone()).header(KEY, "kept").await;
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(again.text, *answer);
        let paid = shop.confirms(&self.waiting, json!({})).await.ok();
        assert_eq!(paid["status"], "succeeded", "by the card that was kept");
        let events = shop.server.operator("events_list");
        let events = events
            .at("merchant_id", &shop.merchant_id)
            .json(&json!({}))
            .await
            .ok();
        let event = events["events"][0].clone();
        let attempts = shop.server.operator("events_attempts");
        let attempts = attempts
            .at("merchant_id", &shop.merchant_id)
            .at("event_id", event["event_id"].as_str().expect("an id"))
            .await;
        attempts.ok();
    }
}
