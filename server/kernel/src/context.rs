//! Time and random keys, which the caller passes to every decision.

use crate::ids::{MandateId, ProcessorKey};
use crate::timestamp::Timestamp;

/// The inputs of a decision other than the object and the request.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub now: Timestamp,
    /// The source of processor keys, one for each operation that the decision begins.
    pub keys: &'a dyn FreshKeys,
    /// Calls that started up to this moment have ended, answered or not. A call that started later may still be under
    /// way and reports its own answer.
    pub calls_over_until: Timestamp,
}

impl Context<'_> {
    /// Returns a key that no other operation has.
    pub fn fresh_key(&self) -> ProcessorKey {
        self.keys.next()
    }

    /// Returns an id that no other mandate has.
    pub fn fresh_mandate_id(&self) -> MandateId {
        MandateId::of_fresh_key(&self.fresh_key())
    }
}

/// A source of random keys.
pub trait FreshKeys: Send + Sync {
    /// Returns a different key each time.
    fn next(&self) -> ProcessorKey;
}
