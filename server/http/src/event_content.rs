//! Objects in webhooks, as the API answers them to the merchant's secret key.

use multirail_app::customers::mandates::announce::MandateContent;
use multirail_app::payments::PaymentView;
use multirail_app::payments::content::PaymentContent;
use multirail_app::payments::disputes::DisputeView;
use multirail_app::payments::disputes::content::DisputeContent;
use multirail_app::payments::refunds::content::RefundContent;
use multirail_domain::customers::mandate::MandateView;
use multirail_domain::payments::refund::Refund;
use serde::Serialize;

use crate::customers::convert::mandate;
use crate::payments::convert::payment_answer::{Shown, payment};
use crate::payments::convert::{dispute, refund};

/// Renders objects as the API's own answers.
pub struct AsAnswered;

impl PaymentContent for AsAnswered {
    fn payment(&self, view: &PaymentView<'_>) -> String {
        json(&payment(view, Shown::default()))
    }
}

impl RefundContent for AsAnswered {
    fn refund(&self, refund: &Refund) -> String {
        json(&refund::answer(refund))
    }
}

impl DisputeContent for AsAnswered {
    fn dispute(&self, view: &DisputeView) -> String {
        json(&dispute::answer(view))
    }
}

impl MandateContent for AsAnswered {
    fn mandate(&self, view: &MandateView) -> String {
        json(&mandate::answer(view))
    }
}

fn json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).expect("answers are plain JSON")
}
