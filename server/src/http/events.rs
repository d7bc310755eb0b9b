//! The event operations: translate, call, translate.

use dropshot::{Path, RequestContext, TypedBody};
use multirail_api::events::*;
use multirail_api::{Admin, Caller, JsonAnswer};
use multirail_types as types;

use super::convert::event;
use super::errors::{api_error, refused};
use super::{Api, ApiResult, Context, scope};

impl EventsApi for Api {
    type Context = Context;

    async fn events_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        path: Path<EventsListPath>,
        body: TypedBody<Box<types::EventListRequest>>,
    ) -> ApiResult<types::EventList> {
        let merchant_id = scope::any_account(&path.into_inner().merchant_id)?;
        let request = event::list(*body.into_inner()).map_err(refused)?;
        let found = rqctx.context().app.list_events(&merchant_id, request).await;
        let (events, total_count) = found.map_err(api_error)?;
        Ok(JsonAnswer::of(types::EventList {
            events: events.iter().map(event::event).collect(),
            total_count,
        }))
    }

    async fn events_attempts(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        path: Path<EventsAttemptsPath>,
    ) -> ApiResult<Vec<types::DeliveryAttempt>> {
        let path = path.into_inner();
        let merchant_id = scope::any_account(&path.merchant_id)?;
        let app = &rqctx.context().app;
        let found = app.delivery_attempts(&merchant_id, &path.event_id).await;
        Ok(JsonAnswer::of(event::attempts(&found.map_err(api_error)?)))
    }

    async fn events_retry(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        path: Path<EventsRetryPath>,
    ) -> ApiResult<types::DeliveryAttempt> {
        let path = path.into_inner();
        let merchant_id = scope::any_account(&path.merchant_id)?;
        let app = &rqctx.context().app;
        let made = app.retry_event(&merchant_id, &path.event_id).await;
        let (event, body, made) = made.map_err(api_error)?;
        Ok(JsonAnswer::of(event::attempt(&event, &body, &made)))
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
        let done = rqctx.context().app.replay_events(replay, dry_run).await;
        Ok(JsonAnswer::of(event::replayed(done.map_err(api_error)?)))
    }
}
