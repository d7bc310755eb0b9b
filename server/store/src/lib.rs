//! The store: domain values to statements and back, over one engine-independent database layer. Every SQL text stands
//! here once and runs on SQLite and PostgreSQL alike.

mod accounts;
mod cached;
mod change_sets;
mod conditions;
mod constraints;
mod deliveries;
mod delivery_leases;
mod endpoints;
pub mod engine;
mod event_store;
mod events;
mod held_cards;
mod held_credentials;
mod idempotency;
pub mod keys;
mod lapsed;
mod looks;
mod lower;
mod lower_accounts;
mod lower_payment;
mod payments;
mod record;
mod search;
mod settings;
mod syncs;
#[cfg(test)]
mod tests;
mod unfinished;
mod waiting;

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::ports::payment_search::PaymentSearch;
use multirail_app::ports::store::{ClaimedSync, KeyRecord, OpenOutcomes, SyncRoom};
use multirail_app::ports::{ChangeSet, CommitError, Seal, Standstill, Store, StoreFailure};
use multirail_domain::api_key::ApiKey;
use multirail_domain::card::Card;
use multirail_domain::connector_account::ConnectorAccount;
use multirail_domain::ids::{
    ApiKeyId, ConnectorAccountId, MerchantId, OrganizationId, PaymentId, ProfileId,
};
use multirail_domain::merchant::MerchantAccount;
use multirail_domain::organization::Organization;
use multirail_domain::payment::Payment;
use multirail_domain::profile::Profile;
use multirail_domain::secret::SecretText;
use multirail_domain::timestamp::Timestamp;

use self::accounts::EverConnected;
use self::cached::Cache;
use self::engine::{Dialect, Engine, Miss, Read, StoreError, WriteError, values};
use self::record::failure;

const FIND_CHANGE_SET: &str = "select change_set_id from change_sets where change_set_id = $1";

/// The [`Store`] over an [`Engine`]. Cards, credentials and other secrets are sealed on the way in.
pub struct SqlStore {
    engine: Engine,
    seal: Arc<dyn Seal>,
    in_flight_seconds: i64,
    cache: Cache,
}

impl SqlStore {
    /// Puts the store over an open, migrated database.
    ///
    /// `in_flight_seconds`: how long a call to a processor may be under way, so that nobody asks about it earlier.
    pub fn new(engine: Engine, seal: Arc<dyn Seal>, in_flight_seconds: i64) -> Self {
        SqlStore {
            cache: Cache::new(engine.clone()),
            engine,
            seal,
            in_flight_seconds,
        }
    }

    /// After a start on a database that no other process can use: the calls and requests of an earlier run are over, so
    /// that nobody has to wait for them. Payments with such a call are asked about now, idempotency keys without an answer
    /// are free to be answered from what is stored, and webhooks that were on their way are sent again.
    ///
    /// # Errors
    /// [`StoreFailure`] when the database can't be written.
    pub async fn take_over(&self, now: Timestamp) -> Result<(), StoreFailure> {
        let latest = now.plus_seconds(self.in_flight_seconds).unwrap_or(now);
        let writes = vec![
            syncs::ask_now(now, latest),
            syncs::end_leases(),
            idempotency::end_leases(),
            delivery_leases::end_leases(),
        ];
        record::write_any(&self.engine, writes).await.map(drop)
    }

    async fn ever_connected(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<EverConnected>, StoreFailure> {
        let seal = self.seal.as_ref();
        let read =
            accounts::connector_account(&self.engine, seal, merchant_id, merchant_connector_id);
        let key = (merchant_id.clone(), merchant_connector_id.clone());
        let kept = &self.cache.single_connector_accounts;
        self.cache.get(kept, key, read).await
    }

    /// Whether a change-set whose answer was lost took place.
    async fn took_place(&self, change_set_id: &str) -> Result<bool, StoreFailure> {
        let read = Read::new(FIND_CHANGE_SET, values![change_set_id]);
        let found = self.engine.fetch_optional(read).await.map_err(failure)?;
        Ok(found.is_some())
    }

    /// Remembers a setting unless it is set already; answers what is stored.
    ///
    /// # Errors
    /// [`StoreFailure`] when the database can't be read or written.
    pub async fn remember(
        engine: &Engine,
        name: &str,
        value: &str,
    ) -> Result<String, StoreFailure> {
        settings::remember(engine, name, value).await
    }
}

#[async_trait]
impl Store for SqlStore {
    async fn commit(&self, change_set: ChangeSet) -> Result<(), CommitError> {
        let mut writes = self.lower(&change_set)?;
        let concerns_accounts = change_set.changes.iter().any(cached::concerns);
        if concerns_accounts {
            writes.push(cached::count_up());
        }
        let written = self.engine.write(writes).await;
        if concerns_accounts {
            self.cache.forget();
        }
        match written {
            Ok(_) => Ok(()),
            Err(WriteError::Miss(Miss::Conflict)) => Err(CommitError::Conflict),
            Err(WriteError::Miss(Miss::Duplicate(what))) => Err(CommitError::Duplicate(what)),
            Err(WriteError::Store(StoreError::OutcomeUnknown(why))) => {
                // A file that this process has open doesn't tell: it is looked at anew by the next start.
                if self.engine.dialect() == Dialect::Sqlite {
                    return Err(StoreFailure::Standstill(Standstill::Unsure, why).into());
                }
                if self.took_place(change_set.id.as_str()).await? {
                    Ok(())
                } else {
                    Err(StoreFailure::Unavailable(why).into())
                }
            }
            Err(WriteError::Store(error)) => Err(constraints::commit_error(error)),
        }
    }

