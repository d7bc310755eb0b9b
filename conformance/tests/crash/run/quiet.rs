//! The quiet phase after the load, in which open operations settle.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use multirail_simulator::processor::RETURN_AFTER_DAYS;
use serde_json::Value;

use super::Run;
use crate::ledger::{awaits_payer, text};
use crate::{method_books, refund_books, unsettled};

/// Longest wait for open operations to settle after the load has ended.
const QUIET_LIMIT: Duration = Duration::from_secs(90);

impl Run {
    /// Returns every payment, once nothing is processing any more or time is up.
    pub(super) async fn wait_for_quiet(&self) -> BTreeMap<String, Value> {
        let mut ids: Vec<String> = self
            .client
            .seen()
            .into_iter()
            .map(|seen| seen.payment_id)
            .collect();
        ids.sort();
        ids.dedup();
        let limit = Instant::now() + QUIET_LIMIT;
        let mut open = ids.clone();
        while !open.is_empty() && Instant::now() < limit {
            self.time_passes().await;
            let payments = self.read(&open).await;
            let unsettled = self.unsettled().await;
            open = payments
                .into_iter()
                .filter(|(id, payment)| is_moving(payment) && !unsettled.contains(id))
                .map(|(id, _)| id)
                .collect();
        }
        // Voids of unwanted authorizations and payers at the processor's page show in no status, but must end too.
        self.time_passes().await;
        self.time_passes().await;
        self.with_decisions_of_payers(&ids).await
    }

    /// Returns these payments once the server knows every decision of a payer that the processor knows.
    async fn with_decisions_of_payers(&self, ids: &[String]) -> BTreeMap<String, Value> {
        let limit = Instant::now() + QUIET_LIMIT;
        let mut end = self.read(ids).await;
        loop {
            let ledger = self.processor.ledger().await;
            let behind = method_books::behind(&ledger, &end);
            if behind.is_empty() || Instant::now() > limit {
                return end;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
            end.extend(self.read(&behind).await);
        }
    }

    /// Lets the processor's clock pass the time after which debits are returned, and fetches the returns. The time of payers who
    /// are still awaited may end, too. Nothing is under load any more, so asking about each of them once is enough.
    pub(super) async fn with_returned_debits(
        &self,
        end: BTreeMap<String, Value>,
    ) -> BTreeMap<String, Value> {
        if !self.processor.debits() {
            return end;
        }
        self.processor
            .clock_advances(RETURN_AFTER_DAYS * 86_400 + 60)
            .await;
        for (id, payment) in &end {
            if !awaits_payer(payment) {
                continue;
            }
            let path = format!("/payments/{id}?force_sync=true");
            self.client.get(&path).await;
        }
        self.fetch_disputes().await;
        // A return is announced as opened first.
        self.processor.clock_advances(3_600).await;
        let ids: Vec<String> = end.into_keys().collect();
        self.with_decisions_of_payers(&ids).await
    }

    async fn fetch_disputes(&self) {
        let path = format!(
            "/disputes/fetch/{}?fetch_from=2020-01-01T00:00:00Z&fetch_till=2099-01-01T00:00:00Z",
            self.client.account_id
        );
        let (status, fetched) = self.client.get(&path).await;
        assert_eq!(status, 200, "{fetched}");
    }

    /// Returns the payments after their disputes are settled and fetched from the processor.
    pub(super) async fn with_disputes_as_they_stand(
        &self,
        end: BTreeMap<String, Value>,
    ) -> BTreeMap<String, Value> {
        if !self.processor.disputes() {
            return end;
        }
        let limit = Instant::now() + QUIET_LIMIT;
        while unsettled::is_asking_about_disputes(&self.client).await && Instant::now() < limit {
            self.time_passes().await;
        }
        self.fetch_disputes().await;
        let ids: Vec<String> = end.into_keys().collect();
        self.read(&ids).await
    }

    /// Returns payments that stay open because the processor never received an operation, and can't prove that yet.
    pub(super) async fn unsettled(&self) -> BTreeSet<String> {
        if self.processor.proves_absence() {
            return BTreeSet::new();
        }
        let ledger = self.processor.ledger().await;
        unsettled::payments(&self.client, &ledger).await
    }

    /// Advances business time beyond any pause between two syncs, then waits for the syncs.
    async fn time_passes(&self) {
        self.processor.time_passes();
        self.client.time_passes(100_000).await;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
    }

    /// Reads these payments, without those whose creation was refused.
    async fn read(&self, ids: &[String]) -> BTreeMap<String, Value> {
        let mut payments = BTreeMap::new();
        for id in ids {
            let path = format!("/payments/{id}?expand_attempts=true&expand_captures=true");
            let (status, payment) = self.client.get(&path).await;
            if status == 200 {
                payments.insert(id.clone(), payment);
            }
        }
        payments
    }
}

pub fn is_moving(payment: &Value) -> bool {
    let is_waiting = match text(payment, "status") {
        "processing" => !awaits_payer(payment),
        status => status == "partially_captured_and_processing",
    };
    let none = Vec::new();
    let captures = payment["captures"].as_array().unwrap_or(&none);
    let mut refunds = refund_books::refunds_of(payment).iter();
    is_waiting
        || refunds.any(|refund| refund["status"] == "pending")
        || captures
            .iter()
            .any(|capture| matches!(text(capture, "status"), "started" | "pending"))
}
