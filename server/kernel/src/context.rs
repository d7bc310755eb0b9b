//! Time and chance, handed in with every decision.

use crate::ids::{MandateId, ProcessorKey};
use crate::timestamp::Timestamp;

/// What a decision may know beside the object and the request.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub now: Timestamp,
    /// For what the step asks of a processor: one key for each operation that it begins.
    pub keys: &'a dyn FreshKeys,
    /// Calls that were started up to this moment are over, answered or not. What was started later may still be under
    /// way: its own answer will tell.
    pub calls_over_until: Timestamp,
}

impl Context<'_> {
    /// A key that no other operation has.
    pub fn fresh_key(&self) -> ProcessorKey {
        self.keys.next()
    }

    /// An id that no other mandate has.
    pub fn fresh_mandate_id(&self) -> MandateId {
        MandateId::of_fresh_key(&self.fresh_key())
    }
}

/// A source of random keys.
pub trait FreshKeys: Send + Sync {
    /// A different one each time.
    fn next(&self) -> ProcessorKey;
}
