//! The connector account operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::connector_accounts::*;
use multirail_api::{
    AdminOrMerchant, AdminOrUser, ApiError, Caller, JsonAnswer, Merchant, Path, TypedBody,
};
use multirail_domain::accounts::connector_account::ConnectorAccount;
use multirail_kernel::ids::ConnectorAccountId;
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::check_limit::{count_check, count_check_by};
use super::convert::{connector, connector_account};
use crate::platform::errors::{api_error, refused};
use crate::platform::{origin, scope};
use crate::{Api, ApiResult, Context};

impl ConnectorAccountsApi for Api {
    type Context = Context;

    async fn connector_accounts_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<ConnectorAccountsListPath>,
    ) -> ApiResult<Vec<types::ConnectorAccountListItem>> {
        let merchant_id = scope::merchants_account(&caller, &path.into_inner().account_id)?;
        let scope = scope::merchants_profile(&caller);
        let services = &rqctx.context().services;
        let found = services
            .connector_accounts
            .list(&merchant_id, scope.as_ref());
        let accounts = found.await.map_err(api_error)?;
        let items = accounts
            .iter()
            .map(|account| connector_account::list_item(account))
            .collect();
        Ok(JsonAnswer::new(items))
    }

    async fn connector_accounts_create(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<ConnectorAccountsCreatePath>,
        body: TypedBody<Box<types::ConnectorAccountCreateRequest>>,
    ) -> ApiResult<types::ConnectorAccount> {
        let merchant_id = scope::own_account(&caller, &path.into_inner().account_id)?;
        let scope = scope::narrowed(&caller);
        let request = connector_account::create(*body.into_inner()).map_err(refused)?;
        if request.checks_credentials {
            count_check_by(rqctx.context(), &caller).await?;
        }
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made =
            services
                .connector_accounts
                .create(&origin, &merchant_id, scope.as_ref(), request);
        let account = made.await.map_err(api_error)?;
        Ok(answer(&rqctx, &account))
    }

    async fn connector_accounts_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<ConnectorAccountsRetrievePath>,
    ) -> ApiResult<types::ConnectorAccount> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let account_id = account_id(&path.merchant_connector_id)?;
        let scope = scope::narrowed(&caller);
        let services = &rqctx.context().services;
        let found = services
            .connector_accounts
            .find(&merchant_id, &account_id, scope.as_ref());
        let account = found.await.map_err(api_error)?;
        Ok(answer(&rqctx, &account))
    }

    async fn connector_accounts_update(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<ConnectorAccountsUpdatePath>,
        body: TypedBody<Box<types::ConnectorAccountUpdateRequest>>,
    ) -> ApiResult<types::ConnectorAccount> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let account_id = account_id(&path.merchant_connector_id)?;
        let scope = scope::narrowed(&caller);
        let update = connector_account::update(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated = services
            .connector_accounts
            .update(&origin, &merchant_id, &account_id, scope.as_ref(), update)
            .await;
        let account = updated.map_err(api_error)?;
        Ok(answer(&rqctx, &account))
    }

    async fn connector_accounts_check(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<ConnectorAccountsCheckPath>,
    ) -> ApiResult<types::ConnectorAccountCheck> {
        let path = path.into_inner();
        let merchant_id = scope::own_account(&caller, &path.account_id)?;
        let account_id = account_id(&path.merchant_connector_id)?;
        let scope = scope::narrowed(&caller);
        count_check_by(rqctx.context(), &caller).await?;
        let services = &rqctx.context().services;
        let checked = services
            .connector_accounts
            .check(&merchant_id, &account_id, scope.as_ref());
        let (account, check) = checked.await.map_err(api_error)?;
        Ok(JsonAnswer::new(connector_account::check(&account, check)))
    }

    async fn connectors_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Merchant>,
    ) -> ApiResult<Vec<types::Connector>> {
        let services = &rqctx.context().services;
        let all = services.connector_accounts.connectors().into_iter();
        Ok(JsonAnswer::new(all.map(connector::answer).collect()))
    }

    async fn connectors_check(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::ConnectorCredentialsCheckRequest>>,
    ) -> ApiResult<types::ConnectorCredentialsCheck> {
        let accounts = &rqctx.context().services.connector_accounts;
        let request = connector::check_request(*body.into_inner()).map_err(refused)?;
        let name = request.connector_name.clone();
        let asked = accounts.checkable(request).map_err(refused)?;
        // What isn't sent to a processor doesn't count.
        count_check(rqctx.context(), &caller).await?;
        let checked = accounts.check_credentials(asked).await;
        let checked = checked.map_err(api_error)?;
        Ok(JsonAnswer::new(connector::check(name, checked)))
    }

    async fn connector_accounts_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<ConnectorAccountsDeletePath>,
    ) -> ApiResult<types::ConnectorAccountDeleted> {
        let path = path.into_inner();
        let merchant_id = scope::users_account(&caller, &path.account_id)?;
        let account_id = account_id(&path.merchant_connector_id)?;
        let origin = origin::admin_or_user(&rqctx, &caller);
        let services = &rqctx.context().services;
        let deleted = services
            .connector_accounts
            .delete(&origin, &merchant_id, &account_id);
        deleted.await.map_err(api_error)?;
        Ok(JsonAnswer::new(types::ConnectorAccountDeleted {
            merchant_id: merchant_id.to_string(),
            merchant_connector_id: account_id.to_string(),
            deleted: true,
        }))
    }
}

fn answer(
    rqctx: &RequestContext<Context>,
    account: &ConnectorAccount,
) -> JsonAnswer<types::ConnectorAccount> {
    let public_url = rqctx.context().given_public_url.as_deref();
    JsonAnswer::new(connector_account::answer(account, public_url))
}

fn account_id(text: &str) -> Result<ConnectorAccountId, ApiError> {
    ConnectorAccountId::parse(text).map_err(|_| scope::not_found(Object::ConnectorAccount))
}
