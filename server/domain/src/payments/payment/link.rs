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
