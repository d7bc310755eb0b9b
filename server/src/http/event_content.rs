//! Objects as webhooks carry them: what the API answers to the merchant's secret key.

use super::convert::payment_answer::{Shown, payment};
use crate::app::events::EventContent;
use crate::app::payments::PaymentView;

/// The API's own answers.
pub struct AsAnswered;

impl EventContent for AsAnswered {
    fn payment(&self, view: &PaymentView) -> String {
        serde_json::to_string(&payment(view.clone(), Shown::default()))
            .expect("answers are plain JSON")
    }
}
