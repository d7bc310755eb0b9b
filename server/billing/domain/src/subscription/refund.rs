//! Refunding a cancelled subscription's credit to the payments that paid its invoices. (Facts 1.17)
//!
//! Which payments have something left to be refunded the edge finds out; a refund is made in the commit that takes its amount off the
//! credit, so that neither is without the other. It is an ordinary one from then on, and asked for by whoever asks for what
//! is scheduled. One that fails puts its amount back.

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

/// The most refunds of one subscription's credit; what is left then stays credit.
const MOST_REFUNDS: usize = 100;
/// When it is looked again for payments, should whoever looks not come to an end, in seconds.
const LOOK_AGAIN_AFTER: i64 = 60;
/// From one look at a refund without an outcome to the next, in seconds: the first, three more, six more, all others.
const LOOK_AFTER: [i64; 4] = [10, 60, 300, 3_600];
/// How long credit waits for another refund after one that never took place, in seconds: after the first, the second, and so on. After
/// the last it stays credit. None is made before the one that is thought lost can't arrive any more, and was looked at once more.
const ANEW_AFTER: [i64; 10] = [
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
/// A refund that has an outcome is looked at so often (in seconds) for so long (in seconds): its processor may correct itself.
const LOOK_AT_SETTLED: (i64, i64) = (86_400, 30 * 86_400);

/// Credit is refunded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refunding {
    /// When it is looked for payments to which credit can be refunded; unset while there is nothing to be done.
    pub due_at: Option<Timestamp>,
    /// The rest of the credit is to stay: so much of it came late and may go back, in minor units. Unset where all of it may.
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
    /// In minor units of the price's currency. A failed one has put it back on the credit.
    pub amount: i64,
    /// The refund's, when it was last looked at.
    pub status: RefundStatus,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// It never took place, or the merchant asked for another one: what it was for is refunded by that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_made_anew: bool,
    /// It is thought lost, and may arrive until then: no other one is made before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub may_arrive_until: Option<Timestamp>,
    /// How often it was looked at without an outcome.
    pub looks: u32,
    /// When it is looked at next.
    pub due_at: Option<Timestamp>,
    pub created_at: Timestamp,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// A refund that is made of credit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToRefund {
    pub refund_id: RefundId,
    pub payment_id: PaymentId,
    /// In minor units.
    pub amount: i64,
}

impl Refunding {
    /// Of all credit.
    pub(super) fn of_all() -> Self {
        Refunding {
            due_at: None,
            at_most: None,
            unread: UnreadMembers::default(),
        }
    }

    /// Of so much of it.
    pub(super) fn of_at_most(amount: i64) -> Self {
        Refunding {
            at_most: Some(amount),
            ..Refunding::of_all()
        }
    }
}

impl CreditRefund {
    /// What it takes from the credit: nothing once it has failed.
    pub fn taken(&self) -> i64 {
        taken(self.status, self.amount)
    }

    /// Sets the next look.
    fn put_off(&mut self, now: Timestamp) {
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
    /// What of its credit is to be refunded and isn't yet, in minor units. What its processor refused to give back isn't tried
    /// again: it may be carried out after all.
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

    /// The same beside what its payer has back already of what was given back: that is not refunded once more.
    pub fn credit_to_refund_beside(&self, taken_back: &[TakenBack]) -> i64 {
        let left = self.credit - self.given_twice(taken_back);
        self.credit_to_refund().min(left).max(0)
    }

    /// Until when no refund of its credit is made, because one that is thought lost may still arrive: the payer would have both.
    pub fn refunds_wait_until(&self, now: Timestamp) -> Option<Timestamp> {
        let lost = self.refunds.iter().filter_map(|one| one.may_arrive_until);
        lost.max().filter(|until| now < *until)
    }

    /// The payments of one of its invoices to which credit may go back: all that hold money, or those alone whose money came late,
    /// where the rest is to stay.
    pub fn refundable<'i>(&self, of: &'i Invoice) -> Vec<&'i PaymentId> {
        let at_most = self.refunding.as_ref().and_then(|it| it.at_most);
        match at_most {
            None => of.holding().collect(),
            Some(_) => of.credited().collect(),
        }
    }

    /// What the customer owes beside his invoices, in minor units: credit that was spent, and whose payment was taken back.
    pub fn owed_by_customer(&self) -> i64 {
        (-self.credit).max(0)
    }

    /// What was refunded of its credit, or may have been, in minor units.
    pub fn refunded(&self) -> i64 {
        self.refunds.iter().map(CreditRefund::taken).sum()
    }
}

