//! A step while it is decided.

use multirail_kernel::ids::InvoiceId;
use multirail_kernel::refusal::Refusal;

use crate::subscription::{
    Context, Effect, Invoice, Standing, Step, Subscription, SubscriptionStatus,
};

/// The subscription and its open invoices as they are to become.
pub(super) struct Draft<'a> {
    before: &'a Standing,
    pub subscription: Subscription,
    pub invoices: Vec<Invoice>,
    pub effects: Vec<Effect>,
    pub context: &'a Context<'a>,
    /// Whoever decides goes on with what is due at once. Otherwise that waits for a worker.
    pub goes_on: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn of(before: &'a Standing, context: &'a Context<'a>) -> Self {
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

    /// "You cannot resume this subscription because it has status active".
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

    /// What was to happen at a later date does not.
    pub(super) fn forget_plans(&mut self) {
        let subscription = &mut self.subscription;
        subscription.pausing_at = None;
        subscription.pauses_with_term = None;
        subscription.resuming = None;
        subscription.cancelling = None;
    }

    /// Ends: nothing is billed any more, and open invoices rest.
    pub(super) fn end(&mut self, status: SubscriptionStatus) {
        self.forget_plans();
        self.subscription.status = status;
        self.subscription.next_billing_at = None;
        self.invoices.iter_mut().for_each(Invoice::rest);
    }
}
