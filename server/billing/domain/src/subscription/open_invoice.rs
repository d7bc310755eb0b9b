//! The merchant's actions on an open invoice: voiding and collecting.

use multirail_kernel::ids::InvoiceId;
use multirail_kernel::refusal::{Object, Refusal};
use multirail_kernel::timestamp::Timestamp;

use crate::invoice_status::{InvoiceStatus, InvoiceTrigger};
use crate::subscription::collect::MOST_TRIES;
use crate::subscription::draft::Draft;
use crate::subscription::{Invoice, SubscriptionStatus};
use crate::term::TermKind;

impl Draft<'_> {
    /// Voids an invoice at the merchant's request.
    pub(super) fn void(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Err(Refusal::not_found(Object::Invoice));
        };
        if invoice.is_being_paid() {
            return Err(Refusal::precondition(
                "the invoice can't be voided: a payment for it is under way",
            ));
        }
        // A subscription without its first invoice never begins.
        let never_begins = match self.status() {
            SubscriptionStatus::Created | SubscriptionStatus::Pending => true,
            SubscriptionStatus::Trial
            | SubscriptionStatus::Active
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => false,
        };
        if never_begins {
            self.end(SubscriptionStatus::Failed);
        }
        self.give_up_on(invoice_id)?;
        if never_begins {
            self.refund_held(invoice_id);
            self.give_coupon_back();
        }
        match self.status() {
            SubscriptionStatus::Unpaid => self.settle(),
            SubscriptionStatus::Cancelled | SubscriptionStatus::InActive => {
                self.settle_accounts()?;
            }
            SubscriptionStatus::Trial => self.leave_trial(),
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Active
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Failed => {}
        }
        Ok(())
    }

    /// Ends the trial once the period after it is settled, even if the invoice was voided.
    fn leave_trial(&mut self) {
        let term = self.subscription.term.as_ref();
        let is_over = term.is_some_and(|term| term.kind == TermKind::Paid);
        if is_over && !self.invoices.iter().any(Invoice::is_open) {
            self.subscription.status = SubscriptionStatus::Active;
        }
    }

    /// Voids an invoice. Returned charges and credit that had reduced its total become credit again. Its own charges
    /// aren't returned, because nobody pays them.
    pub(super) fn give_up_on(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let now = self.context.now;
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Ok(());
        };
        invoice.follow(InvoiceTrigger::Void, now)?;
        invoice.rest();
        let set_off = invoice.set_off();
        let subscription = &mut self.subscription;
        subscription.credit += set_off;
        let others = |of: &InvoiceId| of != invoice_id;
        subscription.owed.retain(|owed| others(&owed.invoice_id));
        subscription
            .charged
            .retain(|stretch| others(&stretch.invoice_id));
        self.credit_late_money(invoice_id);
        Ok(())
    }

    /// Has an open invoice charged now.
    pub(super) fn collect(&mut self, invoice_id: &InvoiceId) -> Result<(), Refusal> {
        let (now, held) = (self.context.now, self.context.held);
        let refusal = self.refusal("collect an invoice of");
        let may = match self.status() {
            SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::Paused
            | SubscriptionStatus::InActive
            | SubscriptionStatus::Cancelled => true,
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Failed => false,
        };
        let Some(invoice) = self.invoice_mut(invoice_id) else {
            return Err(Refusal::not_found(Object::Invoice));
        };
        if !may {
            return Err(refusal);
        }
        if !invoice.is_open() || invoice.is_being_paid() || invoice.tries.len() >= MOST_TRIES {
            return Err(Refusal::precondition(
                "the invoice can't be collected: it is settled, a payment for it is under way, or it has had too many",
            ));
        }
        if invoice.status == InvoiceStatus::ManualReview {
            if held.iter().any(|held| invoice.is_held_by(held)) {
                return Err(Refusal::precondition(
                    "the invoice can't be collected: a payment has taken money for it, refund that first",
                ));
            }
            invoice.set_aside(now)?;
            // Another payment has taken the money meanwhile.
            if invoice.has_late_money() {
                return self.pay(invoice_id, InvoiceTrigger::PaymentSucceeded, None);
            }
        }
        invoice.collect(now);
        self.permit_charge();
        Ok(())
    }

    /// Has all open invoices charged from this moment on.
    pub(super) fn collect_open(&mut self, at: Timestamp) {
        self.restart_dunning();
        let open = self.invoices.iter_mut().filter(|it| it.is_open());
        open.for_each(|invoice| invoice.collect(at));
    }
}
