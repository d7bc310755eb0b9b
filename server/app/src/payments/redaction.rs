//! Redacts the payments of a redacted customer: afterwards, in portions, by any server.
//!
//! The redaction's own commit stores a row for this work. A server claims the row by a lease, goes through the
//! customer's payments from the oldest to the newest, and stores its progress after each portion. Where the server
//! dies, another one continues from there.
//!
//! A request that read the customer before the redaction may still store a payment after the first pass. So a last pass
//! begins when no such request can be running any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use multirail_domain::payments::payment::{Attempt, Command, Input, Payment, transition};
use multirail_domain::webhooks::webhook::event_body;
use multirail_kernel::context::Context;
use multirail_kernel::ids::{CustomerId, MerchantId, PaymentId};
use multirail_kernel::refusal::Object;
use multirail_kernel::timestamp::Timestamp;

use super::super::{AppError, Origin};
use super::Payments;
use crate::customers::ports::{SavedMethodChange, SavedMethodStore};
use crate::operations::driver::{Aggregate, Driver};
use crate::payments::ports::redactions::{ClaimedRedaction, Progress};
use crate::payments::ports::{PaymentChange, RedactionStore};
use crate::platform::base::Base;
use crate::platform::decisions::Decisions;
use crate::platform::idempotency::ForKey;
use crate::platform::lease::Leased;
use crate::platform::ports::{Change, StoreFailure};
use crate::webhooks::ports::EventStore;
use crate::webhooks::ports::events::EventChange;

/// The number of payments in a portion. The progress is stored after each.
const PORTION: i64 = 50;
/// Business seconds until the next pass after one that could not redact every payment, such as a payment of a later
/// version.
const AGAIN_AFTER: i64 = 600;

/// Redacts the payments of redacted customers.
pub struct PaymentRedactions {
    pub base: Arc<Base>,
    pub driver: Arc<Driver>,
    pub payments: Arc<Payments>,
    pub store: Arc<dyn RedactionStore>,
    pub saved_methods: Arc<dyn SavedMethodStore>,
    pub events: Arc<dyn EventStore + Send + Sync>,
}

