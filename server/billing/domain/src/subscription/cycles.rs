//! Subscriptions with a fixed number of periods. They end after the last one and aren't renewed. (Facts 3.13)

use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;

use crate::subscription::draft::Draft;
use crate::subscription::{Subscription, SubscriptionStatus};
use crate::term::{Term, TermKind};

impl Subscription {
    /// Checks whether the last period has begun.
    pub fn is_in_last_period(&self) -> bool {
        let most = self.plan.price.billing_cycles;
        most.is_some_and(|most| self.cycles >= most)
    }

    /// Counts a period that begins. `is_anew` restarts the count, for a new price.
    pub(super) fn count_cycle(&mut self, is_anew: bool) {
        let is_paid = |term: &Term| match term.kind {
            TermKind::Trial => false,
            TermKind::Paid => true,
        };
        let before = if is_anew { 0 } else { self.cycles };
        let has_end = self.plan.price.billing_cycles.is_some();
        let begun = u32::from(self.term.as_ref().is_some_and(is_paid));
        self.cycles = if has_end { before + begun } else { 0 };
    }

    /// Takes a period off the count if it is cut short at this moment.
    pub(super) fn count_cycle_back(&mut self, at: Timestamp) {
        let is_cut = |term: &Term| term.kind == TermKind::Paid && at < term.period.end;
        if self.term.as_ref().is_some_and(is_cut) {
            self.cycles = self.cycles.saturating_sub(1);
        }
    }
}

impl Draft<'_> {
    /// Ends the subscription after its last period. Its remaining charges and returns are billed; open invoices are still
    /// charged.
    pub(super) fn end_unrenewed(&mut self) -> Result<(), Refusal> {
        self.forget_plans();
        self.subscription.status = SubscriptionStatus::InActive;
        self.subscription.next_billing_at = None;
        self.settle_accounts()
    }
}
