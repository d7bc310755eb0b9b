//! Settings of webhook deliveries.

use std::time::Duration;

use multirail_domain::webhooks::webhook::{Jitter, RetrySchedule};

use super::values::{self, Value};
use super::{Raw, Reader, Setting};

/// The settings of webhook deliveries.
#[derive(Clone, Debug)]
pub struct Webhooks {
    /// Limit for one whole exchange with an endpoint.
    pub timeout: Duration,
    /// Pauses before the automatic retries.
    pub retry_schedule: RetrySchedule,
    /// How much pauses are prolonged by chance.
    pub retry_jitter: Jitter,
    /// Deliveries under way at once.
    pub concurrency: usize,
    /// Deliveries under way to one endpoint at once.
    pub endpoint_concurrency: usize,
    /// How much of an endpoint's answer is stored, in bytes.
    pub answer_limit_bytes: usize,
    /// How long a failing delivery blocks later ones of its object, in seconds.
    pub order_patience_seconds: i64,
    /// Seconds without any success after which an endpoint is paused; 0 never.
    pub pause_after_seconds: i64,
    /// How long events and delivery attempts are stored, in days.
    pub event_retention_days: i64,
}

impl Webhooks {
    pub(super) fn read(reader: &mut Reader) -> Self {
        Webhooks {
            timeout: reader.ms(Setting::WebhookTimeoutMs, 100..=600_000, 30_000),
            retry_schedule: reader.or(
                Setting::WebhookRetrySchedule,
                retry_schedule,
                RetrySchedule::default(),
            ),
            retry_jitter: Jitter(
                reader.number(Setting::WebhookRetryJitterPercent, 0..=100, 10) as u32,
            ),
            concurrency: reader.number(Setting::WebhookConcurrency, 1..=10_000, 256) as usize,
            endpoint_concurrency: reader.number(Setting::WebhookEndpointConcurrency, 1..=1_000, 16)
                as usize,
            answer_limit_bytes: reader.number(
                Setting::WebhookAnswerLimitBytes,
                0..=1_048_576,
                16_384,
            ) as usize,
            order_patience_seconds: reader.number(
                Setting::WebhookOrderPatienceSeconds,
                0..=604_800,
                600,
            ) as i64,
            pause_after_seconds: reader.number(
                Setting::WebhookPauseAfterSeconds,
                0..=7_776_000,
                432_000,
            ) as i64,
            event_retention_days: reader.number(Setting::EventRetentionDays, 1..=3_650, 90) as i64,
        }
    }
}

fn retry_schedule(raw: &Raw) -> Value<RetrySchedule> {
    let text = values::text(raw)?;
    text.parse()
        .map_err(|error| format!("{error}, not {text:?}"))
}
