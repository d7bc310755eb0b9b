//! Rate limits that all servers share: attempts to sign in, and payment methods that payers' clients save. The subject of
//! an attempt is stored as a keyed hash. The same table remembers the places where users have signed in.

use async_trait::async_trait;
use multirail_app::platform::ports::{StoreFailure, TryStore};
use multirail_kernel::timestamp::Timestamp;
use multirail_kernel::try_limit::TryLimit;

use super::record;
use super::record::failure;
use super::sql_store::SqlStore;
use crate::engine::{Read, Write, values};

/// `$2` is the present time, `$3` the time that an attempt adds, `$4` the highest level at which one more is allowed.
const COUNT: &str = "insert into sign_in_tries (hash, empty_at) values ($1, cast($2 as bigint) + $3) \
     on conflict (hash) do update set empty_at = case when sign_in_tries.empty_at > $2 \
     then sign_in_tries.empty_at + $3 else cast($2 as bigint) + $3 end where sign_in_tries.empty_at <= $4";

/// `$2` is the end of the time for which the place is remembered.
const REMEMBER: &str = "insert into sign_in_tries (hash, empty_at) values ($1, $2) \
     on conflict (hash) do update set empty_at = excluded.empty_at";

const LEVEL: &str = "select empty_at from sign_in_tries where hash = $1";

const PURGE: &str = "delete from sign_in_tries where hash in \
     (select hash from sign_in_tries where empty_at <= $1 order by empty_at limit $2)";

#[async_trait]
impl TryStore for SqlStore {
    async fn count_try(
        &self,
        hash: &str,
        limit: TryLimit,
        now: Timestamp,
    ) -> Result<Option<i64>, StoreFailure> {
        let parameters = values![
            hash,
            now.as_micros(),
            limit.micros(),
            limit.highest(now).as_micros()
        ];
        let write = Write::new(COUNT, parameters).any_rows();
        let rows = record::write_any(&self.engine, vec![write]).await?;
        if rows.into_iter().sum::<u64>() == 1 {
            return Ok(None);
        }
        let level = level(self, hash).await?;
        // The row may have been purged at this moment.
        Ok(Some(
            level.map_or(1, |level| limit.wait_seconds(level, now)),
        ))
    }

    async fn remember_place(&self, hash: &str, until: Timestamp) -> Result<(), StoreFailure> {
        let write = Write::new(REMEMBER, values![hash, until.as_micros()]);
        record::write_any(&self.engine, vec![write]).await?;
        Ok(())
    }

    async fn is_known_place(&self, hash: &str, now: Timestamp) -> Result<bool, StoreFailure> {
        Ok(level(self, hash).await?.is_some_and(|until| now < until))
    }

    async fn purge_tries(&self, now: Timestamp, at_most: i64) -> Result<u64, StoreFailure> {
        record::purge(&self.engine, PURGE, now, at_most).await
    }
}

async fn level(store: &SqlStore, hash: &str) -> Result<Option<Timestamp>, StoreFailure> {
    let read = Read::new(LEVEL, values![hash]);
    let Some(row) = store.engine.fetch_optional(read).await.map_err(failure)? else {
        return Ok(None);
    };
    let level = row.int("empty_at").map_err(failure)?;
    Ok(Some(Timestamp::from_micros(level)))
}
