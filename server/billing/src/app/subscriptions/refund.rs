//! Refunds the credit of a cancelled subscription: finds refundable payments, refunds them, and checks the outcomes.

use multirail_app::platform::decisions::Decisions;
use multirail_app::{AppError, Origin};
use multirail_billing_domain::subscription::{
    Input, RefundTold, Subscription, ToRefund, transition,
};
use multirail_domain::payments::payment::{AtHand, Payment};
use multirail_domain::payments::refund::{Create, Refund, RefundType};
use multirail_kernel::ids::{MerchantId, RefundId, SubscriptionId};
use multirail_kernel::refusal::Object;

use super::Collector;
use super::decide::With;
use crate::ports::subscriptions::Page;

/// The number of invoices that one statement reads.
const INVOICES: i64 = 100;

impl Collector {
    /// Refunds credit to the payments that paid, the newest first, until no credit or no refundable payment is left.
    ///
    /// Each refund is stored in one commit with the reduction of the credit, under the versions of subscription and
    /// payment. If another request changes either in between, the refund is decided again.
    ///
    /// # Errors
    /// A store that fails. Refunds made so far are stored, and the rest stays due.
    pub(super) async fn refund_credit(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<(), AppError> {
        let mut decisions = Decisions::begin(Object::Subscription);
        loop {
            let before = self.reads.standing_of(merchant_id, subscription_id).await?;
            let waits = before.subscription.refunds_wait_until(self.base.now());
            if before.subscription.credit_to_refund() == 0 || waits.is_some() {
                return Ok(());
            }
            let payments = self.decider.payments_of(&before.subscription).await?;
            let credit = before
                .subscription
                .credit_to_refund_except(&payments.taken_back);
            let payment = match credit {
                0 => None,
                1.. | ..0 => {
                    self.payment_with_money(&before.subscription, credit)
                        .await?
                }
            };
            let Some(payment) = payment else {
                let input = Input::NothingRefundable;
                let stored =
                    self.decider
                        .decide(origin, merchant_id, subscription_id, input, With::NOTHING);
                return stored.await.map(drop);
            };
            let to_refund = ToRefund {
                refund_id: RefundId::generate(self.base.random.as_ref()),
                payment_id: payment.payment_id.clone(),
                amount: self.refundable_of(&payment, credit),
            };
            let create = Create {
                refund_id: to_refund.refund_id.clone(),
                named_merchant_id: None,
                amount: Some(to_refund.amount),
                reason: Some(format!("credit of the subscription {subscription_id}")),
                refund_type: RefundType::Scheduled,
                metadata: None,
                credentials: AtHand {
                    given: None,
                    are_held: false,
                },
            };
            let refund = Refund::create(&payment, create, &self.base.context())?;
            let made = self.payments.refund(payment, refund);
            let input = Input::Refund(to_refund);
            let step = transition(&before, input, &self.decider.context_with(&payments))?;
            let mut changes = payments.unchanged;
            changes.extend(made);
            let stored = self
                .decider
                .store_with(origin, &before, step, With::NOTHING, changes);
            if let Err(error) = stored.await {
                decisions
                    .retry_on_conflict(self.base.random.as_ref(), error, AppError::of_commit)
                    .await?;
            }
        }
    }

    /// Returns the credit that can be refunded to a payment, in multiples of its processor's step.
    fn refundable_of(&self, payment: &Payment, credit: i64) -> i64 {
        let most = credit.min(Refund::most(payment, self.base.now()));
        most - most % self.payments.refund_step(payment)
    }

    /// Returns the newest payment to which credit may be refunded.
    async fn payment_with_money(
        &self,
        subscription: &Subscription,
        credit: i64,
    ) -> Result<Option<Payment>, AppError> {
        let (merchant_id, id) = (&subscription.merchant_id, &subscription.subscription_id);
        let mut page = Page {
            limit: INVOICES,
            offset: 0,
        };
        loop {
            let invoices = self.reads.store.invoices(merchant_id, id, page).await?;
            let refundable = |invoice| subscription.refundable(invoice);
            for payment_id in invoices.iter().flat_map(refundable) {
                let found = self.payments.find(merchant_id, payment_id).await?;
                let has_money = |payment: &Payment| self.refundable_of(payment, credit) > 0;
                if let Some(payment) = found.filter(has_money) {
                    return Ok(Some(payment));
                }
            }
            if i64::try_from(invoices.len()).unwrap_or(i64::MAX) < page.limit {
                return Ok(None);
            }
            page.offset += page.limit;
        }
    }

    /// Reports the status of a refund of credit to the subscription.
    ///
    /// # Errors
    /// A store that fails.
    pub(super) async fn look_at_refund(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
        refund_id: &RefundId,
    ) -> Result<(), AppError> {
        let found = self.payments.find_refund(merchant_id, refund_id).await?;
        let refund = found.ok_or_else(|| {
            AppError::Broken("a refund of a subscription's credit does not exist".to_owned())
        })?;
        let trouble = refund.trouble();
        let told = RefundTold {
            refund_id: refund_id.clone(),
            status: refund.status,
            why: trouble.map(|decline| format!("{}: {}", decline.code, decline.message)),
            never_happened: refund.never_happened(),
        };
        let stored = self.decider.decide(
            origin,
            merchant_id,
            subscription_id,
            Input::RefundTold(told),
            With::NOTHING,
        );
        stored.await.map(drop)
    }
}
