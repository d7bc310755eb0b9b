//! What delivers webhooks.

use std::sync::Arc;
use std::time::Duration;

use crate::adapters::outbound::{Bounds, GuardedClient};
use crate::adapters::webhook_http::HttpWebhookSender;
use crate::config::Config;
use crate::ports::WebhookSender;

/// Who sends to merchants' endpoints.
pub(super) fn sender(config: &Config) -> Arc<dyn WebhookSender> {
    let bounds = Bounds {
        time: Duration::from_secs(30),
        body_bytes: 16_384,
    };
    let client = GuardedClient::new(config.webhook_targets());
    Arc::new(HttpWebhookSender::new(client, bounds))
}
