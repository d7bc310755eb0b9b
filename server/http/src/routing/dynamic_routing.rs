//! The operations of dynamic routing: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::dynamic_routing::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant, Path, Query, TypedBody};
use multirail_domain::routing::{DynamicInput, DynamicKind};
use multirail_kernel::ids::{MerchantId, ProfileId, RoutingId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::dynamic_routing;
use crate::platform::errors::{api_error, refused};
use crate::platform::{origin, scope};
use crate::routing::convert as routing;
use crate::{Api, ApiResult, Context};

impl DynamicRoutingApi for Api {
    type Context = Context;

    async fn dynamic_routing_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingRetrievePath>,
    ) -> ApiResult<types::DynamicRouting> {
        let path = path.into_inner();
        let Of {
            merchant_id,
            profile_id,
        } = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let scope = scope::merchants_profile(&caller);
        let services = &rqctx.context().services;
        let found = services
            .routing
            .dynamic(&merchant_id, scope.as_ref(), &profile_id);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(dynamic_routing::standing(&found)))
    }

    async fn dynamic_routing_elimination_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingEliminationCreatePath>,
        query: Query<DynamicRoutingEliminationCreateQuery>,
        body: TypedBody<Box<types::EliminationRoutingConfig>>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let of = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let DynamicRoutingEliminationCreateQuery { enable } = query.into_inner();
        let input = dynamic_routing::new_elimination(*body.into_inner()).map_err(refused)?;
        create(&rqctx, &caller, &of, input, enable.as_ref()).await
    }

    async fn dynamic_routing_elimination_toggle(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingEliminationTogglePath>,
        query: Query<DynamicRoutingEliminationToggleQuery>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let of = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let DynamicRoutingEliminationToggleQuery { enable } = query.into_inner();
        toggle(&rqctx, &caller, &of, DynamicKind::Elimination, &enable).await
    }

    async fn dynamic_routing_elimination_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingEliminationUpdatePath>,
        body: TypedBody<Box<types::EliminationRoutingConfigUpdate>>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let of = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let routing_id = routing_id(&path.routing_id)?;
        let input = dynamic_routing::elimination_update(*body.into_inner()).map_err(refused)?;
        update(&rqctx, &caller, &of, &routing_id, input).await
    }

    async fn dynamic_routing_success_based_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingSuccessBasedCreatePath>,
        query: Query<DynamicRoutingSuccessBasedCreateQuery>,
        body: TypedBody<Box<types::SuccessBasedRoutingConfig>>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let of = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let DynamicRoutingSuccessBasedCreateQuery { enable } = query.into_inner();
        let input = dynamic_routing::success_based(*body.into_inner()).map_err(refused)?;
        create(&rqctx, &caller, &of, input, enable.as_ref()).await
    }

    async fn dynamic_routing_success_based_toggle(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingSuccessBasedTogglePath>,
        query: Query<DynamicRoutingSuccessBasedToggleQuery>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let of = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let DynamicRoutingSuccessBasedToggleQuery { enable } = query.into_inner();
        toggle(&rqctx, &caller, &of, DynamicKind::SuccessBased, &enable).await
    }

    async fn dynamic_routing_success_based_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingSuccessBasedUpdatePath>,
        body: TypedBody<Box<types::SuccessBasedRoutingConfig>>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let of = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let routing_id = routing_id(&path.routing_id)?;
        let input = dynamic_routing::success_based(*body.into_inner()).map_err(refused)?;
        update(&rqctx, &caller, &of, &routing_id, input).await
    }

    async fn dynamic_routing_set_volume_split(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingSetVolumeSplitPath>,
        query: Query<DynamicRoutingSetVolumeSplitQuery>,
    ) -> ApiResult<types::DynamicRoutingSplit> {
        let path = path.into_inner();
        let Of {
            merchant_id,
            profile_id,
        } = Of::named(&caller, &path.account_id, &path.profile_id)?;
        let DynamicRoutingSetVolumeSplitQuery { split } = query.into_inner();
        let share = dynamic_routing::share(split);
        let scope = scope::merchants_profile(&caller);
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let scope = scope.as_ref();
        let split =
            services
                .routing
                .split_dynamic(&origin, &merchant_id, scope, &profile_id, share);
        let split = split.await.map_err(api_error)?;
        Ok(JsonAnswer::new(dynamic_routing::split(&split)))
    }
}

/// The merchant and the profile of a call.
struct Of {
    merchant_id: MerchantId,
    profile_id: ProfileId,
}

impl Of {
    fn named(
        caller: &Caller<Merchant>,
        account_id: &str,
        profile_id: &str,
    ) -> Result<Self, ApiError> {
        let not_found = |_| scope::not_found(Object::BusinessProfile);
        Ok(Of {
            merchant_id: scope::merchants_account(caller, account_id)?,
            profile_id: ProfileId::parse(profile_id).map_err(not_found)?,
        })
    }
}

async fn create(
    rqctx: &RequestContext<Context>,
    caller: &Caller<Merchant>,
    Of {
        merchant_id,
        profile_id,
    }: &Of,
    input: DynamicInput,
    enable: Option<&types::DynamicRoutingFeature>,
) -> ApiResult<types::RoutingRecord> {
    let scope = scope::merchants_profile(caller);
    let enable = enable.map(dynamic_routing::feature);
    let enable = enable.transpose().map_err(refused)?;
    let origin = origin::merchant(rqctx, caller);
    let services = &rqctx.context().services;
    let scope = scope.as_ref();
    let made =
        services
            .routing
            .create_dynamic(&origin, merchant_id, scope, profile_id, input, enable);
    let made = made.await.map_err(api_error)?;
    Ok(JsonAnswer::new(routing::record(&made)))
}

async fn toggle(
    rqctx: &RequestContext<Context>,
    caller: &Caller<Merchant>,
    Of {
        merchant_id,
        profile_id,
    }: &Of,
    kind: DynamicKind,
    enable: &types::DynamicRoutingFeature,
) -> ApiResult<types::RoutingRecord> {
    let scope = scope::merchants_profile(caller);
    let enable = dynamic_routing::feature(enable).map_err(refused)?;
    let origin = origin::merchant(rqctx, caller);
    let services = &rqctx.context().services;
    let scope = scope.as_ref();
    let made =
        services
            .routing
            .toggle_dynamic(&origin, merchant_id, scope, profile_id, kind, enable);
    let made = made.await.map_err(api_error)?;
    Ok(JsonAnswer::new(routing::record(&made)))
}

async fn update(
    rqctx: &RequestContext<Context>,
    caller: &Caller<Merchant>,
    Of {
        merchant_id,
        profile_id,
    }: &Of,
    routing_id: &RoutingId,
    input: DynamicInput,
) -> ApiResult<types::RoutingRecord> {
    let scope = scope::merchants_profile(caller);
    let origin = origin::merchant(rqctx, caller);
    let services = &rqctx.context().services;
    let (scope, of) = (scope.as_ref(), profile_id);
    let made = services
        .routing
        .update_dynamic(&origin, merchant_id, scope, of, routing_id, input);
    let made = made.await.map_err(api_error)?;
    Ok(JsonAnswer::new(routing::record(&made)))
}

fn routing_id(text: &str) -> Result<RoutingId, ApiError> {
    RoutingId::parse(text).map_err(|_| scope::not_found(Object::RoutingConfiguration))
}
