//! Applying what a processor told us of a refund. It may be late, repeated or out of order, and applying it twice changes
//! nothing.

use multirail_kernel::announcement::{AnnouncedStatus, Announcement};
use multirail_kernel::context::Context;
use multirail_sdk::connector::{CONFLICT_CODE, Decline, Fact};

use crate::operations::operation::{Progress, Told};
use crate::payments::payment::Payment;
use crate::payments::refund::{Effect, Refund, RefundStatus, Step};

/// What a processor told that can't be reconciled with what was asked of it. Somebody has to look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conflict {
    /// Given back is another amount or currency than was asked for.
    OtherAmount,
    /// It had counted as failed, its amount was refunded otherwise or disputed meanwhile, and now it may be carried out.
    MayRefundTwice,
    /// So it was.
    RefundedTwice,
}

impl Refund {
    pub(crate) fn apply(&self, payment: &Payment, fact: Fact, context: &Context) -> Step {
        let mut step = Step {
            payment: payment.clone(),
            refund: self.clone(),
            effects: Vec::new(),
        };
        let refund = &mut step.refund;
        let told = if refund.operation.key == fact.about {
            refund.operation.apply(&fact.outcome, refund.currency)
        } else {
            Told::Nothing
        };
        match told {
            Told::Nothing => return step,
            Told::Missing => {
                refund.modified_at = context.now;
                return step;
            }
            Told::News => refund.modified_at = context.now,
        }
        let settled = refund.settled(payment);
        refund.status = *settled.as_ref().unwrap_or(&RefundStatus::Review);
        refund.conflict = settled.err().map(Conflict::to_decline);
        step.payment.count_refund(refund.share(), context.now);
        if refund.status != self.status
            && let Some(event_type) = refund.status.event()
        {
            step.effects.push(Effect::Announce(Announcement {
                event_type,
                status: AnnouncedStatus::Refund(refund.status),
                about: refund.news_is_about(),
            }));
        }
        step.effects.extend(refund.delete_credentials(context.now));
        step
    }

    /// The status that its operation leads to. `payment` counts it as it stood before.
    fn settled(&self, payment: &Payment) -> Result<RefundStatus, Conflict> {
        match self.operation.progress {
            Progress::Started
            | Progress::AwaitingCustomer
            | Progress::Pending
            | Progress::Unknown => {
                if self.still_fits(payment) {
                    Ok(RefundStatus::Pending)
                } else {
                    Err(Conflict::MayRefundTwice)
                }
            }
            Progress::Declined | Progress::NeverHappened => Ok(RefundStatus::Failed),
            Progress::Done if self.operation.amount_done() != self.operation.amount => {
                Err(Conflict::OtherAmount)
            }
            Progress::Done if !self.still_fits(payment) => Err(Conflict::RefundedTwice),
            Progress::Done => Ok(RefundStatus::Succeeded),
        }
    }

    /// That it was taken back is news of its own, also where it had failed once before.
    fn news_is_about(&self) -> String {
        if self.operation.is_taken_back() {
            format!("{}_taken_back", self.refund_id)
        } else {
            self.refund_id.to_string()
        }
    }

    /// Its amount was taken from the payment when it was made; once it had failed, others could take that.
    fn still_fits(&self, payment: &Payment) -> bool {
        match self.status {
            RefundStatus::Pending | RefundStatus::Succeeded => true,
            RefundStatus::Failed | RefundStatus::Review => {
                self.operation.amount <= payment.refundable_beside_others(&self.refund_id)
            }
        }
    }
}

impl Conflict {
    /// The conflict as it is shown where a refusal would stand.
    fn to_decline(self) -> Decline {
        let message = match self {
            Conflict::OtherAmount => {
                "the processor confirmed another amount or currency than was asked for"
            }
            Conflict::MayRefundTwice => {
                "a refund that had failed may be carried out after all, and its amount was refunded otherwise or disputed"
            }
            Conflict::RefundedTwice => {
                "the processor carried out a refund that had failed, after its amount was refunded otherwise or disputed"
            }
        };
        Decline::of_ours(CONFLICT_CODE, message)
    }
}
