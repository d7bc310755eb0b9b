//! The event operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::events::*;
use multirail_api::{
    Admin, AdminOrUser, ApiError, Caller, EventStream, JsonAnswer, Path, TypedBody, User,
};
use multirail_app::webhooks::events::list::ListEvents;
use multirail_kernel::ids::{MerchantId, ProfileId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::event;
use super::follow;
use crate::platform::errors::{api_error, refused};
use crate::platform::scope;
use crate::{Api, ApiResult, Context};

impl EventsApi for Api {
    type Context = Context;

    async fn events_follow(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
    ) -> Result<EventStream, ApiError> {
        follow::follow(&rqctx, caller.into_inner()).await
    }

    async fn events_list(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<EventsListPath>,
        body: TypedBody<Box<types::EventListRequest>>,
    ) -> ApiResult<types::EventList> {
        let merchant_id = scope::users_account(&caller, &path.into_inner().merchant_id)?;
        let request = event::list(*body.into_inner()).map_err(refused)?;
        list(&rqctx, &merchant_id, request).await
    }

    async fn events_attempts(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<EventsAttemptsPath>,
    ) -> ApiResult<Vec<types::DeliveryAttempt>> {
        let path = path.into_inner();
        let merchant_id = scope::users_account(&caller, &path.merchant_id)?;
        let services = &rqctx.context().services;
        let found = services.events.attempts(&merchant_id, &path.event_id).await;
        Ok(JsonAnswer::new(event::attempts(&found.map_err(api_error)?)))
    }

    async fn events_retry(
        rqctx: RequestContext<Context>,
        caller: Caller<AdminOrUser>,
        path: Path<EventsRetryPath>,
    ) -> ApiResult<types::DeliveryAttempt> {
        let path = path.into_inner();
        let merchant_id = scope::users_account(&caller, &path.merchant_id)?;
        let services = &rqctx.context().services;
        let made = services.events.retry(&merchant_id, &path.event_id).await;
        let (event, body, made) = made.map_err(api_error)?;
        Ok(JsonAnswer::new(event::attempt(&event, &body, &made)))
    }
}

impl EventsApiLiterals for Api {
    type Context = Context;

    async fn events_replay(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        path: Path<EventsReplayPath>,
        body: TypedBody<Box<types::EventReplayRequest>>,
    ) -> ApiResult<types::EventReplay> {
        let merchant_id = scope::any_account(&path.into_inner().merchant_id)?;
        let (replay, dry_run) = event::replay(merchant_id, *body.into_inner()).map_err(refused)?;
        let done = rqctx
            .context()
            .services
            .events
            .replay(replay, dry_run)
            .await;
        Ok(JsonAnswer::new(event::replayed(&done.map_err(api_error)?)))
    }
}

impl EventsApiLiterals2 for Api {
    type Context = Context;

    async fn events_profile_list(
        rqctx: RequestContext<Context>,
        caller: Caller<User>,
        body: TypedBody<Box<types::EventListRequest>>,
    ) -> ApiResult<types::EventList> {
        let caller = caller.into_inner();
        let merchant_id = scope::merchant_id(&caller.merchant_id)?;
        let named = caller.narrowed_to.or(caller.profile_id);
        let named = named.ok_or_else(|| ApiError::missing("X-Profile-Id"))?;
        let unknown = || scope::not_found(Object::BusinessProfile);
        let profile_id = ProfileId::parse(&named).map_err(|_| unknown())?;
        let mut request = event::list(*body.into_inner()).map_err(refused)?;
        let asked = request.search.profile_id.get_or_insert(profile_id.clone());
        if *asked != profile_id {
            return Err(unknown());
        }
        list(&rqctx, &merchant_id, request).await
    }
}

async fn list(
    rqctx: &RequestContext<Context>,
    merchant_id: &MerchantId,
    request: ListEvents,
) -> ApiResult<types::EventList> {
    let found = rqctx
        .context()
        .services
        .events
        .list(merchant_id, request)
        .await;
    let (events, total_count) = found.map_err(api_error)?;
    Ok(JsonAnswer::new(types::EventList {
        events: events.iter().map(event::event).collect(),
        total_count,
    }))
}
