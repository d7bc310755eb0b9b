//! Reads and writes of routing configurations. A row is never updated, so a cached one stays valid.

pub(crate) mod dynamic_routing;
pub(crate) mod elimination;
pub(crate) mod success_counts;
pub(crate) mod tables;

use std::sync::Arc;

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::routing::ports::{RoutingChange, RoutingSearch, RoutingStore};
use multirail_domain::routing::RoutingRecord;
use multirail_kernel::audit::Named;
use multirail_kernel::ids::{MerchantId, RoutingId};
use multirail_platform::{Change, Invalidates, SealedFor, Writing};

use super::engine::{Read, Write, values};
use crate::platform::cached::Cached;
use crate::platform::lower::Stored;
use crate::platform::record;
use crate::platform::rows::{all, one};
use crate::platform::sql_store::SqlStore;

record::records! {
    RoutingRecord: "routing_configurations.record",
}

const TABLE: &str = "routing_configurations";

const ONE: &str =
    "select record from routing_configurations where merchant_id = $1 and routing_id = $2";

const OF_MERCHANT: &str = "select routing_id as id, record from routing_configurations \
     where merchant_id = $1 and transaction_type = $2 \
     order by modified_at desc, routing_id desc limit $3 offset $4";

const OF_PROFILE: &str = "select routing_id as id, record from routing_configurations \
     where merchant_id = $1 and transaction_type = $2 and profile_id = $5 \
     order by modified_at desc, routing_id desc limit $3 offset $4";

const INSERT: &str = "insert into routing_configurations (merchant_id, routing_id, profile_id, transaction_type, kind, \
     record, created_at, modified_at) values ($1, $2, $3, $4, $5, $6, $7, $8)";

/// Cached configurations. None of them ever changes; the profile names the active one.
struct Kept;

impl Cached for Kept {
    type Key = (MerchantId, RoutingId);
    type Value = RoutingRecord;
}

#[async_trait]
impl RoutingStore for SqlStore {
    async fn routing_record(
        &self,
        merchant_id: &MerchantId,
        routing_id: &RoutingId,
    ) -> Result<Option<Arc<RoutingRecord>>, StoreFailure> {
        let read = Read::new(ONE, values![merchant_id.as_str(), routing_id.as_str()]);
        let read = one(&self.engine, read, |row| record::read(row, "record"));
        let key = (merchant_id.clone(), routing_id.clone());
        self.cache.get::<Kept>(key, read).await
    }

    async fn search_routing(
        &self,
        merchant_id: &MerchantId,
        search: &RoutingSearch,
    ) -> Result<Vec<RoutingRecord>, StoreFailure> {
        let mut parameters = values![
            merchant_id.as_str(),
            search.transaction_type.as_str(),
            search.limit,
            search.offset
        ];
        let sql = match &search.profile_id {
            None => OF_MERCHANT,
            Some(profile_id) => {
                parameters.extend(values![profile_id.as_str()]);
                OF_PROFILE
            }
        };
        let read = Read::new(sql, parameters);
        all(&self.engine, TABLE, read, |row| record::read(row, "record")).await
    }
}

impl Change for Stored<RoutingChange> {
    fn write(&self, _: &Writing<'_>, writes: &mut Vec<Write>) -> Result<(), StoreFailure> {
        writes.push(match &self.0 {
            RoutingChange::Insert(routing) => insert(routing)?,
        });
        Ok(())
    }

    fn invalidates(&self) -> Invalidates {
        Invalidates::Nothing
    }

    fn sealed_for(&self) -> SealedFor<'_> {
        SealedFor::Nobody
    }

    fn audited(&self) -> Option<Named> {
        let RoutingChange::Insert(record) = &self.0;
        Some(Named::new("routing", record.routing_id.as_str()))
    }
}

fn insert(routing: &RoutingRecord) -> Result<Write, StoreFailure> {
    let parameters = values![
        routing.merchant_id.as_str(),
        routing.routing_id.as_str(),
        routing.profile_id.as_str(),
        routing.transaction_type.as_str(),
        routing.kind().as_str(),
        record::write(routing)?,
        routing.created_at.as_micros(),
        routing.modified_at.as_micros()
    ];
    Ok(Write::new(INSERT, parameters).on(TABLE))
}
