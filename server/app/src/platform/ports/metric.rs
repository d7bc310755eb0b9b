//! Metrics: their names and kinds.
//!
//! Any layer measures through the facade of the crate `metrics`, with a name from here. `telemetry` installs a recorder
//! where metrics are served. Without a recorder, measuring costs next to nothing.

use std::time::Duration;

pub use multirail_sql::metric::{COMMIT_BATCH, COMMIT_QUEUE, COMMIT_SECONDS};

/// Answered requests; labels `operation`, `status`.
pub const REQUESTS: &str = "multirail_requests_total";
/// Time to a request's answer; label `operation`.
pub const REQUEST_SECONDS: &str = "multirail_request_duration_seconds";
/// Requests under way.
pub const REQUESTS_IN_FLIGHT: &str = "multirail_requests_in_flight";
/// Requests refused because their key sends too many; label `key`.
pub const RATE_LIMITED: &str = "multirail_requests_rate_limited_total";
/// Requests refused because too many are under way.
pub const OVERLOADED: &str = "multirail_requests_overloaded_total";
/// Requests of merchants that the request log lacks; label `reason`: `rate`, `queue` or `store`.
pub const UNLOGGED_REQUESTS: &str = "multirail_requests_unlogged_total";
/// Requests whose proxy sends no readable address.
pub const UNREADABLE_FORWARDED: &str = "multirail_requests_unreadable_forwarded_total";
/// Time to a processor's answer; labels `connector`, `call`, `outcome`.
pub const PROCESSOR_SECONDS: &str = "multirail_processor_call_duration_seconds";
/// Calls to a processor without a trustworthy answer, or that never reached it; labels `connector`, `call`, `reason`.
pub const PROCESSOR_FAILURES: &str = "multirail_processor_failures_total";
/// Operations without a final answer, as operators can list them; label `with`, `processor` or `payer`.
pub const OPEN_OUTCOMES: &str = "multirail_open_operations";
/// Rounds of `operation_sync`; label `result`.
pub const SYNC_ROUNDS: &str = "multirail_operation_sync_rounds_total";
/// Operations that `operation_sync` asked about; label `result`.
pub const SYNC_OPERATIONS: &str = "multirail_operation_sync_operations_total";
/// Tries to deliver a webhook; labels `kind`, `result`.
pub const WEBHOOKS: &str = "multirail_webhooks_total";
/// Time of an exchange with a merchant's endpoint; label `result`.
pub const WEBHOOK_SECONDS: &str = "multirail_webhook_duration_seconds";
/// Waiting deliveries for endpoints that are not paused.
pub const WEBHOOK_QUEUE: &str = "multirail_webhook_queue";
/// The time for which the oldest of them has been due.
pub const WEBHOOK_OLDEST_DUE: &str = "multirail_webhook_oldest_due_seconds";
/// Received notices of processors; labels `connector`, `result`.
pub const NOTICES: &str = "multirail_notices_total";
/// Notices that were worked on; labels `connector`, `status`: the result, or `failed`.
pub const NOTICES_WORKED_ON: &str = "multirail_notices_worked_on_total";
/// Notices without a valid signature of the account's processor; labels `connector`, `account`: the id of an existing
/// account, or `other` after a thousand accounts.
pub const NOTICES_NOT_VERIFIED: &str = "multirail_notices_not_verified_total";
/// Notices that wait to be worked on.
pub const NOTICES_WAITING: &str = "multirail_notices_waiting";
/// Workers that panicked or ended early and are restarted; labels `worker`, `kind`.
pub const WORKER_FAILURES: &str = "multirail_worker_failures_total";
/// Tasks of a worker that panicked, such as one sync or one webhook; label `worker`.
pub const WORKER_TASK_PANICS: &str = multirail_platform::workers::TASK_PANICS;
/// Rows of a list that can't be read and are left out; label `table`.
pub const UNREADABLE_ROWS: &str = "multirail_store_unreadable_rows_total";
/// Connections that the guard accepted or refused; label `result`.
pub const CONNECTIONS: &str = "multirail_connections_total";
/// Connections that are open at the guard.
pub const CONNECTIONS_OPEN: &str = "multirail_connections_open";
/// Streams of changes that are open.
pub const STREAMS_OPEN: &str = "multirail_streams_open";
/// Connections that the guard ended; label `reason`.
pub const CONNECTIONS_ENDED: &str = "multirail_connections_ended_total";

/// The kind of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A value that only grows.
    Counter,
    /// A value that goes up and down.
    Gauge,
    /// Counts of values up to each of these limits.
    Histogram(&'static [f64]),
}

/// One metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    pub name: &'static str,
    pub form: Form,
    /// The help text for readers.
    pub help: &'static str,
}

/// Seconds, from half a millisecond to half a minute.
const SECONDS: Form = Form::Histogram(&[
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
]);

const SIZES: Form = Form::Histogram(&[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]);

