//! Statements on merchant accounts: those in which a user has a role, and the first one of an organization.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, OrganizationId, UserId};
use multirail_sql::{Read, values};
use multirail_store::SqlStore;
use multirail_store::platform::record::failure;
use multirail_store::platform::rows::one;

use super::users::merchant_id;

/// A user can have a role in an organization and another one in one of its accounts, which is read once.
const OF_USER: &str = "select distinct a.merchant_id, a.created_at from user_roles r \
     join merchant_accounts a on a.organization_id = r.organization_id and a.deleted_at is null \
     and (r.scope = '' or r.scope = a.merchant_id) where r.user_id = $1 \
     order by a.created_at, a.merchant_id limit $2 offset $3";

const FIRST: &str = "select merchant_id from merchant_accounts where organization_id = $1 \
     and deleted_at is null order by created_at, merchant_id limit 1";

pub(super) async fn of_user(
    store: &SqlStore,
    user_id: &UserId,
    limit: i64,
    offset: i64,
) -> Result<Vec<MerchantId>, StoreFailure> {
    let read = Read::new(OF_USER, values![user_id.as_str(), limit, offset]);
    let rows = store.engine().fetch(read).await.map_err(failure)?;
    rows.iter().map(merchant_id).collect()
}

pub(super) async fn first(
    store: &SqlStore,
    organization_id: &OrganizationId,
) -> Result<Option<MerchantId>, StoreFailure> {
    let read = Read::new(FIRST, values![organization_id.as_str()]);
    one(store.engine(), read, merchant_id).await
}
