//! The worker's part: the work that becomes due with time.

use multirail_app::platform::idempotency::ForKey;
use multirail_app::platform::lease::Leased;
use multirail_app::platform::ports::{CommitError, StoreFailure};
use multirail_app::{AppError, Origin};
use multirail_billing_domain::subscription::{ChargeCall, Effect, Input, Standing, Told};

use super::Collector;
use super::charge::Seen;
use super::decide::{Brings, With};
use crate::ports::SubscriptionChange;
use crate::ports::subscriptions::{ClaimTerms, ClaimedSubscription, Turns};

/// The maximum number of steps for one subscription under one lease. The rest stays due.
const AT_ONCE: usize = 50;

impl Collector {
    /// Claims up to `at_most` subscriptions that are due.
    ///
    /// # Errors
    /// A store that fails.
    pub async fn claim(
        &self,
        at_most: usize,
        turns: &mut Turns,
    ) -> Result<Vec<ClaimedSubscription>, StoreFailure> {
        let wall = self.base.clock.wall();
        let terms = ClaimTerms {
            now: self.base.now(),
            wall,
            lease_until: self.base.leases.until(Leased::Subscription, wall),
            at_most: i64::try_from(at_most).unwrap_or(i64::MAX),
        };
        self.reads.store.claim_subscriptions(terms, turns).await
    }

    /// Does the due work of a claimed subscription: bills periods, charges invoices, checks payments. Releases the
    /// claim afterwards.
    ///
    /// # Errors
    /// A store that fails, or a price that can't be billed any further. The claim then stays until its lease expires.
    pub async fn work_on(
        &self,
        origin: &Origin,
        claimed: &ClaimedSubscription,
    ) -> Result<(), AppError> {
        for _ in 0..AT_ONCE {
            let (merchant_id, id) = (&claimed.merchant_id, &claimed.subscription_id);
            let standing = self.reads.standing_of(merchant_id, id).await?;
            if standing.subscription.outside.is_some() {
                self.rest(origin, standing).await?;
                break;
            }
            let is_due = standing.due().is_some_and(|(at, _)| at <= self.base.now());
            if !is_due {
                break;
            }
            let decided = self
                .decider
                .decide(origin, merchant_id, id, Input::Time, With::NOTHING);
            let decided = decided.await?;
            self.follow(origin, &decided.standing, decided.effects)
                .await?;
        }
        self.reads.store.release_subscription(claimed).await?;
        Ok(())
    }

    /// Takes a subscription of an external engine out of the queue, whatever was planned for it. If another commit
    /// changes it meanwhile, it may stay due and is claimed again.
    async fn rest(&self, origin: &Origin, standing: Standing) -> Result<(), AppError> {
        let mut subscription = standing.subscription;
        subscription.has_news = false;
        let merchant_id = subscription.merchant_id.clone();
        let change = SubscriptionChange::Update {
            subscription: Box::new(subscription),
            invoices: Vec::new(),
            due_at: None,
            is_begun: false,
        };
        let changes = vec![self.reads.store.change(change)];
        let change_set = self
            .base
            .change_set(origin, Some(&merchant_id), ForKey::Nothing, changes);
        match self.base.commit(change_set).await {
            Ok(()) | Err(CommitError::Conflict) => Ok(()),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Does the work that follows from a stored step.
    pub(super) async fn follow(
        &self,
        origin: &Origin,
        standing: &Standing,
        effects: Vec<Effect>,
    ) -> Result<(), AppError> {
        for effect in effects {
            match effect {
                Effect::Charge(charge) => self.settle(origin, standing, charge).await?,
                Effect::CancelPayment(payment_id) => {
                    let merchant_id = &standing.subscription.merchant_id;
                    let reason = "subscription cancelled".to_owned();
                    let cancelled = self
                        .payments
                        .cancel(origin, merchant_id, &payment_id, reason);
                    // The payment may have ended already. The next check shows it.
                    if let Err(error) = cancelled.await {
                        tracing::info!(%payment_id, %error, "the payment of a cancelled subscription could not be cancelled");
                    }
                }
                Effect::RefundCredit => {
                    let of = &standing.subscription;
                    self.refund_credit(origin, &of.merchant_id, &of.subscription_id)
                        .await?;
                }
                Effect::LookAtRefund(refund_id) => {
                    let of = &standing.subscription;
                    self.look_at_refund(origin, &of.merchant_id, &of.subscription_id, &refund_id)
                        .await?;
                }
                Effect::LookAtPayments => {
                    let of = &standing.subscription;
                    self.look_at_payments(origin, &of.merchant_id, &of.subscription_id)
                        .await?;
                }
                // Stored in the step's commit.
                Effect::Announce(_) | Effect::GiveCouponBack | Effect::TakeCoupon => {}
            }
        }
        Ok(())
    }

    /// Makes or checks the payment of an invoice, and reports its outcome to the subscription.
    async fn settle(
        &self,
        origin: &Origin,
        standing: &Standing,
        charge: ChargeCall,
    ) -> Result<(), AppError> {
        let ChargeCall {
            invoice_id,
            payment_id,
        } = charge;
        let subscription = &standing.subscription;
        let mut open = standing.open.iter();
        let Some(invoice) = open.find(|invoice| invoice.invoice_id == invoice_id) else {
            return Ok(());
        };
        let Some(current) = invoice.current_try() else {
            return Ok(());
        };
        let seen = self.see_to_payment(origin, subscription, invoice, current);
        let Seen {
            payment,
            outcome,
            before,
        } = seen.await?;
        let payment = payment.map(|payment| self.payments.view(payment));
        let told = Told {
            invoice_id,
            payment_id,
            outcome,
        };
        let with = With {
            brings: Brings::Nothing,
            payment: payment.as_ref(),
        };
        let of = (&subscription.merchant_id, &subscription.subscription_id);
        let read_at = subscription.version;
        if let Some((payment_id, outcome)) = before {
            let former = Told {
                invoice_id: told.invoice_id.clone(),
                payment_id,
                outcome,
            };
            self.decider
                .tell(origin, of, former, read_at, With::NOTHING)
                .await?;
        }
        self.decider.tell(origin, of, told, read_at, with).await?;
        Ok(())
    }
}
