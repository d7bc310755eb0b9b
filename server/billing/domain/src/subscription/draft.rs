//! The working copy of a subscription during one transition.

use multirail_kernel::ids::InvoiceId;
use multirail_kernel::refusal::Refusal;

use crate::subscription::{
    Context, Effect, Invoice, Standing, Step, Subscription, SubscriptionStatus,
};

/// The subscription and its open invoices after the transition.
pub(super) struct Draft<'a> {
    before: &'a Standing,
    pub subscription: Subscription,
    pub invoices: Vec<Invoice>,
    pub effects: Vec<Effect>,
    pub context: &'a Context<'a>,
    /// True if the caller continues with due work at once. Otherwise a worker does it.
    pub goes_on: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn new(before: &'a Standing, context: &'a Context<'a>) -> Self {
        Draft {
            before,
            subscription: before.subscription.clone(),
            invoices: before.open.clone(),
            effects: Vec::new(),
            context,
            goes_on: false,
        }
    }

    pub(super) fn finish(self) -> Step {
        let Draft {
            before,
            mut subscription,
            invoices,
            effects,
            context,
            goes_on: _,
        } = self;
        let invoices: Vec<Invoice> = invoices
            .into_iter()
            .filter(|invoice| !before.open.contains(invoice))
            .map(|invoice| Invoice {
                modified_at: context.now,
                ..invoice
            })
            .collect();
        if subscription != before.subscription || !invoices.is_empty() {
            subscription.modified_at = context.now;
        }
        Step {
            subscription,
            invoices,
            effects,
        }
    }

    pub(super) fn status(&self) -> SubscriptionStatus {
        self.subscription.status
    }

    /// Returns a refusal such as "You cannot resume this subscription because it has status active".
    pub(super) fn refusal(&self, verb: &str) -> Refusal {
        Refusal::precondition(format!(
            "You cannot {verb} this subscription because it has status {}",
            self.status()
        ))
    }

    pub(super) fn invoice_mut(&mut self, invoice_id: &InvoiceId) -> Option<&mut Invoice> {
        let mut invoices = self.invoices.iter_mut();
        invoices.find(|invoice| invoice.invoice_id == *invoice_id)
    }

    /// Drops planned pauses, resumptions and cancellations.
    pub(super) fn forget_plans(&mut self) {
        let subscription = &mut self.subscription;
        subscription.pausing_at = None;
        subscription.pauses_with_term = None;
        subscription.resuming = None;
        subscription.cancelling = None;
    }

    /// Ends the subscription: nothing is billed any more, and open invoices are no longer collected.
    pub(super) fn end(&mut self, status: SubscriptionStatus) {
        self.forget_plans();
        self.subscription.status = status;
        self.subscription.next_billing_at = None;
        self.invoices.iter_mut().for_each(Invoice::rest);
    }
}
