//! The error mapping operations: translate, call, translate.

use dropshot::RequestContext;
use multirail_api::error_mappings::*;
use multirail_api::{Admin, Caller, JsonAnswer, TypedBody};
use multirail_types as types;

use super::convert::error_mapping;
use crate::platform::errors::{api_error, refused};
use crate::platform::origin;
use crate::{Api, ApiResult, Context};

impl ErrorMappingsApi for Api {
    type Context = Context;

    async fn gsm_create(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::ErrorMappingCreateRequest>>,
    ) -> ApiResult<types::ErrorMapping> {
        let (key, said) = error_mapping::create(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin(&rqctx, &caller);
        let services = &rqctx.context().services;
        let made = services.error_mappings.create(&origin, key, said).await;
        Ok(JsonAnswer::new(error_mapping::answer(
            &made.map_err(api_error)?,
        )))
    }

    async fn gsm_retrieve(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
        body: TypedBody<Box<types::ErrorMappingKey>>,
    ) -> ApiResult<types::ErrorMapping> {
        let key = error_mapping::key(*body.into_inner());
        let found = rqctx.context().services.error_mappings.find(&key).await;
        Ok(JsonAnswer::new(error_mapping::answer(
            &found.map_err(api_error)?,
        )))
    }

    async fn gsm_update(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::ErrorMappingUpdateRequest>>,
    ) -> ApiResult<types::ErrorMapping> {
        let (key, update) = error_mapping::update(*body.into_inner()).map_err(refused)?;
        let origin = origin::admin(&rqctx, &caller);
        let services = &rqctx.context().services;
        let updated = services.error_mappings.update(&origin, &key, update).await;
        Ok(JsonAnswer::new(error_mapping::answer(
            &updated.map_err(api_error)?,
        )))
    }

    async fn gsm_delete(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::ErrorMappingKey>>,
    ) -> ApiResult<types::ErrorMapping> {
        let key = error_mapping::key(*body.into_inner());
        let origin = origin::admin(&rqctx, &caller);
        let services = &rqctx.context().services;
        let deleted = services.error_mappings.delete(&origin, &key).await;
        Ok(JsonAnswer::new(error_mapping::answer(
            &deleted.map_err(api_error)?,
        )))
    }
}
