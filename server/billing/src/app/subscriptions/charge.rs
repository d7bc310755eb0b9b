//! Makes the payment of an invoice once, and derives the invoice's outcome from it.

use multirail_app::payments::create::CreatePayment;
use multirail_app::payments::{CallCredentials, PaymentView};
use multirail_app::platform::ports::{CommitError, StoreFailure};
use multirail_app::{AppError, Origin};
use multirail_billing_domain::dunning::RetryAdvice;
use multirail_billing_domain::subscription::{
    Input, Invoice, Outcome, Standing, Subscription, Told, Try, transition,
};
use multirail_domain::customers::customer::CustomerStatus;
use multirail_domain::payments::payment::recurring::FoundMethod;
use multirail_domain::payments::payment::{
    Changes, InstrumentInput, Particulars, Payment, PaymentStatus, RecurringInput,
};
use multirail_kernel::ids::{MerchantId, PaymentId, SubscriptionId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_sdk::charge::MitCategory;
use multirail_sdk::connector::Decline;

use super::Collector;
use super::decide::{Brings, With};
use crate::ports::subscriptions::Page;

/// The maximum number of rounds in one call. A round handles the news that arrived during the one before.
const LOOKS: usize = 10;
/// The number of invoices that one statement reads.
const INVOICES: i64 = 100;

/// The outcome of an invoice's payment under way, and of an earlier payment if that counts.
pub(super) struct Seen {
    /// The payment under way, if it exists.
    pub payment: Option<Payment>,
    pub outcome: Outcome,
    /// An earlier payment that had failed and has taken money since. It prevents another charge.
    pub before: Option<(PaymentId, Outcome)>,
}

impl Seen {
    fn without_payment(outcome: Outcome) -> Self {
        Seen {
            payment: None,
            outcome,
            before: None,
        }
    }
}

impl Collector {
    /// Makes the payment under way for an invoice unless it exists. Returns it, if it exists now, with the invoice's
    /// outcome.
    ///
    /// # Errors
    /// A store that fails. The outcome is unknown then, and the next caller reads the stored payment.
    pub(super) async fn see_to_payment(
        &self,
        origin: &Origin,
        subscription: &Subscription,
        invoice: &Invoice,
        current: &Try,
    ) -> Result<Seen, AppError> {
        let (merchant_id, payment_id) = (&subscription.merchant_id, &current.payment_id);
        let seen = |found: Payment| Seen {
            outcome: outcome_of(&found, invoice, self.base.now()),
            payment: Some(found),
            before: None,
        };
        if let Some(found) = self.payments.find(merchant_id, payment_id).await? {
            return Ok(seen(found));
        }
        // The first payment was stored before its subscription, so it did exist. Further payments of the first invoice
        // are charges.
        if invoice.number == 1 && invoice.tries.len() == 1 {
            return Ok(Seen::without_payment(Outcome::Untouched));
        }
        if let Some((former, outcome)) = self.former_with_money(invoice).await? {
            return Ok(match outcome {
                // The payment doesn't exist and isn't made.
                Outcome::Paid { .. } => Seen {
                    before: Some((former, outcome)),
                    ..Seen::without_payment(Outcome::Failed {
                        why: "not made: an earlier payment has succeeded".to_owned(),
                        advice: RetryAdvice::NotWanted,
                    })
                },
                Outcome::Pending
                | Outcome::NeedsReview
                | Outcome::Untouched
                | Outcome::Failed { .. }
                | Outcome::Cancelled { .. }
                | Outcome::NotAsked { .. }
                | Outcome::CustomerGone { .. } => Seen::without_payment(Outcome::NeedsReview),
            });
        }
        let request = renewal(subscription, invoice, current);
        let made = self.payments.make(origin, request).await;
        // The stored payment counts, whatever the request returned. Another server may have been faster, and after the
        // first commit only the processor knows the outcome.
        let found = self.payments.find(merchant_id, payment_id).await?;
        match (found, made) {
            (Some(found), _) => Ok(seen(found)),
            (None, Ok(())) => Err(AppError::Broken(
                "a payment that was made does not exist".to_owned(),
            )),
            (None, Err(AppError::Refused(refusal))) => {
                let outcome = self.refused(subscription, &refusal).await?;
                Ok(Seen::without_payment(outcome))
            }
            (None, Err(error)) => Err(error),
        }
    }

    /// Returns an earlier payment of the invoice that had failed and may hold money now, because a processor corrected
    /// itself.
    async fn former_with_money(
        &self,
        invoice: &Invoice,
    ) -> Result<Option<(PaymentId, Outcome)>, AppError> {
        let counts = |one: &&Try| one.failed.as_ref().is_some_and(|it| !it.is_set_aside);
        for former in invoice.tries.iter().filter(counts) {
            let found = self.payments.find(&invoice.merchant_id, &former.payment_id);
            let Some(found) = found.await? else { continue };
            let outcome = outcome_of(&found, invoice, self.base.now());
            match outcome {
                Outcome::Paid { .. } | Outcome::Pending | Outcome::NeedsReview => {
                    let (invoice_id, payment_id) = (&invoice.invoice_id, &former.payment_id);
                    tracing::warn!(%invoice_id, %payment_id, ?outcome, "a payment that had failed is under way or has taken money");
                    return Ok(Some((former.payment_id.clone(), outcome)));
                }
                Outcome::Untouched
                | Outcome::Failed { .. }
                | Outcome::Cancelled { .. }
                | Outcome::NotAsked { .. }
                | Outcome::CustomerGone { .. } => {}
            }
        }
        Ok(None)
    }

    /// Returns the outcome of a refusal before the first commit, when no payment exists.
    async fn refused(
        &self,
        subscription: &Subscription,
        refusal: &Refusal,
    ) -> Result<Outcome, AppError> {
        let why = refusal.to_string();
        if matches!(
            refusal,
            Refusal::Busy { .. }
                | Refusal::NoEligibleConnector
                | Refusal::AmountNotCounted { .. }
                | Refusal::NotForPayment { .. }
        ) {
            return Ok(Outcome::NotAsked { why });
        }
        // Redacting a customer deletes the methods, so a missing method may be the reason of the refusal.
        let (merchant_id, customer_id) = (&subscription.merchant_id, &subscription.customer_id);
        let status = self
            .owners
            .customer_status(merchant_id, customer_id)
            .await?;
        if status != Some(CustomerStatus::Active) {
            return Ok(Outcome::CustomerGone { why });
        }
        let why = format!("not charged: {why}");
        let advice = RetryAdvice::MayRetry;
        Ok(Outcome::Failed { why, advice })
    }

    /// Reports to a subscription the outcomes of all payments for its invoices: known outcomes of payments under way,
    /// and changes of earlier payments.
    ///
    /// # Errors
    /// A store that fails. The subscription keeps its mark that payments have changed.
    pub(super) async fn look_at_payments(
        &self,
        origin: &Origin,
        merchant_id: &MerchantId,
        subscription_id: &SubscriptionId,
    ) -> Result<(), AppError> {
        for _ in 0..LOOKS {
            let before = self.reads.standing_of(merchant_id, subscription_id).await?;
            if !before.subscription.has_news {
                return Ok(());
            }
            let mut is_moved = false;
            let mut page = Page {
                limit: INVOICES,
                offset: 0,
            };
            loop {
                let invoices = self
                    .reads
                    .store
                    .invoices(merchant_id, subscription_id, page);
                let invoices = invoices.await?;
                for (told, payment) in self.news_of_payments(&invoices).await? {
                    let of = (merchant_id, subscription_id);
                    let read_at = before.subscription.version;
                    let with = With {
                        brings: Brings::Nothing,
                        payment: Some(&payment),
                    };
                    let told = self.decider.tell(origin, of, told, read_at, with);
                    let version = told.await?.standing.subscription.version;
                    is_moved |= version != before.subscription.version;
                }
                if i64::try_from(invoices.len()).unwrap_or(i64::MAX) < page.limit {
                    break;
                }
                page.offset += page.limit;
            }
            // The version that was read must still be current. Later changes are handled in the next round.
            if !is_moved && self.clear_news(origin, &before).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn clear_news(&self, origin: &Origin, before: &Standing) -> Result<bool, AppError> {
        let payments = self.decider.payments_for(before, &Input::NewsHeard).await?;
        let context = self.decider.context_with(&payments);
        let step = transition(before, Input::NewsHeard, &context)?;
        let beside = payments.unchanged;
        let stored = self
            .decider
            .store_with(origin, before, step, With::NOTHING, beside);
        match stored.await {
            Ok(_) => Ok(true),
            Err(CommitError::Conflict) => Ok(false),
            Err(error) => Err(AppError::of_commit(error)),
        }
    }

    /// Returns the payments and their outcomes. Payments under way without an outcome are left out and checked when
    /// they are due.
    async fn news_of_payments(
        &self,
        invoices: &[Invoice],
    ) -> Result<Vec<(Told, PaymentView<'static>)>, AppError> {
        let mut news = Vec::new();
        for invoice in invoices {
            let waits_for = invoice.current_try().filter(|_| invoice.is_open());
            for one in &invoice.tries {
                let is_waited_for = Some(one) == waits_for;
                let found = self.payments.find(&invoice.merchant_id, &one.payment_id);
                let found = match found.await {
                    // An unreadable payment must not block the reports of the others, nor the subscription's billing.
                    Err(StoreFailure::Broken(why)) => {
                        tracing::error!(payment_id = %one.payment_id, why, "a payment of an invoice can't be read");
                        continue;
                    }
                    found => found?,
                };
                let Some(found) = found else { continue };
                let outcome = outcome_of(&found, invoice, self.base.now());
                if is_waited_for && !outcome.is_known() {
                    continue;
                }
                let told = Told {
                    invoice_id: invoice.invoice_id.clone(),
                    payment_id: one.payment_id.clone(),
                    outcome,
                };
                news.push((told, self.payments.view(found)));
            }
        }
        Ok(news)
    }
}

/// Makes the request for a charge without the payer.
fn renewal(subscription: &Subscription, invoice: &Invoice, current: &Try) -> CreatePayment {
    let method = current.payment_method_id.as_ref();
    let method = method.or(subscription.payment_method_id.as_ref());
    let method = method.map_or_else(String::new, ToString::to_string);
    CreatePayment {
        merchant_id: subscription.merchant_id.clone(),
        payment_id: Some(current.payment_id.to_string()),
        profile_id: Some(subscription.profile_id.clone()),
        named_merchant_id: None,
        owner: Some(subscription.as_owner()),
        confirm: true,
        changes: Changes {
            amount: Some(invoice.amount),
            currency: Some(invoice.currency),
            customer_id: Some(subscription.customer_id.clone()),
            instrument: InstrumentInput {
                recurring: Some(RecurringInput::Method {
                    id: method,
                    found: FoundMethod::default(),
                }),
                ..InstrumentInput::default()
            },
            particulars: Particulars {
                off_session: Some(true),
                mit_category: Some(MitCategory::Recurring),
                order_reference: Some(invoice.invoice_id.to_string()),
                ..Particulars::default()
            },
            ..Changes::default()
        },
        credentials: CallCredentials::default(),
    }
}

/// Returns the outcome of a payment for its invoice.
pub(super) fn outcome_of(payment: &Payment, invoice: &Invoice, now: Timestamp) -> Outcome {
    let took = payment.amounts().received;
    let is_whole = took == Some(invoice.amount) && payment.terms.currency == invoice.currency;
    match payment.status {
        // The payment took an amount that differs from the invoice.
        PaymentStatus::Succeeded if !is_whole => Outcome::NeedsReview,
        PaymentStatus::Succeeded => Outcome::Paid {
            payment_method_id: payment.active().saved_method().cloned(),
        },
        PaymentStatus::Processing
        | PaymentStatus::RequiresCustomerAction
        | PaymentStatus::RequiresMerchantAction
        | PaymentStatus::RequiresCapture
        | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
        | PaymentStatus::PartiallyCapturedAndCapturable
        | PaymentStatus::PartiallyCapturedAndProcessing => Outcome::Pending,
        PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
            Outcome::Untouched
        }
        PaymentStatus::Failed => {
            let decline = payment.active().decline.as_ref();
            let advice = decline.map_or(RetryAdvice::MayRetry, |it| {
                RetryAdvice::from_decline(it, now)
            });
            let why = decline.map_or_else(
                || payment.status.to_string(),
                |decline| format!("{}: {}", decline.code, decline.message),
            );
            // The processor refused the request or the account, which says nothing about the card.
            let is_of_request = decline.is_some_and(Decline::is_of_request);
            if payment.was_never_asked_for() || is_of_request {
                return Outcome::NotAsked { why };
            }
            Outcome::Failed { why, advice }
        }
        PaymentStatus::Cancelled => Outcome::Cancelled {
            why: payment.status.to_string(),
        },
        // The merchant or the payer cancelled the payment.
        PaymentStatus::CancelledPostCapture | PaymentStatus::Expired => Outcome::Failed {
            why: payment.status.to_string(),
            advice: RetryAdvice::NotWanted,
        },
        PaymentStatus::PartiallyCaptured | PaymentStatus::Conflicted => Outcome::NeedsReview,
    }
}
