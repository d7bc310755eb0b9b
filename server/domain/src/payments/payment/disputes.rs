//! What of a payment's money is disputed: where a payment, its disputes and its refunds meet. (Specification 2.3)
//!
//! - What a chargeback holds or has taken can't be refunded: the processor has it already, and it would go back twice. An
//!   inquiry holds nothing, so that a refund can settle it.
//! - A refund that is under way when a dispute is raised goes on; one that is scheduled and not sent yet fails where its money
//!   is held when it is to be sent. A dispute is recorded whatever was refunded before.
//! - Amounts are never converted. A dispute in another currency may be about all of the payment, so it holds all that was
//!   captured: what is held too long can be refunded later, what went back twice is gone.
//! - Where both took the same money, `is_already_refunded` says so, and the merchant can bring it up against the dispute.

use multirail_kernel::currency::Currency;
use multirail_kernel::ids::DisputeId;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::connector::{DisputeStage, DisputeStatus};
use serde::{Deserialize, Serialize};

use crate::payments::payment::Payment;

/// One dispute as its payment counts it.
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

/// Whose money it is while a dispute stands so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The merchant's.
    Nothing,
    /// The processor keeps it until it is decided, or nobody has said that it came back.
    ForNow,
    /// The payer's, for good.
    ForGood,
}

impl DisputeShare {
    /// What became of the disputed money.
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

    /// The same of the same dispute.
    pub(crate) fn says(&self, other: &DisputeShare) -> bool {
        self.dispute_id == other.dispute_id
            && self.stage == other.stage
            && self.status == other.status
            && self.amount == other.amount
            && self.currency == other.currency
    }
}

/// All in minor units of the payment's currency, none negative.
impl Payment {
    /// `state_metadata.total_disputed_amount`: the sum of the disputes that were lost or accepted. One in another currency counts
    /// nothing.
    pub fn disputed_amount(&self) -> i64 {
        self.sum_of_disputes(|share| share.held() == Held::ForGood)
    }

    /// What disputes have taken for good: all that was captured where one of them is in another currency.
    pub(crate) fn lost_by_disputes(&self) -> i64 {
        let is_lost = |share: &DisputeShare| share.held() == Held::ForGood;
        if self.is_disputed_abroad(is_lost) {
            self.active().captured_amount()
        } else {
            self.sum_of_disputes(is_lost)
        }
    }

    /// The amount that other disputes have taken for good, in the payment's currency.
    pub(crate) fn lost_beside(&self, dispute_id: &DisputeId) -> i64 {
        self.sum_of_disputes(|share| {
            share.held() == Held::ForGood && share.dispute_id != *dispute_id
        })
    }

    /// What disputes keep or have taken, so that it can't be refunded: at least all that was captured where one of them is in
    /// another currency.
    pub fn held_by_disputes(&self) -> i64 {
        let is_held = |share: &DisputeShare| share.held() != Held::Nothing;
        let held = self.sum_of_disputes(is_held);
        if self.is_disputed_abroad(is_held) {
            held.max(self.active().captured_amount())
        } else {
            held
        }
    }

    /// `is_already_refunded` of the payment's disputes: those that were lost and what was refunded come to more than what was
    /// captured. One in another currency counts as the least that there is.
    pub fn is_already_refunded(&self) -> bool {
        let is_lost = |share: &DisputeShare| share.status == DisputeStatus::Lost;
        let lost = self.sum_of_disputes(is_lost);
        let lost = lost.saturating_add(i64::from(self.is_disputed_abroad(is_lost)));
        lost.saturating_add(self.refunded_amount()) > self.active().captured_amount()
    }

    /// Counts a dispute as it stands now.
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

    /// Money of another currency than the payment's is disputed so.
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
