//! The routing operations: translate, call, translate.

pub mod convert;
pub(crate) mod dynamic_routing;

use dropshot::RequestContext;
use multirail_api::routing::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant, Path, Query, TypedBody};
use multirail_kernel::ids::{ProfileId, RoutingId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::{Api, ApiResult, Context};
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{merchant_id, merchants_profile, not_found};
use crate::routing::convert as routing;

impl RoutingApi for Api {
    type Context = Context;

    async fn routing_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<RoutingListQuery>,
    ) -> ApiResult<types::RoutingDictionary> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let request = routing::list(query.into_inner()).map_err(refused)?;
        let services = &rqctx.context().services;
        let page = services.routing.list(&merchant_id, scope.as_ref(), request);
        let page = page.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::dictionary(&merchant_id, &page)))
    }

    async fn routing_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::RoutingCreateRequest>>,
    ) -> ApiResult<types::RoutingRecord> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let request = routing::create(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = services
            .routing
            .create(&origin, &merchant_id, scope.as_ref(), request);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::record(&made)))
    }

    async fn routing_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<RoutingRetrievePath>,
    ) -> ApiResult<types::RoutingConfiguration> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let routing_id = routing_id(&path.into_inner().routing_id)?;
        let scope = merchants_profile(&caller);
        let services = &rqctx.context().services;
        let found = services
            .routing
            .find(&merchant_id, scope.as_ref(), &routing_id);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::configuration(&found)))
    }

    async fn routing_activate(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<RoutingActivatePath>,
        body: TypedBody<Box<types::RoutingActivateRequest>>,
    ) -> ApiResult<types::RoutingRecord> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let routing_id = routing_id(&path.into_inner().routing_id)?;
        let scope = merchants_profile(&caller);
        let wanted = routing::activate(*body.into_inner());
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let active =
            services
                .routing
                .activate(&origin, &merchant_id, scope.as_ref(), &routing_id, wanted);
        let active = active.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::record(&active)))
    }
}

impl RoutingApiLiterals for Api {
    type Context = Context;

    async fn routing_active(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<RoutingActiveQuery>,
    ) -> ApiResult<types::RoutingActive> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let (profile_id, of) = routing::active_query(query.into_inner()).map_err(refused)?;
        let services = &rqctx.context().services;
        let active = services
            .routing
            .active(&merchant_id, scope.as_ref(), profile_id, of);
        let active = active.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::active(&active)))
    }

    async fn routing_deactivate(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::RoutingDeactivateRequest>>,
    ) -> ApiResult<types::RoutingRecord> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let (profile_id, of) = routing::deactivate(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let before =
            services
                .routing
                .deactivate(&origin, &merchant_id, scope.as_ref(), &profile_id, of);
        let before = before.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::record(&before)))
    }

    async fn routing_evaluate(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::RoutingEvaluateRequest>>,
    ) -> ApiResult<types::RoutingEvaluation> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let services = &rqctx.context().services;
        let request = routing::evaluation::request(*body.into_inner()).map_err(refused)?;
        let found = services
            .routing
            .evaluate(&merchant_id, scope.as_ref(), request);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::evaluation::answer(&found)))
    }

    async fn routing_estimate(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::RoutingEstimateRequest>>,
    ) -> ApiResult<types::RoutingEstimate> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let services = &rqctx.context().services;
        let request = routing::estimate::request(*body.into_inner()).map_err(refused)?;
        let found = services
            .routing
            .estimate(&merchant_id, scope.as_ref(), request);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::estimate::answer(&found)))
    }

    async fn routing_default_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<RoutingDefaultRetrieveQuery>,
    ) -> ApiResult<Vec<types::RoutableConnector>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let RoutingDefaultRetrieveQuery { transaction_type } = query.into_inner();
        let of = routing::read_transaction_type(transaction_type);
        let services = &rqctx.context().services;
        let order = services
            .routing
            .default_order(&merchant_id, scope.as_ref(), of);
        let order = order.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::connectors(&order)))
    }

    async fn routing_default_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<RoutingDefaultUpdateQuery>,
        body: TypedBody<Box<types::RoutingDefaultRequest>>,
    ) -> ApiResult<Vec<types::RoutableConnector>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let RoutingDefaultUpdateQuery { transaction_type } = query.into_inner();
        let of = routing::read_transaction_type(transaction_type);
        let wanted = routing::reorder(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let scope = scope.as_ref();
        let order = services
            .routing
            .reorder(&origin, &merchant_id, scope, None, of, &wanted);
        let order = order.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::connectors(&order)))
    }

    async fn routing_default_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<RoutingDefaultListQuery>,
    ) -> ApiResult<Vec<types::ProfileDefaultRouting>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let RoutingDefaultListQuery { transaction_type } = query.into_inner();
        let of = routing::read_transaction_type(transaction_type);
        let services = &rqctx.context().services;
        let orders = services
            .routing
            .default_orders(&merchant_id, scope.as_ref(), of);
        let orders = orders.await.map_err(api_error)?;
        let orders = orders.iter().map(routing::default_of_profile).collect();
        Ok(JsonAnswer::new(orders))
    }

    async fn routing_default_update_of_profile(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<RoutingDefaultUpdateOfProfilePath>,
        query: Query<RoutingDefaultUpdateOfProfileQuery>,
        body: TypedBody<Box<types::RoutingDefaultRequest>>,
    ) -> ApiResult<types::ProfileDefaultRouting> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let profile_id = ProfileId::parse(&path.into_inner().profile_id)
            .map_err(|_| not_found(Object::BusinessProfile))?;
        let scope = merchants_profile(&caller);
        let RoutingDefaultUpdateOfProfileQuery { transaction_type } = query.into_inner();
        let of = routing::read_transaction_type(transaction_type);
        let wanted = routing::reorder(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let (scope, of_profile) = (scope.as_ref(), Some(profile_id));
        let order = services
            .routing
            .reorder(&origin, &merchant_id, scope, of_profile, of, &wanted);
        let order = order.await.map_err(api_error)?;
        Ok(JsonAnswer::new(routing::default_of_profile(&order)))
    }
}

fn routing_id(of_path: &str) -> Result<RoutingId, ApiError> {
    RoutingId::parse(of_path).map_err(|_| not_found(Object::RoutingConfiguration))
}
