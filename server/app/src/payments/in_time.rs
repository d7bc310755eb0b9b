//! The patience that a processor gets, and what its answers are measured by.

use std::time::Instant;

use multirail_domain::connector::{Outcome, UnknownReason};
use multirail_domain::payment::Attempt;

use super::super::App;
use crate::ports::metric;

impl App {
    /// A processor that doesn't answer in time leaves us not knowing. `call` says what was asked of it.
    pub(super) async fn in_time(
        &self,
        attempt: &Attempt,
        call: &'static str,
        answer: impl Future<Output = Outcome>,
    ) -> Outcome {
        let started = Instant::now();
        let outcome = tokio::time::timeout(self.settings.processor_deadline, answer)
            .await
            .unwrap_or(Outcome::Unknown(UnknownReason::Timeout));
        let connector = attempt.connector.clone().unwrap_or_default();
        metrics::histogram!(
            metric::PROCESSOR_SECONDS,
            "connector" => connector,
            "call" => call,
            "outcome" => word(&outcome)
        )
        .record(started.elapsed().as_secs_f64());
        outcome
    }
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done(_) => "done",
        Outcome::CustomerMustAct { .. } => "customer_must_act",
        Outcome::Declined(_) => "declined",
        Outcome::Pending { .. } => "pending",
        Outcome::NeverHappened { .. } => "never_happened",
        Outcome::Unknown(_) => "unknown",
    }
}
