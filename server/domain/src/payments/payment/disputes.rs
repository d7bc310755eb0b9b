//! Disputed amounts of a payment, and how they limit refunds. (Specification 2.3)
//!
//! - An amount that a chargeback holds or has taken can't be refunded: the processor has it already, and the payer would get it
//!   twice. An inquiry holds nothing, so a refund can settle it.
//! - An open refund goes on when a dispute is raised. A refund that is only scheduled fails if its amount is held when it is
//!   due. A dispute is recorded whatever was refunded before.
//! - Amounts are never converted. A dispute in another currency may concern the whole payment, so it holds the whole captured
//!   amount. Money that is held too long can be refunded later; a double payment is lost.
//! - If a refund and a dispute took the same money, `is_already_refunded` shows that. The merchant can then use it against the
//!   dispute.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::DisputeId;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{DisputeStage, DisputeStatus};
use serde::{Deserialize, Serialize};

use crate::payments::payment::Payment;

/// One dispute, as far as its payment counts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeShare {
    pub dispute_id: DisputeId,
    pub stage: DisputeStage,
    pub status: DisputeStatus,
    /// In minor units of `currency`.
    pub amount: i64,
    pub currency: Currency,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

/// The owner of the disputed money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The merchant.
    Nothing,
    /// The processor holds it until the decision, or hasn't said that it returned it.
    ForNow,
    /// The payer, finally.
    ForGood,
}

impl DisputeShare {
    /// Returns the owner of the disputed money.
    pub fn held(&self) -> Held {
        match self.status {
            DisputeStatus::Won | DisputeStatus::Cancelled => Held::Nothing,
            DisputeStatus::Accepted | DisputeStatus::Lost => Held::ForGood,
            DisputeStatus::Opened | DisputeStatus::Challenged | DisputeStatus::Expired => {
                match self.stage {
                    DisputeStage::PreDispute | DisputeStage::DisputeReversal => Held::Nothing,
                    DisputeStage::Dispute
                    | DisputeStage::PreArbitration
                    | DisputeStage::Arbitration => Held::ForNow,
                }
            }
        }
    }

    /// Returns whether both describe the same state of the same dispute.
    pub(crate) fn says(&self, other: &DisputeShare) -> bool {
        self.dispute_id == other.dispute_id
            && self.stage == other.stage
            && self.status == other.status
            && self.amount == other.amount
            && self.currency == other.currency
    }
}

/// All amounts are in minor units of the payment's currency, and none is negative.
impl Payment {
    /// Returns `state_metadata.total_disputed_amount`: the sum of lost and accepted disputes. Disputes in other currencies
    /// don't count.
    pub fn disputed_amount(&self) -> i64 {
        self.sum_of_disputes(|share| share.held() == Held::ForGood)
    }

    /// Returns the amount that disputes have finally taken. It is the whole captured amount if one of them is in another
    /// currency.
    pub(crate) fn lost_by_disputes(&self) -> i64 {
        let is_lost = |share: &DisputeShare| share.held() == Held::ForGood;
        if self.is_disputed_abroad(is_lost) {
            self.active().captured_amount()
        } else {
            self.sum_of_disputes(is_lost)
        }
    }

    /// Returns the amount that other disputes have finally taken, in the payment's currency.
    pub(crate) fn lost_by_others(&self, dispute_id: &DisputeId) -> i64 {
        self.sum_of_disputes(|share| {
            share.held() == Held::ForGood && share.dispute_id != *dispute_id
        })
    }

    /// Returns the amount that disputes hold or have taken, which can't be refunded. It is at least the captured amount if one
    /// of them is in another currency.
    pub fn held_by_disputes(&self) -> i64 {
        let is_held = |share: &DisputeShare| share.held() != Held::Nothing;
        let held = self.sum_of_disputes(is_held);
        if self.is_disputed_abroad(is_held) {
            held.max(self.active().captured_amount())
        } else {
            held
        }
    }

    /// Returns `is_already_refunded` of the payment's disputes: lost disputes and refunds exceed the captured amount. A dispute
    /// in another currency counts as one minor unit.
    pub fn is_already_refunded(&self) -> bool {
        let is_lost = |share: &DisputeShare| share.status == DisputeStatus::Lost;
        let lost = self.sum_of_disputes(is_lost);
        let lost = lost.saturating_add(i64::from(self.is_disputed_abroad(is_lost)));
        lost.saturating_add(self.refunded_amount()) > self.active().captured_amount()
    }

    /// Records the present state of a dispute.
    pub(crate) fn count_dispute(&mut self, share: DisputeShare, now: Timestamp) {
        let mut disputes = self.disputes.iter_mut();
        match disputes.find(|counted| counted.dispute_id == share.dispute_id) {
            Some(counted) if counted.says(&share) => return,
            Some(counted) => {
                counted.stage = share.stage;
                counted.status = share.status;
                counted.amount = share.amount;
                counted.currency = share.currency;
            }
            None => self.disputes.push(share),
        }
        self.modified_at = now;
    }

    /// Returns whether some dispute that passes `counts` is in another currency than the payment.
    fn is_disputed_abroad(&self, counts: impl Fn(&DisputeShare) -> bool) -> bool {
        let mut disputes = self.disputes.iter();
        disputes
            .any(|share| share.currency != self.terms.currency && share.amount > 0 && counts(share))
    }

    fn sum_of_disputes(&self, counts: impl Fn(&DisputeShare) -> bool) -> i64 {
        let disputes = self.disputes.iter();
        disputes
            .filter(|share| share.currency == self.terms.currency && counts(share))
            .fold(0, |sum: i64, share| sum.saturating_add(share.amount))
    }
}
