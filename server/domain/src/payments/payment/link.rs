//! The hosted page where a payer can pay: whether it takes a payment now.

use multirail_kernel::timestamp::Timestamp;

use crate::payments::payment::{Payment, PaymentStatus};

/// Whether the page takes a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTurn {
    /// It does.
    First,
    /// It does, although a try has failed.
    Again,
    /// The payment waits for a payer, but no longer.
    Late,
    /// The payment doesn't wait for an instrument.
    No,
}

impl Payment {
    /// Whether the payment has a page.
    pub fn has_link(&self) -> bool {
        self.particulars.payment_link == Some(true)
    }

    /// Returns whether another card may be tried after a refusal. The profile's word counts; without one it may for a payment with a
    /// page, whose payer has no shop to go back to.
    pub fn is_manual_retry_enabled(&self, profile: Option<bool>) -> bool {
        profile.unwrap_or_else(|| self.has_link())
    }

    /// Whether a payer may give an instrument now: as a confirm by his client would be judged.
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
