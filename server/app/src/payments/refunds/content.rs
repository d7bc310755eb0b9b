//! Refunds in the bodies of webhooks.

use multirail_domain::payments::refund::Refund;

/// Renders a refund for the body of a webhook.
pub trait RefundContent: Send + Sync {
    /// Returns the refund as JSON, exactly as the API answers it to the merchant's secret key.
    fn refund(&self, refund: &Refund) -> String;
}
