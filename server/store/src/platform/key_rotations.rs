//! Changes of all data keys: begun by an operator, and worked on under a lease with a fence, a portion in each commit.

use async_trait::async_trait;
use multirail_app::platform::ports::StoreFailure;
use multirail_app::platform::ports::installation_keys::{
    InstallationKey, KeyStore, NewRotation, NextMasterKey, Portion, Rotation, RotationClaim,
    SubjectCounts,
};
use multirail_kernel::timestamp::Timestamp;

use super::key_counters;
use super::keys;
use super::record;
use super::record::failure;
use super::sealed_forms;
use super::sql_store::SqlStore;
use crate::engine::{Read, Row, Write, values};

const BEGIN: &str = "insert into key_rotations (rotation_id, is_open, at_column, at_row, pass, found_in_pass, looked_at, \
     sealed_anew, unreadable, unreadable_before, started_at, settled_at, lease_until, fence) \
     values ($1, true, '', '', 1, 0, 0, 0, 0, 0, $2, $3, 0, 0) on conflict do nothing";

const LAST: &str = "select rotation_id, at_column, pass, rows_in_all, looked_at, sealed_anew, unreadable, \
     unreadable_before, started_at, settled_at, finished_at from key_rotations order by started_at desc, rotation_id desc limit 1";

const OPEN: &str =
    "select rotation_id, fence from key_rotations where is_open and lease_until <= $1";

const CLAIM: &str = "update key_rotations set lease_until = $3, fence = fence + 1 \
     where rotation_id = $1 and fence = $2 and is_open";

const RELEASE: &str =
    "update key_rotations set lease_until = 0 where rotation_id = $1 and fence = $2";

const TAKE_OVER: &str = "update key_rotations set lease_until = 0 where lease_until > 0";

const COUNT_SUBJECTS: &str = "select count(distinct case when customer_id = '' then merchant_id end) as merchants, \
     count(distinct case when customer_id <> '' and destroyed_at is null then merchant_id || '/' || customer_id end) as customers, \
     count(distinct case when destroyed_at is not null then merchant_id || '/' || customer_id end) as destroyed \
     from subject_keys";

#[async_trait]
impl KeyStore for SqlStore {
    async fn installation_keys(&self) -> Result<Vec<InstallationKey>, StoreFailure> {
        keys::stored_keys(&self.engine).await
    }

    async fn next_master_key(&self) -> Result<Option<String>, StoreFailure> {
        keys::next_master_key(&self.engine).await
    }

    async fn subject_counts(&self) -> Result<SubjectCounts, StoreFailure> {
        let read = Read::new(COUNT_SUBJECTS, Vec::new()).long();
        let row = self.engine.fetch_optional(read).await.map_err(failure)?;
        let Some(row) = row else {
            return Ok(SubjectCounts::default());
        };
        let number = |column| row.int(column).map_err(failure);
        Ok(SubjectCounts {
            merchants: number("merchants")?,
            customers: number("customers")?,
            destroyed: number("destroyed")?,
        })
    }

    async fn begin_rotation(&self, begun: &NewRotation) -> Result<bool, StoreFailure> {
        let rotation = values![
            begun.rotation_id.as_str(),
            begun.started_at.as_micros(),
            begun.settled_at.as_micros()
        ];
        let mut writes = vec![key_counters::changed(), key_counters::rotation_began()];
        writes.push(key_counters::begin_with_merchants());
        writes.push(Write::new(BEGIN, rotation));
        writes.push(keys::insert(keys::ADD_KEY, &begun.data_key));
        let is_begun = keys::all_or_nothing(&self.engine, writes).await?;
        self.keys.reload().await?;
        Ok(is_begun)
    }

    async fn sealing_due_from(&self, wall: Timestamp) -> Result<Option<Timestamp>, StoreFailure> {
        sealed_forms::due_from(&self.engine, wall).await
    }

    async fn last_rotation(&self) -> Result<Option<Rotation>, StoreFailure> {
        let row = self.engine.fetch_optional(Read::new(LAST, Vec::new()));
        row.await
            .map_err(failure)?
            .as_ref()
            .map(rotation)
            .transpose()
    }

    async fn claim_rotation(
        &self,
        wall: Timestamp,
        seconds: i64,
    ) -> Result<Option<RotationClaim>, StoreFailure> {
        // A server without the new keys would find nothing to do.
        if !self.keys.is_up_to_date().await? {
            return Ok(None);
        }
        let read = Read::new(OPEN, values![wall.as_micros()]);
        let Some(row) = self.engine.fetch_optional(read).await.map_err(failure)? else {
            return Ok(None);
        };
        let rotation_id = row.text("rotation_id").map_err(failure)?;
        let fence = row.int("fence").map_err(failure)?;
        let until = wall.later(seconds).as_micros();
        let claim = Write::new(CLAIM, values![rotation_id.as_str(), fence, until]);
        let claimed = record::write_any(&self.engine, vec![claim.any_rows()]).await?;
        Ok((claimed.first() == Some(&1)).then_some(RotationClaim {
            rotation_id,
            fence: fence + 1,
        }))
    }

    async fn seal_portion(
        &self,
        claim: &RotationClaim,
        wall: Timestamp,
        seconds: i64,
        at_most: i64,
    ) -> Result<Portion, StoreFailure> {
        self.seal_next_portion(claim, wall, wall.later(seconds), at_most)
            .await
    }

    async fn release_rotation(&self, claim: &RotationClaim) -> Result<(), StoreFailure> {
        let parameters = values![claim.rotation_id.as_str(), claim.fence];
        let release = Write::new(RELEASE, parameters).any_rows();
        record::write_any(&self.engine, vec![release])
            .await
            .map(drop)
    }

    async fn store_next_master_key(&self, next: &NextMasterKey) -> Result<bool, StoreFailure> {
        keys::store_next(&self.engine, next).await
    }

    async fn drop_former_master_key(&self) -> Result<bool, StoreFailure> {
        keys::drop_former(&self.engine).await
    }

    async fn take_up_keys(&self) -> Result<(), StoreFailure> {
        self.keys.reload().await
    }
}

/// Ends the leases, if no other server can use the database.
pub(crate) fn take_over() -> Write {
    Write::new(TAKE_OVER, Vec::new()).any_rows()
}

fn rotation(row: &Row) -> Result<Rotation, StoreFailure> {
    let number = |column| row.int(column).map_err(failure);
    let finished_at = row.opt_int("finished_at").map_err(failure)?;
    Ok(Rotation {
        rotation_id: row.text("rotation_id").map_err(failure)?,
        started_at: Timestamp::from_micros(number("started_at")?),
        settled_at: Timestamp::from_micros(number("settled_at")?),
        finished_at: finished_at.map(Timestamp::from_micros),
        pass: number("pass")?,
        at_column: row.text("at_column").map_err(failure)?,
        rows_in_all: row.opt_int("rows_in_all").map_err(failure)?,
        looked_at: number("looked_at")?,
        sealed_anew: number("sealed_anew")?,
        unreadable: number("unreadable")?.max(number("unreadable_before")?),
    })
}
