//! The health operations, for load balancers and monitoring.

use std::time::Duration;

use dropshot::RequestContext;
use http::StatusCode;
use multirail_api::health::*;
use multirail_api::{Admin, ApiError, Caller, JsonAnswer, PlainText};
use multirail_app::platform::ports::{Database, StoreFailure};
use multirail_app::platform::worker_health::{WorkerHealth, WorkerStatus};
use multirail_app::{Retention, Services};
use multirail_types as types;
use tokio::time::timeout;

use crate::{Api, Context};

const READY: &str = "ready";
const DEGRADED: &str = "degraded";
const RESTARTING: &str = "restarting";
const DATABASE: &str = "database";

/// Seconds of an hour and of a day. The settings have whole ones.
const HOUR: i64 = 3_600;
const DAY: i64 = 86_400;

/// The time limit for the database. Load balancers give up after a few seconds.
const DATABASE_PATIENCE: Duration = Duration::from_secs(2);

impl HealthApi for Api {
    type Context = Context;

    async fn health_check(_rqctx: RequestContext<Context>) -> Result<PlainText, ApiError> {
        Ok(PlainText::new("health is good".to_owned()))
    }

    async fn health_ready(
        rqctx: RequestContext<Context>,
    ) -> Result<JsonAnswer<types::Readiness>, ApiError> {
        let state = rqctx.context();
        if state.stopping.has_begun() {
            return Err(unavailable(
                "The server is stopping.".to_owned(),
                String::new(),
            ));
        }
        state.traffic.check_room()?;
        let services = &state.services;
        match timeout(DATABASE_PATIENCE, check_database(services.store.as_ref())).await {
            Ok(checked) => checked?,
            Err(_) => {
                let why = format!("no answer within {DATABASE_PATIENCE:?}");
                return Err(not_ready("it does not answer", why));
            }
        }
        Ok(JsonAnswer::new(with_workers(&services.worker_health)))
    }

    async fn health_describe(
        rqctx: RequestContext<Context>,
        _caller: Caller<Admin>,
    ) -> Result<JsonAnswer<types::ServerDetails>, ApiError> {
        let state = rqctx.context();
        let readiness = with_workers(&state.services.worker_health);
        Ok(JsonAnswer::new(types::ServerDetails {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            is_sandbox: state.is_sandbox,
            public_url: state.public_url.clone(),
            status: readiness.status,
            components: readiness.components,
            retention: retention(&state.services),
        }))
    }
}

/// Returns the times for which the reaper keeps data.
fn retention(services: &Services) -> types::ServerRetention {
    let Retention {
        idempotency_seconds,
        change_set_seconds,
    } = services.retention;
    types::ServerRetention {
        idempotency_hours: idempotency_seconds / HOUR,
        change_set_days: change_set_seconds / DAY,
        request_log_days: services.request_log.retention_seconds / DAY,
        event_days: services.deliveries.terms.retention_seconds / DAY,
    }
}

/// Queries the database, and checks that it accepts writes.
async fn check_database(store: &dyn Database) -> Result<(), ApiError> {
    match store.check_writes().await {
        Ok(()) => {}
        Err(StoreFailure::Standstill(standstill, why)) => {
            let reason = format!("nothing can be stored, as {}", standstill.reason());
            return Err(not_ready(&reason, why));
        }
        Err(
            failure @ (StoreFailure::Unavailable(_)
            | StoreFailure::Destroyed(_)
            | StoreFailure::Broken(_)),
        ) => {
            return Err(not_ready("it can't be reached", failure.to_string()));
        }
    }
    // This query also shows whether the database answers.
    match store.pending_migrations().await {
        Ok(pending) if pending.is_empty() => Ok(()),
        Ok(pending) => Err(not_ready(
            "its schema is older than this server",
            format!("pending migrations: {}", pending.join(", ")),
        )),
        Err(failure) => Err(not_ready("it can't be reached", failure.to_string())),
    }
}

/// Returns the answer of a server whose database works. It names failed workers, and the server stays ready. Requests
/// don't need workers, and a fault that all servers share would otherwise stop all traffic.
fn with_workers(health: &WorkerHealth) -> types::Readiness {
    let mut status = READY;
    let mut components = vec![component(DATABASE, READY)];
    for (name, worker) in health.all() {
        components.push(match worker {
            WorkerStatus::Ready => component(name, READY),
            WorkerStatus::Restarting => {
                status = DEGRADED;
                component(name, RESTARTING)
            }
        });
    }
    types::Readiness {
        status: status.to_owned(),
        components,
    }
}

fn component(name: &str, status: &str) -> types::ReadinessComponent {
    types::ReadinessComponent {
        name: name.to_owned(),
        status: status.to_owned(),
    }
}

/// Returns 503 `HE_00` with the part's name.
fn not_ready(why: &str, context: String) -> ApiError {
    unavailable(format!("The {DATABASE} is not ready: {why}."), context)
}

fn unavailable(message: String, context: String) -> ApiError {
    let mut error = ApiError::internal(context);
    error.status = StatusCode::SERVICE_UNAVAILABLE;
    error.message = message;
    error
}
