//! Facts about refunds from processors. A fact may be late, repeated or out of order, and applying it twice changes nothing.

use multirail_kernel::announcement::{AnnouncedStatus, Announcement};
use multirail_kernel::context::Context;
use multirail_sdk::connector::{CONFLICT_CODE, Decline, Fact};

use crate::operations::operation::{Applied, Progress};
use crate::payments::payment::Payment;
use crate::payments::refund::{Effect, Refund, RefundStatus, Step};

/// A processor's answer that contradicts the request. The operator has to examine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conflict {
    /// The processor refunded another amount or currency.
    OtherAmount,
    /// The refund had failed, its amount was then refunded otherwise or disputed, and now the processor may carry it out.
    MayRefundTwice,
    /// The refund had failed, its amount was then refunded otherwise or disputed, and now the processor has carried it out.
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
            Applied::Nothing
        };
        match told {
            Applied::Nothing => return step,
            Applied::Filled => {
                refund.modified_at = context.now;
                return step;
            }
            Applied::News => refund.modified_at = context.now,
        }
        refund.send_excess_again(context.now);
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

    /// Returns the status that follows from its operation. `payment` still counts the refund's former state.
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

    /// Returns the event name. A reversal has another name, because the refund may have failed once before.
    fn news_is_about(&self) -> String {
        if self.operation.is_taken_back() {
            format!("{}_taken_back", self.refund_id)
        } else {
            self.refund_id.to_string()
        }
    }

    /// Returns whether the refund's amount is still available. A failed refund gives its amount up, so other refunds may have
    /// used it.
    fn still_fits(&self, payment: &Payment) -> bool {
        // No other refund uses an excess.
        if self.is_of_excess {
            return true;
        }
        match self.status {
            RefundStatus::Pending | RefundStatus::Succeeded => true,
            RefundStatus::Failed | RefundStatus::Review => {
                self.operation.amount <= payment.refundable_given_others(&self.refund_id)
            }
        }
    }
}

impl Conflict {
    /// Returns the conflict in the form of a refusal.
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
