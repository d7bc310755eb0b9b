//! Overcapture: a capture that takes more than was authorized, where the merchant asked for that and the processor has granted
//! it. It is the payment's only capture; several add up to what was authorized at most.

use crate::payments::payment::{Attempt, CaptureMethod, Payment};

impl Payment {
    /// The payment itself wants a capture to be let take more than is authorized.
    pub(crate) fn wants_overcapture(&self) -> bool {
        self.terms.enable_overcapture == Some(true) && !self.terms.captures_at_once()
    }

    /// `is_overcapture_enabled`: whether the processor has granted it; unset until it was asked for.
    pub fn is_overcapture_enabled(&self) -> Option<bool> {
        let asked = self.enables_overcapture()?;
        let attempt = self.active();
        attempt.authorization.as_ref()?;
        let granted = attempt.hold.as_ref().and_then(|hold| hold.most_capturable);
        Some(asked && granted.is_some_and(|most| most > attempt.authorized()))
    }

    /// Returns what the next capture of a held authorization may take at most.
    pub(crate) fn most_to_capture(&self) -> i64 {
        let left = self.active().uncaptured_amount();
        let is_only = self.terms.capture_method != CaptureMethod::ManualMultiple;
        if self.asks_for_more(self.active()) && is_only && left > 0 {
            self.active().most_capturable()
        } else {
            left
        }
    }
}

impl Attempt {
    /// What captures may take in all: what was authorized, or more where the processor has granted it. In minor units.
    pub(crate) fn most_capturable(&self) -> i64 {
        let granted = self.hold.as_ref().and_then(|hold| hold.most_capturable);
        self.authorized().max(granted.unwrap_or(0))
    }
}