    async fn payment(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
    ) -> Result<Option<Payment>, StoreFailure> {
        payments::payment(&self.engine, merchant_id, payment_id).await
    }

    async fn search_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
    ) -> Result<Vec<Payment>, StoreFailure> {
        search::search_payments(&self.engine, merchant_id, search).await
    }

    async fn count_payments(
        &self,
        merchant_id: &MerchantId,
        search: &PaymentSearch,
        most: i64,
    ) -> Result<i64, StoreFailure> {
        search::count_payments(&self.engine, merchant_id, search, most).await
    }

    async fn claim_syncs(
        &self,
        now: Timestamp,
        wall: Timestamp,
        seconds: i64,
        room: SyncRoom,
    ) -> Result<Vec<ClaimedSync>, StoreFailure> {
        let terms = syncs::ClaimTerms { now, wall, seconds };
        syncs::claim(&self.engine, &terms, room).await
    }

    async fn end_sync(
        &self,
        claimed: &ClaimedSync,
        next: Option<Timestamp>,
    ) -> Result<(), StoreFailure> {
        syncs::end(&self.engine, claimed, next).await
    }

    async fn open_outcomes(&self) -> Result<OpenOutcomes, StoreFailure> {
        payments::open_outcomes(&self.engine).await
    }

    async fn payments_waiting(
        &self,
        limit: i64,
        offset: i64,
    ) -> Result<Vec<(Payment, Timestamp)>, StoreFailure> {
        payments::payments_waiting(&self.engine, limit, offset).await
    }

    async fn payments_held_or_open(
        &self,
        merchant_id: &MerchantId,
        after: Option<&PaymentId>,
        limit: i64,
    ) -> Result<Vec<Payment>, StoreFailure> {
        unfinished::payments(&self.engine, merchant_id, after, limit).await
    }

    async fn held_card(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        now: Timestamp,
    ) -> Result<Option<Card>, StoreFailure> {
        let seal = self.seal.as_ref();
        held_cards::card(&self.engine, seal, merchant_id, payment_id, now).await
    }

    async fn held_credentials(
        &self,
        merchant_id: &MerchantId,
        payment_id: &PaymentId,
        attempt: u32,
        now: Timestamp,
    ) -> Result<Option<SecretText>, StoreFailure> {
        let place = held_credentials::Place {
            merchant_id,
            payment_id,
            attempt,
        };
        held_credentials::credentials(&self.engine, self.seal.as_ref(), &place, now).await
    }

    async fn lapsed(
        &self,
        now: Timestamp,
        at_most: i64,
    ) -> Result<Vec<(MerchantId, PaymentId)>, StoreFailure> {
        lapsed::of_payments(&self.engine, now, at_most).await
    }

    async fn idempotency_record(
        &self,
        merchant_id: &MerchantId,
        operation: &str,
        key: &str,
    ) -> Result<Option<KeyRecord>, StoreFailure> {
        idempotency::record(
            &self.engine,
            self.seal.as_ref(),
            merchant_id,
            operation,
            key,
        )
        .await
    }

    async fn forget_old_keys(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        idempotency::forget(&self.engine, made_before, at_most).await
    }

    async fn forget_change_sets(
        &self,
        made_before: Timestamp,
        at_most: i64,
    ) -> Result<u64, StoreFailure> {
        change_sets::forget(&self.engine, made_before, at_most).await
    }

