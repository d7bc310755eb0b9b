//! Handles late reports about payments: a failed payment succeeds after all, the payment that paid is reversed, or a
//! payment takes money for a settled invoice.
//!
//! - An open invoice is paid with late money.
//! - Late money that no invoice needs becomes credit. The next invoice uses it; without a next invoice it is refunded.
//! - Credit ends when its payment loses the money. The customer owes any part that was already spent.
//! - An invoice whose payment was reversed isn't charged again automatically. Another payment that took money for it
//!   pays if its money is still credit; otherwise the merchant must review the invoice.

use multirail_kernel::ids::{InvoiceId, PaymentId};
use multirail_kernel::refusal::Refusal;

use crate::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::subscription::draft::Draft;
use crate::subscription::invoice::{FailedTry, Try};
use crate::subscription::transition::Outcome;
use crate::subscription::{Invoice, Refunding, Subscription, SubscriptionStatus};

/// The failure's reason for a payment that had paid and is open again.
const OPEN_AGAIN: &str = "its money was taken back";

impl Subscription {
    /// Checks whether the subscription ended without beginning and this is its first invoice, which was never paid.
    pub fn is_unbegun_with(&self, invoice: &Invoice) -> bool {
        let is_over = match self.status {
            SubscriptionStatus::Cancelled | SubscriptionStatus::Failed => true,
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Active
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime => false,
        };
        let was_paid = invoice.tries.iter().any(|one| one.is_taken_back);
        is_over && invoice.number == 1 && invoice.is_open() && !was_paid
    }
}

