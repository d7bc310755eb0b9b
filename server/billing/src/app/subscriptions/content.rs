//! Subscriptions in the bodies of webhooks.

use super::SubscriptionView;

/// Renders a subscription for the body of a webhook.
pub trait SubscriptionContent: Send + Sync {
    /// Returns the subscription as JSON, with the paid invoice.
    fn subscription(&self, view: &SubscriptionView) -> String;
}
