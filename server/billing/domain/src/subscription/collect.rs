//! Collects an invoice: its payments, their outcomes, and the consequences for the subscription.

use multirail_kernel::ids::{InvoiceId, PaymentMethodId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use crate::dunning::{NextAttempt, RetryAdvice};
use crate::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::refusals::MayCharge;
use crate::subscription::draft::Draft;
use crate::subscription::transition::{Charge, Effect, Outcome, Told};
use crate::subscription::{Invoice, SubscriptionStatus};
use crate::term::TermKind;

/// The number of checks of an unconfirmed first payment. After them, only the next confirm continues.
const LOOKS_AT_UNTOUCHED: u32 = 3;
/// The maximum number of payments for one invoice.
pub(super) const MOST_TRIES: usize = 100;

impl Draft<'_> {
    /// Checks the payment of an invoice, or starts another one.
    pub(super) fn check_or_charge(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let now = self.context.now;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        let Some(current) = invoice.current_try() else {
            return self.charge(invoice_id);
        };
        let payment_id = current.payment_id.clone();
        invoice.schedule_check(now);
        self.effects.push(Effect::Charge(Charge {
            invoice_id: invoice_id.clone(),
            payment_id,
        }));
        Ok(())
    }

    /// Starts a payment for an invoice that has none under way.
    pub(super) fn charge(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let now = self.context.now;
        let method = self.subscription.payment_method_id.clone();
        let may_charge = match &method {
            Some(method) => self.may_charge(method),
            None => MayCharge::Never,
        };
        let payment_id = self.context.ids.payment_id();
        let has_older = self.has_older_due(invoice_id);
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        // The older invoice's charge must have an outcome first.
        if has_older {
            invoice.due_at = Some(now);
            return Ok(());
        }
        let method = method.filter(|_| invoice.tries.len() < MOST_TRIES);
        match (may_charge, method) {
            (MayCharge::Now, Some(method)) => {
                invoice.begin_try(payment_id.clone(), method, now)?;
                self.effects.push(Effect::Charge(Charge {
                    invoice_id: invoice_id.clone(),
                    payment_id,
                }));
            }
            (MayCharge::Later(at), Some(_)) => invoice.due_at = Some(at),
            (MayCharge::Never, _) | (MayCharge::Now | MayCharge::Later(_), None) => {
                invoice.give_up();
                self.give_up();
            }
        }
        Ok(())
    }

    /// Checks whether an older invoice is also due for a charge.
    fn has_older_due(&self, invoice_id: &InvoiceId) -> bool {
        let now = self.context.now;
        let mut all = self.invoices.iter();
        let Some(this) = all.find(|one| one.invoice_id == *invoice_id) else {
            return false;
        };
        let is_due = |one: &Invoice| {
            one.waits_for_charge() && one.due_at.is_some_and(|due_at| due_at <= now)
        };
        let mut all = self.invoices.iter();
        all.any(|one| one.number < this.number && is_due(one))
    }

    /// Applies the outcome of a payment.
    pub(super) fn apply_outcome(&mut self, told: Told) -> Result<(), Refusal> {
        let Told {
            invoice_id,
            payment_id,
            outcome,
        } = told;
        let (now, status) = (self.context.now, self.status());
        let Some(invoice) = self.invoice_mut(&invoice_id) else {
            return Ok(());
        };
        let is_meant = invoice
            .current_try()
            .is_some_and(|it| it.payment_id == payment_id);
        if !is_meant || !invoice.is_open() {
            return self.apply_late_outcome(&invoice_id, &payment_id, outcome);
        }
        match outcome {
            Outcome::Paid { payment_method_id } => {
                started(invoice, now)?;
                let charged = invoice.current_try();
                let charged = charged.and_then(|it| it.payment_method_id.clone());
                self.pay(
                    &invoice_id,
                    InvoiceTrigger::PaymentSucceeded,
                    payment_method_id,
                )?;
                if let Some(charged) = &charged {
                    self.note_payment(charged);
                }
                Ok(())
            }
            Outcome::Pending => {
                started(invoice, now)?;
                invoice.wait(now);
                if status == SubscriptionStatus::Created {
                    self.subscription.status = SubscriptionStatus::Pending;
                }
                Ok(())
            }
            // The request that confirms the payment may not have stored its result yet.
            Outcome::Untouched if status == SubscriptionStatus::Created => {
                let looks = invoice.current_try().map_or(0, |it| it.looks);
                if looks > LOOKS_AT_UNTOUCHED {
                    invoice.due_at = None;
                }
                Ok(())
            }
            Outcome::Untouched => {
                let why = "its payment was not confirmed".to_owned();
                self.fail(&invoice_id, why, RetryAdvice::MayRetry)
            }
            Outcome::Failed { why, advice } => self.fail(&invoice_id, why, advice),
            Outcome::Cancelled { why } => self.apply_cancellation(&invoice_id, why),
            Outcome::NotAsked { why } => match status {
                // The payer is present and can try again.
                SubscriptionStatus::Created | SubscriptionStatus::Pending => {
                    self.fail(&invoice_id, why, RetryAdvice::MayRetry)
                }
                SubscriptionStatus::Trial
                | SubscriptionStatus::Active
                | SubscriptionStatus::Paused
                | SubscriptionStatus::Unpaid
                | SubscriptionStatus::InActive
                | SubscriptionStatus::Onetime
                | SubscriptionStatus::Cancelled
                | SubscriptionStatus::Failed => {
                    started(invoice, now)?;
                    invoice.retry_unsent(why, status.is_running(), now)
                }
            },
            Outcome::NeedsReview => {
                started(invoice, now)?;
                if invoice.status != InvoiceStatus::ManualReview {
                    invoice.follow(InvoiceTrigger::ReviewNeeded, now)?;
                }
                invoice.wait(now);
                self.void_unbegun(&invoice_id)
            }
            Outcome::CustomerGone { why } => {
                started(invoice, now)?;
                invoice.fail_try(why, now)?;
                match status {
                    SubscriptionStatus::Created | SubscriptionStatus::Pending => {
                        self.end(SubscriptionStatus::Failed);
                        self.give_coupon_back();
                    }
                    SubscriptionStatus::Active
                    | SubscriptionStatus::Trial
                    | SubscriptionStatus::Paused
                    | SubscriptionStatus::Unpaid => {
                        self.end(SubscriptionStatus::InActive);
                    }
                    SubscriptionStatus::InActive
                    | SubscriptionStatus::Onetime
                    | SubscriptionStatus::Cancelled
                    | SubscriptionStatus::Failed => {}
                }
                Ok(())
            }
        }
    }

    /// Marks the invoice as paid. `how` says whether a payment paid it or nothing was due.
    pub(super) fn pay(
        &mut self,
        invoice_id: &InvoiceId,
        how: InvoiceTrigger,
        method: Option<PaymentMethodId>,
    ) -> Result<(), Refusal> {
        let now = self.context.now;
        let charged = self.subscription.payment_method_id.clone();
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        let by_try = invoice.tries.last();
        let charged = by_try
            .and_then(|it| it.payment_method_id.clone())
            .or(charged);
        invoice.follow(how, now)?;
        if how == InvoiceTrigger::PaymentSucceeded {
            invoice.follow(InvoiceTrigger::Recorded, now)?;
            invoice.payment_method_id = method.clone().or(charged);
        }
        invoice.due_at = None;
        invoice.paid_at = Some(now);
        self.effects.push(Effect::Announce(invoice_id.clone()));
        let term = self.subscription.term.as_ref();
        let is_billed = term.is_some_and(|term| term.kind == TermKind::Paid);
        match self.status() {
            SubscriptionStatus::Created | SubscriptionStatus::Pending => {
                self.subscription.payment_method_id = method;
                self.start(invoice_id);
            }
            SubscriptionStatus::Trial if is_billed => {
                self.subscription.status = SubscriptionStatus::Active;
            }
            SubscriptionStatus::Unpaid => {
                if how == InvoiceTrigger::PaymentSucceeded {
                    self.charge_given_up();
                }
                self.settle();
            }
            // Charges of a paid invoice can be returned.
            SubscriptionStatus::Cancelled | SubscriptionStatus::InActive => {
                self.settle_accounts()?;
            }
            SubscriptionStatus::Trial
            | SubscriptionStatus::Active
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Failed => {}
        }
        self.credit_late_money(invoice_id);
        Ok(())
    }

    /// Applies the merchant's cancellation of the payment under way. If it was the first payment, the subscription is
    /// cancelled too. A later invoice is given up.
    fn apply_cancellation(&mut self, invoice_id: &InvoiceId, why: String) -> Result<(), Refusal> {
        let was = self.status();
        self.fail(invoice_id, why, RetryAdvice::NotWanted)?;
        let awaited = was.awaits_first_payment();
        if awaited && self.status() == SubscriptionStatus::Failed {
            self.subscription.status = SubscriptionStatus::Cancelled;
            self.subscription.cancelled_at = Some(self.context.now);
        }
        Ok(())
    }

    /// Applies the failure of the payment under way.
    fn fail(
        &mut self,
        invoice_id: &InvoiceId,
        why: String,
        advice: RetryAdvice,
    ) -> Result<(), Refusal> {
        let (now, status) = (self.context.now, self.status());
        let method = self.subscription.payment_method_id.clone();
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        started(invoice, now)?;
        let is_taken_back = invoice.current_try().is_some_and(|it| it.is_taken_back);
        let charged = invoice.current_try();
        let charged = charged.and_then(|it| it.payment_method_id.clone());
        let charged = charged.or_else(|| method.clone());
        let is_replaced = charged != method;
        invoice.fail_try(why, now)?;
        // An earlier payment has taken the money meanwhile.
        if invoice.has_late_money() {
            return self.pay(invoice_id, InvoiceTrigger::PaymentSucceeded, None);
        }
        // A reversed payment keeps the invoice under review.
        if is_taken_back {
            return invoice.follow(InvoiceTrigger::ReviewNeeded, now);
        }
        if let Some(charged) = &charged {
            self.note_refusal(charged, advice);
        }
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        match status {
            SubscriptionStatus::Created | SubscriptionStatus::Pending => {
                self.end(SubscriptionStatus::Failed);
                self.give_coupon_back();
            }
            SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime => {
                if !invoice.is_collected {
                    return Ok(());
                }
                // A refusal of the old method says nothing about the new one.
                if is_replaced {
                    invoice.collect(now);
                    return Ok(());
                }
                self.try_again(invoice_id, charged.as_ref(), advice);
            }
            SubscriptionStatus::Paused | SubscriptionStatus::Failed => {}
        }
        Ok(())
    }

    /// Schedules the next attempt for a refused invoice, or gives the invoice up.
    fn try_again(
        &mut self,
        invoice_id: &InvoiceId,
        charged: Option<&PaymentMethodId>,
        advice: RetryAdvice,
    ) {
        let now = self.context.now;
        let next = charged.map(|charged| self.next_attempt(charged, advice));
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return;
        };
        match next {
            Some(NextAttempt::At(at)) => invoice.due_at = Some(at.max(now)),
            Some(NextAttempt::GiveUp(_)) | None => {
                invoice.give_up();
                self.give_up();
            }
        }
    }

    /// Stops billing after an invoice could not be collected. Nothing is charged until the merchant has an invoice
    /// collected or the method is replaced.
    fn give_up(&mut self) {
        match self.status() {
            // Invoices that waited for the same method are given up too.
            SubscriptionStatus::Unpaid => self.invoices.iter_mut().for_each(Invoice::give_up),
            SubscriptionStatus::Active | SubscriptionStatus::Trial => {
                self.subscription.status = SubscriptionStatus::Unpaid;
                self.subscription.next_billing_at = None;
                self.invoices.iter_mut().for_each(Invoice::give_up);
            }
            SubscriptionStatus::Created
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => {}
        }
    }

    /// Charges invoices that were given up, after another invoice of an unpaid subscription was paid.
    fn charge_given_up(&mut self) {
        let now = self.context.now;
        let given_up = self.invoices.iter_mut();
        let given_up = given_up.filter(|invoice| invoice.is_open() && invoice.is_given_up);
        given_up.for_each(|invoice| invoice.collect(now));
    }

    /// Reactivates an unpaid subscription when nothing is due any more: within the billed period, or with a new one.
    /// The time in between is not billed. A pause that became due meanwhile takes effect as of its date.
    pub(super) fn settle(&mut self) {
        let now = self.context.now;
        if self.invoices.iter().any(Invoice::is_demanded) {
            return;
        }
        let subscription = &mut self.subscription;
        let end = subscription.term.as_ref().map(|term| term.period.end);
        subscription.status = SubscriptionStatus::Active;
        subscription.restarts = end.is_some_and(|end| end <= now);
        subscription.next_billing_at = end.map(|end| end.max(now));
    }
}

/// Records that the payment has started, if the outcome arrives before the invoice knows about it.
fn started(invoice: &mut Invoice, now: Timestamp) -> Result<(), Refusal> {
    match invoice.status {
        InvoiceStatus::Created => invoice.follow(InvoiceTrigger::PaymentStarted, now),
        InvoiceStatus::PaymentPending
        | InvoiceStatus::PaymentPendingTimeout
        | InvoiceStatus::PaymentSucceeded
        | InvoiceStatus::PaymentFailed
        | InvoiceStatus::PaymentCanceled
        | InvoiceStatus::Paid
        | InvoiceStatus::ManualReview
        | InvoiceStatus::Voided => Ok(()),
    }
}
