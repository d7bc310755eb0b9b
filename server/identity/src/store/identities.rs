//! Statements on sign-ins by the identity provider: those in progress, and the links to users. Tokens and identities
//! are stored only as keyed hashes.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{BegunOidc, IdentityLink};
use multirail_kernel::ids::UserId;
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;

const BEGIN: &str = "insert into oidc_sign_ins (hash, expires_at) values ($1, $2)";

const TAKE: &str = "delete from oidc_sign_ins where hash = $1 and expires_at > $2";

const PURGE: &str = "delete from oidc_sign_ins where hash in \
     (select hash from oidc_sign_ins where expires_at <= $1 order by expires_at limit $2)";

const OF_IDENTITY: &str = "select user_id from user_identities where hash = $1";

const OF_USER: &str = "select user_id from user_identities where user_id = $1";

/// Changes no row if either is linked, to the other or not.
const LINK: &str = "insert into user_identities (hash, user_id, created_at) values ($1, $2, $3) \
     on conflict do nothing";

const UNLINK: &str = "delete from user_identities where user_id = $1";

pub(super) async fn begin(store: &SqlStore, begun: &BegunOidc) -> Result<(), StoreFailure> {
    let parameters = values![begun.hash.as_str(), begun.expires_at.as_micros()];
    record::write_any(store.engine(), vec![Write::new(BEGIN, parameters)]).await?;
    Ok(())
}

pub(super) async fn take(
    store: &SqlStore,
    hash: &str,
    now: Timestamp,
) -> Result<bool, StoreFailure> {
    let write = Write::new(TAKE, values![hash, now.as_micros()]).any_rows();
    let rows = record::write_any(store.engine(), vec![write]).await?;
    Ok(rows.into_iter().sum::<u64>() == 1)
}

pub(super) async fn purge(
    store: &SqlStore,
    now: Timestamp,
    at_most: i64,
) -> Result<u64, StoreFailure> {
    record::purge(store.engine(), PURGE, now, at_most).await
}

pub(super) async fn user_of(store: &SqlStore, hash: &str) -> Result<Option<UserId>, StoreFailure> {
    user(store, Read::new(OF_IDENTITY, values![hash])).await
}

pub(super) async fn is_linked(store: &SqlStore, user_id: &UserId) -> Result<bool, StoreFailure> {
    let found = user(store, Read::new(OF_USER, values![user_id.as_str()])).await?;
    Ok(found.is_some())
}

pub(super) fn link(link: &IdentityLink) -> Write {
    let parameters = values![
        link.hash.as_str(),
        link.user_id.as_str(),
        link.created_at.as_micros()
    ];
    Write::new(LINK, parameters)
}

pub(super) fn unlink(user_id: &UserId) -> Write {
    Write::new(UNLINK, values![user_id.as_str()]).any_rows()
}

async fn user(store: &SqlStore, read: Read) -> Result<Option<UserId>, StoreFailure> {
    one(store.engine(), read, |row| {
        record::id(UserId::parse(row.str("user_id").map_err(failure)?))
    })
    .await
}
