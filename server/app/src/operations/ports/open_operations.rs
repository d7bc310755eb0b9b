//! Operations at a processor that have no final answer, and which server asks about them next.

use std::collections::HashMap;

use async_trait::async_trait;
use multirail_kernel::ids::{MerchantId, ProcessorKey};
use multirail_kernel::timestamp::Timestamp;

use crate::platform::ports::failure::StoreFailure;
use crate::platform::ports::replay::ObjectClass;

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

/// An operation that one server has taken up to ask the processor about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedOperation {
    pub processor_key: ProcessorKey,
    pub merchant_id: MerchantId,
    pub object: OpenObject,
    pub connector: String,
    /// Counts the claims of the operation: the holder of an older one has lost it.
    pub fence: i64,
    /// Business time to which the claim put off the next question; it holds where the claim is never ended.
    pub put_off_to: Timestamp,
}

/// An operation that operators are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnresolvedOperation {
    pub processor_key: ProcessorKey,
    pub merchant_id: MerchantId,
    pub object: OpenObject,
    pub next_question_at: Timestamp,
}

/// How many more operations one server asks about at the same time.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// Of all connectors.
    pub free: usize,
    /// Of one connector, those that are under way included.
    pub of_one_connector: usize,
    pub under_way: HashMap<String, usize>,
}

impl Room {
    /// Whether one more of this connector may be asked about.
    pub fn has_room(&self, connector: &str) -> bool {
        let under_way = self.under_way.get(connector);
        self.free > 0 && under_way.is_none_or(|count| *count < self.of_one_connector)
    }

    /// Counts one more of this connector.
    pub fn take(&mut self, connector: &str) {
        self.free = self.free.saturating_sub(1);
        *self.under_way.entry(connector.to_owned()).or_default() += 1;
    }

    /// Connectors of which no more may be asked about.
    pub fn full(&self) -> impl Iterator<Item = &str> {
        let full = |count: &usize| *count >= self.of_one_connector;
        self.under_way
            .iter()
            .filter(move |(_, count)| full(count))
            .map(|(connector, _)| connector.as_str())
    }
}

/// How many operations have no final answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOutcomes {
    /// Only the processor knows.
    pub with_processor: i64,
    /// It waits for a payer who is still to act.
    pub with_payer: i64,
}

#[async_trait]
pub trait OpenOperationStore: Send + Sync {
    /// The classes of objects whose operations are claimed and listed.
    fn classes(&self) -> &'static [ObjectClass];

    /// Claims operations whose next question is due `now`, the longest due first, as far as there is room. A claim is a lease
    /// of so many seconds of `wall` time, during which no other server claims the operation; a call may be under way for as
    /// long. The next question is put off by as many seconds of business time: then the next claim follows one whose server
    /// died.
    async fn claim_operations(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: Room,
    ) -> Result<Vec<ClaimedOperation>, StoreFailure>;

    /// Gives a claim back and says when the operation is asked about next, if ever: in business time, and only where its
    /// date wasn't set by a change of its object meanwhile. Does nothing where another server claimed it since.
    async fn end_claim(
        &self,
        claimed: &ClaimedOperation,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure>;

    /// How many operations [`OpenOperationStore::unresolved_operations`] has.
    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure>;

    /// Operations without a final answer and when they are asked about next, the next one first. One whose call may still
    /// be under way is not among them.
    async fn unresolved_operations(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<UnresolvedOperation>, StoreFailure>;
}
