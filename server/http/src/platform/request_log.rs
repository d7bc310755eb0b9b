//! The request log: the requests that are logged, and the log as merchants see it.

use dropshot::RequestContext;
use multirail_api::request_log::*;
use multirail_api::{Caller, JsonAnswer, Merchant, Path, Query};
use multirail_app::platform::ports::request_log::{LoggedRequest, RequestSearch};
use multirail_types as types;

use super::convert::moments::{shown_from, shown_until};
use super::errors::api_error;
use super::scope::merchant_id;
use crate::{Api, ApiResult, Context};

mod entry;
mod mask;
mod sentence;
mod waiting;

pub(crate) use waiting::{add, is_logged};

impl RequestLogApi for Api {
    type Context = Context;

    async fn request_log_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<RequestLogListQuery>,
    ) -> ApiResult<Vec<types::RequestLogEntry>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let query = query.into_inner();
        let limit = query.limit.map(i64::from);
        let search = search(query, caller.profile_id.clone());
        let log = &rqctx.context().services.request_log;
        let found = log.list(&merchant_id, search, limit).await;
        let found = found.map_err(api_error)?;
        Ok(JsonAnswer::new(found.into_iter().map(answer).collect()))
    }

    async fn request_log_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<RequestLogRetrievePath>,
    ) -> ApiResult<types::RequestLogEntry> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let request_id = path.into_inner().request_id;
        let log = &rqctx.context().services.request_log;
        let found = log.retrieve(&merchant_id, caller.profile_id.as_deref(), &request_id);
        Ok(JsonAnswer::new(answer(found.await.map_err(api_error)?)))
    }
}

fn search(query: RequestLogListQuery, profile_id: Option<String>) -> RequestSearch {
    let RequestLogListQuery {
        requested_at_gte,
        requested_at_lte,
        method,
        operation,
        status,
        status_class,
        payment_id,
        object_id,
        caller_id,
        request_id,
        before,
        limit: _,
    } = query;
    RequestSearch {
        profile_id,
        from: requested_at_gte.map(shown_from),
        until: requested_at_lte.map(shown_until),
        method: method.map(|word| word.as_str().to_owned()),
        operation,
        statuses: status_class.as_ref().and_then(statuses),
        status: status.map(i64::from),
        payment_id,
        object_id,
        caller_id,
        request_id,
        before,
        limit: 0,
    }
}

/// Returns the lowest and the highest status of a class.
fn statuses(class: &types::RequestStatusClass) -> Option<(i64, i64)> {
    match class {
        types::RequestStatusClass::Success => Some((200, 299)),
        types::RequestStatusClass::ClientError => Some((400, 499)),
        types::RequestStatusClass::ServerError => Some((500, 599)),
        // The document's schema has refused other words.
        types::RequestStatusClass::Unknown(_) => None,
    }
}

fn answer(request: LoggedRequest) -> types::RequestLogEntry {
    types::RequestLogEntry {
        request_id: request.request_id,
        requested_at: request.requested_at.to_datetime(),
        duration_ms: request.duration_ms,
        method: request.method.as_str().into(),
        path: request.path,
        path_template: request.path_template,
        operation: request.operation,
        status: i32::try_from(request.status).unwrap_or_default(),
        error_code: request.error_code,
        caller: request.caller.as_str().into(),
        caller_id: request.caller_id,
        profile_id: request.profile_id,
        payment_id: request.payment_id,
        object_id: request.object_id,
        idempotency_key: request.idempotency_key,
        user_agent: request.user_agent,
        request_body: request.request_body.text,
        request_body_cut: request.request_body.is_cut,
        answer_body: request.answer_body.text,
        answer_body_cut: request.answer_body.is_cut,
    }
}
