//! The refund of what a transfer brought above its amount. It takes nothing from the captured amount. If the processor refunds
//! more than the excess, the refund is in review, and the rest counts like any refund.

use multirail_kernel::context::Context;
use multirail_kernel::ids::{ProcessorKey, RefundId};
use multirail_kernel::refusal::Refusal;
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::unread::UnreadMembers;

use crate::operations::operation::{Operation, Progress};
use crate::payments::payment::{Attempt, BroughtCredentials, Effect, Payment};
use crate::payments::refund::{Charge, Refund, RefundType, Step};

/// The reason of such a refund.
const EXCESS_REASON: &str = "The transfer brought more than the amount";

/// A part of an attempt's transfer above its amount, which a refund of its own returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// Number of the attempt.
    pub attempt: u32,
    /// In minor units.
    pub amount: i64,
    /// The key of the refund's operation.
    pub key: ProcessorKey,
    pub known_at: Timestamp,
}

impl Payment {
    /// Returns the effects that return the excess of transfers, each by the part that came since `before`.
    pub(crate) fn follow_excess(&self, before: &Payment, context: &Context) -> Vec<Effect> {
        let mut effects = Vec::new();
        for attempt in &self.attempts {
            let mut earlier = before.attempts.iter();
            let earlier = earlier.find(|one| one.number == attempt.number);
            let returned = earlier.and_then(|one| one.excess).unwrap_or(0);
            let amount = attempt.excess.unwrap_or(0).saturating_sub(returned);
            if amount > 0 {
                effects.push(Effect::ReturnExcess(Excess {
                    attempt: attempt.number,
                    amount,
                    key: context.fresh_key(),
                    known_at: context.now,
                }));
            }
        }
        effects
    }
}

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
