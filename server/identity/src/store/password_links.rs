//! Statements on links by which users choose a password.

use multirail_app::platform::ports::StoreFailure;
use multirail_identity_domain::{PASSWORD_LINK_SECONDS, PasswordLink, RolePlace};
use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_kernel::timestamp::Timestamp;
use multirail_sql::{Read, Row, Write, values};
use multirail_store::SqlStore;
use multirail_store::platform::record;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;

use super::user_roles::place_scope;
use super::users::moment;

const FIND: &str =
    "select hash, user_id, expires_at, organization_id, scope from password_links where hash = $1";

const ADD: &str = "insert into password_links (hash, user_id, expires_at, organization_id, scope) \
     values ($1, $2, $3, $4, $5)";

const USE: &str = "delete from password_links where hash = $1";

/// Leaves the links of other offers: those in other places, and those that were made for a later offer (`i`) in this one.
const DROP: &str = "delete from password_links where user_id = $1 \
     and (organization_id is null or (organization_id = $2 and scope = $3 and not exists (select 1 from user_invitations i \
     where i.user_id = $1 and i.organization_id = $2 and i.scope = $3 and i.created_at > $4 \
     and i.created_at <= password_links.expires_at - $5)))";

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
            offer: offer(row)?,
        })
    })
    .await
}

fn offer(row: &Row) -> Result<Option<RolePlace>, StoreFailure> {
    let organization_id = row.opt_str("organization_id").map_err(failure)?;
    let Some(organization_id) = organization_id else {
        return Ok(None);
    };
    let scope = row.str("scope").map_err(failure)?;
    let merchant_id = (!scope.is_empty()).then(|| MerchantId::parse(scope));
    Ok(Some(RolePlace {
        organization_id: record::id(OrganizationId::parse(organization_id))?,
        merchant_id: record::id(merchant_id.transpose())?,
    }))
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
        link.expires_at.as_micros(),
        link.offer
            .as_ref()
            .map(|offer| offer.organization_id.as_str()),
        link.offer.as_ref().map(place_scope)
    ];
    Write::new(ADD, parameters)
}

pub(super) fn take(link: &PasswordLink) -> Write {
    Write::new(USE, values![link.hash.as_str()])
}

/// Deletes the other links of the user that only choose a password, or take up the same offer.
pub(super) fn drop_others(link: &PasswordLink) -> Write {
    let offer = link.offer.as_ref();
    let parameters = values![
        link.user_id.as_str(),
        offer.map_or("", |offer| offer.organization_id.as_str()),
        offer.map_or("", place_scope),
        link.made_at().as_micros(),
        PASSWORD_LINK_SECONDS * 1_000_000
    ];
    Write::new(DROP, parameters).any_rows()
}