    async fn organization(
        &self,
        organization_id: &OrganizationId,
    ) -> Result<Option<Organization>, StoreFailure> {
        accounts::organization(&self.engine, organization_id).await
    }

    async fn merchant(
        &self,
        merchant_id: &MerchantId,
    ) -> Result<Option<MerchantAccount>, StoreFailure> {
        let read = accounts::merchant(&self.engine, self.seal.as_ref(), merchant_id);
        let kept = &self.cache.merchants;
        self.cache.get(kept, merchant_id.clone(), read).await
    }

    async fn merchant_by_publishable_key(
        &self,
        publishable_key: &str,
    ) -> Result<Option<MerchantAccount>, StoreFailure> {
        let seal = self.seal.as_ref();
        let read = accounts::merchant_by_publishable_key(&self.engine, seal, publishable_key);
        let kept = &self.cache.publishable_keys;
        self.cache.get(kept, publishable_key.to_owned(), read).await
    }

    async fn profile(
        &self,
        merchant_id: &MerchantId,
        profile_id: &ProfileId,
    ) -> Result<Option<Profile>, StoreFailure> {
        let seal = self.seal.as_ref();
        let read = accounts::profile(&self.engine, seal, merchant_id, profile_id);
        let key = (merchant_id.clone(), profile_id.clone());
        self.cache.get(&self.cache.profiles, key, read).await
    }

    async fn profiles(&self, merchant_id: &MerchantId) -> Result<Vec<Profile>, StoreFailure> {
        accounts::profiles(&self.engine, self.seal.as_ref(), merchant_id).await
    }

    async fn api_key_by_hash(&self, hash: &str) -> Result<Option<ApiKey>, StoreFailure> {
        let read = accounts::api_key_by_hash(&self.engine, hash);
        let kept = &self.cache.api_keys;
        self.cache.get(kept, hash.to_owned(), read).await
    }

    async fn api_key(
        &self,
        merchant_id: &MerchantId,
        key_id: &ApiKeyId,
    ) -> Result<Option<ApiKey>, StoreFailure> {
        accounts::api_key(&self.engine, merchant_id, key_id).await
    }

    async fn api_keys(
        &self,
        merchant_id: &MerchantId,
        limit: i64,
        skip: i64,
    ) -> Result<Vec<ApiKey>, StoreFailure> {
        accounts::api_keys(&self.engine, merchant_id, limit, skip).await
    }

    async fn connector_account(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<ConnectorAccount>, StoreFailure> {
        let found = self
            .ever_connected(merchant_id, merchant_connector_id)
            .await?;
        Ok(found
            .filter(|found| !found.is_deleted)
            .map(|found| found.account))
    }

    async fn connector_account_ever(
        &self,
        merchant_id: &MerchantId,
        merchant_connector_id: &ConnectorAccountId,
    ) -> Result<Option<ConnectorAccount>, StoreFailure> {
        let found = self
            .ever_connected(merchant_id, merchant_connector_id)
            .await?;
        Ok(found.map(|found| found.account))
    }

    async fn connector_accounts(
        &self,
        merchant_id: &MerchantId,
        profile_id: Option<&ProfileId>,
    ) -> Result<Vec<ConnectorAccount>, StoreFailure> {
        let seal = self.seal.as_ref();
        let read = async {
            accounts::connector_accounts(&self.engine, seal, merchant_id, profile_id)
                .await
                .map(Some)
        };
        let key = (merchant_id.clone(), profile_id.cloned());
        let kept = &self.cache.connector_accounts;
        let found = self.cache.get(kept, key, read).await?;
        Ok(found.unwrap_or_default())
    }

    async fn notice_changes(&self) -> Result<(), StoreFailure> {
        self.cache.notice_changes().await
    }

    async fn clock_offset(&self) -> Result<i64, StoreFailure> {
        settings::clock_offset(&self.engine).await
    }

    async fn check_writes(&self) -> Result<(), StoreFailure> {
        match self.engine.check_writes().await {
            Ok(()) => Ok(()),
            Err(WriteError::Store(error)) => Err(failure(error)),
            Err(WriteError::Miss(miss)) => {
                Err(StoreFailure::Broken(format!("a trial missed: {miss:?}")))
            }
        }
    }

    async fn pending_migrations(&self) -> Result<Vec<String>, StoreFailure> {
        self.engine.ping().await.map_err(failure)?;
        let pending = self.engine.pending_migrations().await.map_err(failure)?;
        Ok(pending
            .into_iter()
            .map(|migration| migration.name.to_owned())
            .collect())
    }
}
