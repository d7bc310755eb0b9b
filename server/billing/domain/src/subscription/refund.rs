//! Refunds the credit of a subscription that has ended to the payments that paid its invoices. (Facts 1.17)
//!
//! The application finds the payments that can still be refunded. The refund and the reduction of the credit are stored
//! in one commit. From then on it is an ordinary refund, which the usual worker sends. A refund that fails restores the
//! credit.

use multirail_domain::operations::question::LATE_ARRIVAL;
use multirail_domain::payments::refund::RefundStatus;
use multirail_kernel::ids::{PaymentId, RefundId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::subscription::draft::Draft;
use crate::subscription::transition::{Effect, RefundTold};
use crate::subscription::{Invoice, Subscription, SubscriptionStatus, TakenBack};

/// The maximum number of refunds of one subscription's credit. After them the rest stays credit.
const MOST_REFUNDS: usize = 100;
/// Seconds until the search for refundable payments is repeated, if a search doesn't finish.
const LOOK_AGAIN_AFTER: i64 = 60;
/// Seconds between checks of a refund without an outcome: after the first check, three more, six more, all others.
const LOOK_AFTER: [i64; 4] = [10, 60, 300, 3_600];
/// Seconds until credit is refunded again after a refund that never took place, by the number of earlier repetitions.
/// After the last one the rest stays credit. The first wait outlasts the time in which a lost refund may still
/// arrive, and one more check of it.
const REPEAT_AFTER: [i64; 10] = [
    LATE_ARRIVAL + 60,
    3 * HOUR,
    6 * HOUR,
    DAY,
    DAY,
    DAY,
    DAY,
    DAY,
    DAY,
    DAY,
];
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// Interval and duration, in seconds, of the checks of a refund with an outcome, because the processor may correct it.
const LOOK_AT_SETTLED: (i64, i64) = (86_400, 30 * 86_400);

/// The refund of a subscription's credit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refunding {
    /// The time of the next search for refundable payments; unset if nothing is due.
    pub due_at: Option<Timestamp>,
    /// The maximum to refund in minor units, if the rest of the credit must stay. It grows with late money. Unset for
    /// all credit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<i64>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A part of the credit that is refunded to one payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditRefund {
    pub refund_id: RefundId,
    pub payment_id: PaymentId,
    /// In minor units of the price's currency. A failed refund has restored it to the credit.
    pub amount: i64,
    /// The refund's status at the last check.
    pub status: RefundStatus,
    /// The reason of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// True if another refund replaces it, because it never took place or the merchant asked again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_made_anew: bool,
    /// The time until which a refund that seems lost may still arrive. No other refund is made before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_arrive_until: Option<Timestamp>,
    /// The number of checks without an outcome.
    pub looks: u32,
    /// The time of the next check.
    pub due_at: Option<Timestamp>,
    pub created_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The request for a refund of credit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToRefund {
    pub refund_id: RefundId,
    pub payment_id: PaymentId,
    /// In minor units.
    pub amount: i64,
}

impl Refunding {
    /// Refunds all credit.
    pub(super) fn everything() -> Self {
        Refunding {
            due_at: None,
            at_most: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Refunds at most this amount.
    pub(super) fn up_to(amount: i64) -> Self {
        Refunding {
            at_most: Some(amount),
            ..Refunding::everything()
        }
    }
}

impl CreditRefund {
    /// Returns the amount that it takes from the credit, which is 0 once it has failed.
    pub fn taken(&self) -> i64 {
        taken(self.status, self.amount)
    }

    /// Schedules the next check.
    fn schedule_check(&mut self, now: Timestamp) {
        self.due_at = match self.status {
            RefundStatus::Pending => {
                let seconds = match self.looks {
                    0 => LOOK_AFTER[0],
                    1..=3 => LOOK_AFTER[1],
                    4..=9 => LOOK_AFTER[2],
                    10.. => LOOK_AFTER[3],
                };
                self.looks = self.looks.saturating_add(1);
                now.plus_seconds(seconds)
            }
            RefundStatus::Succeeded | RefundStatus::Failed | RefundStatus::Review => {
                let (pause, long) = LOOK_AT_SETTLED;
                let next = now.plus_seconds(pause);
                next.filter(|_| now.seconds_since(self.created_at) < long)
            }
        };
    }
}

impl Subscription {
    /// Returns the credit that must still be refunded, in minor units. The amount of a refund that the processor
    /// refused isn't included, because the processor may still carry it out.
    pub fn credit_to_refund(&self) -> i64 {
        let Some(refunding) = &self.refunding else {
            return 0;
        };
        if self.refunds.len() >= MOST_REFUNDS {
            return 0;
        }
        let refused = self.refunds.iter().filter(|one| !one.is_made_anew);
        let failed = refused.map(|one| one.amount - one.taken());
        let left = (self.credit - failed.sum::<i64>()).max(0);
        refunding.at_most.map_or(left, |at_most| left.min(at_most))
    }

    /// Returns the credit that must still be refunded, less the money that the payer also got back outside the
    /// subscription.
    pub fn credit_to_refund_except(&self, taken_back: &[TakenBack]) -> i64 {
        let left = self.credit - self.given_twice(taken_back);
        self.credit_to_refund().min(left).max(0)
    }

    /// Returns until when refunds must wait for a refund that seems lost. If it arrived, the payer would get the money
    /// twice.
    pub fn refunds_wait_until(&self, now: Timestamp) -> Option<Timestamp> {
        let lost = self.refunds.iter().filter_map(|one| one.may_arrive_until);
        lost.max().filter(|until| now < *until)
    }

    /// Returns the payments of an invoice that can receive the credit: all that hold money, or only the late ones if
    /// the rest of the credit must stay.
    pub fn refundable<'i>(&self, of: &'i Invoice) -> Vec<&'i PaymentId> {
        let at_most = self.refunding.as_ref().and_then(|it| it.at_most);
        match at_most {
            None => of.holding().collect(),
            Some(_) => of.credited().collect(),
        }
    }

    /// Returns the debt of the customer apart from open invoices, in minor units: spent credit whose payment was
    /// reversed.
    pub fn owed_by_customer(&self) -> i64 {
        (-self.credit).max(0)
    }

    /// Returns the credit taken by refunds that haven't failed, in minor units.
    pub fn refunded(&self) -> i64 {
        self.refunds.iter().map(CreditRefund::taken).sum()
    }
}

impl Draft<'_> {
    /// Schedules the refund of the credit of an ended subscription, if a refund was requested.
    pub(super) fn schedule_refunds(&mut self) {
        let now = self.context.now;
        let is_some = self.subscription.credit_to_refund() > 0;
        let at = self.subscription.refunds_wait_until(now).unwrap_or(now);
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.due_at = is_some.then_some(at);
        }
    }

    /// Refunds all credit of an ended subscription, whatever option was chosen at its end. Refunds that failed are
    /// tried once more.
    pub(super) fn refund_all_credit(&mut self) -> Result<(), Refusal> {
        if !self.status().is_final() {
            return Err(self.refusal("refund the credit of"));
        }
        let subscription = &mut self.subscription;
        let refunds = subscription.refunds.iter_mut();
        let failed = refunds.filter(|one| one.status == RefundStatus::Failed);
        failed.for_each(|one| one.is_made_anew = true);
        subscription.refunding = Some(Refunding::everything());
        if subscription.credit_to_refund() == 0 {
            return Err(Refusal::precondition(
                "the subscription has no credit that could be refunded",
            ));
        }
        self.schedule_refunds();
        Ok(())
    }

    /// Starts the search for refundable payments, unless a refund that seemed lost has arrived and nothing remains.
    pub(super) fn search_payments(&mut self) {
        if self.subscription.credit_to_refund() == 0 {
            self.nothing_refundable();
            return;
        }
        let now = self.context.now;
        let waits_until = self.subscription.refunds_wait_until(now);
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.due_at = waits_until.or(now.plus_seconds(LOOK_AGAIN_AFTER));
            if waits_until.is_none() {
                self.effects.push(Effect::RefundCredit);
            }
        }
    }

    /// Takes a refund's amount from the credit.
    pub(super) fn refund_credit(&mut self, to_refund: ToRefund) -> Result<(), Refusal> {
        let ToRefund {
            refund_id,
            payment_id,
            amount,
        } = to_refund;
        let now = self.context.now;
        if self.subscription.refunds_wait_until(now).is_some() {
            return Err(Refusal::precondition(
                "a refund of the subscription's credit may still arrive at its processor",
            ));
        }
        let most = self
            .subscription
            .credit_to_refund_except(self.context.taken_back);
        if !(1..=most).contains(&amount) {
            return Err(Refusal::precondition(
                "the subscription has not as much credit to be refunded",
            ));
        }
        let mut refund = CreditRefund {
            refund_id,
            payment_id,
            amount,
            status: RefundStatus::Pending,
            why: None,
            is_made_anew: false,
            may_arrive_until: None,
            looks: 0,
            due_at: None,
            created_at: now,
            unread: UnreadMembers::default(),
        };
        refund.schedule_check(now);
        self.subscription.credit -= amount;
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.at_most = refunding.at_most.map(|at_most| at_most - amount);
        }
        self.subscription.refunds.push(refund);
        self.schedule_refunds();
        Ok(())
    }

    /// Leaves the rest as credit.
    pub(super) fn nothing_refundable(&mut self) {
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.due_at = None;
        }
    }

    /// Asks the application for the status of a refund.
    pub(super) fn look_at_refund(&mut self, refund_id: RefundId) {
        let now = self.context.now;
        let mut refunds = self.subscription.refunds.iter_mut();
        if let Some(refund) = refunds.find(|one| one.refund_id == refund_id) {
            refund.schedule_check(now);
            self.effects.push(Effect::LookAtRefund(refund_id));
        }
    }

    /// Applies the outcome of a refund. A failure restores the credit; a success after a failure takes it again.
    ///
    /// A refund that never took place is made again: the server died before sending it, or the processor could not be
    /// reached.
    pub(super) fn apply_refund_status(&mut self, told: RefundTold) {
        let RefundTold {
            refund_id,
            status,
            why,
            never_happened,
        } = told;
        let now = self.context.now;
        let subscription = &mut self.subscription;
        let anew = subscription.refunds.iter().filter(|one| one.is_made_anew);
        let wait = REPEAT_AFTER.get(anew.count());
        let mut refunds = subscription.refunds.iter_mut();
        let Some(refund) = refunds.find(|one| one.refund_id == refund_id) else {
            return;
        };
        if refund.status == status {
            return;
        }
        subscription.credit += refund.taken() - taken(status, refund.amount);
        refund.status = status;
        refund.why = why;
        refund.schedule_check(now);
        refund.may_arrive_until = None;
        if !never_happened {
            return;
        }
        refund.due_at = now.plus_seconds(LATE_ARRIVAL);
        refund.may_arrive_until = now.plus_seconds(REPEAT_AFTER[0]);
        if let (Some(refunding), Some(seconds)) = (&mut subscription.refunding, wait) {
            refund.is_made_anew = true;
            refunding.at_most = refunding.at_most.map(|at_most| at_most + refund.amount);
            refunding.due_at = now.plus_seconds(*seconds);
        }
    }

    /// Bills the remaining charges and returns of an ended subscription. Excess returns become credit.
    pub(super) fn settle_accounts(&mut self) -> Result<(), Refusal> {
        match self.status() {
            SubscriptionStatus::Cancelled | SubscriptionStatus::InActive => {}
            SubscriptionStatus::Created
            | SubscriptionStatus::Pending
            | SubscriptionStatus::Trial
            | SubscriptionStatus::Active
            | SubscriptionStatus::Paused
            | SubscriptionStatus::Unpaid
            | SubscriptionStatus::Onetime
            | SubscriptionStatus::Failed => return Ok(()),
        }
        if !self.subscription.unbilled.is_empty() || self.owes_by_now() {
            self.bill_all(Vec::new(), None)?;
        }
        self.schedule_refunds();
        Ok(())
    }
}

fn taken(status: RefundStatus, amount: i64) -> i64 {
    match status {
        RefundStatus::Pending | RefundStatus::Succeeded | RefundStatus::Review => amount,
        RefundStatus::Failed => 0,
    }
}
