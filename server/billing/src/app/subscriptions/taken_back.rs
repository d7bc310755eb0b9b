//! Reads the money that payers got back outside the subscription, by a manual refund or a lost dispute.
//!
//! Each decision that may return charges or withdraw credit reads it from the payments. The decision is stored only if
//! the payments are still unchanged.

use multirail_app::AppError;
use multirail_app::payments::ports::PaymentChange;
use multirail_app::platform::ports::Change;
use multirail_billing_domain::charge::ReturnOption;
use multirail_billing_domain::chargeable::Chargeable;
use multirail_billing_domain::invoice_status::InvoiceStatus;
use multirail_billing_domain::subscription::{
    Command, Context, Held, Input, Invoice, Outcome, Standing, Subscription, SubscriptionStatus,
    TakenBack,
};
use multirail_domain::payments::payment::Payment;
use multirail_domain::payments::refund::Refund;
use multirail_kernel::ids::InvoiceId;
use multirail_kernel::timestamp::Timestamp;

use super::Decider;
use crate::ports::InvoicePayments;

/// The facts about payments that a decision needs.
#[derive(Default)]
pub(super) struct Payments {
    pub taken_back: Vec<TakenBack>,
    pub held: Vec<Held>,
    /// The amounts that the payment accounts of the profile can charge in the price's currency.
    pub chargeable: Chargeable,
    /// Guards stored with the decision. Each is a conflict if its payment has changed.
    pub unchanged: Vec<Change>,
}

impl Decider {
    /// Returns the inputs of a decision with these facts.
    pub(super) fn context_with<'a>(&'a self, payments: &'a Payments) -> Context<'a> {
        Context {
            taken_back: &payments.taken_back,
            held: &payments.held,
            chargeable: payments.chargeable,
            ..self.context()
        }
    }

    /// Reads the facts for this input: money returned outside the subscription, and the amounts that can be charged.
    ///
    /// # Errors
    /// A store that fails.
    pub(super) async fn payments_for(
        &self,
        before: &Standing,
        input: &Input,
    ) -> Result<Payments, AppError> {
        let subscription = &before.subscription;
        let (merchant_id, profile_id) = (&subscription.merchant_id, &subscription.profile_id);
        let currency = subscription.plan.price.currency;
        Ok(Payments {
            chargeable: self
                .catalogue
                .accounts
                .chargeable(merchant_id, profile_id, currency)
                .await?,
            ..self.payments_taken_back_for(before, input).await?
        })
    }

    /// Reads the payments only if the input may return something.
    async fn payments_taken_back_for(
        &self,
        before: &Standing,
        input: &Input,
    ) -> Result<Payments, AppError> {
        let subscription = &before.subscription;
        if let SubscriptionStatus::Created | SubscriptionStatus::Pending = subscription.status {
            return match input {
                Input::Command(Command::Void(_) | Command::Cancel(_)) => {
                    self.payments_held(&before.open, Refund::most).await
                }
                Input::Time if subscription.cancelling.is_some() => {
                    self.payments_held(&before.open, Refund::most).await
                }
                Input::Command(_)
                | Input::Time
                | Input::Told(_)
                | Input::Refund(_)
                | Input::NothingRefundable
                | Input::NewsHeard
                | Input::RefundTold(_) => Ok(Payments::default()),
            };
        }
        // Earlier payments may hold money to refund.
        if let Input::Told(told) = input
            && told.outcome == Outcome::NeedsReview
            && before
                .open
                .iter()
                .any(|one| subscription.is_unbegun_with(one))
        {
            return self.payments_held(&before.open, Refund::most).await;
        }
        if let Input::Command(Command::Collect(invoice_id)) = input {
            let reviewed = before.open.iter().find(|one| {
                one.invoice_id == *invoice_id && one.status == InvoiceStatus::ManualReview
            });
            let mut payments = self.payments_to_return(subscription).await?;
            if let Some(reviewed) = reviewed {
                let held = self
                    .payments_held(std::slice::from_ref(reviewed), Refund::most_in_time)
                    .await?;
                payments.held = held.held;
                payments.unchanged.extend(held.unchanged);
            }
            return Ok(payments);
        }
        let may_give_back = match input {
            Input::Command(_) | Input::NewsHeard => true,
            // The next invoice makes the pending returns; the last invoice makes all others.
            Input::Time | Input::Told(_) => {
                !subscription.owed.is_empty()
                    || subscription
                        .cancelling
                        .as_ref()
                        .is_some_and(|it| it.returns != ReturnOption::None)
            }
            // These inputs were decided on payments that were read for them.
            Input::Refund(_) | Input::NothingRefundable | Input::RefundTold(_) => false,
        };
        match may_give_back {
            true => self.payments_to_return(subscription).await,
            false => Ok(Payments::default()),
        }
    }

