//! The hosted page of a payment: whether it accepts a payment now.

use multirail_kernel::timestamp::Timestamp;

use crate::payments::payment::{Payment, PaymentStatus};

/// The state of a payment's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTurn {
    /// The page accepts a payment.
    First,
    /// The page accepts a payment after a failed one.
    Again,
    /// The payment awaits a payer, but its session has expired.
    Late,
    /// The payment doesn't await a payment method.
    No,
}

/// The way to another method for a payer whose method is still waiting for them. Meanwhile a confirm is refused, and only
/// the merchant's key can cancel. (Facts 2.10, 3.3.1)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherWay {
    /// The payer cancels at the processor's page. The form is open again then.
    Cancel,
    /// The form is open again after this moment, if nobody has paid by then.
    After(Timestamp),
    /// The payer asks the merchant for another payment.
    Merchant,
}

impl Payment {
    /// Returns whether the payment has a page.
    pub fn has_link(&self) -> bool {
        self.particulars.payment_link == Some(true)
    }

    /// Returns whether another card may be tried after a refusal. The profile's setting counts. Without one, only a payment
    /// with a page may, because its payer can't go back to a shop.
    pub fn is_manual_retry_enabled(&self, profile: Option<bool>) -> bool {
        profile.unwrap_or_else(|| self.has_link())
    }

    /// Returns the payment without the method of an earlier attempt, since the page asks for a method anew.
    #[must_use]
    pub fn without_method(&self) -> Payment {
        let mut payment = self.clone();
        payment.active_mut().instrument = None;
        payment
    }

    /// Returns the payer's way to another method, if the payment waits for the payer and no part of a transfer has arrived.
    pub fn other_way(&self, manual_retry_enabled: bool, now: Timestamp) -> Option<OtherWay> {
        let attempt = self.active();
        let is_waiting = self.status == PaymentStatus::RequiresCustomerAction;
        if !is_waiting || attempt.awaits_device_data() || attempt.missing_of_transfer().is_some() {
            return None;
        }
        let retries = manual_retry_enabled && self.has_attempts_left();
        let opens_at = |moment: Timestamp| {
            retries && moment <= self.expires_at && self.is_in_time_for_retry(moment)
        };
        if attempt.shown_step.is_none() && opens_at(now) {
            return Some(OtherWay::Cancel);
        }
        let end = attempt.step_expires_at;
        let end = end.filter(|end| opens_at(now.max(*end)));
        Some(end.map_or(OtherWay::Merchant, OtherWay::After))
    }

    /// Returns the state of the page. It agrees with the checks of a confirm by the payer's client.
    pub fn link_turn(&self, manual_retry_enabled: bool, now: Timestamp) -> LinkTurn {
        let is_late = now > self.expires_at;
        match self.status {
            PaymentStatus::RequiresPaymentMethod | PaymentStatus::RequiresConfirmation => {
                if is_late {
                    LinkTurn::Late
                } else {
                    LinkTurn::First
                }
            }
            PaymentStatus::Failed => {
                if !is_late && self.check_retry(manual_retry_enabled, now).is_ok() {
                    LinkTurn::Again
                } else {
                    LinkTurn::No
                }
            }
            PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Conflicted
            | PaymentStatus::Expired => LinkTurn::No,
        }
    }
}
