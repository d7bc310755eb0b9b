//! The refunds operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::refunds::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant, Path, Query, TypedBody};
use multirail_kernel::ids::RefundId;
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::{refund, refund_search};
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{merchant_id, merchants_profile, not_found};
use crate::{Api, ApiResult, Context};

impl RefundsApi for Api {
    type Context = Context;

    async fn refunds_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::RefundCreateRequest>>,
    ) -> ApiResult<types::Refund> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let scope = merchants_profile(&caller);
        let request = refund::create(merchant_id, scope, *body.into_inner()).map_err(refused)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = Box::pin(services.refunds.create(&origin, request)).await;
        let made = made.map_err(api_error)?;
        Ok(JsonAnswer::new(refund::answer(&made)))
    }

    async fn refunds_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<RefundsRetrievePath>,
        query: Query<RefundsRetrieveQuery>,
    ) -> ApiResult<types::Refund> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let refund_id = refund_id(&path.into_inner().refund_id)?;
        let scope = merchants_profile(&caller);
        let RefundsRetrieveQuery { force_sync } = query.into_inner();
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let found = services.refunds.retrieve(
            &origin,
            &merchant_id,
            scope.as_ref(),
            &refund_id,
            force_sync.unwrap_or(false),
        );
        let found = Box::pin(found).await.map_err(api_error)?;
        Ok(JsonAnswer::new(refund::answer(&found)))
    }

    async fn refunds_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<RefundsUpdatePath>,
        body: TypedBody<Box<types::RefundUpdateRequest>>,
    ) -> ApiResult<types::Refund> {
        let request = refund::update(
            merchant_id(&caller.merchant_id)?,
            merchants_profile(&caller),
            refund_id(&path.into_inner().refund_id)?,
            *body.into_inner(),
        );
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated = services.refunds.update(&origin, request).await;
        let updated = updated.map_err(api_error)?;
        Ok(JsonAnswer::new(refund::answer(&updated)))
    }
}

impl RefundsApiLiterals for Api {
    type Context = Context;

    async fn refunds_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        body: TypedBody<Box<types::RefundListRequest>>,
    ) -> ApiResult<types::RefundList> {
        let request = refund_search::list(*body.into_inner(), caller.profile_id.clone());
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let services = &rqctx.context().services;
        let found = services
            .refunds
            .list(&merchant_id, request.map_err(refused)?);
        let (refunds, total_count) = found.await.map_err(api_error)?;
        let data: Vec<_> = refunds.iter().map(refund::answer).collect();
        Ok(JsonAnswer::new(types::RefundList {
            count: data.len() as i32,
            total_count,
            data,
        }))
    }
}

fn refund_id(of_path: &str) -> Result<RefundId, ApiError> {
    RefundId::parse(of_path).map_err(|_| not_found(Object::Refund))
}
