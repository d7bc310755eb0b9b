//! The health operations, for load balancers and monitoring.

use dropshot::{HttpResponseOk, RequestContext};
use http::StatusCode;
use multirail_api::health::*;
use multirail_api::{ApiError, PlainText};
use multirail_types as types;

use super::{Api, Context};
use crate::ports::StoreFailure;

const READY: &str = "ready";
const DATABASE: &str = "database";

impl HealthApi for Api {
    type Context = Context;

    async fn health_check(_rqctx: RequestContext<Context>) -> Result<PlainText, ApiError> {
        Ok(PlainText("health is good".to_owned()))
    }

    async fn health_ready(
        rqctx: RequestContext<Context>,
    ) -> Result<HttpResponseOk<types::Readiness>, ApiError> {
        let store = &rqctx.context().app.store;
        match store.check_writes().await {
            Ok(()) => {}
            Err(StoreFailure::Standstill(standstill, why)) => {
                let reason = format!("nothing can be stored, as {}", standstill.reason());
                return Err(not_ready(&reason, why));
            }
            Err(failure @ (StoreFailure::Unavailable(_) | StoreFailure::Broken(_))) => {
                return Err(not_ready("it can't be reached", failure.to_string()));
            }
        }
        // Asks the database, so it tells whether there is one as well.
        match store.pending_migrations().await {
            Ok(pending) if pending.is_empty() => Ok(HttpResponseOk(types::Readiness {
                status: READY.to_owned(),
                components: vec![types::ReadinessComponent {
                    name: DATABASE.to_owned(),
                    status: READY.to_owned(),
                }],
            })),
            Ok(pending) => Err(not_ready(
                "its schema is older than this server",
                format!("pending migrations: {}", pending.join(", ")),
            )),
            Err(failure) => Err(not_ready("it can't be reached", failure.to_string())),
        }
    }
}

/// 500 `HE_00` naming the part.
fn not_ready(why: &str, context: String) -> ApiError {
    let mut error = ApiError::internal(context);
    error.status = StatusCode::INTERNAL_SERVER_ERROR;
    error.message = format!("The {DATABASE} is not ready: {why}.");
    error
}
