//! Subscriptions in the bodies of webhooks.

use super::SubscriptionView;

/// Renders a subscription for the body of a webhook.
pub trait SubscriptionContent: Send + Sync {
    /// The subscription as JSON, with the invoice that was paid.
    fn subscription(&self, view: &SubscriptionView) -> String;
}
