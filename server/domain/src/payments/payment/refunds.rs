//! What of a payment's money was given back, or may be: where a payment and its refunds meet. (Specification 2.10)

use multirail_kernel::ids::RefundId;
use multirail_kernel::statuses::RefundStatus;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use serde::{Deserialize, Serialize};

use crate::payments::payment::{Payment, PaymentStatus};

/// One refund as its payment counts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundShare {
    pub refund_id: RefundId,
    pub status: RefundStatus,
    /// What it gave back or may give back, in minor units of the payment's currency; of a failed one what it would have.
    pub amount: i64,
    /// The processor may still carry it out: pending, or in review before its last word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl RefundShare {
    /// What it takes from what was captured: nothing once it has failed.
    fn taken(&self) -> i64 {
        match self.status {
            RefundStatus::Pending | RefundStatus::Succeeded | RefundStatus::Review => self.amount,
            RefundStatus::Failed => 0,
        }
    }

    /// The same of the same refund.
    pub(crate) fn says(&self, other: &RefundShare) -> bool {
        self.refund_id == other.refund_id
            && self.status == other.status
            && self.amount == other.amount
            && self.is_open == other.is_open
    }
}

/// All in minor units of the payment's currency, none negative.
impl Payment {
    /// `state_metadata.total_refunded_amount`: the sum of the refunds that succeeded.
    pub fn refunded_amount(&self) -> i64 {
        let succeeded = self.refunds.iter();
        let succeeded = succeeded.filter(|share| share.status == RefundStatus::Succeeded);
        sum(succeeded.map(|share| share.amount))
    }

    /// What refunds have given back or may still give back. Above what was captured only where a processor carried out a
    /// refund that counted as failed, such a one is in review; or where it took back what it had captured, such a payment is
    /// in conflict.
    pub fn refunds_amount(&self) -> i64 {
        sum(self.refunds.iter().map(RefundShare::taken))
    }

    /// What a further refund may give back at most: what was captured, neither refunded nor held by a dispute.
    pub fn refundable_amount(&self) -> i64 {
        self.captured_beside(self.refunds_amount())
    }

    /// What this refund may give back at most, beside all others.
    pub(crate) fn refundable_beside_others(&self, refund_id: &RefundId) -> i64 {
        let others = self.refunds.iter();
        let others = others.filter(|share| share.refund_id != *refund_id);
        self.captured_beside(sum(others.map(RefundShare::taken)))
    }

    /// The limit of [`Payment::refunds_amount`]: what was captured, or what refunds have gone to where one is in review or what
    /// was captured was taken back.
    pub fn refunds_limit(&self) -> i64 {
        let is_reviewed = |share: &RefundShare| share.status == RefundStatus::Review;
        let captured = self.active().captured_amount();
        if self.refunds.iter().any(is_reviewed) || self.status == PaymentStatus::Conflicted {
            captured.max(self.refunds_amount())
        } else {
            captured
        }
    }

    /// A processor may still carry out a refund.
    pub fn has_open_refund(&self) -> bool {
        self.refunds.iter().any(|share| share.is_open)
    }

    /// Counts a refund as it stands now; false where it was counted so before.
    pub(crate) fn count_refund(&mut self, share: RefundShare, now: Timestamp) -> bool {
        let mut refunds = self.refunds.iter_mut();
        match refunds.find(|counted| counted.refund_id == share.refund_id) {
            Some(counted) if counted.says(&share) => return false,
            Some(counted) => {
                counted.status = share.status;
                counted.amount = share.amount;
                counted.is_open = share.is_open;
            }
            None => self.refunds.push(share),
        }
        self.modified_at = now;
        true
    }

    /// What of it the payer has back, or may have, by other refunds than these and by disputes that were lost.
    pub fn taken_back_beside(&self, is_one: impl Fn(&RefundId) -> bool) -> i64 {
        let others = self.refunds.iter();
        let others = others.filter(|share| !is_one(&share.refund_id));
        let refunded = sum(others.map(RefundShare::taken));
        let taken = refunded.saturating_add(self.lost_by_disputes());
        taken.min(self.active().captured_amount())
    }

    /// What is left of what was captured beside what refunds take and disputes hold.
    fn captured_beside(&self, refunded: i64) -> i64 {
        let captured = self.active().captured_amount();
        let left = captured.saturating_sub(refunded);
        left.saturating_sub(self.held_by_disputes()).max(0)
    }
}

fn sum(amounts: impl Iterator<Item = i64>) -> i64 {
    amounts.fold(0, i64::saturating_add)
}
