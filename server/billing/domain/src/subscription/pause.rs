//! Pauses a subscription: no time is billed until it is resumed.

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::charge::ReturnOption;
use crate::subscription::draft::Draft;
use crate::subscription::{Invoice, Owed, SubscriptionStatus, When};

impl Draft<'_> {
    pub(super) fn pause(&mut self, when: When) -> Result<(), Refusal> {
        if !self.status().is_running() {
            return Err(self.refusal("pause"));
        }
        let subscription = &mut self.subscription;
        subscription.pausing_at = match when {
            When::Now => return self.pause_at(self.context.now),
            When::EndOfTerm => subscription.next_billing_at,
            When::At(date) => Some(date),
        };
        subscription.pauses_with_term = Some(when == When::EndOfTerm);
        Ok(())
    }

    /// Pauses at this moment. The next invoice returns charges for later time, so that a resumption doesn't bill it
    /// twice.
    pub(super) fn pause_at(&mut self, at: Timestamp) -> Result<(), Refusal> {
        // A subscription whose last period is over ends instead.
        let term = self.subscription.term.as_ref();
        let has_ended = term.is_some_and(|term| term.period.end <= at);
        if has_ended && self.subscription.is_in_last_period() {
            return self.end_unrenewed();
        }
        let subscription = &mut self.subscription;
        subscription.status = SubscriptionStatus::Paused;
        subscription.paused_at = Some(at);
        subscription.pausing_at = None;
        subscription.pauses_with_term = None;
        // A cancellation planned for the end of the term moves to the end of the term after the pause.
        if let (Some(end), Some(cancelling)) = (
            subscription.next_billing_at.take(),
            &mut subscription.cancelling,
        ) {
            cancelling.follow(end, end);
        }
        subscription.count_cycle_back(at);
        subscription.record_returnable();
        for stretch in std::mem::take(&mut subscription.charged) {
            let (_, returned) = stretch.charged.split(at, ReturnOption::Prorate);
            // A trial has no charges to return.
            let returned = returned.filter(|returned| returned.gross_minor() > 0);
            subscription.owed.extend(returned.map(|returned| Owed {
                invoice_id: stretch.invoice_id,
                returned,
                unread: UnreadMembers::default(),
            }));
        }
        self.cut_unbilled(at);
        let subscription = &mut self.subscription;
        subscription.term = subscription.term.as_ref().map(|term| term.cut(at));
        self.invoices.iter_mut().for_each(Invoice::rest);
        Ok(())
    }
}
