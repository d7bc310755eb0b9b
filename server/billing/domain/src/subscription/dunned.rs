//! What a refusal of a saved method holds up: whatever else the subscription charges it for.

use multirail_kernel::ids::PaymentMethodId;
use multirail_kernel::timestamp::Timestamp;

use crate::dunning::{NextAttempt, RetryAdvice};
use crate::refusals::{MayCharge, Refusals};
use crate::subscription::draft::Draft;
use crate::subscription::{Invoice, Subscription};

/// Of so many methods the refusals are kept, the newest.
const MOST_METHODS: usize = 20;

impl Subscription {
    /// The refusals of a method, where there were some.
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
    /// Whether a method may be charged now.
    pub(super) fn may_charge(&self, method: &PaymentMethodId) -> MayCharge {
        let mut all = self.subscription.refusals.iter();
        let known = all.find(|one| one.payment_method_id == *method);
        known.map_or(MayCharge::Now, |known| known.may_charge(self.context.now))
    }

    /// Notes that a method was refused.
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

    /// When an invoice is charged again whose charge was refused just now: the schedule counts all invoices that are tried again.
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

    /// A method has paid: what waited, because it had been refused, is charged.
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

    /// The merchant has an invoice collected, and answers for what was forbidden.
    pub(super) fn permit_charge(&mut self) {
        if let Some(refusals) = self.current_refusals() {
            refusals.permit();
        }
    }

    /// The schedule of what is charged begins anew.
    pub(super) fn begin_dunning_anew(&mut self) {
        if let Some(refusals) = self.current_refusals() {
            refusals.begin_anew();
        }
    }

    /// Those of what is charged now.
    fn current_refusals(&mut self) -> Option<&mut Refusals> {
        let method = self.subscription.payment_method_id.clone()?;
        self.subscription.refusals_of(&method)
    }
}
