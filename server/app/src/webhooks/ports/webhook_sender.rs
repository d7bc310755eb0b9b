//! Sending to a merchant's endpoint.

use async_trait::async_trait;
use multirail_domain::webhooks::webhook::Exchange;
use multirail_kernel::secret::SecretText;

/// One POST. Doesn't print what is in it.
pub struct WebhookRequest {
    pub url: String,
    /// Everything beside what HTTP itself needs (`host`, `content-length`) and what every delivery says (`content-type`,
    /// `user-agent`, `accept`). Custom headers may be credentials.
    pub headers: Vec<(String, SecretText)>,
    pub body: String,
}

/// Sends within the configured time, to allowed targets only, and follows no redirects.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Never fails: what went wrong is in the exchange.
    async fn send(&self, request: WebhookRequest) -> Exchange;
}
