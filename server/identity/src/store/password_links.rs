//! Statements on links by which users choose a password.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::PasswordLink;
use multirail_kernel::ids::UserId;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;

use super::users::moment;

const FIND: &str = "select hash, user_id, expires_at from password_links where hash = $1";

const ADD: &str = "insert into password_links (hash, user_id, expires_at) values ($1, $2, $3)";

const USE: &str = "delete from password_links where hash = $1";

const DROP: &str = "delete from password_links where user_id = $1";

const PURGE: &str = "delete from password_links where hash in \
     (select hash from password_links where expires_at <= $1 limit $2)";

pub(super) async fn find(
    store: &SqlStore,
    hash: &str,
) -> Result<Option<PasswordLink>, StoreFailure> {
    let read = Read::new(FIND, values![hash]);
    one(store.engine(), read, |row| {
        Ok(PasswordLink {
            hash: row.text("hash").map_err(failure)?,
            user_id: record::id(UserId::parse(row.str("user_id").map_err(failure)?))?,
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

pub(super) fn add(link: &PasswordLink) -> Write {
    let parameters = values![
        link.hash.as_str(),
        link.user_id.as_str(),
        link.expires_at.as_micros()
    ];
    Write::new(ADD, parameters)
}

pub(super) fn take(link: &PasswordLink) -> Write {
    Write::new(USE, values![link.hash.as_str()])
}

pub(super) fn drop_all(user_id: &UserId) -> Write {
    Write::new(DROP, values![user_id.as_str()]).any_rows()
}
