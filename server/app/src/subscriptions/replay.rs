//! The answer to a repeat whose first request died between its commits.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use multirail_domain::subscription::{Command, Input, Outcome, Told};
use multirail_kernel::ids::SubscriptionId;
use multirail_kernel::refusal::Refusal;

use super::super::idempotency::{Claim, Made};
use super::super::lease::is_held;
use super::super::{App, AppError, Origin};
use super::charge::outcome_of;
use super::confirm::first_payment;
use super::decide::With;
use crate::ports::idempotency::{Answer, KeyRecord};
use crate::ports::{ObjectClass, Replay};

/// The class of subscriptions.
pub const SUBSCRIPTION: ObjectClass = ObjectClass::new("subscription");

/// Answers repeats of requests for subscriptions.
pub struct SubscriptionReplay(pub Arc<App>);

#[async_trait]
impl Replay for SubscriptionReplay {
    fn class(&self) -> ObjectClass {
        SUBSCRIPTION
    }

    async fn replay(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError> {
        self.0.replay_subscription(worker, claim, record).await
    }
}

impl App {
    /// What the request of this claim came to. Nothing where its payment was never confirmed: the repeat does it.
    async fn replay_subscription(
        &self,
        worker: &Origin,
        claim: &Claim,
        record: &KeyRecord,
    ) -> Result<Option<Answer>, AppError> {
        if is_held(record.lease_until, self.clock.wall()) {
            return Err(Refusal::KeyInUse.into());
        }
        let id = SubscriptionId::parse(&record.object_id)
            .map_err(|_| AppError::Broken("an idempotency key points nowhere".to_owned()))?;
        let merchant_id = &claim.merchant_id;
        let mut standing = self.subscriptions.standing_of(merchant_id, &id).await?;
        let mut payment = None;
        // Where the first invoice is settled, the subscription has heard of its payment.
        if let Ok((invoice, payment_id)) = first_payment(&standing) {
            let found = self.payments.load(merchant_id, &payment_id).await?;
            let outcome = outcome_of(&found, invoice, self.now());
            if outcome == Outcome::Untouched {
                let input = Input::Command(Command::Unconfirm);
                self.decide_subscription(worker, merchant_id, &id, input, With::NOTHING)
                    .await?;
                claim.resume(record.object_id.clone(), record.lease_until);
                return Ok(None);
            }
            let told = Told {
                invoice_id: invoice.invoice_id.clone(),
                payment_id,
                outcome,
            };
            let view = self.payments.view(Cow::Owned(found));
            let with = With {
                payment: Some(&view),
                ..With::NOTHING
            };
            let of = (merchant_id, &id);
            let read_at = standing.subscription.version;
            let decided = self.tell_subscription(worker, of, told, read_at, with);
            let decided = decided.await?;
            standing = decided.standing;
            payment = Some(decided.read_anew.unwrap_or(view));
        }
        let invoice = self
            .subscriptions
            .store
            .last_invoice(merchant_id, &id)
            .await?;
        let last = invoice.as_ref().and_then(|it| it.last_payment());
        if let (None, Some(payment_id)) = (&payment, last) {
            let found = self.store.payment(merchant_id, payment_id).await?;
            payment = found.map(|found| self.payments.view(Cow::Owned(found)));
        }
        let view = self
            .subscriptions
            .view(&standing.subscription, invoice, payment);
        claim.answer_or_broken(Made::Subscription(&view)).map(Some)
    }
}
