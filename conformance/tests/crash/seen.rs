//! The answers that clients saw.

use serde_json::Value;

/// An answer that a client saw.
#[derive(Clone, Debug)]
pub struct Seen {
    pub operation: &'static str,
    /// The payment of the request; for a refund, the payment that is refunded.
    pub payment_id: String,
    pub status: u16,
    pub body: Value,
    pub replayed: bool,
    /// An earlier try of this request got no answer.
    pub cut_off: bool,
    /// An earlier try got 503, which leaves open whether work was begun.
    pub told_503: bool,
}

impl Seen {
    /// Returns the id if the answer is a dispute.
    pub fn dispute_id(&self) -> Option<&str> {
        self.body["dispute_id"].as_str()
    }

    /// Returns whether the answer is a payment or an error.
    pub fn is_of_payment(&self) -> bool {
        self.refund_id().is_none() && self.dispute_id().is_none()
    }

    /// Returns the id if the answer is a refund.
    pub fn refund_id(&self) -> Option<&str> {
        self.body["refund_id"].as_str()
    }
}
