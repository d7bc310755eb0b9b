//! Builds the webhook sender.

use std::sync::Arc;

use multirail_app::webhooks::events::DeliveryTerms;
use multirail_app::webhooks::ports::WebhookSender;
use multirail_outbound::{Bounds, GuardedClient, Manner};
use multirail_senders::webhooks::HttpWebhookSender;

use crate::config::Config;

/// Returns the terms of deliveries.
pub(super) fn terms(config: &Config) -> DeliveryTerms {
    let webhooks = &config.webhooks;
    DeliveryTerms {
        timeout: webhooks.timeout,
        retry_schedule: webhooks.retry_schedule.clone(),
        retry_jitter: webhooks.retry_jitter,
        concurrency: webhooks.concurrency,
        endpoint_concurrency: webhooks.endpoint_concurrency,
        order_patience_seconds: webhooks.order_patience_seconds,
        pause_after_seconds: webhooks.pause_after_seconds,
        retention_seconds: webhooks.event_retention_days * 86_400,
    }
}

/// Returns the sender for merchants' endpoints.
pub(super) fn sender(config: &Config) -> Arc<dyn WebhookSender> {
    let bounds = Bounds {
        time: config.webhooks.timeout,
        body_bytes: config.webhooks.answer_limit_bytes,
    };
    let client = GuardedClient::new(config.webhook_targets(), &Manner::webhooks());
    Arc::new(HttpWebhookSender::new(client, bounds))
}
