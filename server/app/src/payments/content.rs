//! Payments in the bodies of webhooks.

use super::PaymentView;

/// Renders a payment for the body of a webhook.
pub trait PaymentContent: Send + Sync {
    /// Returns the payment as JSON, exactly as the API answers it to the merchant's secret key.
    fn payment(&self, view: &PaymentView<'_>) -> String;
}
