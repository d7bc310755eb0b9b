//! The sandbox operations. Outside a sandbox their paths are unknown.

use dropshot::RequestContext;
use multirail_api::sandbox::*;
use multirail_api::{Admin, ApiError, Caller, JsonAnswer, TypedBody};
use multirail_types as types;

use super::errors::api_error;
use super::origin;
use crate::{Api, Context};

impl SandboxApi for Api {
    type Context = Context;

    async fn sandbox_clock_advance(
        rqctx: RequestContext<Context>,
        caller: Caller<Admin>,
        body: TypedBody<Box<types::SandboxClockAdvanceRequest>>,
    ) -> Result<JsonAnswer<types::SandboxClock>, ApiError> {
        let state = rqctx.context();
        if !state.is_sandbox {
            return Err(ApiError::unknown_route());
        }
        let types::SandboxClockAdvanceRequest {
            advance_seconds: seconds,
        } = *body.into_inner();
        let advanced = state
            .services
            .sandbox
            .advance_clock(&origin::admin(&rqctx, &caller), seconds)
            .await;
        let time = advanced.map_err(api_error)?;
        Ok(JsonAnswer::new(types::SandboxClock {
            now: time.now.to_datetime(),
            advanced_seconds: time.advanced_seconds,
        }))
    }
}