impl Draft<'_> {
    pub(super) fn apply_late_outcome(
        &mut self,
        invoice_id: &InvoiceId,
        payment_id: &PaymentId,
        outcome: Outcome,
    ) -> Result<(), Refusal> {
        let now = self.context.now;
        let never_began = self.status() == SubscriptionStatus::Failed;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        invoice.note_credited();
        self.follow_credited(invoice_id);
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        let has_paid = invoice.paid_by() == Some(payment_id);
        let (is_open, is_under_way) = (invoice.is_open(), invoice.is_under_way());
        // An invoice that is under review already isn't reviewed again; repeated reports would never end.
        let is_reviewed = invoice.status == InvoiceStatus::ManualReview;
        let Some(known) = invoice.try_mut(payment_id) else {
            return Ok(());
        };
        let is_set_aside = known.failed.as_ref().is_some_and(|it| it.is_set_aside);
        match outcome {
            Outcome::Paid { payment_method_id } if !has_paid && !known.is_late => {
                known.is_late = true;
                if !is_open || never_began {
                    self.credit_late_money(invoice_id);
                    return Ok(());
                }
                // The outcome of the payment under way decides whether the late money pays or is too much.
                if is_under_way {
                    return Ok(());
                }
                self.pay(
                    invoice_id,
                    InvoiceTrigger::PaymentSucceeded,
                    payment_method_id,
                )
            }
            Outcome::Failed { why, .. }
            | Outcome::Cancelled { why }
            | Outcome::NotAsked { why }
                if has_paid =>
            {
                known.failed.get_or_insert_with(|| FailedTry::new(why, now));
                if self.pays_instead(invoice_id, payment_id) {
                    return Ok(());
                }
                self.reopen(invoice_id, payment_id)
            }
            // The reopened payment may still take money.
            Outcome::Pending | Outcome::Untouched if has_paid => {
                if self.pays_instead(invoice_id, payment_id) {
                    return Ok(());
                }
                self.reopen(invoice_id, payment_id)
            }
            Outcome::NeedsReview if has_paid => self.reopen(invoice_id, payment_id),
            Outcome::Failed { .. }
            | Outcome::Cancelled { .. }
            | Outcome::NotAsked { .. }
            | Outcome::Pending
            | Outcome::Untouched
            | Outcome::NeedsReview
                if known.is_late =>
            {
                let is_credited = std::mem::take(&mut known.is_credited);
                known.is_late = false;
                known.is_followed = false;
                let amount = invoice.amount;
                if is_credited {
                    let taken = self.unfollow(payment_id);
                    self.reduce_credit(amount - taken);
                }
                Ok(())
            }
            // The payment may hold money, so nobody is charged until it is reviewed.
            Outcome::NeedsReview if is_open && !is_under_way && !is_set_aside && !is_reviewed => {
                invoice.due_at = None;
                invoice.follow(InvoiceTrigger::ReviewNeeded, now)?;
                self.void_unbegun(invoice_id)
            }
            Outcome::Paid { .. }
            | Outcome::Pending
            | Outcome::Untouched
            | Outcome::Failed { .. }
            | Outcome::Cancelled { .. }
            | Outcome::NotAsked { .. }
            | Outcome::NeedsReview
            | Outcome::CustomerGone { .. } => Ok(()),
        }
    }

    /// Lets another payment pay the invoice, after the payment that paid is gone. Returns whether there is one.
    ///
    /// The other payment's money must be unspent credit, and the payer must have none of it back.
    fn pays_instead(&mut self, invoice_id: &InvoiceId, gone: &PaymentId) -> bool {
        let (now, credit) = (self.context.now, self.subscription.credit);
        let all = self.subscription.credited.iter();
        let taken = all.filter(|one| one.taken > 0);
        let taken: Vec<PaymentId> = taken.map(|one| one.payment_id.clone()).collect();
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return false;
        };
        let amount = invoice.amount;
        let mut others = invoice.tries.iter_mut();
        let whole = |one: &&mut Try| one.is_credited && !taken.contains(&one.payment_id);
        let Some(other) = others.find(|one| whole(one) && credit >= amount) else {
            return false;
        };
        other.is_credited = false;
        other.is_followed = false;
        let pays = other.payment_id.clone();
        if let Some(gone) = invoice.try_mut(gone) {
            let why = || FailedTry::new(OPEN_AGAIN.to_owned(), now);
            gone.failed.get_or_insert_with(why);
            gone.is_late = false;
        }
        self.unfollow(&pays);
        self.reduce_credit(amount);
        true
    }

    /// Reverses an invoice's payment that is gone or may be. A payment that may still get an outcome is checked.
    fn reopen(&mut self, invoice_id: &InvoiceId, gone: &PaymentId) -> Result<(), Refusal> {
        let now = self.context.now;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        invoice.follow(InvoiceTrigger::PaymentReversed, now)?;
        invoice.paid_at = None;
        invoice.payment_method_id = None;
        if let Some(gone) = invoice.try_mut(gone) {
            gone.is_late = false;
            gone.is_taken_back = true;
        }
        if invoice.is_under_way() {
            invoice.schedule_check(now);
        }
        Ok(())
    }

    /// Turns late money that the invoice doesn't need into credit. After the subscription's end it is refunded, even if
    /// the rest of the credit stays.
    pub(super) fn credit_late_money(&mut self, invoice_id: &InvoiceId) {
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return;
        };
        let amount = invoice.credit_late_money();
        self.follow_credited(invoice_id);
        self.add_late_credit(amount);
    }

    /// Refunds the money that payments hold for a first invoice that was given up, even if it is only a part.
    pub(super) fn refund_held(&mut self, invoice_id: &InvoiceId) {
        let held = self.context.held;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return;
        };
        let mut amount = 0;
        let mut new = Vec::new();
        for one in invoice.tries.iter_mut().filter(|one| !one.is_late) {
            let mut all = held.iter();
            let holds = all.find(|held| held.payment_id == one.payment_id);
            one.part = holds.map_or(0, |held| held.amount);
            amount += one.part;
            new.extend(holds.filter(|held| held.amount > 0));
        }
        for held in new {
            let payment_id = held.payment_id.clone();
            self.follow_payment(invoice_id, payment_id, held.amount, held.taken_back);
        }
        self.add_late_credit(amount);
    }

    /// Voids a first invoice that comes under review after the subscription ended without beginning. Its payments'
    /// money is refunded. If they hold none, the invoice stays under review.
    pub(super) fn void_unbegun(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let mut invoices = self.invoices.iter();
        let invoice = invoices.find(|invoice| invoice.invoice_id == *invoice_id);
        let goes_back = |invoice: &Invoice| {
            let mut held = self.context.held.iter().filter(|held| held.amount > 0);
            let holds = held.any(|held| {
                invoice
                    .tries
                    .iter()
                    .any(|one| one.payment_id == held.payment_id)
            });
            holds && self.subscription.is_unbegun_with(invoice)
        };
        if !invoice.is_some_and(goes_back) {
            return Ok(());
        }
        self.give_up_on(invoice_id)?;
        self.refund_held(invoice_id);
        Ok(())
    }

    fn add_late_credit(&mut self, amount: i64) {
        if amount == 0 {
            return;
        }
        self.subscription.credit += amount;
        if self.status().is_final() {
            let refunding = &mut self.subscription.refunding;
            let refunding = refunding.get_or_insert_with(|| Refunding::up_to(0));
            refunding.at_most = refunding.at_most.map(|at_most| at_most + amount);
            self.schedule_refunds();
        }
    }

    /// Takes lost money out of the credit, in minor units; a negative amount is added back. The credit may become
    /// negative: the customer owes the part that was spent.
    pub(super) fn reduce_credit(&mut self, amount: i64) {
        self.subscription.credit -= amount;
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.at_most = refunding.at_most.map(|at_most| (at_most - amount).max(0));
        }
        self.schedule_refunds();
    }
}
