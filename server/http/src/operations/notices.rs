//! Notices of processors: the endpoint that receives them, and the operator's inbox.

use dropshot::RequestContext;
use http::HeaderMap;
use multirail_api::notices::*;
use multirail_api::{Admin, ApiError, Caller, JsonAnswer, Path, PlainText, Query, RawBody};
use multirail_app::operations::notices::ShownNotice;
use multirail_app::operations::ports::NoticeSearch;
use multirail_app::operations::ports::notices::StoredNotice;
use multirail_sdk::connector::RawNotice;
use multirail_types as types;

use crate::platform::convert::words::{ToWire, word};
use crate::platform::errors::{api_error, refused};
use crate::{Api, Context};

/// The number of headers that are read. A processor's headers have about a kilobyte.
const HEADERS: usize = 64;

impl NoticesApi for Api {
    type Context = Context;

    async fn notices_receive(
        rqctx: RequestContext<Context>,
        path: Path<NoticesReceivePath>,
        body: RawBody,
    ) -> Result<PlainText, ApiError> {
        let path = path.into_inner();
        let raw = RawNotice {
            headers: headers(&body.headers),
            body: body.bytes.into(),
        };
        let services = &rqctx.context().services;
        let filed = services
            .notices
            .receive(&path.merchant_id, &path.connector_account, raw);
        let filed = filed.await.map_err(api_error)?;
        Ok(PlainText::new(filed.answer.to_owned()))
    }

    async fn notices_list(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        query: Query<NoticesListQuery>,
    ) -> Result<JsonAnswer<Vec<types::Notice>>, ApiError> {
        let NoticesListQuery {
            merchant_id,
            merchant_connector_id,
            status,
            limit,
            offset,
        } = query.into_inner();
        let status = status.map(|status| word(&status, "status")).transpose();
        let search = NoticeSearch {
            merchant_id,
            merchant_connector_id,
            status: status.map_err(refused)?,
            ..NoticeSearch::default()
        };
        let (limit, offset) = (limit.map(i64::from), offset.map(i64::from));
        let found = rqctx.context().services.notices.list(search, limit, offset);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(found.into_iter().map(notice).collect()))
    }

    async fn notices_retrieve(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        path: Path<NoticesRetrievePath>,
    ) -> Result<JsonAnswer<types::NoticeWithBody>, ApiError> {
        let notice_id = path.into_inner().notice_id;
        let found = rqctx.context().services.notices.show(&notice_id).await;
        let ShownNotice {
            notice: stored,
            body,
            body_bytes,
        } = found.map_err(api_error)?;
        Ok(JsonAnswer::new(types::NoticeWithBody {
            notice: notice(stored),
            body: body.and_then(|body| serde_json::from_str(&body).ok()),
            body_bytes: body_bytes as i64,
        }))
    }

    async fn notices_replay(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        path: Path<NoticesReplayPath>,
    ) -> Result<JsonAnswer<types::Notice>, ApiError> {
        let notice_id = path.into_inner().notice_id;
        let found = rqctx.context().services.notices.replay(&notice_id).await;
        Ok(JsonAnswer::new(notice(found.map_err(api_error)?)))
    }
}

fn headers(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    headers.iter().filter_map(text).take(HEADERS).collect()
}

fn notice(stored: StoredNotice) -> types::Notice {
    types::Notice {
        notice_id: stored.notice_id.to_string(),
        merchant_id: stored.merchant_id.to_string(),
        merchant_connector_id: stored.merchant_connector_id.to_string(),
        connector: stored.connector,
        status: stored.status.to_wire(),
        receipts: stored.receipts,
        kinds: stored.kinds,
        objects: stored.objects,
        received_at: stored.received_at.to_datetime(),
        next_try_at: stored.next_try_at.map(|at| at.to_datetime()),
    }
}
