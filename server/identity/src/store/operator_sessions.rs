//! Statements on sessions of the operator at the console.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::OperatorSession;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;

use super::users::moment;

const FIND: &str =
    "select hash, key_hash, created_at, expires_at from operator_sessions where hash = $1";

const OPEN: &str = "insert into operator_sessions (hash, key_hash, created_at, expires_at) \
     values ($1, $2, $3, $4)";

const END: &str = "delete from operator_sessions where hash = $1";

const PURGE: &str = "delete from operator_sessions where hash in \
     (select hash from operator_sessions where expires_at <= $1 order by expires_at limit $2)";

pub(super) async fn find(
    store: &SqlStore,
    hash: &str,
) -> Result<Option<OperatorSession>, StoreFailure> {
    let read = Read::new(FIND, values![hash]);
    one(store.engine(), read, |row| {
        Ok(OperatorSession {
            hash: row.text("hash").map_err(failure)?,
            key_hash: row.text("key_hash").map_err(failure)?,
            created_at: moment(row, "created_at")?,
            expires_at: moment(row, "expires_at")?,
        })
    })
    .await
}

pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(store.engine(), PURGE, now, at_most).await
}

pub(super) fn open(session: &OperatorSession) -> Write {
    let parameters = values![
        session.hash.as_str(),
        session.key_hash.as_str(),
        session.created_at.as_micros(),
        session.expires_at.as_micros()
    ];
    Write::new(OPEN, parameters)
}

/// Ends a session. It may have ended before.
pub(super) fn end(hash: &str) -> Write {
    Write::new(END, values![hash]).any_rows()
}
