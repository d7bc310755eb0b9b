//! Statements on the merchant accounts in which users have roles.

use multirail_app::platform::ports::StoreFailure;
use multirail_kernel::ids::{MerchantId, UserId};
use multirail_sql::{Read, values};
use multirail_store::SqlStore;
use multirail_store::platform::record::failure;

use super::users::merchant_id;

/// A user can have a role in an organization and another one in one of its accounts, which is read once.
const OF_USER: &str = "select distinct a.merchant_id, a.created_at from user_roles r \
     join merchant_accounts a on a.organization_id = r.organization_id and a.deleted_at is null \
     and (r.scope = '' or r.scope = a.merchant_id) where r.user_id = $1 \
     order by a.created_at, a.merchant_id limit $2 offset $3";

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
