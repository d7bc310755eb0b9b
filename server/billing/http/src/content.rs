//! Subscriptions in the bodies of webhooks, as the API answers them to the merchant's secret key.

use multirail_billing::app::subscriptions::SubscriptionView;
use multirail_billing::app::subscriptions::content::SubscriptionContent;

use super::convert::subscription;

/// Renders subscriptions as the API answers them.
pub struct AsAnswered;

impl SubscriptionContent for AsAnswered {
    fn subscription(&self, view: &SubscriptionView) -> String {
        serde_json::to_string(&subscription::answer(view)).expect("answers are plain JSON")
    }
}