    /// Skips subscriptions of an external engine, which return nothing.
    async fn payments_to_return(&self, of: &Subscription) -> Result<Payments, AppError> {
        match of.outside.is_none() {
            true => self.payments_of(of).await,
            false => Ok(Payments::default()),
        }
    }

    /// Reads the payments of which something may be returned, now or when the subscription ended, or whose money became
    /// credit.
    pub(super) async fn payments_of(
        &self,
        subscription: &Subscription,
    ) -> Result<Payments, AppError> {
        let mut payments = Payments::default();
        for invoice_id in subscription.returnable() {
            let Some(payment) = self.payment_of(subscription, invoice_id).await? else {
                continue;
            };
            let amount = taken_back(&payment, subscription);
            payments.taken_back.push(TakenBack {
                invoice_id: invoice_id.clone(),
                credited: None,
                amount,
            });
            payments
                .unchanged
                .push(unchanged(self.payments.as_ref(), &payment));
        }
        for credited in &subscription.credited {
            let payment_id = &credited.payment_id;
            let found = self.payments.find(&subscription.merchant_id, payment_id);
            let Some(payment) = found.await? else {
                continue;
            };
            payments.taken_back.push(TakenBack {
                invoice_id: credited.invoice_id.clone(),
                credited: Some(payment_id.clone()),
                amount: taken_back(&payment, subscription),
            });
            payments
                .unchanged
                .push(unchanged(self.payments.as_ref(), &payment));
        }
        Ok(payments)
    }

    /// Reads the money that the payments of these invoices hold.
    async fn payments_held(
        &self,
        open: &[Invoice],
        held: impl Fn(&Payment, Timestamp) -> i64,
    ) -> Result<Payments, AppError> {
        let mut payments = Payments::default();
        for invoice in open {
            for one in &invoice.tries {
                let found = self.payments.find(&invoice.merchant_id, &one.payment_id);
                let Some(payment) = found.await? else {
                    continue;
                };
                payments.held.push(Held {
                    payment_id: payment.payment_id.clone(),
                    amount: held(&payment, self.base.now()),
                    taken_back: payment.returned_except(|_| false),
                });
                payments
                    .unchanged
                    .push(unchanged(self.payments.as_ref(), &payment));
            }
        }
        Ok(payments)
    }

    /// Returns the payment that paid an invoice.
    async fn payment_of(
        &self,
        subscription: &Subscription,
        invoice_id: &InvoiceId,
    ) -> Result<Option<Payment>, AppError> {
        let merchant_id = &subscription.merchant_id;
        let invoice = self.reads.store.invoice(merchant_id, invoice_id).await?;
        let Some(paid_by) = invoice.as_ref().and_then(|invoice| invoice.paid_by()) else {
            return Ok(None);
        };
        Ok(self.payments.find(merchant_id, paid_by).await?)
    }
}

fn unchanged(payments: &dyn InvoicePayments, payment: &Payment) -> Change {
    let unchanged = PaymentChange::Unchanged {
        merchant_id: payment.merchant_id.clone(),
        payment_id: payment.payment_id.clone(),
        version: payment.version,
    };
    payments.change(unchanged)
}

/// Returns the amount that the payer has back apart from refunds of the subscription's credit, in minor units.
fn taken_back(payment: &Payment, subscription: &Subscription) -> i64 {
    let refunds = &subscription.refunds;
    payment.returned_except(|refund_id| refunds.iter().any(|ours| ours.refund_id == *refund_id))
}
