//! The refund of what a transfer brought above its amount. It takes nothing from the captured amount. If the processor refunds
//! more than the excess, the refund is in review, and the rest counts like any refund.

use multirail_kernel::ids::RefundId;
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::operations::operation::{Operation, Progress};
use crate::payments::payment::excess::Excess;
use crate::payments::payment::{Attempt, BroughtCredentials, Payment};
use crate::payments::refund::{Charge, Refund, RefundType, Step};

/// The reason of such a refund.
const EXCESS_REASON: &str = "The transfer brought more than the amount";

impl Refund {
    /// Creates the refund of an excess, which the worker sends. Returns `None` for an attempt that no processor knows.
    pub fn of_excess(payment: &Payment, refund_id: RefundId, excess: &Excess) -> Option<Step> {
        let mut attempts = payment.attempts.iter();
        let attempt = attempts.find(|attempt| attempt.number == excess.attempt)?;
        let operation = Operation::start(excess.key.clone(), excess.amount, excess.known_at);
        let refund = Refund {
            refund_type: RefundType::Scheduled,
            reason: Some(EXCESS_REASON.to_owned()),
            is_of_excess: true,
            ..Refund::new(payment, refund_id, charge(attempt)?, operation)
        };
        Some(refund.into_step(payment, Vec::new()))
    }

    /// Checks that an update doesn't replace the fixed reason of an excess.
    ///
    /// # Errors
    /// [`Refusal::Precondition`] for another reason.
    pub fn check_reason(&self, reason: Option<&str>) -> Result<(), Refusal> {
        let is_other = reason.is_some() && reason != self.reason.as_deref();
        if self.is_of_excess && is_other {
            return Err(Refusal::precondition(
                "reason can't be replaced: the refund returns the excess of a transfer",
            ));
        }
        Ok(())
    }

    /// Lets the worker send a refund of an excess again that never reached the processor, under the same key. No merchant can
    /// create another one.
    pub(crate) fn send_excess_again(&mut self, now: Timestamp) {
        let is_lost = self.operation.progress == Progress::NeverHappened;
        // The credentials of the request are gone.
        if self.is_of_excess && is_lost && self.charge.brought.is_none() {
            self.operation.start_again(now);
            self.sent_at = None;
        }
    }
}

/// Returns the account of the attempt. Credentials of its request are no longer stored, so a refund with them fails, and the
/// merchant learns of it.
fn charge(attempt: &Attempt) -> Option<Charge> {
    let brought = attempt.brought.as_ref();
    let brought = brought.map(|brought| BroughtCredentials {
        identifier: brought.identifier.clone(),
        are_held: false,
        unread: UnreadMembers::default(),
    });
    Charge::new(attempt, brought)
}
