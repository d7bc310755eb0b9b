//! How often it was tried to sign in, and how often payers' clients saved what they pay with, counted for all servers together.
//! What the tries are about there is a keyed hash of.

use multirail_app::ports::StoreFailure;
use multirail_domain::timestamp::Timestamp;
use multirail_domain::user::TryLimit;

use super::accounts::one;
use super::engine::{Read, Write, values};
use super::record;
use super::sql_store::SqlStore;
use super::users::moment;

/// `$2` now, `$3` what a try adds, `$4` the highest level at which one more is let in.
const COUNT: &str = "insert into sign_in_tries (hash, empty_at) values ($1, cast($2 as bigint) + $3) \
     on conflict (hash) do update set empty_at = case when sign_in_tries.empty_at > $2 \
     then sign_in_tries.empty_at + $3 else cast($2 as bigint) + $3 end where sign_in_tries.empty_at <= $4";

const LEVEL: &str = "select empty_at from sign_in_tries where hash = $1";

const PURGE: &str = "delete from sign_in_tries where hash in \
     (select hash from sign_in_tries where empty_at <= $1 order by empty_at limit $2)";

pub(super) async fn count(
    store: &SqlStore,
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
    let rows = record::write_any(&store.engine, vec![write]).await?;
    if rows.into_iter().sum::<u64>() == 1 {
        return Ok(None);
    }
    let read = Read::new(LEVEL, values![hash]);
    let level = one(&store.engine, read, |row| moment(row, "empty_at")).await?;
    // It may have been purged in this moment.
    Ok(Some(
        level.map_or(1, |level| limit.wait_seconds(level, now)),
    ))
}

pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(&store.engine, PURGE, now, at_most).await
}
