//! Disputes in the bodies of webhooks.

use super::DisputeView;

/// Renders a dispute for the body of a webhook.
pub trait DisputeContent: Send + Sync {
    /// Returns the dispute as JSON, exactly as the API answers it to the merchant's secret key.
    fn dispute(&self, view: &DisputeView) -> String;
}