/// All metrics.
pub const ALL: &[Metric] = &[
    metric(
        REQUESTS,
        Form::Counter,
        "Requests that have their answer, by operation and status.",
    ),
    metric(
        REQUEST_SECONDS,
        SECONDS,
        "Time to a request's answer, by operation, in seconds.",
    ),
    metric(
        REQUESTS_IN_FLIGHT,
        Form::Gauge,
        "Requests that are being worked on.",
    ),
    metric(
        RATE_LIMITED,
        Form::Counter,
        "Requests refused because their key asks too fast, by kind of key.",
    ),
    metric(
        UNREADABLE_FORWARDED,
        Form::Counter,
        "Requests whose proxy tells no address that can be read.",
    ),
    metric(
        OVERLOADED,
        Form::Counter,
        "Requests refused because too many are being worked on.",
    ),
    metric(
        UNLOGGED_REQUESTS,
        Form::Counter,
        "Requests of merchants that are missing in the request log, by reason.",
    ),
    metric(
        PROCESSOR_SECONDS,
        SECONDS,
        "Time to a processor's answer, by connector, kind of call and outcome, in seconds.",
    ),
    metric(
        PROCESSOR_FAILURES,
        Form::Counter,
        "Calls to a processor that brought no answer that can be trusted, or never got there, by connector, kind of call and reason.",
    ),
    metric(
        COMMIT_SECONDS,
        SECONDS,
        "Time to store a change-set, waiting included, in seconds.",
    ),
    metric(
        COMMIT_BATCH,
        SIZES,
        "Change-sets in one database transaction.",
    ),
    metric(
        COMMIT_QUEUE,
        Form::Gauge,
        "Change-sets that wait for the database's writer.",
    ),
    metric(
        OPEN_OUTCOMES,
        Form::Gauge,
        "Operations without a final answer, by who they wait for.",
    ),
    metric(
        SYNC_ROUNDS,
        Form::Counter,
        "Rounds of operation_sync, by result.",
    ),
    metric(
        SYNC_OPERATIONS,
        Form::Counter,
        "Operations that operation_sync asked about, by result.",
    ),
    metric(
        WEBHOOKS,
        Form::Counter,
        "Tries to deliver a webhook, by kind and result.",
    ),
    metric(
        WEBHOOK_SECONDS,
        SECONDS,
        "Time of an exchange with a merchant's endpoint, by result, in seconds.",
    ),
    metric(
        WEBHOOK_QUEUE,
        Form::Gauge,
        "Webhooks that wait to be delivered, without those of paused endpoints; of each endpoint at most 10001.",
    ),
    metric(
        WEBHOOK_OLDEST_DUE,
        Form::Gauge,
        "For how long the oldest of these webhooks is due, in seconds.",
    ),
    metric(
        NOTICES,
        Form::Counter,
        "Notices of processors that came in, by connector and what became of them.",
    ),
    metric(
        NOTICES_WORKED_ON,
        Form::Counter,
        "Notices of processors that were worked on, by connector and what became of them.",
    ),
    metric(
        NOTICES_NOT_VERIFIED,
        Form::Counter,
        "Notices that the account's processor has not signed, by connector and connector account.",
    ),
    metric(
        NOTICES_WAITING,
        Form::Gauge,
        "Notices of processors that are to be worked on.",
    ),
    metric(
        WORKER_FAILURES,
        Form::Counter,
        "Workers that failed and were started again, by worker and kind of failure.",
    ),
    metric(
        WORKER_TASK_PANICS,
        Form::Counter,
        "Tasks of a worker that panicked, by worker.",
    ),
    metric(
        UNREADABLE_ROWS,
        Form::Counter,
        "Stored rows that can't be read and were left out of a list, by table.",
    ),
    metric(
        CONNECTIONS,
        Form::Counter,
        "Connections that were taken or refused.",
    ),
    metric(CONNECTIONS_OPEN, Form::Gauge, "Connections that are open."),
    metric(
        STREAMS_OPEN,
        Form::Gauge,
        "Streams of changes that are open.",
    ),
    metric(
        CONNECTIONS_ENDED,
        Form::Counter,
        "Connections that ended, by reason.",
    ),
];

const fn metric(name: &'static str, form: Form, help: &'static str) -> Metric {
    Metric { name, form, help }
}

/// Records the outcome of a call to a processor, with the reason where the processor or the connection is to blame.
pub(crate) fn processor_call(
    connector: &str,
    call: &'static str,
    outcome: &'static str,
    failure: Option<&'static str>,
    took: Duration,
) {
    metrics::histogram!(
        PROCESSOR_SECONDS,
        "connector" => connector.to_owned(),
        "call" => call,
        "outcome" => outcome
    )
    .record(took.as_secs_f64());
    if let Some(reason) = failure {
        metrics::counter!(
            PROCESSOR_FAILURES,
            "connector" => connector.to_owned(),
            "call" => call,
            "reason" => reason
        )
        .increment(1);
    }
}
