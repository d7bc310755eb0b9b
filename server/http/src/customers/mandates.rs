//! The operations of mandates: translate, call, translate. Mandates and customers belong to the merchant: no profile
//! narrows them.

use dropshot::RequestContext;
use multirail_api::mandates::*;
use multirail_api::{ApiError, Caller, JsonAnswer, Merchant, Path, Query};
use multirail_kernel::ids::{CustomerId, MandateId};
use multirail_kernel::refusal::Object;
use multirail_types as types;

use super::convert::mandate;
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::platform::scope::{merchant_id, not_found};
use crate::{Api, ApiResult, Context};

impl MandatesApi for Api {
    type Context = Context;

    async fn mandates_retrieve(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<MandatesRetrievePath>,
    ) -> ApiResult<types::Mandate> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let mandate_id = mandate_id(&path.into_inner().mandate_id)?;
        let services = &rqctx.context().services;
        let found = services.mandates.retrieve(&merchant_id, &mandate_id).await;
        let found = found.map_err(api_error)?;
        Ok(JsonAnswer::new(mandate::answer(&found)))
    }

    async fn customer_mandates_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<CustomerMandatesListPath>,
        query: Query<CustomerMandatesListQuery>,
    ) -> ApiResult<Vec<types::Mandate>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let customer_id = CustomerId::parse(&path.into_inner().customer_id)
            .map_err(|_| not_found(Object::Customer))?;
        let request = mandate::of_customer(query.into_inner());
        let services = &rqctx.context().services;
        let found = services
            .mandates
            .list_of_customer(&merchant_id, &customer_id, request);
        let found = found.await.map_err(api_error)?;
        Ok(JsonAnswer::new(found.iter().map(mandate::answer).collect()))
    }
}

impl MandatesApiLiterals for Api {
    type Context = Context;

    async fn mandates_revoke(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        path: Path<MandatesRevokePath>,
    ) -> ApiResult<types::MandateRevoked> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let mandate_id = mandate_id(&path.into_inner().mandate_id)?;
        let origin = origin::merchant(&rqctx, &caller);
        let services = &rqctx.context().services;
        let revoked = services
            .mandates
            .revoke(&origin, &merchant_id, &mandate_id)
            .await;
        let revoked = revoked.map_err(api_error)?;
        Ok(JsonAnswer::new(mandate::revoked(&revoked)))
    }

    async fn mandates_list(
        rqctx: RequestContext<Context>,
        caller: Caller<Merchant>,
        query: Query<MandatesListQuery>,
    ) -> ApiResult<Vec<types::Mandate>> {
        let merchant_id = merchant_id(&caller.merchant_id)?;
        let request = mandate::list(query.into_inner()).map_err(refused)?;
        let services = &rqctx.context().services;
        let found = services.mandates.list(&merchant_id, request).await;
        let found = found.map_err(api_error)?;
        Ok(JsonAnswer::new(found.iter().map(mandate::answer).collect()))
    }
}

fn mandate_id(of_path: &str) -> Result<MandateId, ApiError> {
    MandateId::parse(of_path).map_err(|_| not_found(Object::Mandate))
}
