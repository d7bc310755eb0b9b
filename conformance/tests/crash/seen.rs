//! The answers that clients saw.

use serde_json::Value;

/// An answer that a client saw.
#[derive(Clone, Debug)]
pub struct Seen {
    pub operation: &'static str,
    /// The payment that was asked about, or the one whose refund was.
    pub payment_id: String,
    pub status: u16,
    pub body: Value,
    pub replayed: bool,
    /// An earlier try of the same request got no answer.
    pub cut_off: bool,
    /// An earlier try was told 503, which leaves open whether something was begun.
    pub told_503: bool,
}

impl Seen {
    /// The dispute that was answered.
    pub fn dispute_id(&self) -> Option<&str> {
        self.body["dispute_id"].as_str()
    }

    /// A payment was answered, or an error was.
    pub fn is_of_payment(&self) -> bool {
        self.refund_id().is_none() && self.dispute_id().is_none()
    }

    /// The refund that was answered; none where a payment or an error was.
    pub fn refund_id(&self) -> Option<&str> {
        self.body["refund_id"].as_str()
    }
}
