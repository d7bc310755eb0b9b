//! The excess of a transfer above its amount, which a refund of its own returns.

use multirail_kernel::context::Context;
use multirail_kernel::ids::ProcessorKey;
use multirail_kernel::timestamp::Timestamp;

use super::{Effect, Payment};

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
    pub(super) fn follow_excess(&self, before: &Payment, context: &Context) -> Vec<Effect> {
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
