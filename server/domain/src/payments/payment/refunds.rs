//! Refunded amounts of a payment, and the limits of further refunds. (Specification 2.10)

use multirail_kernel::ids::RefundId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::statuses::RefundStatus;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;
use multirail_sdk::payment_method::PaymentMethod;
use serde::{Deserialize, Serialize};

use crate::payments::payment::{Payment, PaymentStatus};

/// One refund, as far as its payment counts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundShare {
    pub refund_id: RefundId,
    pub status: RefundStatus,
    /// The amount that it refunds, in minor units of the payment's currency; also for a failed refund.
    pub amount: i64,
    /// True if the processor may still carry it out: it is pending, or in review without a final answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    /// True if it returns what a transfer brought above its amount, so that it takes nothing from the captured amount.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_excess: bool,
    /// The part that the processor refunded above such an excess. It came from the captured amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above_excess: Option<i64>,
    #[serde(flatten)]
    pub unread: UnreadMembers,
}

impl RefundShare {
    /// Returns the amount that it takes from the captured amount: 0 once it has failed. The refund of an excess takes only the
    /// part above it.
    fn taken(&self) -> i64 {
        let amount = match self.is_of_excess {
            true => self.above_excess.unwrap_or(0),
            false => self.amount,
        };
        match self.status {
            RefundStatus::Pending | RefundStatus::Succeeded | RefundStatus::Review => amount,
            RefundStatus::Failed => 0,
        }
    }

    /// Returns whether both describe the same state of the same refund.
    pub(crate) fn says(&self, other: &RefundShare) -> bool {
        self.refund_id == other.refund_id
            && self.status == other.status
            && self.amount == other.amount
            && self.is_open == other.is_open
            && self.is_of_excess == other.is_of_excess
            && self.above_excess == other.above_excess
    }
}

/// All amounts are in minor units of the payment's currency, and none is negative.
impl Payment {
    /// Returns `state_metadata.total_refunded_amount`: the sum of the refunds of captured money that succeeded.
    pub fn refunded_amount(&self) -> i64 {
        let succeeded = self.refunds.iter();
        let succeeded = succeeded.filter(|share| share.status == RefundStatus::Succeeded);
        sum(succeeded.map(RefundShare::taken))
    }

    /// Returns the amount that refunds have returned or may still return. It exceeds the captured amount only in two cases. A
    /// processor carried out a failed refund or too large a one, which is then in review. Or it reversed a capture, and the
    /// payment is then in conflict.
    pub fn refunds_amount(&self) -> i64 {
        sum(self.refunds.iter().map(RefundShare::taken))
    }

    /// Returns the largest amount of a further refund: the captured amount without refunds and disputes.
    pub fn refundable_amount(&self) -> i64 {
        self.refundable_after(self.refunds_amount())
    }

    /// Returns the largest amount of this refund, given all other refunds.
    pub(crate) fn refundable_given_others(&self, refund_id: &RefundId) -> i64 {
        let others = self.refunds.iter();
        let others = others.filter(|share| share.refund_id != *refund_id);
        self.refundable_after(sum(others.map(RefundShare::taken)))
    }

    /// Returns the limit of [`Payment::refunds_amount`]: the captured amount. If a refund is in review or a capture was
    /// reversed, the limit is at least the refunds' sum.
    pub fn refunds_limit(&self) -> i64 {
        let is_reviewed = |share: &RefundShare| share.status == RefundStatus::Review;
        let captured = self.active().captured_amount();
        if self.refunds.iter().any(is_reviewed) || self.status == PaymentStatus::Conflicted {
            captured.max(self.refunds_amount())
        } else {
            captured
        }
    }

    /// Refuses an action that returns money of a voucher.
    ///
    /// # Errors
    /// [`Refusal::FlowNotSupported`]
    pub(crate) fn check_money_goes_back(&self, action: &str) -> Result<(), Refusal> {
        let method = self.instrument().map(|one| one.payment_method);
        if method != Some(PaymentMethod::Voucher) {
            return Ok(());
        }
        Err(Refusal::FlowNotSupported {
            flow: format!("{action} of a voucher, which its payer paid in cash,"),
        })
    }

    /// Returns whether a processor may still carry out a refund.
    pub fn has_open_refund(&self) -> bool {
        self.refunds.iter().any(|share| share.is_open)
    }

    /// Returns whether a refund has returned captured money, or the processor may still carry one out.
    pub(crate) fn has_refund_of_captured(&self) -> bool {
        let mut refunds = self.refunds.iter();
        refunds.any(|share| share.taken() > 0 || (share.is_open && !share.is_of_excess))
    }

    /// Records the present state of a refund; returns false if it was known.
    pub(crate) fn count_refund(&mut self, share: RefundShare, now: Timestamp) -> bool {
        let mut refunds = self.refunds.iter_mut();
        match refunds.find(|counted| counted.refund_id == share.refund_id) {
            Some(counted) if counted.says(&share) => return false,
            Some(counted) => {
                counted.status = share.status;
                counted.amount = share.amount;
                counted.is_open = share.is_open;
                counted.above_excess = share.above_excess;
            }
            None => self.refunds.push(share),
        }
        self.modified_at = now;
        true
    }

    /// Returns the amount that the payer has, or may have, from lost disputes and from refunds that `is_one` doesn't select.
    pub fn returned_except(&self, is_one: impl Fn(&RefundId) -> bool) -> i64 {
        let others = self.refunds.iter();
        let others = others.filter(|share| !is_one(&share.refund_id));
        let refunded = sum(others.map(RefundShare::taken));
        let taken = refunded.saturating_add(self.lost_by_disputes());
        taken.min(self.active().captured_amount())
    }

    /// Returns the captured amount without `refunded` and without disputes.
    fn refundable_after(&self, refunded: i64) -> i64 {
        let captured = self.active().captured_amount();
        let left = captured.saturating_sub(refunded);
        left.saturating_sub(self.held_by_disputes()).max(0)
    }
}

fn sum(amounts: impl Iterator<Item = i64>) -> i64 {
    amounts.fold(0, i64::saturating_add)
}
