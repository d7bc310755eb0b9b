//! Payments with something open at their processor, and which server asks about them next.

use std::collections::HashMap;

use async_trait::async_trait;
use multirail_domain::ids::{MerchantId, PaymentId};
use multirail_domain::payment::Payment;
use multirail_domain::timestamp::Timestamp;

use super::failure::StoreFailure;

/// A payment that one server has taken up to ask the processor about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedSync {
    pub merchant_id: MerchantId,
    pub payment_id: PaymentId,
    /// Of the active attempt.
    pub connector: String,
    /// Counts the claims of the payment: who holds an older one has lost it.
    pub fence: i64,
    /// Business time to which the claim put off the next question, for the case that nobody ends it.
    pub put_off_to: Timestamp,
}

/// How many more payments one server asks about at the same time.
#[derive(Clone, Debug, Default)]
pub struct SyncRoom {
    /// Of all connectors.
    pub free: usize,
    /// Of one connector, those that are under way included.
    pub of_one_connector: usize,
    pub under_way: HashMap<String, usize>,
}

impl SyncRoom {
    /// Whether one more of this connector may be asked about.
    pub fn has_room(&self, connector: &str) -> bool {
        let under_way = self.under_way.get(connector);
        self.free > 0 && under_way.is_none_or(|count| *count < self.of_one_connector)
    }

    /// One more of this connector is asked about.
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

/// How many payments have something open at the processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenOutcomes {
    /// Nobody but the processor knows.
    pub with_processor: i64,
    /// It waits for a payer who is still to act.
    pub with_payer: i64,
}

#[async_trait]
pub trait SyncStore: Send + Sync {
    /// Claims payments with something open whose next question is due `now`, the longest due first, as far as there is
    /// room. A claim is a lease of so many seconds of `wall` time, during which no other server claims the payment. The next
    /// question is put off by as many seconds of business time: then the next claim follows one whose server died.
    async fn claim_syncs(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: SyncRoom,
    ) -> Result<Vec<ClaimedSync>, StoreFailure>;

    /// Gives a claim back and says when the payment is asked about next, if ever: in business time, and only where its
    /// date wasn't set by a change of the payment meanwhile. Does nothing where another server claimed it since.
    async fn end_sync(
        &self,
        claimed: &ClaimedSync,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure>;

    /// How many payments [`SyncStore::payments_waiting`] has.
    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure>;

    /// Payments with something open at the processor and when they are asked about next, the next one first.
    async fn payments_waiting(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<(Payment, Timestamp)>, StoreFailure>;
}
