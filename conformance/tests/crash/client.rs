//! A merchant's client that never gives up: it repeats a request without an answer, with the same idempotency key.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::announced;
use crate::ledger::text;
use crate::payers::Payers;
use crate::processor::Processor;
use crate::seen::Seen;

/// How long a request is repeated before it counts as lost. Its server is killed and restarted several times
/// meanwhile.
const PATIENCE: Duration = Duration::from_secs(90);
const PAUSE: Duration = Duration::from_millis(60);

/// Counts of requests and of their interruptions.
#[derive(Debug, Default)]
pub struct Counts {
    pub sent: AtomicU64,
    pub unanswered: AtomicU64,
    pub unavailable: AtomicU64,
    pub in_use: AtomicU64,
    /// Requests that were answered after an earlier try got no answer.
    pub cut_off: AtomicU64,
    /// Those of them whose first commit was already made.
    pub had_begun: AtomicU64,
}

/// A merchant.
pub struct Client {
    http: reqwest::Client,
    /// Servers on one database, used in turn: a request that one server left unanswered goes to the next.
    bases: Vec<String>,
    turn: AtomicUsize,
    admin_key: String,
    api_key: String,
    /// The merchant's account at the processor.
    pub account_id: String,
    pub processor: Arc<Processor>,
    /// Payers who act later.
    pub payers: Payers,
    pub counts: Counts,
    seen: Mutex<Vec<Seen>>,
    wrong: Mutex<Vec<String>>,
}

