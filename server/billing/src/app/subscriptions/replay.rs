//! Answers a repeated request whose first run died between its commits.

use async_trait::async_trait;
use multirail_app::platform::idempotency::Claim;
use multirail_app::platform::lease::is_held;
use multirail_app::platform::ports::ObjectClass;
use multirail_app::platform::ports::idempotency::{Answer, KeyRecord};
use multirail_app::platform::replays::Replay;
use multirail_app::{AppError, Origin};
use multirail_billing_domain::subscription::{Command, Input, Outcome, Told};
use multirail_kernel::ids::SubscriptionId;
use multirail_kernel::refusal::Refusal;

use super::Subscriptions;
use super::charge::outcome_of;
use super::confirm::first_payment;
use super::decide::With;

/// The class of subscriptions.
pub const SUBSCRIPTION: ObjectClass = ObjectClass::new("subscription");

#[async_trait]
impl Replay for Subscriptions {
    fn class(&self) -> ObjectClass {
        SUBSCRIPTION
    }

    /// Returns the result of the claim's request, or nothing if its payment was never confirmed. The repeat then
    /// carries the request out.
    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError> {
        if is_held(record.lease_until, self.base.clock.wall()) {
            return Err(Refusal::KeyInUse.into());
        }
        let id = SubscriptionId::parse(&record.object_id).map_err(|_| {
            AppError::Broken("an idempotency key names no valid subscription id".to_owned())
        })?;
        let merchant_id = &claim.merchant_id;
        let mut standing = self.reads.standing_of(merchant_id, &id).await?;
        let mut payment = None;
        // If the first invoice is settled, the outcome of its payment was already reported.
        if let Ok((invoice, payment_id)) = first_payment(&standing) {
            let found = self.payments.load(merchant_id, &payment_id).await?;
            let outcome = outcome_of(&found, invoice, self.base.now());
            if outcome == Outcome::Untouched {
                let input = Input::Command(Command::Unconfirm);
                self.decider
                    .decide(worker, merchant_id, &id, input, With::NOTHING)
                    .await?;
                claim.resume(record.object_id.clone(), record.lease_until);
                return Ok(None);
            }
            let told = Told {
                invoice_id: invoice.invoice_id.clone(),
                payment_id,
                outcome,
            };
            let view = self.payments.view(found);
            let with = With {
                payment: Some(&view),
                ..With::NOTHING
            };
            let of = (merchant_id, &id);
            let read_at = standing.subscription.version;
            let decided = self.decider.tell(worker, of, told, read_at, with);
            let decided = decided.await?;
            standing = decided.standing;
            payment = Some(decided.read_again.unwrap_or(view));
        }
        let invoice = self.reads.store.last_invoice(merchant_id, &id).await?;
        let last = invoice.as_ref().and_then(|it| it.last_payment());
        if let (None, Some(payment_id)) = (&payment, last) {
            let found = self.payments.find(merchant_id, payment_id).await?;
            payment = found.map(|found| self.payments.view(found));
        }
        let view = self.reads.view(&standing.subscription, invoice, payment);
        claim.answer_or_broken(view.made()).map(Some)
    }
}
