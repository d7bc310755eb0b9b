//! Having an invoice paid: each try, what is told of it, and what follows for the subscription.

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

/// How often it is looked at a first payment that is to be confirmed, until it is left to the next confirm.
const LOOKS_AT_UNTOUCHED: u32 = 3;
/// The most payments that are tried for one invoice.
pub(super) const MOST_TRIES: usize = 100;

impl Draft<'_> {
    /// Looks at the payment of an invoice, or begins another one.
    pub(super) fn see_to(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let now = self.context.now;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        let Some(current) = invoice.current_try() else {
            return self.charge(invoice_id);
        };
        let payment_id = current.payment_id.clone();
        invoice.put_off(now);
        self.effects.push(Effect::Charge(Charge {
            invoice_id: invoice_id.clone(),
            payment_id,
        }));
        Ok(())
    }

    /// Begins a payment for an invoice that has none under way.
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
        // What became of that is known before this one is charged.
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

    /// An older invoice is to be charged now, too.
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

    /// What became of a payment.
    pub(super) fn hear(&mut self, told: Told) -> Result<(), Refusal> {
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
            return self.hear_late(&invoice_id, &payment_id, outcome);
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
            // Whoever confirms it may not have stored that yet.
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
            Outcome::Cancelled { why } => self.hear_cancelled(&invoice_id, why),
            Outcome::NotAsked { why } => match status {
                // The payer is there, and tries again by himself.
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
                    invoice.ask_later(why, status.is_running(), now)
                }
            },
            Outcome::NeedsReview => {
                started(invoice, now)?;
                if invoice.status != InvoiceStatus::ManualReview {
                    invoice.follow(InvoiceTrigger::ReviewNeeded, now)?;
                }
                invoice.wait(now);
                self.give_up_what_never_began(&invoice_id)
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

    /// The invoice is paid; `how`: by a payment, or because it comes to nothing.
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
            // What it charged can be given back now.
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

    /// The merchant cancelled the payment under way. A subscription that waits for its first payment is cancelled with it, and a further
    /// invoice is given up.
    fn hear_cancelled(&mut self, invoice_id: &InvoiceId, why: String) -> Result<(), Refusal> {
        let was = self.status();
        self.fail(invoice_id, why, RetryAdvice::NotWanted)?;
        let awaited = was.awaits_first_payment();
        if awaited && self.status() == SubscriptionStatus::Failed {
            self.subscription.status = SubscriptionStatus::Cancelled;
            self.subscription.cancelled_at = Some(self.context.now);
        }
        Ok(())
    }

    /// The payment under way has failed.
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
        // An earlier one has taken the money meanwhile.
        if invoice.has_late_money() {
            return self.pay(invoice_id, InvoiceTrigger::PaymentSucceeded, None);
        }
        // Somebody has to look at it still.
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
                // What is said of another method doesn't count for the one that took its place.
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

    /// The payment of an invoice that is collected was refused.
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

    /// An invoice can't be collected: nothing more is billed, and nothing charged until somebody has one collected or another method is in
    /// place.
    fn give_up(&mut self) {
        match self.status() {
            // What waited with the method isn't charged either.
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

    /// An invoice of an unpaid subscription is paid: what was given up with it is charged too, as it would be with another method.
    fn charge_given_up(&mut self) {
        let now = self.context.now;
        let given_up = self.invoices.iter_mut();
        let given_up = given_up.filter(|invoice| invoice.is_open() && invoice.is_given_up);
        given_up.for_each(|invoice| invoice.collect(now));
    }

    /// Where nothing is owed any more, an unpaid subscription goes on: within the period that it was billed for, or with a
    /// new one. Time in between was nobody's. A pause whose date has come meanwhile is due now, as of that date.
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

/// A payment that was made before its invoice was told of it has begun.
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
