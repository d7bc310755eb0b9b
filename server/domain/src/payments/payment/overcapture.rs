//! Overcapture: a capture above the authorized amount, if the merchant asked for it and the processor permits it. It is the
//! payment's only capture; several captures together take at most the authorized amount.

use crate::payments::payment::{Attempt, CaptureMethod, Payment};

impl Payment {
    /// Returns whether the payment itself asks for overcapture.
    pub(crate) fn wants_overcapture(&self) -> bool {
        self.terms.enable_overcapture == Some(true) && !self.terms.captures_at_once()
    }

    /// Returns `is_overcapture_enabled`: whether the processor permits it. `None` until the authorization is requested.
    pub fn is_overcapture_enabled(&self) -> Option<bool> {
        let asked = self.enables_overcapture()?;
        let attempt = self.active();
        attempt.authorization.as_ref()?;
        let granted = attempt.hold.as_ref().and_then(|hold| hold.most_capturable);
        Some(asked && granted.is_some_and(|most| most > attempt.authorized()))
    }

    /// Returns the largest amount of the next capture of an authorization.
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
    /// Returns the total that captures may take, in minor units: the authorized amount, or more if the processor permits it.
    pub(crate) fn most_capturable(&self) -> i64 {
        let granted = self.hold.as_ref().and_then(|hold| hold.most_capturable);
        self.authorized().max(granted.unwrap_or(0))
    }
}
