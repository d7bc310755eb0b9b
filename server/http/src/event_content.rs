//! Objects as webhooks carry them: what the API answers to the merchant's secret key.

use multirail_app::disputes::DisputeView;
use multirail_app::events::EventContent;
use multirail_app::payments::PaymentView;
use multirail_app::subscriptions::SubscriptionView;
use multirail_domain::mandate::MandateView;
use multirail_domain::refund::Refund;
use serde::Serialize;

use super::convert::payment_answer::{Shown, payment};
use super::convert::{dispute, mandate, refund, subscription};

/// The API's own answers.
pub struct AsAnswered;

impl EventContent for AsAnswered {
    fn payment(&self, view: &PaymentView<'_>) -> String {
        json(&payment(view, Shown::default()))
    }

    fn refund(&self, refund: &Refund) -> String {
        json(&refund::answer(refund))
    }

    fn dispute(&self, view: &DisputeView) -> String {
        json(&dispute::answer(view))
    }

    fn mandate(&self, view: &MandateView) -> String {
        json(&mandate::answer(view))
    }

    fn subscription(&self, view: &SubscriptionView) -> String {
        json(&subscription::answer(view))
    }
}

fn json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).expect("answers are plain JSON")
}