impl Draft<'_> {
    /// Has the credit of a subscription that is over refunded, where that is wanted.
    pub(super) fn schedule_refunds(&mut self) {
        let now = self.context.now;
        let is_some = self.subscription.credit_to_refund() > 0;
        let at = self.subscription.refunds_wait_until(now).unwrap_or(now);
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.due_at = is_some.then_some(at);
        }
    }

    /// All credit of a subscription that is over goes back, whatever was chosen when it ended. What a processor refused to give back is
    /// tried once more.
    pub(super) fn refund_all_credit(&mut self) -> Result<(), Refusal> {
        if !self.status().is_final() {
            return Err(self.refusal("refund the credit of"));
        }
        let subscription = &mut self.subscription;
        let refunds = subscription.refunds.iter_mut();
        let failed = refunds.filter(|one| one.status == RefundStatus::Failed);
        failed.for_each(|one| one.is_made_anew = true);
        subscription.refunding = Some(Refunding::of_all());
        if subscription.credit_to_refund() == 0 {
            return Err(Refusal::precondition(
                "the subscription has no credit that could be refunded",
            ));
        }
        self.schedule_refunds();
        Ok(())
    }

    /// The edge looks for payments, where there is anything to be refunded still: a refund that was thought lost may have arrived.
    pub(super) fn look_for_payments(&mut self) {
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

    /// A refund takes a part of the credit.
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
            .credit_to_refund_beside(self.context.taken_back);
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
        refund.put_off(now);
        self.subscription.credit -= amount;
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.at_most = refunding.at_most.map(|at_most| at_most - amount);
        }
        self.subscription.refunds.push(refund);
        self.schedule_refunds();
        Ok(())
    }

    /// What is left stays credit.
    pub(super) fn nothing_refundable(&mut self) {
        if let Some(refunding) = &mut self.subscription.refunding {
            refunding.due_at = None;
        }
    }

    /// The edge asks how a refund stands.
    pub(super) fn look_at_refund(&mut self, refund_id: RefundId) {
        let now = self.context.now;
        let mut refunds = self.subscription.refunds.iter_mut();
        if let Some(refund) = refunds.find(|one| one.refund_id == refund_id) {
            refund.put_off(now);
            self.effects.push(Effect::LookAtRefund(refund_id));
        }
    }

    /// What became of a refund. One that fails puts its amount back; one that is carried out after it had failed takes it again.
    /// One that never took place, because a server died before it was sent or its processor couldn't be reached, is made anew.
    pub(super) fn hear_of_refund(&mut self, told: RefundTold) {
        let RefundTold {
            refund_id,
            status,
            why,
            never_happened,
        } = told;
        let now = self.context.now;
        let subscription = &mut self.subscription;
        let anew = subscription.refunds.iter().filter(|one| one.is_made_anew);
        let wait = ANEW_AFTER.get(anew.count());
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
        refund.put_off(now);
        refund.may_arrive_until = None;
        if !never_happened {
            return;
        }
        refund.due_at = now.plus_seconds(LATE_ARRIVAL);
        refund.may_arrive_until = now.plus_seconds(ANEW_AFTER[0]);
        if let (Some(refunding), Some(seconds)) = (&mut subscription.refunding, wait) {
            refund.is_made_anew = true;
            refunding.at_most = refunding.at_most.map(|at_most| at_most + refund.amount);
            refunding.due_at = now.plus_seconds(*seconds);
        }
    }

    /// What a subscription that is over owes and may give back by now becomes credit, by an invoice.
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
