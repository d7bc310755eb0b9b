//! The operations of organizations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::organizations::*;
use multirail_api::{Admin, AdminOrUser, Caller, JsonAnswer, Path, Query, TypedBody};
use multirail_types as types;

use super::convert::organization;
use crate::platform::errors::api_error;
use crate::platform::{origin, scope};
use crate::{Api, ApiResult, Context};

impl OrganizationsApi for Api {
    type Context = Context;

    async fn organizations_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::OrganizationCreateRequest>>,
    ) -> ApiResult<types::Organization> {
        let said = organization::create(*body.into_inner());
        let origin = origin::admin(&rqctx, &caller);
        let made = rqctx
            .context()
            .services
            .organizations
            .create(&origin, said)
            .await;
        let made = made.map_err(api_error)?;
        Ok(JsonAnswer::new(organization::answer(&made)))
    }

    async fn organizations_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<OrganizationsListQuery>,
    ) -> ApiResult<Vec<types::Organization>> {
        let OrganizationsListQuery { limit, offset } = query.into_inner();
        let limit = limit.map(i64::from);
        let offset = offset.map_or(0, i64::from);
        let organizations = &rqctx.context().services.organizations;
        let found = organizations.list(limit, offset).await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(organization::answer).collect(),
        ))
    }

    async fn organizations_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<OrganizationsRetrievePath>,
    ) -> ApiResult<types::Organization> {
        let organization_id =
            scope::users_organization(&caller, &path.into_inner().organization_id)?;
        let found = rqctx
            .context()
            .services
            .organizations
            .find(&organization_id)
            .await;
        let found = found.map_err(api_error)?;
        Ok(JsonAnswer::new(organization::answer(&found)))
    }

    async fn organizations_update(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<OrganizationsUpdatePath>,
        body: TypedBody<Box<types::OrganizationUpdateRequest>>,
    ) -> ApiResult<types::Organization> {
        let organization_id =
            scope::users_organization(&caller, &path.into_inner().organization_id)?;
        let update = organization::update(*body.into_inner());
        let origin = origin::admin_or_user(&rqctx, &caller);
        let organizations = &rqctx.context().services.organizations;
        let updated = organizations.update(&origin, &organization_id, update);
        let updated = updated.await.map_err(api_error)?;
        Ok(JsonAnswer::new(organization::answer(&updated)))
    }

    async fn organization_accounts_list(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<OrganizationAccountsListPath>,
        query: Query<OrganizationAccountsListQuery>,
    ) -> ApiResult<Vec<types::OrganizationAccount>> {
        let organization_id =
            scope::users_organization(&caller, &path.into_inner().organization_id)?;
        let OrganizationAccountsListQuery { limit, offset } = query.into_inner();
        let limit = limit.map(i64::from);
        let offset = offset.map_or(0, i64::from);
        let organizations = &rqctx.context().services.organizations;
        let found = organizations.accounts(&organization_id, limit, offset);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            found.iter().map(organization::account).collect(),
        ))
    }
}
