//! Interrupted calls after a restart, step by step.

use std::sync::Arc;
use std::time::{Duration, Instant};

use multirail_conformance::bodies::{APPROVED, order_with, with};
use multirail_conformance::patience::until_found;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;
use crate::ledger::text;
use crate::options::Connector;
use crate::processes::Process;
use crate::processor::Processor;
use crate::run::ADMIN_KEY;
use crate::seen::Seen;

/// Long enough for a kill in between.
const SIMULATOR_DELAY_MS: u64 = 1_500;
/// Far longer than any wait in these tests: nothing may depend on this deadline.
const DEADLINE_MS: u64 = 60_000;

struct Stage {
    processor: Arc<Processor>,
    server: Process,
    client: Arc<Client>,
    _folder: TempDir,
}

impl Stage {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let processor =
            Processor::start(Connector::Simulator, folder.path(), SIMULATOR_DELAY_MS).await;
        let processor = Arc::new(processor);
        let server = Process::server(
            1,
            folder.path(),
            processor.setting(),
            ADMIN_KEY,
            None,
            DEADLINE_MS,
        );
        server.start().await;
        let urls = vec![server.url.clone()];
        let client = Arc::new(Client::found(urls, ADMIN_KEY, Arc::clone(&processor), None).await);
        Stage {
            processor,
            server,
            client,
            _folder: folder,
        }
    }

    /// Creates a sale, and kills the server when the processor has done it and is about to answer.
    async fn sale_is_cut_off(&self, payment_id: &str) -> tokio::task::JoinHandle<Seen> {
        let client = Arc::clone(&self.client);
        let payment_id = payment_id.to_owned();
        let body = with(
            order_with(APPROVED),
            json!({ "payment_id": payment_id, "confirm": true }),
        );
        let asking = async move {
            client
                .post("create", &payment_id, "/payments", &body, Some(&payment_id))
                .await
        };
        let asking = tokio::spawn(asking);
        tokio::time::sleep(Duration::from_millis(SIMULATOR_DELAY_MS / 2)).await;
        self.server.kill();
        asking
    }

    async fn payment(&self, payment_id: &str) -> Value {
        let (status, payment) = self.client.get(&format!("/payments/{payment_id}")).await;
        assert_eq!(status, 200, "{payment}");
        payment
    }

    /// Waits until the payment's outcome is known, at most this long. It must not take until the deadline.
    async fn settles(&self, payment_id: &str, within: Duration) -> Value {
        let limit = Instant::now() + within;
        loop {
            let payment = self.payment(payment_id).await;
            if payment["status"] != "processing" {
                return payment;
            }
            assert!(
                Instant::now() < limit,
                "still not known after {within:?}: {payment}"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// On SQLite no other process can be working on the call, so the server doesn't wait for the deadline.
pub async fn a_restart_does_not_wait_for_calls_of_an_earlier_run() {
    let stage = Stage::new().await;
    let asking = stage.sale_is_cut_off("pay_asked_again").await;
    stage.server.start().await;
    let seen = tokio::time::timeout(Duration::from_secs(10), asking)
        .await
        .expect("an answer soon")
        .expect("an answer");
    assert_eq!((seen.status, seen.replayed), (200, true), "{seen:?}");
    assert_eq!(text(&seen.body, "status"), "succeeded");

    let asking = stage.sale_is_cut_off("pay_left_alone").await;
    asking.abort();
    stage.server.start().await;
    let payment = stage
        .settles("pay_left_alone", Duration::from_secs(10))
        .await;
    assert_eq!(text(&payment, "status"), "succeeded");
}

/// While the processor can't be reached either, the payment says that the call was interrupted.
pub async fn an_interrupted_call_says_so_until_it_is_known() {
    let stage = Stage::new().await;
    stage.sale_is_cut_off("pay_1").await.abort();
    stage.processor.kill();
    stage.server.start().await;
    until_found("somebody has tried to ask", async || {
        let payment = stage.payment("pay_1").await;
        assert_eq!(text(&payment, "status"), "processing");
        if payment["error_code"] == "outcome_unknown" {
            assert_eq!(
                payment["error_details"]["connector_details"]["reason"],
                "interrupted"
            );
            return Ok(());
        }
        Err(payment)
    })
    .await;
    stage.processor.returns().await;
    let payment = stage.settles("pay_1", Duration::from_secs(20)).await;
    assert_eq!(text(&payment, "status"), "succeeded");
    assert!(payment["error_code"].is_null(), "{payment}");
}
