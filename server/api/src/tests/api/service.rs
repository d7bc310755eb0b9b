//! The service itself.

use dropshot::RequestContext;

use super::{Notes, TestApi, example};
use crate::*;

impl service_keys::ServiceKeysApi for TestApi {
    type Context = Notes;

    methods! {
        keys_retrieve(
            caller: Caller<Admin>
        ) -> types::ServiceKeys;
        keys_rotate(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::KeysRotateRequest>>
        ) -> types::ServiceKeys;
    }
}

impl sandbox::SandboxApi for TestApi {
    type Context = Notes;

    methods! {
        sandbox_clock_advance(
            caller: Caller<Admin>,
            body: TypedBody<Box<types::SandboxClockAdvanceRequest>>
        ) -> types::SandboxClock;
    }
}

impl health::HealthApi for TestApi {
    type Context = Notes;

    async fn health_check(_: RequestContext<Notes>) -> Result<PlainText, ApiError> {
        Ok(PlainText::new("health is good".to_owned()))
    }

    methods! {
        health_ready() -> types::Readiness;
        health_describe(caller: Caller<Admin>) -> types::ServerDetails;
    }
}
