//! Operations at a processor without a final answer, and the claims of servers that ask about them.

use std::collections::HashMap;

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::timestamp::Timestamp;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::object_class::ObjectClass;

/// The object that an operation belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenObject {
    pub class: ObjectClass,
    pub id: String,
}

impl OpenObject {
    pub fn new(class: ObjectClass, id: impl Into<String>) -> Self {
        OpenObject {
            class,
            id: id.into(),
        }
    }
}

/// An operation that one server has claimed to ask the processor about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedOperation {
    pub processor_key: ProcessorKey,
    pub merchant_id: MerchantId,
    pub object: OpenObject,
    pub connector: String,
    /// The number of claims of the operation. The holder of an older claim has lost it.
    pub fence: i64,
    /// The business time to which the claim postponed the next question; it holds where no one ends the claim.
    pub put_off_to: Timestamp,
}

/// An operation without a final answer, for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedOperation {
    pub processor_key: ProcessorKey,
    pub merchant_id: MerchantId,
    pub object: OpenObject,
    pub next_question_at: Timestamp,
}

/// The number of further operations that one server may ask about at the same time.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// The bound over all connectors.
    pub free: usize,
    /// The bound for one connector, including operations under way.
    pub of_one_connector: usize,
    pub under_way: HashMap<String, usize>,
}

impl Room {
    /// Returns whether the server may ask about one more operation of this connector.
    pub fn has_room(&self, connector: &str) -> bool {
        let under_way = self.under_way.get(connector);
        self.free > 0 && under_way.is_none_or(|count| *count < self.of_one_connector)
    }

    /// Counts one more operation of this connector.
    pub fn take(&mut self, connector: &str) {
        self.free = self.free.saturating_sub(1);
        *self.under_way.entry(connector.to_owned()).or_default() += 1;
    }

    /// Returns the connectors whose bound is reached.
    pub fn full(&self) -> impl Iterator<Item = &str> {
        let full = |count: &usize| *count >= self.of_one_connector;
        self.under_way
            .iter()
            .filter(move |(_, count)| full(count))
            .map(|(connector, _)| connector.as_str())
    }
}

/// The number of operations without a final answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOutcomes {
    /// Only the processor knows the outcome.
    pub with_processor: i64,
    /// The operation waits for a payer to act.
    pub with_payer: i64,
}

#[async_trait]
pub trait OpenOperationStore: Send + Sync {
    /// Returns the classes of objects whose operations are claimed and listed.
    fn classes(&self) -> &'static [ObjectClass];

    /// Claims operations whose next question is due at `now`, longest due first, as far as `room` allows. A claim is a
    /// lease of `seconds` of `wall` time. No other server claims the operation meanwhile, and a call may take
    /// that long. The next question is postponed by the same number of seconds of business time: the next claim then
    /// follows where the server died.
    async fn claim_operations(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: Room,
    ) -> Result<Vec<ClaimedOperation>, StoreFailure>;

    /// Ends a claim and stores the time of the next question, in business time. Keeps the date where a change of the
    /// object set it meanwhile. Does nothing where another server claimed the operation since.
    async fn end_claim(
        &self,
        claimed: &ClaimedOperation,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure>;

    /// Counts the operations that [`OpenOperationStore::unresolved_operations`] lists.
    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure>;

    /// Returns operations without a final answer, with the time of the next question, soonest first. Leaves out those
    /// whose call may still be under way.
    async fn unresolved_operations(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<UnresolvedOperation>, StoreFailure>;
}
