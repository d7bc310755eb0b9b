//! The merchant account operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::merchant_accounts::*;
use multirail_api::{
    Admin, AdminOrMerchant, AdminOrUser, Caller, JsonAnswer, Path, Query, TypedBody,
};
use multirail_types as types;

use super::convert::{merchant_account, organization};
use crate::platform::errors::{api_error, refused};
use crate::platform::{origin, scope};
use crate::{Api, ApiResult, Context};

impl MerchantAccountsApi for Api {
    type Context = Context;

    async fn merchant_accounts_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::MerchantAccountCreateRequest>>,
    ) -> ApiResult<types::MerchantAccount> {
        let request = merchant_account::create(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = services.merchants.create(&origin, request).await;
        let account = made.map_err(api_error)?;
        Ok(JsonAnswer::new(merchant_account::answer(&account)))
    }

    async fn merchant_accounts_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<MerchantAccountsListQuery>,
    ) -> ApiResult<Vec<types::MerchantAccountListed>> {
        let MerchantAccountsListQuery {
            search,
            limit,
            offset,
        } = query.into_inner();
        let beginning = search.unwrap_or_default();
        let limit = limit.map(i64::from);
        let offset = offset.map_or(0, i64::from);
        let organizations = &rqctx.context().services.organizations;
        let found = organizations.all_accounts(&beginning, limit, offset);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(organization::listed_account).collect(),
        ))
    }

    async fn merchant_accounts_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<MerchantAccountsRetrievePath>,
    ) -> ApiResult<types::MerchantAccount> {
        let merchant_id = scope::own_account(&caller, &path.into_inner().account_id)?;
        let found = rqctx.context().services.merchants.find(&merchant_id).await;
        let account = found.map_err(api_error)?;
        Ok(JsonAnswer::new(merchant_account::answer(&account)))
    }

    async fn merchant_accounts_update(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<MerchantAccountsUpdatePath>,
        body: TypedBody<Box<types::MerchantAccountUpdateRequest>>,
    ) -> ApiResult<types::MerchantAccount> {
        let merchant_id = scope::users_account(&caller, &path.into_inner().account_id)?;
        let update = merchant_account::update(*body.into_inner(), &merchant_id).map_err(refused)?;
        let origin = origin::admin_or_user(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated = services.merchants.update(&origin, &merchant_id, update);
        let account = updated.await.map_err(api_error)?;
        Ok(JsonAnswer::new(merchant_account::answer(&account)))
    }

    async fn merchant_accounts_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        path: Path<MerchantAccountsDeletePath>,
        query: Query<MerchantAccountsDeleteQuery>,
    ) -> ApiResult<types::MerchantAccountDeleted> {
        let MerchantAccountsDeleteQuery { void_open_payments } = query.into_inner();
        let void_open_payments = void_open_payments.unwrap_or(false);
        let merchant_id = scope::any_account(&path.into_inner().account_id)?;
        let origin = origin::admin(&rqctx, &caller);
        let services = &rqctx.context().services;
        let deleted = services
            .merchant_deletion
            .delete(&origin, &merchant_id, void_open_payments);
        deleted.await.map_err(api_error)?;
        Ok(JsonAnswer::new(types::MerchantAccountDeleted {
            merchant_id: merchant_id.to_string(),
            deleted: true,
        }))
    }
}
