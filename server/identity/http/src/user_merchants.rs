//! The merchant accounts that a user may choose from, and the switch to one of them.

use dropshot::RequestContext;
use multirail_api::users::UsersListMerchantsQuery;
use multirail_api::{ApiError, Caller, JsonAnswer, User};
use multirail_http::platform::errors::api_error;
use multirail_http::platform::{origin, scope};
use multirail_http::{ApiResult, Context};
use multirail_identity::app::{OwnMerchant, SignedIn, Visit};
use multirail_kernel::ids::MerchantId;
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::callers::user;
use super::identity;
use super::words::role_to_wire;

/// Returns a page of the accounts in which the caller has a role.
pub(crate) async fn list(
    rqctx: &RequestContext<Context>,
    caller: &User,
    query: &UsersListMerchantsQuery,
) -> ApiResult<Vec<types::UserMerchantListed>> {
    let UsersListMerchantsQuery { limit, offset } = *query;
    let limit = limit.map(i64::from);
    let offset = offset.map_or(0, i64::from);
    let users = &identity(rqctx)?.users;
    let found = users.merchants(&user(caller)?, limit, offset).await;
    let found = found.map_err(api_error)?;
    Ok(JsonAnswer::new(found.iter().map(answer).collect()))
}

/// Signs the caller in to the account that they name. Their session ends where `is_replaced`.
pub(crate) async fn switch(
    rqctx: &RequestContext<Context>,
    caller: &Caller<User>,
    asked: &types::UserSwitchRequest,
    visit: Visit,
    is_replaced: bool,
) -> Result<SignedIn, ApiError> {
    let types::UserSwitchRequest { merchant_id } = asked;
    let merchant_id = MerchantId::parse(merchant_id);
    let merchant_id = merchant_id.map_err(|_| scope::not_found(Object::MerchantAccount))?;
    let origin = origin::user(rqctx, caller);
    let sessions = &identity(rqctx)?.sessions;
    let caller = user(caller)?;
    let holder = (visit.client, visit.kind);
    let switched = sessions.switch_merchant(&origin, &caller, &merchant_id, holder, is_replaced);
    switched.await.map_err(api_error)
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
