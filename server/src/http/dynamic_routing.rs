//! The operations of dynamic routing: translate, call, translate.

use dropshot::{Path, Query, RequestContext, TypedBody};
use multirail_api::dynamic_routing::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant};
use multirail_domain::ids::{ProfileId, RoutingId};
use multirail_domain::refusal::Object;
use multirail_types as types;

use super::convert::{dynamic_routing, routing};
use super::errors::{api_error, refused};
use super::{Api, ApiResult, Context, origin, scope};

impl DynamicRoutingApi for Api {
    type Context = Context;

    async fn dynamic_routing_elimination_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingEliminationCreatePath>,
        query: Query<DynamicRoutingEliminationCreateQuery>,
        body: TypedBody<Box<types::EliminationRoutingConfig>>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let merchant_id = scope::merchants_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let scope = scope::merchants_profile(&caller);
        let enable = query.into_inner().enable;
        let enable = enable.as_ref().map(dynamic_routing::feature);
        let enable = enable.transpose().map_err(refused)?;
        let input = dynamic_routing::create(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let app = &rqctx.context().app;
        let scope = scope.as_ref();
        let made = app.create_elimination(&origin, &merchant_id, scope, &profile_id, input, enable);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::of(routing::record(&made)))
    }

    async fn dynamic_routing_elimination_toggle(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingEliminationTogglePath>,
        query: Query<DynamicRoutingEliminationToggleQuery>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let merchant_id = scope::merchants_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let scope = scope::merchants_profile(&caller);
        let enable = dynamic_routing::feature(&query.into_inner().enable).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let app = &rqctx.context().app;
        let scope = scope.as_ref();
        let switched = app.toggle_elimination(&origin, &merchant_id, scope, &profile_id, enable);
        let switched = switched.await.map_err(api_error)?;
        Ok(JsonAnswer::of(routing::record(&switched)))
    }

    async fn dynamic_routing_elimination_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<DynamicRoutingEliminationUpdatePath>,
        body: TypedBody<Box<types::EliminationRoutingConfigUpdate>>,
    ) -> ApiResult<types::RoutingRecord> {
        let path = path.into_inner();
        let merchant_id = scope::merchants_account(&caller, &path.account_id)?;
        let profile_id = profile_id(&path.profile_id)?;
        let routing_id = RoutingId::parse(&path.routing_id);
        let not_found = |_| scope::not_found(Object::RoutingConfiguration);
        let routing_id = routing_id.map_err(not_found)?;
        let scope = scope::merchants_profile(&caller);
        let input = dynamic_routing::update(*body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let app = &rqctx.context().app;
        let (scope, of) = (scope.as_ref(), &profile_id);
        let made = app.update_elimination(&origin, &merchant_id, scope, of, &routing_id, input);
        let made = made.await.map_err(api_error)?;
        Ok(JsonAnswer::of(routing::record(&made)))
    }
}

fn profile_id(text: &str) -> Result<ProfileId, ApiError> {
    ProfileId::parse(text).map_err(|_| scope::not_found(Object::BusinessProfile))
}
