//! Objects as webhooks carry them: what the API answers to the merchant's secret key.

use multirail_app::events::EventContent;
use multirail_app::payments::PaymentView;

use super::convert::payment_answer::{Shown, payment};

/// The API's own answers.
pub struct AsAnswered;

impl EventContent for AsAnswered {
    fn payment(&self, view: &PaymentView) -> String {
        serde_json::to_string(&payment(view.clone(), Shown::default()))
            .expect("answers are plain JSON")
    }
}
