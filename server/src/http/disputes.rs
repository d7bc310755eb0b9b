//! The disputes operations: translate, call, translate.

use dropshot::{Path, Query, RequestContext};
use multirail_api::disputes::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant};
use multirail_domain::ids::DisputeId;
use multirail_domain::refusal::Object;
use multirail_types as types;

use super::convert::{dispute, dispute_search};
use super::errors::{api_error, refused};
use super::scope::{merchant_id, merchants_profile, not_found};
use super::{Api, ApiResult, Context, origin};

impl DisputesApi for Api {
    type Context = Context;

    async fn disputes_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DisputesRetrievePath>,
        query: Query<DisputesRetrieveQuery>,
    ) -> ApiResult<types::Dispute> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let dispute_id = dispute_id(&path.into_inner().dispute_id)?;
        let scope = merchants_profile(&caller);
        let force_sync = query.into_inner().force_sync.unwrap_or(false);
        let origin = origin::merchant(&rqctx, &caller);
        let app = &rqctx.context().app;
        let found = app.retrieve_dispute(
            &origin,
            &merchant_id,
            scope.as_ref(),
            &dispute_id,
            force_sync,
        );
        let found = Box::pin(found).await.map_err(api_error)?;
        Ok(JsonAnswer::of(dispute::answer(&found)))
    }
}

impl DisputesApiLiterals for Api {
    type Context = Context;

    async fn disputes_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<DisputesListQuery>,
    ) -> ApiResult<Vec<types::Dispute>> {
        listed(&rqctx, &caller, query.into_inner()).await
    }

    async fn disputes_profile_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<DisputesProfileListQuery>,
    ) -> ApiResult<Vec<types::Dispute>> {
        let query = dispute_search::of_profiles(query.into_inner());
        listed(&rqctx, &caller, query).await
    }

    async fn disputes_accept(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DisputesAcceptPath>,
    ) -> ApiResult<types::Dispute> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let dispute_id = dispute_id(&path.into_inner().dispute_id)?;
        let scope = merchants_profile(&caller);
        let origin = origin::merchant(&rqctx, &caller);
        let app = &rqctx.context().app;
        let accepted = app.accept_dispute(&origin, &merchant_id, scope.as_ref(), &dispute_id);
        let accepted = Box::pin(accepted).await.map_err(api_error)?;
        Ok(JsonAnswer::of(dispute::answer(&accepted)))
    }
}

async fn listed(
    rqctx: &RequestContext<Context>,
    caller: &Merchant,
    query: DisputesListQuery,
) -> ApiResult<Vec<types::Dispute>> {
    let request = dispute_search::list(query, caller.profile_id.clone());
    let merchant_id = merchant_id(&caller.merchant_id)?;
    let app = &rqctx.context().app;
    let found = app.list_disputes(&merchant_id, request.map_err(refused)?);
    let found = found.await.map_err(api_error)?;
    Ok(JsonAnswer::of(found.iter().map(dispute::answer).collect()))
}

fn dispute_id(of_path: &str) -> Result<DisputeId, ApiError> {
    DisputeId::parse(of_path).map_err(|_| not_found(Object::Dispute))
}
