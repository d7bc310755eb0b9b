//! The API key operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::api_keys::*;
use multirail_api::{
    AdminOrUser, ApiError, Caller, JsonAnswer, OPERATIONS, OpInfo, Path, Query, Role, Scheme,
    TypedBody,
};
use multirail_domain::accounts::api_key::KeyRestriction;
use multirail_kernel::ids::ApiKeyId;
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::api_key;
use super::operation_groups::{changes_something, opens};
use crate::platform::errors::{api_error, refused};
use crate::platform::{origin, scope};
use crate::{Api, ApiResult, Context};

impl ApiKeysApi for Api {
    type Context = Context;

    async fn api_keys_create(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<ApiKeysCreatePath>,
        body: TypedBody<Box<types::ApiKeyCreateRequest>>,
    ) -> ApiResult<types::ApiKeyCreated> {
        let merchant_id = scope::users_account(&caller, &path.into_inner().merchant_id)?;
        let input = api_key::create(*body.into_inner()).map_err(refused)?;
        check_bounds(&caller, input.restriction.as_ref())?;
        let origin = origin::admin_or_user(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = services.api_keys.create(&origin, &merchant_id, input).await;
        let (key, plain) = made.map_err(api_error)?;
        Ok(JsonAnswer::new(api_key::created(&key, &plain)))
    }

    async fn api_keys_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<ApiKeysRetrievePath>,
    ) -> ApiResult<types::ApiKey> {
        let path = path.into_inner();
        let merchant_id = scope::users_account(&caller, &path.merchant_id)?;
        let key_id = key_id(&path.key_id)?;
        let services = &rqctx.context().services;
        let found = services.api_keys.find(&merchant_id, &key_id).await;
        let key = found.map_err(api_error)?;
        Ok(JsonAnswer::new(api_key::answer(&key)))
    }

    async fn api_keys_update(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<ApiKeysUpdatePath>,
        body: TypedBody<Box<types::ApiKeyUpdateRequest>>,
    ) -> ApiResult<types::ApiKey> {
        let path = path.into_inner();
        let merchant_id = scope::users_account(&caller, &path.merchant_id)?;
        let key_id = key_id(&path.key_id)?;
        let update = api_key::update(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin_or_user(&rqctx, &caller);
        let services = &rqctx.context().services;
        let found = services.api_keys.find(&merchant_id, &key_id).await;
        // The update can't change the key's restriction.
        check_bounds(&caller, found.map_err(api_error)?.restriction.as_ref())?;
        let updated = services
            .api_keys
            .update(&origin, &merchant_id, &key_id, update);
        let key = updated.await.map_err(api_error)?;
        Ok(JsonAnswer::new(api_key::answer(&key)))
    }

    async fn api_keys_revoke(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<ApiKeysRevokePath>,
    ) -> ApiResult<types::ApiKeyRevoked> {
        let path = path.into_inner();
        let merchant_id = scope::users_account(&caller, &path.merchant_id)?;
        let key_id = key_id(&path.key_id)?;
        let origin = origin::admin_or_user(&rqctx, &caller);
        let services = &rqctx.context().services;
        let revoked = services
            .api_keys
            .revoke(&origin, &merchant_id, &key_id)
            .await;
        revoked.map_err(api_error)?;
        Ok(JsonAnswer::new(types::ApiKeyRevoked {
            merchant_id: merchant_id.to_string(),
            key_id: key_id.to_string(),
            revoked: true,
        }))
    }
}

impl ApiKeysApiLiterals for Api {
    type Context = Context;

    async fn api_keys_list(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<ApiKeysListPath>,
        query: Query<ApiKeysListQuery>,
    ) -> ApiResult<Vec<types::ApiKey>> {
        let merchant_id = scope::users_account(&caller, &path.into_inner().merchant_id)?;
        let ApiKeysListQuery { limit, skip } = query.into_inner();
        let (limit, skip) = (limit.map(i64::from), skip.map(i64::from));
        let services = &rqctx.context().services;
        let found = services.api_keys.list(&merchant_id, limit, skip).await;
        let keys = found.map_err(api_error)?;
        Ok(JsonAnswer::new(keys.iter().map(api_key::answer).collect()))
    }
}

/// Checks that a user's key opens only operations that the user's role may call, because the key outlives the user's
/// role. Admins may open all. Operations that no role may call are allowed where they only read.
///
/// # Errors
/// 403 `IR_22` that names the first operation outside the role.
fn check_bounds(
    caller: &AdminOrUser,
    restriction: Option<&KeyRestriction>,
) -> Result<(), ApiError> {
    let AdminOrUser::User(user) = caller else {
        return Ok(());
    };
    let role = match user.role {
        Role::OrgAdmin | Role::MerchantAdmin => return Ok(()),
        role @ (Role::MerchantDeveloper | Role::MerchantOperator | Role::MerchantViewOnly) => role,
    };
    let mut opened = OPERATIONS.iter().filter(|operation| {
        operation.accepts(Scheme::ApiKey)
            && restriction.is_none_or(|restriction| opens(restriction, operation))
    });
    let is_beyond = |operation: &&OpInfo| match operation.roles {
        [] => changes_something(operation),
        roles => !roles.contains(&role),
    };
    match opened.find(is_beyond) {
        None => Ok(()),
        Some(beyond) => Err(ApiError::not_allowed(format!(
            "The key would open {}, which your role doesn't: restrict it by `read_only` and `operation_groups` to what you may call.",
            beyond.id
        ))),
    }
}

fn key_id(text: &str) -> Result<ApiKeyId, ApiError> {
    ApiKeyId::parse(text).map_err(|_| scope::not_found(Object::ApiKey))
}
