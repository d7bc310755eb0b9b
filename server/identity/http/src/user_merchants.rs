//! The merchant accounts that a user may choose from.

use dropshot::RequestContext;
use multirail_api::users::UsersListMerchantsQuery;
use multirail_api::{JsonAnswer, User};
use multirail_http::platform::errors::api_error;
use multirail_http::{ApiResult, Context};
use multirail_identity::app::OwnMerchant;
use multirail_types as types;

use super::users::{identity, user};
use super::words::role_to_wire;

/// Returns a page of the accounts in which the caller has a role.
pub(crate) async fn list(
    rqctx: &RequestContext<Context>,
    caller: &User,
    query: &UsersListMerchantsQuery,
) -> ApiResult<Vec<types::UserMerchantListed>> {
    let limit = query.limit.map(i64::from);
    let offset = query.offset.map_or(0, i64::from);
    let users = &identity(rqctx)?.users;
    let found = users.merchants(&user(caller)?, limit, offset).await;
    let found = found.map_err(api_error)?;
    Ok(JsonAnswer::new(found.iter().map(answer).collect()))
}

fn answer(own: &OwnMerchant) -> types::UserMerchantListed {
    types::UserMerchantListed {
        merchant_id: own.account.merchant_id.to_string(),
        merchant_name: own.account.merchant_name.clone(),
        org_id: own.account.organization_id.to_string(),
        role_id: role_to_wire(own.role),
        is_current: own.is_current,
    }
}