impl PaymentRedactions {
    /// Claims one redaction that is due, if there is one.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(&self) -> Result<Option<ClaimedRedaction>, StoreFailure> {
        let wall = self.base.clock.wall();
        let lease_until = self.base.leases.until(Leased::Redaction, wall);
        self.store
            .claim_redaction(self.base.now(), wall, lease_until)
            .await
    }

    /// Redacts one portion of the payments. Returns the claim where more are left, `None` where the pass is over or
    /// another server has claimed it.
    ///
    /// # Errors
    /// A store that fails: finished redactions stay, and another claim continues when the lease has expired.
    pub async fn redact_portion(
        &self,
        origin: &Origin,
        claimed: ClaimedRedaction,
    ) -> Result<Option<ClaimedRedaction>, AppError> {
        let ClaimedRedaction {
            merchant_id,
            customer_id,
            progress,
            ..
        } = &claimed;
        let payments = self
            .store
            .payments_of_customer(merchant_id, customer_id, progress, PORTION)
            .await?;
        let mut skipped = progress.skipped;
        for (_, payment_id) in &payments {
            let redacted = self.redact_payment(origin, merchant_id, customer_id, payment_id);
            match redacted.await {
                Ok(()) => {}
                Err(error @ (AppError::Unavailable(_) | AppError::Standstill(..))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::error!(%payment_id, %error, "a payment of a redacted customer could not be redacted");
                    skipped += 1;
                }
            }
        }
        let is_over = payments.len() < PORTION as usize;
        match payments.last() {
            Some((created_at, payment_id)) if !is_over => {
                let progress = Progress {
                    done_until: *created_at,
                    done_payment_id: payment_id.to_string(),
                    skipped,
                    ..progress.clone()
                };
                self.go_on(ClaimedRedaction {
                    progress,
                    ..claimed
                })
                .await
            }
            Some(_) | None => {
                self.end_pass(origin, claimed, skipped).await?;
                Ok(None)
            }
        }
    }

    /// Stores the progress with a new lease.
    async fn go_on(&self, claimed: ClaimedRedaction) -> Result<Option<ClaimedRedaction>, AppError> {
        let lease_until = self
            .base
            .leases
            .until(Leased::Redaction, self.base.clock.wall());
        let is_ours = self
            .store
            .note_redaction(&claimed, self.base.now(), lease_until)
            .await?;
        Ok(is_ours.then_some(claimed))
    }

    async fn end_pass(
        &self,
        origin: &Origin,
        mut claimed: ClaimedRedaction,
        skipped: i64,
    ) -> Result<(), AppError> {
        let now = self.base.now();
        // This doesn't wait for payments that can't be redacted.
        self.forget_methods(origin, &claimed).await?;
        let next = if skipped > 0 {
            now.plus_seconds(AGAIN_AFTER)
        } else if claimed.progress.is_last_pass {
            self.store.end_redaction(&claimed).await?;
            return Ok(());
        } else {
            let at_work = self.base.leases.in_flight_seconds();
            claimed.progress.is_last_pass = true;
            claimed.requested_at.plus_seconds(at_work)
        };
        claimed.progress = Progress::of_pass(claimed.progress.is_last_pass);
        let due_at = next.unwrap_or(now).max(now);
        let free = Timestamp::EPOCH;
        self.store.note_redaction(&claimed, due_at, free).await?;
        Ok(())
    }

    /// Deletes methods that a request saved after it had read the customer before the redaction.
    async fn forget_methods(
        &self,
        origin: &Origin,
        claimed: &ClaimedRedaction,
    ) -> Result<(), AppError> {
        let delete = SavedMethodChange::DeleteAll {
            merchant_id: claimed.merchant_id.clone(),
            customer_id: claimed.customer_id.clone(),
        };
        let merchant_id = Some(&claimed.merchant_id);
        let changes = vec![self.saved_methods.change(delete)];
        let change_set = self
            .base
            .change_set(origin, merchant_id, ForKey::Nothing, changes);
        let committed = self.base.commit(change_set).await;
        committed.map_err(AppError::of_commit)
    }

    /// Redacts a payment and its events, if it still belongs to this customer.
    async fn redact_payment(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        customer_id: &CustomerId,
        payment_id: &PaymentId,
    ) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::Customer);
        loop {
            let before = Payment::load(&self.payments, merchant_id, payment_id).await?;
            if before.terms.customer_id.as_ref() != Some(customer_id) {
                return Ok(());
            }
            if before.holds_card {
                self.forget_card(origin, merchant_id, payment_id).await?;
                continue;
            }
            let mut changes = self.redact_events(merchant_id, payment_id.as_str()).await?;
            let mandates = before.attempts.iter().filter_map(Attempt::mandate);
            let mandates: BTreeSet<_> = mandates.collect();
            for mandate_id in mandates {
                changes.extend(self.redact_events(merchant_id, mandate_id.as_str()).await?);
            }
            if let Some(after) = before.redacted() {
                let (before, after) = (before.into(), after.into());
                let update = PaymentChange::Update { before, after };
                changes.push(self.payments.store.change(update));
            }
            if changes.is_empty() {
                return Ok(());
            }
            let change_set =
                self.base
                    .change_set(origin, Some(merchant_id), ForKey::Nothing, changes);
            match self.base.commit(change_set).await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    decisions
                        .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                        .await?
                }
            }
        }
    }

    /// Deletes the card that waits for a confirm. No one may confirm it any more, and otherwise its number and holder
    /// would stay until the client secret expires.
    async fn forget_card(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<(), AppError> {
        self.payments.codes.take(merchant_id, payment_id);
        let decide = |payment: &Payment, context: &Context| {
            transition(payment, Input::Command(Command::ForgetCard), context)
        };
        let forgotten =
            self.driver
                .commit_decision(&*self.payments, origin, merchant_id, payment_id, decide);
        forgotten.await.map(drop)
    }

    /// Returns the changes that redact the events of a payment or a mandate.
    async fn redact_events(
        &self,
        merchant_id: &MerchantId,
        object_id: &str,
    ) -> Result<Vec<Change>, AppError> {
        let bodies = self.events.event_bodies(merchant_id, object_id).await?;
        let mut changes = Vec::new();
        for (event_id, body) in bodies {
            let redacted = event_body::redacted(&body);
            let redacted = redacted.map_err(|error| AppError::Broken(error.to_string()))?;
            changes.extend(redacted.map(|body| {
                let merchant_id = merchant_id.clone();
                let rewrite = EventChange::Rewrite {
                    merchant_id,
                    event_id,
                    body,
                };
                self.events.change(rewrite)
            }));
        }
        Ok(changes)
    }
}
