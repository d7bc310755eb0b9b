//! The operations of further webhook endpoints: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::webhook_endpoints::*;
use multirail_api::{AdminOrMerchant, ApiError, Caller, JsonAnswer, Path, TypedBody};
use multirail_app::webhooks::events::endpoints::OfProfile;
use multirail_kernel::ids::{MerchantId, ProfileId, WebhookEndpointId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::{endpoint, event};
use crate::accounts::check_limit::count_check_by;
use crate::platform::errors::api_error;
use crate::platform::{origin, scope};
use crate::{Api, ApiResult, Context};

impl WebhookEndpointsApi for Api {
    type Context = Context;

    async fn webhook_endpoints_list(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsListPath>,
    ) -> ApiResult<Vec<types::WebhookEndpoint>> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let events = &rqctx.context().services.events;
        let found = events.list_endpoints(place.of()).await;
        let endpoints = found.map_err(api_error)?;
        let answers = endpoints.iter().map(endpoint::answer).collect();
        Ok(JsonAnswer::new(answers))
    }

    async fn webhook_endpoints_create(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsCreatePath>,
        body: TypedBody<Box<types::WebhookEndpointCreateRequest>>,
    ) -> ApiResult<types::WebhookEndpointCreated> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let input = endpoint::create(*body.into_inner());
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let events = &rqctx.context().services.events;
        let made = events.create_endpoint(&origin, place.of(), input).await;
        Ok(JsonAnswer::new(endpoint::created(
            &made.map_err(api_error)?,
        )))
    }

    async fn webhook_endpoints_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsRetrievePath>,
    ) -> ApiResult<types::WebhookEndpoint> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let id = endpoint_id(&path.webhook_endpoint_id)?;
        let events = &rqctx.context().services.events;
        let found = events.find_endpoint(place.of(), &id).await;
        Ok(JsonAnswer::new(endpoint::answer(
            &found.map_err(api_error)?,
        )))
    }

    async fn webhook_endpoints_update(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsUpdatePath>,
        body: TypedBody<Box<types::WebhookEndpointUpdateRequest>>,
    ) -> ApiResult<types::WebhookEndpoint> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let id = endpoint_id(&path.webhook_endpoint_id)?;
        let input = endpoint::update(*body.into_inner());
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let events = &rqctx.context().services.events;
        let updated = events
            .update_endpoint(&origin, place.of(), &id, input)
            .await;
        Ok(JsonAnswer::new(endpoint::answer(
            &updated.map_err(api_error)?,
        )))
    }

    async fn webhook_endpoints_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsDeletePath>,
    ) -> ApiResult<types::WebhookEndpointDeleted> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let id = endpoint_id(&path.webhook_endpoint_id)?;
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let events = &rqctx.context().services.events;
        let deleted = events.delete_endpoint(&origin, place.of(), &id).await;
        deleted.map_err(api_error)?;
        Ok(JsonAnswer::new(types::WebhookEndpointDeleted {
            profile_id: place.profile_id.to_string(),
            webhook_endpoint_id: id.to_string(),
            deleted: true,
        }))
    }

    async fn webhook_endpoints_replay(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsReplayPath>,
        body: TypedBody<Box<types::WebhookEndpointReplayRequest>>,
    ) -> ApiResult<types::EventReplay> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let id = endpoint_id(&path.webhook_endpoint_id)?;
        let request = endpoint::replay(*body.into_inner());
        let origin = origin::admin_or_merchant(&rqctx, &caller);
        let events = &rqctx.context().services.events;
        let done = events
            .replay_to_endpoint(&origin, place.of(), &id, request)
            .await;
        Ok(JsonAnswer::new(event::replayed(&done.map_err(api_error)?)))
    }

    async fn webhook_endpoints_test(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrMerchant>,
        path: Path<WebhookEndpointsTestPath>,
    ) -> ApiResult<types::WebhookEndpointTest> {
        let path = path.into_inner();
        let place = Place::read(&caller, &path.account_id, &path.profile_id)?;
        let id = endpoint_id(&path.webhook_endpoint_id)?;
        let events = &rqctx.context().services.events;
        // Calls for endpoints that don't exist don't count.
        let found = events.find_endpoint(place.of(), &id).await;
        found.map_err(api_error)?;
        count_check_by(rqctx.context(), &caller).await?;
        let sent = events.test_endpoint(place.of(), &id).await;
        let sent = sent.map_err(api_error)?;
        Ok(JsonAnswer::new(endpoint::tested(&id, &sent)))
    }
}

/// The profile of a call, and the one that the call is narrowed to.
struct Place {
    merchant_id: MerchantId,
    profile_id: ProfileId,
    scope: Option<ProfileId>,
}

impl Place {
    fn read(
        caller: &AdminOrMerchant,
        account_id: &str,
        profile_id: &str,
    ) -> Result<Self, ApiError> {
        let merchant_id = scope::own_account(caller, account_id)?;
        let unknown = |_| scope::not_found(Object::BusinessProfile);
        Ok(Place {
            merchant_id,
            profile_id: ProfileId::parse(profile_id).map_err(unknown)?,
            scope: scope::narrowed(caller),
        })
    }

    fn of(&self) -> OfProfile<'_> {
        OfProfile {
            merchant_id: &self.merchant_id,
            profile_id: &self.profile_id,
            scope: self.scope.as_ref(),
        }
    }
}

fn endpoint_id(text: &str) -> Result<WebhookEndpointId, ApiError> {
    WebhookEndpointId::parse(text).map_err(|_| scope::not_found(Object::WebhookEndpoint))
}
