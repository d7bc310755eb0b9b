//! Begins a subscription: the first payment is confirmed, and billing starts.

use multirail_kernel::ids::InvoiceId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::unread::UnreadMembers;

use crate::subscription::draft::Draft;
use crate::subscription::{ChargedStretch, SubscriptionStatus};
use crate::term::TermKind;

/// Seconds after a confirm until its payment is checked, if no outcome was reported.
const LOOK_AFTER: i64 = 60;

impl Draft<'_> {
    /// Begins the first period now, at the price for which its payment was created.
    pub(super) fn confirm(&mut self) -> Result<(), Refusal> {
        match self.status() {
            SubscriptionStatus::Created => {}
            SubscriptionStatus::Pending
            | SubscriptionStatus::Active
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid => return Err(Refusal::SubscriptionConfirmed),
            SubscriptionStatus::InActive
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Cancelled
            | SubscriptionStatus::Failed => return Err(self.refusal("confirm")),
        }
        let now = self.context.now;
        // Only one request may confirm at a time. Another one would send its own payment method.
        if self.invoices.iter().any(|it| it.is_being_confirmed(now)) {
            return Err(Refusal::SubscriptionConfirmed);
        }
        let subscription = &mut self.subscription;
        let coupon = subscription.coupon.as_ref();
        let (term, billed) = subscription
            .plan
            .opening(coupon, self.context.chargeable, now)?;
        // The invoice was settled after the subscription was read.
        let Some(invoice) = self.invoices.first_mut() else {
            return Err(Refusal::SubscriptionConfirmed);
        };
        if billed.total.amount_minor != invoice.amount {
            return Err(Refusal::precondition(
                "the cost of the subscription has changed since it was created: create another one",
            ));
        }
        invoice.bill(&billed, term.as_ref().map(|term| term.period));
        invoice.restart_checks();
        invoice.due_at = now.plus_seconds(LOOK_AFTER);
        let stretch = |charged| ChargedStretch {
            invoice_id: invoice.invoice_id.clone(),
            charged,
            unread: UnreadMembers::default(),
        };
        subscription.charged = billed.charged.into_iter().map(stretch).collect();
        subscription.carried = billed.carried_over_minor;
        subscription.term = term;
        self.take_coupon_again();
        Ok(())
    }

    /// Allows another confirm after one that failed. The payment is still checked, because it may have started.
    pub(super) fn unconfirm(&mut self) {
        let now = self.context.now;
        let is_created = self.status() == SubscriptionStatus::Created;
        let mut begun = self.invoices.iter_mut().filter(|it| it.due_at.is_some());
        if let Some(invoice) = begun.next().filter(|_| is_created) {
            invoice.schedule_check(now);
        }
    }

    /// Activates the subscription after its first payment.
    pub(super) fn start(&mut self, invoice_id: &InvoiceId) {
        let now = self.context.now;
        let is_discounted = self
            .invoice_mut(invoice_id)
            .is_some_and(|invoice| invoice.is_discounted());
        let subscription = &mut self.subscription;
        let begins = subscription.term.as_ref();
        let begins = begins.map_or(now, |term| term.period.start);
        let coupon = subscription.coupon.as_mut().filter(|_| is_discounted);
        if let Some(coupon) = coupon {
            *coupon = coupon.used(begins);
        }
        subscription.count_cycle(true);
        match &subscription.term {
            None => self.end(SubscriptionStatus::Onetime),
            Some(term) => {
                subscription.next_billing_at = Some(term.period.end);
                subscription.status = match term.kind {
                    TermKind::Trial => SubscriptionStatus::Trial,
                    TermKind::Paid => SubscriptionStatus::Active,
                };
            }
        }
    }
}
