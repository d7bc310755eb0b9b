//! The disputes operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::disputes::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant, Path, Query, RawBody, TypedBody};
use multirail_app::payments::disputes::fetch::Period;
use multirail_domain::payments::dispute::FileBytes;
use multirail_kernel::ids::{ConnectorAccountId, DisputeId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::{dispute, dispute_search, evidence};
use crate::platform::convert::moments::{shown_from, shown_until};
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{merchant_id, merchants_profile, not_found};
use crate::{Api, ApiResult, Context};

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
        let DisputesRetrieveQuery { force_sync } = query.into_inner();
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let found = services.disputes.retrieve(
            &origin,
            &merchant_id,
            scope.as_ref(),
            &dispute_id,
            force_sync.unwrap_or(false),
        );
        let found = Box::pin(found).await.map_err(api_error)?;
        Ok(JsonAnswer::new(dispute::answer(&found)))
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

    async fn disputes_challenge(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::DisputeChallengeRequest>>,
    ) -> ApiResult<types::Dispute> {
        let (merchant_id, scope) = (
            merchant_id(&caller.merchant_id)?,
            merchants_profile(&caller),
        );
        let (dispute_id, given) = evidence::given(*body.into_inner());
        let dispute_id = self::dispute_id(&dispute_id)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let challenged =
            services
                .disputes
                .challenge(&origin, &merchant_id, scope.as_ref(), &dispute_id, given);
        let challenged = Box::pin(challenged).await.map_err(api_error)?;
        Ok(JsonAnswer::new(dispute::answer(&challenged)))
    }

    async fn disputes_attach(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<DisputesAttachQuery>,
        body: RawBody,
    ) -> ApiResult<types::DisputeFileAttached> {
        let (merchant_id, scope) = (
            merchant_id(&caller.merchant_id)?,
            merchants_profile(&caller),
        );
        let DisputesAttachQuery {
            dispute_id,
            evidence_type,
        } = query.into_inner();
        let dispute_id = self::dispute_id(&dispute_id)?;
        let item = evidence::item(&evidence_type)?;
        let bytes = FileBytes::new(&body.bytes);
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let attached = services.disputes.attach_evidence(
            &origin,
            &merchant_id,
            scope.as_ref(),
            &dispute_id,
            item,
            bytes,
        );
        let file_id = Box::pin(attached).await.map_err(api_error)?.to_string();
        Ok(JsonAnswer::new(types::DisputeFileAttached { file_id }))
    }

    async fn disputes_retrieve_evidence(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DisputesRetrieveEvidencePath>,
    ) -> ApiResult<types::DisputeEvidence> {
        let (merchant_id, scope) = (
            merchant_id(&caller.merchant_id)?,
            merchants_profile(&caller),
        );
        let dispute_id = dispute_id(&path.into_inner().dispute_id)?;
        let services = &rqctx.context().services;
        let found = services
            .disputes
            .evidence(&merchant_id, scope.as_ref(), &dispute_id);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(evidence::answer(&found)))
    }

    async fn disputes_delete_evidence(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DisputesDeleteEvidencePath>,
        query: Query<DisputesDeleteEvidenceQuery>,
    ) -> ApiResult<types::DisputeEvidence> {
        let (merchant_id, scope) = (
            merchant_id(&caller.merchant_id)?,
            merchants_profile(&caller),
        );
        let dispute_id = dispute_id(&path.into_inner().dispute_id)?;
        let DisputesDeleteEvidenceQuery { evidence_type } = query.into_inner();
        let item = evidence::item(&evidence_type)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let left = services.disputes.remove_evidence(
            &origin,
            &merchant_id,
            scope.as_ref(),
            &dispute_id,
            item,
        );
        let left = Box::pin(left).await.map_err(api_error)?;
        Ok(JsonAnswer::new(evidence::answer(&left)))
    }

    async fn disputes_fetch(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DisputesFetchPath>,
        query: Query<DisputesFetchQuery>,
    ) -> ApiResult<Vec<types::Dispute>> {
        let (merchant_id, scope) = (
            merchant_id(&caller.merchant_id)?,
            merchants_profile(&caller),
        );
        let account_id = ConnectorAccountId::parse(&path.into_inner().merchant_connector_id);
        let account_id = account_id.map_err(|_| not_found(Object::ConnectorAccount))?;
        let DisputesFetchQuery {
            fetch_from,
            fetch_till,
        } = query.into_inner();
        let period = Period {
            from: shown_from(fetch_from),
            until: shown_until(fetch_till),
        };
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let fetched =
            services
                .disputes
                .fetch(&origin, &merchant_id, scope.as_ref(), &account_id, period);
        let fetched = Box::pin(fetched).await.map_err(api_error)?;
        Ok(JsonAnswer::new(
            fetched.iter().map(dispute::answer).collect(),
        ))
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
        let services = &rqctx.context().services;
        let accepted = services
            .disputes
            .accept(&origin, &merchant_id, scope.as_ref(), &dispute_id);
        let accepted = Box::pin(accepted).await.map_err(api_error)?;
        Ok(JsonAnswer::new(dispute::answer(&accepted)))
    }
}

async fn listed(
    rqctx: &RequestContext<Context>,
    caller: &Merchant,
    query: DisputesListQuery,
) -> ApiResult<Vec<types::Dispute>> {
    let request = dispute_search::list(query, caller.profile_id.clone());
    let merchant_id = merchant_id(&caller.merchant_id)?;
    let services = &rqctx.context().services;
    let found = services
        .disputes
        .list(&merchant_id, request.map_err(refused)?);
    let found = found.await.map_err(api_error)?;
    Ok(JsonAnswer::new(found.iter().map(dispute::answer).collect()))
}

fn dispute_id(of_path: &str) -> Result<DisputeId, ApiError> {
    DisputeId::parse(of_path).map_err(|_| not_found(Object::Dispute))
}
