//! The statuses that merchants see. Each subject defines its transitions.

use crate::words::words;

words! {
    /// Status of a payment, as merchants see it. It always follows the newest attempt.
    pub enum PaymentStatus {
        RequiresPaymentMethod = "requires_payment_method",
        RequiresConfirmation = "requires_confirmation",
        RequiresCustomerAction = "requires_customer_action",
        RequiresMerchantAction = "requires_merchant_action",
        Processing = "processing",
        RequiresCapture = "requires_capture",
        PartiallyAuthorizedAndRequiresCapture = "partially_authorized_and_requires_capture",
        PartiallyCapturedAndCapturable = "partially_captured_and_capturable",
        PartiallyCapturedAndProcessing = "partially_captured_and_processing",
        Succeeded = "succeeded",
        PartiallyCaptured = "partially_captured",
        Failed = "failed",
        Cancelled = "cancelled",
        CancelledPostCapture = "cancelled_post_capture",
        Conflicted = "conflicted",
        Expired = "expired",
    }
}

words! {
    /// Status of a refund, as merchants see it.
    pub enum RefundStatus {
        /// The processor hasn't decided, or the outcome is unknown. The amount stays reserved.
        Pending = "pending",
        Succeeded = "succeeded",
        Failed = "failed",
        /// The processor's answer contradicts the request, so the merchant must review it.
        Review = "review",
    }
}

words! {
    /// Status of a dispute, as merchants see it.
    pub enum DisputeStatus {
        /// The merchant may accept or challenge it.
        Opened = "dispute_opened",
        /// The merchant didn't answer in time.
        Expired = "dispute_expired",
        /// The merchant accepted it.
        Accepted = "dispute_accepted",
        /// The payer or the issuer withdrew it.
        Cancelled = "dispute_cancelled",
        /// The merchant's evidence is being judged.
        Challenged = "dispute_challenged",
        Won = "dispute_won",
        Lost = "dispute_lost",
    }
}

words! {
    /// Status of a mandate, which determines whether it can be charged.
    pub enum MandateStatus {
        /// The first payment is not approved. A mandate is stored with the approval, so no stored mandate has this
        /// status.
        Pending = "pending",
        Active = "active",
        /// A single-use mandate whose charge was made or may have been.
        Inactive = "inactive",
        /// Revoked: it can't be charged any more.
        Revoked = "revoked",
    }
}

impl DisputeStatus {
    /// Checks whether the status may change to `next` within the same stage. A new stage begins with any status.
    pub fn may_become(self, next: DisputeStatus) -> bool {
        match self {
            DisputeStatus::Opened => true,
            DisputeStatus::Challenged => next != DisputeStatus::Opened,
            DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Won
            | DisputeStatus::Lost => next == self,
        }
    }

    /// Checks whether the status is final within its stage.
    pub fn is_final(self) -> bool {
        match self {
            DisputeStatus::Opened | DisputeStatus::Challenged => false,
            DisputeStatus::Expired
            | DisputeStatus::Accepted
            | DisputeStatus::Cancelled
            | DisputeStatus::Won
            | DisputeStatus::Lost => true,
        }
    }
}

impl PaymentStatus {
    /// Checks whether the status is final. A `failed` payment can still be retried if the profile allows it.
    pub fn is_terminal(self) -> bool {
        match self {
            PaymentStatus::Succeeded
            | PaymentStatus::PartiallyCaptured
            | PaymentStatus::Failed
            | PaymentStatus::Cancelled
            | PaymentStatus::CancelledPostCapture
            | PaymentStatus::Expired => true,
            PaymentStatus::RequiresPaymentMethod
            | PaymentStatus::RequiresConfirmation
            | PaymentStatus::RequiresCustomerAction
            | PaymentStatus::RequiresMerchantAction
            | PaymentStatus::Processing
            | PaymentStatus::RequiresCapture
            | PaymentStatus::PartiallyAuthorizedAndRequiresCapture
            | PaymentStatus::PartiallyCapturedAndCapturable
            | PaymentStatus::PartiallyCapturedAndProcessing
            | PaymentStatus::Conflicted => false,
        }
    }
}
