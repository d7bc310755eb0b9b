//! Applies a method's refusals to all charges of the subscription.

use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::timestamp::Timestamp;

use crate::dunning::{NextAttempt, RetryAdvice};
use crate::refusals::{MayCharge, Refusals};
use crate::subscription::draft::Draft;
use crate::subscription::{Invoice, Subscription};

/// The maximum number of methods whose refusals are stored, the newest.
const MOST_METHODS: usize = 20;

impl Subscription {
    /// Returns the refusals of a method, if any.
    fn refusals_of(&mut self, method: &PaymentMethodId) -> Option<&mut Refusals> {
        let mut all = self.refusals.iter_mut();
        all.find(|one| one.payment_method_id == *method)
    }

    fn forget_refusals(&mut self, now: Timestamp) {
        self.refusals.retain(|one| !one.is_nothing(now));
        let beyond = self.refusals.len().saturating_sub(MOST_METHODS);
        self.refusals.drain(..beyond);
    }
}

impl Draft<'_> {
    /// Returns when a method may be charged.
    pub(super) fn may_charge(&self, method: &PaymentMethodId) -> MayCharge {
        let mut all = self.subscription.refusals.iter();
        let known = all.find(|one| one.payment_method_id == *method);
        known.map_or(MayCharge::Now, |known| known.may_charge(self.context.now))
    }

    /// Records a refusal of a method.
    pub(super) fn note_refusal(&mut self, method: &PaymentMethodId, advice: RetryAdvice) {
        let now = self.context.now;
        let subscription = &mut self.subscription;
        if subscription.refusals_of(method).is_none() {
            subscription.forget_refusals(now);
            subscription.refusals.push(Refusals::none(method.clone()));
        }
        if let Some(refusals) = subscription.refusals_of(method) {
            refusals.note(now, advice);
        }
    }

    /// Returns the next attempt after a refused charge. The schedule counts the failures of all invoices that are being
    /// retried.
    pub(super) fn next_attempt(
        &mut self,
        method: &PaymentMethodId,
        advice: RetryAdvice,
    ) -> NextAttempt {
        let (now, dunning) = (self.context.now, self.context.dunning);
        let collected = self.invoices.iter();
        let collected = collected.filter(|it| it.is_open() && it.is_collected);
        let failures: u32 = collected.map(Invoice::failures).sum();
        match self.subscription.refusals_of(method) {
            Some(refusals) => refusals.next(failures, now, advice, dunning),
            None => dunning.next(failures, now, advice),
        }
    }

    /// Lifts the refusals of a method that has paid, and charges the invoices that waited for it.
    pub(super) fn note_payment(&mut self, method: &PaymentMethodId) {
        let now = self.context.now;
        let is_current = self.subscription.payment_method_id.as_ref() == Some(method);
        let Some(refusals) = self.subscription.refusals_of(method) else {
            return;
        };
        refusals.approve();
        self.subscription.forget_refusals(now);
        if !is_current {
            return;
        }
        for invoice in self.invoices.iter_mut().filter(|it| it.waits_for_charge()) {
            if let Some(due_at) = invoice.due_at {
                invoice.due_at = Some(due_at.min(now));
            }
        }
    }

    /// Lifts the ban on charges, because the merchant had an invoice collected and takes responsibility.
    pub(super) fn permit_charge(&mut self) {
        if let Some(refusals) = self.current_refusals() {
            refusals.permit();
        }
    }

    /// Restarts the dunning schedule of the current method.
    pub(super) fn restart_dunning(&mut self) {
        if let Some(refusals) = self.current_refusals() {
            refusals.restart_schedule();
        }
    }

    /// Returns the refusals of the current method.
    fn current_refusals(&mut self) -> Option<&mut Refusals> {
        let method = self.subscription.payment_method_id.clone()?;
        self.subscription.refusals_of(&method)
    }
}
