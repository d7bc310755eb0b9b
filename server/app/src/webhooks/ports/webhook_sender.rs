//! The port that sends to a merchant's endpoint.

use async_trait::async_trait;
use multirail_domain::webhooks::webhook::Exchange;
use multirail_kernel::secret::SecretText;

/// A POST request. `Debug` doesn't print its content.
pub struct WebhookRequest {
    pub url: String,
    /// The headers, except those of HTTP itself (`host`, `content-length`) and those of every delivery (`content-type`,
    /// `user-agent`, `accept`). Custom headers may be credentials.
    pub headers: Vec<(String, SecretText)>,
    pub body: String,
}

/// Sends within the configured time, only to allowed targets, and follows no redirects.
#[async_trait]
pub trait WebhookSender: Send + Sync {
    /// Sends the request. It never fails: the exchange contains any error.
    async fn send(&self, request: WebhookRequest) -> Exchange;
}
