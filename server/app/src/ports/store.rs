//! The store: plain reads, and one way to write. See ARCHITECTURE.md, "A write".

use std::collections::HashMap;

use async_trait::async_trait;
use multirail_domain::api_key::ApiKey;
use multirail_domain::card::Card;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::idempotency::Fingerprint;
use multirail_domain::ids::{
    ApiKeyId, ConnectorAccountId, MerchantId, OrganizationId, PaymentId, ProfileId,
};
use multirail_domain::merchant::MerchantAccount;
use multirail_domain::organization::Organization;
use multirail_domain::payment::Payment;
use multirail_domain::profile::Profile;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;

use super::change_set::ChangeSet;
use super::failure::{CommitError, StoreFailure};
use super::payment_search::PaymentSearch;

/// What is stored under an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyRecord {
    pub fingerprint: Fingerprint,
    pub object_id: String,
    /// The answer, once there is one.
    pub answer: Option<SecretText>,
    pub lease_until: Timestamp,
}

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

/// Reads and the one write. Every look-up names its merchant.
#[async_trait]
pub trait Store: Send + Sync {
    /// Stores the change-set durably, or nothing of it.
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError>;

    async fn payment(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure>;

    /// One page, newest first unless the search says otherwise.
    async fn search_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
    ) -> Result<Vec<Payment>, StoreFailure>;

    /// How many payments fit the search, on all pages; `most` where it is as many or more. Counting ends there.
    async fn count_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
        most: i64,
    ) -> Result<i64, StoreFailure>;

    /// Claims payments with something open whose next question is due `now`, the longest due first, as far as there is
    /// room. Each stays away from every other server for so many seconds of `wall` time, and its next question is put off
    /// by as many of business time; who dies with it leaves it to the next one then.
    async fn claim_syncs(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: SyncRoom,
    ) -> Result<Vec<ClaimedSync>, StoreFailure>;

    /// Gives a claim back and says when the payment is asked about next, if ever: in business time, and only where its
    /// date wasn't set by a change of the payment meanwhile. Does nothing where somebody else claimed it since.
    async fn end_sync(
        &self,
        claimed: &ClaimedSync,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure>;

    /// How many payments [`Store::payments_waiting`] has.
    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure>;

    /// Payments with something open at the processor and when they are asked about next, the next one first.
    async fn payments_waiting(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<(Payment, Timestamp)>, StoreFailure>;

    /// Payments of the merchant for which money may be reserved, or of which something is open at the processor, by id from
    /// behind `after` on.
    async fn payments_held_or_open(
        &self,
        merchant_id: &MerchantId,
        after: Option<&PaymentId>,
        limit: i64,
    ) -> Result<Vec<Payment>, StoreFailure>;

    /// The card held for a payment, without its code.
    async fn held_card(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        now: Timestamp,
    ) -> Result<Option<Card>, StoreFailure>;

    /// The credentials that were brought for an attempt and are still kept.
    async fn held_credentials(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        attempt: u32,
        now: Timestamp,
    ) -> Result<Option<SecretText>, StoreFailure>;

    /// Payments of which something waits for a confirm whose time is over, the longest first. One may come twice.
    async fn lapsed(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure>;

    /// What is stored under an idempotency key of the merchant and the operation.
    async fn idempotency_record(
        &self,
        merchant_id: &MerchantId,
        operation: &str,
        key: &str,
    ) -> Result<Option<KeyRecord>, StoreFailure>;

    /// Deletes idempotency keys made before a time, the oldest first; answers how many.
    async fn forget_old_keys(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;

    /// Deletes what was remembered of commits before a time, the oldest first; answers how many.
    async fn forget_change_sets(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure>;

    async fn organization(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreFailure>;

    async fn merchant(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Option<MerchantAccount>, StoreFailure>;

    async fn merchant_by_publishable_key(
        &self,
        publishable_key: &str,
    ) -> Result<Option<MerchantAccount>, StoreFailure>;

    async fn profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Profile>, StoreFailure>;

    /// Oldest first.
    async fn profiles(&self, merchant_id: &MerchantId) -> Result<Vec<Profile>, StoreFailure>;

    /// The key of this hash, if its merchant account is not deleted.
    async fn api_key_by_hash(&self, hash: &str) -> Result<Option<ApiKey>, StoreFailure>;

    async fn api_key(
        &self,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
    ) -> Result<Option<ApiKey>, StoreFailure>;

    /// Oldest first.
    async fn api_keys(
        &self,
        merchant_id: &MerchantId,
        limit: i64,
        skip: i64,
    ) -> Result<Vec<ApiKey>, StoreFailure>;

    async fn connector_account(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<ConnectorAccount>, StoreFailure>;

    /// The account, also after it was deleted: what was begun at the processor is finished with its credentials.
    async fn connector_account_ever(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<ConnectorAccount>, StoreFailure>;

    /// All accounts of the merchant, or of one profile; oldest first, disabled ones included.
    async fn connector_accounts(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<Vec<ConnectorAccount>, StoreFailure>;

    /// Looks whether another server changed keys or accounts, so that what is kept in memory is read anew.
    async fn notice_changes(&self) -> Result<(), StoreFailure>;

    /// How far the business clock was moved, in seconds.
    async fn clock_offset(&self) -> Result<i64, StoreFailure>;

    /// Whether something could be stored now.
    async fn check_writes(&self) -> Result<(), StoreFailure>;

    /// Names of migrations that are not applied; empty when the store is ready.
    async fn pending_migrations(&self) -> Result<Vec<String>, StoreFailure>;
}