impl Client {
    /// Creates the merchant, with an account at the processor. `webhook_url`, if given, receives all events.
    pub async fn found(
        bases: Vec<String>,
        admin_key: &str,
        processor: Arc<Processor>,
        webhook_url: Option<&str>,
    ) -> Self {
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(10))
            .build()
            .expect("a client");
        let mut client = Client {
            http,
            bases,
            turn: AtomicUsize::new(0),
            admin_key: admin_key.to_owned(),
            api_key: admin_key.to_owned(),
            account_id: String::new(),
            processor,
            payers: Payers::default(),
            counts: Counts::default(),
            seen: Mutex::default(),
            wrong: Mutex::default(),
        };
        let told = webhook_url.map(
            |url| json!({ "webhook_url": url, "payment_statuses_enabled": announced::statuses() }),
        );
        client
            .set_up(
                "/accounts",
                json!({ "merchant_id": "crash", "webhook_details": told }),
            )
            .await;
        let key = client
            .set_up(
                "/api_keys/crash",
                json!({ "name": "till", "expiration": "never" }),
            )
            .await;
        let account = client.processor.account();
        let account = client.set_up("/account/crash/connectors", account).await;
        client.account_id = text(&account, "merchant_connector_id").to_owned();
        client.api_key = key["api_key"].as_str().expect("a key").to_owned();
        client
    }

    async fn set_up(&self, path: &str, body: Value) -> Value {
        let request = self
            .http
            .post(self.url(path))
            .header("api-key", &self.api_key)
            .json(&body);
        let answer = request.send().await.expect("an answer");
        let status = answer.status();
        let body = answer.json().await.expect("JSON");
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Waits until a server has answered that it is unavailable.
    pub async fn hears_unavailable(&self) {
        let limit = Instant::now() + PATIENCE / 2;
        while self.counts.unavailable.load(Ordering::Relaxed) == 0 {
            assert!(
                Instant::now() < limit,
                "no server says that it is unavailable"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Sends a POST until there is an answer, and remembers that answer. A null body means no body. Without a `key`,
    /// the server can't recognize a repeat.
    pub async fn post(
        &self,
        operation: &'static str,
        payment_id: &str,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Seen {
        let limit = Instant::now() + PATIENCE;
        let (mut cut_off, mut told_503) = (false, false);
        let (status, replayed, answer) = loop {
            self.counts.sent.fetch_add(1, Ordering::Relaxed);
            let mut request = self
                .http
                .post(self.url(path))
                .header("api-key", &self.api_key);
            if !body.is_null() {
                request = request.json(body);
            }
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            match answer_to(request).await {
                None => {
                    cut_off = true;
                    count(&self.counts.unanswered);
                }
                Some((503, _, retry_after, body)) => {
                    told_503 = true;
                    count(&self.counts.unavailable);
                    if !retry_after {
                        self.is_wrong(format!(
                            "{operation} {payment_id}: 503 without Retry-After: {body}"
                        ));
                    }
                }
                Some((409, _, _, body)) if body["code"] == "MR_02" => count(&self.counts.in_use),
                Some((status, replayed, _, body)) => break (status, replayed, body),
            }
            assert!(
                Instant::now() < limit,
                "{operation} {payment_id} got no answer in {PATIENCE:?}"
            );
            tokio::time::sleep(PAUSE).await;
        };
        if cut_off {
            count(&self.counts.cut_off);
        }
        if cut_off && replayed {
            count(&self.counts.had_begun);
        }
        let seen = Seen {
            operation,
            payment_id: payment_id.to_owned(),
            status,
            body: answer,
            replayed,
            cut_off,
            told_503,
        };
        if status >= 500 {
            self.is_wrong(format!("{operation} {payment_id}: {status} {}", seen.body));
        }
        self.remember(seen.clone());
        seen
    }

    /// Reads a resource of a payment, and remembers the answer.
    pub async fn read(&self, operation: &'static str, payment_id: &str, path: &str) -> Seen {
        let (status, body) = self.get(path).await;
        let seen = Seen {
            operation,
            payment_id: payment_id.to_owned(),
            status,
            body,
            replayed: false,
            cut_off: false,
            told_503: false,
        };
        self.remember(seen.clone());
        seen
    }

    fn remember(&self, seen: Seen) {
        self.seen.lock().expect("not poisoned").push(seen);
    }

    /// Sends a GET until there is an answer.
    pub async fn get(&self, path: &str) -> (u16, Value) {
        let limit = Instant::now() + PATIENCE;
        loop {
            let request = self
                .http
                .get(self.url(path))
                .header("api-key", &self.api_key);
            match answer_to(request).await {
                Some((status, _, _, body)) if status != 503 => return (status, body),
                Some(_) | None => {}
            }
            assert!(
                Instant::now() < limit,
                "{path} got no answer in {PATIENCE:?}"
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Sends a POST with the operator's key until there is an answer.
    pub async fn operator(&self, path: &str, body: &Value) -> Value {
        self.ask(&self.admin_key, path, body).await
    }

    /// Sends a GET with the operator's key until there is an answer.
    pub async fn operator_reads(&self, path: &str) -> Value {
        let limit = Instant::now() + PATIENCE;
        loop {
            let request = self.http.get(self.url(path));
            match answer_to(request.header("api-key", &self.admin_key)).await {
                Some((200, _, _, body)) => return body,
                other => assert!(Instant::now() < limit, "{path}: {other:?}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Requests a list with the merchant's key until there is an answer.
    pub async fn list(&self, path: &str, body: &Value) -> Value {
        self.ask(&self.api_key, path, body).await
    }

    async fn ask(&self, key: &str, path: &str, body: &Value) -> Value {
        let limit = Instant::now() + PATIENCE;
        loop {
            let request = self
                .http
                .post(self.url(path))
                .header("api-key", key)
                .json(body);
            match answer_to(request).await {
                Some((200, _, _, body)) => return body,
                other => assert!(Instant::now() < limit, "{path}: {other:?}"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Moves business time forward.
    pub async fn time_passes(&self, seconds: i64) {
        let body = json!({ "advance_seconds": seconds });
        self.operator("/sandbox/clock", &body).await;
    }

    /// Returns every answer seen so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("not poisoned").clone()
    }

    /// Records something that is wrong.
    pub fn is_wrong(&self, what: String) {
        self.wrong.lock().expect("not poisoned").push(what);
    }

    /// Returns everything that was recorded as wrong.
    pub fn wrong(&self) -> Vec<String> {
        self.wrong.lock().expect("not poisoned").clone()
    }

    pub fn http(&self) -> &reqwest::Client {
        &self.http
    }

    fn url(&self, path: &str) -> String {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        format!("{}{path}", self.bases[turn % self.bases.len()])
    }
}

/// Returns the status, whether the answer was replayed, whether it has a Retry-After, and the body.
/// Returns none if the connection broke.
async fn answer_to(request: reqwest::RequestBuilder) -> Option<(u16, bool, bool, Value)> {
    let answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    let replayed = answer.headers().get("idempotent-replayed").is_some();
    let retry_after = answer.headers().get("retry-after").is_some();
    let text = answer.text().await.ok()?;
    Some((
        status,
        replayed,
        retry_after,
        serde_json::from_str(&text).unwrap_or(Value::String(text)),
    ))
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
